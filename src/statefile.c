/* SPDX-License-Identifier: ISC */
/*
 * statefile.c: where the program keeps what it wants to know next time.
 */
#include "statefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
directory(char *path, size_t size)
{
	const char *state = getenv("STATE_DIRECTORY");
	const char *home = getenv("HOME");
	int n;

	if (state != NULL && state[0] == '/')
		n = snprintf(path, size, "%s", state);
	else if (geteuid() == 0)
		n = snprintf(path, size, "/var/lib/nfsrated");
	else if (home != NULL && home[0] == '/')
		n = snprintf(path, size, "%s/.local/state/nfsrated", home);
	else
		n = -1;
	if (n < 0 || (size_t)n >= size) {
		errno = ENOENT;
		return -1;
	}
	return n;
}

/* Each directory of the path that is not there yet. */
static int
make_directories(char *path)
{
	char *slash;
	int res;

	for (slash = path + 1;; slash++) {
		slash += strcspn(slash, "/");
		if (*slash == '\0')
			break;
		*slash = '\0';
		res = mkdir(path, 0755);
		*slash = '/';
		if (res != 0 && errno != EEXIST)
			return -1;
	}
	return mkdir(path, 0755) == 0 || errno == EEXIST ? 0 : -1;
}

int
statefile_path(const char *name, char *path, size_t size)
{
	int len = directory(path, size), n;

	if (len < 0 || make_directories(path) != 0)
		return -1;
	n = snprintf(path + len, size - (size_t)len, "/%s", name);
	if (n < 0 || (size_t)n >= size - (size_t)len) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return 0;
}

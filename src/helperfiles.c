/* SPDX-License-Identifier: ISC */
/*
 * helperfiles.c: the files that the helper process opens for the main one.
 */
#include "helperfiles.h"

#include <sys/types.h>
#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRIES_MAX	65536	/* files of a directory that are looked at */

void
helperfiles_init(struct helperfiles *h, const struct helper_file *file,
    uint32_t files)
{
	char here[PATH_MAX], *path;
	uint32_t i;

	memset(h, 0, sizeof(*h));
	h->files = files < HELPER_FILES_MAX ? files : HELPER_FILES_MAX;
	for (i = 0; i < h->files; i++) {
		h->file[i] = file[i];
		if (file[i].path[0] != '/' &&
		    getcwd(here, sizeof(here)) != NULL &&
		    asprintf(&path, "%s/%s", here, file[i].path) >= 0)
			h->file[i].path = path;
	}
}

bool
helperfiles_name_is_plain(const char *name)
{
	size_t len = strlen(name);

	return len > 0 && len <= HELPER_NAME_MAX && name[0] != '.' &&
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789-_.") == len;
}

static const struct helper_file *
find(const struct helperfiles *h, uint32_t file)
{
	if (file < h->files)
		return &h->file[file];
	errno = EINVAL;
	return NULL;
}

int
helperfiles_open(const struct helperfiles *h, uint32_t file)
{
	const struct helper_file *f = find(h, file);

	if (f == NULL)
		return -1;
	if (f->kind == HELPER_APPEND)
		return open(f->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC |
		    O_NOCTTY, 0640);
	if (f->kind == HELPER_READ)
		return open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	errno = EINVAL;
	return -1;
}

/* A file that is made first and then put in place. */
struct place {
	char	dir[PATH_MAX];
	char	name[NAME_MAX + 1];
	char	temporary[NAME_MAX + 1];
};

static int
split(const char *path, struct place *p)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash != NULL ? (size_t)(slash - path) : 0;

	if (slash == NULL || len >= sizeof(p->dir) ||
	    strlen(slash + 1) >= sizeof(p->name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(p->dir, len > 0 ? path : "/", len > 0 ? len : 1);
	p->dir[len > 0 ? len : 1] = '\0';
	strcpy(p->name, slash + 1);
	return 0;
}

static int
find_place(const struct helperfiles *h, uint32_t file, const char *name,
    struct place *p)
{
	const struct helper_file *f = find(h, file);

	if (f == NULL)
		return -1;
	if (f->kind == HELPER_REPLACE && name == NULL) {
		if (split(f->path, p) != 0)
			return -1;
	} else if ((f->kind == HELPER_DIRECTORY || f->kind == HELPER_NEW) &&
	    name != NULL && helperfiles_name_is_plain(name)) {
		snprintf(p->dir, sizeof(p->dir), "%s", f->path);
		snprintf(p->name, sizeof(p->name), "%s", name);
	} else {
		errno = EINVAL;
		return -1;
	}
	if (snprintf(p->temporary, sizeof(p->temporary), ".%s.tmp",
	    p->name) < (int)sizeof(p->temporary))
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

static int
open_directory(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int
helperfiles_create(const struct helperfiles *h, uint32_t file,
    const char *name)
{
	const char *made;
	struct place p;
	int dir, fd;

	if (find_place(h, file, name, &p) != 0 ||
	    (dir = open_directory(p.dir)) < 0)
		return -1;
	made = h->file[file].kind == HELPER_NEW ? p.name : p.temporary;
	if (made == p.temporary)
		unlinkat(dir, made, 0);
	fd = openat(dir, made, O_WRONLY | O_CREAT | O_EXCL |
	    O_NOFOLLOW | O_CLOEXEC, 0644);
	close(dir);
	/* The umask keeps other files from others. */
	if (fd >= 0 && h->file[file].shared && fchmod(fd, 0644) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Files of a directory, by their age. */
struct entry {
	struct timespec	time;
	uint64_t	bytes;
	char		*name;
};

static int
by_age(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->time.tv_sec != y->time.tv_sec)
		return x->time.tv_sec < y->time.tv_sec ? -1 : 1;
	if (x->time.tv_nsec != y->time.tv_nsec)
		return x->time.tv_nsec < y->time.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool
has_form(const char *name, const char *prefix, const char *suffix)
{
	size_t len = strlen(name), behind = strlen(suffix);

	return strncmp(name, prefix, strlen(prefix)) == 0 &&
	    len >= strlen(prefix) + behind &&
	    strcmp(name + len - behind, suffix) == 0;
}

static size_t
list(DIR *d, const struct helper_file *f, struct entry **entries)
{
	const struct dirent *e;
	struct entry *more;
	struct stat st;
	size_t n = 0;

	*entries = NULL;
	while (n < ENTRIES_MAX && (e = readdir(d)) != NULL) {
		if (!has_form(e->d_name, f->prefix, f->suffix) ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) !=
		    0 || !S_ISREG(st.st_mode) ||
		    (more = reallocarray(*entries, n + 1, sizeof(*more))) ==
		    NULL)
			continue;
		*entries = more;
		more[n].time = st.st_mtim;
		more[n].bytes = (uint64_t)st.st_size;
		if ((more[n].name = strdup(e->d_name)) != NULL)
			n++;
	}
	return n;
}

/* The newest file always stays. */
static void
prune(const struct helper_file *f)
{
	DIR *d = opendir(f->path);
	uint64_t bytes = 0;
	struct entry *e;
	size_t i, n;

	if (d == NULL)
		return;
	n = list(d, f, &e);
	if (n > 0)
		qsort(e, n, sizeof(*e), by_age);
	for (i = 0; i < n; i++)
		bytes += e[i].bytes;
	for (i = 0; i < n; i++) {
		if (i + 1 < n && (n - i > f->files_max ||
		    bytes > f->bytes_max))
			unlinkat(dirfd(d), e[i].name, 0);
		bytes -= e[i].bytes;
		free(e[i].name);
	}
	free(e);
	closedir(d);
}

int
helperfiles_commit(const struct helperfiles *h, uint32_t file,
    const char *name)
{
	struct place p;
	int dir, res;

	if (find_place(h, file, name, &p) != 0 ||
	    (dir = open_directory(p.dir)) < 0)
		return -1;
	res = renameat(dir, p.temporary, dir, p.name);
	close(dir);
	if (res == 0 && h->file[file].kind == HELPER_DIRECTORY &&
	    h->file[file].prefix != NULL)
		prune(&h->file[file]);
	return res;
}

static int
check_directory(const char *path)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	return access(path, W_OK | X_OK);
}

int
helperfiles_check(const struct helperfiles *h, uint32_t file)
{
	const struct helper_file *f = find(h, file);
	struct place p;

	if (f == NULL)
		return -1;
	if (f->kind == HELPER_DIRECTORY || f->kind == HELPER_NEW)
		return check_directory(f->path);
	return split(f->path, &p) != 0 ? -1 : access(p.dir, W_OK | X_OK);
}

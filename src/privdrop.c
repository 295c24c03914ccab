/* SPDX-License-Identifier: ISC */
/*
 * privdrop.c: from root to a user who has no privileges, for good.
 */
#include "privdrop.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>

#include <bsd/stdlib.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CAPABILITIES_MAX	64

static int	fail(char *err, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

static int
fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, PRIVDROP_ERROR_MAX, fmt, ap);
	va_end(ap);
	return -1;
}

static int
find_user(struct privdrop *p, const char *user, char *err)
{
	const struct passwd *pw;
	const char *why;
	long long uid;

	errno = 0;
	pw = getpwnam(user);
	uid = strtonum(user, 0, INT_MAX, &why);
	if (pw == NULL && why == NULL)
		pw = getpwuid((uid_t)uid);
	if (pw == NULL)
		return fail(err, "there is no user \"%s\"", user);
	p->uid = pw->pw_uid;
	p->gid = pw->pw_gid;
	snprintf(p->name, sizeof(p->name), "%s", pw->pw_name);
	return 0;
}

int
privdrop_find(struct privdrop *p, const char *user, const char *chroot,
    char err[PRIVDROP_ERROR_MAX])
{
	memset(p, 0, sizeof(*p));
	p->chroot = chroot;
	p->uid = geteuid();
	p->gid = getegid();
	if (chroot != NULL && p->uid != 0)
		return fail(err, "only root can change its root directory");
	if (user == NULL)
		return 0;
	if (find_user(p, user, err) != 0)
		return -1;
	p->change = p->uid != geteuid() || p->gid != getegid();
	if (p->change && geteuid() != 0)
		return fail(err, "only root can become user %s", p->name);
	return 0;
}

static int
change_root(const char *directory, char *err)
{
	if (chroot(directory) != 0 || chdir("/") != 0)
		return fail(err, "chroot to %s: %s", directory,
		    strerror(errno));
	return 0;
}

/* All three ids of each kind are the user's. */
static bool
is_user(const struct privdrop *p)
{
	uid_t u[3];
	gid_t g[3], group;
	int i;

	if (getresuid(&u[0], &u[1], &u[2]) != 0 ||
	    getresgid(&g[0], &g[1], &g[2]) != 0 ||
	    getgroups(1, &group) != 1 || group != p->gid)
		return false;
	for (i = 0; i < 3; i++)
		if (u[i] != p->uid || g[i] != p->gid)
			return false;
	return true;
}

/* Where the kernel lets us, nobody whom we execute can have any either. */
static void
empty_bounding_set(void)
{
	unsigned long c;

	for (c = 0; c < CAPABILITIES_MAX; c++)
		if (prctl(PR_CAPBSET_DROP, c, 0, 0, 0) != 0)
			break;
}

static int
change_user(const struct privdrop *p, char *err)
{
	empty_bounding_set();
	if (setgroups(1, &p->gid) != 0 ||
	    setresgid(p->gid, p->gid, p->gid) != 0 ||
	    setresuid(p->uid, p->uid, p->uid) != 0)
		return fail(err, "cannot become user %s: %s", p->name,
		    strerror(errno));
	if (!is_user(p) || (p->uid != 0 && setuid(0) == 0))
		return fail(err, "did not become user %s", p->name);
	return 0;
}

int
privdrop_user(const struct privdrop *p, char err[PRIVDROP_ERROR_MAX])
{
	if (p->chroot != NULL && change_root(p->chroot, err) != 0)
		return -1;
	return p->change ? change_user(p, err) : 0;
}

int
privdrop_capabilities(char err[PRIVDROP_ERROR_MAX])
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	empty_bounding_set();
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	memset(data, 0, sizeof(data));
	if (syscall(SYS_capset, &header, data) != 0)
		return fail(err, "cannot give up capabilities: %s",
		    strerror(errno));
	return 0;
}

int
privdrop_no_new(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/* SPDX-License-Identifier: ISC */
/*
 * lockdown.c: from a program that may do much to one that may do nothing but
 * its work.
 */
#include "lockdown.h"

#include <sys/types.h>
#include <sys/stat.h>

#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "sandbox.h"
#include "words.h"

#define DEFAULT_USER	"nfsrated"
#define NSEC		INT64_C(1000000000)
#define MIB		(1024 * UINT64_C(1024))

static int	fail(char *err, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

static int
fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, LOCKDOWN_ERROR_MAX, fmt, ap);
	va_end(ap);
	return -1;
}

static const char *
choose_user(const struct options *o)
{
	if (o->user != NULL || !o->daemon || geteuid() != 0)
		return o->user;
	return getpwnam(DEFAULT_USER) != NULL ? DEFAULT_USER : NULL;
}

static uint32_t
add_file(struct helper_config *c, const char *path, enum helper_kind kind)
{
	if (path == NULL)
		return LOCKDOWN_NONE;
	c->file[c->files].path = path;
	c->file[c->files].kind = kind;
	return c->files++;
}

static void
add_files(struct lockdown *l, struct helper_config *c, const char *state,
    bool saves)
{
	const struct options *o = l->options;

	l->log = add_file(c, o->log, HELPER_APPEND);
	l->config = add_file(c, o->config, HELPER_READ);
	l->state = add_file(c, state, HELPER_REPLACE);
	l->textfile = add_file(c, o->textfile, HELPER_REPLACE);
	if (l->textfile != LOCKDOWN_NONE)
		c->file[l->textfile].shared = true;
	l->save = add_file(c, saves ? "." : NULL, HELPER_NEW);
	l->recorder = add_file(c, o->recorder, HELPER_DIRECTORY);
	if (l->recorder == LOCKDOWN_NONE)
		return;
	c->file[l->recorder].prefix = "nfsrated-";
	c->file[l->recorder].suffix = ".pcap";
	c->file[l->recorder].files_max = (uint32_t)o->recorder_files;
	c->file[l->recorder].bytes_max = (uint64_t)o->recorder_mib * MIB;
}

/* The directory of our own state goes over to the user that we become. */
static void
give_state(const struct lockdown *l, const char *state)
{
	char dir[512];
	char *slash;

	if (state == NULL || !l->who.change)
		return;
	snprintf(dir, sizeof(dir), "%s", state);
	if ((slash = strrchr(dir, '/')) == NULL || slash == dir)
		return;
	*slash = '\0';
	if (strcmp(slash - (sizeof(DEFAULT_USER) - 1), DEFAULT_USER) != 0 ||
	    chown(dir, l->who.uid, l->who.gid) != 0 ||
	    (chown(state, l->who.uid, l->who.gid) != 0 && errno != ENOENT))
		log_debug("%s: stays as it is", dir);
}

static bool
is_in_path(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char file[4096];
	int n;

	if (path == NULL)
		return true;	/* who knows where execvp(3) looks */
	for (; *path != '\0'; path = *end == ':' ? end + 1 : end) {
		end = path + strcspn(path, ":");
		n = snprintf(file, sizeof(file), "%.*s/%s", (int)(end - path),
		    path, name);
		if (n > 0 && n < (int)sizeof(file) && access(file, X_OK) == 0)
			return true;
	}
	return false;
}

/* Better said now than when the first episode comes at night. */
static void
look_for_command(const char *name)
{
	bool named = strchr(name, '/') != NULL;

	if (named ? access(name, X_OK) != 0 : !is_in_path(name))
		log_warning("--alert: there is no command %s%s; episodes will "
		    "be told without it", name, named ? "" : " in PATH");
}

int
lockdown_start(struct lockdown *l, const struct options *o, const char *state,
    bool saves, char err[LOCKDOWN_ERROR_MAX])
{
	struct helper_config c;
	char why[PRIVDROP_ERROR_MAX];
	const char *reason;

	memset(l, 0, sizeof(*l));
	memset(&c, 0, sizeof(c));
	l->options = o;
	if (privdrop_find(&l->who, choose_user(o), o->chroot, why) != 0)
		return fail(err, "%s", why);
	give_state(l, state);
	add_files(l, &c, state, saves);
	if (o->alert != NULL && (l->command = words_split(o->alert,
	    &reason)) == NULL)
		return fail(err, "--alert: %s", reason);
	if (l->command != NULL)
		look_for_command(l->command[0]);
	if (c.files == 0 && l->command == NULL && !o->daemon)
		return 0;
	c.command = l->command;
	c.timeout_ns = o->alert_timeout * NSEC;
	c.syslog_name = o->daemon ? "nfsrated" : NULL;
	c.who = l->who;
	c.who.chroot = NULL;
	l->helper = helper_start(&c, err);
	return l->helper != NULL ? 0 : -1;
}

static int
check_log(struct lockdown *l, char *err)
{
	struct stat st;

	if (l->log == LOCKDOWN_NONE || helper_check(l->helper, l->log) == 0)
		return 0;
	if (stat(l->options->log, &st) != 0)
		return fail(err, "%s: user %s could not make it anew after "
		    "rotation: %s; give him the directory", l->options->log,
		    l->who.name, strerror(errno));
	log_notice("%s: user %s could not make it anew after rotation; let "
	    "the rotation make it, or copy and truncate", l->options->log,
	    l->who.name);
	return 0;
}

static int
check_file(struct lockdown *l, uint32_t file, const char *path, char *err)
{
	if (file == LOCKDOWN_NONE || helper_check(l->helper, file) == 0)
		return 0;
	return fail(err, "%s: cannot be written%s%s: %s", path,
	    l->who.change ? " by user " : "", l->who.name, strerror(errno));
}

int
lockdown_check(struct lockdown *l, char err[LOCKDOWN_ERROR_MAX])
{
	const struct options *o = l->options;

	if (l->who.change && check_log(l, err) != 0)
		return -1;
	if (check_file(l, l->textfile, o->textfile, err) != 0 ||
	    check_file(l, l->recorder, o->recorder, err) != 0)
		return -1;
	if (l->state != LOCKDOWN_NONE &&
	    helper_check(l->helper, l->state) != 0)
		log_warning("what is learned cannot be kept: %s",
		    strerror(errno));
	return 0;
}

static int
by_value(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * What the C library reads from files the first time that it is asked: the
 * time zone, and how much memory there is, for sorting much.
 */
static void
warm_up(void)
{
	int numbers[2048] = { 0 };
	struct tm tm;
	time_t now = time(NULL);

	tzset();
	localtime_r(&now, &tm);
	qsort(numbers, sizeof(numbers) / sizeof(numbers[0]),
	    sizeof(numbers[0]), by_value);
}

int
lockdown_enter(struct lockdown *l, bool terminal,
    char err[LOCKDOWN_ERROR_MAX])
{
	const struct sandbox_config config = {
		.mode = l->options->sandbox, .terminal = terminal,
		.server = l->options->metrics != NULL
	};

	warm_up();
	if (l->options->daemon && chdir("/") != 0) {
		fail(err, "/: %s", strerror(errno));
		return -1;
	}
	if (privdrop_user(&l->who, err) != 0 ||
	    privdrop_capabilities(err) != 0)
		return -1;
	return sandbox_enter(&config, err);
}

void
lockdown_stop(struct lockdown *l, int wait_ms)
{
	helper_stop(l->helper, wait_ms);
	l->helper = NULL;
	free(l->command);
	l->command = NULL;
}

int
lockdown_open_log(void *ctx, const char *path)
{
	struct lockdown *l = ctx;

	(void)path;
	return helper_open(l->helper, l->log);
}

int
lockdown_create_recording(void *ctx, const char *name)
{
	struct lockdown *l = ctx;

	return helper_create(l->helper, l->recorder, name);
}

int
lockdown_commit_recording(void *ctx, const char *name)
{
	struct lockdown *l = ctx;

	return helper_commit(l->helper, l->recorder, name);
}

int
lockdown_create_save(void *ctx, const char *name)
{
	struct lockdown *l = ctx;

	return helper_create(l->helper, l->save, name);
}

int
lockdown_create_textfile(void *ctx)
{
	struct lockdown *l = ctx;

	return helper_create(l->helper, l->textfile, NULL);
}

int
lockdown_commit_textfile(void *ctx)
{
	struct lockdown *l = ctx;

	return helper_commit(l->helper, l->textfile, NULL);
}

int
lockdown_create_state(void *ctx)
{
	struct lockdown *l = ctx;

	return helper_create(l->helper, l->state, NULL);
}

int
lockdown_commit_state(void *ctx)
{
	struct lockdown *l = ctx;

	return helper_commit(l->helper, l->state, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * upkeep.c: what a program that runs for months needs besides its work.
 */
#include "upkeep.h"

#include <bsd/unistd.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alert.h"
#include "log.h"
#include "ratelog.h"

#define INTERVALS_ALIVE	5		/* without news, and still well */
#define COMMAND_WAIT_MS	(35 * 1000)	/* at the end, for a last alert */

int
upkeep_begin(struct upkeep *u, const struct options *o,
    struct lifeline *lifeline, char err[UPKEEP_ERROR_MAX])
{
	memset(u, 0, sizeof(*u));
	u->options = o;
	u->lifeline = lifeline;
	sdnotify_open(&u->manager);
	if (o->pidfile == NULL)
		return 0;
	if ((u->pidkeeper = pidkeeper_open(o->pidfile, err)) == NULL)
		return -1;
	if (pidkeeper_write(u->pidkeeper) == 0)
		return 0;
	snprintf(err, UPKEEP_ERROR_MAX, "%s: %s", o->pidfile,
	    strerror(errno));
	return -1;
}

void
upkeep_set_verdicts(struct upkeep *u, struct verdicts *v)
{
	u->verdicts = v;
	if (u->lockdown.helper != NULL &&
	    u->lockdown.state != LOCKDOWN_NONE)
		verdicts_store(v, lockdown_create_state,
		    lockdown_commit_state, &u->lockdown);
}

int
upkeep_lock(struct upkeep *u, struct verdicts *v, bool saves,
    char err[UPKEEP_ERROR_MAX])
{
	if (lockdown_start(&u->lockdown, u->options, verdicts_state(v),
	    saves, err) != 0)
		return -1;
	u->locked = true;
	upkeep_set_verdicts(u, v);
	return lockdown_check(&u->lockdown, err);
}

int
upkeep_enter(struct upkeep *u, bool terminal, char err[UPKEEP_ERROR_MAX])
{
	return lockdown_enter(&u->lockdown, terminal, err);
}

void
upkeep_ready(struct upkeep *u, const char *source, int64_t now_ns)
{
	char state[256];

	if (u->options->daemon && u->lockdown.helper != NULL)
		log_call("nfsrated", false, helper_message,
		    u->lockdown.helper);
	lifeline_ready(u->lifeline);
	u->alive_ns = now_ns;
	snprintf(state, sizeof(state), "READY=1\nSTATUS=watching %s", source);
	sdnotify_tell(&u->manager, state);
	if (!u->options->daemon)
		return;
	u->ready = true;
	setproctitle("watching %s", source);
	log_notice("started, watching %s", source);
}

void
upkeep_end(struct upkeep *u, bool hurry)
{
	sdnotify_tell(&u->manager, "STOPPING=1");
	if (u->ready)
		log_notice("ends");
	if (u->locked) {
		if (u->options->daemon)
			log_open("nfsrated", LOG_TO_NOTHING, false);
		lockdown_stop(&u->lockdown, hurry || u->options->daemon ? 0 :
		    COMMAND_WAIT_MS);
	}
	sdnotify_close(&u->manager);
	pidkeeper_close(u->pidkeeper);
	if (u->reread)
		options_clear(&u->now);
}

void
upkeep_poll(const struct upkeep *u, struct pollfd fds[UPKEEP_FDS])
{
	fds[0] = (struct pollfd){
		.fd = u->lockdown.helper != NULL ?
		    helper_fd(u->lockdown.helper) : -1,
		.events = POLLIN
	};
}

int
upkeep_wait_ms(const struct upkeep *u, int64_t now_ns)
{
	return sdnotify_wait_ms(&u->manager, now_ns);
}

void
upkeep_run(struct upkeep *u, int64_t now_ns)
{
	const struct helper *h = u->lockdown.helper;

	if (now_ns - u->alive_ns <= INTERVALS_ALIVE * u->options->interval_ns)
		sdnotify_alive(&u->manager, now_ns);
	if (h == NULL || helper_is_gone(h))
		return;
	helper_run(u->lockdown.helper);
	if (helper_is_gone(h))
		log_error("the helper process is gone: no alerts are run, "
		    "and files cannot be opened again");
}

void
upkeep_alive(struct upkeep *u, int64_t now_ns)
{
	u->alive_ns = now_ns;
}

bool
upkeep_is_service(const struct upkeep *u)
{
	return u->options->daemon || u->manager.fd >= 0;
}

/* Outputs. */

int
upkeep_log(struct upkeep *u, struct sink **s, char err[UPKEEP_ERROR_MAX])
{
	*s = NULL;
	if (u->options->log == NULL)
		return 0;
	*s = ratelog_new(u->options->log, lockdown_open_log, &u->lockdown,
	    err);
	return *s != NULL ? 0 : -1;
}

static const struct episode *
open_episode(void *ctx)
{
	const struct upkeep *u = ctx;

	return rules_episode(verdicts_rules(u->verdicts));
}

static void
tell_line(void *ctx, const char *line)
{
	(void)ctx;
	log_warning("%s", line);
}

static void
run_command(void *ctx, const char *facts, size_t len)
{
	struct upkeep *u = ctx;

	if (!helper_command(u->lockdown.helper, facts, len))
		log_warning("the alert command could not be run: the helper "
		    "process does not answer");
}

/* On a terminal the rows themselves tell of episodes. */
int
upkeep_alerts(struct upkeep *u, const char *source, struct sink **s,
    char err[UPKEEP_ERROR_MAX])
{
	const struct options *o = u->options;
	const struct alert_config config = {
		.repeat_ns = o->alert_repeat * INT64_C(1000000000),
		.per_hour = (uint32_t)o->alert_limit,
		.source = source, .open = open_episode, .line = tell_line,
		.command = o->alert != NULL ? run_command : NULL, .ctx = u
	};

	*s = NULL;
	if (o->alert == NULL && !upkeep_is_service(u))
		return 0;
	u->alert = *s = alert_new(&config);
	if (*s != NULL)
		return 0;
	snprintf(err, UPKEEP_ERROR_MAX, "%s", strerror(errno));
	return -1;
}

/* Options that change. */

const struct options *
upkeep_options(const struct upkeep *u)
{
	return u->reread ? &u->now : u->options;
}

/* Says what has changed; true when that concerns the verdicts. */
static bool
compare(const struct options *before, const struct options *after)
{
	const struct option_entry *e;
	bool concerns = false;
	size_t n;

	for (e = option_table(&n); n > 0; n--, e++) {
		if (option_same(e, before, after))
			continue;
		if (e->reload)
			log_notice("option %s has changed", e->name);
		else
			log_warning("option %s has changed, but cannot while "
			    "it runs: start anew for it", e->name);
		concerns = concerns || e->reload;
	}
	return concerns;
}

static bool
read_again(struct upkeep *u, struct options *o)
{
	char err[OPTIONS_ERROR_MAX];
	int fd;

	if ((fd = helper_open(u->lockdown.helper, u->lockdown.config)) < 0) {
		log_warning("%s: cannot be read again: %s",
		    u->options->config, strerror(errno));
		return false;
	}
	options_init(o);
	if (options_parse_again(o, u->options, fd, err) == 0)
		return true;
	log_warning("%s; nothing has changed", err);
	options_clear(o);
	return false;
}

bool
upkeep_reload(struct upkeep *u)
{
	struct options o;
	bool concerns;

	if (u->options->config == NULL || u->lockdown.helper == NULL ||
	    !read_again(u, &o))
		return false;
	concerns = compare(upkeep_options(u), &o);
	if (!concerns) {
		options_clear(&o);
		return false;
	}
	if (u->reread)
		options_clear(&u->now);
	u->now = o;
	u->reread = true;
	if (u->alert != NULL)
		alert_set(u->alert, o.alert_repeat * INT64_C(1000000000),
		    (uint32_t)o.alert_limit);
	return true;
}

/* SPDX-License-Identifier: ISC */
/*
 * upkeep.h: what a program that runs for months needs besides its work: the
 * background, a pid file, the helper and the sandbox, a service manager that
 * is told, alerts, and options that change.
 *
 * Life: begin; lock, when all that needs privileges is open; enter, when all
 * else is; ready, when it runs; end.  What a form of operation does not need
 * does nothing, so all may be called always.
 */
#ifndef NFSRATED_UPKEEP_H
#define NFSRATED_UPKEEP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "daemonize.h"
#include "lockdown.h"
#include "options.h"
#include "sdnotify.h"
#include "sink.h"
#include "verdicts.h"

#define UPKEEP_ERROR_MAX	512
#define UPKEEP_FDS		1

struct upkeep {
	const struct options *options;	/* as it was started */
	struct lifeline	*lifeline;
	struct pidkeeper *pidkeeper;
	struct lockdown	 lockdown;
	struct sdnotify	 manager;
	bool		 locked, ready;
	int64_t		 alive_ns;	/* when it last was */
	struct sink	*alert;		/* one of the program's outputs */
	struct verdicts	*verdicts;
	struct options	 now;		/* with what was read again */
	bool		 reread;
};

/* 0, or -1 and one line of text, as all of these. */
int	upkeep_begin(struct upkeep *, const struct options *,
	    struct lifeline *, char err[UPKEEP_ERROR_MAX]);
/*
 * The verdicts are borrowed.  saves: the program will make files where it was
 * started (lockdown_create_save).
 */
int	upkeep_lock(struct upkeep *, struct verdicts *, bool saves,
	    char err[UPKEEP_ERROR_MAX]);
/* terminal: curses will be used. */
int	upkeep_enter(struct upkeep *, bool terminal,
	    char err[UPKEEP_ERROR_MAX]);
void	upkeep_ready(struct upkeep *, const char *source, int64_t now_ns);
/*
 * From now on it does not wait: commands that run are waited for, unless in a
 * hurry.
 */
void	upkeep_end(struct upkeep *, bool hurry);

/* What to wait for, and how long at most (-1 for ever); then run. */
void	upkeep_poll(const struct upkeep *, struct pollfd[UPKEEP_FDS]);
int	upkeep_wait_ms(const struct upkeep *, int64_t now_ns);
void	upkeep_run(struct upkeep *, int64_t now_ns);
/* An interval was dealt with, so all is well for some time. */
void	upkeep_alive(struct upkeep *, int64_t now_ns);

/* It runs unattended: as a daemon, or under a service manager. */
bool	upkeep_is_service(const struct upkeep *);

/*
 * The outputs that it has to offer, NULL where one is not wanted: 0, or -1 and
 * one line of text.
 */
int	upkeep_log(struct upkeep *, struct sink **,
	    char err[UPKEEP_ERROR_MAX]);
int	upkeep_alerts(struct upkeep *, const char *source, struct sink **,
	    char err[UPKEEP_ERROR_MAX]);

/*
 * Reads the configuration file again and says what has changed and what cannot
 * change.  True when verdicts are to be made anew, by upkeep_options.
 */
bool	upkeep_reload(struct upkeep *);
const struct options *upkeep_options(const struct upkeep *);
void	upkeep_set_verdicts(struct upkeep *, struct verdicts *);

#endif

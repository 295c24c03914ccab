/* SPDX-License-Identifier: ISC */
/*
 * programstate.h: what the program knows of itself, for its parts.
 */
#ifndef NFSRATED_PROGRAMSTATE_H
#define NFSRATED_PROGRAMSTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "daemonize.h"
#include "exporter.h"
#include "options.h"
#include "settle.h"
#include "sink.h"
#include "source.h"
#include "totals.h"
#include "upkeep.h"
#include "verdicts.h"
#include "watch.h"

#define PROGRAM_SINKS_MAX	8
#define PROGRAM_MESSAGE_MAX	512

struct program {
	const struct options *options;
	int		 signal_fd;
	struct source	*source;
	double		 link_bps;	/* of its interface, 0 unknown */
	struct totals	*totals;
	struct verdicts	*verdicts;
	FILE		*out;
	struct watch	*watch;		/* NULL: nobody watches */
	/* the first is standard output's, if there is one */
	struct sink	*sink[PROGRAM_SINKS_MAX];
	unsigned int	 sinks;
	struct exporter	*exporter;	/* one of these; NULL: no metrics */
	struct settle	 settle;
	struct upkeep	 upkeep;
	uint64_t	 intervals;
	int64_t		 deadline_ns;	/* of last words; 0 not stopped */
	bool		 interrupted;
	bool		 seek;		/* the recording goes on elsewhere */
	bool		 only_watch;	/* what comes is for the view alone */
	bool		 done;		/* all that was asked for */
	bool		 failed;	/* no one reads it */
	int		 status;
	/* as a plug-in */
	bool		 checked;	/* the line is printed */
	char		 message[PROGRAM_MESSAGE_MAX];	/* the first error */
};

/* Waiting (programwait.c). */

int64_t	program_now_ns(void);
/*
 * Waits for the events of fd (none: -1), looking at signals, and at who
 * watches, meanwhile.  Gives whether they came, within timeout_ms (-1: however
 * long).
 */
bool	program_wait(struct program *, int fd, short events, int timeout_ms);
/*
 * For a pipe that is read: until there is something, or a stop.  For a slow
 * output: until there is room, or too late after a stop.  ctx is the program.
 */
bool	program_wait_input(void *ctx, int fd);
bool	program_wait_output(void *ctx, int fd);
/* A recording that is watched has its pace.  False: there are other wishes. */
bool	program_wait_until_due(struct program *, const struct sample *);

/* Opening (programopen.c): 0, or -1 when all is told and the status is set. */

int	program_open(struct program *, struct lifeline *);
void	program_close(struct program *);
/* 0, or -1 and errno. */
int	program_open_verdicts(struct program *, const struct options *);

/* What comes (program.c); ctx is the program. */

void	program_sample(void *ctx, const struct sample *,
	    const struct judgement *, uint64_t lost);
void	program_episode(void *ctx, const struct episode *);
void	program_logged_episode(void *ctx, const struct episode *);
/* Nobody reads standard output any more, or errno says why not. */
void	program_output_failed(struct program *);
/* SIGHUP. */
void	program_reopen(struct program *);

/* The end (programend.c). */

void	program_finish(struct program *);
/* As a plug-in: what went wrong is unknown; gives the exit status. */
int	program_plugin_status(struct program *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * alert.h: an output that tells of episodes: a line of keys and values that
 * can be searched for, and a command with the same facts in its environment.
 *
 * At the start and the end of an episode; while it lasts again every so often,
 * if that is asked for.  No more than so many episodes an hour start the
 * command: those left out are counted, and told with the next one.  Time is
 * that of the intervals.
 */
#ifndef NFSRATED_ALERT_H
#define NFSRATED_ALERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sink.h"

struct alert_config {
	int64_t		 repeat_ns;	/* 0: never */
	uint32_t	 per_hour;	/* commands; 0: without limit */
	const char	*source;	/* "eth0"; borrowed */
	/* The open episode as far as it goes, or NULL. */
	const struct episode *(*open)(void *ctx);
	/* A line for people and for grep. */
	void		(*line)(void *ctx, const char *line);
	/* NFSRATED_ facts, each ended by a NUL; NULL: there is no command. */
	void		(*command)(void *ctx, const char *facts, size_t len);
	void		*ctx;
};

/* NULL and errno when memory is short. */
struct sink *alert_new(const struct alert_config *);
/* As after SIGHUP. */
void	alert_set(struct sink *, int64_t repeat_ns, uint32_t per_hour);

enum alert_event { ALERT_START, ALERT_REPEAT, ALERT_END };

/* "episode start kind=stall ...", pure. */
void	alert_line(struct textbuf *, enum alert_event,
	    const struct episode *);
/* "NFSRATED_EVENT=start" and so on, pure; host may be NULL. */
void	alert_facts(struct textbuf *, enum alert_event,
	    const struct episode *, const char *source, const char *host,
	    uint32_t left_out);

#endif

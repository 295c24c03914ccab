/* SPDX-License-Identifier: ISC */
/*
 * timemerge.h: which of several live sources hands out its packet next, so
 * that packets come in order of time although each source has a queue of its
 * own.
 *
 * A source holds its oldest packet, or is empty as of some time, or has to be
 * read first.  The earliest packet goes when every empty source was empty
 * still a while (slack) after the packet's time: by then it would have shown
 * an earlier one.  So nobody waits longer than the slack.  A packet from
 * beyond now + slack (the clock was set back) waits for nothing.  Pure.
 */
#ifndef NFSRATED_TIMEMERGE_H
#define NFSRATED_TIMEMERGE_H

#include <stdbool.h>
#include <stdint.h>

#define TIMEMERGE_SOURCES_MAX	16

struct timemerge {
	uint32_t	sources;
	int64_t		slack_ns;
	struct timemerge_source {
		enum {
			TIMEMERGE_UNREAD,
			TIMEMERGE_EMPTY,
			TIMEMERGE_HOLDS,
			TIMEMERGE_ABSENT	/* nobody waits for it */
		} state;
		int64_t	time_ns;	/* EMPTY: since when it is known;
					 * HOLDS: of its packet */
	} source[TIMEMERGE_SOURCES_MAX];
};

/*
 * Whether the source has to be read before anything can be handed out: it
 * holds nothing, and what is known of it is too old.
 */
bool	timemerge_wants(const struct timemerge *, uint32_t source);
/* The source whose packet is the next one; -1: nobody's yet. */
int	timemerge_next(const struct timemerge *, int64_t now_ns);
/* The same when there is no time left to wait; -1: no packets. */
int	timemerge_earliest(const struct timemerge *);
/* When the earliest packet may go at last; INT64_MAX without packets. */
int64_t	timemerge_due(const struct timemerge *);

#endif

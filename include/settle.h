/* SPDX-License-Identifier: ISC */
/*
 * settle.h: a load of WRITEs that ran fast at first and then settled at a
 * lower rate because the server could take no more: memory has filled, and
 * the disk is the limit (DESIGN sec. 3).
 *
 * The first rate is the mean of the first SETTLE_FIRST intervals of a load or
 * of any later intervals as many in a row, if that was higher.  It has settled
 * when for SETTLE_LONG intervals the mean of the last SETTLE_FIRST was below
 * SETTLE_FALL of it, while the server's share (commit included) was by
 * SETTLE_SHARE higher than in the fast intervals.  A load ends with
 * SETTLE_FIRST intervals in a row without WRITEs.
 *
 * Open data of fixed size; all zero is the beginning.
 */
#ifndef NFSRATED_SETTLE_H
#define NFSRATED_SETTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sample.h"

#define SETTLE_FIRST	5
#define SETTLE_LONG	10
#define SETTLE_FALL	0.6
#define SETTLE_SHARE	0.15

struct settled {
	int64_t		fell_ns;	/* when the rate fell */
	double		first, later;	/* bytes written a second */
	double		first_server, later_server;	/* shares, 0..1 */
};

struct settle {
	struct settle_interval {
		double		rate, server;
		int64_t		start_ns;
	}		last[SETTLE_FIRST];	/* a ring */
	uint32_t	kept, next;
	uint32_t	quiet;		/* intervals without WRITEs, in a row */
	bool		has_first;
	struct settle_interval first;	/* means of the fastest */
	uint32_t	low;		/* intervals since it fell */
	int64_t		fell_ns;
	double		low_rate, low_server;	/* sums since then */
	bool		found;		/* in this load */
	struct settled	what;		/* of this load, or the last that did */
	uint32_t	times;
};

/*
 * An interval, in order of time.  True once for each load that settles: then,
 * and until the next, "what" says how; its later rate is kept up to date as
 * long as the load goes on.
 */
bool	settle_interval(struct settle *, const struct sample *);

#endif

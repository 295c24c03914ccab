/* SPDX-License-Identifier: ISC */
/*
 * metricswindow.h: the extremes of the last intervals, so that one bad second
 * is seen by who looks but every 15.
 *
 * The window is METRICSWINDOW_NS long, always, or one interval when that is
 * longer.  It does not depend on who looks, and how often: several scrapers
 * see the same, and one that comes at least that often misses none.
 *
 * Open data of fixed size; all zero is empty.
 */
#ifndef NFSRATED_METRICSWINDOW_H
#define NFSRATED_METRICSWINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "judgement.h"
#include "sample.h"

#define METRICSWINDOW_NS	INT64_C(60000000000)
#define METRICSWINDOW_MAX	600	/* intervals of 0.1 s */

enum metricswindow_kind {
	METRICSWINDOW_IN,	/* wire packets towards servers a second */
	METRICSWINDOW_WRITES,	/* WRITE calls a second */
	METRICSWINDOW_WRITTEN,	/* bytes a second */
	METRICSWINDOW_READ,	/* bytes a second */
	METRICSWINDOW_RATIO,	/* of what was expected, while demanded */
	METRICSWINDOW_TRUST,
	METRICSWINDOW_WRITE_S,	/* longest latency of a WRITE, seconds */
	METRICSWINDOW_READ_S,
	METRICSWINDOW_DEPTH,	/* most calls outstanding */
	METRICSWINDOW_GAP_S,	/* longest time without input */
	METRICSWINDOW_KINDS
};

struct metricswindow {
	uint32_t	n, next;	/* a ring */
	struct metricswindow_row {
		int64_t		end_ns;
		uint32_t	known;		/* bits of kinds */
		double		value[METRICSWINDOW_KINDS];
	}		row[METRICSWINDOW_MAX];
};

/* The judgement may be NULL. */
void	metricswindow_add(struct metricswindow *, const struct sample *,
	    const struct judgement *);
/* False: there is none. */
bool	metricswindow_extremes(const struct metricswindow *,
	    enum metricswindow_kind, double *min, double *max);

#endif

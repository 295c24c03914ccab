/* SPDX-License-Identifier: ISC */
/*
 * metrics.h: what was measured, as metrics for Prometheus (DESIGN sec. 9).
 *
 * It takes intervals and episodes, reads the totals, and says all of it as
 * text.  Counters are the totals themselves, so nothing is lost between two
 * scrapes, and at the end they are what the JSON summary has.  What is not
 * known is left out.  nfsrated.8 explains each metric.
 *
 * How many series there are is bounded: by operations and codes that were
 * seen, METRICS_CLIENTS clients, and what is fixed.
 *
 * Pure; not thread-safe.
 */
#ifndef NFSRATED_METRICS_H
#define NFSRATED_METRICS_H

#include "judgement.h"
#include "metricsout.h"
#include "sample.h"
#include "totals.h"

#define METRICS_CLIENTS	20	/* the busiest since the start */

struct metrics;

struct metrics_config {
	const char	*source;	/* its name */
	const char	*version;	/* of the program */
	int64_t		 interval_ns;
	const struct totals *totals;	/* borrowed, for as long */
};

/* What only the outside knows. */
struct metrics_process {
	double		cpu_seconds;
	double		start_seconds;	/* since 1970; 0 unknown */
	uint64_t	max_resident_bytes;
	uint64_t	requests, refused;	/* over HTTP */
};

/* The config's texts are borrowed.  NULL and errno when memory is short. */
struct metrics *metrics_new(const struct metrics_config *);
void	metrics_free(struct metrics *);

/* Of an interval that the totals have.  The judgement may be NULL. */
void	metrics_sample(struct metrics *, const struct sample *,
	    const struct judgement *);
void	metrics_episode(struct metrics *, const struct episode *);
/* So many intervals got lost on their way. */
void	metrics_lost(struct metrics *, uint64_t intervals);
/* There will be no more intervals. */
void	metrics_ended(struct metrics *);

void	metrics_text(const struct metrics *, enum metricsout_format,
	    const struct metrics_process *, struct textbuf *);
/* The same for a reader: a page of HTML, without scripts. */
void	metrics_page(const struct metrics *, struct textbuf *);

#endif

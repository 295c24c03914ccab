/* SPDX-License-Identifier: ISC */
/*
 * episodesum.h: a run of intervals added up to an episode.
 *
 * Open data of fixed size; all zero is empty.
 */
#ifndef NFSRATED_EPISODESUM_H
#define NFSRATED_EPISODESUM_H

#include <stdbool.h>
#include <stdint.h>

#include "judgement.h"
#include "sample.h"

#define EPISODESUM_CLIENTS	16

/* What an episode wants to know of an interval. */
struct episode_interval {
	int64_t		start_ns, end_ns;
	enum verdict	verdict;
	bool		bad;
	enum expect_kind expect;
	double		expected, rate;
	double		shortfall_bytes;	/* below 0: not known */
	bool		has_cause;
	enum sample_state cause;
	double		cause_share;
	bool		has_client;
	struct addr	client;		/* the busiest */
	uint64_t	client_work;
};

struct episodesum_rates {
	uint64_t	n;
	double		sum, min, max;
};

struct episodesum {
	struct episode	e;
	struct episodesum_rates rates;
	struct episodesum_rates tail;	/* good ones after the last bad one */
	uint64_t	tail_intervals;
	uint64_t	kind[VERDICTS];
	double		cause[SAMPLE_STATES];
	uint32_t	clients;
	struct episodesum_client {
		struct addr	addr;
		uint64_t	work;
	}		client[EPISODESUM_CLIENTS];
};

/* unit_bytes: what one unit of the expectation stands for; 0 unknown. */
void	episode_interval_of(struct episode_interval *, const struct sample *,
	    const struct judgement *, double rate, double unit_bytes);

/*
 * Adds an interval, the first of them a bad one; the episode reaches from it
 * to the last bad one.  Rates are those of intervals that were compared with
 * the same kind of expectation as the first.  e is complete but for "ended".
 */
void	episodesum_add(struct episodesum *, const struct episode_interval *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * metricsstate.h: what the metrics know, for their parts.
 */
#ifndef NFSRATED_METRICSSTATE_H
#define NFSRATED_METRICSSTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metrics.h"
#include "metricshist.h"
#include "metricswindow.h"

struct metrics {
	struct metrics_config config;
	struct metricshist hist;
	struct metricswindow window;
	/* of the last interval, when there was one */
	bool		 any, ended;
	struct judgement judged;
	int64_t		 end_ns;
	double		 trust, depth;
	bool		 no_data, has_split;
	double		 share[SAMPLE_STATES];
	struct sample_traffic in;
	struct sample_data write, read;
	double		 seconds;
	/* since the start */
	uint64_t	 verdict[VERDICTS], unjudged;
	uint64_t	 lost;
	uint64_t	 episodes[VERDICTS];
	int64_t		 episode_ns[VERDICTS];	/* of those that ended */
	double		 shortfall_bytes;
	bool		 open;
	struct episode	 episode;	/* the open one, or the last */
	bool		 any_episode;
};

/* The counter at an offset of a structure. */
static inline uint64_t
metrics_member(const void *of, size_t offset)
{
	const void *at = (const char *)of + offset;
	const uint64_t *value = at;

	return *value;
}

/* The parts: packets, RPCs, data; operations, codes and latencies; clients. */
void	metrics_counts(const struct metrics *, struct metricsout *);
void	metrics_operations(const struct metrics *, struct metricsout *);
void	metrics_clients(const struct metrics *, struct metricsout *);

#endif

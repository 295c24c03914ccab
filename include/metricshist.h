/* SPDX-License-Identifier: ISC */
/*
 * metricshist.h: latencies since the start in few and fixed buckets, for every
 * series of a sample (sample.h).
 *
 * Bounds are powers of two microseconds from 64 us to 16.8 s: those of the
 * fine buckets (histogram.h), so that no value has to be guessed at.  A bound
 * itself counts above it: values are whole microseconds, rounded.
 *
 * Open data of fixed size; all zero is empty.  Counts never go back.
 */
#ifndef NFSRATED_METRICSHIST_H
#define NFSRATED_METRICSHIST_H

#include "sample.h"

#define METRICSHIST_BOUNDS	19

struct metricshist {
	uint64_t	bin[SAMPLE_SERIES][METRICSHIST_BOUNDS + 1];
};

/* In seconds; METRICSHIST_BOUNDS of them. */
const double *metricshist_bounds(void);
void	metricshist_add(struct metricshist *, const struct sample *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * fullsample.h: samples with something in every member, and what differs
 * between two of them.
 */
#ifndef NFSRATED_FULLSAMPLE_H
#define NFSRATED_FULLSAMPLE_H

#include "judgement.h"
#include "sample.h"

/* Everything is set, differently for each seed; start as given. */
void	fullsample_fill(struct sample *, unsigned int seed, int64_t start_ns);
/* An ordinary second: n WRITEs of 8 KiB from one client. */
void	fullsample_writes(struct sample *, int64_t start_ns, uint32_t n);
void	fullsample_judge(struct judgement *, unsigned int seed);

/* The member that differs, or NULL.  Latency cells may be in any order. */
const char *fullsample_difference(const struct sample *,
	    const struct sample *);

#endif

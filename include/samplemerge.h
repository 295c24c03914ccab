/* SPDX-License-Identifier: ISC */
/*
 * samplemerge.h: adds the counters of one sample to another of the same
 * meaning and another interval: sums, maxima, rows by key.
 *
 * Times, watched_ns and seq are left alone.  Clients, users and files for
 * which there is no room are left out, as they are in a sample itself.
 */
#ifndef NFSRATED_SAMPLEMERGE_H
#define NFSRATED_SAMPLEMERGE_H

#include "sample.h"

void	sample_merge(struct sample *, const struct sample *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * samplepack.h: a sample in few bytes, to be kept in memory.
 *
 * Of a sample's 40 KiB most is zero, and most counters are small.  Packing
 * leaves out unused rows and zero bytes; unpacking gives back the very same
 * sample.  The counters are apart from the rows (operations, statuses, sizes,
 * clients, users, files, latency cells), so that many intervals can be shown
 * without the latter.  The packed form is for this run of this program only.
 */
#ifndef NFSRATED_SAMPLEPACK_H
#define NFSRATED_SAMPLEPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"

/* Bytes that packing never exceeds, whatever the sample holds. */
#define SAMPLEPACK_COUNTERS_MAX	\
	(offsetof(struct sample, op) + offsetof(struct sample, op) / 8 + 16)
#define SAMPLEPACK_ROWS_MAX	\
	(sizeof(struct sample) + sizeof(struct sample) / 8 + 128)

/* Each gives how many bytes it wrote. */
size_t	samplepack_counters(const struct sample *, uint8_t *buf);
size_t	samplepack_rows(const struct sample *, uint8_t *buf);

/*
 * The counters into an empty sample, whose tables have no rows; then, if they
 * are wanted, the rows.  False when the bytes are no packed sample.
 */
bool	samplepack_get_counters(struct sample *, const uint8_t *, size_t);
bool	samplepack_get_rows(struct sample *, const uint8_t *, size_t);

#endif

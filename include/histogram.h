/* SPDX-License-Identifier: ISC */
/*
 * histogram.h: latencies in log-linear buckets from 1 us to 100 s with an
 * error of at most 5 % (DESIGN sec. 2).
 *
 * A histogram is open data without pointers: all zero is empty, adding two is
 * adding their members.  Values are whole microseconds, nanoseconds rounded to
 * the nearest.  Values below 1 us count in 1 us's bucket, values above 134 s in
 * the last bucket; sum and max stay exact (max up to 71 minutes).
 */
#ifndef NFSRATED_HISTOGRAM_H
#define NFSRATED_HISTOGRAM_H

#include <stdint.h>

/*
 * 10 linear sub-buckets in every octave would do for 5 %; 16 make the index a
 * shift.  Values 0..15 us have a bucket each; then 16 buckets an octave up to
 * 2^27 us (134 s).
 */
#define HISTOGRAM_BUCKETS	384

struct histogram {
	uint64_t	count;
	uint64_t	sum_us;
	uint32_t	max_us;
	uint32_t	bucket[HISTOGRAM_BUCKETS];
};

/* Adds one value of nanoseconds; negative counts as 0. */
void	histogram_add_ns(struct histogram *, int64_t ns);
void	histogram_merge(struct histogram *, const struct histogram *);

/*
 * The bucket of a value; the middle of a bucket and its upper bound, the first
 * value that is above it, in us.
 */
uint32_t histogram_bucket(uint64_t us);
double	histogram_middle_us(uint32_t bucket);
double	histogram_upper_us(uint32_t bucket);

/*
 * Mean, or the value at or below which the share q (0..1) lies; 0 when empty.
 * A quantile is its bucket's middle and never exceeds max_us.
 */
double	histogram_mean_us(const struct histogram *);
double	histogram_quantile_us(const struct histogram *, double q);

#endif

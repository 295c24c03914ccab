/* SPDX-License-Identifier: ISC */
/*
 * histogram.c: latencies in log-linear buckets from 1 us to 100 s with an
 * error of at most 5 %.
 */
#include "histogram.h"

#include "packet.h"

#define STEPS	16		/* buckets of an octave, 2^STEP_BITS */
#define STEP_BITS 4

/*
 * Bucket 0..15: the value itself.  Above: the octave (position of the top
 * bit) and the four bits below the top bit.
 */
uint32_t
histogram_bucket(uint64_t us)
{
	uint32_t shift, bucket;

	if (us < STEPS)
		return us == 0 ? 1 : (uint32_t)us;
	shift = 63 - STEP_BITS - (uint32_t)__builtin_clzll(us);
	bucket = shift * STEPS + (uint32_t)(us >> shift);
	return bucket < HISTOGRAM_BUCKETS ? bucket : HISTOGRAM_BUCKETS - 1;
}

static double
lower_us(uint32_t bucket)
{
	uint32_t shift;

	if (bucket < STEPS)
		return bucket;
	shift = bucket / STEPS - 1;
	return (double)((uint64_t)(STEPS + bucket % STEPS) << shift);
}

double
histogram_upper_us(uint32_t bucket)
{
	return lower_us(bucket + 1);
}

double
histogram_middle_us(uint32_t bucket)
{
	/* of whole microseconds: the upper bound is the next bucket's */
	return (lower_us(bucket) + histogram_upper_us(bucket) - 1) / 2;
}

void
histogram_add_ns(struct histogram *h, int64_t ns)
{
	uint64_t us = ns > 0 ? ((uint64_t)ns + (uint64_t)NSEC_PER_USEC / 2) /
	    (uint64_t)NSEC_PER_USEC : 0;

	h->count++;
	h->sum_us += us;
	if (us > h->max_us)
		h->max_us = us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
	h->bucket[histogram_bucket(us)]++;
}

void
histogram_merge(struct histogram *h, const struct histogram *from)
{
	uint32_t i;

	h->count += from->count;
	h->sum_us += from->sum_us;
	if (from->max_us > h->max_us)
		h->max_us = from->max_us;
	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		h->bucket[i] += from->bucket[i];
}

double
histogram_mean_us(const struct histogram *h)
{
	return h->count > 0 ? (double)h->sum_us / (double)h->count : 0;
}

double
histogram_quantile_us(const struct histogram *h, double q)
{
	/* a little less, for shares that binary fractions only approach */
	double rank = (q - 1e-12) * (double)h->count, below = 0, us;
	uint32_t i;

	if (h->count == 0)
		return 0;
	for (i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
		below += h->bucket[i];
		if (below > 0 && below >= rank)
			break;
	}
	if (i == HISTOGRAM_BUCKETS - 1)		/* it has no upper end */
		return h->max_us;
	us = histogram_middle_us(i);
	return us < h->max_us ? us : h->max_us;
}

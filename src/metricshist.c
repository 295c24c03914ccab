/* SPDX-License-Identifier: ISC */
/*
 * metricshist.c: latencies since the start in few and fixed buckets.
 */
#include "metricshist.h"

#define US		1e-6
#define FIRST_POWER	6		/* 2^6 us */

static const double bounds[METRICSHIST_BOUNDS] = {
	64 * US, 128 * US, 256 * US, 512 * US, 1024 * US, 2048 * US,
	4096 * US, 8192 * US, 16384 * US, 32768 * US, 65536 * US,
	131072 * US, 262144 * US, 524288 * US, 1048576 * US, 2097152 * US,
	4194304 * US, 8388608 * US, 16777216 * US
};

const double *
metricshist_bounds(void)
{
	return bounds;
}

/* Every octave has 16 fine buckets, from the one of 2^4 us on. */
static unsigned int
bin_of(uint32_t bucket)
{
	uint32_t power = bucket / 16 + 4;	/* values are below 2^power */

	if (power <= FIRST_POWER)
		return 0;
	power -= FIRST_POWER;
	return power < METRICSHIST_BOUNDS ? power : METRICSHIST_BOUNDS;
}

void
metricshist_add(struct metricshist *h, const struct sample *s)
{
	const struct sample_cell *c;

	if (s->cells == 0)
		return;
	for (c = s->cell; c < s->cell + SAMPLE_CELLS; c++)
		if (c->count > 0 && c->series < SAMPLE_SERIES &&
		    c->bucket < HISTOGRAM_BUCKETS)
			h->bin[c->series][bin_of(c->bucket)] += c->count;
}

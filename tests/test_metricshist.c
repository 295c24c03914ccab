/* SPDX-License-Identifier: ISC */
/*
 * test_metricshist.c: latencies in few and fixed buckets.
 */
#include "metricshist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct metricshist hist;
static struct sample sample;

/* The place of one latency, by the bounds alone. */
static unsigned int
expected(uint64_t us)
{
	const double *bound = metricshist_bounds();
	unsigned int i = 0;

	while (i < METRICSHIST_BOUNDS && (double)us >= bound[i] * 1e6 - 0.001)
		i++;
	return i;
}

static void
every_latency_counts_below_the_first_bound_above_it(void **state)
{
	uint64_t us, step;
	unsigned int i, k;

	(void)state;
	for (us = 1; us < 200000000; us += step) {
		step = us < 300 ? 1 : us / 7;
		memset(&hist, 0, sizeof(hist));
		sample_clear(&sample);
		sample_cell_add(&sample, 5, (uint16_t)histogram_bucket(us), 3);
		metricshist_add(&hist, &sample);
		k = expected(us);
		for (i = 0; i <= METRICSHIST_BOUNDS; i++)
			assert_int_equal(hist.bin[5][i], i == k ? 3 : 0);
	}
}

static void
bounds_are_64_us_and_each_twice_the_last(void **state)
{
	const double *bound = metricshist_bounds();
	unsigned int i;

	(void)state;
	assert_true(bound[0] > 63.9e-6 && bound[0] < 64.1e-6);
	for (i = 1; i < METRICSHIST_BOUNDS; i++)
		assert_true(bound[i] > 1.999 * bound[i - 1] &&
		    bound[i] < 2.001 * bound[i - 1]);
}

static void
samples_add_up(void **state)
{
	unsigned int n;

	(void)state;
	memset(&hist, 0, sizeof(hist));
	for (n = 0; n < 3; n++) {
		sample_clear(&sample);
		sample_cell_add(&sample, SAMPLE_READ_SERVER,
		    (uint16_t)histogram_bucket(63), UINT32_MAX);
		metricshist_add(&hist, &sample);
	}
	assert_true(hist.bin[SAMPLE_READ_SERVER][0] ==
	    3 * (uint64_t)UINT32_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_latency_counts_below_the_first_bound_above_it),
		cmocka_unit_test(bounds_are_64_us_and_each_twice_the_last),
		cmocka_unit_test(samples_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_histogram.c: latency buckets and their quantiles.
 */
#include "histogram.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define US	INT64_C(1000)	/* in nanoseconds */

static bool
near(double value, double expected, double share)
{
	return fabs(value - expected) <= expected * share;
}

static void
the_buckets_lie_side_by_side(void **state)
{
	uint32_t b;

	(void)state;
	for (b = 1; b < HISTOGRAM_BUCKETS - 1; b++) {
		uint64_t upper = (uint64_t)histogram_upper_us(b);

		assert_int_equal(histogram_bucket(upper - 1), b);
		assert_int_equal(histogram_bucket(upper), b + 1);
	}
}

static void
a_middle_is_within_5_percent_up_to_100_s(void **state)
{
	uint64_t us;

	(void)state;
	for (us = 1; us <= 100000000; us += us / 50 + 1) {
		uint32_t b = histogram_bucket(us);

		assert_true(near(histogram_middle_us(b), (double)us, 0.05));
		assert_true(histogram_upper_us(b) > (double)us);
	}
}

static void
below_1_us_counts_as_1_us(void **state)
{
	(void)state;
	assert_int_equal(histogram_bucket(0), histogram_bucket(1));
	assert_int_not_equal(histogram_bucket(1), histogram_bucket(2));
}

static void
what_is_too_long_goes_into_the_last_bucket(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_BUCKETS - 1);
	assert_int_equal(histogram_bucket((UINT64_C(1) << 27) - 1),
	    HISTOGRAM_BUCKETS - 1);
	histogram_add_ns(&h, 600 * 1000000 * US);
	assert_int_equal(h.bucket[HISTOGRAM_BUCKETS - 1], 1);
	assert_int_equal(h.max_us, 600000000);
	assert_true(histogram_quantile_us(&h, 0.5) == 600000000.0);
	histogram_add_ns(&h, INT64_MAX);
	assert_true(h.max_us == UINT32_MAX);
}

static void
nanoseconds_are_rounded_and_never_negative(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	histogram_add_ns(&h, -5 * US);
	histogram_add_ns(&h, INT64_MIN);
	assert_true(h.sum_us == 0 && h.max_us == 0 && h.count == 2);
	histogram_add_ns(&h, 1499);
	histogram_add_ns(&h, 1500);
	assert_true(h.sum_us == 1 + 2);
	assert_int_equal(h.max_us, 2);
}

static void
an_empty_histogram_gives_0(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	assert_true(histogram_mean_us(&h) == 0);
	assert_true(histogram_quantile_us(&h, 0.5) == 0);
	assert_true(histogram_quantile_us(&h, 1) == 0);
}

/* 1, 2, ..., 1000 us: mean 500.5, the share q lies at or below 1000 q. */
static void
mean_and_quantiles_of_a_ramp_are_right(void **state)
{
	static const double shares[] = { 0.01, 0.25, 0.5, 0.95, 0.99 };
	struct histogram h = { 0 };
	int64_t us;
	size_t i;

	(void)state;
	for (us = 1; us <= 1000; us++)
		histogram_add_ns(&h, us * US);
	assert_true(histogram_mean_us(&h) == 500.5);
	assert_int_equal(h.max_us, 1000);
	for (i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
		assert_true(near(histogram_quantile_us(&h, shares[i]),
		    1000 * shares[i], 0.05));
	assert_true(histogram_quantile_us(&h, 0) == 1);
	assert_true(near(histogram_quantile_us(&h, 1), 1000, 0.05));
}

/* 99 of 100 at or below 5 us: the 99th percentile is 5, the next is not. */
static void
a_quantile_at_the_edge_belongs_below(void **state)
{
	struct histogram h = { 0 };
	int n;

	(void)state;
	for (n = 0; n < 99; n++)
		histogram_add_ns(&h, 5 * US);
	histogram_add_ns(&h, 9 * US);
	assert_true(histogram_quantile_us(&h, 0.99) == 5);
	assert_true(histogram_quantile_us(&h, 0.991) == 9);
}

static void
a_quantile_never_exceeds_the_largest(void **state)
{
	struct histogram h = { 0 };

	(void)state;
	histogram_add_ns(&h, 1024 * US);	/* the bucket goes to 1087 */
	assert_true(histogram_quantile_us(&h, 0.99) == 1024);
}

static void
merging_is_adding_all_of_both(void **state)
{
	struct histogram a = { 0 }, b = { 0 }, both = { 0 };
	int64_t n;

	(void)state;
	for (n = 1; n < 5000; n += 7) {
		histogram_add_ns(n % 2 != 0 ? &a : &b, n * n * US);
		histogram_add_ns(&both, n * n * US);
	}
	histogram_merge(&a, &b);
	assert_true(a.count == both.count && a.sum_us == both.sum_us);
	assert_int_equal(a.max_us, both.max_us);
	assert_memory_equal(a.bucket, both.bucket, sizeof(a.bucket));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_buckets_lie_side_by_side),
		cmocka_unit_test(a_middle_is_within_5_percent_up_to_100_s),
		cmocka_unit_test(below_1_us_counts_as_1_us),
		cmocka_unit_test(what_is_too_long_goes_into_the_last_bucket),
		cmocka_unit_test(nanoseconds_are_rounded_and_never_negative),
		cmocka_unit_test(an_empty_histogram_gives_0),
		cmocka_unit_test(mean_and_quantiles_of_a_ramp_are_right),
		cmocka_unit_test(a_quantile_at_the_edge_belongs_below),
		cmocka_unit_test(a_quantile_never_exceeds_the_largest),
		cmocka_unit_test(merging_is_adding_all_of_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

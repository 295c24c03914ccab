/* SPDX-License-Identifier: ISC */
/*
 * test_metricswindow.c: the extremes of the last minute.
 */
#include "metricswindow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "loadkit.h"

static struct metricswindow window;
static struct sample s;
static double min, max;

static int
setup(void **state)
{
	(void)state;
	memset(&window, 0, sizeof(window));
	return 0;
}

static void
add_writes(int n, uint32_t writes)
{
	loadkit_writes(&s, n, writes, 50);
	metricswindow_add(&window, &s, NULL);
}

static bool
look(enum metricswindow_kind kind)
{
	return metricswindow_extremes(&window, kind, &min, &max);
}

static void
one_bad_second_is_seen_for_60_and_then_no_more(void **state)
{
	int n;

	(void)state;
	for (n = 0; n < 100; n++)
		add_writes(n, n == 10 ? 3 : 1440);
	assert_true(look(METRICSWINDOW_WRITES));
	assert_float_equal(min, 1440, 1e-9);
	setup(state);
	for (n = 0; n < 70; n++) {
		add_writes(n, n == 10 ? 3 : 1440);
		assert_true(look(METRICSWINDOW_WRITES));
		/* the 60 s that end with interval 69 begin with interval 10 */
		assert_float_equal(min, n >= 10 ? 3 : 1440, 1e-9);
		assert_float_equal(max, 1440, 1e-9);
	}
	add_writes(70, 1440);
	assert_true(look(METRICSWINDOW_WRITES));
	assert_float_equal(min, 1440, 1e-9);
}

static void
nothing_is_known_of_nothing(void **state)
{
	(void)state;
	assert_false(look(METRICSWINDOW_IN));
	loadkit_idle(&s, 0);
	s.no_data = true;
	metricswindow_add(&window, &s, NULL);
	assert_false(look(METRICSWINDOW_IN));
	assert_false(look(METRICSWINDOW_WRITE_S));
}

static void
a_partial_interval_has_no_rate_but_a_latency(void **state)
{
	(void)state;
	loadkit_writes(&s, 0, 10, 50);
	s.partial = true;
	s.watched_ns /= 2;
	s.data[SAMPLE_WRITE].latency.timed = 1;
	s.data[SAMPLE_WRITE].latency.max_us = 2500;
	metricswindow_add(&window, &s, NULL);
	assert_false(look(METRICSWINDOW_WRITES));
	assert_true(look(METRICSWINDOW_WRITE_S));
	assert_float_equal(max, 0.0025, 1e-12);
}

static void
a_ratio_counts_only_while_something_was_wanted(void **state)
{
	struct judgement v = { .expect = EXPECT_PPS, .expect_value = 8637,
	    .has_verdict = true, .verdict = VERDICT_IDLE };

	(void)state;
	loadkit_idle(&s, 0);
	metricswindow_add(&window, &s, &v);
	assert_false(look(METRICSWINDOW_RATIO));
	v.verdict = VERDICT_UNDERRUN;
	v.ratio = 0.25;
	metricswindow_add(&window, &s, &v);
	assert_true(look(METRICSWINDOW_RATIO));
	assert_float_equal(min, 0.25, 1e-12);
}

static void
packets_alone_have_no_rpc_rates(void **state)
{
	(void)state;
	loadkit_packets(&s, 0, 8637, 12293330);
	s.packets_only = true;
	metricswindow_add(&window, &s, NULL);
	assert_true(look(METRICSWINDOW_IN));
	assert_float_equal(max, 8637, 1e-9);
	assert_false(look(METRICSWINDOW_WRITES));
	assert_false(look(METRICSWINDOW_DEPTH));
}

static void
short_intervals_fill_a_window_as_long(void **state)
{
	int n;

	(void)state;
	for (n = 0; n < 1500; n++) {
		loadkit_writes(&s, 0, n < 900 ? 1 : 2, 50);
		s.start_ns += n * LOADKIT_NS / 10;
		s.length_ns = s.watched_ns = LOADKIT_NS / 10;
		metricswindow_add(&window, &s, NULL);
	}
	assert_true(look(METRICSWINDOW_WRITES));
	assert_float_equal(min, 20, 1e-6);
}

static void
an_interval_longer_than_the_window_is_one(void **state)
{
	(void)state;
	loadkit_writes(&s, 0, 3600, 50);
	s.length_ns = s.watched_ns = 3600 * LOADKIT_NS;
	metricswindow_add(&window, &s, NULL);
	s.start_ns += s.length_ns;
	s.data[SAMPLE_WRITE].calls = 7200;
	metricswindow_add(&window, &s, NULL);
	assert_true(look(METRICSWINDOW_WRITES));
	assert_float_equal(min, 2, 1e-9);
	assert_float_equal(max, 2, 1e-9);
}

static void
time_that_starts_anew_forgets(void **state)
{
	(void)state;
	add_writes(1000, 5);
	loadkit_writes(&s, 0, 7, 50);
	s.restarted = true;
	metricswindow_add(&window, &s, NULL);
	assert_true(look(METRICSWINDOW_WRITES));
	assert_float_equal(min, 7, 1e-9);
}

#define CASE(name) cmocka_unit_test_setup(name, setup)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(one_bad_second_is_seen_for_60_and_then_no_more),
		CASE(nothing_is_known_of_nothing),
		CASE(a_partial_interval_has_no_rate_but_a_latency),
		CASE(a_ratio_counts_only_while_something_was_wanted),
		CASE(packets_alone_have_no_rpc_rates),
		CASE(short_intervals_fill_a_window_as_long),
		CASE(an_interval_longer_than_the_window_is_one),
		CASE(time_that_starts_anew_forgets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_clocks.c: time without a capture, and time that never was.
 */
#include "clocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MS	INT64_C(1000000)
#define SECOND	(1000 * MS)
/* real time is this much ahead of the other */
#define AHEAD	(1000000 * SECOND)

static struct clocks c;

static int
begin(void **state)
{
	(void)state;
	clocks_init(&c, SECOND, NULL);
	return 0;
}

/* From and to a time of the even clock, turning ten times a second. */
static void
run(int64_t from, int64_t to, int64_t ahead, bool down)
{
	int64_t t;

	for (t = from; t <= to; t += 100 * MS)
		clocks_turn(&c, t + ahead, t, down, false);
}

static struct sample
second(int64_t start)
{
	static struct sample s;

	sample_clear(&s);
	s.start_ns = start;
	s.length_ns = s.watched_ns = SECOND;
	clocks_fill(&c, &s);
	return s;
}

static void
an_even_clock_says_nothing(void **state)
{
	struct sample s;

	(void)state;
	run(0, 3 * SECOND, AHEAD, false);
	s = second(AHEAD + SECOND);
	assert_int_equal(s.untrusted_ns, 0);
	assert_false(s.no_data);
	assert_true(s.colls == SAMPLE_UNKNOWN);
	assert_int_equal(clocks_wait_ms(&c, 100), 100);
	run(3 * SECOND + 950 * MS, 3 * SECOND + 950 * MS, AHEAD, false);
	assert_int_equal(clocks_wait_ms(&c, 100), 51);
}

static void
time_without_a_capture_is_not_trusted(void **state)
{
	struct sample s;

	(void)state;
	run(0, SECOND, AHEAD, false);
	/* turns that say "down" from 1.5 s on, so it was since 1.4 s */
	run(1100 * MS, 1400 * MS, AHEAD, false);
	run(1500 * MS, 4 * SECOND, AHEAD, true);
	s = second(AHEAD + SECOND);
	assert_int_equal(s.untrusted_ns, 600 * MS);
	assert_false(s.no_data);
	s = second(AHEAD + 2 * SECOND);
	assert_int_equal(s.untrusted_ns, SECOND);
	assert_true(s.no_data);
}

static void
a_clock_set_forward_skips_time_that_never_was(void **state)
{
	struct sample s;

	(void)state;
	run(0, 2500 * MS, AHEAD, false);
	run(2600 * MS, 4 * SECOND, AHEAD + 10 * SECOND, false);
	/* from 2.5 s to 12.5 s nothing was, by the clock of the day */
	s = second(AHEAD + 2 * SECOND);
	assert_int_equal(s.untrusted_ns, 500 * MS);
	assert_false(s.no_data);
	s = second(AHEAD + 7 * SECOND);
	assert_int_equal(s.untrusted_ns, SECOND);
	assert_true(s.no_data);
	s = second(AHEAD + 12 * SECOND);
	assert_int_equal(s.untrusted_ns, 500 * MS);
	s = second(AHEAD + 13 * SECOND);
	assert_int_equal(s.untrusted_ns, 0);
}

static void
small_corrections_and_steps_back_are_none_of_ours(void **state)
{
	struct sample s;

	(void)state;
	run(0, 2500 * MS, AHEAD, false);
	run(2600 * MS, 4 * SECOND, AHEAD + 200 * MS, false);
	s = second(AHEAD + 2 * SECOND);
	assert_int_equal(s.untrusted_ns, 0);
	run(4100 * MS, 9 * SECOND, AHEAD - 3600 * SECOND, false);
	s = second(AHEAD + 5 * SECOND - 3600 * SECOND);
	assert_int_equal(s.untrusted_ns, 0);
	assert_false(s.no_data);
}

static void
a_process_that_was_stopped_lost_no_time(void **state)
{
	struct sample s;

	(void)state;
	run(0, 2 * SECOND, AHEAD, false);
	/* the kernel went on collecting packets */
	run(5 * SECOND, 7 * SECOND, AHEAD, false);
	s = second(AHEAD + 3 * SECOND);
	assert_int_equal(s.untrusted_ns, 0);
	assert_false(s.no_data);
}

static void
a_short_interval_needs_to_be_down_for_most_of_it(void **state)
{
	struct sample s;

	(void)state;
	clocks_init(&c, 100 * MS, NULL);
	run(0, SECOND, AHEAD, false);
	sample_clear(&s);
	s.start_ns = AHEAD + 900 * MS;
	s.length_ns = 100 * MS;
	clocks_fill(&c, &s);
	assert_false(s.no_data);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup(f, begin)
	const struct CMUnitTest tests[] = {
		CASE(an_even_clock_says_nothing),
		CASE(time_without_a_capture_is_not_trusted),
		CASE(a_clock_set_forward_skips_time_that_never_was),
		CASE(small_corrections_and_steps_back_are_none_of_ours),
		CASE(a_process_that_was_stopped_lost_no_time),
		CASE(a_short_interval_needs_to_be_down_for_most_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

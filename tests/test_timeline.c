/* SPDX-License-Identifier: ISC */
/*
 * test_timeline.c: time in states by intervals.  Intervals are 100 long.
 */
#include "timeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define LEN	100

static uint64_t
sum(const struct timeline_slot *s)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < SAMPLE_STATES; i++)
		n += s->ns[i];
	return n;
}

static void
a_span_is_cut_at_interval_edges(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	timeline_clear(&t);
	/* [150, 330): 50 of interval 1, 100 of 2, 30 of 3 */
	timeline_add(&t, LEN, 150, 330, SAMPLE_SERVER);
	timeline_take(&t, 1, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_SERVER], 50);
	assert_int_equal(s.ns[SAMPLE_CLIENT], 50);
	timeline_take(&t, 2, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_SERVER], 100);
	assert_int_equal(s.ns[SAMPLE_CLIENT], 0);
	timeline_take(&t, 3, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_SERVER], 30);
	assert_int_equal(s.ns[SAMPLE_CLIENT], 70);
}

static void
an_interval_nobody_spoke_of_is_the_clients(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	timeline_clear(&t);
	timeline_take(&t, 7, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_CLIENT], 100);
	assert_int_equal(sum(&s), 100);
	assert_int_equal(s.demand, 0);
}

static void
an_interval_is_taken_once(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	timeline_clear(&t);
	timeline_add(&t, LEN, 0, 100, SAMPLE_REPLY);
	timeline_take(&t, 0, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_REPLY], 100);
	timeline_take(&t, 0, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_REPLY], 0);
}

static void
times_before_1970_have_their_intervals(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	assert_int_equal(timeline_index(-1, LEN), -1);
	assert_int_equal(timeline_index(-100, LEN), -1);
	assert_int_equal(timeline_index(-101, LEN), -2);
	assert_int_equal(timeline_index(0, LEN), 0);
	timeline_clear(&t);
	timeline_add(&t, LEN, -150, 20, SAMPLE_WINDOW);
	timeline_take(&t, -2, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_WINDOW], 50);
	timeline_take(&t, -1, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_WINDOW], 100);
	timeline_take(&t, 0, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_WINDOW], 20);
}

static void
of_a_long_span_the_last_intervals_are_kept(void **state)
{
	struct timeline t;
	struct timeline_slot s;
	int64_t i, last = INT64_C(1000000);

	(void)state;
	timeline_clear(&t);
	timeline_add(&t, LEN, 0, last * LEN, SAMPLE_SERVER);
	for (i = last - TIMELINE_SLOTS; i < last; i++) {
		timeline_take(&t, i, LEN, &s);
		assert_int_equal(s.ns[SAMPLE_SERVER], 100);
	}
	timeline_take(&t, last, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_SERVER], 0);
}

static void
what_is_older_than_the_slots_is_left_out(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	timeline_clear(&t);
	timeline_add(&t, LEN, 400, 500, SAMPLE_SERVER);	/* interval 4 */
	timeline_add(&t, LEN, 0, 100, SAMPLE_REPLY);	/* its slot's 0 */
	assert_null(timeline_slot(&t, 0));
	timeline_take(&t, 4, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_SERVER], 100);
	assert_int_equal(s.ns[SAMPLE_REPLY], 0);
}

static void
moving_takes_no_more_than_there_was(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	timeline_clear(&t);
	timeline_add(&t, LEN, 90, 130, SAMPLE_REQUEST);
	timeline_move(&t, LEN, 80, 120, SAMPLE_REQUEST, SAMPLE_NETWORK);
	timeline_move(&t, LEN, 200, 300, SAMPLE_REQUEST, SAMPLE_NETWORK);
	timeline_take(&t, 0, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_NETWORK], 10);
	assert_int_equal(s.ns[SAMPLE_REQUEST], 0);
	timeline_take(&t, 1, LEN, &s);
	assert_int_equal(s.ns[SAMPLE_NETWORK], 20);
	assert_int_equal(s.ns[SAMPLE_REQUEST], 10);
	assert_int_equal(sum(&s), 100);
}

static void
a_shorter_span_is_fitted(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	timeline_clear(&t);
	timeline_add(&t, LEN, 0, 40, SAMPLE_CLIENT);
	timeline_add(&t, LEN, 40, 100, SAMPLE_SERVER);
	timeline_take(&t, 0, 70, &s);	/* partial: the client loses it */
	assert_int_equal(s.ns[SAMPLE_CLIENT], 10);
	assert_int_equal(s.ns[SAMPLE_SERVER], 60);
	timeline_add(&t, LEN, 100, 200, SAMPLE_SERVER);
	timeline_take(&t, 1, 30, &s);
	assert_int_equal(s.ns[SAMPLE_SERVER], 30);
	timeline_take(&t, 2, -5, &s);
	assert_int_equal(sum(&s), 0);
}

static void
demand_stays_with_its_interval(void **state)
{
	struct timeline t;
	struct timeline_slot s;

	(void)state;
	timeline_clear(&t);
	timeline_slot(&t, 3)->demand += 5;
	timeline_slot(&t, 4)->demand += 7;
	timeline_take(&t, 3, LEN, &s);
	assert_int_equal(s.demand, 5);
	timeline_take(&t, 4, LEN, &s);
	assert_int_equal(s.demand, 7);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_span_is_cut_at_interval_edges),
		cmocka_unit_test(an_interval_nobody_spoke_of_is_the_clients),
		cmocka_unit_test(an_interval_is_taken_once),
		cmocka_unit_test(times_before_1970_have_their_intervals),
		cmocka_unit_test(of_a_long_span_the_last_intervals_are_kept),
		cmocka_unit_test(what_is_older_than_the_slots_is_left_out),
		cmocka_unit_test(moving_takes_no_more_than_there_was),
		cmocka_unit_test(a_shorter_span_is_fitted),
		cmocka_unit_test(demand_stays_with_its_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_history.c: the last intervals, in bounded memory.
 */
#include "history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "nfs.h"
#include "packet.h"
#include "testkit.h"

static struct sample s;
static struct judgement v;

#define START	(1000000000 * NSEC_PER_SEC)

/* Second n has so many WRITEs of 8192 bytes, of six packets each. */
static void
second(int n, uint32_t writes)
{
	struct sample_op *o;

	sample_clear(&s);
	s.start_ns = START + n * NSEC_PER_SEC;
	s.length_ns = s.watched_ns = NSEC_PER_SEC;
	s.traffic[SAMPLE_IN].wire_packets = 6 * writes;
	s.data[SAMPLE_WRITE].calls = writes;
	s.data[SAMPLE_WRITE].bytes = 8192 * writes;
	s.has_split = true;
	s.state_ns[SAMPLE_CLIENT] = s.state_ns[SAMPLE_SERVER] =
	    NSEC_PER_SEC / 2;
	o = sample_op(&s, nfs_proc_op(NFS_PROG_NFS, 3, 7), 0, 0, 0);
	o->calls = o->replies = writes;
	s.clients = 1;
}

static struct history *
make(uint32_t intervals, size_t rows)
{
	const struct history_config c = { intervals, rows };
	struct history *h = history_new(&c);

	assert_non_null(h);
	return h;
}

/* Second n has n WRITEs. */
static void
push(struct history *h, int n)
{
	second(n, (uint32_t)n);
	v = (struct judgement){ .expect = EXPECT_WPS, .expect_value = 100,
	    .has_verdict = true, .verdict = VERDICT_UNDERRUN };
	history_push(h, &s, &v);
}

static void
numbers_stay_while_old_intervals_go(void **state)
{
	struct history *h = make(3, 0);
	int n;

	(void)state;
	assert_int_equal(history_end(h), 0);
	assert_null(history_brief(h, 0));
	for (n = 0; n < 5; n++)
		push(h, n);
	assert_int_equal(history_first(h), 2);
	assert_int_equal(history_end(h), 5);
	assert_null(history_brief(h, 1));
	assert_non_null(history_brief(h, 2));
	assert_null(history_brief(h, 5));
	history_free(h);
}

static void
a_brief_has_the_rates_and_what_was_expected(void **state)
{
	struct history *h = make(3, 0);
	const struct history_brief *b;

	(void)state;
	push(h, 90);
	b = history_brief(h, 0);
	assert_int_equal(b->start_ns, s.start_ns);
	assert_float_equal(b->pps, 540, 0.01);	/* six packets each */
	assert_float_equal(b->wps, 90, 0.01);
	assert_float_equal(b->mbps, 0.737F, 0.001);
	assert_float_equal(b->expected, 100, 0.01);
	assert_int_equal(b->expect, EXPECT_WPS);
	assert_int_equal(b->verdict, VERDICT_UNDERRUN);
	assert_float_equal(b->share, 0.5, 0.001);
	assert_float_equal(history_rate(b, EXPECT_WPS), 90, 0.01);
	assert_float_equal(history_rate(b, EXPECT_PPS), 540, 0.01);
	assert_float_equal(history_rate(b, EXPECT_NONE), 540, 0.01);
	assert_float_equal(history_rate(b, EXPECT_MBPS), 0.737, 0.001);
	history_free(h);
}

static void
an_interval_comes_back_whole(void **state)
{
	struct history *h = make(3, 0);
	struct sample back;
	struct judgement said;
	bool rows;

	(void)state;
	push(h, 7);
	assert_true(history_whole(h, 0, &back, &said, &rows));
	assert_true(rows);
	assert_int_equal(back.data[SAMPLE_WRITE].calls, 7);
	assert_int_equal(back.ops, s.ops);
	assert_int_equal(back.clients, s.clients);
	assert_memory_equal(&said, &v, sizeof(v));
	assert_false(history_whole(h, 1, &back, &said, &rows));
	history_free(h);
}

static void
without_a_judgement_there_is_none(void **state)
{
	struct history *h = make(3, 0);
	struct judgement said;

	(void)state;
	second(0, 0);
	history_push(h, &s, NULL);
	assert_true(history_counters(h, 0, &s, &said));
	assert_false(said.has_verdict);
	assert_int_equal(said.expect, EXPECT_NONE);
	history_free(h);
}

static void
rows_that_are_many_are_forgotten_before_counters(void **state)
{
	struct history *h = make(100, 600);
	struct judgement said;
	bool rows;
	uint64_t n;
	int with = 0, last_without = -1;

	(void)state;
	for (n = 0; n < 100; n++)
		push(h, (int)n + 1);
	for (n = 0; n < 100; n++) {
		assert_true(history_whole(h, n, &s, &said, &rows));
		assert_int_equal(s.data[SAMPLE_WRITE].calls, n + 1);
		if (rows)
			with++;
		else
			last_without = (int)n;
	}
	assert_true(with > 2 && with < 60);
	assert_int_equal(last_without, 99 - with);	/* the oldest */
	history_free(h);
}

static void
rows_larger_than_all_room_are_left_out(void **state)
{
	struct history *h = make(4, 8);
	struct judgement said;
	bool rows;

	(void)state;
	push(h, 1);
	push(h, 2);
	assert_true(history_whole(h, 1, &s, &said, &rows));
	assert_false(rows);
	assert_int_equal(s.data[SAMPLE_WRITE].calls, 2);
	assert_int_equal(s.ops, 0);
	history_free(h);
}

/* Sizes of rows vary, so that they wrap in every way. */
static void
whatever_is_kept_is_right(void **state)
{
	struct history *h = make(7, 900);
	struct judgement said;
	uint64_t chance = 3, n, i;
	uint32_t status[400] = { 0 };
	bool rows;

	(void)state;
	for (n = 0; n < 400; n++) {
		second((int)n, 1);
		status[n] = testkit_below(&chance, SAMPLE_STATUS);
		for (i = 0; i < status[n]; i++)
			sample_status_add(&s, 0, (uint32_t)i + 1, n + 1);
		history_push(h, &s, NULL);
		for (i = history_first(h); i <= n; i++) {
			assert_true(history_whole(h, i, &s, &said, &rows));
			assert_int_equal(s.start_ns, START +
			    (int64_t)i * NSEC_PER_SEC);
			if (!rows)
				continue;
			assert_int_equal(s.statuses, status[i]);
			if (status[i] > 0)
				assert_int_equal(s.status[0].count, i + 1);
		}
	}
	history_free(h);
}

static void
an_interval_is_found_by_its_time(void **state)
{
	struct history *h = make(10, 0);
	const int64_t t = START, one = NSEC_PER_SEC;
	int n;

	(void)state;
	assert_int_equal(history_find(h, t), history_end(h));
	for (n = 0; n < 5; n++)
		push(h, n);
	assert_int_equal(history_find(h, t + 3 * one), 3);
	assert_int_equal(history_find(h, t + 3 * one + 1), 3);
	assert_int_equal(history_find(h, t + 3 * one - 1), 2);
	assert_int_equal(history_find(h, t - one), 0);
	assert_int_equal(history_find(h, t + 99 * one), 4);
	push(h, 2);			/* time went back */
	assert_int_equal(history_find(h, t + 2 * one), 5);
	history_free(h);
}

static void
cleared_it_goes_on_with_the_next_number(void **state)
{
	struct history *h = make(3, 0);

	(void)state;
	push(h, 1);
	push(h, 2);
	history_clear(h);
	assert_int_equal(history_first(h), 2);
	assert_int_equal(history_end(h), 2);
	push(h, 3);
	assert_non_null(history_brief(h, 2));
	assert_null(history_brief(h, 1));
	history_free(h);
}

static void
an_hour_of_seconds_is_kept_by_default(void **state)
{
	struct history *h = make(0, 0);
	struct judgement said;
	bool rows;
	int n;

	(void)state;
	for (n = 0; n < 10000; n++)
		push(h, n % 100 + 1);
	assert_true(history_end(h) - history_first(h) >= 3600);
	assert_true(history_whole(h, history_end(h) - 3600, &s, &said, &rows));
	assert_true(rows);
	history_free(h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stay_while_old_intervals_go),
		cmocka_unit_test(a_brief_has_the_rates_and_what_was_expected),
		cmocka_unit_test(an_interval_comes_back_whole),
		cmocka_unit_test(without_a_judgement_there_is_none),
		cmocka_unit_test(
		    rows_that_are_many_are_forgotten_before_counters),
		cmocka_unit_test(rows_larger_than_all_room_are_left_out),
		cmocka_unit_test(whatever_is_kept_is_right),
		cmocka_unit_test(an_interval_is_found_by_its_time),
		cmocka_unit_test(cleared_it_goes_on_with_the_next_number),
		cmocka_unit_test(an_hour_of_seconds_is_kept_by_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

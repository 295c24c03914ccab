/* SPDX-License-Identifier: ISC */
/*
 * test_episodesum.c: intervals added up to an episode.
 */
#include "episodesum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "loadkit.h"

static struct sample s;
static struct episodesum sum;

static void
add(int n, enum verdict verdict, double rate, enum sample_state cause)
{
	const struct judgement v = {
		.expect = EXPECT_WPS, .expect_value = 100, .has_verdict = true,
		.verdict = verdict, .has_cause = verdict_is_bad(verdict),
		.cause = cause, .cause_share = 0.5
	};
	struct episode_interval i;

	s.start_ns = LOADKIT_START + n * LOADKIT_NS;
	episode_interval_of(&i, &s, &v, rate, 8192);
	episodesum_add(&sum, &i);
}

static void
clear(void)
{
	memset(&sum, 0, sizeof(sum));
	loadkit_writes(&s, 0, 50, 20);
}

static void
client(uint32_t slot, uint8_t last, uint64_t bytes)
{
	const uint8_t ip[4] = { 10, 77, 0, last };

	if (s.clients <= slot)
		s.clients = slot + 1;
	memset(&s.client[slot], 0, sizeof(s.client[slot]));
	addr_from_ipv4(&s.client[slot].addr, ip);
	s.client[slot].t.now.write_bytes = bytes;
}

static uint8_t
top(void)
{
	assert_true(sum.e.has_client);
	return sum.e.client.b[15];
}

static void
rates_are_those_from_the_first_bad_one_to_the_last(void **state)
{
	(void)state;
	clear();
	add(3, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	add(4, VERDICT_OK, 110, SAMPLE_CLIENT);
	add(5, VERDICT_UNDERRUN, 20, SAMPLE_CLIENT);
	add(6, VERDICT_OK, 300, SAMPLE_CLIENT);
	assert_int_equal(sum.e.intervals, 3);
	assert_true(sum.e.min == 20);
	assert_true(sum.e.max == 110);
	assert_true(sum.e.mean == 60);
	assert_true(sum.e.start_ns == LOADKIT_START + 3 * LOADKIT_NS);
	assert_true(sum.e.end_ns == LOADKIT_START + 6 * LOADKIT_NS);
	assert_int_equal(sum.e.expect, EXPECT_WPS);
	assert_true(sum.e.expected == 100);
}

static void
the_shortfall_is_what_was_missing_in_bytes(void **state)
{
	struct episode_interval i;
	const struct judgement v = { .verdict = VERDICT_STALL };

	(void)state;
	clear();
	add(0, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	add(1, VERDICT_OK, 95, SAMPLE_CLIENT);	/* tolerated: not missing */
	add(2, VERDICT_UNDERRUN, 80, SAMPLE_CLIENT);
	assert_true(sum.e.has_shortfall);
	assert_true(sum.e.shortfall_bytes == 70 * 8192);
	/* without an expectation nobody knows */
	clear();
	episode_interval_of(&i, &s, &v, 0, 8192);
	episodesum_add(&sum, &i);
	assert_false(sum.e.has_shortfall);
}

static void
the_cause_is_the_one_with_the_most_time(void **state)
{
	(void)state;
	clear();
	add(0, VERDICT_UNDERRUN, 50, SAMPLE_NETWORK);
	add(1, VERDICT_UNDERRUN, 50, SAMPLE_SERVER);
	assert_int_equal(sum.kind[VERDICT_UNDERRUN], 2);
	add(2, VERDICT_UNDERRUN, 50, SAMPLE_SERVER);
	assert_true(sum.e.has_cause);
	assert_int_equal(sum.e.cause, SAMPLE_SERVER);
}

static void
the_kind_is_that_of_most_and_uneven_ones_count_twice(void **state)
{
	(void)state;
	clear();
	add(0, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	assert_int_equal(sum.e.kind, VERDICT_UNDERRUN);
	add(1, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	add(2, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	add(3, VERDICT_BURSTY, 50, SAMPLE_CLIENT);
	assert_int_equal(sum.e.kind, VERDICT_UNDERRUN);
	add(4, VERDICT_BURSTY, 50, SAMPLE_CLIENT);
	assert_int_equal(sum.e.kind, VERDICT_BURSTY);
	add(5, VERDICT_STALL, 0, SAMPLE_SERVER);
	assert_int_equal(sum.e.kind, VERDICT_BURSTY);
	clear();
	add(0, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	add(1, VERDICT_STALL, 0, SAMPLE_SERVER);
	assert_int_equal(sum.e.kind, VERDICT_STALL);
}

static void
the_busiest_client_is_named(void **state)
{
	(void)state;
	clear();
	client(0, 2, 1000);
	client(1, 3, 5000);
	add(0, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	assert_int_equal(top(), 3);
	client(0, 4, 100000);
	add(1, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	assert_int_equal(top(), 4);
}

static void
clients_are_bounded_and_the_small_make_room(void **state)
{
	uint32_t i;

	(void)state;
	clear();
	for (i = 0; i < 100; i++) {
		client(0, (uint8_t)i, 1000 + i);
		add((int)i, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	}
	assert_int_equal(sum.clients, EPISODESUM_CLIENTS);
	assert_int_equal(top(), 99);
	clear();
	add(0, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	assert_false(sum.e.has_client);
}

static void
rates_of_another_unit_are_left_out(void **state)
{
	struct episode_interval i;
	const struct judgement v = { .verdict = VERDICT_UNDERRUN,
	    .expect = EXPECT_PPS, .expect_value = 9000 };

	(void)state;
	clear();
	add(0, VERDICT_UNDERRUN, 50, SAMPLE_CLIENT);
	episode_interval_of(&i, &s, &v, 4000, 1400);
	episodesum_add(&sum, &i);
	assert_true(sum.e.max == 50);
	assert_true(sum.e.expected == 100);
	assert_int_equal(sum.e.intervals, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    rates_are_those_from_the_first_bad_one_to_the_last),
		cmocka_unit_test(the_shortfall_is_what_was_missing_in_bytes),
		cmocka_unit_test(the_cause_is_the_one_with_the_most_time),
		cmocka_unit_test(
		    the_kind_is_that_of_most_and_uneven_ones_count_twice),
		cmocka_unit_test(the_busiest_client_is_named),
		cmocka_unit_test(clients_are_bounded_and_the_small_make_room),
		cmocka_unit_test(rates_of_another_unit_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

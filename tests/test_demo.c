/* SPDX-License-Identifier: ISC */
/*
 * test_demo.c: the built-in recording adds up, and is judged as it should be.
 */
#include "demo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rules.h"

static struct sample s, t;
static struct episode episode[16];
static int episodes;

static void
it_is_the_same_each_time(void **state)
{
	struct demo a = { 0 }, b = { 0 };
	int n = 0;

	(void)state;
	while (demo_next(&a, &s)) {
		assert_true(demo_next(&b, &t));
		assert_memory_equal(&s, &t, sizeof(s));
		n++;
	}
	assert_false(demo_next(&b, &t));
	assert_int_equal(n, DEMO_SECONDS);
}

/* What is sent is answered, and rows are the sums of what they are of. */
static void
a_second_adds_up(void)
{
	uint64_t calls = 0, replies = 0, states = 0, talk = 0, cells = 0;
	uint32_t i;

	for (i = 0; i < s.ops; i++) {
		calls += s.op[i].calls;
		replies += s.op[i].replies;
	}
	assert_int_equal(calls, s.rpc_calls);
	assert_int_equal(replies, s.rpc_replies);
	assert_int_equal(s.rpc_replies, s.traffic[SAMPLE_OUT].packets);
	for (i = 0; i < SAMPLE_STATES; i++)
		states += s.state_ns[i];
	assert_int_equal(states, s.length_ns);
	for (i = 0; i < s.clients; i++)
		talk += s.client[i].t.now.calls;
	assert_int_equal(talk, s.rpc_calls);
	for (i = 0; i < SAMPLE_CELLS; i++)
		cells += s.cell[i].count != 0;
	assert_int_equal(cells, s.cells);
}

static void
every_second_adds_up(void **state)
{
	struct demo d = { 0 };

	(void)state;
	while (demo_next(&d, &s))
		a_second_adds_up();
}

static void
all_calls_are_answered_in_the_end(void **state)
{
	struct demo d = { 0 };
	uint64_t calls = 0, replies = 0;

	(void)state;
	while (demo_next(&d, &s)) {
		calls += s.rpc_calls;
		replies += s.rpc_replies;
	}
	assert_int_equal(calls, replies);
}

/* ../shared/seeds: -sk has 8636 to 8638, -bge5701 558 to 2087. */
static void
packets_are_those_of_the_tables(void **state)
{
	struct demo d = { 0 };
	uint64_t in;
	int n;

	(void)state;
	for (n = 0; demo_next(&d, &s); n++) {
		in = s.traffic[SAMPLE_IN].packets;
		if (n < DEMO_STEADY || n >= DEMO_SECONDS - DEMO_AGAIN)
			assert_in_range(in, 8636, 8638);
		else if (n < DEMO_STEADY + DEMO_BURSTY)
			assert_in_range(in, 558, 2087);
		else if (n > DEMO_STEADY + DEMO_BURSTY)
			assert_in_range(in, 0, 48);
	}
}

static void
note(void *ctx, const struct episode *e)
{
	(void)ctx;
	if (episodes > 0 && episode[episodes - 1].start_ns == e->start_ns)
		episodes--;
	episode[episodes++] = *e;
}

static enum verdict
expected_verdict(int n)
{
	if (n < DEMO_STEADY || n >= DEMO_SECONDS - DEMO_AGAIN)
		return VERDICT_OK;
	return n < DEMO_STEADY + DEMO_BURSTY + 1 ? VERDICT_BURSTY :
	    VERDICT_STALL;
}

static void
it_is_judged_as_it_should_be(void **state)
{
	const struct expect_config ec = {
		.given = { { EXPECT_PPS, DEMO_EXPECT_PPS } }, .givens = 1
	};
	struct rules_config rc = { .tolerance = 0.1, .episode = note };
	struct demo d = { 0 };
	struct judgement v;
	int n, wrong = 0;

	(void)state;
	rc.expect = expect_new(&ec);
	struct rules *r = rules_new(&rc);
	for (n = 0; demo_next(&d, &s); n++) {
		rules_interval(r, &s, &v);
		assert_true(v.has_verdict);
		if (v.verdict != expected_verdict(n)) {
			wrong++;
			print_message("second %d: %s\n", n,
			    verdict_name(v.verdict));
		}
		if (n >= DEMO_STEADY && n < DEMO_STEADY + DEMO_BURSTY) {
			assert_int_equal(v.cause, SAMPLE_CLIENT);
			assert_true(v.cause_share > 0.9);
		}
	}
	/* The first one may be as well slow as bursty. */
	assert_true(wrong <= 1);
	assert_int_equal(episodes, 2);
	assert_true(episode[0].ended);
	assert_int_equal(episode[0].kind, VERDICT_BURSTY);
	assert_int_equal(episode[0].cause, SAMPLE_CLIENT);
	assert_int_equal(episode[1].kind, VERDICT_STALL);
	assert_int_equal(episode[1].cause, SAMPLE_SERVER);
	rules_free(r);
	expect_free(rc.expect);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_the_same_each_time),
		cmocka_unit_test(every_second_adds_up),
		cmocka_unit_test(all_calls_are_answered_in_the_end),
		cmocka_unit_test(packets_are_those_of_the_tables),
		cmocka_unit_test(it_is_judged_as_it_should_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

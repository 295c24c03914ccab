/* SPDX-License-Identifier: ISC */
/*
 * test_judge.c: what is said of one interval.  A WRITE is six packets.
 */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "loadkit.h"

static struct sample s;
static struct judgement v;
static struct judge_facts facts;

struct scene {
	struct expect	*expect;
	struct judge	*judge;
	int		 n;		/* second */
};

/* pps 0: without an expectation. */
static void
begin(struct scene *c, double pps)
{
	struct expect_config ec = { .given = { { EXPECT_PPS, pps } },
	    .givens = 1 };
	struct judge_config jc = { NULL, 0.1, false };

	memset(c, 0, sizeof(*c));
	if (pps > 0)
		jc.expect = c->expect = expect_new(&ec);
	c->judge = judge_new(&jc);
	assert_non_null(c->judge);
}

static void
end(struct scene *c)
{
	judge_free(c->judge);
	expect_free(c->expect);
}

static enum verdict
judged(struct scene *c)
{
	judge_interval(c->judge, &s, &v, &facts);
	assert_true(v.has_verdict);
	assert_true(v.has_cause == (verdict_is_bad(v.verdict) && s.has_split));
	return v.verdict;
}

static enum verdict
writes(struct scene *c, uint32_t n, uint32_t server_percent)
{
	loadkit_writes(&s, c->n++, n, server_percent);
	return judged(c);
}

static void
ten_percent_below_is_an_underrun_and_less_is_none(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 1200);		/* 200 WRITEs; 180 are 90 % */
	assert_int_equal(writes(&c, 200, 20), VERDICT_OK);
	assert_true(v.ratio == 1);
	assert_int_equal(v.expect, EXPECT_PPS);
	assert_true(v.expect_value == 1200);
	assert_int_equal(writes(&c, 180, 20), VERDICT_OK);
	assert_int_equal(writes(&c, 179, 20), VERDICT_UNDERRUN);
	assert_true(facts.counts && facts.demand);
	assert_true(facts.rate == 1074);
	end(&c);
}

static void
of_several_expectations_the_one_missed_most_counts(void **state)
{
	const struct expect_config ec = { .given = { { EXPECT_PPS, 600 },
	    { EXPECT_MBPS, 2 }, { EXPECT_WPS, 100 } }, .givens = 3 };
	struct scene c;
	struct judge_config jc = { NULL, 0.1, false };

	(void)state;
	memset(&c, 0, sizeof(c));
	jc.expect = c.expect = expect_new(&ec);
	c.judge = judge_new(&jc);
	/* 100 * 8192 bytes are 0.8192 MB of 2 */
	assert_int_equal(writes(&c, 100, 20), VERDICT_UNDERRUN);
	assert_int_equal(v.expect, EXPECT_MBPS);
	assert_float_equal(v.ratio, 0.4096, 1e-9);
	assert_float_equal(facts.rate, 0.8192, 1e-9);
	end(&c);
}

static void
the_same_rate_low_all_the_time_is_even(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 8637);
	for (i = 0; i < 30; i++)
		assert_int_equal(writes(&c, 700 + (uint32_t)(i % 3) * 40, 20),
		    VERDICT_UNDERRUN);
	end(&c);
}

static void
a_fall_from_one_even_rate_to_another_is_even(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 8637);
	for (i = 0; i < 20; i++)
		assert_int_equal(writes(&c, 1440, 20), VERDICT_OK);
	for (i = 0; i < 20; i++)
		assert_int_equal(writes(&c, 600, 20), VERDICT_UNDERRUN);
	end(&c);
}

static void
rates_that_jump_are_bursty(void **state)
{
	static const uint32_t rate[] = { 160, 254, 274, 258, 169, 99, 162 };
	struct scene c;
	int i;

	(void)state;
	begin(&c, 8637);
	assert_int_equal(writes(&c, rate[0], 5), VERDICT_UNDERRUN);
	assert_int_equal(writes(&c, rate[1], 5), VERDICT_UNDERRUN);
	for (i = 2; i < 7; i++)
		assert_int_equal(writes(&c, rate[i], 5), VERDICT_BURSTY);
	end(&c);
}

static void
seconds_at_full_rate_in_turn_with_slow_ones_are_bursty(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 8637);
	for (i = 0; i < 6; i++)
		writes(&c, i % 2 ? 100 : 1440, 5);
	assert_int_equal(v.verdict, VERDICT_BURSTY);
	assert_int_equal(writes(&c, 1440, 5), VERDICT_OK);
	assert_int_equal(writes(&c, 100, 5), VERDICT_BURSTY);
	end(&c);
}

/* 15 % of the time at full rate against all of it at 15 %. */
static void
bursts_inside_an_interval_are_seen_by_its_duty_cycle(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 8640);
	loadkit_writes(&s, c.n++, 216, 5);
	s.duty_on = 15;
	assert_int_equal(judged(&c), VERDICT_BURSTY);
	loadkit_writes(&s, c.n++, 216, 5);
	s.duty_on = 96;
	assert_int_equal(judged(&c), VERDICT_UNDERRUN);
	end(&c);
	/* a slow and even writer: 40 bins with a WRITE each */
	begin(&c, 8640);
	loadkit_writes(&s, c.n++, 40, 5);
	s.duty_on = 40;
	assert_int_equal(judged(&c), VERDICT_UNDERRUN);
	end(&c);
}

static void
little_data_is_no_demand(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 8640);
	assert_int_equal(writes(&c, 14, 1), VERDICT_IDLE);
	assert_false(facts.demand);
	assert_int_equal(writes(&c, 15, 1), VERDICT_UNDERRUN);
	loadkit_keepalive(&s, c.n++);
	assert_int_equal(judged(&c), VERDICT_IDLE);
	loadkit_idle(&s, c.n++);
	assert_int_equal(judged(&c), VERDICT_IDLE);
	end(&c);
}

static void
metadata_is_no_demand_when_packets_are_expected(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 8640);
	loadkit_keepalive(&s, c.n++);
	s.traffic[SAMPLE_IN].wire_packets = 3000;
	s.rpc_calls = s.rpc_replies = 3000;
	assert_int_equal(judged(&c), VERDICT_IDLE);
	end(&c);
}

static void
with_always_nothing_is_an_underrun(void **state)
{
	const struct expect_config ec = { .given = { { EXPECT_WPS, 100 } },
	    .givens = 1 };
	struct scene c;
	struct judge_config jc = { NULL, 0.1, true };

	(void)state;
	memset(&c, 0, sizeof(c));
	jc.expect = c.expect = expect_new(&ec);
	c.judge = judge_new(&jc);
	loadkit_idle(&s, 0);
	assert_int_equal(judged(&c), VERDICT_UNDERRUN);
	assert_int_equal(v.cause, SAMPLE_CLIENT);
	end(&c);
}

static void
what_was_not_watched_well_is_unknown(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 1200);
	loadkit_writes(&s, c.n++, 50, 20);
	s.partial = true;
	assert_int_equal(judged(&c), VERDICT_UNKNOWN);
	assert_false(facts.counts || facts.demand);
	loadkit_writes(&s, c.n++, 50, 20);
	s.untrusted_ns = LOADKIT_NS / 5;
	assert_int_equal(judged(&c), VERDICT_UNKNOWN);
	loadkit_writes(&s, c.n++, 50, 20);
	s.kernel_drops = 5;		/* of 350 packets */
	assert_int_equal(judged(&c), VERDICT_UNKNOWN);
	loadkit_writes(&s, c.n++, 50, 20);
	s.interface_drops = 5;
	assert_int_equal(judged(&c), VERDICT_UNKNOWN);
	loadkit_idle(&s, c.n++);
	s.no_data = true;
	assert_int_equal(judged(&c), VERDICT_UNKNOWN);
	loadkit_idle(&s, c.n++);
	s.gap = true;
	assert_int_equal(judged(&c), VERDICT_UNKNOWN);
	/* one packet of 10080 makes no difference */
	loadkit_writes(&s, c.n++, 1440, 20);
	s.kernel_drops = 1;
	assert_int_equal(judged(&c), VERDICT_OK);
	end(&c);
}

static void
a_stall_needs_no_expectation(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 0);
	for (i = 0; i < 5; i++)
		assert_int_equal(writes(&c, 270, 40), VERDICT_OK);
	for (i = 0; i < 30; i++) {
		loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
		assert_int_equal(judged(&c), VERDICT_STALL);
		assert_int_equal(v.cause, SAMPLE_SERVER);
	}
	assert_int_equal(writes(&c, 270, 40), VERDICT_OK);
	end(&c);
}

static void
after_a_minute_nobody_waits_any_more(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 0);
	writes(&c, 270, 40);
	for (i = 0; i < 60; i++) {
		loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
		assert_int_equal(judged(&c), VERDICT_STALL);
	}
	for (i = 0; i < 300; i++) {
		loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
		assert_int_not_equal(judged(&c), VERDICT_STALL);
	}
	end(&c);
}

/* A capture in which two neighbours have changed places. */
static void
a_reply_that_came_before_its_call_leaves_no_stall(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 0);
	loadkit_writes(&s, c.n++, 270, 40);
	s.rpc_unmatched = 1;
	s.outstanding = 1;
	judged(&c);
	loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
	assert_int_not_equal(judged(&c), VERDICT_STALL);
	loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
	s.outstanding = 2;		/* one of them is in earnest */
	assert_int_equal(judged(&c), VERDICT_STALL);
	end(&c);
}

/* All replies were seen here, but the other side never got the last. */
static void
a_reply_sent_again_and_again_is_a_stall_of_the_network(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 0);
	writes(&c, 600, 25);
	writes(&c, 600, 25);
	writes(&c, 600, 25);
	loadkit_idle(&s, c.n++);
	s.state_ns[SAMPLE_CLIENT] = 0;
	s.state_ns[SAMPLE_NETWORK] = (uint64_t)LOADKIT_NS;
	assert_int_equal(judged(&c), VERDICT_STALL);
	assert_int_equal(v.cause, SAMPLE_NETWORK);
	assert_true(v.cause_share == 1);
	end(&c);
}

static void
a_keepalive_that_is_lost_is_no_stall(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 0);
	writes(&c, 100, 20);
	for (i = 0; i < 30; i++) {
		loadkit_idle(&s, c.n++);
		assert_int_equal(judged(&c), VERDICT_IDLE);
	}
	loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
	assert_int_equal(judged(&c), VERDICT_IDLE);
	end(&c);
}

/* An MTU black hole: a WRITE is resent for ever, ACCESS and the like go on. */
static void
data_that_the_network_holds_up_is_wanted_still(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 8640);
	writes(&c, 1440, 20);
	for (i = 0; i < 8; i++) {
		loadkit_stuck(&s, c.n++, SAMPLE_NETWORK);
		s.rpc_calls = s.rpc_replies = 10;
		assert_true(verdict_is_bad(judged(&c)));
		assert_int_equal(v.cause, SAMPLE_NETWORK);
	}
	loadkit_keepalive(&s, c.n++);		/* it has given up */
	assert_int_equal(judged(&c), VERDICT_IDLE);
	loadkit_stuck(&s, c.n++, SAMPLE_NETWORK);
	s.rpc_calls = s.rpc_replies = 10;
	assert_int_equal(judged(&c), VERDICT_IDLE);
	end(&c);
}

static void
a_tenth_of_a_second_without_an_answer_is_no_stall(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 0);
	writes(&c, 100, 20);
	for (i = 0; i < 4; i++) {
		loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
		s.length_ns /= 10;
		s.depth_ns /= 10;
		assert_int_not_equal(judged(&c), VERDICT_STALL);
	}
	loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
	s.length_ns /= 10;
	s.depth_ns /= 10;
	assert_int_equal(judged(&c), VERDICT_STALL);
	end(&c);
}

static void
an_answered_call_in_the_interval_is_no_stall(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 0);
	writes(&c, 100, 20);
	loadkit_stuck(&s, c.n++, SAMPLE_SERVER);
	s.rpc_replies = 1;
	assert_int_not_equal(judged(&c), VERDICT_STALL);
	end(&c);
}

/* The client is always waited for most; what is new is the server's part. */
static void
the_cause_is_what_is_not_usual(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 1200);
	for (i = 0; i < 10; i++)
		assert_int_equal(writes(&c, 200, 20), VERDICT_OK);
	assert_int_equal(writes(&c, 100, 45), VERDICT_UNDERRUN);
	assert_int_equal(v.cause, SAMPLE_SERVER);
	assert_float_equal(v.cause_share, 0.45, 1e-9);
	assert_int_equal(writes(&c, 100, 5), VERDICT_UNDERRUN);
	assert_int_equal(v.cause, SAMPLE_CLIENT);
	end(&c);

	begin(&c, 1200);		/* nothing is usual yet */
	assert_int_equal(writes(&c, 100, 45), VERDICT_UNDERRUN);
	assert_int_equal(v.cause, SAMPLE_CLIENT);
	end(&c);
}

static void
without_an_expectation_a_client_that_sends_less_is_not_judged(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 0);
	/* Linux writes back every five seconds */
	for (i = 0; i < 120; i++)
		assert_int_not_equal(writes(&c, i % 5 == 0 ? 900 : 20, 10),
		    VERDICT_BURSTY);
	end(&c);
}

static void
without_an_expectation_a_load_that_is_held_up_now_and_then_is_bursty(
    void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c, 0);
	for (i = 0; i < 12; i++)
		writes(&c, i % 3 == 0 ? 900 : 100, i % 3 == 0 ? 30 : 97);
	assert_int_equal(v.verdict, VERDICT_BURSTY);
	assert_int_equal(v.cause, SAMPLE_SERVER);
	end(&c);
}

static void
a_load_that_begins_inside_an_interval_is_measured_from_there(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 8640);
	loadkit_idle(&s, c.n++);
	judged(&c);
	loadkit_writes(&s, c.n++, 1008, 20);	/* 70 % */
	s.first_ns = s.start_ns + 3 * LOADKIT_NS / 10;
	assert_int_equal(judged(&c), VERDICT_OK);
	assert_float_equal(v.ratio, 1, 1e-9);
	assert_true(facts.counts);
	loadkit_idle(&s, c.n++);
	judged(&c);
	loadkit_writes(&s, c.n++, 100, 20);	/* too short to say */
	s.first_ns = s.start_ns + 9 * LOADKIT_NS / 10;
	assert_int_equal(judged(&c), VERDICT_OK);
	assert_false(facts.counts);
	assert_true(facts.demand);
	end(&c);
}

static void
bare_packets_are_judged_by_level(void **state)
{
	struct scene c;

	(void)state;
	begin(&c, 8637);
	loadkit_packets(&s, c.n++, 8638, 12384676);
	assert_int_equal(judged(&c), VERDICT_OK);
	loadkit_packets(&s, c.n++, 4763, 6684546);
	assert_int_equal(judged(&c), VERDICT_UNDERRUN);
	loadkit_packets(&s, c.n++, 40, 6000);
	assert_int_equal(judged(&c), VERDICT_IDLE);
	end(&c);
}

static void
bare_packets_without_an_expectation_are_judged_by_spread(void **state)
{
	static const uint64_t bge5701[] = { 900, 1509, 1647, 1603, 1055, 558,
	    984, 864, 883, 1177, 2087, 1187, 650, 1565, 2055, 1554, 1402,
	    1690, 1323, 591 };
	struct scene c;
	int i, bursty = 0;

	(void)state;
	begin(&c, 0);
	for (i = 0; i < 20; i++) {
		loadkit_packets(&s, c.n++, bge5701[i], bge5701[i] * 1400);
		bursty += judged(&c) == VERDICT_BURSTY;
	}
	assert_true(bursty >= 3);
	end(&c);

	begin(&c, 0);			/* an even load that ends */
	for (i = 0; i < 40; i++) {
		loadkit_packets(&s, c.n++, i < 20 ? 8637 : 2000, 1000000);
		assert_int_equal(judged(&c), VERDICT_OK);
	}
	loadkit_packets(&s, c.n++, 3, 200);
	assert_int_equal(judged(&c), VERDICT_IDLE);
	end(&c);
}

static void
after_a_jump_of_time_nothing_earlier_is_compared(void **state)
{
	static const uint32_t rate[] = { 160, 254, 274, 258, 169, 99 };
	struct scene c;
	int i;

	(void)state;
	begin(&c, 8637);
	for (i = 0; i < 6; i++)
		writes(&c, rate[i], 5);
	assert_int_equal(v.verdict, VERDICT_BURSTY);
	loadkit_writes(&s, c.n++, 700, 5);
	s.restarted = true;
	assert_int_equal(judged(&c), VERDICT_UNDERRUN);
	end(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    ten_percent_below_is_an_underrun_and_less_is_none),
		cmocka_unit_test(
		    of_several_expectations_the_one_missed_most_counts),
		cmocka_unit_test(the_same_rate_low_all_the_time_is_even),
		cmocka_unit_test(a_fall_from_one_even_rate_to_another_is_even),
		cmocka_unit_test(rates_that_jump_are_bursty),
		cmocka_unit_test(
		    seconds_at_full_rate_in_turn_with_slow_ones_are_bursty),
		cmocka_unit_test(
		    bursts_inside_an_interval_are_seen_by_its_duty_cycle),
		cmocka_unit_test(little_data_is_no_demand),
		cmocka_unit_test(
		    metadata_is_no_demand_when_packets_are_expected),
		cmocka_unit_test(with_always_nothing_is_an_underrun),
		cmocka_unit_test(what_was_not_watched_well_is_unknown),
		cmocka_unit_test(a_stall_needs_no_expectation),
		cmocka_unit_test(after_a_minute_nobody_waits_any_more),
		cmocka_unit_test(
		    a_reply_that_came_before_its_call_leaves_no_stall),
		cmocka_unit_test(
		    a_reply_sent_again_and_again_is_a_stall_of_the_network),
		cmocka_unit_test(a_keepalive_that_is_lost_is_no_stall),
		cmocka_unit_test(
		    data_that_the_network_holds_up_is_wanted_still),
		cmocka_unit_test(
		    a_tenth_of_a_second_without_an_answer_is_no_stall),
		cmocka_unit_test(an_answered_call_in_the_interval_is_no_stall),
		cmocka_unit_test(the_cause_is_what_is_not_usual),
		cmocka_unit_test(
		without_an_expectation_a_client_that_sends_less_is_not_judged),
		cmocka_unit_test(
	without_an_expectation_a_load_that_is_held_up_now_and_then_is_bursty),
		cmocka_unit_test(
		a_load_that_begins_inside_an_interval_is_measured_from_there),
		cmocka_unit_test(bare_packets_are_judged_by_level),
		cmocka_unit_test(
		    bare_packets_without_an_expectation_are_judged_by_spread),
		cmocka_unit_test(
		    after_a_jump_of_time_nothing_earlier_is_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

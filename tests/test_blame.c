/* SPDX-License-Identifier: ISC */
/*
 * test_blame.c: shares of an interval over all pairs.  Intervals are a
 * second; times are in milliseconds.
 */
#include "blame.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "packet.h"
#include "pairstate.h"
#include "testkit.h"

#define MS	NSEC_PER_MSEC
#define PAIRS	8

static struct sample sample;

static struct blame *
new_blame(void)
{
	const struct blame_config config = { NSEC_PER_SEC, PAIRS };
	struct blame *b = blame_new(&config);

	assert_non_null(b);
	return b;
}

/* A call of depth 1: sent at once at from, answered at once at to. */
static void
exchange(struct blame *b, uint32_t pair, int64_t from_ms, int64_t to_ms,
    uint32_t bytes)
{
	struct call c = { .state = CALL_OPEN, .transmissions = 1,
	    .stream = 2 * pair, .first_ns = from_ms * MS,
	    .has_count = bytes > 0, .count = bytes };
	struct rpc_event ev = { .call = &c, .pair = pair, .outstanding = 1 };

	ev.time_ns = from_ms * MS;
	ev.kind = RPC_EV_CALL;
	blame_rpc(b, &ev);
	c.whole = true;
	c.last_ns = ev.time_ns;
	ev.kind = RPC_EV_CALL_DONE;
	blame_rpc(b, &ev);
	if (to_ms < 0)
		return;
	ev.time_ns = to_ms * MS;
	ev.outstanding = 0;
	ev.kind = RPC_EV_REPLY;
	c.state = CALL_ANSWERED;
	c.reply_ns = ev.time_ns;
	blame_rpc(b, &ev);
	ev.kind = RPC_EV_REPLY_DONE;
	blame_rpc(b, &ev);
}

static uint64_t
sum(void)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < SAMPLE_STATES; i++)
		n += sample.state_ns[i];
	return n;
}

static double
share(struct blame *b, int64_t second, enum sample_state state)
{
	memset(&sample, 0, sizeof(sample));
	blame_shares(b, second * NSEC_PER_SEC, (second + 1) * NSEC_PER_SEC,
	    &sample);
	assert_true(sample.has_split);
	assert_int_equal(sum(), NSEC_PER_SEC);
	return (double)sample.state_ns[state] / 1e9;
}

static void
without_pairs_the_second_is_the_clients(void **state)
{
	struct blame *b = new_blame();

	(void)state;
	assert_true(share(b, 5, SAMPLE_CLIENT) == 1);
	blame_free(b);
}

static void
of_one_pair_every_nanosecond_is_its_own(void **state)
{
	struct blame *b = new_blame();

	(void)state;
	exchange(b, 0, 100, 350, 0);
	assert_true(share(b, 0, SAMPLE_SERVER) == 0.25);
	assert_int_equal(sample.state_ns[SAMPLE_CLIENT], 750 * MS);
	blame_free(b);
}

static void
calls_weigh_pairs(void **state)
{
	struct blame *b = new_blame();
	int64_t i;

	(void)state;
	/* nine calls of 100 ms one after the other, and one of 500 ms */
	for (i = 0; i < 9; i++)
		exchange(b, 0, i * 100, i * 100 + 100, 0);
	exchange(b, 1, 0, 500, 0);
	/* 0.9 * 0.9 + 0.1 * 0.5 */
	assert_float_equal(share(b, 0, SAMPLE_SERVER), 0.86, 1e-5);
	blame_free(b);
}

static void
data_weighs_pairs(void **state)
{
	struct blame *b = new_blame();

	(void)state;
	exchange(b, 0, 0, 1000, 8 * PAIRSTATE_UNIT);	/* 9 */
	exchange(b, 1, 0, 100, 0);			/* 1 */
	assert_float_equal(share(b, 0, SAMPLE_SERVER), 0.91, 1e-5);
	blame_free(b);
}

static void
idle_clients_do_not_hide_the_one_that_writes(void **state)
{
	struct blame *b = new_blame();
	uint32_t pair;
	int64_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		exchange(b, 0, i * 10, i * 10 + 9, 65536);
	for (pair = 1; pair < PAIRS; pair++)
		exchange(b, pair, 500, 501, 0);
	assert_true(share(b, 0, SAMPLE_SERVER) > 0.88);
	blame_free(b);
}

/* The writer is cut off in second 1 while another goes on. */
static void
a_writer_that_stands_still_keeps_its_weight(void **state)
{
	struct blame *b = new_blame();
	int64_t i, s;

	(void)state;
	for (i = 0; i < 99; i++)
		exchange(b, 0, i * 10, i * 10 + 5, 0);
	exchange(b, 0, 999, -1, 0);
	assert_true(share(b, 0, SAMPLE_SERVER) < 0.51);
	for (s = 1; s <= 10; s++) {
		for (i = 0; i < 10; i++)
			exchange(b, 1, s * 1000 + i * 10,
			    s * 1000 + i * 10 + 1, 0);
		assert_true(share(b, s, SAMPLE_SERVER) > 0.8);
	}
	blame_free(b);
}

static void
who_falls_silent_counts_for_some_seconds(void **state)
{
	struct blame *b = new_blame();
	int64_t i;

	(void)state;
	for (i = 0; i < 100; i++)
		exchange(b, 0, i * 10, i * 10 + 5, 0);
	share(b, 0, SAMPLE_CLIENT);
	exchange(b, 1, 1000, 2000, 0);
	/* 50 of the one against 1 of the other */
	assert_float_equal(share(b, 1, SAMPLE_CLIENT), 50.0 / 51, 1e-5);
	blame_free(b);
}

static void
pairs_that_are_idle_cost_nothing(void **state)
{
	struct blame *b = new_blame();
	int64_t s;

	(void)state;
	exchange(b, 0, 0, 1, 0);
	exchange(b, 1, 0, 1, 0);
	assert_int_equal(blame_pairs(b), 2);
	for (s = 0; s < 3; s++)
		share(b, s, SAMPLE_CLIENT);
	assert_int_equal(blame_pairs(b), 0);
	exchange(b, 0, 3500, 3750, 0);
	assert_true(share(b, 3, SAMPLE_SERVER) == 0.25);
	blame_free(b);
}

static void
intervals_may_be_asked_for_late(void **state)
{
	struct blame *b = new_blame();

	(void)state;
	exchange(b, 0, 500, 700, 0);
	exchange(b, 0, 1100, 1200, 0);
	exchange(b, 0, 2900, 3100, 0);
	assert_true(share(b, 0, SAMPLE_SERVER) == 0.2);
	assert_true(share(b, 1, SAMPLE_SERVER) == 0.1);
	assert_true(share(b, 2, SAMPLE_SERVER) == 0.1);
	assert_true(share(b, 3, SAMPLE_SERVER) == 0.1);
	blame_free(b);
}

static void
a_partial_interval_has_its_own_length(void **state)
{
	struct blame *b = new_blame();

	(void)state;
	exchange(b, 0, 600, 700, 0);
	blame_shares(b, 500 * MS, NSEC_PER_SEC, &sample);
	assert_int_equal(sample.state_ns[SAMPLE_SERVER], 100 * MS);
	assert_int_equal(sum(), 500 * MS);
	exchange(b, 0, 1100, -1, 0);
	blame_shares(b, NSEC_PER_SEC, 1300 * MS, &sample);
	assert_int_equal(sample.state_ns[SAMPLE_SERVER], 200 * MS);
	assert_int_equal(sum(), 300 * MS);
	blame_free(b);
}

/* RFC 1813 sec. 2.6: NFS3ERR_JUKEBOX is 10008. */
static void
jukebox_is_delay_and_other_errors_are_not(void **state)
{
	struct blame *b = new_blame();
	struct rpc_op op = { .op = nfs_proc_op(NFS_PROG_NFS, 3, 6),
	    .has_status = true, .status = 10008 };
	struct op_event ev = { .time_ns = 200 * MS, .reply = true, .op = &op,
	    .pair = 0 };

	(void)state;
	exchange(b, 0, 100, 200, 0);
	blame_op(b, &ev);
	assert_true(share(b, 0, SAMPLE_DELAY) == 0.8);
	exchange(b, 0, 1500, 1600, 0);
	op.status = 2;			/* NFS3ERR_NOENT */
	ev.time_ns = 1600 * MS;
	blame_op(b, &ev);
	assert_true(share(b, 1, SAMPLE_DELAY) == 0.5);
	assert_true(share(b, 2, SAMPLE_CLIENT) == 1);
	blame_free(b);
}

static void
after_a_step_all_begins_anew(void **state)
{
	struct blame *b = new_blame();

	(void)state;
	exchange(b, 0, 9500, -1, 0);
	blame_step(b);
	assert_true(share(b, 9, SAMPLE_SERVER) == 0.5);
	exchange(b, 1, 1000, 1250, 0);
	assert_true(share(b, 1, SAMPLE_SERVER) == 0.25);
	assert_int_equal(blame_pairs(b), 1);
	blame_free(b);
}

static void
numbers_that_are_no_pair_are_passed_over(void **state)
{
	struct blame *b = new_blame();
	struct net_event net = { .kind = NET_HOLE, .pair = PAIRS };
	struct rpc_event rpc = { .kind = RPC_EV_UNMATCHED, .pair = 1 };

	(void)state;
	exchange(b, DECODER_NONE, 0, 1, 0);
	exchange(b, PAIRS, 0, 1, 0);
	blame_net(b, &net);
	blame_rpc(b, &rpc);
	assert_int_equal(blame_pairs(b), 0);
	blame_free(b);
}

static void
no_interval_makes_no_blame(void **state)
{
	const struct blame_config config = { 0, 0 };

	(void)state;
	errno = 0;
	assert_null(blame_new(&config));
	assert_int_equal(errno, EINVAL);
}

/* Any events at any times: the shares still add up. */
static void
chance(struct blame *b, uint64_t *seed, int64_t now)
{
	struct call c = {
		.state = (uint8_t)(CALL_OPEN + testkit_below(seed, 2)),
		.kind = (uint8_t)testkit_below(seed, 4),
		.transmissions = (uint16_t)(1 + testkit_below(seed, 3)),
		.whole = testkit_below(seed, 2), .count = 1U << 20,
		.guessed = testkit_below(seed, 8) == 0, .has_count = true,
		.stream = testkit_below(seed, 12),
		.first_ns = now - testkit_below(seed, 2000) * MS,
		.last_ns = now - testkit_below(seed, 20) * MS,
		.sent_ns = now - testkit_below(seed, 2000) * MS,
		.reply_ns = now - testkit_below(seed, 9) * MS
	};
	struct rpc_event rpc = {
		.time_ns = now - testkit_below(seed, 500) * MS / 100,
		.kind = (enum rpc_event_kind)testkit_below(seed, 10),
		.call = &c, .pair = testkit_below(seed, PAIRS + 1),
		.outstanding = testkit_below(seed, 4),
		.duplicate = testkit_below(seed, 9) == 0
	};
	struct net_event net = {
		.time_ns = rpc.time_ns, .pair = rpc.pair,
		.kind = (enum net_event_kind)testkit_below(seed, 5),
		.stream = c.stream, .to_server = testkit_below(seed, 2)
	};

	if (testkit_below(seed, 4) == 0)
		blame_net(b, &net);
	else
		blame_rpc(b, &rpc);
	if (testkit_below(seed, 5000) == 0)
		blame_step(b);
}

static void
whatever_comes_the_shares_add_up(void **state)
{
	struct blame *b = new_blame();
	uint64_t seed = 4;
	int64_t now = 0, next = 0;
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		now += testkit_below(&seed, 30) * MS;
		if (testkit_below(&seed, 1000) == 0)
			now += testkit_below(&seed, 100) * NSEC_PER_SEC;
		/* two intervals stay open, as the sampler's */
		for (; next < now / NSEC_PER_SEC - 2; next++)
			share(b, next, SAMPLE_CLIENT);
		chance(b, &seed, now);
	}
	blame_free(b);
}

static void
extreme_times_do_not_overflow(void **state)
{
	struct blame *b = new_blame();
	struct call c = { .transmissions = 1, .first_ns = INT64_MIN };
	struct rpc_event ev = { .call = &c, .outstanding = 1 };
	struct net_event net = { .kind = NET_RESENT };
	int i;

	(void)state;
	for (i = 0; i < 40; i++) {
		ev.time_ns = net.time_ns = i & 1 ? INT64_MAX : INT64_MIN;
		ev.kind = (enum rpc_event_kind)(i / 4);
		c.whole = (i & 2) != 0;
		c.last_ns = c.sent_ns = c.reply_ns = -(ev.time_ns / 2);
		blame_rpc(b, &ev);
		blame_net(b, &net);
	}
	blame_shares(b, 0, NSEC_PER_SEC, &sample);
	assert_int_equal(sum(), NSEC_PER_SEC);
	blame_free(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_pairs_the_second_is_the_clients),
		cmocka_unit_test(of_one_pair_every_nanosecond_is_its_own),
		cmocka_unit_test(calls_weigh_pairs),
		cmocka_unit_test(data_weighs_pairs),
		cmocka_unit_test(idle_clients_do_not_hide_the_one_that_writes),
		cmocka_unit_test(a_writer_that_stands_still_keeps_its_weight),
		cmocka_unit_test(who_falls_silent_counts_for_some_seconds),
		cmocka_unit_test(pairs_that_are_idle_cost_nothing),
		cmocka_unit_test(intervals_may_be_asked_for_late),
		cmocka_unit_test(a_partial_interval_has_its_own_length),
		cmocka_unit_test(jukebox_is_delay_and_other_errors_are_not),
		cmocka_unit_test(after_a_step_all_begins_anew),
		cmocka_unit_test(numbers_that_are_no_pair_are_passed_over),
		cmocka_unit_test(no_interval_makes_no_blame),
		cmocka_unit_test(whatever_comes_the_shares_add_up),
		cmocka_unit_test(extreme_times_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_facts.c: what a diagnosis rests on, from totals and judgements.
 */
#include "facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "loadkit.h"

static struct sample s;
static struct facts f;

static void
data(struct sample_data *d, uint64_t calls, uint64_t latency_us,
    uint64_t server_us)
{
	d->calls = d->replies = calls;
	d->latency.timed = d->server.timed = calls;
	d->latency.sum_us = calls * latency_us;
	d->server.sum_us = calls * server_us;
}

static void
client(uint32_t i, uint8_t last, uint64_t calls, uint64_t bytes)
{
	const uint8_t ip[4] = { 10, 77, 0, last };

	addr_from_ipv4(&s.client[i].addr, ip);
	s.client[i].t.total.calls = s.client[i].t.now.calls = calls;
	s.client[i].t.total.write_bytes = bytes;
	s.client[i].t.now.write_bytes = bytes;
	if (s.clients <= i)
		s.clients = i + 1;
}

static void
totals_become_means_and_shares(void **state)
{
	struct totals *t = totals_new();
	struct sample_size *z;

	(void)state;
	assert_non_null(t);
	loadkit_writes(&s, 0, 100, 25);
	data(&s.data[SAMPLE_WRITE], 100, 500, 400);
	data(&s.data[SAMPLE_COMMIT], 2, 9000, 0);
	s.data[SAMPLE_WRITE].stable[0] = 40;
	s.data[SAMPLE_WRITE].stable[1] = 10;
	s.data[SAMPLE_WRITE].stable[2] = 50;
	s.rpc_calls = s.rpc_replies = 110;
	s.rpc_retransmits = 3;
	s.depth_max = 4;
	s.kernel_drops = 7;
	s.interface_drops = SAMPLE_UNKNOWN;
	s.untrusted_ns = LOADKIT_NS / 4;
	s.counter[SAMPLE_COPIES] = 1;
	s.counter[SAMPLE_TCP_RETRANSMITS] = 11;
	s.counter[SAMPLE_TCP_OUT_OF_ORDER] = 13;
	s.counter[SAMPLE_IP_INCOMPLETE] = 12;
	/* NFS3ERR_JUKEBOX, RFC 1813 sec. 2.6, and another */
	sample_status_add(&s, nfs_program_find(100003, 3)->first_op, 10008, 5);
	sample_status_add(&s, nfs_program_find(100003, 3)->first_op, 2, 50);
	z = sample_size(&s, SAMPLE_WRITE, 8192);
	z->calls = 30;
	z = sample_size(&s, SAMPLE_WRITE, 512);
	z->calls = z->timed = 70;
	z->sum_us = 70 * 300;
	z->depth_sum = 140;
	client(0, 2, 60, 1000);
	client(1, 3, 40, 9000);
	totals_add(t, &s);

	facts_clear(&f);
	facts_totals(&f, t);
	assert_true(f.seconds == 1);
	assert_true(f.trust == 0.75);
	assert_int_equal(f.packets, 700);
	assert_int_equal(f.drops, 7);
	assert_int_equal(f.calls, 110);
	assert_int_equal(f.retransmits, 2);
	assert_int_equal(f.small_calls, 10);
	assert_int_equal(f.small_replies, 10);
	assert_true(f.write.latency_us == 500);
	assert_true(f.write.server_us == 400);
	assert_true(f.commit.latency_us == 9000);
	assert_true(f.read.latency_us == 0);
	assert_int_equal(f.stable, 60);
	assert_int_equal(f.depth_max, 4);
	assert_int_equal(f.size, 512);
	assert_int_equal(f.size_calls, 70);
	assert_true(f.size_latency_us == 300);
	assert_true(f.size_depth == 2);
	assert_int_equal(f.tcp_retransmits, 11);
	assert_int_equal(f.tcp_late, 13);
	assert_int_equal(f.incomplete, 12);
	assert_int_equal(f.delays, 5);
	assert_int_equal(f.clients, 2);
	assert_int_equal(f.top_client.b[15], 3);
	assert_true(f.top_share == 0.9);
	assert_true(f.has_split);
	assert_true(f.share[SAMPLE_SERVER] == 0.25);
	totals_free(t);
}

static void
empty_totals_give_no_facts(void **state)
{
	struct totals *t = totals_new();

	(void)state;
	facts_clear(&f);
	facts_totals(&f, t);
	assert_true(f.trust == 1);
	assert_false(f.has_split);
	assert_int_equal(f.size, 0);
	assert_int_equal(f.clients, 0);
	assert_int_equal(f.drops, 0);
	totals_free(t);
}

static void
shares_are_those_with_demand_when_they_are_known(void **state)
{
	struct totals *t = totals_new();
	struct rules_overall o = { .verdict = VERDICT_BURSTY,
	    .expect = EXPECT_PPS, .expected = 8000, .min = 100, .mean = 2000,
	    .max = 4000, .stalls = 2, .longest_stall_ns = 3500000000,
	    .has_stall_cause = true, .stall_cause = SAMPLE_WINDOW };

	(void)state;
	loadkit_writes(&s, 0, 100, 25);
	totals_add(t, &s);
	o.state_ns[SAMPLE_SERVER] = 6e9;
	o.state_ns[SAMPLE_CLIENT] = 2e9;
	facts_clear(&f);
	facts_rules(&f, &o);
	facts_totals(&f, t);
	assert_true(f.share[SAMPLE_SERVER] == 0.75);
	assert_int_equal(f.verdict, VERDICT_BURSTY);
	assert_true(f.expected);
	assert_true(f.ratio == 0.25);
	assert_true(f.rate_max == 4000);
	assert_int_equal(f.stalls, 2);
	assert_true(f.longest_stall == 3.5);
	o.standstills = 3;	/* one of them was no episode */
	facts_rules(&f, &o);
	assert_int_equal(f.stalls, 3);
	assert_int_equal(f.stall_cause, SAMPLE_WINDOW);
	/* and the other way round */
	facts_clear(&f);
	facts_totals(&f, t);
	facts_rules(&f, &o);
	assert_true(f.share[SAMPLE_SERVER] == 0.75);
	totals_free(t);
}

static void
what_settled_and_what_was_skewed_is_taken_over(void **state)
{
	struct settle settle = { .times = 1, .what = { .first = 5e7 } };
	struct netstatfile_stats stats = { .skewed = 4, .largest_mean = 1970 };

	(void)state;
	facts_clear(&f);
	facts_settle(&f, &settle);
	facts_netstat(&f, &stats);
	assert_true(f.settled);
	assert_true(f.settle.first == 5e7);
	assert_int_equal(f.skewed, 4);
	assert_true(f.skew_mean == 1970);
	settle.times = 0;
	facts_settle(&f, &settle);
	assert_false(f.settled);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_become_means_and_shares),
		cmocka_unit_test(empty_totals_give_no_facts),
		cmocka_unit_test(
		    shares_are_those_with_demand_when_they_are_known),
		cmocka_unit_test(
		    what_settled_and_what_was_skewed_is_taken_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

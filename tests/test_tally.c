/* SPDX-License-Identifier: ISC */
/*
 * test_tally.c: what is counted for which event.
 */
#include "tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "feedkit.h"

#define WRITE3	7		/* RFC 1813 sec. 3.3.7 */
#define READ3	6
#define COMMIT3	21

static struct tally t;
static struct feedkit kit;

static void
on_packet(void *ctx, const struct packet_event *ev)
{
	tally_packet(ctx, ev);
}

static void
on_rpc(void *ctx, const struct rpc_event *ev)
{
	tally_rpc(ctx, ev);
}

static void
on_op(void *ctx, const struct op_event *ev)
{
	tally_op(ctx, ev);
}

static int
setup(void **state)
{
	static const struct decoder_listener l = { .packet = on_packet,
	    .rpc = on_rpc, .op = on_op };

	(void)state;
	memset(&t, 0, sizeof(t));
	kit = (struct feedkit){ .l = &l, .ctx = &t };
	tally_begin(&t, 0, SEC, 0);
	t.talkers = talkers_new(NULL);
	assert_non_null(t.talkers);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	talkers_free(t.talkers);
	return 0;
}

static const struct sample_op *
row(uint32_t prog, uint32_t vers, uint32_t proc)
{
	return sample_op(&t.s, nfs_proc_op(prog, vers, proc), prog, vers,
	    proc);
}

/* An operation inside a COMPOUND of NFSv4. */
static uint16_t
inner(uint32_t opnum)
{
	uint16_t op = nfs_compound_op(nfs_program_find(NFS_PROG_NFS, 4),
	    opnum);

	assert_int_not_equal(op, NFS_OP_NONE);
	return op;
}

static void
packets_count_by_direction(void **state)
{
	struct packet_event e = { .time_ns = 10 * MS, .dir = SAMPLE_OUT,
	    .bytes = 65000, .wire_packets = 45, .wire_bytes = 68000 };

	(void)state;
	feedkit_packet(&kit, 5 * MS, SAMPLE_IN, 100);
	feedkit_packet(&kit, 6 * MS, SAMPLE_OTHER, 60);
	tally_packet(&t, &e);
	tally_end(&t, SEC);
	assert_true(t.s.traffic[SAMPLE_IN].packets == 1);
	assert_true(t.s.traffic[SAMPLE_OTHER].bytes == 60);
	assert_true(t.s.traffic[SAMPLE_OUT].packets == 1);
	assert_true(t.s.traffic[SAMPLE_OUT].wire_packets == 45);
	assert_true(t.s.traffic[SAMPLE_OUT].wire_bytes == 68000);
	assert_true(t.s.first_ns == 5 * MS && t.s.last_ns == 10 * MS);
	assert_int_equal(t.s.duty_on, 1);
}

static void
a_write_counts_once_everywhere(void **state)
{
	const struct sample_data *w = &t.s.data[SAMPLE_WRITE];
	const struct sample_op *r;
	struct histogram h;

	(void)state;
	feedkit_write(&kit, MS, 1, 8192, 2 * MS);
	r = row(NFS_PROG_NFS, 3, WRITE3);
	assert_int_equal(r->calls, 1);
	assert_int_equal(r->replies, 1);
	assert_int_equal(r->errors, 0);
	assert_true(r->bytes == 8192);
	assert_true(r->timed == 1 && r->sum_us == 2000);
	assert_true(w->calls == 1 && w->replies == 1 && w->bytes == 8192);
	assert_true(w->stable[2] == 1 && w->stable[0] == 0);
	assert_true(w->server.sum_us == 2000 && w->request.sum_us == 0);
	assert_true(w->latency.timed == 1);
	assert_true(t.s.rpc_calls == 1 && t.s.rpc_replies == 1);
	assert_int_equal(t.s.sizes[SAMPLE_WRITE], 1);
	assert_int_equal(t.s.size[SAMPLE_WRITE][0].size, 8192);
	assert_true(t.s.size[SAMPLE_WRITE][0].calls == 1);
	assert_true(t.s.size[SAMPLE_WRITE][0].bytes == 8192);
	assert_true(t.s.size[SAMPLE_WRITE][0].sum_us == 2000);
	assert_true(t.s.size[SAMPLE_WRITE][0].depth_sum == 1);
	sample_histogram(&t.s, SAMPLE_WRITE_SERVER, &h);
	assert_true(h.count == 1);
	assert_true(h.bucket[histogram_bucket(2000)] == 1);
	assert_int_equal(t.s.statuses, 0);
}

static void
a_resend_is_no_call_and_carries_no_bytes(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 3, WRITE3);
	struct rpc_op op = { .op = c.op, .has_count = true, .count = 512 };
	const struct sample_op *r;

	(void)state;
	feedkit_call(&kit, MS, &c);
	feedkit_op(&kit, MS, &c, false, false, &op);
	feedkit_resend(&kit, 2 * MS, &c);
	feedkit_op(&kit, 2 * MS, &c, false, true, &op);
	r = row(NFS_PROG_NFS, 3, WRITE3);
	assert_int_equal(r->calls, 1);
	assert_int_equal(r->retransmits, 1);
	assert_true(r->bytes == 512);
	assert_true(t.s.rpc_calls == 1 && t.s.rpc_retransmits == 1);
	assert_true(t.s.data[SAMPLE_WRITE].calls == 1);
	assert_true(t.s.data[SAMPLE_WRITE].retransmits == 1);
	assert_true(t.s.size[SAMPLE_WRITE][0].calls == 1);
}

static void
a_duplicate_reply_counts_as_a_reply_but_not_its_results(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 3, READ3);
	struct rpc_op ask = { .op = c.op, .has_count = true, .count = 4096 };
	struct rpc_op got = { .op = c.op, .has_status = true,
	    .has_count = true, .count = 1000 };
	const struct sample_op *r;

	(void)state;
	c.has_count = true;
	c.count = 4096;
	feedkit_call(&kit, MS, &c);
	feedkit_op(&kit, MS, &c, false, false, &ask);
	feedkit_reply(&kit, 2 * MS, &c, false, RPC_SUCCESS);
	feedkit_op(&kit, 2 * MS, &c, true, false, &got);
	feedkit_reply(&kit, 3 * MS, &c, true, RPC_SUCCESS);
	feedkit_op(&kit, 3 * MS, &c, true, true, &got);
	r = row(NFS_PROG_NFS, 3, READ3);
	assert_int_equal(r->calls, 1);
	assert_int_equal(r->replies, 2);
	assert_true(r->bytes == 1000);
	assert_true(t.s.data[SAMPLE_READ].bytes == 1000);
	/* by what was asked for */
	assert_int_equal(t.s.size[SAMPLE_READ][0].size, 4096);
	assert_true(t.s.size[SAMPLE_READ][0].bytes == 1000);
	assert_true(t.s.size[SAMPLE_READ][0].calls == 1);
}

static void
an_error_counts_with_its_status(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 3, 3);
	struct rpc_op got = { .op = c.op, .has_status = true, .status = 2 };
	const struct sample_op *r;

	(void)state;
	feedkit_call(&kit, MS, &c);
	feedkit_reply(&kit, 2 * MS, &c, false, RPC_SUCCESS);
	feedkit_op(&kit, 2 * MS, &c, true, false, &got);
	r = row(NFS_PROG_NFS, 3, 3);
	assert_int_equal(r->errors, 1);
	assert_int_equal(t.s.statuses, 1);
	assert_int_equal(t.s.status[0].status, 2);
	assert_int_equal(t.s.status[0].first_op,
	    nfs_program_find(NFS_PROG_NFS, 3)->first_op);
}

static void
a_call_that_rpc_refuses_is_an_error_without_a_status(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 3, READ3);
	struct rpc_op op = { .op = c.op };
	struct op_event e = { .reply = true, .rpc_error = true, .op = &op,
	    .call = &c };

	(void)state;
	feedkit_call(&kit, MS, &c);
	feedkit_reply(&kit, 2 * MS, &c, false, RPC_DENIED);
	tally_op(&t, &e);
	assert_int_equal(row(NFS_PROG_NFS, 3, READ3)->errors, 1);
	assert_int_equal(t.s.statuses, 0);
	assert_true(t.s.data[SAMPLE_READ].errors == 1);
	assert_true(t.s.data[SAMPLE_READ].hidden == 0);
}

static void
encrypted_writes_have_calls_and_no_bytes(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 3, WRITE3);
	struct rpc_op op = { .op = c.op };

	(void)state;
	c.service = RPC_SVC_PRIVACY;
	feedkit_call(&kit, MS, &c);
	feedkit_op(&kit, MS, &c, false, false, &op);
	assert_true(t.s.data[SAMPLE_WRITE].calls == 1);
	assert_true(t.s.data[SAMPLE_WRITE].hidden == 1);
	assert_int_equal(row(NFS_PROG_NFS, 3, WRITE3)->hidden, 1);
	assert_int_equal(t.s.sizes[SAMPLE_WRITE], 0);
}

/* PUTFH (22), WRITE (38), GETATTR (9): RFC 8881 sec. 18. */
static void
operations_of_a_compound_count_beside_it(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 4, 1);
	struct rpc_op putfh = { .op = inner(22), .in_compound = true };
	struct rpc_op write = { .op = inner(38), .in_compound = true,
	    .index = 1, .has_count = true, .count = 100 };
	struct rpc_op bad = { .op = inner(38), .in_compound = true,
	    .index = 1, .has_status = true, .status = 13 };
	struct rpc_op whole = { .op = c.op, .has_status = true, .status = 13 };
	const struct sample_op *r;

	(void)state;
	feedkit_call(&kit, MS, &c);
	feedkit_op(&kit, MS, &c, false, false, &putfh);
	feedkit_op(&kit, MS, &c, false, false, &write);
	c.op = write.op;
	c.kind = NFS_KIND_WRITE;
	feedkit_reply(&kit, 3 * MS, &c, false, RPC_SUCCESS);
	feedkit_op(&kit, 3 * MS, &c, true, false, &whole);
	putfh.has_status = true;
	feedkit_op(&kit, 3 * MS, &c, true, false, &putfh);
	feedkit_op(&kit, 3 * MS, &c, true, false, &bad);
	feedkit_done(&kit, 4 * MS, &c, 0, 2 * MS, MS);

	r = row(NFS_PROG_NFS, 4, 1);
	assert_int_equal(r->calls, 1);
	assert_int_equal(r->errors, 1);
	assert_true(r->sum_us == 3000);
	r = sample_op(&t.s, write.op, 0, 0, 0);
	assert_int_equal(r->calls, 1);
	assert_int_equal(r->replies, 1);
	assert_int_equal(r->errors, 1);
	assert_true(r->timed == 1 && r->sum_us == 3000);
	r = sample_op(&t.s, putfh.op, 0, 0, 0);
	assert_int_equal(r->calls, 1);
	assert_int_equal(r->replies, 1);
	assert_int_equal(r->errors, 0);
	assert_true(r->timed == 1 && r->sum_us == 2000); /* to the reply */
	assert_true(t.s.rpc_calls == 1 && t.s.rpc_replies == 1);
	assert_true(t.s.data[SAMPLE_WRITE].calls == 1);
	assert_true(t.s.data[SAMPLE_WRITE].replies == 1);
	assert_true(t.s.data[SAMPLE_WRITE].latency.timed == 1);
	/* one failure, one status */
	assert_int_equal(t.s.statuses, 1);
	assert_true(t.s.status[0].count == 1);
}

static void
results_of_a_replayed_compound_were_not_executed(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 4, 1);
	struct rpc_op op = { .op = inner(9), .in_compound = true };

	(void)state;
	feedkit_call(&kit, MS, &c);
	feedkit_op(&kit, MS, &c, false, false, &op);
	feedkit_resend(&kit, 2 * MS, &c);
	feedkit_op(&kit, 2 * MS, &c, false, true, &op);
	feedkit_reply(&kit, 3 * MS, &c, false, RPC_SUCCESS);
	feedkit_op(&kit, 3 * MS, &c, true, false, &op);
	feedkit_reply(&kit, 4 * MS, &c, true, RPC_SUCCESS);
	feedkit_op(&kit, 4 * MS, &c, true, true, &op);
	assert_int_equal(sample_op(&t.s, op.op, 0, 0, 0)->calls, 1);
	assert_int_equal(sample_op(&t.s, op.op, 0, 0, 0)->retransmits, 1);
	assert_int_equal(sample_op(&t.s, op.op, 0, 0, 0)->replies, 1);
	assert_int_equal(row(NFS_PROG_NFS, 4, 1)->replies, 2);
}

static void
a_commit_has_its_latency(void **state)
{
	struct call c = feedkit_make(1, NFS_PROG_NFS, 3, COMMIT3);
	struct histogram h;

	(void)state;
	feedkit_call(&kit, MS, &c);
	feedkit_reply(&kit, 9 * MS, &c, false, RPC_SUCCESS);
	feedkit_done(&kit, 9 * MS, &c, 0, 8 * MS, 0);
	assert_true(t.s.data[SAMPLE_COMMIT].calls == 1);
	assert_true(t.s.data[SAMPLE_COMMIT].latency.sum_us == 8000);
	sample_histogram(&t.s, SAMPLE_COMMIT_LATENCY, &h);
	assert_true(h.count == 1);
}

static void
unknown_programs_count_by_number(void **state)
{
	struct call c = feedkit_make(1, 395648, 3, 1);

	(void)state;
	assert_int_equal(c.op, NFS_OP_NONE);
	feedkit_call(&kit, MS, &c);
	feedkit_reply(&kit, 2 * MS, &c, false, RPC_SUCCESS);
	feedkit_done(&kit, 2 * MS, &c, 0, MS, 0);
	feedkit_unmatched(&kit, 3 * MS);
	assert_int_equal(t.s.ops, 1);
	assert_int_equal(t.s.op[0].prog, 395648);
	assert_int_equal(t.s.op[0].replies, 1);
	assert_true(t.s.op[0].sum_us == 1000);
	assert_true(t.s.rpc_unmatched == 1);
}

static void
clients_users_and_files_take_their_share(void **state)
{
	static const uint8_t fh[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct call c = feedkit_make(7, NFS_PROG_NFS, 3, WRITE3);
	struct rpc_op op = { .op = c.op, .has_count = true, .count = 4096,
	    .fh = fh, .fh_len = sizeof(fh) };

	(void)state;
	kit.client.b[15] = 9;
	feedkit_call(&kit, MS, &c);
	feedkit_op(&kit, MS, &c, false, false, &op);
	feedkit_reply(&kit, 3 * MS, &c, false, RPC_SUCCESS);
	feedkit_done(&kit, 3 * MS, &c, 0, 2 * MS, 0);
	talkers_fill(t.talkers, t.slot, &t.s);
	assert_int_equal(t.s.clients, 1);
	assert_int_equal(t.s.client[0].addr.b[15], 9);
	assert_true(t.s.client[0].t.now.calls == 1);
	assert_true(t.s.client[0].t.now.write_bytes == 4096);
	assert_true(t.s.client[0].t.now.sum_us == 2000);
	assert_int_equal(t.s.users, 1);
	assert_int_equal(t.s.user[0].uid, 1000);
	assert_int_equal(t.s.files, 1);
	assert_true(t.s.file[0].t.now.calls == 1);
	assert_true(t.s.file[0].t.now.replies == 1);
	assert_true(t.s.file[0].t.now.write_calls == 1);
	assert_true(t.s.file[0].t.now.write_bytes == 4096);
	assert_memory_equal(t.s.file[0].fh, fh, sizeof(fh));
}

static void
a_looked_up_name_is_that_of_the_handle_in_the_reply(void **state)
{
	static const uint8_t dir[] = { 1, 1, 1, 1 }, file[] = { 2, 2, 2, 2 };
	struct call look = feedkit_make(1, NFS_PROG_NFS, 3, 3);
	struct call get = feedkit_make(2, NFS_PROG_NFS, 3, 1);
	struct rpc_op op = { .op = look.op, .fh = dir, .fh_len = 4,
	    .name = "passwd", .name_len = 6 };
	struct rpc_op got = { .op = look.op, .has_status = true, .fh = file,
	    .fh_len = 4 };
	struct rpc_op use = { .op = get.op, .fh = file, .fh_len = 4 };

	(void)state;
	feedkit_call(&kit, MS, &look);
	feedkit_op(&kit, MS, &look, false, false, &op);
	feedkit_reply(&kit, 2 * MS, &look, false, RPC_SUCCESS);
	feedkit_op(&kit, 2 * MS, &look, true, false, &got);
	feedkit_call(&kit, 3 * MS, &get);
	feedkit_op(&kit, 3 * MS, &get, false, false, &use);
	feedkit_op(&kit, 4 * MS, &get, false, false, &use);
	feedkit_op(&kit, 5 * MS, &get, false, false, &use);
	talkers_fill(t.talkers, t.slot, &t.s);
	assert_int_equal(t.s.files, 2);
	assert_string_equal(t.s.file[0].name, "passwd");
	assert_string_equal(t.s.file[1].name, "");
}

static void
drops_and_lost_bytes_take_trust_away(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 30; i++)
		feedkit_packet(&kit, i * MS, SAMPLE_IN, 100);
	t.s.kernel_drops = 10;
	t.s.counter[SAMPLE_RPC_CUT] = 1000;	/* takes none */
	t.s.counter[SAMPLE_TCP_LOST_BYTES] = 500;
	tally_end(&t, SEC);
	assert_true(sample_trust(&t.s) == 0.75); /* 10 of 40 packets */
	t.s.counter[SAMPLE_TCP_SKIPPED_BYTES] = 2500;
	tally_end(&t, SEC);
	assert_true(sample_trust(&t.s) == 0.5);	/* 3000 of 6000 bytes */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(packets_count_by_direction),
		CASE(a_write_counts_once_everywhere),
		CASE(a_resend_is_no_call_and_carries_no_bytes),
		CASE(a_duplicate_reply_counts_as_a_reply_but_not_its_results),
		CASE(an_error_counts_with_its_status),
		CASE(a_call_that_rpc_refuses_is_an_error_without_a_status),
		CASE(encrypted_writes_have_calls_and_no_bytes),
		CASE(operations_of_a_compound_count_beside_it),
		CASE(results_of_a_replayed_compound_were_not_executed),
		CASE(a_commit_has_its_latency),
		CASE(unknown_programs_count_by_number),
		CASE(clients_users_and_files_take_their_share),
		CASE(a_looked_up_name_is_that_of_the_handle_in_the_reply),
		CASE(drops_and_lost_bytes_take_trust_away),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_rdmatalk_faults.c: NFS over RDMA when packets are lost, come again,
 * are cut or are something else, and when there are too many queue pairs.
 */
#include "rdmatalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eventkit.h"
#include "packet.h"
#include "rdmakit.h"
#include "testkit.h"

#define C	PACKETKIT_CLIENT
#define S	PACKETKIT_SERVER
#define MS	NSEC_PER_MSEC

struct scene {
	struct decoder	*d;
	struct packetkit *k;
	struct rpckit	*m;		/* the message being made */
	struct eventkit	 e;
	struct rdmakit	 r;
	struct decoder_config config;
};

static void
begin(struct scene *s)
{
	eventkit_clear(&s->e);
	s->d = decoder_new(&s->config, eventkit_listener(), &s->e);
	if (s->d == NULL)
		abort();
	rdmakit_init(&s->r, s->k, s->d);
}

static void
begin_again(struct scene *s)
{
	decoder_free(s->d);
	begin(s);
}

static int
set_up(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return -1;
	decoder_config_init(&s->config);
	s->k = packetkit_new();
	s->m = rpckit_new();
	begin(s);
	*state = s;
	return 0;
}

static int
tear_down(void **state)
{
	struct scene *s = *state;

	decoder_free(s->d);
	free(s->k);
	free(s->m);
	free(s);
	return 0;
}

static void
send_it(struct scene *s, int dir, int64_t t)
{
	rdmakit_send(&s->r, dir, s->m, t);
	rpckit_clear(s->m);
}

static void
header(struct scene *s, uint32_t xid)
{
	const struct rdmakit_lists none = { 0 };

	rdmakit_header(s->m, xid, &none);
}

static void
getattr(struct scene *s, uint32_t xid, int64_t t)
{
	header(s, xid);
	rpckit_getattr_call(s->m, xid);
	send_it(s, C, t);
}

static void
getattr_reply(struct scene *s, uint32_t xid, int64_t t)
{
	header(s, xid);
	rpckit_getattr_reply(s->m, xid);
	send_it(s, S, t);
}

/* A WRITE of 2000 bytes in nine packets, one of which may be lost. */
static void
write_in_parts(struct scene *s, uint32_t xid, int lost)
{
	s->r.mtu = 256;
	s->r.step_ns = MS;
	s->r.lost = lost;
	header(s, xid);
	rpckit_write_call(s->m, xid, NULL, 2000);
	send_it(s, C, 0);
}

static void
losing_data_costs_no_call(void **state)
{
	struct scene *s = *state;
	int lost;

	for (lost = 1; lost < 8; lost++) {
		begin_again(s);
		write_in_parts(s, 7, lost);
		assert_string_equal(s->e.text, "call 7, done 7");
		assert_string_equal(s->e.ops, "7 WRITE 2000");
		assert_int_equal(s->e.counter[SAMPLE_IP_INCOMPLETE], 1);
	}
}

static void
losing_the_end_costs_no_call(void **state)
{
	struct scene *s = *state;

	write_in_parts(s, 7, 8);
	assert_string_equal(s->e.text, "call 7");
	getattr(s, 8, 20 * MS);	/* the queue pair goes on: it has passed */
	assert_string_equal(s->e.text, "call 7, done 7, call 8, done 8");
	assert_int_equal(s->e.counter[SAMPLE_IP_INCOMPLETE], 1);
}

static void
losing_the_beginning_costs_that_call_alone(void **state)
{
	struct scene *s = *state;

	getattr(s, 6, 0);
	write_in_parts(s, 7, 0);
	getattr(s, 8, 20 * MS);
	assert_string_equal(s->e.text, "call 6, done 6, call 8, done 8");
	assert_int_equal(s->e.counter[SAMPLE_RPC_NOT_RPC], 0);
}

/* Facts that lie behind the loss: PUTFH and WRITE, then GETATTR cut. */
static void
losing_facts_tells_what_is_left_as_cut(void **state)
{
	struct scene *s = *state;

	s->r.mtu = 256;
	s->r.lost = 1;
	header(s, 7);
	rpckit_compound_write_call(s->m, 7, 300);
	send_it(s, C, 0);	/* 28 + 152 + 300 + 12 bytes: two packets */
	assert_string_equal(s->e.text, "call 7");
	getattr(s, 8, 0);
	assert_string_equal(s->e.ops, "7 COMPOUND, 7 PUTFH, 7 WRITE 300, "
	    "8 GETATTR");
	assert_string_equal(s->e.text, "call 7, done 7, call 8, done 8");
}

static void
a_hole_that_is_too_wide_ends_the_message(void **state)
{
	struct scene *s = *state;

	s->r.mtu = 256;
	header(s, 7);
	rpckit_write_call(s->m, 7, NULL, 2000);
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_FIRST, 0, s->m->data, 256, 0);
	s->r.psn[C] += 1000;
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_LAST, 0, s->m->data, 100, 0);
	assert_string_equal(s->e.text, "call 7, done 7");
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_LAST, 0, s->m->data, 100, 0);
	assert_string_equal(s->e.text, "call 7, done 7");
}

static void
a_packet_that_comes_again_is_no_resend(void **state)
{
	struct scene *s = *state;

	getattr(s, 7, 0);
	s->r.psn[C]--;			/* the transport repeats */
	getattr(s, 7, MS);
	assert_string_equal(s->e.text, "call 7, done 7");
	assert_string_equal(s->e.nets, "resent in");
	assert_int_equal(s->e.counter[SAMPLE_COPIES], 1);
	getattr_reply(s, 7, MS);
	s->r.psn[S]--;
	getattr_reply(s, 7, MS);
	assert_int_equal(s->e.replies, 1);
	assert_int_equal(s->e.counter[SAMPLE_COPIES], 2);
}

static void
parts_that_come_again_are_not_counted_twice(void **state)
{
	struct scene *s = *state;
	uint32_t psn = s->r.psn[C];

	header(s, 7);
	rpckit_write_call(s->m, 7, NULL, 600);
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_FIRST, 0, s->m->data, 256, 0);
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_MIDDLE, 0, s->m->data + 256,
	    256, 0);
	s->r.psn[C] = psn;		/* the transport goes back */
	s->r.mtu = 256;
	send_it(s, C, MS);
	assert_string_equal(s->e.text, "call 7, done 7");
	assert_string_equal(s->e.ops, "7 WRITE 600");
	assert_int_equal(s->e.counter[SAMPLE_COPIES], 2);
	assert_int_equal(s->e.counter[SAMPLE_IP_INCOMPLETE], 0);
}

static void
the_same_call_over_a_new_connection_is_a_resend(void **state)
{
	struct scene *s = *state;

	getattr(s, 7, 0);
	s->r.qp[0] = 0x111;
	s->r.qp[1] = 0x222;
	s->r.psn[C] = 0x4000;
	getattr(s, 7, 900 * MS);
	getattr_reply(s, 7, 901 * MS);
	assert_string_equal(s->e.text, "call 7, done 7, resend 7, done 7, "
	    "reply 7, replied 7");
}

/* Storage over RDMA: 64-byte commands and 16-byte answers. */
static void
other_protocols_over_rdma_are_left_alone(void **state)
{
	struct scene *s = *state;
	uint8_t command[64] = { 0x02, 0x40, 0x01 };

	rdmakit_packet(&s->r, C, RDMAKIT_SEND_ONLY, 0, command, 64, 0);
	rdmakit_packet(&s->r, S, RDMAKIT_SEND_ONLY, 0, command, 16, 0);
	getattr_reply(s, 7, 0);		/* an answer to nothing known */
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_MIDDLE, 0, command, 64, 0);
	rdmakit_packet(&s->r, C, 0x64, 8, command, 64, 0);	/* UD */
	rdmakit_packet(&s->r, C, 0x81, 16, NULL, 0, 0);		/* CNP */
	assert_string_equal(s->e.text, "");
	assert_int_equal(s->e.dir[SAMPLE_OTHER].packets, 6);
	assert_int_equal(s->e.counter[SAMPLE_RPC_NOT_RPC], 0);
	getattr(s, 8, 0);
	s->r.qp[1] = 0x77;	/* between the same hosts, not the same pair */
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_ONLY, 0, command, 64, 0);
	assert_int_equal(s->e.counter[SAMPLE_RPC_NOT_RPC], 0);
	s->r.qp[1] = 0x22;
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_ONLY, 0, command, 64, 0);
	assert_int_equal(s->e.counter[SAMPLE_RPC_NOT_RPC], 1);
}

static void
the_message_must_have_the_xid_of_its_header(void **state)
{
	struct scene *s = *state;

	header(s, 8);
	rpckit_getattr_call(s->m, 7);
	send_it(s, C, 0);
	header(s, 8);
	rpckit_getattr_reply(s->m, 7);
	send_it(s, S, 0);
	assert_string_equal(s->e.text, "");
}

static void
errors_of_the_transport_are_no_replies(void **state)
{
	struct scene *s = *state;

	getattr(s, 7, 0);
	rpckit_u32(s->m, 7);
	rpckit_u32(s->m, 1);
	rpckit_u32(s->m, 32);
	rpckit_u32(s->m, 4);		/* RDMA_ERROR, */
	rpckit_u32(s->m, 2);		/* ERR_CHUNK */
	send_it(s, S, 0);
	assert_string_equal(s->e.text, "call 7, done 7");
}

/* Five read chunks: the message is not known behind the fourth. */
static void
more_chunks_than_are_kept_cut_the_message(void **state)
{
	struct scene *s = *state;
	uint32_t i, at = RPCKIT_CALL_HEAD + 12 + 36;

	rpckit_u32(s->m, 7);
	rpckit_u32(s->m, 1);
	rpckit_u32(s->m, 32);
	rpckit_u32(s->m, 0);
	for (i = 0; i < 5; i++) {
		rpckit_u32(s->m, 1);
		rpckit_u32(s->m, at + i * (8 + 36));
		rdmakit_segment(s->m, 8);
	}
	rpckit_u32(s->m, 0);
	rpckit_u64(s->m, 0);
	rpckit_call(s->m, 7, 100003, 4, 1);
	rpckit_u64(s->m, 1);		/* no tag, minor version 1 */
	rpckit_u32(s->m, 5);
	for (i = 0; i < 5; i++) {	/* WRITEs of 8 bytes */
		rpckit_u32(s->m, 38);
		rpckit_bytes(s->m, "stateid for 16 b", 16);
		rpckit_u64(s->m, 0);
		rpckit_u64(s->m, 8);	/* UNSTABLE4, length 8 */
	}
	send_it(s, C, 0);
	assert_string_equal(s->e.ops, "7 COMPOUND, 7 WRITE 8, 7 WRITE 8, "
	    "7 WRITE 8, 7 WRITE 8");
	assert_string_equal(s->e.text, "call 7, done 7");
	assert_int_equal(s->e.counter[SAMPLE_RPC_BAD_XDR], 0);
}

static void
with_servers_given_others_are_left_alone(void **state)
{
	struct scene *s = *state;

	s->config.servers = 1;
	s->config.server[0] = packetkit_addr(s->k, S);
	begin_again(s);
	getattr(s, 7, 0);
	getattr_reply(s, 7, 0);
	assert_int_equal(s->e.replied, 1);
	addr_from_ipv4(&s->config.server[0], (const uint8_t[4]){ 9, 9, 9, 9 });
	begin_again(s);
	getattr(s, 7, 0);
	getattr_reply(s, 7, 0);
	assert_string_equal(s->e.text, "");
	assert_int_equal(s->e.dir[SAMPLE_OTHER].packets, 2);
}

/* Ethernet 14, IPv4 20, UDP 8, BTH 12, transport header 28 */
#define HEADERS		(14U + 20U + 8U + 12U + 28U)

static void
a_snap_length_behind_the_rpc_header_counts_the_call(void **state)
{
	struct scene *s = *state;
	uint32_t snap;

	for (snap = 1; snap < 240; snap++) {
		s->k->snap = snap;
		begin_again(s);
		header(s, 7);
		rpckit_write_call(s->m, 7, NULL, 2000);
		send_it(s, C, 0);
		getattr_reply(s, 7, 0);
		if (snap >= HEADERS + RPCKIT_WRITE_HEAD)
			assert_int_equal(s->e.written, 2000);
		if (snap >= HEADERS + RPCKIT_CALL_HEAD)
			assert_int_equal(s->e.calls, 1);
		assert_true(s->e.calls <= 1);
		assert_int_equal(s->e.counter[SAMPLE_TRUNCATED],
		    snap < HEADERS + RPCKIT_GETATTR_REPLY + 4 ? 2 : 1);
	}
	s->k->snap = 0;
}

static void
queue_pairs_are_bounded(void **state)
{
	struct scene *s = *state;
	uint32_t i;

	s->config.max_flows = 12;	/* four queue pairs */
	begin_again(s);
	for (i = 0; i < 7; i++) {
		s->r.qp[1] = 0x100 + i;
		getattr(s, 100 + i, 0);
	}
	assert_int_equal(s->e.calls, 7);
	assert_int_equal(s->e.counter[SAMPLE_EVICTED_FLOWS], 3);
	decoder_flush(s->d);
	assert_int_equal(s->e.counter[SAMPLE_EVICTED_FLOWS], 3);
}

static void
a_flush_forgets_what_is_under_way(void **state)
{
	struct scene *s = *state;

	header(s, 7);
	rpckit_write_call(s->m, 7, NULL, 600);
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_FIRST, 0, s->m->data, 256, 0);
	decoder_flush(s->d);
	rdmakit_packet(&s->r, C, RDMAKIT_SEND_LAST, 0, s->m->data, 256, 0);
	assert_string_equal(s->e.text, "call 7, gone 7");
}

/* What a frame of a call has been made into. */
static void
push_bytes(struct scene *s, struct bytes data, uint32_t wire_len)
{
	struct packet pkt = { .data = data, .wire_len = wire_len,
	    .linktype = 1 };

	decoder_push(s->d, &pkt);
}

static void
expect_no_second_call(void *ctx, struct bytes part)
{
	struct scene *s = ctx;

	push_bytes(s, part, s->k->len);
	assert_true(s->e.calls <= 1);
}

static void
survive(void *ctx, struct bytes flipped, size_t bit)
{
	struct scene *s = ctx;

	(void)bit;
	push_bytes(s, flipped, (uint32_t)flipped.len);
}

static void
a_cut_or_flipped_packet_does_no_harm(void **state)
{
	struct scene *s = *state;
	size_t at;

	s->e.no_words = true;
	rdmakit_header(s->m, 7, &(struct rdmakit_lists){ .position = 152,
	    .read = 4096, .write = 100, .reply = 100 });
	at = s->m->len;
	rpckit_compound_write_call(s->m, 7, 4096);
	rdmakit_reduce(s->m, at + 152, 4096);
	send_it(s, C, 0);
	for_every_prefix(s->k->frame, s->k->len, expect_no_second_call, s);
	for_every_bit_flip(s->k->frame, s->k->len, survive, s);
	header(s, 8);
	rpckit_compound_write_reply(s->m, 8, 4096);
	send_it(s, S, 0);
	for_every_bit_flip(s->k->frame, s->k->len, survive, s);
	decoder_flush(s->d);
}

#define CASE(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(losing_data_costs_no_call),
		CASE(losing_the_end_costs_no_call),
		CASE(losing_the_beginning_costs_that_call_alone),
		CASE(losing_facts_tells_what_is_left_as_cut),
		CASE(a_hole_that_is_too_wide_ends_the_message),
		CASE(a_packet_that_comes_again_is_no_resend),
		CASE(parts_that_come_again_are_not_counted_twice),
		CASE(the_same_call_over_a_new_connection_is_a_resend),
		CASE(other_protocols_over_rdma_are_left_alone),
		CASE(the_message_must_have_the_xid_of_its_header),
		CASE(errors_of_the_transport_are_no_replies),
		CASE(more_chunks_than_are_kept_cut_the_message),
		CASE(with_servers_given_others_are_left_alone),
		CASE(a_snap_length_behind_the_rpc_header_counts_the_call),
		CASE(queue_pairs_are_bounded),
		CASE(a_flush_forgets_what_is_under_way),
		CASE(a_cut_or_flipped_packet_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

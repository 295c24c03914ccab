/* SPDX-License-Identifier: ISC */
/*
 * test_rdmatalk.c: NFS over RDMA (RFC 8166, RFC 8267), from RoCEv2 packets to
 * calls, replies and their facts.
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

#define C	PACKETKIT_CLIENT
#define S	PACKETKIT_SERVER
#define MS	NSEC_PER_MSEC

/* RPC call header, PUTFH and WRITE up to the data: rpckit.h. */
#define V4_WRITE_AT	(RPCKIT_CALL_HEAD + 12U + 36U + 36U)

struct scene {
	struct decoder	*d;
	struct packetkit *k;
	struct rpckit	*m;		/* the message being made */
	struct eventkit	 e;
	struct rdmakit	 r;
	struct decoder_config config;
};

static int
set_up(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return -1;
	decoder_config_init(&s->config);
	s->d = decoder_new(&s->config, eventkit_listener(), &s->e);
	s->k = packetkit_new();
	s->m = rpckit_new();
	rdmakit_init(&s->r, s->k, s->d);
	*state = s;
	return s->d != NULL ? 0 : -1;
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

/* Sends what is in the buffer and empties it. */
static void
send_it(struct scene *s, int dir, int64_t t)
{
	rdmakit_send(&s->r, dir, s->m, t);
	rpckit_clear(s->m);
}

static void
header(struct scene *s, uint32_t xid, struct rdmakit_lists lists)
{
	rdmakit_header(s->m, xid, &lists);
}
#define NO_CHUNKS	((struct rdmakit_lists){ 0 })

static void
getattr(struct scene *s, uint32_t xid, int64_t t)
{
	header(s, xid, NO_CHUNKS);
	rpckit_getattr_call(s->m, xid);
	send_it(s, C, t);
}

static void
getattr_reply(struct scene *s, uint32_t xid, int64_t t)
{
	header(s, xid, NO_CHUNKS);
	rpckit_getattr_reply(s->m, xid);
	send_it(s, S, t);
}

static void
a_call_and_its_reply_meet(void **state)
{
	struct scene *s = *state;
	struct addr client = packetkit_addr(s->k, C);
	struct addr server = packetkit_addr(s->k, S);

	getattr(s, 7, 0);
	getattr_reply(s, 7, 2 * MS);
	assert_string_equal(s->e.text, "call 7, done 7, reply 7, replied 7");
	assert_string_equal(s->e.ops, "7 GETATTR, 7 GETATTR ok");
	assert_true(addr_equal(&s->e.client, &client));
	assert_true(addr_equal(&s->e.server, &server));
	assert_true(s->e.timed);
	assert_int_equal(s->e.server_ns, 2 * MS);
	assert_int_equal(s->e.outstanding, 0);
}

static void
packets_count_by_the_host_that_serves(void **state)
{
	struct scene *s = *state;

	getattr(s, 7, 0);	/* nothing is known of these hosts yet */
	getattr_reply(s, 7, 1);
	rdmakit_packet(&s->r, S, RDMAKIT_WRITE_ONLY, 16, "abcd", 4, 2);
	s->r.qp[0] = 0x33;	/* another queue pair */
	getattr(s, 8, 3);
	getattr_reply(s, 8, 4);
	assert_int_equal(s->e.dir[SAMPLE_OTHER].packets, 1);
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 1);
	assert_int_equal(s->e.dir[SAMPLE_OUT].packets, 3);
	/* Ethernet 14, IPv4 20, UDP 8, BTH 12, header 28, call, CRC 4 */
	assert_int_equal(s->e.dir[SAMPLE_IN].bytes,
	    14 + 20 + 8 + 12 + 28 + RPCKIT_GETATTR_CALL + 4);
	assert_int_equal(s->e.calls, 2);
	assert_int_equal(s->e.replied, 2);
}

static void
write_call(struct scene *s, uint32_t xid, uint32_t len, uint32_t chunk,
    int64_t t)
{
	size_t at;

	header(s, xid, (struct rdmakit_lists){ .position = RPCKIT_WRITE_HEAD,
	    .read = chunk });
	at = s->m->len;
	rpckit_write_call(s->m, xid, NULL, len);
	rdmakit_reduce(s->m, at + RPCKIT_WRITE_HEAD, (len + 3) / 4 * 4);
	send_it(s, C, t);
}

static void
a_write_has_its_size_though_its_data_is_elsewhere(void **state)
{
	struct scene *s = *state;

	write_call(s, 7, 8190, 8190, 0);
	header(s, 7, NO_CHUNKS);
	rpckit_write_reply(s->m, 7, 8190);
	send_it(s, S, MS);
	assert_string_equal(s->e.text, "call 7, done 7, reply 7, replied 7");
	assert_string_equal(s->e.ops, "7 WRITE 8190, 7 WRITE ok");
	assert_int_equal(s->e.written, 8190);
	assert_int_equal(s->e.counter[SAMPLE_RPC_CUT], 0);
}

static void
a_small_write_has_its_data_in_it(void **state)
{
	struct scene *s = *state;

	header(s, 7, NO_CHUNKS);
	rpckit_write_call(s->m, 7, NULL, 600);
	send_it(s, C, 0);
	assert_string_equal(s->e.ops, "7 WRITE 600");
	assert_string_equal(s->e.text, "call 7, done 7");
}

/* A chunk may be told with or without padding (RFC 8166 sec. 3.4.5.2). */
static void
operations_behind_a_read_chunk_are_found(void **state)
{
	static const uint32_t chunk[] = { 8190, 8192 };
	struct scene *s = *state;
	uint32_t i;
	size_t at;

	for (i = 0; i < 2; i++) {
		header(s, 7 + i, (struct rdmakit_lists){
		    .position = V4_WRITE_AT, .read = chunk[i] });
		at = s->m->len;
		rpckit_compound_write_call(s->m, 7 + i, 8190);
		rdmakit_reduce(s->m, at + V4_WRITE_AT, 8192);
		send_it(s, C, 0);
	}
	assert_string_equal(s->e.ops, "7 COMPOUND, 7 PUTFH, 7 WRITE 8190, "
	    "7 GETATTR, 8 COMPOUND, 8 PUTFH, 8 WRITE 8190, 8 GETATTR");
	assert_int_equal(s->e.counter[SAMPLE_RPC_BAD_XDR], 0);
}

/* RFC 8881: stateid, offset, stable_how, data of len bytes that are not here */
static void
write_op(struct rpckit *m, uint32_t len)
{
	rpckit_u32(m, 38);
	rpckit_bytes(m, "stateid for 16 b", 16);
	rpckit_u64(m, 0);
	rpckit_u32(m, 2);
	rpckit_u32(m, len);
}

static void
compound(struct rpckit *m, uint32_t xid, uint32_t ops)
{
	rpckit_call(m, xid, 100003, 4, 1);
	rpckit_u32(m, 0);		/* no tag */
	rpckit_u32(m, 1);		/* minor version */
	rpckit_u32(m, ops);
}

/* Positions are those in the message as it was (RFC 8166 sec. 3.4.5). */
static void
each_of_several_read_chunks_has_its_place(void **state)
{
	/* the call's head, 12; WRITE to its data, 36 */
	const uint32_t first = RPCKIT_CALL_HEAD + 12 + 36;
	const uint32_t second = first + 5000 + 36;
	struct scene *s = *state;

	rpckit_u32(s->m, 7);
	rpckit_u32(s->m, 1);
	rpckit_u32(s->m, 32);
	rpckit_u32(s->m, 0);
	rpckit_u32(s->m, 1);
	rpckit_u32(s->m, first);
	rdmakit_segment(s->m, 4096);	/* two segments, one chunk */
	rpckit_u32(s->m, 1);
	rpckit_u32(s->m, first);
	rdmakit_segment(s->m, 904);
	rpckit_u32(s->m, 1);
	rpckit_u32(s->m, second);
	rdmakit_segment(s->m, 2001);
	rpckit_u32(s->m, 0);
	rpckit_u64(s->m, 0);		/* no write list, no reply chunk */
	compound(s->m, 7, 3);
	write_op(s->m, 5000);
	write_op(s->m, 2001);
	rpckit_u32(s->m, 10);		/* GETFH */
	send_it(s, C, 0);
	assert_string_equal(s->e.ops, "7 COMPOUND, 7 WRITE 5000, "
	    "7 WRITE 2001, 7 GETFH");
}

static void
read_call(struct scene *s, uint32_t xid, uint32_t len, int64_t t)
{
	header(s, xid, (struct rdmakit_lists){ .write = len });
	rpckit_read_call(s->m, xid, len);
	send_it(s, C, t);
}

static void
a_read_has_its_size_though_its_data_is_elsewhere(void **state)
{
	struct scene *s = *state;
	size_t at;

	read_call(s, 7, 65536, 0);
	header(s, 7, (struct rdmakit_lists){ .write = 65536 });
	at = s->m->len;
	rpckit_read_reply(s->m, 7, NULL, 65536);
	rdmakit_reduce(s->m, at + RPCKIT_READ_HEAD, 65536);
	send_it(s, S, MS);
	assert_string_equal(s->e.text, "call 7, done 7, reply 7, replied 7");
	assert_string_equal(s->e.ops, "7 READ 65536, 7 READ ok");
	assert_int_equal(s->e.read, 65536);
}

static void
read_compound(struct scene *s, uint32_t xid)
{
	header(s, xid, (struct rdmakit_lists){ .write = 4096 });
	compound(s->m, xid, 2);
	rpckit_u32(s->m, 25);		/* READ */
	rpckit_bytes(s->m, "stateid for 16 b", 16);
	rpckit_u64(s->m, 0);
	rpckit_u32(s->m, 4096);
	rpckit_u32(s->m, 10);		/* GETFH */
	send_it(s, C, 0);
}

/* Its results: READ with the length of its data, and the data if inlined. */
static void
read_compound_reply(struct scene *s, uint32_t xid, uint32_t len,
    const void *data, uint32_t written)
{
	header(s, xid, (struct rdmakit_lists){ .write = written });
	rpckit_reply(s->m, xid);
	rpckit_u64(s->m, 0);		/* NFS4_OK, no tag */
	rpckit_u32(s->m, 2);
	rpckit_u64(s->m, UINT64_C(25) << 32);	/* READ, NFS4_OK */
	rpckit_u32(s->m, 1);		/* end of file */
	if (data != NULL)
		rpckit_opaque(s->m, data, len);
	else
		rpckit_u32(s->m, len);
	rpckit_u64(s->m, UINT64_C(10) << 32);	/* GETFH, NFS4_OK */
	rpckit_opaque(s->m, "a handle", 8);
	send_it(s, S, MS);
}

static void
results_behind_a_write_chunk_are_found(void **state)
{
	struct scene *s = *state;

	read_compound(s, 7);
	read_compound_reply(s, 7, 1001, NULL, 1001);
	assert_string_equal(s->e.ops, "7 COMPOUND, 7 READ 4096, 7 GETFH, "
	    "7 COMPOUND ok, 7 READ ok, 7 GETFH ok");
	assert_int_equal(s->e.read, 1001);
}

/* Nothing was written: the data is where it always is. */
static void
a_write_chunk_that_was_not_used_moves_nothing(void **state)
{
	struct scene *s = *state;

	read_compound(s, 7);
	read_compound_reply(s, 7, 5, "hello", 0);
	assert_string_equal(s->e.ops, "7 COMPOUND, 7 READ 4096, 7 GETFH, "
	    "7 COMPOUND ok, 7 READ ok, 7 GETFH ok");
	assert_int_equal(s->e.read, 5);
	assert_int_equal(s->e.counter[SAMPLE_RPC_BAD_XDR], 0);
}

static void
the_data_of_a_read_is_part_of_its_reply(void **state)
{
	struct scene *s = *state;
	size_t at;

	getattr(s, 6, 0);
	getattr_reply(s, 6, 0);		/* the queue pair is known */
	read_call(s, 7, 8192, 0);
	rdmakit_packet(&s->r, S, RDMAKIT_WRITE_FIRST, 16, "abcd", 4, 3 * MS);
	rdmakit_packet(&s->r, S, RDMAKIT_WRITE_LAST, 0, "efgh", 4, 5 * MS);
	header(s, 7, (struct rdmakit_lists){ .write = 8192 });
	at = s->m->len;
	rpckit_read_reply(s->m, 7, NULL, 8192);
	rdmakit_reduce(s->m, at + RPCKIT_READ_HEAD, 8192);
	send_it(s, S, 9 * MS);
	assert_true(s->e.timed);
	assert_int_equal(s->e.request_ns, 0);
	assert_int_equal(s->e.server_ns, 3 * MS);
	assert_int_equal(s->e.reply_ns, 6 * MS);
}

static void
a_send_of_several_packets_is_one_message(void **state)
{
	struct scene *s = *state;

	s->r.mtu = 256;		/* sequence numbers wrap on the way */
	s->r.step_ns = MS;
	header(s, 7, NO_CHUNKS);
	rpckit_write_call(s->m, 7, NULL, 2000);
	send_it(s, C, 0);	/* 28 + 120 + 2000: nine packets */
	assert_string_equal(s->e.text, "call 7, done 7");
	assert_string_equal(s->e.ops, "7 WRITE 2000");
	header(s, 7, NO_CHUNKS);
	rpckit_write_reply(s->m, 7, 2000);
	send_it(s, S, 20 * MS);
	assert_int_equal(s->e.request_ns, 8 * MS);
	assert_int_equal(s->e.server_ns, 12 * MS);
	assert_int_equal(s->e.counter[SAMPLE_IP_INCOMPLETE], 0);
}

static void
immediate_data_and_invalidation_change_nothing(void **state)
{
	struct scene *s = *state;

	getattr(s, 7, 0);
	header(s, 7, NO_CHUNKS);
	rpckit_getattr_reply(s->m, 7);
	rdmakit_packet(&s->r, S, RDMAKIT_SEND_INVALIDATE, 4, s->m->data,
	    (uint32_t)s->m->len, MS);
	assert_string_equal(s->e.text, "call 7, done 7, reply 7, replied 7");
}

/* RFC 8167: the server calls back over the same connection. */
static void
the_server_may_call_back(void **state)
{
	struct scene *s = *state;

	getattr(s, 7, 0);
	header(s, 7, NO_CHUNKS);
	rpckit_cb_null_call(s->m, 7);
	send_it(s, S, 0);
	header(s, 7, NO_CHUNKS);
	rpckit_reply(s->m, 7);
	send_it(s, C, 0);
	assert_string_equal(s->e.text, "call 7, done 7, call 7, done 7, "
	    "reply 7, replied 7");
	getattr_reply(s, 7, 0);
	assert_int_equal(s->e.replied, 2);
	assert_int_equal(s->e.dir[SAMPLE_OUT].packets, 2);
}

/* RFC 8166 sec. 3.5.3. */
static void
a_call_that_lies_in_a_chunk_is_counted(void **state)
{
	struct scene *s = *state;

	getattr(s, 6, 0);
	header(s, 7, (struct rdmakit_lists){ .proc = 1, .read = 9000 });
	send_it(s, C, 0);
	assert_int_equal(s->e.counter[SAMPLE_RPC_CHUNKED], 1);
	getattr_reply(s, 7, 0);
	assert_string_equal(s->e.text, "call 6, done 6, unmatched 7");
}

static void
a_reply_that_lies_in_a_chunk_is_an_answer(void **state)
{
	struct scene *s = *state;

	header(s, 7, (struct rdmakit_lists){ .reply = 9000 });
	rpckit_getattr_call(s->m, 7);
	send_it(s, C, 0);
	header(s, 7, (struct rdmakit_lists){ .proc = 1, .reply = 4000 });
	send_it(s, S, 4 * MS);
	assert_string_equal(s->e.text, "call 7, done 7, reply 7, replied 7");
	assert_string_equal(s->e.ops, "7 GETATTR, 7 GETATTR ok cut");
	assert_int_equal(s->e.server_ns, 4 * MS);
	assert_int_equal(s->e.counter[SAMPLE_RPC_CHUNKED], 0);
}

#define CASE(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_call_and_its_reply_meet),
		CASE(packets_count_by_the_host_that_serves),
		CASE(a_write_has_its_size_though_its_data_is_elsewhere),
		CASE(a_small_write_has_its_data_in_it),
		CASE(operations_behind_a_read_chunk_are_found),
		CASE(each_of_several_read_chunks_has_its_place),
		CASE(a_read_has_its_size_though_its_data_is_elsewhere),
		CASE(results_behind_a_write_chunk_are_found),
		CASE(a_write_chunk_that_was_not_used_moves_nothing),
		CASE(the_data_of_a_read_is_part_of_its_reply),
		CASE(a_send_of_several_packets_is_one_message),
		CASE(immediate_data_and_invalidation_change_nothing),
		CASE(the_server_may_call_back),
		CASE(a_call_that_lies_in_a_chunk_is_counted),
		CASE(a_reply_that_lies_in_a_chunk_is_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

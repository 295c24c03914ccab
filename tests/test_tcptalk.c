/* SPDX-License-Identifier: ISC */
/*
 * test_tcptalk.c: TCP segments of a connection to RPC messages and their
 * times, with holes, resends and everything that a capture misses.
 */
#include "tcptalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "decoderkit.h"
#include "tcpstream.h"

/* A call or reply of which only some bytes are sent now. */
static void
part(struct decoderkit *k, int dir, size_t from, size_t len, int64_t time_ns)
{
	packetkit_send(k->p, k->d, dir, k->m->data + from, (uint32_t)len,
	    time_ns);
}

/* The record in k->m. */
static void
make_write(struct decoderkit *k, uint32_t xid, uint32_t len)
{
	rpckit_clear(k->m);
	RPCKIT_RECORD(k->m, rpckit_write_call(k->m, xid, NULL, len));
}

static struct decoderkit *
connected(void)
{
	struct decoderkit *k = decoderkit_new(NULL);

	packetkit_open(k->p, k->d, 0);
	return k;
}

static void
a_connection_from_its_start_is_in_step(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	SAY(k, CLIENT, 1 * MS, rpckit_getattr_call(k->m, 7));
	SAY(k, SERVER, 4 * MS, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	assert_int_equal(k->e.server_ns, 3 * MS);
	assert_int_equal(k->e.counter[SAMPLE_TCP_CONNECTIONS], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 3);
	assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 2);
	assert_string_equal(k->e.nets, "");
	decoderkit_free(k);
}

static void
however_messages_are_cut_into_segments_they_are_the_same(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 7, 100, 1448, 60000 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct decoderkit *k = connected();

		rpckit_clear(k->m);
		RPCKIT_RECORD(k->m, rpckit_write_call(k->m, 7, NULL, 3000));
		RPCKIT_RECORD(k->m, rpckit_getattr_call(k->m, 8));
		RPCKIT_RECORD(k->m, rpckit_getattr_call(k->m, 9));
		decoderkit_segments(k, CLIENT, sizes[i], 1);
		rpckit_clear(k->m);
		RPCKIT_RECORD(k->m, rpckit_getattr_reply(k->m, 9));
		RPCKIT_RECORD(k->m, rpckit_write_reply(k->m, 7, 3000));
		RPCKIT_RECORD(k->m, rpckit_getattr_reply(k->m, 8));
		decoderkit_segments(k, SERVER, sizes[i], 2);
		assert_string_equal(k->e.text, "call 7, done 7, call 8, "
		    "done 8, call 9, done 9, reply 9, replied 9, "
		    "reply 7, replied 7, reply 8, replied 8");
		assert_int_equal(k->e.written, 3000);
		decoderkit_free(k);
	}
}

/*
 * The three parts of an RPC (DESIGN sec. 2): a WRITE whose bytes come at 10,
 * 20 and 30 ms, its reply at 45 and 49 ms.
 */
static void
request_server_and_reply_times_are_exact(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	make_write(k, 7, 3000);
	part(k, CLIENT, 0, 2, 10 * MS);		/* half of the mark */
	part(k, CLIENT, 2, 1000, 20 * MS);
	part(k, CLIENT, 1002, k->m->len - 1002, 30 * MS);
	rpckit_clear(k->m);
	RPCKIT_RECORD(k->m, rpckit_write_reply(k->m, 7, 3000));
	part(k, SERVER, 0, 3, 45 * MS);
	part(k, SERVER, 3, k->m->len - 3, 49 * MS);
	assert_true(k->e.timed);
	assert_int_equal(k->e.request_ns, 20 * MS);
	assert_int_equal(k->e.server_ns, 15 * MS);
	assert_int_equal(k->e.reply_ns, 4 * MS);
	decoderkit_free(k);
}

/* Segments that come again, or late. */

static void
a_segment_that_comes_again_changes_no_rpc_count(void **state)
{
	struct decoderkit *k = connected();
	uint32_t seq = k->p->seq[CLIENT];

	(void)state;
	SAY(k, CLIENT, 1 * MS, rpckit_getattr_call(k->m, 7));
	k->p->seq[CLIENT] = seq;
	SAY(k, CLIENT, 201 * MS, rpckit_getattr_call(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7");
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_OUT_OF_ORDER], 0);
	assert_string_equal(k->e.nets, "resent in");
	seq = k->p->seq[SERVER];
	SAY(k, SERVER, 300 * MS, rpckit_getattr_reply(k->m, 7));
	k->p->seq[SERVER] = seq;
	SAY(k, SERVER, 500 * MS, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.replies, 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 2);
	assert_string_equal(k->e.nets, "resent in, resent out");
	decoderkit_free(k);
}

static void
every_packet_twice_leaves_the_tcp_figures_as_they_are(void **state)
{
	struct decoderkit *k = connected();
	uint32_t xid;
	int dir;

	(void)state;
	for (xid = 1; xid <= 10; xid++)
		for (dir = 0; dir < 2; dir++) {
			rpckit_clear(k->m);
			if (dir == CLIENT)
				RPCKIT_RECORD(k->m, rpckit_write_call(k->m,
				    xid, NULL, 500));
			else
				RPCKIT_RECORD(k->m, rpckit_write_reply(k->m,
				    xid, 500));
			part(k, dir, 0, k->m->len, xid * MS);
			packetkit_push(k->p, k->d, xid * MS + 3 * US);
		}
	assert_int_equal(k->e.calls, 10);
	assert_int_equal(k->e.replies, 10);
	assert_int_equal(k->e.resends + k->e.duplicates, 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 0);
	assert_int_equal(k->e.counter[SAMPLE_COPIES], 20);
	assert_string_equal(k->e.nets, "");
	decoderkit_free(k);
}

static void
swapped_neighbours_are_out_of_order_and_lose_nothing(void **state)
{
	struct decoderkit *k = connected();
	uint32_t seq = k->p->seq[CLIENT];
	size_t half;

	(void)state;
	make_write(k, 7, 1000);
	half = k->m->len / 2;
	k->p->seq[CLIENT] = seq + (uint32_t)half;
	part(k, CLIENT, half, k->m->len - half, 1 * MS);
	assert_string_equal(k->e.text, "");
	k->p->seq[CLIENT] = seq;
	part(k, CLIENT, 0, half, 1 * MS + 20 * US);
	assert_string_equal(k->e.text, "call 7, done 7");
	assert_int_equal(k->e.counter[SAMPLE_TCP_OUT_OF_ORDER], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 0);
	assert_string_equal(k->e.nets, "hole in, filled in");
	decoderkit_free(k);
}

static void
an_old_segment_that_comes_again_fills_no_hole(void **state)
{
	struct decoderkit *k = connected();
	uint32_t seq = k->p->seq[CLIENT];

	(void)state;
	SAY(k, CLIENT, 1 * MS, rpckit_getattr_call(k->m, 7));
	packetkit_lose(k->p, CLIENT, 200);
	SAY(k, CLIENT, 2 * MS, rpckit_getattr_call(k->m, 9));
	decoderkit_forget(k);
	k->p->seq[CLIENT] = seq;
	SAY(k, CLIENT, 3 * MS, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.counter[SAMPLE_TCP_OUT_OF_ORDER], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 1);
	assert_string_equal(k->e.nets, "resent in");
	decoderkit_free(k);
}

/*
 * A WRITE at 10 ms; its middle is missing, its end comes at 12 ms, and the
 * middle again at 230 ms: that is when the call is complete.
 */
static void
the_last_byte_of_a_call_is_the_one_that_fills_its_hole(void **state)
{
	struct decoderkit *k = connected();
	uint32_t seq = k->p->seq[CLIENT];

	(void)state;
	make_write(k, 7, 4000);
	part(k, CLIENT, 0, 1448, 10 * MS);
	packetkit_lose(k->p, CLIENT, 1448);
	part(k, CLIENT, 2896, k->m->len - 2896, 12 * MS);
	assert_string_equal(k->e.text, "call 7");
	assert_string_equal(k->e.nets, "hole in");
	k->p->seq[CLIENT] = seq + 1448;
	part(k, CLIENT, 1448, 1448, 230 * MS);
	k->p->seq[CLIENT] = seq + (uint32_t)k->m->len;
	assert_string_equal(k->e.text, "call 7, done 7");
	assert_string_equal(k->e.nets, "hole in, filled in");
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 0);
	SAY(k, SERVER, 240 * MS, rpckit_write_reply(k->m, 7, 4000));
	assert_int_equal(k->e.request_ns, 220 * MS);
	assert_int_equal(k->e.server_ns, 10 * MS);
	decoderkit_free(k);
}

/* The same hole, but the receiver has the bytes: the capture lost them. */
static void
a_hole_that_the_capture_made_takes_no_time(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	make_write(k, 7, 4000);
	part(k, CLIENT, 0, 1448, 10 * MS);
	packetkit_lose(k->p, CLIENT, 1448);
	part(k, CLIENT, 2896, k->m->len - 2896, 12 * MS);
	packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 13 * MS);
	packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 100 * MS);
	assert_string_equal(k->e.text, "call 7, done 7");
	assert_string_equal(k->e.nets, "hole in, filled in");
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 1448);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	SAY(k, SERVER, 212 * MS, rpckit_write_reply(k->m, 7, 4000));
	assert_int_equal(k->e.request_ns, 2 * MS);
	assert_int_equal(k->e.server_ns, 200 * MS);
	assert_int_equal(k->e.written, 4000);
	decoderkit_free(k);
}

static void
a_reply_says_that_its_call_is_complete(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	make_write(k, 7, 4000);
	part(k, CLIENT, 0, 1448, 10 * MS);
	packetkit_lose(k->p, CLIENT, 1448);
	part(k, CLIENT, 2896, k->m->len - 2896, 12 * MS);
	SAY(k, SERVER, 20 * MS, rpckit_write_reply(k->m, 7, 4000));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	assert_int_equal(k->e.request_ns, 2 * MS);
	assert_int_equal(k->e.server_ns, 8 * MS);
	decoderkit_free(k);
}

/* The hole is in a call that was given up: it says nothing of the new one. */
static void
a_hole_in_a_call_does_not_end_another_with_its_xid(void **state)
{
	struct decoderkit *k = connected();
	uint32_t seq = k->p->seq[CLIENT], next;

	(void)state;
	make_write(k, 7, 4000);
	part(k, CLIENT, 0, 1448, 10 * MS);
	packetkit_lose(k->p, CLIENT, 1448);
	part(k, CLIENT, 2896, k->m->len - 2896, 12 * MS);
	SAY(k, CLIENT, 20 * MS, rpckit_getattr_call(k->m, 7));
	make_write(k, 7, 4000);
	next = k->p->seq[CLIENT];
	k->p->seq[CLIENT] = seq + 1448;
	part(k, CLIENT, 1448, 1448, 30 * MS);
	k->p->seq[CLIENT] = next;
	assert_string_equal(k->e.text, "call 7, gone 7, call 7, done 7");
	SAY(k, SERVER, 35 * MS, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.request_ns, 10 * MS);
	assert_int_equal(k->e.server_ns, 5 * MS);
	decoderkit_free(k);
}

static void
a_call_behind_a_hole_is_found_when_its_reply_comes(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	packetkit_lose(k->p, CLIENT, 4 + RPCKIT_GETATTR_CALL);	/* 8 */
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 9));
	assert_string_equal(k->e.text, "call 7, done 7");
	SAY(k, SERVER, 4, rpckit_getattr_reply(k->m, 9));
	assert_string_equal(k->e.text, "call 7, done 7, call 9, done 9, "
	    "reply 9, replied 9");
	assert_int_equal(k->e.server_ns, 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES],
	    4 + RPCKIT_GETATTR_CALL);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_SKIPPED_BYTES], 0);
	SAY(k, CLIENT, 5, rpckit_getattr_call(k->m, 10));
	assert_int_equal(k->e.calls, 3);
	decoderkit_free(k);
}

static void
a_hole_is_given_up_when_time_passes_without_packets(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	make_write(k, 7, 4000);
	part(k, CLIENT, 0, 1448, 10 * MS);
	packetkit_lose(k->p, CLIENT, (uint32_t)k->m->len - 1448 + 50);
	SAY(k, CLIENT, 12 * MS, rpckit_getattr_call(k->m, 9));
	packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 13 * MS);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 0);
	decoder_advance(k->d, 13 * MS + TCPSTREAM_GRACE_NS);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 0);
	decoder_advance(k->d, 14 * MS + TCPSTREAM_GRACE_NS);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES],
	    4 + RPCKIT_WRITE_HEAD + 4000 - 1448 + 50);
	assert_string_equal(k->e.nets, "hole in, filled in");
	decoderkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_connection_from_its_start_is_in_step),
		CASE(however_messages_are_cut_into_segments_they_are_the_same),
		CASE(request_server_and_reply_times_are_exact),
		CASE(a_segment_that_comes_again_changes_no_rpc_count),
		CASE(every_packet_twice_leaves_the_tcp_figures_as_they_are),
		CASE(swapped_neighbours_are_out_of_order_and_lose_nothing),
		CASE(an_old_segment_that_comes_again_fills_no_hole),
		CASE(the_last_byte_of_a_call_is_the_one_that_fills_its_hole),
		CASE(a_hole_that_the_capture_made_takes_no_time),
		CASE(a_reply_says_that_its_call_is_complete),
		CASE(a_hole_in_a_call_does_not_end_another_with_its_xid),
		CASE(a_call_behind_a_hole_is_found_when_its_reply_comes),
		CASE(a_hole_is_given_up_when_time_passes_without_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_tcptalk_midway.c: connections met in the middle, on unknown ports, or
 * with leaps; and what else TCP does.
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
a_capture_that_begins_with_a_call_counts_that_call(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	assert_string_equal(k->e.text, "");
	SAY(k, SERVER, 2, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	assert_int_equal(k->e.server_ns, 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_CONNECTIONS], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_SKIPPED_BYTES], 0);
	decoderkit_free(k);
}

static void
a_last_call_without_a_reply_counts_when_the_capture_ends(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	SAY(k, CLIENT, 2, rpckit_getattr_call(k->m, 8));
	decoder_flush(k->d);
	assert_int_equal(k->e.calls, 2);
	assert_int_equal(k->e.counter[SAMPLE_TCP_SKIPPED_BYTES], 0);
	decoderkit_free(k);
}

static void
a_capture_that_begins_inside_a_write_finds_the_next_call(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	make_write(k, 7, 4000);
	part(k, CLIENT, 1000, k->m->len - 1000, 1);
	SAY(k, CLIENT, 2, rpckit_getattr_call(k->m, 8));
	SAY(k, SERVER, 3, rpckit_write_reply(k->m, 7, 4000));
	SAY(k, SERVER, 4, rpckit_getattr_reply(k->m, 8));
	SAY(k, CLIENT, 5, rpckit_getattr_call(k->m, 9));
	assert_int_equal(k->e.calls, 2);
	assert_int_equal(k->e.replies, 1);
	/* The rest of the WRITE, and the reply to it. */
	assert_int_equal(k->e.counter[SAMPLE_TCP_SKIPPED_BYTES],
	    4 + RPCKIT_WRITE_HEAD + 4000 - 1000 + 4 + RPCKIT_WRITE_REPLY);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	decoderkit_free(k);
}

static void
a_leap_in_the_capture_is_one_loss_of_footing(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	packetkit_lose(k->p, CLIENT, 100U << 20);
	packetkit_lose(k->p, SERVER, 100U << 20);
	SAY(k, CLIENT, 2, rpckit_getattr_call(k->m, 8));
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 1);
	SAY(k, SERVER, 3, rpckit_getattr_reply(k->m, 8));
	assert_int_equal(k->e.calls, 2);
	assert_int_equal(k->e.replies, 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 200U << 20);
	decoderkit_free(k);
}

/* Both directions wait behind holes, and each holds replies to the other. */
static void
two_stuck_directions_do_not_run_in_circles(void **state)
{
	struct decoderkit *k = connected();
	uint32_t xid;

	(void)state;
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 1));
	SAY(k, SERVER, 1, rpckit_cb_null_call(k->m, 1));
	packetkit_lose(k->p, CLIENT, 100);
	packetkit_lose(k->p, SERVER, 100);
	for (xid = 10; xid < 40; xid++) {
		SAY(k, SERVER, xid, rpckit_cb_null_call(k->m, xid));
		SAY(k, CLIENT, xid, rpckit_getattr_call(k->m, xid));
		SAY(k, SERVER, xid, rpckit_getattr_reply(k->m, xid));
		SAY(k, CLIENT, xid, rpckit_reply(k->m, xid));
	}
	decoder_flush(k->d);
	assert_true(k->e.calls >= 2 + 2 * 28);
	assert_true(k->e.replies >= 2 * 28);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 200);
	decoderkit_free(k);
}

static void
a_keepalive_is_no_data(void **state)
{
	struct decoderkit *k = connected();
	uint32_t seq;

	(void)state;
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	seq = k->p->seq[CLIENT];
	k->p->seq[CLIENT] = seq - 1;
	packetkit_send(k->p, k->d, CLIENT, "x", 1, 10 * SEC);
	SAY(k, CLIENT, 11 * SEC, rpckit_getattr_call(k->m, 8));
	assert_int_equal(k->e.calls, 2);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 0);
	assert_string_equal(k->e.nets, "");
	decoderkit_free(k);
}

static void
a_window_of_zero_shuts_the_other_direction_until_it_opens(void **state)
{
	struct decoderkit *k = connected();

	(void)state;
	make_write(k, 7, 4000);
	part(k, CLIENT, 0, 1448, 10 * MS);
	k->p->window[SERVER] = 0;
	packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 11 * MS);
	assert_string_equal(k->e.nets, "shut in");
	packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 12 * MS);
	assert_int_equal(k->e.counter[SAMPLE_TCP_ZERO_WINDOW], 2);
	assert_string_equal(k->e.nets, "shut in");
	k->p->window[SERVER] = 8192;
	packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 900 * MS);
	assert_string_equal(k->e.nets, "shut in, open in");
	decoderkit_free(k);
}

static void
connections_and_resets_of_others_are_not_counted(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	k->p->port[SERVER] = 80;
	packetkit_open(k->p, k->d, 0);
	packetkit_send(k->p, k->d, CLIENT, "GET / HTTP/1.1\r\n", 16, 1);
	packetkit_flags(k->p, k->d, SERVER, TCP_RST, 2);
	assert_int_equal(k->e.counter[SAMPLE_TCP_CONNECTIONS], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESETS], 0);
	k->p->port[SERVER] = 2049;
	packetkit_open(k->p, k->d, 3);
	packetkit_flags(k->p, k->d, SERVER, TCP_RST, 4);
	assert_int_equal(k->e.counter[SAMPLE_TCP_CONNECTIONS], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESETS], 1);
	decoderkit_free(k);
}

static void
rpc_on_an_unknown_port_is_known_by_its_calls(void **state)
{
	static const uint8_t page[1000] = "HTTP/1.1 200 OK";
	struct decoderkit *k = decoderkit_new(NULL);
	int i;

	(void)state;
	k->p->port[SERVER] = 12049;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	SAY(k, SERVER, 2, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	k->p->port[SERVER] = 8080;
	packetkit_open(k->p, k->d, 3);
	for (i = 0; i < 1000; i++)
		packetkit_send(k->p, k->d, SERVER, page, sizeof(page), 4 + i);
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_SKIPPED_BYTES], 0);
	assert_int_equal(k->e.counter[SAMPLE_RPC_NOT_RPC], 0);
	assert_int_equal(k->e.packet.dir, SAMPLE_OTHER);
	decoderkit_free(k);
}

/* The capture begins inside a 64 KiB WRITE, 30 segments before its end. */
static void
rpc_on_an_unknown_port_is_found_in_the_middle_too(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	int i;

	(void)state;
	k->p->port[SERVER] = 12049;
	make_write(k, 6, 30 * 1448);
	for (i = 0; i < 29; i++)
		part(k, CLIENT, 200 + (size_t)i * 1448, 1448, i);
	part(k, CLIENT, 200 + 29 * 1448, k->m->len - 200 - 29 * 1448, 40);
	SAY(k, SERVER, 41, rpckit_write_reply(k->m, 6, 30 * 1448));
	SAY(k, CLIENT, 42, rpckit_getattr_call(k->m, 7));
	SAY(k, SERVER, 43, rpckit_getattr_reply(k->m, 7));
	SAY(k, CLIENT, 44, rpckit_getattr_call(k->m, 8));
	SAY(k, SERVER, 45, rpckit_getattr_reply(k->m, 8));
	assert_int_equal(k->e.calls, 2);
	assert_int_equal(k->e.replies, 2);
	decoderkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_capture_that_begins_with_a_call_counts_that_call),
		CASE(a_last_call_without_a_reply_counts_when_the_capture_ends),
		CASE(a_capture_that_begins_inside_a_write_finds_the_next_call),
		CASE(a_leap_in_the_capture_is_one_loss_of_footing),
		CASE(two_stuck_directions_do_not_run_in_circles),
		CASE(a_keepalive_is_no_data),
		CASE(a_window_of_zero_shuts_the_other_direction_until_it_opens),
		CASE(connections_and_resets_of_others_are_not_counted),
		CASE(rpc_on_an_unknown_port_is_known_by_its_calls),
		CASE(rpc_on_an_unknown_port_is_found_in_the_middle_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

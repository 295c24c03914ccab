/* SPDX-License-Identifier: ISC */
/*
 * test_tcptalk_connections.c: connections that end, are made anew or live side
 * by side, and calls that are sent again over another one.
 */
#include "tcptalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "decoderkit.h"
#include "transport.h"

enum end { END_RST, END_FIN, END_SILENT };

static void
end_connection(struct decoderkit *k, enum end end, int64_t time_ns)
{
	if (end == END_RST)
		packetkit_flags(k->p, k->d, CLIENT, TCP_RST, time_ns);
	if (end == END_FIN) {
		packetkit_flags(k->p, k->d, CLIENT, TCP_FIN | TCP_ACK,
		    time_ns);
		packetkit_flags(k->p, k->d, SERVER, TCP_FIN | TCP_ACK,
		    time_ns);
	}
}

/* RFC 5531 sec. 11 and RFC 1813 sec. 4.8: a client keeps the XID. */
static void
a_call_sent_again_over_a_new_connection_is_a_resend(void **state)
{
	static const uint16_t ports[] = { 700, 701, 60000 };
	enum end end;
	unsigned int i;

	(void)state;
	for (end = END_RST; end <= END_SILENT; end++)
		for (i = 0; i < 3; i++) {
			struct decoderkit *k = decoderkit_new(NULL);

			packetkit_open(k->p, k->d, 0);
			SAY(k, CLIENT, 1 * SEC,
			    rpckit_write_call(k->m, 7, NULL, 512));
			end_connection(k, end, 5 * SEC);
			decoderkit_other_port(k, ports[i]);
			packetkit_open(k->p, k->d, 6 * SEC);
			SAY(k, CLIENT, 7 * SEC,
			    rpckit_write_call(k->m, 7, NULL, 512));
			SAY(k, SERVER, 8 * SEC,
			    rpckit_write_reply(k->m, 7, 512));
			assert_string_equal(k->e.text, "call 7, done 7, "
			    "resend 7, done 7, reply 7, replied 7");
			assert_string_equal(k->e.ops, "7 WRITE 512, "
			    "again 7 WRITE 512, 7 WRITE ok");
			assert_int_equal(k->e.written, 512);
			assert_true(k->e.timed);
			assert_int_equal(k->e.request_ns + k->e.server_ns +
			    k->e.reply_ns, 7 * SEC);
			assert_int_equal(k->e.outstanding, 0);
			assert_int_equal(k->e.counter[SAMPLE_TCP_CONNECTIONS],
			    2);
			decoder_advance(k->d, 100 * SEC);
			assert_int_equal(k->e.gone, 0);
			decoderkit_free(k);
		}
}

static void
a_call_whose_answer_got_lost_is_a_resend_too(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_write_call(k->m, 7, NULL, 512));
	SAY(k, SERVER, 2, rpckit_write_reply(k->m, 7, 512));
	end_connection(k, END_RST, 3);
	decoderkit_other_port(k, 701);
	packetkit_open(k->p, k->d, 4);
	SAY(k, CLIENT, 5, rpckit_write_call(k->m, 7, NULL, 512));
	SAY(k, SERVER, 6, rpckit_write_reply(k->m, 7, 512));
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.resends, 1);
	assert_int_equal(k->e.replies, 2);
	assert_int_equal(k->e.written, 512);
	assert_int_equal(k->e.outstanding, 0);
	assert_int_equal(k->e.open_calls, 0);
	decoderkit_free(k);
}

/* As over UDP: the second answer brings no bytes and has no latency. */
static void
a_second_answer_over_a_new_connection_is_a_duplicate(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_read_call(k->m, 7, 100));
	SAY(k, SERVER, 2, rpckit_read_reply(k->m, 7, NULL, 100));
	end_connection(k, END_RST, 3);
	decoderkit_other_port(k, 701);
	packetkit_open(k->p, k->d, 4);
	SAY(k, CLIENT, 5, rpckit_read_call(k->m, 7, 100));
	assert_int_equal(k->e.outstanding, 0);
	assert_int_equal(k->e.open_calls, 0);
	SAY(k, SERVER, 6, rpckit_read_reply(k->m, 7, NULL, 100));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7, "
	    "resend 7, dup 7, replied 7");
	assert_int_equal(k->e.duplicates, 1);
	assert_false(k->e.timed);
	assert_int_equal(k->e.read, 100);
	decoder_advance(k->d, 100 * SEC);
	assert_int_equal(k->e.gone, 0);
	decoderkit_free(k);
}

/* nconnect: each connection has its own XIDs. */
static void
the_same_xid_on_two_living_connections_is_two_calls(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t seq[2][2];
	int round;

	(void)state;
	packetkit_open(k->p, k->d, 0);
	seq[0][0] = k->p->seq[0];
	seq[0][1] = k->p->seq[1];
	decoderkit_other_port(k, 701);
	packetkit_open(k->p, k->d, 1 * MS);
	seq[1][0] = k->p->seq[0];
	seq[1][1] = k->p->seq[1];
	for (round = 0; round < 10; round++) {
		int c = round % 2;
		int64_t now = 10 * SEC + (round / 2) * 10 * SEC + c * MS;

		k->p->port[CLIENT] = (uint16_t)(700 + c);
		k->p->seq[0] = seq[c][0];
		k->p->seq[1] = seq[c][1];
		SAY(k, CLIENT, now, rpckit_getattr_call(k->m, 7 +
		    (uint32_t)round / 2));
		if (c == 1)
			SAY(k, SERVER, now + 10, rpckit_getattr_reply(k->m,
			    7 + (uint32_t)round / 2));
		seq[c][0] = k->p->seq[0];
		seq[c][1] = k->p->seq[1];
	}
	assert_int_equal(k->e.calls, 10);
	assert_int_equal(k->e.resends, 0);
	assert_int_equal(k->e.replies, 5);
	assert_int_equal(k->e.outstanding, 5);
	decoderkit_free(k);
}

/*
 * One of two connections is stuck: its call waits for seconds, and nothing
 * passes on it.  Yet it was alive after the other one had begun.
 */
static void
a_stalled_connection_beside_another_is_not_resent_over_it(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t client = k->p->seq[CLIENT], server = k->p->seq[SERVER];

	(void)state;
	packetkit_open(k->p, k->d, 0);
	decoderkit_other_port(k, 701);
	packetkit_open(k->p, k->d, 1 * MS);
	k->p->port[CLIENT] = 700;
	k->p->seq[CLIENT] = client;
	k->p->seq[SERVER] = server;
	SAY(k, CLIENT, 10 * SEC, rpckit_write_call(k->m, 7, NULL, 512));
	k->p->seq[CLIENT] = client;
	decoderkit_other_port(k, 701);
	SAY(k, CLIENT, 15 * SEC, rpckit_write_call(k->m, 7, NULL, 512));
	assert_int_equal(k->e.calls, 2);
	assert_int_equal(k->e.resends, 0);
	decoderkit_free(k);
}

static void
another_client_or_another_call_is_no_resend(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_write_call(k->m, 7, NULL, 512));
	end_connection(k, END_RST, 2);
	k->p->host[CLIENT] = 4;
	decoderkit_other_port(k, 701);
	packetkit_open(k->p, k->d, 3);
	SAY(k, CLIENT, 4, rpckit_write_call(k->m, 7, NULL, 512));
	k->p->host[CLIENT] = 3;
	decoderkit_other_port(k, 702);
	packetkit_open(k->p, k->d, 5);
	SAY(k, CLIENT, 6, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.calls, 3);
	assert_int_equal(k->e.resends, 0);
	decoderkit_free(k);
}

static void
an_xid_used_again_after_its_answer_is_another_call(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	SAY(k, SERVER, 2, rpckit_getattr_reply(k->m, 7));
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 7));
	SAY(k, SERVER, 4, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7, "
	    "call 7, done 7, reply 7, replied 7");
	decoderkit_free(k);
}

/* SYNs. */

static void
a_syn_that_comes_again_makes_no_new_connection(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	packetkit_open(k->p, k->d, 1 * SEC);
	SAY(k, CLIENT, 2 * SEC, rpckit_getattr_call(k->m, 7));
	SAY(k, SERVER, 2 * SEC, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.counter[SAMPLE_TCP_CONNECTIONS], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	assert_int_equal(k->e.replies, 1);
	decoderkit_free(k);
}

static void
a_syn_ack_alone_says_where_both_streams_begin(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	struct packetkit_tcp t = { .flags = TCP_SYN | TCP_ACK, .mss = 1460 };

	(void)state;
	t.seq = k->p->seq[SERVER] - 1;
	t.ack = k->p->seq[CLIENT];
	packetkit_tcp(k->p, SERVER, &t, NULL, 0);
	packetkit_push(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.calls, 1);	/* in step: no proof needed */
	decoderkit_free(k);
}

/*
 * The client comes back from the same port, as Linux does, with sequence
 * numbers ahead of or behind the old; the capture misses the SYN, or the SYN
 * ACK, or both, and the end of the old connection.
 */
static void
a_new_connection_between_the_same_ports_is_found(void **state)
{
	static const uint32_t leaps[] = { 0x10000000, 0x70000000, 0x90000000,
		0xf0000000 };
	unsigned int i, missed;

	(void)state;
	for (i = 0; i < 16; i++)
		for (missed = 0; missed < 4; missed++) {
			struct decoderkit *k = decoderkit_new(NULL);
			struct packetkit_tcp t = { .mss = 1460 };
			uint32_t xid;

			packetkit_open(k->p, k->d, 0);
			SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 1));
			SAY(k, SERVER, 2, rpckit_getattr_reply(k->m, 1));
			k->p->seq[CLIENT] += leaps[i % 4];
			k->p->seq[SERVER] += leaps[i / 4];
			t.flags = TCP_SYN;
			t.seq = k->p->seq[CLIENT] - 1;
			packetkit_tcp(k->p, CLIENT, &t, NULL, 0);
			if ((missed & 1) == 0)
				packetkit_push(k->p, k->d, 10 * SEC);
			t.flags = TCP_SYN | TCP_ACK;
			t.seq = k->p->seq[SERVER] - 1;
			t.ack = k->p->seq[CLIENT];
			packetkit_tcp(k->p, SERVER, &t, NULL, 0);
			if ((missed & 2) == 0)
				packetkit_push(k->p, k->d, 10 * SEC);
			for (xid = 10; xid < 20; xid++) {
				SAY(k, CLIENT, 11 * SEC + xid,
				    rpckit_getattr_call(k->m, xid));
				SAY(k, SERVER, 11 * SEC + xid,
				    rpckit_getattr_reply(k->m, xid));
			}
			assert_int_equal(k->e.calls, 11);
			assert_int_equal(k->e.replies, 11);
			/* With a SYN nothing is out of step. */
			if (missed != 3)
				assert_int_equal(
				    k->e.counter[SAMPLE_TCP_RESYNCS], 0);
			decoderkit_free(k);
		}
}

static void
what_waits_behind_a_hole_is_told_at_a_reset(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 6));
	packetkit_lose(k->p, CLIENT, 4 + RPCKIT_GETATTR_CALL);
	SAY(k, CLIENT, 2, rpckit_getattr_call(k->m, 8));
	SAY(k, CLIENT, 2, rpckit_getattr_call(k->m, 9));
	end_connection(k, END_RST, 3);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES],
	    4 + RPCKIT_GETATTR_CALL);
	assert_string_equal(k->e.nets, "hole in, filled in");
	decoderkit_free(k);
}

static void
no_window_stays_shut_when_the_connection_ends(void **state)
{
	enum end end;

	(void)state;
	for (end = END_RST; end <= END_SILENT; end++) {
		struct decoderkit *k = decoderkit_new(NULL);

		packetkit_open(k->p, k->d, 0);
		SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
		k->p->window[SERVER] = 0;
		packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 2);
		assert_string_equal(k->e.nets, "shut in");
		end_connection(k, end, 3);
		decoderkit_other_port(k, 700);	/* END_SILENT: a SYN tells */
		k->p->window[SERVER] = 65535;
		packetkit_open(k->p, k->d, 4);
		assert_string_equal(k->e.nets, "shut in, open in");
		decoderkit_free(k);
	}
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_call_sent_again_over_a_new_connection_is_a_resend),
		CASE(a_call_whose_answer_got_lost_is_a_resend_too),
		CASE(a_second_answer_over_a_new_connection_is_a_duplicate),
		CASE(the_same_xid_on_two_living_connections_is_two_calls),
		CASE(a_stalled_connection_beside_another_is_not_resent_over_it),
		CASE(another_client_or_another_call_is_no_resend),
		CASE(an_xid_used_again_after_its_answer_is_another_call),
		CASE(a_syn_that_comes_again_makes_no_new_connection),
		CASE(a_syn_ack_alone_says_where_both_streams_begin),
		CASE(a_new_connection_between_the_same_ports_is_found),
		CASE(what_waits_behind_a_hole_is_told_at_a_reset),
		CASE(no_window_stays_shut_when_the_connection_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_dialog.c: RPC messages to calls, replies and retransmissions (DESIGN
 * sec. 2), over UDP, where a message is a datagram.
 */
#include "dialog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "decoderkit.h"

static void
a_call_and_its_reply_are_matched_and_timed(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	struct addr client = packetkit_addr(k->p, CLIENT);
	struct addr server = packetkit_addr(k->p, SERVER);

	(void)state;
	SAY_UDP(k, CLIENT, 5 * MS, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.outstanding, 1);
	assert_int_equal(k->e.open_calls, 1);
	assert_int_equal(k->e.call.depth, 1);
	assert_true(k->e.call.has_uid);
	assert_int_equal(k->e.call.uid, RPCKIT_UID);
	SAY_UDP(k, SERVER, 9 * MS, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	assert_string_equal(k->e.ops, "7 GETATTR, 7 GETATTR ok");
	assert_true(k->e.timed);
	assert_int_equal(k->e.request_ns, 0);
	assert_int_equal(k->e.server_ns, 4 * MS);
	assert_int_equal(k->e.reply_ns, 0);
	assert_int_equal(k->e.outstanding, 0);
	assert_int_equal(k->e.open_calls, 0);
	assert_true(k->e.has_ends);
	assert_true(addr_equal(&k->e.client, &client));
	assert_true(addr_equal(&k->e.server, &server));
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 1);
	assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 1);
	decoderkit_free(k);
}

static void
writes_count_with_the_call_and_reads_with_the_reply(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_write_call(k->m, 7, NULL, 1000));
	assert_int_equal(k->e.written, 1000);
	assert_int_equal(k->e.call.kind, NFS_KIND_WRITE);
	SAY_UDP(k, CLIENT, 1, rpckit_read_call(k->m, 8, 512));
	assert_int_equal(k->e.read, 0);
	SAY_UDP(k, SERVER, 2, rpckit_read_reply(k->m, 8, NULL, 300));
	assert_int_equal(k->e.read, 300);
	assert_string_equal(k->e.ops, "7 WRITE 1000, 8 READ 512, 8 READ ok");
	decoderkit_free(k);
}

/* Resends. */

static void
the_same_call_again_is_a_resend_not_a_call(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_write_call(k->m, 7, NULL, 1000));
	SAY_UDP(k, CLIENT, 1 * SEC, rpckit_write_call(k->m, 7, NULL, 1000));
	SAY_UDP(k, CLIENT, 3 * SEC, rpckit_write_call(k->m, 7, NULL, 1000));
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.resends, 2);
	assert_int_equal(k->e.written, 1000);
	assert_string_equal(k->e.ops,
	    "7 WRITE 1000, again 7 WRITE 1000, again 7 WRITE 1000");
	assert_int_equal(k->e.outstanding, 1);
	assert_int_equal(k->e.call.transmissions, 3);
	assert_int_equal(k->e.counter[SAMPLE_COPIES], 0);
	SAY_UDP(k, SERVER, 3 * SEC + 200 * MS,
	    rpckit_write_reply(k->m, 7, 1000));
	/* From the first byte of the first to the answer. */
	assert_true(k->e.timed);
	assert_int_equal(k->e.request_ns + k->e.server_ns + k->e.reply_ns,
	    3 * SEC + 200 * MS);
	assert_int_equal(k->e.outstanding, 0);
	decoderkit_free(k);
}

static void
a_resend_after_the_answer_gets_a_duplicate_reply(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_read_call(k->m, 7, 100));
	SAY_UDP(k, SERVER, 10, rpckit_read_reply(k->m, 7, NULL, 100));
	SAY_UDP(k, CLIENT, 1 * SEC, rpckit_read_call(k->m, 7, 100));
	SAY_UDP(k, SERVER, 1 * SEC + 10,
	    rpckit_read_reply(k->m, 7, NULL, 100));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7, "
	    "resend 7, dup 7, replied 7");
	assert_false(k->e.timed);
	assert_int_equal(k->e.read, 100);
	assert_string_equal(k->e.ops, "7 READ 100, 7 READ ok, "
	    "again 7 READ 100, again 7 READ ok");
	assert_int_equal(k->e.outstanding, 0);
	assert_int_equal(k->e.open_calls, 0);
	decoderkit_free(k);
}

static void
a_call_again_within_microseconds_is_told_as_a_copy(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, CLIENT, 20 * US, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.counter[SAMPLE_COPIES], 1);
	SAY_UDP(k, CLIENT, 1 * SEC, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.counter[SAMPLE_COPIES], 1);
	decoderkit_free(k);
}

static void
an_xid_that_is_used_for_another_procedure_is_another_call(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, CLIENT, 10, rpckit_read_call(k->m, 7, 100));
	assert_string_equal(k->e.text,
	    "call 7, done 7, gone 7, call 7, done 7");
	assert_int_equal(k->e.resends, 0);
	assert_int_equal(k->e.outstanding, 1);
	assert_int_equal(k->e.open_calls, 1);
	decoderkit_free(k);
}

static void
the_same_xid_from_another_port_or_host_is_another_call(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	k->p->port[CLIENT] = 701;
	SAY_UDP(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.outstanding, 2);	/* one host, one pair */
	k->p->host[CLIENT] = 4;
	SAY_UDP(k, CLIENT, 2, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.outstanding, 1);
	assert_int_equal(k->e.open_calls, 3);
	assert_int_equal(k->e.call.depth, 3);
	assert_int_equal(k->e.calls, 3);
	assert_int_equal(k->e.resends, 0);
	/* Each is answered by a reply to its own port. */
	SAY_UDP(k, SERVER, 3, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.open_calls, 2);
	assert_int_equal(k->e.server_ns, 1);
	decoderkit_free(k);
}

/* Replies without a call, calls without a reply. */

static void
a_reply_to_no_known_call_is_unmatched(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, SERVER, 0, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "unmatched 7");
	assert_string_equal(k->e.ops, "");
	assert_int_equal(k->e.counter[SAMPLE_RPC_NOT_RPC], 0);
	/* Between ports that nothing speaks for, it may be anything. */
	k->p->port[SERVER] = 3000;
	SAY_UDP(k, SERVER, 0, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "unmatched 7");
	decoderkit_free(k);
}

static void
a_call_without_an_answer_is_given_up_after_a_minute(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, CLIENT, 1, rpckit_getattr_call(k->m, 8));
	decoder_advance(k->d, 59 * SEC);
	assert_int_equal(k->e.gone, 0);
	decoder_advance(k->d, 61 * SEC);
	assert_int_equal(k->e.gone, 2);
	assert_int_equal(k->e.counter[SAMPLE_RPC_UNANSWERED], 2);
	assert_int_equal(k->e.counter[SAMPLE_EVICTED_CALLS], 0);
	assert_int_equal(k->e.outstanding, 0);
	assert_int_equal(k->e.open_calls, 0);
	SAY_UDP(k, SERVER, 62 * SEC, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.unmatched, 1);
	decoderkit_free(k);
}

static void
with_room_for_four_calls_the_fifth_evicts_the_first(void **state)
{
	struct decoder_config config;
	struct decoderkit *k;
	uint32_t xid;

	(void)state;
	decoder_config_init(&config);
	config.max_calls = 4;
	k = decoderkit_new(&config);
	for (xid = 1; xid <= 5; xid++)
		SAY_UDP(k, CLIENT, xid, rpckit_getattr_call(k->m, xid));
	assert_int_equal(k->e.counter[SAMPLE_EVICTED_CALLS], 1);
	assert_int_equal(k->e.counter[SAMPLE_RPC_UNANSWERED], 0);
	assert_int_equal(k->e.gone, 1);
	assert_int_equal(k->e.outstanding, 4);
	assert_int_equal(k->e.open_calls, 4);
	SAY_UDP(k, SERVER, 10, rpckit_getattr_reply(k->m, 1));
	assert_int_equal(k->e.unmatched, 1);
	SAY_UDP(k, SERVER, 11, rpckit_getattr_reply(k->m, 2));
	assert_int_equal(k->e.replies, 1);
	decoderkit_free(k);
}

static void
a_call_that_rpc_itself_refuses_is_answered(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, SERVER, 5, rpckit_refused(k->m, 7, 1));
	SAY_UDP(k, CLIENT, 10, rpckit_read_call(k->m, 8, 1));
	SAY_UDP(k, SERVER, 17, rpckit_denied(k->m, 8));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7, "
	    "call 8, done 8, reply 8, replied 8");
	assert_string_equal(k->e.ops, "7 GETATTR, 7 GETATTR refused, "
	    "8 READ 1, 8 READ refused");
	assert_true(k->e.timed);
	assert_int_equal(k->e.server_ns, 7);
	assert_int_equal(k->e.outstanding, 0);
	decoderkit_free(k);
}

/* Datagrams in fragments: five of 1480 bytes and one of 1028 here. */

static void
write_of_8k(struct decoderkit *k, uint32_t xid)
{
	rpckit_clear(k->m);
	rpckit_write_call(k->m, xid, NULL, 8192);
	assert_int_equal((8 + k->m->len + 1479) / 1480, 6);
}

static void
send_write(struct decoderkit *k, uint32_t xid, int64_t time_ns, int lost)
{
	write_of_8k(k, xid);
	packetkit_send_fragments(k->p, k->d, CLIENT, k->m->data,
	    (uint32_t)k->m->len, time_ns, 100 * US, lost, false);
}

static void
a_fragmented_call_is_told_and_timed_when_it_is_whole(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	send_write(k, 7, 1 * SEC, -1);
	assert_string_equal(k->e.text, "call 7, done 7");
	assert_int_equal(k->e.written, 8192);
	SAY_UDP(k, SERVER, 1 * SEC + 3 * MS,
	    rpckit_write_reply(k->m, 7, 8192));
	assert_int_equal(k->e.request_ns, 500 * US);
	assert_int_equal(k->e.server_ns, 2500 * US);
	assert_int_equal(k->e.reply_ns, 0);
	/* A reply of 2004 bytes, in two. */
	SAY_UDP(k, CLIENT, 2 * SEC, rpckit_read_call(k->m, 8, 2000));
	rpckit_clear(k->m);
	rpckit_read_reply(k->m, 8, NULL, 2000);
	packetkit_send_fragments(k->p, k->d, SERVER, k->m->data,
	    (uint32_t)k->m->len, 2 * SEC + 1 * MS, 300 * US, -1, false);
	assert_int_equal(k->e.request_ns, 0);
	assert_int_equal(k->e.server_ns, 1 * MS);
	assert_int_equal(k->e.reply_ns, 300 * US);
	assert_int_equal(k->e.counter[SAMPLE_IP_FRAGMENTS], 8);
	decoderkit_free(k);
}

static void
a_call_whose_datagram_never_becomes_whole_is_none(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	int lost;

	(void)state;
	for (lost = 0; lost < 6; lost++)
		send_write(k, 7, lost * SEC, lost);
	assert_string_equal(k->e.text, "");
	assert_string_equal(k->e.ops, "");
	decoder_advance(k->d, 100 * SEC);
	assert_int_equal(k->e.counter[SAMPLE_IP_INCOMPLETE], 6);
	assert_int_equal(k->e.gone, 0);
	decoderkit_free(k);
}

static void
heads_seen_before_the_first_whole_call_are_resends(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	send_write(k, 7, 0, 3);			/* heads, never whole */
	send_write(k, 7, 1 * SEC, 4);
	send_write(k, 7, 3 * SEC, -1);
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.resends, 2);
	assert_int_equal(k->e.written, 8192);
	assert_string_equal(k->e.ops,
	    "7 WRITE 8192, again 7 WRITE 8192, again 7 WRITE 8192");
	/* They were seconds apart. */
	assert_int_equal(k->e.counter[SAMPLE_COPIES], 0);
	SAY_UDP(k, SERVER, 4 * SEC, rpckit_write_reply(k->m, 7, 8192));
	assert_true(k->e.timed);
	assert_int_equal(k->e.request_ns, 3 * SEC + 500 * US);
	assert_int_equal(k->e.server_ns, 1 * SEC - 500 * US);
	decoderkit_free(k);
}

static void
a_resend_that_never_becomes_whole_is_none(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	send_write(k, 7, 0, -1);
	send_write(k, 7, 1 * SEC, 2);
	assert_string_equal(k->e.text, "call 7, done 7");
	send_write(k, 7, 2 * SEC, -1);
	assert_int_equal(k->e.resends, 1);
	decoderkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_call_and_its_reply_are_matched_and_timed),
		CASE(writes_count_with_the_call_and_reads_with_the_reply),
		CASE(the_same_call_again_is_a_resend_not_a_call),
		CASE(a_resend_after_the_answer_gets_a_duplicate_reply),
		CASE(a_call_again_within_microseconds_is_told_as_a_copy),
		CASE(an_xid_that_is_used_for_another_procedure_is_another_call),
		CASE(the_same_xid_from_another_port_or_host_is_another_call),
		CASE(a_reply_to_no_known_call_is_unmatched),
		CASE(a_call_without_an_answer_is_given_up_after_a_minute),
		CASE(with_room_for_four_calls_the_fifth_evicts_the_first),
		CASE(a_call_that_rpc_itself_refuses_is_answered),
		CASE(a_fragmented_call_is_told_and_timed_when_it_is_whole),
		CASE(a_call_whose_datagram_never_becomes_whole_is_none),
		CASE(heads_seen_before_the_first_whole_call_are_resends),
		CASE(a_resend_that_never_becomes_whole_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_guess.c: calls and replies whose heads the snap length hides, in frames
 * that offload merged.
 */
#include "guess.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "decoderkit.h"

#define SIZE	4096U
#define FRAME	54U		/* Ethernet, IPv4, TCP without options */
#define SNAP	(FRAME + 4 + RPCKIT_WRITE_HEAD + 20)

/*
 * A connection on which one WRITE and its reply have been seen with their
 * heads: these are the usual ones.
 */
static struct decoderkit *
usual(void)
{
	struct decoderkit *k = decoderkit_new(NULL);

	packetkit_open(k->p, k->d, 0);
	k->p->snap = SNAP;
	SAY(k, CLIENT, 1 * MS, rpckit_write_call(k->m, 7, NULL, SIZE));
	SAY(k, SERVER, 2 * MS, rpckit_write_reply(k->m, 7, SIZE));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	decoderkit_forget(k);
	return k;
}

/* WRITEs of these XIDs in one frame: the head of the first is seen. */
static void
writes(struct decoderkit *k, uint32_t xid, uint32_t n, int64_t time_ns)
{
	rpckit_clear(k->m);
	while (n-- > 0) {
		RPCKIT_RECORD(k->m, rpckit_write_call(k->m, xid, NULL, SIZE));
		xid++;
	}
	packetkit_send(k->p, k->d, CLIENT, k->m->data, (uint32_t)k->m->len,
	    time_ns);
}

static void
replies(struct decoderkit *k, uint32_t xid, uint32_t n, int64_t time_ns)
{
	rpckit_clear(k->m);
	while (n-- > 0) {
		RPCKIT_RECORD(k->m, rpckit_write_reply(k->m, xid, SIZE));
		xid++;
	}
	packetkit_send(k->p, k->d, SERVER, k->m->data, (uint32_t)k->m->len,
	    time_ns);
}

static void
a_hidden_call_is_a_guess_until_a_reply_makes_it_a_call(void **state)
{
	struct decoderkit *k = usual();

	(void)state;
	writes(k, 8, 2, 10 * MS);
	assert_string_equal(k->e.text, "call 8, done 8, guess 0, guessed 0");
	assert_int_equal(k->e.written, SIZE);
	assert_int_equal(k->e.outstanding, 1);
	replies(k, 8, 1, 13 * MS);
	replies(k, 9, 1, 15 * MS);
	assert_string_equal(k->e.text, "call 8, done 8, guess 0, guessed 0, "
	    "reply 8, replied 8, call 9, done 9, reply 9, replied 9");
	assert_string_equal(k->e.ops, "8 WRITE 4096, 8 WRITE ok, "
	    "9 WRITE 4096, 9 WRITE ok");
	assert_int_equal(k->e.written, 2 * SIZE);
	assert_true(k->e.timed);
	assert_int_equal(k->e.server_ns, 5 * MS);
	assert_int_equal(k->e.outstanding, 0);
	assert_int_equal(k->e.open_calls, 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	decoderkit_free(k);
}

static void
guesses_are_taken_in_the_order_they_were_made(void **state)
{
	struct decoderkit *k = usual();
	uint32_t xid;

	(void)state;
	writes(k, 8, 2, 10 * MS);
	writes(k, 10, 2, 20 * MS);
	decoderkit_forget(k);
	for (xid = 8; xid < 12; xid++)
		replies(k, xid, 1, 30 * MS);
	assert_string_equal(k->e.text, "reply 8, replied 8, "
	    "call 9, done 9, reply 9, replied 9, reply 10, replied 10, "
	    "call 11, done 11, reply 11, replied 11");
	assert_int_equal(k->e.server_ns, 10 * MS);
	decoderkit_free(k);
}

/* Replies of 56 bytes, of which a frame shows the first two and a half. */
static void
a_hidden_reply_answers_the_oldest_guess(void **state)
{
	struct decoderkit *k = usual();

	(void)state;
	writes(k, 8, 4, 10 * MS);		/* 9, 10, 11 are hidden */
	replies(k, 8, 4, 14 * MS);
	/* The replies to 8 and 9 are seen; the next two are guessed. */
	assert_int_equal(k->e.calls, 4);
	assert_int_equal(k->e.replies, 4);
	assert_int_equal(k->e.replied, 4);
	assert_int_equal(k->e.written, 4 * SIZE);
	assert_int_equal(k->e.unmatched, 0);
	assert_int_equal(k->e.outstanding, 0);
	assert_true(k->e.timed);
	assert_int_equal(k->e.server_ns, 4 * MS);
	decoderkit_free(k);
}

static void
a_guess_that_was_wrong_is_taken_back_and_counts_nothing(void **state)
{
	struct decoderkit *k = usual();

	(void)state;
	/* Behind 8 comes a WRITE that is not the usual one. */
	rpckit_clear(k->m);
	RPCKIT_RECORD(k->m, rpckit_write_call(k->m, 8, NULL, SIZE));
	RPCKIT_RECORD(k->m, rpckit_write_call(k->m, 9, NULL, SIZE - 100));
	packetkit_send(k->p, k->d, CLIENT, k->m->data, (uint32_t)k->m->len,
	    10 * MS);
	assert_int_equal(k->e.guesses, 1);
	/* Of this, 100 bytes would be the guess's. */
	SAY(k, CLIENT, 11 * MS, rpckit_getattr_call(k->m, 10));
	assert_int_equal(k->e.wrong, 1);
	SAY(k, CLIENT, 12 * MS, rpckit_getattr_call(k->m, 11));
	replies(k, 9, 1, 20 * MS);
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.unmatched, 1);
	SAY(k, SERVER, 21 * MS, rpckit_getattr_reply(k->m, 11));
	assert_int_equal(k->e.calls, 3);
	assert_int_equal(k->e.written, SIZE);
	decoderkit_free(k);
}

static void
a_reply_of_another_length_answers_no_guess(void **state)
{
	struct decoderkit *k = usual();

	(void)state;
	writes(k, 8, 2, 10 * MS);
	SAY(k, SERVER, 13 * MS, rpckit_getattr_reply(k->m, 9));
	assert_int_equal(k->e.unmatched, 1);
	assert_int_equal(k->e.calls, 1);
	decoderkit_free(k);
}

static void
a_guess_that_nobody_answers_is_forgotten_without_a_word(void **state)
{
	struct decoderkit *k = usual();

	(void)state;
	writes(k, 8, 2, 10 * MS);
	replies(k, 8, 1, 11 * MS);
	decoder_advance(k->d, 100 * SEC);
	assert_int_equal(k->e.gone, 0);
	assert_int_equal(k->e.counter[SAMPLE_RPC_UNANSWERED], 0);
	replies(k, 9, 1, 101 * SEC);
	assert_int_equal(k->e.unmatched, 1);
	decoderkit_free(k);
}

static void
without_a_snap_length_nothing_is_guessed(void **state)
{
	struct decoderkit *k = usual();

	(void)state;
	k->p->snap = 0;
	writes(k, 8, 4, 10 * MS);
	packetkit_lose(k->p, CLIENT, 4 + RPCKIT_WRITE_HEAD + SIZE);
	writes(k, 20, 1, 20 * MS);
	packetkit_flags(k->p, k->d, SERVER, 0x10, 21 * MS);
	packetkit_flags(k->p, k->d, SERVER, 0x10, 100 * MS);
	assert_int_equal(k->e.guesses, 0);
	assert_int_equal(k->e.calls, 4);
	decoderkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_hidden_call_is_a_guess_until_a_reply_makes_it_a_call),
		CASE(guesses_are_taken_in_the_order_they_were_made),
		CASE(a_hidden_reply_answers_the_oldest_guess),
		CASE(a_guess_that_was_wrong_is_taken_back_and_counts_nothing),
		CASE(a_reply_of_another_length_answers_no_guess),
		CASE(a_guess_that_nobody_answers_is_forgotten_without_a_word),
		CASE(without_a_snap_length_nothing_is_guessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_likeness.c: what looks like RPC where nothing is known of it.
 */
#include "likeness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rpckit.h"
#include "testkit.h"

static enum rpc_guess
segment(struct bytes data, uint32_t wire_len)
{
	const struct segment g = { .payload = data, .payload_len = wire_len };

	return likeness_segment(&g);
}

static enum rpc_guess
whole(const struct rpckit *m)
{
	return segment(bytes_of(m->data, m->len), (uint32_t)m->len);
}

static void
a_record_that_begins_like_a_call_is_one(void **state)
{
	struct rpckit *m = rpckit_new();

	(void)state;
	RPCKIT_RECORD(m, rpckit_write_call(m, 7, NULL, 8192));
	assert_int_equal(whole(m), RPC_GUESS_CALL);
	/* The rest is in other segments. */
	assert_int_equal(segment(bytes_of(m->data, 1448), 1448),
	    RPC_GUESS_CALL);
	/* Without the mark it is none, but in a datagram. */
	assert_int_equal(segment(bytes_of(m->data + 4, 1000), 1000),
	    RPC_GUESS_NO);
	assert_int_equal(likeness_datagram(bytes_of(m->data + 4, 1000)),
	    RPC_GUESS_CALL);
	free(m);
}

static void
a_reply_must_fill_its_segment(void **state)
{
	struct rpckit *m = rpckit_new();

	(void)state;
	RPCKIT_RECORD(m, rpckit_write_reply(m, 7, 8192));
	assert_int_equal(whole(m), RPC_GUESS_REPLY);
	assert_int_equal(segment(bytes_of(m->data, m->len),
	    (uint32_t)m->len + 4), RPC_GUESS_NO);
	/* Cut by the snap length it still fills it. */
	assert_int_equal(segment(bytes_of(m->data, 40), (uint32_t)m->len),
	    RPC_GUESS_REPLY);
	m->data[0] = 0;		/* more fragments are to come */
	assert_int_equal(whole(m), RPC_GUESS_NO);
	assert_int_equal(likeness_datagram(bytes_of(m->data + 4,
	    m->len - 4)), RPC_GUESS_REPLY);
	free(m);
}

static void
a_record_of_impossible_length_is_none(void **state)
{
	/* marks of 20 bytes (no reply is shorter than 24), and of 2 GiB */
	static const uint8_t mark[][4] = { { 0x80, 0, 0, 20 },
	    { 0xff, 0xff, 0xff, 0xff } };
	struct rpckit *m = rpckit_new();
	int i, j;

	(void)state;
	RPCKIT_RECORD(m, rpckit_getattr_call(m, 7));
	for (i = 0; i < 2; i++) {
		for (j = 0; j < 4; j++)
			m->data[j] = mark[i][j];
		assert_int_equal(whole(m), RPC_GUESS_NO);
	}
	free(m);
}

static void
a_part_of_it(void *ctx, struct bytes part)
{
	const uint32_t *len = ctx;
	enum rpc_guess guess = segment(part, *len);

	/* The mark, and of a call six words, of a reply five. */
	assert_true(guess != RPC_GUESS_CALL || part.len >= 4 + 24);
	assert_true(guess != RPC_GUESS_REPLY || part.len >= 4 + 20);
	likeness_datagram(part);
}

static void
a_flipped_one(void *ctx, struct bytes flipped, size_t bit)
{
	const uint32_t *len = ctx;

	(void)bit;
	segment(flipped, *len);
	likeness_datagram(flipped);
}

static void
no_prefix_or_flipped_bit_leads_outside(void **state)
{
	struct rpckit *m = rpckit_new();
	uint32_t len;
	int reply;

	(void)state;
	for (reply = 0; reply < 2; reply++) {
		rpckit_clear(m);
		RPCKIT_RECORD(m, reply ? rpckit_getattr_reply(m, 7) :
		    rpckit_getattr_call(m, 7));
		len = (uint32_t)m->len;
		for_every_prefix(m->data, m->len, a_part_of_it, &len);
		for_every_bit_flip(m->data, m->len, a_flipped_one, &len);
	}
	free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_that_begins_like_a_call_is_one),
		cmocka_unit_test(a_reply_must_fill_its_segment),
		cmocka_unit_test(a_record_of_impossible_length_is_none),
		cmocka_unit_test(no_prefix_or_flipped_bit_leads_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_rpcrecord.c: a stream in step cut at its record marks.
 */
#include "rpcrecord.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "recordkit.h"
#include "rpckit.h"
#include "testkit.h"

/* Four calls: 7 WRITE of 101 bytes, 8 GETATTR, 9 COMPOUND, 10 NULL. */
static void
some_calls(struct rpckit *m)
{
	RPCKIT_RECORD(m, rpckit_write_call(m, 7, NULL, 101));
	RPCKIT_RECORD(m, rpckit_getattr_call(m, 8));
	RPCKIT_RECORD(m, rpckit_compound_write_call(m, 9, 50));
	RPCKIT_RECORD(m, rpckit_null_call(m, 10));
}
static const char some_calls_text[] =
    "call 7 3.7, WRITE 101, end 7, "
    "call 8 3.1, GETATTR, end 8, "
    "call 9 4.1, COMPOUND, PUTFH, WRITE 50, GETATTR, end 9, "
    "call 10 3.0, NULL, end 10";

/* The replies to a WRITE, a READ of 33 bytes and a GETATTR; one refusal. */
static void
some_replies(struct recordkit *k, struct rpckit *m)
{
	recordkit_know(k, 20, 7);
	recordkit_know(k, 21, 6);
	recordkit_know(k, 22, 1);
	RPCKIT_RECORD(m, rpckit_write_reply(m, 20, 8192));
	RPCKIT_RECORD(m, rpckit_read_reply(m, 21, NULL, 33));
	RPCKIT_RECORD(m, rpckit_denied(m, 99));
	RPCKIT_RECORD(m, rpckit_getattr_reply(m, 22));
}
static const char some_replies_text[] =
    "reply 20, WRITE 8192, end 20, "
    "reply 21, READ 33, end 21, "
    "reply 99, end 99, "
    "reply 22, GETATTR, end 22";

static void
messages_cut_in_two_at_any_byte_are_the_same(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t cut;
	int replies;

	(void)state;
	for (replies = 0; replies < 2; replies++) {
		rpckit_clear(m);
		for (cut = 0; cut <= m->len; cut++) {
			struct recordkit *k = recordkit_new(true);

			rpckit_clear(m);
			if (replies)
				some_replies(k, m);
			else
				some_calls(m);
			recordkit_data(k, m->data, cut);
			recordkit_data(k, m->data + cut, m->len - cut);
			assert_string_equal(k->text, replies ?
			    some_replies_text : some_calls_text);
			assert_int_equal(k->end.end, m->len);
			recordkit_free(k);
		}
	}
	free(m);
}

static void
messages_byte_by_byte_are_the_same_with_exact_times(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);
	size_t i, last;

	(void)state;
	some_calls(m);
	last = m->len - 4 - RPCKIT_CALL_HEAD;
	for (i = 0; i < m->len; i++) {
		k->now_ns = (int64_t)i;
		recordkit_data(k, m->data + i, 1);
	}
	assert_string_equal(k->text, some_calls_text);
	assert_int_equal(k->end.start, last);
	assert_int_equal(k->end.end, m->len);
	assert_int_equal(k->end.first_ns, last);
	assert_int_equal(k->end.last_ns, m->len - 1);
	recordkit_free(k);
	free(m);
}

static void
a_header_says_where_its_message_ends(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);

	(void)state;
	RPCKIT_RECORD(m, rpckit_write_call(m, 7, NULL, 8192));
	recordkit_data(k, m->data, 200);	/* head and some data */
	assert_string_equal(k->text, "call 7 3.7, WRITE 8192");
	assert_int_equal(k->head.start, 0);
	assert_int_equal(k->head.end, 4 + RPCKIT_WRITE_HEAD + 8192);
	recordkit_free(k);
	free(m);
}

/* Record fragments, RFC 5531 sec. 11. */

static void
a_message_in_several_fragments_is_one_message(void **state)
{
	static const size_t sizes[] = { 1, 3, 4, 37, 100, 200 };
	const char *want = "call 7 3.7, WRITE 101, end 7, "
	    "call 8 3.0, NULL, end 8";
	struct rpckit *m = rpckit_new();
	struct recordkit *k;
	size_t i, j;
	int empty_last;

	(void)state;
	for (i = 0; i < 6; i++)
		for (empty_last = 0; empty_last < 2; empty_last++) {
			rpckit_clear(m);
			rpckit_write_call(m, 7, NULL, 101);
			rpckit_fragments(m, 0, sizes[i], empty_last != 0);
			RPCKIT_RECORD(m, rpckit_null_call(m, 8));
			k = recordkit_new(true);
			recordkit_data(k, m->data, m->len);
			assert_string_equal(k->text, want);
			recordkit_free(k);
			k = recordkit_new(true);
			for (j = 0; j < m->len; j++)
				recordkit_data(k, m->data + j, 1);
			assert_string_equal(k->text, want);
			assert_int_equal(k->end.end, m->len);
			recordkit_free(k);
		}
	free(m);
}

static void
empty_fragments_before_and_inside_a_message_mean_nothing(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);
	size_t from;

	(void)state;
	rpckit_u32(m, 0);
	rpckit_u32(m, 0);
	from = m->len;
	rpckit_getattr_call(m, 7);
	rpckit_fragments(m, from, 40, true);
	recordkit_data(k, m->data, m->len);
	assert_string_equal(k->text, "call 7 3.1, GETATTR, end 7");
	recordkit_free(k);
	free(m);
}

static void
an_endless_run_of_empty_fragments_is_cut_off(void **state)
{
	static const uint8_t empty[4];
	struct recordkit *k = recordkit_new(true);
	unsigned int i;

	(void)state;
	for (i = 0; i < 200000 && k->lost == 0; i++)
		recordkit_data(k, empty, 4);
	assert_int_equal(k->lost, 1);
	assert_int_equal(i, 65537);
	recordkit_free(k);
}

static void
a_message_longer_than_any_is_cut_off(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);
	unsigned int i;

	(void)state;
	rpckit_u32(m, 0x80000000U | (RPCRECORD_MAX + 1));
	recordkit_data(k, m->data, 4);
	assert_string_equal(k->text, "lost");
	recordkit_free(k);

	k = recordkit_new(true);
	rpckit_clear(m);
	rpckit_write_call(m, 7, NULL, 101);
	rpckit_fragments(m, 0, 200, true);
	m->len -= 4;			/* the message is not over */
	recordkit_data(k, m->data, m->len);
	rpckit_clear(m);
	rpckit_u32(m, 1 << 20);
	for (i = 0; i < 31; i++) {	/* 31 MiB more are bearable */
		recordkit_data(k, m->data, 4);
		assert_int_equal(k->rec.phase, RPCRECORD_BODY);
		recordkit_cut(k, 1 << 20);
	}
	assert_int_equal(k->lost, 0);
	recordkit_data(k, m->data, 4);
	assert_int_equal(k->lost, 1);
	recordkit_free(k);
	free(m);
}

static void
a_record_shorter_than_any_message_is_none(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);

	(void)state;
	rpckit_u32(m, 0x80000000U | 16);
	recordkit_data(k, m->data, 4);
	assert_string_equal(k->text, "lost");
	recordkit_free(k);
	/* The shortest of all: MSG_DENIED with AUTH_ERROR has 20 bytes. */
	k = recordkit_new(true);
	rpckit_clear(m);
	RPCKIT_RECORD(m, rpckit_denied(m, 5));
	assert_int_equal(m->len, 24);
	recordkit_data(k, m->data, m->len);
	assert_string_equal(k->text, "reply 5, end 5");
	recordkit_free(k);
	free(m);
}

static void
a_fragment_that_cannot_be_cuts_the_operation_under_way(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);

	(void)state;
	rpckit_write_call(m, 7, NULL, 101);
	rpckit_fragments(m, 0, RPCKIT_CALL_HEAD + 10, false);
	m->len = 4 + RPCKIT_CALL_HEAD + 10;
	rpckit_u32(m, 0x7fffffff);
	recordkit_data(k, m->data, m->len);
	assert_string_equal(k->text, "call 7 3.7, WRITE cut, lost");
	recordkit_free(k);
	free(m);
}

static void
bytes_that_are_no_rpc_lose_the_step(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);
	size_t i;

	(void)state;
	rpckit_u32(m, 0x80000000U | 100);
	for (i = 0; i < 25; i++)
		rpckit_u32(m, 0x41414141);
	recordkit_data(k, m->data, m->len);
	assert_string_equal(k->text, "lost");
	recordkit_free(k);
	free(m);
}

/* Bytes that are not seen. */

static void
lost_file_data_costs_nothing(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t from, len;

	(void)state;
	some_calls(m);
	/* 101 bytes of data and 3 of padding, then the next mark. */
	for (from = 4 + RPCKIT_WRITE_HEAD; from < 4 + RPCKIT_WRITE_HEAD + 104;
	    from++)
		for (len = 1; from + len <= 4 + RPCKIT_WRITE_HEAD + 104;
		    len += 7) {
			struct recordkit *k = recordkit_new(true);

			recordkit_data(k, m->data, from);
			assert_int_equal(rpcrecord_indifferent(&k->rec),
			    4 + RPCKIT_WRITE_HEAD + 104 - from);
			if (len % 2 == 0)
				recordkit_lose(k, len);
			else
				recordkit_cut(k, len);
			recordkit_data(k, m->data + from + len,
			    m->len - from - len);
			assert_string_equal(k->text, some_calls_text);
			recordkit_free(k);
		}
	free(m);
}

static void
a_head_that_is_partly_lost_is_told_as_cut(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);

	(void)state;
	some_calls(m);
	/* The count of the WRITE and what follows, to its last byte. */
	recordkit_data(k, m->data, 4 + RPCKIT_CALL_HEAD + 32 + 8);
	recordkit_lose(k, 12 + 104);
	recordkit_data(k, m->data + k->off, m->len - k->off);
	assert_memory_equal(k->text, "call 7 3.7, WRITE cut, end 7, ", 30);
	assert_int_equal(k->lost, 0);
	assert_int_equal(k->ends, 4);
	recordkit_free(k);
	free(m);
}

static void
a_record_whose_header_is_lost_is_passed_over(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);

	(void)state;
	some_calls(m);
	recordkit_data(k, m->data, 4 + 20);
	recordkit_lose(k, 10);
	recordkit_data(k, m->data + k->off, m->len - k->off);
	assert_string_equal(k->text, some_calls_text +
	    sizeof("call 7 3.7, WRITE 101, end 7, ") - 1);
	assert_int_equal(k->lost, 0);
	recordkit_free(k);
	free(m);
}

static void
a_lost_mark_loses_the_step(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t mark = 4 + RPCKIT_WRITE_HEAD + 104, from, to;

	(void)state;
	some_calls(m);
	for (from = mark - 5; from < mark + 4; from++)
		for (to = (from > mark ? from : mark) + 1; to <= mark + 8;
		    to++) {
			struct recordkit *k = recordkit_new(true);

			recordkit_data(k, m->data, from);
			recordkit_lose(k, to - from);
			recordkit_data(k, m->data + to, m->len - to);
			assert_string_equal(k->text,
			    "call 7 3.7, WRITE 101, end 7, lost");
			/* The call after next can be proved, and is told. */
			assert_true(recordkit_prove(k, 9));
			assert_string_equal(k->text,
			    "call 7 3.7, WRITE 101, end 7, lost, "
			    "call 9 4.1, COMPOUND, PUTFH, WRITE 50, GETATTR, "
			    "end 9, call 10 3.0, NULL, end 10");
			assert_int_equal(k->rec.phase, RPCRECORD_MARK);
			assert_int_equal(k->passed_over,
			    mark + 4 + RPCKIT_GETATTR_CALL - to);
			recordkit_free(k);
		}
	free(m);
}

static void
how_much_makes_no_difference_is_known_at_every_byte(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);
	size_t i;

	(void)state;
	RPCKIT_RECORD(m, rpckit_write_call(m, 7, NULL, 101));
	for (i = 0; i < 4 + RPCKIT_WRITE_HEAD; i++) {
		uint32_t n = rpcrecord_indifferent(&k->rec);

		/* In the head: parts that nobody reads.  The length of the
		 * data, its last word, has been told by the count before. */
		assert_true(i + n <= 4 + RPCKIT_WRITE_HEAD ||
		    (i >= RPCKIT_WRITE_HEAD && i + n == m->len));
		assert_true(i >= 4 || n == 0);
		recordkit_data(k, m->data + i, 1);
	}
	for (; i < m->len; i++) {
		assert_int_equal(rpcrecord_indifferent(&k->rec), m->len - i);
		recordkit_data(k, m->data + i, 1);
	}
	assert_int_equal(rpcrecord_indifferent(&k->rec), 0);
	rpcrecord_deafen(&k->rec);
	assert_int_equal(rpcrecord_indifferent(&k->rec), UINT32_MAX);
	recordkit_free(k);
	free(m);
}

static void
the_deaf_take_everything_and_tell_nothing(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);

	(void)state;
	some_calls(m);
	recordkit_data(k, m->data, 200);
	k->text[0] = '\0';
	rpcrecord_deafen(&k->rec);
	recordkit_data(k, m->data + 200, m->len - 200);
	recordkit_lose(k, 1000);
	recordkit_data(k, m->data, m->len);
	recordkit_flush(k);
	assert_false(recordkit_prove(k, 8));
	assert_string_equal(k->text, "");
	recordkit_free(k);
	free(m);
}

/* Anything may come, in pieces: it comes to an end. */
static void
feed_in_pieces(void *ctx, struct bytes b, size_t bit)
{
	uint64_t chance = bit;
	struct recordkit *k = recordkit_new(true);

	(void)ctx;
	k->alone = bit % 2 == 0;
	k->usual = bit % 3 == 0 ? RPCKIT_WRITE_HEAD + 104 : 0;
	recordkit_know(k, 20, 7);
	while (b.len > 0) {
		size_t n = 1 + testkit_below(&chance, 150);
		struct bytes part;

		if (n > b.len)
			n = b.len;
		bytes_take(&b, n, &part);
		if (testkit_below(&chance, 8) != 0)
			recordkit_data(k, part.data, part.len);
		else if (testkit_below(&chance, 2) != 0)
			recordkit_lose(k, part.len);
		else
			recordkit_cut(k, part.len);
		if (testkit_below(&chance, 8) == 0)
			recordkit_prove(k, 7 + testkit_below(&chance, 4));
	}
	recordkit_flush(k);
	recordkit_free(k);
}

static void
with_any_bit_flipped_the_walk_comes_to_an_end(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(true);

	(void)state;
	some_calls(m);
	some_replies(k, m);
	for_every_bit_flip(m->data, m->len, feed_in_pieces, NULL);
	recordkit_free(k);
	free(m);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(messages_cut_in_two_at_any_byte_are_the_same),
		CASE(messages_byte_by_byte_are_the_same_with_exact_times),
		CASE(a_header_says_where_its_message_ends),
		CASE(a_message_in_several_fragments_is_one_message),
		CASE(empty_fragments_before_and_inside_a_message_mean_nothing),
		CASE(an_endless_run_of_empty_fragments_is_cut_off),
		CASE(a_message_longer_than_any_is_cut_off),
		CASE(a_record_shorter_than_any_message_is_none),
		CASE(a_fragment_that_cannot_be_cuts_the_operation_under_way),
		CASE(bytes_that_are_no_rpc_lose_the_step),
		CASE(lost_file_data_costs_nothing),
		CASE(a_head_that_is_partly_lost_is_told_as_cut),
		CASE(a_record_whose_header_is_lost_is_passed_over),
		CASE(a_lost_mark_loses_the_step),
		CASE(how_much_makes_no_difference_is_known_at_every_byte),
		CASE(the_deaf_take_everything_and_tell_nothing),
		CASE(with_any_bit_flipped_the_walk_comes_to_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

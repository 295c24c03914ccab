/* SPDX-License-Identifier: ISC */
/*
 * test_rpcrecord_guess.c: records whose heads the snap length hides, in
 * streams that have usual records.
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

/* Usual records: WRITEs of 4096 bytes. */
#define USUAL		(RPCKIT_WRITE_HEAD + 4096)
#define RECORD		(4 + USUAL)

static struct recordkit *
usual_stream(struct rpckit *m)
{
	struct recordkit *k = recordkit_new(true);

	k->usual = USUAL;
	rpckit_clear(m);
	RPCKIT_RECORD(m, rpckit_write_call(m, 7, NULL, 4096));
	RPCKIT_RECORD(m, rpckit_write_call(m, 8, NULL, 4096));
	RPCKIT_RECORD(m, rpckit_write_call(m, 9, NULL, 4096));
	RPCKIT_RECORD(m, rpckit_getattr_call(m, 10));
	recordkit_data(k, m->data, 200);
	k->text[0] = '\0';
	return k;
}

static void
go_on_to(struct recordkit *k, const struct rpckit *m, size_t to)
{
	recordkit_data(k, m->data + k->off, to - k->off);
}

static void
a_hidden_record_is_taken_for_a_usual_one_and_told_apart(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	recordkit_cut(k, RECORD - 200);		/* the rest of the first */
	assert_string_equal(k->text, "end 7");
	k->now_ns = 50;
	recordkit_cut(k, 1448);			/* the second's first frame */
	assert_string_equal(k->text, "end 7, guess");
	assert_int_equal(k->guess.start, RECORD);
	assert_int_equal(k->guess.end, 2 * RECORD);
	assert_int_equal(k->guess.first_ns, 50);
	/* It may be none: what can be seen of it is wanted. */
	assert_int_equal(rpcrecord_indifferent(&k->rec), 0);
	k->now_ns = 90;
	recordkit_cut(k, RECORD - 1448);
	assert_string_equal(k->text, "end 7, guess, guessed");
	assert_int_equal(k->guess.first_ns, 50);
	assert_int_equal(k->guess.last_ns, 90);
	/* The next mark is seen where it should be: nothing was wrong. */
	go_on_to(k, m, m->len);
	assert_string_equal(k->text, "end 7, guess, guessed, call 9 3.7, "
	    "WRITE 4096, end 9, call 10 3.1, GETATTR, end 10");
	assert_int_equal(k->lost, 0);
	recordkit_free(k);
	free(m);
}

static void
several_hidden_records_in_one_cut_are_as_many_guesses(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	recordkit_cut(k, 3 * RECORD - 200);
	assert_string_equal(k->text,
	    "end 7, guess, guessed, guess, guessed");
	assert_int_equal(k->guess.start, 2 * RECORD);
	go_on_to(k, m, m->len);
	assert_string_equal(k->text, "end 7, guess, guessed, guess, guessed, "
	    "call 10 3.1, GETATTR, end 10");
	recordkit_free(k);
	free(m);
}

static void
a_mark_of_which_a_part_is_seen_begins_the_guess(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t seen;

	(void)state;
	for (seen = 1; seen < 4; seen++) {
		struct recordkit *k = usual_stream(m);

		recordkit_cut(k, RECORD - 200);
		k->now_ns = 20;
		go_on_to(k, m, RECORD + seen);
		k->now_ns = 30;
		recordkit_cut(k, RECORD - seen);
		assert_string_equal(k->text, "end 7, guess, guessed");
		assert_int_equal(k->guess.start, RECORD);
		assert_int_equal(k->guess.end, 2 * RECORD);
		assert_int_equal(k->guess.first_ns, 20);
		go_on_to(k, m, m->len);
		assert_int_equal(k->headers, 3);
		assert_int_equal(k->lost, 0);
		recordkit_free(k);
	}
	free(m);
}

static void
a_header_that_is_partly_hidden_is_guessed_by_its_mark(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	recordkit_cut(k, RECORD - 200);
	go_on_to(k, m, RECORD + 4 + 10);	/* the mark, half a header */
	recordkit_cut(k, RECORD - 14);
	assert_string_equal(k->text, "end 7, guess, guessed");
	recordkit_free(k);

	/* Of another length it is none of the usual; its end is known. */
	k = usual_stream(m);
	k->usual = USUAL + 4;
	recordkit_cut(k, RECORD - 200);
	go_on_to(k, m, RECORD + 4 + 10);
	recordkit_cut(k, RECORD - 14);
	assert_string_equal(k->text, "end 7");
	go_on_to(k, m, m->len);
	assert_string_equal(k->text, "end 7, call 9 3.7, WRITE 4096, end 9, "
	    "call 10 3.1, GETATTR, end 10");
	recordkit_free(k);
	free(m);
}

static void
no_mark_where_one_should_be_ends_the_guesses(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	k->usual = USUAL - 100;		/* the hidden one is longer */
	recordkit_cut(k, 2 * RECORD - 200 - 100);
	go_on_to(k, m, m->len);
	assert_string_equal(k->text, "end 7, guess, guessed, wrong, lost");
	assert_int_equal(k->rec.phase, RPCRECORD_HUNT);
	assert_true(recordkit_prove(k, 10));
	recordkit_free(k);
	free(m);
}

static void
a_mark_that_is_seen_confirms_what_was_guessed_before(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	recordkit_cut(k, 2 * RECORD - 200);
	go_on_to(k, m, 2 * RECORD + 200);
	k->text[0] = '\0';
	recordkit_cut(k, RECORD - 200);
	/* Losing step later says nothing about those guesses. */
	recordkit_lose(k, 50);
	assert_string_equal(k->text, "end 9, lost");
	recordkit_free(k);
	free(m);
}

static void
what_is_lost_is_never_guessed(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	recordkit_cut(k, RECORD - 200);
	recordkit_lose(k, RECORD);
	assert_string_equal(k->text, "end 7, lost");
	recordkit_free(k);
	free(m);
}

static void
without_usual_records_a_hidden_mark_loses_the_step(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	k->usual = 0;
	recordkit_cut(k, RECORD - 200);
	recordkit_cut(k, 100);
	assert_string_equal(k->text, "end 7, lost");
	recordkit_free(k);
	free(m);
}

static void
a_loss_inside_a_guessed_record_costs_nothing(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = usual_stream(m);

	(void)state;
	recordkit_cut(k, RECORD - 200 + 1000);
	recordkit_lose(k, 2000);
	recordkit_cut(k, RECORD - 3000);
	assert_string_equal(k->text, "end 7, guess, guessed");
	go_on_to(k, m, m->len);
	assert_int_equal(k->lost, 0);
	recordkit_free(k);
	free(m);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_hidden_record_is_taken_for_a_usual_one_and_told_apart),
		CASE(several_hidden_records_in_one_cut_are_as_many_guesses),
		CASE(a_mark_of_which_a_part_is_seen_begins_the_guess),
		CASE(a_header_that_is_partly_hidden_is_guessed_by_its_mark),
		CASE(no_mark_where_one_should_be_ends_the_guesses),
		CASE(a_mark_that_is_seen_confirms_what_was_guessed_before),
		CASE(what_is_lost_is_never_guessed),
		CASE(without_usual_records_a_hidden_mark_loses_the_step),
		CASE(a_loss_inside_a_guessed_record_costs_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_tcpstream.c: segments in every order to bytes and gaps.
 */
#include "tcpstream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet.h"
#include "streamkit.h"
#include "testkit.h"

/* Segments of a text in any order. */

static void
segments_in_order_pass_at_once(void **state)
{
	struct streamkit *k = streamkit_new(1000);

	(void)state;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 100, 1);
	streamkit_push(k, 101, 300);
	assert_int_equal(k->pos, 401);
	assert_int_equal(k->data, 401);
	assert_int_equal(k->r.fresh, 401);
	assert_int_equal(k->r.again + k->r.filled, 0);
	assert_false(tcpstream_troubled(&k->s));
	assert_int_equal(tcpstream_settled(&k->s), 401);
	streamkit_free(k);
}

static void
two_neighbours_that_are_swapped_lose_nothing(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 200, 100);
	assert_int_equal(k->pos, 100);
	assert_true(k->r.hole);
	assert_true(k->s.stuck);
	assert_int_equal(tcpstream_settled(&k->s), 100);
	streamkit_push(k, 100, 100);
	assert_int_equal(k->data, 300);
	assert_true(k->r.whole);
	assert_false(tcpstream_troubled(&k->s));
	assert_int_equal(k->r.fresh, 200);
	assert_int_equal(k->r.filled, 100);
	assert_int_equal(k->r.lost, 0);
	assert_int_equal(k->hold.used, 0);
	streamkit_free(k);
}

static void
a_segment_that_comes_again_is_not_passed_again(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 0, 100);
	assert_int_equal(k->r.again, 100);
	streamkit_push(k, 50, 100);	/* half of it is new */
	assert_int_equal(k->r.again, 150);
	assert_int_equal(k->r.fresh, 150);
	streamkit_push(k, 300, 100);
	streamkit_push(k, 300, 100);	/* while it is held, too */
	streamkit_push(k, 350, 100);
	assert_int_equal(k->r.again, 300);
	assert_int_equal(k->r.fresh, 300);
	assert_int_equal(k->r.filled, 0);
	streamkit_push(k, 20, 30);	/* an old one fills no hole */
	assert_int_equal(k->r.again, 330);
	assert_int_equal(k->r.filled, 0);
	streamkit_push(k, 150, 300);	/* the hole, and what is held */
	assert_int_equal(k->r.filled, 150);
	assert_int_equal(k->r.again, 330 + 150);
	assert_int_equal(k->r.fresh, 300);
	assert_int_equal(k->data, 450);
	streamkit_free(k);
}

static void
how_long_a_hole_was_open_is_told_when_it_is_filled(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	k->now_ns = 1000;
	streamkit_push(k, 0, 10);
	streamkit_push(k, 20, 10);
	k->now_ns = 4000;
	streamkit_push(k, 40, 10);	/* a second hole opens */
	k->now_ns = 6000;
	streamkit_push(k, 10, 10);
	assert_int_equal(k->r.filled_after_ns, 5000);
	assert_true(k->s.stuck);
	assert_false(k->r.whole);
	k->now_ns = 9000;
	streamkit_push(k, 30, 10);
	assert_int_equal(k->r.filled_after_ns, 5000);
	assert_true(k->r.whole);
	/* Held bytes keep the time at which they came. */
	assert_int_equal(k->time_of[25], 1000);
	assert_int_equal(k->time_of[45], 4000);
	assert_int_equal(k->time_of[35], 9000);
	streamkit_free(k);
}

/* Sequence numbers. */

static void
a_stream_may_start_anywhere_and_at_sequence_zero(void **state)
{
	static const uint32_t starts[] = { 0, 1, 0x7fffffff, 0x80000000,
		0xffffffff };
	uint32_t i;

	(void)state;
	for (i = 0; i < 5; i++) {
		struct streamkit *k = streamkit_new(starts[i]);

		assert_false(k->s.started);
		streamkit_push(k, 0, 10);
		assert_true(k->s.started);
		streamkit_push(k, 20, 10);
		streamkit_push(k, 10, 10);
		assert_int_equal(k->data, 30);
		assert_int_equal(tcpstream_offset(&k->s, starts[i] + 17), 17);
		streamkit_free(k);
	}
}

static void
sequence_numbers_wrap_and_offsets_do_not(void **state)
{
	struct streamkit *k = streamkit_new(0xffffff00);
	uint32_t off;

	(void)state;
	streamkit_push(k, 0, 128);
	for (off = 128; off < 1024; off += 64)
		streamkit_push(k, off ^ 64, 64);	/* neighbours swapped */
	assert_int_equal(k->data, 1024);
	assert_int_equal(k->s.next, 0x300);
	assert_int_equal(tcpstream_offset(&k->s, 0xffffff80), 0x80);
	assert_int_equal(tcpstream_offset(&k->s, 0x10), 0x110);
	streamkit_free(k);
}

/* 5 GiB in segments of 1 MiB, of which only the heads are captured. */
static void
offsets_go_on_where_sequence_numbers_have_wrapped(void **state)
{
	struct streamkit *k = streamkit_new(77);
	uint32_t i;

	(void)state;
	k->indifferent = true;
	k->no_text = true;
	for (i = 0; i < 5 * 1024; i++)
		streamkit_push_cut(k, (uint64_t)i << 20, 1 << 20, 10);
	assert_int_equal(k->pos, UINT64_C(5) << 30);
	assert_int_equal(k->data, 5 * 1024 * 10);
	assert_int_equal(tcpstream_settled(&k->s), UINT64_C(5) << 30);
	streamkit_free(k);
}

static void
bytes_before_the_first_seen_are_not_passed(void **state)
{
	struct streamkit *k = streamkit_new(5000);

	(void)state;
	streamkit_push(k, 0, 100);
	streamkit_push_seq(k, 4900, 100, 100);
	assert_int_equal(k->pos, 100);
	assert_int_equal(k->r.again, 100);
	assert_true(tcpstream_offset(&k->s, 4900) > UINT64_MAX / 2);
	streamkit_free(k);
}

static void
a_syn_says_where_the_stream_begins(void **state)
{
	struct streamkit *k = streamkit_new(100);

	(void)state;
	assert_true(tcpstream_syn(&k->s, &k->hold, 99));
	streamkit_push(k, 10, 10);	/* the first segment comes late */
	assert_int_equal(k->pos, 0);
	streamkit_push(k, 0, 10);
	assert_int_equal(k->data, 20);
	assert_int_equal(k->r.lost, 0);
	streamkit_free(k);
}

static void
a_repeated_syn_changes_nothing(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	assert_true(tcpstream_syn(&k->s, &k->hold, UINT32_MAX));
	assert_false(tcpstream_syn(&k->s, &k->hold, UINT32_MAX));
	streamkit_push(k, 0, 10);
	streamkit_push(k, 20, 10);
	assert_false(tcpstream_syn(&k->s, &k->hold, UINT32_MAX));
	streamkit_push(k, 10, 10);
	assert_int_equal(k->data, 30);
	assert_false(tcpstream_syn(&k->s, &k->hold, UINT32_MAX));
	streamkit_free(k);
}

static void
another_syn_begins_anew_and_frees_what_was_held(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push(k, 0, 10);
	streamkit_push(k, 20, 10);
	assert_true(k->hold.used > 0);
	assert_true(tcpstream_syn(&k->s, &k->hold, 4999));
	assert_int_equal(k->hold.used, 0);
	assert_false(tcpstream_troubled(&k->s));
	k->base = 5000;
	k->pos = k->data = 0;
	streamkit_push(k, 0, 10);
	assert_int_equal(k->data, 10);
	streamkit_free(k);
}

/* Holes that cost nothing. */

static void
a_hole_in_bytes_that_nobody_needs_is_passed_at_once(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	memset(k->unneeded + 100, 1, 500);
	streamkit_push(k, 0, 200);
	k->now_ns = 10;
	streamkit_push(k, 300, 400);
	assert_int_equal(k->pos, 700);
	assert_int_equal(k->skipped, 100);
	assert_int_equal(k->lost_skipped, 0);
	assert_true(k->r.hole);
	assert_false(k->r.whole);
	assert_false(k->s.stuck);
	assert_true(tcpstream_troubled(&k->s));
	assert_int_equal(tcpstream_settled(&k->s), 200);
	assert_int_equal(k->r.lost, 0);
	k->now_ns = 30;
	streamkit_push(k, 200, 100);
	assert_int_equal(k->r.filled, 100);
	assert_int_equal(k->r.filled_after_ns, 20);
	assert_int_equal(k->r.again, 0);
	assert_true(k->r.whole);
	assert_int_equal(tcpstream_settled(&k->s), 700);
	assert_int_equal(k->pos, 700);	/* not passed a second time */
	streamkit_free(k);
}

static void
a_passed_hole_may_be_filled_in_parts_and_from_the_middle(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	k->indifferent = true;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 400, 100);
	streamkit_push(k, 200, 100);	/* the middle: two holes are left */
	assert_int_equal(k->r.filled, 100);
	assert_false(k->r.whole);
	assert_int_equal(k->s.holes, 2);
	assert_int_equal(tcpstream_settled(&k->s), 100);
	streamkit_push(k, 100, 250);	/* all of one, half of the other */
	assert_int_equal(k->r.filled, 250);
	assert_int_equal(k->r.again, 100);
	assert_int_equal(tcpstream_settled(&k->s), 350);
	assert_false(k->r.whole);
	streamkit_push(k, 340, 200);	/* the rest, and beyond what passed */
	assert_int_equal(k->r.filled, 300);
	assert_int_equal(k->r.again, 100 + 10 + 100);
	assert_int_equal(k->r.fresh, 100 + 100 + 40);
	assert_true(k->r.whole);
	assert_int_equal(k->pos, 540);
	streamkit_free(k);
}

static void
too_many_holes_are_given_up_from_the_oldest_on(void **state)
{
	struct streamkit *k = streamkit_new(0);
	uint32_t i;

	(void)state;
	k->indifferent = true;
	for (i = 0; i < TCPSTREAM_HOLES + 2; i++)
		streamkit_push(k, i * 200, 100);
	assert_int_equal(k->s.holes, TCPSTREAM_HOLES);
	assert_int_equal(k->r.lost, 100);
	streamkit_push(k, 100, 100);	/* given up: nobody knows of it */
	assert_int_equal(k->r.filled, 0);
	assert_int_equal(k->r.again, 100);
	/* A split has no room either: its tail is given up. */
	streamkit_push(k, 340, 20);
	assert_int_equal(k->r.filled, 20);
	assert_int_equal(k->r.lost, 140);
	assert_int_equal(k->s.holes, TCPSTREAM_HOLES);
	streamkit_flush(k);
	assert_int_equal(k->r.fresh + k->r.filled + k->r.lost, k->pos);
	streamkit_free(k);
}

static void
a_hole_that_is_only_partly_unneeded_is_waited_for(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	memset(k->unneeded + 100, 1, 99);
	streamkit_push(k, 0, 100);
	streamkit_push(k, 200, 100);	/* byte 199 is needed */
	assert_true(k->s.stuck);
	assert_int_equal(k->pos, 100);
	/* Once it is reached, what remains of the hole may be passed. */
	memset(k->unneeded + 199, 1, 1);
	streamkit_push(k, 100, 10);
	assert_false(k->s.stuck);
	assert_int_equal(k->pos, 300);
	assert_int_equal(k->s.holes, 1);
	streamkit_push(k, 110, 90);
	assert_int_equal(k->r.filled, 100);
	assert_true(k->r.whole);
	streamkit_free(k);
}

static void
what_the_snap_length_cuts_is_skipped_and_no_hole(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push_cut(k, 0, 1448, 42);
	assert_int_equal(k->pos, 1448);
	assert_int_equal(k->data, 42);
	assert_int_equal(k->skipped, 1406);
	assert_int_equal(k->lost_skipped, 0);
	assert_int_equal(k->r.fresh, 1448);
	assert_false(tcpstream_troubled(&k->s));
	/* The same when it had to wait. */
	streamkit_push_cut(k, 2896, 1448, 42);
	streamkit_push_cut(k, 1448, 1448, 0);
	assert_int_equal(k->data, 84);
	assert_int_equal(k->pos, 4344);
	/* And when its first captured bytes have passed already. */
	streamkit_push_cut(k, 4300, 1448, 100);
	assert_int_equal(k->data, 84 + 56);
	streamkit_push_cut(k, 5700, 100, 20);	/* all that was captured */
	assert_int_equal(k->data, 84 + 56);
	assert_int_equal(k->pos, 5800);
	streamkit_free(k);
}

static void
an_empty_segment_does_nothing(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push(k, 500, 0);
	assert_false(k->s.started);
	streamkit_push(k, 0, 10);
	streamkit_push(k, 500, 0);
	streamkit_push_seq(k, 5, 0, 0);
	assert_false(tcpstream_troubled(&k->s));
	assert_int_equal(k->r.again, 0);
	streamkit_free(k);
}

static void
the_end_passes_on_everything_that_is_held(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	memset(k->unneeded + 100, 1, 100);
	streamkit_push(k, 0, 100);
	streamkit_push(k, 150, 50);	/* a hole that costs nothing */
	streamkit_push(k, 300, 100);	/* and two that do */
	streamkit_push(k, 500, 100);
	streamkit_flush(k);
	assert_int_equal(k->pos, 600);
	assert_int_equal(k->data, 350);
	assert_int_equal(k->lost_skipped, 200);
	assert_int_equal(k->r.lost, 250);
	assert_int_equal(k->r.fresh, 350);
	assert_true(k->r.whole);
	assert_false(tcpstream_troubled(&k->s));
	assert_int_equal(k->hold.used, 0);
	streamkit_free(k);
}

static void
clearing_frees_what_is_held_and_says_nothing(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 200, 100);
	tcpstream_clear(&k->s, &k->hold);
	assert_int_equal(k->hold.used, 0);
	assert_int_equal(k->pos, 100);
	assert_false(k->s.started);
	assert_false(tcpstream_troubled(&k->s));
	streamkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(segments_in_order_pass_at_once),
		CASE(two_neighbours_that_are_swapped_lose_nothing),
		CASE(a_segment_that_comes_again_is_not_passed_again),
		CASE(how_long_a_hole_was_open_is_told_when_it_is_filled),
		CASE(a_stream_may_start_anywhere_and_at_sequence_zero),
		CASE(sequence_numbers_wrap_and_offsets_do_not),
		CASE(offsets_go_on_where_sequence_numbers_have_wrapped),
		CASE(bytes_before_the_first_seen_are_not_passed),
		CASE(a_syn_says_where_the_stream_begins),
		CASE(a_repeated_syn_changes_nothing),
		CASE(another_syn_begins_anew_and_frees_what_was_held),
		CASE(a_hole_in_bytes_that_nobody_needs_is_passed_at_once),
		CASE(a_passed_hole_may_be_filled_in_parts_and_from_the_middle),
		CASE(too_many_holes_are_given_up_from_the_oldest_on),
		CASE(a_hole_that_is_only_partly_unneeded_is_waited_for),
		CASE(what_the_snap_length_cuts_is_skipped_and_no_hole),
		CASE(an_empty_segment_does_nothing),
		CASE(the_end_passes_on_everything_that_is_held),
		CASE(clearing_frees_what_is_held_and_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_tcpstream_loss.c: holes that are given up: when, and not before; what
 * bounds the waiting; and random streams against their text.
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

/* Bytes 100 to 199 are missing and needed; 200 to 299 wait. */
static struct streamkit *
stuck_stream(uint32_t base)
{
	struct streamkit *k = streamkit_new(base);

	k->now_ns = NSEC_PER_SEC;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 200, 100);
	assert_true(k->s.stuck);
	return k;
}

static void
tick_times(struct streamkit *k, unsigned int n)
{
	while (n-- > 0)
		streamkit_tick(k);
}

static void
without_an_ack_a_needed_hole_is_waited_for(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	tick_times(k, 1000);
	k->now_ns += TCPSTREAM_STUCK_NS;
	streamkit_ack(k, 100);		/* up to the hole, no further */
	tick_times(k, 1000);
	assert_int_equal(k->pos, 100);
	assert_int_equal(k->r.lost, 0);
	k->now_ns += 1;			/* age is the last resort */
	streamkit_tick(k);
	assert_int_equal(k->pos, 300);
	assert_int_equal(k->r.lost, 100);
	assert_true(k->r.whole);
	streamkit_free(k);
}

static void
an_acknowledged_hole_is_given_up_after_so_many_packets(void **state)
{
	struct streamkit *k = stuck_stream(0xffffffc0);

	(void)state;
	streamkit_ack(k, 300);
	tick_times(k, TCPSTREAM_GRACE_PACKETS);
	assert_int_equal(k->pos, 100);
	streamkit_tick(k);
	assert_int_equal(k->pos, 300);
	assert_int_equal(k->lost_skipped, 100);
	assert_int_equal(k->r.lost, 100);
	assert_int_equal(k->got[150], 'l');
	assert_int_equal(k->got[250], 'd');
	assert_false(tcpstream_troubled(&k->s));
	/* Should it come after all, it is none of the consumer's. */
	streamkit_push(k, 100, 100);
	assert_int_equal(k->r.again, 100);
	streamkit_free(k);
}

static void
an_acknowledged_hole_is_given_up_after_so_long(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	streamkit_ack(k, 300);
	k->now_ns += TCPSTREAM_GRACE_NS;
	streamkit_tick(k);
	assert_int_equal(k->pos, 100);
	k->now_ns += 1;
	streamkit_tick(k);
	assert_int_equal(k->pos, 300);
	assert_int_equal(k->r.lost, 100);
	streamkit_free(k);
}

static void
an_ack_that_was_captured_before_the_segment_loses_nothing(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	streamkit_ack(k, 300);
	tick_times(k, TCPSTREAM_GRACE_PACKETS);
	streamkit_push(k, 100, 100);
	assert_int_equal(k->data, 300);
	assert_int_equal(k->r.lost, 0);
	tick_times(k, 100);
	assert_int_equal(k->r.lost, 0);
	streamkit_free(k);
}

static void
an_ack_into_the_hole_proves_nothing(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	streamkit_ack(k, 199);
	tick_times(k, 100);
	assert_int_equal(k->pos, 100);
	streamkit_ack(k, 200);		/* all of the hole: it will not come */
	tick_times(k, TCPSTREAM_GRACE_PACKETS + 1);
	assert_int_equal(k->pos, 300);
	streamkit_free(k);
}

static void
an_ack_that_came_before_what_shows_the_hole_proves_it_too(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push(k, 0, 100);
	streamkit_ack(k, 300);
	streamkit_push(k, 250, 100);
	tick_times(k, TCPSTREAM_GRACE_PACKETS);
	assert_int_equal(k->pos, 100);
	streamkit_tick(k);
	assert_int_equal(k->pos, 350);
	assert_int_equal(k->r.lost, 150);
	streamkit_free(k);
}

static void
a_segment_that_narrows_the_hole_can_complete_the_proof(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 500, 100);
	streamkit_ack(k, 300);		/* not all of 100 to 499 */
	tick_times(k, 20);
	assert_int_equal(k->pos, 100);
	streamkit_push(k, 200, 50);	/* but all of 100 to 199 */
	tick_times(k, TCPSTREAM_GRACE_PACKETS + 1);
	assert_int_equal(k->pos, 250);
	assert_int_equal(k->r.lost, 100);
	assert_true(k->s.stuck);
	tick_times(k, 100);
	assert_int_equal(k->pos, 250);
	streamkit_free(k);
}

static void
each_of_several_holes_needs_its_own_proof(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	streamkit_push(k, 400, 100);
	streamkit_ack(k, 300);
	tick_times(k, TCPSTREAM_GRACE_PACKETS + 1);
	assert_int_equal(k->pos, 300);
	tick_times(k, 100);
	assert_int_equal(k->pos, 300);
	assert_true(k->s.stuck);
	streamkit_ack(k, 500);
	tick_times(k, TCPSTREAM_GRACE_PACKETS);
	assert_int_equal(k->pos, 300);
	streamkit_tick(k);
	assert_int_equal(k->pos, 500);
	assert_int_equal(k->r.lost, 200);
	streamkit_free(k);
}

static void
the_age_of_a_second_hole_counts_from_when_it_was_seen(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	k->now_ns += TCPSTREAM_STUCK_NS;
	streamkit_push(k, 400, 100);
	streamkit_push(k, 100, 100);	/* the first is filled at last */
	assert_int_equal(k->pos, 300);
	k->now_ns += TCPSTREAM_STUCK_NS;
	streamkit_tick(k);
	assert_int_equal(k->pos, 300);
	k->now_ns += 1;
	streamkit_tick(k);
	assert_int_equal(k->pos, 500);
	streamkit_free(k);
}

static void
a_passed_hole_is_given_up_when_acknowledged_or_old(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	k->indifferent = true;
	k->now_ns = NSEC_PER_SEC;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 200, 100);
	streamkit_push(k, 400, 100);
	streamkit_ack(k, 350);
	k->now_ns += TCPSTREAM_GRACE_NS;
	streamkit_tick(k);
	assert_int_equal(k->r.lost, 0);
	k->now_ns += 1;
	streamkit_tick(k);
	assert_int_equal(k->r.lost, 100);	/* the other is not proved */
	assert_int_equal(tcpstream_settled(&k->s), 300);
	assert_false(k->r.whole);
	k->now_ns += TCPSTREAM_STUCK_NS;
	streamkit_tick(k);
	assert_int_equal(k->r.lost, 200);
	assert_true(k->r.whole);
	assert_int_equal(tcpstream_settled(&k->s), 500);
	streamkit_free(k);
}

static void
in_a_hurry_the_proof_is_waited_for_but_not_the_grace(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	streamkit_push(k, 400, 100);
	streamkit_hurry(k);
	assert_int_equal(k->pos, 100);
	streamkit_ack(k, 350);
	streamkit_hurry(k);
	assert_int_equal(k->pos, 300);
	assert_int_equal(k->r.lost, 100);
	streamkit_ack(k, 500);
	streamkit_hurry(k);
	assert_int_equal(k->pos, 500);
	assert_int_equal(k->r.lost, 200);
	assert_false(k->s.stuck);
	streamkit_free(k);
}

static void
acks_that_cannot_be_are_not_believed(void **state)
{
	struct streamkit *k = streamkit_new(1000);

	(void)state;
	streamkit_ack(k, 300);		/* before anything was seen */
	streamkit_push(k, 0, 100);
	streamkit_push(k, 200, 100);
	tcpstream_ack(&k->s, 1100 + TCPSTREAM_JUMP + 1, 0);	/* far ahead */
	tcpstream_ack(&k->s, 900, 0);				/* before all */
	tcpstream_ack(&k->s, 1100 + 0x80000000U, 0);
	tick_times(k, 100);
	assert_int_equal(k->pos, 100);
	streamkit_free(k);
}

/* Bounds. */

static void
one_stream_holds_no_more_than_its_share(void **state)
{
	struct streamkit *k = streamkit_new(0);
	uint64_t off;

	(void)state;
	streamkit_push(k, 0, 100);
	for (off = 200; off < 800 * 1000; off += 1000)
		streamkit_push(k, off, 1000);	/* the kit checks the bound */
	/* The first that did not fit was passed on, and all before it. */
	assert_int_equal(k->r.lost, 100);
	assert_int_equal(k->pos, 200 + 800 * 1000);
	assert_false(k->s.stuck);
	assert_int_equal(k->data + k->lost_skipped, k->pos);
	streamkit_free(k);
}

static void
segments_without_captured_bytes_take_room_too(void **state)
{
	struct streamkit *k = streamkit_new(0);
	uint64_t off;

	(void)state;
	streamkit_push(k, 0, 100);
	for (off = 200; off < STREAMKIT_MAX; off += 8)
		streamkit_push_cut(k, off, 8, 0);
	assert_int_equal(k->r.lost, 100);
	assert_false(k->s.stuck);
	assert_int_equal(k->pos, STREAMKIT_MAX);
	streamkit_free(k);
}

static void
all_streams_share_one_bound_and_count_what_they_lose(void **state)
{
	struct streamkit *a = streamkit_new(0), *b = streamkit_new(0);
	struct tcphold saved;

	(void)state;
	a->hold.max = 10000;
	streamkit_push(a, 0, 100);
	streamkit_push(a, 200, 9000);
	saved = b->hold = a->hold;	/* what a holds is no longer free */
	streamkit_push(b, 0, 100);
	streamkit_push(b, 200, 500);	/* fits */
	assert_true(b->s.stuck);
	streamkit_push(b, 800, 600);	/* does not */
	assert_int_equal(b->pos, 1400);
	assert_int_equal(b->r.lost, 200);
	assert_int_equal(b->r.fresh, 1200);
	assert_true(b->r.whole);
	assert_int_equal(b->hold.used, saved.used);
	b->hold.used = 0;
	streamkit_free(b);
	streamkit_free(a);
}

static void
without_any_room_every_needed_hole_is_given_up_at_once(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	k->hold.max = 0;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 200, 100);
	assert_int_equal(k->pos, 300);
	assert_int_equal(k->r.lost, 100);
	assert_true(k->r.hole);
	assert_true(k->r.whole);
	assert_false(tcpstream_troubled(&k->s));
	streamkit_push(k, 100, 150);
	assert_int_equal(k->r.again, 150);
	assert_int_equal(k->pos, 300);
	streamkit_free(k);
}

static void
a_segment_without_room_passes_once_with_the_held(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	k->hold.max = 1000;
	streamkit_push(k, 0, 100);
	streamkit_push(k, 800, 500);
	streamkit_push(k, 300, 700);
	assert_int_equal(k->pos, 1300);
	assert_int_equal(k->data, 1100);
	assert_int_equal(k->r.lost, 200);
	assert_int_equal(k->r.again, 200);
	assert_int_equal(k->r.fresh + k->r.filled, 1100);
	streamkit_free(k);
}

/* Leaps. */

static void
a_leap_ahead_is_a_loss_and_what_was_held_is_passed_on(void **state)
{
	struct streamkit *k = stuck_stream(0);

	(void)state;
	k->no_text = true;
	streamkit_push_seq(k, 100 + TCPSTREAM_JUMP, 10, 10);
	assert_false(k->r.jumped);	/* just not too far */
	assert_int_equal(k->pos, 100);
	streamkit_push_seq(k, 101 + TCPSTREAM_JUMP, 10, 10);
	assert_true(k->r.jumped);
	assert_true(k->r.whole);
	assert_false(k->s.stuck);
	assert_int_equal(k->hold.used, 0);
	assert_int_equal(k->data, 100 + 100 + 11);
	assert_int_equal(k->pos, 111 + TCPSTREAM_JUMP);
	assert_int_equal(k->r.fresh + k->r.filled + k->r.lost, k->pos);
	assert_int_equal(k->s.next, 111 + TCPSTREAM_JUMP);
	streamkit_free(k);
}

static void
a_leap_back_is_another_stream_not_an_old_segment(void **state)
{
	struct streamkit *k = stuck_stream(0x40000000);
	uint64_t after;

	(void)state;
	k->no_text = true;
	streamkit_push_seq(k, 0x40000064 - TCPSTREAM_JUMP - 1, 10, 10);
	assert_true(k->r.jumped);
	assert_int_equal(k->r.lost, 100);	/* the hole */
	assert_int_equal(k->data, 100 + 100 + 10);
	/* No record is as long as what is skipped, so no step is kept. */
	assert_int_equal(k->pos, 310 + TCPSTREAM_JUMP);
	after = k->pos;
	streamkit_push_seq(k, 0x40000064 - TCPSTREAM_JUMP + 9, 10, 10);
	assert_int_equal(k->pos, after + 10);
	assert_int_equal(tcpstream_offset(&k->s, 0x40000064 - TCPSTREAM_JUMP +
	    19), after + 10);
	streamkit_free(k);
}

static void
half_the_sequence_space_away_is_a_leap_too(void **state)
{
	struct streamkit *k = streamkit_new(0);

	(void)state;
	k->no_text = true;
	streamkit_push(k, 0, 100);
	streamkit_push_seq(k, 100 + 0x80000000U, 10, 10);	/* INT32_MIN */
	assert_true(k->r.jumped);
	assert_int_equal(k->data, 110);
	k->r.jumped = false;
	streamkit_push_seq(k, 110 + 0x80000000U + 0x7fffffffU, 10, 10);
	assert_true(k->r.jumped);
	assert_int_equal(k->data, 120);
	streamkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(without_an_ack_a_needed_hole_is_waited_for),
		CASE(an_acknowledged_hole_is_given_up_after_so_many_packets),
		CASE(an_acknowledged_hole_is_given_up_after_so_long),
		CASE(an_ack_that_was_captured_before_the_segment_loses_nothing),
		CASE(an_ack_into_the_hole_proves_nothing),
		CASE(an_ack_that_came_before_what_shows_the_hole_proves_it_too),
		CASE(a_segment_that_narrows_the_hole_can_complete_the_proof),
		CASE(each_of_several_holes_needs_its_own_proof),
		CASE(the_age_of_a_second_hole_counts_from_when_it_was_seen),
		CASE(a_passed_hole_is_given_up_when_acknowledged_or_old),
		CASE(in_a_hurry_the_proof_is_waited_for_but_not_the_grace),
		CASE(acks_that_cannot_be_are_not_believed),
		CASE(one_stream_holds_no_more_than_its_share),
		CASE(segments_without_captured_bytes_take_room_too),
		CASE(all_streams_share_one_bound_and_count_what_they_lose),
		CASE(without_any_room_every_needed_hole_is_given_up_at_once),
		CASE(a_segment_without_room_passes_once_with_the_held),
		CASE(a_leap_ahead_is_a_loss_and_what_was_held_is_passed_on),
		CASE(a_leap_back_is_another_stream_not_an_old_segment),
		CASE(half_the_sequence_space_away_is_a_leap_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

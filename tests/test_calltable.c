/* SPDX-License-Identifier: ISC */
/*
 * test_calltable.c: calls remembered, answered, evicted and given up.
 */
#include "calltable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "packet.h"
#include "testkit.h"

#define STREAM	10U

struct gone {
	struct calltable *t;
	unsigned int	 n, evicted;
	uint32_t	 xid[64];	/* in order */
	uint32_t	 open;		/* what calltable_open says meanwhile */
};

static void
note_gone(void *ctx, const struct call *c, bool evicted)
{
	struct gone *g = ctx;

	assert_true(g->n < 64);
	assert_int_equal(c->state, CALL_OPEN);
	g->xid[g->n++] = c->xid;
	g->evicted += evicted;
	g->open = calltable_open(g->t);
}

static struct calltable *
table(uint32_t capacity, struct gone *g)
{
	const struct calltable_config config = {
		.capacity = capacity, .max_age_ns = 60 * NSEC_PER_SEC,
		.seed = { 3, 4 }, .gone = note_gone, .ctx = g
	};

	memset(g, 0, sizeof(*g));
	g->t = calltable_new(&config);
	assert_non_null(g->t);
	return g->t;
}

static void
a_call_is_known_by_its_stream_and_xid(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	struct call *a, *b;

	(void)state;
	a = calltable_add(t, STREAM, 7, 100);
	a->proc = 1;
	b = calltable_add(t, STREAM + 1, 7, 100);
	b->proc = 2;
	assert_ptr_equal(calltable_find(t, STREAM, 7), a);
	assert_ptr_equal(calltable_find(t, STREAM + 1, 7), b);
	assert_int_equal(a->proc, 1);
	assert_null(calltable_find(t, STREAM, 8));
	assert_null(calltable_find(t, STREAM + 2, 7));
	assert_int_equal(calltable_open(t), 2);
	calltable_free(t);
}

static void
a_new_call_is_empty_but_for_its_key(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	struct call *c = calltable_add(t, STREAM, 7, 100);
	static const struct call zero;

	(void)state;
	c->count = 99;
	c->first_ns = 99;
	calltable_remove(t, c);
	c = calltable_add(t, STREAM, 7, 200);
	assert_int_equal(c->stream, STREAM);
	assert_int_equal(c->xid, 7);
	assert_int_equal(c->state, CALL_OPEN);
	assert_int_equal(c->op, NFS_OP_NONE);
	c->stream = c->xid = 0;
	c->op = c->state = 0;
	assert_memory_equal(c, &zero, sizeof(zero));
	calltable_free(t);
}

static void
an_answered_call_stays_known_but_is_not_open(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	struct call *c = calltable_add(t, STREAM, 7, 100);

	(void)state;
	c->count = 8192;
	c = calltable_answer(t, c, 200);
	assert_int_equal(c->state, CALL_ANSWERED);
	assert_int_equal(c->count, 8192);
	assert_int_equal(c->xid, 7);
	assert_int_equal(calltable_open(t), 0);
	assert_ptr_equal(calltable_find(t, STREAM, 7), c);
	/* Once more changes nothing. */
	assert_ptr_equal(calltable_answer(t, c, 300), c);
	assert_ptr_equal(calltable_find(t, STREAM, 7), c);
	assert_int_equal(calltable_open(t), 0);
	assert_int_equal(g.n, 0);
	calltable_free(t);
}

static void
with_room_for_four_the_fifth_evicts_the_longest_untouched(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	uint32_t xid;

	(void)state;
	for (xid = 1; xid <= 4; xid++)
		calltable_add(t, STREAM, xid, xid);
	assert_int_equal(g.n, 0);
	calltable_touch(t, calltable_find(t, STREAM, 1), 10);
	calltable_add(t, STREAM, 5, 11);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.evicted, 1);
	assert_int_equal(g.xid[0], 2);
	assert_null(calltable_find(t, STREAM, 2));
	assert_non_null(calltable_find(t, STREAM, 1));
	assert_int_equal(calltable_open(t), 4);
	calltable_free(t);
}

static void
answered_calls_never_push_out_open_ones(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	uint32_t xid;

	(void)state;
	for (xid = 1; xid <= 3; xid++)
		calltable_add(t, STREAM, xid, xid);
	/* A hundred calls come and are answered at once. */
	for (xid = 100; xid < 200; xid++)
		calltable_answer(t, calltable_add(t, STREAM, xid, xid), xid);
	assert_int_equal(g.n, 0);
	assert_int_equal(calltable_open(t), 3);
	for (xid = 1; xid <= 3; xid++)
		assert_int_equal(calltable_find(t, STREAM, xid)->state,
		    CALL_OPEN);
	assert_non_null(calltable_find(t, STREAM, 199));
	assert_null(calltable_find(t, STREAM, 100));
	calltable_free(t);
}

static void
a_flood_of_open_calls_does_not_push_out_the_answered(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	uint32_t xid;

	(void)state;
	calltable_answer(t, calltable_add(t, STREAM, 7, 1), 1);
	for (xid = 100; xid < 150; xid++)
		calltable_add(t, STREAM, xid, xid);
	assert_int_equal(calltable_find(t, STREAM, 7)->state, CALL_ANSWERED);
	assert_int_equal(g.n, 46);
	assert_int_equal(g.evicted, 46);
	assert_int_equal(calltable_open(t), 4);
	calltable_free(t);
}

static void
a_call_that_is_given_up_counts_no_more_while_that_is_told(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	uint32_t xid;

	(void)state;
	for (xid = 1; xid <= 4; xid++)
		calltable_add(t, STREAM, xid, 0);
	calltable_add(t, STREAM, 5, 0);		/* in the place of 1 */
	assert_int_equal(g.open, 3);
	calltable_add(t, STREAM, 5, 0);		/* replaced */
	assert_int_equal(g.n, 2);
	assert_int_equal(g.open, 3);
	calltable_advance(t, 61 * NSEC_PER_SEC);
	assert_int_equal(g.n, 6);
	assert_int_equal(g.open, 0);
	assert_int_equal(calltable_open(t), 0);
	calltable_free(t);
}

static void
heads_are_no_open_calls_and_go_unsaid(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	struct call *c;
	uint32_t xid;

	(void)state;
	for (xid = 1; xid <= 4; xid++) {
		c = calltable_add(t, STREAM, xid, xid);
		calltable_set_state(t, c, CALL_HEAD);
	}
	assert_int_equal(calltable_open(t), 0);
	calltable_set_state(t, calltable_find(t, STREAM, 4), CALL_OPEN);
	assert_int_equal(calltable_open(t), 1);
	calltable_add(t, STREAM, 5, 5);		/* 1 goes: a head */
	assert_int_equal(g.n, 0);
	assert_null(calltable_find(t, STREAM, 1));
	assert_int_equal(calltable_open(t), 2);
	calltable_remove(t, calltable_find(t, STREAM, 2));
	assert_int_equal(calltable_open(t), 2);
	calltable_answer(t, calltable_find(t, STREAM, 3), 6);
	assert_int_equal(calltable_open(t), 2);
	calltable_set_state(t, calltable_find(t, STREAM, 5), CALL_HEAD);
	assert_int_equal(calltable_open(t), 1);
	calltable_advance(t, 100 * NSEC_PER_SEC);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.xid[0], 4);
	assert_int_equal(g.evicted, 0);
	assert_int_equal(calltable_open(t), 0);
	calltable_free(t);
}

static void
a_key_that_comes_again_replaces_its_call(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);
	struct call *c;

	(void)state;
	calltable_add(t, STREAM, 7, 1)->count = 1;
	c = calltable_add(t, STREAM, 7, 2);
	assert_int_equal(c->count, 0);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.evicted, 0);
	assert_int_equal(calltable_open(t), 1);
	calltable_answer(t, c, 3);
	c = calltable_add(t, STREAM, 7, 4);
	assert_int_equal(g.n, 1);	/* it had been answered */
	assert_int_equal(c->state, CALL_OPEN);
	assert_int_equal(calltable_open(t), 1);
	calltable_set_state(t, c, CALL_HEAD);
	calltable_add(t, STREAM, 7, 5);
	assert_int_equal(g.n, 1);	/* it was a head */
	assert_int_equal(calltable_open(t), 1);
	calltable_free(t);
}

static void
a_call_that_moves_keeps_what_is_known_of_it(void **state)
{
	static const enum call_state from[] = { CALL_OPEN, CALL_ANSWERED,
		CALL_HEAD };
	struct gone g;
	struct calltable *t = table(4, &g);
	struct call *c;
	uint32_t i, opened = 0;

	(void)state;
	for (i = 0; i < 3; i++) {
		c = calltable_add(t, STREAM, i, 1);
		c->count = 4096 + i;
		c->transmissions = 3;
		if (from[i] == CALL_ANSWERED)
			c = calltable_answer(t, c, 2);
		else
			calltable_set_state(t, c, from[i]);
		c = calltable_move(t, c, STREAM + 4, 100 + i, 3);
		/* An answered call stays answered, all others are open. */
		assert_int_equal(c->state, from[i] == CALL_ANSWERED ?
		    CALL_ANSWERED : CALL_OPEN);
		opened += from[i] != CALL_ANSWERED;
		assert_int_equal(c->count, 4096 + i);
		assert_int_equal(c->transmissions, 3);
		assert_int_equal(c->stream, STREAM + 4);
		assert_int_equal(c->xid, 100 + i);
		assert_null(calltable_find(t, STREAM, i));
		assert_ptr_equal(calltable_find(t, STREAM + 4, 100 + i), c);
		assert_int_equal(calltable_open(t), opened);
	}
	assert_int_equal(g.n, 0);
	/* Onto a key that is taken: the one there is gone. */
	c = calltable_move(t, c, STREAM + 4, 100, 4);
	assert_int_equal(c->count, 4098);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.xid[0], 100);
	assert_int_equal(calltable_open(t), 1);
	calltable_free(t);
}

static void
an_open_call_is_given_up_after_its_age_and_not_before(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);

	(void)state;
	calltable_add(t, STREAM, 1, 0);
	calltable_add(t, STREAM, 2, NSEC_PER_SEC);
	calltable_advance(t, 60 * NSEC_PER_SEC - 1);
	assert_int_equal(g.n, 0);
	calltable_advance(t, 60 * NSEC_PER_SEC + 1);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.xid[0], 1);
	assert_int_equal(g.evicted, 0);
	/* A retransmission makes it young again. */
	calltable_touch(t, calltable_find(t, STREAM, 2), 61 * NSEC_PER_SEC);
	calltable_advance(t, 120 * NSEC_PER_SEC);
	assert_int_equal(g.n, 1);
	calltable_advance(t, 122 * NSEC_PER_SEC);
	assert_int_equal(g.n, 2);
	calltable_free(t);
}

static void
a_call_that_is_removed_is_forgotten_without_a_word(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);

	(void)state;
	calltable_add(t, STREAM, 1, 0);
	calltable_answer(t, calltable_add(t, STREAM, 2, 0), 0);
	calltable_remove(t, calltable_find(t, STREAM, 1));
	calltable_remove(t, calltable_find(t, STREAM, 2));
	assert_null(calltable_find(t, STREAM, 1));
	assert_null(calltable_find(t, STREAM, 2));
	assert_int_equal(g.n, 0);
	assert_int_equal(calltable_open(t), 0);
	calltable_free(t);
}

static void
a_flush_gives_up_every_call_and_forgets_the_answered(void **state)
{
	struct gone g;
	struct calltable *t = table(4, &g);

	(void)state;
	calltable_add(t, STREAM, 1, INT64_C(4102444800) * NSEC_PER_SEC);
	calltable_add(t, STREAM, 2, 0);
	calltable_set_state(t, calltable_add(t, STREAM, 3, 5), CALL_HEAD);
	calltable_answer(t, calltable_add(t, STREAM, 4, 6), 7);
	calltable_flush(t);
	assert_int_equal(g.n, 2);
	assert_int_equal(g.evicted, 0);
	assert_int_equal(g.xid[0] + g.xid[1], 3);
	assert_null(calltable_find(t, STREAM, 3));
	assert_null(calltable_find(t, STREAM, 4));
	assert_int_equal(calltable_open(t), 0);
	calltable_add(t, STREAM, 1, 8);
	assert_int_equal(calltable_open(t), 1);
	calltable_free(t);
}

static void
room_for_one_call_is_enough_to_work(void **state)
{
	struct gone g;
	struct calltable *t = table(1, &g);
	struct call *c;

	(void)state;
	c = calltable_answer(t, calltable_add(t, STREAM, 1, 0), 1);
	assert_int_equal(c->xid, 1);
	c = calltable_answer(t, calltable_add(t, STREAM, 2, 2), 3);
	assert_int_equal(c->xid, 2);
	assert_null(calltable_find(t, STREAM, 1));
	calltable_add(t, STREAM, 3, 4);
	calltable_add(t, STREAM, 4, 5);
	assert_int_equal(g.n, 1);
	assert_int_equal(calltable_open(t), 1);
	calltable_free(t);
}

/* Every call that was opened is open, was answered, or was told gone. */
static void
no_call_is_lost_from_the_count_by_chance(void **state)
{
	uint64_t chance = 9;
	uint32_t opened = 0, closed = 0, i;
	struct gone g;
	struct calltable *t = table(16, &g);
	struct call *c;

	(void)state;
	for (i = 0; i < 20000; i++) {
		uint32_t xid = testkit_below(&chance, 40);
		int64_t now = (int64_t)i * (NSEC_PER_SEC / 4);

		c = calltable_find(t, STREAM, xid);
		switch (testkit_below(&chance, 6)) {
		case 0:
		case 1:
			calltable_add(t, STREAM, xid, now);
			opened++;
			break;
		case 2:
			if (c != NULL) {
				closed += c->state == CALL_OPEN;
				calltable_answer(t, c, now);
			}
			break;
		case 3:
			if (c != NULL) {
				opened += c->state == CALL_HEAD;
				calltable_move(t, c, STREAM,
				    testkit_below(&chance, 40), now);
			}
			break;
		case 4:
			if (c != NULL && c->state != CALL_ANSWERED) {
				bool head = c->state == CALL_HEAD;

				calltable_set_state(t, c, head ? CALL_OPEN :
				    CALL_HEAD);
				opened += head;
				closed += !head;
			}
			break;
		default:
			calltable_advance(t, now);
			break;
		}
		closed += g.n;
		g.n = 0;
		assert_int_equal(calltable_open(t), opened - closed);
		assert_true(calltable_open(t) <= 16);
	}
	calltable_free(t);
}

/* What was found last is remembered: it must not be found once it is gone. */
static void
a_call_found_last_is_found_no_more_when_it_is_gone(void **state)
{
	struct gone g;
	struct calltable *t = table(2, &g);
	struct call *c;

	(void)state;
	calltable_add(t, STREAM, 1, 1);
	assert_non_null(c = calltable_find(t, STREAM, 1));
	calltable_remove(t, c);
	assert_null(calltable_find(t, STREAM, 1));
	calltable_add(t, STREAM, 2, 2);
	calltable_add(t, STREAM, 3, 3);
	assert_non_null(calltable_find(t, STREAM, 2));
	calltable_add(t, STREAM, 4, 4);		/* evicts 2 */
	assert_null(calltable_find(t, STREAM, 2));
	/* There is room for one answered call. */
	calltable_answer(t, calltable_find(t, STREAM, 3), 5);
	c = calltable_answer(t, calltable_find(t, STREAM, 4), 6);
	assert_null(calltable_find(t, STREAM, 3));
	assert_ptr_equal(calltable_find(t, STREAM, 4), c);
	calltable_free(t);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_call_is_known_by_its_stream_and_xid),
		CASE(a_new_call_is_empty_but_for_its_key),
		CASE(an_answered_call_stays_known_but_is_not_open),
		CASE(with_room_for_four_the_fifth_evicts_the_longest_untouched),
		CASE(answered_calls_never_push_out_open_ones),
		CASE(a_flood_of_open_calls_does_not_push_out_the_answered),
		CASE(a_call_that_is_given_up_counts_no_more_while_that_is_told),
		CASE(heads_are_no_open_calls_and_go_unsaid),
		CASE(a_key_that_comes_again_replaces_its_call),
		CASE(a_call_that_moves_keeps_what_is_known_of_it),
		CASE(an_open_call_is_given_up_after_its_age_and_not_before),
		CASE(a_call_that_is_removed_is_forgotten_without_a_word),
		CASE(a_flush_gives_up_every_call_and_forgets_the_answered),
		CASE(room_for_one_call_is_enough_to_work),
		CASE(no_call_is_lost_from_the_count_by_chance),
		CASE(a_call_found_last_is_found_no_more_when_it_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

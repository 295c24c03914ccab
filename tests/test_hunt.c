/* SPDX-License-Identifier: ISC */
/*
 * test_hunt.c: candidates for record starts in bytes that are out of step.
 */
#include "hunt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rpckit.h"
#include "testkit.h"

/* Feeds it all; the found calls and replies, in order of their offsets. */
struct finds {
	unsigned int	n;
	struct {
		enum hunt_found what;
		struct rpcrecord_place place;
		uint32_t	xid;
	} at[64];
};

static void
feed(struct hunt *h, const uint8_t *data, size_t len, int64_t now_ns,
    struct finds *f)
{
	uint8_t *copy = testkit_copy(data, len);
	size_t at = 0;

	while (at < len) {
		struct hunt_find found;
		uint32_t taken;

		taken = hunt_data(h, copy + at, (uint32_t)(len - at), now_ns,
		    &found);
		assert_true(taken <= len - at);
		assert_true(taken > 0 || found.what != HUNT_NOTHING);
		assert_true(found.what == HUNT_NOTHING ||
		    found.place.start + 4 + found.older.len == h->seen ||
		    found.place.start + 4 <= h->seen);
		at += taken;
		if (found.what == HUNT_NOTHING)
			continue;
		assert_true(f->n < 64);
		f->at[f->n].what = found.what;
		f->at[f->n].place = found.place;
		f->at[f->n++].xid = found.xid;
	}
	testkit_free(copy);
}

static struct hunt *
new_hunt(struct hunt_pool *pool)
{
	struct hunt *h;

	*pool = (struct hunt_pool){ .max = 4 };
	h = hunt_new(pool, 1000, false);
	assert_non_null(h);
	return h;
}

static uint32_t
chain(struct hunt *h, struct hunt_candidate *c)
{
	struct hunt_candidate *first;

	return hunt_chain(h, c, &first);
}

static void
calls_and_replies_are_found_at_any_alignment(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t shift;

	(void)state;
	for (shift = 0; shift < 70; shift++) {
		struct finds f = { .n = 0 };
		struct hunt_pool pool;
		struct hunt *h = new_hunt(&pool);

		rpckit_clear(m);
		rpckit_bytes(m, "......................................."
		    "...............................", shift);
		RPCKIT_RECORD(m, rpckit_getattr_call(m, 7));
		RPCKIT_RECORD(m, rpckit_write_reply(m, 8, 100));
		RPCKIT_RECORD(m, rpckit_denied(m, 9));
		feed(h, m->data, m->len, 5, &f);
		assert_int_equal(f.n, 3);
		assert_int_equal(f.at[0].what, HUNT_CALL);
		assert_int_equal(f.at[0].xid, 7);
		assert_int_equal(f.at[0].place.start, 1000 + shift);
		assert_int_equal(f.at[0].place.end,
		    1004 + shift + RPCKIT_GETATTR_CALL);
		assert_int_equal(f.at[1].what, HUNT_REPLY);
		assert_int_equal(f.at[1].xid, 8);
		assert_int_equal(f.at[1].place.start, f.at[0].place.end);
		assert_int_equal(f.at[2].what, HUNT_REPLY);
		assert_int_equal(f.at[2].xid, 9);
		assert_int_equal(f.at[2].place.end, 1000 + m->len);
		assert_int_equal(h->seen, 1000 + m->len);
		hunt_free(h);
		assert_int_equal(pool.used, 0);
	}
	free(m);
}

static void
what_was_walked_of_a_candidate_is_remembered(void **state)
{
	struct rpckit *m = rpckit_new();
	struct finds f = { .n = 0 };
	struct hunt_pool pool;
	struct hunt *h = new_hunt(&pool);
	struct hunt_candidate *c;
	size_t i;

	(void)state;
	RPCKIT_RECORD(m, rpckit_compound_write_call(m, 7, 33));
	for (i = 0; i < m->len; i++)
		feed(h, m->data + i, 1, (int64_t)i, &f);
	c = hunt_by_xid(h, 7);
	assert_non_null(c);
	assert_ptr_equal(c, hunt_newest(h));
	assert_ptr_equal(c, hunt_by_start(h, 1000));
	assert_ptr_equal(c, hunt_by_end(h, 1000 + m->len));
	assert_true(c->passed);
	assert_int_equal(c->hdr.proc, 1);
	assert_int_equal(c->hdr.vers, 4);
	assert_true(c->hdr.has_uid);
	assert_int_equal(c->hdr.uid, RPCKIT_UID);
	assert_int_equal(c->ops, 4);
	assert_int_equal(c->op[2].opnum, 38);
	assert_int_equal(c->op[2].count, 33);
	assert_int_equal(c->place.first_ns, 0);
	assert_int_equal(c->place.last_ns, m->len - 1);
	hunt_free(h);
	free(m);
}

static void
a_candidate_that_is_forgotten_is_found_by_nothing(void **state)
{
	struct rpckit *m = rpckit_new();
	struct finds f = { .n = 0 };
	struct hunt_pool pool = { .max = 1 };
	struct hunt *h = hunt_new(&pool, 0, true);

	(void)state;
	RPCKIT_RECORD(m, rpckit_getattr_call(m, 7));
	RPCKIT_RECORD(m, rpckit_getattr_call(m, 8));
	feed(h, m->data, m->len, 0, &f);
	assert_int_equal(chain(h, hunt_newest(h)), 2);
	hunt_forget(h, hunt_by_xid(h, 8));
	assert_null(hunt_by_xid(h, 8));
	assert_null(hunt_by_xid(h, 0));
	assert_null(hunt_by_start(h, 0 + m->len / 2));
	assert_null(hunt_by_end(h, m->len));
	assert_null(hunt_by_end(h, 0));
	/* And it lengthens no chain, also not one that begins at 0. */
	assert_int_equal(chain(h, hunt_by_xid(h, 7)), 1);
	hunt_free(h);
	free(m);
}

static void
a_chain_has_no_gaps(void **state)
{
	struct rpckit *m = rpckit_new();
	struct finds f = { .n = 0 };
	struct hunt_pool pool;
	struct hunt *h = new_hunt(&pool);
	uint32_t xid;

	(void)state;
	for (xid = 0; xid < 5; xid++) {
		if (xid == 2)
			rpckit_u32(m, 0x2e2e2e2e);
		RPCKIT_RECORD(m, rpckit_getattr_call(m, 70 + xid));
	}
	feed(h, m->data, m->len, 0, &f);
	assert_int_equal(chain(h, hunt_by_xid(h, 70)), 1);
	assert_int_equal(chain(h, hunt_by_xid(h, 71)), 2);
	assert_int_equal(chain(h, hunt_by_xid(h, 72)), 1);
	assert_int_equal(chain(h, hunt_by_xid(h, 74)), 3);
	hunt_free(h);
	free(m);
}

static void
nothing_is_found_across_bytes_that_were_not_seen(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t at;

	(void)state;
	RPCKIT_RECORD(m, rpckit_getattr_call(m, 7));
	for (at = 1; at < HUNT_NEED; at++) {
		struct finds f = { .n = 0 };
		struct hunt_pool pool;
		struct hunt *h = new_hunt(&pool);

		feed(h, m->data, at, 0, &f);
		hunt_skip(h, 4, 0, true);
		feed(h, m->data + at, m->len - at, 0, &f);
		assert_int_equal(f.n, 0);
		assert_int_equal(h->origin, 1000 + at + 4);
		hunt_free(h);
	}
	free(m);
}

static void
a_loss_inside_a_candidate_does_not_end_it(void **state)
{
	struct rpckit *m = rpckit_new();
	struct finds f = { .n = 0 };
	struct hunt_pool pool;
	struct hunt *h = new_hunt(&pool);

	(void)state;
	RPCKIT_RECORD(m, rpckit_write_call(m, 7, NULL, 4096));
	RPCKIT_RECORD(m, rpckit_getattr_call(m, 8));
	feed(h, m->data, 200, 0, &f);
	hunt_skip(h, 3000, 0, true);
	feed(h, m->data + 3200, m->len - 3200, 0, &f);
	assert_int_equal(f.n, 2);
	assert_int_equal(h->origin, 1000);
	assert_int_equal(chain(h, hunt_newest(h)), 2);
	assert_int_equal(hunt_by_xid(h, 7)->op[0].count, 4096);
	hunt_free(h);
	free(m);
}

/* Marks and headers that cannot be, RFC 5531 sec. 9 and 11. */
static void
what_cannot_be_a_record_is_no_candidate(void **state)
{
	static const struct {
		size_t		word;
		uint32_t	value;
	} wrong[] = {
		{ 0, HUNT_NEED - 8 },	/* a first fragment, too short */
		{ 0, 0x80000000U | 101 },		/* no multiple of 4 */
		{ 0, 0x80000000U | 16 },		/* too short */
		{ 0, 0x80000000U | (RPCRECORD_MAX + 4) }, /* too long */
		{ 2, 2 },				/* message type */
		{ 3, 3 },				/* RPC version */
		{ 4, 0 },				/* program */
		{ 5, 65 },				/* version */
		{ 6, 1025 },				/* procedure */
		{ 7, 99 },				/* flavor */
		{ 8, 404 },				/* credential */
	};
	struct rpckit *m = rpckit_new();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct finds f = { .n = 0 };
		struct hunt_pool pool;
		struct hunt *h = new_hunt(&pool);
		size_t len;

		rpckit_clear(m);
		RPCKIT_RECORD(m, rpckit_getattr_call(m, 7));
		len = m->len;
		m->len = wrong[i].word * 4;
		rpckit_u32(m, wrong[i].value);
		feed(h, m->data, len, 0, &f);
		if (f.n != 0)
			fail_msg("found with word %zu wrong", wrong[i].word);
		hunt_free(h);
	}
	free(m);
}

static void
the_pool_bounds_how_many_hunt_at_once(void **state)
{
	struct hunt_pool pool = { .max = 2 };
	struct hunt *a = hunt_new(&pool, 0, true);
	struct hunt *b = hunt_new(&pool, 0, true);

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	assert_null(hunt_new(&pool, 0, true));
	hunt_free(a);
	a = hunt_new(&pool, 0, true);
	assert_non_null(a);
	hunt_free(a);
	hunt_free(b);
	hunt_free(NULL);
	assert_int_equal(pool.used, 0);
	assert_true(sizeof(struct hunt) < 64 << 10);
}

static void
any_bytes_come_to_an_end(void **state)
{
	struct rpckit *m = rpckit_new();
	uint64_t chance = 6;
	uint32_t round;

	(void)state;
	for (round = 0; round < 2000; round++) {
		struct finds f = { .n = 0 };
		struct hunt_pool pool;
		struct hunt *h = new_hunt(&pool);
		size_t at = 0, n;

		rpckit_clear(m);
		while (m->len < 600) {
			rpckit_bytes(m, "\x80\0\0\x28", testkit_below(&chance,
			    5));
			if (testkit_below(&chance, 2))
				rpckit_getattr_call(m, round);
			if (testkit_below(&chance, 2))
				RPCKIT_RECORD(m, rpckit_write_call(m, 1, NULL,
				    testkit_below(&chance, 60)));
			m->data[testkit_below(&chance, (uint32_t)m->len + 1)]
			    ^= (uint8_t)testkit_below(&chance, 4);
		}
		while (at < m->len && f.n < 30) {
			n = 1 + testkit_below(&chance, 80);
			if (n > m->len - at)
				n = m->len - at;
			if (testkit_below(&chance, 10) == 0)
				hunt_skip(h, (uint32_t)n, 0,
				    testkit_below(&chance, 2) == 0);
			else
				feed(h, m->data + at, n, 0, &f);
			at += n;
			assert_int_equal(h->seen, 1000 + at);
			if (hunt_newest(h) != NULL &&
			    testkit_below(&chance, 10) == 0)
				hunt_forget(h, hunt_newest(h));
		}
		hunt_free(h);
	}
	free(m);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(calls_and_replies_are_found_at_any_alignment),
		CASE(what_was_walked_of_a_candidate_is_remembered),
		CASE(a_candidate_that_is_forgotten_is_found_by_nothing),
		CASE(a_chain_has_no_gaps),
		CASE(nothing_is_found_across_bytes_that_were_not_seen),
		CASE(a_loss_inside_a_candidate_does_not_end_it),
		CASE(what_cannot_be_a_record_is_no_candidate),
		CASE(the_pool_bounds_how_many_hunt_at_once),
		CASE(any_bytes_come_to_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

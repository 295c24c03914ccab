/* SPDX-License-Identifier: ISC */
/*
 * test_ipfrag_limits.c: what ipfrag forgets, refuses and counts.
 */
#include "ipfrag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "fragkit.h"
#include "testkit.h"

static void
copies_of_a_whole_datagram_start_nothing(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(64, &e);
	struct ipfrag_datagram d;
	uint32_t id, n;

	(void)state;
	for (id = 0; id < 1000; id++) {
		for (n = 0; n < 2 * FRAG_STORY_N; n++)
			/* each fragment twice */
			assert_int_equal(frag_push(f, frag_story(id, n / 2),
			    id, &d), n == 2 * (FRAG_STORY_N - 1));
		assert_true(d.whole);
		assert_int_equal(d.fragments, 12);
		/* and once more all of it */
		for (n = 0; n < FRAG_STORY_N; n++)
			assert_false(frag_push(f, frag_story(id, n), id, &d));
		assert_true(d.whole);
		assert_int_equal(d.seen_len, FRAG_STORY_LEN);
	}
	assert_int_equal(e.n, 0);
	assert_int_equal(ipfrag_held(f), 0);
	assert_int_equal(ipfrag_stats(f)->whole, 1000);
	assert_int_equal(ipfrag_stats(f)->duplicates, 12000);
	assert_int_equal(ipfrag_stats(f)->incomplete, 0);
	ipfrag_free(f);
}

static void
a_whole_datagram_makes_room_for_its_key(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(4, &e);
	struct ipfrag_datagram d;
	int64_t now = 0;
	uint32_t n, turn;

	(void)state;
	for (turn = 0; turn < 3; turn++, now += 2 * NSEC_PER_SEC)
		for (n = 0; n < FRAG_STORY_N; n++)
			assert_int_equal(frag_push(f, frag_story(7, n), now,
			    &d), n == FRAG_STORY_N - 1);
	/* at once, but of another length */
	assert_false(frag_put(f, 7, 8320, 1480, true, &d));
	assert_int_equal(d.fragments, 1);
	assert_int_equal(e.n, 0);
	assert_int_equal(ipfrag_stats(f)->whole, 3);
	assert_int_equal(ipfrag_held(f), 1);
	ipfrag_free(f);
}

static void
a_first_fragment_again_after_5_s_starts_afresh(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(4, &e);
	struct ipfrag_datagram d;

	(void)state;
	frag_push(f, frag_story(7, 0), 0, &d);
	frag_push(f, frag_story(7, 1), 1 * NSEC_PER_SEC, &d);
	frag_push(f, frag_story(7, 0), 5 * NSEC_PER_SEC, &d);	/* a copy */
	assert_int_equal(d.fragments, 3);
	assert_int_equal(e.n, 0);
	frag_push(f, frag_story(7, 0), 11 * NSEC_PER_SEC, &d);
	assert_int_equal(d.fragments, 1);
	assert_int_equal(d.seen_len, 1480);
	assert_int_equal(d.first_ns, 11 * NSEC_PER_SEC);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.last.seen_len, 2960);
	assert_int_equal(e.last.first_ns, 0);
	assert_int_equal(e.last.last_ns, 5 * NSEC_PER_SEC);
	/* a clock set back is as far away */
	frag_push(f, frag_story(7, 0), 0, &d);
	assert_int_equal(d.fragments, 1);
	assert_int_equal(e.n, 2);
	ipfrag_free(f);
}

static void
a_late_first_fragment_that_was_missing_is_taken(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct ipfrag_datagram d;
	uint32_t n;

	(void)state;
	for (n = 1; n < FRAG_STORY_N; n++)
		frag_push(f, frag_story(7, n), 0, &d);
	assert_true(frag_push(f, frag_story(7, 0), 20 * NSEC_PER_SEC, &d));
	frag_is_whole(&d, FRAG_STORY_LEN);
	ipfrag_free(f);
}

static void
a_length_that_contradicts_starts_afresh(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(4, &e);
	struct ipfrag_datagram d;

	(void)state;
	/* another last fragment */
	frag_put(f, 7, 0, 80, true, &d);
	frag_put(f, 7, 160, 40, false, &d);
	assert_false(frag_put(f, 7, 160, 48, false, &d));
	assert_int_equal(d.fragments, 1);
	assert_int_equal(d.total_len, 208);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.last.total_len, 200);
	assert_int_equal(e.last.seen_len, 120);
	/* bytes behind the last */
	assert_false(frag_put(f, 7, 200, 16, true, &d));
	assert_int_equal(d.fragments, 1);
	assert_int_equal(d.total_len, 0);
	assert_int_equal(e.n, 2);
	/* a last one before bytes that were seen */
	assert_false(frag_put(f, 7, 8, 8, false, &d));
	assert_int_equal(d.total_len, 16);
	assert_int_equal(e.n, 3);
	assert_int_equal(ipfrag_held(f), 1);
	assert_true(frag_put(f, 7, 0, 8, true, &d));
	frag_is_whole(&d, 16);
	ipfrag_free(f);
}

static void
a_full_table_evicts_the_oldest_datagram(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(4, &e);
	struct ipfrag_datagram d;
	uint32_t id;

	(void)state;
	for (id = 1; id <= 4; id++)
		frag_push(f, frag_story(id, 0), id, &d);
	frag_push(f, frag_story(1, 1), 5, &d);	/* age counts, not use */
	assert_int_equal(e.n, 0);
	frag_push(f, frag_story(5, 0), 6, &d);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.last.id, 1);
	assert_int_equal(e.last.seen_len, 2960);
	frag_push(f, frag_story(6, 0), 7, &d);
	assert_int_equal(e.last.id, 2);
	assert_int_equal(ipfrag_stats(f)->evicted, 2);
	assert_int_equal(ipfrag_stats(f)->incomplete, 2);
	assert_int_equal(ipfrag_held(f), 4);
	ipfrag_free(f);
}

static void
a_whole_datagram_is_evicted_before_any_other(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(4, &e);
	struct ipfrag_datagram d;
	uint32_t id;

	(void)state;
	for (id = 1; id <= 3; id++)
		frag_put(f, id, 0, 8, true, &d);
	frag_put(f, 4, 0, 8, true, &d);
	assert_true(frag_put(f, 4, 8, 8, false, &d));
	frag_put(f, 5, 0, 8, true, &d);
	assert_int_equal(e.n, 0);
	assert_int_equal(ipfrag_held(f), 4);
	assert_int_equal(ipfrag_stats(f)->evicted, 0);
	for (id = 1; id <= 5; id++)
		assert_int_equal(frag_put(f, id, 8, 8, false, &d), id != 4);
	ipfrag_free(f);
}

static void
a_capacity_of_one_works(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(1, &e);
	struct ipfrag_datagram d;
	uint32_t id;

	(void)state;
	for (id = 1; id <= 4; id++) {
		assert_false(frag_put(f, id, 0, 8, true, &d));
		assert_true(frag_put(f, id, 8, 8, false, &d));
		frag_is_whole(&d, 16);
	}
	frag_put(f, 5, 0, 8, true, &d);
	frag_put(f, 6, 0, 8, true, &d);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.last.id, 5);
	ipfrag_free(f);
}

static void
what_is_older_than_its_age_is_incomplete(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(8, &e);
	struct ipfrag_datagram d;

	(void)state;
	frag_push(f, frag_story(1, 0), 0, &d);
	frag_push(f, frag_story(2, 0), 10 * NSEC_PER_SEC, &d);
	frag_push(f, frag_story(1, 1), 29 * NSEC_PER_SEC, &d);
	ipfrag_advance(f, 30 * NSEC_PER_SEC - 1);
	assert_int_equal(e.n, 0);
	ipfrag_advance(f, 30 * NSEC_PER_SEC);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.last.id, 1);
	assert_int_equal(e.last.last_ns, 29 * NSEC_PER_SEC);
	assert_int_equal(ipfrag_held(f), 1);
	ipfrag_advance(f, 41 * NSEC_PER_SEC);
	assert_int_equal(e.n, 2);
	assert_int_equal(ipfrag_held(f), 0);
	assert_int_equal(ipfrag_stats(f)->incomplete, 2);
	assert_int_equal(ipfrag_stats(f)->evicted, 0);
	ipfrag_advance(f, INT64_MIN);
	ipfrag_advance(f, INT64_MAX);
	ipfrag_free(f);
}

static void
flushing_forgets_whole_datagrams_silently(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(8, &e);
	struct ipfrag_datagram d;

	(void)state;
	frag_put(f, 1, 0, 8, true, &d);
	assert_true(frag_put(f, 1, 8, 8, false, &d));
	ipfrag_flush(f);
	assert_int_equal(e.n, 0);
	assert_false(frag_put(f, 1, 0, 8, true, &d));
	assert_int_equal(d.fragments, 1);
	assert_true(frag_put(f, 1, 8, 8, false, &d));
	ipfrag_free(f);
}

static void
fragments_that_cannot_be_are_ignored(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct ipfrag_datagram d;
	uint8_t *mark;
	struct frag_piece p = { 7, 65528, 8, false, 0 };
	struct ip_packet ip = frag_packet(&p);

	(void)state;
	/* 65528 + 8 is one more than 16 bits of length can say */
	assert_false(ipfrag_push(f, &ip, 0, &d, &mark));
	assert_int_equal(d.head.len, 0);
	assert_int_equal(d.seen_len, 0);
	assert_int_equal(*mark, 0);
	assert_false(frag_put(f, 7, 8, 0, false, &d));	/* empty */
	assert_false(frag_put(f, 7, 0, 12, true, &d));	/* no multiple of 8 */
	p = (struct frag_piece){ 7, 8, UINT32_MAX, true, 0 };
	assert_false(frag_push(f, p, 0, &d));
	assert_int_equal(ipfrag_stats(f)->bad, 4);
	assert_int_equal(ipfrag_stats(f)->fragments, 4);
	assert_int_equal(ipfrag_held(f), 0);
	ipfrag_free(f);
}

static void
too_many_holes_are_counted_and_do_no_harm(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(4, &e);
	struct ipfrag_datagram d;
	uint32_t n;

	(void)state;
	/* every other unit of 8: 64 ranges apart, 32 of them are kept */
	for (n = 0; n < 64; n++)
		assert_false(frag_put(f, 7, n * 16, 8, true, &d));
	assert_int_equal(ipfrag_stats(f)->dropped, 32);
	assert_int_equal(d.seen_len, 32 * 8);
	assert_int_equal(d.head.len, 8);
	for (n = 0; n < 64; n++)
		frag_put(f, 7, n * 16 + 8, 8, n < 63, &d);
	assert_int_equal(d.seen_len, 64 * 8 + 31 * 8);
	assert_int_equal(ipfrag_stats(f)->dropped, 33);
	assert_int_equal(d.head.len, 64 * 8);
	assert_memory_equal(d.head.data, frag_text(), 64 * 8);
	/* the same once more brings what was dropped */
	for (n = 32; n < 63; n++)
		assert_false(frag_put(f, 7, n * 16, 16, true, &d));
	assert_true(frag_put(f, 7, 63 * 16, 16, false, &d));
	frag_is_whole(&d, 1024);
	ipfrag_free(f);
}

/*
 * Whatever comes: no byte is read or written outside, and what is held adds
 * up.  The text is what it should be, as all fragments take it from there.
 */
static void
random_fragments_do_no_harm(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(4, &e);
	const struct ipfrag_stats *s = ipfrag_stats(f);
	struct ipfrag_datagram d;
	uint64_t chance = 22;
	int64_t now = 0;
	int n;

	(void)state;
	for (n = 0; n < 100000; n++) {
		uint32_t span = n % 3000 < 1500 ? 16 : 160;
		struct frag_piece p = {
			.id = testkit_below(&chance, 6),
			.offset = testkit_below(&chance, 8) * span,
			.len = testkit_below(&chance, 8) * span,
			.more = testkit_below(&chance, 4) > 0,
			.snap = testkit_below(&chance, 300),
		};

		if (!p.more)
			p.len += testkit_below(&chance, 8);
		if (n % 50 == 0)
			p.offset = 65000 + testkit_below(&chance, 67) * 8;
		/* forward by 0.5 s on average, sometimes back */
		now += testkit_below(&chance, 100) * 20 * NSEC_PER_MSEC -
		    NSEC_PER_SEC / 2;
		frag_push(f, p, now, &d);
		assert_true(d.head.len <= d.head_want);
		assert_true(d.head_want <= IPFRAG_HEAD_MAX);
		assert_true(d.total_len == 0 || d.seen_len <= d.total_len);
		assert_memory_equal(d.head.data, frag_text(), d.head.len);
		if (n % 10 == 0)
			ipfrag_advance(f, now);
		assert_true(ipfrag_held(f) <= 4);
	}
	ipfrag_flush(f);
	assert_int_equal(ipfrag_held(f), 0);
	assert_int_equal(e.n, s->incomplete);
	assert_true(s->whole > 100);
	assert_true(s->evicted > 100);
	assert_true(s->bad > 100);
	ipfrag_free(f);
}

static void
defaults_stand_for_zeroes(void **state)
{
	const struct ipfrag_config config = { .seed = { 1, 2 } };
	struct ipfrag *f = ipfrag_new(&config);
	struct ipfrag_datagram d;
	uint32_t id;

	(void)state;
	assert_non_null(f);
	for (id = 0; id < 4097; id++)
		frag_push(f, frag_story(id, 0), 1, &d);
	assert_int_equal(ipfrag_held(f), 4096);
	assert_int_equal(ipfrag_stats(f)->evicted, 1);
	ipfrag_advance(f, 30 * NSEC_PER_SEC);
	assert_int_equal(ipfrag_held(f), 4096);
	ipfrag_advance(f, 30 * NSEC_PER_SEC + 1);
	assert_int_equal(ipfrag_held(f), 0);
	ipfrag_free(f);
	ipfrag_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_of_a_whole_datagram_start_nothing),
		cmocka_unit_test(a_whole_datagram_makes_room_for_its_key),
		cmocka_unit_test(
		    a_first_fragment_again_after_5_s_starts_afresh),
		cmocka_unit_test(
		    a_late_first_fragment_that_was_missing_is_taken),
		cmocka_unit_test(a_length_that_contradicts_starts_afresh),
		cmocka_unit_test(a_full_table_evicts_the_oldest_datagram),
		cmocka_unit_test(a_whole_datagram_is_evicted_before_any_other),
		cmocka_unit_test(a_capacity_of_one_works),
		cmocka_unit_test(what_is_older_than_its_age_is_incomplete),
		cmocka_unit_test(flushing_forgets_whole_datagrams_silently),
		cmocka_unit_test(fragments_that_cannot_be_are_ignored),
		cmocka_unit_test(too_many_holes_are_counted_and_do_no_harm),
		cmocka_unit_test(random_fragments_do_no_harm),
		cmocka_unit_test(defaults_stand_for_zeroes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

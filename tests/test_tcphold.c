/* SPDX-License-Identifier: ISC */
/*
 * test_tcphold.c: segments that wait, in order and within bounds.
 */
#include "tcphold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

static const uint8_t text[4096];

static bool
keep(struct tcphold *h, struct tcphold_list *l, uint64_t off, uint32_t len,
    uint32_t have)
{
	uint8_t *copy = testkit_copy(text, have);
	bool kept = tcphold_keep(h, l, off, bytes_of(copy, have), len,
	    (int64_t)off);

	testkit_free(copy);
	return kept;
}

static void
segments_are_given_back_by_offset(void **state)
{
	struct tcphold h = { 1 << 20, 0 };
	struct tcphold_list l = { .bytes = 0 };
	struct tcphold_segment *s;
	uint64_t chance = 4, last = 0;
	uint32_t i;

	(void)state;
	for (i = 0; i < 500; i++)
		assert_true(keep(&h, &l, testkit_below(&chance, 300), 10, 4));
	assert_int_equal(l.bytes, h.used);
	for (i = 0; l.first != NULL; i++) {
		s = tcphold_take(&l);
		assert_true(s->off >= last);
		assert_int_equal(s->time_ns, s->off);
		assert_int_equal(s->len, 10);
		assert_int_equal(s->have, 4);
		last = s->off;
		tcphold_free(&h, s);
	}
	assert_int_equal(i, 500);
	assert_int_equal(h.used, 0);
	assert_int_equal(l.bytes, 0);
}

static void
what_is_held_of_a_range_counts_each_byte_once(void **state)
{
	struct tcphold h = { 1 << 20, 0 };
	struct tcphold_list l = { .bytes = 0 };

	(void)state;
	assert_int_equal(tcphold_part(&l, 0, 1000), 0);
	keep(&h, &l, 100, 50, 0);
	keep(&h, &l, 200, 100, 0);
	keep(&h, &l, 210, 20, 0);	/* inside */
	keep(&h, &l, 250, 100, 0);	/* overlaps */
	assert_int_equal(l.end, 350);
	assert_int_equal(tcphold_part(&l, 0, 1000), 200);
	assert_int_equal(tcphold_part(&l, 0, 100), 0);
	assert_int_equal(tcphold_part(&l, 149, 201), 2);
	assert_int_equal(tcphold_part(&l, 150, 200), 0);
	assert_int_equal(tcphold_part(&l, 220, 320), 100);
	assert_int_equal(tcphold_part(&l, 349, 1000), 1);
	assert_int_equal(tcphold_part(&l, 350, 1000), 0);
	tcphold_drop(&h, &l);
	assert_int_equal(h.used, 0);
	assert_int_equal(tcphold_part(&l, 0, 1000), 0);
	keep(&h, &l, 5, 5, 0);		/* the list begins anew */
	assert_int_equal(l.end, 10);
	tcphold_drop(&h, &l);
}

static void
there_is_a_bound_for_one_stream_and_one_for_all(void **state)
{
	struct tcphold h = { 10000, 0 };
	struct tcphold_list a = { .bytes = 0 }, b = { .bytes = 0 };

	(void)state;
	assert_true(keep(&h, &a, 0, 4000, 4000));
	assert_true(keep(&h, &b, 0, 4000, 4000));
	assert_false(keep(&h, &b, 4000, 2000, 2000));
	assert_true(keep(&h, &a, 4000, 1000, 1000));
	assert_true(h.used <= 10000 && h.used > 9000);
	tcphold_drop(&h, &a);
	assert_true(keep(&h, &b, 4000, 2000, 2000));
	h.max = UINT64_MAX;
	while (keep(&h, &b, 9999, 1, 0))
		assert_true(b.bytes <= TCPHOLD_STREAM_MAX);
	assert_true(b.bytes > TCPHOLD_STREAM_MAX - 100);
	assert_false(keep(&h, &b, 0, 1, 0));
	tcphold_drop(&h, &b);
	assert_int_equal(h.used, 0);
	assert_false(tcphold_keep(&h, &a, 0,
	    bytes_of(text, (size_t)TCPHOLD_STREAM_MAX + 1), 1, 0));
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(segments_are_given_back_by_offset),
		CASE(what_is_held_of_a_range_counts_each_byte_once),
		CASE(there_is_a_bound_for_one_stream_and_one_for_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_tcpstream_random.c: streams cut, disordered, doubled and lost at random,
 * held against their text.
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

static void
tick_times(struct streamkit *k, unsigned int n)
{
	while (n-- > 0)
		streamkit_tick(k);
}

struct cut {
	uint32_t	off, len;
	bool		lost;
};
#define CUTS	400

/* Cuts total bytes at random into at most CUTS pieces that may overlap. */
static uint32_t
cut_up(struct cut *cut, uint32_t total, uint32_t most, uint64_t *chance)
{
	uint32_t n = 0, at = 0;

	while (at < total && n < CUTS) {
		uint32_t len = 1 + testkit_below(chance, most);
		uint32_t more = testkit_below(chance, 8) == 0 ?
		    testkit_below(chance, most) : 0;

		cut[n].off = at;
		at += len < total - at ? len : total - at;
		cut[n].len = at - cut[n].off + more;
		if (cut[n].off + cut[n].len > total)
			cut[n].len = total - cut[n].off;
		cut[n++].lost = false;
	}
	return n;
}

/* Moves each piece but the first by at most window places, and doubles some. */
static uint32_t
disorder(struct cut *cut, uint32_t n, uint32_t window, uint64_t *chance)
{
	uint32_t i, m = n;

	for (i = 1; i + 1 < n; i++) {
		uint32_t j = i + testkit_below(chance, window);
		struct cut c = cut[i];

		if (j >= n)
			continue;
		cut[i] = cut[j];
		cut[j] = c;
	}
	for (i = 0; i < n && m < 2 * CUTS; i++)
		if (testkit_below(chance, 6) == 0) {
			uint32_t at = i + testkit_below(chance, m - i) + 1;

			memmove(cut + at + 1, cut + at, (m - at) *
			    sizeof(*cut));
			cut[at] = cut[i];
			m++;
		}
	return m;
}

static void
push_all(struct streamkit *k, const struct cut *cut, uint32_t n)
{
	uint64_t sent = k->r.fresh + k->r.again + k->r.filled;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (cut[i].lost)
			continue;
		k->now_ns += 1000;
		streamkit_push(k, cut[i].off, cut[i].len);
		sent += cut[i].len;
		assert_int_equal(k->r.fresh + k->r.again + k->r.filled, sent);
	}
}

static void
some_unneeded(struct streamkit *k, uint32_t total, uint64_t *chance)
{
	uint32_t at = 0, len;
	bool unneeded = false;

	while (at < total) {
		len = 1 + testkit_below(chance, total / 4);
		if (len > total - at)
			len = total - at;
		memset(k->unneeded + at, unneeded, len);
		unneeded = !unneeded;
		at += len;
	}
}

static void
any_order_gives_every_byte_once_and_in_order(void **state)
{
	uint64_t chance = 1;
	struct cut cut[2 * CUTS + 1];
	uint32_t round;

	(void)state;
	for (round = 0; round < 300; round++) {
		uint32_t base = testkit_below(&chance, 2) ?
		    0U - testkit_below(&chance, 20000) :
		    (uint32_t)testkit_random(&chance);
		uint32_t total = 1 + testkit_below(&chance, 20000);
		struct streamkit *k = streamkit_new(base);
		uint32_t n = cut_up(cut, total, total / 20 + 1, &chance);

		if (testkit_below(&chance, 2))
			tcpstream_syn(&k->s, &k->hold, base - 1);
		n = disorder(cut, n, 1 + testkit_below(&chance, 30), &chance);
		push_all(k, cut, n);
		assert_int_equal(k->data, total);
		assert_int_equal(k->pos, total);
		assert_int_equal(k->r.fresh + k->r.filled, total);
		assert_int_equal(k->r.lost, 0);
		assert_false(tcpstream_troubled(&k->s));
		assert_int_equal(k->hold.used, 0);
		streamkit_free(k);
	}
}

static void
what_is_fresh_filled_and_lost_is_the_whole_stream(void **state)
{
	uint64_t chance = 2;
	struct cut cut[2 * CUTS + 1];
	uint32_t round, i;

	(void)state;
	for (round = 0; round < 300; round++) {
		struct streamkit *k = streamkit_new(
		    (uint32_t)testkit_random(&chance));
		uint32_t total = 2 + testkit_below(&chance, 20000);
		uint32_t n = cut_up(cut, total, total / 20 + 1, &chance);

		some_unneeded(k, total, &chance);
		n = disorder(cut, n, 1 + testkit_below(&chance, 10), &chance);
		for (i = 1; i + 1 < n; i++)
			cut[i].lost = testkit_below(&chance, 10) == 0;
		if (testkit_below(&chance, 3) == 0)
			k->hold.max = testkit_below(&chance, 4000);
		for (i = 0; i < n; i += 10) {
			push_all(k, cut + i, n - i < 10 ? n - i : 10);
			if (testkit_below(&chance, 3) == 0)
				streamkit_ack(k, cut[i].off);
			tick_times(k, testkit_below(&chance, 20));
		}
		streamkit_flush(k);
		assert_int_equal(k->r.fresh + k->r.filled + k->r.lost,
		    k->pos);
		assert_int_equal(k->data + k->skipped + k->lost_skipped,
		    k->pos);
		assert_false(tcpstream_troubled(&k->s));
		streamkit_free(k);
	}
}

static void
bytes_are_lost_only_where_no_segment_brought_them(void **state)
{
	uint64_t chance = 3;
	struct cut cut[2 * CUTS + 1];
	static uint8_t seen[20000];
	uint32_t round, i, missing;

	(void)state;
	for (round = 0; round < 300; round++) {
		struct streamkit *k = streamkit_new(
		    (uint32_t)testkit_random(&chance));
		uint32_t total = 2 + testkit_below(&chance, 19000);
		uint32_t n = cut_up(cut, total, total / 20 + 1, &chance);

		memset(seen, 0, sizeof(seen));
		n = disorder(cut, n, 1 + testkit_below(&chance, 10), &chance);
		for (i = 1; i < n; i++)
			cut[i].lost = cut[i].off + cut[i].len < total &&
			    testkit_below(&chance, 8) == 0;
		for (i = 0; i < n; i++)
			if (!cut[i].lost)
				memset(seen + cut[i].off, 1, cut[i].len);
		push_all(k, cut, n);
		streamkit_ack(k, total);
		while (k->s.stuck)
			streamkit_tick(k);
		for (i = missing = 0; i < total; i++) {
			assert_int_equal(k->got[i], seen[i] ? 'd' : 'l');
			missing += !seen[i];
		}
		assert_int_equal(k->pos, total);
		assert_int_equal(k->r.lost, missing);
		assert_int_equal(k->r.fresh + k->r.filled, total - missing);
		streamkit_free(k);
	}
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(any_order_gives_every_byte_once_and_in_order),
		CASE(what_is_fresh_filled_and_lost_is_the_whole_stream),
		CASE(bytes_are_lost_only_where_no_segment_brought_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

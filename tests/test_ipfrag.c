/* SPDX-License-Identifier: ISC */
/*
 * test_ipfrag.c: fragments in every order to whole datagrams.
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
a_datagram_in_order_is_whole_with_its_last_fragment(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct ipfrag_datagram d;
	uint32_t n;

	(void)state;
	for (n = 0; n < FRAG_STORY_N - 1; n++) {
		assert_false(frag_push(f, frag_story(7, n), 100 + n, &d));
		assert_false(d.whole);
		assert_int_equal(d.total_len, 0);
		assert_int_equal(d.seen_len, (n + 1) * 1480);
		assert_int_equal(d.head.len, IPFRAG_HEAD_MAX);
	}
	assert_int_equal(ipfrag_held(f), 1);
	assert_true(frag_push(f, frag_story(7, n), 100 + n, &d));
	frag_is_whole(&d, FRAG_STORY_LEN);
	assert_int_equal(d.id, 7);
	assert_int_equal(d.proto, IP_PROTO_UDP);
	assert_int_equal(d.fragments, 6);
	assert_int_equal(d.first_ns, 100);
	assert_int_equal(d.last_ns, 105);
	assert_int_equal(d.src.b[15], 3);
	assert_int_equal(d.dst.b[15], 1);
	assert_int_equal(ipfrag_held(f), 0);
	assert_int_equal(ipfrag_stats(f)->fragments, 6);
	assert_int_equal(ipfrag_stats(f)->whole, 1);
	assert_int_equal(ipfrag_stats(f)->duplicates, 0);
	ipfrag_free(f);
}

static void
a_datagram_in_reverse_order_is_whole(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct ipfrag_datagram d;
	uint32_t n;

	(void)state;
	for (n = FRAG_STORY_N - 1; n > 0; n--) {
		assert_false(frag_push(f, frag_story(7, n), 0, &d));
		assert_int_equal(d.total_len, FRAG_STORY_LEN);
		assert_int_equal(d.head.len, 0);
		assert_int_equal(d.head_want, 0);
	}
	assert_true(frag_push(f, frag_story(7, 0), 0, &d));
	frag_is_whole(&d, FRAG_STORY_LEN);
	ipfrag_free(f);
}

static void
a_datagram_without_one_fragment_is_never_whole(void **state)
{
	struct frag_ended e;
	struct ipfrag *f = frag_new(8, &e);
	struct ipfrag_datagram d;
	uint32_t lost, n;

	(void)state;
	for (lost = 0; lost < FRAG_STORY_N; lost++) {
		for (n = 0; n < FRAG_STORY_N; n++)
			if (n != lost)
				assert_false(frag_push(f, frag_story(lost, n),
				    0, &d));
	}
	assert_int_equal(ipfrag_held(f), 6);
	ipfrag_flush(f);
	assert_int_equal(e.n, 6);
	assert_int_equal(e.last.id, 5);
	assert_int_equal(e.last.seen_len, 5 * 1480);
	assert_int_equal(e.last.total_len, 0);
	assert_int_equal(e.last.head.len, IPFRAG_HEAD_MAX);
	assert_memory_equal(e.head, frag_text(), IPFRAG_HEAD_MAX);
	assert_int_equal(ipfrag_stats(f)->incomplete, 6);
	assert_int_equal(ipfrag_stats(f)->evicted, 0);
	assert_int_equal(ipfrag_held(f), 0);
	ipfrag_free(f);
}

static void
the_key_is_all_of_addresses_id_and_protocol(void **state)
{
	struct ipfrag *f = frag_new(16, NULL);
	struct frag_piece first = frag_story(7, 0), last = { 7, 1480, 8, false,
		FRAG_UNCUT };
	struct ip_packet ip;
	struct ipfrag_datagram d;
	int i;

	(void)state;
	assert_false(frag_push(f, first, 0, &d));
	for (i = 0; i < 4; i++) {
		ip = frag_packet(&last);
		ip.payload = bytes_of(frag_text() + 1480, 8);
		if (i == 0)
			ip.src.b[15] ^= 1;
		if (i == 1)
			ip.dst.b[15] ^= 1;
		if (i == 2)
			ip.frag_id ^= 0x10000;	/* IPv6 has 32 bits */
		if (i == 3)
			ip.proto = IP_PROTO_TCP;
		assert_false(ipfrag_push(f, &ip, 0, &d, NULL));
	}
	assert_int_equal(ipfrag_held(f), 5);
	assert_true(frag_push(f, last, 0, &d));
	frag_is_whole(&d, 1488);
	ipfrag_free(f);
}

/*
 * Cuts the text's first total bytes at random multiples of 8, in at most 64
 * pieces, some of them longer than up to where the next starts.
 */
static uint32_t
cut_text(struct frag_piece *pieces, uint32_t id, uint32_t total,
    uint32_t overlap, uint64_t *chance)
{
	uint32_t n = 0, at = 0, units = (total + 7) / 8, most, len;

	while (at < total) {
		most = units / 8 + 1;
		len = (testkit_below(chance, most) + 1) * 8;
		if (n == 63 || at + len > total)
			len = total - at;
		pieces[n].id = id;
		pieces[n].offset = at;
		pieces[n].snap = FRAG_UNCUT;
		at += len;
		if (overlap > 0 && at < total)
			len += testkit_below(chance, overlap) * 8;
		if (pieces[n].offset + len > total)
			len = total - pieces[n].offset;
		pieces[n].len = len;
		pieces[n].more = pieces[n].offset + len < total;
		n++;
	}
	return n;
}

/* Pushes pieces by number until all bytes came by; it is whole exactly then. */
static void
push_until_whole(struct ipfrag *f, const struct frag_piece *pieces,
    const uint32_t *numbers, uint32_t n, uint32_t total)
{
	static uint8_t seen[FRAG_TEXT_MAX];
	struct ipfrag_datagram d = { .whole = false };
	uint32_t i, left = total, at, count = 0;
	bool whole;

	memset(seen, 0, total);
	for (i = 0; i < n; i++) {
		const struct frag_piece *p = &pieces[numbers[i]];

		whole = frag_push(f, *p, i, &d);
		for (at = p->offset; at < p->offset + p->len; at++) {
			left -= seen[at] == 0;
			seen[at] = 1;
		}
		assert_int_equal(whole, left == 0 && count == 0);
		count += whole ? 1U : 0U;
		assert_int_equal(d.seen_len, total - left);
		assert_int_equal(d.fragments, i + 1);
		if (left == 0)
			frag_is_whole(&d, total);
	}
	assert_int_equal(left, 0);
}

static void
any_cut_order_and_copies_give_the_text(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct frag_piece pieces[64];
	uint32_t numbers[128], n, i, total, id;
	uint64_t chance = 20;

	(void)state;
	for (id = 0; id < 3000; id++) {
		/* small ones often: their holes are inside the head */
		total = 9 + testkit_below(&chance, id % 2 ? 2000 : 65527);
		n = cut_text(pieces, id, total, 0, &chance);
		if (n < 2)
			continue;
		for (i = 0; i < 2 * n; i++)
			numbers[i] = i % n;
		testkit_shuffle(&chance, numbers, id % 3 ? n : 2 * n);
		push_until_whole(f, pieces, numbers, id % 3 ? n : 2 * n,
		    total);
	}
	assert_int_equal(ipfrag_held(f), 0);
	assert_int_equal(ipfrag_stats(f)->incomplete, 0);
	assert_int_equal(ipfrag_stats(f)->dropped, 0);
	ipfrag_free(f);
}

static void
overlaps_give_the_text_too(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct frag_piece pieces[64];
	uint32_t numbers[64], n, i, total, id;
	uint64_t chance = 21;

	(void)state;
	for (id = 0; id < 2000; id++) {
		total = 64 + testkit_below(&chance, id % 2 ? 2000 : 60000);
		n = cut_text(pieces, id, total, total / 64 + 2, &chance);
		if (n < 2)
			continue;
		for (i = 0; i < n; i++)
			numbers[i] = i;
		testkit_shuffle(&chance, numbers, n);
		push_until_whole(f, pieces, numbers, n, total);
	}
	assert_int_equal(ipfrag_held(f), 0);
	assert_true(ipfrag_stats(f)->duplicates > 1000);
	ipfrag_free(f);
}

static void
the_first_bytes_seen_win(void **state)
{
	static const uint8_t other[32] = { 0 };
	struct ipfrag *f = frag_new(4, NULL);
	struct frag_piece p = { 7, 8, 8, true, FRAG_UNCUT };
	struct ip_packet ip;
	struct ipfrag_datagram d;

	(void)state;
	assert_false(frag_push(f, p, 0, &d));
	p.offset = 24;
	assert_false(frag_push(f, p, 0, &d));
	p.offset = 0;
	p.len = 32;
	ip = frag_packet(&p);
	ip.payload = bytes_of(other, 32);
	assert_false(ipfrag_push(f, &ip, 0, &d, NULL));
	assert_int_equal(d.head.len, 32);
	assert_memory_equal(d.head.data, other, 8);
	assert_memory_equal(d.head.data + 8, frag_text() + 8, 8);
	assert_memory_equal(d.head.data + 16, other, 8);
	assert_memory_equal(d.head.data + 24, frag_text() + 24, 8);
	assert_int_equal(ipfrag_stats(f)->duplicates, 1);
	ipfrag_free(f);
}

static void
the_head_stops_where_the_first_fragment_was_cut(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct ipfrag_datagram d;
	uint32_t n;

	(void)state;
	for (n = 0; n < FRAG_STORY_N; n++) {
		struct frag_piece p = frag_story(7, n);

		p.snap = 94;
		assert_int_equal(frag_push(f, p, 0, &d), n == FRAG_STORY_N - 1);
		assert_int_equal(d.head.len, 94);
		assert_int_equal(d.head_want, IPFRAG_HEAD_MAX);
	}
	assert_int_equal(d.seen_len, FRAG_STORY_LEN);
	assert_memory_equal(d.head.data, frag_text(), 94);
	ipfrag_free(f);
}

static void
a_cut_small_fragment_hides_the_next_from_the_head(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct frag_piece p = { 7, 0, 64, true, 40 };
	struct ipfrag_datagram d;

	(void)state;
	assert_false(frag_push(f, p, 0, &d));
	p.offset = 64;
	assert_false(frag_push(f, p, 0, &d));
	assert_int_equal(d.head.len, 40);
	assert_int_equal(d.head_want, 128);
	/* a copy that was not cut fills it */
	p.offset = 0;
	p.snap = FRAG_UNCUT;
	assert_false(frag_push(f, p, 0, &d));
	assert_int_equal(d.head.len, 64 + 40);
	assert_memory_equal(d.head.data, frag_text(), 104);
	/* one of which nothing was captured counts all the same */
	p = (struct frag_piece){ 7, 128, 72, false, 0 };
	assert_true(frag_push(f, p, 0, &d));
	assert_int_equal(d.total_len, 200);
	assert_int_equal(d.head_want, 200);
	assert_int_equal(d.head.len, 104);
	ipfrag_free(f);
}

static void
a_mark_stays_with_its_datagram(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct ipfrag_datagram d;
	struct ip_packet ip;
	uint8_t *mark;
	uint32_t id, n;

	(void)state;
	for (n = 0; n < FRAG_STORY_N; n++) {
		for (id = 1; id <= 3; id++) {
			struct frag_piece p = frag_story(id, n);

			ip = frag_packet(&p);
			ip.payload = bytes_of(frag_text() + p.offset, p.len);
			ipfrag_push(f, &ip, 0, &d, &mark);
			assert_int_equal(*mark, n == 0 ? 0 : id + n);
			assert_int_equal(d.mark, *mark);
			*mark = (uint8_t)(id + n + 1);
		}
	}
	ipfrag_free(f);
}

static void
a_packet_that_is_no_fragment_is_whole(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct frag_piece p = { 0, 0, 1000, false, FRAG_UNCUT };
	struct ip_packet ip = frag_packet(&p);
	struct ipfrag_datagram d;
	uint8_t *mark;

	(void)state;
	ip.payload = bytes_of(frag_text(), 1000);
	assert_true(ipfrag_push(f, &ip, 5, &d, &mark));
	frag_is_whole(&d, 1000);
	assert_int_equal(d.first_ns, 5);
	assert_int_equal(*mark, 0);
	*mark = 9;
	ip.payload = bytes_of(frag_text(), 100);
	assert_true(ipfrag_push(f, &ip, 5, &d, &mark));
	assert_int_equal(d.head.len, 100);
	assert_int_equal(d.head_want, IPFRAG_HEAD_MAX);
	assert_int_equal(*mark, 0);
	assert_int_equal(ipfrag_held(f), 0);
	assert_int_equal(ipfrag_stats(f)->fragments, 0);
	ipfrag_free(f);
}

static void
the_longest_datagram_is_whole(void **state)
{
	struct ipfrag *f = frag_new(4, NULL);
	struct ipfrag_datagram d;

	(void)state;
	assert_false(frag_put(f, 7, 65528, 7, false, &d));
	assert_false(frag_put(f, 7, 32768, 32760, true, &d));
	assert_true(frag_put(f, 7, 0, 32768, true, &d));
	frag_is_whole(&d, 65535);
	ipfrag_free(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_datagram_in_order_is_whole_with_its_last_fragment),
		cmocka_unit_test(a_datagram_in_reverse_order_is_whole),
		cmocka_unit_test(
		    a_datagram_without_one_fragment_is_never_whole),
		cmocka_unit_test(the_key_is_all_of_addresses_id_and_protocol),
		cmocka_unit_test(any_cut_order_and_copies_give_the_text),
		cmocka_unit_test(overlaps_give_the_text_too),
		cmocka_unit_test(the_first_bytes_seen_win),
		cmocka_unit_test(
		    the_head_stops_where_the_first_fragment_was_cut),
		cmocka_unit_test(
		    a_cut_small_fragment_hides_the_next_from_the_head),
		cmocka_unit_test(a_mark_stays_with_its_datagram),
		cmocka_unit_test(a_packet_that_is_no_fragment_is_whole),
		cmocka_unit_test(the_longest_datagram_is_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * streamkit.c: a tcpstream with a consumer, see streamkit.h.
 */
#include "streamkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

struct streamkit *
streamkit_new(uint32_t base)
{
	struct streamkit *k = calloc(1, sizeof(*k));

	assert_non_null(k);
	tcpstream_init(&k->s);
	k->hold.max = 4U << 20;
	k->base = base;
	return k;
}

void
streamkit_free(struct streamkit *k)
{
	tcpstream_clear(&k->s, &k->hold);
	assert_int_equal(k->hold.used, 0);
	assert_int_equal(k->s.held.bytes, 0);
	free(k);
}

uint8_t
streamkit_text(uint64_t off)
{
	return (uint8_t)(off * 7 + off / 251 + 1);
}

static void
note(struct streamkit *k, char what, uint32_t len, int64_t time_ns)
{
	uint32_t i;

	for (i = 0; i < len && k->pos + i < STREAMKIT_MAX; i++) {
		k->got[k->pos + i] = (uint8_t)what;
		k->time_of[k->pos + i] = time_ns;
	}
	k->pos += len;
}

static void
on_data(void *ctx, uint64_t off, const uint8_t *data, uint32_t len,
    int64_t time_ns)
{
	struct streamkit *k = ctx;
	uint32_t i;

	assert_int_equal(off, k->pos);
	assert_true(len > 0);
	for (i = 0; i < len && !k->no_text; i++)
		if (data[i] != streamkit_text(off + i))
			fail_msg("wrong byte at %ju", (uintmax_t)(off + i));
	note(k, 'd', len, time_ns);
	k->data += len;
}

static void
on_skip(void *ctx, uint64_t off, uint32_t len, int64_t time_ns, bool lost)
{
	struct streamkit *k = ctx;

	assert_int_equal(off, k->pos);
	assert_true(len > 0);
	note(k, lost ? 'l' : 's', len, time_ns);
	if (lost)
		k->lost_skipped += len;
	else
		k->skipped += len;
}

static uint32_t
on_indifferent(void *ctx)
{
	struct streamkit *k = ctx;
	uint32_t n = 0;

	if (k->indifferent)
		return UINT32_MAX;
	while (k->pos + n < STREAMKIT_MAX && k->unneeded[k->pos + n])
		n++;
	return n;
}

static const struct tcpstream_sink sink = {
	on_data, on_skip, on_indifferent, NULL
};

void
streamkit_push_seq(struct streamkit *k, uint32_t seq, uint32_t len,
    uint32_t have)
{
	uint8_t text[65536], *copy;
	uint32_t i;

	if (have > sizeof(text))
		have = sizeof(text);
	for (i = 0; i < have; i++)
		text[i] = streamkit_text((uint64_t)(seq - k->base) + i);
	copy = testkit_copy(text, have);
	tcpstream_push(&k->s, &k->hold, &sink, k, seq, bytes_of(copy, have),
	    len, k->now_ns, &k->r);
	testkit_free(copy);
	assert_true(k->hold.used <= k->hold.max);
	assert_true(k->s.held.bytes <= TCPHOLD_STREAM_MAX);
	assert_int_equal(k->s.pos, k->pos);
	assert_true(tcpstream_settled(&k->s) <= k->pos);
}

void
streamkit_push_cut(struct streamkit *k, uint64_t off, uint32_t len,
    uint32_t have)
{
	streamkit_push_seq(k, k->base + (uint32_t)off, len, have);
}

void
streamkit_push(struct streamkit *k, uint64_t off, uint32_t len)
{
	streamkit_push_cut(k, off, len, len);
}

void
streamkit_ack(struct streamkit *k, uint64_t off)
{
	tcpstream_ack(&k->s, k->base + (uint32_t)off, k->now_ns);
}

void
streamkit_tick(struct streamkit *k)
{
	tcpstream_tick(&k->s, &k->hold, &sink, k, k->now_ns, &k->r);
}

void
streamkit_hurry(struct streamkit *k)
{
	tcpstream_hurry(&k->s, &k->hold, &sink, k, k->now_ns, &k->r);
}

void
streamkit_flush(struct streamkit *k)
{
	tcpstream_flush(&k->s, &k->hold, &sink, k, k->now_ns, &k->r);
}

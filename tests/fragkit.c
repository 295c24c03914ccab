/* SPDX-License-Identifier: ISC */
/*
 * fragkit.c: fragments of one known text, see fragkit.h.
 */
#include "fragkit.h"

#include <assert.h>
#include <string.h>

#include "testkit.h"

const uint8_t *
frag_text(void)
{
	static uint8_t text[FRAG_TEXT_MAX];
	uint32_t i;

	if (text[0] == 0)
		for (i = 0; i < FRAG_TEXT_MAX; i++)
			text[i] = (uint8_t)(1 + (i * 7 + i / 251) % 255);
	return text;
}

static void
note_ended(void *ctx, const struct ipfrag_datagram *d)
{
	struct frag_ended *e = ctx;

	assert(!d->whole);
	e->n++;
	e->last = *d;
	memcpy(e->head, d->head.data, d->head.len);
}

struct ipfrag *
frag_new(uint32_t capacity, struct frag_ended *e)
{
	const struct ipfrag_config config = {
		.capacity = capacity,
		.max_age_ns = 30 * NSEC_PER_SEC,
		.seed = { 1, 2 },
		.incomplete = e != NULL ? note_ended : NULL,
		.ctx = e,
	};
	struct ipfrag *f = ipfrag_new(&config);

	assert(f != NULL);
	if (e != NULL)
		memset(e, 0, sizeof(*e));
	return f;
}

struct ip_packet
frag_packet(const struct frag_piece *p)
{
	static const uint8_t src[4] = { 10, 77, 0, 3 };
	static const uint8_t dst[4] = { 10, 77, 0, 1 };
	struct ip_packet ip = {
		.proto = IP_PROTO_UDP,
		.fragment = p->more || p->offset > 0,
		.more = p->more,
		.frag_id = p->id,
		.frag_offset = p->offset,
		.payload_len = p->len,
		.header_len = 20,
	};

	addr_from_ipv4(&ip.src, src);
	addr_from_ipv4(&ip.dst, dst);
	return ip;
}

bool
frag_push(struct ipfrag *f, struct frag_piece p, int64_t now_ns,
    struct ipfrag_datagram *out)
{
	uint32_t captured = p.len < p.snap ? p.len : p.snap;
	struct ip_packet ip = frag_packet(&p);
	const uint8_t *from = frag_text();
	uint8_t *copy;
	bool whole;

	if (p.offset + captured <= FRAG_TEXT_MAX)
		from += p.offset;
	copy = testkit_copy(from, captured);
	ip.payload = bytes_of(copy, captured);
	whole = ipfrag_push(f, &ip, now_ns, out, NULL);
	testkit_free(copy);
	return whole;
}

bool
frag_put(struct ipfrag *f, uint32_t id, uint32_t offset, uint32_t len,
    bool more, struct ipfrag_datagram *out)
{
	struct frag_piece p = { id, offset, len, more, FRAG_UNCUT };

	return frag_push(f, p, 0, out);
}

static uint32_t
head_of(uint32_t total)
{
	return total < IPFRAG_HEAD_MAX ? total : IPFRAG_HEAD_MAX;
}

void
frag_is_whole(const struct ipfrag_datagram *d, uint32_t total)
{
	assert(d->whole);
	assert(d->total_len == total);
	assert(d->seen_len == total);
	assert(d->head.len == head_of(total));
	assert(d->head_want == head_of(total));
	assert(memcmp(d->head.data, frag_text(), d->head.len) == 0);
}

struct frag_piece
frag_story(uint32_t id, uint32_t n)
{
	struct frag_piece p = { id, n * 1480, 1480, true, FRAG_UNCUT };

	if (n == FRAG_STORY_N - 1) {
		p.len = FRAG_STORY_LEN - p.offset;
		p.more = false;
	}
	return p;
}

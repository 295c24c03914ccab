/* SPDX-License-Identifier: ISC */
/*
 * tcpstream.c: one direction of a TCP connection as bytes and gaps.
 */
#include "tcpstream.h"

#include <stdlib.h>
#include <string.h>

/* A segment that waits for bytes before it. */
struct tcpstream_chunk {
	struct tcpstream_chunk	*next;
	uint64_t		 off;
	int64_t			 time_ns;
	uint32_t		 len;		/* on the wire */
	uint32_t		 have;		/* captured */
	uint8_t			 data[];
};

struct push {				/* arguments that travel together */
	struct tcpstream		*s;
	struct tcphold			*hold;
	const struct tcpstream_sink	*sink;
	void				*ctx;
	struct tcpstream_result		*r;
};

void
tcpstream_init(struct tcpstream *s)
{
	memset(s, 0, sizeof(*s));
}

static void
chunk_free(struct tcpstream *s, struct tcphold *hold, struct tcpstream_chunk *c)
{
	hold->used -= sizeof(*c) + c->have;
	s->held_bytes -= c->have;
	free(c);
}

static void
drop_held(struct tcpstream *s, struct tcphold *hold)
{
	struct tcpstream_chunk *c;

	while ((c = s->held) != NULL) {
		s->held = c->next;
		chunk_free(s, hold, c);
	}
	s->stuck = s->proved = false;
}

void
tcpstream_clear(struct tcpstream *s, struct tcphold *hold)
{
	drop_held(s, hold);
	s->started = false;
	s->holes = 0;
}

uint64_t
tcpstream_offset(const struct tcpstream *s, uint32_t seq)
{
	/* RFC 9293 3.4: comparisons are modulo 2^32. */
	return s->pos + (uint64_t)(int64_t)(int32_t)(seq - s->next);
}

bool
tcpstream_syn(struct tcpstream *s, struct tcphold *hold, uint32_t seq)
{
	if (s->started && s->next - (uint32_t)s->pos == seq + 1)
		return false;
	tcpstream_clear(s, hold);
	tcpstream_init(s);
	s->started = true;
	s->next = seq + 1;
	return true;
}

static void
pass(struct push *p, const uint8_t *data, uint32_t have, uint32_t len,
    int64_t time_ns)
{
	struct tcpstream *s = p->s;
	uint64_t off = s->pos;

	s->pos += len;
	s->next += len;
	if (have > 0)
		p->sink->data(p->ctx, off, data, have, time_ns);
	if (have < len)
		p->sink->skip(p->ctx, off + have, len - have, time_ns, false);
}

static void
hole_drop(struct tcpstream *s, unsigned i, struct tcpstream_result *r)
{
	s->holes--;
	memmove(&s->hole[i], &s->hole[i + 1],
	    (s->holes - i) * sizeof(s->hole[0]));
	if (s->holes == 0 && !s->stuck)
		r->whole = true;
}

static void
hole_lost(struct tcpstream *s, unsigned i, struct tcpstream_result *r)
{
	r->lost += s->hole[i].end - s->hole[i].start;
	hole_drop(s, i, r);
}

/* Passes over bytes that may still come, and remembers to look for them. */
static void
hole_open(struct push *p, uint32_t len, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	struct tcpstream_hole *h;

	if (s->holes == TCPSTREAM_HOLES)
		hole_lost(s, 0, p->r);
	h = &s->hole[s->holes++];
	h->start = s->pos;
	h->end = s->pos + len;
	h->seen_ns = time_ns;
	h->proof_ns = s->acked >= h->end ? time_ns : 0;
	p->r->hole = true;
	p->r->whole = false;
	s->pos += len;
	s->next += len;
	p->sink->skip(p->ctx, h->start, len, time_ns, false);
}

/* Takes [start, end) out of the open holes; how many bytes were missing. */
static uint32_t
holes_fill(struct push *p, uint64_t start, uint64_t end, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	uint32_t filled = 0;
	unsigned i;

	for (i = 0; i < s->holes;) {
		struct tcpstream_hole *h = &s->hole[i], tail;
		uint64_t from = start > h->start ? start : h->start;
		uint64_t to = end < h->end ? end : h->end;

		if (from >= to) {
			i++;
			continue;
		}
		filled += (uint32_t)(to - from);
		p->r->filled_after_ns = time_ns - h->seen_ns;
		tail = *h;
		tail.start = to;
		h->end = from;
		if (h->start == h->end && tail.start == tail.end)
			hole_drop(s, i, p->r);
		else if (h->start == h->end)
			*h = tail, i++;
		else if (tail.start == tail.end)
			i++;
		else if (s->holes < TCPSTREAM_HOLES) {
			memmove(h + 2, h + 1,
			    (s->holes - i - 1) * sizeof(*h));
			h[1] = tail;
			s->holes++;
			i += 2;
		} else {		/* no room for the second half */
			p->r->lost += tail.end - tail.start;
			i++;
		}
	}
	return filled;
}

/* Passes on held segments as far as there is no needed hole before them. */
static void
drain(struct push *p)
{
	struct tcpstream *s = p->s;
	struct tcpstream_chunk *c;

	while ((c = s->held) != NULL) {
		uint32_t cut = 0;

		if (c->off > s->pos) {
			uint64_t gap = c->off - s->pos;

			if (p->sink->indifferent(p->ctx) < gap)
				break;
			hole_open(p, (uint32_t)gap, s->stuck_ns);
		}
		if (s->pos > c->off)
			cut = s->pos - c->off < c->len ?
			    (uint32_t)(s->pos - c->off) : c->len;
		s->held = c->next;
		if (cut < c->len)
			pass(p, c->data + (cut < c->have ? cut : c->have),
			    cut < c->have ? c->have - cut : 0, c->len - cut,
			    c->time_ns);
		chunk_free(s, p->hold, c);
	}
	if (s->held == NULL && s->stuck) {
		s->stuck = s->proved = false;
		if (s->holes == 0)
			p->r->whole = true;
	} else if (s->held != NULL && s->stuck &&
	    s->proved && s->acked < s->held->off)
		s->proved = false;	/* another hole, not yet proved */
}

/* The bytes before the first held segment will not come: go on with it. */
static void
give_up(struct push *p, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	uint64_t off = s->pos;
	uint32_t gap;

	if (s->held == NULL)
		return;
	gap = (uint32_t)(s->held->off - s->pos);
	s->proved = false;
	s->pos += gap;
	s->next += gap;
	p->r->lost += gap;
	p->sink->skip(p->ctx, off, gap, s->held->time_ns, true);
	drain(p);
	if (s->stuck && s->acked >= s->held->off) {
		s->proved = true;
		s->proof_ns = time_ns;
		s->proof_packets = 0;
	}
}

/* No room to wait with this segment: everything before it is given up. */
static void
pass_by_force(struct push *p, uint64_t off, struct bytes data, uint32_t len,
    int64_t time_ns)
{
	struct tcpstream *s = p->s;
	uint32_t cut;

	while (s->held != NULL && s->held->off <= off)
		give_up(p, time_ns);
	if (off > s->pos) {
		uint32_t gap = (uint32_t)(off - s->pos);

		p->r->lost += gap;
		p->sink->skip(p->ctx, s->pos, gap, time_ns, true);
		s->pos += gap;
		s->next += gap;
	}
	cut = (uint32_t)(s->pos - off);
	if (cut >= len) {
		p->r->again += len;
	} else {
		p->r->fresh += len - cut;
		if (!bytes_skip(&data, cut))
			data.len = 0;
		pass(p, data.data, (uint32_t)data.len, len - cut, time_ns);
	}
	drain(p);
}

/* Keeps a segment that lies beyond a hole the consumer needs filled. */
static void
hold_segment(struct push *p, uint64_t off, struct bytes data, uint32_t len,
    int64_t time_ns)
{
	struct tcpstream *s = p->s;
	struct tcpstream_chunk **at, *c = NULL;
	size_t size = sizeof(*c) + data.len;

	if (!s->stuck) {
		s->stuck = true;
		s->stuck_ns = time_ns;
		s->proved = s->acked >= off;
		s->proof_ns = time_ns;
		s->proof_packets = 0;
		p->r->hole = true;
		p->r->whole = false;
	}
	for (at = &s->held; *at != NULL && (*at)->off <= off;
	    at = &(*at)->next) {
		if ((*at)->off + (*at)->len >= off + len) {
			p->r->again += len;
			return;
		}
	}
	if (p->hold->used + size <= p->hold->max &&
	    s->held_bytes + data.len <= TCPSTREAM_HOLD_MAX)
		c = malloc(size);
	if (c == NULL) {
		pass_by_force(p, off, data, len, time_ns);
		return;
	}
	c->off = off;
	c->time_ns = time_ns;
	c->len = len;
	c->have = (uint32_t)data.len;
	memcpy(c->data, data.data, data.len);
	c->next = *at;
	*at = c;
	p->hold->used += size;
	s->held_bytes += c->have;
	p->r->fresh += len;
}

void
tcpstream_push(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, uint32_t seq,
    struct bytes data, uint32_t len, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct push p = { s, hold, sink, ctx, r };
	int32_t ahead;

	if (len == 0)
		return;
	if (!s->started) {
		s->started = true;
		s->next = seq;
	}
	ahead = (int32_t)(seq - s->next);
	if (s->stuck && ahead <= 0) {	/* what we were waiting for */
		r->filled += len;
		r->filled_after_ns = time_ns - s->stuck_ns;
	}
	if (ahead < 0) {
		/* Negated as unsigned: INT32_MIN has no positive twin. */
		uint32_t behind = 0U - (uint32_t)ahead;
		uint32_t old = behind < len ? behind : len, filled;
		uint64_t off = s->pos - behind;

		filled = behind <= s->pos ?
		    holes_fill(&p, off, off + old, time_ns) : 0;
		r->filled += filled;
		r->again += old - filled;
		if ((len -= old) == 0)
			return;
		if (!bytes_skip(&data, old))
			data.len = 0;
		ahead = 0;
	}
	if (ahead > 0) {
		uint32_t gap = (uint32_t)ahead;

		if (gap > TCPSTREAM_JUMP) {
			drop_held(s, hold);
			r->jumped = true;
			r->lost += gap;
			sink->skip(ctx, s->pos, gap, time_ns, true);
			s->pos += gap;
			s->next = seq;
		} else if (!s->stuck && sink->indifferent(ctx) >= gap)
			hole_open(&p, gap, time_ns);
		else {
			hold_segment(&p, s->pos + gap, data, len, time_ns);
			return;
		}
	}
	r->fresh += len;
	pass(&p, data.data, (uint32_t)data.len, len, time_ns);
	if (s->held != NULL)
		drain(&p);
}

void
tcpstream_ack(struct tcpstream *s, uint32_t ack, int64_t time_ns)
{
	uint64_t off;
	int32_t ahead = (int32_t)(ack - s->next);
	unsigned i;

	if (!s->started || (ahead < 0 && 0U - (uint32_t)ahead > s->pos) ||
	    ahead > (int32_t)TCPSTREAM_JUMP)
		return;
	off = tcpstream_offset(s, ack);
	if (off <= s->acked)
		return;
	s->acked = off;
	if (s->stuck && !s->proved && s->held != NULL && off >= s->held->off) {
		s->proved = true;
		s->proof_ns = time_ns;
		s->proof_packets = 0;
	}
	for (i = 0; i < s->holes; i++)
		if (s->hole[i].proof_ns == 0 && off >= s->hole[i].end)
			s->hole[i].proof_ns = time_ns;
}

void
tcpstream_tick(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct push p = { s, hold, sink, ctx, r };
	unsigned i;

	if (s->stuck && s->proved) {
		if (++s->proof_packets > TCPSTREAM_GRACE_PACKETS ||
		    time_ns - s->proof_ns > TCPSTREAM_GRACE_NS)
			give_up(&p, time_ns);
	} else if (s->stuck && time_ns - s->stuck_ns > TCPSTREAM_STUCK_NS)
		give_up(&p, time_ns);
	for (i = 0; i < s->holes;) {
		int64_t since = s->hole[i].proof_ns;

		if ((since != 0 && time_ns - since > TCPSTREAM_GRACE_NS) ||
		    time_ns - s->hole[i].seen_ns > TCPSTREAM_STUCK_NS)
			hole_lost(s, i, r);
		else
			i++;
	}
}

void
tcpstream_hurry(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct push p = { s, hold, sink, ctx, r };

	while (s->stuck && s->proved)
		give_up(&p, time_ns);
}

void
tcpstream_flush(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct push p = { s, hold, sink, ctx, r };

	while (s->held != NULL)
		give_up(&p, time_ns);
	while (s->holes > 0)
		hole_lost(s, 0, r);
}

uint64_t
tcpstream_settled(const struct tcpstream *s)
{
	uint64_t low = s->pos;
	unsigned i;

	for (i = 0; i < s->holes; i++)
		if (s->hole[i].start < low)
			low = s->hole[i].start;
	return low;
}

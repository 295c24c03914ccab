/* SPDX-License-Identifier: ISC */
/*
 * tcpstream.c: one direction of a TCP connection as bytes and gaps.
 */
#include "tcpstream.h"

#include <string.h>

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

void
tcpstream_clear(struct tcpstream *s, struct tcphold *hold)
{
	tcphold_drop(hold, &s->held);
	s->stuck = s->proved = s->started = false;
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

/* The hole to give up for want of room: one proved lost, or the oldest. */
static unsigned
hole_least(const struct tcpstream *s)
{
	unsigned i;

	for (i = 0; i < s->holes; i++)
		if (s->hole[i].proof_ns != 0)
			return i;
	return 0;
}

/* Passes over bytes that may still come, and remembers to look for them. */
static void
hole_open(struct push *p, uint32_t len, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	struct tcpstream_hole *h;

	if (s->holes == TCPSTREAM_HOLES)
		hole_lost(s, hole_least(s), p->r);
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

/* Is the first hole acknowledged?  Then its grace begins. */
static void
prove(struct tcpstream *s, int64_t time_ns)
{
	if (!s->stuck || s->proved || s->acked < s->held.first->off)
		return;
	s->proved = true;
	s->proof_ns = time_ns;
	s->proof_packets = 0;
}

/*
 * How much of a segment to pass on at once: all, but what was cut off of it
 * may have come in segments that are held.
 */
static uint32_t
uncut(const struct tcpstream *s, uint32_t have, uint32_t len)
{
	uint32_t gap;

	if (have >= len || s->held.first == NULL ||
	    s->held.first->off - s->pos >= len)
		return len;
	gap = (uint32_t)(s->held.first->off - s->pos);
	return have > gap ? have : gap;
}

/* Passes on the first held segment, but for what has passed. */
static void
pass_held(struct push *p)
{
	struct tcpstream *s = p->s;
	struct tcphold_segment *g = tcphold_take(&s->held);
	struct bytes data = bytes_of(g->data, g->have);
	uint32_t cut = 0, n;

	if (s->pos > g->off)
		cut = s->pos - g->off < g->len ?
		    (uint32_t)(s->pos - g->off) : g->len;
	if (!bytes_skip(&data, cut))
		data.len = 0;
	n = uncut(s, (uint32_t)data.len, g->len - cut);
	if (n > 0)
		pass(p, data.data, (uint32_t)data.len, n, g->time_ns);
	if (cut + n < g->len)
		tcphold_put_back(p->hold, &s->held, g, cut + n);
	else
		tcphold_free(p->hold, g);
}

/* Passes on held segments as far as there is no needed hole before them. */
static void
drain(struct push *p)
{
	struct tcpstream *s = p->s;
	bool other = false;

	while (s->held.first != NULL) {
		uint64_t gap = s->held.first->off > s->pos ?
		    s->held.first->off - s->pos : 0;

		if (gap > 0 && p->sink->indifferent(p->ctx) < gap)
			break;
		if (gap > 0)
			hole_open(p, (uint32_t)gap, s->stuck_ns);
		pass_held(p);
		other = true;
	}
	if (s->held.first == NULL && s->stuck) {
		s->stuck = s->proved = false;
		if (s->holes == 0)
			p->r->whole = true;
	} else if (s->held.first != NULL && other) {	/* another hole */
		s->stuck_ns = s->held.first->time_ns;
		if (s->acked < s->held.first->off)
			s->proved = false;
	}
}

/* Passes over bytes that will never be seen. */
static void
lose(struct push *p, uint32_t len, int64_t time_ns)
{
	uint64_t off = p->s->pos;

	p->s->pos += len;
	p->s->next += len;
	p->r->lost += len;
	p->sink->skip(p->ctx, off, len, time_ns, true);
}

/* The bytes before the first held segment will not come: go on with it. */
static void
give_up(struct push *p, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	const struct tcphold_segment *next = s->held.first;

	if (next == NULL)
		return;
	s->proved = false;
	lose(p, (uint32_t)(next->off - s->pos), next->time_ns);
	drain(p);
	prove(s, time_ns);
}

/* A segment whose place has come: counts what of it is new, passes it on. */
static void
pass_segment(struct push *p, struct bytes data, uint32_t len, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	uint32_t again = tcphold_part(&s->held, s->pos, s->pos + len);
	uint32_t filled = 0;
	uint64_t end = s->pos + len;
	uint32_t n;

	if (s->held.first != NULL) {	/* what we were waiting for */
		filled = s->held.first->off - s->pos < len ?
		    (uint32_t)(s->held.first->off - s->pos) : len;
		p->r->filled_after_ns = time_ns - s->stuck_ns;
	}
	p->r->again += again;
	p->r->filled += filled;
	p->r->fresh += len - again - filled;
	do {
		n = uncut(s, (uint32_t)data.len, (uint32_t)(end - s->pos));
		pass(p, data.data, (uint32_t)data.len, n, time_ns);
		data.len = 0;
		if (s->stuck)
			drain(p);
	} while (s->pos < end);
}

/* No room to wait with this segment: everything before it is given up. */
static void
pass_by_force(struct push *p, uint64_t off, struct bytes data, uint32_t len,
    int64_t time_ns)
{
	struct tcpstream *s = p->s;
	uint32_t old;

	while (s->held.first != NULL && s->held.first->off <= off)
		give_up(p, time_ns);
	if (off > s->pos)
		lose(p, (uint32_t)(off - s->pos), time_ns);
	old = s->pos - off < len ? (uint32_t)(s->pos - off) : len;
	p->r->again += old;
	if (!bytes_skip(&data, old))
		data.len = 0;
	if (len > old)
		pass_segment(p, data, len - old, time_ns);
	else
		drain(p);
}

/* A segment that lies beyond a hole the consumer needs filled. */
static void
hold_segment(struct push *p, uint64_t off, struct bytes data, uint32_t len,
    int64_t time_ns)
{
	struct tcpstream *s = p->s;
	uint32_t again = tcphold_part(&s->held, off, off + len);

	if (again == len) {
		p->r->again += len;
		return;
	}
	if (!s->stuck) {
		s->stuck = true;
		s->stuck_ns = time_ns;
		s->proved = false;
		p->r->hole = true;
		p->r->whole = false;
	}
	if (!tcphold_keep(p->hold, &s->held, off, data, len, time_ns)) {
		pass_by_force(p, off, data, len, time_ns);
		return;
	}
	p->r->again += again;
	p->r->fresh += len - again;
	prove(s, time_ns);
}

static bool
is_jump(int32_t ahead)
{
	return ahead > (int32_t)TCPSTREAM_JUMP ||
	    ahead < -(int32_t)TCPSTREAM_JUMP;
}

/*
 * Goes on at seq, wherever that is: the capture has lost a long stretch, or
 * this is another connection.  Back, a stretch is passed over all the same,
 * so that the consumer knows that what comes does not follow.  Gives how far
 * ahead seq is then: not at all.
 */
static int32_t
jump(struct push *p, uint32_t seq, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	int32_t ahead;

	p->r->jumped = true;
	while (s->held.first != NULL)
		give_up(p, time_ns);
	ahead = (int32_t)(seq - s->next);
	if (ahead > 0)
		lose(p, (uint32_t)ahead, time_ns);
	else if (is_jump(ahead)) {
		lose(p, TCPSTREAM_JUMP, time_ns);
		p->r->lost -= TCPSTREAM_JUMP;
		s->next = seq;
	}
	return (int32_t)(seq - s->next);
}

/* The part of a segment before pos: passed already, or of an open hole. */
static void
take_old(struct push *p, uint32_t behind, uint32_t len, int64_t time_ns)
{
	uint64_t off = p->s->pos - behind;
	uint32_t filled = behind <= p->s->pos ?
	    holes_fill(p, off, off + len, time_ns) : 0;

	p->r->filled += filled;
	p->r->again += len - filled;
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
	if (is_jump(ahead))
		ahead = jump(&p, seq, time_ns);
	if (ahead < 0) {
		uint32_t behind = (uint32_t)-ahead;
		uint32_t old = behind < len ? behind : len;

		take_old(&p, behind, old, time_ns);
		if ((len -= old) == 0)
			return;
		if (!bytes_skip(&data, old))
			data.len = 0;
	} else if (ahead > 0) {
		uint32_t gap = (uint32_t)ahead;

		if (s->stuck || sink->indifferent(ctx) < gap) {
			hold_segment(&p, s->pos + gap, data, len, time_ns);
			return;
		}
		hole_open(&p, gap, time_ns);
	}
	pass_segment(&p, data, len, time_ns);
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
	prove(s, time_ns);
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

	while (s->held.first != NULL)
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

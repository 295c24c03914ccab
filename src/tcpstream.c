/* SPDX-License-Identifier: ISC */
/*
 * tcpstream.c: one direction of a TCP connection as bytes and gaps.
 */
#include "tcpstream.h"

#include <string.h>

#include "tcpstreamholes.h"

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

/* Was there enough, and more is held that can be passed on? */
static bool
paused(const struct tcpstream *s)
{
	return s->held.first != NULL && s->held.first->off <= s->pos;
}

bool
tcpstream_begins_at(const struct tcpstream *s, uint32_t seq)
{
	if (!s->started)
		return false;
	if (s->begun)
		return s->next - (uint32_t)s->pos == seq;
	return s->next - seq <= TCPSTREAM_JUMP;
}

bool
tcpstream_syn(struct tcpstream *s, struct tcphold *hold, uint32_t seq)
{
	if (tcpstream_begins_at(s, seq + 1))
		return false;
	tcpstream_clear(s, hold);
	tcpstream_init(s);
	s->started = s->begun = true;
	s->next = seq + 1;
	return true;
}

static void
pass(struct tcpstream_push *p, const uint8_t *data, uint32_t have, uint32_t len,
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
 * may have come in the one that is held.
 */
static uint32_t
uncut(const struct tcpstream *s, uint32_t have, uint32_t len)
{
	const struct tcphold_segment *next = s->held.first;
	uint64_t from = s->pos + have;

	if (have >= len || next == NULL)
		return len;
	if (next->off > from)
		from = next->off;
	if (next->off + next->have <= from || from - s->pos >= len)
		return len;
	return (uint32_t)(from - s->pos);
}

/* Passes on the first held segment, but for what has passed. */
static void
pass_held(struct tcpstream_push *p)
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

static bool
enough(const struct tcpstream_push *p)
{
	return p->sink->enough != NULL && p->sink->enough(p->ctx);
}

/* Passes on held segments as far as there is no needed hole before them. */
static void
drain(struct tcpstream_push *p)
{
	struct tcpstream *s = p->s;
	bool other = false;

	while (s->held.first != NULL) {
		uint64_t gap = s->held.first->off > s->pos ?
		    s->held.first->off - s->pos : 0;

		if (gap > 0 && p->sink->indifferent(p->ctx) < gap)
			break;
		if (gap > 0)
			tcpstreamholes_open(p, (uint32_t)gap, s->stuck_ns);
		pass_held(p);
		other = true;
		if (p->pausing && enough(p))
			break;
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
lose(struct tcpstream_push *p, uint32_t len, int64_t time_ns)
{
	uint64_t off = p->s->pos;

	if (len == 0)
		return;
	p->s->pos += len;
	p->s->next += len;
	p->r->lost += len;
	p->sink->skip(p->ctx, off, len, time_ns, true);
}

/* The bytes before the first held segment will not come: go on with it. */
static void
give_up(struct tcpstream_push *p, int64_t time_ns)
{
	struct tcpstream *s = p->s;
	const struct tcphold_segment *next = s->held.first;

	if (next == NULL)
		return;
	s->proved = false;
	if (next->off > s->pos)
		lose(p, (uint32_t)(next->off - s->pos), next->time_ns);
	drain(p);
	prove(s, time_ns);
}

/* A segment whose place has come: counts what of it is new, passes it on. */
static void
pass_segment(struct tcpstream_push *p, struct bytes data, uint32_t len,
    int64_t time_ns)
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
pass_by_force(struct tcpstream_push *p, uint64_t off, struct bytes data,
    uint32_t len, int64_t time_ns)
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
hold_segment(struct tcpstream_push *p, uint64_t off, struct bytes data,
    uint32_t len, int64_t time_ns)
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
jump(struct tcpstream_push *p, uint32_t seq, int64_t time_ns)
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
take_old(struct tcpstream_push *p, uint32_t behind, uint32_t len,
    int64_t time_ns)
{
	uint64_t off = p->s->pos - behind;
	uint32_t filled = behind <= p->s->pos ?
	    tcpstreamholes_fill(p, off, off + len, time_ns) : 0;

	p->r->filled += filled;
	p->r->again += len - filled;
}

void
tcpstream_push(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, uint32_t seq,
    struct bytes data, uint32_t len, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct tcpstream_push p = { s, hold, sink, ctx, r, false };
	int32_t ahead;

	if (len == 0)
		return;
	if (!s->started) {
		s->started = true;
		s->next = seq;
	}
	if (paused(s))
		drain(&p);
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
		tcpstreamholes_open(&p, gap, time_ns);
	}
	pass_segment(&p, data, len, time_ns);
}

void
tcpstream_ack(struct tcpstream *s, uint32_t ack, int64_t time_ns)
{
	uint64_t off;
	int32_t ahead = (int32_t)(ack - s->next);

	if (!s->started || (ahead < 0 && 0U - (uint32_t)ahead > s->pos) ||
	    ahead > (int32_t)TCPSTREAM_JUMP)
		return;
	off = tcpstream_offset(s, ack);
	if (off <= s->acked)
		return;
	s->acked = off;
	prove(s, time_ns);
	tcpstreamholes_acked(s, time_ns);
}

void
tcpstream_tick(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct tcpstream_push p = { s, hold, sink, ctx, r, false };

	if (paused(s))
		drain(&p);
	if (s->stuck && s->proved) {
		if (++s->proof_packets > TCPSTREAM_GRACE_PACKETS ||
		    time_ns - s->proof_ns > TCPSTREAM_GRACE_NS)
			give_up(&p, time_ns);
	} else if (s->stuck && time_ns - s->stuck_ns > TCPSTREAM_STUCK_NS)
		give_up(&p, time_ns);
	tcpstreamholes_tick(s, time_ns, r);
}

void
tcpstream_hurry(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct tcpstream_push p = { s, hold, sink, ctx, r, true };

	while (s->stuck && s->proved && !enough(&p))
		give_up(&p, time_ns);
}

void
tcpstream_flush(struct tcpstream *s, struct tcphold *hold,
    const struct tcpstream_sink *sink, void *ctx, int64_t time_ns,
    struct tcpstream_result *r)
{
	struct tcpstream_push p = { s, hold, sink, ctx, r, false };

	while (s->held.first != NULL)
		give_up(&p, time_ns);
	tcpstreamholes_give_up(s, r);
}

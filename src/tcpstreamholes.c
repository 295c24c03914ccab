/* SPDX-License-Identifier: ISC */
/*
 * tcpstreamholes.c: holes in a stream that its consumer did not need.
 */
#include "tcpstreamholes.h"

#include <string.h>

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
void
tcpstreamholes_open(struct tcpstream_push *p, uint32_t len, int64_t time_ns)
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
uint32_t
tcpstreamholes_fill(struct tcpstream_push *p, uint64_t start, uint64_t end,
    int64_t time_ns)
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

void
tcpstreamholes_acked(struct tcpstream *s, int64_t time_ns)
{
	unsigned i;

	for (i = 0; i < s->holes; i++)
		if (s->hole[i].proof_ns == 0 && s->acked >= s->hole[i].end)
			s->hole[i].proof_ns = time_ns;
}

void
tcpstreamholes_tick(struct tcpstream *s, int64_t time_ns,
    struct tcpstream_result *r)
{
	unsigned i;

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
tcpstreamholes_give_up(struct tcpstream *s, struct tcpstream_result *r)
{
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

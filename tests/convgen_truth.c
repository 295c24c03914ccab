/* SPDX-License-Identifier: ISC */
/*
 * convgen_truth.c: which messages can be known from the frames that are left.
 *
 * For every byte of every stream and datagram the frame is noted with which it
 * was first seen.  A TCP message is known (CG_YES) when its record's place is
 * known, because all record marks before it were seen or because it can be
 * found again and proved, and its head was seen.  CG_MAYBE: a decoder may
 * know it, but need not.  A datagram is known when all of it passed.
 */
#include "convgen_int.h"

/* A noted byte: frame + 1 in the upper bits. */
#define LATE	1U		/* came after it had been acknowledged */
#define CUT	2U		/* passed, but was not captured */
#define AGAIN	4U		/* came again after the clock had stepped */
#define SHIFT	3

uint32_t
cg_epoch(const struct convgen *g, uint32_t idx)
{
	uint32_t i;

	for (i = 0; i < g->epochs && g->epoch[i] <= idx; i++)
		;
	return i;
}

/* Notes len bytes from `at` of the spool, of which cap were captured. */
static void
note(struct convgen *g, uint8_t dir, uint32_t at, uint32_t len, uint32_t cap,
    uint32_t idx, bool late)
{
	uint32_t *v = g->seen[dir] + at, i, new;

	new = (idx + 1) << SHIFT | (late ? LATE : 0);
	for (i = 0; i < len; i++)
		if (v[i] == 0)
			v[i] = i < cap ? new : new | CUT;
		else if ((v[i] & CUT) != 0 && i < cap)
			v[i] = new | LATE;
		else if (g->epochs > 0 &&
		    cg_epoch(g, idx) != cg_epoch(g, (v[i] >> SHIFT) - 1))
			v[i] |= AGAIN;
}

static void
note_segment(struct convgen *g, const struct cg_frame *f, uint32_t idx,
    uint32_t cap)
{
	struct cg_flow *w = &g->flow[f->flow];
	uint8_t d = f->dir;
	uint32_t late = w->ack[d], n;

	if (!w->started[d]) {
		w->started[d] = true;
		w->syn[d] = (f->flags & 0x02) != 0;
		w->first[d] = f->off;
		w->data[d] = w->syn[d] ? 0 : CG_NONE;
		w->start_idx[d] = idx;
	}
	w->any_syn[d] |= (f->flags & 0x02) != 0;
	if ((f->flags & 0x05) != 0 && w->close_idx == CG_NONE)
		w->close_idx = idx;
	if ((f->flags & 0x01) != 0 && f->off > w->tail[d])
		w->tail[d] = f->off;
	if ((f->flags & 0x10) != 0 && f->ack > w->ack[!d])
		w->ack[!d] = f->ack < w->len[!d] ? f->ack : w->len[!d];
	w->last_idx = idx;
	if (f->len == 0 || f->probe)
		return;
	if (w->data[d] == CG_NONE)
		w->data[d] = f->off;
	if (w->data[d] > late)
		late = w->data[d];
	n = late > f->off ? late - f->off : 0;
	if (n > f->len)
		n = f->len;
	note(g, d, w->base[d] + f->off, n, cap, idx, true);
	note(g, d, w->base[d] + f->off + n, f->len - n, cap > n ? cap - n : 0,
	    idx, false);
	if (f->off + f->len > w->high[d])
		w->high[d] = f->off + f->len;
}

static void
note_fragment(struct convgen *g, const struct cg_frame *f, uint32_t idx,
    uint32_t cap)
{
	struct cg_send *s = &g->send[f->send];
	struct cg_flow *w = &g->flow[f->flow];

	if (!w->started[f->dir]) {
		w->started[f->dir] = true;
		w->start_idx[f->dir] = idx;
	}
	if (f->off == 0)
		s->heads++;
	if (g->seen[f->dir][s->at + f->off] != 0)
		s->doubles++;
	note(g, f->dir, s->at + f->off, f->len, cap, idx, false);
	w->last_idx = idx;
}

static void
note_frames(struct convgen *g)
{
	const struct cg_frame *f;
	uint32_t i, head, wire;

	for (i = 0; i < g->frames; i++) {
		f = &g->frame[i];
		wire = cg_frame_wire(g, f);
		head = cg_frame_header(g, f);
		g->truth.packets++;
		g->truth.bytes += wire;
		if (f->dir == 0) {
			g->truth.in_packets++;
			g->truth.in_bytes += wire;
		}
		if (f->cap < wire)
			g->truth.truncated++;
		if (f->cap < head)
			g->flow[f->flow].blind = true;
		else if (g->flow[f->flow].tcp)
			note_segment(g, f, i, f->cap - head);
		else
			note_fragment(g, f, i, f->cap - head);
	}
}

/* Whether n noted bytes are there; *idx becomes the latest frame. */
static bool
all_seen(const uint32_t *v, uint32_t n, bool sure, uint32_t *idx)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (v[i] == 0 || (v[i] & CUT) != 0 ||
		    (sure && (v[i] & LATE) != 0))
			return false;
		if ((v[i] >> SHIFT) - 1 > *idx)
			*idx = (v[i] >> SHIFT) - 1;
	}
	return true;
}

static bool
mark_seen(const struct convgen *g, const struct cg_send *s, uint32_t i,
    uint32_t *idx)
{
	return all_seen(g->seen[s->dir] + g->flow[s->flow].base[s->dir] +
	    g->frag[s->first_frag + i].pos, 4, true, idx);
}

/* Where the i-th mark is noted. */
static const uint32_t *
mark_at(const struct convgen *g, const struct cg_send *s, uint32_t i)
{
	return g->seen[s->dir] + g->flow[s->flow].base[s->dir] +
	    g->frag[s->first_frag + i].pos;
}

/*
 * All marks passed, early or late, or cut off: a decoder may wait for what is
 * late, and guess what is cut off.
 */
static bool
marks_passed(const struct convgen *g, const struct cg_send *s)
{
	uint32_t i, j;

	for (i = 0; i < s->frags; i++)
		for (j = 0; j < 4; j++)
			if (mark_at(g, s, i)[j] == 0)
				return false;
	return true;
}

static bool
range_seen(const struct convgen *g, const struct cg_send *s, uint32_t from,
    uint32_t to, bool sure, uint32_t *idx)
{
	const uint32_t *v = g->seen[s->dir];
	const struct cg_frag *r;
	uint32_t i, a, b;

	if (from >= to)
		return true;
	if (!g->flow[s->flow].tcp)
		return all_seen(v + s->at + 8 + from, to - from, sure, idx);
	v += g->flow[s->flow].base[s->dir];
	for (i = 0; i < s->frags; i++) {
		r = &g->frag[s->first_frag + i];
		a = from > r->msg_off ? from : r->msg_off;
		b = to < r->msg_off + r->len ? to : r->msg_off + r->len;
		if (a < b && !all_seen(v + r->pos + 4 + (a - r->msg_off),
		    b - a, sure, idx))
			return false;
	}
	return true;
}

bool
cg_send_seen(const struct convgen *g, const struct cg_send *s, uint32_t from,
    uint32_t to, bool sure, uint32_t *idx)
{
	const struct cg_msg *m = &g->msg[s->msg];
	uint32_t skip_end = m->skip_at + m->skip_len, i;

	if (sure && g->flow[s->flow].tcp)
		for (i = 0; i < s->frags; i++)
			if (g->frag[s->first_frag + i].msg_off < to &&
			    !mark_seen(g, s, i, idx))
				return false;
	if (m->skip_len == 0 || to <= m->skip_at)
		return range_seen(g, s, from, to, sure, idx);
	return range_seen(g, s, from, m->skip_at, sure, idx) &&
	    range_seen(g, s, from > skip_end ? from : skip_end, to, sure, idx);
}

/* The head of a message was seen, in time, and before any clock step. */
static bool
head_seen(const struct convgen *g, const struct cg_send *s, uint32_t *idx)
{
	uint32_t first = 0;

	*idx = 0;
	if (!cg_send_seen(g, s, 0, g->op[g->msg[s->msg].first_op].sure, true,
	    idx))
		return false;
	return !g->flow[s->flow].tcp || (mark_seen(g, s, 0, &first) &&
	    cg_epoch(g, first) == cg_epoch(g, *idx));
}

/* The mark and so many bytes after it came with one frame. */
static bool
in_one_frame(const struct convgen *g, const struct cg_send *s, uint32_t len)
{
	const uint32_t *v = mark_at(g, s, 0);
	uint32_t i;

	for (i = 1; i < 4 + len; i++)
		if (v[i] >> SHIFT != v[0] >> SHIFT)
			return false;
	return true;
}

/*
 * Enough of a header in one piece, as nearly all records have it.  Where heads
 * are cut off, a decoder may take a record for a usual one, into which it need
 * look for no more than records of one fragment, a segment at a time.
 */
static bool
recognisable(const struct convgen *g, const struct cg_send *s)
{
	const struct cg_frag *r = &g->frag[s->first_frag];
	uint32_t need = s->reply ? CG_PROOF_REPLY : CG_PROOF_CALL;

	if (g->truth.truncated > 0 && (!r->last || !in_one_frame(g, s,
	    need < r->len ? need : r->len)))
		return false;
	return r->last || r->len >= need;
}

/*
 * Whether it is found when it is looked for.  The reply to a callback may be
 * passed over, when both directions have holes: it is looked at while the
 * other one, with its call, is being passed on.
 */
static bool
findable(const struct convgen *g, const struct cg_send *s)
{
	return recognisable(g, s) && !(s->reply && g->rpc[s->rpc].reverse);
}

/*
 * The other half of the RPC was seen on the same connection, at frame *at, and
 * is known or can be found.
 */
static bool
counterpart_seen(const struct convgen *g, const struct cg_send *s,
    uint32_t idx, uint32_t *at)
{
	const struct cg_send *o;
	uint32_t i;

	for (i = g->rpc[s->rpc].first_send; i != CG_NONE; i = o->next) {
		o = &g->send[i];
		if (o->reply != s->reply && o->flow == s->flow &&
		    (findable(g, o) || o->state == CG_YES) &&
		    head_seen(g, o, at) &&
		    (s->reply ? *at < idx : *at > idx))
			return true;
	}
	return false;
}

static bool
marks_seen(const struct convgen *g, const struct cg_send *s)
{
	uint32_t i, idx = 0;

	for (i = 0; i < s->frags; i++)
		if (!mark_seen(g, s, i, &idx))
			return false;
	return true;
}

/*
 * Records follow that prove this one, on a connection of which the peer's
 * part is not seen.
 */
static bool
chain_seen(const struct convgen *g, const struct cg_send *s, uint32_t *at)
{
	const struct cg_flow *w = &g->flow[s->flow];
	const struct cg_send *end = g->send + w->first_send + w->sends;
	const struct cg_send *next = s + 1;
	uint32_t proof;

	if (w->started[!s->dir])
		return false;
	for (proof = 1; proof < CG_PROOF_RECORDS; proof++) {
		if (!marks_seen(g, s))
			return false;
		while (next < end && next->dir != s->dir)
			next++;
		if (next >= end || !head_seen(g, next, at))
			return false;
		s = next++;
	}
	return true;
}

struct walk {
	bool		lost;
	bool		start;		/* it need not count as a resync */
	uint32_t	epoch;
	uint32_t	now;		/* frame of the latest record */
	uint32_t	proved;		/* frame: until then records are found
					 * one by one */
};

/* A record after a loss: can it be found and proved, and at which frame? */
static bool
found(const struct convgen *g, const struct cg_send *s, uint32_t *at)
{
	if (!findable(g, s))
		return false;
	if (counterpart_seen(g, s, s->idx, at))
		return true;
	return !s->reply && !g->flow[s->flow].fakes[s->dir] &&
	    chain_seen(g, s, at);
}

static void
lose(struct convgen *g, struct walk *k)
{
	if (!k->lost && k->now >= k->proved)
		k->start = false;	/* another hunt */
	k->lost = true;
	g->truth.resyncs.hi = CONVGEN_ANY;
}

static void
judge_record(struct convgen *g, struct cg_send *s, struct walk *k)
{
	uint32_t at = 0, ignored = 0;
	bool mark = mark_seen(g, s, 0, &at), head;
	bool step = mark && cg_epoch(g, at) != k->epoch;

	if (mark)
		k->now = at;
	if (!mark || step)
		lose(g, k);
	/* A late mark may be waited for, a step of the clock be borne. */
	if (step || (!mark && marks_passed(g, s)))
		k->start = true;
	if (step)
		k->epoch = cg_epoch(g, at);
	/* What follows a call that is yet to be proved must be found. */
	if (at < k->proved && (s->reply || !findable(g, s)))
		k->lost = true;
	s->again = mark && (*mark_at(g, s, 0) & AGAIN) != 0;
	head = head_seen(g, s, &s->idx);
	if (head && k->lost && found(g, s, &at)) {
		k->lost = false;
		k->proved = s->reply ? 0 : at + CG_PROOF_FRAMES;
		if (!k->start)
			g->truth.resyncs.lo = 1;
	}
	if (head && !k->lost)
		s->state = CG_YES;
	else if (cg_send_seen(g, s, 0, g->op[g->msg[s->msg].first_op].maybe,
	    false, &ignored)) {
		s->state = CG_MAYBE;
		s->idx = ignored;
	} else
		s->state = CG_NO;
	if (!marks_seen(g, s)) {
		lose(g, k);
		if (marks_passed(g, s))
			k->start = true;
	} else if (!head && k->now < k->proved)
		k->lost = true;
}

/* One direction of a connection. */
static void
judge_stream(struct convgen *g, const struct cg_flow *w, uint8_t dir)
{
	struct walk k = { .start = true };
	struct cg_send *s;
	uint32_t i;

	if (!w->started[dir])
		return;
	k.epoch = cg_epoch(g, w->start_idx[dir]);
	k.lost = !w->syn[dir];
	if (k.lost)
		g->truth.resyncs.hi = CONVGEN_ANY;
	for (i = 0; i < w->sends; i++) {
		s = &g->send[w->first_send + i];
		if (s->dir != dir)
			continue;
		judge_record(g, s, &k);
		/* Whose connection is this?  The SYNs would have said. */
		if (w->before != CG_NONE && !(w->syn[0] && w->syn[1]) &&
		    s->state == CG_YES)
			s->state = CG_MAYBE;
	}
}

static void
judge_datagram(struct convgen *g, struct cg_send *s)
{
	const uint32_t *v = g->seen[s->dir] + s->at;
	uint32_t i, last = 0, first = CG_NONE, head = 0, missing = 0;
	bool split, sure, maybe;

	for (i = 0; i < s->len; i++) {
		if (v[i] == 0) {
			missing++;
			continue;
		}
		if ((v[i] >> SHIFT) - 1 > last)
			last = (v[i] >> SHIFT) - 1;
		if ((v[i] >> SHIFT) - 1 < first)
			first = (v[i] >> SHIFT) - 1;
	}
	if (missing == s->len)
		return;
	split = cg_epoch(g, first) != cg_epoch(g, last);
	sure = head_seen(g, s, &head) && !split;
	maybe = cg_send_seen(g, s, 0, g->op[g->msg[s->msg].first_op].maybe,
	    false, &i);
	s->idx = last;
	if (missing == 0) {
		s->state = sure ? CG_YES : maybe ? CG_MAYBE : CG_NO;
	} else {
		cg_more(&g->truth.incomplete, split ? 0 : 1, 0);
		if (!s->reply && maybe)
			s->state = CG_HALF;
		s->sure_half = sure;
	}
	if (missing > 0 || split)
		cg_more(&g->truth.incomplete, 0, split ? 2 : 1);
	if (first != last || missing > 0)	/* it is in fragments */
		cg_more(&g->truth.incomplete, 0, s->doubles);
}

/* Holes in streams, where what surrounds them was seen. */
static void
count_holes(struct convgen *g, const struct cg_flow *w, uint8_t d)
{
	uint32_t i, holes = 0, late = 0, tail;
	struct convgen_range *lost = &g->truth.lost_bytes;

	if (w->blind)
		lost->hi = CONVGEN_ANY;
	if (!w->started[d])
		return;
	/* The first data seen may be a resend of what came before the first
	 * frame; and the peer's SYN tells where it all began. */
	i = w->data[d] < w->first[d] ? w->data[d] : w->first[d];
	if (w->any_syn[!d])
		i = 0;
	for (; i < w->high[d]; i++)
		if (g->seen[d][w->base[d] + i] == 0)
			*(i < w->data[d] || i < w->first[d] ? &late :
			    &holes) += 1;
		else if ((g->seen[d][w->base[d] + i] & LATE) != 0)
			late++;
	tail = w->tail[d] > w->ack[d] ? w->tail[d] : w->ack[d];
	if (tail > w->high[d])
		late += tail - w->high[d];
	if (holes > 0 && !w->blind && g->epochs == 0 && lost->lo == 0)
		lost->lo = 1;
	if (g->epochs > 0 || (w->before != CG_NONE &&
	    !(w->syn[0] && w->syn[1])))
		lost->hi = CONVGEN_ANY;
	cg_more(lost, 0, holes + late);
}

static void
reset(struct convgen *g)
{
	uint32_t i;
	uint8_t d;

	memset(&g->truth, 0, sizeof(g->truth));
	for (d = 0; d < 2; d++) {
		g->seen[d] = cg_grow(g->seen[d], &g->seen_cap[d],
		    (uint32_t)g->spool[d].len + 1, sizeof(*g->seen[d]));
		memset(g->seen[d], 0, g->spool[d].len * sizeof(*g->seen[d]));
	}
	for (i = 0; i < g->flows; i++) {
		struct cg_flow *w = &g->flow[i];

		w->close_idx = CG_NONE;
		w->blind = false;
		for (d = 0; d < 2; d++) {
			w->started[d] = w->syn[d] = w->any_syn[d] = false;
			w->first[d] = w->ack[d] = w->high[d] = 0;
			w->tail[d] = 0;
		}
	}
}

void
cg_truth(struct convgen *g)
{
	uint32_t i, j;

	reset(g);
	note_frames(g);
	for (i = 0; i < g->flows; i++) {
		const struct cg_flow *w = &g->flow[i];

		if (w->blind) {
			g->truth.resyncs.hi = CONVGEN_ANY;
			g->truth.incomplete.hi = CONVGEN_ANY;
		}
		for (j = 0; w->tcp && j < 2; j++) {
			judge_stream(g, w, (uint8_t)j);
			count_holes(g, w, (uint8_t)j);
		}
		for (j = 0; !w->tcp && j < w->sends; j++)
			judge_datagram(g, &g->send[w->first_send + j]);
	}
	cg_count(g);
}

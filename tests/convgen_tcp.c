/* SPDX-License-Identifier: ISC */
/*
 * convgen_tcp.c: plays one TCP connection: calls and replies as records
 * (RFC 5531 11), cut into segments, lost and sent again, acknowledged.
 */
#include "convgen_int.h"

#define DEPTH_MAX	64
#define RANGES_MAX	64

struct pending {
	uint32_t	rpc;
	int64_t		ready;
};

struct run {
	struct convgen	*g;
	uint32_t	 flow;
	int64_t		 free[2];	/* when each side can send next */
	struct pending	 waiting[DEPTH_MAX];
	uint32_t	 n;
	bool		 part;		/* the last call was sent in part */
};

/* How long the next fragment of a record is, of what is left. */
static uint32_t
cut_record(struct convgen *g, uint8_t cut, uint32_t left)
{
	uint32_t n = left;

	if (cut == CG_CUT_FEW)
		n = cg_chance(g, 400000) ? left : cg_between(g, 1, left);
	else if (cut == CG_CUT_SMALL)
		n = cg_between(g, 4, 200);
	return n < left ? n : left;
}

static void
add_fragment(struct convgen *g, struct cg_flow *f, const struct cg_msg *m,
    uint8_t dir, uint32_t off, uint32_t len, bool last)
{
	struct cg_frag *r;
	uint8_t *p;

	g->frag = cg_grow(g->frag, &g->frag_cap, g->frags + 1,
	    sizeof(*g->frag));
	r = &g->frag[g->frags++];
	r->pos = f->len[dir];
	r->len = len;
	r->msg_off = off;
	r->last = last;
	p = cg_add(&g->spool[dir], 4 + len);
	cg_poke32(p, len | (last ? 0x80000000U : 0));
	memcpy(p + 4, g->pool.data + m->at + off, len);
	f->len[dir] += 4 + len;
}

static void
add_record(struct convgen *g, uint32_t flow, uint8_t dir, uint32_t msg)
{
	uint32_t send = cg_send_add(g, flow, dir, msg);
	struct cg_send *s = &g->send[send];
	const struct cg_msg *m = &g->msg[msg];
	struct cg_flow *f = &g->flow[flow];
	uint32_t off = 0, n;
	bool empty = f->frag == CG_CUT_EMPTY_LAST && cg_chance(g, 300000);

	f->fakes[dir] |= m->fake;
	s->first_frag = g->frags;
	while (off < m->len) {
		n = cut_record(g, f->frag, m->len - off);
		add_fragment(g, f, m, dir, off, n, off + n == m->len &&
		    !empty);
		off += n;
	}
	if (empty)
		add_fragment(g, f, m, dir, off, 0, true);
	s->frags = g->frags - s->first_frag;
}

static uint32_t
cut_segment(struct convgen *g, const struct cg_flow *f, uint32_t left)
{
	uint32_t n = f->mss;

	switch (f->seg) {
	case CG_SEG_RANDOM:
		n = cg_between(g, 1, f->mss);
		break;
	case CG_SEG_SMALL:
		n = cg_between(g, 1, 300);
		break;
	case CG_SEG_TINY:
		n = cg_between(g, 1, 9);
		break;
	case CG_SEG_BYTE:
		n = 1;
		break;
	default:
		break;
	}
	return n < left ? n : left;
}

static void
add_segment(struct run *r, uint8_t dir, uint32_t off, uint32_t len, int64_t t,
    bool undelivered, bool head)
{
	struct cg_frame *f = cg_frame_add(r->g, r->flow, dir, t);

	f->off = off;
	f->len = len;
	f->flags = 0x10;		/* ACK */
	f->undelivered = undelivered;
	f->head = head;
}

/*
 * Sends the stream's bytes [from, to) from time t on.  Gives the time when
 * all of them have arrived.  A lost segment is sent again a few segments, or
 * a timeout, later; lost before the capture, it is seen only then.
 */
static int64_t
emit(struct run *r, uint8_t dir, uint32_t from, uint32_t to, int64_t t)
{
	struct convgen *g = r->g;
	const struct cg_flow *f = &g->flow[r->flow];
	int64_t gap = cg_between(g, 300, 12000), again;
	uint32_t n;
	bool head = true;

	if (t < r->free[dir])
		t = r->free[dir];
	r->free[dir] = t;
	while (from < to) {
		n = cut_segment(g, f, to - from);
		again = t + gap * cg_between(g, 1, 12) +
		    (cg_chance(g, 100000) ? cg_between(g, 1, 200) * CG_MS : 0);
		if (cg_chance(g, g->shape.lost_before))
			add_segment(r, dir, from, n, again, false, head);
		else if (cg_chance(g, g->shape.lost_behind)) {
			add_segment(r, dir, from, n, t, true, head);
			add_segment(r, dir, from, n, again, false, head);
		} else {
			add_segment(r, dir, from, n, t, false, head);
			again = t;
		}
		if (again > r->free[dir])
			r->free[dir] = again;
		from += n;
		t += gap;
		head = false;
	}
	r->free[dir] += gap;
	return r->free[dir];
}

/* Which way the next call goes, and which way its reply. */
static uint8_t
call_dir(const struct convgen *g, uint32_t rpc)
{
	return g->rpc[rpc].reverse ? 1 : 0;
}

/* Puts up to `batch` calls on the wire in one burst; gives how many. */
static uint32_t
send_calls(struct run *r, const uint32_t *queue, uint32_t n, uint32_t batch,
    int64_t t, bool part)
{
	struct convgen *g = r->g;
	struct cg_flow *f = &g->flow[r->flow];
	uint8_t dir = call_dir(g, queue[0]);
	uint32_t i, from = f->len[dir], to;
	int64_t arrived;

	for (i = 0; i < n && i < batch && call_dir(g, queue[i]) == dir; i++)
		add_record(g, r->flow, dir, g->rpc[queue[i]].call);
	n = i;
	to = f->len[dir];
	r->part = part;
	if (part)			/* the connection dies meanwhile */
		to = from + cg_between(g, 1, to - from);
	arrived = emit(r, dir, from, to, t);
	for (i = 0; i < n; i++) {
		if (!part && cg_chance(g, g->shape.unanswered))
			continue;
		r->waiting[r->n].rpc = queue[i];
		r->waiting[r->n++].ready = arrived + 20 * CG_US +
		    cg_below(g, 3000) * CG_US;
	}
	return n;
}

static uint32_t
earliest(const struct run *r)
{
	uint32_t i, best = 0;

	for (i = 1; i < r->n; i++)
		if (r->waiting[i].ready < r->waiting[best].ready)
			best = i;
	return best;
}

/* Sends the reply that is ready first, and some that are nearly. */
static int64_t
send_replies(struct run *r)
{
	struct convgen *g = r->g;
	struct cg_flow *f = &g->flow[r->flow];
	uint32_t best = earliest(r), more = cg_below(g, g->shape.batch + 1);
	int64_t t = r->waiting[best].ready;
	uint8_t dir = !call_dir(g, r->waiting[best].rpc);
	uint32_t from = f->len[dir];

	for (;;) {
		add_record(g, r->flow, dir, g->rpc[r->waiting[best].rpc].reply);
		r->waiting[best] = r->waiting[--r->n];
		if (r->n == 0 || more-- == 0)
			break;
		best = earliest(r);
		if (call_dir(g, r->waiting[best].rpc) == dir)
			break;
		if (r->waiting[best].ready > t)
			t = r->waiting[best].ready;
	}
	return emit(r, dir, from, f->len[dir], t);
}

static void
control(struct run *r, uint8_t dir, uint8_t flags, int64_t t)
{
	struct cg_frame *f = cg_frame_add(r->g, r->flow, dir, t);

	f->flags = flags;
	f->off = (flags & 0x02) != 0 ? 0 : r->g->flow[r->flow].len[dir];
}

static void
handshake(struct run *r, int64_t *t)
{
	control(r, 0, 0x02, *t);
	control(r, 1, 0x12, *t + 20 * CG_US);
	control(r, 0, 0x10, *t + 40 * CG_US);
	r->free[0] = *t += 60 * CG_US;
	r->free[1] = *t;
}

static void
ending(struct run *r, int64_t *t, bool died)
{
	uint8_t end = r->g->flow[r->flow].end;
	uint8_t dir = (uint8_t)cg_below(r->g, 2);

	if (end == CG_END_FIN && !died) {
		control(r, dir, 0x11, *t + 50 * CG_US);
		control(r, !dir, 0x11, *t + 90 * CG_US);
	} else if (end != CG_END_NONE)
		control(r, dir, 0x14, *t + 50 * CG_US);
	*t += 200 * CG_US;
}

/* What the receiver has: bytes up to next, and ranges beyond. */
struct received {
	uint32_t	next, n;
	uint32_t	from[RANGES_MAX], to[RANGES_MAX];
};

static void
receive(struct received *v, uint32_t from, uint32_t to)
{
	uint32_t i;

	for (i = 0; i < v->n && v->to[i] != from; i++)
		;
	if (i < v->n)
		v->to[i] = to;
	else if (from > v->next && v->n < RANGES_MAX) {
		v->from[v->n] = from;
		v->to[v->n++] = to;
	} else if (from <= v->next && to > v->next)
		v->next = to;
	for (i = 0; i < v->n; i++)
		if (v->from[i] <= v->next) {
			if (v->to[i] > v->next)
				v->next = v->to[i];
			v->from[i] = v->from[--v->n];
			v->to[i] = v->to[v->n];
			i = UINT32_MAX;	/* once more */
		}
}

/* Adds pure acknowledgements, then fills in everyone's ack. */
static void
acknowledge(struct run *r, uint32_t first)
{
	struct convgen *g = r->g;
	struct received got[2] = { { .n = 0 }, { .n = 0 } };
	uint32_t sent[2] = { 0, 0 }, i, n = g->frames;
	struct cg_frame *f;

	for (i = first; i < n; i++)
		if (g->frame[i].len > 0 && cg_chance(g, g->shape.acks))
			cg_frame_add(g, r->flow, !g->frame[i].dir,
			    g->frame[i].t + cg_between(g, 1000, 20000))->flags =
			    0x10;
	cg_frames_sort(g->frame + first, g->frames - first);
	for (i = first; i < g->frames; i++) {
		f = &g->frame[i];
		f->ack = got[!f->dir].next;
		if (f->len == 0 && f->flags == 0x10)
			f->off = sent[f->dir];
		if (f->off + f->len > sent[f->dir])
			sent[f->dir] = f->off + f->len;
		if (!f->undelivered)
			receive(&got[f->dir], f->off,
			    f->off + f->len + (f->flags & 0x01));
	}
}

/* Those that wait for a reply come first in the queue of what is left. */
static uint32_t
left_over(struct run *r, uint32_t *queue, uint32_t from, uint32_t n)
{
	uint32_t i, out = 0;

	while (!r->part && r->n > 0 && cg_chance(r->g, 500000))
		send_replies(r);
	for (i = 0; i < from; i++) {
		uint32_t j;

		for (j = 0; j < r->n && r->waiting[j].rpc != queue[i]; j++)
			;
		if (j < r->n && !r->g->rpc[queue[i]].reverse)
			queue[out++] = queue[i];
	}
	memmove(queue + out, queue + from, (n - from) * sizeof(*queue));
	return out + n - from;
}

/*
 * Plays the queue's RPCs from *t on.  When the connection dies, that is with
 * a call half sent, say; what had no reply stays in the queue.
 */
void
cg_tcp_run(struct convgen *g, uint32_t flow, uint32_t *queue, uint32_t *n,
    int64_t *t, bool dies)
{
	struct run r = { .g = g, .flow = flow };
	uint32_t first = g->frames, next = 0, room, sent;
	uint32_t last = dies ? cg_below(g, *n) : CG_NONE;
	int64_t issue;

	handshake(&r, t);
	issue = *t;
	while (next < *n || r.n > 0) {
		room = g->shape.depth > r.n ? g->shape.depth - r.n : 0;
		if (next == *n || room == 0 || (r.n > 0 &&
		    r.waiting[earliest(&r)].ready < issue)) {
			*t = send_replies(&r);
			if (*t > issue && room == 0)
				issue = *t;
			continue;
		}
		if (room > g->shape.batch)
			room = g->shape.batch;
		sent = send_calls(&r, queue + next, *n - next,
		    cg_between(g, 1, room), issue, next >= last &&
		    cg_chance(g, 500000));
		next += sent;
		if (next > last)
			break;
		issue = (r.free[0] > issue ? r.free[0] : issue) +
		    cg_below(g, 2000) * CG_US;
	}
	*n = dies ? left_over(&r, queue, next, *n) : 0;
	*t = r.free[0] > r.free[1] ? r.free[0] : r.free[1];
	ending(&r, t, dies);
	acknowledge(&r, first);
	*t += CG_MS;
}

/* SPDX-License-Identifier: ISC */
/*
 * convgen_hurt.c: what network and capture do to frames: doubled, sent again in
 * other pieces, lost, moved, cut, and given wrong times.
 */
#include "convgen_int.h"

#define ORDER_STEP	8

static bool
is_control(const struct cg_frame *f)
{
	return (f->flags & 0x07) != 0;
}

/* Gives every frame its place, with room to put others between. */
static void
renumber(struct convgen *g)
{
	uint32_t i;

	for (i = 0; i < g->frames; i++)
		g->frame[i].order = i * ORDER_STEP;
}

/* A new frame, later by up to `far` places, but before the next SYN. */
static struct cg_frame *
insert(struct convgen *g, uint32_t i, uint32_t n, uint32_t far,
    const struct cg_frame *like)
{
	struct cg_frame *f;
	uint32_t at = i;

	while (far-- > 0 && at + 1 < n && (g->frame[at + 1].flags & 2) == 0)
		at++;
	f = cg_frame_add(g, like->flow, like->dir, 0);
	*f = *like;
	f->t = g->frame[at].t;
	f->order = g->frame[at].order + 1 + cg_below(g, ORDER_STEP - 1);
	return f;
}

/* Stream bytes that were sent already, cut otherwise than before. */
static void
overlap(struct convgen *g, uint32_t i, uint32_t n)
{
	const struct cg_frame like = g->frame[i];
	const struct cg_flow *w = &g->flow[like.flow];
	uint32_t high = w->high[like.dir], from, to, back;
	struct cg_frame *f;

	back = cg_below(g, 3000);
	from = like.off > back ? like.off - back : 0;
	to = from + cg_between(g, 1, 6000);
	if (to > high)
		to = high;
	f = insert(g, i, n, 0, &like);
	f->off = from;
	f->len = to - from;
	f->head = false;
}

/* A keep-alive: one byte of nothing before what comes next. */
static void
probe(struct convgen *g, uint32_t i, uint32_t n)
{
	const struct cg_frame like = g->frame[i];
	struct cg_frame *f = insert(g, i, n, 0, &like);

	f->off = g->flow[like.flow].high[like.dir] - 1;
	f->len = 1;
	f->probe = true;
}

static void
add_frames(struct convgen *g)
{
	const struct cg_hurt *h = &g->hurt;
	uint32_t i, n = g->frames;
	struct cg_frame f;
	struct cg_flow *w;

	for (i = 0; i < g->flows; i++)
		g->flow[i].high[0] = g->flow[i].high[1] = 0;
	for (i = 0; i < n; i++) {
		f = g->frame[i];
		w = &g->flow[f.flow];
		if (w->tcp && !is_control(&f) &&
		    f.off + f.len > w->high[f.dir])
			w->high[f.dir] = f.off + f.len;
		if (w->tcp && f.len > 0 && cg_chance(g, h->overlap))
			overlap(g, i, n);
		if (w->tcp && f.len > 0 && cg_chance(g, h->probe))
			probe(g, i, n);
		if (h->mirror || cg_chance(g, h->copy))
			insert(g, i, n, h->mirror ? 0 : cg_below(g, 20), &f);
	}
	cg_frames_sort(g->frame, g->frames);
	renumber(g);
}

static void
drop_frames(struct convgen *g)
{
	uint32_t i, n = 0, burst = 0;
	const struct cg_frame *f;

	for (i = 0; i < g->frames; i++) {
		f = &g->frame[i];
		if (burst == 0 && cg_chance(g, g->hurt.drop))
			burst = cg_between(g, 1, g->hurt.burst);
		if (burst > 0)
			burst--;
		else if (!f->head || !cg_chance(g, g->hurt.drop_marks))
			g->frame[n++] = *f;
	}
	g->frames = n;
}

/* May frame a, moved later, pass frame b? */
static bool
may_pass(const struct cg_frame *a, const struct cg_frame *b, bool cross)
{
	if (is_control(a) || (b->flags & 0x02) != 0 || b->probe)
		return false;
	return a->flow != b->flow ||
	    (!is_control(b) && (cross || a->dir == b->dir));
}

/* Moves frames back by a few places; the times keep their places. */
static void
move_frames(struct convgen *g)
{
	struct cg_frame tmp;
	uint32_t i, j, far;
	int64_t t;
	bool cross;

	for (i = 0; i + 1 < g->frames; i++) {
		cross = cg_chance(g, g->hurt.cross);
		if (!cross && !cg_chance(g, g->hurt.move))
			continue;
		far = cg_between(g, 1, 6);
		for (j = i; far > 0 && j + 1 < g->frames; j++, far--) {
			if (!may_pass(&g->frame[j], &g->frame[j + 1], cross))
				break;
			tmp = g->frame[j];
			g->frame[j] = g->frame[j + 1];
			g->frame[j + 1] = tmp;
			t = g->frame[j].t;
			g->frame[j].t = g->frame[j + 1].t;
			g->frame[j + 1].t = t;
		}
	}
}

static void
cut_ends(struct convgen *g)
{
	uint32_t a = 0, b = 0;

	if (g->hurt.cut_start > 0)
		a = (uint32_t)((uint64_t)g->frames *
		    cg_below(g, g->hurt.cut_start) / 1000000);
	if (g->hurt.cut_end > 0)
		b = (uint32_t)((uint64_t)g->frames *
		    cg_below(g, g->hurt.cut_end) / 1000000);
	if (a + b >= g->frames)
		return;
	g->frames -= a + b;
	memmove(g->frame, g->frame + a, g->frames * sizeof(*g->frame));
}

/* The clock steps at one place; every time is a little wrong. */
static void
set_clock(struct convgen *g)
{
	uint32_t at = cg_below(g, g->frames + 1), i;
	int64_t j = g->hurt.jitter;

	for (i = 0; i < g->frames; i++) {
		if (i >= at)
			g->frame[i].t += g->hurt.step;
		if (j > 0)
			g->frame[i].t += (int64_t)cg_below(g,
			    (uint32_t)(2 * j / CG_US)) * CG_US - j;
	}
	if (at < g->frames && (g->hurt.step < -CG_STEP_BACK ||
	    g->hurt.step > CG_STEP_AHEAD)) {
		g->epoch = cg_grow(g->epoch, &g->epoch_cap, g->epochs + 1,
		    sizeof(*g->epoch));
		g->epoch[g->epochs++] = at;
	}
}

void
cg_hurt(struct convgen *g)
{
	const struct cg_hurt *h = &g->hurt;
	uint32_t i;

	renumber(g);
	if (h->copy + h->overlap + h->probe > 0 || h->mirror)
		add_frames(g);
	if (h->drop + h->drop_marks > 0)
		drop_frames(g);
	if (h->move + h->cross > 0)
		move_frames(g);
	cut_ends(g);
	if (h->step != 0 || h->jitter != 0)
		set_clock(g);
	for (i = 0; i < g->frames; i++)
		g->frame[i].cap = h->snaplen != 0 ? h->snaplen : UINT32_MAX;
}

/* SPDX-License-Identifier: ISC */
/*
 * rpcrecordproof.c: what a hunt finds is proved, told, and gone on with.
 */
#include "rpcrecordproof.h"

#include <string.h>

void
rpcrecordproof_end(struct rpcrecord *rec)
{
	hunt_free(rec->hunt);
	rec->hunt = NULL;
}

/* In step again: candidates that are left may still be proved by a reply. */
static void
hunt_over(struct rpcrecord *rec, int64_t now_ns)
{
	if (rec->hunt->count == 0) {
		rpcrecordproof_end(rec);
		return;
	}
	rec->hunt->over = true;
	rec->hunt->over_ns = now_ns;
}

/* In step with the record at this place, whose mark has just passed. */
static void
get_in_step(struct rpcrecord_take *t, const struct rpcrecord_place *place,
    bool last)
{
	struct rpcrecord *rec = t->rec;

	hunt_contradict(rec->hunt, place);
	hunt_over(rec, place->first_ns);
	rec->phase = RPCRECORD_BODY;
	rec->begun = true;
	rec->last = last;
	rec->known = false;
	rec->fragments = 1;
	rec->mark_have = 0;
	rec->start = place->start;
	rec->first_ns = place->first_ns;
	rec->left = (uint32_t)(place->end - place->start - 4);
	rec->message_len = rec->left;
	rpcwalk_start(&rec->walk);
}

/* Tells the sink of one proved candidate. */
static void
tell(struct rpcrecord_take *t, const struct hunt_candidate *c,
    struct rpcwalk *walk)
{
	struct rpcrecord_place place = c->place;
	unsigned i;

	place.len = (uint32_t)(place.end - place.start) - 4 * c->fragments;
	if (!c->last)
		place.end = 0;
	t->rec->xid = c->hdr.xid;
	t->sink->header(t->ctx, walk, &c->hdr, &place);
	for (i = 0; i < c->ops; i++)
		t->sink->op(t->ctx, &c->hdr, &c->op[i], &place);
	if (c->passed)
		t->sink->end(t->ctx, walk, &c->hdr, &place);
}

/*
 * Where to begin when a candidate is proved: with the first of its chain if
 * that begins where the hunt did, or else with the candidate itself.
 */
static struct hunt_candidate *
chain_start(struct hunt *h, struct hunt_candidate *proved)
{
	struct hunt_candidate *first;

	hunt_chain(h, proved, &first);
	return first->place.start == h->origin ? first : proved;
}

/* What was passed over from where the hunt began to this offset. */
static void
passed_over(struct rpcrecord_take *t, uint64_t off)
{
	uint64_t over = off - t->rec->hunt->origin;

	if (off > t->rec->hunt->origin)
		t->sink->passed_over(t->ctx,
		    over < UINT32_MAX ? (uint32_t)over : UINT32_MAX);
}

/* In step in the midst of a proved candidate. */
static void
go_on_in(struct rpcrecord_take *t, struct hunt_candidate *c)
{
	struct rpcrecord *rec = t->rec;
	struct hunt *h = rec->hunt;
	const struct hunt_candidate was = *c;
	uint64_t seen = h->seen;

	get_in_step(t, &was.place, was.last);
	rec->fragments = was.fragments;
	rec->message_len = rec->left - 4 * (was.fragments - 1);
	if (seen < was.place.end)
		rec->left = (uint32_t)(was.place.end - seen);
	else {
		rec->phase = RPCRECORD_MARK;
		rec->left = 0;
		rec->mark_have = was.mark_have;
		memcpy(rec->mark, was.mark, sizeof(rec->mark));
	}
	/* While its header is still being walked it has not been told. */
	rec->known = was.walk.state != RPCWALK_HEADER;
	if (was.walking)
		rec->walk = was.walk;
	else
		rec->walk.state = RPCWALK_DONE;
	if (rec->known)
		rec->walk.hdr = was.hdr;
}

/* In step after a chain that ended among the last bytes seen. */
static void
go_on_after(struct rpcrecord_take *t, uint64_t end)
{
	struct rpcrecord *rec = t->rec;
	struct hunt *h = rec->hunt;
	uint8_t tail[sizeof(h->tail)];
	uint32_t len = (uint32_t)(h->seen - end);
	int64_t ns = len > 0 ? h->tail_ns[h->tail_len - len] : h->seen_ns;

	memcpy(tail, h->tail + h->tail_len - len, len);
	hunt_over(rec, h->seen_ns);
	rec->phase = RPCRECORD_MARK;
	rec->begun = false;
	rpcrecord_data(rec, t->pool, t->sink, t->ctx, end, tail, len, ns);
}

/* Tells the chain from c on and, if it reaches what was seen, is in step. */
static void
believe(struct rpcrecord_take *t, struct hunt_candidate *c)
{
	struct hunt *h = t->rec->hunt;
	struct rpcrecord_place place = c->place;
	struct rpcwalk done;
	bool torn = false, coming;
	unsigned n;

	rpcwalk_start(&done);
	done.state = RPCWALK_DONE;
	if (!h->over)
		passed_over(t, place.start);
	place.end = place.start;
	for (n = 0; n < HUNT_CANDIDATES && !torn &&
	    (c = hunt_by_start(h, place.end)) != NULL; n++) {
		place = c->place;
		torn = c->torn || (h->over && !c->last);
		coming = !torn && !h->over &&
		    (!c->last || place.end > h->seen);
		if (!coming)
			hunt_stop(c);
		if (c->walk.state != RPCWALK_HEADER)
			tell(t, c, &done);
		if (coming) {
			go_on_in(t, c);
			return;
		}
		hunt_contradict(h, &place);
	}
	if (h->over) {
		if (h->count == 0)
			rpcrecordproof_end(t->rec);
	} else if (!torn && place.end + h->tail_len >= h->seen &&
	    place.end <= h->seen)
		go_on_after(t, place.end);
	else if (place.end > h->origin)
		h->origin = place.end;
}

/* A reply that is expected. */
static void
go_on_with(struct rpcrecord_take *t, const struct hunt_find *f)
{
	uint8_t older[HUNT_NEED];
	uint32_t len = (uint32_t)f->older.len;

	if (len > 0)
		memcpy(older, f->older.data, len);
	passed_over(t, f->place.start);
	get_in_step(t, &f->place, f->last);
	rpcrecord_data(t->rec, t->pool, t->sink, t->ctx, f->place.start + 4,
	    older, len, f->place.first_ns);
}

uint32_t
rpcrecordproof_data(struct rpcrecord_take *t, uint64_t off,
    const uint8_t *data, uint32_t len, int64_t time_ns)
{
	struct rpcrecord *rec = t->rec;
	struct hunt_candidate *first;
	struct hunt_find f;
	uint32_t n;

	if (rec->hunt == NULL &&
	    (rec->hunt = hunt_new(t->pool, off, off == 0)) == NULL) {
		t->sink->passed_over(t->ctx, len);
		return len;
	}
	rec->hunt->seen = off;
	n = hunt_data(rec->hunt, data, len, time_ns, &f);
	/* Looking for its call may bring this stream in step. */
	if (f.what == HUNT_REPLY &&
	    t->sink->expected(t->ctx, f.xid, f.inside) &&
	    rec->phase == RPCRECORD_HUNT)
		go_on_with(t, &f);
	else if (f.what == HUNT_CALL && t->sink->alone(t->ctx) &&
	    hunt_chain(rec->hunt, hunt_newest(rec->hunt), &first) >=
	    RPCRECORD_CHAIN)
		believe(t, first);
	return n;
}

bool
rpcrecord_prove(struct rpcrecord *rec, struct hunt_pool *pool,
    const struct rpcrecord_sink *sink, void *ctx, uint32_t xid, int64_t now_ns)
{
	struct rpcrecord_take t = { rec, pool, sink, ctx, { .start = 0 } };
	struct hunt_candidate *c;

	(void)now_ns;
	if (rec->hunt == NULL || (c = hunt_by_xid(rec->hunt, xid)) == NULL)
		return false;
	believe(&t, chain_start(rec->hunt, c));
	return true;
}

bool
rpcrecord_suspects(const struct rpcrecord *rec, uint32_t xid)
{
	return rec->hunt != NULL && hunt_by_xid(rec->hunt, xid) != NULL;
}

bool
rpcrecord_has_head(const struct rpcrecord *rec, uint32_t xid)
{
	return rpcrecord_suspects(rec, xid) &&
	    hunt_by_xid(rec->hunt, xid)->walk.state != RPCWALK_HEADER;
}

/* Whether the candidates from where the hunt began on lead to its end. */
static bool
chain_reaches_end(struct hunt *h)
{
	const struct hunt_candidate *c;
	uint64_t end = h->origin;

	while (end < h->seen && (c = hunt_by_start(h, end)) != NULL)
		end = c->place.end;
	return end + h->tail_len >= h->seen;
}

void
rpcrecordproof_flush(struct rpcrecord_take *t)
{
	struct hunt *h = t->rec->hunt;
	struct hunt_candidate *c;

	if (h->met_here && chain_reaches_end(h) &&
	    (c = hunt_by_start(h, h->origin)) != NULL)
		believe(t, c);
}

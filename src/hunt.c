/* SPDX-License-Identifier: ISC */
/*
 * hunt.c: candidates for the start of an RPC record in a stream out of step.
 */
#include "hunt.h"

#include <stdlib.h>
#include <string.h>

#define XID_NEAR	1024U

struct hunt *
hunt_new(struct hunt_pool *pool, uint64_t origin, bool met_here)
{
	struct hunt *h;

	if (pool->used >= pool->max || (h = calloc(1, sizeof(*h))) == NULL)
		return NULL;
	pool->used++;
	h->pool = pool;
	h->origin = h->seen = origin;
	h->met_here = met_here;
	return h;
}

static struct hunt_candidate *
nth_newest(struct hunt *h, uint32_t n)
{
	return h->candidate[h->count - 1 - n];
}

void
hunt_free(struct hunt *h)
{
	if (h == NULL)
		return;
	while (h->count > 0)
		hunt_forget(h, nth_newest(h, 0));
	h->pool->used--;
	free(h);
}

void
hunt_again(struct hunt *h, uint64_t origin)
{
	h->origin = h->seen = origin;
	h->met_here = h->over = false;
	h->tail_len = 0;
}

struct hunt_candidate *
hunt_newest(struct hunt *h)
{
	if (h->count == 0)
		return NULL;
	return h->candidate[h->count - 1];
}

/* The walk of a candidate tells its facts here. */
static void
walk_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr)
{
	struct hunt_candidate *c = ctx;

	(void)w;
	c->hdr = *hdr;
}

static void
walk_op(void *ctx, struct rpcwalk *w, const struct rpc_op *op)
{
	struct hunt_candidate *c = ctx;

	(void)w;
	if (c->ops == HUNT_OPS)
		return;
	c->op[c->ops] = *op;
	/* Handles and names are borrowed from the walk: not kept. */
	c->op[c->ops].fh = NULL;
	c->op[c->ops].name = c->op[c->ops].name2 = NULL;
	c->op[c->ops].fh_len = c->op[c->ops].name_len = 0;
	c->op[c->ops].name2_len = 0;
	c->ops++;
}

static const struct rpcwalk_listener walk_listener = { walk_header, walk_op };

void
hunt_stop(struct hunt_candidate *c)
{
	if (!c->walking)
		return;
	rpcwalk_end(&c->walk, &walk_listener, c);
	c->walking = false;
}

/* A byte of a mark between two fragments. */
static void
take_mark(struct hunt_candidate *c, uint8_t byte)
{
	uint32_t mark, size, len;

	c->mark[c->mark_have++] = byte;
	if (c->mark_have < 4)
		return;
	mark = bytes_be32(c->mark);
	size = mark & ~RPCRECORD_LAST;
	len = (uint32_t)(c->place.end - c->place.start) - 4 * c->fragments;
	c->mark_have = 0;
	c->torn = size > RPCRECORD_MAX - len ||
	    ++c->fragments > RPCRECORD_FRAGMENTS_MAX;
	if (c->torn)
		return;
	c->last = (mark & RPCRECORD_LAST) != 0;
	c->place.end += 4 + size;
}

/* What of len bytes is of the candidate's fragment at hand; it is walked. */
static uint32_t
take_fragment(struct hunt_candidate *c, uint64_t off, const uint8_t *data,
    uint32_t len)
{
	if (len > c->place.end - off)
		len = (uint32_t)(c->place.end - off);
	if (c->walking && data != NULL)
		rpcwalk_feed(&c->walk, data, len, &walk_listener, c);
	else if (c->walking)
		rpcwalk_skip(&c->walk, len, &walk_listener, c);
	return len;
}

/* Bytes at offset off, not seen if data is NULL, pass by a candidate. */
static void
follow(struct hunt_candidate *c, uint64_t off, const uint8_t *data,
    uint32_t len)
{
	uint32_t n;

	while (len > 0 && !c->torn && (off < c->place.end || !c->last)) {
		n = 1;
		if (off < c->place.end)
			n = take_fragment(c, off, data, len);
		else if (data != NULL)
			take_mark(c, *data);
		else
			c->torn = true;
		off += n;
		len -= n;
		if (data != NULL)
			data += n;
	}
	if (c->torn || (c->last && off >= c->place.end))
		hunt_stop(c);
}

static void
follow_all(struct hunt *h, const uint8_t *data, uint32_t len)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (h->candidate[i]->walking || !h->candidate[i]->last)
			follow(h->candidate[i], h->seen, data, len);
}

/* Notes which candidates have now passed to their end. */
static void
pass_to(struct hunt *h, uint64_t off, int64_t time_ns)
{
	uint32_t i;

	h->seen = off;
	h->seen_ns = time_ns;
	for (i = 0; i < h->count; i++) {
		struct hunt_candidate *c = h->candidate[i];

		if (c->passed)
			continue;
		c->place.last_ns = time_ns;
		c->passed = c->last && c->place.end <= off;
	}
}

/* Makes room for one more: the oldest goes, or the oldest inside another. */
static bool
make_room(struct hunt *h)
{
	const struct hunt_pool *pool = h->pool;
	bool inside = h->inside > HUNT_CANDIDATES / 2;
	uint32_t i = 0;

	if (h->count < HUNT_CANDIDATES && (pool->max_candidates == 0 ||
	    pool->candidates < pool->max_candidates))
		return true;
	if (h->count == 0)
		return false;
	while (inside && !h->candidate[i]->inside)
		i++;
	hunt_forget(h, h->candidate[i]);
	return true;
}

static bool
lies_inside(const struct hunt *h, uint64_t start)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (h->candidate[i]->place.end > start)
			return true;
	return false;
}

/*
 * header: HUNT_NEED - 4 bytes of the message, see RFC 5531 sec. 9.  False:
 * there is no room.
 */
static bool
add(struct hunt *h, const struct hunt_find *f, const uint8_t *header)
{
	struct hunt_candidate *c;

	if (!make_room(h) || (c = calloc(1, sizeof(*c))) == NULL)
		return false;
	c->place = f->place;
	c->last = f->last;
	c->fragments = 1;
	c->hdr.xid = bytes_be32(header);
	c->hdr.prog = bytes_be32(header + 12);
	c->hdr.vers = bytes_be32(header + 16);
	c->hdr.proc = bytes_be32(header + 20);
	c->hdr.flavor = bytes_be32(header + 24);
	c->inside = f->inside;
	h->inside += c->inside;
	h->candidate[h->count++] = c;
	h->pool->candidates++;
	c->walking = true;
	rpcwalk_start(&c->walk);
	return true;
}

/*
 * Whether this can be the mark of a message of which need bytes have been
 * looked at: of one that is whole, a length that is a multiple of four (RFC
 * 4506 sec. 3); of a first fragment, one that holds these bytes.
 */
static bool
mark_possible(uint32_t mark, uint32_t need)
{
	uint32_t size = mark & ~RPCRECORD_LAST;

	if (size > RPCRECORD_MAX)
		return false;
	if ((mark & RPCRECORD_LAST) == 0)
		return size >= need;
	return size % 4 == 0 && size >= RPCRECORD_MIN;
}

/* place.end of the find is made the length of the first fragment. */
bool
hunt_look(const uint8_t *p, size_t len, struct hunt_find *f)
{
	uint32_t mark, size, type, next;

	f->what = HUNT_NOTHING;
	if (len < RPCRECORD_MIN + 4)
		return false;
	type = bytes_be32(p + 8);
	next = bytes_be32(p + 12);
	if (!(type == 0 && next == 2 && len >= HUNT_NEED) &&
	    !(type == 1 && next <= 1))
		return false;
	mark = bytes_be32(p);
	size = mark & ~RPCRECORD_LAST;
	if (!mark_possible(mark, (type == 0 ? HUNT_NEED : HUNT_REPLY_NEED) - 4)
	    || (size > RPCRECORD_MIN && len < HUNT_REPLY_NEED))
		return false;
	f->last = (mark & RPCRECORD_LAST) != 0;
	f->place.end = size;
	switch (rpcwalk_guess(p + 4, len - 4 < size ? len - 4 : size,
	    &f->xid)) {
	case RPC_GUESS_CALL:
		f->what = HUNT_CALL;
		break;
	case RPC_GUESS_REPLY:
		f->what = HUNT_REPLY;
		break;
	case RPC_GUESS_NO:
	case RPC_GUESS_SHORT:
		break;
	}
	return f->what != HUNT_NOTHING;
}

/* Adds len bytes that came together, as far as the tail goes. */
static void
keep_tail(struct hunt *h, const uint8_t *data, size_t len, int64_t time_ns)
{
	size_t keep, stay, i;

	keep = len < sizeof(h->tail) ? len : sizeof(h->tail);
	stay = sizeof(h->tail) - keep;
	if (stay > h->tail_len)
		stay = h->tail_len;
	memmove(h->tail, h->tail + h->tail_len - stay, stay);
	memmove(h->tail_ns, h->tail_ns + h->tail_len - stay,
	    stay * sizeof(h->tail_ns[0]));
	memcpy(h->tail + stay, data + len - keep, keep);
	for (i = 0; i < keep; i++)
		h->tail_ns[stay + i] = time_ns;
	h->tail_len = (uint8_t)(stay + keep);
}

/*
 * Found at offset at: sets the place and begins the candidate, or, if there
 * is no room for it, finds nothing.
 */
static void
found(struct hunt *h, struct hunt_find *f, const uint8_t *p, uint64_t at,
    int64_t first_ns)
{
	f->place.start = at;
	f->place.end += at + 4;
	f->place.first_ns = f->place.last_ns = first_ns;
	f->inside = lies_inside(h, at);
	if (f->what == HUNT_CALL && !add(h, f, p + 4))
		f->what = HUNT_NOTHING;
}

/* Looks for a header that began in the bytes before. */
static bool
look_in_tail(struct hunt *h, const uint8_t *data, uint32_t len,
    struct hunt_find *f, uint32_t *taken)
{
	uint8_t joined[2 * HUNT_NEED];
	uint32_t head = len < HUNT_NEED ? len : HUNT_NEED, i, old;
	uint64_t base = h->seen;

	memcpy(joined, h->tail, h->tail_len);
	memcpy(joined + h->tail_len, data, head);
	for (i = 0; i < h->tail_len; i++) {
		old = h->tail_len - i;
		if (!hunt_look(joined + i, old + head, f))
			continue;
		*taken = old < 4 ? 4 - old : 0;
		follow_all(h, data, *taken);
		found(h, f, joined + i, base - old, h->tail_ns[i]);
		/* The tail stays as it is until the caller has fed it. */
		if (old > 4)
			f->older = bytes_of(h->tail + i + 4, old - 4);
		if (f->what == HUNT_CALL)
			follow(nth_newest(h, 0), f->place.start + 4,
			    f->older.data, (uint32_t)f->older.len);
		return true;
	}
	return false;
}

static bool
look_in_data(struct hunt *h, const uint8_t *data, uint32_t len,
    int64_t time_ns, struct hunt_find *f, uint32_t *taken)
{
	uint32_t i;

	for (i = 0; i + RPCRECORD_MIN + 4 <= len; i++) {
		if (!hunt_look(data + i, len - i, f))
			continue;
		*taken = i + 4;
		follow_all(h, data, *taken);
		found(h, f, data + i, h->seen + i, time_ns);
		return true;
	}
	return false;
}

uint32_t
hunt_data(struct hunt *h, const uint8_t *data, uint32_t len, int64_t time_ns,
    struct hunt_find *f)
{
	uint32_t taken = len;

	f->older = bytes_of(NULL, 0);
	if (look_in_tail(h, data, len, f, &taken) ||
	    look_in_data(h, data, len, time_ns, f, &taken))
		h->tail_len = 0;
	else {
		f->what = HUNT_NOTHING;
		follow_all(h, data, len);
		keep_tail(h, data, len, time_ns);
	}
	pass_to(h, h->seen + taken, time_ns);
	return taken;
}

void
hunt_skip(struct hunt *h, uint32_t len, int64_t time_ns, bool lost)
{
	struct hunt_candidate *c = hunt_newest(h);

	follow_all(h, NULL, len);
	if (lost && (c == NULL || h->seen >= c->place.end)) {
		h->origin = h->seen + len;
		h->met_here = false;
	}
	h->tail_len = 0;
	pass_to(h, h->seen + len, time_ns);
}

struct hunt_candidate *
hunt_by_xid(struct hunt *h, uint32_t xid)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (nth_newest(h, i)->hdr.xid == xid)
			return nth_newest(h, i);
	return NULL;
}

struct hunt_candidate *
hunt_by_start(struct hunt *h, uint64_t off)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (nth_newest(h, i)->place.start == off)
			return nth_newest(h, i);
	return NULL;
}

struct hunt_candidate *
hunt_by_end(struct hunt *h, uint64_t off)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (nth_newest(h, i)->place.end == off &&
		    nth_newest(h, i)->last)
			return nth_newest(h, i);
	return NULL;
}

void
hunt_forget(struct hunt *h, struct hunt_candidate *c)
{
	uint32_t i;

	for (i = 0; h->candidate[i] != c; i++)
		;
	h->count--;
	memmove(h->candidate + i, h->candidate + i + 1,
	    (h->count - i) * sizeof(c));
	h->inside -= c->inside;
	h->pool->candidates--;
	free(c);
}

void
hunt_contradict(struct hunt *h, const struct rpcrecord_place *place)
{
	uint32_t i;

	for (i = h->count; i-- > 0;) {
		struct hunt_candidate *c = h->candidate[i];

		if (c->place.start < place->end && c->place.end > place->start)
			hunt_forget(h, c);
	}
}

bool
hunt_xids_near(uint32_t a, uint32_t b)
{
	return a - b + XID_NEAR <= 2 * XID_NEAR ||
	    __builtin_bswap32(a) - __builtin_bswap32(b) + XID_NEAR <=
	    2 * XID_NEAR;
}

uint32_t
hunt_chain(struct hunt *h, struct hunt_candidate *c,
    struct hunt_candidate **first)
{
	uint32_t n = 0;

	do {
		*first = c;
		n++;
	} while (n < HUNT_CANDIDATES &&
	    (c = hunt_by_end(h, c->place.start)) != NULL &&
	    hunt_xids_near(c->hdr.xid, (*first)->hdr.xid));
	return n;
}

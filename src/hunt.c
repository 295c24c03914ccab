/* SPDX-License-Identifier: ISC */
/*
 * hunt.c: candidates for the start of an RPC record in a stream out of step.
 */
#include "hunt.h"

#include <stdlib.h>
#include <string.h>

struct hunt *
hunt_new(struct hunt_pool *pool, uint64_t origin, bool met_here)
{
	struct hunt *h;

	if (pool->used >= pool->max || (h = calloc(1, sizeof(*h))) == NULL)
		return NULL;
	pool->used++;
	h->origin = h->seen = origin;
	h->met_here = met_here;
	return h;
}

void
hunt_free(struct hunt *h, struct hunt_pool *pool)
{
	if (h == NULL)
		return;
	pool->used--;
	free(h);
}

struct hunt_candidate *
hunt_newest(struct hunt *h)
{
	if (h->count == 0)
		return NULL;
	return &h->candidate[(h->next + HUNT_CANDIDATES - 1) % HUNT_CANDIDATES];
}

/* The walk of the newest candidate tells its facts here. */
static void
walk_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr)
{
	struct hunt *h = ctx;

	(void)w;
	hunt_newest(h)->hdr = *hdr;
}

static void
walk_op(void *ctx, struct rpcwalk *w, const struct rpc_op *op)
{
	struct hunt *h = ctx;
	struct hunt_candidate *c = hunt_newest(h);

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

/* Feeds the newest candidate; data starts at stream offset off. */
static void
walk_on(struct hunt *h, uint64_t off, const uint8_t *data, uint32_t len)
{
	struct hunt_candidate *c = hunt_newest(h);

	if (!h->walking || off >= c->place.end)
		return;
	if (len > c->place.end - off)
		len = (uint32_t)(c->place.end - off);
	if (data != NULL)
		rpcwalk_feed(&h->walk, data, len, &walk_listener, h);
	else
		rpcwalk_skip(&h->walk, len, &walk_listener, h);
	if (off + len == c->place.end) {
		rpcwalk_end(&h->walk, &walk_listener, h);
		h->walking = false;
	}
}

/* Notes which candidates have now passed to their end. */
static void
mark_passed(struct hunt *h, int64_t time_ns)
{
	uint32_t i;

	for (i = 0; i < h->count; i++) {
		struct hunt_candidate *c = &h->candidate[i];

		if (c->passed)
			continue;
		c->place.last_ns = time_ns;
		c->passed = c->place.end <= h->seen;
	}
}

/* header: HUNT_NEED - 4 bytes of the message, see RFC 5531 sec. 9. */
static void
add(struct hunt *h, const struct rpcrecord_place *place, const uint8_t *header)
{
	struct hunt_candidate *c = &h->candidate[h->next];

	if (h->walking)
		rpcwalk_end(&h->walk, &walk_listener, h);
	memset(c, 0, sizeof(*c));
	c->place = *place;
	c->hdr.xid = bytes_be32(header);
	c->hdr.prog = bytes_be32(header + 12);
	c->hdr.vers = bytes_be32(header + 16);
	c->hdr.proc = bytes_be32(header + 20);
	c->hdr.flavor = bytes_be32(header + 24);
	h->next = (h->next + 1) % HUNT_CANDIDATES;
	if (h->count < HUNT_CANDIDATES)
		h->count++;
	h->walking = true;
	rpcwalk_start(&h->walk);
}

/*
 * Whether a message with its record mark may start at p: last fragment, a
 * length that is a multiple of four (RFC 4506 sec. 3) and long enough.
 */
static enum hunt_found
look(const uint8_t *p, size_t len, uint32_t *size, uint32_t *xid)
{
	uint32_t mark, type, next;

	if (len < RPCRECORD_MIN + 4)
		return HUNT_NOTHING;
	type = bytes_be32(p + 8);
	next = bytes_be32(p + 12);
	if (!(type == 0 && next == 2 && len >= HUNT_NEED) &&
	    !(type == 1 && next <= 1))
		return HUNT_NOTHING;
	mark = bytes_be32(p);
	*size = mark & 0x7fffffff;
	if ((mark & 0x80000000) == 0 || *size % 4 != 0 || *size < 24 ||
	    *size > RPCRECORD_MAX)
		return HUNT_NOTHING;
	switch (rpcwalk_guess(p + 4, len - 4 < *size ? len - 4 : *size, xid)) {
	case RPC_GUESS_CALL:
		return HUNT_CALL;
	case RPC_GUESS_REPLY:
		return HUNT_REPLY;
	case RPC_GUESS_NO:
	case RPC_GUESS_SHORT:
		break;
	}
	return HUNT_NOTHING;
}

static void
keep_tail(struct hunt *h, const uint8_t *joined, size_t len, int64_t time_ns)
{
	size_t keep = len < sizeof(h->tail) ? len : sizeof(h->tail);

	memmove(h->tail, joined + len - keep, keep);
	h->tail_len = (uint8_t)keep;
	h->tail_ns = time_ns;
}

/* Found at offset at: sets the place and begins the candidate. */
static void
found(struct hunt *h, enum hunt_found what, const uint8_t *p, uint64_t at,
    uint32_t size, int64_t first_ns, struct rpcrecord_place *place)
{
	*place = (struct rpcrecord_place){
		.start = at, .end = at + 4 + size,
		.first_ns = first_ns, .last_ns = first_ns
	};
	if (what == HUNT_CALL)
		add(h, place, p + 4);
}

uint32_t
hunt_data(struct hunt *h, const uint8_t *data, uint32_t len, int64_t time_ns,
    enum hunt_found *what, struct rpcrecord_place *place, uint32_t *xid,
    struct bytes *older)
{
	uint8_t joined[2 * HUNT_NEED];
	uint32_t head, i, size, taken = len;
	uint64_t base = h->seen;

	*what = HUNT_NOTHING;
	*older = bytes_of(NULL, 0);
	/* A header that began in the bytes before. */
	head = len < HUNT_NEED ? len : HUNT_NEED;
	memcpy(joined, h->tail, h->tail_len);
	memcpy(joined + h->tail_len, data, head);
	for (i = 0; i < h->tail_len; i++) {
		size_t old = h->tail_len - i;

		*what = look(joined + i, old + head, &size, xid);
		if (*what == HUNT_NOTHING)
			continue;
		found(h, *what, joined + i, base - old, size, h->tail_ns,
		    place);
		taken = old < 4 ? (uint32_t)(4 - old) : 0;
		/* The tail stays as it is until the caller has fed it. */
		if (old > 4)
			*older = bytes_of(h->tail + i + 4, old - 4);
		walk_on(h, place->start + 4, older->data, (uint32_t)older->len);
		h->seen = base + taken;
		h->tail_len = 0;
		mark_passed(h, time_ns);
		return taken;
	}
	for (i = 0; i + RPCRECORD_MIN + 4 <= len; i++) {
		*what = look(data + i, len - i, &size, xid);
		if (*what == HUNT_NOTHING)
			continue;
		walk_on(h, base, data, i);
		found(h, *what, data + i, base + i, size, time_ns, place);
		taken = i + 4;
		h->seen = base + taken;
		h->tail_len = 0;
		mark_passed(h, time_ns);
		return taken;
	}
	walk_on(h, base, data, len);
	if (len >= sizeof(h->tail))
		keep_tail(h, data, len, time_ns);
	else {
		int64_t ns = h->tail_len > 0 ? h->tail_ns : time_ns;

		keep_tail(h, joined, h->tail_len + head, ns);
	}
	h->seen = base + len;
	mark_passed(h, time_ns);
	return len;
}

void
hunt_skip(struct hunt *h, uint32_t len, int64_t time_ns, bool lost)
{
	struct hunt_candidate *c = hunt_newest(h);

	walk_on(h, h->seen, NULL, len);
	if (lost && (c == NULL || h->seen >= c->place.end)) {
		h->origin = h->seen + len;
		h->met_here = false;
	}
	h->seen += len;
	h->tail_len = 0;
	mark_passed(h, time_ns);
}

static struct hunt_candidate *
nth_newest(struct hunt *h, uint32_t n)
{
	return &h->candidate[(h->next + 2 * HUNT_CANDIDATES - 1 - n) %
	    HUNT_CANDIDATES];
}

struct hunt_candidate *
hunt_by_xid(struct hunt *h, uint32_t xid)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (nth_newest(h, i)->hdr.xid == xid &&
		    nth_newest(h, i)->place.end != 0)
			return nth_newest(h, i);
	return NULL;
}

struct hunt_candidate *
hunt_by_start(struct hunt *h, uint64_t off)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (nth_newest(h, i)->place.start == off &&
		    nth_newest(h, i)->place.end != 0)
			return nth_newest(h, i);
	return NULL;
}

struct hunt_candidate *
hunt_by_end(struct hunt *h, uint64_t off)
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (nth_newest(h, i)->place.end == off)
			return nth_newest(h, i);
	return NULL;
}

void
hunt_forget(struct hunt *h, struct hunt_candidate *c)
{
	if (c == hunt_newest(h))
		h->walking = false;
	memset(c, 0, sizeof(*c));
}

uint32_t
hunt_chain(struct hunt *h, const struct hunt_candidate *c)
{
	uint32_t n = 1;

	while (n < HUNT_CANDIDATES &&
	    (c = hunt_by_end(h, c->place.start)) != NULL)
		n++;
	return n;
}

struct hunt_candidate *
hunt_oldest_left(struct hunt *h)
{
	uint32_t i;

	for (i = h->count; i-- > 0;)
		if (nth_newest(h, i)->place.end != 0)
			return nth_newest(h, i);
	return NULL;
}

/* SPDX-License-Identifier: ISC */
/*
 * rpcrecord.c: RPC record marking (RFC 5531 sec. 11) over one direction of a
 * TCP stream, in step or hunting.
 */
#include "rpcrecord.h"

#include <string.h>

#include "bytes.h"

#define LAST_FRAGMENT	0x80000000U
#define FRAGMENTS_MAX	65536U	/* of one message: an endless run of empty
				 * fragments is no message */
/*
 * An XID so far from one that was proved is not believed to be of the same
 * client: clients count XIDs up.
 */
#define XID_NEAR	1024U
#define PROOF_AGE_NS	(60 * INT64_C(1000000000))	/* as an open call's */

struct take {				/* arguments that travel together */
	struct rpcrecord		*rec;
	struct hunt_pool		*pool;
	const struct rpcrecord_sink	*sink;
	void				*ctx;
	struct rpcrecord_place		 place;
};

static void
on_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr)
{
	struct take *t = ctx;

	t->rec->known = true;
	t->rec->trusting = false;
	t->sink->header(t->ctx, w, hdr, &t->place);
}

static void
on_op(void *ctx, struct rpcwalk *w, const struct rpc_op *op)
{
	struct take *t = ctx;

	t->sink->op(t->ctx, &w->hdr, op, &t->place);
}

static const struct rpcwalk_listener walk_listener = { on_header, on_op };

void
rpcrecord_init(struct rpcrecord *rec, bool in_step)
{
	memset(rec, 0, offsetof(struct rpcrecord, walk));
	rec->hunt = NULL;
	rec->phase = in_step ? RPCRECORD_MARK : RPCRECORD_HUNT;
}

static void
hunt_end(struct rpcrecord *rec, struct hunt_pool *pool)
{
	hunt_free(rec->hunt, pool);
	rec->hunt = NULL;
}

/* In step again: candidates that are left may still be proved by a reply. */
static void
hunt_over(struct rpcrecord *rec, struct hunt_pool *pool, int64_t now_ns)
{
	if (rec->hunt == NULL)
		return;
	if (hunt_oldest_left(rec->hunt) == NULL) {
		hunt_end(rec, pool);
		return;
	}
	rec->hunt->over = true;
	rec->hunt->over_ns = now_ns;
}

void
rpcrecord_clear(struct rpcrecord *rec, struct hunt_pool *pool)
{
	hunt_end(rec, pool);
	rpcrecord_init(rec, false);
}

void
rpcrecord_deafen(struct rpcrecord *rec, struct hunt_pool *pool)
{
	hunt_end(rec, pool);
	rec->phase = RPCRECORD_DEAF;
}

/* Footing is lost at this offset. */
static void
lose_step(struct take *t, uint64_t off)
{
	struct rpcrecord *rec = t->rec;

	if (rec->begun)
		rpcwalk_end(&rec->walk, &walk_listener, t);
	if (rec->trusting)
		t->sink->guesses_wrong(t->ctx);
	rec->trusting = rec->guessed = false;
	rec->begun = false;
	rec->mark_have = 0;
	rec->phase = RPCRECORD_HUNT;
	hunt_end(rec, t->pool);
	rec->hunt = hunt_new(t->pool, off, false);
	t->sink->lost_step(t->ctx);
}

static void
message_end(struct take *t)
{
	struct rpcrecord *rec = t->rec;

	if (rec->guessed) {
		rec->begun = rec->guessed = false;
		t->sink->guess_end(t->ctx, &t->place);
		return;
	}
	rpcwalk_end(&rec->walk, &walk_listener, t);
	rec->begun = false;
	if (rec->known)
		t->sink->end(t->ctx, &rec->walk, &rec->walk.hdr, &t->place);
}

static void
place_now(struct take *t, uint64_t end_if_known, int64_t time_ns)
{
	const struct rpcrecord *rec = t->rec;

	t->place.start = rec->start;
	t->place.end = end_if_known;
	t->place.first_ns = rec->first_ns;
	t->place.last_ns = time_ns;
}

/* A whole mark has been read, ending at offset off; false: it cannot be one. */
static bool
mark_whole(struct take *t, uint64_t off)
{
	struct rpcrecord *rec = t->rec;
	uint32_t mark = bytes_be32(rec->mark);

	rec->mark_have = 0;
	rec->last = (mark & LAST_FRAGMENT) != 0;
	rec->left = mark & ~LAST_FRAGMENT;
	if (!rec->begun) {
		rec->begun = true;
		rec->known = false;
		rec->message_len = rec->fragments = 0;
		rec->start = off - 4;
		rpcwalk_start(&rec->walk);
		if (rec->last && rec->left < RPCRECORD_MIN)
			return false;
	}
	if (rec->left > RPCRECORD_MAX - rec->message_len ||
	    ++rec->fragments > FRAGMENTS_MAX)
		return false;
	rec->message_len += rec->left;
	rec->phase = RPCRECORD_BODY;
	if (rec->trusting && !rec->last)
		return false;	/* not worth the trust */
	return true;
}

/*
 * The head of a record is hidden by the snap length from offset off on: is
 * it a usual one?  A guess covers what is left of the mark, too.
 */
static bool
guess(struct take *t, uint64_t off, int64_t time_ns)
{
	struct rpcrecord *rec = t->rec;
	uint32_t usual = t->sink->usual(t->ctx);
	uint32_t mark_left = 4U - rec->mark_have;

	if (usual == 0 || rec->begun)
		return false;
	rec->begun = rec->guessed = rec->trusting = rec->last = true;
	rec->known = false;
	rec->fragments = 1;
	rec->message_len = usual;
	rec->left = usual + mark_left;
	rec->start = off - rec->mark_have;
	if (rec->mark_have == 0)
		rec->first_ns = time_ns;
	rec->mark_have = 0;
	rec->phase = RPCRECORD_BODY;
	rpcwalk_start(&rec->walk);
	rec->walk.state = RPCWALK_DONE;
	place_now(t, rec->start + 4 + usual, time_ns);
	t->sink->guess(t->ctx, &t->place);
	return true;
}

/* The mark was seen but the header is hidden: usual by its length? */
static void
guess_by_mark(struct take *t)
{
	struct rpcrecord *rec = t->rec;

	if (rec->known || rec->guessed || !rec->last || rec->fragments != 1 ||
	    rec->walk.state != RPCWALK_CUT ||
	    rec->message_len != t->sink->usual(t->ctx))
		return;
	rec->guessed = true;
	t->sink->guess(t->ctx, &t->place);
}

/* The fragment has passed; off is the offset after it. */
static void
fragment_end(struct take *t, uint64_t off, int64_t time_ns)
{
	t->rec->phase = RPCRECORD_MARK;
	if (t->rec->last) {
		place_now(t, off, time_ns);
		message_end(t);
	}
}

/* In step: takes what belongs to the mark or fragment under way. */
static uint32_t
data_in_step(struct take *t, uint64_t off, const uint8_t *data, uint32_t len,
    int64_t time_ns)
{
	struct rpcrecord *rec = t->rec;
	uint32_t n;

	if (rec->phase == RPCRECORD_MARK) {
		n = 4U - rec->mark_have;
		if (rec->mark_have == 0 && !rec->begun)
			rec->first_ns = time_ns;
		if (n > len)
			n = len;
		memcpy(rec->mark + rec->mark_have, data, n);
		rec->mark_have = (uint8_t)(rec->mark_have + n);
		if (rec->mark_have < 4)
			return n;
		if (!mark_whole(t, off + n)) {
			/* Look at these four bytes again, but for others. */
			if (n < 4)
				off += n;
			lose_step(t, off);
			return n < 4 ? n : 0;
		}
		if (rec->left == 0)
			fragment_end(t, off + n, time_ns);
		return n;
	}
	n = len < rec->left ? len : rec->left;
	rec->left -= n;
	if (rpcwalk_indifferent(&rec->walk) >= n) {
		place_now(t, 0, time_ns);
		rpcwalk_skip(&rec->walk, n, &walk_listener, t);
	} else {
		place_now(t, rec->last ? off + n + rec->left : 0, time_ns);
		rpcwalk_feed(&rec->walk, data, n, &walk_listener, t);
		/* A header that is none: this was not a record. */
		if (rec->walk.state == RPCWALK_BAD &&
		    rpcwalk_note(&rec->walk) == RPCWALK_NOTE_NOT_RPC) {
			rec->begun = false;
			lose_step(t, off);
			return 0;
		}
	}
	/* The sink may have deafened us. */
	if (rec->phase == RPCRECORD_BODY && rec->left == 0)
		fragment_end(t, off + n, time_ns);
	return n;
}

/* In step with the record at this place, whose mark has just passed. */
static void
get_in_step(struct take *t, const struct rpcrecord_place *place)
{
	struct rpcrecord *rec = t->rec;

	hunt_over(rec, t->pool, place->first_ns);
	rec->phase = RPCRECORD_BODY;
	rec->begun = rec->last = true;
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
tell(struct take *t, const struct hunt_candidate *c, struct rpcwalk *walk)
{
	struct rpcrecord_place place = c->place;
	unsigned i;

	t->sink->header(t->ctx, walk, &c->hdr, &place);
	for (i = 0; i < c->ops; i++)
		t->sink->op(t->ctx, &c->hdr, &c->op[i], &place);
	if (c->passed)
		t->sink->end(t->ctx, walk, &c->hdr, &place);
}

/* Whether two XIDs can be of one client's count, in either byte order. */
static bool
xids_near(uint32_t a, uint32_t b)
{
	return a - b + XID_NEAR <= 2 * XID_NEAR ||
	    __builtin_bswap32(a) - __builtin_bswap32(b) + XID_NEAR <=
	    2 * XID_NEAR;
}

/*
 * The first of the chain that leads to a proved candidate: back to where the
 * hunt began, or else the candidate itself.
 */
static struct hunt_candidate *
chain_start(struct hunt *h, struct hunt_candidate *proved)
{
	struct hunt_candidate *c = proved, *before;
	unsigned n = 0;

	while (n++ < HUNT_CANDIDATES &&
	    (before = hunt_by_end(h, c->place.start)) != NULL &&
	    xids_near(before->hdr.xid, proved->hdr.xid))
		c = before;
	return c->place.start == h->origin ? c : proved;
}

/* What was passed over from where the hunt began to this offset. */
static void
passed_over(struct take *t, uint64_t off)
{
	uint64_t over = off - t->rec->hunt->origin;

	if (off > t->rec->hunt->origin)
		t->sink->passed_over(t->ctx,
		    over < UINT32_MAX ? (uint32_t)over : UINT32_MAX);
}

/* In step in the midst of a proved candidate. */
static void
go_on_in(struct take *t, struct hunt_candidate *c)
{
	struct hunt *h = t->rec->hunt;
	struct rpcrecord_place place = c->place;
	struct rpc_header hdr = c->hdr;
	struct rpcwalk walk = h->walk;
	bool walking = h->walking && c == hunt_newest(h);
	/* While its header is still being walked it has not been told. */
	bool known = !walking || walk.state != RPCWALK_HEADER;
	uint32_t left = (uint32_t)(place.end - h->seen);

	hunt_forget(h, c);
	get_in_step(t, &place);
	t->rec->left = left;
	t->rec->known = known;
	if (walking)
		t->rec->walk = walk;
	else
		t->rec->walk.state = RPCWALK_DONE;
	if (known)
		t->rec->walk.hdr = hdr;
}

/* In step after a chain that ended among the last bytes seen. */
static void
go_on_after(struct take *t, uint64_t end)
{
	struct rpcrecord *rec = t->rec;
	struct hunt *h = rec->hunt;
	uint8_t tail[sizeof(h->tail)];
	uint32_t len = (uint32_t)(h->seen - end);
	int64_t ns = h->tail_ns;

	memcpy(tail, h->tail + h->tail_len - len, len);
	hunt_over(rec, t->pool, ns);
	rec->phase = RPCRECORD_MARK;
	rec->begun = false;
	rpcrecord_data(rec, t->pool, t->sink, t->ctx, end, tail, len, ns);
}

/* Tells the chain from c on and, if it reaches what was seen, is in step. */
static void
believe(struct take *t, struct hunt_candidate *c)
{
	struct hunt *h = t->rec->hunt;
	struct rpcwalk done;
	uint64_t end = c->place.start;
	unsigned n;

	rpcwalk_start(&done);
	done.state = RPCWALK_DONE;
	if (!h->over)
		passed_over(t, c->place.start);
	for (n = 0; n < HUNT_CANDIDATES &&
	    (c = hunt_by_start(h, end)) != NULL; n++) {
		end = c->place.end;
		if (!(h->walking && c == hunt_newest(h) &&
		    h->walk.state == RPCWALK_HEADER))
			tell(t, c, &done);
		if (end > h->seen && !h->over) {
			go_on_in(t, c);
			return;
		}
		hunt_forget(h, c);
	}
	if (h->over) {
		if (hunt_oldest_left(h) == NULL)
			hunt_end(t->rec, t->pool);
	} else if (end + h->tail_len >= h->seen && end <= h->seen)
		go_on_after(t, end);
	else
		h->origin = end;
}

/* Hunting: takes bytes until there is something to decide. */
static uint32_t
data_hunting(struct take *t, uint64_t off, const uint8_t *data, uint32_t len,
    int64_t time_ns)
{
	struct rpcrecord *rec = t->rec;
	struct rpcrecord_place place;
	enum hunt_found what;
	struct bytes older;
	uint8_t copy[HUNT_NEED];
	uint32_t n, xid = 0;

	if (rec->hunt == NULL &&
	    (rec->hunt = hunt_new(t->pool, off, off == 0)) == NULL) {
		t->sink->passed_over(t->ctx, len);
		return len;
	}
	rec->hunt->seen = off;
	n = hunt_data(rec->hunt, data, len, time_ns, &what, &place, &xid,
	    &older);
	if (what == HUNT_REPLY && t->sink->expected(t->ctx, xid)) {
		if (older.len > 0)
			memcpy(copy, older.data, older.len);
		passed_over(t, place.start);
		get_in_step(t, &place);
		if (older.len > 0)
			data_in_step(t, place.start + 4, copy,
			    (uint32_t)older.len, place.first_ns);
	} else if (what == HUNT_CALL && t->sink->alone(t->ctx) &&
	    hunt_chain(rec->hunt, hunt_newest(rec->hunt)) >= RPCRECORD_CHAIN)
		believe(t, chain_start(rec->hunt, hunt_newest(rec->hunt)));
	return n;
}

void
rpcrecord_data(struct rpcrecord *rec, struct hunt_pool *pool,
    const struct rpcrecord_sink *sink, void *ctx, uint64_t off,
    const uint8_t *data, uint32_t len, int64_t time_ns)
{
	struct take t = { rec, pool, sink, ctx, { 0, 0, 0, 0 } };
	uint32_t n;

	if (rec->hunt != NULL && rec->hunt->over &&
	    time_ns - rec->hunt->over_ns > PROOF_AGE_NS)
		hunt_end(rec, pool);
	while (len > 0) {
		if (rec->phase == RPCRECORD_DEAF)
			return;
		if (rec->phase == RPCRECORD_HUNT)
			n = data_hunting(&t, off, data, len, time_ns);
		else
			n = data_in_step(&t, off, data, len, time_ns);
		off += n;
		data += n;
		len -= n;
	}
}

/* In step: passes over bytes of the record under way; how many. */
static uint32_t
skip_in_step(struct take *t, uint64_t off, uint32_t len, int64_t time_ns)
{
	struct rpcrecord *rec = t->rec;
	uint32_t n = len < rec->left ? len : rec->left;

	rec->left -= n;
	place_now(t, rec->last ? off + n + rec->left : 0, time_ns);
	if (!rec->guessed) {
		rpcwalk_skip(&rec->walk, n, &walk_listener, t);
		guess_by_mark(t);
	}
	if (rec->left == 0)
		fragment_end(t, off + n, time_ns);
	return n;
}

void
rpcrecord_skip(struct rpcrecord *rec, struct hunt_pool *pool,
    const struct rpcrecord_sink *sink, void *ctx, uint64_t off, uint32_t len,
    int64_t time_ns, bool lost)
{
	struct take t = { rec, pool, sink, ctx, { 0, 0, 0, 0 } };
	uint32_t n;

	while (len > 0) {
		if (rec->phase == RPCRECORD_BODY) {
			n = skip_in_step(&t, off, len, time_ns);
			off += n;
			len -= n;
		} else if (rec->phase != RPCRECORD_MARK || lost ||
		    !guess(&t, off, time_ns))
			break;
	}
	if (len == 0 || rec->phase == RPCRECORD_DEAF)
		return;
	if (rec->phase == RPCRECORD_MARK) {	/* a mark has been missed */
		lose_step(&t, off + len);
		return;
	}
	if (rec->hunt != NULL) {
		rec->hunt->seen = off;
		hunt_skip(rec->hunt, len, time_ns, lost);
	}
}

uint32_t
rpcrecord_indifferent(const struct rpcrecord *rec)
{
	uint32_t n;

	switch (rec->phase) {
	case RPCRECORD_DEAF:
		return UINT32_MAX;
	case RPCRECORD_BODY:
		n = rpcwalk_indifferent(&rec->walk);
		return n < rec->left ? n : rec->left;
	default:
		return 0;
	}
}

bool
rpcrecord_prove(struct rpcrecord *rec, struct hunt_pool *pool,
    const struct rpcrecord_sink *sink, void *ctx, uint32_t xid, int64_t now_ns)
{
	struct take t = { rec, pool, sink, ctx, { 0, 0, 0, 0 } };
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

void
rpcrecord_flush(struct rpcrecord *rec, struct hunt_pool *pool,
    const struct rpcrecord_sink *sink, void *ctx, int64_t now_ns)
{
	struct take t = { rec, pool, sink, ctx, { 0, 0, 0, 0 } };
	struct hunt_candidate *c;

	(void)now_ns;
	if (rec->phase == RPCRECORD_HUNT && rec->hunt != NULL &&
	    (c = hunt_by_start(rec->hunt, rec->hunt->origin)) != NULL)
		believe(&t, c);
}

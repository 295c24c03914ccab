/* SPDX-License-Identifier: ISC */
/*
 * rpcrecord.c: RPC record marking (RFC 5531 sec. 11) over one direction of a
 * TCP stream, in step or hunting.
 */
#include "rpcrecord.h"

#include <string.h>

#include "bytes.h"
#include "rpcrecordproof.h"

#define PROOF_AGE_NS	(60 * INT64_C(1000000000))	/* as an open call's */

static void
on_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr)
{
	struct rpcrecord_take *t = ctx;

	t->rec->known = true;
	t->rec->trusting = false;
	t->rec->xid = hdr->xid;
	t->sink->header(t->ctx, w, hdr, &t->place);
}

static void
on_op(void *ctx, struct rpcwalk *w, const struct rpc_op *op)
{
	struct rpcrecord_take *t = ctx;

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

void
rpcrecord_clear(struct rpcrecord *rec)
{
	rpcrecordproof_end(rec);
	rpcrecord_init(rec, false);
}

void
rpcrecord_deafen(struct rpcrecord *rec)
{
	rpcrecordproof_end(rec);
	rec->phase = RPCRECORD_DEAF;
}

/* Footing is lost at this offset. */
static void
lose_step(struct rpcrecord_take *t, uint64_t off)
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
	if (rec->hunt != NULL)
		hunt_again(rec->hunt, off);
	else
		rec->hunt = hunt_new(t->pool, off, false);
	t->sink->lost_step(t->ctx);
}

static void
message_end(struct rpcrecord_take *t)
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
place_now(struct rpcrecord_take *t, uint64_t end_if_known, int64_t time_ns)
{
	const struct rpcrecord *rec = t->rec;

	t->place.start = rec->start;
	t->place.end = end_if_known;
	t->place.len = rec->message_len;
	t->place.first_ns = rec->first_ns;
	t->place.last_ns = time_ns;
}

/* A whole mark has been read, ending at offset off; false: it cannot be one. */
static bool
mark_whole(struct rpcrecord_take *t, uint64_t off)
{
	struct rpcrecord *rec = t->rec;
	uint32_t mark = bytes_be32(rec->mark);

	rec->mark_have = 0;
	rec->last = (mark & RPCRECORD_LAST) != 0;
	rec->left = mark & ~RPCRECORD_LAST;
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
	    ++rec->fragments > RPCRECORD_FRAGMENTS_MAX)
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
guess(struct rpcrecord_take *t, uint64_t off, int64_t time_ns)
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
guess_by_mark(struct rpcrecord_take *t)
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
fragment_end(struct rpcrecord_take *t, uint64_t off, int64_t time_ns)
{
	t->rec->phase = RPCRECORD_MARK;
	if (t->rec->last) {
		place_now(t, off, time_ns);
		message_end(t);
	}
}

/*
 * Bytes of what should be a usual record: the next record is seen in them?
 * Gives how many bytes come before it.
 */
static uint32_t
guess_refuted(struct rpcrecord_take *t, const uint8_t *data, uint32_t len)
{
	struct hunt_find f;
	uint32_t i;

	for (i = 0; i + RPCRECORD_MIN + 4 <= len; i++) {
		if (!hunt_look(data + i, len - i, &f))
			continue;
		if (f.what == HUNT_REPLY ?
		    t->sink->expected(t->ctx, f.xid, false) :
		    hunt_xids_near(f.xid, t->rec->xid))
			return i;
	}
	return len;
}

/* In step: takes what belongs to the mark or fragment under way. */
static uint32_t
data_in_step(struct rpcrecord_take *t, uint64_t off, const uint8_t *data,
    uint32_t len, int64_t time_ns)
{
	struct rpcrecord *rec = t->rec;
	uint32_t n, seen;

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
	if (rec->guessed && (seen = guess_refuted(t, data, len)) < n) {
		lose_step(t, off + seen);
		return seen;
	}
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

void
rpcrecord_data(struct rpcrecord *rec, struct hunt_pool *pool,
    const struct rpcrecord_sink *sink, void *ctx, uint64_t off,
    const uint8_t *data, uint32_t len, int64_t time_ns)
{
	struct rpcrecord_take t = { rec, pool, sink, ctx, { .start = 0 } };
	uint32_t n;

	if (rec->hunt != NULL && rec->hunt->over &&
	    time_ns - rec->hunt->over_ns > PROOF_AGE_NS)
		rpcrecordproof_end(rec);
	while (len > 0) {
		if (rec->phase == RPCRECORD_DEAF)
			return;
		if (rec->phase == RPCRECORD_HUNT)
			n = rpcrecordproof_data(&t, off, data, len, time_ns);
		else
			n = data_in_step(&t, off, data, len, time_ns);
		off += n;
		data += n;
		len -= n;
	}
}

/* In step: passes over bytes of the record under way; how many. */
static uint32_t
skip_in_step(struct rpcrecord_take *t, uint64_t off, uint32_t len,
    int64_t time_ns)
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
	struct rpcrecord_take t = { rec, pool, sink, ctx, { .start = 0 } };
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
		if (rec->guessed)	/* it may be another record */
			return 0;
		n = rpcwalk_indifferent(&rec->walk);
		return n < rec->left ? n : rec->left;
	default:
		return 0;
	}
}

void
rpcrecord_flush(struct rpcrecord *rec, struct hunt_pool *pool,
    const struct rpcrecord_sink *sink, void *ctx, int64_t now_ns)
{
	struct rpcrecord_take t = { rec, pool, sink, ctx, { .start = 0 } };

	if (rec->phase == RPCRECORD_HUNT && rec->hunt != NULL)
		rpcrecordproof_flush(&t);
	if (rec->phase == RPCRECORD_BODY && rec->begun) {
		place_now(&t, 0, now_ns);
		rpcwalk_end(&rec->walk, &walk_listener, &t);
	}
}

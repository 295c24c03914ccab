/* SPDX-License-Identifier: ISC */
/*
 * tcpside.c: one direction of a TCP connection, stream and records, and what
 * it asks of the other.
 */
#include "tcpside.h"

#include <endian.h>
#include <string.h>

#include "guess.h"

#define REORDERED_NS	INT64_C(3000000)	/* a hole filled so soon was
						 * reordering, not a resend */
#define SEARCH_MAX	(1U << 20)	/* held bytes that are searched for
					 * calls, for each packet */
#define RPC_VERSION	2

void
tcpside_init(struct tcpside *s, const struct tcptalk *tt, struct flow *f,
    int dir, int64_t now_ns)
{
	s->tt = tt;
	s->talk = (struct talk){ tt->dialog, f, dir, now_ns, false };
	s->dir = &f->dir[dir];
	s->looking = false;
}

void
tcpside_count(const struct tcpside *s, enum sample_counter c, uint64_t n)
{
	s->tt->listener->count(s->tt->ctx, s->talk.now_ns, c, n);
}

void
tcpside_net(const struct tcpside *s, enum net_event_kind kind, uint32_t bytes)
{
	const struct flow *f = s->talk.f;
	struct net_event e = {
		.time_ns = s->talk.now_ns, .kind = kind, .pair = f->pair,
		.stream = flow_stream(f, s->talk.dir),
		.to_server = f->server >= 0 && f->server != s->talk.dir,
		.bytes = bytes
	};

	if (f->pair != FLOW_NONE)
		s->tt->listener->net(s->tt->ctx, &e);
}

static const struct rpcrecord_sink record_sink;
static const struct tcpstream_sink stream_sink;

/* Does a call with this XID wait behind a hole? */
static bool
call_waits(struct tcpside *s, uint32_t xid)
{
	const uint32_t head[] = { htobe32(xid), 0, htobe32(RPC_VERSION) };
	const struct tcpstream *stream = &s->dir->stream;
	struct flow *f = s->talk.f;

	if (f->searched > SEARCH_MAX)
		return false;
	f->searched += stream->held.bytes;
	return tcphold_contains(&stream->held, (const uint8_t *)head,
	    sizeof(head));
}

/*
 * What waits behind holes that the peer has acknowledged is passed on now, up
 * to the call that has been answered.
 */
static void
hurry(struct tcpside *s, uint32_t xid)
{
	struct tcpstream_result r = { 0 };

	s->looking = true;
	s->xid = xid;
	s->dir->busy = true;
	tcpstream_hurry(&s->dir->stream, flowtable_hold(s->tt->flows),
	    &stream_sink, s, s->talk.now_ns, &r);
	s->dir->busy = false;
	tcpside_settle(s, &r);
}

enum evidence {			/* for a reply */
	INSIDE,				/* of another message, maybe */
	SEEN,
	SURE				/* in step */
};

/*
 * Is there a call with this XID, to be known by looking the other way: behind
 * a hole, or among the candidates of a stream that is out of step?  If there
 * is a reply to it for sure, it is one.
 */
static bool
look_other_way(struct tcpside *s, uint32_t xid, enum evidence reply)
{
	struct tcpside back;

	if (dialog_known(&s->talk, xid))
		return true;
	tcpside_init(&back, s->tt, s->talk.f, !s->talk.dir, s->talk.now_ns);
	if (back.dir->stream.stuck && back.dir->stream.proved &&
	    !back.dir->busy && (reply == SURE ||
	    (reply == SEEN && call_waits(&back, xid))))
		hurry(&back, xid);
	if (!rpcrecord_suspects(&back.dir->rec, xid))
		return dialog_known(&s->talk, xid);
	if (reply == SURE)
		rpcrecord_prove(&back.dir->rec, flowtable_hunts(s->tt->flows),
		    &record_sink, &back, xid, s->talk.now_ns);
	return true;
}

static void
record_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr,
    const struct rpcrecord_place *place)
{
	struct tcpside *s = ctx;

	if (hdr->reply)
		look_other_way(s, hdr->xid, SURE);
	dialog_header(&s->talk, w, hdr, place);
}

static void
record_op(void *ctx, const struct rpc_header *hdr, const struct rpc_op *op,
    const struct rpcrecord_place *place)
{
	struct tcpside *s = ctx;

	dialog_op(&s->talk, hdr, op, place);
}

/*
 * Tells messages whose last hole has closed, in order.  Bytes that filled it
 * came now; what the capture missed had passed with the rest.
 */
static void
tell_settled(struct tcpside *s, bool filled)
{
	struct flow_dir *d = s->dir;
	uint64_t settled = tcpstream_settled(&d->stream);
	unsigned n = 0;

	while (n < d->pendings && d->pending[n].end <= settled) {
		struct flow_pending p = d->pending[n++];

		dialog_done(&s->talk, p.reply, p.xid,
		    filled ? s->talk.now_ns : p.last_ns);
	}
	if (n > 0) {
		d->pendings = (uint8_t)(d->pendings - n);
		memmove(d->pending, d->pending + n,
		    d->pendings * sizeof(d->pending[0]));
	}
}

static void
record_end(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr,
    const struct rpcrecord_place *place)
{
	struct tcpside *s = ctx;
	struct flow_dir *d = s->dir;
	struct flow_pending *p;

	if (rpcwalk_note(w) == RPCWALK_NOTE_BAD_XDR)
		tcpside_count(s, SAMPLE_RPC_BAD_XDR, 1);
	if (hdr->reply)
		guess_usual_reply(&s->talk, hdr->xid,
		    (uint32_t)(place->end - place->start));
	if (d->stream.holes == 0 ||
	    tcpstream_settled(&d->stream) >= place->end) {
		dialog_done(&s->talk, hdr->reply, hdr->xid, place->last_ns);
		return;
	}
	if (d->pendings == FLOW_PENDING) {
		/* No room to wait: the oldest counts as passed. */
		dialog_done(&s->talk, d->pending[0].reply, d->pending[0].xid,
		    d->pending[0].last_ns);
		d->pendings--;
		memmove(d->pending, d->pending + 1,
		    d->pendings * sizeof(d->pending[0]));
	}
	p = &d->pending[d->pendings++];
	*p = (struct flow_pending){ place->end, hdr->xid, hdr->reply,
	    place->last_ns };
}

static bool
record_expected(void *ctx, uint32_t xid, bool inside)
{
	return look_other_way(ctx, xid, inside ? INSIDE : SEEN);
}

static bool
record_alone(void *ctx)
{
	struct tcpside *s = ctx;

	return !s->talk.f->dir[!s->talk.dir].heard;
}

/* Usual records are WRITE calls one way and their replies the other. */
static uint32_t
record_usual(void *ctx)
{
	struct tcpside *s = ctx;
	const struct flow_usual *back = &s->talk.f->dir[!s->talk.dir].usual;

	if (s->dir->usual.len != 0)
		return s->dir->usual.len;
	return back->reply_len != 0 ? back->reply_len - 4 : 0;
}

static void
record_guess(void *ctx, const struct rpcrecord_place *place)
{
	struct tcpside *s = ctx;

	if (s->dir->usual.len != 0)
		guess_begin(&s->talk, place);
}

static void
record_guess_end(void *ctx, const struct rpcrecord_place *place)
{
	struct tcpside *s = ctx;

	if (s->dir->usual.len != 0)
		guess_end(&s->talk, place);
	else
		guess_hidden_reply(&s->talk, place);
}

static void
record_guesses_wrong(void *ctx)
{
	struct tcpside *s = ctx;

	guess_wrong(&s->talk);
}

static void
record_lost_step(void *ctx)
{
	tcpside_count(ctx, SAMPLE_TCP_RESYNCS, 1);
}

static void
record_passed_over(void *ctx, uint32_t len)
{
	tcpside_count(ctx, SAMPLE_TCP_SKIPPED_BYTES, len);
}

static const struct rpcrecord_sink record_sink = {
	record_header, record_op, record_end, record_expected, record_alone,
	record_usual, record_guess, record_guess_end, record_guesses_wrong,
	record_lost_step, record_passed_over
};

static void
stream_data(void *ctx, uint64_t off, const uint8_t *data, uint32_t len,
    int64_t time_ns)
{
	struct tcpside *s = ctx;
	int64_t now_ns = s->talk.now_ns;

	s->talk.now_ns = time_ns;	/* held bytes have their own time */
	rpcrecord_data(&s->dir->rec, flowtable_hunts(s->tt->flows),
	    &record_sink, s, off, data, len, time_ns);
	s->talk.now_ns = now_ns;
}

static void
stream_skip(void *ctx, uint64_t off, uint32_t len, int64_t time_ns, bool lost)
{
	struct tcpside *s = ctx;
	int64_t now_ns = s->talk.now_ns;

	s->talk.now_ns = time_ns;
	rpcrecord_skip(&s->dir->rec, flowtable_hunts(s->tt->flows),
	    &record_sink, s, off, len, time_ns, lost);
	s->talk.now_ns = now_ns;
}

static uint32_t
stream_indifferent(void *ctx)
{
	struct tcpside *s = ctx;

	return rpcrecord_indifferent(&s->dir->rec);
}

/* The call that the other direction has answered is known. */
static bool
stream_enough(void *ctx)
{
	struct tcpside *s = ctx;

	return s->looking && (calltable_find(s->talk.d->calls,
	    talk_stream(&s->talk), s->xid) != NULL ||
	    rpcrecord_has_head(&s->dir->rec, s->xid));
}

static const struct tcpstream_sink stream_sink = {
	stream_data, stream_skip, stream_indifferent, stream_enough
};

/* Counts what a segment or tick did to the stream. */
void
tcpside_settle(struct tcpside *s, const struct tcpstream_result *r)
{
	if (r->lost > 0)
		tcpside_count(s, SAMPLE_TCP_LOST_BYTES, r->lost);
	if (r->filled > 0)
		tcpside_count(s, r->filled_after_ns < REORDERED_NS ?
		    SAMPLE_TCP_OUT_OF_ORDER : SAMPLE_TCP_RETRANSMITS, 1);
	if (r->hole)
		tcpside_net(s, NET_HOLE, 0);
	if (r->whole && !tcpstream_troubled(&s->dir->stream))
		tcpside_net(s, NET_FILLED, 0);
	if (s->dir->pendings > 0)
		tell_settled(s, r->filled > 0);
	if (tcpstream_troubled(&s->dir->stream))
		flow_trouble(s->tt->flows, s->talk.f);
}

void
tcpside_begin(struct tcpside *s, uint32_t seq)
{
	struct tcphold *hold = flowtable_hold(s->tt->flows);

	if (tcpstream_syn(&s->dir->stream, hold, seq)) {
		rpcrecord_clear(&s->dir->rec);
		rpcrecord_init(&s->dir->rec, true);
		s->dir->pendings = 0;
	}
}

void
tcpside_tick(struct tcpside *s)
{
	struct tcpstream_result r = { 0 };

	s->dir->busy = true;
	tcpstream_tick(&s->dir->stream, flowtable_hold(s->tt->flows),
	    &stream_sink, s, s->talk.now_ns, &r);
	s->dir->busy = false;
	tcpside_settle(s, &r);
}

void
tcpside_push(struct tcpside *s, const struct segment *g,
    struct tcpstream_result *r)
{
	s->dir->busy = true;
	tcpstream_push(&s->dir->stream, flowtable_hold(s->tt->flows),
	    &stream_sink, s, g->seq, g->payload, g->payload_len,
	    s->talk.now_ns, r);
	s->dir->busy = false;
}

void
tcpside_flush(struct tcpside *s)
{
	struct tcpstream_result r = { 0 };

	s->dir->busy = true;
	tcpstream_flush(&s->dir->stream, flowtable_hold(s->tt->flows),
	    &stream_sink, s, s->talk.now_ns, &r);
	s->dir->busy = false;
	rpcrecord_flush(&s->dir->rec, flowtable_hunts(s->tt->flows),
	    &record_sink, s, s->talk.now_ns);
	tcpside_settle(s, &r);
}

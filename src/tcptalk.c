/* SPDX-License-Identifier: ISC */
/*
 * tcptalk.c: TCP segments of a flow to RPC messages.
 */
#include "tcptalk.h"

#include <endian.h>
#include <string.h>

#include "guess.h"
#include "likeness.h"
#include "tcpwindow.h"
#include "tlswatch.h"

#define REORDERED_NS	INT64_C(3000000)	/* a hole filled so soon was
						 * reordering, not a resend */
#define COPY_NS		INT64_C(100000)
#define SEARCH_MAX	(1U << 20)	/* held bytes that are searched for
					 * calls, for each packet */
#define RPC_VERSION	2
#define GUESSES		200	/* payloads without RPC until a flow on an
				 * unknown port is left alone: more than a
				 * large WRITE or READ has */

/* The two machines of a direction, with what they need to call back. */
struct side {
	const struct tcptalk	*tt;
	struct talk		 talk;
	struct flow_dir		*dir;
	bool			 looking;	/* for a call with this XID */
	uint32_t		 xid;
};

static void
side_init(struct side *s, const struct tcptalk *tt, struct flow *f, int dir,
    int64_t now_ns)
{
	s->tt = tt;
	s->talk = (struct talk){ tt->dialog, f, dir, now_ns, false };
	s->dir = &f->dir[dir];
	s->looking = false;
}

static void
count(const struct side *s, enum sample_counter c, uint64_t n)
{
	s->tt->listener->count(s->tt->ctx, s->talk.now_ns, c, n);
}

static void
net(const struct side *s, enum net_event_kind kind, uint32_t bytes)
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

/* Its port or what it said speaks for RPC. */
static bool
is_rpc(const struct flow *f)
{
	return f->role == FLOW_LIKELY || f->role == FLOW_RPC ||
	    f->role == FLOW_ENCRYPTED;
}

static const struct rpcrecord_sink record_sink;
static const struct tcpstream_sink stream_sink;
static void settle(struct side *, const struct tcpstream_result *);

/* Does a call with this XID wait behind a hole? */
static bool
call_waits(struct side *s, uint32_t xid)
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
hurry(struct side *s, uint32_t xid)
{
	struct tcpstream_result r = { 0 };

	s->looking = true;
	s->xid = xid;
	s->dir->busy = true;
	tcpstream_hurry(&s->dir->stream, flowtable_hold(s->tt->flows),
	    &stream_sink, s, s->talk.now_ns, &r);
	s->dir->busy = false;
	settle(s, &r);
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
look_other_way(struct side *s, uint32_t xid, enum evidence reply)
{
	struct side back;

	if (dialog_known(&s->talk, xid))
		return true;
	side_init(&back, s->tt, s->talk.f, !s->talk.dir, s->talk.now_ns);
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
	struct side *s = ctx;

	if (hdr->reply)
		look_other_way(s, hdr->xid, SURE);
	dialog_header(&s->talk, w, hdr, place);
}

static void
record_op(void *ctx, const struct rpc_header *hdr, const struct rpc_op *op,
    const struct rpcrecord_place *place)
{
	struct side *s = ctx;

	dialog_op(&s->talk, hdr, op, place);
}

/*
 * Tells messages whose last hole has closed, in order.  Bytes that filled it
 * came now; what the capture missed had passed with the rest.
 */
static void
tell_settled(struct side *s, bool filled)
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
	struct side *s = ctx;
	struct flow_dir *d = s->dir;
	struct flow_pending *p;

	if (rpcwalk_note(w) == RPCWALK_NOTE_BAD_XDR)
		count(s, SAMPLE_RPC_BAD_XDR, 1);
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
	struct side *s = ctx;

	return !s->talk.f->dir[!s->talk.dir].heard;
}

/* Usual records are WRITE calls one way and their replies the other. */
static uint32_t
record_usual(void *ctx)
{
	struct side *s = ctx;
	const struct flow_usual *back = &s->talk.f->dir[!s->talk.dir].usual;

	if (s->dir->usual.len != 0)
		return s->dir->usual.len;
	return back->reply_len != 0 ? back->reply_len - 4 : 0;
}

static void
record_guess(void *ctx, const struct rpcrecord_place *place)
{
	struct side *s = ctx;

	if (s->dir->usual.len != 0)
		guess_begin(&s->talk, place);
}

static void
record_guess_end(void *ctx, const struct rpcrecord_place *place)
{
	struct side *s = ctx;

	if (s->dir->usual.len != 0)
		guess_end(&s->talk, place);
	else
		guess_hidden_reply(&s->talk, place);
}

static void
record_guesses_wrong(void *ctx)
{
	struct side *s = ctx;

	guess_wrong(&s->talk);
}

static void
record_lost_step(void *ctx)
{
	count(ctx, SAMPLE_TCP_RESYNCS, 1);
}

static void
record_passed_over(void *ctx, uint32_t len)
{
	count(ctx, SAMPLE_TCP_SKIPPED_BYTES, len);
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
	struct side *s = ctx;
	int64_t now_ns = s->talk.now_ns;

	s->talk.now_ns = time_ns;	/* held bytes have their own time */
	rpcrecord_data(&s->dir->rec, flowtable_hunts(s->tt->flows),
	    &record_sink, s, off, data, len, time_ns);
	s->talk.now_ns = now_ns;
}

static void
stream_skip(void *ctx, uint64_t off, uint32_t len, int64_t time_ns, bool lost)
{
	struct side *s = ctx;
	int64_t now_ns = s->talk.now_ns;

	s->talk.now_ns = time_ns;
	rpcrecord_skip(&s->dir->rec, flowtable_hunts(s->tt->flows),
	    &record_sink, s, off, len, time_ns, lost);
	s->talk.now_ns = now_ns;
}

static uint32_t
stream_indifferent(void *ctx)
{
	struct side *s = ctx;

	return rpcrecord_indifferent(&s->dir->rec);
}

/* The call that the other direction has answered is known. */
static bool
stream_enough(void *ctx)
{
	struct side *s = ctx;

	return s->looking && (calltable_find(s->talk.d->calls,
	    talk_stream(&s->talk), s->xid) != NULL ||
	    rpcrecord_has_head(&s->dir->rec, s->xid));
}

static const struct tcpstream_sink stream_sink = {
	stream_data, stream_skip, stream_indifferent, stream_enough
};

/* Counts what a segment or tick did to the stream. */
static void
settle(struct side *s, const struct tcpstream_result *r)
{
	if (r->lost > 0)
		count(s, SAMPLE_TCP_LOST_BYTES, r->lost);
	if (r->filled > 0)
		count(s, r->filled_after_ns < REORDERED_NS ?
		    SAMPLE_TCP_OUT_OF_ORDER : SAMPLE_TCP_RETRANSMITS, 1);
	if (r->hole)
		net(s, NET_HOLE, 0);
	if (r->whole && !tcpstream_troubled(&s->dir->stream))
		net(s, NET_FILLED, 0);
	if (s->dir->pendings > 0)
		tell_settled(s, r->filled > 0);
	if (tcpstream_troubled(&s->dir->stream))
		flow_trouble(s->tt->flows, s->talk.f);
}

/* The connection is closed: nobody waits for a window any more. */
static void
closed(const struct tcptalk *tt, struct flow *f, int64_t now_ns)
{
	struct side s;
	int d;

	for (d = 0; d < 2; d++) {
		if (!f->dir[d].window_closed)
			continue;
		f->dir[d].window_closed = false;
		side_init(&s, tt, f, d, now_ns);
		net(&s, NET_WINDOW_OPEN, 0);
	}
	flow_close(tt->flows, f, now_ns);
}

static void
begin_direction(struct side *s, uint32_t seq)
{
	struct tcphold *hold = flowtable_hold(s->tt->flows);

	if (tcpstream_syn(&s->dir->stream, hold, seq)) {
		rpcrecord_clear(&s->dir->rec);
		rpcrecord_init(&s->dir->rec, true);
		s->dir->pendings = 0;
	}
}

/* Is this SYN of another connection than what is known of the flow? */
static bool
is_another(const struct flow *f, int dir, const struct segment *g)
{
	const struct tcpstream *here = &f->dir[dir].stream;
	const struct tcpstream *back = &f->dir[!dir].stream;

	if (tcpstream_begins_at(here, g->seq + 1))
		return false;
	if ((g->flags & TCP_ACK) == 0)
		return here->started || back->started || f->closed;
	return here->started || (back->started &&
	    !tcpstream_begins_at(back, g->ack));
}

/* A SYN (RFC 9293 3.5): a new connection, or a repeated one. */
static void
syn(struct side *s, const struct segment *g)
{
	struct flow *f = s->talk.f;
	struct side back;
	bool known = tcpstream_begins_at(&s->dir->stream, g->seq + 1);

	side_init(&back, s->tt, f, !s->talk.dir, s->talk.now_ns);
	if (is_another(f, s->talk.dir, g)) {
		tcptalk_flush(s->tt, f, s->talk.now_ns);
		closed(s->tt, f, s->talk.now_ns);
		flow_renew(s->tt->flows, f, s->talk.now_ns);
	}
	if (!known && (g->flags & TCP_ACK) == 0 && is_rpc(f))
		count(s, SAMPLE_TCP_CONNECTIONS, 1);
	f->syn = true;
	begin_direction(s, g->seq);
	if ((g->flags & TCP_ACK) != 0 && !back.dir->stream.started)
		begin_direction(&back, g->ack - 1);
	s->dir->mss = g->mss;
	s->dir->wscale = g->wscale;
}

/* What the sender of g lets the other side send has changed? */
static void
window(struct side *s, const struct segment *g)
{
	struct flow *f = s->talk.f;
	struct side back;
	enum tcpwindow w = tcpwindow_look(f, s->talk.dir, g);

	if (g->window == 0)
		count(s, SAMPLE_TCP_ZERO_WINDOW, 1);
	side_init(&back, s->tt, f, !s->talk.dir, s->talk.now_ns);
	if (w == TCPWINDOW_UNKNOWN ||
	    (w == TCPWINDOW_CLOSED) == back.dir->window_closed)
		return;
	back.dir->window_closed = w == TCPWINDOW_CLOSED;
	net(&back, w == TCPWINDOW_CLOSED ? NET_WINDOW_CLOSED :
	    NET_WINDOW_OPEN, 0);
}

/* A flow on an unknown port: does its payload begin like RPC? */
static bool
speaks_rpc(struct side *s, const struct segment *g)
{
	struct flow *f = s->talk.f;
	enum rpc_guess guess = likeness_segment(g);

	if (guess == RPC_GUESS_CALL) {
		f->role = FLOW_LIKELY;
		if (f->syn)
			count(s, SAMPLE_TCP_CONNECTIONS, 1);
		return true;
	}
	if (guess == RPC_GUESS_REPLY)
		count(s, SAMPLE_RPC_ELSEWHERE, 1);
	if (++s->dir->guesses >= GUESSES)
		f->role = FLOW_OTHER;
	return false;
}

static void
encrypted(struct side *s)
{
	struct flow *f = s->talk.f;

	f->role = FLOW_ENCRYPTED;
	rpcrecord_deafen(&f->dir[0].rec);
	rpcrecord_deafen(&f->dir[1].rec);
	count(s, SAMPLE_RPC_ENCRYPTED, 1);
}

static bool
keepalive(const struct side *s, const struct segment *g)
{
	/* RFC 9293 3.8.4: one garbage byte before what is next. */
	return g->payload_len <= 1 && s->dir->stream.started &&
	    g->seq == s->dir->stream.next - 1;
}

static void
payload(struct side *s, const struct segment *g)
{
	struct flow *f = s->talk.f;
	struct tcpstream_result r = { 0 };
	bool copy = s->dir->last_len == g->payload_len &&
	    s->dir->last_seq == g->seq &&
	    s->talk.now_ns - s->dir->last_ns < COPY_NS &&
	    s->talk.now_ns >= s->dir->last_ns;

	if (f->role == FLOW_UNKNOWN && !speaks_rpc(s, g))
		return;
	if (f->role == FLOW_OTHER)
		return;
	if (tlswatch_look(f, s->talk.dir, g))
		encrypted(s);
	if (keepalive(s, g))
		return;
	s->dir->busy = true;
	tcpstream_push(&s->dir->stream, flowtable_hold(s->tt->flows),
	    &stream_sink, s, g->seq, g->payload, g->payload_len,
	    s->talk.now_ns, &r);
	s->dir->busy = false;
	if (r.again > 0 && r.fresh == 0 && r.filled == 0) {
		count(s, copy ? SAMPLE_COPIES : SAMPLE_TCP_RETRANSMITS, 1);
		if (!copy)
			net(s, NET_RESENT, r.again);
	}
	settle(s, &r);
	s->dir->last_seq = g->seq;
	s->dir->last_len = g->payload_len;
	s->dir->last_ns = s->talk.now_ns;
}

static void
tick(struct side *s)
{
	struct tcpstream_result r = { 0 };

	s->dir->busy = true;
	tcpstream_tick(&s->dir->stream, flowtable_hold(s->tt->flows),
	    &stream_sink, s, s->talk.now_ns, &r);
	s->dir->busy = false;
	settle(s, &r);
}

void
tcptalk_segment(const struct tcptalk *tt, struct flow *f, int dir,
    const struct segment *g, int64_t now_ns)
{
	struct side s, back;

	side_init(&s, tt, f, dir, now_ns);
	side_init(&back, tt, f, !dir, now_ns);
	f->searched = 0;
	s.dir->heard = true;
	if ((g->flags & TCP_SYN) != 0)
		syn(&s, g);
	if ((g->flags & TCP_RST) != 0) {
		if (is_rpc(f))
			count(&s, SAMPLE_TCP_RESETS, 1);
		tcptalk_flush(tt, f, now_ns);
		closed(tt, f, now_ns);
		return;
	}
	if ((g->flags & TCP_ACK) != 0 && (g->flags & TCP_SYN) == 0) {
		tcpstream_ack(&back.dir->stream, g->ack, now_ns);
		if (f->role == FLOW_LIKELY || f->role == FLOW_RPC)
			window(&s, g);
	}
	if (g->payload_len > 0) {
		struct segment data = *g;

		/* The SYN itself has a number (RFC 9293 sec. 3.4). */
		if ((g->flags & TCP_SYN) != 0)
			data.seq++;
		payload(&s, &data);
	}
	if ((g->flags & TCP_FIN) != 0) {
		s.dir->fin = true;
		if (back.dir->fin)
			closed(tt, f, now_ns);
	}
	if (tcpstream_troubled(&s.dir->stream))
		tick(&s);
	if (tcpstream_troubled(&back.dir->stream))
		tick(&back);
}

void
tcptalk_tick(const struct tcptalk *tt, struct flow *f, int64_t now_ns)
{
	struct side s;
	int d;

	for (d = 0; d < 2; d++) {
		side_init(&s, tt, f, d, now_ns);
		if (tcpstream_troubled(&s.dir->stream))
			tick(&s);
	}
}

void
tcptalk_flush(const struct tcptalk *tt, struct flow *f, int64_t now_ns)
{
	struct tcpstream_result r = { 0 };
	struct side s;
	int d;

	/* Calls before the replies that may prove or answer them. */
	for (d = 0; d < 2; d++) {
		side_init(&s, tt, f, f->server == 0 ? !d : d, now_ns);
		memset(&r, 0, sizeof(r));
		s.dir->busy = true;
		tcpstream_flush(&s.dir->stream, flowtable_hold(tt->flows),
		    &stream_sink, &s, now_ns, &r);
		s.dir->busy = false;
		rpcrecord_flush(&s.dir->rec, flowtable_hunts(tt->flows),
		    &record_sink, &s, now_ns);
		settle(&s, &r);
	}
}

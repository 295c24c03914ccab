/* SPDX-License-Identifier: ISC */
/*
 * tcptalk.c: TCP segments of a flow to RPC messages.
 */
#include "tcptalk.h"

#include "likeness.h"
#include "tcpwindow.h"
#include "tlswatch.h"

#define COPY_NS		INT64_C(100000)
#define GUESSES		200	/* payloads without RPC until a flow on an
				 * unknown port is left alone: more than a
				 * large WRITE or READ has */

/* Its port or what it said speaks for RPC. */
static bool
is_rpc(const struct flow *f)
{
	return f->role == FLOW_LIKELY || f->role == FLOW_RPC ||
	    f->role == FLOW_ENCRYPTED;
}

/* The connection is closed: nobody waits for a window any more. */
static void
closed(const struct tcptalk *tt, struct flow *f, int64_t now_ns)
{
	struct tcpside s;
	int d;

	for (d = 0; d < 2; d++) {
		if (!f->dir[d].window_closed)
			continue;
		f->dir[d].window_closed = false;
		tcpside_init(&s, tt, f, d, now_ns);
		tcpside_net(&s, NET_WINDOW_OPEN, 0);
	}
	flow_close(tt->flows, f, now_ns);
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
syn(struct tcpside *s, const struct segment *g)
{
	struct flow *f = s->talk.f;
	struct tcpside back;
	bool known = tcpstream_begins_at(&s->dir->stream, g->seq + 1);

	tcpside_init(&back, s->tt, f, !s->talk.dir, s->talk.now_ns);
	if (is_another(f, s->talk.dir, g)) {
		tcptalk_flush(s->tt, f, s->talk.now_ns);
		closed(s->tt, f, s->talk.now_ns);
		flow_renew(s->tt->flows, f, s->talk.now_ns);
	}
	if (!known && (g->flags & TCP_ACK) == 0 && is_rpc(f))
		tcpside_count(s, SAMPLE_TCP_CONNECTIONS, 1);
	f->syn = true;
	tcpside_begin(s, g->seq);
	if ((g->flags & TCP_ACK) != 0 && !back.dir->stream.started)
		tcpside_begin(&back, g->ack - 1);
	s->dir->mss = g->mss;
	s->dir->wscale = g->wscale;
}

/* What the sender of g lets the other side send has changed? */
static void
window(struct tcpside *s, const struct segment *g)
{
	struct flow *f = s->talk.f;
	struct tcpside back;
	enum tcpwindow w = tcpwindow_look(f, s->talk.dir, g);

	if (g->window == 0)
		tcpside_count(s, SAMPLE_TCP_ZERO_WINDOW, 1);
	tcpside_init(&back, s->tt, f, !s->talk.dir, s->talk.now_ns);
	if (w == TCPWINDOW_UNKNOWN ||
	    (w == TCPWINDOW_CLOSED) == back.dir->window_closed)
		return;
	back.dir->window_closed = w == TCPWINDOW_CLOSED;
	tcpside_net(&back, w == TCPWINDOW_CLOSED ? NET_WINDOW_CLOSED :
	    NET_WINDOW_OPEN, 0);
}

/* A flow on an unknown port: does its payload begin like RPC? */
static bool
speaks_rpc(struct tcpside *s, const struct segment *g)
{
	struct flow *f = s->talk.f;
	enum rpc_guess guess = likeness_segment(g);

	if (guess == RPC_GUESS_CALL) {
		f->role = FLOW_LIKELY;
		if (f->syn)
			tcpside_count(s, SAMPLE_TCP_CONNECTIONS, 1);
		return true;
	}
	if (guess == RPC_GUESS_REPLY)
		tcpside_count(s, SAMPLE_RPC_ELSEWHERE, 1);
	if (++s->dir->guesses >= GUESSES)
		f->role = FLOW_OTHER;
	return false;
}

static void
encrypted(struct tcpside *s)
{
	struct flow *f = s->talk.f;

	f->role = FLOW_ENCRYPTED;
	rpcrecord_deafen(&f->dir[0].rec);
	rpcrecord_deafen(&f->dir[1].rec);
	tcpside_count(s, SAMPLE_RPC_ENCRYPTED, 1);
}

static bool
keepalive(const struct tcpside *s, const struct segment *g)
{
	/* RFC 9293 3.8.4: one garbage byte before what is next. */
	return g->payload_len <= 1 && s->dir->stream.started &&
	    g->seq == s->dir->stream.next - 1;
}

static void
payload(struct tcpside *s, const struct segment *g)
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
	tcpside_push(s, g, &r);
	if (r.again > 0 && r.fresh == 0 && r.filled == 0) {
		tcpside_count(s, copy ? SAMPLE_COPIES : SAMPLE_TCP_RETRANSMITS,
		    1);
		if (!copy)
			tcpside_net(s, NET_RESENT, r.again);
	}
	tcpside_settle(s, &r);
	s->dir->last_seq = g->seq;
	s->dir->last_len = g->payload_len;
	s->dir->last_ns = s->talk.now_ns;
}

void
tcptalk_segment(const struct tcptalk *tt, struct flow *f, int dir,
    const struct segment *g, int64_t now_ns)
{
	struct tcpside s, back;

	tcpside_init(&s, tt, f, dir, now_ns);
	tcpside_init(&back, tt, f, !dir, now_ns);
	f->searched = 0;
	s.dir->heard = true;
	if ((g->flags & TCP_SYN) != 0)
		syn(&s, g);
	if ((g->flags & TCP_RST) != 0) {
		if (is_rpc(f))
			tcpside_count(&s, SAMPLE_TCP_RESETS, 1);
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
		tcpside_tick(&s);
	if (tcpstream_troubled(&back.dir->stream))
		tcpside_tick(&back);
}

void
tcptalk_tick(const struct tcptalk *tt, struct flow *f, int64_t now_ns)
{
	struct tcpside s;
	int d;

	for (d = 0; d < 2; d++) {
		tcpside_init(&s, tt, f, d, now_ns);
		if (tcpstream_troubled(&s.dir->stream))
			tcpside_tick(&s);
	}
}

void
tcptalk_flush(const struct tcptalk *tt, struct flow *f, int64_t now_ns)
{
	struct tcpside s;
	int d;

	/* Calls before the replies that may prove or answer them. */
	for (d = 0; d < 2; d++) {
		tcpside_init(&s, tt, f, f->server == 0 ? !d : d, now_ns);
		tcpside_flush(&s);
	}
}

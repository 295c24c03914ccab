/* SPDX-License-Identifier: ISC */
/*
 * udptalk.c: UDP datagrams of a flow to RPC messages.
 */
#include "udptalk.h"

/* What a datagram's walk tells; place never changes in it. */
struct datagram {
	struct talk		*t;
	struct rpcrecord_place	 place;
	struct rpc_header	 hdr;
	bool			 known;
};

static void
datagram_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr)
{
	struct datagram *g = ctx;

	g->known = true;
	g->hdr = *hdr;
	dialog_header(g->t, w, hdr, &g->place);
}

static void
datagram_op(void *ctx, struct rpcwalk *w, const struct rpc_op *op)
{
	struct datagram *g = ctx;

	(void)w;
	dialog_op(g->t, &g->hdr, op, &g->place);
}

static const struct rpcwalk_listener datagram_listener = {
	datagram_header, datagram_op
};

static bool
datagram_is_rpc(struct talk *t, struct bytes head, bool expected)
{
	uint32_t xid;

	switch (rpcwalk_guess(head.data, head.len, &xid)) {
	case RPC_GUESS_CALL:
		return true;
	case RPC_GUESS_REPLY:
		if (expected || dialog_known(t, xid))
			return true;
		t->d->l->count(t->d->ctx, t->now_ns, SAMPLE_RPC_ELSEWHERE, 1);
		return false;
	case RPC_GUESS_NO:
	case RPC_GUESS_SHORT:
		break;
	}
	if (expected)
		t->d->l->count(t->d->ctx, t->now_ns, SAMPLE_RPC_NOT_RPC, 1);
	return false;
}

void
udptalk_datagram(struct talk *t, struct bytes head, uint32_t len,
    int64_t first_ns, bool expected)
{
	/* As if after a record mark. */
	struct datagram g = { .t = t, .place = { .end = len + UINT64_C(4),
	    .first_ns = first_ns, .last_ns = t->now_ns, .len = len } };
	struct rpcwalk w;

	if (!datagram_is_rpc(t, head, expected))
		return;
	rpcwalk_start(&w);
	rpcwalk_feed(&w, head.data, head.len, &datagram_listener, &g);
	if (head.len < len)
		rpcwalk_skip(&w, (uint32_t)(len - head.len),
		    &datagram_listener, &g);
	rpcwalk_end(&w, &datagram_listener, &g);
	if (g.known)
		dialog_done(t, g.hdr.reply, g.hdr.xid, t->now_ns);
}

void
udptalk_head(struct talk *t, struct bytes head, int64_t first_ns)
{
	struct dialog *d = t->d;
	uint32_t stream = flow_stream(t->f, t->dir), xid;
	struct call *c;

	if (rpcwalk_guess(head.data, head.len, &xid) != RPC_GUESS_CALL)
		return;
	c = calltable_find(d->calls, stream, xid);
	if (c == NULL) {
		c = calltable_add(d->calls, stream, xid, t->now_ns);
		calltable_set_state(d->calls, c, CALL_HEAD);
		bytes_peek_u32(&head, 12, &c->prog);	/* RFC 5531 sec. 9 */
		bytes_peek_u32(&head, 16, &c->vers);
		bytes_peek_u32(&head, 20, &c->proc);
		c->first_ns = c->sent_ns = first_ns;
		c->transmissions = 1;
		c->first_whole = true;
		c->client = t->f->pair;
	} else if (c->state == CALL_HEAD && c->sent_ns != first_ns) {
		c->sent_ns = first_ns;
		if (c->transmissions < UINT16_MAX)
			c->transmissions++;
	}
}

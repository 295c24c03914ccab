/* SPDX-License-Identifier: ISC */
/*
 * talk.c: telling the listener of RPC events.
 */
#include "talk.h"

static void
pair_ends(struct dialog *d, uint32_t pair, struct rpc_event *e)
{
	const struct pair_key *k = pair_key(d->flows, pair);

	e->pair = pair;
	e->client = k != NULL ? &k->client : NULL;
	e->server = k != NULL ? &k->server : NULL;
}

void
talk_tell(struct dialog *d, enum rpc_event_kind kind, const struct call *c,
    const struct rpc_header *hdr, uint32_t pair, struct rpc_event *e)
{
	const struct pair *p = pair_at(d->flows, pair);

	e->kind = kind;
	e->call = c;
	e->hdr = hdr;
	pair_ends(d, pair, e);
	e->outstanding = p != NULL ? p->outstanding : 0;
	e->open_calls = calltable_open(d->calls);
	d->l->rpc(d->ctx, e);
}

void
talk_outstanding(struct dialog *d, uint32_t pair, int change)
{
	struct pair *p = pair_at(d->flows, pair);

	if (p == NULL)
		return;
	if (change > 0)
		p->outstanding++;
	else if (p->outstanding > 0)
		p->outstanding--;
}

void
talk_reply_done(struct talk *t, struct call *c, int64_t last_ns)
{
	struct rpc_event e = { .time_ns = last_ns,
	    .duplicate = c->duplicate };

	e.timed = !c->duplicate && c->whole;
	if (e.timed) {
		int64_t reply_ns = c->reply_ns > c->last_ns ?
		    c->reply_ns : c->last_ns;

		e.request_ns = c->last_ns - c->first_ns;
		e.server_ns = reply_ns - c->last_ns;
		e.reply_ns = last_ns > reply_ns ? last_ns - reply_ns : 0;
		/* Before a clock step nothing can be timed. */
		e.timed = e.request_ns >= 0;
	}
	talk_tell(t->d, RPC_EV_REPLY_DONE, c, NULL, c->client, &e);
}

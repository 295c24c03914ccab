/* SPDX-License-Identifier: ISC */
/*
 * dialog.c: RPC messages to calls, replies and retransmissions.
 */
#include "dialog.h"

#include <stdlib.h>
#include <string.h>

#include "guess.h"

#define CALL_AGE_NS	(60 * INT64_C(1000000000))
#define SILENT_NS	(3 * INT64_C(1000000000))
#define COPY_NS		INT64_C(100000)

static void
count(struct dialog *d, int64_t t, enum sample_counter c)
{
	d->l->count(d->ctx, t, c, 1);
}

static void
call_gone(void *ctx, const struct call *c, bool evicted)
{
	struct dialog *d = ctx;
	struct rpc_event e = { .time_ns = d->now_ns };

	talk_outstanding(d, c->client, -1);
	count(d, d->now_ns, evicted ? SAMPLE_EVICTED_CALLS :
	    SAMPLE_RPC_UNANSWERED);
	talk_tell(d, RPC_EV_GONE, c, NULL, c->client, &e);
}

struct dialog *
dialog_new(const struct dialog_config *config)
{
	struct dialog *d;
	struct calltable_config cc = {
		.capacity = config->max_calls,
		.max_age_ns = CALL_AGE_NS,
		.seed = { config->seed[0], config->seed[1] },
		.gone = call_gone,
	};

	if ((d = calloc(1, sizeof(*d))) == NULL)
		return NULL;
	d->flows = config->flows;
	d->services = config->services;
	d->l = config->listener;
	d->ctx = config->ctx;
	d->learned = config->learned;
	d->learned_ctx = config->learned_ctx;
	cc.ctx = d;
	if ((d->calls = calltable_new(&cc)) == NULL) {
		free(d);
		return NULL;
	}
	return d;
}

void
dialog_free(struct dialog *d)
{
	if (d == NULL)
		return;
	calltable_free(d->calls);
	free(d);
}

bool
dialog_known(struct talk *t, uint32_t xid)
{
	return calltable_find(t->d->calls, talk_stream_back(t), xid) != NULL;
}

/* The NFS server is whom calls go to, except for its callbacks. */
static void
find_server(struct talk *t, const struct rpc_header *hdr)
{
	struct flow *f = t->f;
	struct endpoint e;
	bool callback = hdr->prog >= NFS_PROG_NFSCB;
	int server = callback ? t->dir : !t->dir;

	if (service_fixed(t->d->services)) {
		if (f->server < 0)
			return;
		server = f->server;
	} else if (callback && f->server >= 0)
		server = f->server;	/* a backchannel */
	f->role = FLOW_RPC;
	flow_set_server(t->d->flows, f, server, t->now_ns);
	pair_alive(t->d->flows, f, t->now_ns);
	flow_endpoint(t->d->flows, f, server, &e);
	if (!service_is_host(t->d->services, &e.addr))
		service_learn_host(t->d->services, &e.addr, t->now_ns);
}

static bool
same_call(const struct call *c, const struct rpc_header *hdr)
{
	return c->prog == hdr->prog && c->vers == hdr->vers &&
	    c->proc == hdr->proc;
}

/*
 * The call that this one repeats over a new connection: made on an older flow
 * of the pair that is closed, or has been silent since before this one began.
 */
static struct call *
resent_over(struct talk *t, const struct rpc_header *hdr)
{
	struct pair *p = pair_at(t->d->flows, t->f->pair);
	unsigned i;

	if (p == NULL || t->f->proto != 6)
		return NULL;
	for (i = 0; i < FLOW_RECENT; i++) {
		const struct pair_recent *r = &p->recent[i];
		struct call *c;

		if (r->serial == 0 || r->serial == t->f->serial ||
		    r->first_ns > t->f->first_ns ||
		    t->now_ns - r->last_ns > CALL_AGE_NS)
			continue;
		if (!r->closed && (r->last_ns >= t->f->first_ns ||
		    t->now_ns - r->last_ns < SILENT_NS))
			continue;
		/* The key order of the endpoints may differ: try both. */
		c = calltable_find(t->d->calls, 2 * r->serial, hdr->xid);
		if (c == NULL)
			c = calltable_find(t->d->calls, 2 * r->serial + 1,
			    hdr->xid);
		if (c != NULL && same_call(c, hdr) &&
		    (r->closed || c->state == CALL_OPEN))
			return c;
	}
	return NULL;
}

static void
fill_call(struct talk *t, struct call *c, const struct rpc_header *hdr,
    int64_t first_ns)
{
	c->prog = hdr->prog;
	c->vers = hdr->vers;
	c->proc = hdr->proc;
	c->op = nfs_proc_op(hdr->prog, hdr->vers, hdr->proc);
	c->service = hdr->service;
	c->has_uid = hdr->has_uid;
	c->uid = hdr->uid;
	c->first_ns = c->sent_ns = first_ns;
	c->client = t->f->pair;
	c->transmissions = 1;
}

static void
new_call(struct talk *t, const struct rpc_header *hdr, int64_t first_ns)
{
	struct dialog *d = t->d;
	struct rpc_event e = { .time_ns = t->now_ns };
	struct call *c;
	int64_t ignored;

	/* What of an older call of this XID is still to come is not of this. */
	flow_take_pending(&t->f->dir[t->dir], false, hdr->xid, &ignored);
	while (flow_take_pending(&t->f->dir[!t->dir], true, hdr->xid, &ignored))
		continue;
	c = calltable_add(d->calls, talk_stream(t), hdr->xid, t->now_ns);
	fill_call(t, c, hdr, first_ns);
	talk_outstanding(d, t->f->pair, 1);
	c->depth = calltable_open(d->calls);
	if (hdr->service == RPC_SVC_PRIVACY)
		count(d, t->now_ns, SAMPLE_RPC_ENCRYPTED);
	if (hdr->flavor == RPC_AUTH_TLS)
		t->f->tls_asked = true;
	talk_tell(d, RPC_EV_CALL, c, hdr, t->f->pair, &e);
}

/* One more transmission of a call, the latest at first_ns. */
static void
repeated_call(struct talk *t, struct call *c, const struct rpc_header *hdr,
    int64_t first_ns)
{
	struct rpc_event e = { .time_ns = t->now_ns };

	calltable_touch(t->d->calls, c, t->now_ns);
	c->sent_ns = first_ns;
	if (c->transmissions < UINT16_MAX)
		c->transmissions++;
	talk_tell(t->d, RPC_EV_RESEND, c, hdr, t->f->pair, &e);
}

static void
resent_call(struct talk *t, struct call *c, const struct rpc_header *hdr,
    int64_t first_ns)
{
	/* A datagram whose head was a repetition before this call was whole. */
	c->told = t->head_told && c->heads > 0 && first_ns <= c->last_ns;
	if (c->told) {
		c->heads--;
		return;
	}
	if (first_ns - c->sent_ns < COPY_NS && first_ns >= c->sent_ns)
		count(t->d, t->now_ns, SAMPLE_COPIES);
	repeated_call(t, c, hdr, first_ns);
}

/*
 * A datagram of which earlier transmissions showed only their heads: this one
 * is whole, so the call counts, and so do its repetitions.
 */
static void
head_becomes_call(struct talk *t, struct call *c, const struct rpc_header *hdr,
    int64_t first_ns)
{
	/* Heads seen, less this transmission's own. */
	unsigned repeats = c->transmissions - (t->head_told ? 1U : 0U);
	int64_t began_ns = c->first_ns;
	struct rpc_event e = { .time_ns = t->now_ns };

	calltable_set_state(t->d->calls, c, CALL_OPEN);
	fill_call(t, c, hdr, began_ns);
	talk_outstanding(t->d, t->f->pair, 1);
	c->depth = calltable_open(t->d->calls);
	talk_tell(t->d, RPC_EV_CALL, c, hdr, t->f->pair, &e);
	c->heads = (uint8_t)(repeats < UINT8_MAX ? repeats : UINT8_MAX);
	while (repeats-- > 0)
		repeated_call(t, c, hdr, first_ns);
}

static void
call_header(struct talk *t, const struct rpc_header *hdr,
    const struct rpcrecord_place *place)
{
	struct call *c;

	find_server(t, hdr);
	if (t->f->role != FLOW_RPC)
		return;
	c = calltable_find(t->d->calls, talk_stream(t), hdr->xid);
	if (c != NULL && same_call(c, hdr)) {
		if (c->state == CALL_HEAD)
			head_becomes_call(t, c, hdr, place->first_ns);
		else if (t->f->proto == 6 && c->state == CALL_ANSWERED)
			new_call(t, hdr, place->first_ns); /* XID used again */
		else
			resent_call(t, c, hdr, place->first_ns);
		return;
	}
	if (c == NULL && (c = resent_over(t, hdr)) != NULL) {
		c = calltable_move(t->d->calls, c, talk_stream(t), hdr->xid,
		    t->now_ns);
		resent_call(t, c, hdr, place->first_ns);
		return;
	}
	new_call(t, hdr, place->first_ns);
}

/* The call's last byte is known to have passed, or must have. */
static void
call_whole(struct talk *t, struct call *c, int64_t last_ns)
{
	struct rpc_event e = { .time_ns = last_ns };

	c->whole = true;
	c->last_ns = last_ns;
	talk_tell(t->d, RPC_EV_CALL_DONE, c, NULL, c->client, &e);
}

/* A reply came while the end of its call had not been seen. */
static void
call_must_be_whole(struct talk *t, struct call *c)
{
	struct flow_dir *dir = &t->f->dir[!t->dir];
	int64_t last_ns = dir->last_ns;

	flow_take_pending(dir, false, c->xid, &last_ns);
	if (last_ns < c->first_ns)
		last_ns = c->first_ns;
	call_whole(t, c, last_ns);
}

/* An RPC-level refusal has no results: tell its procedure all the same. */
static void
refused(struct talk *t, const struct call *c, bool duplicate)
{
	struct rpc_op op = { .op = nfs_proc_op(c->prog, c->vers, c->proc),
	    .opnum = c->proc };
	struct op_event e = { .time_ns = t->now_ns, .reply = true,
	    .resend = duplicate, .rpc_error = true, .op = &op, .call = c,
	    .pair = c->client };
	const struct pair_key *k = pair_key(t->d->flows, c->client);

	e.client = k != NULL ? &k->client : NULL;
	t->d->l->op(t->d->ctx, &e);
}

/* Who answers calls, but for callbacks, serves RPC there. */
static void
learn_service(struct talk *t, const struct call *c)
{
	struct endpoint e;

	flow_endpoint(t->d->flows, t->f, t->dir, &e);
	if (c->prog < NFS_PROG_NFSCB &&
	    service_claim(t->d->services, &e) == 0)
		service_learn(t->d->services, &e, t->now_ns);
}

static void
reply_header(struct talk *t, struct rpcwalk *w, const struct rpc_header *hdr,
    const struct rpcrecord_place *place)
{
	struct dialog *d = t->d;
	struct rpc_event e = { .time_ns = t->now_ns };
	struct call *c = calltable_find(d->calls, talk_stream_back(t),
	    hdr->xid);

	if (c == NULL)
		c = guess_claim(t, hdr->xid,
		    (uint32_t)(place->end - place->start));
	if (c == NULL || c->state == CALL_HEAD) {
		talk_tell(d, RPC_EV_UNMATCHED, NULL, hdr, t->f->pair,
		    &e);
		return;
	}
	e.duplicate = c->state == CALL_ANSWERED;
	if (!e.duplicate) {
		if (!c->whole)
			call_must_be_whole(t, c);
		c->reply_ns = place->first_ns;
		talk_outstanding(d, c->client, -1);
		learn_service(t, c);
	}
	c = calltable_answer(d->calls, c, t->now_ns);
	pair_alive(d->flows, t->f, t->now_ns);
	talk_tell(d, RPC_EV_REPLY, c, hdr, c->client, &e);
	if (c->replies < UINT8_MAX)
		c->replies++;
	if (hdr->outcome != RPC_SUCCESS)
		refused(t, c, e.duplicate);
	else
		rpcwalk_expect(w, c->prog, c->vers, c->proc, c->service);
	c->duplicate = e.duplicate;
}

void
dialog_header(struct talk *t, struct rpcwalk *w, const struct rpc_header *hdr,
    const struct rpcrecord_place *place)
{
	t->d->now_ns = t->now_ns;
	if (hdr->reply)
		reply_header(t, w, hdr, place);
	else
		call_header(t, hdr, place);
}

static void
note_data(struct call *c, const struct rpc_op *op)
{
	enum nfs_kind kind = nfs_op_kind(op->op);

	if (op->map_prog != 0)
		c->map_prog = op->map_prog;
	if (kind == NFS_KIND_OTHER || c->kind == NFS_KIND_WRITE)
		return;
	c->op = op->op;
	c->kind = (uint8_t)kind;
	c->has_count = op->has_count;
	c->count = op->count;
	if (op->has_stable)
		c->stable = (uint8_t)op->stable;
}

/* A COPY's verifier is its own; WRITE and COMMIT have the server's. */
static void
look_at_verifier(struct talk *t, const struct call *c, const struct rpc_op *op)
{
	const struct pair_key *k = pair_key(t->d->flows, c->client);
	enum nfs_kind kind = nfs_op_kind(op->op);

	if ((kind == NFS_KIND_WRITE || kind == NFS_KIND_COMMIT) &&
	    k != NULL && service_restarted(t->d->services, &k->server,
	    c->vers, op->verifier, t->now_ns))
		count(t->d, t->now_ns, SAMPLE_RPC_RESTARTS);
}

/* RFC 1833: the port of a program, as the server's portmap says. */
static void
learn_port(struct talk *t, const struct call *c, const struct rpc_op *op)
{
	struct endpoint e;

	if (op->port == 0 || op->port > UINT16_MAX || c->map_prog == 0)
		return;
	flow_endpoint(t->d->flows, t->f, t->dir, &e);
	e.port = (uint16_t)op->port;
	service_learn(t->d->services, &e, t->now_ns);
	if (t->d->learned != NULL)
		t->d->learned(t->d->learned_ctx, e.port);
}

static void
count_note(struct talk *t, const struct rpc_op *op)
{
	if (op->cut)
		count(t->d, t->now_ns, op->op == NFS_OP_NONE &&
		    op->in_compound ? SAMPLE_RPC_UNKNOWN_OP : SAMPLE_RPC_CUT);
}

void
dialog_op(struct talk *t, const struct rpc_header *hdr,
    const struct rpc_op *op, const struct rpcrecord_place *place)
{
	struct call *c = calltable_find(t->d->calls,
	    hdr->reply ? talk_stream_back(t) : talk_stream(t), hdr->xid);
	struct op_event e = { .time_ns = t->now_ns, .reply = hdr->reply,
	    .op = op, .call = c };
	const struct pair_key *k;
	struct rpc_op filled;
	unsigned repeats = 0;

	if (c == NULL || (!hdr->reply && c->told))
		return;
	if (!hdr->reply && nfs_op_kind(op->op) == NFS_KIND_WRITE)
		e.op = op = guess_size(t, hdr, op, place, &filled);
	k = pair_key(t->d->flows, c->client);
	e.pair = c->client;
	e.client = k != NULL ? &k->client : NULL;
	e.hidden = c->service == RPC_SVC_PRIVACY;
	count_note(t, op);
	if (hdr->reply) {
		e.resend = c->duplicate;
		learn_port(t, c, op);
		if (op->has_verifier && !c->duplicate)
			look_at_verifier(t, c, op);
		if (c->guessed && !c->duplicate)
			guess_mirror_op(t, &e);
	} else if (c->transmissions <= 1)
		note_data(c, op);
	else if (c->first_whole) {
		/* Earlier heads were never whole: this is the call. */
		note_data(c, op);
		repeats = c->transmissions - 1U;
	} else
		e.resend = true;
	t->d->l->op(t->d->ctx, &e);
	for (e.resend = true; repeats > 0; repeats--)
		t->d->l->op(t->d->ctx, &e);
}

void
dialog_done(struct talk *t, bool reply, uint32_t xid, int64_t last_ns)
{
	struct call *c = calltable_find(t->d->calls,
	    reply ? talk_stream_back(t) : talk_stream(t), xid);

	t->d->now_ns = t->now_ns;
	if (c == NULL)
		return;
	if (reply) {
		/* One that came before there was its call is nobody's. */
		if (c->state != CALL_ANSWERED || c->replies == 0)
			return;
		c->replies--;
		talk_reply_done(t, c, last_ns);
	} else if (c->state == CALL_OPEN)
		call_whole(t, c, last_ns);
	if (!reply)
		c->first_whole = false;
}

void
dialog_advance(struct dialog *d, int64_t now_ns)
{
	d->now_ns = now_ns;
	calltable_advance(d->calls, now_ns);
}

void
dialog_flush(struct dialog *d)
{
	calltable_flush(d->calls);
}

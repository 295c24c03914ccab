/* SPDX-License-Identifier: ISC */
/*
 * feedkit.c: the decoder's events, made by hand.
 */
#include "feedkit.h"

void
feedkit_packet(struct feedkit *k, int64_t t, enum sample_direction dir,
    uint32_t bytes)
{
	struct packet_event e = { .time_ns = t, .dir = dir, .bytes = bytes,
	    .wire_packets = 1, .wire_bytes = bytes, .pair = 0 };

	k->l->packet(k->ctx, &e);
}

struct call
feedkit_make(uint32_t xid, uint32_t prog, uint32_t vers, uint32_t proc)
{
	struct call c = { .stream = 1, .xid = xid, .prog = prog,
	    .vers = vers, .proc = proc, .has_uid = true, .uid = 1000,
	    .transmissions = 1, .depth = 1 };

	c.op = nfs_proc_op(prog, vers, proc);
	if (c.op != NFS_OP_NONE)
		c.kind = (uint8_t)nfs_op_kind(c.op);
	return c;
}

static void
tell(struct feedkit *k, struct rpc_event *e, enum rpc_event_kind kind,
    int64_t t, const struct call *c)
{
	e->kind = kind;
	e->time_ns = t;
	e->call = c;
	e->client = &k->client;
	e->open_calls = e->outstanding = k->open;
	k->l->rpc(k->ctx, e);
}

void
feedkit_call(struct feedkit *k, int64_t t, struct call *c)
{
	struct rpc_event e = { 0 }, done = { 0 };

	c->first_ns = c->sent_ns = t;
	k->open++;
	tell(k, &e, RPC_EV_CALL, t, c);
	c->whole = true;
	c->last_ns = t;
	tell(k, &done, RPC_EV_CALL_DONE, t, c);
}

void
feedkit_resend(struct feedkit *k, int64_t t, struct call *c)
{
	struct rpc_event e = { 0 };

	c->transmissions++;
	tell(k, &e, RPC_EV_RESEND, t, c);
}

void
feedkit_reply(struct feedkit *k, int64_t t, struct call *c, bool duplicate,
    enum rpc_outcome outcome)
{
	struct rpc_header hdr = { .reply = true, .xid = c->xid,
	    .outcome = (uint8_t)outcome };
	struct rpc_event e = { .hdr = &hdr, .duplicate = duplicate };

	if (!duplicate) {
		c->reply_ns = t;
		k->open--;
	}
	tell(k, &e, RPC_EV_REPLY, t, c);
}

void
feedkit_done(struct feedkit *k, int64_t t, struct call *c,
    int64_t request_ns, int64_t server_ns, int64_t reply_ns)
{
	struct rpc_event e = { .timed = true, .request_ns = request_ns,
	    .server_ns = server_ns, .reply_ns = reply_ns };

	tell(k, &e, RPC_EV_REPLY_DONE, t, c);
}

void
feedkit_unmatched(struct feedkit *k, int64_t t)
{
	struct rpc_event e = { 0 };

	tell(k, &e, RPC_EV_UNMATCHED, t, NULL);
}

void
feedkit_op(struct feedkit *k, int64_t t, const struct call *c, bool reply,
    bool resend, const struct rpc_op *op)
{
	struct op_event e = { .time_ns = t, .reply = reply, .resend = resend,
	    .op = op, .call = c, .client = &k->client,
	    .hidden = c->service == RPC_SVC_PRIVACY };

	k->l->op(k->ctx, &e);
}

void
feedkit_write(struct feedkit *k, int64_t t, uint32_t xid,
    uint32_t bytes, int64_t took_ns)
{
	struct call c = feedkit_make(xid, NFS_PROG_NFS, 3, 7);
	struct rpc_op op = { .op = c.op, .has_count = true, .count = bytes,
	    .has_stable = true, .stable = 2 };

	c.has_count = true;
	c.count = bytes;
	feedkit_call(k, t, &c);
	feedkit_op(k, t, &c, false, false, &op);
	feedkit_reply(k, t + took_ns, &c, false, RPC_SUCCESS);
	op = (struct rpc_op){ .op = c.op, .has_status = true,
	    .has_count = true, .count = bytes };
	feedkit_op(k, t + took_ns, &c, true, false, &op);
	feedkit_done(k, t + took_ns, &c, 0, took_ns, 0);
}

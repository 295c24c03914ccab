/* SPDX-License-Identifier: ISC */
/*
 * guess.c: calls whose heads the snap length hides.
 */
#include "guess.h"

#define GUESS_STREAM	0x80000000U	/* beside all true stream numbers */
#define GUESSES_MAX	65536U

/*
 * The bytes of a WRITE whose size is cut off: what its message has room for
 * (too much by up to 3 bytes of padding, RFC 4506 sec. 4.10), or the usual
 * size if the message is as long and that fits.  False: not known.
 */
static bool
size_by_length(const struct flow_usual *u, const struct rpc_op *op,
    uint32_t len, uint32_t *size)
{
	bool like = len == u->len && op->op == u->op;

	*size = u->count;
	if (op->data_at == 0 || len < op->data_at)
		return like;
	*size = len - op->data_at;
	if (like && *size - u->count < 4)
		*size = u->count;
	return true;
}

const struct rpc_op *
guess_size(struct talk *t, const struct rpc_header *hdr,
    const struct rpc_op *op, const struct rpcrecord_place *place,
    struct rpc_op *filled)
{
	struct flow_usual *u = &t->f->dir[t->dir].usual;
	uint32_t len = place->len, size;

	if (place->end == 0 || hdr->service == RPC_SVC_PRIVACY)
		return op;
	if (op->has_count && len != u->len)
		*u = (struct flow_usual){ len, 0, hdr->prog, hdr->vers,
		    hdr->proc, op->count, op->op, NFS_KIND_WRITE,
		    (uint8_t)op->stable };
	if (op->has_count || !size_by_length(u, op, len, &size))
		return op;
	*filled = *op;
	filled->has_count = true;
	filled->count = size;
	return filled;
}

static struct call *
guess_at(struct talk *t, int dir, uint32_t number)
{
	return calltable_find(t->d->calls,
	    GUESS_STREAM | flow_stream(t->f, dir), number);
}

void
guess_begin(struct talk *t, const struct rpcrecord_place *place)
{
	struct flow_dir *dir = &t->f->dir[t->dir];
	const struct flow_usual *u = &dir->usual;
	struct rpc_event e = { .time_ns = place->first_ns };
	struct call *c;

	if (dir->guess_next - dir->guess_first >= GUESSES_MAX)
		dir->guess_first = dir->guess_next - GUESSES_MAX / 2;
	c = calltable_add(t->d->calls, GUESS_STREAM | talk_stream(t),
	    dir->guess_next++, t->now_ns);
	calltable_set_state(t->d->calls, c, CALL_HEAD);
	c->guessed = true;
	c->prog = u->prog;
	c->vers = u->vers;
	c->proc = u->proc;
	c->op = u->op;
	c->kind = u->kind;
	c->stable = u->stable;
	c->has_count = true;
	c->count = u->count;
	c->transmissions = 1;
	c->client = t->f->pair;
	c->first_ns = c->sent_ns = place->first_ns;
	talk_tell(t->d, RPC_EV_GUESS, c, NULL, c->client, &e);
}

void
guess_end(struct talk *t, const struct rpcrecord_place *place)
{
	struct rpc_event e = { .time_ns = place->last_ns };
	struct call *c = guess_at(t, t->dir,
	    t->f->dir[t->dir].guess_next - 1);

	if (c == NULL)
		return;
	c->whole = true;
	c->last_ns = place->last_ns;
	talk_tell(t->d, RPC_EV_GUESS_DONE, c, NULL, c->client, &e);
}

void
guess_wrong(struct talk *t)
{
	struct flow_dir *dir = &t->f->dir[t->dir];
	struct rpc_event e = { .time_ns = t->now_ns };
	struct call *c;

	for (; dir->guess_first != dir->guess_next; dir->guess_first++) {
		c = guess_at(t, t->dir, dir->guess_first);
		if (c == NULL)
			continue;
		talk_tell(t->d, RPC_EV_GUESS_WRONG, c, NULL, c->client, &e);
		calltable_remove(t->d->calls, c);
	}
}

void
guess_usual_reply(struct talk *t, uint32_t xid, uint32_t len)
{
	struct flow_usual *u = &t->f->dir[!t->dir].usual;
	const struct call *c;

	if (u->len == 0 || u->reply_len != 0)
		return;
	c = calltable_find(t->d->calls, talk_stream_back(t), xid);
	if (c != NULL && c->op == u->op && c->has_count &&
	    c->count == u->count)
		u->reply_len = len;
}

/* The oldest guess of the other direction that has passed, taken off. */
static struct call *
take_guess(struct talk *t)
{
	struct flow_dir *dir = &t->f->dir[!t->dir];
	struct call *c = NULL;

	while (dir->guess_first != dir->guess_next &&
	    (c = guess_at(t, !t->dir, dir->guess_first)) == NULL)
		dir->guess_first++;
	if (c == NULL || !c->whole)
		return NULL;
	dir->guess_first++;
	return c;
}

/* A reply has come: the guess was a call, with the times it was seen at. */
static void
believe(struct talk *t, struct call *c)
{
	struct rpc_event e = { .time_ns = c->first_ns };

	talk_outstanding(t->d, c->client, 1);
	c->depth = calltable_open(t->d->calls);
	talk_tell(t->d, RPC_EV_CALL, c, NULL, c->client, &e);
	e = (struct rpc_event){ .time_ns = c->last_ns };
	talk_tell(t->d, RPC_EV_CALL_DONE, c, NULL, c->client, &e);
}

/*
 * A reply to no known call, as long as the usual one: the oldest guess is its
 * call.  NULL when there is none.
 */
struct call *
guess_claim(struct talk *t, uint32_t xid, uint32_t len)
{
	struct call *c;

	if (len != t->f->dir[!t->dir].usual.reply_len ||
	    (c = take_guess(t)) == NULL)
		return NULL;
	c = calltable_move(t->d->calls, c, talk_stream_back(t), xid,
	    t->now_ns);
	believe(t, c);
	return c;
}

/* The operations of a usual call that neither head showed. */
static void
tell_hidden_ops(struct talk *t, const struct call *c)
{
	const struct pair_key *k = pair_key(t->d->flows, c->client);
	struct rpc_op op = { .opnum = c->proc, .has_status = true,
	    .op = nfs_proc_op(c->prog, c->vers, c->proc) };
	struct op_event e = { .time_ns = t->now_ns, .reply = true, .op = &op,
	    .call = c, .pair = c->client,
	    .client = k != NULL ? &k->client : NULL };

	guess_mirror_op(t, &e);
	t->d->l->op(t->d->ctx, &e);
	if (op.op == c->op)
		return;
	op.op = c->op;
	op.in_compound = true;
	op.index = 1;
	guess_mirror_op(t, &e);
	t->d->l->op(t->d->ctx, &e);
}

void
guess_hidden_reply(struct talk *t, const struct rpcrecord_place *place)
{
	const struct rpc_header hdr = { .reply = true,
	    .outcome = RPC_SUCCESS };
	struct rpc_event e = { .time_ns = t->now_ns };
	struct call *c = take_guess(t);

	if (c == NULL)
		return;
	calltable_set_state(t->d->calls, c, CALL_OPEN);
	believe(t, c);
	c->reply_ns = place->first_ns;
	talk_outstanding(t->d, c->client, -1);
	c = calltable_answer(t->d->calls, c, t->now_ns);
	talk_tell(t->d, RPC_EV_REPLY, c, &hdr, c->client, &e);
	tell_hidden_ops(t, c);
	talk_reply_done(t, c, place->last_ns);
}

/* The usual call has no facts of its own: the reply's operations name it. */
void
guess_mirror_op(struct talk *t, const struct op_event *reply)
{
	struct op_event e = *reply;
	struct rpc_op op = {
		.op = reply->op->op, .opnum = reply->op->opnum,
		.index = reply->op->index, .in_compound = reply->op->in_compound
	};

	e.time_ns = reply->call->first_ns;
	e.reply = false;
	e.op = &op;
	if (op.op == reply->call->op) {
		op.has_count = true;
		op.count = reply->call->count;
		op.has_stable = true;
		op.stable = reply->call->stable;
	}
	t->d->l->op(t->d->ctx, &e);
}

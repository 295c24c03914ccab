/* SPDX-License-Identifier: ISC */
/*
 * tally.c: how calls, replies and operations are counted in an interval.
 */
#include "tally.h"

/* What READ, WRITE and COMMIT are in a sample. */
struct kind {
	bool		counted;
	enum sample_kind kind;
	uint16_t	latency, request, server, reply;	/* series */
};

static const struct kind kinds[] = {
	[NFS_KIND_OTHER] = { .counted = false },
	[NFS_KIND_READ] = { true, SAMPLE_READ, SAMPLE_READ_LATENCY,
	    SAMPLE_READ_REQUEST, SAMPLE_READ_SERVER, SAMPLE_READ_REPLY },
	[NFS_KIND_WRITE] = { true, SAMPLE_WRITE, SAMPLE_WRITE_LATENCY,
	    SAMPLE_WRITE_REQUEST, SAMPLE_WRITE_SERVER, SAMPLE_WRITE_REPLY },
	[NFS_KIND_COMMIT] = { true, SAMPLE_COMMIT, SAMPLE_COMMIT_LATENCY,
	    NFS_OP_NONE, NFS_OP_NONE, NFS_OP_NONE }
};

/* The row of an operation; NULL when there is no room. */
static struct sample_op *
op_row(struct tally *t, uint16_t op, const struct call *call)
{
	struct sample_op *row;

	if (op < NFS_OP_COUNT && t->row[op] != 0)
		return &t->s.op[t->row[op] - 1];
	row = sample_op(&t->s, op, call->prog, call->vers, call->proc);
	if (row != NULL && op < NFS_OP_COUNT)
		t->row[op] = (uint8_t)(row - t->s.op + 1);
	return row;
}

static uint16_t
procedure(const struct call *call)
{
	return nfs_proc_op(call->prog, call->vers, call->proc);
}

static const struct kind *
kind_of(uint16_t op)
{
	return &kinds[op < NFS_OP_COUNT ? nfs_op_kind(op) : NFS_KIND_OTHER];
}

/* READ, WRITE or COMMIT of all versions; NULL for other operations. */
static struct sample_data *
data_of(struct tally *t, uint16_t op)
{
	const struct kind *k = kind_of(op);

	return k->counted ? &t->s.data[k->kind] : NULL;
}

static void
count_call(struct tally *t, uint16_t op, const struct call *call, bool resend)
{
	struct sample_op *row = op_row(t, op, call);
	struct sample_data *d = data_of(t, op);

	if (row != NULL) {
		row->calls += !resend;
		row->retransmits += resend;
	}
	if (d != NULL) {
		d->calls += !resend;
		d->retransmits += resend;
	}
}

static void
count_reply(struct tally *t, uint16_t op, const struct call *call)
{
	struct sample_op *row = op_row(t, op, call);
	struct sample_data *d = data_of(t, op);

	if (row != NULL)
		row->replies++;
	if (d != NULL)
		d->replies++;
}

static void
count_error(struct tally *t, uint16_t op, const struct call *call)
{
	struct sample_op *row = op_row(t, op, call);
	struct sample_data *d = data_of(t, op);

	if (row != NULL)
		row->errors++;
	if (d != NULL)
		d->errors++;
}

static struct talkers_at
at_call(const struct tally *t, int64_t time_ns, const struct call *call)
{
	return (struct talkers_at){ .slot = t->slot, .stream = call->stream,
	    .xid = call->xid, .time_ns = time_ns };
}

/* The client, the user and the file of a call each take their share. */
static void
talk(struct tally *t, int64_t time_ns, const struct call *call,
    const struct addr *client, const struct sample_talk *k)
{
	struct talkers_at at;

	if (t->talkers == NULL)
		return;
	at = at_call(t, time_ns, call);
	talkers_add(t->talkers, &at, client,
	    call->has_uid ? &call->uid : NULL, k);
	talkers_file(t->talkers, &at, k);
}

/* A new call has no known object yet: its file counts it when it is told. */
static void
rpc_call(struct tally *t, const struct rpc_event *ev)
{
	static const struct sample_talk call = { .calls = 1 };
	struct talkers_at at;

	t->s.rpc_calls++;
	if (ev->server != NULL)
		sample_server(&t->s, ev->server);
	count_call(t, procedure(ev->call), ev->call, false);
	if (t->talkers == NULL)
		return;
	at = at_call(t, ev->time_ns, ev->call);
	talkers_add(t->talkers, &at, ev->client,
	    ev->call->has_uid ? &ev->call->uid : NULL, &call);
}

static void
rpc_resend(struct tally *t, const struct rpc_event *ev)
{
	static const struct sample_talk resend = { .retransmits = 1 };

	t->s.rpc_retransmits++;
	count_call(t, procedure(ev->call), ev->call, true);
	talk(t, ev->time_ns, ev->call, ev->client, &resend);
}

static void
rpc_reply(struct tally *t, const struct rpc_event *ev)
{
	struct sample_talk k = { .replies = 1 };
	uint16_t op = procedure(ev->call);

	t->s.rpc_replies++;
	count_reply(t, op, ev->call);
	if (!ev->duplicate && ev->hdr != NULL &&
	    ev->hdr->outcome != RPC_SUCCESS) {
		count_error(t, op, ev->call);
		k.errors = 1;
	}
	talk(t, ev->time_ns, ev->call, ev->client, &k);
}

static void
data_latency(struct tally *t, const struct rpc_event *ev, int64_t total)
{
	const struct kind *k = &kinds[ev->call->kind & 3];
	struct sample_data *d = &t->s.data[k->kind];
	struct sample_size *z;

	if (!k->counted)
		return;
	sample_part_latency(&t->s, &d->latency, k->latency, total);
	sample_part_latency(&t->s, &d->request, k->request, ev->request_ns);
	sample_part_latency(&t->s, &d->server, k->server, ev->server_ns);
	sample_part_latency(&t->s, &d->reply, k->reply, ev->reply_ns);
	if (k->kind == SAMPLE_COMMIT || !ev->call->has_count)
		return;
	z = sample_size(&t->s, k->kind, ev->call->count);
	z->timed++;
	z->sum_us += (uint64_t)(total > 0 ? total : 0) / 1000;
}

static void
op_latency(struct tally *t, uint16_t op, const struct call *call, int64_t ns)
{
	struct sample_op *row = op_row(t, op, call);

	if (row != NULL)
		sample_op_latency(&t->s, row, ns);
}

static void
rpc_done(struct tally *t, const struct rpc_event *ev)
{
	int64_t total = ev->request_ns + ev->server_ns + ev->reply_ns;
	uint16_t op = procedure(ev->call);
	struct sample_talk k = { .timed = 1 };

	if (!ev->timed)
		return;
	op_latency(t, op, ev->call, total);
	if (ev->call->op != op && ev->call->op != NFS_OP_NONE)
		op_latency(t, ev->call->op, ev->call, total);
	data_latency(t, ev, total);
	k.sum_us = (uint64_t)(total > 0 ? total : 0) / 1000;
	talk(t, ev->time_ns, ev->call, ev->client, &k);
}

void
tally_rpc(struct tally *t, const struct rpc_event *ev)
{
	switch (ev->kind) {
	case RPC_EV_UNMATCHED:
		t->s.rpc_unmatched++;
		break;
	case RPC_EV_CALL:
		rpc_call(t, ev);
		break;
	case RPC_EV_RESEND:
		rpc_resend(t, ev);
		break;
	case RPC_EV_REPLY:
		rpc_reply(t, ev);
		break;
	case RPC_EV_REPLY_DONE:
		rpc_done(t, ev);
		break;
	case RPC_EV_CALL_DONE:
	case RPC_EV_GONE:
	case RPC_EV_GUESS:
	case RPC_EV_GUESS_DONE:
	case RPC_EV_GUESS_WRONG:
		break;
	}
}

/* The object and the names of a call. */
static void
call_names(struct tally *t, const struct op_event *ev)
{
	static const struct sample_talk call = { .calls = 1 };
	struct talkers_at at = at_call(t, ev->time_ns, ev->call);
	const struct rpc_op *op = ev->op;

	if (op->fh_len > 0) {
		talkers_object(t->talkers, &at, op->fh, op->fh_len);
		if (!ev->resend)
			talkers_file(t->talkers, &at, &call);
	}
	if (op->name_len > 0)
		talkers_name(t->talkers, &at, op->name, op->name_len);
}

/* A byte count that is encrypted, or cut off. */
static void
data_hidden(struct sample_data *d, struct sample_op *row)
{
	d->hidden++;
	if (row != NULL)
		row->hidden++;
}

/* A WRITE's bytes and depth, a READ's depth. */
static void
call_data(struct tally *t, const struct op_event *ev, const struct kind *k)
{
	struct sample_data *d = &t->s.data[k->kind];
	struct sample_op *row = op_row(t, ev->op->op, ev->call);
	struct sample_talk talked = { 0 };
	bool write = k->kind == SAMPLE_WRITE;
	struct sample_size *z;

	if (write) {
		talked.write_calls = 1;
		if (!ev->op->has_count)
			data_hidden(d, row);
		if (ev->op->has_stable)
			d->stable[ev->op->stable < 3 ? ev->op->stable : 2]++;
	} else
		talked.read_calls = 1;
	if (ev->op->has_count) {
		z = sample_size(&t->s, k->kind, ev->op->count);
		z->calls++;
		z->depth_sum += ev->call->depth;
		if (write) {
			talked.write_bytes = ev->op->count;
			z->bytes += ev->op->count;
			d->bytes += ev->op->count;
			if (row != NULL)
				row->bytes += ev->op->count;
		}
	}
	talk(t, ev->time_ns, ev->call, ev->client, &talked);
}

static void
op_call(struct tally *t, const struct op_event *ev)
{
	const struct kind *k = kind_of(ev->op->op);

	if (ev->op->in_compound && ev->op->op != NFS_OP_NONE)
		count_call(t, ev->op->op, ev->call, ev->resend);
	if (t->talkers != NULL)
		call_names(t, ev);
	if (k->counted && k->kind != SAMPLE_COMMIT && !ev->resend)
		call_data(t, ev, k);
}

static void
reply_read(struct tally *t, const struct op_event *ev)
{
	struct sample_op *row = op_row(t, ev->op->op, ev->call);
	struct sample_talk talked = { .read_bytes = ev->op->count };

	if (!ev->op->has_count) {
		data_hidden(&t->s.data[SAMPLE_READ], row);
		return;
	}
	t->s.data[SAMPLE_READ].bytes += ev->op->count;
	if (row != NULL)
		row->bytes += ev->op->count;
	if (ev->call->has_count)
		sample_size(&t->s, SAMPLE_READ, ev->call->count)->bytes +=
		    ev->op->count;
	talk(t, ev->time_ns, ev->call, ev->client, &talked);
}

static void
reply_error(struct tally *t, const struct op_event *ev)
{
	static const struct sample_talk error = { .errors = 1 };
	const struct nfs_program *p = nfs_program_of(ev->op->op);

	count_error(t, ev->op->op, ev->call);
	if (ev->op->in_compound)
		return;		/* RFC 8881 15.2: it is COMPOUND's, too */
	if (p != NULL)
		sample_status_add(&t->s, p->first_op, ev->op->status, 1);
	talk(t, ev->time_ns, ev->call, ev->client, &error);
}

/* What is known of an operation inside a COMPOUND that is not call->op. */
static void
inner_latency(struct tally *t, const struct op_event *ev)
{
	const struct call *call = ev->call;

	if (ev->op->op != call->op && call->whole)
		op_latency(t, ev->op->op, call, ev->time_ns - call->first_ns);
}

/* A WRITE that the server may lose, or a COMMIT (RFC 1813 sec. 3.3.21). */
static void
reply_stable(struct tally *t, const struct op_event *ev, enum sample_kind kind)
{
	struct talkers_at at = at_call(t, ev->time_ns, ev->call);
	const struct call *call = ev->call;

	if (kind == SAMPLE_COMMIT)
		talkers_commit(t->talkers, &at, ev->client,
		    call->op == ev->op->op && call->has_count ? call->count :
		    0);
	else if (ev->op->has_stable && ev->op->stable == 0 &&
	    ev->op->has_count)
		talkers_unstable(t->talkers, &at, ev->client, ev->op->count);
}

static void
reply_data(struct tally *t, const struct op_event *ev)
{
	const struct kind *k = kind_of(ev->op->op);

	if (!k->counted)
		return;
	if (k->kind == SAMPLE_READ)
		reply_read(t, ev);
	else if (t->talkers != NULL && ev->client != NULL)
		reply_stable(t, ev, k->kind);
}

static void
op_reply(struct tally *t, const struct op_event *ev)
{
	const struct rpc_op *op = ev->op;
	struct talkers_at at;

	if (ev->resend)
		return;
	if (op->in_compound && op->op != NFS_OP_NONE) {
		count_reply(t, op->op, ev->call);
		inner_latency(t, ev);
	}
	if (op->has_status && op->status != 0)
		reply_error(t, ev);
	else if (!ev->rpc_error)
		reply_data(t, ev);
	if (t->talkers != NULL && op->fh_len > 0) {
		at = at_call(t, ev->time_ns, ev->call);
		talkers_handle(t->talkers, &at, op->fh, op->fh_len);
	}
}

void
tally_op(struct tally *t, const struct op_event *ev)
{
	if (ev->reply)
		op_reply(t, ev);
	else
		op_call(t, ev);
}

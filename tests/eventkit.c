/* SPDX-License-Identifier: ISC */
/*
 * eventkit.c: counts and writes down what a decoder tells, see eventkit.h.
 */
#include "eventkit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __attribute__((format(printf, 3, 4)))
note(char *text, size_t size, const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list ap;

	if (len > 0 && len + 2 < size) {
		strcpy(text + len, ", ");
		len += 2;
	}
	va_start(ap, fmt);
	vsnprintf(text + len, size - len, fmt, ap);
	va_end(ap);
}

static void
on_packet(void *ctx, const struct packet_event *e)
{
	struct eventkit *k = ctx;

	k->dir[e->dir].packets++;
	k->dir[e->dir].wire_packets += e->wire_packets;
	k->dir[e->dir].bytes += e->bytes;
	k->dir[e->dir].wire_bytes += e->wire_bytes;
	k->packet = *e;
}

static void
on_reply(struct eventkit *k, const struct rpc_event *e)
{
	k->replies++;
	k->duplicates += e->duplicate;
}

static void
on_reply_done(struct eventkit *k, const struct rpc_event *e)
{
	k->replied++;
	k->timed = e->timed;
	k->request_ns = e->request_ns;
	k->server_ns = e->server_ns;
	k->reply_ns = e->reply_ns;
}

static void
count_rpc(struct eventkit *k, const struct rpc_event *e)
{
	switch (e->kind) {
	case RPC_EV_CALL:
		k->calls++;
		return;
	case RPC_EV_RESEND:
		k->resends++;
		return;
	case RPC_EV_CALL_DONE:
		k->dones++;
		return;
	case RPC_EV_REPLY:
		on_reply(k, e);
		return;
	case RPC_EV_REPLY_DONE:
		on_reply_done(k, e);
		return;
	case RPC_EV_UNMATCHED:
		k->unmatched++;
		return;
	case RPC_EV_GONE:
		k->gone++;
		return;
	case RPC_EV_GUESS:
		k->guesses++;
		return;
	case RPC_EV_GUESS_DONE:
		return;
	case RPC_EV_GUESS_WRONG:
		k->wrong++;
		return;
	}
}

static void
on_rpc(void *ctx, const struct rpc_event *e)
{
	static const char *const words[] = { "call", "resend", "done",
		"reply", "replied", "unmatched", "gone", "guess", "guessed",
		"wrong" };
	struct eventkit *k = ctx;

	count_rpc(k, e);
	k->outstanding = e->outstanding;
	k->open_calls = e->open_calls;
	if (e->call != NULL)
		k->call = *e->call;
	k->has_ends = e->client != NULL && e->server != NULL;
	if (k->has_ends) {
		k->client = *e->client;
		k->server = *e->server;
	}
	if ((e->call == NULL) != (e->kind == RPC_EV_UNMATCHED))
		abort();
	if (!k->no_words)
		note(k->text, sizeof(k->text), "%s %u", e->duplicate &&
		    e->kind == RPC_EV_REPLY ? "dup" : words[e->kind],
		    e->call != NULL ? e->call->xid : e->hdr->xid);
}

static void
count_op(struct eventkit *k, const struct op_event *e)
{
	if (e->resend || !e->op->has_count)
		return;
	if (!e->reply && nfs_op_kind(e->op->op) == NFS_KIND_WRITE)
		k->written += e->op->count;
	if (e->reply && nfs_op_kind(e->op->op) == NFS_KIND_READ)
		k->read += e->op->count;
}

static void
on_op(void *ctx, const struct op_event *e)
{
	const struct rpc_op *o = e->op;
	struct eventkit *k = ctx;
	char what[32] = "";

	count_op(k, e);
	if (k->no_words)
		return;
	if (e->rpc_error)
		strcpy(what, " refused");
	else if (e->reply && o->has_status && o->status != 0)
		snprintf(what, sizeof(what), " %u", o->status);
	else if (e->reply)
		strcpy(what, " ok");
	else if (o->has_count)
		snprintf(what, sizeof(what), " %u", o->count);
	note(k->ops, sizeof(k->ops), "%s%u %s%s%s%s",
	    e->resend ? "again " : "", e->call->xid, nfs_op_name(o->op),
	    what, o->cut ? " cut" : "", e->hidden ? " hidden" : "");
}

static void
on_net(void *ctx, const struct net_event *e)
{
	static const char *const words[] = { "hole", "filled", "resent",
		"shut", "open" };
	struct eventkit *k = ctx;

	note(k->nets, sizeof(k->nets), "%s %s", words[e->kind],
	    e->to_server ? "in" : "out");
}

static void
on_count(void *ctx, int64_t time_ns, enum sample_counter counter, uint64_t n)
{
	struct eventkit *k = ctx;

	(void)time_ns;
	k->counter[counter] += n;
}

const struct decoder_listener *
eventkit_listener(void)
{
	static const struct decoder_listener listener = {
		on_packet, on_rpc, on_op, on_net, on_count
	};

	return &listener;
}

void
eventkit_clear(struct eventkit *k)
{
	bool no_words = k->no_words;

	memset(k, 0, sizeof(*k));
	k->no_words = no_words;
}

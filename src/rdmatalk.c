/* SPDX-License-Identifier: ISC */
/*
 * rdmatalk.c: RoCEv2 packets between two hosts to RPC messages.
 */
#include "rdmatalk.h"

#include <stdlib.h>

#include "lrutable.h"
#include "rpcrdma.h"
#include "rpcwalk.h"

#define RECENT		64	/* SENDs whose repetition is known as such */
#define GAP_MAX		64	/* packets missing inside one SEND */
#define PSN_MASK	0xffffffU

struct key {
	uint32_t	stream;		/* flow and direction, */
	uint32_t	qp;		/* and whom they go to */
};

/* What one queue pair receives. */
struct queue {
	bool		open;		/* a SEND is under way, */
	bool		known;		/* and its RPC header has been told */
	bool		gap;		/* packets of it are missing */
	bool		writing;	/* RDMA WRITEs of a reply to come */
	uint8_t		recents;	/* used of recent[] */
	uint8_t		recent_next;
	uint8_t		read_next;	/* chunks of lists passed */
	uint8_t		write_next;
	uint32_t	next_psn;
	uint32_t	unit;		/* bytes in a packet but the last */
	uint32_t	absent;		/* bytes that are missing here */
	uint64_t	pos;		/* in the whole message */
	int64_t		first_ns;
	int64_t		write_ns;	/* the first RDMA WRITE */
	uint32_t	recent[RECENT];	/* first PSNs of SENDs */
	struct rpcrdma_header lists;
	struct rpc_header hdr;
	struct rpcwalk	walk;
};

struct rdmatalk {
	struct dialog		*dialog;
	const struct decoder_listener *l;
	void			*ctx;
	struct lrutable		*queues;
	int64_t			 now_ns;
	bool			 flushing;
};

/* One packet on its way. */
struct side {
	struct rdmatalk		*rt;
	struct talk		 talk;
	struct queue		*q;	/* NULL: the queue pair is not known */
	const struct rocev2_packet *p;
	struct rpcrecord_place	 place;
};

static void
evict_queue(void *ctx, const void *key, void *value)
{
	struct rdmatalk *rt = ctx;

	(void)key;
	(void)value;
	if (!rt->flushing)
		rt->l->count(rt->ctx, rt->now_ns, SAMPLE_EVICTED_FLOWS, 1);
}

struct rdmatalk *
rdmatalk_new(const struct rdmatalk_config *config)
{
	struct rdmatalk *rt;
	struct lrutable_config lc = {
		.capacity = config->max_queues,
		.key_size = sizeof(struct key),
		.value_size = sizeof(struct queue),
		.seed = { config->seed[0], config->seed[1] },
		.evict = evict_queue,
	};

	if ((rt = calloc(1, sizeof(*rt))) == NULL)
		return NULL;
	rt->dialog = config->dialog;
	rt->l = config->listener;
	rt->ctx = config->ctx;
	lc.ctx = rt;
	if ((rt->queues = lrutable_new(&lc)) == NULL) {
		free(rt);
		return NULL;
	}
	return rt;
}

void
rdmatalk_free(struct rdmatalk *rt)
{
	if (rt == NULL)
		return;
	lrutable_free(rt->queues);
	free(rt);
}

static void
count(const struct side *s, enum sample_counter c)
{
	s->rt->l->count(s->rt->ctx, s->talk.now_ns, c, 1);
}

/* A packet that came before: the transport sends again what was lost. */
static void
came_again(const struct side *s)
{
	const struct flow *f = s->talk.f;
	struct net_event e = {
		.time_ns = s->talk.now_ns, .kind = NET_RESENT, .pair = f->pair,
		.stream = flow_stream(f, s->talk.dir),
		.to_server = f->server >= 0 && f->server != s->talk.dir,
		.bytes = s->p->payload_len
	};

	count(s, SAMPLE_COPIES);
	if (f->pair != FLOW_NONE)
		s->rt->l->net(s->rt->ctx, &e);
}

static bool
is_recent(const struct queue *q, uint32_t psn)
{
	unsigned i;

	for (i = 0; i < q->recents; i++)
		if (q->recent[i] == psn)
			return true;
	return false;
}

static void
note_recent(struct queue *q, uint32_t psn)
{
	q->recent[q->recent_next] = psn;
	q->recent_next = (uint8_t)((q->recent_next + 1) % RECENT);
	if (q->recents < RECENT)
		q->recents++;
}

static void
walk_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr)
{
	struct side *s = ctx;

	s->q->known = true;
	s->q->hdr = *hdr;
	dialog_header(&s->talk, w, hdr, &s->place);
}

static uint32_t
padded(uint32_t len)
{
	return len > UINT32_MAX - 3 ? UINT32_MAX & ~3U : (len + 3) & ~3U;
}

/*
 * The data of a READ's result stands here, unless it went into a write chunk
 * (RFC 8166 sec. 3.4.6): its length is here all the same.
 */
static void
walk_op(void *ctx, struct rpcwalk *w, const struct rpc_op *op)
{
	struct side *s = ctx;
	struct queue *q = s->q;

	(void)w;
	dialog_op(&s->talk, &q->hdr, op, &s->place);
	if (!q->hdr.reply || nfs_op_kind(op->op) != NFS_KIND_READ ||
	    op->cut || !op->has_count || q->write_next >= q->lists.writes)
		return;
	if (op->count > 0 && q->lists.write[q->write_next].len >= op->count)
		q->absent = padded(op->count);
	q->write_next++;
}

static const struct rpcwalk_listener walk_listener = { walk_header, walk_op };

/* Passes over bytes of the message that are not in the SEND. */
static void
pass_absent(struct side *s, uint32_t len)
{
	rpcwalk_skip(&s->q->walk, len, &walk_listener, s);
	s->q->pos += len;
}

/* Chunks whose place the walk has come to. */
static void
pass_chunks(struct side *s)
{
	struct queue *q = s->q;

	if (q->absent > 0) {
		uint32_t len = q->absent;

		q->absent = 0;
		pass_absent(s, len);
	}
	while (q->read_next < q->lists.reads &&
	    q->lists.read[q->read_next].position <= q->pos)
		pass_absent(s, padded(q->lists.read[q->read_next++].len));
}

/*
 * How many of the next n inline bytes may be walked at once: up to the next
 * chunk.  The place of a write chunk shows itself only behind the word before
 * it.
 */
static uint32_t
up_to_chunk(const struct queue *q, uint32_t n)
{
	uint64_t ahead = n;

	if (q->read_next < q->lists.reads)
		ahead = q->lists.read[q->read_next].position - q->pos;
	else if (q->write_next < q->lists.writes)
		ahead = 4 - (q->pos & 3);
	return ahead < n ? (uint32_t)ahead : n;
}

/* There are more chunks than are known: nothing behind these has its place. */
static bool
out_of_place(const struct queue *q)
{
	return q->lists.more && q->read_next == q->lists.reads &&
	    q->write_next == q->lists.writes;
}

/* The next n bytes of the SEND; data NULL: they were not seen. */
static void
pass_inline(struct side *s, const uint8_t *data, uint32_t n)
{
	struct queue *q = s->q;
	uint32_t part;

	while (n > 0 && rpcwalk_indifferent(&q->walk) != UINT32_MAX) {
		part = up_to_chunk(q, n);
		if (data != NULL && !out_of_place(q)) {
			rpcwalk_feed(&q->walk, data, part, &walk_listener, s);
			data += part;
		} else
			rpcwalk_skip(&q->walk, part, &walk_listener, s);
		q->pos += part;
		n -= part;
		pass_chunks(s);
	}
}

/* The captured part of len bytes of the SEND. */
static void
pass_packet(struct side *s, struct bytes data, uint32_t len)
{
	uint32_t seen = (uint32_t)data.len;

	pass_inline(s, data.data, seen);
	pass_inline(s, NULL, len - seen);
}

/* The message has passed, or all that will be seen of it. */
static void
finish(struct side *s)
{
	struct queue *q = s->q;

	if (!q->open)
		return;
	q->open = false;
	rpcwalk_end(&q->walk, &walk_listener, s);
	if (rpcwalk_note(&q->walk) == RPCWALK_NOTE_BAD_XDR)
		count(s, SAMPLE_RPC_BAD_XDR);
	if (q->known)
		dialog_done(&s->talk, q->hdr.reply, q->hdr.xid,
		    s->talk.now_ns);
}

static struct queue *
find_queue(struct rdmatalk *rt, const struct talk *t, uint32_t qp)
{
	const struct key k = { flow_stream(t->f, t->dir), qp };

	return lrutable_find(rt->queues, &k);
}

/* A SEND of RPC begins: after this s->q is there, and open. */
static void
open_message(struct side *s, const struct rpcrdma_header *h, bool reply)
{
	const struct key k = { flow_stream(s->talk.f, s->talk.dir),
	    s->p->dest_qp };
	int64_t now_ns = s->talk.now_ns;
	struct queue *q = s->q;

	if (q == NULL) {
		q = s->q = lrutable_add(s->rt->queues, &k, now_ns);
	} else {
		lrutable_touch(s->rt->queues, q, now_ns);
		if (q->open)
			count(s, SAMPLE_IP_INCOMPLETE);
		finish(s);
	}
	note_recent(q, s->p->psn);
	q->open = true;
	q->known = q->gap = false;
	q->read_next = q->write_next = 0;
	q->absent = 0;
	q->pos = 0;
	q->next_psn = (s->p->psn + 1) & PSN_MASK;
	q->unit = s->p->payload_len;
	q->lists = *h;
	/* In a call, write chunks are only room for the reply. */
	if (reply)
		q->lists.reads = 0;
	else
		q->lists.writes = 0;
	q->first_ns = now_ns;
	if (reply && q->writing && (h->writes > 0 || h->has_reply_chunk)) {
		q->writing = false;
		if (q->write_ns < now_ns)
			q->first_ns = q->write_ns;
	}
	s->place.first_ns = q->first_ns;
	rpcwalk_start(&q->walk);
}

/* The whole RPC message is elsewhere. */
static void
message_in_chunk(struct side *s, const struct rpcrdma_header *h)
{
	uint8_t reply[24] = {	/* RFC 5531 sec. 9: accepted, success */
		(uint8_t)(h->xid >> 24), (uint8_t)(h->xid >> 16),
		(uint8_t)(h->xid >> 8), (uint8_t)h->xid, 0, 0, 0, 1
	};
	bool expected = s->talk.f->role == FLOW_RPC ||
	    dialog_known(&s->talk, h->xid);

	if (!expected)
		return;
	if (h->has_call_chunk || h->proc == RPCRDMA_MSGP) {
		count(s, SAMPLE_RPC_CHUNKED);
		return;
	}
	if (!h->has_reply_chunk)
		return;
	open_message(s, h, true);
	s->q->lists.writes = 0;
	pass_inline(s, reply, sizeof(reply));
	finish(s);
}

/*
 * Is this RPC, and a call?  Other protocols go over RDMA too: what has not
 * shown a call is believed only as far as it answers one.
 */
static bool
is_rpc(struct side *s, const struct rpcrdma_header *h, struct bytes data,
    bool *reply)
{
	uint32_t xid;

	switch (rpcwalk_guess(data.data, data.len, &xid)) {
	case RPC_GUESS_CALL:
		*reply = false;
		return xid == h->xid;
	case RPC_GUESS_REPLY:
		*reply = true;
		return xid == h->xid && (s->talk.f->role == FLOW_RPC ||
		    dialog_known(&s->talk, xid));
	case RPC_GUESS_SHORT:
	case RPC_GUESS_NO:
		break;
	}
	return false;
}

/* On a queue pair that carries RPC: what could not be read of this SEND. */
static void
count_unread(const struct side *s, bool cut)
{
	if (s->q != NULL)
		count(s, cut ? SAMPLE_RPC_CUT : SAMPLE_RPC_NOT_RPC);
}

static void
begin(struct side *s)
{
	const struct rocev2_packet *p = s->p;
	struct bytes data = p->payload;
	bool cut = data.len < p->payload_len, reply;
	struct rpcrdma_header h;

	if (s->q != NULL && is_recent(s->q, p->psn)) {
		came_again(s);
		return;
	}
	switch (rpcrdma_decode(data, &h)) {
	case RPCRDMA_NO:
	case RPCRDMA_SHORT:
		count_unread(s, cut);
		return;
	case RPCRDMA_OK:
		break;
	}
	if (h.proc == RPCRDMA_NOMSG || h.proc == RPCRDMA_MSGP ||
	    (h.proc == RPCRDMA_MSG && h.has_call_chunk)) {
		message_in_chunk(s, &h);
		return;
	}
	if (h.proc != RPCRDMA_MSG)
		return;
	bytes_skip(&data, h.header_len);
	if (!is_rpc(s, &h, data, &reply)) {
		count_unread(s, cut);
		return;
	}
	open_message(s, &h, reply);
	pass_packet(s, data, p->payload_len - h.header_len);
	if (p->last)
		finish(s);
}

static void
go_on(struct side *s)
{
	const struct rocev2_packet *p = s->p;
	struct queue *q = s->q;
	int32_t ahead;

	if (q == NULL || !q->open)
		return;
	ahead = rocev2_psn_diff(p->psn, q->next_psn);
	if (ahead < 0) {
		came_again(s);
		return;
	}
	if (ahead > 0 && !q->gap) {
		q->gap = true;
		count(s, SAMPLE_IP_INCOMPLETE);
	}
	if (ahead > GAP_MAX) {
		finish(s);
		return;
	}
	s->place.first_ns = q->first_ns;
	pass_inline(s, NULL, (uint32_t)ahead * q->unit);
	pass_packet(s, p->payload, p->payload_len);
	q->next_psn = (p->psn + 1) & PSN_MASK;
	if (p->last)
		finish(s);
}

static void
note_write(struct queue *q, int64_t now_ns)
{
	if (q == NULL || q->writing)
		return;
	q->writing = true;
	q->write_ns = now_ns;
}

void
rdmatalk_packet(struct rdmatalk *rt, struct flow *f, int dir,
    const struct rocev2_packet *p, int64_t now_ns)
{
	struct side s = { rt, { rt->dialog, f, dir, now_ns, false }, NULL, p,
	    { .first_ns = now_ns, .last_ns = now_ns } };

	/* RFC 8166 sec. 2.2.1: reliable, in order. */
	if (p->service != ROCEV2_RC ||
	    (p->kind != ROCEV2_SEND && p->kind != ROCEV2_WRITE))
		return;
	rt->now_ns = now_ns;
	s.q = find_queue(rt, &s.talk, p->dest_qp);
	if (p->kind == ROCEV2_WRITE)
		note_write(s.q, now_ns);
	else if (p->first)
		begin(&s);
	else
		go_on(&s);
}

void
rdmatalk_flush(struct rdmatalk *rt)
{
	rt->flushing = true;
	lrutable_expire(rt->queues, INT64_MAX);
	rt->flushing = false;
}

/* SPDX-License-Identifier: ISC */
/* rpcwalk.c: runs XDR programs over the pieces of an ONC-RPC message. */
#include "rpcwalk.h"

#include "bytes.h"
#include "xdrprog.h"

#define RPC_VERSION	2
#define ACCEPT_MAX	5		/* SYSTEM_ERR, RFC 5531 sec. 9 */
#define REGION_MAX	400		/* a credential, RFC 5531 sec. 8.2 */
#define GSS_VERSION_MAX	3		/* RFC 7861 */
#define GSS_DATA	0		/* RFC 2203 sec. 5.2.2 */

_Static_assert(sizeof(struct rpcwalk) <= 512, "rpcwalk has outgrown 512 bytes");

/* One call of rpcwalk_feed: the piece, and whom to tell. */
struct run {
	struct rpcwalk	*w;
	struct bytes	 piece;		/* its unread rest */
	size_t		 len;		/* of all of it */
	const struct rpcwalk_listener *listener;
	void		*ctx;
};

/* Tells the operation at hand, if nobody did. */
static void
tell(struct run *r)
{
	struct rpcwalk *w = r->w;

	if (!w->pending)
		return;
	w->pending = false;
	r->listener->op(r->ctx, w, rpcop_show(&w->op));
}

static void
tell_cut(struct run *r)
{
	if (r->w->pending)
		rpcop_cut(&r->w->op);
	tell(r);
}

/* All that is wanted came. */
static void
finish(struct run *r)
{
	tell(r);
	r->w->state = RPCWALK_DONE;
}

/* RFC 1094 2.2.9, 1813 3.3.7: the size of a WRITE follows from its place. */
static void
place_data(struct rpcwalk *w)
{
	uint32_t n;

	if (w->state != RPCWALK_BODY || !w->pending || w->hdr.reply ||
	    w->op.op.in_compound || w->op.op.has_count ||
	    nfs_op_kind(w->op.op.op) != NFS_KIND_WRITE ||
	    (n = xdrstate_to_data(&w->xdr)) == 0)
		return;
	w->op.op.data_at = w->pos + w->op.take + n;
}

static void
cut(struct run *r)
{
	place_data(r->w);
	tell_cut(r);
	r->w->state = RPCWALK_CUT;
}

static void
fail(struct run *r)
{
	struct rpcwalk *w = r->w;

	w->note = w->state == RPCWALK_HEADER ?
	    RPCWALK_NOTE_NOT_RPC : RPCWALK_NOTE_BAD_XDR;
	tell_cut(r);
	w->state = RPCWALK_BAD;
}

static void
begin_op(struct rpcwalk *w, uint16_t op, uint32_t opnum)
{
	rpcop_begin(&w->op, op, opnum);
	w->pending = true;
}

static uint16_t
grammar_of(const struct rpcwalk *w, uint16_t op)
{
	return w->hdr.reply ?
	    xdr_grammars[op].results : xdr_grammars[op].arguments;
}

/* From the header to the arguments or results that follow it. */
static void
begin_body(struct run *r)
{
	struct rpcwalk *w = r->w;
	const struct rpc_header *h = &w->hdr;
	uint16_t op = nfs_proc_op(h->prog, h->vers, h->proc);

	w->state = RPCWALK_BODY;
	begin_op(w, op, h->proc);
	if (op == NFS_OP_NONE || h->service == RPC_SVC_CONTROL) {
		finish(r);
		return;
	}
	if (h->service == RPC_SVC_PRIVACY) {
		w->note = RPCWALK_NOTE_ENCRYPTED;
		finish(r);
		return;
	}
	xdrstate_start(&w->xdr, grammar_of(w, op));
	/* rpc_gss_integ_data: length and sequence number, RFC 2203 5.3.2.2 */
	if (h->service == RPC_SVC_INTEGRITY)
		w->xdr.skip = 8;
}

static void
call_header_complete(struct run *r)
{
	r->listener->header(r->ctx, r->w, &r->w->hdr);
	begin_body(r);
}

static void
reply_header_complete(struct run *r, enum rpc_outcome outcome)
{
	struct rpcwalk *w = r->w;

	w->hdr.outcome = (uint8_t)outcome;
	r->listener->header(r->ctx, w, &w->hdr);
	if (w->expected && outcome == RPC_SUCCESS)
		begin_body(r);
	else
		w->state = RPCWALK_DONE;
}

static bool
accepted(struct run *r)
{
	uint32_t stat = r->w->hdr.accept_stat;

	if (stat > ACCEPT_MAX)
		return false;
	reply_header_complete(r, stat == 0 ? RPC_SUCCESS : RPC_ACCEPT_ERROR);
	return true;
}

static bool
hook(struct run *r, unsigned int what, uint32_t word)
{
	struct rpcwalk *w = r->w;

	switch (what) {
	case XDR_HOOK_IS_REPLY:
		w->hdr.reply = true;
		return true;
	case XDR_HOOK_RPCVERS:
		return word == RPC_VERSION;
	case XDR_HOOK_CALL:
		call_header_complete(r);
		return true;
	case XDR_HOOK_REPLY:
		return accepted(r);
	case XDR_HOOK_DENIED:
		reply_header_complete(r, RPC_DENIED);
		return true;
	case XDR_HOOK_GSS_VERSION:
		return word >= 1 && word <= GSS_VERSION_MAX;
	case XDR_HOOK_GSS_PROC:
		w->hdr.service = word == GSS_DATA ?
		    RPC_SVC_NONE : RPC_SVC_CONTROL;
		return true;
	case XDR_HOOK_GSS_SERVICE:
		return rpcheader_gss_service(&w->hdr, word);
	case XDR_HOOK_NETID:
		rpcop_netid(&w->op);
		return true;
	case XDR_HOOK_UADDR:
		rpcop_uaddr(&w->op);
		return true;
	default:
		return false;
	}
}

/*
 * Copies or passes over what the last step asked for.  False when the piece
 * ends before that does.
 */
static bool
pass(struct run *r)
{
	struct rpcwalk *w = r->w;
	size_t n = rpcop_text(&w->op, r->piece.data, r->piece.len);

	(void)bytes_skip(&r->piece, n);
	return w->op.take == 0 && xdrstate_pass(&w->xdr, &r->piece);
}

/* Bytes of the message that were walked. */
static uint32_t
position(const struct run *r)
{
	return r->w->pos + (uint32_t)(r->len - r->piece.len);
}

/* The bytes of a text that are not kept are skipped after it. */
static bool
begin_text(struct rpcwalk *w, const struct xdr_step *s, uint32_t len)
{
	if (!xdrstate_opaque(&w->xdr, s, len))
		return false;
	w->xdr.skip -= rpcop_text_begin(&w->op, s->what, len);
	return true;
}

static void
leave(struct run *r)
{
	if (!xdrstate_return(&r->w->xdr))
		finish(r);
}

/* An operation's number came: its arguments or results follow. */
static bool
begin_operation(struct run *r, uint32_t opnum)
{
	struct rpcwalk *w = r->w;
	const struct rpc_op *last = &w->op.op;
	uint16_t index = last->in_compound ? (uint16_t)(last->index + 1) : 0;
	uint16_t op = nfs_compound_op(nfs_program_of(last->op), opnum);

	begin_op(w, op, opnum);
	w->op.op.in_compound = true;
	w->op.op.index = index;
	if (op != NFS_OP_NONE)
		return xdrstate_call(&w->xdr, grammar_of(w, op));
	w->note = RPCWALK_NOTE_UNKNOWN_OP;
	tell_cut(r);
	w->state = RPCWALK_DONE;
	return true;
}

/*
 * File data.  Who wants to know of it is told before it passes; if no
 * operation comes after it, nobody wants the rest of the message.
 */
static bool
begin_data(struct run *r, const struct xdr_step *s, uint32_t len)
{
	struct rpcwalk *w = r->w;

	if (!xdrstate_opaque(&w->xdr, s, len))
		return false;
	rpcop_count_add(&w->op, len);
	if (s->kind == XDR_DATA_ADD)
		return true;
	tell(r);
	if (!w->op.op.in_compound || w->xdr.frames[0].left == 0)
		w->state = RPCWALK_DONE;
	return true;
}

/* A step that begins with a word; false when it cannot be. */
static bool
word_step(struct run *r, const struct xdr_step *s, uint32_t word)
{
	struct rpcwalk *w = r->w;

	if (s->kind != XDR_LIST || word == 0)
		w->xdr.pc++;
	switch (s->kind) {
	case XDR_WORD:
		if (w->state == RPCWALK_HEADER)
			rpcheader_word(&w->hdr, s->what, word);
		else
			rpcop_word(&w->op, s->what, word);
		return true;
	case XDR_OPTION:
	case XDR_LIST:
		return word == 0 ||
		    (word == 1 && xdrstate_call(&w->xdr, s->program));
	case XDR_COUNT:
		w->xdr.frames[w->xdr.depth].left = word;
		return word <= s->limit;
	case XDR_FIXED:
		return xdrstate_fixed(&w->xdr, s, word);
	case XDR_OPAQUE:
		return xdrstate_opaque(&w->xdr, s, word);
	case XDR_TEXT:
		return begin_text(w, s, word);
	case XDR_DATA:
	case XDR_DATA_ADD:
		return begin_data(r, s, word);
	case XDR_STATUS:
		rpcop_word(&w->op, XDR_TO_STATUS, word);
		if (word != 0)
			leave(r);
		return true;
	case XDR_REGION:
		w->region_end = position(r) + ((word + 3) & ~UINT32_C(3));
		return word <= s->limit;
	case XDR_OPERATION:
		return begin_operation(r, word);
	default:
		return false;
	}
}

static void
hyper_step(struct rpcwalk *w, const struct xdr_step *s, uint64_t hyper)
{
	w->xdr.pc++;
	if (s->kind == XDR_CLAMP)
		rpcop_count(&w->op, hyper);
	else
		rpcop_hyper(&w->op, s->what, hyper);
}

/* A step that reads no integer; false when it cannot be. */
static bool
other_step(struct run *r, const struct xdr_step *s, uint32_t word)
{
	struct rpcwalk *w = r->w;

	if (s->kind == XDR_CASE || s->kind == XDR_OTHERWISE)
		return xdrstate_choose(&w->xdr, word);
	if (s->kind == XDR_EACH)
		return xdrstate_each(&w->xdr, s->program);
	w->xdr.pc++;
	switch (s->kind) {
	case XDR_SKIP:
		w->xdr.skip = s->limit;
		return true;
	case XDR_TEXT_FIXED:
		return begin_text(w, s, s->limit);
	case XDR_REGION_END:
		w->xdr.skip = w->region_end - position(r);
		return w->xdr.skip <= REGION_MAX;
	case XDR_CALL:
		return xdrstate_call(&w->xdr, s->program);
	case XDR_COUNTED:
		rpcop_count(&w->op, 0);
		return true;
	case XDR_ANNOUNCE:
	case XDR_OPERATION_END:
		tell(r);
		return true;
	case XDR_HOOK:
		return hook(r, s->what, word);
	case XDR_END:
		leave(r);
		return true;
	default:
		return false;
	}
}

/* Runs until the piece is used up or nothing more is wanted. */
static void
walk(struct run *r)
{
	struct rpcwalk *w = r->w;
	const struct xdr_step *s;
	const uint8_t *p;
	uint32_t word = 0;
	bool good = true;

	while (w->state == RPCWALK_HEADER || w->state == RPCWALK_BODY) {
		if ((w->op.take > 0 || w->xdr.skip > 0) && !pass(r))
			return;
		s = xdrstate_step(&w->xdr);
		if (s->kind <= XDR_LAST_WORD) {
			p = xdrstate_gather(&w->xdr, &r->piece, 4);
			if (p == NULL)
				return;
			word = bytes_be32(p);
			good = word_step(r, s, word);
		} else if (s->kind <= XDR_LAST_HYPER) {
			p = xdrstate_gather(&w->xdr, &r->piece, 8);
			if (p == NULL)
				return;
			hyper_step(w, s, bytes_be64(p));
		} else
			good = other_step(r, s, word);
		if (!good)
			fail(r);
	}
}

void
rpcwalk_start(struct rpcwalk *w)
{
	w->state = RPCWALK_HEADER;
	w->note = RPCWALK_NOTE_NONE;
	w->expected = false;
	w->pending = false;
	w->pos = 0;
	w->hdr = (struct rpc_header){ .xid = 0 };
	xdrstate_start(&w->xdr, XDR_PROGRAM_HEADER);
	rpcop_begin(&w->op, NFS_OP_NONE, 0);
}

/* A header that lies in one piece need not be walked step by step. */
static void
whole_header(struct run *r)
{
	if (!rpcheader_read(&r->piece, &r->w->hdr))
		return;
	if (r->w->hdr.reply)
		reply_header_complete(r, RPC_SUCCESS);
	else
		call_header_complete(r);
}

void
rpcwalk_feed(struct rpcwalk *w, const uint8_t *data, size_t len,
    const struct rpcwalk_listener *listener, void *ctx)
{
	struct run r = { w, bytes_of(data, len), len, listener, ctx };

	if (len == 0 || w->state >= RPCWALK_DONE)
		return;
	if (w->pos == 0)
		whole_header(&r);
	walk(&r);
	w->pos += (uint32_t)len;
}

void
rpcwalk_skip(struct rpcwalk *w, uint32_t n,
    const struct rpcwalk_listener *listener, void *ctx)
{
	static const uint8_t nothing[1];
	struct run r = { w, bytes_of(nothing, 0), 0, listener, ctx };
	uint32_t part;

	while (n > 0 && w->state < RPCWALK_DONE) {
		part = rpcwalk_indifferent(w);
		if (part == 0) {
			cut(&r);
			return;
		}
		part = part < n ? part : n;
		w->xdr.skip -= part;
		w->pos += part;
		n -= part;
		walk(&r);
	}
}

uint32_t
rpcwalk_indifferent(const struct rpcwalk *w)
{
	if (w->state >= RPCWALK_DONE)
		return UINT32_MAX;
	return w->op.take > 0 ? 0 : w->xdr.skip;
}

void
rpcwalk_end(struct rpcwalk *w, const struct rpcwalk_listener *listener,
    void *ctx)
{
	struct run r = { .w = w, .listener = listener, .ctx = ctx };

	if (w->state < RPCWALK_DONE)
		cut(&r);
}

void
rpcwalk_expect(struct rpcwalk *w, uint32_t prog, uint32_t vers, uint32_t proc,
    uint8_t service)
{
	w->hdr.prog = prog;
	w->hdr.vers = vers;
	w->hdr.proc = proc;
	w->hdr.service = service;
	w->expected = true;
}

enum rpcwalk_note
rpcwalk_note(const struct rpcwalk *w)
{
	return (enum rpcwalk_note)w->note;
}

enum rpc_guess
rpcwalk_guess(const uint8_t *data, size_t len, uint32_t *xid)
{
	return rpcheader_guess(data, len, xid);
}

/* SPDX-License-Identifier: ISC */
/*
 * convgen_count.c: counts calls, replies and retransmissions from what is known
 * of every transmission, with bounds where it is not known for sure.
 */
#include "convgen_int.h"

static const struct {
	uint32_t	prog, vers;
	bool		compound;	/* rows are operations */
	uint8_t		rows;
} tables[CONVGEN_TABLES] = {
	[CONVGEN_NFS2] = { 100003, 2, false, 18 },
	[CONVGEN_NFS3] = { 100003, 3, false, 22 },
	[CONVGEN_NFS4] = { 100003, 4, false, 2 },
	[CONVGEN_NFS4_OP] = { 100003, 4, true, 76 },
	[CONVGEN_NFSCB] = { 0x40000000, 1, false, 2 },
	[CONVGEN_NFSCB_OP] = { 0x40000000, 1, true, 16 },
	[CONVGEN_MOUNT3] = { 100005, 3, false, 6 },
	[CONVGEN_PORTMAP2] = { 100000, 2, false, 6 },
};
_Static_assert(18 + 22 + 2 + 76 + 2 + 16 + 6 + 6 <= CONVGEN_ROWS, "rows");

int
convgen_row_of(enum convgen_table table, uint32_t num)
{
	unsigned int row = 0, t;

	for (t = 0; t < (unsigned int)table; t++)
		row += tables[t].rows;
	return num < tables[t].rows ? (int)(row + num) : -1;
}

bool
convgen_row_key(unsigned int row, struct convgen_key *key)
{
	unsigned int t;

	for (t = 0; t < CONVGEN_TABLES; t++) {
		if (row < tables[t].rows)
			break;
		row -= tables[t].rows;
	}
	if (t == CONVGEN_TABLES)
		return false;
	key->table = (enum convgen_table)t;
	key->prog = tables[t].prog;
	key->vers = tables[t].vers;
	key->in_compound = tables[t].compound;
	key->num = row;
	return true;
}

void
cg_more(struct convgen_range *r, uint64_t lo, uint64_t hi)
{
	r->lo += lo;
	r->hi = hi == CONVGEN_ANY || r->hi == CONVGEN_ANY ? CONVGEN_ANY :
	    r->hi + hi;
}

static struct convgen_row *
row_of(struct convgen *g, const struct cg_op *o)
{
	return &g->truth.row[convgen_row_of((enum convgen_table)o->table,
	    o->num)];
}

/* What the transmissions of one RPC's call come to. */
struct calls {
	uint32_t	yes, maybe, half, sure_half;
	uint32_t	copies;		/* doubled datagrams */
	uint32_t	doubtful;	/* may be calls of their own */
	const struct cg_send *first;	/* CG_YES, the earliest */
	bool		before;		/* something else may have been */
};

/*
 * Whether an operation may be told: its number was seen.  What stands before
 * it need not have been, since much of that may be passed over unread.
 */
static bool
may_tell(const struct convgen *g, const struct cg_send *s, uint32_t i)
{
	const struct cg_op *o = &g->op[g->msg[s->msg].first_op + i];
	uint32_t ignored = 0;

	return cg_send_seen(g, s, i > 0 ? o->maybe - 4 : 0, o->maybe, false,
	    &ignored);
}

/* All of the message up to there was seen, before the clock stepped. */
static bool
sure_to(const struct convgen *g, const struct cg_send *s, uint32_t to)
{
	uint32_t idx = s->idx;

	return cg_send_seen(g, s, 0, to, true, &idx) &&
	    cg_epoch(g, idx) == cg_epoch(g, s->idx);
}

static bool
known(const struct cg_send *s)
{
	return s->state == CG_YES || s->state == CG_MAYBE;
}

/* May the later transmission be taken for a call of its own? */
static bool
is_doubtful(const struct convgen *g, const struct cg_send *a,
    const struct cg_send *b)
{
	const struct cg_flow *x = &g->flow[a->flow], *y = &g->flow[b->flow];

	if (cg_epoch(g, a->idx) != cg_epoch(g, b->idx))
		return true;
	return memcmp(x->port, y->port, sizeof(x->port)) != 0 &&
	    x->close_idx >= b->idx;
}

/*
 * A call with the same XID on another connection of the client: two calls, as
 * long as that one lives; if it fell silent, or closed, without an answer,
 * this may be taken for a resend.
 */
static bool
is_twin_doubtful(const struct convgen *g, const struct cg_rpc *r,
    const struct cg_send *s)
{
	const struct cg_rpc *t;
	const struct cg_send *c, *a;

	if (r->twin == CG_NONE || !g->flow[s->flow].tcp)
		return false;
	for (t = &g->rpc[r->twin];; t = &g->rpc[t->twin]) {
		c = t->first_send != CG_NONE ? &g->send[t->first_send] : NULL;
		a = c != NULL && c->next != CG_NONE ? &g->send[c->next] : NULL;
		if (c != NULL && known(c) && (a == NULL ||
		    a->state != CG_YES || a->idx > s->idx) &&
		    (g->flow[c->flow].last_idx < s->idx ||
		    g->flow[c->flow].close_idx < s->idx))
			return true;
		if (t->twin == CG_NONE)
			return false;
	}
}

static struct calls
sum_up(const struct convgen *g, const struct cg_rpc *r)
{
	struct calls c = { .first = NULL };
	const struct cg_send *s, *last = NULL;
	uint32_t i;

	for (i = r->first_send; i != CG_NONE; i = s->next) {
		s = &g->send[i];
		if (s->reply || s->state == CG_NO)
			continue;
		if (s->state == CG_YES && (c.first == NULL ||
		    s->idx < c.first->idx))
			c.first = s;
		if (s->state == CG_HALF) {
			c.half++;
			continue;
		}
		c.yes += s->state == CG_YES;
		c.maybe += s->state == CG_MAYBE;
		/* A decoder that has forgotten all takes it for another. */
		c.maybe += s->again;
		c.doubtful += s->again;
		if (s->heads > 1)
			c.copies += s->heads - 1;
		if (last != NULL && is_doubtful(g, last, s))
			c.doubtful++;
		if (last == NULL && is_twin_doubtful(g, r, s))
			c.doubtful++;
		last = s;
	}
	for (i = r->first_send; c.first != NULL && i != CG_NONE; i = s->next) {
		s = &g->send[i];
		if (s->reply || s == c.first || s->idx > c.first->idx)
			continue;
		c.before |= s->state == CG_MAYBE;
		if (s->state == CG_HALF && s->sure_half &&
		    cg_epoch(g, s->idx) == cg_epoch(g, c.first->idx))
			c.sure_half = 1;
	}
	return c;
}

/* Calls and retransmissions of the procedure. */
static void
count_calls(struct convgen *g, const struct cg_rpc *r, const struct calls *c)
{
	struct convgen_row *row = row_of(g, &g->op[g->msg[r->call].first_op]);
	uint32_t any = c->yes + c->maybe, lo, hi, again;

	if (any == 0)
		return;
	lo = c->yes > 0;
	hi = 1 + c->doubtful;
	/* A twin may take the only call away. */
	if (lo == 1 && r->twin != CG_NONE && c->doubtful > 0)
		lo = 0;
	cg_more(&row->calls, lo, hi < any ? hi : any);
	again = (c->yes > 0 ? c->yes - 1 : 0) + c->sure_half;
	lo = again > c->doubtful ? again - c->doubtful : 0;
	hi = any - 1 + c->half + c->copies + (r->twin != CG_NONE ?
	    c->doubtful : 0);
	cg_more(&row->retransmits, lo, hi);
}

/* The operations inside a COMPOUND, and data, of the call. */
static void
count_call_ops(struct convgen *g, const struct cg_rpc *r,
    const struct calls *c)
{
	const struct cg_msg *m = &g->msg[r->call];
	uint32_t any = c->yes + c->maybe, i, j;
	uint64_t lo, hi;
	const struct cg_op *o;
	struct convgen_row *row;
	bool sized;

	if (any == 0)
		return;
	for (i = 0; i < m->ops; i++) {
		o = &g->op[m->first_op + i];
		row = row_of(g, o);
		lo = hi = 0;
		if (c->first != NULL && !c->before && c->doubtful == 0 &&
		    sure_to(g, c->first, o->sure))
			lo = 1;
		for (j = r->first_send; j != CG_NONE; j = g->send[j].next) {
			if (!g->send[j].reply && known(&g->send[j]) &&
			    may_tell(g, &g->send[j], i))
				hi += 1U + g->send[j].again;
		}
		if (hi > 1 + c->doubtful)
			hi = 1 + c->doubtful;
		sized = o->bytes > 0 && lo == 1 &&
		    sure_to(g, c->first, o->detail);
		/* A size that is told from the message's length may be too
		 * large by the padding (RFC 4506 4.10). */
		cg_more(&row->bytes, sized ? o->bytes : 0, hi * (sized ?
		    o->bytes : (o->bytes + 3) & ~3U));
		if (i == 0)
			continue;
		cg_more(&row->calls, lo, hi);
		cg_more(&row->retransmits, 0, any - 1 + c->half + c->copies +
		    c->doubtful);
	}
}

/* How sure it is that the reply finds its call: 0 no, 1 maybe, 2 yes. */
static int
answers(const struct convgen *g, const struct cg_rpc *r,
    const struct cg_send *reply)
{
	const struct cg_send *s;
	uint32_t i;
	int best = 0;

	for (i = r->first_send; i != CG_NONE; i = s->next) {
		s = &g->send[i];
		if (s->reply || !known(s))
			continue;
		best = best > 1 ? best : 1;
		if (s->state == CG_YES && s->idx < reply->idx &&
		    s->flow == reply->flow &&
		    cg_epoch(g, s->idx) == cg_epoch(g, reply->idx))
			best = 2;
	}
	return best;
}

static void
count_reply_ops(struct convgen *g, const struct cg_send *s, bool sure)
{
	const struct cg_msg *m = &g->msg[s->msg];
	uint32_t i;
	const struct cg_op *o;
	struct convgen_row *row;
	bool lo, hi;

	for (i = 0; i < m->ops; i++) {
		o = &g->op[m->first_op + i];
		row = row_of(g, o);
		lo = sure && sure_to(g, s, o->sure);
		hi = may_tell(g, s, i);
		if (i > 0)
			cg_more(&row->replies, lo, hi * (s->heads > 1 ?
			    s->heads : 1));
		lo = sure && sure_to(g, s, o->detail);
		if (o->error)
			cg_more(&row->errors, lo, hi * (s->heads > 1 ?
			    s->heads : 1));
		cg_more(&row->bytes, lo * o->bytes, (uint64_t)hi * o->bytes *
		    (s->heads > 1 ? s->heads : 1));
	}
}

static void
count_reply(struct convgen *g, const struct cg_rpc *r, const struct cg_send *s,
    bool first)
{
	struct convgen_row *row = row_of(g, &g->op[g->msg[r->call].first_op]);
	struct convgen_range *bad = &g->truth.unmatched;
	uint32_t most = s->heads > 1 ? s->heads : 1;
	int match = answers(g, r, s);
	bool yes = s->state == CG_YES;

	if (match == 0) {
		cg_more(bad, yes, most);
		return;
	}
	if (match == 1 || !yes) {
		cg_more(&row->replies, 0, most);
		cg_more(bad, 0, most);
	} else
		cg_more(&row->replies, 1, most);
	/* Whether results of a second reply count is left open. */
	count_reply_ops(g, s, match == 2 && yes && first);
}

/* Was anything of the flow seen up to this frame? */
static bool
flow_older(const struct cg_flow *w, uint32_t idx)
{
	return (w->started[0] && w->start_idx[0] <= idx) ||
	    (w->started[1] && w->start_idx[1] <= idx);
}

/*
 * What needs a port learned from portmap is in doubt without that, and also
 * on a flow that was seen before, and passed over.
 */
static void
apply_needs(struct convgen *g, const struct cg_rpc *r)
{
	const struct cg_rpc *n;
	const struct cg_send *s, *known_by = NULL;
	uint32_t i;

	if (r->needs == CG_NONE)
		return;
	n = &g->rpc[r->needs];
	for (i = n->first_send; i != CG_NONE; i = s->next) {
		s = &g->send[i];
		if (s->reply && s->state == CG_YES && answers(g, n, s) == 2 &&
		    (known_by == NULL || s->idx < known_by->idx))
			known_by = s;
	}
	for (i = r->first_send; i != CG_NONE; i = g->send[i].next)
		if ((known_by == NULL || flow_older(&g->flow[g->send[i].flow],
		    known_by->idx) ||
		    cg_epoch(g, known_by->idx) != cg_epoch(g,
		    g->send[i].idx)) && g->send[i].state == CG_YES)
			g->send[i].state = CG_MAYBE;
}

static bool
settle(struct convgen *g)
{
	struct convgen_truth *t = &g->truth;
	struct convgen_key key;
	unsigned int i;
	bool exact = t->unmatched.lo == t->unmatched.hi;
	struct convgen_row *r;

	for (i = 0; convgen_row_key(i, &key); i++) {
		r = &t->row[i];
		exact = exact && r->calls.lo == r->calls.hi &&
		    r->replies.lo == r->replies.hi &&
		    r->errors.lo == r->errors.hi &&
		    r->bytes.lo == r->bytes.hi &&
		    r->retransmits.lo == r->retransmits.hi;
		if (key.in_compound)
			continue;
		cg_more(&t->calls, r->calls.lo, r->calls.hi);
		cg_more(&t->replies, r->replies.lo, r->replies.hi);
		cg_more(&t->retransmits, r->retransmits.lo,
		    r->retransmits.hi);
	}
	return exact;
}

void
cg_count(struct convgen *g)
{
	const struct cg_rpc *r;
	struct calls c;
	uint32_t i, j;
	bool first;
	const struct cg_send *s;

	for (i = 0; i < g->rpcs; i++)
		apply_needs(g, &g->rpc[i]);
	for (i = 0; i < g->rpcs; i++) {
		r = &g->rpc[i];
		c = sum_up(g, r);
		count_calls(g, r, &c);
		count_call_ops(g, r, &c);
		first = true;
		for (j = r->first_send; j != CG_NONE; j = s->next) {
			s = &g->send[j];
			if (!s->reply && s->state != CG_YES &&
			    g->flow[s->flow].tcp)
				g->truth.guesses++;
			if (s->reply) {
				g->truth.sent_replies++;
				if (!known(s))
					continue;
				count_reply(g, r, s, first);
				first = false;
			} else if (j == r->first_send)
				g->truth.sent_calls++;
			else
				g->truth.sent_resends++;
		}
	}
	/* A guess may take the reply of a call not seen for its own. */
	if (g->truth.truncated > 0)
		g->truth.unmatched.lo -= g->truth.unmatched.lo <
		    g->truth.guesses ? g->truth.unmatched.lo :
		    g->truth.guesses;
	g->truth.exact = settle(g);
}

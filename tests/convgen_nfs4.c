/* SPDX-License-Identifier: ISC */
/*
 * convgen_nfs4.c: builds COMPOUND and CB_COMPOUND calls and replies of NFSv4.0,
 * 4.1 and 4.2 (RFC 7530, 8881, 7862).
 */
#include "convgen_int.h"

#include <err.h>

struct operation {
	uint16_t	num;
	const char	*args, *results, *failed;
};

/* Letters: see cg_put in convgen_rpc.c. */
static const struct operation operations[] = {
	{ 3, "4", "44", "" },			/* ACCESS */
	{ 4, "4i", "i", "" },			/* CLOSE */
	{ 5, "8c", "v", "" },			/* COMMIT */
	{ 8, "i", "", "" },			/* DELEGRETURN */
	{ 9, "b", "f", "" },			/* GETATTR */
	{ 10, "", "h", "" },			/* GETFH */
	{ 15, "n", "", "" },			/* LOOKUP */
	/* OPEN: no create, of a name; and create unchecked */
	{ 18, "4108o00n", "ix0b0", "" },
	{ 18 | 0x8000, "4108o10f0n", "ix4b0", "" },
	{ 22, "h", "", "" },			/* PUTFH */
	{ 24, "", "", "" },			/* PUTROOTFH */
	{ 25, "i8c", "ed", "" },		/* READ */
	{ 26, "8v44b", "vRe", "" },		/* READDIR */
	{ 28, "n", "x", "" },			/* REMOVE */
	{ 30, "8", "", "" },			/* RENEW */
	{ 31, "", "", "" },			/* RESTOREFH */
	{ 32, "", "", "" },			/* SAVEFH */
	{ 34, "if", "b", "b" },			/* SETATTR */
	{ 35, "vo4nn4", "8v", "" },		/* SETCLIENTID */
	{ 36, "8v", "", "" },			/* SETCLIENTID_CONFIRM */
	{ 38, "i8kd", "ckv", "" },		/* WRITE */
	{ 42, "vo400", "8440" "8oo0", "" },	/* EXCHANGE_ID */
	/* CREATE_SESSION: channel attributes without, and with, RDMA */
	{ 43, "844" "4444440" "44444414" "410", "i44" "4444440" "4444440",
	    "" },
	{ 44, "i", "", "" },			/* DESTROY_SESSION */
	{ 53, "i444e", "i44444", "" },		/* SEQUENCE */
	{ 58, "e", "", "" },			/* RECLAIM_COMPLETE */
	{ 59, "i88", "", "" },			/* ALLOCATE */
	{ 62, "i88", "", "" },			/* DEALLOCATE */
	{ 63, "i88b", "b", "" },		/* IO_ADVISE */
	{ 68, "i84", "e1188", "" },		/* READ_PLUS: a hole */
	{ 69, "i84", "e8", "" },		/* SEEK */
	{ 71, "ii888", "", "" },		/* CLONE */
};
#define OPERATIONS	(sizeof(operations) / sizeof(operations[0]))

static const struct operation callbacks[] = {
	{ 4, "ieh", "", "" },			/* CB_RECALL */
	{ 11, "i444e0", "i4444", "" },		/* CB_SEQUENCE */
};
#define CALLBACKS	(sizeof(callbacks) / sizeof(callbacks[0]))

#define OPS_MAX		10
#define UNKNOWN		200	/* an operation that no RFC has */
#define ILLEGAL		10044

struct compound {
	uint8_t		minor_min, minor_max;
	uint8_t		share;
	bool		bare;		/* 4.1: without SEQUENCE */
	uint16_t	ops[OPS_MAX];	/* 0 ends */
};

static const struct compound compounds[] = {
	{ 0, 2, 3, false, { 22, 15, 10, 9 } },
	{ 0, 2, 1, false, { 24, 10, 9 } },
	{ 0, 2, 3, false, { 22, 3, 9 } },
	{ 0, 2, 5, false, { 22, 9 } },
	{ 0, 2, 6, false, { 22, 25 } },
	{ 0, 2, 8, false, { 22, 38, 9 } },
	{ 0, 2, 3, false, { 22, 38 } },
	{ 0, 2, 2, false, { 22, 18, 10, 3, 9 } },
	{ 0, 2, 1, false, { 22, 32, 18 | 0x8000, 10, 9, 31, 9 } },
	{ 0, 2, 2, false, { 22, 4, 9 } },
	{ 0, 2, 2, false, { 22, 5 } },
	{ 0, 2, 1, false, { 22, 28 } },
	{ 0, 2, 1, false, { 22, 26 } },
	{ 0, 2, 1, false, { 22, 34, 9 } },
	{ 0, 2, 1, false, { 22, 9, 8 } },
	{ 0, 0, 1, false, { 30 } },
	{ 0, 0, 1, false, { 35 } },
	{ 0, 0, 1, false, { 36, 24, 9 } },
	{ 1, 2, 1, true, { 42 } },
	{ 1, 2, 1, true, { 43 } },
	{ 1, 2, 1, true, { 44 } },
	{ 1, 2, 1, false, { 58 } },
	{ 2, 2, 1, false, { 22, 59, 9 } },
	{ 2, 2, 1, false, { 22, 62, 9 } },
	{ 2, 2, 1, false, { 22, 63 } },
	{ 2, 2, 1, false, { 22, 68, 9 } },
	{ 2, 2, 1, false, { 22, 69 } },
	{ 2, 2, 1, false, { 22, 32, 22, 71, 9 } },
	{ 2, 2, 1, false, { 22, 9, UNKNOWN, 9 } },
	{ 2, 2, 1, false, { 22, 38, UNKNOWN } },
};
#define COMPOUNDS	(sizeof(compounds) / sizeof(compounds[0]))

static bool
suits(const struct convgen *g, const struct compound *c, bool data)
{
	bool moves = false;
	int i;

	for (i = 0; i < OPS_MAX; i++)
		moves |= c->ops[i] == 25 || c->ops[i] == 38;
	return moves == data && g->shape.minor >= c->minor_min &&
	    g->shape.minor <= c->minor_max;
}

static const struct compound *
choose(struct convgen *g)
{
	bool data = cg_chance(g, g->shape.data_share);
	uint32_t sum = 0, pick;
	size_t i;

	for (i = 0; i < COMPOUNDS; i++)
		if (suits(g, &compounds[i], data))
			sum += compounds[i].share;
	pick = cg_below(g, sum);
	for (i = 0; i < COMPOUNDS; i++) {
		if (!suits(g, &compounds[i], data))
			continue;
		if (pick < compounds[i].share)
			return &compounds[i];
		pick -= compounds[i].share;
	}
	errx(1, "convgen: no compound");
}

static const struct operation *
find(const struct operation *o, size_t n, uint16_t num)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (o[i].num == num)
			return &o[i];
	errx(1, "convgen: operation %u", num);
}

/*
 * The operations of a call.  What follows an operation that nobody knows is
 * sent, but cannot be told.
 */
static void
put_call_ops(struct convgen *g, const uint16_t *ops, uint32_t n, bool back)
{
	const struct operation *o;
	uint32_t i;

	for (i = 0; i < n; i++) {
		if (ops[i] == UNKNOWN) {
			cg_op_sure(g);
			cg_put32(&g->pool, UNKNOWN);
			cg_put(g, "h4b");
			return;
		}
		o = back ? find(callbacks, CALLBACKS, ops[i]) :
		    find(operations, OPERATIONS, ops[i]);
		cg_op_begin(g, back ? CONVGEN_NFSCB_OP : CONVGEN_NFS4_OP,
		    ops[i] & 0x7fffU);
		cg_put(g, o->args);
	}
}

/* The results; the one at `failing` is the last, with a bad status. */
static void
put_reply_ops(struct convgen *g, const uint16_t *ops, uint32_t n,
    uint32_t failing, uint32_t status, bool back)
{
	const struct operation *o;
	uint32_t i;

	for (i = 0; i < n && i <= failing; i++) {
		if (ops[i] == UNKNOWN) {
			cg_op_sure(g);
			cg_put32(&g->pool, ILLEGAL);
			cg_put32(&g->pool, ILLEGAL);
			return;
		}
		o = back ? find(callbacks, CALLBACKS, ops[i]) :
		    find(operations, OPERATIONS, ops[i]);
		cg_op_begin(g, back ? CONVGEN_NFSCB_OP : CONVGEN_NFS4_OP,
		    ops[i] & 0x7fffU);
		g->op[g->ops - 1].error = i == failing;
		cg_put32(&g->pool, i == failing ? status : 0);
		cg_op_detail(g);
		cg_put(g, i == failing ? o->failed : o->results);
	}
}

static uint32_t
status_of(struct convgen *g)
{
	static const uint16_t bad[] = { 1, 2, 5, 13, 28, 70, 10008, 10011,
		10013, 10025 };

	return bad[cg_below(g, sizeof(bad) / sizeof(bad[0]))];
}

/* A tag: mostly empty. */
static void
put_tag(struct convgen *g)
{
	cg_put(g, cg_chance(g, 100000) ? "n" : "0");
}

static uint32_t
rpc_of(struct convgen *g, const uint16_t *ops, uint32_t n, uint32_t minor,
    bool back, uint32_t xid)
{
	enum convgen_table table = back ? CONVGEN_NFSCB : CONVGEN_NFS4;
	uint32_t rpc = cg_rpc_begin(g, xid, back), i, status = 0;
	uint32_t failing = CG_NONE, results = n;

	for (i = 0; i < n; i++)
		if (ops[i] == UNKNOWN) {
			results = i + 1;
			status = ILLEGAL;
		}
	if (cg_chance(g, 60000)) {
		failing = cg_below(g, results);
		if (ops[failing] != UNKNOWN) {
			results = failing + 1;
			status = status_of(g);
		} else
			failing = CG_NONE;
	}
	cg_call_begin(g, rpc, table, 1);
	put_tag(g);
	cg_put32(&g->pool, minor);
	if (back)
		cg_put32(&g->pool, 0);	/* callback_ident */
	cg_put32(&g->pool, n);
	put_call_ops(g, ops, n, back);
	cg_msg_end(g);
	cg_reply_begin(g, rpc, table, 1);
	cg_put32(&g->pool, status);
	g->op[g->ops - 1].error = status != 0;
	cg_op_detail(g);
	put_tag(g);
	cg_put32(&g->pool, results);
	put_reply_ops(g, ops, n, failing, status, back);
	cg_msg_end(g);
	return rpc;
}

static uint32_t
rpc_null(struct convgen *g, uint32_t xid)
{
	uint32_t rpc = cg_rpc_begin(g, xid, false);

	cg_call_begin(g, rpc, CONVGEN_NFS4, 0);
	cg_msg_end(g);
	cg_reply_begin(g, rpc, CONVGEN_NFS4, 0);
	cg_msg_end(g);
	return rpc;
}

uint32_t
cg_rpc_compound(struct convgen *g, uint32_t xid)
{
	const struct compound *c = choose(g);
	uint16_t ops[OPS_MAX + 1];
	uint32_t n = 0, i;
	bool data = false;

	if (cg_chance(g, 10000))
		return rpc_null(g, xid);
	if (g->shape.minor > 0 && !c->bare)
		ops[n++] = 53;
	for (i = 0; i < OPS_MAX && c->ops[i] != 0; i++) {
		ops[n++] = c->ops[i];
		data |= c->ops[i] == 25 || c->ops[i] == 38;
	}
	g->data.len = 0;
	if (data)
		cg_data(g, cg_below(g, g->shape.data_max + 1));
	return rpc_of(g, ops, n, g->shape.minor, false, xid);
}

uint32_t
cg_rpc_callback(struct convgen *g, uint32_t xid)
{
	static const uint16_t recall[] = { 11, 4 };

	return rpc_of(g, recall, 2, g->shape.minor, true, xid);
}

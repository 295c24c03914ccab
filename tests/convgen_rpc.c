/* SPDX-License-Identifier: ISC */
/*
 * convgen_rpc.c: builds RPC messages (RFC 5531): headers, and the arguments
 * and results of NFSv2, v3, MOUNT and portmap (RFC 1094, 1813, 1833) from a
 * letter for each part.
 */
#include "convgen_int.h"

#include <err.h>

struct procedure {
	uint8_t		table;
	uint8_t		num;
	uint8_t		share;		/* how often, of the table's sum */
	bool		status;		/* results begin with one */
	const char	*args, *results, *failed;
};

/* Letters: see cg_put. */
static const struct procedure procedures[] = {
	{ CONVGEN_NFS2, 0, 1, false, "", "", "" },
	{ CONVGEN_NFS2, 1, 4, true, "H", "A", "" },
	{ CONVGEN_NFS2, 4, 3, true, "Hn", "HA", "" },
	{ CONVGEN_NFS2, 6, 3, true, "H444", "Ad", "" },
	{ CONVGEN_NFS2, 8, 6, true, "H444d", "A", "" },
	{ CONVGEN_NFS2, 9, 1, true, "HnS", "HA", "" },
	{ CONVGEN_NFS2, 10, 1, true, "Hn", "", "" },
	{ CONVGEN_NFS2, 16, 1, true, "H44", "re", "" },
	{ CONVGEN_NFS2, 17, 1, true, "H", "44444", "" },
	{ CONVGEN_NFS3, 0, 1, false, "", "", "" },
	{ CONVGEN_NFS3, 1, 6, true, "h", "a", "" },
	{ CONVGEN_NFS3, 2, 1, true, "hs0", "w", "w" },
	{ CONVGEN_NFS3, 3, 4, true, "hn", "hpp", "p" },
	{ CONVGEN_NFS3, 4, 3, true, "h4", "p4", "p" },
	{ CONVGEN_NFS3, 6, 4, true, "h8c", "pced", "p" },
	{ CONVGEN_NFS3, 7, 8, true, "h8ckd", "wckv", "w" },
	{ CONVGEN_NFS3, 8, 1, true, "hn0s", "1hpw", "w" },
	{ CONVGEN_NFS3, 12, 1, true, "hn", "w", "w" },
	{ CONVGEN_NFS3, 14, 1, true, "hnhn", "ww", "ww" },
	{ CONVGEN_NFS3, 17, 1, true, "h8v44", "pvEe", "p" },
	{ CONVGEN_NFS3, 19, 1, true, "h", "p444444484484", "p" },
	{ CONVGEN_NFS3, 21, 2, true, "h8c", "wv", "w" },
	{ CONVGEN_MOUNT3, 0, 1, false, "", "", "" },
	{ CONVGEN_MOUNT3, 1, 2, true, "n", "h11", "" },
	{ CONVGEN_MOUNT3, 3, 1, false, "n", "", "" },
};
#define PROCEDURES	(sizeof(procedures) / sizeof(procedures[0]))

static struct cg_msg *
current(struct convgen *g)
{
	return &g->msg[g->msgs - 1];
}

static uint32_t
here(struct convgen *g)
{
	return (uint32_t)g->pool.len - current(g)->at;
}

static void
put32(struct convgen *g, uint32_t v)
{
	cg_put32(&g->pool, v);
}

static void
put_noise(struct convgen *g, uint32_t n)
{
	memcpy(cg_add(&g->pool, n), g->noise + cg_below(g, 60000), n);
}

/* An opaque of n bytes of noise, padded (RFC 4506 4.10). */
static void
put_opaque(struct convgen *g, uint32_t n)
{
	put32(g, n);
	put_noise(g, n);
	memset(cg_add(&g->pool, -n & 3), 0, -n & 3);
}

static void
put_name(struct convgen *g)
{
	uint32_t i, n = cg_chance(g, 50000) ? cg_between(g, 60, 200) :
	    cg_between(g, 1, 24);
	uint8_t *p;

	put32(g, n);
	p = cg_add(&g->pool, (n + 3) & ~3U);
	for (i = 0; i < n; i++)
		p[i] = (uint8_t)('a' + g->noise[(g->pool.len + i) & 0xffff] %
		    26);
	memset(p + n, 0, -n & 3);
}

/* File data of the WRITE or READ that g->data was filled for. */
static void
put_data(struct convgen *g)
{
	struct cg_msg *m = current(g);
	uint32_t n = (uint32_t)g->data.len;

	put32(g, n);
	g->op[g->ops - 1].bytes = n;
	cg_op_sure(g);
	cg_op_detail(g);
	m->skip_at = here(g);
	m->skip_len = (n + 3) & ~3U;
	m->fake |= g->data_fake;
	if (n > 0)
		memcpy(cg_add(&g->pool, n), g->data.data, n);
	memset(cg_add(&g->pool, -n & 3), 0, -n & 3);
}

/* Directory entries: r NFSv2, E READDIRPLUS, R NFSv4. */
static void
put_entries(struct convgen *g, char kind)
{
	uint32_t i, n = cg_below(g, 9);

	for (i = 0; i < n; i++)
		cg_put(g, kind == 'r' ? "14n4" : kind == 'E' ? "18n8p1h" :
		    "18nf");
	put32(g, 0);
}

static void
put_credential(struct convgen *g)
{
	uint32_t i, gids, name;

	if (cg_chance(g, 100000)) {
		put32(g, 0);		/* AUTH_NONE */
		put32(g, 0);
		return;
	}
	gids = cg_below(g, 17);
	name = cg_below(g, 20);
	put32(g, 1);			/* AUTH_SYS, RFC 5531 appendix A */
	put32(g, 4 + 4 + ((name + 3) & ~3U) + 4 + 4 + 4 + gids * 4);
	put_noise(g, 4);
	put_opaque(g, name);
	put32(g, cg_below(g, 2000));
	put32(g, 100);
	put32(g, gids);
	for (i = 0; i < gids; i++)
		put32(g, 100 + i);
}

static void
put_letter(struct convgen *g, char letter)
{
	switch (letter) {
	case '0':
	case '1':
		put32(g, (uint32_t)(letter - '0'));
		break;
	case '4':			/* a small integer */
		put32(g, cg_below(g, 1U << 20));
		break;
	case '8':			/* a 64-bit one */
		put32(g, cg_below(g, 4));
		put32(g, cg_below(g, UINT32_MAX));
		break;
	case 'A':			/* NFSv2 fattr */
		cg_put(g, "1");
		put_noise(g, 64);
		break;
	case 'H':			/* NFSv2 handle */
		put_noise(g, 32);
		break;
	case 'S':			/* NFSv2 sattr */
		put_noise(g, 32);
		break;
	case 'E':
	case 'R':
	case 'r':
		put_entries(g, letter);
		break;
	case 'a':			/* fattr3 */
		put32(g, 1 + cg_below(g, 2));
		put_noise(g, 80);
		break;
	case 'b':			/* bitmap4 */
		put32(g, 2);
		put_noise(g, 8);
		break;
	case 'c':			/* count of the data */
		put32(g, (uint32_t)g->data.len);
		break;
	case 'd':
		put_data(g);
		break;
	case 'e':			/* a boolean */
		put32(g, cg_below(g, 2));
		break;
	case 'f':			/* fattr4: of no known attributes */
		put32(g, 2);
		cg_put(g, "00");
		put_opaque(g, 4 * cg_below(g, 30));
		break;
	case 'h':			/* NFSv3, v4 handle */
		put_opaque(g, 4 * cg_between(g, 2, 16));
		break;
	case 'i':			/* stateid4, sessionid4 */
		put_noise(g, 16);
		break;
	case 'k':			/* stable_how */
		put32(g, cg_below(g, 3));
		break;
	case 'n':
		put_name(g);
		break;
	case 'o':			/* an owner */
		put_opaque(g, cg_between(g, 1, 40));
		break;
	case 'p':			/* post_op_attr */
		cg_put(g, cg_chance(g, 200000) ? "0" : "1a");
		break;
	case 's':			/* sattr3: mode alone */
		cg_put(g, "1400000");
		break;
	case 'v':			/* a verifier */
		put_noise(g, 8);
		break;
	case 'w':			/* wcc_data */
		if (cg_chance(g, 500000))
			put32(g, 0);
		else {
			put32(g, 1);
			put_noise(g, 24);
		}
		cg_put(g, "p");
		break;
	case 'x':			/* change_info4 */
		put32(g, 1);
		put_noise(g, 16);
		break;
	default:
		errx(1, "convgen: letter %c", letter);
	}
}

void
cg_put(struct convgen *g, const char *grammar)
{
	for (; *grammar != '\0'; grammar++)
		put_letter(g, *grammar);
}

/* The last operation ends here, unless it was known before its end. */
void
cg_op_sure(struct convgen *g)
{
	if (g->op[g->ops - 1].sure == 0)
		g->op[g->ops - 1].sure = here(g);
}

/* What is wanted to know of the last operation is known here. */
void
cg_op_detail(struct convgen *g)
{
	g->op[g->ops - 1].detail = here(g);
}

void
cg_op_begin(struct convgen *g, enum convgen_table table, uint32_t num)
{
	struct cg_msg *m = current(g);

	if (m->ops > 0)
		cg_op_sure(g);
	g->op = cg_grow(g->op, &g->op_cap, g->ops + 1, sizeof(*g->op));
	memset(&g->op[g->ops], 0, sizeof(*g->op));
	g->op[g->ops].table = (uint8_t)table;
	g->op[g->ops].num = (uint16_t)num;
	if (m->ops > 0) {
		put32(g, num);
		g->op[g->ops].maybe = here(g);
	} else {			/* the header tells the procedure */
		g->op[g->ops].maybe = m->reply ? 8 : 24;
		g->op[g->ops].sure = g->op[g->ops].detail = here(g);
	}
	g->ops++;
	m->ops++;
}

static void
msg_begin(struct convgen *g, uint32_t rpc, bool reply)
{
	struct cg_msg *m;

	g->msg = cg_grow(g->msg, &g->msg_cap, g->msgs + 1, sizeof(*g->msg));
	m = &g->msg[g->msgs];
	memset(m, 0, sizeof(*m));
	m->at = (uint32_t)g->pool.len;
	m->first_op = g->ops;
	m->rpc = rpc;
	m->reply = reply;
	if (reply)
		g->rpc[rpc].reply = g->msgs;
	else
		g->rpc[rpc].call = g->msgs;
	g->msgs++;
	put32(g, g->rpc[rpc].xid);
	put32(g, reply ? 1 : 0);
}

void
cg_call_begin(struct convgen *g, uint32_t rpc, enum convgen_table table,
    uint32_t proc)
{
	struct convgen_key key;

	convgen_row_key((unsigned int)convgen_row_of(table, 0), &key);
	msg_begin(g, rpc, false);
	put32(g, 2);			/* RPC version */
	put32(g, key.prog);
	put32(g, key.vers);
	put32(g, proc);
	put_credential(g);
	put32(g, 0);			/* verifier: AUTH_NONE */
	put32(g, 0);
	cg_op_begin(g, table, proc);
}

void
cg_reply_begin(struct convgen *g, uint32_t rpc, enum convgen_table table,
    uint32_t proc)
{
	msg_begin(g, rpc, true);
	cg_put(g, "0000");		/* accepted, AUTH_NONE, success */
	cg_op_begin(g, table, proc);
}

void
cg_msg_end(struct convgen *g)
{
	cg_op_sure(g);
	current(g)->len = here(g);
}

uint32_t
cg_rpc_begin(struct convgen *g, uint32_t xid, bool reverse)
{
	struct cg_rpc *r;

	g->rpc = cg_grow(g->rpc, &g->rpc_cap, g->rpcs + 1, sizeof(*g->rpc));
	r = &g->rpc[g->rpcs];
	memset(r, 0xff, sizeof(*r));	/* CG_NONE */
	r->xid = xid;
	r->reverse = reverse;
	return g->rpcs++;
}

/* A status of the results; gives whether it is a bad one. */
static bool
put_status(struct convgen *g)
{
	static const uint8_t bad[] = { 1, 2, 5, 13, 17, 28, 70 };
	bool error = cg_chance(g, 60000);

	put32(g, error ? bad[cg_below(g, sizeof(bad))] : 0);
	g->op[g->ops - 1].error = error;
	cg_op_detail(g);
	return error;
}

/* Whether the letters have data in them. */
static bool
moves_data(const struct procedure *p)
{
	return strchr(p->args, 'd') != NULL || strchr(p->results, 'd') != NULL;
}

static uint32_t
rpc_of(struct convgen *g, const struct procedure *p, uint32_t xid)
{
	uint32_t rpc = cg_rpc_begin(g, xid, false);
	bool failed;
	enum convgen_table table = (enum convgen_table)p->table;

	g->data.len = 0;
	if (moves_data(p))
		cg_data(g, cg_below(g, g->shape.data_max + 1));
	cg_call_begin(g, rpc, table, p->num);
	cg_put(g, p->args);
	cg_msg_end(g);
	cg_reply_begin(g, rpc, table, p->num);
	failed = p->status && put_status(g);
	cg_put(g, failed ? p->failed : p->results);
	cg_msg_end(g);
	return rpc;
}

uint32_t
cg_rpc_plain(struct convgen *g, enum convgen_table table, uint32_t proc,
    uint32_t xid)
{
	size_t i;

	for (i = 0; i < PROCEDURES; i++)
		if (procedures[i].table == table && procedures[i].num == proc)
			return rpc_of(g, &procedures[i], xid);
	errx(1, "convgen: procedure %u", proc);
}

/* One that the table's shares, or the share of data, choose. */
static uint32_t
rpc_by_share(struct convgen *g, enum convgen_table table, uint32_t xid)
{
	bool data = cg_chance(g, g->shape.data_share);
	uint32_t sum = 0, pick;
	size_t i;

	for (i = 0; i < PROCEDURES; i++)
		if (procedures[i].table == table &&
		    moves_data(&procedures[i]) == data)
			sum += procedures[i].share;
	pick = cg_below(g, sum);
	for (i = 0; i < PROCEDURES; i++) {
		if (procedures[i].table != table ||
		    moves_data(&procedures[i]) != data)
			continue;
		if (pick < procedures[i].share)
			break;
		pick -= procedures[i].share;
	}
	return rpc_of(g, &procedures[i], xid);
}

uint32_t
cg_rpc_any(struct convgen *g, uint32_t xid)
{
	if (g->shape.version == 4)
		return cg_rpc_compound(g, xid);
	return rpc_by_share(g, g->shape.version == 2 ? CONVGEN_NFS2 :
	    CONVGEN_NFS3, xid);
}

uint32_t
cg_rpc_getport(struct convgen *g, uint32_t prog, uint32_t vers, uint32_t proto,
    uint16_t port, uint32_t xid)
{
	uint32_t rpc = cg_rpc_begin(g, xid, false);

	cg_call_begin(g, rpc, CONVGEN_PORTMAP2, 3);
	put32(g, prog);
	put32(g, vers);
	put32(g, proto);
	put32(g, 0);
	cg_msg_end(g);
	cg_reply_begin(g, rpc, CONVGEN_PORTMAP2, 3);
	put32(g, port);
	cg_msg_end(g);
	return rpc;
}

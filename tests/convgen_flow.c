/* SPDX-License-Identifier: ISC */
/*
 * convgen_flow.c: the clients of a conversation: their addresses, connections
 * and RPCs, one after another, and all their frames in order of time.
 */
#include "convgen_int.h"

static int
compare(const void *a, const void *b)
{
	const struct cg_frame *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void
cg_frames_sort(struct cg_frame *f, uint32_t n)
{
	uint32_t i;

	for (i = 1; i < n && compare(&f[i - 1], &f[i]) <= 0; i++)
		;
	if (i < n)
		qsort(f, n, sizeof(*f), compare);
}

struct cg_frame *
cg_frame_add(struct convgen *g, uint32_t flow, uint8_t dir, int64_t t)
{
	struct cg_frame *f;

	g->frame = cg_grow(g->frame, &g->frame_cap, g->frames + 1,
	    sizeof(*g->frame));
	f = &g->frame[g->frames];
	memset(f, 0, sizeof(*f));
	f->t = t;
	f->order = g->frames++;
	f->flow = flow;
	f->send = CG_NONE;
	f->dir = dir;
	return f;
}

uint32_t
cg_send_add(struct convgen *g, uint32_t flow, uint8_t dir, uint32_t msg)
{
	struct cg_send *s;
	struct cg_rpc *r = &g->rpc[g->msg[msg].rpc];

	g->send = cg_grow(g->send, &g->send_cap, g->sends + 1,
	    sizeof(*g->send));
	s = &g->send[g->sends];
	memset(s, 0, sizeof(*s));
	s->msg = msg;
	s->rpc = g->msg[msg].rpc;
	s->flow = flow;
	s->next = CG_NONE;
	s->dir = dir;
	s->reply = g->msg[msg].reply;
	if (r->last_send == CG_NONE)
		r->first_send = g->sends;
	else
		g->send[r->last_send].next = g->sends;
	r->last_send = g->sends;
	g->flow[flow].sends++;
	return g->sends++;
}

/* Address number n of the clients, or of the server (n == 0). */
static void
set_address(const struct convgen *g, uint8_t a[16], uint32_t n)
{
	memset(a, 0, 16);
	if (g->shape.v6) {
		a[0] = 0xfd;
		a[1] = 0x4e;
		cg_poke32(a + 12, n + 1);
	} else {
		cg_poke32(a, 0x0a4d0000U + n + 1);	/* 10.77.0.0/16 */
	}
}

static uint32_t
add_flow(struct convgen *g, bool tcp, uint32_t client, uint16_t cport,
    uint16_t sport)
{
	const struct cg_shape *s = &g->shape;
	struct cg_flow *f;
	int d;

	g->flow = cg_grow(g->flow, &g->flow_cap, g->flows + 1,
	    sizeof(*g->flow));
	f = &g->flow[g->flows];
	memset(f, 0, sizeof(*f));
	f->tcp = tcp;
	f->v6 = s->v6;
	set_address(g, f->addr[0], s->nat ? 1 : client + 1);
	set_address(g, f->addr[1], 0);
	f->port[0] = cport;
	f->port[1] = sport;
	for (d = 0; d < 2; d++) {
		f->isn[d] = s->near_wrap ? 0U - cg_below(g, 20000) :
		    cg_below(g, UINT32_MAX);
		f->base[d] = (uint32_t)g->spool[d].len;
	}
	f->first_send = g->sends;
	f->mss = s->mss;
	if (!tcp)			/* a path of 1500 bytes */
		f->mss = s->v6 ? 1448 : 1480;
	f->before = CG_NONE;
	f->seg = s->seg;
	f->frag = s->frag;
	f->end = s->end;
	return g->flows++;
}

static uint16_t
client_port(struct convgen *g, uint32_t client)
{
	static const uint16_t odd[] = { 853, 912, 993, 1021 };

	/* Reserved ports, also such as others are known by; apart by client. */
	if (!g->shape.nat && cg_chance(g, 600000))
		return cg_chance(g, 200000) ? odd[cg_below(g, 4)] :
		    (uint16_t)cg_between(g, 665, 1023);
	return (uint16_t)(10000 + client * 16 + cg_below(g, 16));
}

static uint32_t *
room(struct convgen *g, uint32_t n)
{
	g->queue = cg_grow(g->queue, &g->queue_cap, n, sizeof(*g->queue));
	return g->queue;
}

/* Fills the queue; twin: rpc with the same XID on an earlier connection. */
static void
make_rpcs(struct convgen *g, uint32_t n, uint32_t xid, uint32_t twin)
{
	uint32_t *queue = room(g, n), i;

	for (i = 0; i < n; i++) {
		if (g->shape.version == 4 && g->shape.minor > 0 &&
		    cg_chance(g, g->shape.callbacks))
			queue[i] = cg_rpc_callback(g, xid + i);
		else
			queue[i] = cg_rpc_any(g, xid + i);
		if (twin != CG_NONE)
			g->rpc[queue[i]].twin = twin + i;
	}
}

static void
play_tcp(struct convgen *g, uint32_t client, uint16_t port, int64_t t)
{
	uint32_t n = g->shape.rpcs, i, flow, old = CG_NONE;

	for (i = 0; i <= g->shape.reconnects && n > 0; i++) {
		flow = add_flow(g, true, client, port, 2049);
		g->flow[flow].before = g->shape.same_port ? old : CG_NONE;
		cg_tcp_run(g, flow, g->queue, &n, &t,
		    i < g->shape.reconnects);
		t += cg_between(g, 10, 400) * CG_MS;
		if (!g->shape.same_port)
			port++;
		old = flow;
	}
}

static void
play_udp(struct convgen *g, uint32_t client, uint16_t port, int64_t t)
{
	uint32_t flow = add_flow(g, false, client, port, 2049);

	cg_udp_run(g, flow, g->queue, g->shape.rpcs, &t);
}

/* Asks portmap for the MOUNT port, and mounts; all over UDP. */
static void
play_mount(struct convgen *g, uint32_t client, int64_t *t)
{
	static const uint16_t ports[] = { 635, 892, 20048, 32767, 40001 };
	uint16_t port = ports[cg_below(g, 5)];
	uint32_t xid = cg_below(g, UINT32_MAX), rpc[2], flow;

	rpc[0] = cg_rpc_getport(g, 100005, 3, 17, port, xid);
	flow = add_flow(g, false, client, 700, 111);
	cg_udp_run(g, flow, rpc, 1, t);
	rpc[0] = cg_rpc_plain(g, CONVGEN_MOUNT3, 0, xid + 1);
	g->rpc[rpc[0]].needs = rpc[0] - 1;
	rpc[1] = cg_rpc_plain(g, CONVGEN_MOUNT3, 1, xid + 2);
	g->rpc[rpc[1]].needs = rpc[0] - 1;
	flow = add_flow(g, false, client, 701, port);
	cg_udp_run(g, flow, rpc, 2, t);
}

static void
play_client(struct convgen *g, uint32_t client, uint32_t xid, int64_t t,
    uint32_t *twin)
{
	uint32_t i, n = g->shape.nconnect > 0 ? g->shape.nconnect : 1;
	uint16_t port = client_port(g, client);
	uint32_t first;

	if (g->shape.mount)
		play_mount(g, client, &t);
	for (i = 0; i < n; i++) {
		first = g->rpcs;
		make_rpcs(g, g->shape.rpcs, xid, *twin);
		if (g->shape.nat || n > 1)
			*twin = first;
		if (g->shape.tcp)
			play_tcp(g, client, (uint16_t)(port + i), t);
		else
			play_udp(g, client, (uint16_t)(port + i), t);
		t += cg_below(g, 2000) * CG_US;
	}
}

void
cg_converse(struct convgen *g)
{
	int64_t start = INT64_C(1700000000) * CG_SEC +
	    cg_below(g, 1000000000) * CG_US;
	uint32_t i, xid = cg_below(g, UINT32_MAX), twin = CG_NONE;

	for (i = 0; i < g->shape.clients; i++) {
		if (!g->shape.nat) {
			xid = cg_below(g, UINT32_MAX);
			twin = CG_NONE;
		}
		play_client(g, i, xid, start + (g->shape.spread == 0 ? 0 :
		    (int64_t)cg_below(g, (uint32_t)(g->shape.spread / CG_US)) *
		    CG_US), &twin);
	}
	cg_frames_sort(g->frame, g->frames);
}

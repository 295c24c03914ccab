/* SPDX-License-Identifier: ISC */
/*
 * convgen_udp.c: plays RPCs over UDP: datagrams in IP fragments, lost ones sent
 * again after a timeout with the same XID.
 */
#include "convgen_int.h"

#define SLOTS_MAX	64
#define TRIES_MAX	4

static uint32_t
add_datagram(struct convgen *g, uint32_t flow, uint8_t dir, uint32_t msg)
{
	uint32_t send = cg_send_add(g, flow, dir, msg);
	struct cg_send *s = &g->send[send];
	const struct cg_msg *m = &g->msg[msg];
	const struct cg_flow *f = &g->flow[flow];
	uint8_t *p;

	s->at = (uint32_t)g->spool[dir].len;
	s->len = 8 + m->len;
	s->ip_id = g->ip_id++;
	p = cg_add(&g->spool[dir], s->len);
	cg_poke16(p, f->port[dir]);
	cg_poke16(p + 2, f->port[!dir]);
	cg_poke16(p + 4, s->len);
	cg_poke16(p + 6, 0);		/* no checksum */
	memcpy(p + 8, g->pool.data + m->at, m->len);
	return send;
}

/*
 * Sends a message at *t; *t is then when its last fragment passed.  False
 * when it does not arrive.
 */
static bool
send_datagram(struct convgen *g, uint32_t flow, uint8_t dir, uint32_t msg,
    int64_t *t)
{
	uint32_t send = add_datagram(g, flow, dir, msg), i, n;
	uint32_t total = g->send[send].len;
	uint32_t part = g->flow[flow].mss & ~7U;
	bool arrives = !cg_chance(g, g->shape.lost_behind);
	int64_t start = *t;
	struct cg_frame *f;

	n = (total + part - 1) / part;
	for (i = 0; i < n; i++) {
		if (cg_chance(g, g->shape.lost_before)) {
			arrives = false;
			continue;
		}
		f = cg_frame_add(g, flow, dir, start + (int64_t)(
		    g->shape.backwards ? n - 1 - i : i) * 12 * CG_US);
		f->send = send;
		f->off = i * part;
		f->len = i + 1 < n ? part : total - f->off;
	}
	*t += n * 12 * CG_US;
	return arrives;
}

/* One RPC with all its resends; gives when the client has done with it. */
static int64_t
one_rpc(struct convgen *g, uint32_t flow, const struct cg_rpc *rpc, int64_t t)
{
	int64_t wait = cg_between(g, 400, 1200) * CG_MS, reply, done = 0;
	int tries;
	bool answered = !cg_chance(g, g->shape.unanswered);

	for (tries = 0; tries < TRIES_MAX; tries++) {
		reply = t;
		if (send_datagram(g, flow, 0, rpc->call, &reply) && answered) {
			reply += 20 * CG_US + cg_below(g, 3000) * CG_US;
			if (cg_chance(g, 5000))	/* slower than the client */
				reply += wait;
			if (send_datagram(g, flow, 1, rpc->reply, &reply) &&
			    (done == 0 || reply < done))
				done = reply;
		}
		t += wait;
		if (done != 0 && done <= t)
			return done;
		wait *= 2;
	}
	return done > t ? done : t;
}

void
cg_udp_run(struct convgen *g, uint32_t flow, const uint32_t *queue, uint32_t n,
    int64_t *t)
{
	int64_t slot[SLOTS_MAX], issue = *t, last = *t;
	uint32_t i, depth = g->shape.depth;

	for (i = 0; i < depth; i++)
		slot[i] = *t;
	for (i = 0; i < n; i++) {
		if (slot[i % depth] > issue)
			issue = slot[i % depth];
		slot[i % depth] = one_rpc(g, flow, &g->rpc[queue[i]], issue) +
		    10 * CG_US;
		if (slot[i % depth] > last)
			last = slot[i % depth];
		issue += cg_below(g, 2000) * CG_US;
	}
	*t = last + CG_MS;
}

/* SPDX-License-Identifier: ISC */
/*
 * target_rdma.c: fuzz target: RoCEv2 packets between two hosts: SENDs with
 * RPC-over-RDMA in them, whole, in pieces, repeated and lost, and bytes that
 * are no such thing.
 *
 * A script: each byte is a deed (its low bits), whose direction it is, and
 * how long after the last one it comes.
 */
#include "fuzzkit.h"

#include <stdlib.h>

#include "fuzzears.h"
#include "fuzzsay.h"
#include "packetkit.h"
#include "rdmakit.h"
#include "rocev2.h"

#define DEEDS_MAX	300

struct wire {
	struct bytes	 script;
	struct fuzzears	 ears;
	struct decoder	*d;
	struct packetkit *k;
	struct rpckit	*m;
	struct rdmakit	 r;
	uint64_t	 packets;
	int64_t		 now_ns;
	uint32_t	 snap;
};

static void
push(struct wire *w)
{
	const struct packetkit *k = w->k;
	struct packet p = {
		.time_ns = w->now_ns, .wire_len = k->len, .linktype = 1,
		.data = bytes_of(k->frame, k->len)
	};

	if (w->snap != 0)
		bytes_trim(&p.data, w->snap);
	fuzzears_push(&w->ears, w->d, &p);
	w->packets++;
}

/* The kit pushes by itself when it has a decoder; here the ears do. */
static void
packet(struct wire *w, int dir, uint8_t opcode, uint32_t hlen,
    struct bytes payload)
{
	uint8_t data[1024] = { opcode, (uint8_t)(-payload.len % 4 << 4), 0xff,
	    0xff, 0, 0, 0, (uint8_t)w->r.qp[!dir], 0x80 };
	uint32_t psn = w->r.psn[dir], n = 12 + hlen;

	data[9] = (uint8_t)(psn >> 16);
	data[10] = (uint8_t)(psn >> 8);
	data[11] = (uint8_t)psn;
	w->r.psn[dir] = (psn + 1) & 0xffffff;
	while (payload.len > 0 && n < sizeof(data) - 8)
		data[n++] = fuzzkit_u8(&payload);
	n += -n % 4;
	packetkit_udp(w->k, dir, data, n + 4);
	push(w);
}

/* A message as SENDs of size bytes each; part of it lies in chunks. */
static void
say(struct wire *w, int dir)
{
	uint8_t how = fuzzkit_u8(&w->script), size = fuzzkit_u8(&w->script);
	struct rdmakit_lists lists = {
		.position = 148, .read = how & 1 ? 8192 : 0,
		.write = how & 2 ? 4096 : 0, .reply = how & 4 ? 1000 : 0,
		.proc = how >> 4 & 7
	};
	struct bytes all, part;
	struct fuzzsay said;
	size_t from;

	rpckit_clear(w->m);
	said = fuzzsay(w->m, &w->script);
	from = w->m->len;
	rdmakit_header(w->m, said.xid, &lists);
	all = bytes_of(w->m->data + from, w->m->len - from);
	part = fuzzkit_part(&all, 900);
	packet(w, dir, size == 0 ? RDMAKIT_SEND_ONLY : RDMAKIT_SEND_FIRST, 0,
	    part);
	all = bytes_of(w->m->data, from);
	while (all.len > 0 && size > 0) {
		part = fuzzkit_part(&all, size * 4U);
		packet(w, dir, all.len == 0 ? RDMAKIT_SEND_LAST :
		    RDMAKIT_SEND_MIDDLE, 0, part);
	}
}

/* Header and message in one SEND, as is usual. */
static void
say_whole(struct wire *w, int dir)
{
	uint8_t how = fuzzkit_u8(&w->script);
	struct rdmakit_lists lists = {
		.position = 148, .read = how & 1 ? 8192 : 0,
		.write = how & 2 ? 4096 : 0, .reply = how & 4 ? 1000 : 0
	};
	struct bytes script = w->script;
	uint8_t opcode = how & 8 ? RDMAKIT_SEND_INVALIDATE : RDMAKIT_SEND_ONLY;
	struct fuzzsay said;

	rpckit_clear(w->m);
	said = fuzzsay(w->m, &script);
	rpckit_clear(w->m);
	rdmakit_header(w->m, said.xid, &lists);
	fuzzsay(w->m, &w->script);
	packet(w, dir, opcode, how & 8 ? 4 : 0,
	    bytes_of(w->m->data, w->m->len));
}

static void
say_bytes(struct wire *w, int dir, bool header)
{
	uint8_t opcode = fuzzkit_u8(&w->script);
	struct bytes b = fuzzkit_part(&w->script, fuzzkit_u8(&w->script));

	if (header)
		packet(w, dir, opcode, 0, b);
	else {
		packetkit_udp(w->k, dir, b.data, (uint32_t)b.len);
		push(w);
	}
}

static void
deed(struct wire *w)
{
	static const int64_t steps[4] = { 0, 100 * NSEC_PER_USEC,
	    NSEC_PER_SEC, 61 * NSEC_PER_SEC };
	uint8_t what = fuzzkit_u8(&w->script);
	int dir = what >> 4 & 1;

	w->now_ns += steps[what >> 6];
	switch (what & 15) {
	case 0:
	case 1:
	case 2:
		say_whole(w, dir);
		break;
	case 3:
	case 4:
		say(w, dir);
		break;
	case 5:
		say_bytes(w, dir, true);
		break;
	case 6:
		say_bytes(w, dir, false);
		break;
	case 7:
		w->r.qp[dir] = fuzzkit_u8(&w->script);
		break;
	case 8:
		w->r.psn[dir] += fuzzkit_u8(&w->script);
		break;
	case 9:
		w->r.psn[dir] -= fuzzkit_u8(&w->script);
		break;
	case 10:
		w->k->host[dir] = fuzzkit_u8(&w->script) & 15;
		break;
	case 11:
		w->snap = fuzzkit_u8(&w->script) * 2U;
		break;
	case 12:
		decoder_advance(w->d, w->now_ns);
		break;
	default:
		packet(w, dir, fuzzkit_u8(&w->script), 16, bytes_of(NULL, 0));
		break;
	}
	w->r.psn[dir] &= 0xffffff;
}

void
target_rdma(const uint8_t *data, size_t len)
{
	struct wire w = { .script = bytes_of(data, len) };
	struct decoder_config config;
	int deeds;

	fuzzears_config(&config);
	w.k = packetkit_new();
	w.m = rpckit_new();
	w.d = fuzzears_decoder(&w.ears, &config);
	rdmakit_init(&w.r, w.k, w.d);
	for (deeds = 0; w.script.len > 0 && deeds < DEEDS_MAX; deeds++)
		deed(&w);
	FUZZ_CHECK(w.ears.packets == w.packets);
	fuzzears_end(&w.ears, w.d);
	free(w.k);
	free(w.m);
}

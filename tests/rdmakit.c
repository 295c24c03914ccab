/* SPDX-License-Identifier: ISC */
/*
 * rdmakit.c: builds RPC-over-RDMA in RoCEv2 packets, see rdmakit.h.
 */
#include "rdmakit.h"

#include <stdlib.h>
#include <string.h>

#define ROCE_PORT	4791
#define PACKET_MAX	9000

void
rdmakit_init(struct rdmakit *r, struct packetkit *k, struct decoder *d)
{
	*r = (struct rdmakit){ .k = k, .d = d, .qp = { 0x11, 0x22 },
	    .psn = { 0xfffffe, 1000 }, .mtu = 4096, .lost = -1 };
	k->port[0] = k->port[1] = ROCE_PORT;
}

void
rdmakit_packet(struct rdmakit *r, int dir, uint8_t opcode, uint32_t hlen,
    const void *payload, uint32_t len, int64_t time_ns)
{
	uint32_t padding = (4 - len % 4) % 4, n = 12 + hlen, psn = r->psn[dir];
	uint8_t data[PACKET_MAX] = { opcode, (uint8_t)(padding << 4), 0xff,
	    0xff, 0, (uint8_t)(r->qp[!dir] >> 16), (uint8_t)(r->qp[!dir] >> 8),
	    (uint8_t)r->qp[!dir], 0x80, (uint8_t)(psn >> 16),
	    (uint8_t)(psn >> 8), (uint8_t)psn };

	if (n + len + padding + 4 > PACKET_MAX)
		abort();
	if (len > 0)
		memcpy(data + n, payload, len);
	r->psn[dir] = (psn + 1) & 0xffffff;
	/* Source ports spread the load over paths. */
	r->k->port[dir] = (uint16_t)(0xc000 + r->qp[!dir]);
	r->k->port[!dir] = ROCE_PORT;
	packetkit_send_udp(r->k, r->d, dir, data, n + len + padding + 4,
	    time_ns);
}

void
rdmakit_send(struct rdmakit *r, int dir, const struct rpckit *m,
    int64_t time_ns)
{
	uint32_t at = 0, n, left;
	uint8_t opcode;
	int i;

	for (i = 0; at < m->len; i++) {
		left = (uint32_t)m->len - at;
		n = left < r->mtu ? left : r->mtu;
		opcode = at == 0 ? RDMAKIT_SEND_FIRST : RDMAKIT_SEND_MIDDLE;
		if (n == left)
			opcode = at == 0 ?
			    RDMAKIT_SEND_ONLY : RDMAKIT_SEND_LAST;
		if (i == r->lost)
			r->psn[dir] = (r->psn[dir] + 1) & 0xffffff;
		else
			rdmakit_packet(r, dir, opcode, 0, m->data + at, n,
			    time_ns + i * r->step_ns);
		at += n;
	}
	r->lost = -1;
}

void
rdmakit_segment(struct rpckit *m, uint32_t len)
{
	rpckit_u32(m, 0x1122);		/* handle */
	rpckit_u32(m, len);
	rpckit_u64(m, UINT64_C(0x7f0102030405));
}

void
rdmakit_header(struct rpckit *m, uint32_t xid, const struct rdmakit_lists *l)
{
	rpckit_u32(m, xid);
	rpckit_u32(m, 1);		/* version */
	rpckit_u32(m, 32);		/* credits */
	rpckit_u32(m, l->proc);
	if (l->read > 0) {
		rpckit_u32(m, 1);
		rpckit_u32(m, l->position);
		rdmakit_segment(m, l->read);
	}
	rpckit_u32(m, 0);
	if (l->write > 0) {
		rpckit_u64(m, UINT64_C(1) << 32 | 1);	/* array of one */
		rdmakit_segment(m, l->write);
	}
	rpckit_u32(m, 0);
	if (l->reply > 0) {
		rpckit_u64(m, UINT64_C(1) << 32 | 1);
		rdmakit_segment(m, l->reply);
	} else
		rpckit_u32(m, 0);
}

void
rdmakit_reduce(struct rpckit *m, size_t pos, size_t n)
{
	if (pos > m->len || n > m->len - pos)
		abort();
	memmove(m->data + pos, m->data + pos + n, m->len - pos - n);
	m->len -= n;
}

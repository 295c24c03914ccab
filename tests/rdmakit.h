/* SPDX-License-Identifier: ISC */
/*
 * rdmakit.h: builds RPC-over-RDMA (RFC 8166) in RoCEv2 packets between the two
 * hosts of a packetkit, and hands them to a decoder.
 */
#ifndef NFSRATED_RDMAKIT_H
#define NFSRATED_RDMAKIT_H

#include <stdint.h>

#include "decoder.h"
#include "packetkit.h"
#include "rpckit.h"

/* Opcodes of reliable connections. */
#define RDMAKIT_SEND_FIRST	0x00
#define RDMAKIT_SEND_MIDDLE	0x01
#define RDMAKIT_SEND_LAST	0x02
#define RDMAKIT_SEND_ONLY	0x04
#define RDMAKIT_WRITE_FIRST	0x06
#define RDMAKIT_WRITE_LAST	0x08
#define RDMAKIT_WRITE_ONLY	0x0a
#define RDMAKIT_SEND_INVALIDATE	0x17

struct rdmakit {
	struct packetkit *k;		/* borrowed */
	struct decoder	*d;		/* borrowed */
	uint32_t	qp[2];		/* queue pair of each side */
	uint32_t	psn[2];		/* the next of each side */
	uint32_t	mtu;		/* payload of a packet */
	int64_t		step_ns;	/* between the packets of a SEND */
	int		lost;		/* packet of the next SEND that the
					 * capture does not see, -1: none */
};

void	rdmakit_init(struct rdmakit *, struct packetkit *, struct decoder *);

/*
 * One packet with the next PSN: extended headers of hlen zero bytes, payload
 * with its padding, CRC.
 */
void	rdmakit_packet(struct rdmakit *, int dir, uint8_t opcode,
	    uint32_t hlen, const void *payload, uint32_t len, int64_t time_ns);
/* A message in as many packets as it takes. */
void	rdmakit_send(struct rdmakit *, int dir, const struct rpckit *,
	    int64_t time_ns);

/* One chunk of one segment of each list where a length is not 0. */
struct rdmakit_lists {
	uint32_t	proc;
	uint32_t	position, read;
	uint32_t	write;
	uint32_t	reply;
};
/* The transport header at the end of the buffer. */
void	rdmakit_header(struct rpckit *, uint32_t xid,
	    const struct rdmakit_lists *);
void	rdmakit_segment(struct rpckit *, uint32_t len);

/* Takes n bytes at pos out of the buffer: they go by RDMA. */
void	rdmakit_reduce(struct rpckit *, size_t pos, size_t n);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * rocev2.h: the InfiniBand transport headers of RoCEv2, in a UDP datagram to
 * port 4791: base header (BTH), extended headers by opcode, payload.
 *
 * Pure.  By the InfiniBand Architecture Specification, volume 1, chapter 9
 * (headers, opcodes) and annex A17 (RoCEv2): reliable and unreliable
 * connections, reliable and unreliable datagrams, extended reliable
 * connections, congestion notification.  The invariant CRC, which is not
 * looked at, and the padding are no payload.
 *
 * Checked: hand-made packets of every opcode of reliable and unreliable
 * connections and of unreliable datagrams, against the dissector of tshark
 * 4.0.  Not checked: the other two services, which NFS does not use; packets
 * of a real adapter with NFS in them, as no public capture of such was found.
 */
#ifndef NFSRATED_ROCEV2_H
#define NFSRATED_ROCEV2_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

#define ROCEV2_PORT	4791

enum rocev2_result {
	ROCEV2_OK,
	ROCEV2_SHORT,		/* cut inside the headers */
	ROCEV2_BAD		/* version or lengths that cannot be */
};

enum rocev2_service {		/* opcode, bits 7 to 5 */
	ROCEV2_RC, ROCEV2_UC, ROCEV2_RD, ROCEV2_UD, ROCEV2_CNP, ROCEV2_XRC,
	ROCEV2_SERVICE_OTHER
};

enum rocev2_kind {
	ROCEV2_SEND, ROCEV2_WRITE, ROCEV2_READ_REQUEST, ROCEV2_READ_RESPONSE,
	ROCEV2_ACK, ROCEV2_ATOMIC, ROCEV2_ATOMIC_ACK,
	ROCEV2_OTHER		/* what follows the BTH is not known */
};

struct rocev2_packet {
	uint8_t		opcode;
	uint8_t		service;	/* enum rocev2_service */
	uint8_t		kind;		/* enum rocev2_kind */
	bool		first, last;	/* packet of its message */
	bool		ack_wanted;
	bool		has_reth, has_aeth, has_imm, has_ieth, has_deth;
	uint32_t	dest_qp;	/* 24 bits */
	uint32_t	psn;		/* 24 bits */
	uint64_t	va;		/* RETH: address, */
	uint32_t	rkey;		/* key, and */
	uint32_t	dma_len;	/* length of the remote memory */
	uint8_t		syndrome;	/* AETH */
	uint32_t	msn;		/* AETH, 24 bits */
	uint32_t	imm;		/* immediate data */
	uint32_t	invalidated;	/* IETH: rkey */
	uint32_t	src_qp;		/* DETH, 24 bits */
	uint32_t	payload_len;	/* bytes on the wire */
	struct bytes	payload;	/* captured part: len <= payload_len */
};

/* data is the captured part of the len bytes of a UDP payload. */
enum rocev2_result rocev2_decode(struct bytes data, uint32_t len,
	    struct rocev2_packet *);

/* How far PSN a is ahead of b: negative when it is behind. */
static inline int32_t
rocev2_psn_diff(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << 8) / 256;
}

#endif

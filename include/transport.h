/* SPDX-License-Identifier: ISC */
/*
 * transport.h: UDP (RFC 768) and TCP (RFC 9293) headers to a segment.
 *
 * Pure.  Checksums are not looked at: captures on the sending host have wrong
 * ones under offload.
 */
#ifndef NFSRATED_TRANSPORT_H
#define NFSRATED_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

enum transport_result {
	TRANSPORT_OK,
	TRANSPORT_SHORT,	/* cut inside the header (ports may be valid:
				 * see has_ports) */
	TRANSPORT_BAD,		/* lengths that cannot be */
	TRANSPORT_OTHER		/* neither UDP nor TCP */
};

#define TCP_FIN	0x01
#define TCP_SYN	0x02
#define TCP_RST	0x04
#define TCP_PSH	0x08
#define TCP_ACK	0x10

struct segment {
	uint8_t		proto;		/* IP_PROTO_UDP or IP_PROTO_TCP */
	bool		has_ports;
	uint16_t	sport, dport;
	uint32_t	seq, ack;	/* TCP */
	uint8_t		flags;		/* TCP_* */
	uint16_t	window;		/* TCP, unscaled */
	uint16_t	mss;		/* MSS option of a SYN, 0 without */
	int8_t		wscale;		/* window scale option (RFC 7323) of a
					 * SYN, -1 without */
	uint32_t	header_len;	/* bytes */
	uint32_t	payload_len;	/* bytes on the wire */
	struct bytes	payload;	/* captured part: len <= payload_len */
};

/*
 * proto and payload come from the IP layer: data is the captured part of
 * wire_len bytes.  For a first IP fragment of UDP, payload_len is what the
 * UDP header says of the whole datagram (UDP length 0, as in a jumbogram or
 * under offload, means to the end).
 */
enum transport_result transport_decode(uint8_t proto, struct bytes data,
	    uint32_t wire_len, struct segment *);

#endif

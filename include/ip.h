/* SPDX-License-Identifier: ISC */
/*
 * ip.h: IPv4 (RFC 791) and IPv6 (RFC 8200) headers with options and extension
 * headers, to addresses, protocol, fragment fields and payload.
 *
 * Pure.  The payload is bounded by the header's length fields, not by what
 * was captured: trailers and padding are gone.  An IPv4 total length of 0 (or
 * an IPv6 payload length of 0 without a jumbo option), as segmentation
 * offload leaves it, means "to the end of the frame".
 */
#ifndef NFSRATED_IP_H
#define NFSRATED_IP_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "bytes.h"

enum ip_result {
	IP_OK,
	IP_SHORT,		/* cut inside the header or extension chain */
	IP_BAD			/* version, header length or extension chain
				 * that cannot be */
};

#define IP_PROTO_TCP	6
#define IP_PROTO_UDP	17

struct ip_packet {
	struct addr	src, dst;
	uint8_t		proto;		/* upper-layer protocol; for an IPv6
					 * fragment the next header of the
					 * fragment header */
	bool		fragment;	/* part of a fragmented datagram (an
					 * atomic fragment, RFC 6946, is not) */
	bool		more;		/* more fragments follow */
	uint32_t	frag_id;
	uint32_t	frag_offset;	/* bytes */
	uint32_t	payload_len;	/* on the wire, by the header */
	uint32_t	header_len;	/* with options and extensions */
	struct bytes	payload;	/* captured part: len <= payload_len */
};

/*
 * data is the captured network layer, wire_len its length on the wire (frame
 * less link header), which may exceed data.len.
 */
enum ip_result ip_decode(struct bytes data, uint32_t wire_len,
	    struct ip_packet *);

#endif

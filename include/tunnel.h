/* SPDX-License-Identifier: ISC */
/*
 * tunnel.h: the IP packet inside a tunnel: VXLAN (RFC 7348), GENEVE
 * (RFC 8926), GRE (RFC 2784, 2890, NVGRE RFC 7637) with IP, Ethernet, MPLS or
 * ERSPAN in it, IPv4 and IPv6 in either (RFC 2003, 2473, 4213).
 *
 * Pure.  One layer at a time: the inner packet may be a tunnel again.  Keys
 * and network identifiers are not looked at: hosts of two networks that have
 * the same address are one host.  A tunnel packet that is itself a fragment is
 * none: its datagram would have to be kept whole.
 */
#ifndef NFSRATED_TUNNEL_H
#define NFSRATED_TUNNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "ip.h"

#define TUNNEL_NESTED_MAX	4	/* layers that are worth opening */

#define TUNNEL_PORT_VXLAN	4789
#define TUNNEL_PORT_GENEVE	6081
#define TUNNEL_PORT_VXLAN_OLD	8472	/* Linux before the RFC, flannel */

enum tunnel_result {
	TUNNEL_OK,		/* an IP packet is inside */
	TUNNEL_NONE,		/* no tunnel, or other than IP in it */
	TUNNEL_SHORT,		/* cut before the inner packet's payload */
	TUNNEL_BAD		/* an inner IP header that cannot be */
};

struct tunnel_inner {
	struct ip_packet ip;
	uint32_t	header_len;	/* bytes from the start of the outer
					 * payload to the inner IP header */
};

/* Can a UDP datagram to this port be a tunnel's? */
static inline bool
tunnel_is_port(uint16_t dport)
{
	return dport == TUNNEL_PORT_VXLAN || dport == TUNNEL_PORT_GENEVE ||
	    dport == TUNNEL_PORT_VXLAN_OLD;
}

/* By the protocol of the outer packet. */
enum tunnel_result tunnel_ip(const struct ip_packet *outer,
	    struct tunnel_inner *);

/*
 * By its UDP destination port; payload is what was captured of the len bytes
 * of a whole datagram.
 */
enum tunnel_result tunnel_udp(uint16_t dport, struct bytes payload,
	    uint32_t len, struct tunnel_inner *);

#endif

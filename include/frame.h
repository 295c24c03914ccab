/* SPDX-License-Identifier: ISC */
/*
 * frame.h: a captured frame down to its innermost IP packet and the TCP or UDP
 * segment in that, through link headers and tunnels.
 *
 * Pure.
 */
#ifndef NFSRATED_FRAME_H
#define NFSRATED_FRAME_H

#include <stdint.h>

#include "ip.h"
#include "link.h"
#include "packet.h"
#include "transport.h"

enum frame_result {
	FRAME_TCP,
	FRAME_UDP,
	FRAME_FRAGMENT,		/* of an IP datagram: no segment */
	FRAME_OTHER,		/* IP with neither TCP nor UDP in it */
	FRAME_CUT,		/* inside the TCP or UDP header: ports may be
				 * there, see seg.has_ports */
	FRAME_BAD_TRANSPORT,
	FRAME_BAD_IP,		/* cut or bad, also inside a tunnel */
	FRAME_NOT_IP,
	FRAME_BAD_LINK		/* cut, or not in the table of link.h */
};

struct frame {
	struct link_frame link;
	struct ip_packet ip;		/* the innermost */
	struct segment	 seg;
	uint32_t	 tunnels;	/* it is inside of, */
	uint32_t	 tunnel_len;	/* and their headers, from the outer to
					 * the inner IP header */
};

/* Members are set as far as the result says; tunnels always. */
enum frame_result frame_open(struct frame *, const struct packet *);

#endif

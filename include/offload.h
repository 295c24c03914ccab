/* SPDX-License-Identifier: ISC */
/*
 * offload.h: how many packets the wire carries for a captured TCP frame.
 *
 * Where the network card or the kernel merges and splits segments (TSO, GRO),
 * a capture holds frames of up to 64 KiB (DESIGN sec. 2).  The wire's segments
 * hold what the receiver's SYN allows, else what the interface's MTU does, else
 * as much as the largest ordinary one that was seen.
 */
#ifndef NFSRATED_OFFLOAD_H
#define NFSRATED_OFFLOAD_H

#include <stdint.h>

#include "flow.h"
#include "transport.h"

struct offload_frame {
	uint32_t	network_len;	/* headers that count for the MTU, up to
					 * the TCP header */
	uint32_t	mtu;		/* 0: not known */
};

/*
 * Of a segment sent in direction dir: 1 for what is one packet, otherwise
 * each of them repeats all headers.  Notes the largest ordinary segment.
 */
uint32_t offload_packets(struct flow *, int dir, const struct segment *,
	    const struct offload_frame *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * twins.h: knows a packet that has just been seen on another interface.
 *
 * A capture of several interfaces, or of "any", sees a bridged or routed
 * packet once on each.  Its twin is told by what routers and bridges leave
 * alone: addresses, protocol, fragment fields, length, and the first bytes of
 * the payload without transport checksums (which offload completes late).
 * Packets on the same interface are never twins: those are retransmissions.
 * A small table, four packets to a place; a miss only lets a twin pass.
 */
#ifndef NFSRATED_TWINS_H
#define NFSRATED_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "ip.h"

#define TWINS_WINDOW_NS	INT64_C(50000000)	/* longest way between two */

struct twins;

struct twins *twins_new(const uint64_t seed[2]);
void	twins_free(struct twins *);

/* Remembers the packet; true when it is the twin of one seen elsewhere. */
bool	twins_seen(struct twins *, const struct ip_packet *, uint32_t ifindex,
	    int64_t now_ns);

#endif

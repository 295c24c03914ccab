/* SPDX-License-Identifier: ISC */
/*
 * rdmatalk.h: RoCEv2 packets between two hosts to RPC messages: SENDs that
 * carry RPC-over-RDMA (RFC 8166), put together again and walked as they pass.
 *
 * A flow is all that two hosts say to port 4791: a packet names the queue pair
 * that it goes to, never the one that it comes from, so that calls meet their
 * replies by XID within the pair of hosts.  Within a queue pair, packet
 * sequence numbers join the packets of a SEND and tell repeated ones.
 *
 * Calls begin and end with their SENDs.  The server fetches the data of a
 * WRITE by RDMA READ afterwards; that counts as the server's time.  The reply
 * to a READ begins with the RDMA WRITEs before it, which carry its data.  A
 * call that lies in a chunk as a whole is counted (RPC_CHUNKED) and not read;
 * a reply that does is told as a success without results, because what needs
 * a chunk is long, and errors are short.
 *
 * Bounded: so many queue pairs, less than 2 KiB each.  Not thread-safe.
 */
#ifndef NFSRATED_RDMATALK_H
#define NFSRATED_RDMATALK_H

#include <stdint.h>

#include "dialog.h"
#include "event.h"
#include "flow.h"
#include "rocev2.h"

struct rdmatalk;

struct rdmatalk_config {
	struct dialog		*dialog;	/* borrowed */
	const struct decoder_listener *listener; /* borrowed */
	void			*ctx;
	uint32_t		 max_queues;	/* queue pairs with RPC */
	uint64_t		 seed[2];
};

struct rdmatalk *rdmatalk_new(const struct rdmatalk_config *);
void	rdmatalk_free(struct rdmatalk *);

/* One packet of the flow, sent in direction dir. */
void	rdmatalk_packet(struct rdmatalk *, struct flow *, int dir,
	    const struct rocev2_packet *, int64_t now_ns);
/* Forgets all messages under way; what passed of them has been told. */
void	rdmatalk_flush(struct rdmatalk *);

#endif

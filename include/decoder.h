/* SPDX-License-Identifier: ISC */
/*
 * decoder.h: packet in, NFS traffic and RPC events out.
 *
 * The decoder knows the layers below (link, ip, tunnels, fragments, UDP, TCP
 * streams, records, RPC, NFS) and nothing of counting: what it finds it tells
 * a listener, in order of discovery, each with its own time.  Packets are told
 * before they are understood.  All memory is reserved by decoder_new and by
 * configuration; nothing reads a clock.
 *
 * Life: new; push per packet; advance from time to time; flush at the end (of
 * the capture, or at a clock step); free.  Not thread-safe.
 */
#ifndef NFSRATED_DECODER_H
#define NFSRATED_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "event.h"
#include "packet.h"

struct decoder;

#define DECODER_PORTS_MAX	64
#define DECODER_SERVERS_MAX	32

struct decoder_config {
	uint16_t	port[DECODER_PORTS_MAX];	/* NFS ports */
	uint32_t	ports;		/* 0: 2049 */
	struct addr	server[DECODER_SERVERS_MAX];	/* -S */
	uint32_t	servers;	/* 0: learned from who answers */
	uint32_t	mtu;		/* of the interface, 0 unknown */
	bool		many_sources;	/* more than one interface: a packet
					 * seen on two is one packet */
	uint32_t	max_flows;	/* default 16384 */
	uint32_t	max_calls;	/* default 32768 */
	uint32_t	max_datagrams;	/* default 4096 */
	uint32_t	max_hold_bytes;	/* out-of-order bytes kept, all
					 * streams; default 4 MiB */
	uint64_t	seed[2];
	/* A port was learned from portmap or rpcbind, maybe again; or NULL. */
	void		(*learned)(void *ctx, uint16_t port);
	void		*learned_ctx;
};

/* Fills in the defaults; the seed is zero. */
void	decoder_config_init(struct decoder_config *);

/* NULL and errno when memory is short.  The listener is copied. */
struct decoder *decoder_new(const struct decoder_config *,
	    const struct decoder_listener *, void *ctx);
void	decoder_free(struct decoder *);

void	decoder_push(struct decoder *, const struct packet *);
/* Time has passed, packets or not: gives up what is too old. */
void	decoder_advance(struct decoder *, int64_t now_ns);
/* No more packets: what is held is told as far as it goes. */
void	decoder_flush(struct decoder *);

/* Address of the client or server of a pair; NULL when it is gone. */
const struct addr *decoder_pair_client(const struct decoder *, uint32_t pair);
const struct addr *decoder_pair_server(const struct decoder *, uint32_t pair);

#endif

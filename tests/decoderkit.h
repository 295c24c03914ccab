/* SPDX-License-Identifier: ISC */
/*
 * decoderkit.h: a decoder between a client and a server that talk NFS, with
 * everything that it tells written down.
 *
 * SAY sends a record over TCP and SAY_UDP a datagram, where k is a struct
 * decoderkit and make builds the message in k->m (rpckit.h):
 *
 *	SAY(k, CLIENT, 5 * MS, rpckit_getattr_call(k->m, 7));
 */
#ifndef NFSRATED_DECODERKIT_H
#define NFSRATED_DECODERKIT_H

#include "decoder.h"
#include "eventkit.h"
#include "packetkit.h"
#include "rpckit.h"

#define CLIENT	PACKETKIT_CLIENT
#define SERVER	PACKETKIT_SERVER
#define US	INT64_C(1000)
#define MS	INT64_C(1000000)
#define SEC	INT64_C(1000000000)

struct decoderkit {
	struct decoder	 *d;
	struct packetkit *p;
	struct rpckit	 *m;
	struct eventkit	 e;
};

/* With a configuration, or (NULL) as decoder_config_init gives it. */
struct decoderkit *decoderkit_new(const struct decoder_config *);
void	decoderkit_free(struct decoderkit *);

/* What was told from now on. */
void	decoderkit_forget(struct decoderkit *);
/* Sends what is in k->m as TCP segments of at most size bytes, all at once. */
void	decoderkit_segments(struct decoderkit *, int dir, size_t size,
	    int64_t time_ns);
/* Another connection (or UDP port) of the same client, not yet opened. */
void	decoderkit_other_port(struct decoderkit *, uint16_t port);

#define SAY(k, dir, time, make) do {					\
	rpckit_clear((k)->m);						\
	RPCKIT_RECORD((k)->m, make);					\
	packetkit_send((k)->p, (k)->d, (dir), (k)->m->data,		\
	    (uint32_t)(k)->m->len, (time));				\
} while (0)

#define SAY_UDP(k, dir, time, make) do {				\
	rpckit_clear((k)->m);						\
	make;								\
	packetkit_send_udp((k)->p, (k)->d, (dir), (k)->m->data,		\
	    (uint32_t)(k)->m->len, (time));				\
} while (0)

#endif

/* SPDX-License-Identifier: ISC */
/*
 * packetkit.h: builds frames of UDP, TCP and IP fragments between two hosts,
 * byte by byte from the RFCs, and hands them to a decoder.
 *
 * The hosts are 10.77.0.HOST or fd77::HOST; direction 0 is what host[0] (by
 * custom the client) sends, 1 what host[1] does.  Checksums are left 0, as
 * offload leaves them.  Each function fills frame and len; packetkit_push
 * gives the decoder an exact-size copy of what the snap length leaves of it.
 */
#ifndef NFSRATED_PACKETKIT_H
#define NFSRATED_PACKETKIT_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "decoder.h"

#define PACKETKIT_CLIENT	0
#define PACKETKIT_SERVER	1
#define PACKETKIT_MAX		(65536 + 256)

enum packetkit_link {
	PACKETKIT_ETHERNET,
	PACKETKIT_VLAN,			/* one 802.1Q tag */
	PACKETKIT_SLL2			/* Linux cooked v2, 20 bytes */
};

struct packetkit {
	bool		v6;
	enum packetkit_link link;
	uint8_t		host[2];
	uint16_t	port[2];
	uint16_t	id;		/* IPv4 identification of the next */
	uint32_t	snap;		/* 0: nothing is cut */
	uint16_t	ifindex;	/* which capture source */
	/* TCP: the next sequence number of each side */
	uint32_t	seq[2];
	uint16_t	window[2];
	bool		timestamps;	/* 12 bytes of options, RFC 7323 3.2 */
	/* the latest frame */
	uint32_t	len;
	uint8_t		frame[PACKETKIT_MAX];
};

/* On the heap: 10.77.0.3 port 700 to 10.77.0.1 port 2049, id and sequence
 * numbers set; freed with free. */
struct packetkit *packetkit_new(void);
struct addr packetkit_addr(const struct packetkit *, int side);

void	packetkit_udp(struct packetkit *, int dir, const void *payload,
	    uint32_t len);

struct packetkit_tcp {
	uint32_t	seq, ack;
	uint8_t		flags;		/* TCP_* of transport.h */
	uint16_t	window;
	uint16_t	mss;		/* option when not 0 */
	int		wscale;		/* option when not 0; 255: of 0 */
	bool		timestamps;	/* NOP, NOP, and 10 bytes */
};
void	packetkit_tcp(struct packetkit *, int dir,
	    const struct packetkit_tcp *, const void *payload, uint32_t len);

/* A UDP datagram, header and all, to out; its length. */
uint32_t packetkit_datagram(const struct packetkit *, int dir,
	    const void *payload, uint32_t len, uint8_t *out);
/* len bytes at off (a multiple of 8) of such a datagram of total bytes. */
void	packetkit_fragment(struct packetkit *, int dir, const uint8_t *datagram,
	    uint32_t total, uint32_t off, uint32_t len, uint32_t id);

void	packetkit_push(const struct packetkit *, struct decoder *,
	    int64_t time_ns);

/* Made and pushed at once: */
void	packetkit_send_udp(struct packetkit *, struct decoder *, int dir,
	    const void *payload, uint32_t len, int64_t time_ns);
/* In fragments of 1480 bytes, step_ns apart, but for the one numbered lost
 * (-1: none); reversed: the last first. */
void	packetkit_send_fragments(struct packetkit *, struct decoder *, int dir,
	    const void *payload, uint32_t len, int64_t time_ns,
	    int64_t step_ns, int lost, bool reversed);
/* SYN, SYN ACK, ACK with MSS 1460, all at one time. */
void	packetkit_open(struct packetkit *, struct decoder *, int64_t time_ns);
/* The next payload of a side as one segment, ACKing all of the other's. */
void	packetkit_send(struct packetkit *, struct decoder *, int dir,
	    const void *payload, uint32_t len, int64_t time_ns);
/* The same, but lost before the capture saw it. */
void	packetkit_lose(struct packetkit *, int dir, uint32_t len);
/* A pure ACK of all that the other side sent; or other flags with it. */
void	packetkit_flags(struct packetkit *, struct decoder *, int dir,
	    uint8_t flags, int64_t time_ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * ipfrag.h: holds IP fragments until a datagram is whole.
 *
 * Only the first IPFRAG_HEAD_MAX bytes of a datagram are kept, wherever the
 * fragments that carry them are cut; of the rest only which ranges have been
 * seen.  Fragments may come in any order, twice, or overlapping (first bytes
 * seen win, RFC 5722 would drop; we only count).  A datagram ends as whole,
 * or as incomplete: evicted, expired, or its key used again (a fragment that
 * contradicts the length known so far, or the first fragment once more after
 * 5 s without any).  The last 256 whole ones are remembered for up to a second
 * of silence, so that copies of their fragments count as duplicates and start
 * nothing.
 *
 * Life: new, push for each fragment, advance with time, free.
 * Not thread-safe.  Memory: capacity * about (IPFRAG_HEAD_MAX + 400) bytes,
 * used as needed.
 */
#ifndef NFSRATED_IPFRAG_H
#define NFSRATED_IPFRAG_H

#include <stdbool.h>
#include <stdint.h>

#include "ip.h"

#define IPFRAG_HEAD_MAX	640	/* bytes of IP payload: UDP and RPC heads */

struct ipfrag;

struct ipfrag_datagram {
	struct addr	src, dst;
	uint8_t		proto;
	uint32_t	id;
	int64_t		first_ns;	/* first fragment seen */
	int64_t		last_ns;	/* last fragment seen */
	uint32_t	total_len;	/* IP payload bytes; 0: not known */
	uint32_t	seen_len;	/* bytes of the payload that passed */
	uint32_t	fragments;	/* fragments seen, copies included */
	bool		whole;		/* now, or it has been for a while */
	uint8_t		mark;		/* the caller's: see ipfrag_push */
	struct bytes	head;		/* contiguous captured bytes from
					 * offset 0, at most IPFRAG_HEAD_MAX;
					 * len 0 when the first is missing */
	uint32_t	head_want;	/* how long head would be had nothing
					 * been cut by the snap length */
};

struct ipfrag_config {
	uint32_t	 capacity;	/* datagrams, 0: 4096 */
	int64_t		 max_age_ns;	/* since the first fragment, 0: 30 s
					 * (Linux ipfrag_time) */
	uint64_t	 seed[2];
	/* A datagram that will not become whole; borrowed for the call. */
	void		(*incomplete)(void *, const struct ipfrag_datagram *);
	void		*ctx;
};

struct ipfrag_stats {
	uint64_t	fragments;	/* all that were pushed */
	uint64_t	whole, incomplete;	/* datagrams */
	uint64_t	duplicates;	/* fragments with bytes seen before */
	uint64_t	bad;		/* place or length that cannot be:
					 * ignored */
	uint64_t	dropped;	/* fragments ignored because their
					 * datagram has over 32 ranges */
	uint64_t	evicted;	/* of the incomplete: want of room */
};

struct ipfrag *ipfrag_new(const struct ipfrag_config *);	/* or NULL */
void	ipfrag_free(struct ipfrag *);	/* calls nothing back; NULL is fine */

/*
 * Takes one packet with fragment set, or any.  When it makes its datagram
 * whole, *out is filled (borrowed until the next call) and true is given.
 * Otherwise *out describes what is held so far, and false.  A packet that is no
 * fragment is whole by itself (true); a fragment that cannot be is ignored
 * (false, *out without head and lengths).  mark, when not NULL, gives a byte of
 * the caller's that is kept with the datagram: *mark points into the entry
 * until the next call (0 at first).
 */
bool	ipfrag_push(struct ipfrag *, const struct ip_packet *, int64_t now_ns,
	    struct ipfrag_datagram *out, uint8_t **mark);

/* Ends datagrams older than max_age_ns as incomplete. */
void	ipfrag_advance(struct ipfrag *, int64_t now_ns);
/* Ends all as incomplete (end of capture, clock step). */
void	ipfrag_flush(struct ipfrag *);

const struct ipfrag_stats *ipfrag_stats(const struct ipfrag *);
uint32_t ipfrag_held(const struct ipfrag *);

#endif

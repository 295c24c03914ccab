/* SPDX-License-Identifier: ISC */
/*
 * hunt.h: looks for the start of an RPC record (RFC 5531 sec. 11) in a stream
 * that is out of step.
 *
 * Only rpcrecord uses it; the rules of proof are told in rpcrecord.h.  A hunt
 * remembers the last HUNT_CANDIDATES calls that the bytes could be, walked as
 * far as they have passed, and the last bytes in which a header could still
 * begin.  Memory per hunt is fixed (about 50 KiB).
 */
#ifndef NFSRATED_HUNT_H
#define NFSRATED_HUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "rpcwalk.h"

#define RPCRECORD_MIN	20U		/* shortest message: MSG_DENIED with
					 * AUTH_ERROR, RFC 5531 sec. 9 */
#define RPCRECORD_MAX	(32U << 20)	/* longest believable message, bytes */
#define HUNT_CANDIDATES	32
#define HUNT_OPS	10
#define HUNT_NEED	36	/* of a call: mark, and the header to the
				 * credential's length */
#define HUNT_REPLY_NEED	28	/* of a reply: mark, and the header to the
				 * accept_stat, unless it is shorter */

/* A message's place in the stream, told with everything found in it. */
struct rpcrecord_place {
	uint64_t	start;		/* offset of its first byte, a mark */
	uint64_t	end;		/* offset after it; 0 not known yet */
	int64_t		first_ns;
	int64_t		last_ns;	/* latest byte seen so far */
};

/* Shared bound on hunting streams. */
struct hunt_pool {
	uint32_t	max;		/* hunts at once, default 256 */
	uint32_t	used;
};

struct hunt_candidate {
	struct rpcrecord_place	place;	/* place.end is always known */
	bool			passed;	/* the end has been seen to pass */
	uint8_t			ops;
	struct rpc_header	hdr;
	struct rpc_op		op[HUNT_OPS];	/* without fh and names */
};

struct hunt {
	uint64_t	origin;		/* offset where footing was lost */
	uint64_t	seen;		/* offset up to which bytes passed */
	bool		met_here;	/* nothing of the stream came before */
	bool		over;		/* in step again; what candidates are
					 * left may still be proved */
	int64_t		over_ns;
	bool		walking;	/* the newest is being walked */
	uint8_t		tail_len;
	uint8_t		tail[HUNT_NEED - 1];	/* the bytes before seen */
	int64_t		tail_ns;
	uint32_t	count;		/* candidates, in a ring */
	uint32_t	next;
	struct rpcwalk	walk;
	struct hunt_candidate candidate[HUNT_CANDIDATES];
};

enum hunt_found {
	HUNT_NOTHING,
	HUNT_CALL,		/* a candidate call, now the newest */
	HUNT_REPLY		/* something like a reply */
};

struct hunt *hunt_new(struct hunt_pool *, uint64_t origin, bool met_here);
void	hunt_free(struct hunt *, struct hunt_pool *);

/*
 * Takes bytes at offset seen, up to and with the next record mark that may
 * start a message, or all of them; gives how many were taken.  For HUNT_CALL
 * the candidate has been added; for HUNT_REPLY the caller decides.  In both
 * cases *place is the record's (first_ns is when its mark came), and what of
 * the message after the mark lies in older bytes is in *older, borrowed until
 * the next call.
 */
uint32_t hunt_data(struct hunt *, const uint8_t *, uint32_t len,
	    int64_t time_ns, enum hunt_found *, struct rpcrecord_place *place,
	    uint32_t *xid, struct bytes *older);
void	hunt_skip(struct hunt *, uint32_t len, int64_t time_ns, bool lost);

/* The candidate with this XID, or that starts or ends there; NULL. */
struct hunt_candidate *hunt_by_xid(struct hunt *, uint32_t xid);
struct hunt_candidate *hunt_by_start(struct hunt *, uint64_t off);
struct hunt_candidate *hunt_by_end(struct hunt *, uint64_t off);
struct hunt_candidate *hunt_newest(struct hunt *);
void	hunt_forget(struct hunt *, struct hunt_candidate *);
/* The oldest that was not forgotten; NULL: none. */
struct hunt_candidate *hunt_oldest_left(struct hunt *);

/* How many candidates, this one included, lead to it without a gap. */
uint32_t hunt_chain(struct hunt *, const struct hunt_candidate *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * hunt.h: looks for the start of an RPC record (RFC 5531 sec. 11) in a stream
 * that is out of step.
 *
 * Only rpcrecord uses it; the rules of proof are told in rpcrecord.h.  A hunt
 * remembers HUNT_CANDIDATES calls that the bytes could be, walked as far as
 * they have passed and over all their record fragments, and the last bytes in
 * which a header could still begin.  For want of room the oldest goes; of
 * those that lie inside others, as file data does in its WRITE, only half as
 * many are remembered then.
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
#define RPCRECORD_LAST	0x80000000U	/* in a mark: the last fragment */
#define RPCRECORD_FRAGMENTS_MAX	65536U	/* of one message: an endless run of
					 * empty fragments is no message */
#define HUNT_CANDIDATES	128	/* of one hunt */
#define HUNT_OPS	16
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
	uint32_t	len;		/* of the message, marks not counted;
					 * valid with end */
};

/* Shared bound on hunting streams. */
struct hunt_pool {
	uint32_t	max;		/* hunts at once */
	uint32_t	used;
	uint32_t	max_candidates;	/* of all of them, 3 KiB each; 0: no
					 * bound but their own */
	uint32_t	candidates;
};

struct hunt_candidate {
	/* place.end is that of the fragments whose marks were seen. */
	struct rpcrecord_place	place;
	bool			passed;	/* the end has been seen to pass */
	bool			last;	/* and place.end is the message's */
	bool			torn;	/* a later mark was not seen: where it
					 * ends will not be known */
	bool			inside;	/* it began inside another */
	uint8_t			mark_have;	/* of the next mark */
	uint8_t			mark[4];
	uint32_t		fragments;
	uint8_t			ops;
	struct rpc_header	hdr;
	struct rpc_op		op[HUNT_OPS];	/* without fh and names */
	bool			walking;	/* more may come of it */
	struct rpcwalk		walk;
};

struct hunt {
	struct hunt_pool *pool;
	uint64_t	origin;		/* offset where footing was lost */
	uint64_t	seen;		/* offset up to which bytes passed */
	int64_t		seen_ns;	/* and when the last of them did */
	bool		met_here;	/* nothing of the stream came before */
	bool		over;		/* in step again; what candidates are
					 * left may still be proved */
	int64_t		over_ns;
	uint8_t		tail_len;
	uint8_t		tail[HUNT_NEED - 1];	/* the bytes before seen */
	int64_t		tail_ns[HUNT_NEED - 1];	/* when each came */
	uint32_t	count;		/* candidates */
	uint32_t	inside;		/* so many of them are that */
	struct hunt_candidate *candidate[HUNT_CANDIDATES]; /* oldest first */
};

enum hunt_found {
	HUNT_NOTHING,
	HUNT_CALL,		/* a candidate call, now the newest */
	HUNT_REPLY		/* something like a reply */
};

/* A record that may begin here. */
struct hunt_find {
	enum hunt_found	what;
	uint32_t	xid;
	bool		last;		/* of one fragment, else the first of
					 * several: place.end is its end */
	bool		inside;		/* another candidate */
	struct rpcrecord_place place;	/* first_ns: when its mark came */
	struct bytes	older;		/* what of the message after the mark
					 * lies in older bytes, borrowed until
					 * the next call */
};

/*
 * Whether a record may begin at the start of these bytes: what and xid are set
 * in the find, or false is given.
 */
bool	hunt_look(const uint8_t *, size_t len, struct hunt_find *);
/* Whether two XIDs can be of one client's count, in either byte order. */
bool	hunt_xids_near(uint32_t, uint32_t);

struct hunt *hunt_new(struct hunt_pool *, uint64_t origin, bool met_here);
void	hunt_free(struct hunt *);
/* Footing is lost once more, at origin: candidates that are left stay. */
void	hunt_again(struct hunt *, uint64_t origin);

/*
 * Takes bytes at offset seen, up to and with the next record mark that may
 * start a message, or all of them; gives how many were taken.  For HUNT_CALL
 * the candidate has been added; for HUNT_REPLY the caller decides.
 */
uint32_t hunt_data(struct hunt *, const uint8_t *, uint32_t len,
	    int64_t time_ns, struct hunt_find *);
void	hunt_skip(struct hunt *, uint32_t len, int64_t time_ns, bool lost);

/* The newest candidate with this XID, or that starts or ends there; NULL. */
struct hunt_candidate *hunt_by_xid(struct hunt *, uint32_t xid);
struct hunt_candidate *hunt_by_start(struct hunt *, uint64_t off);
struct hunt_candidate *hunt_by_end(struct hunt *, uint64_t off);
struct hunt_candidate *hunt_newest(struct hunt *);
void	hunt_forget(struct hunt *, struct hunt_candidate *);
/* No more of a candidate will be seen. */
void	hunt_stop(struct hunt_candidate *);
/* A message is known to be at this place: forgets those that overlap it. */
void	hunt_contradict(struct hunt *, const struct rpcrecord_place *);

/*
 * How many candidates, this one included, lead to it without a gap, and the
 * first of them.  All are of one client: clients count XIDs up, so that one
 * with an XID far from the next one's is not believed to belong to them.
 */
uint32_t hunt_chain(struct hunt *, struct hunt_candidate *,
	    struct hunt_candidate **first);

#endif

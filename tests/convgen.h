/* SPDX-License-Identifier: ISC */
/*
 * convgen.h: makes NFS conversations whose truth is known, hurts them, and
 * says what can still be counted.
 *
 * A conversation is made from a seed and a profile, and nothing else: the
 * same two give the same packets and the same truth.  It is built as messages
 * (convgen_rpc.c), sent over simulated connections as frames (convgen_flow.c),
 * which are then dropped, doubled, moved and cut (convgen_hurt.c).  The truth
 * (convgen_truth.c) is worked out from the frames that are left, by one who
 * knows where every message lies: a count is exact where what is left proves
 * it, else it has a lower and an upper bound.
 *
 * Life: new; make, packets and truth as often as wanted; free.  Memory is
 * kept from one conversation to the next.  Not thread-safe.
 */
#ifndef NFSRATED_CONVGEN_H
#define NFSRATED_CONVGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet.h"

struct convgen;

/* A count that is known (lo == hi) or bounded. */
struct convgen_range {
	uint64_t	lo, hi;
};
#define CONVGEN_ANY	UINT64_MAX	/* hi: no upper bound */

enum convgen_table {
	CONVGEN_NFS2, CONVGEN_NFS3,
	CONVGEN_NFS4,		/* NULL and COMPOUND */
	CONVGEN_NFS4_OP,	/* operations inside COMPOUND */
	CONVGEN_NFSCB, CONVGEN_NFSCB_OP,
	CONVGEN_MOUNT3, CONVGEN_PORTMAP2,
	CONVGEN_TABLES
};
#define CONVGEN_ROWS	160

/* Counts as DESIGN sec. 2 and 4 define them. */
struct convgen_row {
	struct convgen_range calls;		/* first transmissions */
	struct convgen_range replies;		/* whose call is known */
	struct convgen_range errors;		/* replies with a bad status */
	struct convgen_range retransmits;
	struct convgen_range bytes;	/* WRITE: of calls; READ: of replies */
};

struct convgen_truth {
	uint64_t	packets, bytes;		/* frames, on the wire */
	uint64_t	in_packets, in_bytes;	/* client to server */
	uint64_t	truncated;		/* frames cut short */
	struct convgen_row row[CONVGEN_ROWS];
	struct convgen_range calls, replies, retransmits;	/* of RPC
						 * messages, all programs */
	struct convgen_range unmatched;		/* replies without a call */
	struct convgen_range incomplete;	/* IP datagrams */
	struct convgen_range lost_bytes;	/* holes in TCP streams */
	struct convgen_range resyncs;
	uint64_t	guesses;	/* calls whose heads were cut away, or
					 * lost: guessed at best */
	bool		exact;		/* all of row[], and unmatched, are */
	/* What it was made of, before it was hurt. */
	uint64_t	sent_calls, sent_resends, sent_replies;
};

/* Never NULL: exits for want of memory. */
struct convgen *convgen_new(void);
void	convgen_free(struct convgen *);

/* Profiles, by number from 0; a name of -1 is unknown. */
unsigned int convgen_profiles(void);
const char *convgen_profile_name(unsigned int);
int	convgen_profile_find(const char *name);

void	convgen_make(struct convgen *, uint64_t seed, unsigned int profile);

/* The packets in capture order; borrowed until the next call. */
size_t	convgen_packets(const struct convgen *);
void	convgen_packet(struct convgen *, size_t i, struct packet *);
/* As pcap files say it. */
int	convgen_linktype(const struct convgen *);

/* Valid until the next convgen_make. */
const struct convgen_truth *convgen_truth(const struct convgen *);
/* How it was made and hurt, in words. */
const char *convgen_describe(struct convgen *);

/*
 * The rows: what a row stands for, and the row of a procedure, or operation
 * inside a COMPOUND; -1 when it has none.
 */
struct convgen_key {
	enum convgen_table table;
	uint32_t	prog, vers, num;
	bool		in_compound;
};
bool	convgen_row_key(unsigned int row, struct convgen_key *);
int	convgen_row_of(enum convgen_table, uint32_t num);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * calltable.h: remembers calls so that replies find their procedure and their
 * latency, and resends find the call they repeat.
 *
 * A call is known by the stream it came on and its XID.  A stream number is
 * given out by the decoder, never used again, and names one direction of one
 * connection (or of a UDP address pair): calls of a backchannel do not meet
 * those of the forward channel.
 *
 * Answered calls are kept apart, half as many, so that resends after the
 * answer are still known as such and neither kind can push out the other;
 * both stay for max_age.  Bounded; not thread-safe.
 */
#ifndef NFSRATED_CALLTABLE_H
#define NFSRATED_CALLTABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "nfs.h"

struct calltable;

enum call_state {
	CALL_HEAD,		/* UDP: head seen, datagram never whole */
	CALL_OPEN,		/* counted, waiting for its reply */
	CALL_ANSWERED
};

struct call {
	/* key */
	uint32_t	stream;
	uint32_t	xid;
	/* what was called */
	uint32_t	prog, vers, proc;
	uint32_t	uid;		/* AUTH_SYS, see has_uid */
	uint32_t	count;		/* bytes of the READ or WRITE in it */
	uint32_t	client;		/* the decoder's client number */
	uint16_t	op;		/* op id that characterises it: its
					 * READ, WRITE or COMMIT, else the
					 * procedure, else NFS_OP_NONE */
	uint16_t	transmissions;
	uint8_t		state;		/* enum call_state */
	uint8_t		kind;		/* enum nfs_kind */
	uint8_t		service;	/* enum rpc_service */
	bool		has_uid;
	bool		whole;		/* last_ns is valid */
	bool		has_count;
	uint8_t		stable;
	bool		first_whole;	/* this whole transmission is the first:
					 * earlier ones showed only heads */
	bool		duplicate;	/* the latest reply was not the first */
	bool		guessed;	/* its head was hidden by the snap
					 * length: a usual call is assumed */
	bool		told;		/* this transmission was told already,
					 * by its head */
	uint8_t		heads;		/* so told, not yet seen whole */
	uint32_t	depth;		/* calls outstanding when it came,
					 * itself included */
	uint32_t	fh_hash;	/* of its object, 0 none */
	uint32_t	map_prog;	/* portmap: the program asked for */
	uint8_t		replies;	/* told by their heads, not yet whole */
	uint8_t		pad2[3];
	int64_t		first_ns;	/* first byte of the first sending */
	int64_t		sent_ns;	/* first byte of the latest one */
	int64_t		last_ns;	/* last byte of the call */
	int64_t		reply_ns;	/* first byte of the reply */
};

struct calltable_config {
	uint32_t	capacity;	/* calls, default 32768 */
	int64_t		max_age_ns;	/* default 60 s */
	uint64_t	seed[2];
	/* An open call that is given up: evicted, replaced or too old;
	 * borrowed, and no longer counted by calltable_open. */
	void		(*gone)(void *ctx, const struct call *, bool evicted);
	void		*ctx;
};

struct calltable *calltable_new(const struct calltable_config *);
void	calltable_free(struct calltable *);

/* NULL when the call is not known.  Valid until the next calltable_add. */
struct call *calltable_find(struct calltable *, uint32_t stream, uint32_t xid);
/* A new call, zeroed but for its key; an older one of the key is replaced. */
struct call *calltable_add(struct calltable *, uint32_t stream, uint32_t xid,
	    int64_t now_ns);
/*
 * Marks it answered (it may be already).  The entry moves: go on with the
 * result, valid until the next calltable_answer or calltable_add.
 */
struct call *calltable_answer(struct calltable *, struct call *,
	    int64_t now_ns);
/* From CALL_HEAD to CALL_OPEN and back; nothing else. */
void	calltable_set_state(struct calltable *, struct call *, enum call_state);
/* A retransmission: young again. */
void	calltable_touch(struct calltable *, struct call *, int64_t now_ns);
/* Gives a call another key (resent over a new connection; its XID becomes
 * known): open, unless it is answered.  Valid as calltable_answer's. */
struct call *calltable_move(struct calltable *, struct call *, uint32_t stream,
	    uint32_t xid, int64_t now_ns);
/* Forgets one; gone is not called. */
void	calltable_remove(struct calltable *, struct call *);
/* Gives up open calls older than max_age. */
void	calltable_advance(struct calltable *, int64_t now_ns);
/* Gives up everything (clock step). */
void	calltable_flush(struct calltable *);

uint32_t calltable_open(const struct calltable *);	/* unanswered now */

#endif

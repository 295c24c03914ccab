/* SPDX-License-Identifier: ISC */
/*
 * rpcrecord.h: cuts one direction of a TCP stream at RPC record marks
 * (RFC 5531 sec. 11) into messages, walks them, and finds its footing again
 * after a loss.
 *
 * In step, a record's length says where the next one starts, so that lost or
 * cut payload costs nothing.  When a mark is lost (or the stream was met in
 * the middle) the stream is hunted: every byte may begin a record, and what
 * looks like a call is only a candidate, since file data can hold RPC
 * messages too.  A candidate is proved by a reply with its XID on the same
 * connection (rpcrecord_prove), or, when nothing of the peer is in the capture
 * that could prove it, by RPCRECORD_CHAIN records that follow each other
 * exactly.
 * A candidate reply is proved by a call that is known.  What is proved is
 * told to the sink as if it had been in step, with its own times.
 *
 * Where the snap length hides a mark in step, and the stream has usual records
 * (sink.usual), the next one is taken to be of that length.  Such guesses are
 * told apart from messages; a visible mark where the next record should be
 * confirms them, anything else there ends them (sink.guesses_wrong), and so
 * does a record that is seen in the midst of what should be one.
 *
 * The struct is open so that a flow can embed it; only rpcrecord.c and hunt.c
 * touch its members.
 */
#ifndef NFSRATED_RPCRECORD_H
#define NFSRATED_RPCRECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "hunt.h"
#include "rpcwalk.h"

#define RPCRECORD_CHAIN	4

enum rpcrecord_phase {
	RPCRECORD_MARK,			/* in step, at or in a record mark */
	RPCRECORD_BODY,			/* in step, inside a fragment */
	RPCRECORD_HUNT,			/* out of step */
	RPCRECORD_DEAF			/* not RPC, or encrypted: nothing is
					 * wanted any more */
};

struct rpcrecord {
	uint8_t		phase;		/* enum rpcrecord_phase */
	uint8_t		mark_have;	/* bytes of the mark so far */
	uint8_t		mark[4];
	bool		last;		/* last fragment of the message */
	bool		begun;		/* a message is under way */
	bool		known;		/* and its header has been told */
	bool		guessed;	/* its head is hidden: a guess */
	bool		trusting;	/* guesses since the last seen mark */
	uint32_t	xid;		/* of the latest message told */
	uint32_t	left;		/* of the fragment, bytes */
	uint32_t	message_len;	/* so far, marks not counted */
	uint32_t	fragments;
	uint64_t	start;		/* offset of the message's first mark */
	int64_t		first_ns;	/* its first byte */
	struct rpcwalk	walk;
	struct hunt	*hunt;		/* when hunting and there is room */
};

struct rpcrecord_sink {
	/* Facts of the walk; call rpcwalk_expect in header of a reply. */
	void	(*header)(void *ctx, struct rpcwalk *,
		    const struct rpc_header *, const struct rpcrecord_place *);
	void	(*op)(void *ctx, const struct rpc_header *,
		    const struct rpc_op *, const struct rpcrecord_place *);
	/* The message's end has passed (holes in it may still be open); only
	 * for messages whose header was told. */
	void	(*end)(void *ctx, struct rpcwalk *, const struct rpc_header *,
		    const struct rpcrecord_place *);
	/* Is this the XID of a call that the other direction made?  inside:
	 * it may as well be in the file data of another message. */
	bool	(*expected)(void *ctx, uint32_t xid, bool inside);
	/* May a chain prove a candidate: is the peer never heard? */
	bool	(*alone)(void *ctx);
	/* Length of the usual record, mark not counted, or 0. */
	uint32_t (*usual)(void *ctx);
	/* A usual record begins; place.end is known.  And it has passed. */
	void	(*guess)(void *ctx, const struct rpcrecord_place *);
	void	(*guess_end)(void *ctx, const struct rpcrecord_place *);
	void	(*guesses_wrong)(void *ctx);
	void	(*lost_step)(void *ctx);	/* footing lost, hunting */
	void	(*passed_over)(void *ctx, uint32_t len); /* unread bytes */
};

/* in_step: the stream starts at a record (its SYN was seen). */
void	rpcrecord_init(struct rpcrecord *, bool in_step);
void	rpcrecord_clear(struct rpcrecord *);
/* Want nothing more of this stream. */
void	rpcrecord_deafen(struct rpcrecord *);

void	rpcrecord_data(struct rpcrecord *, struct hunt_pool *,
	    const struct rpcrecord_sink *, void *ctx, uint64_t off,
	    const uint8_t *, uint32_t len, int64_t time_ns);
void	rpcrecord_skip(struct rpcrecord *, struct hunt_pool *,
	    const struct rpcrecord_sink *, void *ctx, uint64_t off,
	    uint32_t len, int64_t time_ns, bool lost);
uint32_t rpcrecord_indifferent(const struct rpcrecord *);

/*
 * A reply came on the other direction for this XID, which no known call has:
 * if a candidate has it, that one and what follows it exactly are told to the
 * sink, the stream is in step if the chain reaches its present end, and true
 * is given.
 */
bool	rpcrecord_prove(struct rpcrecord *, struct hunt_pool *,
	    const struct rpcrecord_sink *, void *ctx, uint32_t xid,
	    int64_t now_ns);
/* Whether a candidate has this XID, and whether its whole header has passed. */
bool	rpcrecord_suspects(const struct rpcrecord *, uint32_t xid);
bool	rpcrecord_has_head(const struct rpcrecord *, uint32_t xid);
/*
 * The end of the stream: an unbroken chain from its start to its end is
 * believed, if none of it was lost; and an operation under way is told as cut.
 */
void	rpcrecord_flush(struct rpcrecord *, struct hunt_pool *,
	    const struct rpcrecord_sink *, void *ctx, int64_t now_ns);

#endif

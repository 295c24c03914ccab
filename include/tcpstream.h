/* SPDX-License-Identifier: ISC */
/*
 * tcpstream.h: orders one direction of a TCP connection (RFC 9293) into bytes
 * and gaps.
 *
 * A stream is what the sender wrote, at 64-bit offsets that start at 0 with
 * the first byte seen; sequence numbers wrap, offsets do not.  The consumer
 * is given every offset once and in order, as data or as a skip.  A hole
 * (bytes not yet seen while later ones are) is handled by what it costs:
 *
 *  - the consumer does not need the bytes (file data): the hole is passed at
 *    once as a skip, remembered as open, and filled when the bytes come;
 *  - it does: the stream is stuck, later segments are held (bounded) until
 *    the bytes come, or until their loss is proved.  Proof is that the peer
 *    acknowledged them, so that they will not come again, plus a grace of
 *    TCPSTREAM_GRACE_PACKETS or TCPSTREAM_GRACE_NS for captures that swap
 *    neighbours; or that the room to hold is used up; or age.
 *
 * The struct is open so that a flow can embed it; only tcpstream.c touches its
 * members.  Held segments are heap memory counted in a shared struct tcphold.
 */
#ifndef NFSRATED_TCPSTREAM_H
#define NFSRATED_TCPSTREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "tcphold.h"

#define TCPSTREAM_HOLES		8
#define TCPSTREAM_GRACE_PACKETS	8
#define TCPSTREAM_GRACE_NS	INT64_C(50000000)
#define TCPSTREAM_STUCK_NS	INT64_C(30000000000)
#define TCPSTREAM_HOLD_MAX	(256U << 10)	/* bytes held per stream */
#define TCPSTREAM_JUMP		(64U << 20)	/* a hole wider than this is a
						 * lost capture, not
						 * reordering */

/* What takes the stream; off is the offset of the first byte. */
struct tcpstream_sink {
	void	 (*data)(void *ctx, uint64_t off, const uint8_t *, uint32_t len,
		    int64_t time_ns);
	/* Bytes not seen.  lost: never will be; else cut, or a hole. */
	void	 (*skip)(void *ctx, uint64_t off, uint32_t len,
		    int64_t time_ns, bool lost);
	/* How many of the next bytes the consumer does not need. */
	uint32_t (*indifferent)(void *ctx);
	/* In tcpstream_hurry: what was looked for has come?  NULL: never. */
	bool	 (*enough)(void *ctx);
};

struct tcpstream {
	bool		 started;
	bool		 begun;		/* with its SYN: offset 0 is the first
					 * byte of all */
	bool		 stuck;
	bool		 proved;
	uint8_t		 holes;
	uint32_t	 next;		/* sequence number at pos */
	uint64_t	 pos;		/* offset of the next byte to pass on */
	uint64_t	 acked;		/* offset the peer has acknowledged */
	int64_t		 stuck_ns;
	int64_t		 proof_ns;
	uint32_t	 proof_packets;
	struct tcphold_list held;	/* beyond the hole, when stuck */
	struct tcpstream_hole {
		uint64_t	start, end;
		int64_t		seen_ns;
		int64_t		proof_ns;	/* 0: not acknowledged */
	}		 hole[TCPSTREAM_HOLES];
};

/*
 * What one segment or tick did, in bytes unless said otherwise.  Every byte
 * of a segment is one of fresh, again and filled; every byte of the stream is
 * once fresh, filled or lost.
 */
struct tcpstream_result {
	uint32_t	fresh;		/* passed on or held, first seen */
	uint32_t	again;		/* had been seen before, or lies before
					 * the first seen, or was given up */
	uint32_t	filled;		/* of an older hole */
	int64_t		filled_after_ns; /* how long that hole had been open */
	uint64_t	lost;		/* given up, will never be seen */
	bool		hole;		/* a hole opened */
	bool		whole;		/* the last hole closed */
	bool		jumped;		/* started anew after TCPSTREAM_JUMP;
					 * back, so many bytes are skipped that
					 * are none of the stream's */
};

void	tcpstream_init(struct tcpstream *);
/* Frees what is held. */
void	tcpstream_clear(struct tcpstream *, struct tcphold *);

/*
 * Whether the first byte of all can have this sequence number: of a stream
 * that was met later, that is any shortly before what has been seen.
 */
bool	tcpstream_begins_at(const struct tcpstream *, uint32_t seq);
/*
 * A SYN with this sequence number: the stream's first byte follows it.  One
 * that says what is known already changes nothing and gives false.
 */
bool	tcpstream_syn(struct tcpstream *, struct tcphold *, uint32_t seq);

/* A segment's payload: captured bytes (borrowed) of wire_len on the wire. */
void	tcpstream_push(struct tcpstream *, struct tcphold *,
	    const struct tcpstream_sink *, void *ctx, uint32_t seq,
	    struct bytes, uint32_t wire_len, int64_t time_ns,
	    struct tcpstream_result *);

/* The other direction acknowledges up to this sequence number. */
void	tcpstream_ack(struct tcpstream *, uint32_t ack, int64_t time_ns);

/*
 * A packet of the connection, of whatever direction, has been handled: gives
 * up holes whose loss is proved.  Adds to the result.  Cheap when there are
 * none: tcpstream_troubled says so beforehand.
 */
void	tcpstream_tick(struct tcpstream *, struct tcphold *,
	    const struct tcpstream_sink *, void *ctx, int64_t time_ns,
	    struct tcpstream_result *);
static inline bool
tcpstream_troubled(const struct tcpstream *s)
{
	return s->stuck || s->holes > 0;
}

/*
 * The peer has answered something that is held: gives up the holes whose loss
 * is proved without waiting for the grace to pass, until there is enough.
 * What is still held then is passed on with the next packet.
 */
void	tcpstream_hurry(struct tcpstream *, struct tcphold *,
	    const struct tcpstream_sink *, void *ctx, int64_t time_ns,
	    struct tcpstream_result *);

/* The end: passes on everything held. */
void	tcpstream_flush(struct tcpstream *, struct tcphold *,
	    const struct tcpstream_sink *, void *ctx, int64_t time_ns,
	    struct tcpstream_result *);

/* Everything before this offset has passed and no hole is open in it. */
uint64_t tcpstream_settled(const struct tcpstream *);
/* The offset of a sequence number near the current position; may be
 * "negative" (huge) for bytes before the first seen. */
uint64_t tcpstream_offset(const struct tcpstream *, uint32_t seq);

#endif

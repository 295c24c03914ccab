/* SPDX-License-Identifier: ISC */
/*
 * pairstate.h: the state of one client-server pair over time: what the
 * decoder tells of it, as time spent in the states of blame.h.
 *
 * Open data, so that blame can keep a table of them; only pairstate.c changes
 * it.  Times are held to a range by the caller, and may be late: what cannot
 * be put right any more counts from the last known time on.
 */
#ifndef NFSRATED_PAIRSTATE_H
#define NFSRATED_PAIRSTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "timeline.h"

/* How long a full window excuses a server that owes replies. */
#define PAIRSTATE_PATIENCE_NS	INT64_C(200000000)
/* Bytes of data that count for as much demand as a call. */
#define PAIRSTATE_UNIT		8192
#define PAIRSTATE_TROUBLES	4	/* streams in trouble at once */

/* What the network, or the window, does to a stream. */
struct trouble {
	uint32_t	stream;
	uint8_t		kind;		/* enum trouble_kind of pairstate.c */
	int64_t		since_ns;
	int64_t		until_ns;	/* it ends by itself */
};

struct pairstate {
	uint8_t		state;		/* enum sample_state, since since_ns */
	bool		delayed;
	uint8_t		troubles;
	int64_t		since_ns;
	int64_t		turn_ns;	/* when the state ends by itself */
	int64_t		event_ns;	/* of the last RPC event */
	int64_t		answered_ns;	/* of the last reply */
	int64_t		painted_ns;	/* a request was painted from here to
					 * since_ns */
	uint32_t	open;		/* calls, guessed ones included */
	uint32_t	guesses;	/* of these, not known to the decoder */
	uint32_t	partial;	/* of these, not yet whole */
	uint32_t	writes, commits; /* whole and unanswered */
	uint32_t	resent;		/* calls repeated and unanswered */
	uint32_t	replies;	/* under way */
	struct trouble	trouble[PAIRSTATE_TROUBLES];
	int64_t		length_ns;	/* of the intervals in time */
	struct timeline	time;
};

/* Silent until from_ns; intervals of length_ns. */
void	pairstate_start(struct pairstate *, int64_t from_ns, int64_t length_ns);

/* t is the event's time, held to the range; call is not NULL. */
void	pairstate_rpc(struct pairstate *, const struct rpc_event *, int64_t t);
void	pairstate_net(struct pairstate *, const struct net_event *, int64_t t);
/* The server told the client to come again later. */
void	pairstate_delay(struct pairstate *, int64_t t);

/* Accounts for the time up to the end of an interval; forgets what has been
 * silent for so long that the decoder has forgotten it too. */
void	pairstate_until(struct pairstate *, int64_t end_ns);
/* Nothing is to be said of it at the end of an interval, nor of later ones. */
bool	pairstate_is_idle(const struct pairstate *, int64_t end_ns);

#endif

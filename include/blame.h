/* SPDX-License-Identifier: ISC */
/*
 * blame.h: where the second went: the state of each client-server pair over
 * time, and the shares of an interval (DESIGN sec. 2).
 *
 * At any instant a pair is in one state, the first that holds of:
 *  - network: a hole is open in one of its streams; a call is being resent
 *    (until its reply); a segment came again (until the connection moves on,
 *    or, if nothing more comes, as long as the sender's back-off would have
 *    waited).  That something came again shows that it was lost before: the
 *    silence since is the network's too;
 *  - window: the server advertises too little window while calls are open.
 *    When it also owes replies, and gives none for PAIRSTATE_PATIENCE_NS, a
 *    full window is a consequence of that, and the time is the server's;
 *  - server: a whole call is unanswered; commit when a COMMIT is and no WRITE;
 *  - reply: a reply is under way;
 *  - request: a call is under way;
 *  - delay: the server has told the client to come again later, and it has
 *    not yet;
 *  - client: nothing is outstanding.
 *
 * Several pairs are weighted by demand: what a pair asked for in the interval,
 * one for each call and one more for each PAIRSTATE_UNIT of data in it, or what
 * it asked for before, halved with every interval: so whoever falls silent
 * counts for some intervals more.  While calls are unanswered it fades
 * by a sixteenth only: who is held up has not stopped asking.  Thus a
 * thousand idle clients do not hide the one that writes, nor does a writer
 * that stands still vanish behind the keep-alives of others.
 *
 * Times may be late: the first byte of a datagram is told when it is whole,
 * a loss when it is repaired.  What the last intervals were said to be is put
 * right until blame_shares takes them.
 *
 * Life: new; feed it the decoder's events; blame_shares for each interval in
 * order (the sampler's hook); free.  Bounded; not thread-safe.
 */
#ifndef NFSRATED_BLAME_H
#define NFSRATED_BLAME_H

#include <stdint.h>

#include "event.h"
#include "sample.h"

struct blame;

struct blame_config {
	int64_t		interval_ns;	/* as the sampler's */
	uint32_t	max_pairs;	/* pair numbers are below; default
					 * 32768, twice the decoder's flows */
};

/* NULL and errno when memory is short. */
struct blame *blame_new(const struct blame_config *);
void	blame_free(struct blame *);

void	blame_rpc(struct blame *, const struct rpc_event *);
void	blame_op(struct blame *, const struct op_event *);
void	blame_net(struct blame *, const struct net_event *);

/*
 * Fills in has_split and state_ns of [start, end), whose sum is its length.
 * Intervals are asked for once each and in order.
 */
void	blame_shares(struct blame *, int64_t start_ns, int64_t end_ns,
	    struct sample *);

/*
 * Time made a step (the sampler's hook of that name, after decoder_flush):
 * with the next event all is forgotten; intervals before the step may still
 * be asked for until then.
 */
void	blame_step(struct blame *);

/* Pairs that are looked at for each interval. */
uint32_t blame_pairs(const struct blame *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * judge.h: what is to be said of one interval (DESIGN sec. 3).
 *
 * In this order:
 *  - unknown: not watched from start to end, or JUDGE_TRUST of it cannot be
 *    trusted, or packets were dropped (more than JUDGE_DROPS of them);
 *  - stall: nothing was answered while calls were outstanding, or while
 *    something was resent, for JUDGE_STALL_NS or more and up to a minute (as
 *    long as calls are remembered), in the wake of traffic (a lost keep-alive
 *    of an idle client is no stall), and not when as many replies came to
 *    unknown calls (the capture lost their match);
 *  - idle: no demand;
 *  - below an expectation (less the tolerance; of several the one that is
 *    missed most): bursty-underrun when uneven, else underrun;
 *  - without one: bursty-underrun when intervals are jumpy (below) and this
 *    one fell below half of what the load had just been, and the client was
 *    held up for most of it (by server, commit, network, window or delay; not
 *    asked where nothing but packets is counted).  Whether a client that
 *    sends less wants more, only an expectation can say;
 *  - ok.
 *
 * Demand: data was read or written, at JUDGE_DEMAND of the expectation or
 * more.  Where only packets are counted: that many packets.  A load that
 * begins inside an interval is measured from its first packet on.
 *
 * Uneven: of the last 3 to 10 intervals in a row that were below, two differ
 * by JUDGE_SPREAD of their mean (on average over all pairs of them); or they
 * are jumpy: of the last 12 with demand neighbours do, not counting the
 * largest step; or input came in less than JUDGE_DUTY of the 10 ms bins, and
 * then at half the expected rate or more.
 *
 * Cause, of bad ones: the state with the largest share; when there were ok
 * intervals, the one whose share is most above what is usual in those.
 */
#ifndef NFSRATED_JUDGE_H
#define NFSRATED_JUDGE_H

#include <stdbool.h>

#include "expect.h"
#include "judgement.h"
#include "sample.h"

#define JUDGE_TRUST	0.9
#define JUDGE_DROPS	0.001
#define JUDGE_STALL_NS	INT64_C(500000000)
#define JUDGE_DEMAND	0.01
#define JUDGE_SPREAD	0.225
#define JUDGE_DUTY	0.6

struct judge;

struct judge_config {
	struct expect	*expect;	/* borrowed; NULL: none */
	double		 tolerance;	/* 0.1 is 10 % */
	bool		 always;	/* there is always demand */
};

/* What the rules must know besides. */
struct judge_facts {
	bool		counts;		/* it is evidence: good or bad */
	bool		demand;
	double		rate;		/* in units of the expectation */
};

/* NULL and errno when memory is short. */
struct judge *judge_new(const struct judge_config *);
void	judge_free(struct judge *);

/* Intervals in order of time. */
void	judge_interval(struct judge *, const struct sample *,
	    struct judgement *, struct judge_facts *);

#endif

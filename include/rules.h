/* SPDX-License-Identifier: ISC */
/*
 * rules.h: verdicts and episodes from a stream of intervals (DESIGN sec. 3).
 *
 * The verdict of an interval is judge.h's.  An episode starts when M of the
 * last N intervals that count were bad.  Those of unknown verdict do not
 * count; idle ones count as neither, but a load that pauses for no more than
 * N - M (at least one) idle intervals and then goes on has paused: they count
 * as bad when it does, for with an expectation the pause was the fault.  So a
 * load that ends raises nothing.
 *
 * It ends when M intervals in a row were good: with less, rates that hover
 * about the threshold would end it again and again.  Each episode that starts
 * soon after the last one (within RULES_SOON * N intervals) asks for twice as
 * many to end it, up to RULES_PATIENCE times.  It also ends when the load has
 * been gone for N intervals (or as many as that, if more), or time makes a
 * jump; its end is that of its last bad interval in all cases.
 *
 * Not thread-safe.
 */
#ifndef NFSRATED_RULES_H
#define NFSRATED_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "expect.h"
#include "judgement.h"
#include "sample.h"

#define RULES_M		3
#define RULES_N		5
#define RULES_N_MAX	3600
#define RULES_SOON	12
#define RULES_PATIENCE	16

struct rules_config {
	struct expect	*expect;	/* borrowed; NULL: none */
	double		 tolerance;	/* 0.1 is 10 % */
	uint32_t	 m, n;		/* 0: 3 of 5 */
	bool		 always;	/* there is always demand */
	/*
	 * An episode has started, or ended (episode->ended); borrowed.  Called
	 * from rules_interval and rules_finish.  May be NULL.
	 */
	void		(*episode)(void *ctx, const struct episode *);
	void		*ctx;
};

struct rules;

/* NULL and errno when memory is short or N is out of range. */
struct rules *rules_new(const struct rules_config *);
void	rules_free(struct rules *);

/* Judges an interval, in order of time. */
void	rules_interval(struct rules *, const struct sample *,
	    struct judgement *);
/* The same of one that was judged earlier, and stands in a log. */
void	rules_judged(struct rules *, const struct sample *,
	    const struct judgement *);
/* No more intervals: an open episode ends with its last bad one. */
void	rules_finish(struct rules *);

/* The open episode as far as it goes, or NULL. */
const struct episode *rules_episode(const struct rules *);

/*
 * What is to be said of all intervals together: bad when M of N of those with
 * demand were, and then what most of the bad were; else ok; idle without
 * demand; unknown when there was nothing but unknown ones.  Rates are those
 * of the intervals with demand.
 */
#define RULES_STANDSTILL	2
struct rules_overall {
	enum verdict	verdict;
	uint64_t	count[VERDICTS];	/* intervals */
	uint64_t	episodes;
	enum expect_kind expect;
	double		expected;		/* the latest */
	double		min, mean, max;
	double		state_ns[SAMPLE_STATES];	/* with demand */
	uint64_t	stalls;			/* episodes of that kind */
	uint64_t	standstills;		/* stalls of RULES_STANDSTILL
						 * intervals or more in a row,
						 * whether episodes or not */
	int64_t		longest_stall_ns;
	bool		has_stall_cause;
	enum sample_state stall_cause;		/* of the longest */
};
void	rules_overall(const struct rules *, struct rules_overall *);

#endif

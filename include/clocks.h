/* SPDX-License-Identifier: ISC */
/*
 * clocks.h: what clocks and the system say of the intervals of a live capture,
 * and packets do not: counters of the interface, the time without a capture,
 * and time that never was.
 *
 * The clock of the day (real) may be set; another one (mono) goes on evenly,
 * and stands still while the machine sleeps.  Where the first runs ahead of
 * the second by CLOCKS_JUMP_NS or more, nothing was captured in that time, for
 * it never was, or nobody was awake.  (Where it runs back, the sampler knows
 * what to do.)
 *
 * Open data of fixed size; turn several times in an interval, fill when it is
 * closed.  Time comes as an argument.
 */
#ifndef NFSRATED_CLOCKS_H
#define NFSRATED_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "ifstats.h"
#include "sample.h"

#define CLOCKS_JUMP_NS	INT64_C(250000000)
#define CLOCKS_SLOTS	8	/* intervals not closed yet, and some more */

struct clocks {
	int64_t		interval_ns;
	struct ifstats	*ifstats;	/* or NULL; the caller's */
	int64_t		real_ns, mono_ns;	/* at the last turn */
	int64_t		read_ns;	/* when ifstats were read */
	int64_t		jump_from, jump_to;	/* the last one */
	struct clocks_slot {
		int64_t		start_ns;
		int64_t		down_ns;	/* no capture for so long */
		bool		has_counters;
		struct ifstats_counters counters;
	} slot[CLOCKS_SLOTS];
};

void	clocks_init(struct clocks *, int64_t interval_ns, struct ifstats *);
/*
 * Time is real and mono by now; since the last turn the capture was down, or
 * not; it ends.
 */
void	clocks_turn(struct clocks *, int64_t real_ns, int64_t mono_ns,
	    bool down, bool ends);
/* Fills in what is known of the sample's interval. */
void	clocks_fill(const struct clocks *, struct sample *);
/* How long until the interval ends, in ms, and no longer than max_ms. */
int	clocks_wait_ms(const struct clocks *, int max_ms);

#endif

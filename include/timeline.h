/* SPDX-License-Identifier: ISC */
/*
 * timeline.h: how long something was in each state, by intervals, for the
 * last few of them.
 *
 * Intervals are [t, t + length), t a multiple of the length.  A timeline is
 * open data, made valid by timeline_clear.  Integers throughout: what was
 * added to an interval is what is taken from it.
 */
#ifndef NFSRATED_TIMELINE_H
#define NFSRATED_TIMELINE_H

#include <stdint.h>

#include "sample.h"

#define TIMELINE_SLOTS	4

struct timeline_slot {
	int64_t		index;		/* of the interval, or INT64_MIN */
	uint64_t	demand;		/* for the owner to count in */
	uint64_t	ns[SAMPLE_STATES];
};
struct timeline {
	struct timeline_slot slot[TIMELINE_SLOTS];
};

void	timeline_clear(struct timeline *);

/* Number of the interval of a time. */
int64_t	timeline_index(int64_t time_ns, int64_t length_ns);

/*
 * The slot of an interval, empty if it was not there; NULL for one that is
 * older than the slots go back.
 */
struct timeline_slot *timeline_slot(struct timeline *, int64_t index);

/* [from, to) was spent in this state; what is too old is left out. */
void	timeline_add(struct timeline *, int64_t length_ns, int64_t from_ns,
	    int64_t to_ns, enum sample_state);
/* Of [from, to), what was said to be the one state was the other. */
void	timeline_move(struct timeline *, int64_t length_ns, int64_t from_ns,
	    int64_t to_ns, enum sample_state was, enum sample_state is);

/*
 * Takes an interval out: its demand, and the time in each state, which adds
 * up to span_ns: what nobody spoke of was the client's.
 */
void	timeline_take(struct timeline *, int64_t index, int64_t span_ns,
	    struct timeline_slot *);

#endif

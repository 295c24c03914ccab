/* SPDX-License-Identifier: ISC */
/*
 * sampler.h: adds the decoder's events to the right interval and closes
 * intervals as time advances.
 *
 * Intervals are [t, t + length) by packet time, t a multiple of the length.
 * The last SAMPLER_OPEN intervals are kept open, so that time which runs
 * backwards by less than two intervals goes where it belongs; older packets
 * of a live capture are counted in the oldest open interval and as
 * SAMPLE_LATE.  Every interval between the first and the last packet is
 * emitted, empty ones too, except that a silence of more than gap_ns is one
 * record with gap set, from the end of the last packet's interval to the
 * start of the next packet's.  A step back by two intervals or more closes
 * all, and starts anew with restarted set; of a live capture only the clock
 * (sampler_advance) can step back, by more than a second.
 *
 * An interval is partial when it was not watched from its start to its end:
 * where the watch begins (with the first packet, or the first advance) or
 * ends more than 1 % of the interval's length inside it.
 *
 * Where an event has a time of no open interval, the nearest takes it: only
 * sampler_time and sampler_advance move time.
 *
 * What is counted where:
 *  - An RPC message counts for its procedure's row when its header is told
 *    (duplicate replies too); an operation inside a COMPOUND when it is told
 *    (results of duplicate replies do not count).  Errors, statuses and READ
 *    bytes are those of first replies; WRITE bytes those of first calls.
 *  - Latencies are those of calls seen whole.  That of a message counts for
 *    its procedure and for the operation that characterises it (call->op);
 *    any other operation of the COMPOUND has the time from the call's first
 *    byte to the reply's.
 *
 * Life: new; feed it as the decoder's listener (sampler_listener); advance
 * with the clock (live only); finish; free.  Not thread-safe.
 */
#ifndef NFSRATED_SAMPLER_H
#define NFSRATED_SAMPLER_H

#include "event.h"
#include "packet.h"
#include "sample.h"
#include "talkers.h"

#define SAMPLER_OPEN	TALKERS_SLOTS

struct sampler;

struct sampler_config {
	int64_t	 interval_ns;		/* 100 ms to 3600 s */
	int64_t	 gap_ns;		/* default 3600 s */
	bool	 live;
	struct talkers *talkers;	/* or NULL; the caller's */
	/* A closed interval, in order of time; borrowed for the call. */
	void	(*emit)(void *ctx, struct sample *);
	/* Time went back, or a gap: the decoder must forget (flush); what it
	 * tells goes to the intervals before the step.  May be NULL. */
	void	(*step)(void *ctx);
	/* Fills in state_ns and has_split of [start, end); called before
	 * emit, not for gaps.  May be NULL. */
	void	(*shares)(void *ctx, int64_t start_ns, int64_t end_ns,
		    struct sample *);
	void	*ctx;
};

#define SAMPLER_INTERVAL_MIN	(NSEC_PER_SEC / 10)
#define SAMPLER_INTERVAL_MAX	(3600 * NSEC_PER_SEC)

/* NULL and errno when memory is short or the interval is out of range;
 * gap_ns 0 is 3600 s. */
struct sampler *sampler_new(const struct sampler_config *);
void	sampler_free(struct sampler *);
/* To give to decoder_new with the sampler as ctx. */
const struct decoder_listener *sampler_listener(void);

/*
 * To be called with each packet's time before decoder_push: it may close
 * intervals, or report a step (config.step) before the packet is decoded.
 */
void	sampler_time(struct sampler *, int64_t time_ns);
/*
 * The clock says now (live): closes every interval that ended at or before
 * now - lateness, opens the ones up to now.  Without packets yet, now starts
 * the first interval.
 */
void	sampler_advance(struct sampler *, int64_t now_ns, int64_t lateness_ns);
/* Closes all.  end_ns is the time watched to; the last interval is partial
 * when end_ns lies inside it. */
void	sampler_finish(struct sampler *, int64_t end_ns);

/* Drops reported by the capture since the last call, for the current time. */
void	sampler_drops(struct sampler *, uint64_t kernel, uint64_t interface);

#endif

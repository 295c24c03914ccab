/* SPDX-License-Identifier: ISC */
/*
 * collector.h: capture to decoder to sampler, at work: a live capture in a
 * thread of its own with the clock, a file in the caller's without one.
 *
 * The caller sees no difference: it waits for collector_fd, and collector_run
 * hands it the intervals that are done, in its own thread.  So a stalled
 * output costs intervals (counted), never packets.
 *
 * Life: new (needs privileges when live, starts no thread); start; run until
 * the state is not RUNNING; free.  All from one thread.
 */
#ifndef NFSRATED_COLLECTOR_H
#define NFSRATED_COLLECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "decoder.h"
#include "sample.h"
#include "talkers.h"

#define COLLECTOR_ERROR_MAX	CAPTURE_ERROR_MAX

struct collector;

struct collector_config {
	struct capture_config capture;	/* how.packet, how.ctx: not used */
	struct decoder_config decoder;	/* mtu, many_sources, seed: not used */
	int64_t		 interval_ns;
	bool		 record;	/* the heads of the last packets */
	/* A closed interval, in order of time; borrowed for the call.  lost is
	 * how many before it the caller was too slow for. */
	void		(*emit)(void *ctx, const struct sample *,
			    uint64_t lost);
	void		*ctx;
};

/* NULL, the fault and one line of text when it cannot. */
struct collector *collector_new(const struct collector_config *,
	    enum pcapsource_fault *, char err[COLLECTOR_ERROR_MAX]);
/* Starts the thread of a live capture.  -1 and errno. */
int	collector_start(struct collector *);
/* Stops the thread if it runs. */
void	collector_free(struct collector *);

enum collector_state {
	COLLECTOR_RUNNING,
	COLLECTOR_ENDED,	/* end of the file, or stopped */
	COLLECTOR_FAILED	/* all that could be read was; see error */
};
/*
 * Live: emits what is there; does not wait.  A file: reads some more of it,
 * and emits.  Whatever ends it, the last interval was emitted.
 */
enum collector_state collector_run(struct collector *);
/* Readable when collector_run has something to do; -1: it always has. */
int	collector_fd(const struct collector *);
/* Ends it soon: run on until collector_run says so. */
void	collector_stop(struct collector *);
const char *collector_error(const struct collector *);
/*
 * Asks for a file of what was recorded, and takes it when it is there: NULL as
 * long as it is not.  The caller frees it.
 */
void	collector_want_recording(struct collector *);
void	*collector_take_recording(struct collector *, size_t *len);
/* Who talked, exactly; once it ended or failed. */
struct talkers *collector_talkers(struct collector *);

#endif

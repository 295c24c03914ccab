/* SPDX-License-Identifier: ISC */
/*
 * source.h: where intervals come from: a live capture, a capture file, a rate
 * log, rows of netstat.
 *
 * The caller sees no difference: it waits for source_fd, and source_run hands
 * it the intervals that are done, in its own thread.
 *
 * Life: open; start; run until the state is not RUNNING; free.  All from one
 * thread.
 */
#ifndef NFSRATED_SOURCE_H
#define NFSRATED_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector.h"
#include "judgement.h"
#include "netstatfile.h"
#include "options.h"
#include "player.h"
#include "sample.h"
#include "unpack.h"

#define SOURCE_ERROR_MAX	COLLECTOR_ERROR_MAX
#define SOURCE_NAME_MAX		256

struct source;

struct source_config {
	const struct options *options;	/* borrowed, for as long */
	bool		 patient;	/* interfaces may come later */
	/* For a file that is a pipe, see unpack.h. */
	unpack_wait	*wait;
	/*
	 * An interval, in order of time; borrowed for the call.  The judgement
	 * is what stood beside it, or NULL.  lost is how many intervals before
	 * it the caller was too slow for.
	 */
	void		(*sample)(void *ctx, const struct sample *,
			    const struct judgement *, uint64_t lost);
	/* An episode that stood in the source; may be NULL. */
	void		(*episode)(void *ctx, const struct episode *);
	void		*ctx;		/* of wait, sample and episode */
};

/*
 * NULL, a fault and one line of text when it cannot.  What is worth knowing
 * (an interface that was chosen) is said by log_notice.
 */
struct source *source_open(const struct source_config *,
	    enum pcapsource_fault *, char err[SOURCE_ERROR_MAX]);
/* Starts the thread of a live capture.  -1 and errno. */
int	source_start(struct source *);
void	source_free(struct source *);

enum collector_state source_run(struct source *);
/* Readable when source_run has something to do; -1: it always has. */
int	source_fd(const struct source *);
/* Ends it soon: run on until source_run says so. */
void	source_stop(struct source *);
const char *source_error(const struct source *);	/* once FAILED */

/* "eth0", or a file's name without its directory. */
const char *source_name(const struct source *);
bool	source_is_live(const struct source *);
/* What it has was recorded, and can be played at any pace. */
bool	source_is_recording(const struct source *);

/*
 * Rate logs: playlog.h has what these do; others cannot.  source_episodes
 * tells all that the log has to config.episode.
 */
bool	source_can_seek(const struct source *);
bool	source_seek(struct source *, const struct player_target *,
	    uint64_t before, int64_t *time_ns);
void	source_episodes(struct source *);
bool	source_has_grown(struct source *);
/* What the reader of netstat rows found; NULL for other sources. */
const struct netstatfile_stats *source_skew(const struct source *);
/* Bits a second of the only interface; 0 unknown. */
double	source_link_bps(const struct source *);
/* As those of the collector; of what is played there is nothing. */
void	source_want_recording(struct source *);
void	*source_take_recording(struct source *, size_t *len);
/* Who talked, exactly; once it ended or failed; NULL unknown. */
struct talkers *source_talkers(struct source *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * playlog.h: a rate log as intervals in order, with what was said of them.
 *
 * Where the log lacks intervals (the program was not running, or the disk was
 * full), one record without data takes their place: gap and no_data are set.
 * Lines that are no intervals or episodes are passed over; those that are no
 * JSON are told, the first few of them.
 *
 * Life: open; step until the state is not RUNNING; close.  Not thread-safe.
 */
#ifndef NFSRATED_PLAYLOG_H
#define NFSRATED_PLAYLOG_H

#include <stdint.h>

#include "judgement.h"
#include "player.h"
#include "ratelogread.h"
#include "sample.h"

struct playlog;

struct playlog_config {
	const char	*name;		/* borrowed until the close */
	unpack_wait	*wait;
	/* As in source.h. */
	void		(*sample)(void *ctx, const struct sample *,
			    const struct judgement *);
	void		(*episode)(void *ctx, const struct episode *);
	void		*ctx;
};

/* NULL and one line of text. */
struct playlog *playlog_open(const struct playlog_config *,
	    char err[RATELOGREAD_ERROR_MAX]);
void	playlog_close(struct playlog *);
/* Plays one interval, and what stands before it; false at the end. */
bool	playlog_step(struct playlog *);

/*
 * The next step is the interval that stands so many before the target, or the
 * first one.  Gives the time of the target; false, and nothing has changed,
 * when there is none.
 */
bool	playlog_seek(struct playlog *, const struct player_target *,
	    uint64_t before, int64_t *time_ns);
/* Tells all episodes that have ended, by config.episode. */
void	playlog_episodes(struct playlog *);
/* Has something been written to it since the end was reached? */
bool	playlog_has_grown(struct playlog *);

#endif

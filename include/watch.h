/* SPDX-License-Identifier: ISC */
/*
 * watch.h: somebody watches: the view on a terminal, the pace of what is
 * played, names of users, and the file that the w key writes.
 *
 * Life: open; wait for watch_poll and watch_timeout_ms, then run, until it
 * wants to quit; leave puts the terminal back; close.  All from one thread.
 */
#ifndef NFSRATED_WATCH_H
#define NFSRATED_WATCH_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "player.h"
#include "sample.h"
#include "screen.h"
#include "sink.h"

#define WATCH_FDS	SCREEN_FDS
#define WATCH_BEFORE	300	/* intervals to have before one that is
				 * sought */

struct watch;

struct watch_config {
	const struct options *options;	/* borrowed, for as long */
	const char	*source;	/* its name; borrowed */
	bool		 recording;	/* has a pace of its own */
	bool		 seekable;
	/*
	 * Makes a new file of this name, to be written: a descriptor, or -1
	 * and errno.  NULL: the plain way.
	 */
	int		(*create)(void *ctx, const char *name);
	void		*ctx;
};

/* Do the options ask for a view, and is there a terminal for it? */
bool	watch_wanted(const struct options *);

/* NULL and errno when there can be no view; then nothing was changed. */
struct watch *watch_open(const struct watch_config *);
/* Puts the terminal back; nothing is shown any more. */
void	watch_leave(struct watch *);
void	watch_close(struct watch *);	/* leaves; NULL is fine */
/* Looks up all names now, because later it may not be possible. */
void	watch_prepare_sandbox(struct watch *);

/* The output; it is the watch's own. */
struct sink *watch_sink(struct watch *);
void	watch_lost(struct watch *, uint64_t intervals);

void	watch_poll(const struct watch *, struct pollfd[WATCH_FDS]);
int	watch_timeout_ms(const struct watch *, int64_t now_ns);

enum watch_want { WATCH_NOTHING, WATCH_QUIT, WATCH_SEEK };
/* Run again until it wants nothing.  now is of a clock that never goes back. */
enum watch_want watch_run(struct watch *, int64_t now_ns);

/*
 * Recordings: the next interval is there; how long until it is due
 * (PLAYER_FOREVER: paused); it was given to the sink; there are no more (now).
 */
void	watch_next(struct watch *, const struct sample *, int64_t now_ns);
int64_t	watch_wait_ns(const struct watch *, int64_t now_ns);
void	watch_shown(struct watch *, int64_t now_ns);
void	watch_ended(struct watch *, bool);

/* Where it wants to go on (SEEK). */
const struct player_target *watch_target(const struct watch *);
/*
 * It goes on some intervals before this one: they are shown at once, and then
 * it pauses, unless hold is false.  Or it could not: there is no such place.
 */
void	watch_sought(struct watch *, int64_t time_ns, bool hold,
	    int64_t now_ns);
void	watch_not_found(struct watch *);

#endif

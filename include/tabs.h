/* SPDX-License-Identifier: ISC */
/*
 * tabs.h: the view of a terminal: what is shown where, and what keys do to it.
 * Pure: it paints on a canvas, and whoever owns the terminal does the rest.
 *
 * Top: source and clock, the verdict in words, where the time went, and a
 * graph of the rate; then one of six tabs; then a line of keys.  All of it is
 * of one interval: the newest, or an older one that the reader went back to.
 * From 40 columns and 10 lines on; smaller ones get one line.
 *
 * Life: new; samples, episodes and keys as they come, and paint whenever
 * tabs_changed; free.  Not thread-safe.
 */
#ifndef NFSRATED_TABS_H
#define NFSRATED_TABS_H

#include <stdbool.h>
#include <stdint.h>

#include "canvas.h"
#include "history.h"
#include "judgement.h"
#include "player.h"
#include "sample.h"

#define TABS_COLS_MIN	40
#define TABS_ROWS_MIN	10
#define TABS_USER_MAX	32
#define TABS_WRITE_NS	INT64_C(600000000000)	/* what `w` writes */

struct tabs;

struct tabs_config {
	const char	*source;	/* "eth0"; borrowed */
	bool		 servers_named;	/* in it; else those seen are told */
	struct player	*player;	/* of a recording; NULL: live */
	bool		 seekable;	/* it can start anywhere */
	struct history_config history;
	int64_t		 interval_ns;
	bool		 total;		/* interface counters first */
	bool		 human;		/* bytes as "12.3M" */
	/* The name of a user, or NULL; itself NULL: numbers. */
	const char	*(*user)(void *ctx, uint32_t uid);
	void		*ctx;
};

/* NULL and errno when memory is short. */
struct tabs *tabs_new(const struct tabs_config *);
void	tabs_free(struct tabs *);

/* The judgement may be NULL. */
void	tabs_sample(struct tabs *, const struct sample *,
	    const struct judgement *);
/* So many intervals went by that nobody had the time to show. */
void	tabs_lost(struct tabs *, uint64_t intervals);
/* One that is known already is put in its place. */
void	tabs_episode(struct tabs *, const struct episode *);
/* The recording goes on somewhere else: forgets all but how it is shown. */
void	tabs_restart(struct tabs *);

/* What a key asks for beyond the view. */
enum tabs_action {
	TABS_NOTHING,
	TABS_QUIT,
	TABS_REDRAW,
	TABS_WRITE,		/* the last TABS_WRITE_NS of tabs_history */
	TABS_SEEK		/* see tabs_target */
};
/* A key of keymap.h; now is of a clock that never goes back. */
enum tabs_action tabs_key(struct tabs *, int key, int64_t now_ns);

/* Where a recording should go on. */
const struct player_target *tabs_target(const struct tabs *);

/* A line at the bottom until the next key. */
void	tabs_say(struct tabs *, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));

/* Something to show is new since the last painting. */
bool	tabs_changed(const struct tabs *);
void	tabs_paint(struct tabs *, struct canvas *);

const struct history *tabs_history(const struct tabs *);
/* The episodes so far, in order; good until the next one. */
const struct episode *tabs_episodes(const struct tabs *, uint32_t *n);

#endif

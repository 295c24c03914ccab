/* SPDX-License-Identifier: ISC */
/*
 * player.h: when the next interval of a recording is due: the pace that it was
 * recorded at, faster, or none; paused, or a few intervals at once.
 *
 * Open data; time comes as an argument, of a clock that never goes back.
 * Pure.
 */
#ifndef NFSRATED_PLAYER_H
#define NFSRATED_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#define PLAYER_FOREVER	INT64_MAX
#define PLAYER_SPEED_MAX 0.0	/* as fast as it can be read */

struct player {
	double		speed;
	bool		paused;
	bool		started;
	bool		ended;		/* there is no more; the caller's */
	uint64_t	steps;		/* intervals that are due at once */
	int64_t		due_ns;
};

/* Where a recording that can be played from anywhere is to go on. */
enum player_to {
	PLAYER_TO_TIME,
	PLAYER_TO_FIRST,
	PLAYER_TO_LAST,
	PLAYER_TO_NEXT_EPISODE,
	PLAYER_TO_PREVIOUS_EPISODE
};
struct player_target {
	enum player_to	to;
	int64_t		time_ns;	/* of it, or where it is now */
};

void	player_init(struct player *, double speed);

/*
 * The next interval is there: it gets the time it is due, so much later than
 * the one before.  (Long silences need not be waited for: say less.)
 */
void	player_next(struct player *, int64_t length_ns, int64_t now_ns);
/* How long until then; PLAYER_FOREVER while paused. */
int64_t	player_wait(const struct player *, int64_t now_ns);
/* It was shown. */
void	player_shown(struct player *, int64_t now_ns);

void	player_pause(struct player *, bool, int64_t now_ns);
/* So many intervals at once, paused or not. */
void	player_step(struct player *, uint64_t intervals);
/* The next speed of 1, 2, 5, 10, 30, 60, 300, the maximum, 1, ... */
void	player_faster(struct player *, int64_t now_ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * player.c: when the next interval of a recording is due.
 */
#include "player.h"

#include <string.h>

/* Who is this late has lost the beat, and starts anew. */
#define LATE_NS		INT64_C(500000000)

void
player_init(struct player *p, double speed)
{
	memset(p, 0, sizeof(*p));
	p->speed = speed;
}

void
player_next(struct player *p, int64_t length_ns, int64_t now_ns)
{
	if (!p->started)
		p->due_ns = now_ns;
	else if (p->speed > 0)
		p->due_ns += (int64_t)((double)length_ns / p->speed);
	if (p->due_ns < now_ns - LATE_NS)
		p->due_ns = now_ns;
	p->started = true;
}

int64_t
player_wait(const struct player *p, int64_t now_ns)
{
	if (p->steps > 0)
		return 0;
	if (p->paused)
		return PLAYER_FOREVER;
	if (p->speed <= 0 || p->due_ns <= now_ns)
		return 0;
	return p->due_ns - now_ns;
}

void
player_shown(struct player *p, int64_t now_ns)
{
	if (p->steps == 0)
		return;
	p->steps--;
	p->due_ns = now_ns;
}

void
player_pause(struct player *p, bool paused, int64_t now_ns)
{
	p->paused = paused;
	p->steps = 0;
	if (!paused && p->due_ns < now_ns)
		p->due_ns = now_ns;
}

void
player_step(struct player *p, uint64_t intervals)
{
	p->steps = intervals;
}

void
player_faster(struct player *p, int64_t now_ns)
{
	static const double speeds[] = {
		1, 2, 5, 10, 30, 60, 300, PLAYER_SPEED_MAX
	};
	const size_t last = sizeof(speeds) / sizeof(speeds[0]) - 1;
	double before = p->speed;
	size_t i = 0;

	while (before > 0 && i < last && speeds[i] <= before)
		i++;
	p->speed = speeds[i];
	if (before > 0 && p->speed > 0 && p->due_ns > now_ns)
		p->due_ns = now_ns + (int64_t)((double)(p->due_ns - now_ns) *
		    before / p->speed);
}

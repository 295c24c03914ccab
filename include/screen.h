/* SPDX-License-Identifier: ISC */
/*
 * screen.h: the terminal: paints the view, and gives it the keys.  The only
 * user of curses.
 *
 * Nothing here waits for the terminal: what curses wants to write is kept
 * until the terminal takes it, and until then nothing more is painted.  So a
 * terminal that stands still holds up neither the intervals nor other outputs.
 *
 * The terminal is put back as it was by screen_close, while the program is
 * stopped by hand (^Z), and when it dies of a fault.  What is written to
 * standard error meanwhile is shown at the bottom (terminal.h).  In the
 * background, and on its way back from there, nothing is painted.
 *
 * There is one screen at a time.  All calls from one thread, the one that
 * opened it.
 */
#ifndef NFSRATED_SCREEN_H
#define NFSRATED_SCREEN_H

#include <poll.h>
#include <stdint.h>

#include "tabs.h"
#include "terminal.h"

#define SCREEN_FDS	TERMINAL_FDS

struct screen;

/*
 * Can standard output show a screen?  NULL when it can, else what is missing,
 * in words ("TERM is not set").
 */
const char *screen_missing(void);

/*
 * Takes the terminal of standard output for the view, which is borrowed.
 * NULL and errno when it cannot: then nothing was changed.
 */
struct screen *screen_open(struct tabs *);
/* Puts the terminal back as it was.  NULL is fine. */
void	screen_close(struct screen *);

/*
 * What to wait for, and how long at most (-1: as long as it takes); then, or
 * whenever something was put into the view, run.  Never waits itself.
 */
void	screen_poll(const struct screen *, struct pollfd[SCREEN_FDS]);
int	screen_timeout_ms(const struct screen *, int64_t now_ns);
/*
 * Reads keys and paints.  Gives what a key asks for; run again until it is
 * TABS_NOTHING.  TABS_QUIT also when the terminal is gone.
 */
enum tabs_action screen_run(struct screen *, int64_t now_ns);

#endif

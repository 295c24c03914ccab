/* SPDX-License-Identifier: ISC */
/*
 * terminal.h: the terminal of standard output as a thing that is taken and put
 * back: its modes, its size, its signals, and bytes to it that wait until it
 * takes them.
 *
 * Nothing here waits for the terminal, but for terminal_leave, which gives it
 * TERMINAL_LAST_MS for what is still to be written.  The terminal is put back
 * when the program dies of a fault in any thread that has not blocked the
 * signal.  Standard error, if it is the same terminal, is kept as long as the
 * terminal is taken, and written when it is closed.
 *
 * Life: open; enter and leave in turn; close.  One at a time; from one thread.
 */
#ifndef NFSRATED_TERMINAL_H
#define NFSRATED_TERMINAL_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#define TERMINAL_FDS		3
#define TERMINAL_LAST_MS	200
#define TERMINAL_MESSAGE_MAX	4096

struct terminal;

/* NULL and errno when there is none, or it cannot be had. */
struct terminal *terminal_open(void);
void	terminal_close(struct terminal *);	/* leaves it; NULL is fine */

/* For reading keys; never blocks. */
int	terminal_fd(const struct terminal *);
/* What to write to it when it is put back after a fault: some bytes more. */
void	terminal_add_leaving(struct terminal *, const char *);

/*
 * Takes it, also once more after somebody else had it: keys come one by one,
 * nothing is echoed.  False when the program is in the background, or the
 * terminal is gone.
 */
bool	terminal_enter(struct terminal *);
/* Puts back what it was before. */
void	terminal_leave(struct terminal *);
bool	terminal_is_ours(const struct terminal *);
/* It has hung up. */
bool	terminal_is_gone(struct terminal *);

/* False when memory is short: then nothing of it is written. */
bool	terminal_write(struct terminal *, const void *, size_t);
/* What it takes now. */
void	terminal_flush(struct terminal *);
size_t	terminal_pending(const struct terminal *);

/* False when it does not say. */
bool	terminal_size(const struct terminal *, int *rows, int *cols);

enum terminal_event {
	TERMINAL_RESIZED = 1,
	TERMINAL_STOP = 2,	/* the user wants to stop the program */
	TERMINAL_CONTINUED = 4	/* it was stopped: it is not ours any more */
};
/* What has happened since the last time, ored. */
unsigned int terminal_events(struct terminal *);
/*
 * Stops the program, which must have left the terminal, until it is
 * continued.
 */
void	terminal_stop(struct terminal *);

/* The last line that came to standard error; NULL when nothing new did. */
const char *terminal_message(struct terminal *);

/* Keys, room for more bytes, events, messages. */
void	terminal_poll(const struct terminal *, struct pollfd[TERMINAL_FDS]);

#endif

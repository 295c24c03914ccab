/* SPDX-License-Identifier: ISC */
/*
 * sdnotify.h: tells a service manager how we are: datagrams to the socket
 * that NOTIFY_SOCKET names (sd_notify(3), without its library).
 */
#ifndef NFSRATED_SDNOTIFY_H
#define NFSRATED_SDNOTIFY_H

#include <stdbool.h>
#include <stdint.h>

struct sdnotify {
	int	fd;		/* -1: nobody wants to know */
	int64_t	watchdog_ns;	/* to be told within; 0: never */
	int64_t	told_ns;
};

/*
 * Connects, as the environment says, and takes it out of there so that no
 * other process does.
 */
void	sdnotify_open(struct sdnotify *);
void	sdnotify_close(struct sdnotify *);
/* "READY=1", "STATUS=..."; several by newlines. */
void	sdnotify_tell(struct sdnotify *, const char *state);
/* All is well; told at half the time that the manager waits. */
void	sdnotify_alive(struct sdnotify *, int64_t now_ns);
/* How long until it has to be told again; -1: for ever. */
int	sdnotify_wait_ms(const struct sdnotify *, int64_t now_ns);

#endif

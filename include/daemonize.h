/* SPDX-License-Identifier: ISC */
/*
 * daemonize.h: into the background, but not before it is known whether the
 * start has worked; and the pid file.
 *
 * The process that was started waits at a lifeline: it ends with status 0 when
 * the background process says that it runs, or with that one's exit status
 * when it ends before.  Until then messages go to its terminal.
 */
#ifndef NFSRATED_DAEMONIZE_H
#define NFSRATED_DAEMONIZE_H

#include <stdbool.h>

#define DAEMONIZE_ERROR_MAX	512

struct lifeline {
	int	fd;		/* -1: none */
	int	null;		/* /dev/null, for later */
};

/*
 * Gives false in the process that was started, with the status that it is to
 * end with; true in the background, or when it could not go there: then the
 * status is not 0 and errno says why.
 */
bool	lifeline_fork(struct lifeline *, int *status);
/*
 * It runs: lets the other process end, and leaves its terminal.  Opens
 * nothing.
 */
void	lifeline_ready(struct lifeline *);

struct pidkeeper;

/*
 * Takes the file, so that nobody else can.  NULL and one line of text, as when
 * another process has it.
 */
struct pidkeeper *pidkeeper_open(const char *path,
	    char err[DAEMONIZE_ERROR_MAX]);
/*
 * Writes the number of this process, and leaves behind a process with the
 * privileges of now that removes the file when this one ends, in whatever way.
 * 0, or -1 and errno.
 */
int	pidkeeper_write(struct pidkeeper *);
/* It goes at once; NULL is fine. */
void	pidkeeper_close(struct pidkeeper *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * runner.h: runs a command again and again, one at a time, each with other
 * facts in its environment.
 *
 * The command gets nothing to read; what it prints comes out line by line.  It
 * is ended when it takes too long, with all that it has started.  Runs that
 * have to wait for it are kept in order, RUNNER_QUEUE of them; then the oldest
 * goes, and is told.  Time comes as an argument.
 *
 * Life: new; add; run whenever runner_fd is readable or runner_wait_ms has
 * passed; free, when it is not busy.
 */
#ifndef NFSRATED_RUNNER_H
#define NFSRATED_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUNNER_QUEUE	16
#define RUNNER_FACTS	32	/* in the environment of one run */

struct runner;

struct runner_config {
	char		*const *argv;	/* ended by NULL; found by PATH */
	int64_t		 timeout_ns;
	/* A line of the command, or about it. */
	void		(*line)(void *ctx, const char *line);
	void		*ctx;
};

/* NULL and errno when memory is short. */
struct runner *runner_new(const struct runner_config *);
void	runner_free(struct runner *);

/*
 * Facts are "NAME=value", each ended by a NUL.  Only names that begin with
 * "NFSRATED_", and values without control characters, are taken.
 */
void	runner_add(struct runner *, const char *facts, size_t len);
bool	runner_is_busy(const struct runner *);

int	runner_fd(const struct runner *);	/* -1 none */
/* -1: as long as it takes. */
int	runner_wait_ms(const struct runner *, int64_t now_ns);
void	runner_run(struct runner *, int64_t now_ns);

#endif

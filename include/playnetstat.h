/* SPDX-License-Identifier: ISC */
/*
 * playnetstat.h: a file or pipe of netstat's rows as intervals.
 *
 * Rows of a regular file count from 1970 on, those of a pipe from now on.
 * Lines that are no rows are told, the first few of them.
 *
 * Life: open; step until it gives false; close.  Not thread-safe.
 */
#ifndef NFSRATED_PLAYNETSTAT_H
#define NFSRATED_PLAYNETSTAT_H

#include <stdbool.h>
#include <stdint.h>

#include "netstatfile.h"
#include "sample.h"
#include "unpack.h"

#define PLAYNETSTAT_ERROR_MAX	512

struct playnetstat;

struct playnetstat_config {
	const char	*name;		/* "-": standard input; borrowed */
	int64_t		 interval_ns;
	bool		 total;		/* of two groups of columns */
	unpack_wait	*wait;
	void		(*sample)(void *ctx, const struct sample *);
	void		*ctx;		/* of both */
};

/* NULL and one line of text. */
struct playnetstat *playnetstat_open(const struct playnetstat_config *,
	    char err[PLAYNETSTAT_ERROR_MAX]);
void	playnetstat_close(struct playnetstat *);
/* Reads some lines; false at the end, or when wait gave up. */
bool	playnetstat_step(struct playnetstat *);
/* What the rows were like so far. */
const struct netstatfile_stats *playnetstat_stats(const struct playnetstat *);
/* Why it ended, when that was a fault; else NULL. */
const char *playnetstat_error(const struct playnetstat *);

#endif

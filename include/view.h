/* SPDX-License-Identifier: ISC */
/*
 * view.h: intervals as rows of text, netstat-style (DESIGN sec. 5).
 *
 * Packets and bytes are those of the wire, which are compared with the
 * expectation and with netstat; with total they are the interface's own
 * counters.  What is not known is "-".  "*" behind the time marks an interval
 * that was not watched from start to end, "~" before the verdict one that
 * cannot be trusted.  Columns keep their width: figures too long for it have
 * k, M or G behind them.  Pure.
 */
#ifndef NFSRATED_VIEW_H
#define NFSRATED_VIEW_H

#include <stdbool.h>

#include "judgement.h"
#include "sample.h"
#include "textbuf.h"

#define VIEW_BANNER_EVERY	21	/* rows, as netstat has it */

struct view_options {
	bool		total;		/* netstat's columns first */
	bool		human;		/* bytes as "12.3M" */
	bool		numeric;	/* no names: nothing in a row has any */
	int64_t		interval_ns;
	const char	*source;	/* "eth0", a file's name; borrowed */
};

/* How a row should look. */
enum view_attr { VIEW_PLAIN, VIEW_DIM, VIEW_BAD };

/* Two lines. */
void	view_banner(struct textbuf *, const struct view_options *);
/*
 * One line; before it another one when time went back.  The judgement may be
 * NULL.
 */
void	view_row(struct textbuf *, const struct view_options *,
	    const struct sample *, const struct judgement *);
enum view_attr view_row_attr(const struct sample *, const struct judgement *);

#endif

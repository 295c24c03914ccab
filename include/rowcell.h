/* SPDX-License-Identifier: ISC */
/*
 * rowcell.h: what stands in the cells of an interval's row, as short text.
 *
 * Packets and bytes are those of the wire.  What is not known is "-".  Figures
 * too long for their width have k, M or G behind them.  Pure.
 */
#ifndef NFSRATED_ROWCELL_H
#define NFSRATED_ROWCELL_H

#include <stdbool.h>

#include "figures.h"
#include "judgement.h"
#include "sample.h"

enum rowcell {
	ROWCELL_TIME,		/* local, "*" behind it when partial */
	ROWCELL_IN_PACKETS, ROWCELL_IN_ERRS, ROWCELL_IN_BYTES,
	ROWCELL_OUT_PACKETS, ROWCELL_OUT_ERRS, ROWCELL_OUT_BYTES,
	ROWCELL_COLLS,
	/* the interface's own counters */
	ROWCELL_IF_IN_PACKETS, ROWCELL_IF_IN_ERRS, ROWCELL_IF_IN_BYTES,
	ROWCELL_IF_OUT_PACKETS, ROWCELL_IF_OUT_ERRS, ROWCELL_IF_OUT_BYTES,
	ROWCELL_WRITES, ROWCELL_WRITE_MBPS, ROWCELL_WRITE_MS,
	ROWCELL_READS, ROWCELL_READ_MBPS, ROWCELL_READ_MS,
	ROWCELL_CALLS, ROWCELL_RESENT, ROWCELL_DEPTH,
	ROWCELL_ON,		/* share of 10 ms bins with input */
	ROWCELL_DROPS,		/* kernel and interface */
	ROWCELL_WHERE,		/* the state that took most of the time */
	ROWCELL_VERDICT,	/* "~" before it when trust is low */
	ROWCELLS
};

#define ROWCELL_TRUSTED	0.9	/* less is marked */

struct rowcell_row {
	const struct sample *s;
	const struct judgement *v;	/* or NULL */
	bool		human;		/* bytes as "12.3M" */
	bool		tenths;		/* of seconds, in the time */
};

/* Gives buf. */
const char *rowcell_text(char buf[FIGURES_SIZE], enum rowcell,
	    const struct rowcell_row *, int width);

#endif

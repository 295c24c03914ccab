/* SPDX-License-Identifier: ISC */
/*
 * reportcell.h: right-aligned cells of a report's tables, each behind a blank
 * at least; what does not fit is shortened (figures.h).  Pure.
 */
#ifndef NFSRATED_REPORTCELL_H
#define NFSRATED_REPORTCELL_H

#include <stdint.h>

#include "textbuf.h"

#define REPORT_ROWS	10		/* of clients, sizes, ... */

void	reportcell_text(struct textbuf *, int width, const char *);
void	reportcell_count(struct textbuf *, int width, uint64_t);
void	reportcell_real(struct textbuf *, int width, double, int decimals);
/* Microseconds in milliseconds, the mean of n; "-" of none. */
void	reportcell_mean_ms(struct textbuf *, int width, uint64_t sum_us,
	    uint64_t n);

#endif

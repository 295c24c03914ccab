/* SPDX-License-Identifier: ISC */
/*
 * report.h: the totals as a page of text that can be pasted into a ticket.
 *
 * Sections without anything to say are left out.  Pure.
 */
#ifndef NFSRATED_REPORT_H
#define NFSRATED_REPORT_H

#include <stddef.h>

#include "textbuf.h"
#include "totals.h"

/*
 * source ("eth0", a file's name) and why, the lines that reportwhy.h makes to
 * stand first, may be NULL.
 */
void	report_text(struct textbuf *, const struct totals *, const char *why,
	    const char *source);

#endif

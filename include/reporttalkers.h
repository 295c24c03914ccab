/* SPDX-License-Identifier: ISC */
/*
 * reporttalkers.h: the part of a report on who talked: clients, their data
 * that is not committed, users.  Pure.
 */
#ifndef NFSRATED_REPORTTALKERS_H
#define NFSRATED_REPORTTALKERS_H

#include "textbuf.h"
#include "totals.h"

/* Appends the tables that have rows. */
void	reporttalkers(struct textbuf *, const struct totals *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * reportwhy.h: the part of the report that says how it was and why: the
 * verdict with the rates it rests on, where the time went, the episodes, and
 * the diagnosis in plain sentences.  Pure.
 */
#ifndef NFSRATED_REPORTWHY_H
#define NFSRATED_REPORTWHY_H

#include <stddef.h>

#include "diagnose.h"
#include "facts.h"
#include "judgement.h"
#include "rules.h"
#include "textbuf.h"

#define REPORTWHY_EPISODES	10	/* the latest are shown */

void	reportwhy_text(struct textbuf *, const struct rules_overall *,
	    const struct facts *, const struct episode *, size_t n);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * diagnoserules.h: the table of diagnosis rules; for diagnose.c.
 */
#ifndef NFSRATED_DIAGNOSERULES_H
#define NFSRATED_DIAGNOSERULES_H

#include <stdint.h>

#include "facts.h"

struct diagnose_rule {
	const char	*name;		/* NULL ends the table */
	/* How much it matters; 0 and less: it does not hold. */
	double		 (*weight)(const struct facts *);
	const char	*sentence;
};

/* The rule, or the end for any number behind it. */
const struct diagnose_rule *diagnose_rule(uint32_t);

#endif

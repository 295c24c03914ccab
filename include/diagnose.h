/* SPDX-License-Identifier: ISC */
/*
 * diagnose.h: facts to plain sentences, each with the figures it rests on.
 *
 * The rules are a const table: a name, a condition that gives a weight (0: it
 * does not hold), and a sentence with names of evidence in braces, which are
 * printed from the facts by another const table.  Those that weigh most are
 * told first.  Pure.
 */
#ifndef NFSRATED_DIAGNOSE_H
#define NFSRATED_DIAGNOSE_H

#include <stddef.h>
#include <stdint.h>

#include "facts.h"

#define DIAGNOSE_MAX	3	/* sentences that a report shows */
#define DIAGNOSE_RULES	32	/* room for all of them */
#define DIAGNOSE_TEXT	256
#define DIAGNOSE_NOTHING "Nothing wrong was seen."

struct diagnosis {
	const char	*name;		/* "client", "tcp-loss", ... */
	double		weight;
	char		text[DIAGNOSE_TEXT];
};

/* The sentences that hold, most weight first, up to max; how many. */
uint32_t diagnose(const struct facts *, struct diagnosis *, uint32_t max);

/* Names of the rules in the order of the table; NULL behind the last. */
const char *diagnose_name(uint32_t rule);

#endif

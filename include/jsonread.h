/* SPDX-License-Identifier: ISC */
/*
 * jsonread.h: a line of JSON, as json.h and jsonlog.h write it, to a sample
 * and its judgement, or an episode.  The only user of jansson.
 *
 * What jsonlog.h wrote comes back whole; without the member "log" (output of
 * --json) what the object does not hold is made up: latencies have a mean and
 * a maximum, and no distribution.  Members that are not known are passed over;
 * numbers out of range are held to it.  Pure.
 */
#ifndef NFSRATED_JSONREAD_H
#define NFSRATED_JSONREAD_H

#include <stddef.h>

#include "judgement.h"
#include "sample.h"

#define JSONREAD_ERROR_MAX	128

enum jsonread_kind {
	JSONREAD_SECOND,	/* sample, has_judgement, judgement */
	JSONREAD_EPISODE,	/* episode */
	JSONREAD_LOST,		/* lost intervals before lost_ns */
	JSONREAD_OTHER,		/* an object of another type, as a summary */
	JSONREAD_BAD		/* no object of JSON at all */
};

struct jsonread_record {
	struct sample	sample;
	bool		has_judgement;
	struct judgement judgement;
	struct episode	episode;
	uint64_t	lost;
	int64_t		lost_ns;
};

/* Without its newline.  Says why when it is BAD. */
enum jsonread_kind jsonread_line(const char *, size_t len,
	    struct jsonread_record *, char err[JSONREAD_ERROR_MAX]);

/* "2026-11-30T20:28:01.000Z"; false when it is no time. */
bool	jsonread_time(const char *, int64_t *ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * jsonreadlog.h: the member "log" of a line of the rate log (jsonlog.h) back
 * into the sample.
 */
#ifndef NFSRATED_JSONREADLOG_H
#define NFSRATED_JSONREADLOG_H

#include <jansson.h>

#include "sample.h"

/* No time in it is longer: 30 years. */
#define JSONREADLOG_LONG_NS	INT64_C(946080000000000000)

/* The sample has all that the object of the interval itself holds. */
void	jsonreadlog(json_t *log, struct sample *);

/*
 * The row of an operation by the keys of JSON, "nfs3" and "WRITE"; NULL when
 * they name none, or there is no room.
 */
struct sample_op *jsonreadlog_op(struct sample *, const char *program,
	    const char *name);

#endif

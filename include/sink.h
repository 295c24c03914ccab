/* SPDX-License-Identifier: ISC */
/*
 * sink.h: what an output offers: it takes intervals, episodes and, at the
 * end, the totals.
 *
 * Every call gives 0, or -1 and errno when it could not write (EPIPE: nobody
 * reads any more).  A row is handed to the system before the call returns.
 * Members that an output has no use for are NULL: use the functions below.
 */
#ifndef NFSRATED_SINK_H
#define NFSRATED_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "judgement.h"
#include "sample.h"
#include "totals.h"
#include "view.h"

struct sink;

struct sink_class {
	int	(*sample)(struct sink *, const struct sample *,
		    const struct judgement *);
	int	(*episode)(struct sink *, const struct episode *);
	int	(*finish)(struct sink *, const struct totals *,
		    const struct episode *episodes, size_t n);
	int	(*reopen)(struct sink *);	/* SIGHUP */
	void	(*close)(struct sink *);	/* frees it */
};

/* Stands first in whatever an output is made of. */
struct sink {
	const struct sink_class *class;
};

/* The judgement may be NULL. */
int	sink_sample(struct sink *, const struct sample *,
	    const struct judgement *);
int	sink_episode(struct sink *, const struct episode *);
int	sink_finish(struct sink *, const struct totals *,
	    const struct episode *episodes, size_t n);
int	sink_reopen(struct sink *);
void	sink_close(struct sink *);	/* NULL is fine */

/*
 * The file is the caller's.  Text: rows under a banner, and the report at the
 * end if it is asked for.  JSON: a line for each.  NULL and errno when memory
 * is short.
 */
struct sink *sink_text_new(FILE *, const struct view_options *, bool report);
struct sink *sink_json_new(FILE *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * json.h: samples, episodes and totals as JSON, one object a line (DESIGN
 * sec. 4, the contract that tests and tools use).
 *
 * Each function appends one object and a newline.  Pure: see textbuf.h for
 * what happens when memory is short.
 */
#ifndef NFSRATED_JSON_H
#define NFSRATED_JSON_H

#include "jsonout.h"
#include "judgement.h"
#include "sample.h"
#include "textbuf.h"
#include "totals.h"

/* The judgement may be NULL: nobody judged. */
void	json_second(struct textbuf *, const struct sample *,
	    const struct judgement *);
/* The same with further members at its end. */
void	json_second_and(struct textbuf *, const struct sample *,
	    const struct judgement *,
	    void (*more)(struct jsonout *, const struct sample *,
	    const struct judgement *));
/* The members of it that are counts, as if the sample had data. */
void	json_counts(struct jsonout *, const struct sample *);
/* Whether it is the start or the end, the episode says. */
void	json_episode(struct textbuf *, const struct episode *);
/* Episodes may be NULL when there are none. */
void	json_summary(struct textbuf *, const struct totals *,
	    const struct episode *episodes, size_t n);

#endif

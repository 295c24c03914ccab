/* SPDX-License-Identifier: ISC */
/*
 * verdicts.h: from the options to verdicts, and the episodes so far.
 *
 * Not thread-safe.
 */
#ifndef NFSRATED_VERDICTS_H
#define NFSRATED_VERDICTS_H

#include <stddef.h>

#include "judgement.h"
#include "options.h"
#include "rules.h"
#include "sample.h"

#define VERDICTS_EPISODES	1024	/* the latest are kept */

struct verdicts;

struct verdicts_config {
	const struct options *options;	/* borrowed, for as long */
	double		 link_bps;	/* of the interface, 0 unknown; --link
					 * comes before it */
	/* Whose place it takes: what that learned is taken over, and no file
	 * is read.  NULL: there was none. */
	const struct verdicts *before;
	/* An episode has started, or ended (episode->ended); borrowed. */
	void		(*episode)(void *ctx, const struct episode *);
	void		*ctx;
};

/* NULL and errno when memory is short. */
struct verdicts *verdicts_new(const struct verdicts_config *);
void	verdicts_free(struct verdicts *);

/* The file of what is learned, or NULL. */
const char *verdicts_state(const struct verdicts *);
/*
 * From now on it is written by these: create gives a descriptor of a new file,
 * commit puts it in place; -1 and errno.
 */
void	verdicts_store(struct verdicts *, int (*create)(void *ctx),
	    int (*commit)(void *ctx), void *ctx);

/* Intervals in order of time. */
void	verdicts_interval(struct verdicts *, const struct sample *,
	    struct judgement *);
/* The same of one that was judged earlier, and stands in a log; episodes are
 * then those that verdicts_note tells. */
void	verdicts_judged(struct verdicts *, const struct sample *,
	    const struct judgement *);
/* An episode that was found earlier, and stands in a log. */
void	verdicts_note(struct verdicts *, const struct episode *);
/* No more intervals: an open episode ends. */
void	verdicts_finish(struct verdicts *);

/* The latest episodes, an open one included, in order; borrowed. */
const struct episode *verdicts_episodes(const struct verdicts *, size_t *n);
const struct rules *verdicts_rules(const struct verdicts *);

#endif

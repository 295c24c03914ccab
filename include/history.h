/* SPDX-License-Identifier: ISC */
/*
 * history.h: the last intervals and what was said of them.
 *
 * Each interval has a number: the first one pushed is 0, and numbers stay as
 * older intervals are forgotten.  Of each interval there are three layers: a
 * brief, to be read at once; its counters, for rows of rates; and its rows of
 * operations, clients, files and so on, which are forgotten sooner when they
 * are many.  Memory is reserved by history_new, touched as it is used, and
 * never grows.
 *
 * Not thread-safe.
 */
#ifndef NFSRATED_HISTORY_H
#define NFSRATED_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "judgement.h"
#include "sample.h"

struct history;

struct history_config {
	uint32_t	intervals;	/* 0: 7200, two hours of seconds */
	size_t		rows;		/* bytes for their rows; 0: 24 MiB, at
					 * 2 to 6 KiB an interval */
};

/* What graphs and searches look at. */
struct history_brief {
	int64_t		start_ns, length_ns;
	float		pps;		/* wire packets towards servers a
					 * second */
	float		wps;		/* WRITEs a second */
	float		mbps;		/* and their megabytes */
	float		expected;
	enum expect_kind expect;	/* which of the three that is of */
	enum verdict	verdict;
	enum sample_state where;	/* the state that took most time */
	float		share;		/* of it; 0 unknown */
	bool		has_verdict;
	bool		partial, gap, restarted, no_data;
};

/* NULL and errno when memory is short. */
struct history *history_new(const struct history_config *);
void	history_free(struct history *);
/* Forgets all; numbers go on. */
void	history_clear(struct history *);

/* The judgement may be NULL. */
void	history_push(struct history *, const struct sample *,
	    const struct judgement *);

/* Intervals are those from first up to, but not including, end. */
uint64_t history_first(const struct history *);
uint64_t history_end(const struct history *);

/* NULL when there is no such interval; good until the next push. */
const struct history_brief *history_brief(const struct history *, uint64_t);
/*
 * The interval with its counters, but without rows, and what was said of it
 * (has_verdict is false and expect none when nothing was).  False when there
 * is no such interval.
 */
bool	history_counters(const struct history *, uint64_t, struct sample *,
	    struct judgement *);
/* All of it; with *rows false when its rows are forgotten. */
bool	history_whole(const struct history *, uint64_t, struct sample *,
	    struct judgement *, bool *rows);

/*
 * The last interval that starts at or before a time, else the first one; end
 * when there is none at all.
 */
uint64_t history_find(const struct history *, int64_t time_ns);

/* The rate of an interval that an expectation is of: NONE as PPS. */
double	history_rate(const struct history_brief *, enum expect_kind);

#endif

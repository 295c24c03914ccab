/* SPDX-License-Identifier: ISC */
/*
 * expect.h: how much there should have been in an interval (DESIGN sec. 3).
 *
 * Expectations are given as numbers, or follow from the link (auto), or from
 * what was there before (learn).
 *
 * auto: packets a second that the link carries at the length of the frames
 * that WRITEs use: the mean input frame of the last dozens of intervals in
 * which most of the input was WRITE data.
 *
 * learn: the rate of input packets below which EXPECT_QUANTILE of the
 * intervals with demand lay.  It is known after EXPECT_LEARN_MIN of them, and
 * old ones fade when there are very many.  What was learned is kept in a
 * small file of text, written anew and put in place by rename.
 *
 * Not thread-safe.
 */
#ifndef NFSRATED_EXPECT_H
#define NFSRATED_EXPECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "judgement.h"
#include "sample.h"

#define EXPECT_GIVEN_MAX	16
#define EXPECT_MAX		(EXPECT_GIVEN_MAX + 2)
#define EXPECT_QUANTILE		0.95
#define EXPECT_LEARN_MIN	60
#define EXPECT_ERROR_MAX	256

struct expected {
	enum expect_kind kind;
	double		value;
};

struct expect_config {
	struct expected	given[EXPECT_GIVEN_MAX];
	uint32_t	givens;
	bool		automatic;
	double		link_bps;	/* for automatic; 0 unknown: nothing is
					 * expected */
	bool		learn;
};

struct expect;

/* NULL and errno when memory is short. */
struct expect *expect_new(const struct expect_config *);
void	expect_free(struct expect *);

/*
 * What this interval should have had; its frames are taken into account.
 * Those that cannot be compared with it (WRITEs, where only packets are
 * counted; bytes, where they are encrypted) are left out.  Gives the number.
 */
uint32_t expect_of(struct expect *, const struct sample *,
	    struct expected[EXPECT_MAX]);
/* An interval with demand, fully watched. */
void	expect_learn(struct expect *, const struct sample *);

/* The rate of an interval, in units of the kind; NONE: input packets. */
double	expect_rate(enum expect_kind, const struct sample *);
/* Bytes that one unit stands for in this interval; 0 unknown. */
double	expect_unit_bytes(enum expect_kind, const struct sample *);

/*
 * The file of what was learned: 0, or -1 and a line of text.  A file that is
 * not there is no error; one that cannot be believed changes nothing.
 */
int	expect_load(struct expect *, const char *path,
	    char err[EXPECT_ERROR_MAX]);
int	expect_save(const struct expect *, const char *path,
	    char err[EXPECT_ERROR_MAX]);
/* The same into a file that is open; false and errno. */
bool	expect_write(const struct expect *, FILE *);
/* What another learned. */
void	expect_take(struct expect *, const struct expect *from);

#endif

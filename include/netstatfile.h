/* SPDX-License-Identifier: ISC */
/*
 * netstatfile.h: the tables that BSD `netstat -w 1` prints, to samples.
 *
 * The line of column names says what there is; these forms are known, with
 * and without -I and -d, and headers may stand anywhere:
 *
 *  FreeBSD, DragonFly, macOS   packets errs [idrops] bytes
 *                              packets errs bytes colls [drops]
 *  OpenBSD, NetBSD             packets errs packets errs colls [drops]
 *                              twice: an interface, then the total
 *    with -b                   bytes bytes, twice
 *
 * Of two groups the interface's is taken, the total's when the interface is
 * lo* (which these systems may show when none was named), or by config.
 * Seven numbers without a header are read as FreeBSD's.
 *
 * The first row below each header is cumulative in OpenBSD and NetBSD, since
 * these begin from 0 there; it is skipped.  FreeBSD prints none; still, its
 * very first row is held back until the next, and skipped when it is
 * NETSTATFILE_ABSURD times as large as that and as NETSTATFILE_SMALL.
 *
 * Rows carry no time: they are intervals one after the other.  What is no
 * row, header or blank line is an error: told, counted and passed over.
 */
#ifndef NFSRATED_NETSTATFILE_H
#define NFSRATED_NETSTATFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"

#define NETSTATFILE_ABSURD	100
#define NETSTATFILE_SMALL	1000	/* packets */
#define NETSTATFILE_NAME_MAX	17	/* of an interface, with the NUL */

struct netstatfile;

struct netstatfile_config {
	int64_t		start_ns;	/* of the first row */
	int64_t		interval_ns;
	bool		total;		/* of two groups, the total */
	uint32_t	mtu;		/* default 1500, see skewed */
	/* A row as an interval; borrowed.  Called from push and finish. */
	void		(*emit)(void *ctx, struct sample *);
	/* A line that is none of netstat's, numbered from 1; may be NULL. */
	void		(*error)(void *ctx, uint64_t line, const char *why);
	void		*ctx;
};

struct netstatfile_stats {
	uint64_t	lines, rows, headers;
	uint64_t	cumulative;	/* rows skipped */
	uint64_t	errors;		/* lines */
	uint64_t	skewed;		/* rows whose mean input packet is
					 * longer than the MTU and a header of
					 * 14 bytes: packets and bytes were
					 * counted at different times */
	double		largest_mean;	/* of them, bytes */
	char		name[NETSTATFILE_NAME_MAX];	/* "em0", "(Total)" */
};

/* NULL and errno when memory is short. */
struct netstatfile *netstatfile_new(const struct netstatfile_config *);
void	netstatfile_free(struct netstatfile *);

/* The next bytes, cut anywhere. */
void	netstatfile_push(struct netstatfile *, const char *data, size_t len);
/* No more: a last line without its end, and a row held back. */
void	netstatfile_finish(struct netstatfile *);

const struct netstatfile_stats *netstatfile_stats(const struct netstatfile *);

#endif

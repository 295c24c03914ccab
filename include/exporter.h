/* SPDX-License-Identifier: ISC */
/*
 * exporter.h: an output that makes metrics of what it is given, and has them
 * served over HTTP, written to a file, or both.
 *
 * Texts are made anew after an interval, but not more often than every
 * EXPORTER_FRESH_NS; the file every EXPORTER_FILE_NS.  The end is always
 * there.  A request may take EXPORTER_REQUEST_NS.
 *
 * Life: open, while there are privileges; start, when they are gone; the sink
 * is given intervals; the sink's close frees it.
 */
#ifndef NFSRATED_EXPORTER_H
#define NFSRATED_EXPORTER_H

#include <stdbool.h>
#include <stdint.h>

#include "sink.h"
#include "totals.h"

#define EXPORTER_ERROR_MAX	512
#define EXPORTER_FRESH_NS	INT64_C(200000000)
#define EXPORTER_FILE_NS	INT64_C(10000000000)
#define EXPORTER_REQUEST_NS	INT64_C(30000000000)

struct exporter;

struct exporter_config {
	const char	*listen;	/* see optvalue_listen; NULL: no */
	/* A new file, and it is whole; -1 and errno.  NULL: none. */
	int		(*create)(void *ctx);
	int		(*commit)(void *ctx);
	void		*ctx;
	const char	*source;	/* its name; borrowed */
	int64_t		 interval_ns;
	const struct totals *totals;	/* borrowed; they have each interval
					 * before the sink is given it */
};

/* NULL and one line of text. */
struct exporter *exporter_open(const struct exporter_config *,
	    char err[EXPORTER_ERROR_MAX]);
/* 0, or -1 and one line of text. */
int	exporter_start(struct exporter *, char err[EXPORTER_ERROR_MAX]);
struct sink *exporter_sink(struct exporter *);

/* Somebody may come for what it has, also after the end. */
bool	exporter_serves(const struct exporter *);
/* The port that it listens on; 0 none. */
uint16_t exporter_port(const struct exporter *);

void	exporter_lost(struct exporter *, uint64_t intervals);
/* The totals are what they will be. */
void	exporter_ended(struct exporter *);

#endif

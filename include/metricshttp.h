/* SPDX-License-Identifier: ISC */
/*
 * metricshttp.h: pages of text over HTTP, from a thread of its own; the only
 * user of libmicrohttpd.
 *
 * /metrics in the format that is asked for, / the status page, /healthz.  GET
 * and HEAD only.  Nothing of a request is kept or used but its method, path
 * and Accept header.  What is served was made before: the thread never looks
 * at what it is made of, so who is slow holds up nobody.
 *
 * At most METRICSHTTP_CONNECTIONS at a time, and so many of one address; who
 * neither reads nor writes for METRICSHTTP_TIMEOUT seconds is hung up on, and
 * who does so too slowly, by metricshttp_hang_up.  Others wait in the kernel's
 * queue.
 *
 * Life: open the socket; start the thread, when privileges are gone; put what
 * there is, again and again; close.  All from one thread.
 */
#ifndef NFSRATED_METRICSHTTP_H
#define NFSRATED_METRICSHTTP_H

#include <stdint.h>

#include "addr.h"
#include "textbuf.h"

#define METRICSHTTP_ERROR_MAX	256
#define METRICSHTTP_CONNECTIONS	32
#define METRICSHTTP_PER_ADDRESS	16
#define METRICSHTTP_TIMEOUT	10

enum metricshttp_page {
	METRICSHTTP_CLASSIC, METRICSHTTP_OPENMETRICS, METRICSHTTP_STATUS,
	METRICSHTTP_PAGES
};

struct metricshttp;

/*
 * Port 0: any that is free.  The address of no bits is every address.  NULL
 * and one line of text.
 */
struct metricshttp *metricshttp_open(const struct endpoint *,
	    char err[METRICSHTTP_ERROR_MAX]);
uint16_t metricshttp_port(const struct metricshttp *);
/* -1 and errno. */
int	metricshttp_start(struct metricshttp *);
void	metricshttp_close(struct metricshttp *);	/* NULL is fine */

/*
 * What is served from now on; texts are taken over.  All is well up to this
 * time of the monotonic clock (INT64_MAX: for ever).  -1 and errno: what there
 * was stays.
 */
int	metricshttp_put(struct metricshttp *,
	    struct textbuf pages[METRICSHTTP_PAGES], int64_t good_until_ns);
/* On who has come before that time of the monotonic clock, and is here still:
 * a connection is for one request. */
void	metricshttp_hang_up(struct metricshttp *, int64_t before_ns);
/* Requests so far. */
void	metricshttp_counts(const struct metricshttp *, uint64_t *served,
	    uint64_t *refused);

#endif

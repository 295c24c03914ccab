/* SPDX-License-Identifier: ISC */
/*
 * tcphold.h: the segments of a TCP stream that wait for bytes before them.
 *
 * Only tcpstream uses it.  The segments of one stream are a list by offset, in
 * heap memory that is bounded for the stream (TCPHOLD_STREAM_MAX) and for all
 * streams together (struct tcphold).  All zero is an empty list.
 */
#ifndef NFSRATED_TCPHOLD_H
#define NFSRATED_TCPHOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

#define TCPHOLD_STREAM_MAX	(256U << 10)	/* bytes held per stream,
						 * bookkeeping included */

#define TCPHOLD_TEXT_MAX	16

/* Shared by all streams of a decoder. */
struct tcphold {
	uint64_t	max;		/* bytes, bookkeeping included */
	uint64_t	used;
};

struct tcphold_segment {
	struct tcphold_segment	*next;
	uint64_t		 off;		/* in the stream */
	int64_t			 time_ns;
	uint32_t		 len;		/* on the wire, not 0 */
	uint32_t		 have;		/* captured */
	uint8_t			 data[];
};

struct tcphold_list {
	struct tcphold_segment	*first;		/* by off */
	struct tcphold_segment	*last;		/* when there is a first */
	uint64_t		 end;		/* furthest byte, likewise */
	uint32_t		 bytes;		/* bookkeeping included */
};

/* Keeps a copy of a segment; false when there is no room for it. */
bool	tcphold_keep(struct tcphold *, struct tcphold_list *, uint64_t off,
	    struct bytes, uint32_t len, int64_t time_ns);
/* How many bytes of [from, to) are in segments of the list. */
uint32_t tcphold_part(const struct tcphold_list *, uint64_t from, uint64_t to);
/* Whether this text of at most TCPHOLD_TEXT_MAX bytes waits in it. */
bool	tcphold_contains(const struct tcphold_list *, const uint8_t *text,
	    size_t len);
/* Takes the first off the list (there is one); free it with tcphold_free. */
struct tcphold_segment *tcphold_take(struct tcphold_list *);
void	tcphold_free(struct tcphold *, struct tcphold_segment *);
/* Puts back what was taken, less the first n bytes, all that was captured. */
void	tcphold_put_back(struct tcphold *, struct tcphold_list *,
	    struct tcphold_segment *, uint32_t n);
/* Frees them all. */
void	tcphold_drop(struct tcphold *, struct tcphold_list *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * tcpstreamholes.h: the part of tcpstream that remembers holes which were
 * passed over because the consumer did not need their bytes.
 *
 * Only tcpstream uses it.
 */
#ifndef NFSRATED_TCPSTREAMHOLES_H
#define NFSRATED_TCPSTREAMHOLES_H

#include <stdbool.h>
#include <stdint.h>

#include "tcpstream.h"

struct tcpstream_push {			/* arguments that travel together */
	struct tcpstream		*s;
	struct tcphold			*hold;
	const struct tcpstream_sink	*sink;
	void				*ctx;
	struct tcpstream_result		*r;
	bool				 pausing; /* no more than is wanted */
};

/* Passes over bytes that may still come, and remembers to look for them. */
void	tcpstreamholes_open(struct tcpstream_push *, uint32_t len,
	    int64_t time_ns);
/* Takes [start, end) out of the holes; gives how many bytes were missing. */
uint32_t tcpstreamholes_fill(struct tcpstream_push *, uint64_t start,
	    uint64_t end, int64_t time_ns);
/* The peer has acknowledged more. */
void	tcpstreamholes_acked(struct tcpstream *, int64_t time_ns);
/* Gives up those that are proved lost, or too old; and all. */
void	tcpstreamholes_tick(struct tcpstream *, int64_t time_ns,
	    struct tcpstream_result *);
void	tcpstreamholes_give_up(struct tcpstream *, struct tcpstream_result *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * tcptalk.h: TCP segments of a flow to RPC messages: the state of the
 * connection, its two sides (tcpside.h), and what the windows did.
 */
#ifndef NFSRATED_TCPTALK_H
#define NFSRATED_TCPTALK_H

#include <stdint.h>

#include "flow.h"
#include "tcpside.h"
#include "transport.h"

/* One segment of the flow, sent in direction dir. */
void	tcptalk_segment(const struct tcptalk *, struct flow *, int dir,
	    const struct segment *, int64_t now_ns);
/* Time has passed without packets. */
void	tcptalk_tick(const struct tcptalk *, struct flow *, int64_t now_ns);
/* No more packets: everything held is told. */
void	tcptalk_flush(const struct tcptalk *, struct flow *, int64_t now_ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * tcptalk.h: TCP segments of a flow to RPC messages: connection state, streams
 * in both directions, records, and what the network and the windows did.
 */
#ifndef NFSRATED_TCPTALK_H
#define NFSRATED_TCPTALK_H

#include <stdint.h>

#include "dialog.h"
#include "event.h"
#include "flow.h"
#include "transport.h"

struct tcptalk {
	struct dialog		*dialog;
	struct flowtable	*flows;
	struct service		*services;
	const struct decoder_listener *listener;
	void			*ctx;
};

/* One segment of the flow, sent in direction dir. */
void	tcptalk_segment(const struct tcptalk *, struct flow *, int dir,
	    const struct segment *, int64_t now_ns);
/* Time has passed without packets. */
void	tcptalk_tick(const struct tcptalk *, struct flow *, int64_t now_ns);
/* No more packets: everything held is told. */
void	tcptalk_flush(const struct tcptalk *, struct flow *, int64_t now_ns);

#endif

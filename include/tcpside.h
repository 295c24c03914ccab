/* SPDX-License-Identifier: ISC */
/*
 * tcpside.h: one direction of a TCP connection: its segments to a stream, the
 * stream to records, these to the dialog; and what the network did to it.
 *
 * A side lives on the stack while a packet, or the passing of time, is at
 * work; what stays is in struct flow_dir.  To understand a reply, the side of
 * the replies looks into that of the calls: a call may wait there behind a
 * hole, or be one of the candidates of a stream out of step.  Only tcptalk
 * uses it.
 */
#ifndef NFSRATED_TCPSIDE_H
#define NFSRATED_TCPSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "dialog.h"
#include "event.h"
#include "flow.h"
#include "tcpstream.h"
#include "transport.h"

/* What all connections share; see tcptalk.h. */
struct tcptalk {
	struct dialog		*dialog;
	struct flowtable	*flows;
	const struct decoder_listener *listener;
	void			*ctx;
};

struct tcpside {
	const struct tcptalk	*tt;
	struct talk		 talk;
	struct flow_dir		*dir;
	bool			 looking;	/* for a call with this XID */
	uint32_t		 xid;
};

void	tcpside_init(struct tcpside *, const struct tcptalk *, struct flow *,
	    int dir, int64_t now_ns);
/* Tells the listener: a counter, and what the network did. */
void	tcpside_count(const struct tcpside *, enum sample_counter, uint64_t n);
void	tcpside_net(const struct tcpside *, enum net_event_kind,
	    uint32_t bytes);

/* A SYN with this number: the stream begins, unless it is known to. */
void	tcpside_begin(struct tcpside *, uint32_t seq);
/* A segment's payload; the caller settles what it did to the stream. */
void	tcpside_push(struct tcpside *, const struct segment *,
	    struct tcpstream_result *);
void	tcpside_settle(struct tcpside *, const struct tcpstream_result *);
/* Time has passed without packets; and no more will come. */
void	tcpside_tick(struct tcpside *);
void	tcpside_flush(struct tcpside *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * event.h: what the decoder tells its listener, as plain structs.
 *
 * Everything is borrowed for the call.  Times are those of the packets that
 * carried it; events of one connection come in order, but an event that had to
 * be proved first (a resynchronised stream) may be older than the last one.
 */
#ifndef NFSRATED_EVENT_H
#define NFSRATED_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "calltable.h"
#include "rpcwalk.h"
#include "sample.h"

/* One captured packet, told once each, before anything else about it. */
struct packet_event {
	int64_t		time_ns;
	enum sample_direction dir;
	uint32_t	bytes;		/* frame on the wire, without FCS */
	uint32_t	wire_packets;	/* 1, or what offload made of it */
	uint32_t	wire_bytes;
	uint32_t	pair;		/* client-server pair, DECODER_NONE */
};
#define DECODER_NONE	UINT32_MAX

enum rpc_event_kind {
	RPC_EV_CALL,		/* a call's header, first transmission */
	RPC_EV_RESEND,		/* the same call again */
	RPC_EV_CALL_DONE,	/* its last byte has passed: call->last_ns */
	RPC_EV_REPLY,		/* a reply's header; call is what it answers;
				 * duplicate when that had been answered */
	RPC_EV_REPLY_DONE,	/* its last byte has passed: times complete */
	RPC_EV_UNMATCHED,	/* a reply to no known call; call NULL */
	RPC_EV_GONE,		/* an open call given up, 60 s or evicted */
	/*
	 * Where the snap length hides heads: a call that is probably under
	 * way, and has passed, and was none.  They count nothing; when its
	 * reply comes, RPC_EV_CALL and CALL_DONE follow with the times of the
	 * guess and call->guessed set.
	 */
	RPC_EV_GUESS,
	RPC_EV_GUESS_DONE,
	RPC_EV_GUESS_WRONG
};

struct rpc_event {
	int64_t		time_ns;
	enum rpc_event_kind kind;
	const struct call *call;	/* borrowed; NULL for UNMATCHED */
	const struct rpc_header *hdr;	/* of this message; or NULL */
	uint32_t	pair;
	const struct addr *client;	/* NULL when not known */
	const struct addr *server;
	uint32_t	outstanding;	/* of this pair, after the event */
	uint32_t	open_calls;	/* of all, after the event */
	bool		duplicate;
	/* REPLY_DONE of a first reply to a call seen whole: */
	bool		timed;
	int64_t		request_ns, server_ns, reply_ns;	/* the split */
};

/* An operation of a call or reply, after its RPC_EV_CALL/RESEND/REPLY. */
struct op_event {
	int64_t		time_ns;
	bool		reply;
	bool		resend;		/* in a retransmitted call, or in a
					 * duplicate reply */
	bool		hidden;		/* under GSS privacy */
	bool		rpc_error;	/* reply: refused by RPC itself (denied,
					 * PROG_UNAVAIL, ...); no status */
	const struct rpc_op *op;
	const struct call *call;
	uint32_t	pair;
	const struct addr *client;
};

/* What the network did to a pair (blame.h makes states of it). */
enum net_event_kind {
	NET_HOLE,		/* bytes missing in a stream or datagram */
	NET_FILLED,		/* no hole is left in this stream */
	NET_RESENT,		/* a segment or fragment came again */
	NET_WINDOW_CLOSED,	/* the receiver allows less than what is to
				 * come of the message under way */
	NET_WINDOW_OPEN
};
struct net_event {
	int64_t		time_ns;
	enum net_event_kind kind;
	uint32_t	pair;
	uint32_t	stream;		/* which direction of a connection */
	bool		to_server;
	uint32_t	bytes;
};

struct decoder_listener {
	void	(*packet)(void *ctx, const struct packet_event *);
	void	(*rpc)(void *ctx, const struct rpc_event *);
	void	(*op)(void *ctx, const struct op_event *);
	void	(*net)(void *ctx, const struct net_event *);
	void	(*count)(void *ctx, int64_t time_ns, enum sample_counter,
		    uint64_t n);
};

#endif

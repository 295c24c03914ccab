/* SPDX-License-Identifier: ISC */
/*
 * dialog.h: what two endpoints say to each other: RPC messages to calls,
 * replies and retransmissions.
 *
 * UDP gives it datagrams (udptalk.h), TCP messages as their parts pass
 * (tcptalk.h).
 * It keeps the table of calls, finds the side that is the server, learns the
 * ports of services from portmap and rpcbind replies, and tells the listener.
 * The definitions are those of DESIGN sec. 2.
 */
#ifndef NFSRATED_DIALOG_H
#define NFSRATED_DIALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "flow.h"
#include "rpcrecord.h"
#include "service.h"
#include "talk.h"

struct dialog_config {
	struct flowtable	*flows;		/* borrowed */
	struct service		*services;	/* borrowed */
	uint32_t		 max_calls;
	uint64_t		 seed[2];
	const struct decoder_listener *listener; /* borrowed */
	void			*ctx;
	/* A port was learned; may be NULL. */
	void			(*learned)(void *ctx, uint16_t port);
	void			*learned_ctx;
};

struct dialog *dialog_new(const struct dialog_config *);
void	dialog_free(struct dialog *);

/* Parts of messages, as they pass. */
void	dialog_header(struct talk *, struct rpcwalk *,
	    const struct rpc_header *, const struct rpcrecord_place *);
void	dialog_op(struct talk *, const struct rpc_header *,
	    const struct rpc_op *, const struct rpcrecord_place *);
/* The message is complete: its last byte came at last_ns. */
void	dialog_done(struct talk *, bool reply, uint32_t xid, int64_t last_ns);
/* Is this the XID of a known call that the other direction made? */
bool	dialog_known(struct talk *, uint32_t xid);

void	dialog_advance(struct dialog *, int64_t now_ns);
/* Forgets all calls (clock step). */
void	dialog_flush(struct dialog *);

#endif

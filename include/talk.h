/* SPDX-License-Identifier: ISC */
/*
 * talk.h: the message under way, and what dialog and its helpers share.
 *
 * Only dialog, guess, udptalk and tcpside look inside struct dialog.
 */
#ifndef NFSRATED_TALK_H
#define NFSRATED_TALK_H

#include <stdbool.h>
#include <stdint.h>

#include "calltable.h"
#include "event.h"
#include "flow.h"
#include "service.h"

struct dialog {
	struct flowtable	*flows;
	struct service		*services;
	struct calltable	*calls;
	const struct decoder_listener *l;
	void			*ctx;
	void			(*learned)(void *ctx, uint16_t port);
	void			*learned_ctx;
	int64_t			 now_ns;
};

/* The message under way: which flow, which direction, when. */
struct talk {
	struct dialog		*d;
	struct flow		*f;
	int			 dir;
	int64_t			 now_ns;
	bool			 head_told;	/* UDP: this datagram's head
						 * was told when it came */
};

/* The stream that the message is in, and the one of the other direction. */
static inline uint32_t
talk_stream(const struct talk *t)
{
	return flow_stream(t->f, t->dir);
}

static inline uint32_t
talk_stream_back(const struct talk *t)
{
	return flow_stream(t->f, !t->dir);
}

/* Fills in the ends of the pair and what is outstanding, and tells. */
void	talk_tell(struct dialog *, enum rpc_event_kind, const struct call *,
	    const struct rpc_header *, uint32_t pair, struct rpc_event *);
/* Counts the pair's open calls up or down. */
void	talk_outstanding(struct dialog *, uint32_t pair, int change);
/* The reply to c has passed: its times are complete. */
void	talk_reply_done(struct talk *, struct call *, int64_t last_ns);

#endif

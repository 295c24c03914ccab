/* SPDX-License-Identifier: ISC */
/*
 * feedkit.h: the decoder's events, made by hand, for tests of what counts
 * them.
 *
 * Each function gives the event to a listener and its ctx.
 */
#ifndef NFSRATED_FEEDKIT_H
#define NFSRATED_FEEDKIT_H

#include "event.h"
#include "packet.h"

#define MS	NSEC_PER_MSEC
#define SEC	NSEC_PER_SEC

struct feedkit {
	const struct decoder_listener *l;
	void		*ctx;
	struct addr	 client;	/* of all events */
	uint32_t	 open;		/* calls outstanding */
};

/* A packet of so many bytes. */
void	feedkit_packet(struct feedkit *, int64_t t, enum sample_direction,
	    uint32_t bytes);

/* A call of a procedure; the operation that characterises it is its own. */
struct call feedkit_make(uint32_t xid, uint32_t prog, uint32_t vers,
	    uint32_t proc);

/*
 * The call's header and its end at the time; its operations are told apart.
 * A reply's header; its end, with the call timed from first_ns.
 */
void	feedkit_call(struct feedkit *, int64_t t, struct call *);
void	feedkit_resend(struct feedkit *, int64_t t, struct call *);
void	feedkit_reply(struct feedkit *, int64_t t, struct call *,
	    bool duplicate, enum rpc_outcome);
void	feedkit_done(struct feedkit *, int64_t t, struct call *,
	    int64_t request_ns, int64_t server_ns, int64_t reply_ns);
void	feedkit_unmatched(struct feedkit *, int64_t t);

/* An operation of a call or of its reply. */
void	feedkit_op(struct feedkit *, int64_t t, const struct call *,
	    bool reply, bool resend, const struct rpc_op *);

/* A whole WRITE of NFSv3: call, operation, reply, end. */
void	feedkit_write(struct feedkit *, int64_t t, uint32_t xid,
	    uint32_t bytes, int64_t took_ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * guess.h: calls whose heads the snap length hides.
 *
 * In step, a stream of equal WRITEs whose record heads fall behind the snap
 * length still shows where each begins and ends (rpcrecord.h).  Such usual
 * calls are told as guesses, and become calls when a reply comes that no known
 * call explains and that is as long as the usual reply.
 */
#ifndef NFSRATED_GUESS_H
#define NFSRATED_GUESS_H

#include <stdint.h>

#include "event.h"
#include "rpcrecord.h"
#include "talk.h"

/*
 * A WRITE call's operation: remembers it as the usual one.  If its size is cut
 * off, *filled becomes a copy with what is known of the size, and is given.
 */
const struct rpc_op *guess_size(struct talk *, const struct rpc_header *,
	    const struct rpc_op *, const struct rpcrecord_place *,
	    struct rpc_op *filled);

/* A usual call begins, has passed, and all that are open were none. */
void	guess_begin(struct talk *, const struct rpcrecord_place *);
void	guess_end(struct talk *, const struct rpcrecord_place *);
void	guess_wrong(struct talk *);

/* A reply of this length has passed: is it the usual one? */
void	guess_usual_reply(struct talk *, uint32_t xid, uint32_t len);
/* A usual reply with a hidden head has passed: it answers the oldest guess. */
void	guess_hidden_reply(struct talk *, const struct rpcrecord_place *);
/*
 * A reply of this length (mark included) to no known call: the oldest guess
 * is its call.  NULL when there is none, or the reply is not the usual one.
 */
struct call *guess_claim(struct talk *, uint32_t xid, uint32_t len);
/* The usual call has no facts of its own: the reply's operations name it. */
void	guess_mirror_op(struct talk *, const struct op_event *reply);

#endif

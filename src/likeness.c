/* SPDX-License-Identifier: ISC */
/*
 * likeness.c: does what passes look like RPC, where nothing is known of it?
 */
#include "likeness.h"

#include "rpcrecord.h"

#define LAST_FRAGMENT	0x80000000U
#define MESSAGE_MIN	24U	/* the shortest accepted reply */

enum rpc_guess
likeness_segment(const struct segment *g)
{
	struct bytes b = g->payload;
	uint32_t mark, len;
	enum rpc_guess guess;

	if (!bytes_take_u32(&b, &mark))
		return RPC_GUESS_NO;
	len = mark & ~LAST_FRAGMENT;
	if (len < MESSAGE_MIN || len > RPCRECORD_MAX)
		return RPC_GUESS_NO;
	guess = likeness_datagram(b);
	if (guess == RPC_GUESS_REPLY && (mark == len ||
	    len != g->payload_len - 4))
		return RPC_GUESS_NO;
	return guess;
}

enum rpc_guess
likeness_datagram(struct bytes head)
{
	uint32_t xid;

	return rpcwalk_guess(head.data, head.len, &xid);
}

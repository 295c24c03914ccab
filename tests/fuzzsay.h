/* SPDX-License-Identifier: ISC */
/*
 * fuzzsay.h: RPC messages that a fuzz script asks for with a few bytes, so
 * that the fuzzer need not find out by itself how one is made.
 */
#ifndef NFSRATED_FUZZSAY_H
#define NFSRATED_FUZZSAY_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "rpckit.h"

#define FUZZSAY_XID	0x46550000U	/* ... to 0x465500ff */
#define FUZZSAY_TRAP	0xbadc0000U	/* in file data: never to be seen */

struct fuzzsay {
	bool		reply;
	uint32_t	xid;
};

/*
 * Appends the message that the next three bytes of the script ask for (kind,
 * XID, size), without a record mark.
 */
struct fuzzsay fuzzsay(struct rpckit *, struct bytes *script);
/*
 * A WRITE of file data with whole records in it, of calls and of replies to
 * others: with replies to these, two streams that are both out of step would
 * prove each other.
 */
struct fuzzsay fuzzsay_trap(struct rpckit *, struct bytes *script);

#endif

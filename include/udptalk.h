/* SPDX-License-Identifier: ISC */
/*
 * udptalk.h: UDP datagrams of a flow to RPC messages.
 */
#ifndef NFSRATED_UDPTALK_H
#define NFSRATED_UDPTALK_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "dialog.h"

/*
 * A whole UDP datagram's payload, of which head is what was captured from its
 * start and len the length on the wire.  expected says that its port or past
 * speaks for RPC: if it then is none, that is counted.
 */
void	udptalk_datagram(struct talk *, struct bytes head, uint32_t len,
	    int64_t first_ns, bool expected);
/* The head of a datagram of which fragments are still missing. */
void	udptalk_head(struct talk *, struct bytes head,
	    int64_t first_ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * likeness.h: does what passes look like RPC, where nothing is known of it?
 * (pure)
 */
#ifndef NFSRATED_LIKENESS_H
#define NFSRATED_LIKENESS_H

#include "bytes.h"
#include "rpcwalk.h"
#include "transport.h"

/*
 * A TCP segment: it begins with a record mark (RFC 5531 sec. 11) and then like
 * a call or a reply.  A reply has little in it to be known by: its record must
 * fill the segment.
 */
enum rpc_guess	likeness_segment(const struct segment *);
/* The payload of a UDP datagram, of which head was captured. */
enum rpc_guess	likeness_datagram(struct bytes head);

#endif

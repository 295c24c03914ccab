/* SPDX-License-Identifier: ISC */
/*
 * tlswatch.h: knows when an NFS connection speaks TLS.
 *
 * RPC-with-TLS (RFC 9289 sec. 4.1) asks for it with an AUTH_TLS call and then
 * sends TLS records (RFC 8446 sec. 5.1) where RPC records would be.  Of a
 * connection that was met later, or that is TLS from its start, segments that
 * begin with such records tell, unless it has shown RPC.
 */
#ifndef NFSRATED_TLSWATCH_H
#define NFSRATED_TLSWATCH_H

#include <stdbool.h>

#include "bytes.h"
#include "flow.h"
#include "transport.h"

#define TLSWATCH_SEGMENTS	4	/* of one direction, without a call
					 * that asked */

/* Do these bytes begin with TLS records, as far as they go? */
bool	tlswatch_records(struct bytes);

/*
 * A segment with payload, sent in direction dir, before the stream has seen
 * it: true when the connection turns out to be encrypted with it.
 */
bool	tlswatch_look(struct flow *, int dir, const struct segment *);

#endif

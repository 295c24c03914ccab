/* SPDX-License-Identifier: ISC */
/*
 * rpcrdma.h: the transport header of RPC-over-RDMA version 1 (RFC 8166) that
 * stands before an RPC message in an RDMA SEND.
 *
 * Pure.  What was moved by RDMA READ or WRITE is missing from the message:
 * file data of a call is in a read chunk, which names its place; that of a
 * reply in a write chunk, whose place is that of the result it belongs to.  A
 * message that is too long for a SEND lies in a chunk as a whole.
 *
 * Checked: hand-made headers, against RFC 8166 sec. 4 and the dissector of
 * tshark 4.0; header lengths against those that public reports of Linux
 * clients tell (28 bytes for NULL, 48 with a reply chunk of one segment).
 * Not checked: traffic; no public capture of it was found.
 */
#ifndef NFSRATED_RPCRDMA_H
#define NFSRATED_RPCRDMA_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

#define RPCRDMA_CHUNKS_MAX	4	/* are kept, of each list */
#define RPCRDMA_SEGMENTS_MAX	1024	/* in a header */

enum rpcrdma_result {
	RPCRDMA_OK,
	RPCRDMA_SHORT,		/* nothing against it, but cut */
	RPCRDMA_NO		/* something else */
};

enum rpcrdma_proc {		/* RFC 8166 sec. 4.2.4 */
	RPCRDMA_MSG,		/* the RPC message follows */
	RPCRDMA_NOMSG,		/* it is in a chunk */
	RPCRDMA_MSGP,		/* obsolete: follows after padding */
	RPCRDMA_DONE,		/* obsolete: reply chunk was read */
	RPCRDMA_ERROR
};

struct rpcrdma_chunk {
	uint32_t	position;	/* read chunk: in the whole message */
	uint32_t	len;		/* bytes of all its segments */
};

struct rpcrdma_header {
	uint32_t	xid;
	uint32_t	credits;
	uint32_t	proc;		/* enum rpcrdma_proc */
	uint32_t	header_len;	/* bytes; the RPC message follows */
	bool		more;		/* than these chunks, in some list */
	bool		has_call_chunk;	/* a read chunk at position 0: the call
					 * itself, sec. 3.5.3 */
	bool		has_reply_chunk;
	uint8_t		reads, writes;	/* chunks kept */
	uint32_t	call_len, reply_len;	/* of these chunks */
	struct rpcrdma_chunk read[RPCRDMA_CHUNKS_MAX];	/* file data */
	struct rpcrdma_chunk write[RPCRDMA_CHUNKS_MAX];	/* in a reply: how
					 * long what was written is */
};

/*
 * The captured start of a SEND.  When it is SHORT the XID, version and
 * procedure were still there and good.
 */
enum rpcrdma_result rpcrdma_decode(struct bytes, struct rpcrdma_header *);

#endif

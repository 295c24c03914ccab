/* SPDX-License-Identifier: ISC */
/*
 * rpckit.h: builds ONC-RPC messages (RFC 5531) of NFSv3 (RFC 1813), NFSv4
 * (RFC 8881) and portmap (RFC 1833) for tests, word by word.
 *
 * A struct rpckit is a buffer that grows at its end up to RPCKIT_MAX; what
 * does not fit aborts the test program.  A message begins where the buffer
 * stood; rpckit_record puts the record mark (RFC 5531 sec. 11) before it.
 * The credential of calls is AUTH_SYS of RPCKIT_UID unless auth says otherwise.
 */
#ifndef NFSRATED_RPCKIT_H
#define NFSRATED_RPCKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RPCKIT_MAX	(512U << 10)
#define RPCKIT_UID	1000U
#define RPCKIT_FH_LEN	28U

/* Lengths in bytes, marks not counted, worked out from the RFCs by hand. */
#define RPCKIT_CALL_HEAD	68U	/* 6 words, AUTH_SYS of 36, verifier */
#define RPCKIT_REPLY_HEAD	24U	/* accepted, AUTH_NONE, SUCCESS */
#define RPCKIT_WRITE_HEAD	(RPCKIT_CALL_HEAD + 32U + 20U)	/* to data */
#define RPCKIT_WRITE_REPLY	(RPCKIT_REPLY_HEAD + 4U + 8U + 16U)
#define RPCKIT_READ_HEAD	(RPCKIT_REPLY_HEAD + 4U + 4U + 12U)
#define RPCKIT_GETATTR_CALL	(RPCKIT_CALL_HEAD + 32U)
#define RPCKIT_GETATTR_REPLY	(RPCKIT_REPLY_HEAD + 4U + 84U)

struct rpckit {
	size_t		len;
	uint32_t	flavor;		/* of the next calls: 0 AUTH_SYS, or
					 * RPCKIT_... */
	uint8_t		data[RPCKIT_MAX];
};
#define RPCKIT_NONE	100U		/* AUTH_NONE */
#define RPCKIT_TLS	7U		/* AUTH_TLS, RFC 9289 sec. 4.1 */
#define RPCKIT_KRB5P	106U		/* RPCSEC_GSS, service privacy */
#define RPCKIT_KRB5I	105U		/* RPCSEC_GSS, service integrity */

/* On the heap, empty; freed with free.  Cleared, it keeps its flavor. */
struct rpckit *rpckit_new(void);
void	rpckit_clear(struct rpckit *);

void	rpckit_u32(struct rpckit *, uint32_t);
void	rpckit_u64(struct rpckit *, uint64_t);
void	rpckit_bytes(struct rpckit *, const void *, size_t len);
/* Length, bytes (NULL: of a pattern without RPC in it), padding. */
void	rpckit_opaque(struct rpckit *, const void *, size_t len);

/* Makes one record of what lies in the buffer from here on. */
void	rpckit_record(struct rpckit *, size_t from);
/*
 * Makes records of fragments of at most size bytes of it; with empty_last an
 * empty one ends it.
 */
void	rpckit_fragments(struct rpckit *, size_t from, size_t size,
	    bool empty_last);

/* Headers. */
void	rpckit_call(struct rpckit *, uint32_t xid, uint32_t prog,
	    uint32_t vers, uint32_t proc);
void	rpckit_reply(struct rpckit *, uint32_t xid);
void	rpckit_denied(struct rpckit *, uint32_t xid);
void	rpckit_refused(struct rpckit *, uint32_t xid, uint32_t accept_stat);

/* NFSv3. */
void	rpckit_null_call(struct rpckit *, uint32_t xid);
void	rpckit_getattr_call(struct rpckit *, uint32_t xid);
void	rpckit_getattr_reply(struct rpckit *, uint32_t xid);
void	rpckit_write_call(struct rpckit *, uint32_t xid, const void *data,
	    uint32_t len);
void	rpckit_write_reply(struct rpckit *, uint32_t xid, uint32_t count);
void	rpckit_read_call(struct rpckit *, uint32_t xid, uint32_t count);
void	rpckit_read_reply(struct rpckit *, uint32_t xid, const void *data,
	    uint32_t len);
void	rpckit_commit_call(struct rpckit *, uint32_t xid);
void	rpckit_commit_reply(struct rpckit *, uint32_t xid);

/* Any message as one record: the mark, then what make appends. */
#define RPCKIT_RECORD(k, make) do {					\
	size_t from_ = (k)->len;					\
	make;								\
	rpckit_record((k), from_);					\
} while (0)

/* NFSv4.1 COMPOUNDs: PUTFH, WRITE of len bytes, GETATTR; CB_RECALL. */
void	rpckit_compound_write_call(struct rpckit *, uint32_t xid,
	    uint32_t len);
void	rpckit_compound_write_reply(struct rpckit *, uint32_t xid,
	    uint32_t len);
void	rpckit_cb_null_call(struct rpckit *, uint32_t xid);

/* Portmap version 2: GETPORT of a program over TCP or UDP (6, 17). */
void	rpckit_getport_call(struct rpckit *, uint32_t xid, uint32_t prog,
	    uint32_t vers, uint32_t proto);
void	rpckit_getport_reply(struct rpckit *, uint32_t xid, uint32_t port);

#endif

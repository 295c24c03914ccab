/* SPDX-License-Identifier: ISC */
/*
 * rpcheader.h: an ONC-RPC call or reply header (RFC 5531 sec. 9) as a plain
 * struct, read at once when it lies in one piece; and a guess whether bytes
 * begin with one.  Pure.
 */
#ifndef NFSRATED_RPCHEADER_H
#define NFSRATED_RPCHEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

enum rpc_flavor {			/* RFC 5531 8.2, RFC 2203, RFC 9289 */
	RPC_AUTH_NONE = 0, RPC_AUTH_SYS = 1, RPC_AUTH_SHORT = 2,
	RPC_AUTH_DH = 3, RPC_AUTH_KERB = 4, RPC_AUTH_RSA = 5,
	RPC_GSS = 6, RPC_AUTH_TLS = 7
};

enum rpc_service {			/* RFC 2203 5.1 */
	RPC_SVC_PLAIN = 0,		/* not RPCSEC_GSS, or no arguments */
	RPC_SVC_NONE = 1, RPC_SVC_INTEGRITY = 2, RPC_SVC_PRIVACY = 3,
	RPC_SVC_CONTROL = 4		/* GSS context set-up: the body is no
					 * procedure's arguments */
};

enum rpc_outcome {			/* of a reply, RFC 5531 9 */
	RPC_SUCCESS,
	RPC_ACCEPT_ERROR,		/* PROG_UNAVAIL ... SYSTEM_ERR */
	RPC_DENIED
};

/* What the header says; complete when the header callback is called. */
struct rpc_header {
	uint32_t	xid;
	bool		reply;
	/* call (for a reply: as rpcwalk_expect gave them) */
	uint32_t	prog, vers, proc;
	uint32_t	flavor;		/* enum rpc_flavor or other */
	uint8_t		service;	/* enum rpc_service */
	bool		has_uid;	/* AUTH_SYS */
	uint32_t	uid;
	/* reply */
	uint8_t		outcome;	/* enum rpc_outcome */
	uint32_t	accept_stat;	/* or auth_stat when denied */
};

/*
 * Takes an ordinary header from the start of the bytes: a call with AUTH_NONE
 * or AUTH_SYS, or the reply of a call that was executed.  False, and nothing
 * touched, when it is another header, or none, or not all there.  Members of
 * h that such a header does not have are left as they are.
 */
bool	rpcheader_read(struct bytes *, struct rpc_header *h);

/* A word for a member, enum xdr_member of xdrprog.h; others are passed by. */
void	rpcheader_word(struct rpc_header *, unsigned int member,
	    uint32_t word);

/*
 * The service of an RPCSEC_GSS credential, unless it is known already that
 * the call is RPC_SVC_CONTROL; false when there is no such service.
 */
bool	rpcheader_gss_service(struct rpc_header *, uint32_t word);

/*
 * A look at bytes that may begin a message (after the record mark): whether
 * they can be an RPC call or reply header, as far as len goes.
 */
enum rpc_guess {
	RPC_GUESS_NO,
	RPC_GUESS_SHORT,	/* nothing against it, too short to tell */
	RPC_GUESS_CALL,
	RPC_GUESS_REPLY		/* weak by itself: check the XID */
};
enum rpc_guess rpcheader_guess(const uint8_t *data, size_t len, uint32_t *xid);

#endif

/* SPDX-License-Identifier: ISC */
/* rpcheader.c: ONC-RPC headers that lie in one piece. */
#include "rpcheader.h"

#include "nfs.h"
#include "xdrprog.h"

#define MSG_CALL	0
#define MSG_REPLY	1
#define MSG_ACCEPTED	0
#define MSG_DENIED	1
#define RPC_VERSION	2
#define AUTH_MAX	400		/* of an opaque_auth, RFC 5531 8.2 */
#define MACHINE_MAX	255		/* RFC 5531 appendix A */
#define ACCEPT_MAX	5		/* SYSTEM_ERR, RFC 5531 sec. 9 */
#define AUTH_STAT_MAX	14		/* RPCSEC_GSS_CTXPROBLEM */
#define GSS_OLD_FLAVOR	300001		/* RPCSEC_GSS before RFC 2203 */

static size_t
padded(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/* Takes the body of an opaque_auth of len bytes that is all there. */
static bool
take_body(struct bytes *b, uint32_t len, struct bytes *body)
{
	return len <= AUTH_MAX && bytes_take(b, padded(len), body);
}

/* stamp, machine name, uid: RFC 5531 appendix A. */
static bool
take_uid(struct bytes body, uint32_t *uid)
{
	uint32_t len;

	return bytes_skip(&body, 4) && bytes_take_u32(&body, &len) &&
	    len <= MACHINE_MAX && bytes_skip(&body, padded(len)) &&
	    bytes_take_u32(&body, uid);
}

/* rpcvers, prog, vers, proc and credential; then the verifier. */
static bool
read_call(struct bytes *b, struct rpc_header *h)
{
	struct bytes fixed, credential, verifier;
	uint32_t flavor, uid = 0;

	if (!bytes_take(b, 24, &fixed) || bytes_be32(fixed.data) != RPC_VERSION)
		return false;
	flavor = bytes_be32(fixed.data + 16);
	if (!take_body(b, bytes_be32(fixed.data + 20), &credential) ||
	    !(flavor == RPC_AUTH_NONE ||
	    (flavor == RPC_AUTH_SYS && take_uid(credential, &uid))) ||
	    !bytes_take(b, 8, &verifier) ||
	    !take_body(b, bytes_be32(verifier.data + 4), &verifier))
		return false;
	h->reply = false;
	h->prog = bytes_be32(fixed.data + 4);
	h->vers = bytes_be32(fixed.data + 8);
	h->proc = bytes_be32(fixed.data + 12);
	h->flavor = flavor;
	h->has_uid = flavor == RPC_AUTH_SYS;
	h->uid = uid;
	return true;
}

/* reply_stat and verifier; then accept_stat. */
static bool
read_reply(struct bytes *b, struct rpc_header *h)
{
	struct bytes fixed, verifier;
	uint32_t stat;

	if (!bytes_take(b, 12, &fixed) ||
	    bytes_be32(fixed.data) != MSG_ACCEPTED ||
	    !take_body(b, bytes_be32(fixed.data + 8), &verifier) ||
	    !bytes_take_u32(b, &stat) || stat != 0)
		return false;
	h->reply = true;
	h->accept_stat = 0;
	return true;
}

bool
rpcheader_read(struct bytes *b, struct rpc_header *h)
{
	struct bytes rest = *b, fixed;
	uint32_t type;

	if (!bytes_take(&rest, 8, &fixed))
		return false;
	type = bytes_be32(fixed.data + 4);
	if (!(type == MSG_CALL && read_call(&rest, h)) &&
	    !(type == MSG_REPLY && read_reply(&rest, h)))
		return false;
	h->xid = bytes_be32(fixed.data);
	*b = rest;
	return true;
}

void
rpcheader_word(struct rpc_header *h, unsigned int member, uint32_t word)
{
	switch (member) {
	case XDR_TO_XID:
		h->xid = word;
		break;
	case XDR_TO_PROG:
		h->prog = word;
		break;
	case XDR_TO_VERS:
		h->vers = word;
		break;
	case XDR_TO_PROC:
		h->proc = word;
		break;
	case XDR_TO_FLAVOR:
		h->flavor = word;
		break;
	case XDR_TO_UID:
		h->uid = word;
		h->has_uid = true;
		break;
	case XDR_TO_ACCEPT_STAT:
		h->accept_stat = word;
		break;
	default:
		break;
	}
}

/* RFC 5403 sec. 2: with channel protection, 4, all is in the clear. */
bool
rpcheader_gss_service(struct rpc_header *h, uint32_t word)
{
	if (h->service == RPC_SVC_CONTROL)
		return true;
	h->service = word == RPC_SVC_PRIVACY + 1 ?
	    RPC_SVC_NONE : (uint8_t)word;
	return word >= RPC_SVC_NONE && word <= RPC_SVC_PRIVACY + 1;
}

static bool
flavor_known(uint32_t flavor)
{
	return flavor <= RPC_AUTH_TLS || flavor == GSS_OLD_FLAVOR;
}

/*
 * The guesses below go through a header until its bytes end: a take that
 * fails is no objection.  They give false when something cannot be.
 */
static bool
auth_sys_possible(struct bytes body, uint32_t len)
{
	uint32_t name;

	if (len < 20)		/* stamp, name, uid, gid, gids; both empty */
		return false;
	if (!bytes_skip(&body, 4) || !bytes_take_u32(&body, &name))
		return true;
	return name <= MACHINE_MAX && padded(name) + 20 <= len;
}

static bool
auth_possible(struct bytes *b)
{
	uint32_t flavor, len;

	if (!bytes_take_u32(b, &flavor))
		return true;
	if (!flavor_known(flavor))
		return false;
	if (!bytes_take_u32(b, &len))
		return true;
	if (len > AUTH_MAX ||
	    (flavor == RPC_AUTH_SYS && !auth_sys_possible(*b, len)))
		return false;
	if (!bytes_skip(b, padded(len)))
		b->len = 0;
	return true;
}

static enum rpc_guess
guess_call(struct bytes b)
{
	uint32_t rpcvers, prog, vers, proc;

	if (!bytes_take_u32(&b, &rpcvers))
		return RPC_GUESS_SHORT;
	if (rpcvers != RPC_VERSION)
		return RPC_GUESS_NO;
	if (!bytes_take_u32(&b, &prog))
		return RPC_GUESS_SHORT;
	if (!nfs_call_plausible(prog, 0, 0))
		return RPC_GUESS_NO;
	if (!bytes_take_u32(&b, &vers))
		return RPC_GUESS_SHORT;
	if (!nfs_call_plausible(prog, vers, 0))
		return RPC_GUESS_NO;
	if (!bytes_take_u32(&b, &proc))
		return RPC_GUESS_SHORT;
	if (!nfs_call_plausible(prog, vers, proc) || !auth_possible(&b) ||
	    !auth_possible(&b))
		return RPC_GUESS_NO;
	return RPC_GUESS_CALL;
}

static enum rpc_guess
guess_denied(struct bytes b)
{
	uint32_t stat, low, high;

	if (!bytes_take_u32(&b, &stat))
		return RPC_GUESS_SHORT;
	if (stat > 1)
		return RPC_GUESS_NO;
	if (!bytes_take_u32(&b, &low))
		return RPC_GUESS_SHORT;
	if (stat == 1)		/* AUTH_ERROR */
		return low <= AUTH_STAT_MAX ? RPC_GUESS_REPLY : RPC_GUESS_NO;
	return bytes_take_u32(&b, &high) && high < low ?
	    RPC_GUESS_NO : RPC_GUESS_REPLY;
}

static enum rpc_guess
guess_accepted(struct bytes b)
{
	bool enough = b.len >= 8;	/* the verifier's flavor and length */
	uint32_t stat;

	if (!auth_possible(&b))
		return RPC_GUESS_NO;
	if (bytes_take_u32(&b, &stat) && stat > ACCEPT_MAX)
		return RPC_GUESS_NO;
	return enough ? RPC_GUESS_REPLY : RPC_GUESS_SHORT;
}

enum rpc_guess
rpcheader_guess(const uint8_t *data, size_t len, uint32_t *xid)
{
	struct bytes b = bytes_of(data, len);
	uint32_t type, stat;

	if (!bytes_take_u32(&b, xid) || !bytes_take_u32(&b, &type))
		return RPC_GUESS_SHORT;
	if (type == MSG_CALL)
		return guess_call(b);
	if (type != MSG_REPLY)
		return RPC_GUESS_NO;
	if (!bytes_take_u32(&b, &stat))
		return RPC_GUESS_SHORT;
	if (stat == MSG_ACCEPTED)
		return guess_accepted(b);
	return stat == MSG_DENIED ? guess_denied(b) : RPC_GUESS_NO;
}

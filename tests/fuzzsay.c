/* SPDX-License-Identifier: ISC */
/*
 * fuzzsay.c: RPC messages for fuzz scripts, see fuzzsay.h.
 */
#include "fuzzsay.h"

#include <string.h>

#include "fuzzkit.h"

#define NFS	100003U
#define CALLS	9		/* kinds that are calls */

/* Sizes of file data: 0 to 3.8 KB, then two that are usual. */
static uint32_t
data_len(uint8_t size)
{
	return size < 240 ? size * 16U + size % 16U : 4096U << (size & 1);
}

static void
call(struct rpckit *k, unsigned int kind, uint32_t xid, uint32_t len)
{
	switch (kind) {
	case 0:
		rpckit_null_call(k, xid);
		return;
	case 1:
		rpckit_getattr_call(k, xid);
		return;
	case 2:
		rpckit_write_call(k, xid, NULL, len);
		return;
	case 3:
		rpckit_read_call(k, xid, len);
		return;
	case 4:
		rpckit_commit_call(k, xid);
		return;
	case 5:
		rpckit_compound_write_call(k, xid, len);
		return;
	case 6:
		rpckit_getport_call(k, xid, NFS, 3, len & 1 ? 6 : 17);
		return;
	case 7:
		rpckit_cb_null_call(k, xid);
		return;
	default:
		rpckit_call(k, xid, 200000, 2, len);	/* not NFS */
		return;
	}
}

static void
reply(struct rpckit *k, unsigned int kind, uint32_t xid, uint32_t len)
{
	switch (kind) {
	case 0:
		rpckit_reply(k, xid);
		return;
	case 1:
		rpckit_getattr_reply(k, xid);
		return;
	case 2:
		rpckit_write_reply(k, xid, len);
		return;
	case 3:
		rpckit_read_reply(k, xid, NULL, len);
		return;
	case 4:
		rpckit_commit_reply(k, xid);
		return;
	case 5:
		rpckit_compound_write_reply(k, xid, len);
		return;
	case 6:
		rpckit_getport_reply(k, xid, len);
		return;
	case 7:
		rpckit_denied(k, xid);
		return;
	default:
		rpckit_refused(k, xid, 1 + len % 5);
		return;
	}
}

struct fuzzsay
fuzzsay(struct rpckit *k, struct bytes *script)
{
	static const uint32_t flavors[4] = { 0, RPCKIT_NONE, RPCKIT_TLS,
	    RPCKIT_KRB5P };
	uint8_t kind = fuzzkit_u8(script);
	struct fuzzsay s = { .xid = FUZZSAY_XID + fuzzkit_u8(script) };
	uint32_t len = data_len(fuzzkit_u8(script));

	/* Bits 7 and 6: another credential; else call or reply. */
	k->flavor = flavors[kind >> 6];
	kind &= 0x3f;
	s.reply = kind % (2 * CALLS) >= CALLS;
	if (s.reply)
		reply(k, kind % CALLS, s.xid, len);
	else
		call(k, kind % CALLS, s.xid, len);
	k->flavor = 0;
	return s;
}

struct fuzzsay
fuzzsay_trap(struct rpckit *k, struct bytes *script)
{
	struct fuzzsay s = { .xid = FUZZSAY_XID + fuzzkit_u8(script) };
	size_t from;
	uint32_t i;

	/* The data is longer than the records: none of them ends where it
	 * ends. */
	rpckit_write_call(k, s.xid, NULL, 2000);
	from = k->len;
	for (i = 0; i < 3; i++) {
		RPCKIT_RECORD(k, rpckit_getattr_call(k, FUZZSAY_TRAP + i));
		RPCKIT_RECORD(k, rpckit_write_reply(k, FUZZSAY_TRAP + 16 + i,
		    1));
	}
	memmove(k->data + from - 2000 + 4 * (fuzzkit_u8(script) % 64),
	    k->data + from, k->len - from);
	k->len = from;
	return s;
}

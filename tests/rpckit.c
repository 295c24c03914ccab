/* SPDX-License-Identifier: ISC */
/*
 * rpckit.c: builds ONC-RPC messages for tests, see rpckit.h.
 */
#include "rpckit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NFS		100003U
#define PORTMAP		100000U
#define CALLBACK	0x40000000U

struct rpckit *
rpckit_new(void)
{
	struct rpckit *k = calloc(1, sizeof(*k));

	if (k == NULL) {
		perror("rpckit");
		abort();
	}
	return k;
}

void
rpckit_clear(struct rpckit *k)
{
	k->len = 0;
}

static uint8_t *
add(struct rpckit *k, size_t len)
{
	uint8_t *p = k->data + k->len;

	if (len > RPCKIT_MAX - k->len) {
		fputs("rpckit: too much\n", stderr);
		abort();
	}
	k->len += len;
	return p;
}

static void
poke(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

void
rpckit_u32(struct rpckit *k, uint32_t v)
{
	poke(add(k, 4), v);
}

void
rpckit_u64(struct rpckit *k, uint64_t v)
{
	rpckit_u32(k, (uint32_t)(v >> 32));
	rpckit_u32(k, (uint32_t)v);
}

void
rpckit_bytes(struct rpckit *k, const void *data, size_t len)
{
	if (len > 0)
		memcpy(add(k, len), data, len);
}

/* No word of it is 0 or 1, so that no message type can be in it. */
static void
pattern(uint8_t *p, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		p[i] = (uint8_t)(0x40 + i % 64);
}

void
rpckit_opaque(struct rpckit *k, const void *data, size_t len)
{
	uint8_t *p;

	rpckit_u32(k, (uint32_t)len);
	p = add(k, (len + 3) / 4 * 4);
	memset(p, 0, (len + 3) / 4 * 4);
	if (data == NULL)
		pattern(p, len);
	else if (len > 0)
		memcpy(p, data, len);
}

void
rpckit_record(struct rpckit *k, size_t from)
{
	size_t len = k->len - from;

	add(k, 4);
	memmove(k->data + from + 4, k->data + from, len);
	poke(k->data + from, 0x80000000U | (uint32_t)len);
}

void
rpckit_fragments(struct rpckit *k, size_t from, size_t size, bool empty_last)
{
	size_t len = k->len - from, at = 0;
	uint8_t *copy = malloc(len + 1);

	if (copy == NULL)
		abort();
	memcpy(copy, k->data + from, len);
	k->len = from;
	while (at < len) {
		size_t n = len - at < size ? len - at : size;
		bool last = at + n == len && !empty_last;

		rpckit_u32(k, (uint32_t)n | (last ? 0x80000000U : 0));
		rpckit_bytes(k, copy + at, n);
		at += n;
	}
	if (empty_last)
		rpckit_u32(k, 0x80000000U);
	free(copy);
}

/* RFC 5531 sec. 8.2 and appendix A: 9 words. */
static void
auth_sys(struct rpckit *k)
{
	rpckit_u32(k, 1);		/* AUTH_SYS */
	rpckit_u32(k, 28);		/* length */
	rpckit_u32(k, 0x5eed);		/* stamp */
	rpckit_opaque(k, "test", 4);	/* machine name */
	rpckit_u32(k, RPCKIT_UID);
	rpckit_u32(k, 100);		/* gid */
	rpckit_u32(k, 1);		/* other gids */
	rpckit_u32(k, 100);
}

/* RFC 2203 sec. 5.2.2, rpc_gss_cred_t. */
static void
auth_gss(struct rpckit *k, uint32_t service)
{
	rpckit_u32(k, 6);		/* RPCSEC_GSS */
	rpckit_u32(k, 24);
	rpckit_u32(k, 1);		/* version */
	rpckit_u32(k, 0);		/* RPCSEC_GSS_DATA */
	rpckit_u32(k, 77);		/* sequence number */
	rpckit_u32(k, service);
	rpckit_opaque(k, "ctx!", 4);
}

void
rpckit_call(struct rpckit *k, uint32_t xid, uint32_t prog, uint32_t vers,
    uint32_t proc)
{
	rpckit_u32(k, xid);
	rpckit_u32(k, 0);		/* CALL */
	rpckit_u32(k, 2);		/* RPC version */
	rpckit_u32(k, prog);
	rpckit_u32(k, vers);
	rpckit_u32(k, proc);
	if (k->flavor == 0)
		auth_sys(k);
	else if (k->flavor == RPCKIT_KRB5P)
		auth_gss(k, 3);
	else if (k->flavor == RPCKIT_KRB5I)
		auth_gss(k, 2);
	else
		rpckit_u64(k, (uint64_t)(k->flavor == RPCKIT_NONE ? 0 :
		    k->flavor) << 32);
	rpckit_u64(k, 0);		/* verifier AUTH_NONE */
}

void
rpckit_reply(struct rpckit *k, uint32_t xid)
{
	rpckit_refused(k, xid, 0);
}

void
rpckit_refused(struct rpckit *k, uint32_t xid, uint32_t accept_stat)
{
	rpckit_u32(k, xid);
	rpckit_u32(k, 1);		/* REPLY */
	rpckit_u32(k, 0);		/* MSG_ACCEPTED */
	rpckit_u64(k, 0);		/* verifier AUTH_NONE */
	rpckit_u32(k, accept_stat);
}

void
rpckit_denied(struct rpckit *k, uint32_t xid)
{
	rpckit_u32(k, xid);
	rpckit_u32(k, 1);		/* REPLY */
	rpckit_u32(k, 1);		/* MSG_DENIED */
	rpckit_u32(k, 1);		/* AUTH_ERROR */
	rpckit_u32(k, 5);		/* AUTH_TOOWEAK */
}

static void
handle(struct rpckit *k)
{
	static const uint8_t fh[RPCKIT_FH_LEN] = "\x01\x00\x07\x02 a handle";

	rpckit_opaque(k, fh, RPCKIT_FH_LEN);
}

/* RFC 1813 sec. 2.6, fattr3: 21 words. */
static void
attributes(struct rpckit *k)
{
	int i;

	rpckit_u32(k, 1);		/* NF3REG */
	for (i = 0; i < 20; i++)
		rpckit_u32(k, 0x600 + (uint32_t)i);
}

void
rpckit_null_call(struct rpckit *k, uint32_t xid)
{
	rpckit_call(k, xid, NFS, 3, 0);
}

void
rpckit_getattr_call(struct rpckit *k, uint32_t xid)
{
	rpckit_call(k, xid, NFS, 3, 1);
	handle(k);
}

void
rpckit_getattr_reply(struct rpckit *k, uint32_t xid)
{
	rpckit_reply(k, xid);
	rpckit_u32(k, 0);		/* NFS3_OK */
	attributes(k);
}

void
rpckit_write_call(struct rpckit *k, uint32_t xid, const void *data,
    uint32_t len)
{
	rpckit_call(k, xid, NFS, 3, 7);
	handle(k);
	rpckit_u64(k, 65536);		/* offset */
	rpckit_u32(k, len);		/* count */
	rpckit_u32(k, 0);		/* UNSTABLE */
	rpckit_opaque(k, data, len);
}

void
rpckit_write_reply(struct rpckit *k, uint32_t xid, uint32_t count)
{
	rpckit_reply(k, xid);
	rpckit_u32(k, 0);		/* NFS3_OK */
	rpckit_u64(k, 0);		/* wcc_data: neither attributes */
	rpckit_u32(k, count);
	rpckit_u32(k, 0);		/* UNSTABLE */
	rpckit_u64(k, UINT64_C(0x7665726966696572));
}

void
rpckit_read_call(struct rpckit *k, uint32_t xid, uint32_t count)
{
	rpckit_call(k, xid, NFS, 3, 6);
	handle(k);
	rpckit_u64(k, 0);		/* offset */
	rpckit_u32(k, count);
}

void
rpckit_read_reply(struct rpckit *k, uint32_t xid, const void *data,
    uint32_t len)
{
	rpckit_reply(k, xid);
	rpckit_u32(k, 0);		/* NFS3_OK */
	rpckit_u32(k, 0);		/* no attributes */
	rpckit_u32(k, len);		/* count */
	rpckit_u32(k, 0);		/* not the end of the file */
	rpckit_opaque(k, data, len);
}

void
rpckit_commit_call(struct rpckit *k, uint32_t xid)
{
	rpckit_call(k, xid, NFS, 3, 21);
	handle(k);
	rpckit_u64(k, 0);		/* offset */
	rpckit_u32(k, 0);		/* count: all */
}

void
rpckit_commit_reply(struct rpckit *k, uint32_t xid)
{
	rpckit_reply(k, xid);
	rpckit_u32(k, 0);		/* NFS3_OK */
	rpckit_u64(k, 0);		/* wcc_data */
	rpckit_u64(k, UINT64_C(0x7665726966696572));
}

/* RFC 8881 sec. 16.2.1: tag, minor version, number of operations. */
void
rpckit_compound_write_call(struct rpckit *k, uint32_t xid, uint32_t len)
{
	rpckit_call(k, xid, NFS, 4, 1);
	rpckit_u32(k, 0);		/* no tag */
	rpckit_u32(k, 1);		/* NFSv4.1 */
	rpckit_u32(k, 3);
	rpckit_u32(k, 22);		/* PUTFH */
	handle(k);
	rpckit_u32(k, 38);		/* WRITE */
	rpckit_u32(k, 1);		/* stateid */
	rpckit_bytes(k, "stateid 12 b", 12);
	rpckit_u64(k, 65536);		/* offset */
	rpckit_u32(k, 2);		/* FILE_SYNC4 */
	rpckit_opaque(k, NULL, len);
	rpckit_u32(k, 9);		/* GETATTR */
	rpckit_u32(k, 1);		/* bitmap of one word */
	rpckit_u32(k, 8);		/* change */
}

void
rpckit_compound_write_reply(struct rpckit *k, uint32_t xid, uint32_t len)
{
	rpckit_reply(k, xid);
	rpckit_u32(k, 0);		/* NFS4_OK */
	rpckit_u32(k, 0);		/* no tag */
	rpckit_u32(k, 3);
	rpckit_u64(k, UINT64_C(22) << 32);	/* PUTFH, NFS4_OK */
	rpckit_u64(k, UINT64_C(38) << 32);	/* WRITE, NFS4_OK */
	rpckit_u32(k, len);
	rpckit_u32(k, 2);		/* FILE_SYNC4 */
	rpckit_u64(k, UINT64_C(0x7665726966696572));
	rpckit_u64(k, UINT64_C(9) << 32);	/* GETATTR, NFS4_OK */
	rpckit_u32(k, 1);		/* bitmap of one word */
	rpckit_u32(k, 8);		/* change */
	rpckit_u32(k, 8);		/* attribute values */
	rpckit_u64(k, 12345);
}

void
rpckit_cb_null_call(struct rpckit *k, uint32_t xid)
{
	rpckit_call(k, xid, CALLBACK, 1, 0);
}

/* RFC 1833 sec. 3. */
void
rpckit_getport_call(struct rpckit *k, uint32_t xid, uint32_t prog,
    uint32_t vers, uint32_t proto)
{
	rpckit_call(k, xid, PORTMAP, 2, 3);
	rpckit_u32(k, prog);
	rpckit_u32(k, vers);
	rpckit_u32(k, proto);
	rpckit_u32(k, 0);		/* port: ignored */
}

void
rpckit_getport_reply(struct rpckit *k, uint32_t xid, uint32_t port)
{
	rpckit_reply(k, xid);
	rpckit_u32(k, port);
}

/* SPDX-License-Identifier: ISC */
/* rpcop.c: gathers the members of one NFS operation. */
#include "rpcop.h"

#include <string.h>

#include "addr.h"
#include "xdrprog.h"

/* Members of struct rpc_op by enum xdr_member, each with its bool, or -. */
struct member {
	uint8_t		at;
	uint8_t		has;
};

#define AT(member)	offsetof(struct rpc_op, member)
#define WITH(member)	{ AT(member), AT(has_##member) }
#define PLAIN(member)	{ AT(member), 0 }

_Static_assert(sizeof(struct rpc_op) <= UINT8_MAX, "offsets are bytes");

static const struct member members[XDR_MEMBERS] = {
	[XDR_TO_STATUS] = WITH(status),
	[XDR_TO_COUNT] = WITH(count),
	[XDR_TO_STABLE] = WITH(stable),
	[XDR_TO_SLOT] = WITH(slot),
	[XDR_TO_HIGHEST_SLOT] = PLAIN(highest_slot),
	[XDR_TO_PORT] = PLAIN(port),
	[XDR_TO_MAP_PROG] = PLAIN(map_prog),
	[XDR_TO_MAP_VERS] = PLAIN(map_vers),
	[XDR_TO_MAP_PROT] = PLAIN(map_prot),
	[XDR_TO_OFFSET_WORD] = WITH(offset),
	[XDR_TO_OFFSET] = WITH(offset),
	[XDR_TO_VERIFIER] = WITH(verifier)
};

static void
keep(struct rpcop *o, struct member m, const void *value, size_t size)
{
	const bool yes = true;

	memcpy((uint8_t *)&o->op + m.at, value, size);
	if (m.has != 0)
		memcpy((uint8_t *)&o->op + m.has, &yes, sizeof(yes));
}

void
rpcop_begin(struct rpcop *o, uint16_t op, uint32_t opnum)
{
	memset(&o->op, 0, offsetof(struct rpc_op, fh));
	o->take = 0;
	o->scratch_len = 0;
	o->op.op = op;
	o->op.opnum = opnum;
}

void
rpcop_word(struct rpcop *o, unsigned int member, uint32_t word)
{
	if (member == XDR_TO_OFFSET_WORD)
		rpcop_hyper(o, member, word);
	else if (member != XDR_NOWHERE)
		keep(o, members[member], &word, sizeof(word));
}

void
rpcop_hyper(struct rpcop *o, unsigned int member, uint64_t hyper)
{
	keep(o, members[member], &hyper, sizeof(hyper));
}

void
rpcop_count(struct rpcop *o, uint64_t count)
{
	o->op.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	o->op.has_count = true;
}

void
rpcop_count_add(struct rpcop *o, uint32_t count)
{
	rpcop_count(o, (uint64_t)o->op.count + count);
}

uint8_t
rpcop_text_begin(struct rpcop *o, unsigned int text, uint32_t len)
{
	bool in_fh = text == XDR_TEXT_FH || text == XDR_TEXT_SCRATCH;
	uint32_t room = in_fh ? sizeof(o->fh) : RPCWALK_NAME_MAX;
	uint8_t kept = (uint8_t)(len < room ? len : room);

	o->take = kept;
	o->op.name_cut = o->op.name_cut || (!in_fh && kept < len);
	switch (text) {
	case XDR_TEXT_FH:
		o->take_at = offsetof(struct rpcop, fh);
		o->op.fh_len = kept;
		break;
	case XDR_TEXT_SCRATCH:
		o->take_at = offsetof(struct rpcop, fh);
		o->scratch_len = kept;
		break;
	case XDR_TEXT_NAME:
		o->take_at = offsetof(struct rpcop, name);
		o->op.name_len = kept;
		break;
	case XDR_TEXT_NAME2:
		o->take_at = offsetof(struct rpcop, name2);
		o->op.name2_len = kept;
		break;
	}
	return kept;
}

size_t
rpcop_text(struct rpcop *o, const uint8_t *data, size_t len)
{
	size_t n = o->take < len ? o->take : len;

	if (n > 0)
		memcpy((uint8_t *)o + o->take_at, data, n);
	o->take_at = (uint16_t)(o->take_at + n);
	o->take = (uint8_t)(o->take - n);
	return n;
}

/* RFC 5665 sec. 5.1: "tcp", "tcp6", "udp", "udp6". */
void
rpcop_netid(struct rpcop *o)
{
	bool short_form = o->scratch_len == 3;
	bool long_form = o->scratch_len == 4 && o->fh[3] == '6';

	if (!short_form && !long_form)
		return;
	if (memcmp(o->fh, "tcp", 3) == 0)
		o->op.map_prot = 6;
	else if (memcmp(o->fh, "udp", 3) == 0)
		o->op.map_prot = 17;
}

void
rpcop_uaddr(struct rpcop *o)
{
	o->op.port = addr_uaddr_port((const char *)o->fh, o->scratch_len);
}

/* Half a handle is none; of a name what came is kept. */
void
rpcop_cut(struct rpcop *o)
{
	o->op.cut = true;
	if (o->take == 0)
		return;
	if (o->take_at < offsetof(struct rpcop, name)) {
		o->op.fh_len = 0;
	} else if (o->take_at < offsetof(struct rpcop, name2)) {
		o->op.name_len = (uint8_t)(o->op.name_len - o->take);
		o->op.name_cut = true;
	} else {
		o->op.name2_len = (uint8_t)(o->op.name2_len - o->take);
		o->op.name_cut = true;
	}
	o->take = 0;
}

const struct rpc_op *
rpcop_show(struct rpcop *o)
{
	o->op.fh = o->fh;
	o->op.name = o->name;
	o->op.name2 = o->name2;
	return &o->op;
}

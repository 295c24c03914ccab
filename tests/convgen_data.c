/* SPDX-License-Identifier: ISC */
/*
 * convgen_data.c: file data, also such as looks like RPC: record marks, chains
 * of whole records, a capture of the very conversation.
 */
#include "convgen_int.h"

#include "pcapout.h"

static void
noise(struct convgen *g, uint32_t want)
{
	uint32_t part;

	while (want > 0) {
		part = cg_between(g, 1, 32768);
		if (part > want)
			part = want;
		memcpy(cg_add(&g->data, part),
		    g->noise + cg_below(g, 32768), part);
		want -= part;
	}
}

/*
 * A message made before, as a record with an XID of its own: one that never
 * was, or, rarely, was near.
 */
static void
put_record(struct convgen *g, uint32_t msg)
{
	const struct cg_msg *m = &g->msg[msg];
	uint32_t xid = cg_below(g, UINT32_MAX);
	uint8_t *p = cg_add(&g->data, 4 + m->len);

	cg_poke32(p, 0x80000000U | m->len);
	memcpy(p + 4, g->pool.data + m->at, m->len);
	cg_poke32(p + 4, xid);
}

/* A message small enough to be put into others. */
static uint32_t
small_message(struct convgen *g, uint32_t room)
{
	uint32_t msg, tries;

	for (tries = 0; tries < 20 && g->msgs > 0; tries++) {
		msg = cg_below(g, g->msgs);
		if (g->msg[msg].len > 0 && g->msg[msg].len <= room &&
		    g->msg[msg].len < 4000)
			return msg;
	}
	return CG_NONE;
}

/* Records back to back; maybe to the very end, so that a true one follows. */
static void
chain(struct convgen *g, uint32_t want)
{
	bool joined = cg_chance(g, 500000);
	uint32_t msg;

	if (cg_chance(g, 500000))
		noise(g, cg_below(g, 5));
	if (joined)			/* a length that is a multiple of 4 */
		noise(g, (uint32_t)(-g->data.len & 3));
	while (g->data.len < want) {
		msg = small_message(g, joined ? 4000 :
		    (uint32_t)(want - g->data.len));
		if (msg == CG_NONE)
			break;
		put_record(g, msg);
	}
	if (!joined)
		noise(g, cg_below(g, 64));
}

/* A pcap file with an Ethernet frame, IPv4 and TCP header before each. */
static void
capture(struct convgen *g, uint32_t want)
{
	const struct pcapout_format f = { .linktype = 1 };
	struct packet p = { .time_ns = 1700000000 * NSEC_PER_SEC };
	uint32_t msg, at;
	uint8_t *h;

	pcapout_header(cg_add(&g->data, PCAPOUT_HEADER_LEN), &f);
	while (g->data.len < want) {
		msg = small_message(g, 4000);
		if (msg == CG_NONE)
			break;
		at = (uint32_t)g->data.len;
		h = cg_add(&g->data, PCAPOUT_RECORD_LEN + 54);
		memcpy(h, g->noise, PCAPOUT_RECORD_LEN + 54);
		h[PCAPOUT_RECORD_LEN + 12] = 0x08;
		h[PCAPOUT_RECORD_LEN + 13] = 0x00;
		h[PCAPOUT_RECORD_LEN + 14] = 0x45;
		put_record(g, msg);
		p.wire_len = (uint32_t)g->data.len - at - PCAPOUT_RECORD_LEN;
		p.data = bytes_of(NULL, p.wire_len);
		pcapout_record(g->data.data + at, &f, &p);
	}
}

/* Nothing but record marks of lengths that a record may have. */
static void
marks(struct convgen *g, uint32_t want)
{
	uint32_t mark = 0x80000000U | cg_between(g, 40, 9000);

	while (g->data.len + 4 <= want)
		cg_put32(&g->data, mark);
}

void
cg_data_fill(struct convgen *g, enum cg_content content, uint32_t want)
{
	g->data.len = 0;
	g->data_fake = content != CG_DATA_NOISE && want >= 64;
	switch (content) {
	case CG_DATA_CHAIN:
		chain(g, want);
		break;
	case CG_DATA_CAPTURE:
		if (want >= 64)
			capture(g, want);
		break;
	case CG_DATA_MARKS:
		marks(g, want);
		break;
	case CG_DATA_NOISE:
		break;
	}
	if (g->data.len < want)
		noise(g, want - (uint32_t)g->data.len);
}

void
cg_data(struct convgen *g, uint32_t want)
{
	enum cg_content content = CG_DATA_NOISE;

	if (cg_chance(g, 300000))	/* round sizes are common */
		want &= ~511U;
	if (cg_chance(g, g->shape.fakes))
		content = (enum cg_content)cg_between(g, CG_DATA_CHAIN,
		    CG_DATA_MARKS);
	cg_data_fill(g, content, want);
}

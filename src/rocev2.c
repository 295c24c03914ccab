/* SPDX-License-Identifier: ISC */
/*
 * rocev2.c: the InfiniBand transport headers of RoCEv2.
 */
#include "rocev2.h"

#define BTH_LEN		12
#define ICRC_LEN	4
#define OPCODE_CNP	0x81
#define OPERATIONS	0x18

/* Extended headers, in the order in which they follow the BTH. */
#define RETH	0x01
#define ATOMIC	0x02	/* compare and swap, fetch and add */
#define AETH	0x04
#define ATACK	0x08	/* acknowledges an atomic operation */
#define IMM	0x10
#define IETH	0x20
#define FIRST	0x40	/* no header: place in the message */
#define LAST	0x80
#define ONLY	(FIRST | LAST)

/* Volume 1, table 38: the operation is bits 4 to 0 of the opcode. */
static const struct operation {
	uint8_t		kind;
	uint8_t		has;
} operations[OPERATIONS] = {
	[0x00] = { ROCEV2_SEND,		FIRST },
	[0x01] = { ROCEV2_SEND,		0 },
	[0x02] = { ROCEV2_SEND,		LAST },
	[0x03] = { ROCEV2_SEND,		LAST | IMM },
	[0x04] = { ROCEV2_SEND,		ONLY },
	[0x05] = { ROCEV2_SEND,		ONLY | IMM },
	[0x06] = { ROCEV2_WRITE,	FIRST | RETH },
	[0x07] = { ROCEV2_WRITE,	0 },
	[0x08] = { ROCEV2_WRITE,	LAST },
	[0x09] = { ROCEV2_WRITE,	LAST | IMM },
	[0x0a] = { ROCEV2_WRITE,	ONLY | RETH },
	[0x0b] = { ROCEV2_WRITE,	ONLY | RETH | IMM },
	[0x0c] = { ROCEV2_READ_REQUEST,	ONLY | RETH },
	[0x0d] = { ROCEV2_READ_RESPONSE, FIRST | AETH },
	[0x0e] = { ROCEV2_READ_RESPONSE, 0 },
	[0x0f] = { ROCEV2_READ_RESPONSE, LAST | AETH },
	[0x10] = { ROCEV2_READ_RESPONSE, ONLY | AETH },
	[0x11] = { ROCEV2_ACK,		ONLY | AETH },
	[0x12] = { ROCEV2_ATOMIC_ACK,	ONLY | AETH | ATACK },
	[0x13] = { ROCEV2_ATOMIC,	ONLY | ATOMIC },
	[0x14] = { ROCEV2_ATOMIC,	ONLY | ATOMIC },
	[0x15] = { ROCEV2_OTHER,	0 },
	[0x16] = { ROCEV2_SEND,		LAST | IETH },
	[0x17] = { ROCEV2_SEND,		ONLY | IETH },
};

/* Headers that the service puts before those of the operation. */
static bool
take_service(struct bytes *b, bool request, struct rocev2_packet *p)
{
	struct bytes h;

	if (p->service == ROCEV2_RD && !bytes_skip(b, 4))	/* RDETH */
		return false;
	if (p->service == ROCEV2_XRC)				/* XRCETH */
		return !request || bytes_skip(b, 4);
	if (p->service != ROCEV2_UD &&
	    (p->service != ROCEV2_RD || !request))
		return true;
	if (!bytes_take(b, 8, &h))
		return false;
	p->has_deth = true;		/* Q_Key, 8 bits, source QP */
	p->src_qp = bytes_be32(h.data + 4) & 0xffffff;
	return true;
}

static bool
take_operation(struct bytes *b, uint8_t has, struct rocev2_packet *p)
{
	struct bytes h;

	if ((has & RETH) != 0) {
		if (!bytes_take(b, 16, &h))
			return false;
		p->has_reth = true;
		p->va = bytes_be64(h.data);
		p->rkey = bytes_be32(h.data + 8);
		p->dma_len = bytes_be32(h.data + 12);
	}
	if ((has & ATOMIC) != 0 && !bytes_skip(b, 28))
		return false;
	if ((has & AETH) != 0) {
		if (!bytes_take(b, 4, &h))
			return false;
		p->has_aeth = true;
		p->syndrome = h.data[0];
		p->msn = bytes_be32(h.data) & 0xffffff;
	}
	if ((has & ATACK) != 0 && !bytes_skip(b, 8))
		return false;
	if ((has & IMM) != 0 && !(p->has_imm = bytes_take_u32(b, &p->imm)))
		return false;
	if ((has & IETH) != 0 &&
	    !(p->has_ieth = bytes_take_u32(b, &p->invalidated)))
		return false;
	return true;
}

/*
 * Opcode; solicited, migrated, padding (2 bits), version (4); partition (16);
 * congestion (2), QP (24); acknowledge (1), PSN (24).
 */
static bool
take_bth(struct bytes *b, struct rocev2_packet *p, uint32_t *padding)
{
	struct bytes h;

	if (!bytes_take(b, BTH_LEN, &h))
		return false;
	p->opcode = h.data[0];
	p->service = p->opcode >> 5;
	if (p->service > ROCEV2_XRC ||
	    (p->service == ROCEV2_CNP && p->opcode != OPCODE_CNP))
		p->service = ROCEV2_SERVICE_OTHER;
	*padding = h.data[1] >> 4 & 3;
	p->dest_qp = bytes_be32(h.data + 4) & 0xffffff;
	p->ack_wanted = (h.data[8] & 0x80) != 0;
	p->psn = bytes_be32(h.data + 8) & 0xffffff;
	return true;
}

static enum rocev2_result
decode(struct bytes data, uint32_t len, struct rocev2_packet *p)
{
	const enum rocev2_result bad = data.len < len ?
	    ROCEV2_SHORT : ROCEV2_BAD;
	const uint8_t *start = data.data;
	struct operation o = { ROCEV2_OTHER, 0 };
	uint32_t padding, used, op;

	if (len < BTH_LEN + ICRC_LEN)
		return ROCEV2_BAD;
	if (data.len > 1 && (data.data[1] & 0x0f) != 0)
		return ROCEV2_BAD;
	if (!take_bth(&data, p, &padding))
		return ROCEV2_SHORT;
	op = p->opcode & 0x1f;
	if (p->service < ROCEV2_SERVICE_OTHER && p->service != ROCEV2_CNP &&
	    op < OPERATIONS)
		o = operations[op];
	p->kind = o.kind;
	p->first = (o.has & FIRST) != 0;
	p->last = (o.has & LAST) != 0;
	if (o.kind != ROCEV2_OTHER && (!take_service(&data,
	    (o.has & AETH) == 0 && op != 0x0e, p) ||
	    !take_operation(&data, o.has, p)))
		return bad;
	used = (uint32_t)(data.data - start) + padding + ICRC_LEN;
	if (used > len)
		return ROCEV2_BAD;
	p->payload_len = len - used;
	bytes_trim(&data, p->payload_len);
	p->payload = data;
	return ROCEV2_OK;
}

enum rocev2_result
rocev2_decode(struct bytes data, uint32_t len, struct rocev2_packet *p)
{
	*p = (struct rocev2_packet){ 0 };
	return decode(data, len < data.len ? (uint32_t)data.len : len, p);
}

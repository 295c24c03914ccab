/* SPDX-License-Identifier: ISC */
/*
 * rpcrdma.c: the transport header of RPC-over-RDMA version 1.
 */
#include "rpcrdma.h"

#define VERSION		1
#define CREDITS_MAX	65535	/* believable; Linux grants up to 128 */
#define SEGMENT_LEN	16	/* handle, length, offset (8): sec. 3.4.3 */

/* The header on its way; each reader gives RPCRDMA_OK to go on. */
struct reader {
	struct bytes		 left;
	struct rpcrdma_header	*h;
	uint32_t		 segments;
};

static uint32_t
sum(uint32_t a, uint32_t b)
{
	return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}

/* XDR optional data: is there one (more)?  RFC 4506 sec. 4.19. */
static enum rpcrdma_result
take_flag(struct reader *r, bool *set)
{
	uint32_t word;

	if (!bytes_take_u32(&r->left, &word))
		return RPCRDMA_SHORT;
	*set = word == 1;
	return word <= 1 ? RPCRDMA_OK : RPCRDMA_NO;
}

static enum rpcrdma_result
take_segment(struct reader *r, uint32_t *len)
{
	struct bytes seg;

	if (!bytes_take(&r->left, SEGMENT_LEN, &seg))
		return RPCRDMA_SHORT;
	*len = sum(*len, bytes_be32(seg.data + 4));
	return ++r->segments <= RPCRDMA_SEGMENTS_MAX ?
	    RPCRDMA_OK : RPCRDMA_NO;
}

/* The chunk that a read segment belongs to: those of one place are one. */
static uint32_t *
read_chunk(struct rpcrdma_header *h, uint32_t position)
{
	struct rpcrdma_chunk *c;

	if (position == 0) {
		h->has_call_chunk = true;
		return &h->call_len;
	}
	if (h->reads > 0 && h->read[h->reads - 1].position == position)
		return &h->read[h->reads - 1].len;
	if (h->reads == RPCRDMA_CHUNKS_MAX)
		return NULL;
	c = &h->read[h->reads++];
	*c = (struct rpcrdma_chunk){ position, 0 };
	return &c->len;
}

/* Sec. 4.3.1: each with its position in the XDR stream. */
static enum rpcrdma_result
take_reads(struct reader *r)
{
	enum rpcrdma_result res;
	uint32_t position, nowhere = 0, *len;
	bool another;

	while ((res = take_flag(r, &another)) == RPCRDMA_OK && another) {
		if (!bytes_take_u32(&r->left, &position))
			return RPCRDMA_SHORT;
		if ((position & 3) != 0)
			return RPCRDMA_NO;
		if ((len = read_chunk(r->h, position)) == NULL) {
			r->h->more = true;
			len = &nowhere;
		}
		if ((res = take_segment(r, len)) != RPCRDMA_OK)
			return res;
	}
	return res;
}

/* Sec. 3.4.6: an array of segments. */
static enum rpcrdma_result
take_array(struct reader *r, uint32_t *len)
{
	enum rpcrdma_result res = RPCRDMA_OK;
	uint32_t n;

	if (!bytes_take_u32(&r->left, &n))
		return RPCRDMA_SHORT;
	if (n > RPCRDMA_SEGMENTS_MAX)
		return RPCRDMA_NO;
	for (*len = 0; n > 0 && res == RPCRDMA_OK; n--)
		res = take_segment(r, len);
	return res;
}

/* Sec. 4.3.2 */
static enum rpcrdma_result
take_writes(struct reader *r)
{
	struct rpcrdma_header *h = r->h;
	enum rpcrdma_result res;
	uint32_t len;
	bool another;

	while ((res = take_flag(r, &another)) == RPCRDMA_OK && another) {
		if ((res = take_array(r, &len)) != RPCRDMA_OK)
			return res;
		if (++r->segments > RPCRDMA_SEGMENTS_MAX)
			return RPCRDMA_NO;
		if (h->writes == RPCRDMA_CHUNKS_MAX)
			h->more = true;
		else
			h->write[h->writes++].len = len;
	}
	return res;
}

/* Sec. 4.3.3 */
static enum rpcrdma_result
take_reply(struct reader *r)
{
	enum rpcrdma_result res = take_flag(r, &r->h->has_reply_chunk);

	if (res == RPCRDMA_OK && r->h->has_reply_chunk)
		res = take_array(r, &r->h->reply_len);
	return res;
}

static enum rpcrdma_result
take_lists(struct reader *r)
{
	enum rpcrdma_result res = take_reads(r);

	if (res == RPCRDMA_OK)
		res = take_writes(r);
	return res == RPCRDMA_OK ? take_reply(r) : res;
}

/* Sec. 4.5: 1 with the versions known, or 2. */
static enum rpcrdma_result
take_error(struct reader *r)
{
	uint32_t error;

	if (!bytes_take_u32(&r->left, &error))
		return RPCRDMA_SHORT;
	if (error == 1 && !bytes_skip(&r->left, 8))
		return RPCRDMA_SHORT;
	return error == 1 || error == 2 ? RPCRDMA_OK : RPCRDMA_NO;
}

static enum rpcrdma_result
take_body(struct reader *r)
{
	switch (r->h->proc) {
	case RPCRDMA_MSG:
	case RPCRDMA_NOMSG:
		return take_lists(r);
	case RPCRDMA_MSGP:	/* alignment and threshold: RFC 5666 */
		return bytes_skip(&r->left, 8) ? take_lists(r) : RPCRDMA_SHORT;
	case RPCRDMA_DONE:
		return RPCRDMA_OK;
	case RPCRDMA_ERROR:
		return take_error(r);
	}
	return RPCRDMA_NO;
}

enum rpcrdma_result
rpcrdma_decode(struct bytes data, struct rpcrdma_header *h)
{
	struct reader r = { data, h, 0 };
	enum rpcrdma_result res;
	struct bytes fixed;

	*h = (struct rpcrdma_header){ 0 };
	if (!bytes_take(&r.left, 16, &fixed))
		return RPCRDMA_NO;
	h->xid = bytes_be32(fixed.data);
	h->credits = bytes_be32(fixed.data + 8);
	h->proc = bytes_be32(fixed.data + 12);
	if (bytes_be32(fixed.data + 4) != VERSION || h->credits == 0 ||
	    h->credits > CREDITS_MAX)
		return RPCRDMA_NO;
	res = take_body(&r);
	h->header_len = (uint32_t)(data.len - r.left.len);
	return res;
}

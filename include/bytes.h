/* SPDX-License-Identifier: ISC */
/*
 * bytes.h: a borrowed range of bytes whose take functions cannot read past
 * its end.
 *
 * A struct bytes owns nothing; it is valid as long as what it was made from.
 * Every take function either consumes exactly what it returns and gives true,
 * or gives false and leaves the range and the result untouched.  All integers
 * are big-endian on the wire (RFC 4506 sec. 4, network byte order) unless the
 * name says otherwise.  These are the only reads of packet bytes in the
 * program: no caller compares lengths itself.
 */
#ifndef NFSRATED_BYTES_H
#define NFSRATED_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t	*data;		/* next unread byte */
	size_t		 len;		/* bytes left */
};

static inline struct bytes
bytes_of(const void *data, size_t len)
{
	struct bytes b = { data, len };

	return b;
}

static inline uint16_t
bytes_be16(const uint8_t *p)
{
	return (uint16_t)((p[0] << 8) | p[1]);
}

static inline uint32_t
bytes_be32(const uint8_t *p)
{
	return ((uint32_t)p[0] << 24) | ((uint32_t)p[1] << 16) |
	    ((uint32_t)p[2] << 8) | (uint32_t)p[3];
}

static inline uint64_t
bytes_be64(const uint8_t *p)
{
	return ((uint64_t)bytes_be32(p) << 32) | bytes_be32(p + 4);
}

static inline bool
bytes_skip(struct bytes *b, size_t n)
{
	if (n > b->len)
		return false;
	if (n == 0)		/* data may be NULL */
		return true;
	b->data += n;
	b->len -= n;
	return true;
}

/* The next n bytes as a range of their own. */
static inline bool
bytes_take(struct bytes *b, size_t n, struct bytes *part)
{
	if (n > b->len)
		return false;
	*part = bytes_of(b->data, n);
	return bytes_skip(b, n);
}

static inline bool
bytes_take_u8(struct bytes *b, uint8_t *v)
{
	if (b->len < 1)
		return false;
	*v = b->data[0];
	return bytes_skip(b, 1);
}

static inline bool
bytes_take_u16(struct bytes *b, uint16_t *v)
{
	if (b->len < 2)
		return false;
	*v = bytes_be16(b->data);
	return bytes_skip(b, 2);
}

static inline bool
bytes_take_u32(struct bytes *b, uint32_t *v)
{
	if (b->len < 4)
		return false;
	*v = bytes_be32(b->data);
	return bytes_skip(b, 4);
}

static inline bool
bytes_take_u64(struct bytes *b, uint64_t *v)
{
	if (b->len < 8)
		return false;
	*v = bytes_be64(b->data);
	return bytes_skip(b, 8);
}

static inline bool
bytes_copy(struct bytes *b, void *to, size_t n)
{
	if (n > b->len)
		return false;
	if (n > 0)
		memcpy(to, b->data, n);
	return bytes_skip(b, n);
}

/* Peek without consuming: false when the range is shorter than at + 4. */
static inline bool
bytes_peek_u32(const struct bytes *b, size_t at, uint32_t *v)
{
	if (b->len < 4 || at > b->len - 4)
		return false;
	*v = bytes_be32(b->data + at);
	return true;
}

/* Keep at most the first n bytes (drops link-layer padding). */
static inline void
bytes_trim(struct bytes *b, size_t n)
{
	if (n < b->len)
		b->len = n;
}

#endif

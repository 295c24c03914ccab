/* SPDX-License-Identifier: ISC */
/*
 * samplepack.c: a sample in few bytes.
 *
 * Bytes are a row of tokens.  A token says in its high half how many bytes
 * follow it as they are, and in its low half how many zeros come then; 15 of
 * them: and as many more as the number behind says (7 bits a byte, low ones
 * first, the high bit set in all but the last).
 */
#include "samplepack.h"

#include <string.h>

#define COUNTERS	offsetof(struct sample, op)
#define HALF		15

struct writer {
	uint8_t		*at;
};

struct reader {
	const uint8_t	*at;
	size_t		 left;
};

static void
put_number(struct writer *w, size_t n)
{
	for (; n >= 0x80; n >>= 7)
		*w->at++ = (uint8_t)(n | 0x80);
	*w->at++ = (uint8_t)n;
}

static bool
get_number(struct reader *r, size_t *n)
{
	unsigned int shift;
	uint8_t byte;

	*n = 0;
	for (shift = 0; shift < 32; shift += 7) {
		if (r->left == 0)
			return false;
		r->left--;
		byte = *r->at++;
		*n |= (size_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return true;
	}
	return false;
}

static size_t
zeros(const uint8_t *p, size_t n)
{
	uint64_t word;
	size_t i = 0;

	while (n - i >= sizeof(word)) {
		memcpy(&word, p + i, sizeof(word));
		if (word != 0)
			break;
		i += sizeof(word);
	}
	while (i < n && p[i] == 0)
		i++;
	return i;
}

static size_t
others(const uint8_t *p, size_t n)
{
	size_t i = 0;

	while (i < n && i < HALF && p[i] != 0)
		i++;
	return i;
}

static void
put(struct writer *w, const void *data, size_t n)
{
	const uint8_t *p = data;
	size_t plain, zero;

	while (n > 0) {
		plain = others(p, n);
		zero = zeros(p + plain, n - plain);
		*w->at++ = (uint8_t)(plain << 4 | (zero < HALF ? zero : HALF));
		memcpy(w->at, p, plain);
		w->at += plain;
		if (zero >= HALF)
			put_number(w, zero - HALF);
		p += plain + zero;
		n -= plain + zero;
	}
}

static bool
get(struct reader *r, void *data, size_t n)
{
	uint8_t *p = data;
	size_t plain, zero, more;

	while (n > 0) {
		if (r->left == 0)
			return false;
		plain = *r->at >> 4;
		zero = *r->at & HALF;
		r->at++;
		r->left--;
		if (plain > r->left || plain > n)
			return false;
		memcpy(p, r->at, plain);
		r->at += plain;
		r->left -= plain;
		if (zero == HALF) {
			if (!get_number(r, &more))
				return false;
			zero += more;
		}
		if (zero > n - plain || plain + zero == 0)
			return false;
		memset(p + plain, 0, zero);
		p += plain + zero;
		n -= plain + zero;
	}
	return true;
}

/*
 * What is unknown is all ones: these bytes are kept as their difference to an
 * empty sample's.
 */
static void
differ(uint8_t *p, const struct sample *empty)
{
	const uint8_t *q = (const void *)empty;
	size_t i;

	for (i = 0; i < COUNTERS; i++)
		p[i] ^= q[i];
}

size_t
samplepack_counters(const struct sample *s, uint8_t *buf)
{
	struct writer w = { buf };
	uint8_t counters[COUNTERS];
	struct sample empty;

	sample_clear(&empty);
	memcpy(counters, s, COUNTERS);
	differ(counters, &empty);
	put(&w, counters, COUNTERS);
	return (size_t)(w.at - buf);
}

bool
samplepack_get_counters(struct sample *s, const uint8_t *buf, size_t len)
{
	struct reader r = { buf, len };
	uint8_t counters[COUNTERS];

	sample_clear(s);
	if (!get(&r, counters, COUNTERS) || r.left != 0)
		return false;
	differ(counters, s);
	memcpy(s, counters, COUNTERS);
	s->ops = s->statuses = s->sizes[0] = s->sizes[1] = 0;
	s->clients = s->users = s->files = s->cells = 0;
	return true;
}

/* The tables: where they are and how many rows of them are in use. */
struct table {
	size_t		rows, row;
	uint32_t	n, max;
};

#define TABLES		8
#define TABLE(member, count, most) { offsetof(struct sample, member), \
	    sizeof(((struct sample *)0)->member[0]), (count), (most) }

static void
tables_of(const struct sample *s, struct table t[TABLES])
{
	const struct table all[TABLES] = {
		TABLE(op, s->ops, SAMPLE_OPS),
		TABLE(status, s->statuses, SAMPLE_STATUS),
		TABLE(size[0], s->sizes[0], SAMPLE_SIZES),
		TABLE(size[1], s->sizes[1], SAMPLE_SIZES),
		TABLE(client, s->clients, SAMPLE_CLIENTS),
		TABLE(user, s->users, SAMPLE_USERS),
		TABLE(file, s->files, SAMPLE_FILES),
		TABLE(cell, s->cells > 0 ? SAMPLE_CELLS : 0, SAMPLE_CELLS)
	};

	memcpy(t, all, sizeof(all));
}

size_t
samplepack_rows(const struct sample *s, uint8_t *buf)
{
	struct writer w = { buf };
	struct table t[TABLES];
	int i;

	tables_of(s, t);
	put_number(&w, s->cells);
	for (i = 0; i < TABLES; i++) {
		put_number(&w, t[i].n);
		put(&w, (const uint8_t *)s + t[i].rows, t[i].n * t[i].row);
	}
	return (size_t)(w.at - buf);
}

bool
samplepack_get_rows(struct sample *s, const uint8_t *buf, size_t len)
{
	struct reader r = { buf, len };
	uint32_t *const count[TABLES] = { &s->ops, &s->statuses,
	    &s->sizes[0], &s->sizes[1], &s->clients, &s->users, &s->files,
	    &s->cells };
	struct table t[TABLES];
	size_t cells, n;
	int i;

	tables_of(s, t);
	if (!get_number(&r, &cells) || cells > SAMPLE_CELLS)
		return false;
	for (i = 0; i < TABLES; i++) {
		if (!get_number(&r, &n) || n > t[i].max ||
		    !get(&r, (uint8_t *)s + t[i].rows, n * t[i].row))
			return false;
		*count[i] = (uint32_t)n;
	}
	s->cells = (uint32_t)cells;
	return r.left == 0;
}

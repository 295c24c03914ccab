/* SPDX-License-Identifier: ISC */
/*
 * tcphold.c: segments that wait for bytes before them.
 */
#include "tcphold.h"

#include <stdlib.h>
#include <string.h>

static uint32_t
size_of(size_t have)
{
	return (uint32_t)(sizeof(struct tcphold_segment) + have);
}

/* Where in the list a segment goes: behind those that begin before it. */
static struct tcphold_segment **
place(struct tcphold_list *l, uint64_t off)
{
	struct tcphold_segment **at = &l->first;

	if (l->first != NULL && off >= l->last->off)
		return &l->last->next;
	while (*at != NULL && (*at)->off <= off)
		at = &(*at)->next;
	return at;
}

static void
insert(struct tcphold_list *l, struct tcphold_segment *s)
{
	struct tcphold_segment **at;

	if (l->first == NULL)
		l->end = 0;
	at = place(l, s->off);
	s->next = *at;
	*at = s;
	if (s->next == NULL)
		l->last = s;
	if (s->off + s->len > l->end)
		l->end = s->off + s->len;
	l->bytes += size_of(s->have);
}

bool
tcphold_keep(struct tcphold *hold, struct tcphold_list *l, uint64_t off,
    struct bytes data, uint32_t len, int64_t time_ns)
{
	struct tcphold_segment *s;
	uint32_t size;

	if (data.len > TCPHOLD_STREAM_MAX)
		return false;
	size = size_of(data.len);
	if (l->bytes + size > TCPHOLD_STREAM_MAX ||
	    hold->used + size > hold->max || (s = malloc(size)) == NULL)
		return false;
	*s = (struct tcphold_segment){ .off = off, .time_ns = time_ns,
	    .len = len, .have = (uint32_t)data.len };
	bytes_copy(&data, s->data, data.len);
	insert(l, s);
	hold->used += size;
	return true;
}

uint32_t
tcphold_part(const struct tcphold_list *l, uint64_t from, uint64_t to)
{
	const struct tcphold_segment *s = l->first;
	uint32_t n = 0;

	if (s == NULL || from >= l->end)
		return 0;
	for (; s != NULL && s->off < to; s = s->next) {
		uint64_t start = s->off > from ? s->off : from;
		uint64_t end = s->off + s->len < to ? s->off + s->len : to;

		if (start < end) {
			n += (uint32_t)(end - start);
			from = end;
		}
	}
	return n;
}

/* Keeps the last bytes of what is joined, one less than the text has. */
static size_t
keep_end(uint8_t *joint, size_t have, size_t len)
{
	size_t keep = have < len - 1 ? have : len - 1;

	memmove(joint, joint + have - keep, keep);
	return keep;
}

bool
tcphold_contains(const struct tcphold_list *l, const uint8_t *text, size_t len)
{
	const struct tcphold_segment *s;
	uint8_t joint[2 * TCPHOLD_TEXT_MAX];
	size_t have = 0, n;
	uint64_t end = 0;

	for (s = l->first; s != NULL; s = s->next) {
		if (s->off != end)
			have = 0;
		n = s->have < len - 1 ? s->have : len - 1;
		memcpy(joint + have, s->data, n);
		if (memmem(joint, have + n, text, len) != NULL ||
		    memmem(s->data, s->have, text, len) != NULL)
			return true;
		if (s->have > n) {
			memcpy(joint, s->data + s->have - n, n);
			have = n;
		} else
			have = keep_end(joint, have + n, len);
		/* What was cut off joins nothing. */
		end = s->off + s->have;
		if (s->have < s->len)
			have = 0;
	}
	return false;
}

struct tcphold_segment *
tcphold_take(struct tcphold_list *l)
{
	struct tcphold_segment *s = l->first;

	l->first = s->next;
	l->bytes -= size_of(s->have);
	return s;
}

void
tcphold_put_back(struct tcphold *hold, struct tcphold_list *l,
    struct tcphold_segment *s, uint32_t n)
{
	hold->used -= size_of(s->have) - size_of(0);
	s->have = 0;
	s->off += n;
	s->len -= n;
	insert(l, s);
}

void
tcphold_free(struct tcphold *hold, struct tcphold_segment *s)
{
	hold->used -= size_of(s->have);
	free(s);
}

void
tcphold_drop(struct tcphold *hold, struct tcphold_list *l)
{
	while (l->first != NULL)
		tcphold_free(hold, tcphold_take(l));
}

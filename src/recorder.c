/* SPDX-License-Identifier: ISC */
/*
 * recorder.c: a flight recorder: the heads of the packets of the last seconds.
 */
#include "recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* pcap with nanoseconds, in the byte order of this machine. */
#define MAGIC		UINT32_C(0xa1b23c4d)
#define FILE_HEADER	24

/* Raw IP: libpcap's number differs from that of files. */
#define DLT_RAW_IP	12
#define LINKTYPE_RAW_IP	101
#define RECORD_HEADER	16

/* Stands before each packet in the ring. */
struct entry {
	int64_t		time_ns;
	uint32_t	wire_len;
	uint32_t	size;		/* to the next one; 0: to the start */
	uint16_t	len;		/* of the bytes that follow */
	uint16_t	linktype;
	uint32_t	zero;
};

#define ENTRY_MAX	(sizeof(struct entry) + RECORDER_HEAD)

/* What one thread hands over to the other. */
struct recording {
	size_t	 len;
	void	*file;
};

struct recorder {
	atomic_bool	 wanted;
	_Atomic(struct recording *) ready;
	size_t		 bytes;		/* of the ring */
	size_t		 first, next;	/* places in it */
	uint64_t	 count;
	uint64_t	*ring;		/* for its alignment */
};

struct recorder *
recorder_new(size_t bytes)
{
	struct recorder *r;

	if ((r = calloc(1, sizeof(*r))) == NULL)
		return NULL;
	r->bytes = (bytes > 0 ? bytes : RECORDER_BYTES) & ~(size_t)7;
	if (r->bytes < 4 * ENTRY_MAX)
		r->bytes = 4 * ENTRY_MAX;
	if ((r->ring = calloc(1, r->bytes)) != NULL)
		return r;
	free(r);
	return NULL;
}

static void
free_recording(struct recording *ready)
{
	if (ready != NULL)
		free(ready->file);
	free(ready);
}

void
recorder_free(struct recorder *r)
{
	if (r == NULL)
		return;
	free_recording(atomic_exchange(&r->ready, NULL));
	free(r->ring);
	free(r);
}

void
recorder_clear(struct recorder *r)
{
	r->first = r->next = 0;
	r->count = 0;
}

static struct entry *
entry_at(const struct recorder *r, size_t place)
{
	return (void *)(r->ring + place / 8);
}

/* The place of what comes after an entry. */
static size_t
after(const struct recorder *r, size_t place)
{
	const struct entry *e = entry_at(r, place);

	place += e->size;
	if (place + sizeof(struct entry) > r->bytes ||
	    entry_at(r, place)->size == 0)
		return 0;
	return place;
}

static void
drop_oldest(struct recorder *r)
{
	r->count--;
	if (r->count == 0)
		recorder_clear(r);
	else
		r->first = after(r, r->first);
}

/* Is there room for so many bytes behind the newest, and not the oldest? */
static bool
has_room(const struct recorder *r, size_t size)
{
	size_t end = r->first > r->next || (r->first == r->next &&
	    r->count > 0) ? r->first : r->bytes;

	return r->next + size <= end;
}

/* Makes room at r->next. */
static void
make_room(struct recorder *r, size_t size)
{
	if (r->next + size > r->bytes) {
		/* The rest is left; all that is in it goes. */
		while (r->count > 0 && r->first >= r->next && r->first > 0)
			drop_oldest(r);
		if (r->count > 0) {
			if (r->next + sizeof(struct entry) <= r->bytes)
				entry_at(r, r->next)->size = 0;
			r->next = 0;
		}
	}
	while (r->count > 0 && !has_room(r, size))
		drop_oldest(r);
}

void
recorder_put(struct recorder *r, const struct packet *p)
{
	size_t len = p->data.len < RECORDER_HEAD ? p->data.len : RECORDER_HEAD;
	size_t size = (sizeof(struct entry) + len + 7) & ~(size_t)7;
	struct entry *e;

	while (r->count > 0 && entry_at(r, r->first)->time_ns <
	    p->time_ns - RECORDER_NS)
		drop_oldest(r);
	make_room(r, size);
	e = entry_at(r, r->next);
	*e = (struct entry){ p->time_ns, p->wire_len, (uint32_t)size,
	    (uint16_t)len, (uint16_t)p->linktype, 0 };
	if (len > 0)
		memcpy(e + 1, p->data.data, len);
	r->next += size;
	r->count++;
}

/* Of the newest packet. */
static uint16_t
linktype(const struct recorder *r, size_t *total)
{
	const struct entry *e = NULL;
	size_t place = r->first;
	uint64_t i;

	*total = FILE_HEADER;
	for (i = 0; i < r->count; i++) {
		e = entry_at(r, place);
		*total += RECORD_HEADER + e->len;
		place = after(r, place);
	}
	return e != NULL ? e->linktype : 0;
}

static uint8_t *
put32(uint8_t *to, uint32_t v)
{
	memcpy(to, &v, sizeof(v));
	return to + sizeof(v);
}

static uint8_t *
file_header(uint8_t *to, uint16_t type)
{
	const uint16_t version[2] = { 2, 4 };

	to = put32(to, MAGIC);
	memcpy(to, version, sizeof(version));
	to = put32(to + sizeof(version), 0);	/* time zone */
	to = put32(to, 0);			/* accuracy */
	to = put32(to, 262144);			/* wire lengths are less */
	return put32(to, type == DLT_RAW_IP ? LINKTYPE_RAW_IP : type);
}

static uint8_t *
record(uint8_t *to, const struct entry *e)
{
	to = put32(to, (uint32_t)(e->time_ns / NSEC_PER_SEC));
	to = put32(to, (uint32_t)(e->time_ns % NSEC_PER_SEC));
	to = put32(to, e->len);
	to = put32(to, e->wire_len);
	memcpy(to, e + 1, e->len);
	return to + e->len;
}

void *
recorder_pcap(const struct recorder *r, size_t *len)
{
	const struct entry *e;
	size_t place = r->first, total;
	uint16_t type = linktype(r, &total);
	uint8_t *file, *to;
	uint64_t i;

	if (r->count == 0) {
		errno = ENODATA;
		return NULL;
	}
	if ((file = malloc(total)) == NULL)
		return NULL;
	to = file_header(file, type);
	for (i = 0; i < r->count; i++) {
		e = entry_at(r, place);
		if (e->linktype == type && e->time_ns >= 0)
			to = record(to, e);
		place = after(r, place);
	}
	*len = (size_t)(to - file);
	return file;
}

void
recorder_want(struct recorder *r)
{
	if (r != NULL)
		atomic_store(&r->wanted, true);
}

void
recorder_serve(struct recorder *r)
{
	struct recording *ready;

	if (r == NULL || !atomic_exchange(&r->wanted, false) ||
	    (ready = calloc(1, sizeof(*ready))) == NULL)
		return;
	ready->file = recorder_pcap(r, &ready->len);
	if (ready->file != NULL)
		ready = atomic_exchange(&r->ready, ready);
	free_recording(ready);		/* the one before, or none */
}

void *
recorder_take(struct recorder *r, size_t *len)
{
	struct recording *ready;
	void *file;

	if (r == NULL || (ready = atomic_exchange(&r->ready, NULL)) == NULL)
		return NULL;
	file = ready->file;
	*len = ready->len;
	free(ready);
	return file;
}

/* SPDX-License-Identifier: ISC */
/*
 * pcapout.c: writes classic pcap files (draft-ietf-opsawg-pcap).
 */
#include "pcapout.h"

#include <stdio.h>
#include <stdlib.h>

struct pcapout {
	FILE			*file;
	struct pcapout_format	 format;
};

static void
put16(uint8_t *p, bool big, uint16_t v)
{
	p[big ? 1 : 0] = (uint8_t)v;
	p[big ? 0 : 1] = (uint8_t)(v >> 8);
}

static void
put32(uint8_t *p, bool big, uint32_t v)
{
	put16(p + (big ? 2 : 0), big, (uint16_t)v);
	put16(p + (big ? 0 : 2), big, (uint16_t)(v >> 16));
}

void
pcapout_header(uint8_t to[PCAPOUT_HEADER_LEN], const struct pcapout_format *f)
{
	bool big = f->big_endian;

	put32(to, big, f->nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4);
	put16(to + 4, big, 2);		/* version 2.4 */
	put16(to + 6, big, 4);
	put32(to + 8, big, 0);
	put32(to + 12, big, 0);
	put32(to + 16, big, f->snaplen != 0 ? f->snaplen : 262144);
	put32(to + 20, big, (uint32_t)f->linktype);
}

void
pcapout_record(uint8_t to[PCAPOUT_RECORD_LEN], const struct pcapout_format *f,
    const struct packet *p)
{
	bool big = f->big_endian;
	int64_t sec = p->time_ns / NSEC_PER_SEC;
	int64_t frac = p->time_ns % NSEC_PER_SEC;

	if (frac < 0) {
		sec--;
		frac += NSEC_PER_SEC;
	}
	if (!f->nanoseconds)
		frac /= NSEC_PER_USEC;
	put32(to, big, (uint32_t)sec);
	put32(to + 4, big, (uint32_t)frac);
	put32(to + 8, big, (uint32_t)p->data.len);
	put32(to + 12, big, p->wire_len);
}

struct pcapout *
pcapout_open(const char *path, const struct pcapout_format *f)
{
	uint8_t header[PCAPOUT_HEADER_LEN];
	struct pcapout *o;

	if ((o = calloc(1, sizeof(*o))) == NULL)
		return NULL;
	o->format = *f;
	if ((o->file = fopen(path, "wb")) == NULL) {
		free(o);
		return NULL;
	}
	pcapout_header(header, f);
	fwrite(header, 1, sizeof(header), o->file);
	return o;
}

int
pcapout_write(struct pcapout *o, const struct packet *p)
{
	uint8_t header[PCAPOUT_RECORD_LEN];

	pcapout_record(header, &o->format, p);
	if (fwrite(header, 1, sizeof(header), o->file) != sizeof(header))
		return -1;
	if (fwrite(p->data.data, 1, p->data.len, o->file) != p->data.len)
		return -1;
	return 0;
}

int
pcapout_close(struct pcapout *o)
{
	int bad;

	if (o == NULL)
		return 0;
	bad = ferror(o->file);
	if (fclose(o->file) != 0)
		bad = 1;
	free(o);
	return bad != 0 ? -1 : 0;
}

/* SPDX-License-Identifier: ISC */
/*
 * jsonlog.c: a line of the rate log.
 */
#include "jsonlog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "jsonout.h"
#include "oplist.h"

#define NSEC_PER_MS	1000000

/* An array of counts, without zeros at its end; none when there are none. */
static void
counts(struct jsonout *j, const char *key, const uint64_t *v, size_t n)
{
	size_t i;

	while (n > 0 && v[n - 1] == 0)
		n--;
	if (n == 0 && key != NULL)
		return;
	jsonout_array(j, key);
	for (i = 0; i < n; i++)
		jsonout_uint(j, NULL, v[i]);
	jsonout_end_array(j);
}

static void
times(struct jsonout *j, const struct sample *s)
{
	int64_t past = s->start_ns % NSEC_PER_MS;

	if (past > 0)
		jsonout_uint(j, "start", (uint64_t)past);
	if (s->length_ns % NSEC_PER_MS != 0)
		jsonout_uint(j, "length", (uint64_t)s->length_ns);
	if (s->watched_ns == 0 && sample_packets(s) == 0)
		return;
	jsonout_array(j, "watch");
	jsonout_uint(j, NULL, (uint64_t)s->watched_ns);
	/* Rows of counters know nothing of single packets. */
	if (sample_packets(s) > 0 && s->first_ns <= s->last_ns) {
		/* Late packets may be older than the interval. */
		jsonout_real(j, NULL, (double)(s->first_ns - s->start_ns), 0);
		jsonout_real(j, NULL, (double)(s->last_ns - s->start_ns), 0);
	}
	jsonout_end_array(j);
}

static void
durations(struct jsonout *j, const struct sample *s)
{
	const uint64_t duty[3] = { s->duty_bins, s->duty_on,
	    (uint64_t)s->duty_gap_ns };

	if (s->depth_ns > 0)
		jsonout_uint(j, "depth", s->depth_ns);
	if (s->has_duty)
		counts(j, "duty", duty, 3);
	if (s->has_split)
		counts(j, "split", s->state_ns, SAMPLE_STATES);
	if (s->untrusted_ns > 0)
		jsonout_uint(j, "untrusted", (uint64_t)s->untrusted_ns);
}

static void
part(struct jsonout *j, const struct sample_part *p)
{
	const uint64_t v[3] = { p->timed, p->sum_us, p->max_us };

	counts(j, NULL, v, 3);
}

static void
data(struct jsonout *j, const struct sample *s)
{
	static const char *const keys[SAMPLE_KINDS] = {
		[SAMPLE_WRITE] = "write", [SAMPLE_READ] = "read",
		[SAMPLE_COMMIT] = "commit"
	};
	const uint64_t hidden[2] = { s->data[SAMPLE_WRITE].bytes,
	    s->data[SAMPLE_READ].bytes };
	const struct sample_data *d;
	int i;

	for (i = 0; i < SAMPLE_KINDS; i++) {
		d = &s->data[i];
		if (d->latency.timed + d->request.timed + d->server.timed +
		    d->reply.timed == 0)
			continue;
		jsonout_array(j, keys[i]);
		part(j, &d->latency);
		part(j, &d->request);
		part(j, &d->server);
		part(j, &d->reply);
		jsonout_end_array(j);
	}
	if (s->data[SAMPLE_WRITE].hidden + s->data[SAMPLE_READ].hidden > 0)
		counts(j, "hidden", hidden, 2);
}

static void
ops(struct jsonout *j, const struct sample *s)
{
	char key[OPLIST_NAME], name[OPLIST_NAME];
	const struct totals_op *o;
	struct oplist l;
	uint32_t i, k, n;

	oplist_of_sample(&l, s);
	if (l.n == 0)
		return;
	jsonout_array(j, "ops");
	for (i = 0; i < l.n; i++) {
		o = l.op[i];
		const uint64_t v[] = { o->calls, o->replies, o->errors,
		    o->retransmits, o->hidden, o->max_us, o->sum_us, o->timed,
		    o->bytes };

		jsonout_array(j, NULL);
		jsonout_str(j, NULL, oplist_key(o, key));
		jsonout_str(j, NULL, oplist_name(o, name));
		for (n = sizeof(v) / sizeof(v[0]); n > 0 && v[n - 1] == 0; n--)
			;
		for (k = 0; k < n; k++)
			jsonout_uint(j, NULL, v[k]);
		jsonout_end_array(j);
	}
	jsonout_end_array(j);
}

static int
compare_cells(const void *a, const void *b)
{
	const struct sample_cell *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->bucket > y->bucket) - (x->bucket < y->bucket);
}

static uint32_t
sorted_cells(const struct sample *s, struct sample_cell cell[SAMPLE_CELLS])
{
	const struct sample_cell *c;
	uint32_t n = 0;

	if (s->cells == 0)
		return 0;
	for (c = s->cell; c < s->cell + SAMPLE_CELLS; c++)
		if (c->count > 0 && c->series < SAMPLE_SERIES)
			cell[n++] = *c;
	qsort(cell, n, sizeof(*cell), compare_cells);
	return n;
}

static void
cells(struct jsonout *j, const struct sample *s)
{
	struct sample_cell cell[SAMPLE_CELLS];
	uint32_t i, n = sorted_cells(s, cell);
	char name[64];

	if (n == 0)
		return;
	jsonout_object(j, "cells");
	for (i = 0; i < n; i++) {
		if (i == 0 || cell[i].series != cell[i - 1].series)
			jsonout_array(j, sample_series_name(cell[i].series,
			    name, sizeof(name)));
		jsonout_uint(j, NULL, cell[i].bucket);
		jsonout_uint(j, NULL, cell[i].count);
		if (i + 1 == n || cell[i + 1].series != cell[i].series)
			jsonout_end_array(j);
	}
	jsonout_end_object(j);
}

static void
statuses(struct jsonout *j, const struct sample *s)
{
	const struct nfs_program *p;
	uint32_t i;

	if (s->statuses == 0)
		return;
	jsonout_array(j, "status");
	for (i = 0; i < s->statuses; i++) {
		if ((p = nfs_program_of(s->status[i].first_op)) == NULL)
			continue;
		jsonout_array(j, NULL);
		jsonout_str(j, NULL, p->key);
		jsonout_uint(j, NULL, s->status[i].status);
		jsonout_uint(j, NULL, s->status[i].count);
		jsonout_end_array(j);
	}
	jsonout_end_array(j);
}

static void
sizes_of(struct jsonout *j, const char *key, const struct sample *s, int kind)
{
	const struct sample_size *z = s->size[kind];
	uint32_t i;

	if (s->sizes[kind] == 0)
		return;
	jsonout_array(j, key);
	for (i = 0; i < s->sizes[kind]; i++, z++) {
		const uint64_t v[] = { z->size, z->upto, z->calls, z->bytes,
		    z->timed, z->sum_us, z->depth_sum };

		counts(j, NULL, v, sizeof(v) / sizeof(v[0]));
	}
	jsonout_end_array(j);
}

static void
sizes(struct jsonout *j, const struct sample *s)
{
	if (s->sizes[SAMPLE_WRITE] + s->sizes[SAMPLE_READ] == 0)
		return;
	jsonout_object(j, "sizes");
	sizes_of(j, "write", s, SAMPLE_WRITE);
	sizes_of(j, "read", s, SAMPLE_READ);
	jsonout_end_object(j);
}

static void
talk(struct jsonout *j, const struct sample_talk *k)
{
	const uint64_t v[] = { k->calls, k->replies, k->errors,
	    k->retransmits, k->write_calls, k->write_bytes, k->read_calls,
	    k->read_bytes, k->timed, k->sum_us, k->unstable_bytes,
	    k->stable_bytes, k->commits, k->waited_us, k->waited_max_us };

	counts(j, NULL, v, sizeof(v) / sizeof(v[0]));
}

static void
talker(struct jsonout *j, const struct sample_talker *t)
{
	talk(j, &t->now);
	talk(j, &t->total);
	jsonout_end_array(j);
}

static void
clients(struct jsonout *j, const struct sample *s)
{
	char addr[ADDR_STRLEN];
	uint32_t i;

	if (s->clients == 0)
		return;
	jsonout_array(j, "clients");
	for (i = 0; i < s->clients; i++) {
		jsonout_array(j, NULL);
		jsonout_str(j, NULL, addr_print(&s->client[i].addr, addr,
		    sizeof(addr)));
		talker(j, &s->client[i].t);
	}
	jsonout_end_array(j);
}

static void
users(struct jsonout *j, const struct sample *s)
{
	uint32_t i;

	if (s->users == 0)
		return;
	jsonout_array(j, "users");
	for (i = 0; i < s->users; i++) {
		jsonout_array(j, NULL);
		jsonout_uint(j, NULL, s->user[i].uid);
		talker(j, &s->user[i].t);
	}
	jsonout_end_array(j);
}

static void
hex(struct jsonout *j, const uint8_t *data, size_t len)
{
	char text[2 * sizeof(((struct sample_file *)0)->fh) + 1];
	size_t i;

	for (i = 0; i < len; i++)
		snprintf(text + 2 * i, 3, "%02x", data[i]);
	jsonout_strn(j, NULL, text, 2 * len);
}

static void
file(struct jsonout *j, const struct sample_file *f)
{
	size_t n = f->fh_len < sizeof(f->fh) ? f->fh_len : sizeof(f->fh);
	char key[17];

	jsonout_array(j, NULL);
	hex(j, f->fh, n);
	jsonout_uint(j, NULL, f->fh_len);
	if (f->name[0] != '\0')
		jsonout_strn(j, NULL, f->name,
		    strnlen(f->name, sizeof(f->name)));
	else
		jsonout_null(j, NULL);
	snprintf(key, sizeof(key), "%llx", (unsigned long long)f->fh_hash);
	jsonout_str(j, NULL, key);
	talker(j, &f->t);
}

static void
files(struct jsonout *j, const struct sample *s)
{
	uint32_t i;

	if (s->files == 0)
		return;
	jsonout_array(j, "files");
	for (i = 0; i < s->files; i++)
		file(j, &s->file[i]);
	jsonout_end_array(j);
}

static void
judged(struct jsonout *j, const struct judgement *v)
{
	if (v == NULL || (v->expect == EXPECT_NONE && !v->has_cause))
		return;
	jsonout_array(j, "expect");
	jsonout_real(j, NULL, v->expect_value, 9);
	jsonout_real(j, NULL, v->ratio, 9);
	jsonout_real(j, NULL, v->cause_share, 9);
	jsonout_end_array(j);
}

static void
add_log(struct jsonout *j, const struct sample *s, const struct judgement *v)
{
	jsonout_object(j, "log");
	times(j, s);
	durations(j, s);
	data(j, s);
	ops(j, s);
	cells(j, s);
	statuses(j, s);
	sizes(j, s);
	clients(j, s);
	users(j, s);
	files(j, s);
	judged(j, v);
	if (s->no_data) {
		jsonout_object(j, "counted");
		json_counts(j, s);
		jsonout_end_object(j);
	}
	jsonout_end_object(j);
}

void
jsonlog_second(struct textbuf *t, const struct sample *s,
    const struct judgement *v)
{
	json_second_and(t, s, v, add_log);
}

void
jsonlog_lost(struct textbuf *t, int64_t time_ns, uint64_t intervals)
{
	struct jsonout j = { .text = t };

	jsonout_object(&j, NULL);
	jsonout_str(&j, "type", "lost");
	jsonout_time(&j, "time", time_ns);
	jsonout_uint(&j, "intervals", intervals);
	jsonout_end_object(&j);
	textbuf_char(t, '\n');
}

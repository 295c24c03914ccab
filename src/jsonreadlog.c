/* SPDX-License-Identifier: ISC */
/*
 * jsonreadlog.c: the member "log" of a line of the rate log back into the
 * sample.
 */
#include "jsonreadlog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jsonvalue.h"

static const struct nfs_program *
find_program(const char *key)
{
	const struct nfs_program *p;

	for (p = nfs_programs(); p->key != NULL; p++)
		if (strcmp(p->key, key) == 0)
			return p;
	return NULL;
}

static uint16_t
find_op(const struct nfs_program *p, const char *name)
{
	uint16_t op;

	for (op = p->first_op; op < p->first_op + p->procs; op++)
		if (strcmp(nfs_op_name(op), name) == 0)
			return op;
	for (op = p->first_compound_op;
	    op < p->first_compound_op + p->compound_ops; op++)
		if (strcmp(nfs_op_name(op), name) == 0)
			return op;
	return NFS_OP_NONE;
}

struct sample_op *
jsonreadlog_op(struct sample *s, const char *program, const char *name)
{
	const struct nfs_program *p = find_program(program);
	unsigned int prog, vers, proc;
	uint16_t op;

	if (p != NULL && (op = find_op(p, name)) != NFS_OP_NONE)
		return sample_op(s, op, 0, 0, 0);
	if (sscanf(name, "PROC_%u", &proc) != 1)
		return NULL;
	if (p != NULL) {
		prog = p->prog;
		vers = p->vers;
	} else if (sscanf(program, "%u.%u", &prog, &vers) != 2)
		return NULL;
	return sample_op(s, NFS_OP_NONE, prog, vers, proc);
}

/* Whoever wrote it, sums of times must not overflow. */
static int64_t
held(const json_t *v, int64_t otherwise)
{
	json_int_t n = json_integer_value(v);

	if (!json_is_integer(v) || n > JSONREADLOG_LONG_NS ||
	    n < -JSONREADLOG_LONG_NS)
		return otherwise;
	return n;
}

static void
times(const json_t *log, struct sample *s)
{
	const json_t *watch = json_object_get(log, "watch");

	s->start_ns += held(json_object_get(log, "start"), 0);
	s->length_ns = held(json_object_get(log, "length"), s->length_ns);
	if (s->length_ns <= 0)
		s->length_ns = 1;
	s->watched_ns = held(json_array_get(watch, 0), 0);
	if (s->watched_ns > s->length_ns)
		s->watched_ns = s->length_ns;
	if (s->packets_only)		/* whose times nobody knows */
		return;
	s->first_ns = s->last_ns = 0;
	if (sample_packets(s) == 0)
		return;
	s->first_ns = s->start_ns + held(json_array_get(watch, 1), 0);
	s->last_ns = s->start_ns + held(json_array_get(watch, 2), 0);
}

static void
durations(const json_t *log, struct sample *s)
{
	const json_t *duty = json_object_get(log, "duty");
	const json_t *split = json_object_get(log, "split");
	size_t i;

	s->depth_ns = 0;
	jsonvalue_uint(log, "depth", &s->depth_ns);
	s->has_duty = json_is_array(duty);
	s->duty_bins = jsonvalue_nth32(duty, 0);
	s->duty_on = jsonvalue_nth32(duty, 1);
	s->duty_gap_ns = held(json_array_get(duty, 2), 0);
	for (i = 0; i < SAMPLE_STATES; i++)
		s->state_ns[i] = jsonvalue_nth(split, i);
	s->untrusted_ns = held(json_object_get(log, "untrusted"), 0);
}

static void
part(const json_t *a, struct sample_part *p)
{
	p->timed = jsonvalue_nth(a, 0);
	p->sum_us = jsonvalue_nth(a, 1);
	p->max_us = jsonvalue_nth32(a, 2);
}

static void
data(const json_t *log, const char *key, struct sample_data *d)
{
	const json_t *a = json_object_get(log, key);

	part(json_array_get(a, 0), &d->latency);
	part(json_array_get(a, 1), &d->request);
	part(json_array_get(a, 2), &d->server);
	part(json_array_get(a, 3), &d->reply);
}

static void
hidden(const json_t *log, struct sample *s)
{
	const json_t *a = json_object_get(log, "hidden");

	if (!json_is_array(a))
		return;
	s->data[SAMPLE_WRITE].bytes = jsonvalue_nth(a, 0);
	s->data[SAMPLE_READ].bytes = jsonvalue_nth(a, 1);
}

static void
ops(const json_t *log, struct sample *s)
{
	const json_t *a;
	const char *program, *name;
	struct sample_op *row;
	size_t i;

	json_array_foreach(json_object_get(log, "ops"), i, a) {
		program = json_string_value(json_array_get(a, 0));
		name = json_string_value(json_array_get(a, 1));
		if (program == NULL || name == NULL ||
		    (row = jsonreadlog_op(s, program, name)) == NULL)
			continue;
		row->calls = jsonvalue_nth32(a, 2);
		row->replies = jsonvalue_nth32(a, 3);
		row->errors = jsonvalue_nth32(a, 4);
		row->retransmits = jsonvalue_nth32(a, 5);
		row->hidden = jsonvalue_nth32(a, 6);
		row->max_us = jsonvalue_nth32(a, 7);
		row->sum_us = jsonvalue_nth(a, 8);
		row->timed = jsonvalue_nth(a, 9);
		row->bytes = jsonvalue_nth(a, 10);
	}
}

/* By its name: NFS_OP_COUNT names are few, and lines have few series. */
static uint16_t
find_series(const char *key)
{
	const struct nfs_program *p;
	const char *dot = strchr(key, '.');
	char program[32], name[64];
	int i;

	for (i = NFS_OP_COUNT; i < SAMPLE_SERIES; i++)
		if (strcmp(key, sample_series_name((uint16_t)i, name,
		    sizeof(name))) == 0)
			return (uint16_t)i;
	if (dot == NULL || (size_t)(dot - key) >= sizeof(program))
		return NFS_OP_NONE;
	memcpy(program, key, (size_t)(dot - key));
	program[dot - key] = '\0';
	p = find_program(program);
	return p != NULL ? find_op(p, dot + 1) : NFS_OP_NONE;
}

static void
cells(json_t *log, struct sample *s)
{
	const char *key;
	json_t *a;
	uint32_t bucket, n;
	uint16_t series;
	size_t i;

	json_object_foreach(json_object_get(log, "cells"), key, a) {
		if ((series = find_series(key)) == NFS_OP_NONE)
			continue;
		for (i = 0; i + 1 < json_array_size(a); i += 2) {
			bucket = jsonvalue_nth32(a, i);
			n = jsonvalue_nth32(a, i + 1);
			if (bucket < HISTOGRAM_BUCKETS && n > 0)
				sample_cell_add(s, series, (uint16_t)bucket,
				    n);
		}
	}
}

static void
statuses(const json_t *log, struct sample *s)
{
	const struct nfs_program *p;
	const char *key;
	const json_t *a;
	size_t i;

	json_array_foreach(json_object_get(log, "status"), i, a) {
		key = json_string_value(json_array_get(a, 0));
		if (key != NULL && (p = find_program(key)) != NULL)
			sample_status_add(s, p->first_op,
			    jsonvalue_nth32(a, 1), jsonvalue_nth(a, 2));
	}
}

static void
sizes(const json_t *log, const char *key, struct sample *s, int kind)
{
	const json_t *a, *rows = json_object_get(json_object_get(log,
	    "sizes"), key);
	struct sample_size *z;
	size_t i;

	json_array_foreach(rows, i, a) {
		if (s->sizes[kind] == SAMPLE_SIZES)
			break;
		z = &s->size[kind][s->sizes[kind]++];
		z->size = jsonvalue_nth32(a, 0);
		z->upto = jsonvalue_nth32(a, 1) != 0;
		z->calls = jsonvalue_nth(a, 2);
		z->bytes = jsonvalue_nth(a, 3);
		z->timed = jsonvalue_nth(a, 4);
		z->sum_us = jsonvalue_nth(a, 5);
		z->depth_sum = jsonvalue_nth(a, 6);
	}
}

static void
talk(const json_t *a, struct sample_talk *k)
{
	k->calls = jsonvalue_nth(a, 0);
	k->replies = jsonvalue_nth(a, 1);
	k->errors = jsonvalue_nth(a, 2);
	k->retransmits = jsonvalue_nth(a, 3);
	k->write_calls = jsonvalue_nth(a, 4);
	k->write_bytes = jsonvalue_nth(a, 5);
	k->read_calls = jsonvalue_nth(a, 6);
	k->read_bytes = jsonvalue_nth(a, 7);
	k->timed = jsonvalue_nth(a, 8);
	k->sum_us = jsonvalue_nth(a, 9);
	k->unstable_bytes = jsonvalue_nth(a, 10);
	k->stable_bytes = jsonvalue_nth(a, 11);
	k->commits = jsonvalue_nth(a, 12);
	k->waited_us = jsonvalue_nth(a, 13);
	k->waited_max_us = jsonvalue_nth(a, 14);
}

static void
clients(const json_t *log, struct sample *s)
{
	struct sample_client *c;
	const char *text;
	const json_t *a;
	size_t i;

	json_array_foreach(json_object_get(log, "clients"), i, a) {
		c = &s->client[s->clients];
		text = json_string_value(json_array_get(a, 0));
		if (s->clients == SAMPLE_CLIENTS || text == NULL ||
		    !addr_parse(text, &c->addr))
			continue;
		talk(json_array_get(a, 1), &c->t.now);
		talk(json_array_get(a, 2), &c->t.total);
		s->clients++;
	}
}

static void
users(const json_t *log, struct sample *s)
{
	struct sample_user *u;
	const json_t *a;
	size_t i;

	json_array_foreach(json_object_get(log, "users"), i, a) {
		if (s->users == SAMPLE_USERS)
			break;
		u = &s->user[s->users++];
		u->uid = jsonvalue_nth32(a, 0);
		talk(json_array_get(a, 1), &u->t.now);
		talk(json_array_get(a, 2), &u->t.total);
	}
}

static void
handle(const char *hex, struct sample_file *f)
{
	size_t i, len = strlen(hex) / 2;
	unsigned int byte;

	for (i = 0; i < len && i < sizeof(f->fh); i++)
		f->fh[i] = sscanf(hex + 2 * i, "%2x", &byte) == 1 ?
		    (uint8_t)byte : 0;
}

static void
files(const json_t *log, struct sample *s)
{
	const char *fh, *name, *key;
	struct sample_file *f;
	const json_t *a;
	uint32_t len;
	size_t i;

	json_array_foreach(json_object_get(log, "files"), i, a) {
		fh = json_string_value(json_array_get(a, 0));
		len = jsonvalue_nth32(a, 1);
		name = json_string_value(json_array_get(a, 2));
		key = json_string_value(json_array_get(a, 3));
		if (s->files == SAMPLE_FILES || fh == NULL || key == NULL)
			continue;
		f = &s->file[s->files++];
		handle(fh, f);
		f->fh_len = (uint8_t)(len > UINT8_MAX ? UINT8_MAX : len);
		snprintf(f->name, sizeof(f->name), "%s",
		    name != NULL ? name : "");
		f->fh_hash = strtoull(key, NULL, 16);
		talk(json_array_get(a, 4), &f->t.now);
		talk(json_array_get(a, 5), &f->t.total);
	}
}

void
jsonreadlog(json_t *log, struct sample *s)
{
	times(log, s);
	durations(log, s);
	data(log, "write", &s->data[SAMPLE_WRITE]);
	data(log, "read", &s->data[SAMPLE_READ]);
	data(log, "commit", &s->data[SAMPLE_COMMIT]);
	hidden(log, s);
	ops(log, s);
	cells(log, s);
	statuses(log, s);
	sizes(log, "write", s, SAMPLE_WRITE);
	sizes(log, "read", s, SAMPLE_READ);
	clients(log, s);
	users(log, s);
	files(log, s);
}

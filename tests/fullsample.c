/* SPDX-License-Identifier: ISC */
/*
 * fullsample.c: samples with something in every member.
 */
#include "fullsample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND	INT64_C(1000000000)

static uint64_t
some(unsigned int *seed, uint64_t below)
{
	uint64_t n = (uint64_t)rand_r(seed) << 31 ^ (uint64_t)rand_r(seed);

	return 1 + n % below;
}

static void
fill_talk(struct sample_talk *k, unsigned int *seed)
{
	k->calls = some(seed, 10000);
	k->replies = some(seed, 10000);
	k->errors = some(seed, 10);
	k->retransmits = some(seed, 10);
	k->write_calls = some(seed, 1000);
	k->write_bytes = some(seed, UINT64_C(1) << 40);
	k->read_calls = some(seed, 1000);
	k->read_bytes = some(seed, UINT64_C(1) << 40);
	k->timed = some(seed, 100);
	k->sum_us = some(seed, 1000000);
	k->unstable_bytes = some(seed, UINT64_C(1) << 40);
	k->stable_bytes = some(seed, UINT64_C(1) << 40);
	k->commits = some(seed, 100);
	k->waited_us = some(seed, 1000000);
	k->waited_max_us = some(seed, 1000000);
}

static void
fill_part(struct sample_part *p, unsigned int *seed)
{
	p->timed = some(seed, 1000);
	p->sum_us = some(seed, 1000000);
	p->max_us = (uint32_t)some(seed, 1000000);
}

static void
fill_data(struct sample_data *d, unsigned int *seed, bool commit)
{
	d->calls = some(seed, 1000);
	d->replies = some(seed, 1000);
	d->errors = some(seed, 10);
	d->retransmits = some(seed, 10);
	fill_part(&d->latency, seed);
	if (commit)
		return;
	d->bytes = some(seed, UINT64_C(1) << 40);
	d->hidden = some(seed, 10);
	fill_part(&d->request, seed);
	fill_part(&d->server, seed);
	fill_part(&d->reply, seed);
}

static void
fill_ops(struct sample *s, unsigned int *seed)
{
	static const uint16_t numbers[] = { 0, 3, 7, 20, 40, 77, 101 };
	struct sample_op *o;
	size_t i;

	for (i = 0; i < 9; i++) {
		if (i < 7)
			o = sample_op(s, numbers[i], 0, 0, 0);
		else
			o = sample_op(s, NFS_OP_NONE, i == 7 ? 100227 : 100003,
			    3, 40);
		o->calls = (uint32_t)some(seed, 1000);
		o->replies = (uint32_t)some(seed, 1000);
		o->errors = (uint32_t)some(seed, 1000);
		o->retransmits = (uint32_t)some(seed, 10);
		o->hidden = (uint32_t)some(seed, 10);
		o->max_us = (uint32_t)some(seed, UINT32_MAX);
		o->sum_us = some(seed, UINT64_C(1) << 40);
		o->timed = some(seed, 100);
		o->bytes = some(seed, UINT64_C(1) << 40);
	}
}

static void
fill_rows(struct sample *s, unsigned int *seed)
{
	struct sample_file *f;
	int i, k;

	sample_status_add(s, nfs_program_find(NFS_PROG_NFS, 3)->first_op, 2,
	    some(seed, 9));
	sample_status_add(s, nfs_program_find(NFS_PROG_NFS, 4)->first_op,
	    10008, some(seed, 9));
	for (k = SAMPLE_WRITE; k <= SAMPLE_READ; k++)
		for (i = 0; i < 3; i++) {
			s->size[k][i] = (struct sample_size){
				(uint32_t)some(seed, 65536), i == 2,
				some(seed, 99), some(seed, 99999),
				some(seed, 99), some(seed, 99), some(seed, 99)
			};
			s->sizes[k]++;
		}
	for (i = 0; i < 3; i++) {
		s->client[i].addr.b[0] = 0xfd;
		s->client[i].addr.b[15] = (uint8_t)some(seed, 255);
		fill_talk(&s->client[i].t.now, seed);
		fill_talk(&s->client[i].t.total, seed);
		s->user[i].uid = (uint32_t)some(seed, UINT32_MAX);
		fill_talk(&s->user[i].t.now, seed);
		fill_talk(&s->user[i].t.total, seed);
		f = &s->file[i];
		f->fh_hash = some(seed, UINT64_MAX);
		f->fh_len = (uint8_t)(i == 0 ? 64 : 28);
		for (k = 0; k < (i == 0 ? 31 : 28); k++)
			f->fh[k] = (uint8_t)some(seed, 256);
		snprintf(f->name, sizeof(f->name), "%s", i == 1 ?
		    "a \"name\" \\ \xc3\xa4" : "");
		fill_talk(&f->t.now, seed);
		fill_talk(&f->t.total, seed);
	}
	s->clients = s->users = s->files = 3;
	s->servers = 2;
	s->server[0].b[15] = 1;
	s->server[1].b[15] = 2;
	for (i = 0; i < 200; i++)
		sample_cell_add(s, (uint16_t)(i % 2 ? SAMPLE_WRITE_SERVER : 7),
		    (uint16_t)some(seed, HISTOGRAM_BUCKETS - 1),
		    (uint32_t)some(seed, 99));
}

void
fullsample_fill(struct sample *s, unsigned int seed, int64_t start_ns)
{
	struct sample_traffic *t;
	int i;

	sample_clear(s);
	s->start_ns = start_ns;
	s->length_ns = SECOND;
	s->watched_ns = (int64_t)some(&seed, SECOND);
	s->first_ns = start_ns + (int64_t)some(&seed, SECOND / 2);
	s->last_ns = s->first_ns + (int64_t)some(&seed, SECOND / 2);
	s->seq = some(&seed, 100000);
	s->partial = seed % 2;
	s->has_split = s->has_duty = true;
	for (i = 0; i < SAMPLE_DIRECTIONS; i++) {
		t = &s->traffic[i];
		t->packets = some(&seed, 100000);
		t->wire_packets = some(&seed, 100000);
		t->bytes = some(&seed, UINT64_C(1) << 40);
		t->wire_bytes = some(&seed, UINT64_C(1) << 40);
		if (i != SAMPLE_OTHER)
			t->errs = some(&seed, 10);
	}
	s->colls = some(&seed, 10);
	s->kernel_drops = some(&seed, 10);
	s->interface_drops = some(&seed, 10);
	s->if_in_packets = some(&seed, 100000);
	s->if_in_bytes = some(&seed, 100000);
	s->if_in_errs = some(&seed, 10);
	s->if_out_packets = some(&seed, 100000);
	s->if_out_bytes = some(&seed, 100000);
	s->if_out_errs = some(&seed, 10);
	s->rpc_calls = some(&seed, 10000);
	s->rpc_replies = some(&seed, 10000);
	s->rpc_retransmits = some(&seed, 10);
	s->rpc_unmatched = some(&seed, 10);
	s->outstanding = some(&seed, 10);
	s->depth_ns = some(&seed, UINT64_C(1) << 40);
	s->depth_max = (uint32_t)some(&seed, 100);
	for (i = 0; i < SAMPLE_COUNTERS; i++)
		s->counter[i] = some(&seed, 100000);
	for (i = 0; i < SAMPLE_KINDS; i++)
		fill_data(&s->data[i], &seed, i == SAMPLE_COMMIT);
	for (i = 0; i < 3; i++)
		s->data[SAMPLE_WRITE].stable[i] = some(&seed, 1000);
	s->duty_bins = 100;
	s->duty_on = (uint32_t)some(&seed, 100);
	s->duty_gap_ns = (int64_t)some(&seed, SECOND);
	for (i = 0; i < SAMPLE_STATES; i++)
		s->state_ns[i] = some(&seed, SECOND / 8);
	s->untrusted_ns = (int64_t)some(&seed, SECOND);
	fill_ops(s, &seed);
	fill_rows(s, &seed);
}

void
fullsample_writes(struct sample *s, int64_t start_ns, uint32_t n)
{
	struct sample_data *w = &s->data[SAMPLE_WRITE];

	sample_clear(s);
	s->start_ns = s->first_ns = start_ns;
	s->last_ns = start_ns + SECOND - 1;
	s->length_ns = s->watched_ns = SECOND;
	s->traffic[SAMPLE_IN].packets = n * UINT64_C(6);
	s->traffic[SAMPLE_IN].wire_packets = n * UINT64_C(6);
	s->traffic[SAMPLE_IN].bytes = n * UINT64_C(8536);
	s->traffic[SAMPLE_IN].wire_bytes = n * UINT64_C(8536);
	s->rpc_calls = s->rpc_replies = w->calls = w->replies = n;
	w->bytes = n * UINT64_C(8192);
	w->stable[0] = n;
	sample_op(s, nfs_proc_op(NFS_PROG_NFS, 3, 7), 0, 0, 0)->calls = n;
}

void
fullsample_judge(struct judgement *v, unsigned int seed)
{
	*v = (struct judgement){
		.expect = EXPECT_WPS,
		.expect_value = 1440.123456789,
		.ratio = 0.25 + seed / 1000.0,
		.has_verdict = true, .verdict = VERDICT_BURSTY,
		.has_cause = true, .cause = SAMPLE_COMMITTING,
		.cause_share = 0.375
	};
}

static int
compare_cells(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct sample_cell));
}

static int
compare_ops(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct sample_op));
}

/* In an order that only what they hold decides. */
static struct sample *
sorted(const struct sample *s)
{
	struct sample *copy = malloc(sizeof(*copy));

	if (copy == NULL)
		abort();
	*copy = *s;
	qsort(copy->cell, SAMPLE_CELLS, sizeof(copy->cell[0]), compare_cells);
	qsort(copy->op, copy->ops, sizeof(copy->op[0]), compare_ops);
	return copy;
}

#define MEMBER(m)	{ #m, offsetof(struct sample, m), \
	sizeof(((struct sample *)0)->m) }
static const struct {
	const char	*name;
	size_t		 at, size;
} members[] = {
	MEMBER(start_ns), MEMBER(length_ns), MEMBER(watched_ns),
	MEMBER(first_ns), MEMBER(last_ns), MEMBER(seq), MEMBER(partial),
	MEMBER(gap), MEMBER(restarted), MEMBER(no_data),
	MEMBER(packets_only), MEMBER(has_split), MEMBER(has_duty),
	MEMBER(server), MEMBER(servers), MEMBER(traffic), MEMBER(colls),
	MEMBER(kernel_drops), MEMBER(interface_drops), MEMBER(if_in_packets),
	MEMBER(if_in_bytes), MEMBER(if_out_packets), MEMBER(if_out_bytes),
	MEMBER(if_in_errs), MEMBER(if_out_errs), MEMBER(rpc_calls),
	MEMBER(rpc_replies), MEMBER(rpc_retransmits), MEMBER(rpc_unmatched),
	MEMBER(outstanding), MEMBER(depth_ns), MEMBER(depth_max),
	MEMBER(counter), MEMBER(data), MEMBER(duty_bins), MEMBER(duty_on),
	MEMBER(duty_gap_ns), MEMBER(state_ns), MEMBER(untrusted_ns),
	MEMBER(ops), MEMBER(statuses), MEMBER(sizes), MEMBER(clients),
	MEMBER(users), MEMBER(files), MEMBER(cells), MEMBER(op),
	MEMBER(status), MEMBER(size), MEMBER(client), MEMBER(user),
	MEMBER(file), MEMBER(cell),
};

const char *
fullsample_difference(const struct sample *a, const struct sample *b)
{
	const char *found = NULL;
	struct sample *x = sorted(a), *y = sorted(b);
	size_t i;

	for (i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (memcmp((char *)x + members[i].at,
		    (char *)y + members[i].at, members[i].size) != 0) {
			found = members[i].name;
			break;
		}
	free(x);
	free(y);
	return found;
}

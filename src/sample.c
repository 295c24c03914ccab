/* SPDX-License-Identifier: ISC */
/*
 * sample.c: the record of one interval: its rows, cells and names.
 */
#include "sample.h"

#include <stdio.h>
#include <string.h>

#define CELLS_MAX	(SAMPLE_CELLS / 4 * 3)	/* fuller, chains grow long */
#define PART_MIN	10	/* a shorter part of an interval has no rate */
#define POWER_MIN	512u
#define POWER_MAX	(512u << (SAMPLE_POWERS - 1))

_Static_assert((SAMPLE_CELLS & (SAMPLE_CELLS - 1)) == 0,
    "the cells are a power of two");
_Static_assert(SAMPLE_SERIES < NFS_OP_NONE, "a series has 16 bits");
_Static_assert(SAMPLE_EXACT + SAMPLE_POWERS == SAMPLE_SIZES,
    "every size finds a row");
_Static_assert(sizeof(struct sample) <= 64 * 1024, "a sample is copied");

static const struct counter_name {
	enum sample_group group;
	const char	*name;
	const char	*words;
} counters[SAMPLE_COUNTERS] = {
#define COUNTER(id, group, name, words) \
	[SAMPLE_##id] = { SAMPLE_G_##group, name, words },
#include "sample_counters.inc"
#undef COUNTER
};

static const char *const groups[SAMPLE_GROUPS] = {
	[SAMPLE_G_TCP] = "tcp", [SAMPLE_G_IP] = "ip", [SAMPLE_G_RPC] = "rpc",
	[SAMPLE_G_CAPTURE] = "capture", [SAMPLE_G_DISCARDS] = "discards",
	[SAMPLE_G_EVICTIONS] = "evictions"
};

static const char *const states[SAMPLE_STATES] = {
	[SAMPLE_CLIENT] = "client", [SAMPLE_REQUEST] = "request",
	[SAMPLE_SERVER] = "server", [SAMPLE_COMMITTING] = "commit",
	[SAMPLE_REPLY] = "reply", [SAMPLE_NETWORK] = "network",
	[SAMPLE_WINDOW] = "window", [SAMPLE_DELAY] = "delay"
};

static const char *const series_names[SAMPLE_SERIES - NFS_OP_COUNT] = {
	[SAMPLE_WRITE_LATENCY - NFS_OP_COUNT] = "write.latency",
	[SAMPLE_WRITE_REQUEST - NFS_OP_COUNT] = "write.request",
	[SAMPLE_WRITE_SERVER - NFS_OP_COUNT] = "write.server",
	[SAMPLE_WRITE_REPLY - NFS_OP_COUNT] = "write.reply",
	[SAMPLE_READ_LATENCY - NFS_OP_COUNT] = "read.latency",
	[SAMPLE_READ_REQUEST - NFS_OP_COUNT] = "read.request",
	[SAMPLE_READ_SERVER - NFS_OP_COUNT] = "read.server",
	[SAMPLE_READ_REPLY - NFS_OP_COUNT] = "read.reply",
	[SAMPLE_COMMIT_LATENCY - NFS_OP_COUNT] = "commit.latency"
};

enum sample_group
sample_counter_group(enum sample_counter c)
{
	return counters[c].group;
}

const char *
sample_counter_name(enum sample_counter c)
{
	return counters[c].name;
}

const char *
sample_counter_words(enum sample_counter c)
{
	return counters[c].words;
}

const char *
sample_group_name(enum sample_group g)
{
	return groups[g];
}

const char *
sample_state_name(enum sample_state s)
{
	return states[s];
}

const char *
sample_series_name(uint16_t series, char *buf, size_t size)
{
	const struct nfs_program *p;

	if (series >= NFS_OP_COUNT)
		return series < SAMPLE_SERIES ?
		    series_names[series - NFS_OP_COUNT] : "";
	p = nfs_program_of(series);
	snprintf(buf, size, "%s.%s", p != NULL ? p->key : "none",
	    nfs_op_name(series));
	return buf;
}

void
sample_clear(struct sample *s)
{
	int d;

	memset(s, 0, sizeof(*s));
	for (d = 0; d < SAMPLE_DIRECTIONS; d++)
		s->traffic[d].errs = SAMPLE_UNKNOWN;
	s->colls = SAMPLE_UNKNOWN;
	s->kernel_drops = s->interface_drops = SAMPLE_UNKNOWN;
	s->if_in_packets = s->if_in_bytes = SAMPLE_UNKNOWN;
	s->if_out_packets = s->if_out_bytes = SAMPLE_UNKNOWN;
	s->if_in_errs = s->if_out_errs = SAMPLE_UNKNOWN;
}

static bool
op_is(const struct sample_op *row, uint16_t op, uint32_t prog, uint32_t vers,
    uint32_t proc)
{
	if (row->op != op)
		return false;
	return op != NFS_OP_NONE || (row->prog == prog && row->vers == vers &&
	    row->proc == proc);
}

struct sample_op *
sample_op(struct sample *s, uint16_t op, uint32_t prog, uint32_t vers,
    uint32_t proc)
{
	struct sample_op *row;
	uint32_t i, others = 0;

	for (i = 0; i < s->ops; i++) {
		if (op_is(&s->op[i], op, prog, vers, proc))
			return &s->op[i];
		others += s->op[i].op == NFS_OP_NONE;
	}
	if (s->ops == SAMPLE_OPS ||
	    (op == NFS_OP_NONE && others == SAMPLE_OTHER_OPS)) {
		s->counter[SAMPLE_OPS_LOST]++;
		return NULL;
	}
	row = &s->op[s->ops++];
	memset(row, 0, sizeof(*row));
	row->op = op;
	if (op == NFS_OP_NONE) {
		row->prog = prog;
		row->vers = vers;
		row->proc = proc;
	}
	return row;
}

void
sample_status_add(struct sample *s, uint16_t first_op, uint32_t status,
    uint64_t n)
{
	struct sample_status *row = s->status;
	uint32_t i;

	for (i = 0; i < s->statuses; i++, row++)
		if (row->first_op == first_op && row->status == status)
			break;
	if (i == SAMPLE_STATUS) {
		s->counter[SAMPLE_OPS_LOST]++;
		return;
	}
	if (i == s->statuses) {
		s->statuses++;
		row->first_op = first_op;
		row->pad = 0;
		row->status = status;
		row->count = 0;
	}
	row->count += n;
}

/* The power of two, within limits, that holds a size. */
static uint32_t
power_above(uint32_t size)
{
	uint32_t power = POWER_MIN;

	while (power < size && power < POWER_MAX)
		power <<= 1;
	return power;
}

void
sample_server(struct sample *s, const struct addr *a)
{
	uint32_t i;

	for (i = 0; i < s->servers; i++)
		if (addr_equal(&s->server[i], a))
			return;
	if (i < SAMPLE_SERVERS)
		s->server[s->servers++] = *a;
}

struct sample_size *
sample_size_row(struct sample_size *rows, uint32_t *n, uint32_t max,
    uint32_t size, uint32_t upto)
{
	uint32_t i, exact = 0;

	for (i = 0; i < *n; i++) {
		if (rows[i].size == size && rows[i].upto == upto)
			return &rows[i];
		exact += rows[i].upto == 0;
	}
	if (upto == 0 && exact >= max - SAMPLE_POWERS)
		return sample_size_row(rows, n, max, power_above(size), 1);
	memset(&rows[*n], 0, sizeof(rows[*n]));
	rows[*n].size = size;
	rows[*n].upto = upto;
	return &rows[(*n)++];
}

double
sample_size_limit(const struct sample_size *z)
{
	if (z->calls == 0 || z->timed == 0 || z->sum_us == 0)
		return -1;
	return (double)z->depth_sum / (double)z->calls *
	    (double)z->bytes / (double)z->calls /
	    ((double)z->sum_us / (double)z->timed / 1e6);
}

struct sample_size *
sample_size(struct sample *s, enum sample_kind kind, uint32_t size)
{
	return sample_size_row(s->size[kind], &s->sizes[kind], SAMPLE_SIZES,
	    size, 0);
}

void
sample_cell_add(struct sample *s, uint16_t series, uint16_t bucket, uint32_t n)
{
	uint32_t key = (uint32_t)series * HISTOGRAM_BUCKETS + bucket;
	uint32_t i = key * UINT32_C(2654435761) >> 16 & (SAMPLE_CELLS - 1);
	struct sample_cell *c = &s->cell[i];

	while (c->count != 0 && (c->series != series || c->bucket != bucket)) {
		i = (i + 1) & (SAMPLE_CELLS - 1);
		c = &s->cell[i];
	}
	if (c->count == 0) {
		if (s->cells == CELLS_MAX) {
			s->counter[SAMPLE_OPS_LOST]++;
			return;
		}
		s->cells++;
		c->series = series;
		c->bucket = bucket;
	}
	c->count += n;
}

static uint64_t
microseconds(int64_t ns)
{
	return ns > 0 ? ((uint64_t)ns + 500) / 1000 : 0;
}

uint32_t
sample_larger(uint32_t max, uint64_t us)
{
	if (us > UINT32_MAX)
		us = UINT32_MAX;
	return us > max ? (uint32_t)us : max;
}

void
sample_op_latency(struct sample *s, struct sample_op *row, int64_t ns)
{
	uint64_t us = microseconds(ns);

	row->timed++;
	row->sum_us += us;
	row->max_us = sample_larger(row->max_us, us);
	if (row->op != NFS_OP_NONE)
		sample_cell_add(s, row->op, (uint16_t)histogram_bucket(us), 1);
}

void
sample_part_latency(struct sample *s, struct sample_part *part,
    uint16_t series, int64_t ns)
{
	uint64_t us = microseconds(ns);

	part->timed++;
	part->sum_us += us;
	part->max_us = sample_larger(part->max_us, us);
	if (series != NFS_OP_NONE)
		sample_cell_add(s, series, (uint16_t)histogram_bucket(us), 1);
}

void
sample_histogram(const struct sample *s, uint16_t series, struct histogram *h)
{
	const struct sample_cell *c;
	double upper;

	memset(h, 0, sizeof(*h));
	for (c = s->cell; c < s->cell + SAMPLE_CELLS; c++) {
		if (c->count == 0 || c->series != series)
			continue;
		h->count += c->count;
		h->bucket[c->bucket] += c->count;
		upper = histogram_upper_us(c->bucket);
		if (upper > (double)h->max_us)
			h->max_us = (uint32_t)upper;
	}
}

uint64_t
sample_sum(uint64_t a, uint64_t b)
{
	if (a == SAMPLE_UNKNOWN)
		return b;
	return b == SAMPLE_UNKNOWN ? a : a + b;
}

uint64_t
sample_packets(const struct sample *s)
{
	return s->traffic[SAMPLE_IN].packets + s->traffic[SAMPLE_OUT].packets +
	    s->traffic[SAMPLE_OTHER].packets;
}

double
sample_seconds(const struct sample *s)
{
	int64_t ns = s->length_ns;

	if (s->partial && s->watched_ns >= ns / PART_MIN)
		ns = s->watched_ns;
	return ns > 0 ? (double)ns / 1e9 : 1;
}

double
sample_trust(const struct sample *s)
{
	double lost;

	if (s->no_data)
		return 0;
	if (s->length_ns <= 0 || s->untrusted_ns <= 0)
		return 1;
	lost = (double)s->untrusted_ns / (double)s->length_ns;
	return lost < 1 ? 1 - lost : 0;
}

void
sample_traffic_add(struct sample_traffic *to, const struct sample_traffic *t)
{
	to->packets += t->packets;
	to->wire_packets += t->wire_packets;
	to->bytes += t->bytes;
	to->wire_bytes += t->wire_bytes;
	to->errs = sample_sum(to->errs, t->errs);
}

void
sample_talk_add(struct sample_talk *to, const struct sample_talk *t)
{
	to->calls += t->calls;
	to->replies += t->replies;
	to->errors += t->errors;
	to->retransmits += t->retransmits;
	to->write_calls += t->write_calls;
	to->write_bytes += t->write_bytes;
	to->read_calls += t->read_calls;
	to->read_bytes += t->read_bytes;
	to->timed += t->timed;
	to->sum_us += t->sum_us;
	to->unstable_bytes += t->unstable_bytes;
	to->stable_bytes += t->stable_bytes;
	to->commits += t->commits;
	to->waited_us += t->waited_us;
	if (to->waited_max_us < t->waited_max_us)
		to->waited_max_us = t->waited_max_us;
}

uint64_t
sample_uncommitted(const struct sample_talk *k)
{
	return k->unstable_bytes > k->stable_bytes ?
	    k->unstable_bytes - k->stable_bytes : 0;
}

void
sample_part_add(struct sample_part *to, const struct sample_part *p)
{
	to->timed += p->timed;
	to->sum_us += p->sum_us;
	to->max_us = sample_larger(to->max_us, p->max_us);
}

void
sample_data_add(struct sample_data *to, const struct sample_data *d)
{
	int i;

	to->calls += d->calls;
	to->replies += d->replies;
	to->errors += d->errors;
	to->retransmits += d->retransmits;
	to->bytes += d->bytes;
	to->hidden += d->hidden;
	for (i = 0; i < 3; i++)
		to->stable[i] += d->stable[i];
	sample_part_add(&to->latency, &d->latency);
	sample_part_add(&to->request, &d->request);
	sample_part_add(&to->server, &d->server);
	sample_part_add(&to->reply, &d->reply);
}

void
sample_size_merge(struct sample_size *to, const struct sample_size *z)
{
	to->calls += z->calls;
	to->bytes += z->bytes;
	to->timed += z->timed;
	to->sum_us += z->sum_us;
	to->depth_sum += z->depth_sum;
}

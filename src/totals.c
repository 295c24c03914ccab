/* SPDX-License-Identifier: ISC */
/*
 * totals.c: everything since the start, as a sum of samples.
 */
#include "totals.h"

#include <stdlib.h>
#include <string.h>

static void
set_unknown(struct totals *t)
{
	int d;

	for (d = 0; d < SAMPLE_DIRECTIONS; d++)
		t->traffic[d].errs = SAMPLE_UNKNOWN;
	t->colls = t->kernel_drops = t->interface_drops = SAMPLE_UNKNOWN;
}

struct totals *
totals_new(void)
{
	struct totals *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	if ((t->rows = toprows_new()) == NULL) {
		free(t);
		return NULL;
	}
	set_unknown(t);
	return t;
}

void
totals_free(struct totals *t)
{
	if (t == NULL)
		return;
	toprows_free(t->rows);
	free(t);
}

void
totals_reset(struct totals *t)
{
	struct toprows *rows = t->rows;

	toprows_clear(rows);
	memset(t, 0, sizeof(*t));
	t->rows = rows;
	set_unknown(t);
}

static void
add_times(struct totals *t, const struct sample *s)
{
	bool timed;

	if (t->records == 0)
		t->start_ns = s->start_ns;
	t->records++;
	t->gaps += s->gap;
	t->restarts += s->restarted;
	t->partial += s->partial;
	t->no_data += s->no_data;
	t->watched_ns += s->watched_ns;
	t->end_ns = s->start_ns + s->length_ns;
	if (sample_packets(s) == 0)
		return;
	/* Rows of counters know nothing of single packets. */
	timed = s->first_ns <= s->last_ns;
	if (!t->has_packets)
		t->first_ns = timed ? s->first_ns : s->start_ns;
	t->last_ns = timed ? s->last_ns : s->start_ns + s->length_ns;
	t->has_packets = true;
}

static void
add_scalars(struct totals *t, const struct sample *s)
{
	int i;

	for (i = 0; i < SAMPLE_DIRECTIONS; i++)
		sample_traffic_add(&t->traffic[i], &s->traffic[i]);
	for (i = 0; i < SAMPLE_COUNTERS; i++)
		t->counter[i] += s->counter[i];
	for (i = 0; i < SAMPLE_KINDS; i++)
		sample_data_add(&t->data[i], &s->data[i]);
	for (i = 0; i < SAMPLE_STATES; i++)
		t->state_ns[i] += s->state_ns[i];
	t->has_split |= s->has_split;
	t->packets_only = s->packets_only && (t->records == 1 ||
	    t->packets_only);
	t->colls = sample_sum(t->colls, s->colls);
	t->kernel_drops = sample_sum(t->kernel_drops, s->kernel_drops);
	t->interface_drops = sample_sum(t->interface_drops,
	    s->interface_drops);
	t->rpc_calls += s->rpc_calls;
	t->rpc_replies += s->rpc_replies;
	t->rpc_retransmits += s->rpc_retransmits;
	t->rpc_unmatched += s->rpc_unmatched;
	t->outstanding = s->outstanding;
	t->depth_ns += s->depth_ns;
	t->depth_max = sample_larger(t->depth_max, s->depth_max);
	t->duty_bins += s->duty_bins;
	t->duty_on += s->duty_on;
	if (s->duty_gap_ns > t->duty_gap_ns)
		t->duty_gap_ns = s->duty_gap_ns;
	t->untrusted_ns += s->untrusted_ns;
}

static struct totals_op *
other_op(struct totals *t, const struct sample_op *o)
{
	struct totals_op *row = t->other;
	uint32_t i;

	for (i = 0; i < t->others; i++, row++)
		if (row->prog == o->prog && row->vers == o->vers &&
		    row->proc == o->proc)
			return row;
	if (t->others == TOTALS_OTHER_OPS) {
		t->counter[SAMPLE_OPS_LOST]++;
		return NULL;
	}
	t->others++;
	row->prog = o->prog;
	row->vers = o->vers;
	row->proc = o->proc;
	return row;
}

static void
add_op(struct totals *t, const struct sample_op *o)
{
	const struct nfs_program *p = nfs_program_of(o->op);
	struct totals_op *row;

	row = p != NULL ? &t->op[o->op] : other_op(t, o);
	if (row == NULL)
		return;
	row->op = o->op;
	if (p != NULL) {
		row->prog = p->prog;
		row->vers = p->vers;
	}
	row->calls += o->calls;
	row->replies += o->replies;
	row->errors += o->errors;
	row->retransmits += o->retransmits;
	row->hidden += o->hidden;
	row->timed += o->timed;
	row->sum_us += o->sum_us;
	row->bytes += o->bytes;
	row->max_us = sample_larger(row->max_us, o->max_us);
}

static void
add_status(struct totals *t, const struct sample_status *s)
{
	struct sample_status *row = t->status;
	uint32_t i;

	for (i = 0; i < t->statuses; i++, row++)
		if (row->first_op == s->first_op && row->status == s->status)
			break;
	if (i == TOTALS_STATUS) {
		t->counter[SAMPLE_OPS_LOST]++;
		return;
	}
	if (i == t->statuses) {
		t->statuses++;
		*row = *s;
	} else
		row->count += s->count;
}

/*
 * A bucket that runs full halves its series: quantiles stay what they are,
 * and counts and sums are exact elsewhere.
 */
static void
halve(struct histogram *h)
{
	uint32_t i;

	h->count = 0;
	for (i = 0; i < HISTOGRAM_BUCKETS; i++) {
		h->bucket[i] /= 2;
		h->count += h->bucket[i];
	}
}

static void
add_cell(struct totals *t, const struct sample_cell *c)
{
	struct histogram *h;

	if (c->count == 0 || c->series >= SAMPLE_SERIES ||
	    c->bucket >= HISTOGRAM_BUCKETS)
		return;
	h = &t->series[c->series];
	while (h->bucket[c->bucket] > UINT32_MAX - c->count)
		halve(h);
	h->bucket[c->bucket] += c->count;
	h->count += c->count;
}

static void
add_rows(struct totals *t, const struct sample *s)
{
	const struct sample_size *z;
	uint32_t i;
	int kind;

	for (i = 0; i < s->ops; i++)
		add_op(t, &s->op[i]);
	for (i = 0; i < s->statuses; i++)
		add_status(t, &s->status[i]);
	for (kind = SAMPLE_WRITE; kind <= SAMPLE_READ; kind++)
		for (i = 0; i < s->sizes[kind]; i++) {
			z = &s->size[kind][i];
			sample_size_merge(sample_size_row(t->size[kind],
			    &t->sizes[kind], TOTALS_SIZES, z->size, z->upto),
			    z);
		}
	for (i = 0; s->cells > 0 && i < SAMPLE_CELLS; i++)
		add_cell(t, &s->cell[i]);
}

static void
add_talkers(struct totals *t, const struct sample *s)
{
	uint32_t i;

	for (i = 0; i < s->clients; i++)
		toprows_client(t->rows, &s->client[i], s->start_ns);
	for (i = 0; i < s->users; i++)
		toprows_user(t->rows, &s->user[i], s->start_ns);
	for (i = 0; i < s->files; i++)
		toprows_file(t->rows, &s->file[i], s->start_ns);
}

/* Keeps every second value from now on. */
static void
rate_thin(struct totals_rate *r)
{
	uint32_t i;

	for (i = 0; i < TOTALS_RATES / 2; i++)
		r->value[i] = r->value[2 * i];
	r->kept = TOTALS_RATES / 2;
	r->stride *= 2;
}

static void
rate_add(struct totals_rate *r, double value)
{
	if (r->n == 0) {
		r->min = r->max = value;
		r->stride = 1;
	}
	if (value < r->min)
		r->min = value;
	if (value > r->max)
		r->max = value;
	r->sum += value;
	if (r->n++ % r->stride != 0)
		return;
	if (r->kept == TOTALS_RATES)
		rate_thin(r);
	if ((r->n - 1) % r->stride == 0)
		r->value[r->kept++] = value;
}

static void
add_rates(struct totals *t, const struct sample *s)
{
	double seconds = sample_seconds(s);

	if (s->partial || s->gap || s->no_data)
		return;
	rate_add(&t->rate[TOTALS_RATE_IN],
	    (double)s->traffic[SAMPLE_IN].wire_packets / seconds);
	if (s->packets_only)
		return;
	rate_add(&t->rate[TOTALS_RATE_WRITE],
	    (double)s->data[SAMPLE_WRITE].calls / seconds);
	rate_add(&t->rate[TOTALS_RATE_BYTES],
	    (double)s->data[SAMPLE_WRITE].bytes / seconds);
	rate_add(&t->rate[TOTALS_RATE_READ],
	    (double)s->data[SAMPLE_READ].bytes / seconds);
}

void
totals_add(struct totals *t, const struct sample *s)
{
	add_times(t, s);
	add_scalars(t, s);
	add_rows(t, s);
	add_talkers(t, s);
	add_rates(t, s);
}

static void
each_client(void *ctx, const struct sample_client *c)
{
	toprows_client(ctx, c, 0);
}

static void
each_user(void *ctx, const struct sample_user *u)
{
	toprows_user(ctx, u, 0);
}

static void
each_file(void *ctx, const struct sample_file *f)
{
	toprows_file(ctx, f, 0);
}

void
totals_talkers(struct totals *t, struct talkers *talkers)
{
	talkers_each_client(talkers, each_client, t->rows);
	talkers_each_user(talkers, each_user, t->rows);
	talkers_each_file(talkers, each_file, t->rows);
}

double
totals_trust(const struct totals *t)
{
	double lost;

	if (t->watched_ns <= 0 || t->untrusted_ns <= 0)
		return 1;
	lost = (double)t->untrusted_ns / (double)t->watched_ns;
	return lost < 1 ? 1 - lost : 0;
}

double
totals_rate_mean(const struct totals_rate *r)
{
	return r->n > 0 ? r->sum / (double)r->n : 0;
}

static int
compare(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

double
totals_rate_quantile(const struct totals_rate *r, double q)
{
	double *sorted;
	double value;
	uint32_t i;

	if (r->kept == 0 ||
	    (sorted = malloc(r->kept * sizeof(*sorted))) == NULL)
		return totals_rate_mean(r);
	memcpy(sorted, r->value, r->kept * sizeof(*sorted));
	qsort(sorted, r->kept, sizeof(*sorted), compare);
	i = (uint32_t)(q * r->kept);
	value = sorted[i < r->kept ? i : r->kept - 1];
	free(sorted);
	if (value < r->min)
		return r->min;
	return value > r->max ? r->max : value;
}

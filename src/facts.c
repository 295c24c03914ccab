/* SPDX-License-Identifier: ISC */
/*
 * facts.c: what a diagnosis rests on, from totals and judgements.
 */
#include "facts.h"

#include <string.h>

void
facts_clear(struct facts *f)
{
	memset(f, 0, sizeof(*f));
	f->trust = 1;
	f->verdict = VERDICT_UNKNOWN;
}

static double
mean(uint64_t sum, uint64_t n)
{
	return n > 0 ? (double)sum / (double)n : 0;
}

static void
data(struct facts_data *to, const struct sample_data *d)
{
	to->calls = d->calls;
	to->replies = d->replies;
	to->retransmits = d->retransmits;
	to->latency_us = mean(d->latency.sum_us, d->latency.timed);
	to->server_us = mean(d->server.sum_us, d->server.timed);
}

/* COMMITs have a latency only; they are all server but for a few bytes. */
static void
calls(struct facts *f, const struct totals *t)
{
	uint64_t large = t->data[SAMPLE_WRITE].calls +
	    t->data[SAMPLE_READ].calls;
	uint64_t large_replies = t->data[SAMPLE_WRITE].replies +
	    t->data[SAMPLE_READ].replies;

	f->calls = t->rpc_calls;
	f->replies = t->rpc_replies;
	if (t->rpc_retransmits > t->counter[SAMPLE_COPIES])
		f->retransmits = t->rpc_retransmits -
		    t->counter[SAMPLE_COPIES];
	f->unanswered = t->counter[SAMPLE_RPC_UNANSWERED];
	f->encrypted = t->counter[SAMPLE_RPC_ENCRYPTED];
	f->verifier_changes = t->counter[SAMPLE_RPC_RESTARTS];
	f->depth_max = t->depth_max;
	data(&f->write, &t->data[SAMPLE_WRITE]);
	data(&f->read, &t->data[SAMPLE_READ]);
	data(&f->commit, &t->data[SAMPLE_COMMIT]);
	f->stable = t->data[SAMPLE_WRITE].stable[1] +
	    t->data[SAMPLE_WRITE].stable[2];
	if (f->calls > large)
		f->small_calls = f->calls - large;
	if (f->replies > large_replies)
		f->small_replies = f->replies - large_replies;
}

static void
most_frequent_size(struct facts *f, const struct totals *t)
{
	const struct sample_size *z, *top = NULL;
	uint32_t i;

	for (i = 0; i < t->sizes[SAMPLE_WRITE]; i++) {
		z = &t->size[SAMPLE_WRITE][i];
		if (z->upto == 0 && (top == NULL || z->calls > top->calls))
			top = z;
	}
	if (top == NULL)
		return;
	f->size = top->size;
	f->size_calls = top->calls;
	f->size_latency_us = mean(top->sum_us, top->timed);
	f->size_depth = mean(top->depth_sum, top->calls);
}

static void
put_off(struct facts *f, const struct totals *t)
{
	uint32_t i;

	for (i = 0; i < t->statuses; i++)
		if (nfs_status_is_delay(nfs_program_of(t->status[i].first_op),
		    t->status[i].status))
			f->delays += t->status[i].count;
}

static uint64_t
work(const struct sample_talk *t)
{
	return t->write_bytes + t->read_bytes;
}

static void
busiest_client(struct facts *f, const struct totals *t)
{
	const struct sample_client *c[TOPROWS_MAX];
	uint32_t i, top = 0;
	uint64_t sum = 0;

	f->clients = toprows_clients(t->rows, c, TOPROWS_MAX);
	for (i = 0; i < f->clients; i++) {
		sum += work(&c[i]->t.total);
		if (work(&c[i]->t.total) > work(&c[top]->t.total))
			top = i;
	}
	if (sum == 0)
		return;
	f->top_client = c[top]->addr;
	f->top_share = (double)work(&c[top]->t.total) / (double)sum;
}

static void
shares(struct facts *f, const double *state_ns)
{
	double sum = 0;
	int i;

	for (i = 0; i < SAMPLE_STATES; i++)
		sum += state_ns[i];
	if (sum <= 0)
		return;
	f->has_split = true;
	for (i = 0; i < SAMPLE_STATES; i++)
		f->share[i] = state_ns[i] / sum;
}

void
facts_totals(struct facts *f, const struct totals *t)
{
	double state_ns[SAMPLE_STATES];
	int i;

	f->seconds = (double)t->watched_ns / 1e9;
	f->trust = totals_trust(t);
	for (i = 0; i < SAMPLE_DIRECTIONS; i++)
		f->packets += t->traffic[i].packets;
	if (t->kernel_drops != SAMPLE_UNKNOWN)
		f->drops += t->kernel_drops;
	if (t->interface_drops != SAMPLE_UNKNOWN)
		f->drops += t->interface_drops;
	f->tcp_retransmits = t->counter[SAMPLE_TCP_RETRANSMITS];
	f->tcp_late = t->counter[SAMPLE_TCP_OUT_OF_ORDER];
	f->zero_windows = t->counter[SAMPLE_TCP_ZERO_WINDOW];
	f->fragments = t->counter[SAMPLE_IP_FRAGMENTS];
	f->incomplete = t->counter[SAMPLE_IP_INCOMPLETE];
	calls(f, t);
	most_frequent_size(f, t);
	put_off(f, t);
	busiest_client(f, t);
	if (!t->has_split || f->has_split)
		return;
	for (i = 0; i < SAMPLE_STATES; i++)
		state_ns[i] = (double)t->state_ns[i];
	shares(f, state_ns);
}

void
facts_rules(struct facts *f, const struct rules_overall *o)
{
	f->verdict = o->verdict;
	f->expected = o->expect != EXPECT_NONE;
	f->unit = o->expect;
	f->rate_min = o->min;
	f->rate_mean = o->mean;
	f->rate_max = o->max;
	if (f->expected && o->expected > 0)
		f->ratio = o->mean / o->expected;
	f->stalls = o->stalls > o->standstills ? o->stalls : o->standstills;
	f->longest_stall = (double)o->longest_stall_ns / 1e9;
	f->has_stall_cause = o->has_stall_cause;
	f->stall_cause = o->stall_cause;
	shares(f, o->state_ns);
}

void
facts_settle(struct facts *f, const struct settle *s)
{
	f->settled = s->times > 0;
	f->settle = s->what;
}

void
facts_netstat(struct facts *f, const struct netstatfile_stats *s)
{
	f->skewed = s->skewed;
	f->skew_mean = s->largest_mean;
}

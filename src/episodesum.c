/* SPDX-License-Identifier: ISC */
/*
 * episodesum.c: a run of intervals added up to an episode.
 */
#include "episodesum.h"

#include <string.h>

/* A call is worth as much as so many bytes, to tell who is busiest. */
#define CALL_BYTES	8192

static void
busiest(struct episode_interval *i, const struct sample *s)
{
	const struct sample_talk *t;
	uint64_t work;
	uint32_t n;

	for (n = 0; n < s->clients; n++) {
		t = &s->client[n].t.now;
		work = t->calls * CALL_BYTES + t->write_bytes + t->read_bytes;
		if (work <= i->client_work)
			continue;
		i->has_client = true;
		i->client = s->client[n].addr;
		i->client_work = work;
	}
}

void
episode_interval_of(struct episode_interval *i, const struct sample *s,
    const struct judgement *v, double rate, double unit_bytes)
{
	memset(i, 0, sizeof(*i));
	i->start_ns = s->start_ns;
	i->end_ns = s->start_ns + s->length_ns;
	i->verdict = v->verdict;
	i->bad = verdict_is_bad(v->verdict);
	i->expect = v->expect;
	i->expected = v->expect_value;
	i->rate = rate;
	i->has_cause = v->has_cause;
	i->cause = v->cause;
	i->cause_share = v->cause_share;
	if (v->expect == EXPECT_NONE || unit_bytes <= 0)
		i->shortfall_bytes = -1;
	else if (rate < v->expect_value)
		i->shortfall_bytes = (v->expect_value - rate) * unit_bytes *
		    sample_seconds(s);
	busiest(i, s);
}

static void
add_client(struct episodesum *sum, const struct episode_interval *i)
{
	struct episodesum_client *c, *least = sum->client;

	for (c = sum->client; c < sum->client + sum->clients; c++) {
		if (addr_equal(&c->addr, &i->client)) {
			c->work += i->client_work;
			return;
		}
		if (c->work < least->work)
			least = c;
	}
	if (sum->clients < EPISODESUM_CLIENTS)
		least = &sum->client[sum->clients++];
	else if (least->work >= i->client_work)
		return;
	*least = (struct episodesum_client){ i->client, i->client_work };
}

/*
 * The verdict of most of the intervals.  That they are uneven shows only after
 * some of them, so those that are known to be count twice.
 */
static enum verdict
kind(const struct episodesum *sum)
{
	const uint64_t *n = sum->kind;

	if (n[VERDICT_STALL] >= n[VERDICT_BURSTY] + n[VERDICT_UNDERRUN])
		return VERDICT_STALL;
	return 2 * n[VERDICT_BURSTY] >= n[VERDICT_UNDERRUN] ?
	    VERDICT_BURSTY : VERDICT_UNDERRUN;
}

static void
conclude(struct episodesum *sum)
{
	struct episode *e = &sum->e;
	uint32_t n, top = 0;
	int i;

	e->kind = kind(sum);
	if (sum->rates.n > 0) {
		e->min = sum->rates.min;
		e->max = sum->rates.max;
		e->mean = sum->rates.sum / (double)sum->rates.n;
	}
	e->has_cause = false;
	for (i = 0; i < SAMPLE_STATES; i++)
		if (sum->cause[i] > 0 && (!e->has_cause ||
		    sum->cause[i] > sum->cause[e->cause])) {
			e->has_cause = true;
			e->cause = (enum sample_state)i;
		}
	e->has_client = sum->clients > 0;
	for (n = 1; n < sum->clients; n++)
		if (sum->client[n].work > sum->client[top].work)
			top = n;
	if (e->has_client)
		e->client = sum->client[top].addr;
}

static void
rates_add(struct episodesum_rates *to, const struct episodesum_rates *r)
{
	if (r->n == 0)
		return;
	if (to->n == 0 || r->min < to->min)
		to->min = r->min;
	if (to->n == 0 || r->max > to->max)
		to->max = r->max;
	to->sum += r->sum;
	to->n += r->n;
}

/* The episode goes on to this one: what lay between belongs to it. */
static void
add_bad(struct episodesum *sum, const struct episode_interval *i)
{
	struct episode *e = &sum->e;

	e->end_ns = i->end_ns;
	e->intervals += sum->tail_intervals;
	rates_add(&sum->rates, &sum->tail);
	sum->tail_intervals = sum->tail.n = 0;
	sum->tail.sum = 0;
	sum->kind[i->verdict]++;
	if (i->has_cause)
		sum->cause[i->cause] += i->cause_share;
	if (i->shortfall_bytes >= 0) {
		e->has_shortfall = true;
		e->shortfall_bytes += i->shortfall_bytes;
	}
}

void
episodesum_add(struct episodesum *sum, const struct episode_interval *i)
{
	const struct episodesum_rates one = { 1, i->rate, i->rate, i->rate };

	if (sum->e.intervals == 0) {
		sum->e.start_ns = i->start_ns;
		sum->e.expect = i->expect;
		sum->e.expected = i->expected;
	}
	sum->tail_intervals++;
	if (i->expect == sum->e.expect) {
		rates_add(&sum->tail, &one);
		sum->e.expected = i->expected;
	}
	if (i->bad)
		add_bad(sum, i);
	if (i->has_client)
		add_client(sum, i);
	conclude(sum);
}

/* SPDX-License-Identifier: ISC */
/*
 * settle.c: loads that were fast at first and then settled.
 */
#include "settle.h"

#include <string.h>

static double
server_share(const struct sample *s)
{
	double sum = 0;
	int i;

	for (i = 0; i < SAMPLE_STATES; i++)
		sum += (double)s->state_ns[i];
	return sum > 0 ? (double)(s->state_ns[SAMPLE_SERVER] +
	    s->state_ns[SAMPLE_COMMITTING]) / sum : 0;
}

/* The load is over; what it was stays. */
static void
load_ends(struct settle *t)
{
	t->kept = t->next = t->low = 0;
	t->has_first = t->found = false;
}

static void
keep(struct settle *t, const struct sample *s)
{
	t->last[t->next] = (struct settle_interval){
		(double)s->data[SAMPLE_WRITE].bytes / sample_seconds(s),
		server_share(s), s->start_ns
	};
	t->next = (t->next + 1) % SETTLE_FIRST;
	if (t->kept < SETTLE_FIRST)
		t->kept++;
}

/* The mean of the last ones; the start is that of the oldest. */
static struct settle_interval
mean(const struct settle *t)
{
	struct settle_interval m = { 0, 0, t->last[t->next].start_ns };
	int i;

	for (i = 0; i < SETTLE_FIRST; i++) {
		m.rate += t->last[i].rate / SETTLE_FIRST;
		m.server += t->last[i].server / SETTLE_FIRST;
	}
	return m;
}

static void
conclude(struct settle *t)
{
	t->what = (struct settled){
		t->fell_ns, t->first.rate, t->low_rate / t->low,
		t->first.server, t->low_server / t->low
	};
}

/* An interval while the rate is low. */
static bool
is_low(struct settle *t, const struct settle_interval *m)
{
	const struct settle_interval *now =
	    &t->last[(t->next + SETTLE_FIRST - 1) % SETTLE_FIRST];

	if (t->low == 0) {
		t->fell_ns = m->start_ns;
		t->low_rate = t->low_server = 0;
	}
	t->low++;
	t->low_rate += now->rate;
	t->low_server += now->server;
	if (t->low < SETTLE_LONG || t->low_server / t->low <
	    t->first.server + SETTLE_SHARE)
		return false;
	conclude(t);
	if (t->found)
		return false;
	t->found = true;
	t->times++;
	return true;
}

bool
settle_interval(struct settle *t, const struct sample *s)
{
	struct settle_interval m;

	if (s->gap || s->restarted || s->no_data)
		load_ends(t);
	if (s->partial || s->gap || s->no_data || !s->has_split)
		return false;
	if (s->data[SAMPLE_WRITE].calls > 0)
		t->quiet = 0;
	else if (++t->quiet >= SETTLE_FIRST) {
		t->quiet = SETTLE_FIRST;
		load_ends(t);
	}
	if (t->quiet >= SETTLE_FIRST || (t->kept == 0 && t->quiet > 0))
		return false;
	keep(t, s);
	if (t->kept < SETTLE_FIRST)
		return false;
	m = mean(t);
	if (!t->has_first || m.rate > t->first.rate) {
		t->has_first = true;
		t->first = m;
	}
	if (m.rate < SETTLE_FALL * t->first.rate)
		return is_low(t, &m);
	t->low = 0;
	return false;
}

/* SPDX-License-Identifier: ISC */
/*
 * metricswindow.c: the extremes of the last intervals.
 */
#include "metricswindow.h"

#include <string.h>

#define US_PER_S	1e6
#define NS_PER_S	1e9

static void
set(struct metricswindow_row *r, enum metricswindow_kind kind, double value)
{
	r->value[kind] = value;
	r->known |= 1u << kind;
}

/* Rates of intervals that were watched in full. */
static void
set_rates(struct metricswindow_row *r, const struct sample *s)
{
	const double seconds = sample_seconds(s);

	set(r, METRICSWINDOW_IN,
	    (double)s->traffic[SAMPLE_IN].wire_packets / seconds);
	if (s->packets_only)
		return;
	set(r, METRICSWINDOW_WRITES,
	    (double)s->data[SAMPLE_WRITE].calls / seconds);
	set(r, METRICSWINDOW_WRITTEN,
	    (double)s->data[SAMPLE_WRITE].bytes / seconds);
	set(r, METRICSWINDOW_READ,
	    (double)s->data[SAMPLE_READ].bytes / seconds);
}

static void
set_rest(struct metricswindow_row *r, const struct sample *s)
{
	const struct sample_part *w = &s->data[SAMPLE_WRITE].latency;
	const struct sample_part *d = &s->data[SAMPLE_READ].latency;

	set(r, METRICSWINDOW_TRUST, sample_trust(s));
	if (s->packets_only)
		return;
	if (w->timed > 0)
		set(r, METRICSWINDOW_WRITE_S, w->max_us / US_PER_S);
	if (d->timed > 0)
		set(r, METRICSWINDOW_READ_S, d->max_us / US_PER_S);
	set(r, METRICSWINDOW_DEPTH, s->depth_max);
	if (s->has_duty)
		set(r, METRICSWINDOW_GAP_S,
		    (double)s->duty_gap_ns / NS_PER_S);
}

/* What was missed by who wanted nothing is no shortfall. */
static bool
is_compared(const struct judgement *v)
{
	return v != NULL && v->expect != EXPECT_NONE && v->has_verdict &&
	    v->verdict != VERDICT_IDLE && v->verdict != VERDICT_UNKNOWN;
}

void
metricswindow_add(struct metricswindow *w, const struct sample *s,
    const struct judgement *v)
{
	struct metricswindow_row *r = &w->row[w->next];

	if (s->restarted)
		w->n = 0;
	memset(r, 0, sizeof(*r));
	r->end_ns = s->start_ns + s->length_ns;
	if (!s->gap && !s->no_data) {
		if (!s->partial)
			set_rates(r, s);
		set_rest(r, s);
		if (is_compared(v))
			set(r, METRICSWINDOW_RATIO, v->ratio);
	}
	w->next = (w->next + 1) % METRICSWINDOW_MAX;
	if (w->n < METRICSWINDOW_MAX)
		w->n++;
}

bool
metricswindow_extremes(const struct metricswindow *w,
    enum metricswindow_kind kind, double *min, double *max)
{
	const struct metricswindow_row *r;
	uint32_t i, place = w->next;
	int64_t last = 0;
	bool any = false;

	for (i = 0; i < w->n; i++) {
		place = (place + METRICSWINDOW_MAX - 1) % METRICSWINDOW_MAX;
		r = &w->row[place];
		if (i == 0)
			last = r->end_ns;
		else if (last - r->end_ns >= METRICSWINDOW_NS)
			break;
		if ((r->known & 1u << kind) == 0)
			continue;
		if (!any || r->value[kind] < *min)
			*min = r->value[kind];
		if (!any || r->value[kind] > *max)
			*max = r->value[kind];
		any = true;
	}
	return any;
}

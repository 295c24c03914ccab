/* SPDX-License-Identifier: ISC */
/*
 * plugin.c: what is to be said of a number of intervals, for a monitoring
 * system.
 */
#include "plugin.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {
	[PLUGIN_OK] = "OK", [PLUGIN_WARNING] = "WARNING",
	[PLUGIN_CRITICAL] = "CRITICAL", [PLUGIN_UNKNOWN] = "UNKNOWN"
};

bool
plugin_alerts(const struct plugin_range *r, double value)
{
	bool within = value >= r->low && value <= r->high;

	return r->given && within == r->inside;
}

static uint64_t
intervals(const struct rules_overall *o)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < VERDICTS; i++)
		n += o->count[i];
	return n;
}

/* Of those that can be judged and had demand. */
static uint64_t
with_demand(const struct rules_overall *o)
{
	return intervals(o) - o->count[VERDICT_IDLE] -
	    o->count[VERDICT_UNKNOWN];
}

static uint64_t
bad(const struct rules_overall *o)
{
	uint64_t n = 0;
	int i;

	for (i = 0; i < VERDICTS; i++)
		if (verdict_is_bad((enum verdict)i))
			n += o->count[i];
	return n;
}

static enum plugin_status
by_verdict(enum verdict verdict)
{
	if (verdict == VERDICT_UNKNOWN)
		return PLUGIN_UNKNOWN;
	if (!verdict_is_bad(verdict))
		return PLUGIN_OK;
	return verdict == VERDICT_STALL ? PLUGIN_CRITICAL : PLUGIN_WARNING;
}

/* Most may be well, and yet something has happened. */
static enum plugin_status
by_episodes(const struct rules_overall *o)
{
	if (o->stalls > 0)
		return PLUGIN_CRITICAL;
	return o->episodes > 0 ? PLUGIN_WARNING : PLUGIN_OK;
}

static enum plugin_status
status_of(const struct plugin_facts *f)
{
	const struct rules_overall *o = f->overall;
	enum plugin_status status;

	if (o->verdict == VERDICT_UNKNOWN || intervals(o) == 0)
		return PLUGIN_UNKNOWN;
	if (!f->warning.given && !f->critical.given) {
		status = by_verdict(o->verdict);
		return by_episodes(o) > status ? by_episodes(o) : status;
	}
	if (with_demand(o) == 0)
		return PLUGIN_OK;
	if (plugin_alerts(&f->critical, o->mean))
		return PLUGIN_CRITICAL;
	return plugin_alerts(&f->warning, o->mean) ? PLUGIN_WARNING :
	    PLUGIN_OK;
}

static const char *
unit(const struct rules_overall *o)
{
	return expect_kind_name(o->expect == EXPECT_NONE ? EXPECT_PPS :
	    o->expect);
}

static void
number(struct textbuf *t, const struct rules_overall *o, double v)
{
	textbuf_printf(t, "%.*f", o->expect == EXPECT_MBPS ? 2 : 0, v);
}

/* Where most of the time with demand went. */
static void
cause(struct textbuf *t, const struct rules_overall *o)
{
	double sum = 0;
	int i, most = 0;

	for (i = 0; i < SAMPLE_STATES; i++) {
		sum += o->state_ns[i];
		if (o->state_ns[i] > o->state_ns[most])
			most = i;
	}
	if (sum > 0)
		textbuf_printf(t, ", %s %.0f %%",
		    sample_state_name((enum sample_state)most),
		    o->state_ns[most] / sum * 100);
}

static void
words(struct textbuf *t, const struct rules_overall *o)
{
	uint64_t n = with_demand(o);

	if (intervals(o) == 0) {
		textbuf_str(t, "no intervals");
		return;
	}
	textbuf_str(t, verdict_name(o->verdict));
	if (n == 0)
		return;
	textbuf_str(t, ": ");
	number(t, o, o->mean);
	textbuf_printf(t, " %s (", unit(o));
	number(t, o, o->min);
	textbuf_str(t, " to ");
	number(t, o, o->max);
	textbuf_char(t, ')');
	if (o->expect != EXPECT_NONE) {
		textbuf_str(t, " of ");
		number(t, o, o->expected);
	}
	cause(t, o);
	textbuf_printf(t, ", %llu of %llu intervals bad",
	    (unsigned long long)bad(o), (unsigned long long)n);
	if (o->stalls > 0)
		textbuf_printf(t, ", stalled for %.0f s",
		    (double)o->longest_stall_ns / 1e9);
}

static void
bound(struct textbuf *t, double v)
{
	if (isinf(v))
		textbuf_str(t, v < 0 ? "~" : "");
	else
		textbuf_printf(t, "%.10g", v);
}

static void
range(struct textbuf *t, const struct plugin_range *r)
{
	textbuf_char(t, ';');
	if (!r->given)
		return;
	if (r->inside)
		textbuf_char(t, '@');
	if (r->low < 0 || r->low > 0 || isinf(r->high)) {
		bound(t, r->low);
		textbuf_char(t, ':');
	}
	bound(t, r->high);
}

/* "label"=value[unit];warning;critical;least;most */
static void
performance(struct textbuf *t, const struct plugin_facts *f)
{
	const struct rules_overall *o = f->overall;
	const struct totals *all = f->totals;
	const struct sample_part *w = &all->data[SAMPLE_WRITE].latency;
	double seconds = (double)all->watched_ns / 1e9;

	textbuf_printf(t, " | %s=", unit(o));
	if (with_demand(o) > 0)
		number(t, o, o->mean);
	else
		textbuf_char(t, '0');
	range(t, &f->warning);
	range(t, &f->critical);
	textbuf_printf(t, ";0 bad=%llu;;;0;%llu stalls=%llu;;;0",
	    (unsigned long long)bad(o), (unsigned long long)intervals(o),
	    (unsigned long long)o->stalls);
	if (seconds > 0)
		textbuf_printf(t, " written=%.0fB;;;0 read=%.0fB;;;0",
		    (double)all->data[SAMPLE_WRITE].bytes / seconds,
		    (double)all->data[SAMPLE_READ].bytes / seconds);
	if (w->timed > 0)
		textbuf_printf(t, " write_latency=%.0fus;;;0",
		    (double)w->sum_us / (double)w->timed);
	if (all->kernel_drops != SAMPLE_UNKNOWN)
		textbuf_printf(t, " drops=%llu;;;0",
		    (unsigned long long)all->kernel_drops);
}

enum plugin_status
plugin_result(struct textbuf *t, const struct plugin_facts *f)
{
	enum plugin_status status = status_of(f);

	textbuf_printf(t, "NFSRATED %s - ", names[status]);
	words(t, f->overall);
	performance(t, f);
	textbuf_char(t, '\n');
	return status;
}

/* A '|' would start the figures. */
void
plugin_unknown(struct textbuf *t, const char *why)
{
	textbuf_printf(t, "NFSRATED %s - ", names[PLUGIN_UNKNOWN]);
	for (; *why != '\0'; why++)
		textbuf_char(t, *why == '|' ? '/' : *why);
	textbuf_char(t, '\n');
}

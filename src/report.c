/* SPDX-License-Identifier: ISC */
/*
 * report.c: the totals as a page of text that can be pasted into a ticket.
 */
#include "report.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "oplist.h"
#include "reportcell.h"
#include "reporttalkers.h"

#define DAY_NS	INT64_C(86400000000000)	/* a clock that starts at 0 */

struct page {
	struct textbuf	*text;
	const struct totals *t;
	const char	*why;
	const char	*source;
};

static void
period(const struct page *p)
{
	const struct totals *t = p->t;
	char buf[FIGURES_SIZE];

	textbuf_printf(p->text, "nfsrated report%s%s\n",
	    p->source != NULL ? ": " : "", p->source != NULL ? p->source : "");
	textbuf_str(p->text, "period      ");
	if (t->packets_only && t->last_ns < DAY_NS)
		textbuf_str(p->text, "not known: rows have no times\n");
	else if (t->has_packets) {
		textbuf_day_time(p->text, t->first_ns);
		textbuf_str(p->text, " to ");
		textbuf_day_time(p->text, t->last_ns);
		textbuf_str(p->text, " UTC\n");
	} else
		textbuf_str(p->text, "no packets\n");
	textbuf_printf(p->text, "watched     %s in %llu intervals",
	    figures_duration(buf, t->watched_ns),
	    (unsigned long long)t->records);
	if (t->partial > 0)
		textbuf_printf(p->text, ", %llu of them partial",
		    (unsigned long long)t->partial);
	if (t->gaps > 0)
		textbuf_printf(p->text, ", %llu long silence%s",
		    (unsigned long long)t->gaps, t->gaps > 1 ? "s" : "");
	if (t->restarts > 0)
		textbuf_printf(p->text, ", the clock went back %llu time%s",
		    (unsigned long long)t->restarts,
		    t->restarts > 1 ? "s" : "");
	if (t->no_data > 0)
		textbuf_printf(p->text, ", %llu without a capture",
		    (unsigned long long)t->no_data);
	textbuf_char(p->text, '\n');
}

static void
reasons(const struct page *p)
{
	if (p->why != NULL)
		textbuf_str(p->text, p->why);
}

/* A row: a label of 12 columns, then right-aligned cells. */
static void
label(const struct page *p, const char *text)
{
	textbuf_printf(p->text, "%-12s", text);
}

static void
cell(const struct page *p, int width, const char *text)
{
	reportcell_text(p->text, width, text);
}

static void
count(const struct page *p, int width, uint64_t v)
{
	reportcell_count(p->text, width, v);
}

static void
real(const struct page *p, int width, double v, int decimals)
{
	reportcell_real(p->text, width, v, decimals);
}

static void
traffic(const struct page *p)
{
	static const char *const names[SAMPLE_DIRECTIONS] = {
		[SAMPLE_IN] = "input", [SAMPLE_OUT] = "output",
		[SAMPLE_OTHER] = "other"
	};
	const struct sample_traffic *tr;
	int d;

	textbuf_str(p->text, "\ntraffic         packets          bytes"
	    "   wire packets     wire bytes       errs\n");
	for (d = 0; d < SAMPLE_DIRECTIONS; d++) {
		tr = &p->t->traffic[d];
		label(p, names[d]);
		count(p, 11, tr->packets);
		count(p, 15, tr->bytes);
		count(p, 15, tr->wire_packets);
		count(p, 15, tr->wire_bytes);
		count(p, 11, tr->errs);
		textbuf_char(p->text, '\n');
	}
}

static void
rates(const struct page *p)
{
	static const struct {
		const char	*name;
		double		 unit;
		int		 decimals;
	} rows[TOTALS_RATES_KINDS] = {
		[TOTALS_RATE_IN] = { "packets in", 1, 0 },
		[TOTALS_RATE_WRITE] = { "WRITE calls", 1, 0 },
		[TOTALS_RATE_BYTES] = { "MB written", 1e6, 2 },
		[TOTALS_RATE_READ] = { "MB read", 1e6, 2 }
	};
	const struct totals_rate *r;
	int i, d;

	if (p->t->rate[TOTALS_RATE_IN].n == 0)
		return;
	textbuf_str(p->text, "\na second            min       mean        p50"
	    "        p95        max\n");
	for (i = 0; i < TOTALS_RATES_KINDS; i++) {
		r = &p->t->rate[i];
		if (r->n == 0)
			continue;
		d = rows[i].decimals;
		label(p, rows[i].name);
		real(p, 11, r->min / rows[i].unit, d);
		real(p, 11, totals_rate_mean(r) / rows[i].unit, d);
		real(p, 11, totals_rate_quantile(r, 0.50) / rows[i].unit, d);
		real(p, 11, totals_rate_quantile(r, 0.95) / rows[i].unit, d);
		real(p, 11, r->max / rows[i].unit, d);
		textbuf_char(p->text, '\n');
	}
}

static void
rpc(const struct page *p)
{
	const struct totals *t = p->t;
	double depth = t->watched_ns > 0 ?
	    (double)t->depth_ns / (double)t->watched_ns : 0;

	textbuf_printf(p->text, "\nRPC         %llu calls, %llu replies, "
	    "%llu retransmissions, %llu unmatched replies\n",
	    (unsigned long long)t->rpc_calls,
	    (unsigned long long)t->rpc_replies,
	    (unsigned long long)t->rpc_retransmits,
	    (unsigned long long)t->rpc_unmatched);
	textbuf_printf(p->text, "outstanding %.1f calls in the mean, "
	    "%u at most, %llu at the end\n", depth, t->depth_max,
	    (unsigned long long)t->outstanding);
}

/* Mean, p50, p95, p99 and max in milliseconds. */
static void
latency(const struct page *p, uint64_t timed, uint64_t sum_us,
    uint32_t max_us, const struct histogram *series)
{
	static const double quantiles[] = { 0.50, 0.95, 0.99 };
	struct histogram h;
	size_t i;

	if (timed == 0)
		return;
	real(p, 9, (double)sum_us / (double)timed / 1e3, 2);
	if (series != NULL)
		h = *series;
	for (i = 0; i < 3; i++)
		if (series == NULL || h.count == 0)
			cell(p, 9, "-");
		else {
			h.max_us = max_us;
			real(p, 9, histogram_quantile_us(&h, quantiles[i]) /
			    1e3, 2);
		}
	real(p, 9, max_us / 1e3, 2);
}

static void
operation(const struct page *p, const struct totals_op *o)
{
	char key[OPLIST_NAME], name[OPLIST_NAME];

	textbuf_printf(p->text, "%-11s %-20s", oplist_key(o, key),
	    oplist_name(o, name));
	count(p, 11, o->calls);
	count(p, 11, o->replies);
	count(p, 8, o->errors);
	count(p, 8, o->retransmits);
	latency(p, o->timed, o->sum_us, o->max_us,
	    o->op < NFS_OP_COUNT ? &p->t->series[o->op] : NULL);
	textbuf_char(p->text, '\n');
}

static void
operations(const struct page *p)
{
	struct oplist *l = malloc(sizeof(*l));
	uint32_t i;

	if (l == NULL) {
		p->text->failed = true;
		return;
	}
	oplist_of_totals(l, p->t);
	if (l->n > 0)
		textbuf_str(p->text, "\noperations                       "
		    "    calls    replies  errors  resent  mean ms"
		    "      p50      p95      p99      max\n");
	for (i = 0; i < l->n; i++)
		operation(p, l->op[i]);
	free(l);
}

static void
part(const struct page *p, const char *name, const struct sample_part *part,
    uint16_t series)
{
	if (part->timed == 0)
		return;
	label(p, name);
	latency(p, part->timed, part->sum_us, part->max_us,
	    &p->t->series[series]);
	textbuf_char(p->text, '\n');
}

/* The three-way split of READ and WRITE. */
static void
parts(const struct page *p)
{
	static const struct {
		const char	*title;
		enum sample_kind kind;
		uint16_t	series;
	} kinds[] = {
		{ "WRITE", SAMPLE_WRITE, SAMPLE_WRITE_LATENCY },
		{ "READ", SAMPLE_READ, SAMPLE_READ_LATENCY }
	};
	const struct sample_data *d;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		d = &p->t->data[kinds[i].kind];
		if (d->latency.timed == 0)
			continue;
		textbuf_printf(p->text, "\n%-12s  mean ms      p50      p95"
		    "      p99      max\n", kinds[i].title);
		part(p, "request", &d->request,
		    (uint16_t)(kinds[i].series + 1));
		part(p, "server", &d->server, (uint16_t)(kinds[i].series + 2));
		part(p, "reply", &d->reply, (uint16_t)(kinds[i].series + 3));
		part(p, "in all", &d->latency, kinds[i].series);
	}
}

static void
stable(const struct page *p)
{
	const uint64_t *n = p->t->data[SAMPLE_WRITE].stable;

	if (n[0] + n[1] + n[2] == 0)
		return;
	textbuf_printf(p->text, "\nWRITEs ask  %llu unstable, %llu data_sync,"
	    " %llu file_sync; %llu COMMITs\n", (unsigned long long)n[0],
	    (unsigned long long)n[1], (unsigned long long)n[2],
	    (unsigned long long)p->t->data[SAMPLE_COMMIT].calls);
}

static int
by_calls(const void *a, const void *b)
{
	const struct sample_size *x = a, *y = b;

	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x->size < y->size ? -1 : x->size > y->size;
}

static void
size_row(const struct page *p, const struct sample_size *z)
{
	const double limit = sample_size_limit(z);

	textbuf_str(p->text, z->upto ? "  up to    " : "           ");
	count(p, 9, z->size);
	count(p, 12, z->calls);
	real(p, 12, (double)z->bytes / 1e6, 2);
	if (z->timed > 0)
		real(p, 10, (double)z->sum_us / (double)z->timed / 1e3, 2);
	else
		cell(p, 10, "-");
	if (z->calls > 0)
		real(p, 8, (double)z->depth_sum / (double)z->calls, 1);
	else
		cell(p, 8, "-");
	if (limit >= 0)
		real(p, 12, limit / 1e6, 2);
	else
		cell(p, 12, "-");
	textbuf_char(p->text, '\n');
}

static void
size_table(const struct page *p, const char *title, enum sample_kind kind)
{
	uint32_t i, n = p->t->sizes[kind];
	struct sample_size *sorted;

	if (n == 0)
		return;
	if ((sorted = calloc(n, sizeof(*sorted))) == NULL) {
		p->text->failed = true;
		return;
	}
	memcpy(sorted, p->t->size[kind], n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_calls);
	textbuf_printf(p->text, "\n%-11s    bytes       calls          MB"
	    "   mean ms   depth  limit MB/s\n", title);
	for (i = 0; i < n && i < REPORT_ROWS; i++)
		size_row(p, &sorted[i]);
	if (n > REPORT_ROWS)
		textbuf_printf(p->text, "            and %u more\n",
		    n - REPORT_ROWS);
	free(sorted);
}

static void
sizes(const struct page *p)
{
	size_table(p, "WRITE sizes", SAMPLE_WRITE);
	size_table(p, "READ sizes", SAMPLE_READ);
}

static void
talkers(const struct page *p)
{
	reporttalkers(p->text, p->t);
}

static void
statuses(const struct page *p)
{
	const struct sample_status *s = p->t->status;
	const struct nfs_program *program;
	char buf[32];
	uint32_t i;

	if (p->t->statuses > 0)
		textbuf_str(p->text, "\nerrors\n");
	for (i = 0; i < p->t->statuses; i++, s++) {
		program = nfs_program_of(s->first_op);
		textbuf_printf(p->text, "%-11s %-28s",
		    program != NULL ? program->key : "",
		    nfs_status_name(program, s->status, buf, sizeof(buf)));
		count(p, 11, s->count);
		textbuf_char(p->text, '\n');
	}
}

static void
notice(const struct page *p, uint64_t n, const char *words)
{
	if (n != 0 && n != SAMPLE_UNKNOWN)
		textbuf_printf(p->text, "%11llu %s\n", (unsigned long long)n,
		    words);
}

/* What was lost, odd or left out, in words. */
static void
notices(const struct page *p)
{
	size_t before;
	int i;

	textbuf_str(p->text, "\nalso seen\n");
	before = p->text->len;
	notice(p, p->t->kernel_drops, "packets dropped by the kernel");
	notice(p, p->t->interface_drops, "packets dropped by the interface");
	for (i = 0; i < SAMPLE_COUNTERS; i++)
		notice(p, p->t->counter[i],
		    sample_counter_words((enum sample_counter)i));
	if (totals_trust(p->t) < 1)
		textbuf_printf(p->text, "%10.1f%% of the time cannot be "
		    "trusted\n", 100 * (1 - totals_trust(p->t)));
	if (p->text->len == before)
		textbuf_str(p->text, "            nothing else\n");
}

void
report_text(struct textbuf *text, const struct totals *t, const char *why,
    const char *source)
{
	static void (*const sections[])(const struct page *) = {
		period, reasons, traffic, rates,
		/* and, when more is known than packets */
		rpc, operations, parts, stable, sizes, talkers, statuses,
		notices
	};
	const struct page p = { text, t, why, source };
	size_t i, n = t->packets_only ? 4 :
	    sizeof(sections) / sizeof(sections[0]);

	for (i = 0; i < n; i++)
		sections[i](&p);
}

/* SPDX-License-Identifier: ISC */
/*
 * tabsops.c: the tab of operations: rates, latencies, errors of each.
 */
#include "tabsstate.h"

#include <stdio.h>

#include "histogram.h"

enum value {
	CALLS, SHARE, REPLIES, BYTES, MEAN, P50, P95, P99, MAX, ERRORS, RESENT
};

static const struct list_column columns[] = {
	{ "operation", NULL, LIST_TEXT, 0, 16, 0, 1 },
	{ "calls/s", "calls", LIST_COUNT, CALLS, 9, 0, 1 },
	{ "replies/s", "replies", LIST_COUNT, REPLIES, 10, 0, 4 },
	{ "share", NULL, LIST_PERCENT, SHARE, 6, 0, 4 },
	{ "MB/s", "MB", LIST_REAL, BYTES, 8, 2, 2 },
	{ "ms", NULL, LIST_REAL, MEAN, 8, 2, 1 },
	{ "p50", NULL, LIST_REAL, P50, 8, 2, 4 },
	{ "p95", NULL, LIST_REAL, P95, 8, 2, 2 },
	{ "p99", NULL, LIST_REAL, P99, 8, 2, 4 },
	{ "max", NULL, LIST_REAL, MAX, 8, 2, 3 },
	{ "errors", NULL, LIST_COUNT, ERRORS, 7, 0, 2 },
	{ "resent", NULL, LIST_COUNT, RESENT, 7, 0, 2 }
};

const struct list_column *
tabs_ops_columns(int *n)
{
	*n = (int)(sizeof(columns) / sizeof(columns[0]));
	return columns;
}

/* The quantiles of an operation in the interval or since the start. */
static void
set_quantiles(const struct tabs *t, const struct totals_op *o,
    struct list_row *row)
{
	struct histogram h = { 0 };

	if (o->op >= NFS_OP_COUNT)
		return;
	if (t->totals_shown)
		h = t->totals->series[o->op];
	else
		sample_histogram(&t->sample, o->op, &h);
	if (h.count == 0)
		return;
	h.max_us = o->max_us;
	row->value[P50] = histogram_quantile_us(&h, 0.50) / 1e3;
	row->value[P95] = histogram_quantile_us(&h, 0.95) / 1e3;
	row->value[P99] = histogram_quantile_us(&h, 0.99) / 1e3;
}

static void
add_row(const struct tabs *t, struct list *l, const struct totals_op *o,
    double calls)
{
	struct list_row *row = tabs_list_add(l);
	char key[OPLIST_NAME], name[OPLIST_NAME];
	double per = tabs_per(t);

	if (row == NULL)
		return;
	snprintf(row->text[0], TABS_TEXT_MAX, "%s %s", oplist_key(o, key),
	    oplist_name(o, name));
	row->value[CALLS] = (double)o->calls / per;
	row->value[REPLIES] = (double)o->replies / per;
	row->value[SHARE] = calls > 0 ? (double)o->calls / calls : -1;
	if (o->bytes > 0 && oplist_has_bytes(o))
		row->value[BYTES] = (double)o->bytes / 1e6 / per;
	row->value[ERRORS] = (double)o->errors;
	row->value[RESENT] = (double)o->retransmits;
	if (o->timed == 0)
		return;
	row->value[MEAN] = (double)o->sum_us / (double)o->timed / 1e3;
	row->value[MAX] = o->max_us / 1e3;
	set_quantiles(t, o, row);
}

void
tabs_ops(struct tabs *t, struct canvas *c, int top, int end)
{
	char title[TABS_TEXT_MAX];
	struct list l = {
		.column = columns, .row = t->list_row, .title = title,
		.nothing = "no calls in this interval"
	};
	double calls = 0;
	uint32_t i;

	tabs_ops_columns(&l.columns);
	tabs_title(t, "operation", title);
	if (t->totals_shown)
		oplist_of_totals(t->oplist, t->totals);
	else
		oplist_of_sample(t->oplist, &t->sample);
	for (i = 0; i < t->oplist->n; i++)
		calls += (double)t->oplist->op[i]->calls;
	for (i = 0; i < t->oplist->n; i++)
		add_row(t, &l, t->oplist->op[i], calls);
	tabs_list_show(t, c, &l, top, end);
}

/* SPDX-License-Identifier: ISC */
/*
 * tabssizes.c: the tab of sizes, and of latencies as a histogram.
 */
#include "tabsstate.h"

#include <stdio.h>

#include "figures.h"
#include "graph.h"
#include "histogram.h"

#define KINDS		3

enum value { CALLS, SHARE, BYTES, MEAN, DEPTH, LIMIT, SIZE };

static const struct list_column columns[] = {
	{ "size", NULL, LIST_TEXT, 0, 20, 0, 1 },
	{ "calls/s", "calls", LIST_COUNT, CALLS, 9, 0, 1 },
	{ "share", NULL, LIST_PERCENT, SHARE, 7, 0, 2 },
	{ "MB/s", "MB", LIST_REAL, BYTES, 9, 2, 1 },
	{ "ms", NULL, LIST_REAL, MEAN, 8, 2, 2 },
	{ "depth", NULL, LIST_REAL, DEPTH, 7, 1, 2 },
	{ "limit MB/s", NULL, LIST_REAL, LIMIT, 12, 1, 2 }
};

const struct list_column *
tabs_sizes_columns(int *n)
{
	*n = (int)(sizeof(columns) / sizeof(columns[0]));
	return columns;
}

static void
add_size(const struct tabs *t, struct list *l, enum sample_kind kind,
    const struct sample_size *z, double calls)
{
	struct list_row *row = tabs_list_add(l);
	double per = tabs_per(t), limit = sample_size_limit(z);

	if (row == NULL)
		return;
	snprintf(row->text[0], TABS_TEXT_MAX, "%s %s%u", kind == SAMPLE_WRITE ?
	    "WRITE" : "READ", z->upto ? "up to " : "", z->size);
	row->value[CALLS] = (double)z->calls / per;
	row->value[SHARE] = calls > 0 ? (double)z->calls / calls : -1;
	row->value[BYTES] = (double)z->bytes / 1e6 / per;
	if (z->calls > 0)
		row->value[DEPTH] = (double)z->depth_sum / (double)z->calls;
	if (z->timed == 0)
		return;
	row->value[MEAN] = (double)z->sum_us / (double)z->timed / 1e3;
	if (limit >= 0)
		row->value[LIMIT] = limit / 1e6;
}

static void
collect_sizes(struct tabs *t, struct list *l)
{
	const struct sample_size *z;
	double calls = 0;
	uint32_t i, n;
	int pass, kind;

	for (pass = 0; pass < 2; pass++)
		for (kind = SAMPLE_WRITE; kind <= SAMPLE_READ; kind++) {
			n = t->totals_shown ? t->totals->sizes[kind] :
			    t->sample.sizes[kind];
			z = t->totals_shown ? t->totals->size[kind] :
			    t->sample.size[kind];
			for (i = 0; i < n; i++, z++)
				if (pass == 0)
					calls += (double)z->calls;
				else
					add_size(t, l, (enum sample_kind)kind,
					    z, calls);
		}
}

/* Latencies of one kind. */
struct latency {
	const char	*name;
	const struct sample_data *data;
	struct histogram h;
	bool		used;
};

static void
collect_latencies(const struct tabs *t, struct latency k[KINDS])
{
	static const struct {
		const char	*name;
		uint16_t	series;
	} kinds[KINDS] = {
		[SAMPLE_WRITE] = { "WRITE", SAMPLE_WRITE_LATENCY },
		[SAMPLE_READ] = { "READ", SAMPLE_READ_LATENCY },
		[SAMPLE_COMMIT] = { "COMMIT", SAMPLE_COMMIT_LATENCY }
	};
	int i;

	for (i = 0; i < KINDS; i++) {
		k[i].name = kinds[i].name;
		k[i].data = t->totals_shown ? &t->totals->data[i] :
		    &t->sample.data[i];
		if (t->totals_shown)
			k[i].h = t->totals->series[kinds[i].series];
		else
			sample_histogram(&t->sample, kinds[i].series, &k[i].h);
		k[i].h.max_us = k[i].data->latency.max_us;
		k[i].used = k[i].data->latency.timed > 0;
	}
}

static double
mean_ms(const struct sample_part *p)
{
	return p->timed > 0 ? (double)p->sum_us / (double)p->timed / 1e3 : 0;
}

/* "WRITE 0.54 ms: request 0.02, server 0.51, reply 0.00; p95 1.89, max 46" */
static void
show_summary(struct canvas *c, int row, const struct latency *k)
{
	char buf[FIGURES_SIZE];
	int col;

	col = canvas_printf(c, row, 0, CANVAS_STRONG, "%s %s ms", k->name,
	    figures_real(buf, mean_ms(&k->data->latency), 2, 7));
	if (k->data->server.timed > 0) {
		col = canvas_printf(c, row, col, CANVAS_PLAIN, ": request %s",
		    figures_real(buf, mean_ms(&k->data->request), 2, 7));
		col = canvas_printf(c, row, col, CANVAS_PLAIN, ", server %s",
		    figures_real(buf, mean_ms(&k->data->server), 2, 7));
		col = canvas_printf(c, row, col, CANVAS_PLAIN, ", reply %s",
		    figures_real(buf, mean_ms(&k->data->reply), 2, 7));
	}
	if (k->h.count > 0)
		col = canvas_printf(c, row, col, CANVAS_PLAIN, "; p95 %s",
		    figures_real(buf, histogram_quantile_us(&k->h, 0.95) / 1e3,
		    2, 7));
	canvas_printf(c, row, col, CANVAS_PLAIN, "%s max %s",
	    k->h.count > 0 ? "," : ";",
	    figures_real(buf, k->h.max_us / 1e3, 2, 7));
}

/* Bins of 1, 2, 5, 10, ... us; the last one holds all above 50 s too. */
#define BINS		24

static double
bin_start_us(int bin)
{
	static const double steps[] = { 1, 2, 5 };
	double us = steps[bin % 3];

	for (bin /= 3; bin > 0; bin--)
		us *= 10;
	return us;
}

static int
bin_of(uint32_t bucket)
{
	double us = histogram_middle_us(bucket);
	int bin = 0;

	while (bin + 1 < BINS && us >= bin_start_us(bin + 1))
		bin++;
	return bin;
}

struct bins {
	double		share[KINDS][BINS];
	int		first, last;	/* that hold any */
};

static void
make_bins(const struct latency k[KINDS], struct bins *b)
{
	uint32_t i;
	int kind, bin;

	*b = (struct bins){ .first = BINS, .last = -1 };
	for (kind = 0; kind < KINDS; kind++)
		for (i = 0; i < HISTOGRAM_BUCKETS; i++) {
			if (!k[kind].used || k[kind].h.bucket[i] == 0)
				continue;
			bin = bin_of(i);
			b->share[kind][bin] += k[kind].h.bucket[i] /
			    (double)k[kind].h.count;
			if (bin < b->first)
				b->first = bin;
			if (bin > b->last)
				b->last = bin;
		}
}

/* A bar from the left; in ASCII its end is rounded. */
static void
show_bar(struct canvas *c, int row, int col, int width, double share)
{
	int eighths = (int)(share * width * 8 + 0.5), i;

	if (eighths == 0 && share > 0)
		eighths = 1;
	if (!c->utf8)
		eighths = (eighths + 4) / 8 * 8;
	for (i = 0; i < eighths / 8 && i < width; i++)
		canvas_char(c, row, col + i, CANVAS_BAR,
		    graph_block(c, 8));
	if (eighths % 8 != 0 && i < width)
		canvas_char(c, row, col + i, CANVAS_BAR,
		    0x2590U - (unsigned int)(eighths % 8));
}

static void
print_range(char *buf, size_t size, int first, int last)
{
	char from[FIGURES_SIZE], to[FIGURES_SIZE];
	double start = bin_start_us(first), end = bin_start_us(last + 1);
	const char *unit = "us";

	if (end > 1e6) {
		unit = "s";
		start /= 1e6;
		end /= 1e6;
	} else if (end > 1e3) {
		unit = "ms";
		start /= 1e3;
		end /= 1e3;
	}
	snprintf(from, sizeof(from), "%g", start);
	snprintf(to, sizeof(to), "%g", end);
	snprintf(buf, size, "%s to %s %s", from, to, unit);
}

#define LABEL		17
#define SHARE_WIDTH	6

/* The columns of a row: one for each kind that has any. */
static int
kind_width(const struct canvas *c, const struct latency k[KINDS])
{
	int kind, used = 0;

	for (kind = 0; kind < KINDS; kind++)
		used += k[kind].used;
	return used > 0 ? (c->cols - LABEL) / used : 0;
}

static void
show_bins_title(struct canvas *c, const struct latency k[KINDS], int row)
{
	int kind, col = LABEL;

	canvas_blank(c, row, 0, CANVAS_TITLE);
	canvas_text(c, row, 0, CANVAS_TITLE, "latency");
	for (kind = 0; kind < KINDS; kind++) {
		if (!k[kind].used)
			continue;
		canvas_printf(c, row, col, CANVAS_TITLE, "%*s", SHARE_WIDTH,
		    k[kind].name);
		col += kind_width(c, k);
	}
}

/* Some bins that share a row. */
static void
show_bin(struct canvas *c, const struct latency k[KINDS],
    const struct bins *b, int row, int bin, int step)
{
	int kind, i, col = LABEL, width = kind_width(c, k);
	char label[TABS_TEXT_MAX];
	double share;

	print_range(label, sizeof(label), bin, bin + step - 1);
	canvas_right(c, row, LABEL - 1, CANVAS_DIM, label);
	for (kind = 0; kind < KINDS; kind++) {
		if (!k[kind].used)
			continue;
		for (i = bin, share = 0; i < bin + step && i < BINS; i++)
			share += b->share[kind][i];
		canvas_printf(c, row, col, CANVAS_PLAIN, "%4.0f %%",
		    100 * share);
		show_bar(c, row, col + SHARE_WIDTH + 1, width - SHARE_WIDTH -
		    2, share);
		col += width;
	}
}

static void
show_bins(struct canvas *c, const struct latency k[KINDS],
    const struct bins *b, int top, int end)
{
	int bins = b->last + 1 - b->first, step = 1, bin;

	if (bins <= 0 || end - top < 2)
		return;
	while ((bins + step - 1) / step > end - top - 1)
		step++;
	show_bins_title(c, k, top++);
	for (bin = b->first; bin <= b->last; bin += step)
		show_bin(c, k, b, top++, bin, step);
}

void
tabs_sizes(struct tabs *t, struct canvas *c, int top, int end)
{
	char title[TABS_TEXT_MAX];
	struct list l = {
		.column = columns, .row = t->list_row, .title = title,
		.nothing = "no READ or WRITE in this interval"
	};
	struct latency k[KINDS];
	struct bins b;
	int room = (end - top) / 3, i;

	tabs_sizes_columns(&l.columns);
	tabs_title(t, "size", title);
	collect_sizes(t, &l);
	if (room > (int)l.n + 1)
		room = (int)l.n + 1;
	if (room < 2)
		room = end - top < 2 ? end - top : 2;
	tabs_list_show(t, c, &l, top, top + room);
	top += room;
	collect_latencies(t, k);
	for (i = 0; i < KINDS; i++)
		if (k[i].used && top < end)
			show_summary(c, top++, &k[i]);
	make_bins(k, &b);
	show_bins(c, k, &b, top, end);
}

/* SPDX-License-Identifier: ISC */
/*
 * tabsrates.c: the tab of rates: an interval a row, the newest last.
 */
#include "tabsstate.h"

#include <stdio.h>

#include "packet.h"
#include "rowcell.h"
#include "view.h"

struct column {
	const char	*title;
	enum rowcell	which;
	int		 width;
	int		 rank;		/* those of high rank go first when
					 * there is no room */
};

/* At 80 columns as much of netstat's row as there is room for. */
static const struct column own[] = {
	{ "time", ROWCELL_TIME, 9, 1 },
	{ "in pkt", ROWCELL_IN_PACKETS, 7, 1 },
	{ "errs", ROWCELL_IN_ERRS, 5, 3 },
	{ "in bytes", ROWCELL_IN_BYTES, 9, 2 },
	{ "out pkt", ROWCELL_OUT_PACKETS, 8, 2 },
	{ "errs", ROWCELL_OUT_ERRS, 5, 3 },
	{ "out bytes", ROWCELL_OUT_BYTES, 10, 3 },
	{ "colls", ROWCELL_COLLS, 6, 3 },
	{ "WRITEs", ROWCELL_WRITES, 7, 1 },
	{ "MB/s", ROWCELL_WRITE_MBPS, 6, 2 },
	{ "ms", ROWCELL_WRITE_MS, 6, 2 },
	{ "READs", ROWCELL_READS, 7, 4 },
	{ "MB/s", ROWCELL_READ_MBPS, 6, 4 },
	{ "ms", ROWCELL_READ_MS, 6, 4 },
	{ "resent", ROWCELL_RESENT, 7, 5 },
	{ "on", ROWCELL_ON, 5, 4 },
	{ "drops", ROWCELL_DROPS, 6, 5 },
	{ "depth", ROWCELL_DEPTH, 6, 2 },
	{ " where", ROWCELL_WHERE, 13, 2 },
	{ " verdict", ROWCELL_VERDICT, 9, 1 }
};

static const struct column interface[] = {
	{ "time", ROWCELL_TIME, 9, 1 },
	{ "in pkt", ROWCELL_IF_IN_PACKETS, 8, 1 },
	{ "errs", ROWCELL_IF_IN_ERRS, 5, 2 },
	{ "in bytes", ROWCELL_IF_IN_BYTES, 11, 2 },
	{ "out pkt", ROWCELL_IF_OUT_PACKETS, 8, 1 },
	{ "errs", ROWCELL_IF_OUT_ERRS, 5, 2 },
	{ "out bytes", ROWCELL_IF_OUT_BYTES, 10, 2 },
	{ "colls", ROWCELL_COLLS, 6, 2 },
	{ "WRITEs", ROWCELL_WRITES, 7, 2 },
	{ "MB/s", ROWCELL_WRITE_MBPS, 7, 4 },
	{ "ms", ROWCELL_WRITE_MS, 7, 4 },
	{ "depth", ROWCELL_DEPTH, 6, 4 },
	{ " where", ROWCELL_WHERE, 13, 3 },
	{ " verdict", ROWCELL_VERDICT, 9, 1 }
};

#define COLUMNS(a)	((int)(sizeof(a) / sizeof((a)[0])))
#define COLUMNS_MAX	COLUMNS(own)

struct table {
	const struct tabs *t;
	struct canvas	*c;
	const struct column *column[COLUMNS_MAX];
	int		 n;
	int		 wider;		/* columns that the time needs more */
};

static void
choose_columns(struct table *b)
{
	const struct column *all = b->t->if_total ? interface : own;
	int n = b->t->if_total ? COLUMNS(interface) : COLUMNS(own);
	int i, rank, sum;

	b->wider = b->t->config.interval_ns % NSEC_PER_SEC != 0 ? 2 : 0;
	for (rank = 1; rank <= 5; rank++) {
		for (i = 0, sum = b->wider; i < n; i++)
			if (all[i].rank <= rank)
				sum += all[i].width;
		if (sum > b->c->cols)
			break;
	}
	for (i = 0; i < n; i++)
		if (all[i].rank < rank)
			b->column[b->n++] = &all[i];
}

static bool
is_left(const struct column *col)
{
	return col->which == ROWCELL_TIME || col->which == ROWCELL_WHERE ||
	    col->which == ROWCELL_VERDICT;
}

static int
width_of(const struct table *b, int i)
{
	return b->column[i]->width + (i == 0 ? b->wider : 0);
}

static void
show_titles(const struct table *b, int row)
{
	int i, x;

	canvas_blank(b->c, row, 0, CANVAS_TITLE);
	for (i = 0, x = 0; i < b->n; x += width_of(b, i), i++)
		if (is_left(b->column[i]))
			canvas_text(b->c, row, x, CANVAS_TITLE,
			    b->column[i]->title);
		else
			canvas_right(b->c, row, x + width_of(b, i),
			    CANVAS_TITLE, b->column[i]->title);
}

static enum canvas_attr
attr_of(const struct sample *s, const struct judgement *v)
{
	switch (view_row_attr(s, v)) {
	case VIEW_DIM:
		return CANVAS_DIM;
	case VIEW_BAD:
		return CANVAS_BAD;
	case VIEW_PLAIN:
		break;
	}
	return CANVAS_PLAIN;
}

static void
show_silence(const struct table *b, int row, const struct sample *s)
{
	char buf[FIGURES_SIZE], clock[32];

	tabs_clock(clock, sizeof(clock), s->start_ns, false);
	canvas_printf(b->c, row, 0, CANVAS_DIM, "%s  no %s for %s", clock,
	    s->no_data ? "data" : "packets",
	    figures_duration(buf, s->length_ns));
}

static void
show_cells(const struct table *b, int row, const struct rowcell_row *r)
{
	enum canvas_attr attr = attr_of(r->s, r->v);
	char buf[FIGURES_SIZE];
	const struct column *col;
	int i, x;

	for (i = 0, x = 0; i < b->n; x += width_of(b, i), i++) {
		col = b->column[i];
		rowcell_text(buf, col->which, r, width_of(b, i) - 1);
		if (is_left(col))
			canvas_text(b->c, row, x + (i > 0), attr, buf);
		else
			canvas_right(b->c, row, x + width_of(b, i), attr, buf);
	}
}

static void
show_row(const struct table *b, int row, uint64_t n, struct sample *s)
{
	struct judgement v;
	const struct rowcell_row r = {
		.s = s, .v = &v, .human = b->t->config.human,
		.tenths = b->wider > 0
	};

	if (!history_counters(b->t->history, n, s, &v))
		return;
	if (s->gap)
		show_silence(b, row, s);
	else
		show_cells(b, row, &r);
	if (s->restarted)
		canvas_right(b->c, row, b->c->cols, CANVAS_WARN,
		    "time went back");
	if (!b->t->follow && n == b->t->shown)
		canvas_paint(b->c, row, CANVAS_CHOSEN);
}

/* The filter looks at the first column and the last two. */
static bool
passes(const struct tabs *t, uint64_t n)
{
	const struct history_brief *b = history_brief(t->history, n);
	char clock[32];

	if (t->filter[0] == '\0' && !t->typing)
		return true;
	tabs_clock(clock, sizeof(clock), b->start_ns, false);
	if (tabs_filter_has(t, clock))
		return true;
	if (b->has_verdict && (tabs_filter_has(t, verdict_short(b->verdict)) ||
	    tabs_filter_has(t, verdict_name(b->verdict))))
		return true;
	return b->share > 0 && tabs_filter_has(t, sample_state_name(b->where));
}

void
tabs_rates(struct tabs *t, struct canvas *c, int top, int end)
{
	struct table b = { .t = t, .c = c };
	uint64_t first = history_first(t->history), n;
	int room = end - top - 1, row;
	struct sample s;

	if (room <= 0)
		return;
	choose_columns(&b);
	show_titles(&b, top);
	if (!t->has_shown)
		return;
	n = tabs_newest_shown(t, (uint64_t)room) + 1;
	if (n - first < (uint64_t)room)
		end = top + 1 + (int)(n - first);
	for (row = end - 1; row > top && n > first; n--)
		if (passes(t, n - 1))
			show_row(&b, row--, n - 1, &s);
}

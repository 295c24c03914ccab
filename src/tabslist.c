/* SPDX-License-Identifier: ISC */
/*
 * tabslist.c: lists of the view: columns are data; sorting, filtering,
 * choosing columns and painting are the same for all.
 */
#include "tabsstate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

#define COLUMNS_MAX	(TABS_LIST_VALUES + TABS_LIST_TEXTS)

struct list_row *
tabs_list_add(struct list *l)
{
	struct list_row *row;
	int i;

	if (l->n == TABS_LIST_ROWS)
		return NULL;
	row = &l->row[l->n++];
	for (i = 0; i < TABS_LIST_TEXTS; i++)
		row->text[i][0] = '\0';
	for (i = 0; i < TABS_LIST_VALUES; i++)
		row->value[i] = -1;
	row->attr = CANVAS_PLAIN;
	return row;
}

bool
tabs_filter_has(const struct tabs *t, const char *text)
{
	const char *filter = t->typing ? t->typed : t->filter;

	return filter[0] == '\0' || strcasestr(text, filter) != NULL;
}

static bool
passes(const struct tabs *t, const struct list_row *row)
{
	int i;

	for (i = 0; i < TABS_LIST_TEXTS; i++)
		if (tabs_filter_has(t, row->text[i]))
			return true;
	return false;
}

static void
filter(const struct tabs *t, struct list *l)
{
	uint32_t i, n = 0;

	for (i = 0; i < l->n; i++)
		if (passes(t, &l->row[i])) {
			if (n != i)
				l->row[n] = l->row[i];
			n++;
		}
	l->n = n;
}

int
tabs_list_columns(const struct list_column *column, int columns, int width,
    int chosen[COLUMNS_MAX])
{
	int i, n, sum, rank;

	for (rank = 1;; rank++) {
		for (i = 0, sum = 0; i < columns; i++)
			if (column[i].rank <= rank)
				sum += column[i].width;
		if (sum > width)
			break;
		for (i = 0, n = 0; i < columns; i++)
			n += column[i].rank <= rank;
		if (n == columns) {
			rank++;
			break;
		}
	}
	for (i = 0, n = 0; i < columns; i++)
		if (column[i].rank < rank)
			chosen[n++] = i;
	return n;
}

struct sorting {
	const struct list_column *column;
	bool		reverse;
};

static int
compare(const void *x, const void *y, void *arg)
{
	const struct list_row *a = x, *b = y;
	const struct sorting *s = arg;
	int at = s->column->at, r;

	if (s->column->kind == LIST_TEXT)
		r = strcmp(a->text[at], b->text[at]);
	else			/* the largest first */
		r = (a->value[at] < b->value[at]) -
		    (a->value[at] > b->value[at]);
	if (r == 0)
		return strcmp(a->text[0], b->text[0]);
	return s->reverse ? -r : r;
}

static void
sort(const struct tabs *t, struct list *l)
{
	const struct list_order *o = &t->order[t->tab];
	struct sorting s = { &l->column[o->column], o->reverse };

	if (o->column < l->columns)
		qsort_r(l->row, l->n, sizeof(*l->row), compare, &s);
}

static int
decimals_of(const struct list_column *c, double v)
{
	if (c->decimals != LIST_AS_NEEDED)
		return c->decimals;
	return v >= 100 || !(v > (double)(int)v) ? 0 : 2;
}

static void
print_value(char buf[FIGURES_SIZE], const struct list_column *c, double v)
{
	int width = c->width - 1;

	if (!(v >= 0))
		strcpy(buf, "-");
	else if (c->kind == LIST_COUNT)
		figures_count(buf, (uint64_t)(v + 0.5), width);
	else if (c->kind == LIST_PERCENT)
		snprintf(buf, FIGURES_SIZE, "%.0f%%", 100 * v);
	else
		figures_real(buf, v, decimals_of(c, v), width);
}

static bool
is_text(const struct list_column *c)
{
	return c->kind == LIST_TEXT || c->kind == LIST_TIME;
}

static int
width_of(const struct list *l, const int *chosen, int i, int rest)
{
	return l->column[chosen[i]].width + (i == l->flex ? rest : 0);
}

static void
show_titles(const struct tabs *t, struct canvas *c, const struct list *l,
    int row, const int *chosen, int n, int rest)
{
	const struct list_column *col;
	const char *title;
	enum canvas_attr attr;
	int i, x, width;

	canvas_blank(c, row, 0, CANVAS_TITLE);
	for (i = 0, x = 0; i < n; i++, x += width) {
		col = &l->column[chosen[i]];
		width = width_of(l, chosen, i, rest);
		title = t->totals_shown && col->total_title != NULL ?
		    col->total_title : col->title;
		if (i == 0 && l->title != NULL)
			title = l->title;
		attr = chosen[i] == t->order[t->tab].column ? CANVAS_CHOSEN :
		    CANVAS_TITLE;
		if (is_text(col))
			canvas_field(c, row, x + (i > 0), attr, width - 1,
			    title);
		else
			canvas_right(c, row, x + width, attr, title);
	}
}

static void
show_row(struct canvas *c, const struct list *l, const struct list_row *r,
    int row, const int *chosen, int n, int rest)
{
	const struct list_column *col;
	char buf[FIGURES_SIZE];
	int i, x, width;

	for (i = 0, x = 0; i < n; i++, x += width) {
		col = &l->column[chosen[i]];
		width = width_of(l, chosen, i, rest);
		if (is_text(col)) {
			canvas_field(c, row, x + (i > 0), r->attr, width - 1,
			    r->text[col->at]);
			continue;
		}
		print_value(buf, col, r->value[col->at]);
		canvas_right(c, row, x + width, r->attr, buf);
	}
}

/* What the flexible column needs more than its width. */
static int
stretch(const struct canvas *c, const struct list *l, const int *chosen,
    int rest)
{
	const struct list_column *col;
	int most = 0, width;
	uint32_t i;

	if (l->flex < 0 || rest <= 0)
		return 0;
	col = &l->column[chosen[l->flex]];
	if (l->title != NULL && l->flex == 0)
		most = canvas_width(c, l->title);
	for (i = 0; i < l->n && most < col->width + rest; i++) {
		width = canvas_width(c, l->row[i].text[col->at]);
		most = width > most ? width : most;
	}
	most += 2 - col->width;
	if (most < l->least)
		most = l->least;
	return most < rest ? most : rest;
}

void
tabs_list_show(struct tabs *t, struct canvas *c, struct list *l, int top,
    int end)
{
	int chosen[COLUMNS_MAX], n, i, rest = c->cols, room = end - top - 1;
	struct list_scroll *scroll = &t->scroll[t->tab];

	if (room < 0)
		return;
	n = tabs_list_columns(l->column, l->columns, c->cols, chosen);
	for (i = 0; i < n; i++)
		rest -= l->column[chosen[i]].width;
	filter(t, l);
	sort(t, l);
	l->least = rest = stretch(c, l, chosen, rest);
	show_titles(t, c, l, top, chosen, n, rest);
	if (l->n == 0 && room > 0)
		canvas_text(c, top + 1, 0, CANVAS_DIM,
		    t->filter[0] != '\0' || t->typing ?
		    "no row has the text of the filter" : l->nothing);
	scroll->rows = l->n;
	scroll->room = (uint32_t)room;
	if (scroll->top + scroll->room > l->n)
		scroll->top = l->n > scroll->room ? l->n - scroll->room : 0;
	for (i = 0; i < room && scroll->top + (uint32_t)i < l->n; i++)
		show_row(c, l, &l->row[scroll->top + (uint32_t)i],
		    top + 1 + i, chosen, n, rest);
}

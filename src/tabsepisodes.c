/* SPDX-License-Identifier: ISC */
/*
 * tabsepisodes.c: the tab of episodes: when intervals were bad, how bad, and
 * why.
 */
#include "tabsstate.h"

#include <stdio.h>

#include "figures.h"
#include "packet.h"

enum text { WHEN, KIND, WHO };
enum value { START = WHEN, LASTED, MIN, MEAN, MAX, EXPECTED, SHORT };

#define AS_NEEDED	LIST_AS_NEEDED

static const struct list_column columns[] = {
	{ "began", NULL, LIST_TIME, WHEN, 9, 0, 1 },
	{ "seconds", NULL, LIST_COUNT, LASTED, 8, 0, 1 },
	{ "min", NULL, LIST_REAL, MIN, 7, AS_NEEDED, 3 },
	{ "mean", NULL, LIST_REAL, MEAN, 7, AS_NEEDED, 2 },
	{ "max", NULL, LIST_REAL, MAX, 7, AS_NEEDED, 3 },
	{ "expected", NULL, LIST_REAL, EXPECTED, 9, AS_NEEDED, 2 },
	{ "short MB", NULL, LIST_REAL, SHORT, 9, 1, 2 },
	{ "kind", NULL, LIST_TEXT, KIND, 23, 0, 1 },
	{ "client", NULL, LIST_TEXT, WHO, 25, 0, 4 }
};

const struct list_column *
tabs_episodes_columns(int *n)
{
	*n = (int)(sizeof(columns) / sizeof(columns[0]));
	return columns;
}

/*
 * An episode is told of when it begins and when it ends.  Between, its rates
 * are those of its intervals so far, as long as they are kept, and what it was
 * short of has grown with what they lack.
 */
static void
bring_up(const struct tabs *t, struct episode *e)
{
	uint64_t end = history_end(t->history), first, n;
	double rate, sum = 0, lacks = 0, told = 0;
	const struct history_brief *b;

	if (e->ended || history_first(t->history) == end)
		return;
	first = history_find(t->history, e->start_ns);
	b = history_brief(t->history, first);
	if (b == NULL || b->start_ns != e->start_ns)
		return;
	for (n = first; n < end; n++) {
		b = history_brief(t->history, n);
		rate = history_rate(b, e->expect);
		sum += rate;
		if (n == first || rate < e->min)
			e->min = rate;
		if (n == first || rate > e->max)
			e->max = rate;
		if (rate < e->expected)
			lacks += (e->expected - rate) * (double)b->length_ns;
		if (b->start_ns < e->end_ns)
			told = lacks;
	}
	e->mean = sum / (double)(end - first);
	if (told > 0)
		e->shortfall_bytes *= lacks / told;
}

static void
add_episode(const struct tabs *t, struct list *l, const struct episode *e,
    int64_t now_ns)
{
	struct list_row *row = tabs_list_add(l);
	int64_t end = e->ended || now_ns < e->start_ns ? e->end_ns : now_ns;
	bool here = t->has_shown && t->brief.start_ns >= e->start_ns &&
	    t->brief.start_ns < end;
	char addr[ADDR_STRLEN];

	if (row == NULL)
		return;
	tabs_clock(row->text[WHEN], TABS_TEXT_MAX, e->start_ns, false);
	row->value[START] = (double)e->start_ns;
	row->value[LASTED] = (double)(end - e->start_ns) / 1e9;
	row->value[MIN] = e->min;
	row->value[MEAN] = e->mean;
	row->value[MAX] = e->max;
	if (e->expect != EXPECT_NONE)
		row->value[EXPECTED] = e->expected;
	if (e->has_shortfall)
		row->value[SHORT] = e->shortfall_bytes / 1e6;
	snprintf(row->text[KIND], TABS_TEXT_MAX, "%s%s%s%s",
	    verdict_short(e->kind), e->has_cause ? ", " : "", e->has_cause ?
	    sample_state_name(e->cause) : "", e->ended ? "" : " (now)");
	if (e->has_client)
		snprintf(row->text[WHO], TABS_TEXT_MAX, "%s",
		    addr_print(&e->client, addr, sizeof(addr)));
	row->attr = here ? CANVAS_STRONG : CANVAS_PLAIN;
}

void
tabs_show_episodes(struct tabs *t, struct canvas *c, int top, int end)
{
	struct list l = {
		.column = columns, .row = t->list_row, .flex = -1,
		.nothing = "no episodes: nothing fell short for long"
	};
	const struct history_brief *b;
	uint64_t n = history_end(t->history);
	struct episode e;
	uint32_t i;
	int64_t now = 0;

	tabs_episodes_columns(&l.columns);
	if (n > 0 && (b = history_brief(t->history, n - 1)) != NULL)
		now = b->start_ns + b->length_ns;
	for (i = 0; i < t->episodes; i++) {
		e = t->episode[i];
		bring_up(t, &e);
		add_episode(t, &l, &e, now);
	}
	tabs_list_show(t, c, &l, top, end);
}

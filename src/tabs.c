/* SPDX-License-Identifier: ISC */
/*
 * tabs.c: the view of a terminal: its state, and how it is put together.
 */
#include "tabs.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "samplemerge.h"
#include "tabsstate.h"

struct tabs *
tabs_new(const struct tabs_config *config)
{
	struct tabs *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->config = *config;
	t->if_total = config->total;
	t->follow = true;
	t->factor = 1;
	t->order[TAB_OPS].column = t->order[TAB_CLIENTS].column =
	    t->order[TAB_FILES].column = t->order[TAB_SIZES].column = 1;
	t->history = history_new(&config->history);
	t->totals = totals_new();
	t->oplist = malloc(sizeof(*t->oplist));
	t->list_row = calloc(TABS_LIST_ROWS, sizeof(*t->list_row));
	t->changed = true;
	if (t->history != NULL && t->totals != NULL && t->oplist != NULL &&
	    t->list_row != NULL)
		return t;
	tabs_free(t);
	errno = ENOMEM;
	return NULL;
}

void
tabs_free(struct tabs *t)
{
	if (t == NULL)
		return;
	history_free(t->history);
	totals_free(t->totals);
	free(t->oplist);
	free(t->list_row);
	free(t);
}

const struct history *
tabs_history(const struct tabs *t)
{
	return t->history;
}

bool
tabs_changed(const struct tabs *t)
{
	return t->changed;
}

const struct player_target *
tabs_target(const struct tabs *t)
{
	return &t->target;
}

void
tabs_say(struct tabs *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(t->message, sizeof(t->message), fmt, ap) < 0)
		t->message[0] = '\0';
	va_end(ap);
	t->changed = true;
}

/* The longer interval is done. */
static void
push_pending(struct tabs *t)
{
	if (!t->has_pending)
		return;
	history_push(t->history, &t->pending, &t->pending_judgement);
	t->has_pending = false;
}

/* Of several intervals the last bad word counts, else the last word. */
static void
merge_judgement(struct judgement *to, const struct judgement *v)
{
	bool was_bad = to->has_verdict && verdict_is_bad(to->verdict);

	if (!was_bad || (v->has_verdict && verdict_is_bad(v->verdict))) {
		*to = *v;
		return;
	}
	to->expect = v->expect;
	to->expect_value = v->expect_value;
}

static void
merge(struct tabs *t, const struct sample *s, const struct judgement *v)
{
	struct sample *p = &t->pending;

	if (!t->has_pending) {
		*p = *s;
		t->pending_judgement = *v;
		t->has_pending = true;
		return;
	}
	merge_judgement(&t->pending_judgement, v);
	sample_merge(p, s);
	p->length_ns = s->start_ns + s->length_ns - p->start_ns;
	p->watched_ns += s->watched_ns;
}

static void
take_servers(struct tabs *t, const struct sample *s)
{
	uint32_t i, j;

	for (i = 0; i < s->servers; i++) {
		for (j = 0; j < t->servers; j++)
			if (addr_equal(&t->server[j], &s->server[i]))
				break;
		if (j == t->servers && j < SAMPLE_SERVERS)
			t->server[t->servers++] = s->server[i];
	}
}

void
tabs_sample(struct tabs *t, const struct sample *s, const struct judgement *v)
{
	static const struct judgement none;
	int64_t length = t->config.interval_ns * t->factor;
	int64_t end = s->start_ns + s->length_ns;

	if (v == NULL)
		v = &none;
	t->changed = true;
	take_servers(t, s);
	if (t->since_ns == 0)
		t->since_ns = s->start_ns;
	totals_add(t->totals, s);
	if (t->has_pending && (s->gap || s->restarted || s->no_data ||
	    s->start_ns / length != t->pending.start_ns / length))
		push_pending(t);
	if (t->factor == 1 || s->gap || s->no_data) {
		history_push(t->history, s, v);
		return;
	}
	merge(t, s, v);
	if (end % length == 0)
		push_pending(t);
}

void
tabs_lost(struct tabs *t, uint64_t intervals)
{
	t->lost += intervals;
	t->changed = true;
}

void
tabs_episode(struct tabs *t, const struct episode *e)
{
	uint32_t i = t->episodes;

	t->changed = true;
	while (i > 0 && t->episode[i - 1].start_ns > e->start_ns)
		i--;
	if (i > 0 && t->episode[i - 1].start_ns == e->start_ns) {
		if (e->ended || !t->episode[i - 1].ended)
			t->episode[i - 1] = *e;
		return;
	}
	if (t->episodes == TABS_EPISODES) {
		if (i == 0)
			return;
		i--;
		t->episodes--;
		memmove(t->episode, t->episode + 1, t->episodes *
		    sizeof(t->episode[0]));
	}
	memmove(t->episode + i + 1, t->episode + i, (t->episodes - i) *
	    sizeof(t->episode[0]));
	t->episode[i] = *e;
	t->episodes++;
}

const struct episode *
tabs_episodes(const struct tabs *t, uint32_t *n)
{
	*n = t->episodes;
	return t->episode;
}

void
tabs_restart(struct tabs *t)
{
	history_clear(t->history);
	totals_reset(t->totals);
	t->has_pending = false;
	t->since_ns = 0;
	t->servers = 0;
	t->follow = true;
	t->changed = true;
}

/* The interval that the reader looks at. */
void
tabs_fetch(struct tabs *t)
{
	uint64_t first = history_first(t->history);
	uint64_t end = history_end(t->history);

	t->has_shown = first < end;
	if (!t->has_shown)
		return;
	if (t->at < first)
		t->at = first;
	t->shown = t->follow || t->at >= end ? end - 1 : t->at;
	t->brief = *history_brief(t->history, t->shown);
	t->has_shown = history_whole(t->history, t->shown, &t->sample,
	    &t->judgement, &t->has_rows);
}

double
tabs_per(const struct tabs *t)
{
	return t->totals_shown ? 1 : sample_seconds(&t->sample);
}

void
tabs_title(const struct tabs *t, const char *what, char buf[TABS_TEXT_MAX])
{
	char length[FIGURES_SIZE], clock[32];

	if (t->totals_shown) {
		tabs_clock(clock, sizeof(clock), t->since_ns, false);
		snprintf(buf, TABS_TEXT_MAX, "%s since %s", what, clock);
	} else if (!t->has_shown)
		snprintf(buf, TABS_TEXT_MAX, "%s", what);
	else
		snprintf(buf, TABS_TEXT_MAX, "%s, %s", what,
		    figures_duration(length, t->sample.length_ns));
}

const struct list_column *
tabs_columns(enum tab tab, int *columns)
{
	switch (tab) {
	case TAB_OPS:
		return tabs_ops_columns(columns);
	case TAB_CLIENTS:
		return tabs_clients_columns(columns);
	case TAB_FILES:
		return tabs_files_columns(columns);
	case TAB_SIZES:
		return tabs_sizes_columns(columns);
	case TAB_EPISODES:
		return tabs_episodes_columns(columns);
	case TAB_RATES:
	case TABS:
		break;
	}
	*columns = 0;
	return NULL;
}

static void
paint_tab(struct tabs *t, struct canvas *c, int top, int end)
{
	static void (*const paint[TABS])(struct tabs *, struct canvas *, int,
	    int) = {
		tabs_rates, tabs_ops, tabs_clients, tabs_files, tabs_sizes,
		tabs_show_episodes
	};

	if (t->has_shown && !t->has_rows && !t->totals_shown &&
	    t->tab != TAB_RATES && t->tab != TAB_EPISODES) {
		canvas_text(c, top, 0, CANVAS_DIM,
		    "this interval is too long ago: only its rates are kept");
		return;
	}
	if (t->has_shown || t->tab == TAB_EPISODES)
		paint[t->tab](t, c, top, end);
}

/* What there is to say, or the keys. */
static void
paint_bottom(const struct tabs *t, struct canvas *c, int row)
{
	const struct keymap_line *line;
	size_t i, n;
	int col = 0;

	canvas_blank(c, row, 0, CANVAS_KEYS);
	if (t->typing) {
		col = canvas_printf(c, row, 0, CANVAS_STRONG, "filter: %s",
		    t->typed);
		canvas_char(c, row, col, CANVAS_CHOSEN, '_');
		return;
	}
	if (t->message[0] != '\0') {
		canvas_text(c, row, 0, CANVAS_STRONG, t->message);
		return;
	}
	if (t->filter[0] != '\0')
		col = canvas_printf(c, row, 0, CANVAS_STRONG,
		    "filter: %s (/ Enter: none)  ", t->filter);
	line = keymap_lines(&n);
	for (i = 0; i < n; i++)
		if (line[i].hint != NULL &&
		    col + canvas_width(c, line[i].hint) <= c->cols)
			col = canvas_printf(c, row, col, CANVAS_KEYS, "%s  ",
			    line[i].hint);
}

void
tabs_help(struct tabs *t, struct canvas *c)
{
	const struct keymap_line *line;
	uint32_t room = (uint32_t)c->rows - 2, i;
	size_t n;

	line = keymap_lines(&n);
	if (t->help_top + room > n)
		t->help_top = n > room ? (uint32_t)n - room : 0;
	canvas_blank(c, 0, 0, CANVAS_KEYS);
	canvas_text(c, 0, 0, CANVAS_KEYS, "nfsrated: what the keys do");
	for (i = 0; i < room && t->help_top + i < n; i++) {
		canvas_text(c, (int)i + 1, 1, CANVAS_STRONG,
		    line[t->help_top + i].label);
		canvas_text(c, (int)i + 1, 13, CANVAS_PLAIN,
		    line[t->help_top + i].help);
	}
	canvas_blank(c, c->rows - 1, 0, CANVAS_KEYS);
	canvas_text(c, c->rows - 1, 0, CANVAS_KEYS, n > room ?
	    "any key: back   Up Down: more" : "any key: back");
}

void
tabs_paint(struct tabs *t, struct canvas *c)
{
	int top;

	t->changed = false;
	t->cols = c->cols;
	t->page = c->rows > TABS_ROWS_MIN ? c->rows - 2 : 1;
	tabs_fetch(t);
	if (c->cols < TABS_COLS_MIN || c->rows < TABS_ROWS_MIN) {
		tabs_small(t, c);
		return;
	}
	if (t->help) {
		tabs_help(t, c);
		return;
	}
	top = tabs_head(t, c);
	t->page = c->rows - 2 - top - 1;
	paint_tab(t, c, top + 1, c->rows - 1);
	tabs_names(t, c, top);
	paint_bottom(t, c, c->rows - 1);
}

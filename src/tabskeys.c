/* SPDX-License-Identifier: ISC */
/*
 * tabskeys.c: what keys do to the view.
 */
#include <string.h>

#include "figures.h"
#include "packet.h"
#include "tabsstate.h"

/* Characters that are typed; others are left out. */
static void
add_typed(struct tabs *t, int key)
{
	size_t len = strlen(t->typed);
	char utf8[4];
	int n = 0, i;

	if (key < 0x80)
		utf8[n++] = (char)key;
	else if (key < 0x800) {
		utf8[n++] = (char)(0xc0 | key >> 6);
		utf8[n++] = (char)(0x80 | (key & 0x3f));
	} else if (key < 0x10000) {
		utf8[n++] = (char)(0xe0 | key >> 12);
		utf8[n++] = (char)(0x80 | (key >> 6 & 0x3f));
		utf8[n++] = (char)(0x80 | (key & 0x3f));
	}
	if (len + (size_t)n >= sizeof(t->typed))
		return;
	for (i = 0; i < n; i++)
		t->typed[len++] = utf8[i];
	t->typed[len] = '\0';
}

static void
rub_out(struct tabs *t)
{
	size_t len = strlen(t->typed);

	while (len > 0 && ((unsigned char)t->typed[--len] & 0xc0) == 0x80)
		continue;
	t->typed[len] = '\0';
}

static void
type(struct tabs *t, int key)
{
	if (key == KEYMAP_ENTER || key == '\n') {
		memcpy(t->filter, t->typed, sizeof(t->filter));
		t->typing = false;
		t->scroll[t->tab].top = 0;
	} else if (key == KEYMAP_ESCAPE)
		t->typing = false;
	else if (key == KEYMAP_BACKSPACE || key == '\b')
		rub_out(t);
	else if (key == KEYMAP_CTRL_U)
		t->typed[0] = '\0';
	else if (key >= ' ' && key < KEYMAP_UP)
		add_typed(t, key);
}

/* Any key but those that scroll it ends the help. */
static void
read_help(struct tabs *t, enum command command)
{
	uint32_t page = t->page > 1 ? (uint32_t)t->page : 5;

	if (command == COMMAND_UP)
		t->help_top -= t->help_top > 0;
	else if (command == COMMAND_DOWN)
		t->help_top++;
	else if (command == COMMAND_PAGE_OLDER)
		t->help_top -= t->help_top > page ? page : t->help_top;
	else if (command == COMMAND_PAGE_NEWER)
		t->help_top += page;
	else
		t->help = false;
}

/* Time. */

static bool
can_play(const struct tabs *t)
{
	return t->config.player != NULL && !t->config.player->ended;
}

static enum tabs_action
seek(struct tabs *t, enum player_to to, int64_t time_ns)
{
	t->target.to = to;
	t->target.time_ns = time_ns;
	return TABS_SEEK;
}

static enum tabs_action
go_older(struct tabs *t, uint64_t n)
{
	uint64_t first = history_first(t->history);

	if (!t->has_shown)
		return TABS_NOTHING;
	if (t->shown - first < n && t->config.seekable)
		return seek(t, PLAYER_TO_TIME, t->brief.start_ns -
		    (int64_t)n * t->config.interval_ns);
	t->at = t->shown - first < n ? first : t->shown - n;
	t->follow = t->at + 1 == history_end(t->history);
	return TABS_NOTHING;
}

/* Past the newest interval a recording plays on. */
static void
go_newer(struct tabs *t, uint64_t n)
{
	uint64_t end = history_end(t->history);

	if (!t->has_shown)
		return;
	if (t->follow && can_play(t)) {
		player_step(t->config.player, n);
		return;
	}
	t->at = t->shown + n;
	if (t->at >= end - 1)
		t->follow = true;
}

static enum tabs_action
go_oldest(struct tabs *t)
{
	if (t->config.seekable)
		return seek(t, PLAYER_TO_FIRST, 0);
	t->at = history_first(t->history);
	t->follow = t->at + 1 == history_end(t->history);
	return TABS_NOTHING;
}

/* Once more, and a recording plays to its end. */
static enum tabs_action
go_newest(struct tabs *t)
{
	if (t->config.seekable)
		return seek(t, PLAYER_TO_LAST, 0);
	if (t->follow && can_play(t))
		player_step(t->config.player, UINT64_MAX);
	t->follow = true;
	return TABS_NOTHING;
}

static const struct episode *
find_episode(const struct tabs *t, bool next)
{
	const struct episode *e, *found = NULL;
	int64_t end = t->brief.start_ns + t->brief.length_ns;

	for (e = t->episode; e < t->episode + t->episodes; e++)
		if (next && e->start_ns >= end)
			return e;
		else if (!next && e->start_ns < t->brief.start_ns)
			found = e;
	return found;
}

/* To where it begins. */
static enum tabs_action
go_to_episode(struct tabs *t, bool next)
{
	const struct episode *e;
	const struct history_brief *b;
	uint64_t n;

	if (!t->has_shown)
		return TABS_NOTHING;
	if (t->config.seekable)
		return seek(t, next ? PLAYER_TO_NEXT_EPISODE :
		    PLAYER_TO_PREVIOUS_EPISODE, t->brief.start_ns);
	e = find_episode(t, next);
	if (e == NULL) {
		tabs_say(t, "there is no %s episode", next ? "later" :
		    "earlier");
		return TABS_NOTHING;
	}
	n = history_find(t->history, e->start_ns);
	b = history_brief(t->history, n);
	if (b == NULL || b->start_ns > e->start_ns) {
		tabs_say(t, "that episode is too long ago: its intervals are "
		    "not kept");
		return TABS_NOTHING;
	}
	t->at = n;
	t->follow = false;
	return TABS_NOTHING;
}

static void
pause_or_go_on(struct tabs *t, int64_t now_ns)
{
	struct player *p = t->config.player;

	if (p != NULL && !p->ended) {
		player_pause(p, !p->paused, now_ns);
		return;
	}
	if (t->follow)
		t->at = t->shown;
	t->follow = !t->follow;
}

static void
next_speed(struct tabs *t, int64_t now_ns)
{
	struct player *p = t->config.player;

	if (p == NULL) {
		tabs_say(t, "live traffic has its own speed");
		return;
	}
	player_faster(p, now_ns);
	if (p->speed > 0)
		tabs_say(t, "speed: %g times as fast as it was", p->speed);
	else
		tabs_say(t, "speed: as fast as it can be read");
}

/* Lists. */

static void
next_column(struct tabs *t, int step)
{
	int chosen[TABS_LIST_VALUES + TABS_LIST_TEXTS], all, n, i;
	const struct list_column *column = tabs_columns(t->tab, &all);
	struct list_order *o = &t->order[t->tab];

	if (column == NULL) {
		tabs_say(t, "rates are in order of time");
		return;
	}
	n = tabs_list_columns(column, all, t->cols, chosen);
	for (i = 0; i < n && chosen[i] < o->column; i++)
		continue;
	i += step;
	if (n == 0 || i < 0 || i >= n)
		return;
	o->column = chosen[i];
	o->reverse = false;
	t->scroll[t->tab].top = 0;
}

static void
reverse(struct tabs *t)
{
	if (t->tab == TAB_RATES) {
		tabs_say(t, "rates are in order of time");
		return;
	}
	t->order[t->tab].reverse = !t->order[t->tab].reverse;
	t->scroll[t->tab].top = 0;
}

static enum tabs_action
go_row(struct tabs *t, bool down)
{
	struct list_scroll *s = &t->scroll[t->tab];

	if (t->tab == TAB_RATES) {
		if (!down)
			return go_older(t, 1);
		go_newer(t, 1);
	} else if (down)
		s->top += s->top + s->room < s->rows;
	else
		s->top -= s->top > 0;
	return TABS_NOTHING;
}

/* Counting. */

static void
switch_total(struct tabs *t)
{
	if (t->tab == TAB_RATES) {
		t->if_total = !t->if_total;
		tabs_say(t, t->if_total ? "the interface's own counters" :
		    "NFS and what belongs to it");
	} else if (t->tab == TAB_EPISODES)
		tabs_say(t, "episodes have no totals");
	else
		t->totals_shown = !t->totals_shown;
}

static void
reset(struct tabs *t)
{
	char clock[32];
	const struct history_brief *b;
	uint64_t end = history_end(t->history);

	totals_reset(t->totals);
	t->since_ns = 0;
	t->lost = 0;
	b = end > 0 ? history_brief(t->history, end - 1) : NULL;
	if (b == NULL)
		return;
	t->since_ns = b->start_ns + b->length_ns;
	tabs_clock(clock, sizeof(clock), t->since_ns, false);
	tabs_say(t, "totals count from %s", clock);
}

static void
change_interval(struct tabs *t, bool longer)
{
	static const uint32_t factors[] = { 1, 2, 5, 10, 30, 60 };
	const size_t n = sizeof(factors) / sizeof(factors[0]);
	char length[FIGURES_SIZE];
	size_t i;

	for (i = 0; i < n && factors[i] != t->factor; i++)
		continue;
	if (longer ? i + 1 == n : i == 0) {
		tabs_say(t, longer ? "this is the longest interval" :
		    "the interval cannot be shorter than it was asked for at "
		    "the start");
		return;
	}
	t->factor = factors[longer ? i + 1 : i - 1];
	tabs_say(t, "intervals of %s from now on", figures_duration(length,
	    t->config.interval_ns * t->factor));
}

static enum tabs_action
obey(struct tabs *t, enum command command, int64_t now_ns)
{
	uint64_t page = t->page > 1 ? (uint64_t)t->page : 1;

	switch (command) {
	case COMMAND_QUIT:
		return TABS_QUIT;
	case COMMAND_REDRAW:
		return TABS_REDRAW;
	case COMMAND_WRITE:
		return TABS_WRITE;
	case COMMAND_HELP:
		t->help = true;
		t->help_top = 0;
		break;
	case COMMAND_PAUSE:
		pause_or_go_on(t, now_ns);
		break;
	case COMMAND_TAB_1:
	case COMMAND_TAB_2:
	case COMMAND_TAB_3:
	case COMMAND_TAB_4:
	case COMMAND_TAB_5:
	case COMMAND_TAB_6:
		t->tab = (enum tab)(command - COMMAND_TAB_1);
		break;
	case COMMAND_NEXT_TAB:
		t->tab = (enum tab)((t->tab + 1) % TABS);
		break;
	case COMMAND_PREVIOUS_TAB:
		t->tab = (enum tab)((t->tab + TABS - 1) % TABS);
		break;
	case COMMAND_OLDER:
		return go_older(t, 1);
	case COMMAND_PAGE_OLDER:
		return go_older(t, page);
	case COMMAND_NEWER:
		go_newer(t, 1);
		break;
	case COMMAND_PAGE_NEWER:
		go_newer(t, page);
		break;
	case COMMAND_UP:
		return go_row(t, false);
	case COMMAND_DOWN:
		return go_row(t, true);
	case COMMAND_OLDEST:
		return go_oldest(t);
	case COMMAND_NEWEST:
		return go_newest(t);
	case COMMAND_NEXT_EPISODE:
		return go_to_episode(t, true);
	case COMMAND_PREVIOUS_EPISODE:
		return go_to_episode(t, false);
	case COMMAND_SORT_LEFT:
		next_column(t, -1);
		break;
	case COMMAND_SORT_RIGHT:
		next_column(t, 1);
		break;
	case COMMAND_SORT_REVERSE:
		reverse(t);
		break;
	case COMMAND_FILTER:
		t->typing = true;
		t->typed[0] = '\0';
		break;
	case COMMAND_TOTAL:
		switch_total(t);
		break;
	case COMMAND_RESET:
		reset(t);
		break;
	case COMMAND_LONGER:
		change_interval(t, true);
		break;
	case COMMAND_SHORTER:
		change_interval(t, false);
		break;
	case COMMAND_SPEED:
		next_speed(t, now_ns);
		break;
	case COMMAND_NONE:
	case COMMANDS:
		break;
	}
	return TABS_NOTHING;
}

enum tabs_action
tabs_key(struct tabs *t, int key, int64_t now_ns)
{
	enum command command = keymap_command(key);

	if (!t->typing && !t->help && command == COMMAND_NONE)
		return TABS_NOTHING;
	t->changed = true;
	t->message[0] = '\0';
	tabs_fetch(t);
	if (t->typing)
		type(t, key);
	else if (t->help && command != COMMAND_REDRAW)
		read_help(t, command);
	else
		return obey(t, command, now_ns);
	return TABS_NOTHING;
}

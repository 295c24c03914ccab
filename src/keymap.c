/* SPDX-License-Identifier: ISC */
/*
 * keymap.c: what keys do, and the words for it.
 */
#include "keymap.h"

#define END	{ KEYMAP_NONE, COMMAND_NONE }

static const struct keymap_line lines[] = {
	{ "q", "quit", "q quit", { { 'q', COMMAND_QUIT }, END } },
	{ "h ?", "this help, and back", "h help",
	    { { 'h', COMMAND_HELP }, { '?', COMMAND_HELP }, END } },
	{ "space", "pause, and go on", "space pause",
	    { { ' ', COMMAND_PAUSE }, END } },
	{ "1 to 6", "choose a tab", "1-6 tab",
	    { { '1', COMMAND_TAB_1 }, { '2', COMMAND_TAB_2 },
	    { '3', COMMAND_TAB_3 }, { '4', COMMAND_TAB_4 },
	    { '5', COMMAND_TAB_5 }, { '6', COMMAND_TAB_6 } } },
	{ "Tab", "the next tab (with Shift: the one before)", NULL,
	    { { '\t', COMMAND_NEXT_TAB },
	    { KEYMAP_BACKTAB, COMMAND_PREVIOUS_TAB }, END } },
	{ "Left Right", "one interval back, forward", "arrows time",
	    { { KEYMAP_LEFT, COMMAND_OLDER },
	    { KEYMAP_RIGHT, COMMAND_NEWER }, END } },
	{ "Up Down", "Rates: the same; other tabs: scroll the rows", NULL,
	    { { KEYMAP_UP, COMMAND_UP }, { KEYMAP_DOWN, COMMAND_DOWN },
	    END } },
	{ "PgUp PgDn", "a page of intervals back, forward", NULL,
	    { { KEYMAP_PAGE_UP, COMMAND_PAGE_OLDER },
	    { KEYMAP_PAGE_DOWN, COMMAND_PAGE_NEWER }, END } },
	{ "Home End", "the oldest interval; the newest, and follow", NULL,
	    { { KEYMAP_HOME, COMMAND_OLDEST },
	    { KEYMAP_END, COMMAND_NEWEST }, END } },
	{ "e E", "the next, the previous episode", "e/E episode",
	    { { 'e', COMMAND_NEXT_EPISODE },
	    { 'E', COMMAND_PREVIOUS_EPISODE }, END } },
	{ "< >", "sort by the column left, right (tabs 2 to 6)", "<> sort",
	    { { '<', COMMAND_SORT_LEFT }, { '>', COMMAND_SORT_RIGHT },
	    END } },
	{ "s", "sort the other way round", NULL,
	    { { 's', COMMAND_SORT_REVERSE }, END } },
	{ "/", "only rows with this text (none: all)", "/ filter",
	    { { '/', COMMAND_FILTER }, END } },
	{ "t", "interface counters (tab 1), totals (tabs 2 to 5)", "t total",
	    { { 't', COMMAND_TOTAL }, END } },
	{ "r", "totals count anew from here", NULL,
	    { { 'r', COMMAND_RESET }, END } },
	{ "+ -", "longer, shorter intervals from now on", NULL,
	    { { '+', COMMAND_LONGER }, { '-', COMMAND_SHORTER }, END } },
	{ "w", "write the last 10 minutes to a log file", NULL,
	    { { 'w', COMMAND_WRITE }, END } },
	{ "p", "play a recording faster, then slowly again", "p speed",
	    { { 'p', COMMAND_SPEED }, END } },
	{ "Ctrl-L", "draw the screen again", NULL,
	    { { KEYMAP_CTRL_L, COMMAND_REDRAW }, END } }
};

const struct keymap_line *
keymap_lines(size_t *n)
{
	*n = sizeof(lines) / sizeof(lines[0]);
	return lines;
}

enum command
keymap_command(int key)
{
	const struct keymap_pair *p;
	size_t i, j;

	if (key == KEYMAP_NONE)
		return COMMAND_NONE;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		for (j = 0; j < KEYMAP_KEYS; j++) {
			p = &lines[i].pair[j];
			if (p->key == KEYMAP_NONE)
				break;
			if (p->key == key)
				return p->command;
		}
	return COMMAND_NONE;
}

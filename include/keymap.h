/* SPDX-License-Identifier: ISC */
/*
 * keymap.h: what keys do, and the words for it, from one table.  Pure.
 *
 * A key is a character, or a KEYMAP_ number for one that sends no character.
 */
#ifndef NFSRATED_KEYMAP_H
#define NFSRATED_KEYMAP_H

#include <stddef.h>

enum keymap_key {
	KEYMAP_NONE = -1,
	KEYMAP_CTRL_L = 12,
	KEYMAP_ENTER = 13,
	KEYMAP_CTRL_U = 21,
	KEYMAP_ESCAPE = 27,
	KEYMAP_BACKSPACE = 127,
	KEYMAP_UP = 0x110000,		/* past all characters */
	KEYMAP_DOWN, KEYMAP_LEFT, KEYMAP_RIGHT, KEYMAP_PAGE_UP,
	KEYMAP_PAGE_DOWN, KEYMAP_HOME, KEYMAP_END, KEYMAP_BACKTAB
};

enum command {
	COMMAND_NONE,
	COMMAND_QUIT, COMMAND_HELP, COMMAND_PAUSE,
	COMMAND_TAB_1, COMMAND_TAB_2, COMMAND_TAB_3, COMMAND_TAB_4,
	COMMAND_TAB_5, COMMAND_TAB_6, COMMAND_NEXT_TAB, COMMAND_PREVIOUS_TAB,
	COMMAND_OLDER, COMMAND_NEWER,	/* an interval */
	COMMAND_UP, COMMAND_DOWN,	/* a row */
	COMMAND_PAGE_OLDER, COMMAND_PAGE_NEWER, COMMAND_OLDEST,
	COMMAND_NEWEST,
	COMMAND_NEXT_EPISODE, COMMAND_PREVIOUS_EPISODE,
	COMMAND_SORT_LEFT, COMMAND_SORT_RIGHT, COMMAND_SORT_REVERSE,
	COMMAND_FILTER, COMMAND_TOTAL, COMMAND_RESET, COMMAND_LONGER,
	COMMAND_SHORTER, COMMAND_WRITE, COMMAND_SPEED, COMMAND_REDRAW,
	COMMANDS
};

#define KEYMAP_KEYS	6

/* A line of the help; keys end with KEYMAP_NONE or at KEYMAP_KEYS. */
struct keymap_line {
	const char	*label;		/* "Home End" */
	const char	*help;
	const char	*hint;		/* short, for the line at the bottom;
					 * or NULL */
	struct keymap_pair {
		int		key;
		enum command	command;
	} pair[KEYMAP_KEYS];
};

const struct keymap_line *keymap_lines(size_t *n);

/* COMMAND_NONE for a key that does nothing. */
enum command keymap_command(int key);

#endif

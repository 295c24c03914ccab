/* SPDX-License-Identifier: ISC */
/*
 * tabskit.h: a view for tests: what is in it, keys, and its screen as text.
 */
#ifndef NFSRATED_TABSKIT_H
#define NFSRATED_TABSKIT_H

#include <stdbool.h>
#include <stdint.h>

#include "demo.h"
#include "player.h"
#include "rules.h"
#include "tabs.h"

#define TABSKIT_COLS	400
#define TABSKIT_ROWS	120

struct tabskit {
	struct tabs	*tabs;
	struct demo	 demo;
	struct player	 player;
	struct expect	*expect;
	struct rules	*rules;
	int64_t		 now_ns;
	int		 cols, rows;
	bool		 utf8;
	struct sample	 sample;
	struct canvas	 canvas;
	struct canvas_cell cell[TABSKIT_ROWS * TABSKIT_COLS];
	char		 row[TABSKIT_COLS * 4 + 1];
};

/* A live view (or of a recording) of 80 by 24, without anything in it. */
void	tabskit_begin(struct tabskit *, bool recording, bool seekable);
void	tabskit_end(struct tabskit *);
/* The next seconds of the demo, judged against its expectation. */
void	tabskit_demo(struct tabskit *, int seconds);
/* Second n of something else: n WRITEs; it is judged ok. */
void	tabskit_second(struct tabskit *, int n);
/* Characters, each a key; gives what the last one asks for. */
enum tabs_action tabskit_keys(struct tabskit *, const char *keys);
enum tabs_action tabskit_key(struct tabskit *, int key);

void	tabskit_paint(struct tabskit *);
/* Paints, and gives a row as text; -1 is the last one. */
const char *tabskit_row(struct tabskit *, int row);
/* Some row has this text. */
bool	tabskit_has(struct tabskit *, const char *text);
/* How the first character of a text looks that is on the screen. */
enum canvas_attr tabskit_attr(struct tabskit *, const char *text);

/*
 * Compares the screen with the file tests/screens/NAME.txt, and prints both
 * when they differ; gives whether they are the same.  With SCREENS=write in
 * the environment the file is written.
 */
bool	tabskit_is(struct tabskit *, const char *name);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * tabsstate.h: what the parts of the view share; for src/tabs*.c alone.
 */
#ifndef NFSRATED_TABSSTATE_H
#define NFSRATED_TABSSTATE_H

#include "canvas.h"
#include "history.h"
#include "judgement.h"
#include "keymap.h"
#include "oplist.h"
#include "sample.h"
#include "tabs.h"
#include "totals.h"

enum tab {
	TAB_RATES, TAB_OPS, TAB_CLIENTS, TAB_FILES, TAB_SIZES, TAB_EPISODES,
	TABS
};

#define TABS_TEXT_MAX	128
#define TABS_EPISODES	512
#define TABS_LIST_ROWS	640	/* OPLIST_MAX and all others */
#define TABS_LIST_TEXTS	3
#define TABS_LIST_VALUES 13

/*
 * A list: columns are data, a row has their texts and values; sorting,
 * filtering, choosing columns and painting are the list's.
 */
enum list_kind {
	LIST_TEXT,
	LIST_TIME,		/* a text, sorted by the value */
	LIST_COUNT,
	LIST_REAL,
	LIST_PERCENT		/* of 0..1 */
};

#define LIST_AS_NEEDED	(-1)	/* decimals: only if they say something */

struct list_column {
	const char	*title;
	const char	*total_title;	/* when totals are shown; or NULL */
	enum list_kind	kind;
	int		at;		/* which text or value */
	int		width;		/* with a blank in front */
	int		decimals;
	int		rank;		/* those of high rank go first when
					 * there is no room */
};

struct list_row {
	char		text[TABS_LIST_TEXTS][TABS_TEXT_MAX];
	double		value[TABS_LIST_VALUES];	/* negative: unknown */
	enum canvas_attr attr;
};

struct list {
	const struct list_column *column;
	int		columns;
	struct list_row	*row;
	uint32_t	n;
	int		flex;		/* column that gets what it needs, of
					 * those that are shown; -1 none */
	int		least;		/* what it gets beyond its width, at
					 * least; what it got */
	const char	*title;		/* of the first column; or NULL */
	const char	*nothing;	/* said when there are no rows */
};

struct list_order {
	int		column;
	bool		reverse;
};

/* How far a list is scrolled; and, of the last time it was painted, the rows
 * that had room, and all of them. */
struct list_scroll {
	uint32_t	top, room, rows;
};

struct tabs {
	struct tabs_config config;
	struct history	*history;
	struct totals	*totals;
	struct oplist	*oplist;	/* room to work in */
	struct list_row	*list_row;
	bool		 changed;

	/* where the reader is */
	bool		 follow;	/* the newest interval */
	uint64_t	 at;		/* else this one */
	struct player_target target;

	/* how it is shown */
	enum tab	 tab;
	struct list_order order[TABS];
	struct list_scroll scroll[TABS];
	bool		 if_total;	/* interface counters in Rates */
	bool		 totals_shown;	/* elsewhere: totals */
	char		 filter[TABS_TEXT_MAX];
	char		 typed[TABS_TEXT_MAX];
	bool		 typing;	/* a filter */
	bool		 help;
	uint32_t	 help_top;
	char		 message[2 * TABS_TEXT_MAX];
	int		 cols, page;	/* columns, and rows of a tab, of the
					 * last time */

	/* intervals longer than those that come */
	uint32_t	 factor;
	bool		 has_pending;
	struct sample	 pending;
	struct judgement pending_judgement;
	struct addr	 server[SAMPLE_SERVERS];	/* that were seen */
	uint32_t	 servers;
	uint64_t	 lost;
	int64_t		 since_ns;	/* totals count from here; 0 nowhere */

	struct episode	 episode[TABS_EPISODES];
	uint32_t	 episodes;

	/* the interval that is shown */
	bool		 has_shown, has_rows;
	uint64_t	 shown;
	struct sample	 sample;
	struct judgement judgement;
	struct history_brief brief;
};

/* Finds the interval that the reader looks at. */
void	tabs_fetch(struct tabs *);

/* tabslist.c */
struct list_row *tabs_list_add(struct list *);
/*
 * The list of the tab that is shown, in rows [top, end) of the canvas: titles,
 * then rows in the order and with the filter of the tab.
 */
void	tabs_list_show(struct tabs *, struct canvas *, struct list *, int top,
	    int end);
/* The columns that have room, by index; gives how many. */
int	tabs_list_columns(const struct list_column *, int columns, int width,
	    int chosen[TABS_LIST_VALUES + TABS_LIST_TEXTS]);
/* The text stands in what is filtered for, or nothing is. */
bool	tabs_filter_has(const struct tabs *, const char *text);

/* tabshead.c: the top; gives the first row below. */
int	tabs_head(struct tabs *, struct canvas *);
/* The names of the tabs and how the list of this one is sorted. */
void	tabs_names(const struct tabs *, struct canvas *, int row);
/* A line about a screen that is too small. */
void	tabs_small(const struct tabs *, struct canvas *);

/* One for each tab, in rows [top, end). */
void	tabs_rates(struct tabs *, struct canvas *, int top, int end);
void	tabs_ops(struct tabs *, struct canvas *, int top, int end);
void	tabs_clients(struct tabs *, struct canvas *, int top, int end);
void	tabs_files(struct tabs *, struct canvas *, int top, int end);
void	tabs_sizes(struct tabs *, struct canvas *, int top, int end);
void	tabs_show_episodes(struct tabs *, struct canvas *, int top, int end);
void	tabs_help(struct tabs *, struct canvas *);

/* Columns of a tab's list; NULL for Rates. */
const struct list_column *tabs_columns(enum tab, int *columns);
const struct list_column *tabs_ops_columns(int *n);
const struct list_column *tabs_clients_columns(int *n);
const struct list_column *tabs_files_columns(int *n);
const struct list_column *tabs_sizes_columns(int *n);
const struct list_column *tabs_episodes_columns(int *n);

/* The newest row shown at the bottom of Rates and at the right of the graph,
 * when there is room for n. */
uint64_t tabs_newest_shown(const struct tabs *, uint64_t n);
/* "operation, 1 s" or "operation since 20:28:01". */
void	tabs_title(const struct tabs *, const char *what,
	    char buf[TABS_TEXT_MAX]);
/* Seconds to divide by: of the interval shown, or 1 for totals. */
double	tabs_per(const struct tabs *);
/* "20:28:01", and the date in front when it is another day than now's. */
void	tabs_clock(char *buf, size_t size, int64_t ns, bool date);

#endif

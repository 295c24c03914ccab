/* SPDX-License-Identifier: ISC */
/*
 * tabshead.c: the top of the view: source and clock, the verdict in words,
 * where the time went, the graph, and the names of the tabs.
 */
#include "tabsstate.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "figures.h"
#include "graph.h"
#include "packet.h"
#include "rowcell.h"

#define LABEL		10	/* columns in front of the graph */
#define POINTS_MAX	4096
#define ROWS_FOR_SPLIT	20	/* lines that a screen needs to have it too */

#define LINE		256

void
tabs_clock(char *buf, size_t size, int64_t ns, bool date)
{
	time_t seconds = (time_t)(ns > 0 ? ns / NSEC_PER_SEC : 0);
	struct tm tm;

	localtime_r(&seconds, &tm);
	strftime(buf, size, date ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &tm);
}

/* "live", "playing x10", "35 s back": how the reader is placed. */
static void
print_mode(const struct tabs *t, char *buf, size_t size)
{
	const struct player *p = t->config.player;
	const struct history_brief *b;
	char back[FIGURES_SIZE];
	uint64_t end = history_end(t->history);

	b = end > 0 ? history_brief(t->history, end - 1) : NULL;
	if (!t->follow && t->has_shown && b != NULL && t->shown + 1 < end)
		snprintf(buf, size, "%s back", figures_duration(back,
		    b->start_ns - t->brief.start_ns));
	else if (p == NULL)
		snprintf(buf, size, "%s", t->follow ? "live" : "paused");
	else if (p->ended)
		snprintf(buf, size, "end of recording");
	else if (p->paused)
		snprintf(buf, size, "paused");
	else if (p->speed <= 0)
		snprintf(buf, size, "at full speed");
	else if (p->speed < 1 || p->speed > 1)
		snprintf(buf, size, "playing x%g", p->speed);
	else
		snprintf(buf, size, "playing");
}

/* "eth0, server 10.77.0.2": those named, or those seen. */
static int
show_names(const struct tabs *t, struct canvas *c, int row, int end)
{
	char addr[ADDR_STRLEN], words[ADDR_STRLEN + 16];
	uint32_t i;
	int col;

	col = canvas_field(c, row, 0, CANVAS_KEYS, end,
	    c->cols >= 60 ? "nfsrated: " : "");
	col = canvas_field(c, row, col, CANVAS_KEYS, end - col,
	    t->config.source);
	if (t->config.servers_named || t->lost > 0)
		return col;	/* what was lost needs the room */
	for (i = 0; i < t->servers; i++) {
		snprintf(words, sizeof(words), "%s %s", i > 0 ? "," :
		    ", server", addr_print(&t->server[i], addr,
		    sizeof(addr)));
		if (canvas_width(c, words) >= end - col)
			break;
		col = canvas_field(c, row, col, CANVAS_KEYS, end - col, words);
	}
	return col;
}

static void
show_source(const struct tabs *t, struct canvas *c, int row)
{
	char mode[64], clock[32] = "", right[LINE], every[FIGURES_SIZE];
	int64_t length = t->config.interval_ns * t->factor;
	int col, end;

	print_mode(t, mode, sizeof(mode));
	if (t->has_shown)
		tabs_clock(clock, sizeof(clock), t->brief.start_ns,
		    c->cols >= 80);
	snprintf(right, sizeof(right), "%s%s%s%s%s", mode,
	    clock[0] != '\0' ? "  " : "", clock, c->cols >= 60 ? "  every " :
	    "", c->cols >= 60 ? figures_duration(every, length) : "");
	canvas_blank(c, row, 0, CANVAS_KEYS);
	end = c->cols - canvas_width(c, right) - 1;
	col = show_names(t, c, row, end);
	if (t->lost > 0) {
		char lost[LINE];

		snprintf(lost, sizeof(lost), "  (%llu intervals not shown)",
		    (unsigned long long)t->lost);
		canvas_field(c, row, col, CANVAS_WARN, end - col, lost);
	}
	canvas_right(c, row, c->cols, CANVAS_KEYS, right);
}

/* What the state keeps everybody waiting for. */
static const char *
state_words(enum sample_state s)
{
	static const char *const words[SAMPLE_STATES] = {
		[SAMPLE_CLIENT] = "waiting for the client",
		[SAMPLE_REQUEST] = "requests on the wire",
		[SAMPLE_SERVER] = "waiting for the server",
		[SAMPLE_COMMITTING] = "waiting for COMMIT",
		[SAMPLE_REPLY] = "replies on the wire",
		[SAMPLE_NETWORK] = "waiting for the network",
		[SAMPLE_WINDOW] = "waiting for the server's window",
		[SAMPLE_DELAY] = "told to come back later"
	};

	return words[s];
}

struct unit {
	const char	*name, *brief;
	int		 decimals;
};

static const struct unit *
unit_of(enum expect_kind kind)
{
	static const struct unit units[] = {
		{ "packets/s", "pps", 0 }, { "WRITEs/s", "wps", 0 },
		{ "MB/s", "MB/s", 2 }
	};

	return &units[kind == EXPECT_WPS ? 1 : kind == EXPECT_MBPS ? 2 : 0];
}

static const char *
verdict_words(const struct judgement *v)
{
	static const char *const words[VERDICTS] = {
		[VERDICT_IDLE] = "IDLE", [VERDICT_OK] = "OK",
		[VERDICT_UNDERRUN] = "UNDERRUN",
		[VERDICT_BURSTY] = "BURSTY UNDERRUN",
		[VERDICT_STALL] = "STALL", [VERDICT_UNKNOWN] = "UNKNOWN"
	};

	return v->has_verdict ? words[v->verdict] : "";
}

/* The cause, or what took most of the time; its share, 0 unknown. */
static enum sample_state
most(const struct tabs *t, double *share)
{
	if (t->judgement.has_cause) {
		*share = t->judgement.cause_share;
		return t->judgement.cause;
	}
	*share = (double)t->brief.share;
	return t->brief.where;
}

/* How many words a line has room for. */
enum words { ALL_WORDS, NO_PERCENT, BRIEF };

/* "984 of 8637 packets/s (11 %)", "984/8637 pps 11%" */
static void
print_rate(const struct tabs *t, char *buf, size_t size, enum words words)
{
	const struct judgement *v = &t->judgement;
	const struct unit *u = unit_of(v->expect);
	char rate[FIGURES_SIZE], expected[FIGURES_SIZE];
	double had = history_rate(&t->brief, v->expect);
	int percent, width = words == BRIEF ? 6 : 9;

	figures_real(rate, had, u->decimals, width);
	if (v->expect == EXPECT_NONE || v->expect_value <= 0) {
		snprintf(buf, size, "%s %s", rate, words == BRIEF ? u->brief :
		    u->name);
		return;
	}
	figures_real(expected, v->expect_value, u->decimals, width);
	percent = (int)(100 * had / v->expect_value + 0.5);
	if (words == BRIEF)
		snprintf(buf, size, "%s/%s %s %d%%", rate, expected, u->brief,
		    percent);
	else if (words == NO_PERCENT)
		snprintf(buf, size, "%s of %s %s", rate, expected, u->name);
	else
		snprintf(buf, size, "%s of %s %s (%d %%)", rate, expected,
		    u->name, percent);
}

/* Why nothing can be said; NULL when something can. */
static const char *
print_unknown(const struct tabs *t, char *buf, size_t size)
{
	const struct sample *s = &t->sample;
	char length[FIGURES_SIZE];

	if (s->gap)
		snprintf(buf, size, "no %s for %s", s->no_data ? "data" :
		    "packets", figures_duration(length, s->length_ns));
	else if (s->no_data)
		snprintf(buf, size, "NO DATA: the capture was down");
	else if (!t->judgement.has_verdict ||
	    t->judgement.verdict != VERDICT_UNKNOWN)
		return NULL;
	else if (s->partial)
		snprintf(buf, size, "UNKNOWN: this interval was not watched "
		    "from start to end");
	else
		snprintf(buf, size, "UNKNOWN: %.0f %% of this interval cannot "
		    "be trusted", 100 * (1 - sample_trust(s)));
	return buf;
}

static void
print_verdict(const struct tabs *t, char *buf, size_t size,
    enum words how_many)
{
	const struct judgement *v = &t->judgement;
	const char *words = verdict_words(v);
	char rate[96], calls[64] = "", why[64] = "";
	double share;
	enum sample_state state = most(t, &share);

	print_rate(t, rate, sizeof(rate), how_many);
	if (v->has_verdict && v->verdict == VERDICT_STALL)
		snprintf(calls, sizeof(calls), "%llu calls unanswered, ",
		    (unsigned long long)t->sample.outstanding);
	if (share > 0)
		snprintf(why, sizeof(why), ", %s %.0f %%", state_words(state),
		    100 * share);
	snprintf(buf, size, "%s%s%s%s%s", words, words[0] != '\0' ? ": " : "",
	    calls, rate, why);
}

static void
print_verdict_briefly(const struct tabs *t, char *buf, size_t size)
{
	const struct judgement *v = &t->judgement;
	char rate[96], why[48] = "";
	double share;
	enum sample_state state = most(t, &share);

	print_rate(t, rate, sizeof(rate), BRIEF);
	if (share > 0)
		snprintf(why, sizeof(why), ", %s %.0f%%",
		    sample_state_name(state), 100 * share);
	snprintf(buf, size, "%s%s%s%s", v->has_verdict ?
	    verdict_short(v->verdict) : "", v->has_verdict ? " " : "", rate,
	    why);
}

static enum canvas_attr
verdict_attr(const struct tabs *t)
{
	const struct judgement *v = &t->judgement;

	if (t->sample.gap || t->sample.no_data || !v->has_verdict)
		return CANVAS_STRONG;
	if (verdict_is_bad(v->verdict))
		return CANVAS_BAD;
	return v->verdict == VERDICT_OK ? CANVAS_GOOD : CANVAS_STRONG;
}

static void
show_verdict(const struct tabs *t, struct canvas *c, int row)
{
	char line[LINE];

	if (!t->has_shown) {
		canvas_text(c, row, 0, CANVAS_DIM, "nothing yet");
		return;
	}
	if (print_unknown(t, line, sizeof(line)) == NULL) {
		print_verdict(t, line, sizeof(line), ALL_WORDS);
		if (canvas_width(c, line) > c->cols)
			print_verdict(t, line, sizeof(line), NO_PERCENT);
		if (canvas_width(c, line) > c->cols)
			print_verdict_briefly(t, line, sizeof(line));
	}
	canvas_text(c, row, 0, verdict_attr(t), line);
}

/* The state of most time of those not shown yet; SAMPLE_STATES: all are. */
static int
next_state(const struct sample *s, const bool shown[SAMPLE_STATES])
{
	int i, next = SAMPLE_STATES;

	for (i = 0; i < SAMPLE_STATES; i++)
		if (!shown[i] && (next == SAMPLE_STATES ||
		    s->state_ns[i] > s->state_ns[next]))
			next = i;
	return next;
}

/* All states that took time, the longest first. */
static void
show_split(const struct tabs *t, struct canvas *c, int row)
{
	const struct sample *s = &t->sample;
	bool shown[SAMPLE_STATES] = { false };
	double sum = 0, share;
	int i, col;

	for (i = 0; i < SAMPLE_STATES; i++)
		sum += (double)s->state_ns[i];
	col = canvas_text(c, row, 0, CANVAS_DIM, "where:");
	if (!t->has_shown || !s->has_split || sum <= 0) {
		canvas_text(c, row, col, CANVAS_DIM, " -");
		return;
	}
	while ((i = next_state(s, shown)) < SAMPLE_STATES) {
		share = (double)s->state_ns[i] / sum;
		if (share < 0.005)
			break;
		shown[i] = true;
		col = canvas_printf(c, row, col, share > 0.5 ? CANVAS_STRONG :
		    CANVAS_PLAIN, "  %s %.0f %%",
		    sample_state_name((enum sample_state)i), 100 * share);
	}
}

uint64_t
tabs_newest_shown(const struct tabs *t, uint64_t n)
{
	uint64_t first = history_first(t->history);
	uint64_t end = history_end(t->history);
	uint64_t newest = t->shown;

	if (newest < first + n - 1)
		newest = first + n - 1;
	return newest < end ? newest : end - 1;
}

/* The points of n columns; gives how many there are. */
static int
points(const struct tabs *t, struct graph_point *p, int n, double *expected)
{
	const struct history_brief *b;
	uint64_t newest = tabs_newest_shown(t, (uint64_t)n), i, count;
	uint64_t first = history_first(t->history);
	enum expect_kind kind = t->brief.expect;

	count = newest + 1 - first;
	if (count > (uint64_t)n)
		count = (uint64_t)n;
	*expected = (double)t->brief.expected;
	for (i = 0; i < count; i++) {
		b = history_brief(t->history, newest + 1 - count + i);
		p[i].rate = b->gap || b->no_data ? -1 : history_rate(b, kind);
		p[i].bad = b->has_verdict && verdict_is_bad(b->verdict);
		p[i].chosen = !t->follow && newest + 1 - count + i ==
		    t->shown;
		if (kind == EXPECT_NONE && b->expect == EXPECT_PPS)
			*expected = (double)b->expected;
	}
	return (int)count;
}

static void
show_graph(const struct tabs *t, struct canvas *c, int row)
{
	struct graph_point p[POINTS_MAX];
	const struct unit *u = unit_of(t->brief.expect);
	int room = c->cols - LABEL, n;
	char buf[FIGURES_SIZE], label[LABEL + FIGURES_SIZE];
	double expected, top;
	bool above;

	if (!t->has_shown)
		return;
	if (room > POINTS_MAX)
		room = POINTS_MAX;
	n = points(t, p, room, &expected);
	top = graph_top(p, n, expected);
	above = top > expected * 1.01;		/* worth telling */
	snprintf(label, sizeof(label), "%s %s", figures_real(buf, above ? top :
	    expected, u->decimals, LABEL - 5), above ? "max" : "exp");
	canvas_right(c, row, LABEL - 1, CANVAS_DIM, label);
	if (expected > 0 && above)
		snprintf(label, sizeof(label), "%s exp", figures_real(buf,
		    expected, u->decimals, LABEL - 5));
	else
		snprintf(label, sizeof(label), "%s", u->name);
	canvas_right(c, row + 1, LABEL - 1, CANVAS_DIM, label);
	graph_draw(c, row, c->cols - n, p, n, expected);
}

/* The sort order and how much of a list is shown. */
static void
print_list(const struct tabs *t, char *buf, size_t size)
{
	const struct list_order *o = &t->order[t->tab];
	const struct list_scroll *scroll = &t->scroll[t->tab];
	const struct list_column *column;
	int columns;
	size_t len = 0;

	buf[0] = '\0';
	column = tabs_columns(t->tab, &columns);
	if (column == NULL || o->column >= columns)
		return;
	column += o->column;
	if (scroll->rows > scroll->room)
		len = (size_t)snprintf(buf, size, "%u-%u of %u, ",
		    scroll->top + 1, scroll->top + scroll->room,
		    scroll->rows);
	snprintf(buf + len, size - len, "by %s%s", t->totals_shown &&
	    column->total_title != NULL ? column->total_title : column->title,
	    o->reverse ? ", reversed" : "");
}

void
tabs_names(const struct tabs *t, struct canvas *c, int row)
{
	static const char *const names[TABS] = {
		"Rates", "Ops", "Clients", "Files", "Sizes", "Episodes"
	};
	char right[TABS_TEXT_MAX];
	int i, col = 0;
	bool all = c->cols >= 60;

	canvas_blank(c, row, 0, CANVAS_KEYS);
	for (i = 0; i < TABS; i++)
		if (i == (int)t->tab)
			col = canvas_printf(c, row, col, CANVAS_CHOSEN,
			    "[%d %s]", i + 1, names[i]);
		else
			col = canvas_printf(c, row, col, CANVAS_KEYS,
			    all ? " %d %s " : " %d%s ", i + 1,
			    all ? names[i] : "");
	print_list(t, right, sizeof(right));
	if (canvas_width(c, right) < c->cols - col)
		canvas_right(c, row, c->cols, CANVAS_KEYS, right);
}

int
tabs_head(struct tabs *t, struct canvas *c)
{
	int row = 0;

	show_source(t, c, row++);
	show_verdict(t, c, row++);
	if (c->rows >= ROWS_FOR_SPLIT)
		show_split(t, c, row++);
	show_graph(t, c, row);
	return row + GRAPH_LINES;
}

void
tabs_small(const struct tabs *t, struct canvas *c)
{
	char line[LINE];

	canvas_text(c, 0, 0, CANVAS_STRONG, "nfsrated: too small");
	if (c->rows < 2 || !t->has_shown)
		return;
	print_verdict_briefly(t, line, sizeof(line));
	canvas_text(c, 1, 0, verdict_attr(t), line);
}

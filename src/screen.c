/* SPDX-License-Identifier: ISC */
/*
 * screen.c: the view on a terminal, by way of curses.
 *
 * Curses writes to a file in memory, from where the bytes go to the terminal
 * as fast as it takes them.  So curses never sees the terminal itself: its
 * modes and its size are looked after elsewhere (terminal.h).
 */
#include "screen.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <term.h>
#include <unistd.h>

#include "keymap.h"
#include "packet.h"

#define ROWS_MAX	500
#define COLS_MAX	4096
#define KEYS_MAX	64		/* read at once */
#define RUN_MAX		256		/* characters written at once */
#define ESCAPE_MS	50		/* from Esc to the rest of a key */

/* Paintings are so far apart, after keys and after intervals. */
#define KEY_NS		(20 * NSEC_PER_MSEC)
#define PAINT_NS	(250 * NSEC_PER_MSEC)
/* How often to see whether the program is in the foreground again. */
#define BACKGROUND_MS	500

struct screen {
	struct tabs	*tabs;
	struct terminal	*terminal;
	SCREEN		*curses;
	FILE		*memory, *keys;
	bool		 utf8;
	attr_t		 attr[CANVAS_ATTRS];
	struct canvas_cell *cell;
	int		 rows, cols;
	bool		 redraw;	/* all of it */
	bool		 key_came;
	int64_t		 painted_ns;
};

/* Bytes. */

/* What curses has written since the last time, to the terminal. */
static void
pass_on(struct screen *s)
{
	int fd = fileno(s->memory);
	off_t len = lseek(fd, 0, SEEK_CUR);
	char *data;

	if (len <= 0)
		return;
	if ((data = malloc((size_t)len)) == NULL ||
	    pread(fd, data, (size_t)len, 0) != len ||
	    !terminal_write(s->terminal, data, (size_t)len))
		s->redraw = true;
	free(data);
	if (lseek(fd, 0, SEEK_SET) != 0 || ftruncate(fd, 0) != 0)
		s->redraw = true;
}

/* Taking and leaving the terminal. */

static void
resize(struct screen *s)
{
	struct canvas_cell *cell;
	int rows, cols;

	getmaxyx(stdscr, rows, cols);
	terminal_size(s->terminal, &rows, &cols);
	rows = rows < ROWS_MAX ? rows : ROWS_MAX;
	cols = cols < COLS_MAX ? cols : COLS_MAX;
	if (s->cell != NULL && rows == s->rows && cols == s->cols)
		return;
	cell = calloc((size_t)rows * (size_t)cols, sizeof(*cell));
	if (cell == NULL || resizeterm(rows, cols) == ERR) {
		free(cell);
		return;
	}
	free(s->cell);
	s->cell = cell;
	s->rows = rows;
	s->cols = cols;
	s->redraw = true;
}

static void
enter(struct screen *s)
{
	if (!terminal_enter(s->terminal))
		return;
	resize(s);
	s->redraw = true;
}

static void
leave(struct screen *s)
{
	if (!terminal_is_ours(s->terminal))
		return;
	endwin();
	pass_on(s);
	terminal_leave(s->terminal);
}

static void
take_events(struct screen *s)
{
	unsigned int events = terminal_events(s->terminal);

	if (events & TERMINAL_STOP) {
		leave(s);
		terminal_stop(s->terminal);
	}
	if ((events & (TERMINAL_STOP | TERMINAL_CONTINUED)) ||
	    !terminal_is_ours(s->terminal))
		enter(s);
	else if (events & TERMINAL_RESIZED)
		resize(s);
}

/* Looks. */

static void
choose_looks(struct screen *s)
{
	static const attr_t mono[CANVAS_ATTRS] = {
		[CANVAS_DIM] = A_DIM, [CANVAS_TITLE] = A_UNDERLINE,
		[CANVAS_STRONG] = A_BOLD, [CANVAS_GOOD] = A_BOLD,
		[CANVAS_BAD] = A_BOLD, [CANVAS_WARN] = A_BOLD,
		[CANVAS_CHOSEN] = A_REVERSE
	};
	static const short color[CANVAS_ATTRS] = {
		[CANVAS_GOOD] = COLOR_GREEN, [CANVAS_BAD] = COLOR_RED,
		[CANVAS_WARN] = COLOR_YELLOW, [CANVAS_BAR] = COLOR_CYAN,
		[CANVAS_KEYS] = COLOR_CYAN, [CANVAS_TITLE] = COLOR_CYAN
	};
	const char *no = getenv("NO_COLOR");
	int i;

	memcpy(s->attr, mono, sizeof(mono));
	if ((no != NULL && no[0] != '\0') || !has_colors() ||
	    start_color() == ERR || use_default_colors() == ERR)
		return;
	for (i = 0; i < CANVAS_ATTRS; i++)
		if (color[i] != 0 &&
		    init_pair((short)i, color[i], -1) != ERR)
			s->attr[i] |= (attr_t)COLOR_PAIR(i);
}

/* A run of cells of the same looks; gives the column behind it. */
static int
paint_run(const struct screen *s, const struct canvas *c, int row, int col)
{
	const struct canvas_cell *cell = &c->cell[(size_t)row *
	    (size_t)c->cols + (size_t)col];
	wchar_t text[RUN_MAX];
	int n = 0, len = 0;

	while (col + n < c->cols && len < RUN_MAX &&
	    cell[n].attr == cell->attr) {
		if (cell[n].ch != 0)
			text[len++] = (wchar_t)cell[n].ch;
		n++;
	}
	attrset((int)s->attr[cell->attr]);
	mvaddnwstr(row, col, text, len);
	return col + n;
}

static void
paint(struct screen *s, int64_t now_ns)
{
	struct canvas c;
	int row, col;

	if (s->cell == NULL)
		return;
	canvas_init(&c, s->cell, s->rows, s->cols, s->utf8);
	tabs_paint(s->tabs, &c);
	erase();
	for (row = 0; row < c.rows; row++)
		for (col = 0; col < c.cols;)
			col = paint_run(s, &c, row, col);
	attrset(A_NORMAL);
	move(s->rows - 1, 0);
	if (s->redraw)
		clearok(stdscr, TRUE);
	s->redraw = false;
	refresh();
	pass_on(s);
	s->painted_ns = now_ns;
	s->key_came = false;
}

/* Opening and closing. */

const char *
screen_missing(void)
{
	const char *name = getenv("TERM");

	if (!isatty(STDOUT_FILENO))
		return "standard output is no terminal";
	if (name == NULL || name[0] == '\0')
		return "TERM is not set";
	if (strcmp(name, "dumb") == 0)
		return "TERM is dumb";
	return NULL;
}

static const char *
capability(const char *name)
{
	const char *text = tigetstr(name);

	return text != NULL && (intptr_t)text != -1 ? text : "";
}

static bool
open_files(struct screen *s)
{
	int memory = memfd_create("screen", MFD_CLOEXEC), keys;

	if (memory < 0)
		return false;
	if ((s->memory = fdopen(memory, "w+")) == NULL) {
		close(memory);
		return false;
	}
	keys = fcntl(terminal_fd(s->terminal), F_DUPFD_CLOEXEC, 0);
	if (keys < 0)
		return false;
	if ((s->keys = fdopen(keys, "r")) == NULL) {
		close(keys);
		return false;
	}
	return true;
}

/* Is it known, and can its cursor be moved? */
static bool
is_able(const struct screen *s)
{
	bool able;
	int why;

	if (setupterm(NULL, fileno(s->memory), &why) == ERR)
		return false;
	able = capability("cup")[0] != '\0';
	del_curterm(cur_term);
	return able;
}

static bool
open_curses(struct screen *s)
{
	if (!open_files(s))
		return false;
	if (!is_able(s)) {
		errno = ENOTSUP;
		return false;
	}
	if ((s->curses = newterm(NULL, s->memory, s->keys)) == NULL) {
		errno = ENOMEM;
		return false;
	}
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	curs_set(0);
	terminal_add_leaving(s->terminal, capability("sgr0"));
	terminal_add_leaving(s->terminal, capability("cnorm"));
	terminal_add_leaving(s->terminal, capability("rmkx"));
	terminal_add_leaving(s->terminal, capability("rmcup"));
	choose_looks(s);
	return true;
}

struct screen *
screen_open(struct tabs *tabs)
{
	struct screen *s = calloc(1, sizeof(*s));
	int error;

	if (s == NULL)
		return NULL;
	s->tabs = tabs;
	setlocale(LC_CTYPE, "");
	s->utf8 = strcasecmp(nl_langinfo(CODESET), "UTF-8") == 0;
	if ((s->terminal = terminal_open()) != NULL && open_curses(s)) {
		enter(s);
		return s;
	}
	error = errno;
	screen_close(s);
	errno = error;
	return NULL;
}

void
screen_close(struct screen *s)
{
	if (s == NULL)
		return;
	if (s->terminal != NULL)
		leave(s);
	terminal_close(s->terminal);
	if (s->curses != NULL)
		delscreen(s->curses);
	if (s->memory != NULL)
		fclose(s->memory);
	if (s->keys != NULL)
		fclose(s->keys);
	free(s->cell);
	free(s);
}

/* Running. */

static const struct {
	int	code, key;
} special[] = {
	{ KEY_UP, KEYMAP_UP }, { KEY_DOWN, KEYMAP_DOWN },
	{ KEY_LEFT, KEYMAP_LEFT }, { KEY_RIGHT, KEYMAP_RIGHT },
	{ KEY_PPAGE, KEYMAP_PAGE_UP }, { KEY_NPAGE, KEYMAP_PAGE_DOWN },
	{ KEY_HOME, KEYMAP_HOME }, { KEY_END, KEYMAP_END },
	{ KEY_FIND, KEYMAP_HOME }, { KEY_SELECT, KEYMAP_END },
	{ KEY_BTAB, KEYMAP_BACKTAB }, { KEY_ENTER, KEYMAP_ENTER },
	{ KEY_BACKSPACE, KEYMAP_BACKSPACE }, { KEY_DC, KEYMAP_BACKSPACE }
};

/* False when there is no more; KEYMAP_NONE for one that nobody knows. */
static bool
next_key(int *key)
{
	wint_t ch;
	size_t i;
	int kind = get_wch(&ch);

	if (kind == ERR)
		return false;
	*key = kind == OK ? (int)ch : KEYMAP_NONE;
	for (i = 0; kind == KEY_CODE_YES &&
	    i < sizeof(special) / sizeof(special[0]); i++)
		if (special[i].code == (int)ch)
			*key = special[i].key;
	return true;
}

static enum tabs_action
read_keys(struct screen *s, int64_t now_ns)
{
	enum tabs_action action;
	int i, key;

	for (i = 0; i < KEYS_MAX && next_key(&key); i++) {
		action = tabs_key(s->tabs, key, now_ns);
		s->key_came = true;
		if (action == TABS_REDRAW)
			s->redraw = true;
		else if (action != TABS_NOTHING)
			return action;
	}
	return TABS_NOTHING;
}

static bool
wants_paint(const struct screen *s)
{
	return terminal_is_ours(s->terminal) &&
	    terminal_pending(s->terminal) == 0 &&
	    (s->redraw || tabs_changed(s->tabs));
}

static int64_t
wait_ns(const struct screen *s, int64_t now_ns)
{
	int64_t due = s->painted_ns + (s->key_came ? KEY_NS : PAINT_NS);

	return due > now_ns ? due - now_ns : 0;
}

void
screen_poll(const struct screen *s, struct pollfd p[SCREEN_FDS])
{
	terminal_poll(s->terminal, p);
}

int
screen_timeout_ms(const struct screen *s, int64_t now_ns)
{
	if (!terminal_is_ours(s->terminal))
		return BACKGROUND_MS;
	if (!wants_paint(s))
		return -1;
	return (int)((wait_ns(s, now_ns) + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC);
}

enum tabs_action
screen_run(struct screen *s, int64_t now_ns)
{
	enum tabs_action action;
	const char *message;

	take_events(s);
	if ((message = terminal_message(s->terminal)) != NULL)
		tabs_say(s->tabs, "%.*s", (int)strcspn(message, "\n"),
		    message);
	if (terminal_is_gone(s->terminal))
		return TABS_QUIT;
	if (!terminal_is_ours(s->terminal))
		return TABS_NOTHING;
	action = read_keys(s, now_ns);
	if (action != TABS_NOTHING)
		return action;
	terminal_flush(s->terminal);
	if (wants_paint(s) && wait_ns(s, now_ns) == 0)
		paint(s, now_ns);
	return TABS_NOTHING;
}

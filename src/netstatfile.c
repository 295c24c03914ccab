/* SPDX-License-Identifier: ISC */
/*
 * netstatfile.c: tables of BSD `netstat -w 1` to samples.
 */
#include "netstatfile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "packet.h"

#define LINE_MAX_LEN	512
#define WORDS_MAX	32
#define MTU_DEFAULT	1500
#define LINK_HEADER	14
#define VALUE_MAX	UINT64_C(4000000000000000000)

enum column {
	COL_NONE, COL_PACKETS, COL_ERRS, COL_IDROPS, COL_BYTES, COL_COLLS,
	COL_DROPS
};

static const struct {
	const char	*name;
	enum column	 column;
} columns[] = {
	{ "packets", COL_PACKETS }, { "errs", COL_ERRS },
	{ "idrops", COL_IDROPS }, { "bytes", COL_BYTES },
	{ "colls", COL_COLLS }, { "drops", COL_DROPS }
};

/* Where in a line the columns of the group in use stand; -1: nowhere. */
struct layout {
	int		columns;	/* 0: none known */
	int		packets[2], errs[2], bytes[2];	/* input, output */
	int		colls;
	bool		cumulative;	/* first row below a header */
};

struct words {
	int	n;
	char	*word[WORDS_MAX];
};

struct netstatfile {
	struct netstatfile_config config;
	struct netstatfile_stats stats;
	struct layout	layout;
	bool		below_header;	/* the next row is the first */
	bool		loopback;	/* the title's first name is lo* */
	bool		holding;	/* the very first row, in sample[1] */
	bool		too_long;	/* the line: its rest is dropped */
	size_t		len;
	char		line[LINE_MAX_LEN + 1];
	uint64_t	emitted;
	struct sample	sample[2];
};

struct netstatfile *
netstatfile_new(const struct netstatfile_config *config)
{
	struct netstatfile *n;

	if ((n = calloc(1, sizeof(*n))) == NULL)
		return NULL;
	n->config = *config;
	if (n->config.mtu == 0)
		n->config.mtu = MTU_DEFAULT;
	if (n->config.interval_ns <= 0)
		n->config.interval_ns = NSEC_PER_SEC;
	return n;
}

void
netstatfile_free(struct netstatfile *n)
{
	free(n);
}

const struct netstatfile_stats *
netstatfile_stats(const struct netstatfile *n)
{
	return &n->stats;
}

static void
complain(struct netstatfile *n, const char *why)
{
	n->stats.errors++;
	if (n->config.error != NULL)
		n->config.error(n->config.ctx, n->stats.lines, why);
}

/* Headers */

static enum column
column_of(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (strcmp(word, columns[i].name) == 0)
			return columns[i].column;
	return COL_NONE;
}

/*
 * The column that begins each side comes once a side: input, output, and the
 * same of the total.
 */
static int
sides(const enum column *col, int n)
{
	int i, times = 0;

	for (i = 0; i < n; i++)
		times += col[i] == col[0];
	return times;
}

static void
place(struct layout *l, enum column column, int side, int at)
{
	switch (column) {
	case COL_PACKETS:
		l->packets[side] = at;
		break;
	case COL_ERRS:
		l->errs[side] = at;
		break;
	case COL_BYTES:
		l->bytes[side] = at;
		break;
	case COL_COLLS:
		l->colls = at;
		break;
	case COL_IDROPS:
	case COL_DROPS:
	case COL_NONE:
		break;
	}
}

/* Sides first and first + 1 of the columns. */
static void
lay_out(struct layout *l, const enum column *col, int n, int first)
{
	int i, side = -1;

	*l = (struct layout){ n, { -1, -1 }, { -1, -1 }, { -1, -1 }, -1,
	    false };
	for (i = 0; i < n; i++) {
		if (col[i] == col[0])
			side++;
		if (side == first || side == first + 1)
			place(l, col[i], side - first, i);
	}
	/* Only FreeBSD and its kin have both. */
	l->cumulative = l->packets[0] < 0 || l->bytes[0] < 0;
}

/* A line of column names. */
static bool
take_columns(struct netstatfile *n, const struct words *w)
{
	enum column col[WORDS_MAX] = { COL_NONE };
	int i, times;

	for (i = 0; i < w->n; i++)
		if ((col[i] = column_of(w->word[i])) == COL_NONE)
			return false;
	if (w->n == 0 || (col[0] != COL_PACKETS && col[0] != COL_BYTES))
		return false;
	times = sides(col, w->n);
	if (times != 2 && times != 4)
		return false;
	lay_out(&n->layout, col, w->n, times == 4 &&
	    (n->config.total || n->loopback) ? 2 : 0);
	if (times == 4 && (n->config.total || n->loopback))
		memcpy(n->stats.name, "(Total)", sizeof("(Total)"));
	n->below_header = true;
	n->stats.headers++;
	return true;
}

/* "(em0)" and "em0" are the same interface. */
static void
set_name(struct netstatfile *n, const char *word)
{
	size_t len = strlen(word);

	if (len > 2 && word[0] == '(' && word[len - 1] == ')' &&
	    strcmp(word, "(Total)") != 0) {
		word++;
		len -= 2;
	}
	if (len >= sizeof(n->stats.name))
		len = sizeof(n->stats.name) - 1;
	memcpy(n->stats.name, word, len);
	n->stats.name[len] = '\0';
	n->loopback = strncmp(n->stats.name, "lo", 2) == 0;
}

/* "input (Total) output", "em0 in em0 out total in total out" */
static bool
take_title(struct netstatfile *n, const struct words *w)
{
	if (w->n >= 3 && strcmp(w->word[0], "input") == 0 &&
	    strcmp(w->word[2], "output") == 0) {
		set_name(n, w->word[1]);
		return true;
	}
	if (w->n >= 4 && strcmp(w->word[1], "in") == 0 &&
	    strcmp(w->word[3], "out") == 0) {
		set_name(n, w->word[0]);
		return true;
	}
	return false;
}

/* Rows */

/* A number, maybe with a decimal fraction and k, M, G, T, P (netstat -h). */
static bool
number(const char *word, uint64_t *value)
{
	static const char units[] = "kMGTP";
	uint64_t v = 0, tenths = 0, scale = 1;
	const char *unit;

	if (!isdigit((unsigned char)*word))
		return false;
	for (; isdigit((unsigned char)*word); word++) {
		if (v > VALUE_MAX / 10)
			return false;
		v = v * 10 + (uint64_t)(*word - '0');
	}
	if (word[0] == '.' && isdigit((unsigned char)word[1])) {
		tenths = (uint64_t)(word[1] - '0');
		word += 1 + strspn(word + 1, "0123456789");
	}
	if (*word != '\0') {
		unit = strchr(units, *word == 'K' ? 'k' : *word);
		if (unit == NULL || word[1] != '\0')
			return false;
		for (; unit >= units; unit--)
			scale *= 1000;
	}
	if (v > VALUE_MAX / scale)
		return false;
	*value = v * scale + tenths * scale / 10;
	return true;
}

static uint64_t
at(const uint64_t *v, int column, uint64_t unknown)
{
	return column >= 0 ? v[column] : unknown;
}

static void
fill(struct netstatfile *n, struct sample *s, const uint64_t *v)
{
	static const enum sample_direction dir[2] = { SAMPLE_IN, SAMPLE_OUT };
	const struct layout *l = &n->layout;
	struct sample_traffic *t;
	int i;

	sample_clear(s);
	s->length_ns = s->watched_ns = n->config.interval_ns;
	s->first_ns = INT64_MAX;
	s->last_ns = INT64_MIN;
	for (i = 0; i < 2; i++) {
		t = &s->traffic[dir[i]];
		t->packets = t->wire_packets = at(v, l->packets[i], 0);
		t->bytes = t->wire_bytes = at(v, l->bytes[i], 0);
		t->errs = at(v, l->errs[i], SAMPLE_UNKNOWN);
	}
	s->colls = at(v, l->colls, SAMPLE_UNKNOWN);
	s->if_in_packets = at(v, l->packets[0], SAMPLE_UNKNOWN);
	s->if_out_packets = at(v, l->packets[1], SAMPLE_UNKNOWN);
	s->if_in_bytes = at(v, l->bytes[0], SAMPLE_UNKNOWN);
	s->if_out_bytes = at(v, l->bytes[1], SAMPLE_UNKNOWN);
	s->if_in_errs = at(v, l->errs[0], SAMPLE_UNKNOWN);
	s->if_out_errs = at(v, l->errs[1], SAMPLE_UNKNOWN);
	s->packets_only = true;
	/* Bytes alone (-b) say nothing of packets. */
	s->no_data = l->packets[0] < 0;
}

static void
note_skew(struct netstatfile *n, const struct sample *s)
{
	const struct sample_traffic *in = &s->traffic[SAMPLE_IN];
	double mean;

	if (in->packets == 0)
		return;
	mean = (double)in->bytes / (double)in->packets;
	if (mean <= n->config.mtu + LINK_HEADER)
		return;
	n->stats.skewed++;
	if (mean > n->stats.largest_mean)
		n->stats.largest_mean = mean;
}

static void
emit(struct netstatfile *n, struct sample *s)
{
	s->seq = n->emitted++;
	s->start_ns = n->config.start_ns +
	    (int64_t)s->seq * n->config.interval_ns;
	n->stats.rows++;
	note_skew(n, s);
	n->config.emit(n->config.ctx, s);
}

static bool
is_absurd(const struct sample *first, const struct sample *next)
{
	uint64_t a = first->traffic[SAMPLE_IN].packets;
	uint64_t b = next->traffic[SAMPLE_IN].packets;

	return a / NETSTATFILE_ABSURD >=
	    (b > NETSTATFILE_SMALL ? b : NETSTATFILE_SMALL);
}

/* The very first row, now that the next one has come or none will. */
static void
let_go(struct netstatfile *n, const struct sample *next)
{
	if (!n->holding)
		return;
	n->holding = false;
	if (next != NULL && is_absurd(&n->sample[1], next))
		n->stats.cumulative++;
	else
		emit(n, &n->sample[1]);
}

static void
take_row(struct netstatfile *n, const uint64_t *v)
{
	bool first = n->below_header;

	n->below_header = false;
	if (first && n->layout.cumulative) {
		n->stats.cumulative++;
		return;
	}
	if (n->emitted == 0 && !n->holding && n->stats.cumulative == 0) {
		fill(n, &n->sample[1], v);
		n->holding = true;
		return;
	}
	fill(n, &n->sample[0], v);
	let_go(n, &n->sample[0]);
	emit(n, &n->sample[0]);
}

/* Rows without a header. */
static void
assume_freebsd(struct layout *l)
{
	static const enum column col[] = { COL_PACKETS, COL_ERRS, COL_BYTES,
	    COL_PACKETS, COL_ERRS, COL_BYTES, COL_COLLS };

	lay_out(l, col, 7, 0);
}

static void
take_numbers(struct netstatfile *n, const struct words *w)
{
	uint64_t v[WORDS_MAX];
	int i;

	for (i = 0; i < w->n; i++)
		if (!number(w->word[i], &v[i])) {
			complain(n, "is no row of netstat -w");
			return;
		}
	if (n->layout.columns == 0 && w->n == 7)
		assume_freebsd(&n->layout);
	if (n->layout.columns == 0)
		complain(n, "comes before any header");
	else if (w->n != n->layout.columns)
		complain(n, "has not as many columns as the header");
	else
		take_row(n, v);
}

/* Lines */

/* The words of a line, ended in it; n is too large when there are too many. */
static void
split(char *line, struct words *w)
{
	char *p = line;

	for (w->n = 0;; w->n++) {
		p += strspn(p, " \t\r");
		if (*p == '\0' || w->n == WORDS_MAX)
			break;
		w->word[w->n] = p;
		p += strcspn(p, " \t\r");
		if (*p != '\0')
			*p++ = '\0';
	}
	if (*p != '\0')
		w->n = WORDS_MAX + 1;
}

static void
take_line(struct netstatfile *n)
{
	struct words w;

	n->stats.lines++;
	if (n->too_long || memchr(n->line, '\0', n->len) != NULL) {
		complain(n, n->too_long ? "is too long" : "is not text");
		return;
	}
	n->line[n->len] = '\0';
	split(n->line, &w);
	if (w.n == 0)
		return;
	if (w.n > WORDS_MAX)
		complain(n, "has too many columns");
	else if (!take_columns(n, &w) && !take_title(n, &w))
		take_numbers(n, &w);
}

void
netstatfile_push(struct netstatfile *n, const char *data, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (data[i] == '\n') {
			take_line(n);
			n->len = 0;
			n->too_long = false;
		} else if (n->len < LINE_MAX_LEN)
			n->line[n->len++] = data[i];
		else
			n->too_long = true;
	}
}

void
netstatfile_finish(struct netstatfile *n)
{
	if (n->len > 0)
		take_line(n);
	n->len = 0;
	n->too_long = false;
	let_go(n, NULL);
}

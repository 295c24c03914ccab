/* SPDX-License-Identifier: ISC */
/*
 * view.c: intervals as rows of text, netstat-style.
 */
#include "view.h"

#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "packet.h"
#include "rowcell.h"

#define SOURCE_MAX	19	/* bytes of its name in the banner */

struct column {
	const char	*title;
	int		 width;
	int		 limit;		/* of figures: less than the width, but
					 * where a blank is in front anyway */
	bool		 left;
	enum rowcell	 which;
};

static const struct column own[] = {
	{ "time", 9, 8, true, ROWCELL_TIME },
	{ "packets", 8, 8, false, ROWCELL_IN_PACKETS },
	{ "errs", 5, 4, false, ROWCELL_IN_ERRS },
	{ "bytes", 10, 9, false, ROWCELL_IN_BYTES },
	{ "packets", 10, 9, false, ROWCELL_OUT_PACKETS },
	{ "errs", 5, 4, false, ROWCELL_OUT_ERRS },
	{ "bytes", 9, 8, false, ROWCELL_OUT_BYTES },
	{ "colls", 6, 5, false, ROWCELL_COLLS }
};

static const struct column netstat[] = {
	{ "packets", 10, 9, false, ROWCELL_IF_IN_PACKETS },
	{ "errs", 6, 5, false, ROWCELL_IF_IN_ERRS },
	{ "bytes", 11, 10, false, ROWCELL_IF_IN_BYTES },
	{ "packets", 11, 10, false, ROWCELL_IF_OUT_PACKETS },
	{ "errs", 6, 5, false, ROWCELL_IF_OUT_ERRS },
	{ "bytes", 11, 10, false, ROWCELL_IF_OUT_BYTES },
	{ "colls", 6, 5, false, ROWCELL_COLLS },
	{ "  time", 11, 10, true, ROWCELL_TIME }
};

static const struct column rest[] = {
	{ "calls", 8, 7, false, ROWCELL_WRITES },
	{ "MB/s", 7, 6, false, ROWCELL_WRITE_MBPS },
	{ "ms", 7, 6, false, ROWCELL_WRITE_MS },
	{ "depth", 6, 5, false, ROWCELL_DEPTH },
	{ "  where", 13, 12, true, ROWCELL_WHERE },
	{ "  verdict", 11, 10, true, ROWCELL_VERDICT }
};

#define COLUMNS(a)	(sizeof(a) / sizeof((a)[0]))

static const struct column *
first_columns(const struct view_options *o, size_t *n)
{
	*n = o->total ? COLUMNS(netstat) : COLUMNS(own);
	return o->total ? netstat : own;
}

/* A column of time is wider for intervals that are no whole seconds. */
static int
width_of(const struct column *c, const struct view_options *o)
{
	bool tenths = o->interval_ns % NSEC_PER_SEC != 0;

	return c->width + (c->which == ROWCELL_TIME && tenths ? 2 : 0);
}

/* Blanks in front of text on the left are the title's. */
static int
indent_of(const struct column *c)
{
	return c->left ? (int)strspn(c->title, " ") : 0;
}

static void
titles(struct textbuf *t, const struct view_options *o,
    const struct column *c, size_t n)
{
	for (; n > 0; n--, c++)
		textbuf_printf(t, c->left ? "%-*s" : "%*s", width_of(c, o),
		    c->title);
}

static void
cells(struct textbuf *t, const struct view_options *o,
    const struct rowcell_row *r, const struct column *c, size_t n)
{
	char buf[FIGURES_SIZE];
	int width, indent;

	for (; n > 0; n--, c++) {
		width = width_of(c, o);
		indent = indent_of(c);
		rowcell_text(buf, c->which, r, c->left ? width - indent :
		    c->limit);
		if (c->left)
			textbuf_printf(t, "%*s%-*s", indent, "",
			    width - indent, buf);
		else
			textbuf_printf(t, "%*s", width, buf);
	}
}

static void
end_line(struct textbuf *t)
{
	while (t->len > 0 && t->data[t->len - 1] == ' ')
		t->data[--t->len] = '\0';
	textbuf_char(t, '\n');
}

/* "input (nfs eth0)": a long name is cut, and says so. */
static void
banner_source(struct textbuf *t, const struct view_options *o)
{
	const char *name = o->source != NULL ? o->source : "";
	char text[48];
	size_t len = strlen(name);

	if (len > SOURCE_MAX)
		snprintf(text, sizeof(text), "%.*s..", SOURCE_MAX - 2, name);
	else
		snprintf(text, sizeof(text), "%s", name);
	if (o->total) {
		textbuf_printf(t, "%17s ", "input");
		textbuf_printf(t, "%*s(%s)", len < 12 ? 12 - (int)len : 0, "",
		    text);
		textbuf_printf(t, " %16s", "output");
	} else
		textbuf_printf(t, "%12sinput (nfs %s)", "", text);
}

void
view_banner(struct textbuf *t, const struct view_options *o)
{
	size_t n, shift;
	const struct column *c = first_columns(o, &n);

	shift = o->interval_ns % NSEC_PER_SEC != 0 ? 2 : 0;
	banner_source(t, o);
	if (!o->total) {
		textbuf_pad(t, 44 + shift);
		textbuf_str(t, "output");
	}
	textbuf_pad(t, (o->total ? 78 : 68) + shift);
	textbuf_str(t, "WRITE");
	end_line(t);
	titles(t, o, c, n);
	titles(t, o, rest, COLUMNS(rest));
	end_line(t);
}

static void
gap_row(struct textbuf *t, const struct view_options *o,
    const struct sample *s)
{
	char buf[FIGURES_SIZE];

	textbuf_clock(t, s->start_ns, o->interval_ns % NSEC_PER_SEC != 0);
	textbuf_printf(t, "  no %s for %s\n", s->no_data ? "data" : "packets",
	    figures_duration(buf, s->length_ns));
}

void
view_row(struct textbuf *t, const struct view_options *o,
    const struct sample *s, const struct judgement *v)
{
	const struct rowcell_row r = {
		.s = s, .v = v, .human = o->human,
		.tenths = o->interval_ns % NSEC_PER_SEC != 0
	};
	const struct column *c;
	size_t n;

	if (s->restarted) {
		textbuf_clock(t, s->start_ns,
		    o->interval_ns % NSEC_PER_SEC != 0);
		textbuf_str(t, "  time went back: starts anew\n");
	}
	if (s->gap) {
		gap_row(t, o, s);
		return;
	}
	c = first_columns(o, &n);
	cells(t, o, &r, c, n);
	cells(t, o, &r, rest, COLUMNS(rest));
	end_line(t);
}

enum view_attr
view_row_attr(const struct sample *s, const struct judgement *v)
{
	if (s->partial || s->gap || s->no_data)
		return VIEW_DIM;
	if (v != NULL && v->has_verdict) {
		if (verdict_is_bad(v->verdict))
			return VIEW_BAD;
		if (v->verdict == VERDICT_IDLE)
			return VIEW_DIM;
	}
	return VIEW_PLAIN;
}

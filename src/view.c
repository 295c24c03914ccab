/* SPDX-License-Identifier: ISC */
/*
 * view.c: intervals as rows of text, netstat-style.
 */
#include "view.h"

#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "packet.h"

#define TRUSTED		0.9	/* less is marked */
#define SOURCE_MAX	19	/* bytes of its name in the banner */

/* What a cell is made of. */
struct row {
	const struct view_options *options;
	const struct sample *s;
	const struct judgement *v;
};

struct column {
	const char	*title;
	int		 width;
	int		 limit;		/* of figures: less than the width, but
					 * where a blank is in front anyway */
	bool		 left;
	void		(*print)(char buf[FIGURES_SIZE], const struct row *,
			    int width);
};

static void
print_count(char buf[FIGURES_SIZE], const struct row *r, uint64_t v, int width)
{
	figures_count(buf, r->s->no_data ? SAMPLE_UNKNOWN : v, width);
}

static void
print_bytes(char buf[FIGURES_SIZE], const struct row *r, uint64_t v, int width)
{
	if (r->options->human && !r->s->no_data)
		figures_human(buf, v);
	else
		print_count(buf, r, v, width);
}

static void
in_packets(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	print_count(buf, r, r->s->traffic[SAMPLE_IN].wire_packets, width);
}

static void
in_errs(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	print_count(buf, r, r->s->traffic[SAMPLE_IN].errs, width);
}

static void
in_bytes(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	print_bytes(buf, r, r->s->traffic[SAMPLE_IN].wire_bytes, width);
}

static void
out_packets(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	print_count(buf, r, r->s->traffic[SAMPLE_OUT].wire_packets, width);
}

static void
out_errs(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	print_count(buf, r, r->s->traffic[SAMPLE_OUT].errs, width);
}

static void
out_bytes(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	print_bytes(buf, r, r->s->traffic[SAMPLE_OUT].wire_bytes, width);
}

static void
if_in_packets(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	figures_count(buf, r->s->if_in_packets, width);
}

static void
if_in_errs(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	figures_count(buf, r->s->if_in_errs, width);
}

static void
if_bytes(char buf[FIGURES_SIZE], const struct row *r, uint64_t v, int width)
{
	if (r->options->human)
		figures_human(buf, v);
	else
		figures_count(buf, v, width);
}

static void
if_in_bytes(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	if_bytes(buf, r, r->s->if_in_bytes, width);
}

static void
if_out_packets(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	figures_count(buf, r->s->if_out_packets, width);
}

static void
if_out_errs(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	figures_count(buf, r->s->if_out_errs, width);
}

static void
if_out_bytes(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	if_bytes(buf, r, r->s->if_out_bytes, width);
}

static void
colls(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	figures_count(buf, r->s->colls, width);
}

static void
write_calls(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	print_count(buf, r, r->s->data[SAMPLE_WRITE].calls, width);
}

static void
print_real(char buf[FIGURES_SIZE], bool known, double v, int decimals,
    int width)
{
	if (known)
		figures_real(buf, v, decimals, width);
	else
		strcpy(buf, "-");
}

static void
write_rate(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	const struct sample_data *d = &r->s->data[SAMPLE_WRITE];
	bool hidden = d->hidden > 0 && d->hidden >= d->calls;

	print_real(buf, !r->s->no_data && !hidden,
	    (double)d->bytes / 1e6 / sample_seconds(r->s), 2, width);
}

static void
write_ms(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	const struct sample_part *p = &r->s->data[SAMPLE_WRITE].latency;

	print_real(buf, p->timed > 0,
	    (double)p->sum_us / 1e3 / (double)(p->timed ? p->timed : 1), 2,
	    width);
}

static void
depth(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	int64_t ns = r->s->watched_ns;

	print_real(buf, !r->s->no_data && ns > 0,
	    (double)r->s->depth_ns / (double)(ns > 0 ? ns : 1), 1, width);
}

/* The state that took most of the time. */
static void
where(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	const uint64_t *ns = r->s->state_ns;
	double sum = 0;
	int i, most = 0;

	(void)width;
	for (i = 0; i < SAMPLE_STATES; i++) {
		sum += (double)ns[i];
		if (ns[i] > ns[most])
			most = i;
	}
	if (!r->s->has_split || sum <= 0)
		strcpy(buf, "-");
	else
		snprintf(buf, FIGURES_SIZE, "%s %.0f%%",
		    sample_state_name((enum sample_state)most),
		    100 * (double)ns[most] / sum);
}

static void
verdict(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	const char *text = "-";

	(void)width;
	if (r->s->no_data)
		text = "no data";
	else if (r->v != NULL && r->v->has_verdict)
		text = verdict_short(r->v->verdict);
	snprintf(buf, FIGURES_SIZE, "%s%s",
	    sample_trust(r->s) < TRUSTED && !r->s->no_data ? "~" : "", text);
}

/* The time and its mark. */
static void
clock_time(char buf[FIGURES_SIZE], const struct row *r, int width)
{
	struct textbuf t = { 0 };

	textbuf_clock(&t, r->s->start_ns, width > 9);
	textbuf_char(&t, r->s->partial ? '*' : ' ');
	snprintf(buf, FIGURES_SIZE, "%s", t.failed ? "" : t.data);
	textbuf_free(&t);
}

static const struct column own[] = {
	{ "time", 9, 8, true, clock_time },
	{ "packets", 8, 8, false, in_packets },
	{ "errs", 5, 4, false, in_errs },
	{ "bytes", 10, 9, false, in_bytes },
	{ "packets", 10, 9, false, out_packets },
	{ "errs", 5, 4, false, out_errs },
	{ "bytes", 9, 8, false, out_bytes },
	{ "colls", 6, 5, false, colls }
};

static const struct column netstat[] = {
	{ "packets", 10, 9, false, if_in_packets },
	{ "errs", 6, 5, false, if_in_errs },
	{ "bytes", 11, 10, false, if_in_bytes },
	{ "packets", 11, 10, false, if_out_packets },
	{ "errs", 6, 5, false, if_out_errs },
	{ "bytes", 11, 10, false, if_out_bytes },
	{ "colls", 6, 5, false, colls },
	{ "  time", 11, 10, true, clock_time }
};

static const struct column rest[] = {
	{ "calls", 8, 7, false, write_calls },
	{ "MB/s", 7, 6, false, write_rate },
	{ "ms", 7, 6, false, write_ms },
	{ "depth", 6, 5, false, depth },
	{ "  where", 13, 12, true, where },
	{ "  verdict", 11, 10, true, verdict }
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

	return c->width + (c->print == clock_time && tenths ? 2 : 0);
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
cells(struct textbuf *t, const struct row *r, const struct column *c,
    size_t n)
{
	char buf[FIGURES_SIZE];
	int width, indent;

	for (; n > 0; n--, c++) {
		width = width_of(c, r->options);
		indent = indent_of(c);
		c->print(buf, r, c->left ? width - indent : c->limit);
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
	textbuf_printf(t, "  no packets for %s\n",
	    figures_duration(buf, s->length_ns));
}

void
view_row(struct textbuf *t, const struct view_options *o,
    const struct sample *s, const struct judgement *v)
{
	const struct row r = { .options = o, .s = s, .v = v };
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
	cells(t, &r, c, n);
	cells(t, &r, rest, COLUMNS(rest));
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

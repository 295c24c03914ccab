/* SPDX-License-Identifier: ISC */
/*
 * metricspage.c: the metrics for a reader: a page of HTML.
 */
#include "metricsstate.h"

#include <stdarg.h>
#include <stdio.h>

#define MEGA		1e6

static void
escaped(struct textbuf *t, const char *s)
{
	for (; *s != '\0'; s++)
		switch (*s) {
		case '<':
			textbuf_str(t, "&lt;");
			break;
		case '>':
			textbuf_str(t, "&gt;");
			break;
		case '&':
			textbuf_str(t, "&amp;");
			break;
		case '"':
			textbuf_str(t, "&quot;");
			break;
		default:
			textbuf_char(t, *s >= ' ' && *s <= '~' ? *s : '_');
		}
}

static void
row(struct textbuf *t, const char *name, const char *value)
{
	textbuf_printf(t, "<tr><th>%s</th><td>", name);
	escaped(t, value);
	textbuf_str(t, "</td></tr>\n");
}

static void	row_printf(struct textbuf *, const char *name,
		    const char *fmt, ...)
		    __attribute__((format(printf, 3, 4)));

static void
row_printf(struct textbuf *t, const char *name, const char *fmt, ...)
{
	char value[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof(value), fmt, ap);
	va_end(ap);
	row(t, name, value);
}

static void
latency_row(struct textbuf *t, const char *name, const struct sample_data *d,
    double seconds)
{
	if (d->calls == 0 && d->replies == 0)
		return;
	row_printf(t, name, "%.0f calls/s, %.2f MB/s, mean %.2f ms, longest "
	    "%.2f ms", (double)d->calls / seconds,
	    (double)d->bytes / MEGA / seconds, d->latency.timed > 0 ?
	    (double)d->latency.sum_us / 1e3 / (double)d->latency.timed : 0,
	    d->latency.max_us / 1e3);
}

static void
where_rows(const struct metrics *m, struct textbuf *t)
{
	struct textbuf where = { 0 };
	int i;

	for (i = 0; i < SAMPLE_STATES && m->has_split; i++)
		if (m->share[i] >= 0.005)
			textbuf_printf(&where, "%s%s %.0f %%",
			    where.len > 0 ? ", " : "",
			    sample_state_name((enum sample_state)i),
			    100 * m->share[i]);
	if (where.data != NULL)
		row(t, "where the time went", where.data);
	textbuf_free(&where);
}

static void
verdict_rows(const struct metrics *m, struct textbuf *t)
{
	const struct judgement *v = &m->judged;

	if (v->expect != EXPECT_NONE)
		row_printf(t, "expected", "%.6g %s, there was %.0f %%",
		    v->expect_value, expect_kind_name(v->expect),
		    100 * v->ratio);
	if (v->has_verdict)
		row_printf(t, "verdict", "%s%s%s", verdict_name(v->verdict),
		    v->has_cause ? ", cause: " : "",
		    v->has_cause ? sample_state_name(v->cause) : "");
}

static void
last_interval(const struct metrics *m, struct textbuf *t)
{
	struct textbuf when = { 0 };

	textbuf_str(t, "<h2>The last interval</h2>\n<table>\n");
	textbuf_iso_time(&when, m->end_ns);
	row(t, "ended", when.data != NULL ? when.data : "");
	textbuf_free(&when);
	if (m->no_data)
		row(t, "capture", "is down");
	row_printf(t, "input", "%.0f packets/s, %.2f MB/s",
	    (double)m->in.wire_packets / m->seconds,
	    (double)m->in.wire_bytes / MEGA / m->seconds);
	latency_row(t, "WRITE", &m->write, m->seconds);
	latency_row(t, "READ", &m->read, m->seconds);
	row_printf(t, "calls outstanding", "%.1f", m->depth);
	where_rows(m, t);
	verdict_rows(m, t);
	row_printf(t, "trust", "%.0f %%", 100 * m->trust);
	textbuf_str(t, "</table>\n");
}

static void
since_start(const struct metrics *m, struct textbuf *t)
{
	const struct totals *all = m->config.totals;
	uint64_t n = 0;
	int i;

	for (i = 0; i < VERDICTS; i++)
		n += m->episodes[i];
	textbuf_str(t, "<h2>Since the start</h2>\n<table>\n");
	row_printf(t, "intervals", "%llu", (unsigned long long)all->records);
	row_printf(t, "input packets", "%llu",
	    (unsigned long long)all->traffic[SAMPLE_IN].packets);
	row_printf(t, "RPC calls, replies", "%llu, %llu",
	    (unsigned long long)all->rpc_calls,
	    (unsigned long long)all->rpc_replies);
	row_printf(t, "bytes written, read", "%llu, %llu",
	    (unsigned long long)all->data[SAMPLE_WRITE].bytes,
	    (unsigned long long)all->data[SAMPLE_READ].bytes);
	row_printf(t, "retransmitted calls, TCP segments", "%llu, %llu",
	    (unsigned long long)all->rpc_retransmits,
	    (unsigned long long)all->counter[SAMPLE_TCP_RETRANSMITS]);
	row_printf(t, "episodes", "%llu%s", (unsigned long long)n,
	    m->open ? ", one goes on" : "");
	textbuf_str(t, "</table>\n");
}

void
metrics_page(const struct metrics *m, struct textbuf *t)
{
	textbuf_str(t, "<!DOCTYPE html>\n<html lang=\"en\"><head>"
	    "<meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
	    "content=\"5\"><title>nfsrated</title><style>"
	    "body{font-family:sans-serif}th{text-align:left;font-weight:"
	    "normal;padding-right:2em}</style></head>\n<body><h1>nfsrated: ");
	escaped(t, m->config.source);
	textbuf_str(t, "</h1>\n");
	if (m->ended)
		textbuf_str(t, "<p>The source is at its end.</p>\n");
	if (m->any)
		last_interval(m, t);
	else
		textbuf_str(t, "<p>There was no interval yet.</p>\n");
	since_start(m, t);
	textbuf_printf(t, "<p><a href=\"metrics\">metrics</a>, version ");
	escaped(t, m->config.version);
	textbuf_str(t, "</p></body></html>\n");
}

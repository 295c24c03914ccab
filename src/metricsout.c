/* SPDX-License-Identifier: ISC */
/*
 * metricsout.c: families of metrics as text.
 */
#include "metricsout.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LABELS_MAX	768	/* bytes of all labels of a line */

const char *
metricsout_content_type(enum metricsout_format format)
{
	return format == METRICSOUT_OPENMETRICS ?
	    "application/openmetrics-text; version=1.0.0; charset=utf-8" :
	    "text/plain; version=0.0.4; charset=utf-8";
}

/* Does one range of an Accept header have this type, and not q=0? */
static bool
accepts(const char *range, size_t len, const char *type)
{
	size_t name = strcspn(range, ",; \t");
	const char *q;

	if (name != strlen(type) || strncasecmp(range, type, name) != 0)
		return false;
	for (q = range + name; q + 2 < range + len; q++)
		if ((*q == ';' || *q == ' ') && q[1] == 'q' && q[2] == '=')
			return strtod(q + 3, NULL) > 0;
	return true;
}

/* Who can read OpenMetrics gets it. */
enum metricsout_format
metricsout_choose(const char *accept)
{
	size_t len;

	for (; accept != NULL && *accept != '\0'; accept += len) {
		accept += strspn(accept, ", \t");
		len = strcspn(accept, ",");
		if (accepts(accept, len, "application/openmetrics-text"))
			return METRICSOUT_OPENMETRICS;
	}
	return METRICSOUT_CLASSIC;
}

/* In the classic format a name has its suffix everywhere. */
static const char *
suffix(const struct metricsout *o)
{
	if (o->type == METRICSOUT_COUNTER)
		return "_total";
	return o->type == METRICSOUT_INFO ? "_info" : "";
}

static const char *
type_name(const struct metricsout *o)
{
	static const char *const names[] = {
		[METRICSOUT_COUNTER] = "counter",
		[METRICSOUT_GAUGE] = "gauge",
		[METRICSOUT_HISTOGRAM] = "histogram",
		[METRICSOUT_INFO] = "info"
	};

	if (o->type == METRICSOUT_INFO && o->format == METRICSOUT_CLASSIC)
		return "gauge";
	return names[o->type];
}

void
metricsout_family(struct metricsout *o, enum metricsout_type type,
    const char *name, const char *unit, const char *help)
{
	const char *end;

	o->type = type;
	o->name = name;
	end = o->format == METRICSOUT_CLASSIC ? suffix(o) : "";
	textbuf_printf(o->text, "# HELP %s%s %s\n", name, end, help);
	textbuf_printf(o->text, "# TYPE %s%s %s\n", name, end, type_name(o));
	if (unit != NULL && o->format == METRICSOUT_OPENMETRICS)
		textbuf_printf(o->text, "# UNIT %s %s\n", name, unit);
}

struct labels {
	char	text[LABELS_MAX];
	size_t	len;
};

static void
put(struct labels *l, char c)
{
	if (l->len < sizeof(l->text))
		l->text[l->len++] = c;
}

static void
put_value(struct labels *l, const char *value)
{
	for (; *value != '\0' && l->len < sizeof(l->text) - 4; value++) {
		if (*value == '"' || *value == '\\')
			put(l, '\\');
		put(l, *value >= ' ' && *value <= '~' ? *value : '_');
	}
}

static void
take_labels(struct labels *l, va_list ap)
{
	const char *key, *value;

	l->len = 0;
	while ((key = va_arg(ap, const char *)) != NULL) {
		value = va_arg(ap, const char *);
		if (value == NULL || l->len + strlen(key) >
		    sizeof(l->text) - 8)
			continue;
		if (l->len > 0)
			put(l, ',');
		while (*key != '\0')
			put(l, *key++);
		put(l, '=');
		put(l, '"');
		put_value(l, value);
		put(l, '"');
	}
}

static void
name_and_labels(struct metricsout *o, const char *end, const struct labels *l)
{
	textbuf_str(o->text, o->name);
	textbuf_str(o->text, end);
	if (l->len > 0) {
		textbuf_char(o->text, '{');
		textbuf_add(o->text, l->text, l->len);
		textbuf_char(o->text, '}');
	}
	textbuf_char(o->text, ' ');
}

void
metricsout_uint(struct metricsout *o, uint64_t value, ...)
{
	struct labels l;
	va_list ap;

	va_start(ap, value);
	take_labels(&l, ap);
	va_end(ap);
	name_and_labels(o, suffix(o), &l);
	textbuf_printf(o->text, "%llu\n", (unsigned long long)value);
}

void
metricsout_real(struct metricsout *o, double value, ...)
{
	struct labels l;
	va_list ap;

	va_start(ap, value);
	take_labels(&l, ap);
	va_end(ap);
	name_and_labels(o, suffix(o), &l);
	textbuf_printf(o->text, "%.15g\n", value);
}

static void
bucket(struct metricsout *o, const struct labels *l, const char *bound,
    uint64_t below)
{
	textbuf_printf(o->text, "%s_bucket{%.*s%sle=\"%s\"} %llu\n", o->name,
	    (int)l->len, l->text, l->len > 0 ? "," : "", bound,
	    (unsigned long long)below);
}

void
metricsout_histogram(struct metricsout *o, const struct metricsout_bins *b,
    ...)
{
	uint64_t below = 0;
	struct labels l;
	char bound[32];
	unsigned int i;
	va_list ap;

	va_start(ap, b);
	take_labels(&l, ap);
	va_end(ap);
	for (i = 0; i < b->bins; i++) {
		below += b->bin[i];
		snprintf(bound, sizeof(bound), "%.9g", b->bound[i]);
		/* OpenMetrics wants a float: 1.0, not 1. */
		if (strpbrk(bound, ".e") == NULL)
			strcat(bound, ".0");
		bucket(o, &l, bound, below);
	}
	below = b->count > below ? b->count : below;
	bucket(o, &l, "+Inf", below);
	name_and_labels(o, "_sum", &l);
	textbuf_printf(o->text, "%.15g\n", b->sum);
	name_and_labels(o, "_count", &l);
	textbuf_printf(o->text, "%llu\n", (unsigned long long)below);
}

void
metricsout_end(struct metricsout *o)
{
	if (o->format == METRICSOUT_OPENMETRICS)
		textbuf_str(o->text, "# EOF\n");
}

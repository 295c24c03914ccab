/* SPDX-License-Identifier: ISC */
/*
 * diagnose.c: facts to plain sentences.
 */
#include "diagnose.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diagnoserules.h"

#define FIGURE_SIZE	64

/* What a name of evidence stands for. */
enum form {
	FORM_COUNT,		/* "12" */
	FORM_TIMES,		/* "once", "12 times" */
	FORM_PERCENT,		/* "97 %" */
	FORM_TIME,		/* microseconds: "0.4 ms" */
	FORM_SECONDS,		/* "3.5 s" */
	FORM_RATE,		/* bytes a second: "11.8 MB/s" */
	FORM_REAL,		/* "1.8" */
	FORM_TEXT
};

struct evidence {
	const char	*name;
	enum form	 form;
	double		 (*value)(const struct facts *);
	const char	*(*text)(const struct facts *, char *buf, size_t size);
};

static const char *
top_client(const struct facts *f, char *buf, size_t size)
{
	return addr_print(&f->top_client, buf, size);
}

static const char *
stall_cause(const struct facts *f, char *buf, size_t size)
{
	(void)buf;
	(void)size;
	return f->has_stall_cause ? sample_state_name(f->stall_cause) :
	    "not known";
}

static const char *
data_op(const struct facts *f, char *buf, size_t size)
{
	(void)buf;
	(void)size;
	return f->write.calls >= f->read.calls ? "WRITE" : "READ";
}

static const char *
unit(const struct facts *f, char *buf, size_t size)
{
	(void)buf;
	(void)size;
	switch (f->unit) {
	case EXPECT_WPS:
		return "WRITEs/s";
	case EXPECT_MBPS:
		return "MB/s";
	case EXPECT_PPS:
	case EXPECT_NONE:
		break;
	}
	return "packets/s";
}

#define VALUE(name, expression)			\
static double					\
value_##name(const struct facts *f)		\
{						\
	return (double)(expression);		\
}
#define EVIDENCE(name, form, expression) VALUE(name, expression)
#define WORDS(name, function)
#include "diagnose_evidence.inc"
#undef EVIDENCE
#undef WORDS

static const struct evidence evidences[] = {
#define EVIDENCE(name, form, expression) \
	{ #name, FORM_##form, value_##name, NULL },
#define WORDS(name, function) \
	{ #name, FORM_TEXT, NULL, function },
#include "diagnose_evidence.inc"
#undef EVIDENCE
#undef WORDS
};

/* Three digits, or all before the point. */
static void
real(char *buf, size_t size, double v, const char *unit_name)
{
	int decimals = v >= 99.95 || v == 0 ? 0 : v >= 9.995 ? 1 : 2;

	if (v == floor(v) && v < 1e6)
		decimals = 0;
	snprintf(buf, size, "%.*f%s%s", decimals, v,
	    unit_name[0] != '\0' ? " " : "", unit_name);
}

static void
scaled(char *buf, size_t size, double v, double step, const char *const *units)
{
	while (v >= 0.9995 * step && units[1] != NULL) {
		v /= step;
		units++;
	}
	real(buf, size, v, units[0]);
}

static void
percent(char *buf, size_t size, double share)
{
	double p = share * 100;

	if (p > 0 && p < 0.95)
		snprintf(buf, size, "%.1f %%", p < 0.1 ? 0.1 : p);
	else if (p > 99 && p < 100)
		snprintf(buf, size, "%.1f %%", p > 99.9 ? 99.9 : p);
	else
		snprintf(buf, size, "%.0f %%", p);
}

static const char *
print(const struct evidence *e, const struct facts *f, char buf[FIGURE_SIZE])
{
	static const char *const times[] = { "us", "ms", "s", NULL };
	static const char *const rates[] = { "bytes/s", "kB/s", "MB/s", "GB/s",
	    NULL };
	double v = e->value != NULL ? e->value(f) : 0;

	switch (e->form) {
	case FORM_TEXT:
		return e->text(f, buf, FIGURE_SIZE);
	case FORM_COUNT:
		snprintf(buf, FIGURE_SIZE, "%.0f", v);
		break;
	case FORM_TIMES:
		snprintf(buf, FIGURE_SIZE, v == 1 ? "once" : "%.0f times", v);
		break;
	case FORM_PERCENT:
		percent(buf, FIGURE_SIZE, v);
		break;
	case FORM_TIME:
		scaled(buf, FIGURE_SIZE, v, 1000, times);
		break;
	case FORM_SECONDS:
		real(buf, FIGURE_SIZE, v, "s");
		break;
	case FORM_RATE:
		scaled(buf, FIGURE_SIZE, v, 1000, rates);
		break;
	case FORM_REAL:
		real(buf, FIGURE_SIZE, v, "");
		break;
	}
	return buf;
}

static const struct evidence *
find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(evidences) / sizeof(evidences[0]); i++)
		if (strlen(evidences[i].name) == len &&
		    memcmp(evidences[i].name, name, len) == 0)
			return &evidences[i];
	return NULL;
}

static void
append(char text[DIAGNOSE_TEXT], const char *s, size_t len)
{
	size_t used = strlen(text);

	if (len > DIAGNOSE_TEXT - 1 - used)
		len = DIAGNOSE_TEXT - 1 - used;
	memcpy(text + used, s, len);
	text[used + len] = '\0';
}

/* The sentence with its figures; a name that is not known stays as it is. */
static void
say(const char *sentence, const struct facts *f, char text[DIAGNOSE_TEXT])
{
	const struct evidence *e;
	char buf[FIGURE_SIZE];
	const char *figure;
	size_t n;

	text[0] = '\0';
	while (*sentence != '\0') {
		n = strcspn(sentence, "{");
		append(text, sentence, n);
		sentence += n;
		if (*sentence == '\0')
			break;
		n = strcspn(sentence, "}");
		if ((e = find(sentence + 1, n - 1)) != NULL) {
			figure = print(e, f, buf);
			append(text, figure, strlen(figure));
		} else
			append(text, sentence, n + 1);
		sentence += n + (sentence[n] != '\0');
	}
}

const char *
diagnose_name(uint32_t rule)
{
	return diagnose_rule(rule)->name;
}

uint32_t
diagnose(const struct facts *f, struct diagnosis *out, uint32_t max)
{
	const struct diagnose_rule *r;
	double weight;
	uint32_t i, k, n = 0;

	for (i = 0; (r = diagnose_rule(i))->name != NULL; i++) {
		if ((weight = r->weight(f)) <= 0)
			continue;
		for (k = n; k > 0 && out[k - 1].weight < weight; k--)
			if (k < max)
				out[k] = out[k - 1];
		if (k == max)
			continue;
		out[k].name = r->name;
		out[k].weight = weight;
		say(r->sentence, f, out[k].text);
		if (n < max)
			n++;
	}
	return n;
}

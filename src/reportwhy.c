/* SPDX-License-Identifier: ISC */
/*
 * reportwhy.c: how it was, and why, as a part of the report.
 */
#include "reportwhy.h"

#include <string.h>

#include "figures.h"

#define BAR	40		/* columns of a whole bar */

static const char *
unit_of(enum expect_kind kind)
{
	switch (kind) {
	case EXPECT_WPS:
		return "WRITEs/s";
	case EXPECT_MBPS:
		return "MB/s written";
	case EXPECT_NONE:
	case EXPECT_PPS:
		break;
	}
	return "packets/s in";
}

static int
decimals_of(enum expect_kind kind)
{
	return kind == EXPECT_MBPS ? 2 : 0;
}

static void
verdict(struct textbuf *t, const struct rules_overall *o, size_t episodes)
{
	int d = decimals_of(o->expect);

	textbuf_printf(t, "verdict     %s", verdict_name(o->verdict));
	if (!verdict_is_bad(o->verdict) && episodes > 0)
		textbuf_printf(t, ", but for %zu episode%s", episodes,
		    episodes > 1 ? "s" : "");
	if (o->verdict == VERDICT_IDLE || o->verdict == VERDICT_UNKNOWN) {
		textbuf_char(t, '\n');
		return;
	}
	textbuf_printf(t, ": %.*f to %.*f, mean %.*f %s", d, o->min, d, o->max,
	    d, o->mean, unit_of(o->expect));
	if (o->expect != EXPECT_NONE && o->expected > 0)
		textbuf_printf(t, ", %.0f%% of the %.*f expected",
		    100 * o->mean / o->expected, d, o->expected);
	textbuf_char(t, '\n');
}

static void
skew(struct textbuf *t, const struct facts *f)
{
	if (f->skewed > 0)
		textbuf_printf(t, "skew        in %llu rows the mean packet is "
		    "longer than the link allows (up to %.0f bytes): packets "
		    "and bytes\n            were counted at different times\n",
		    (unsigned long long)f->skewed, f->skew_mean);
}

/* What is less than half a percent in all is left out. */
static void
split(struct textbuf *t, const struct facts *f)
{
	int i, j, width;

	if (!f->has_split)
		return;
	textbuf_str(t, "\nwhere the time went\n");
	for (i = 0; i < SAMPLE_STATES; i++) {
		if (f->share[i] < 0.005)
			continue;
		textbuf_printf(t, "%-10s%5.1f%%",
		    sample_state_name((enum sample_state)i),
		    100 * f->share[i]);
		width = (int)(BAR * f->share[i] + 0.5);
		textbuf_str(t, width > 0 ? " " : "");
		for (j = 0; j < width; j++)
			textbuf_char(t, '#');
		textbuf_char(t, '\n');
	}
}

static void
episode(struct textbuf *t, const struct episode *e)
{
	char buf[FIGURES_SIZE];
	int d = decimals_of(e->expect);

	textbuf_day_time(t, e->start_ns);
	textbuf_printf(t, "  %s for %s%s: %.*f to %.*f %s",
	    verdict_name(e->kind),
	    figures_duration(buf, e->end_ns - e->start_ns),
	    e->ended ? "" : " so far", d, e->min, d, e->max,
	    unit_of(e->expect));
	if (e->has_cause)
		textbuf_printf(t, ", cause %s", sample_state_name(e->cause));
	if (e->has_client) {
		char name[ADDR_STRLEN];

		textbuf_printf(t, ", client %s",
		    addr_print(&e->client, name, sizeof(name)));
	}
	textbuf_char(t, '\n');
}

static void
episodes(struct textbuf *t, const struct episode *e, size_t n)
{
	size_t i = n > REPORTWHY_EPISODES ? n - REPORTWHY_EPISODES : 0;

	if (n == 0)
		return;
	textbuf_printf(t, "\nepisodes    %llu", (unsigned long long)n);
	textbuf_printf(t, "%s\n", i > 0 ? ", the latest:" : "");
	for (; i < n; i++)
		episode(t, &e[i]);
}

static void
diagnosis(struct textbuf *t, const struct facts *f)
{
	struct diagnosis said[DIAGNOSE_MAX];
	uint32_t i, n = diagnose(f, said, DIAGNOSE_MAX);

	textbuf_str(t, "\ndiagnosis\n");
	for (i = 0; i < n; i++)
		textbuf_printf(t, "  %s\n", said[i].text);
	if (n == 0)
		textbuf_printf(t, "  %s\n", DIAGNOSE_NOTHING);
}

void
reportwhy_text(struct textbuf *t, const struct rules_overall *o,
    const struct facts *f, const struct episode *e, size_t n)
{
	verdict(t, o, n);
	skew(t, f);
	split(t, f);
	episodes(t, e, n);
	diagnosis(t, f);
}

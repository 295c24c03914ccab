/* SPDX-License-Identifier: ISC */
/*
 * test_faults_rates.c: faults that others met in rates and alarms, each as
 * what must come of it here.  The numbers are the rows of tests/faults.md.
 */
#include "rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "feedkit.h"
#include "history.h"
#include "loadkit.h"
#include "sampler.h"
#include "totals.h"

/* Row 41: counts were divided by the interval asked for. */

struct rates {
	struct totals	*totals;
	struct history	*history;
	uint64_t	whole, partial;
};

static void
on_sample(void *ctx, struct sample *s)
{
	struct rates *r = ctx;

	totals_add(r->totals, s);
	history_push(r->history, s, NULL);
	if (s->partial)
		r->partial++;
	else
		r->whole++;
}

static bool
within(double got, double want)
{
	return got >= want * 0.98 && got <= want * 1.02;
}

/* 1440 WRITEs a second of 8 KiB, from a fraction of a second on, for 20 s. */
static void
measure(struct rates *r, int64_t interval_ns, int64_t from_ns)
{
	const struct sampler_config config = { .interval_ns = interval_ns,
	    .emit = on_sample, .ctx = r };
	struct sampler *s = sampler_new(&config);
	struct feedkit k = { .l = sampler_listener(), .ctx = s };
	const struct history_config usual = { 0 };
	int64_t t;
	uint32_t i;

	memset(r, 0, sizeof(*r));
	r->totals = totals_new();
	r->history = history_new(&usual);
	assert_true(s != NULL && r->totals != NULL && r->history != NULL);
	for (i = 0; i < 1440 * 20; i++) {
		t = from_ns + (int64_t)i * SEC / 1440;
		sampler_time(s, t);
		feedkit_packet(&k, t, SAMPLE_IN, 1418);
		feedkit_write(&k, t, i, 8192, MS);
	}
	sampler_finish(s, from_ns + 20 * SEC);
	sampler_free(s);
}

static void
rates_agree_whatever_the_interval(void **state)
{
	static const int64_t interval[] = { SEC / 2, SEC, 2 * SEC,
	    5 * SEC, 7 * SEC };
	const struct history_brief *b;
	struct rates r;
	uint64_t n;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(interval) / sizeof(interval[0]); i++) {
		const struct totals_rate *rate;

		measure(&r, interval[i], 1001 * SEC + 600 * MS);
		assert_true(r.whole > 0 && r.partial > 0);
		rate = r.totals->rate;
		assert_true(within(rate[TOTALS_RATE_WRITE].min, 1440));
		assert_true(within(rate[TOTALS_RATE_WRITE].max, 1440));
		assert_true(within(rate[TOTALS_RATE_IN].min, 1440));
		assert_true(within(rate[TOTALS_RATE_BYTES].max, 1440 * 8192));
		/* The partial ones at the edges by the time watched. */
		for (n = history_first(r.history); n < history_end(r.history);
		    n++) {
			b = history_brief(r.history, n);
			assert_true(within((double)b->pps, 1440));
			assert_true(within((double)b->wps, 1440));
			assert_true(within((double)b->mbps, 11.796480));
		}
		totals_free(r.totals);
		history_free(r.history);
	}
}

/*
 * Row 44: alarms from the part of a second at the start, and without end from
 * a load that comes in bursts.  (See test_rules for rates that hover.)
 */

struct scene {
	struct expect	*expect;
	struct rules	*rules;
	unsigned int	 told;
	int		 n;
};

static void
on_episode(void *ctx, const struct episode *e)
{
	struct scene *c = ctx;

	(void)e;
	c->told++;
}

static void
begin(struct scene *c)
{
	const struct expect_config ec = { .given = { { EXPECT_WPS, 100 } },
	    .givens = 1 };
	struct rules_config rc = { .tolerance = 0.1, .episode = on_episode,
	    .ctx = c };

	memset(c, 0, sizeof(*c));
	c->expect = rc.expect = expect_new(&ec);
	c->rules = rules_new(&rc);
	assert_true(c->expect != NULL && c->rules != NULL);
}

/* So many seconds with a load, and then so many without. */
static void
rhythm(struct scene *c, int on, int off)
{
	static struct sample s;
	struct judgement v;
	int i;

	for (i = 0; i < on + off; i++, c->n++) {
		if (i < on)
			loadkit_writes(&s, c->n, 120, 20);
		else
			loadkit_idle(&s, c->n);
		rules_interval(c->rules, &s, &v);
	}
}

/* Linux writes dirty pages back every 5 s, and those older than 30 s. */
static void
the_rhythm_of_writeback_raises_no_alarm(void **state)
{
	static const int rhythms[][2] = { { 1, 4 }, { 2, 3 }, { 4, 26 },
	    { 10, 20 } };
	struct scene c;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < sizeof(rhythms) / sizeof(rhythms[0]); i++) {
		begin(&c);
		for (n = 0; n < 100; n++)
			rhythm(&c, rhythms[i][0], rhythms[i][1]);
		assert_int_equal(c.told, 0);
		rules_free(c.rules);
		expect_free(c.expect);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_agree_whatever_the_interval),
		cmocka_unit_test(the_rhythm_of_writeback_raises_no_alarm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_plugin.c: what a monitoring system is told.
 */
#include "plugin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rules_overall overall;
static struct totals *totals;
static struct textbuf text;

static struct plugin_range
range(const char *t)
{
	struct plugin_range r = { 0 };
	char err[OPTVALUE_ERROR_MAX];

	if (t != NULL)
		assert_int_equal(optvalue_range(t, &r, err), 0);
	return r;
}

static int
result(const char *warning, const char *critical)
{
	const struct plugin_facts f = { .overall = &overall,
	    .totals = totals, .warning = range(warning),
	    .critical = range(critical) };

	textbuf_clear(&text);
	return (int)plugin_result(&text, &f);
}

/* 60 intervals with demand, of 8637 packets a second, and all is well. */
static int
well(void **state)
{
	(void)state;
	memset(&overall, 0, sizeof(overall));
	overall.verdict = VERDICT_OK;
	overall.count[VERDICT_OK] = 60;
	overall.expect = EXPECT_PPS;
	overall.expected = 8637;
	overall.min = 8600;
	overall.mean = 8630;
	overall.max = 8637;
	overall.state_ns[SAMPLE_REQUEST] = 40e9;
	overall.state_ns[SAMPLE_CLIENT] = 20e9;
	totals = totals_new();
	assert_non_null(totals);
	totals->watched_ns = INT64_C(60000000000);
	totals->data[SAMPLE_WRITE].bytes = 60000000;
	totals->data[SAMPLE_WRITE].latency.timed = 10;
	totals->data[SAMPLE_WRITE].latency.sum_us = 4100;
	totals->kernel_drops = 0;
	return 0;
}

static int
end(void **state)
{
	(void)state;
	totals_free(totals);
	textbuf_free(&text);
	return 0;
}

static void
a_range_alerts_as_the_guidelines_have_it(void **state)
{
	static const struct {
		const char	*range;
		double		value;
		bool		alerts;
	} cases[] = {
		{ "10", -1, true }, { "10", 0, false }, { "10", 10, false },
		{ "10", 10.1, true },
		{ "10:", 9.9, true }, { "10:", 10, false },
		{ "10:", 1e9, false },
		{ "~:10", -1e9, false }, { "~:10", 10.1, true },
		{ "10:20", 9, true }, { "10:20", 10, false },
		{ "10:20", 20, false }, { "10:20", 21, true },
		{ "@10:20", 9, false }, { "@10:20", 10, true },
		{ "@10:20", 20, true }, { "@10:20", 21, false },
	};
	struct plugin_range r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		r = range(cases[i].range);
		assert_int_equal(plugin_alerts(&r, cases[i].value),
		    cases[i].alerts);
	}
	r = range(NULL);
	assert_false(plugin_alerts(&r, 5));
}

static void
all_well_is_one_line_with_figures(void **state)
{
	(void)state;
	assert_int_equal(result(NULL, NULL), PLUGIN_OK);
	assert_string_equal(text.data, "NFSRATED OK - ok: 8630 pps (8600 to "
	    "8637) of 8637, request 67 %, 0 of 60 intervals bad | "
	    "pps=8630;;;0 bad=0;;;0;60 stalls=0;;;0 written=1000000B;;;0 "
	    "read=0B;;;0 write_latency=410us;;;0 drops=0;;;0\n");
}

static void
ranges_decide_when_they_are_given(void **state)
{
	(void)state;
	assert_int_equal(result("8000:", "5000:"), PLUGIN_OK);
	assert_non_null(strstr(text.data, "pps=8630;8000:;5000:;0 "));
	assert_int_equal(result("9000:", "5000:"), PLUGIN_WARNING);
	assert_int_equal(result("9000:", "8700:"), PLUGIN_CRITICAL);
	assert_int_equal(result(NULL, "~:100"), PLUGIN_CRITICAL);
	assert_non_null(strstr(text.data, ";;~:100;0 "));
	assert_int_equal(result("@8000:9000", NULL), PLUGIN_WARNING);
	assert_non_null(strstr(text.data, ";@8000:9000;;0 "));
	/* the verdict has nothing to say then */
	overall.verdict = VERDICT_UNDERRUN;
	overall.episodes = 1;
	assert_int_equal(result("8000:", NULL), PLUGIN_OK);
}

static void
without_ranges_the_verdict_decides(void **state)
{
	(void)state;
	overall.verdict = VERDICT_BURSTY;
	overall.count[VERDICT_BURSTY] = 40;
	overall.count[VERDICT_OK] = 20;
	assert_int_equal(result(NULL, NULL), PLUGIN_WARNING);
	assert_ptr_equal(strstr(text.data, "NFSRATED WARNING - "
	    "bursty-underrun: 8630 pps"), text.data);
	assert_non_null(strstr(text.data, "40 of 60 intervals bad"));
	overall.verdict = VERDICT_STALL;
	assert_int_equal(result(NULL, NULL), PLUGIN_CRITICAL);
}

static void
an_episode_is_a_warning_and_a_stall_is_critical(void **state)
{
	(void)state;
	overall.episodes = 1;
	assert_int_equal(result(NULL, NULL), PLUGIN_WARNING);
	overall.stalls = 1;
	overall.longest_stall_ns = INT64_C(6000000000);
	assert_int_equal(result(NULL, NULL), PLUGIN_CRITICAL);
	assert_non_null(strstr(text.data, ", stalled for 6 s |"));
}

static void
no_demand_is_no_fault(void **state)
{
	(void)state;
	overall.verdict = VERDICT_IDLE;
	overall.count[VERDICT_OK] = 0;
	overall.count[VERDICT_IDLE] = 60;
	assert_int_equal(result(NULL, NULL), PLUGIN_OK);
	assert_ptr_equal(strstr(text.data, "NFSRATED OK - idle | pps=0;;;0 "),
	    text.data);
	assert_int_equal(result("8000:", "5000:"), PLUGIN_OK);
}

static void
what_is_not_known_is_unknown(void **state)
{
	(void)state;
	overall.verdict = VERDICT_UNKNOWN;
	overall.count[VERDICT_OK] = 0;
	overall.count[VERDICT_UNKNOWN] = 5;
	assert_int_equal(result(NULL, NULL), PLUGIN_UNKNOWN);
	assert_int_equal(result("1:", "1:"), PLUGIN_UNKNOWN);
	memset(&overall, 0, sizeof(overall));
	assert_int_equal(result(NULL, NULL), PLUGIN_UNKNOWN);
	assert_ptr_equal(strstr(text.data, "NFSRATED UNKNOWN - no intervals"),
	    text.data);
	textbuf_clear(&text);
	plugin_unknown(&text, "a|b: no such file");
	assert_string_equal(text.data,
	    "NFSRATED UNKNOWN - a/b: no such file\n");
}

static void
units_are_those_of_the_expectation(void **state)
{
	(void)state;
	overall.expect = EXPECT_MBPS;
	overall.expected = 11.8;
	overall.min = 0.5;
	overall.mean = 5.25;
	overall.max = 11.9;
	assert_int_equal(result("10:", NULL), PLUGIN_WARNING);
	assert_non_null(strstr(text.data, ": 5.25 MBps (0.50 to 11.90) of "
	    "11.80, "));
	assert_non_null(strstr(text.data, " | MBps=5.25;10:;;0 "));
	overall.expect = EXPECT_NONE;
	assert_int_equal(result(NULL, NULL), PLUGIN_OK);
	assert_non_null(strstr(text.data, ": 5 pps (0 to 12), "));
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, well, end)
	const struct CMUnitTest tests[] = {
		CASE(a_range_alerts_as_the_guidelines_have_it),
		CASE(all_well_is_one_line_with_figures),
		CASE(ranges_decide_when_they_are_given),
		CASE(without_ranges_the_verdict_decides),
		CASE(an_episode_is_a_warning_and_a_stall_is_critical),
		CASE(no_demand_is_no_fault),
		CASE(what_is_not_known_is_unknown),
		CASE(units_are_those_of_the_expectation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

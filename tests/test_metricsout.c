/* SPDX-License-Identifier: ISC */
/*
 * test_metricsout.c: families of metrics as text, as the formats want them.
 */
#include "metricsout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct textbuf text;
static struct metricsout out;

static void
begin(enum metricsout_format format)
{
	textbuf_free(&text);
	memset(&text, 0, sizeof(text));
	out = (struct metricsout){ .text = &text, .format = format };
}

static void
a_counter_has_its_suffix_on_all_lines_of_the_classic_format(void **state)
{
	(void)state;
	begin(METRICSOUT_CLASSIC);
	metricsout_family(&out, METRICSOUT_COUNTER, "x_bytes", "bytes",
	    "Bytes.");
	metricsout_uint(&out, 7, "a", "b", "c", "d", NULL);
	metricsout_uint(&out, UINT64_MAX, NULL);
	metricsout_end(&out);
	assert_string_equal(text.data, "# HELP x_bytes_total Bytes.\n"
	    "# TYPE x_bytes_total counter\n"
	    "x_bytes_total{a=\"b\",c=\"d\"} 7\n"
	    "x_bytes_total 18446744073709551615\n");
}

/* OpenMetrics 1.0: the family's name is without it, its unit is said. */
static void
in_openmetrics_the_family_has_none_and_a_unit_and_there_is_an_end(
    void **state)
{
	(void)state;
	begin(METRICSOUT_OPENMETRICS);
	metricsout_family(&out, METRICSOUT_COUNTER, "x_bytes", "bytes",
	    "Bytes.");
	metricsout_uint(&out, 7, NULL);
	metricsout_family(&out, METRICSOUT_INFO, "x", NULL, "It.");
	metricsout_uint(&out, 1, "version", "1", NULL);
	metricsout_end(&out);
	assert_string_equal(text.data, "# HELP x_bytes Bytes.\n"
	    "# TYPE x_bytes counter\n# UNIT x_bytes bytes\n"
	    "x_bytes_total 7\n"
	    "# HELP x It.\n# TYPE x info\nx_info{version=\"1\"} 1\n# EOF\n");
}

static void
an_info_is_a_gauge_of_1_where_there_are_no_infos(void **state)
{
	(void)state;
	begin(METRICSOUT_CLASSIC);
	metricsout_family(&out, METRICSOUT_INFO, "x", NULL, "It.");
	metricsout_uint(&out, 1, NULL);
	assert_string_equal(text.data, "# HELP x_info It.\n"
	    "# TYPE x_info gauge\nx_info 1\n");
}

static void
a_histogram_adds_up_and_its_last_bucket_is_its_count(void **state)
{
	const double bound[3] = { 0.0005, 1, 2 };
	const uint64_t bin[4] = { 1, 0, 2, 4 };
	const struct metricsout_bins b = { bound, bin, 3, 7, 12.5 };

	(void)state;
	begin(METRICSOUT_CLASSIC);
	metricsout_family(&out, METRICSOUT_HISTOGRAM, "x_seconds", "seconds",
	    "Time.");
	textbuf_clear(&text);
	metricsout_histogram(&out, &b, "op", "WRITE", NULL);
	assert_string_equal(text.data,
	    "x_seconds_bucket{op=\"WRITE\",le=\"0.0005\"} 1\n"
	    "x_seconds_bucket{op=\"WRITE\",le=\"1.0\"} 1\n"
	    "x_seconds_bucket{op=\"WRITE\",le=\"2.0\"} 3\n"
	    "x_seconds_bucket{op=\"WRITE\",le=\"+Inf\"} 7\n"
	    "x_seconds_sum{op=\"WRITE\"} 12.5\n"
	    "x_seconds_count{op=\"WRITE\"} 7\n");
}

static void
values_of_labels_cannot_break_out(void **state)
{
	(void)state;
	begin(METRICSOUT_CLASSIC);
	metricsout_family(&out, METRICSOUT_GAUGE, "x", NULL, "It.");
	textbuf_clear(&text);
	metricsout_uint(&out, 1, "a", "q\"b\\n\n\xc3\xa9\x7f", "none",
	    (const char *)NULL, NULL);
	assert_string_equal(text.data, "x{a=\"q\\\"b\\\\n____\"} 1\n");
}

static void
a_label_that_is_long_is_cut_and_stays_whole(void **state)
{
	char lots[2000];
	size_t len;

	(void)state;
	memset(lots, '"', sizeof(lots));
	lots[sizeof(lots) - 1] = '\0';
	begin(METRICSOUT_CLASSIC);
	metricsout_family(&out, METRICSOUT_GAUGE, "x", NULL, "It.");
	textbuf_clear(&text);
	metricsout_uint(&out, 1, "a", lots, "b", lots, NULL);
	len = strlen(text.data);
	assert_true(len < 900);
	assert_string_equal(text.data + len - 7, "\\\"\"} 1\n");
	assert_null(strstr(text.data, "b=\""));
}

static void
who_accepts_openmetrics_gets_it(void **state)
{
	static const struct {
		const char *accept;
		enum metricsout_format format;
	} rows[] = {
		{ NULL, METRICSOUT_CLASSIC }, { "", METRICSOUT_CLASSIC },
		{ "*/*", METRICSOUT_CLASSIC },
		{ "text/plain;version=0.0.4", METRICSOUT_CLASSIC },
		/* as Prometheus 2.42 asks */
		{ "application/openmetrics-text;version=1.0.0,application/"
		    "openmetrics-text;version=0.0.1;q=0.75,text/plain;"
		    "version=0.0.4;q=0.5,*/*;q=0.1", METRICSOUT_OPENMETRICS },
		{ "text/html, Application/OpenMetrics-Text ; q=0.2",
		    METRICSOUT_OPENMETRICS },
		{ "application/openmetrics-text;q=0", METRICSOUT_CLASSIC },
		{ "application/openmetrics-text; q=0.0, */*",
		    METRICSOUT_CLASSIC },
		{ "application/openmetrics-textual", METRICSOUT_CLASSIC },
		{ ",,, ;;; ,", METRICSOUT_CLASSIC },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(metricsout_choose(rows[i].accept),
		    rows[i].format);
}

static int
teardown(void **state)
{
	(void)state;
	textbuf_free(&text);
	return 0;
}

#define CASE(name) cmocka_unit_test(name)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(
		a_counter_has_its_suffix_on_all_lines_of_the_classic_format),
		CASE(
	    in_openmetrics_the_family_has_none_and_a_unit_and_there_is_an_end),
		CASE(an_info_is_a_gauge_of_1_where_there_are_no_infos),
		CASE(a_histogram_adds_up_and_its_last_bucket_is_its_count),
		CASE(values_of_labels_cannot_break_out),
		CASE(a_label_that_is_long_is_cut_and_stays_whole),
		CASE(who_accepts_openmetrics_gets_it),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}

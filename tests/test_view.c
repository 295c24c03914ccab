/* SPDX-License-Identifier: ISC */
/*
 * test_view.c: rows of text, held against DESIGN sec. 5.
 */
#include "view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define SEC	INT64_C(1000000000)

static struct sample s;
static struct textbuf t;
static struct view_options o;

static int
setup(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	o = (struct view_options){ .interval_ns = SEC, .source = "eth0" };
	sample_clear(&s);
	s.start_ns = (20 * 3600 + 28 * 60 + 1) * SEC;
	s.length_ns = s.watched_ns = SEC;
	s.traffic[SAMPLE_IN] = (struct sample_traffic){ .wire_packets = 8637,
	    .wire_bytes = 12293330, .errs = 0 };
	s.traffic[SAMPLE_OUT] = (struct sample_traffic){ .wire_packets = 1440,
	    .wire_bytes = 291000, .errs = 0 };
	s.colls = 0;
	s.data[SAMPLE_WRITE].calls = 1440;
	s.data[SAMPLE_WRITE].bytes = 11796480;
	s.data[SAMPLE_WRITE].latency = (struct sample_part){ .timed = 100,
	    .sum_us = 41000 };
	s.depth_ns = 1800000000;
	s.has_split = true;
	s.state_ns[SAMPLE_REQUEST] = 40;
	s.state_ns[SAMPLE_CLIENT] = 31;
	s.state_ns[SAMPLE_SERVER] = 29;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	textbuf_free(&t);
	return 0;
}

static const char *
row(const struct judgement *v)
{
	textbuf_clear(&t);
	view_row(&t, &o, &s, v);
	assert_false(t.failed);
	return t.data;
}

static const char *
banner(void)
{
	textbuf_clear(&t);
	view_banner(&t, &o);
	return t.data;
}

static void
the_banner_is_that_of_the_design(void **state)
{
	(void)state;
	assert_string_equal(banner(),
	    "            input (nfs eth0)                output           "
	    "       WRITE\n"
	    "time      packets errs     bytes   packets errs    bytes colls"
	    "   calls   MB/s     ms depth  where        verdict\n");
}

static void
the_rows_are_those_of_the_design(void **state)
{
	const struct judgement ok = { .has_verdict = true,
	    .verdict = VERDICT_OK };
	const struct judgement bursty = { .has_verdict = true,
	    .verdict = VERDICT_BURSTY };

	(void)state;
	assert_string_equal(row(&ok),
	    "20:28:01     8637    0  12293330      1440    0   291000     0"
	    "    1440  11.80   0.41   1.8  request 40%  ok\n");
	s.start_ns += SEC;
	s.traffic[SAMPLE_IN].wire_packets = 558;
	s.traffic[SAMPLE_IN].wire_bytes = 1542510;
	s.traffic[SAMPLE_OUT].wire_packets = 86;
	s.traffic[SAMPLE_OUT].wire_bytes = 34340;
	s.data[SAMPLE_WRITE].calls = 93;
	s.data[SAMPLE_WRITE].bytes = 761856;
	s.data[SAMPLE_WRITE].latency.sum_us = 39000;
	s.depth_ns = 100000000;
	s.state_ns[SAMPLE_CLIENT] = 97;
	s.state_ns[SAMPLE_REQUEST] = 3;
	s.state_ns[SAMPLE_SERVER] = 0;
	assert_string_equal(row(&bursty),
	    "20:28:02      558    0   1542510        86    0    34340     0"
	    "      93   0.76   0.39   0.1  client 97%   BURSTY\n");
}

static void
the_unknown_is_a_dash(void **state)
{
	struct sample empty;

	(void)state;
	empty = s;
	sample_clear(&s);
	s.start_ns = empty.start_ns;
	s.length_ns = s.watched_ns = SEC;
	s.has_split = true;
	assert_string_equal(row(NULL),
	    "20:28:01        0    -         0         0    -        0     -"
	    "       0   0.00      -   0.0  -            -\n");
	s.packets_only = true;
	assert_string_equal(row(NULL),
	    "20:28:01        0    -         0         0    -        0     -"
	    "       -      -      -     -  -            -\n");
}

static void
marks_stand_for_partial_and_for_low_trust(void **state)
{
	const struct judgement ok = { .has_verdict = true,
	    .verdict = VERDICT_OK };

	(void)state;
	s.partial = true;
	s.untrusted_ns = SEC / 5;
	assert_string_equal(row(&ok),
	    "20:28:01*    8637    0  12293330      1440    0   291000     0"
	    "    1440  11.80   0.41   1.8  request 40%  ~ok\n");
}

static void
large_figures_keep_the_columns(void **state)
{
	(void)state;
	s.partial = true;
	s.traffic[SAMPLE_IN].wire_packets = 10000000;
	s.traffic[SAMPLE_IN].wire_bytes = 10000000000;
	s.traffic[SAMPLE_OUT].wire_packets = 10000000;
	s.traffic[SAMPLE_OUT].wire_bytes = 10000000000;
	s.data[SAMPLE_WRITE].bytes = 10000000000;
	s.data[SAMPLE_WRITE].latency.sum_us = 9999999999;
	s.depth_ns = 30000 * UINT64_C(1000000000);
	assert_string_equal(row(NULL),
	    "20:28:01*10000000    0 10000000k  10000000    0   10000M"
	    "     0    1440  10000 100000 30000  request 40%  -\n");
}

static void
humans_get_units_in_the_columns_of_bytes(void **state)
{
	(void)state;
	o.human = true;
	assert_non_null(strstr(row(NULL), " 8637    0     12.3M "));
	assert_non_null(strstr(row(NULL), " 1440    0     291k "));
}

static void
intervals_of_parts_of_a_second_show_tenths(void **state)
{
	(void)state;
	o.interval_ns = SEC / 2;
	s.length_ns = s.watched_ns = SEC / 2;
	s.start_ns += SEC / 2;
	assert_memory_equal(row(NULL), "20:28:01.5     8637    0", 24);
	assert_non_null(strstr(row(NULL), "1440  23.59"));
	assert_non_null(strstr(banner(), "\ntime        packets errs"));
}

static void
total_shows_the_columns_of_netstat_first(void **state)
{
	(void)state;
	o.total = true;
	s.if_in_packets = 900;
	s.if_in_errs = 0;
	s.if_in_bytes = 1513334;
	s.if_out_packets = 142;
	s.if_out_errs = 0;
	s.if_out_bytes = 33532;
	assert_string_equal(banner(),
	    "            input         (eth0)           output           "
	    "                  WRITE\n"
	    "   packets  errs      bytes    packets  errs      bytes colls"
	    "  time        calls   MB/s     ms depth  where        "
	    "verdict\n");
	assert_string_equal(row(NULL),
	    "       900     0    1513334        142     0      33532     0"
	    "  20:28:01     1440  11.80   0.41   1.8  request 40%  -\n");
}

static void
a_long_name_is_cut_and_says_so(void **state)
{
	(void)state;
	o.source = "a-very-long-name-of-a-capture.pcap";
	assert_memory_equal(banner(),
	    "            input (nfs a-very-long-name-..) output", 50);
}

static void
a_gap_is_said_in_words(void **state)
{
	(void)state;
	s.gap = true;
	s.length_ns = 7500 * SEC;
	assert_string_equal(row(NULL),
	    "20:28:01  no packets for 2 h 5 min\n");
}

static void
a_clock_that_went_back_has_a_line_of_its_own(void **state)
{
	(void)state;
	s.restarted = true;
	assert_memory_equal(row(NULL),
	    "20:28:01  time went back: starts anew\n20:28:01     8637", 55);
}

static void
without_a_capture_nothing_is_0(void **state)
{
	(void)state;
	s.no_data = true;
	s.has_split = false;
	s.data[SAMPLE_WRITE].latency.timed = 0;
	assert_string_equal(row(NULL),
	    "20:28:01        -    -         -         -    -        -     0"
	    "       -      -      -     -  -            no data\n");
}

static void
hidden_bytes_have_no_rate(void **state)
{
	(void)state;
	s.data[SAMPLE_WRITE].hidden = 1440;
	assert_non_null(strstr(row(NULL), "1440      -   0.41"));
}

static void
attributes_follow_the_verdict(void **state)
{
	struct judgement v = { .has_verdict = true };

	(void)state;
	v.verdict = VERDICT_STALL;
	assert_int_equal(view_row_attr(&s, &v), VIEW_BAD);
	v.verdict = VERDICT_OK;
	assert_int_equal(view_row_attr(&s, &v), VIEW_PLAIN);
	assert_int_equal(view_row_attr(&s, NULL), VIEW_PLAIN);
	v.verdict = VERDICT_IDLE;
	assert_int_equal(view_row_attr(&s, &v), VIEW_DIM);
	s.partial = true;
	v.verdict = VERDICT_STALL;
	assert_int_equal(view_row_attr(&s, &v), VIEW_DIM);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(the_banner_is_that_of_the_design),
		CASE(the_rows_are_those_of_the_design),
		CASE(the_unknown_is_a_dash),
		CASE(marks_stand_for_partial_and_for_low_trust),
		CASE(large_figures_keep_the_columns),
		CASE(humans_get_units_in_the_columns_of_bytes),
		CASE(intervals_of_parts_of_a_second_show_tenths),
		CASE(total_shows_the_columns_of_netstat_first),
		CASE(a_long_name_is_cut_and_says_so),
		CASE(a_gap_is_said_in_words),
		CASE(a_clock_that_went_back_has_a_line_of_its_own),
		CASE(without_a_capture_nothing_is_0),
		CASE(hidden_bytes_have_no_rate),
		CASE(attributes_follow_the_verdict),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

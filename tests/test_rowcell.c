/* SPDX-License-Identifier: ISC */
/*
 * test_rowcell.c: the cells of an interval's row.
 */
#include "rowcell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet.h"

static struct sample s;
static struct judgement v;
static struct rowcell_row r = { .s = &s, .v = &v };
static char buf[FIGURES_SIZE];

static int
begin(void **state)
{
	(void)state;
	sample_clear(&s);
	s.start_ns = 1796070481 * NSEC_PER_SEC;		/* 20:28:01 */
	s.length_ns = s.watched_ns = 2 * NSEC_PER_SEC;
	memset(&v, 0, sizeof(v));
	r = (struct rowcell_row){ .s = &s, .v = &v };
	return 0;
}

static const char *
cell(enum rowcell which)
{
	return rowcell_text(buf, which, &r, 8);
}

static void
counts_are_those_of_the_interval(void **state)
{
	static const struct {
		enum rowcell	which;
		const char	*text;
	} cells[] = {
		{ ROWCELL_IN_PACKETS, "11" }, { ROWCELL_IN_BYTES, "12" },
		{ ROWCELL_IN_ERRS, "13" }, { ROWCELL_OUT_PACKETS, "21" },
		{ ROWCELL_OUT_BYTES, "22" }, { ROWCELL_OUT_ERRS, "23" },
		{ ROWCELL_COLLS, "31" }, { ROWCELL_IF_IN_PACKETS, "41" },
		{ ROWCELL_IF_IN_ERRS, "42" }, { ROWCELL_IF_IN_BYTES, "43" },
		{ ROWCELL_IF_OUT_PACKETS, "44" },
		{ ROWCELL_IF_OUT_ERRS, "45" }, { ROWCELL_IF_OUT_BYTES, "46" },
		{ ROWCELL_WRITES, "51" }, { ROWCELL_READS, "52" },
		{ ROWCELL_CALLS, "53" }, { ROWCELL_RESENT, "54" },
		{ ROWCELL_DROPS, "9" }
	};
	size_t i;

	(void)state;
	s.traffic[SAMPLE_IN] = (struct sample_traffic){ .packets = 1,
	    .bytes = 1, .wire_packets = 11, .wire_bytes = 12, .errs = 13 };
	s.traffic[SAMPLE_OUT] = (struct sample_traffic){ .packets = 1,
	    .bytes = 1, .wire_packets = 21, .wire_bytes = 22, .errs = 23 };
	s.colls = 31;
	s.if_in_packets = 41;
	s.if_in_errs = 42;
	s.if_in_bytes = 43;
	s.if_out_packets = 44;
	s.if_out_errs = 45;
	s.if_out_bytes = 46;
	s.data[SAMPLE_WRITE].calls = 51;
	s.data[SAMPLE_READ].calls = 52;
	s.rpc_calls = 53;
	s.rpc_retransmits = 54;
	s.kernel_drops = 4;
	s.interface_drops = 5;
	for (i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		assert_string_equal(cell(cells[i].which), cells[i].text);
}

/* Over two seconds. */
static void
rates_are_per_second_and_latencies_are_means(void **state)
{
	(void)state;
	s.rpc_calls = 11;
	s.data[SAMPLE_WRITE] = (struct sample_data){ .calls = 10,
	    .bytes = 81920000, .latency = { .timed = 10, .sum_us = 4100 } };
	s.data[SAMPLE_READ] = (struct sample_data){ .calls = 1,
	    .bytes = 1000000, .latency = { .timed = 2, .sum_us = 3000 } };
	s.depth_ns = 3 * NSEC_PER_SEC;
	s.has_duty = true;
	s.duty_bins = 200;
	s.duty_on = 30;
	assert_string_equal(cell(ROWCELL_WRITE_MBPS), "40.96");
	assert_string_equal(cell(ROWCELL_WRITE_MS), "0.41");
	assert_string_equal(cell(ROWCELL_READ_MBPS), "0.50");
	assert_string_equal(cell(ROWCELL_READ_MS), "1.50");
	assert_string_equal(cell(ROWCELL_DEPTH), "1.5");
	assert_string_equal(cell(ROWCELL_ON), "15%");
}

static void
what_is_not_known_is_a_dash(void **state)
{
	static const enum rowcell unknown[] = {
		ROWCELL_IN_ERRS, ROWCELL_OUT_ERRS, ROWCELL_COLLS,
		ROWCELL_IF_IN_PACKETS, ROWCELL_IF_OUT_BYTES,
		ROWCELL_WRITE_MS, ROWCELL_READ_MS, ROWCELL_ON, ROWCELL_DROPS,
		ROWCELL_WHERE, ROWCELL_VERDICT
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_string_equal(cell(unknown[i]), "-");
	assert_string_equal(cell(ROWCELL_IN_PACKETS), "0");
	s.rpc_calls = s.data[SAMPLE_WRITE].calls = 3;
	s.data[SAMPLE_WRITE].hidden = 3;
	assert_string_equal(cell(ROWCELL_WRITE_MBPS), "-");
	r.v = NULL;
	assert_string_equal(cell(ROWCELL_VERDICT), "-");
}

static void
without_data_nothing_is_known_but_the_interfaces_counters(void **state)
{
	(void)state;
	s.no_data = true;
	s.if_in_packets = 7;
	assert_string_equal(cell(ROWCELL_IN_PACKETS), "-");
	assert_string_equal(cell(ROWCELL_IN_BYTES), "-");
	assert_string_equal(cell(ROWCELL_WRITES), "-");
	assert_string_equal(cell(ROWCELL_WRITE_MBPS), "-");
	assert_string_equal(cell(ROWCELL_DEPTH), "-");
	assert_string_equal(cell(ROWCELL_IF_IN_PACKETS), "7");
	assert_string_equal(cell(ROWCELL_VERDICT), "no data");
	r.human = true;
	assert_string_equal(cell(ROWCELL_IN_BYTES), "-");
}

static void
where_packets_were_counted_nothing_is_known_of_rpc(void **state)
{
	static const enum rowcell unknown[] = {
		ROWCELL_WRITES, ROWCELL_WRITE_MBPS, ROWCELL_READS,
		ROWCELL_READ_MBPS, ROWCELL_CALLS, ROWCELL_RESENT,
		ROWCELL_DEPTH
	};
	size_t i;

	(void)state;
	s.traffic[SAMPLE_IN].wire_packets = 8637;
	s.packets_only = true;
	assert_string_equal(cell(ROWCELL_IN_PACKETS), "8637");
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_string_equal(cell(unknown[i]), "-");
	s.packets_only = false;		/* it was captured, with no calls */
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_string_not_equal(cell(unknown[i]), "-");
}

static void
bytes_have_units_where_that_is_wanted(void **state)
{
	(void)state;
	r.human = true;
	s.traffic[SAMPLE_IN].wire_bytes = 12345678;
	s.if_out_bytes = 1500;
	assert_string_equal(cell(ROWCELL_IN_BYTES), "12.3M");
	assert_string_equal(cell(ROWCELL_IF_OUT_BYTES), "1.50k");
	assert_string_equal(cell(ROWCELL_IF_IN_BYTES), "-");
}

static void
the_time_is_marked_when_the_interval_is_partial(void **state)
{
	(void)state;
	assert_string_equal(cell(ROWCELL_TIME), "20:28:01 ");
	s.partial = true;
	assert_string_equal(cell(ROWCELL_TIME), "20:28:01*");
	r.tenths = true;
	s.start_ns += 300 * NSEC_PER_MSEC;
	assert_string_equal(cell(ROWCELL_TIME), "20:28:01.3*");
}

static void
where_is_the_state_of_most_time(void **state)
{
	(void)state;
	s.has_split = true;
	assert_string_equal(cell(ROWCELL_WHERE), "-");
	s.state_ns[SAMPLE_SERVER] = 20;
	s.state_ns[SAMPLE_CLIENT] = 60;
	s.state_ns[SAMPLE_NETWORK] = 20;
	assert_string_equal(cell(ROWCELL_WHERE), "client 60%");
}

static void
a_verdict_that_cannot_be_trusted_is_marked(void **state)
{
	(void)state;
	v.has_verdict = true;
	v.verdict = VERDICT_BURSTY;
	assert_string_equal(cell(ROWCELL_VERDICT), "BURSTY");
	s.untrusted_ns = NSEC_PER_SEC;
	assert_string_equal(cell(ROWCELL_VERDICT), "~BURSTY");
}

int
main(void)
{
#define CASE(f)	cmocka_unit_test_setup(f, begin)
	const struct CMUnitTest tests[] = {
		CASE(counts_are_those_of_the_interval),
		CASE(rates_are_per_second_and_latencies_are_means),
		CASE(what_is_not_known_is_a_dash),
		CASE(without_data_nothing_is_known_but_the_interfaces_counters),
		CASE(where_packets_were_counted_nothing_is_known_of_rpc),
		CASE(bytes_have_units_where_that_is_wanted),
		CASE(the_time_is_marked_when_the_interval_is_partial),
		CASE(where_is_the_state_of_most_time),
		CASE(a_verdict_that_cannot_be_trusted_is_marked),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_optvalue.c: the values of options: numbers, rates, ranges.
 */
#include "optvalue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

static char err[OPTVALUE_ERROR_MAX];

static void
integers_are_exact_and_in_range(void **state)
{
	int64_t v = 42;

	(void)state;
	assert_int_equal(optvalue_integer("1", 1, 10, &v, err), 0);
	assert_int_equal(v, 1);
	assert_int_equal(optvalue_integer("10", 1, 10, &v, err), 0);
	assert_int_equal(v, 10);
	assert_int_equal(optvalue_integer("0", 1, 10, &v, err), -1);
	assert_string_equal(err, "\"0\" is out of range (1 to 10)");
	assert_int_equal(optvalue_integer("11", 1, 10, &v, err), -1);
	assert_int_equal(optvalue_integer("-1", 1, 10, &v, err), -1);
	assert_int_equal(optvalue_integer("99999999999999999999", 1, 10, &v,
	    err), -1);
	assert_string_equal(err,
	    "\"99999999999999999999\" is out of range (1 to 10)");
	assert_int_equal(v, 10);
}

static void
what_is_no_integer_is_refused(void **state)
{
	static const char *const texts[] = { "", " 5", "5 ", "5x", "x", "0x5",
	    "5.0", "1e3", "--5" };
	int64_t v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_int_equal(optvalue_integer(texts[i], 0, 10, &v, err),
		    -1);
		assert_non_null(strstr(err, "is no whole number"));
	}
}

static void
real_numbers_are_decimal(void **state)
{
	static const char *const texts[] = { "", " 1", "1 ", "1x", "nan",
	    "inf", "0x1p3", ".", "-", "1,5" };
	double v;
	size_t i;

	(void)state;
	assert_int_equal(optvalue_real("0.1", 0.1, 3600, &v, err), 0);
	assert_true(v == 0.1);
	assert_int_equal(optvalue_real(".5", 0.1, 3600, &v, err), 0);
	assert_true(v == 0.5);
	assert_int_equal(optvalue_real("1e1", 0.1, 3600, &v, err), 0);
	assert_true(v == 10);
	assert_int_equal(optvalue_real("0", 0.1, 3600, &v, err), -1);
	assert_string_equal(err, "\"0\" is out of range (0.1 to 3600)");
	assert_int_equal(optvalue_real("3600.1", 0.1, 3600, &v, err), -1);
	assert_int_equal(optvalue_real("1e999", 0.1, 3600, &v, err), -1);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(optvalue_real(texts[i], 0, 10, &v, err), -1);
	assert_true(v == 10);
}

static void
bit_rates_have_decimal_units(void **state)
{
	double v;

	(void)state;
	assert_int_equal(optvalue_bitrate("100M", &v, err), 0);
	assert_true(v == 100e6);
	assert_int_equal(optvalue_bitrate("10G", &v, err), 0);
	assert_true(v == 10e9);
	assert_int_equal(optvalue_bitrate("2.5g", &v, err), 0);
	assert_true(v == 2.5e9);
	assert_int_equal(optvalue_bitrate("64000", &v, err), 0);
	assert_true(v == 64000);
	assert_int_equal(optvalue_bitrate("", &v, err), -1);
	assert_int_equal(optvalue_bitrate("M", &v, err), -1);
	assert_int_equal(optvalue_bitrate("100MB", &v, err), -1);
	assert_int_equal(optvalue_bitrate("100m/s", &v, err), -1);
	assert_int_equal(optvalue_bitrate("0", &v, err), -1);
	assert_int_equal(optvalue_bitrate("1000", &v, err), -1);
	assert_string_equal(err, "\"1000\" is too little for a link; "
	    "100 Mbit/s are 100M");
	assert_int_equal(optvalue_bitrate("9999999T", &v, err), -1);
}

static void
expectations_are_of_five_kinds(void **state)
{
	struct expect_spec s;

	(void)state;
	assert_int_equal(optvalue_expect("pps=8637", &s, err), 0);
	assert_int_equal(s.kind, SPEC_PPS);
	assert_true(s.value == 8637);
	assert_int_equal(optvalue_expect("wps=1440", &s, err), 0);
	assert_int_equal(s.kind, SPEC_WPS);
	assert_int_equal(optvalue_expect("MBps=11.8", &s, err), 0);
	assert_int_equal(s.kind, SPEC_MBPS);
	assert_true(s.value == 11.8);
	assert_int_equal(optvalue_expect("auto", &s, err), 0);
	assert_int_equal(s.kind, SPEC_AUTO);
	assert_int_equal(optvalue_expect("learn", &s, err), 0);
	assert_int_equal(s.kind, SPEC_LEARN);
}

static void
other_expectations_are_refused(void **state)
{
	static const char *const texts[] = { "", "pps", "pps=", "pps=x",
	    "pps=0", "pps=-5", "automatic", "8637", "auto=5" };
	struct expect_spec s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(optvalue_expect(texts[i], &s, err), -1);
}

static void
m_of_the_last_n(void **state)
{
	static const char *const texts[] = { "", "3", "/", "3/", "/5", "5/3",
	    "0/5", "3/5/7", "3 /5", "1/99999", "123456789012345678/5" };
	struct of_last v;
	size_t i;

	(void)state;
	assert_int_equal(optvalue_of_last("3/5", &v, err), 0);
	assert_int_equal(v.m, 3);
	assert_int_equal(v.n, 5);
	assert_int_equal(optvalue_of_last("1/1", &v, err), 0);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(optvalue_of_last(texts[i], &v, err), -1);
	assert_int_equal(v.n, 1);
}

/* Monitoring plug-ins' guidelines, "threshold and ranges". */
static void
ranges_are_those_of_the_plugins(void **state)
{
	static const struct {
		const char	*text;
		double		 low, high;
		bool		 inside;
	} rows[] = {
		{ "10", 0, 10, false },
		{ "10:", 10, INFINITY, false },
		{ "~:10", -INFINITY, 10, false },
		{ "10:20", 10, 20, false },
		{ "@10:20", 10, 20, true },
		{ ":20", 0, 20, false },
		{ "-5:5.5", -5, 5.5, false },
		{ "@~:0", -INFINITY, 0, true },
	};
	struct plugin_range r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(optvalue_range(rows[i].text, &r, err), 0);
		assert_true(r.given);
		assert_true(r.low == rows[i].low);
		assert_true(r.high == rows[i].high);
		assert_int_equal(r.inside, rows[i].inside);
	}
}

static void
other_ranges_are_refused(void **state)
{
	static const char *const texts[] = { "", "@", "x", "10:x", "20:10",
	    "~", "~10", "10:20:30", "10 20", "1:~" };
	struct plugin_range r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(optvalue_range(texts[i], &r, err), -1);
}

static void
where_to_listen_is_the_loopback_unless_told_otherwise(void **state)
{
	static const struct {
		const char *text, *address;
		uint16_t port;
	} rows[] = {
		{ "9712", "127.0.0.1", 9712 }, { ":9712", "127.0.0.1", 9712 },
		{ "localhost:1", "127.0.0.1", 1 }, { "*:65535", "::", 65535 },
		{ "10.1.2.3:0", "10.1.2.3", 0 }, { "[::1]:9712", "::1", 9712 },
		{ "0.0.0.0:80", "0.0.0.0", 80 },
	};
	char name[ADDR_STRLEN];
	struct endpoint e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(optvalue_listen(rows[i].text, &e, err), 0);
		assert_string_equal(addr_print(&e.addr, name, sizeof(name)),
		    rows[i].address);
		assert_int_equal(e.port, rows[i].port);
	}
}

static void
other_places_to_listen_are_refused(void **state)
{
	static const char *const texts[] = { "", ":", "x", "10.0.0.1",
	    "10.0.0.1:", "10.0.0.1:65536", "10.0.0.1:-1", "::1:9712",
	    "[::1]", "[::1:80", "::1]:80", "[]:80", "example.org:80",
	    "10.0.0.1:80x", "http://127.0.0.1:80", "*", "**:80",
	    "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]:1" };
	struct endpoint e = { .port = 7 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(optvalue_listen(texts[i], &e, err), -1);
	assert_int_equal(e.port, 7);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_exact_and_in_range),
		cmocka_unit_test(what_is_no_integer_is_refused),
		cmocka_unit_test(real_numbers_are_decimal),
		cmocka_unit_test(bit_rates_have_decimal_units),
		cmocka_unit_test(expectations_are_of_five_kinds),
		cmocka_unit_test(other_expectations_are_refused),
		cmocka_unit_test(m_of_the_last_n),
		cmocka_unit_test(ranges_are_those_of_the_plugins),
		cmocka_unit_test(other_ranges_are_refused),
		cmocka_unit_test(
		    where_to_listen_is_the_loopback_unless_told_otherwise),
		cmocka_unit_test(other_places_to_listen_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

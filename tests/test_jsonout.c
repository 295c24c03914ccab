/* SPDX-License-Identifier: ISC */
/*
 * test_jsonout.c: JSON (RFC 8259), member by member.
 */
#include "jsonout.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static struct textbuf t;
static struct jsonout j;

static int
setup(void **state)
{
	(void)state;
	j = (struct jsonout){ .text = &t };
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	textbuf_free(&t);
	return 0;
}

static void
members_and_elements_have_commas_between_them(void **state)
{
	(void)state;
	jsonout_object(&j, NULL);
	jsonout_uint(&j, "a", 1);
	jsonout_array(&j, "b");
	jsonout_object(&j, NULL);
	jsonout_end_object(&j);
	jsonout_object(&j, NULL);
	jsonout_bool(&j, "c", true);
	jsonout_end_object(&j);
	jsonout_end_array(&j);
	jsonout_null(&j, "d");
	jsonout_str(&j, "e", "f");
	jsonout_end_object(&j);
	assert_string_equal(t.data,
	    "{\"a\":1,\"b\":[{},{\"c\":true}],\"d\":null,\"e\":\"f\"}");
}

static const char *
real(double v, int decimals)
{
	textbuf_clear(&t);
	setup(NULL);
	jsonout_real(&j, NULL, v, decimals);
	return t.data;
}

static void
reals_have_no_zeros_at_the_end(void **state)
{
	(void)state;
	assert_string_equal(real(1, 3), "1");
	assert_string_equal(real(0.25, 3), "0.25");
	assert_string_equal(real(0.0004, 3), "0");
	assert_string_equal(real(-0.0004, 3), "0");
	assert_string_equal(real(1200, 0), "1200");
	assert_string_equal(real(1e15, 1), "1000000000000000");
}

static void
what_is_no_number_is_null(void **state)
{
	(void)state;
	assert_string_equal(real(NAN, 3), "null");
	assert_string_equal(real(INFINITY, 3), "null");
	assert_string_equal(real(1e300, 3), "null");
	textbuf_clear(&t);
	setup(NULL);
	jsonout_uint(&j, NULL, UINT64_MAX);
	assert_string_equal(t.data, "null");
}

static void
whole_numbers_have_all_their_digits(void **state)
{
	(void)state;
	jsonout_uint(&j, NULL, UINT64_MAX - 1);
	jsonout_uint(&j, NULL, 0);
	assert_string_equal(t.data, "18446744073709551614,0");
}

static const char *
string(const char *s, size_t n)
{
	textbuf_clear(&t);
	setup(NULL);
	jsonout_strn(&j, NULL, s, n);
	return t.data;
}

static void
what_must_be_escaped_is(void **state)
{
	(void)state;
	assert_string_equal(string("a\"b\\c/", 6), "\"a\\\"b\\\\c/\"");
	assert_string_equal(string("\n\t\001\177", 4),
	    "\"\\u000a\\u0009\\u0001\\u007f\"");
	assert_string_equal(string("\0x", 2), "\"\\u0000x\"");
	assert_string_equal(string("", 0), "\"\"");
}

static void
good_utf_8_stays_as_it_is(void **state)
{
	(void)state;
	assert_string_equal(string("\xc3\xa9", 2), "\"\xc3\xa9\"");
	assert_string_equal(string("\xe2\x82\xac", 3), "\"\xe2\x82\xac\"");
	assert_string_equal(string("\xf0\x9f\x90\x9f", 4),
	    "\"\xf0\x9f\x90\x9f\"");
}

static void
bad_utf_8_is_replaced_byte_by_byte(void **state)
{
	(void)state;
	assert_string_equal(string("a\xff" "b", 3), "\"a\\ufffdb\"");
	/* cut at the end */
	assert_string_equal(string("\xe2\x82", 2), "\"\\ufffd\\ufffd\"");
	/* not the shortest form of '/' */
	assert_string_equal(string("\xc0\xaf", 2), "\"\\ufffd\\ufffd\"");
	/* a surrogate, and what is above U+10FFFF */
	assert_string_equal(string("\xed\xa0\x80", 3),
	    "\"\\ufffd\\ufffd\\ufffd\"");
	assert_string_equal(string("\xf4\x90\x80\x80", 4),
	    "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

static void
strings_of_any_bytes_are_read_back(void **state)
{
	unsigned int a, b, c;
	json_t *root;
	char s[3];

	(void)state;
	for (a = 0; a < 256; a += 3)
		for (b = 0; b < 256; b += 7)
			for (c = 0; c < 256; c += 31) {
				s[0] = (char)a;
				s[1] = (char)b;
				s[2] = (char)c;
				root = json_loads(string(s, 3),
				    JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
				assert_non_null(root);
				json_decref(root);
			}
}

static void
times_are_strings(void **state)
{
	(void)state;
	jsonout_time(&j, "time", INT64_C(1500000000));
	assert_string_equal(t.data, "\"time\":\"1970-01-01T00:00:01.500Z\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(members_and_elements_have_commas_between_them),
		CASE(reals_have_no_zeros_at_the_end),
		CASE(what_is_no_number_is_null),
		CASE(whole_numbers_have_all_their_digits),
		CASE(what_must_be_escaped_is),
		CASE(good_utf_8_stays_as_it_is),
		CASE(bad_utf_8_is_replaced_byte_by_byte),
		CASE(strings_of_any_bytes_are_read_back),
		CASE(times_are_strings),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

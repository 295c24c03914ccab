/* SPDX-License-Identifier: ISC */
/*
 * test_textbuf.c: text that grows as it is written.
 */
#include "textbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static struct textbuf t;

static int
teardown(void **state)
{
	(void)state;
	textbuf_free(&t);
	return 0;
}

static void
pieces_follow_one_another(void **state)
{
	(void)state;
	textbuf_str(&t, "a");
	textbuf_char(&t, 'b');
	textbuf_add(&t, "cxyz", 1);
	textbuf_printf(&t, "%d", 7);
	assert_string_equal(t.data, "abc7");
	assert_int_equal(t.len, 4);
}

static void
it_grows_over_every_size(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < 100000; i++)
		textbuf_char(&t, (char)('a' + i % 26));
	assert_int_equal(t.len, 100000);
	for (i = 0; i < 100000; i++)
		assert_int_equal(t.data[i], 'a' + i % 26);
	assert_int_equal(t.data[i], '\0');
	assert_false(t.failed);
}

static void
one_print_may_be_longer_than_all_room(void **state)
{
	(void)state;
	textbuf_printf(&t, "%*d|", 5000, 1);
	assert_int_equal(t.len, 5001);
	assert_int_equal(t.data[5000], '|');
}

static void
cleared_it_keeps_its_memory(void **state)
{
	char *data;

	(void)state;
	textbuf_str(&t, "abc");
	data = t.data;
	textbuf_clear(&t);
	assert_int_equal(t.len, 0);
	textbuf_str(&t, "d");
	assert_ptr_equal(t.data, data);
	assert_string_equal(t.data, "d");
}

static void
padding_counts_from_the_line(void **state)
{
	(void)state;
	textbuf_str(&t, "long line before\nab");
	textbuf_pad(&t, 4);
	textbuf_pad(&t, 3);
	textbuf_str(&t, "c");
	assert_string_equal(t.data, "long line before\nab  c");
}

static const char *
iso(long long ns)
{
	textbuf_clear(&t);
	textbuf_iso_time(&t, ns);
	return t.data;
}

static void
times_are_utc_of_any_century(void **state)
{
	(void)state;
	assert_string_equal(iso(0), "1970-01-01T00:00:00.000Z");
	/* 2^31 s: January 19, 2038, 03:14:08 */
	assert_string_equal(iso(2147483648LL * 1000000000 + 5999999),
	    "2038-01-19T03:14:08.005Z");
	/* 2^32 s: February 7, 2106, 06:28:16 */
	assert_string_equal(iso(4294967296LL * 1000000000),
	    "2106-02-07T06:28:16.000Z");
	assert_string_equal(iso(INT64_MAX), "2262-04-11T23:47:16.854Z");
	assert_string_equal(iso(951782400LL * 1000000000),
	    "2000-02-29T00:00:00.000Z");
}

static void
a_time_for_people_has_no_fraction(void **state)
{
	(void)state;
	textbuf_clear(&t);
	textbuf_str(&t, "at ");
	textbuf_day_time(&t, 2147483648LL * 1000000000 + 999999999);
	textbuf_str(&t, ", UTC");
	assert_string_equal(t.data, "at 2038-01-19 03:14:08, UTC");
}

static void
times_before_1970_are_shown_as_1970(void **state)
{
	(void)state;
	assert_string_equal(iso(-1), "1970-01-01T00:00:00.000Z");
	assert_string_equal(iso(INT64_MIN), "1970-01-01T00:00:00.000Z");
}

static void
a_clock_shows_tenths_when_asked(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	textbuf_clock(&t, 86399LL * 1000000000 + 960000000, false);
	textbuf_char(&t, ' ');
	textbuf_clock(&t, 86399LL * 1000000000 + 960000000, true);
	assert_string_equal(t.data, "23:59:59 23:59:59.9");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_teardown(f, teardown)
		CASE(pieces_follow_one_another),
		CASE(it_grows_over_every_size),
		CASE(one_print_may_be_longer_than_all_room),
		CASE(cleared_it_keeps_its_memory),
		CASE(padding_counts_from_the_line),
		CASE(times_are_utc_of_any_century),
		CASE(times_before_1970_are_shown_as_1970),
		CASE(a_clock_shows_tenths_when_asked),
		CASE(a_time_for_people_has_no_fraction),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

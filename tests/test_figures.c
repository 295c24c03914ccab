/* SPDX-License-Identifier: ISC */
/*
 * test_figures.c: numbers as short text.
 */
#include "figures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static char b[FIGURES_SIZE];

static void
a_count_that_fits_has_all_its_digits(void **state)
{
	(void)state;
	assert_string_equal(figures_count(b, 0, 1), "0");
	assert_string_equal(figures_count(b, 12345678, 8), "12345678");
	assert_string_equal(figures_count(b, UINT64_MAX - 1, 20),
	    "18446744073709551614");
}

static void
a_count_that_does_not_fit_has_a_unit(void **state)
{
	(void)state;
	assert_string_equal(figures_count(b, 12345678, 7), "12346k");
	assert_string_equal(figures_count(b, 12345678901, 9), "12345679k");
	assert_string_equal(figures_count(b, 123456789, 4), "123M");
	assert_string_equal(figures_count(b, 999999999, 5), "1000M");
	assert_string_equal(figures_count(b, UINT64_MAX - 1, 4), "18E");
}

static void
no_count_is_wider_than_its_column(void **state)
{
	uint64_t v;
	int width;

	(void)state;
	for (width = 4; width <= 12; width++)
		for (v = 1; v < UINT64_MAX / 7; v = v * 6 + 5)
			assert_true(strlen(figures_count(b, v, width)) <=
			    (size_t)width);
}

static void
unknown_is_a_dash(void **state)
{
	(void)state;
	assert_string_equal(figures_count(b, UINT64_MAX, 5), "-");
	assert_string_equal(figures_human(b, UINT64_MAX), "-");
	assert_string_equal(figures_real(b, NAN, 2, 6), "-");
	assert_string_equal(figures_real(b, -1, 2, 6), "-");
	assert_string_equal(figures_real(b, INFINITY, 2, 6), "-");
}

static void
a_real_gives_up_decimals_for_width(void **state)
{
	(void)state;
	assert_string_equal(figures_real(b, 11.796, 2, 6), "11.80");
	assert_string_equal(figures_real(b, 999.994, 2, 6), "999.99");
	assert_string_equal(figures_real(b, 999.996, 2, 6), "1000.0");
	assert_string_equal(figures_real(b, 123456.7, 2, 6), "123457");
	assert_string_equal(figures_real(b, 12345678.9, 2, 6), "12346k");
}

static void
human_figures_have_three_digits(void **state)
{
	(void)state;
	assert_string_equal(figures_human(b, 999), "999");
	assert_string_equal(figures_human(b, 1000), "1.00k");
	assert_string_equal(figures_human(b, 9994), "9.99k");
	assert_string_equal(figures_human(b, 9996), "10.0k");
	assert_string_equal(figures_human(b, 12293330), "12.3M");
	assert_string_equal(figures_human(b, 999999), "1.00M");
	assert_string_equal(figures_human(b, UINT64_MAX - 1), "18.4E");
}

static void
times_choose_their_unit(void **state)
{
	(void)state;
	assert_string_equal(figures_us(b, 0), "0 us");
	assert_string_equal(figures_us(b, 410), "410 us");
	assert_string_equal(figures_us(b, 999.7), "1.00 ms");
	assert_string_equal(figures_us(b, 4100), "4.10 ms");
	assert_string_equal(figures_us(b, 123456), "123 ms");
	assert_string_equal(figures_us(b, 2500000), "2.50 s");
}

static void
durations_are_said_in_words(void **state)
{
	(void)state;
	assert_string_equal(figures_duration(b, 12500000000), "12.5 s");
	assert_string_equal(figures_duration(b, 200000000000), "3 min 20 s");
	assert_string_equal(figures_duration(b, 7500000000000), "2 h 5 min");
	assert_string_equal(figures_duration(b,
	    (19 * 365 + 200) * INT64_C(86400000000000)), "19 y 200 d");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_that_fits_has_all_its_digits),
		cmocka_unit_test(a_count_that_does_not_fit_has_a_unit),
		cmocka_unit_test(no_count_is_wider_than_its_column),
		cmocka_unit_test(unknown_is_a_dash),
		cmocka_unit_test(a_real_gives_up_decimals_for_width),
		cmocka_unit_test(human_figures_have_three_digits),
		cmocka_unit_test(times_choose_their_unit),
		cmocka_unit_test(durations_are_said_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

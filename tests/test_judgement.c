/* SPDX-License-Identifier: ISC */
/*
 * test_judgement.c: the names of expectations and verdicts.
 */
#include "judgement.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
verdicts_are_named_as_in_the_json(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_IDLE), "idle");
	assert_string_equal(verdict_name(VERDICT_BURSTY), "bursty-underrun");
	assert_string_equal(expect_kind_name(EXPECT_MBPS), "MBps");
	assert_string_equal(expect_kind_name(EXPECT_PPS), "pps");
	assert_string_equal(expect_kind_name(EXPECT_WPS), "wps");
}

static void
bad_verdicts_cry_and_fit_their_column(void **state)
{
	enum verdict v;
	const char *text;

	(void)state;
	for (v = 0; v < VERDICTS; v++) {
		text = verdict_short(v);
		assert_true(strlen(text) <= 9);
		assert_int_equal(verdict_is_bad(v),
		    text[0] >= 'A' && text[0] <= 'Z');
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_are_named_as_in_the_json),
		cmocka_unit_test(bad_verdicts_cry_and_fit_their_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_about.c: the version is a line, and with all of it there is what a
 * report of a fault needs.
 */
#include "about.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
the_version_is_one_line(void **state)
{
	char *text = about_text("1.2.3", 0);

	(void)state;
	assert_string_equal(text, "nfsrated 1.2.3\n");
	free(text);
}

static void
with_all_of_it_libraries_and_kernel_are_told(void **state)
{
	static const char *const heads[] = {
		"nfsrated 1.2.3\n", "\nlibpcap ", "\nncurses ",
		"\nlibarchive ", "\njansson  ", "\nlibmicrohttpd ",
		"\nlibseccomp  ", "\nkernel  ", "\nlocale  ", "\nterminal  ",
		"\ncapture  "
	};
	char *text = about_text("1.2.3", 1);
	size_t i;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		assert_non_null(strstr(text, heads[i]));
	assert_int_equal(text[strlen(text) - 1], '\n');
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_version_is_one_line),
		cmocka_unit_test(with_all_of_it_libraries_and_kernel_are_told)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

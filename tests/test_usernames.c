/* SPDX-License-Identifier: ISC */
/*
 * test_usernames.c: names of user numbers.
 */
#include "usernames.h"

#include <pwd.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The first number that nobody has. */
static uint32_t
nobodys_number(void)
{
	uint32_t uid = 4000000;

	while (getpwuid(uid) != NULL)
		uid++;
	return uid;
}

static void
a_number_has_the_name_that_the_system_knows(void **state)
{
	struct usernames *u = usernames_new();

	(void)state;
	assert_non_null(u);
	assert_string_equal(usernames_find(u, 0), "root");
	assert_string_equal(usernames_find(u, 0), "root");
	usernames_free(u);
}

static void
who_has_no_name_has_none(void **state)
{
	struct usernames *u = usernames_new();
	uint32_t uid = nobodys_number();

	(void)state;
	assert_null(usernames_find(u, uid));
	assert_null(usernames_find(u, uid));
	usernames_free(u);
}

static void
frozen_it_knows_what_the_system_lists_and_no_more(void **state)
{
	struct usernames *u = usernames_new();

	(void)state;
	usernames_freeze(u);
	usernames_freeze(u);
	assert_string_equal(usernames_find(u, 0), "root");
	assert_null(usernames_find(u, nobodys_number()));
	usernames_free(u);
}

static void
more_numbers_than_it_remembers_do_no_harm(void **state)
{
	struct usernames *u = usernames_new();
	uint32_t i;

	(void)state;
	usernames_freeze(u);		/* so that nothing is looked up */
	for (i = 0; i < 3 * USERNAMES_MAX; i++)
		usernames_find(u, 5000000 + i);
	assert_string_equal(usernames_find(u, 0), "root");
	usernames_free(u);
	usernames_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_has_the_name_that_the_system_knows),
		cmocka_unit_test(who_has_no_name_has_none),
		cmocka_unit_test(
		    frozen_it_knows_what_the_system_lists_and_no_more),
		cmocka_unit_test(more_numbers_than_it_remembers_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

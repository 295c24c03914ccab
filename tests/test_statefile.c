/* SPDX-License-Identifier: ISC */
/* test_statefile.c: where state is kept. */
#include "statefile.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

static char top[] = "/tmp/nfsrated-state-XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	return mkdtemp(top) != NULL ? 0 : -1;
}

static void
the_directory_that_systemd_names_is_made_and_used(void **state)
{
	char dir[256], want[300], got[300];
	struct stat st;

	(void)state;
	snprintf(dir, sizeof(dir), "%s/a/b", top);
	setenv("STATE_DIRECTORY", dir, 1);
	assert_int_equal(statefile_path("learned", got, sizeof(got)), 0);
	snprintf(want, sizeof(want), "%s/learned", dir);
	assert_string_equal(got, want);
	assert_int_equal(stat(dir, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(statefile_path("learned", got, sizeof(got)), 0);
	rmdir(dir);
	dir[strlen(dir) - 2] = '\0';
	rmdir(dir);
	rmdir(top);
}

static void
a_path_without_room_is_refused(void **state)
{
	char got[16];

	(void)state;
	setenv("STATE_DIRECTORY", "/tmp", 1);
	assert_int_equal(statefile_path("a-long-file-name", got, sizeof(got)),
	    -1);
	setenv("STATE_DIRECTORY", "/proc/nonexistent/x", 1);
	assert_int_equal(statefile_path("x", got, sizeof(got)), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
		    the_directory_that_systemd_names_is_made_and_used, set_up),
		cmocka_unit_test(a_path_without_room_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

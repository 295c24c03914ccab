/* SPDX-License-Identifier: ISC */
/*
 * test_commits.c: bytes that wait for a COMMIT, by client and file.
 */
#include "commits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct addr one = { { 1 } }, two = { { 2 } };
static uint64_t forgotten;

static void
forgot(void *ctx, const struct addr *client, uint64_t bytes)
{
	(void)ctx;
	assert_true(addr_equal(client, &one));
	forgotten += bytes;
}

static struct commits *
fresh(uint32_t capacity)
{
	const struct commits_config config = { .capacity = capacity,
	    .forgot = forgot };
	struct commits *c = commits_new(&config);

	assert_non_null(c);
	forgotten = 0;
	return c;
}

static void
a_commit_of_all_ends_the_wait_of_the_oldest(void **state)
{
	struct commits *c = fresh(0);
	int64_t since = -1;

	(void)state;
	commits_unstable(c, &one, 7, 8192, 100);
	commits_unstable(c, &one, 7, 4096, 200);
	assert_int_equal(commits_stable(c, &one, 7, 0, &since), 12288);
	assert_int_equal(since, 100);
	/* nothing waits any more; what comes next waits from then on */
	assert_int_equal(commits_stable(c, &one, 7, 0, &since), 0);
	commits_unstable(c, &one, 7, 1, 300);
	assert_int_equal(commits_stable(c, &one, 7, 0, &since), 1);
	assert_int_equal(since, 300);
	commits_free(c);
}

static void
a_commit_of_a_part_leaves_the_rest(void **state)
{
	struct commits *c = fresh(0);
	int64_t since = -1;

	(void)state;
	commits_unstable(c, &one, 7, 10000, 100);
	assert_int_equal(commits_stable(c, &one, 7, 4000, &since), 4000);
	assert_int_equal(commits_stable(c, &one, 7, 7000, &since), 6000);
	assert_int_equal(since, 100);
	assert_int_equal(commits_stable(c, &one, 7, 1, &since), 0);
	commits_free(c);
}

static void
files_and_clients_wait_apart(void **state)
{
	struct commits *c = fresh(0);
	int64_t since = -1;

	(void)state;
	commits_unstable(c, &one, 7, 1, 100);
	commits_unstable(c, &two, 7, 2, 200);
	commits_unstable(c, &one, UINT64_C(7) << 32, 4, 300);
	assert_int_equal(commits_stable(c, &two, 7, 0, &since), 2);
	assert_int_equal(since, 200);
	assert_int_equal(commits_stable(c, &one, UINT64_C(7) << 32, 0,
	    &since), 4);
	assert_int_equal(commits_stable(c, &two, 8, 0, &since), 0);
	assert_int_equal(commits_stable(c, &one, 7, 0, &since), 1);
	commits_free(c);
}

static void
what_is_forgotten_is_told(void **state)
{
	struct commits *c = fresh(2);
	int64_t since = -1;

	(void)state;
	commits_unstable(c, &one, 1, 10, 100);
	commits_unstable(c, &one, 2, 20, 200);
	commits_unstable(c, &one, 1, 1, 300);
	commits_unstable(c, &one, 3, 40, 400);	/* no room: 2 is the oldest */
	assert_int_equal(forgotten, 20);
	commits_expire(c, 300);			/* too old: 1 */
	assert_int_equal(forgotten, 31);
	assert_int_equal(commits_stable(c, &one, 3, 0, &since), 40);
	assert_int_equal(forgotten, 31);
	commits_free(c);
}

static void
writes_of_nothing_wait_for_nothing(void **state)
{
	struct commits *c = fresh(0);
	int64_t since = -1;

	(void)state;
	commits_unstable(c, &one, 1, 0, 100);
	assert_int_equal(commits_stable(c, &one, 1, 0, &since), 0);
	assert_int_equal(since, -1);
	commits_free(c);
	commits_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_commit_of_all_ends_the_wait_of_the_oldest),
		cmocka_unit_test(a_commit_of_a_part_leaves_the_rest),
		cmocka_unit_test(files_and_clients_wait_apart),
		cmocka_unit_test(what_is_forgotten_is_told),
		cmocka_unit_test(writes_of_nothing_wait_for_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_toprows.c: the busiest clients, users and files seen so far.
 */
#include "toprows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct toprows *t;

static int
setup(void **state)
{
	(void)state;
	t = toprows_new();
	return t == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	toprows_free(t);
	return 0;
}

static void
put(uint32_t uid, uint64_t calls)
{
	const struct sample_user u = { .uid = uid, .t.total.calls = calls };

	toprows_user(t, &u, (int64_t)calls);
}

static void
a_row_put_again_replaces_the_earlier(void **state)
{
	const struct sample_user *u[4];

	(void)state;
	put(1, 10);
	put(2, 20);
	put(1, 30);
	assert_int_equal(toprows_users(t, u, 4), 2);
	assert_int_equal(u[0]->uid, 1);
	assert_true(u[0]->t.total.calls == 30);
	assert_int_equal(u[1]->uid, 2);
}

static void
only_as_many_as_asked_for_are_given_most_first(void **state)
{
	const struct sample_user *u[TOPROWS_MAX];
	uint32_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		put(i, 1 + i * 7919 % 1000);
	assert_int_equal(toprows_users(t, u, 3), 3);
	assert_true(u[0]->t.total.calls == 1000);
	assert_true(u[1]->t.total.calls == 999);
	assert_true(u[2]->t.total.calls == 998);
	assert_int_equal(toprows_users(t, u, 5000), TOPROWS_MAX);
	assert_int_equal(toprows_users(t, u, 0), 0);
}

static void
rows_without_traffic_are_left_out(void **state)
{
	const struct sample_client c = { .addr = { { 0 } } };
	const struct sample_file f = { .name = "named, never used" };
	const struct sample_client *cp[2];
	const struct sample_file *fp[2];

	(void)state;
	toprows_client(t, &c, 0);
	toprows_file(t, &f, 0);
	assert_int_equal(toprows_clients(t, cp, 2), 0);
	assert_int_equal(toprows_files(t, fp, 2), 0);
}

static void
files_rank_by_bytes(void **state)
{
	const struct sample_file a = { .fh_hash = 1, .t.total.calls = 9 };
	const struct sample_file b = { .fh_hash = 2, .t.total.calls = 1,
	    .t.total.read_bytes = 1 };
	const struct sample_file *f[2];

	(void)state;
	toprows_file(t, &a, 0);
	toprows_file(t, &b, 0);
	assert_int_equal(toprows_files(t, f, 2), 2);
	assert_true(f[0]->fh_hash == 2);
}

static void
cleared_is_empty(void **state)
{
	const struct sample_user *u[2];

	(void)state;
	put(1, 1);
	toprows_clear(t);
	assert_int_equal(toprows_users(t, u, 2), 0);
	put(2, 1);
	assert_int_equal(toprows_users(t, u, 2), 0);	/* all in the past */
	put(2, 2);
	assert_int_equal(toprows_users(t, u, 2), 1);
}

/* 100 calls, cleared, then 7 in its first interval and 3 in the next. */
static void
cleared_it_counts_from_there_on(void **state)
{
	struct sample_client c = { .addr = { { 1 } } };
	const struct sample_client *row[2];

	(void)state;
	c.t.total.calls = c.t.now.calls = 100;
	toprows_client(t, &c, 0);
	toprows_clear(t);
	c.t.now.calls = 7;
	c.t.total.calls = 107;
	toprows_client(t, &c, 1);
	assert_int_equal(toprows_clients(t, row, 2), 1);
	assert_int_equal(row[0]->t.total.calls, 7);
	c.t.now.calls = 3;
	c.t.total.calls = 110;
	toprows_client(t, &c, 2);
	assert_int_equal(toprows_clients(t, row, 2), 1);
	assert_int_equal(row[0]->t.total.calls, 10);
	/* It was forgotten where totals are kept, and began again there. */
	c.t.now.calls = c.t.total.calls = 4;
	toprows_client(t, &c, 3);
	assert_int_equal(toprows_clients(t, row, 2), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(a_row_put_again_replaces_the_earlier),
		CASE(only_as_many_as_asked_for_are_given_most_first),
		CASE(rows_without_traffic_are_left_out),
		CASE(files_rank_by_bytes),
		CASE(cleared_is_empty),
		CASE(cleared_it_counts_from_there_on),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

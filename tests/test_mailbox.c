/* SPDX-License-Identifier: ISC */
/*
 * test_mailbox.c: samples go from one thread to another in order, and what
 * finds no room is counted exactly.
 */
#include "mailbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include <cmocka.h>

#define MANY	3000

/* Samples are large: one for all cases, and one for the other thread. */
static struct sample given, taken;

static void
put(struct mailbox *m, uint64_t seq)
{
	given.seq = seq;
	mailbox_put(m, &given);
}

static bool
is_readable(struct mailbox *m)
{
	struct pollfd fd = { .fd = mailbox_fd(m), .events = POLLIN };

	return poll(&fd, 1, 0) == 1;
}

static void
expect_sample(struct mailbox *m, uint64_t seq, uint64_t lost)
{
	uint64_t n;

	assert_int_equal(mailbox_take(m, &taken, &n), MAILBOX_SAMPLE);
	assert_int_equal(taken.seq, seq);
	assert_int_equal(n, lost);
}

static void
samples_come_out_in_order(void **state)
{
	struct mailbox *m = mailbox_new();
	uint64_t lost;

	(void)state;
	assert_non_null(m);
	assert_int_equal(mailbox_take(m, &taken, &lost), MAILBOX_EMPTY);
	put(m, 1);
	put(m, 2);
	expect_sample(m, 1, 0);
	put(m, 3);
	expect_sample(m, 2, 0);
	expect_sample(m, 3, 0);
	assert_int_equal(mailbox_take(m, &taken, &lost), MAILBOX_EMPTY);
	mailbox_free(m);
}

static void
the_descriptor_is_readable_just_when_there_is_something(void **state)
{
	struct mailbox *m = mailbox_new();

	(void)state;
	assert_false(is_readable(m));
	put(m, 1);
	put(m, 2);
	assert_true(is_readable(m));
	expect_sample(m, 1, 0);
	assert_true(is_readable(m));
	expect_sample(m, 2, 0);
	assert_false(is_readable(m));
	mailbox_close(m);
	assert_true(is_readable(m));
	mailbox_free(m);
}

static void
a_full_mailbox_drops_the_oldest_and_counts_them(void **state)
{
	struct mailbox *m = mailbox_new();
	uint64_t i, lost;

	(void)state;
	for (i = 0; i < MAILBOX_SLOTS + 5; i++)
		put(m, i);
	expect_sample(m, 5, 5);
	/* The next ones follow without loss. */
	put(m, 1000);
	for (i = 6; i < MAILBOX_SLOTS + 5; i++)
		expect_sample(m, i, 0);
	expect_sample(m, 1000, 0);
	assert_int_equal(mailbox_take(m, &taken, &lost), MAILBOX_EMPTY);
	mailbox_free(m);
}

static void
what_was_put_before_closing_is_still_taken(void **state)
{
	struct mailbox *m = mailbox_new();
	uint64_t lost;

	(void)state;
	put(m, 7);
	mailbox_close(m);
	expect_sample(m, 7, 0);
	assert_int_equal(mailbox_take(m, &taken, &lost), MAILBOX_CLOSED);
	assert_int_equal(mailbox_take(m, &taken, &lost), MAILBOX_CLOSED);
	assert_true(is_readable(m));
	mailbox_free(m);
	mailbox_free(NULL);
}

static void *
put_many(void *ctx)
{
	static struct sample s;
	struct mailbox *m = ctx;
	uint64_t i;

	for (i = 0; i < MANY; i++) {
		s.seq = i;
		s.rpc_calls = ~i;
		mailbox_put(m, &s);
		if (i % 16 == 0)
			sched_yield();
	}
	mailbox_close(m);
	return NULL;
}

/* Taken and lost make all, whatever the threads' speeds; and none is torn. */
static void
two_threads_lose_no_count(void **state)
{
	struct mailbox *m = mailbox_new();
	struct pollfd fd = { .fd = mailbox_fd(m), .events = POLLIN };
	enum mailbox_result res;
	uint64_t next = 0, lost;
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, put_many, m), 0);
	for (;;) {
		res = mailbox_take(m, &taken, &lost);
		if (res == MAILBOX_CLOSED)
			break;
		if (res == MAILBOX_EMPTY) {
			assert_int_equal(poll(&fd, 1, 10000), 1);
			continue;
		}
		assert_int_equal(taken.seq, next + lost);
		assert_true(taken.rpc_calls == ~taken.seq);
		next = taken.seq + 1;
	}
	assert_int_equal(next, MANY);
	pthread_join(thread, NULL);
	mailbox_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_out_in_order),
		cmocka_unit_test(
		    the_descriptor_is_readable_just_when_there_is_something),
		cmocka_unit_test(
		    a_full_mailbox_drops_the_oldest_and_counts_them),
		cmocka_unit_test(what_was_put_before_closing_is_still_taken),
		cmocka_unit_test(two_threads_lose_no_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_runner.c: a command that is run again and again.
 */
#include "runner.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define MS	INT64_C(1000000)

static char heard[4096];

static void
on_line(void *ctx, const char *line)
{
	size_t used = strlen(heard);

	assert_ptr_equal(ctx, heard);
	snprintf(heard + used, sizeof(heard) - used, "%s\n", line);
}

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 * MS + ts.tv_nsec;
}

static struct runner *
new_runner(char *const *argv, int64_t timeout_ns)
{
	const struct runner_config config = { .argv = argv,
	    .timeout_ns = timeout_ns, .line = on_line, .ctx = heard };

	heard[0] = '\0';
	return runner_new(&config);
}

/* Until it has nothing to do, or for so long. */
static void
run(struct runner *r, int64_t limit_ns)
{
	const int64_t until = now_ns() + limit_ns;
	struct pollfd fd = { .events = POLLIN };

	while (runner_is_busy(r) && now_ns() < until) {
		runner_run(r, now_ns());
		fd.fd = runner_fd(r);
		poll(&fd, 1, runner_wait_ms(r, now_ns()) > 20 ? 20 : 0);
	}
}

static char *const echo[] = { (char[]){ "sh" }, (char[]){ "-c" },
    (char[]){ "echo $NFSRATED_A $NFSRATED_B; echo $PATH_X >&2; "
    "printf end" }, NULL };

static void
what_it_prints_comes_line_by_line(void **state)
{
	static const char facts[] = "NFSRATED_A=1 2\0NFSRATED_B=x;y";
	struct runner *r = new_runner(echo, 5000 * MS);

	(void)state;
	assert_int_equal(runner_wait_ms(r, 0), -1);
	runner_add(r, facts, sizeof(facts));
	assert_true(runner_is_busy(r));
	assert_int_equal(runner_wait_ms(r, 0), 0);
	run(r, 5000 * MS);
	assert_false(runner_is_busy(r));
	assert_non_null(strstr(heard, "]: 1 2 x;y\n"));
	assert_non_null(strstr(heard, "]: end\n"));
	assert_ptr_equal(strstr(heard, "sh["), heard);
	runner_free(r);
}

static void
only_facts_of_the_right_form_are_taken(void **state)
{
	static const char facts[] = "PATH=/bad\0NFSRATED_A=good\0"
	    "NFSRATED_B=a\nb\0NFSRATED_C";
	char *const show[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "echo \"$PATH:$NFSRATED_A:$NFSRATED_B:"
	    "${NFSRATED_C-unset}\"" }, NULL };
	struct runner *r = new_runner(show, 5000 * MS);

	(void)state;
	runner_add(r, facts, sizeof(facts));
	run(r, 5000 * MS);
	assert_non_null(strstr(heard, ":good::unset\n"));
	assert_null(strstr(heard, "/bad"));
	runner_free(r);
}

static void
one_runs_at_a_time_in_order(void **state)
{
	char *const slow[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "echo begin $NFSRATED_A; sleep 0.1; "
	    "echo end $NFSRATED_A" }, NULL };
	struct runner *r = new_runner(slow, 5000 * MS);
	char *one, *two;

	(void)state;
	runner_add(r, "NFSRATED_A=1", 13);
	runner_add(r, "NFSRATED_A=2", 13);
	run(r, 5000 * MS);
	one = strstr(heard, "end 1");
	two = strstr(heard, "begin 2");
	assert_non_null(one);
	assert_non_null(two);
	assert_true(one < two);
	assert_non_null(strstr(heard, "end 2"));
	runner_free(r);
}

static void
a_command_that_hangs_is_ended_with_all_it_started(void **state)
{
	char *const hang[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "sleep 1000 & sleep 1000" }, NULL };
	struct runner *r = new_runner(hang, 200 * MS);

	(void)state;
	runner_add(r, "", 0);
	run(r, 5000 * MS);
	assert_false(runner_is_busy(r));
	assert_non_null(strstr(heard, "took longer than 0 s and was ended"));
	runner_free(r);
}

static void
a_command_that_does_not_want_to_end_is_killed(void **state)
{
	char *const deaf[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "trap '' TERM; while :; do sleep 0.1; done" }, NULL };
	struct runner *r = new_runner(deaf, 200 * MS);
	int64_t begin = now_ns();

	(void)state;
	runner_add(r, "", 0);
	run(r, 6000 * MS);
	assert_false(runner_is_busy(r));
	assert_true(now_ns() - begin < 4000 * MS);
	runner_free(r);
}

static void
who_leaves_a_child_behind_is_not_waited_for(void **state)
{
	char *const leave[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "sleep 3 & echo gone" }, NULL };
	struct runner *r = new_runner(leave, 5000 * MS);
	int64_t begin = now_ns();

	(void)state;
	runner_add(r, "", 0);
	run(r, 5000 * MS);
	assert_true(now_ns() - begin < 2000 * MS);
	assert_non_null(strstr(heard, "]: gone\n"));
	runner_free(r);
}

static void
how_it_ends_is_told_when_it_is_no_success(void **state)
{
	char *const fail[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "exit $NFSRATED_N" }, NULL };
	char *const missing[] = { (char[]){ "/no/such/command" },
	    NULL };
	struct runner *r = new_runner(fail, 5000 * MS);

	(void)state;
	runner_add(r, "NFSRATED_N=3", 13);
	run(r, 5000 * MS);
	assert_non_null(strstr(heard, "ended with exit status 3"));
	heard[0] = '\0';
	runner_add(r, "NFSRATED_N=0", 13);
	run(r, 5000 * MS);
	assert_string_equal(heard, "");
	runner_free(r);
	r = new_runner(missing, 5000 * MS);
	runner_add(r, "", 0);
	run(r, 5000 * MS);
	assert_non_null(strstr(heard, "No such file"));
	assert_non_null(strstr(heard, "exit status 127"));
	runner_free(r);
}

static void
much_output_is_cut_off(void **state)
{
	char *const loud[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "i=0; while [ $i -lt 150 ]; do echo l; i=$((i+1)); "
	    "done; head -c 2000 /dev/zero | tr '\\0' x" }, NULL };
	struct runner *r = new_runner(loud, 5000 * MS);
	size_t lines = 0;
	const char *p;

	(void)state;
	runner_add(r, "", 0);
	run(r, 5000 * MS);
	for (p = heard; (p = strstr(p, "]: l\n")) != NULL; p++)
		lines++;
	assert_int_equal(lines, 100);
	assert_non_null(strstr(heard, " more lines\n"));
	runner_free(r);
}

static void
too_many_that_wait_lose_the_oldest(void **state)
{
	char *const quick[] = { (char[]){ "sh" }, (char[]){ "-c" },
	    (char[]){ "echo run $NFSRATED_A." }, NULL };
	struct runner *r = new_runner(quick, 5000 * MS);
	char fact[32];
	int i, len;

	(void)state;
	for (i = 0; i < RUNNER_QUEUE + 2; i++) {
		len = snprintf(fact, sizeof(fact), "NFSRATED_A=%d", i);
		runner_add(r, fact, (size_t)len + 1);
	}
	run(r, 9000 * MS);
	assert_null(strstr(heard, "run 0."));
	assert_null(strstr(heard, "run 1."));
	assert_non_null(strstr(heard, "run 2."));
	assert_non_null(strstr(heard, "sh is too slow: a run was left out"));
	runner_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_prints_comes_line_by_line),
		cmocka_unit_test(only_facts_of_the_right_form_are_taken),
		cmocka_unit_test(one_runs_at_a_time_in_order),
		cmocka_unit_test(
		    a_command_that_hangs_is_ended_with_all_it_started),
		cmocka_unit_test(
		    a_command_that_does_not_want_to_end_is_killed),
		cmocka_unit_test(who_leaves_a_child_behind_is_not_waited_for),
		cmocka_unit_test(how_it_ends_is_told_when_it_is_no_success),
		cmocka_unit_test(much_output_is_cut_off),
		cmocka_unit_test(too_many_that_wait_lose_the_oldest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

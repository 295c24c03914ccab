/* SPDX-License-Identifier: ISC */
/*
 * test_daemonize.c: the lifeline and the pid file.
 */
#include "daemonize.h"

#include <sys/types.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64], err[DAEMONIZE_ERROR_MAX];

/* What a process that goes into the background this way ends with. */
static int
status_of(int background)
{
	struct lifeline l;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (!lifeline_fork(&l, &status))
			_exit(status);
		if (background < 0)
			kill(getpid(), SIGKILL);
		if (background == 100) {	/* it runs */
			lifeline_ready(&l);
			_exit(3);
		}
		_exit(background);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
the_status_is_that_of_the_start(void **state)
{
	(void)state;
	assert_int_equal(status_of(100), 0);
	assert_int_equal(status_of(2), 2);
	assert_int_equal(status_of(1), 1);
	/* Whoever ends without a word has not started. */
	assert_int_equal(status_of(0), 1);
	assert_int_equal(status_of(-1), 1);
}

static void
the_background_is_a_session_of_its_own(void **state)
{
	struct lifeline l;
	int status, fds[2];
	pid_t pid, session[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (!lifeline_fork(&l, &status))
			_exit(status);
		session[0] = getsid(0);
		session[1] = getpid();
		lifeline_ready(&l);
		/* standard output is no more what it was */
		if (isatty(STDOUT_FILENO) || write(STDOUT_FILENO, "x", 1) !=
		    1 || write(fds[1], session, sizeof(session)) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(fds[0], session, sizeof(session)),
	    sizeof(session));
	assert_int_equal(session[0], session[1]);
	assert_int_not_equal(session[0], getsid(0));
	close(fds[0]);
	close(fds[1]);
}

static bool
file_goes(void)
{
	int i;

	for (i = 0; i < 500; i++) {
		if (access(path, F_OK) != 0)
			return true;
		usleep(10000);
	}
	return false;
}

static void
make_path(void)
{
	snprintf(path, sizeof(path), "/tmp/test_daemonize.%d.pid",
	    (int)getpid());
	unlink(path);
}

static void
a_pid_file_holds_the_number_and_goes_at_the_end(void **state)
{
	struct pidkeeper *k;
	char text[16], want[16];
	ssize_t n;
	int fd;

	(void)state;
	make_path();
	k = pidkeeper_open(path, err);
	assert_non_null(k);
	assert_int_equal(pidkeeper_write(k), 0);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	assert_true(n > 0);
	text[n] = '\0';
	snprintf(want, sizeof(want), "%d", (int)getpid());
	assert_string_equal(text, want);
	pidkeeper_close(k);
	assert_true(file_goes());
	pidkeeper_close(NULL);
}

static void
a_second_process_is_refused(void **state)
{
	struct pidkeeper *k;
	char want[128];
	int status;
	pid_t pid;

	(void)state;
	make_path();
	k = pidkeeper_open(path, err);
	assert_non_null(k);
	assert_int_equal(pidkeeper_write(k), 0);
	snprintf(want, sizeof(want), "%s: process %d runs already", path,
	    (int)getpid());
	pid = fork();
	if (pid == 0)
		_exit(pidkeeper_open(path, err) != NULL ||
		    strcmp(err, want) != 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	pidkeeper_close(k);
	assert_true(file_goes());
	assert_null(pidkeeper_open("/no/such/pid", err));
	assert_string_equal(err, "/no/such/pid: No such file or directory");
}

static void
the_file_goes_even_when_the_process_is_killed(void **state)
{
	int status, fds[2];
	char byte = 0;
	pid_t pid;

	(void)state;
	make_path();
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		struct pidkeeper *k = pidkeeper_open(path, err);

		if (k == NULL || pidkeeper_write(k) != 0 ||
		    write(fds[1], &byte, 1) != 1)
			_exit(1);
		pause();
	}
	assert_int_equal(read(fds[0], &byte, 1), 1);
	assert_int_equal(access(path, F_OK), 0);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(file_goes());
	close(fds[0]);
	close(fds[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_status_is_that_of_the_start),
		cmocka_unit_test(the_background_is_a_session_of_its_own),
		cmocka_unit_test(
		    a_pid_file_holds_the_number_and_goes_at_the_end),
		cmocka_unit_test(a_second_process_is_refused),
		cmocka_unit_test(
		    the_file_goes_even_when_the_process_is_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

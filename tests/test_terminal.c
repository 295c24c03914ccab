/* SPDX-License-Identifier: ISC */
/*
 * test_terminal.c: a terminal that is taken and put back: a pseudo-terminal
 * as standard output of a child, and its other end here.
 */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

static int master;
static char seen[200000];
static size_t seen_len;

/* Runs fn in a child on a terminal of 30 by 100; gives its exit status. */
static int
on_terminal(int (*fn)(void))
{
	struct winsize w = { .ws_row = 30, .ws_col = 100 };
	ssize_t n;
	pid_t pid;
	int status;

	seen_len = 0;
	pid = forkpty(&master, NULL, NULL, &w);
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(fn());
	while ((n = read(master, seen + seen_len, sizeof(seen) - seen_len -
	    1)) > 0)
		seen_len += (size_t)n;
	seen[seen_len] = '\0';
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(master);
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	    128 + WTERMSIG(status);
}

/* In the child. */
#define NEED(condition) do {					\
	if (!(condition)) {					\
		dprintf(STDOUT_FILENO, "line %d\n", __LINE__);	\
		return 1;					\
	}							\
} while (0)

static struct termios
modes(void)
{
	struct termios m;

	memset(&m, 0, sizeof(m));
	tcgetattr(STDOUT_FILENO, &m);
	return m;
}

static int
takes_and_gives_back(void)
{
	struct termios before = modes(), now;
	struct terminal *t = terminal_open();
	int rows = 0, cols = 0;

	NEED(t != NULL && !terminal_is_ours(t));
	now = modes();
	NEED(memcmp(&before, &now, sizeof(now)) == 0);
	NEED(terminal_enter(t) && terminal_is_ours(t));
	NEED((modes().c_lflag & (ICANON | ECHO)) == 0);
	NEED(terminal_size(t, &rows, &cols) && rows == 30 && cols == 100);
	NEED(terminal_write(t, "hello", 5) && terminal_pending(t) == 0);
	NEED(terminal_enter(t));		/* once more */
	NEED(!terminal_is_gone(t));
	terminal_leave(t);
	now = modes();
	NEED(memcmp(&before, &now, sizeof(now)) == 0);
	NEED(terminal_enter(t));
	terminal_close(t);
	now = modes();
	NEED(memcmp(&before, &now, sizeof(now)) == 0);
	return 0;
}

static void
it_is_left_as_it_was_found(void **state)
{
	(void)state;
	assert_int_equal(on_terminal(takes_and_gives_back), 0);
	assert_string_equal(seen, "hello");
}

static int
writes_more_than_it_takes(void)
{
	static char much[150000];
	struct terminal *t = terminal_open();
	struct pollfd p[TERMINAL_FDS];

	NEED(t != NULL && terminal_enter(t));
	memset(much, 'x', sizeof(much));
	NEED(terminal_write(t, much, sizeof(much)));
	terminal_poll(t, p);
	NEED((p[0].events & POLLOUT) != 0 || terminal_pending(t) == 0);
	while (terminal_pending(t) > 0) {
		terminal_poll(t, p);
		poll(p, TERMINAL_FDS, 1000);
		terminal_flush(t);
	}
	terminal_close(t);
	return 0;
}

static void
what_it_does_not_take_at_once_it_gets_later(void **state)
{
	(void)state;
	assert_int_equal(on_terminal(writes_more_than_it_takes), 0);
	assert_int_equal(seen_len, 150000);
}

static int
writes_to_standard_error(void)
{
	struct terminal *t = terminal_open();
	struct pollfd p[TERMINAL_FDS];

	NEED(t != NULL && terminal_enter(t));
	NEED(terminal_message(t) == NULL);
	dprintf(STDERR_FILENO, "one\ntwo\n");
	terminal_poll(t, p);
	NEED(poll(p + 2, 1, 1000) == 1);
	NEED(strcmp(terminal_message(t), "two\n") == 0);
	NEED(terminal_message(t) == NULL);
	terminal_write(t, "screen|", 7);
	terminal_close(t);
	dprintf(STDERR_FILENO, "three\n");
	return 0;
}

static void
messages_wait_until_it_is_put_back(void **state)
{
	(void)state;
	assert_int_equal(on_terminal(writes_to_standard_error), 0);
	assert_string_equal(seen, "screen|one\r\ntwo\r\nthree\r\n");
}

static int
gets_many_messages(void)
{
	struct terminal *t = terminal_open();
	int i;

	NEED(t != NULL && terminal_enter(t));
	for (i = 0; i < 100000; i++) {		/* also more than a pipe has */
		dprintf(STDERR_FILENO, "message %d\n", i);
		if (i > 50000)
			terminal_message(t);
	}
	terminal_close(t);
	return 0;
}

static void
of_many_messages_the_last_are_kept(void **state)
{
	(void)state;
	assert_int_equal(on_terminal(gets_many_messages), 0);
	assert_non_null(strstr(seen, "message 99999\r\n"));
	assert_true(seen_len < 2 * TERMINAL_MESSAGE_MAX);
}

static int
dies(void)
{
	struct terminal *t = terminal_open();

	NEED(t != NULL && terminal_enter(t));
	terminal_add_leaving(t, "<left>");
	dprintf(STDERR_FILENO, "last words\n");
	raise(SIGBUS);
	return 0;
}

static void
a_fault_puts_it_back_and_is_still_a_fault(void **state)
{
	(void)state;
	/* a sanitizer has a status of its own */
	assert_int_not_equal(on_terminal(dies), 0);
	assert_memory_equal(seen, "<left>last words\r\n", 18);
}

static int
is_resized(void)
{
	struct winsize w = { .ws_row = 5, .ws_col = 7 };
	struct terminal *t = terminal_open();
	struct pollfd p[TERMINAL_FDS];
	int rows, cols;

	NEED(t != NULL && terminal_enter(t));
	NEED(terminal_events(t) == 0);
	ioctl(STDOUT_FILENO, TIOCSWINSZ, &w);	/* sends SIGWINCH */
	terminal_poll(t, p);
	NEED(poll(p + 1, 1, 1000) == 1);
	NEED(terminal_events(t) == TERMINAL_RESIZED);
	NEED(terminal_events(t) == 0);
	NEED(terminal_size(t, &rows, &cols) && rows == 5 && cols == 7);
	raise(SIGCONT);
	raise(SIGTSTP);
	NEED(terminal_events(t) == (TERMINAL_STOP | TERMINAL_CONTINUED));
	terminal_close(t);
	return 0;
}

static void
signals_are_events(void **state)
{
	(void)state;
	assert_int_equal(on_terminal(is_resized), 0);
}

static int
gets_keys(void)
{
	struct terminal *t = terminal_open();
	char key = 0;

	NEED(t != NULL && terminal_enter(t));
	NEED(read(terminal_fd(t), &key, 1) == -1 && errno == EAGAIN);
	terminal_close(t);
	return 0;
}

static void
looking_for_keys_does_not_wait(void **state)
{
	(void)state;
	assert_int_equal(on_terminal(gets_keys), 0);
}

static void
without_a_terminal_there_is_none(void **state)
{
	int saved = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);
	pid_t pid;
	int status;

	(void)state;
	if ((pid = fork()) == 0) {
		setsid();			/* no /dev/tty either */
		dup2(null, STDOUT_FILENO);
		_exit(terminal_open() == NULL ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	close(saved);
	close(null);
	terminal_close(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_left_as_it_was_found),
		cmocka_unit_test(what_it_does_not_take_at_once_it_gets_later),
		cmocka_unit_test(messages_wait_until_it_is_put_back),
		cmocka_unit_test(of_many_messages_the_last_are_kept),
		cmocka_unit_test(a_fault_puts_it_back_and_is_still_a_fault),
		cmocka_unit_test(signals_are_events),
		cmocka_unit_test(looking_for_keys_does_not_wait),
		cmocka_unit_test(without_a_terminal_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_outstream.c: a stream that waits for a slow reader, and gives up.
 */
#include "outstream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct waiting {
	unsigned int	times;
	int		reader;		/* drained when there is no room */
};

static bool
wait_and_drain(void *ctx, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	struct waiting *w = ctx;
	char buf[4096];

	w->times++;
	if (poll(&p, 1, 0) == 1)
		return true;
	if (w->reader < 0)
		return false;
	assert_true(read(w->reader, buf, sizeof(buf)) > 0);
	return poll(&p, 1, 0) == 1;
}

static void
what_is_written_comes_out(void **state)
{
	struct waiting w = { 0 };
	char buf[100];
	int fds[2];
	FILE *f;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	w.reader = -1;
	f = outstream_open(fds[1], wait_and_drain, &w);
	assert_non_null(f);
	assert_int_equal(fputs("one row\n", f) < 0, 0);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(read(fds[0], buf, sizeof(buf)), 8);
	assert_memory_equal(buf, "one row\n", 8);
	assert_int_equal(w.times, 1);
	fclose(f);
	/* It is still the caller's. */
	assert_int_equal(write(fds[1], "x", 1), 1);
	close(fds[0]);
	close(fds[1]);
}

static void
a_full_pipe_is_waited_for(void **state)
{
	static char large[300 * 1000];
	struct waiting w = { 0 };
	int fds[2];
	FILE *f;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	w.reader = fds[0];
	f = outstream_open(fds[1], wait_and_drain, &w);
	assert_int_equal(fwrite(large, 1, sizeof(large), f), sizeof(large));
	assert_int_equal(fflush(f), 0);
	fclose(f);
	close(fds[0]);
	close(fds[1]);
}

static void
a_full_pipe_may_be_given_up(void **state)
{
	static char large[300 * 1000];
	struct waiting w = { 0 };
	unsigned int times;
	int fds[2];
	FILE *f;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	w.reader = -1;
	f = outstream_open(fds[1], wait_and_drain, &w);
	errno = 0;
	assert_true(fwrite(large, 1, sizeof(large), f) != sizeof(large) ||
	    fflush(f) == EOF);
	assert_int_equal(errno, ECANCELED);
	/* For ever: nobody waits again. */
	times = w.times;
	assert_true(fputs("more", f) == EOF || fflush(f) == EOF);
	fclose(f);
	assert_int_equal(w.times, times);
	close(fds[0]);
	close(fds[1]);
}

static void
a_closed_pipe_is_told_by_errno(void **state)
{
	struct waiting w = { 0 };
	int fds[2];
	FILE *f;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	w.reader = -1;
	close(fds[0]);
	f = outstream_open(fds[1], wait_and_drain, &w);
	fputs("row\n", f);
	assert_int_equal(fflush(f), EOF);
	assert_int_equal(errno, EPIPE);
	fclose(f);
	close(fds[1]);
}

static void
a_file_is_not_waited_for(void **state)
{
	char name[] = "/tmp/test_outstream.XXXXXX";
	struct waiting w = { 0 };
	int fd = mkstemp(name);
	FILE *f;

	(void)state;
	assert_true(fd >= 0);
	unlink(name);
	f = outstream_open(fd, wait_and_drain, &w);
	fputs("row\n", f);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(w.times, 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 4);
	fclose(f);
	close(fd);
}

static bool
wait_for_room(void *ctx, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	return ++*(unsigned int *)ctx < 100 && poll(&p, 1, 0) == 1;
}

/* Nobody reads the other end: a write of a page would never return. */
static void
a_terminal_that_stands_still_blocks_nobody(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave, i;
	unsigned int waits = 0;
	char page[4096];
	FILE *f;

	(void)state;
	assert_true(master >= 0);
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(slave >= 0);
	memset(page, 'x', sizeof(page));
	f = outstream_open(slave, wait_for_room, &waits);
	assert_non_null(f);
	alarm(20);
	for (i = 0; i < 1000 && !ferror(f); i++) {
		fwrite(page, 1, sizeof(page), f);
		fflush(f);
	}
	alarm(0);
	assert_true(ferror(f));
	assert_int_equal(fcntl(slave, F_GETFL) & O_NONBLOCK, 0);
	fclose(f);
	close(slave);
	close(master);
}

static void
a_full_disk_is_an_error(void **state)
{
	int fd = open("/dev/full", O_WRONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_true(outstream_write(fd, "", 0));
	assert_false(outstream_write(fd, "x", 1));
	assert_int_equal(errno, ENOSPC);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(a_terminal_that_stands_still_blocks_nobody),
		cmocka_unit_test(what_is_written_comes_out),
		cmocka_unit_test(a_full_pipe_is_waited_for),
		cmocka_unit_test(a_full_pipe_may_be_given_up),
		cmocka_unit_test(a_closed_pipe_is_told_by_errno),
		cmocka_unit_test(a_file_is_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_playnetstat.c: files and pipes of netstat's rows as intervals.
 */
#include "playnetstat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "log.h"
#include "packet.h"

static char path[64], err[PLAYNETSTAT_ERROR_MAX];
static struct seen {
	unsigned int	rows;
	uint64_t	packets, bytes;
	int64_t		first_ns, last_ns;
} seen;

static void
on_sample(void *ctx, const struct sample *s)
{
	assert_ptr_equal(ctx, &seen);
	if (seen.rows++ == 0)
		seen.first_ns = s->start_ns;
	seen.last_ns = s->start_ns;
	seen.packets += s->traffic[SAMPLE_IN].packets;
	seen.bytes += s->traffic[SAMPLE_IN].bytes;
}

static void
put_file(const char *text)
{
	int fd;

	snprintf(path, sizeof(path), "/tmp/test_playnetstat.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static struct playnetstat *
open_rows(const char *name)
{
	const struct playnetstat_config config = { .name = name,
	    .interval_ns = 2 * NSEC_PER_SEC, .sample = on_sample,
	    .ctx = &seen };

	memset(&seen, 0, sizeof(seen));
	return playnetstat_open(&config, err);
}

static const char rows[] =
    "            input          (em0)           output\n"
    "   packets  errs      bytes    packets  errs      bytes colls\n"
    "      8637     0   12293330       1440     0     291000     0\n"
    "       558     0    1542510         86     0      34340     0\n";

static void
a_file_counts_from_1970_by_its_interval(void **state)
{
	struct playnetstat *p;

	(void)state;
	put_file(rows);
	p = open_rows(path);
	unlink(path);
	assert_non_null(p);
	while (playnetstat_step(p))
		;
	assert_false(playnetstat_step(p));
	assert_null(playnetstat_error(p));
	assert_int_equal(seen.rows, 2);
	assert_int_equal(seen.packets, 8637 + 558);
	assert_int_equal(seen.bytes, 12293330 + 1542510);
	assert_true(seen.first_ns == 0);
	assert_true(seen.last_ns == 2 * NSEC_PER_SEC);
	playnetstat_close(p);
}

static void
a_file_without_rows_is_a_fault(void **state)
{
	struct playnetstat *p;
	char want[256];

	(void)state;
	put_file("hello\nworld\n");
	p = open_rows(path);
	unlink(path);
	assert_non_null(p);
	while (playnetstat_step(p))
		;
	snprintf(want, sizeof(want), "%s: has no rows of a BSD's netstat -w 1; "
	    "a capture is for --read, a log for --play", path);
	assert_string_equal(playnetstat_error(p), want);
	playnetstat_close(p);
}

static void
what_cannot_be_opened_is_told(void **state)
{
	(void)state;
	assert_null(open_rows("/no/such"));
	assert_string_equal(err, "/no/such: No such file or directory");
}

static void
a_pipe_counts_from_now(void **state)
{
	int fds[2], before = dup(STDIN_FILENO);
	struct playnetstat *p;
	int64_t now = (int64_t)time(NULL) * NSEC_PER_SEC;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], rows, strlen(rows)), strlen(rows));
	close(fds[1]);
	assert_int_equal(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
	close(fds[0]);
	p = open_rows("-");
	dup2(before, STDIN_FILENO);
	close(before);
	assert_non_null(p);
	while (playnetstat_step(p))
		;
	assert_int_equal(seen.rows, 2);
	assert_true(seen.first_ns >= now - 2 * NSEC_PER_SEC);
	assert_true(seen.first_ns <= now + 60 * NSEC_PER_SEC);
	playnetstat_close(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_counts_from_1970_by_its_interval),
		cmocka_unit_test(a_file_without_rows_is_a_fault),
		cmocka_unit_test(what_cannot_be_opened_is_told),
		cmocka_unit_test(a_pipe_counts_from_now),
	};

	log_open("test", LOG_TO_NOTHING, false);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

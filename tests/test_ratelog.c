/* SPDX-License-Identifier: ISC */
/*
 * test_ratelog.c: intervals appended to a file, whatever happens to it.
 */
#include "ratelog.h"

#include <sys/types.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <errno.h>
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

#include "jsonread.h"
#include "log.h"
#include "fullsample.h"

#define SECOND	INT64_C(1000000000)

static char dir[64], path[80], other[80], err[RATELOG_ERROR_MAX];

static int
make_directory(void **state)
{
	(void)state;
	log_open("test", LOG_TO_NOTHING, false);
	snprintf(dir, sizeof(dir), "/tmp/test_ratelog.XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/log", dir);
	snprintf(other, sizeof(other), "%s/log.1", dir);
	return 0;
}

static int
remove_directory(void **state)
{
	(void)state;
	unlink(path);
	unlink(other);
	return rmdir(dir);
}

static void
put_file(const char *name, const void *data, size_t len)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

/* The caller frees it. */
static char *
get_file(const char *name, size_t *len)
{
	struct stat st;
	char *text;
	int fd = open(name, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	text = malloc((size_t)st.st_size + 1);
	assert_non_null(text);
	assert_int_equal(read(fd, text, (size_t)st.st_size), st.st_size);
	close(fd);
	*len = (size_t)st.st_size;
	text[*len] = '\0';
	return text;
}

/* The seconds of the intervals in a file, as "1 2 3 lost:2 4". */
static void
assert_holds(const char *name, const char *want)
{
	static struct jsonread_record r;
	char got[256] = "", why[JSONREAD_ERROR_MAX];
	size_t len, used = 0;
	char *text = get_file(name, &len), *line = text, *end;

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
		switch (jsonread_line(line, (size_t)(end - line), &r, why)) {
		case JSONREAD_SECOND:
			used += (size_t)snprintf(got + used,
			    sizeof(got) - used, "%s%d", used > 0 ? " " : "",
			    (int)(r.sample.start_ns / SECOND));
			break;
		case JSONREAD_LOST:
			used += (size_t)snprintf(got + used,
			    sizeof(got) - used, "%slost:%d",
			    used > 0 ? " " : "", (int)r.lost);
			break;
		case JSONREAD_EPISODE:
			used += (size_t)snprintf(got + used,
			    sizeof(got) - used, " episode");
			break;
		default:
			used += (size_t)snprintf(got + used,
			    sizeof(got) - used, "%sbad", used > 0 ? " " : "");
		}
	if (line[0] != '\0')
		snprintf(got + used, sizeof(got) - used, " torn");
	free(text);
	assert_string_equal(got, want);
}

static void
put_second(struct sink *s, int second)
{
	static struct sample sample;

	fullsample_writes(&sample, second * SECOND, 100);
	assert_int_equal(sink_sample(s, &sample, NULL), 0);
}

static struct sink *
open_log(void)
{
	struct sink *s = ratelog_new(path, ratelog_open_file, NULL, err);

	assert_non_null(s);
	return s;
}

static void
every_interval_is_a_line_at_once(void **state)
{
	struct episode e = { .kind = VERDICT_STALL, .start_ns = SECOND };
	struct sink *s = open_log();

	(void)state;
	put_second(s, 1);
	assert_holds(path, "1");
	put_second(s, 2);
	assert_int_equal(sink_episode(s, &e), 0);
	assert_holds(path, "1 2 episode");
	sink_close(s);
	/* A new start appends. */
	s = open_log();
	put_second(s, 3);
	assert_holds(path, "1 2 episode 3");
	sink_close(s);
}

static void
a_renamed_log_is_left_by_reopening(void **state)
{
	struct sink *s = open_log();

	(void)state;
	put_second(s, 1);
	assert_int_equal(rename(path, other), 0);
	put_second(s, 2);
	assert_holds(other, "1 2");
	assert_int_equal(sink_reopen(s), 0);
	put_second(s, 3);
	assert_holds(other, "1 2");
	assert_holds(path, "3");
	sink_close(s);
}

static void
a_log_that_was_cut_to_nothing_goes_on_at_its_start(void **state)
{
	struct sink *s = open_log();

	(void)state;
	put_second(s, 1);
	put_second(s, 2);
	assert_int_equal(truncate(path, 0), 0);
	put_second(s, 3);
	assert_holds(path, "3");
	sink_close(s);
}

static void
a_log_that_cannot_be_reopened_is_written_on(void **state)
{
	struct sink *s = open_log();

	(void)state;
	put_second(s, 1);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_int_equal(sink_reopen(s), 0);
	put_second(s, 2);
	assert_int_equal(rmdir(path), 0);
	assert_holds(other, "1 2");
	assert_int_equal(ratelog_lost(s), 0);
	sink_close(s);
}

static void
what_cannot_be_opened_at_first_is_told(void **state)
{
	(void)state;
	assert_null(ratelog_new("/no/such/log", ratelog_open_file, NULL,
	    err));
	assert_string_equal(err, "/no/such/log: its directory is not there; "
	    "make it first");
}

/* A torn second line, cut after so many bytes. */
static void
tear(size_t keep)
{
	struct sink *s;
	struct stat st;
	off_t first;

	unlink(path);
	s = open_log();
	put_second(s, 1);
	assert_int_equal(stat(path, &st), 0);
	first = st.st_size;
	put_second(s, 2);
	sink_close(s);
	assert_int_equal(truncate(path, first + (off_t)keep), 0);
}

static void
a_torn_last_line_is_cut_off_wherever_it_was_torn(void **state)
{
	struct sink *s;
	size_t keep;

	(void)state;
	for (keep = 0; keep < 1500; keep += keep < 20 ? 1 : 97) {
		tear(keep);
		s = open_log();
		put_second(s, 3);
		sink_close(s);
		assert_holds(path, "1 3");
	}
}

static void
zeros_of_a_power_failure_are_cut_off(void **state)
{
	struct sink *s;
	struct stat st;

	(void)state;
	tear(0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size + 5000), 0);
	s = open_log();
	put_second(s, 3);
	sink_close(s);
	assert_holds(path, "1 3");
}

static void
the_last_line_of_another_file_is_left_and_ended(void **state)
{
	static const char text[] = "root:x:0:0:root:/root:/bin/bash";
	struct sink *s;
	char *got;
	size_t len;

	(void)state;
	put_file(path, text, strlen(text));
	s = open_log();
	put_second(s, 1);
	sink_close(s);
	got = get_file(path, &len);
	assert_int_equal(strncmp(got, text, strlen(text)), 0);
	assert_int_equal(got[strlen(text)], '\n');
	free(got);
	assert_holds(path, "bad 1");
}

static void
a_capture_or_a_packed_file_is_refused_and_left_as_it_is(void **state)
{
	static const char *const heads[] = {
		"\xd4\xc3\xb2\xa1 pcap", "\x0a\x0d\x0d\x0a pcapng",
		"\x1f\x8b gzip", "\x28\xb5\x2f\xfd zstd"
	};
	char *got, want[256];
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		put_file(path, heads[i], strlen(heads[i]));
		assert_null(ratelog_new(path, ratelog_open_file, NULL, err));
		snprintf(want, sizeof(want), "%s: is a capture or packed, not "
		    "text that a log can be appended to; name another file",
		    path);
		assert_string_equal(err, want);
		got = get_file(path, &len);
		assert_string_equal(got, heads[i]);
		free(got);
	}
}

static void
a_very_long_last_line_is_ended(void **state)
{
	size_t len = 3 * 1024 * 1024;
	char *text = malloc(len);
	struct sink *s;
	struct stat st;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', len);
	put_file(path, text, len);
	free(text);
	s = open_log();
	put_second(s, 1);
	sink_close(s);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size > (off_t)len);
}

static void
set_limit(rlim_t bytes)
{
	struct rlimit l;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &l), 0);
	l.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

/* RLIMIT_FSIZE gives short writes and then errors, as a full disk does. */
static void
a_full_disk_loses_counted_intervals_and_no_half_ones(void **state)
{
	struct sink *s = open_log();
	struct stat st;
	int i;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	put_second(s, 1);
	put_second(s, 2);
	assert_int_equal(stat(path, &st), 0);
	set_limit((rlim_t)st.st_size + 700);
	for (i = 3; i < 8; i++)
		put_second(s, i);
	assert_holds(path, "1 2");
	assert_int_equal(ratelog_lost(s), 5);
	set_limit(RLIM_INFINITY);
	put_second(s, 8);
	put_second(s, 9);
	assert_holds(path, "1 2 lost:5 8 9");
	assert_int_equal(ratelog_lost(s), 5);
	/* A second time it tells the new ones only. */
	assert_int_equal(stat(path, &st), 0);
	set_limit((rlim_t)st.st_size);
	put_second(s, 10);
	set_limit(RLIM_INFINITY);
	put_second(s, 11);
	assert_holds(path, "1 2 lost:5 8 9 lost:1 11");
	sink_close(s);
}

static int
open_pipe(void *ctx, const char *name)
{
	int *fd = ctx;

	(void)name;
	return *fd;
}

static void
part_of_a_line_that_cannot_be_taken_back_is_ended(void **state)
{
	char text[65536], why[JSONREAD_ERROR_MAX];
	static struct jsonread_record r;
	int fds[2], i;
	struct sink *s;
	ssize_t n;
	char *line;

	(void)state;
	assert_int_equal(pipe2(fds, O_NONBLOCK), 0);
	assert_true(fcntl(fds[1], F_SETPIPE_SZ, 8192) >= 0);
	s = ratelog_new("pipe", open_pipe, &fds[1], err);
	assert_non_null(s);
	for (i = 1; i < 20; i++)
		put_second(s, i);
	assert_true(ratelog_lost(s) > 0);
	n = read(fds[0], text, sizeof(text));
	put_second(s, 20);
	n += read(fds[0], text + n, sizeof(text) - (size_t)n);
	assert_true(n > 0);
	text[n - 1] = '\0';		/* the last newline */
	line = strrchr(text, '\n') + 1;
	assert_int_equal(jsonread_line(line, strlen(line), &r, why),
	    JSONREAD_SECOND);
	assert_true(r.sample.start_ns == 20 * SECOND);
	assert_non_null(strstr(text, "\"type\":\"lost\""));
	sink_close(s);
	close(fds[0]);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, make_directory, \
	    remove_directory)
	const struct CMUnitTest tests[] = {
		CASE(every_interval_is_a_line_at_once),
		CASE(a_renamed_log_is_left_by_reopening),
		CASE(a_log_that_was_cut_to_nothing_goes_on_at_its_start),
		CASE(a_log_that_cannot_be_reopened_is_written_on),
		CASE(what_cannot_be_opened_at_first_is_told),
		CASE(a_torn_last_line_is_cut_off_wherever_it_was_torn),
		CASE(zeros_of_a_power_failure_are_cut_off),
		CASE(the_last_line_of_another_file_is_left_and_ended),
		CASE(a_capture_or_a_packed_file_is_refused_and_left_as_it_is),
		CASE(a_very_long_last_line_is_ended),
		CASE(a_full_disk_loses_counted_intervals_and_no_half_ones),
		CASE(part_of_a_line_that_cannot_be_taken_back_is_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

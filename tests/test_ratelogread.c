/* SPDX-License-Identifier: ISC */
/*
 * test_ratelogread.c: a rate log as a list of lines.
 */
#include "ratelogread.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "jsonlog.h"
#include "fullsample.h"

#define SECOND	INT64_C(1000000000)
#define DAY	86400

static char path[64], err[RATELOGREAD_ERROR_MAX];
static const struct jsonread_record *record;

static int
make_name(void **state)
{
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/test_ratelogread.XXXXXX");
	if ((fd = mkstemp(path)) < 0)
		return -1;
	return close(fd);
}

static int
remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void
append(const char *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

static void
append_second(int second)
{
	struct textbuf t = { 0 };
	struct sample s;

	fullsample_writes(&s, second * SECOND, 10);
	jsonlog_second(&t, &s, NULL);
	append(t.data, t.len);
	textbuf_free(&t);
}

static struct ratelogread *
open_log(void)
{
	struct ratelogread *r = ratelogread_open(path, NULL, NULL, err);

	if (r == NULL)
		fail_msg("%s", err);
	return r;
}

static void
lines_are_read_in_any_order(void **state)
{
	struct ratelogread *r;
	int i;

	(void)state;
	for (i = 0; i < 5; i++)
		append_second(i);
	r = open_log();
	assert_int_equal(ratelogread_lines(r), 5);
	assert_int_equal(ratelogread_torn(r), 0);
	for (i = 4; i >= 0; i--) {
		assert_int_equal(ratelogread_line(r, (uint64_t)i, &record,
		    err), JSONREAD_SECOND);
		assert_true(record->sample.start_ns == i * SECOND);
	}
	ratelogread_close(r);
}

static void
an_empty_log_has_no_lines(void **state)
{
	struct ratelogread *r;

	(void)state;
	r = open_log();
	assert_int_equal(ratelogread_lines(r), 0);
	assert_int_equal(ratelogread_find(r, 5), 0);
	ratelogread_close(r);
}

static void
a_torn_last_line_is_no_line(void **state)
{
	struct ratelogread *r;

	(void)state;
	append_second(1);
	append("{\"type\":\"sec", 12);
	r = open_log();
	assert_int_equal(ratelogread_lines(r), 1);
	assert_int_equal(ratelogread_torn(r), 12);
	ratelogread_close(r);
}

static void
a_bad_line_is_told_with_its_number(void **state)
{
	char want[256];
	struct ratelogread *r;

	(void)state;
	append_second(1);
	append("rubbish\n\n", 9);
	append("{\"type\":\"new\"}\n", 15);
	append_second(2);
	r = open_log();
	assert_int_equal(ratelogread_lines(r), 5);
	assert_int_equal(ratelogread_line(r, 1, &record, err), JSONREAD_BAD);
	snprintf(want, sizeof(want), "%s: line 2: is no JSON", path);
	assert_int_equal(strncmp(err, want, strlen(want)), 0);
	assert_int_equal(ratelogread_line(r, 2, &record, err), JSONREAD_BAD);
	assert_int_equal(ratelogread_line(r, 3, &record, err),
	    JSONREAD_OTHER);
	assert_int_equal(ratelogread_line(r, 4, &record, err),
	    JSONREAD_SECOND);
	ratelogread_close(r);
}

static void
another_file_is_no_log(void **state)
{
	char want[256];

	(void)state;
	append("root:x:0:0\n", 11);
	assert_null(ratelogread_open(path, NULL, NULL, err));
	snprintf(want, sizeof(want), "%s: is no rate log, as --log writes "
	    "it; a capture is for --read", path);
	assert_string_equal(err, want);
	assert_null(ratelogread_open("/no/such", NULL, NULL, err));
	assert_string_equal(err, "/no/such: No such file or directory");
	assert_null(ratelogread_open("/tmp", NULL, NULL, err));
	assert_string_equal(err, "/tmp: is a directory");
}

static void
an_endless_line_is_passed_over(void **state)
{
	char *text = malloc(2 * 1024 * 1024);
	struct ratelogread *r;

	(void)state;
	assert_non_null(text);
	append_second(1);
	memset(text, ' ', 2 * 1024 * 1024);
	append(text, 2 * 1024 * 1024);
	free(text);
	append("\n", 1);
	append_second(2);
	r = open_log();
	assert_int_equal(ratelogread_lines(r), 3);
	assert_int_equal(ratelogread_line(r, 1, &record, err), JSONREAD_BAD);
	assert_non_null(strstr(err, "line 2: is too long"));
	assert_int_equal(ratelogread_line(r, 2, &record, err),
	    JSONREAD_SECOND);
	ratelogread_close(r);
}

static void
lines_that_come_later_are_found(void **state)
{
	struct ratelogread *r;

	(void)state;
	append_second(1);
	append("{\"type\":", 8);
	r = open_log();
	assert_int_equal(ratelogread_lines(r), 1);
	append("\"x\"}\n", 5);
	append_second(2);
	assert_int_equal(ratelogread_more(r), 3);
	assert_int_equal(ratelogread_line(r, 1, &record, err),
	    JSONREAD_OTHER);
	assert_int_equal(ratelogread_line(r, 2, &record, err),
	    JSONREAD_SECOND);
	assert_int_equal(ratelogread_more(r), 3);
	ratelogread_close(r);
}

static void
a_log_that_is_cut_while_it_is_read_has_bad_lines(void **state)
{
	struct ratelogread *r;

	(void)state;
	append_second(1);
	append_second(2);
	r = open_log();
	assert_int_equal(truncate(path, 10), 0);
	assert_int_equal(ratelogread_line(r, 0, &record, err), JSONREAD_BAD);
	assert_int_equal(ratelogread_line(r, 1, &record, err), JSONREAD_BAD);
	ratelogread_close(r);
}

static void
a_time_is_found_among_other_lines(void **state)
{
	struct ratelogread *r;
	int i;

	(void)state;
	for (i = 10; i < 50; i += 2) {
		append_second(i);
		append("{\"type\":\"episode\"}\n", 19);
	}
	r = open_log();
	for (i = 0; i < 60; i++) {
		uint64_t line = ratelogread_find(r, i * SECOND);
		int want = i < 10 ? 10 : i + i % 2;

		if (want >= 50) {
			assert_int_equal(line, 40);
			continue;
		}
		assert_int_equal(ratelogread_line(r, line, &record, err),
		    JSONREAD_SECOND);
		assert_true(record->sample.start_ns == want * SECOND);
	}
	ratelogread_close(r);
}

static void
a_compressed_log_is_read_as_well(void **state)
{
	char command[400];
	struct ratelogread *r;
	int i;

	(void)state;
	for (i = 0; i < 50; i++)
		append_second(i);
	snprintf(command, sizeof(command), "gzip -c %s >%s.gz && mv %s.gz %s",
	    path, path, path, path);
	if (system(command) != 0)
		skip();
	r = open_log();
	assert_int_equal(ratelogread_lines(r), 50);
	assert_int_equal(ratelogread_line(r, 49, &record, err),
	    JSONREAD_SECOND);
	assert_true(record->sample.start_ns == 49 * SECOND);
	ratelogread_close(r);
}

/* Lines of 2.5 KB, as a busy second has. */
static void
a_days_log_is_all_there(void **state)
{
	struct textbuf t = { 0 };
	struct ratelogread *r;
	struct sample s;
	FILE *f;
	int i;

	(void)state;
	fullsample_fill(&s, 1, 0);
	jsonlog_second(&t, &s, NULL);
	f = fopen(path, "w");
	assert_non_null(f);
	for (i = 0; i < DAY; i++)
		assert_int_equal(fwrite(t.data, 1, t.len, f), t.len);
	assert_int_equal(fclose(f), 0);
	r = open_log();
	assert_int_equal(ratelogread_lines(r), DAY);
	assert_int_equal(ratelogread_line(r, DAY - 1, &record, err),
	    JSONREAD_SECOND);
	ratelogread_close(r);
	textbuf_free(&t);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, make_name, remove_file)
	const struct CMUnitTest tests[] = {
		CASE(lines_are_read_in_any_order),
		CASE(an_empty_log_has_no_lines),
		CASE(a_torn_last_line_is_no_line),
		CASE(a_bad_line_is_told_with_its_number),
		CASE(another_file_is_no_log),
		CASE(an_endless_line_is_passed_over),
		CASE(lines_that_come_later_are_found),
		CASE(a_log_that_is_cut_while_it_is_read_has_bad_lines),
		CASE(a_time_is_found_among_other_lines),
		CASE(a_compressed_log_is_read_as_well),
		CASE(a_days_log_is_all_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

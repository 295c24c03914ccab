/* SPDX-License-Identifier: ISC */
/*
 * test_sink.c: text and JSON to a file.
 */
#include "sink.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SEC	INT64_C(1000000000)

static struct sample s;
static char *out;
static size_t out_len;
static FILE *file;
static const struct view_options view = { .interval_ns = SEC,
    .source = "eth0" };

static int
setup(void **state)
{
	(void)state;
	file = open_memstream(&out, &out_len);
	sample_clear(&s);
	s.length_ns = s.watched_ns = SEC;
	return file == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	fclose(file);
	free(out);
	return 0;
}

static unsigned int
lines_with(const char *text)
{
	unsigned int n = 0;
	const char *p;

	for (p = out; (p = strstr(p, text)) != NULL; p++)
		n++;
	return n;
}

static void
the_banner_comes_again_every_21_rows(void **state)
{
	struct sink *k = sink_text_new(file, &view, false);
	int i;

	(void)state;
	for (i = 0; i < 21; i++)
		assert_int_equal(sink_sample(k, &s, NULL), 0);
	assert_int_equal(lines_with("input (nfs eth0)"), 1);
	assert_int_equal(lines_with("\n"), 23);
	sink_sample(k, &s, NULL);
	assert_int_equal(lines_with("input (nfs eth0)"), 2);
	sink_close(k);
}

static void
each_row_is_there_when_it_was_given(void **state)
{
	struct sink *k = sink_text_new(file, &view, false);
	size_t before;

	(void)state;
	sink_sample(k, &s, NULL);
	before = out_len;
	assert_true(before > 0);
	assert_int_equal(out[out_len - 1], '\n');
	sink_sample(k, &s, NULL);
	assert_true(out_len > before);
	sink_close(k);
}

static void
text_ends_with_a_report_if_it_is_asked_for(void **state)
{
	struct totals *t = totals_new();
	struct sink *k = sink_text_new(file, &view, false);

	(void)state;
	assert_int_equal(sink_finish(k, t, NULL, 0), 0);
	fflush(file);
	assert_int_equal(out_len, 0);
	sink_close(k);
	k = sink_text_new(file, &view, true);
	assert_int_equal(sink_finish(k, t, NULL, 0), 0);
	assert_int_equal(lines_with("nfsrated report: eth0"), 1);
	sink_close(k);
	totals_free(t);
}

static void
json_is_a_line_for_each(void **state)
{
	const struct episode e = { .kind = VERDICT_STALL };
	struct totals *t = totals_new();
	struct sink *k = sink_json_new(file);

	(void)state;
	assert_int_equal(sink_sample(k, &s, NULL), 0);
	assert_int_equal(sink_episode(k, &e), 0);
	assert_int_equal(sink_reopen(k), 0);
	assert_int_equal(sink_finish(k, t, NULL, 0), 0);
	assert_int_equal(lines_with("\n"), 3);
	assert_int_equal(lines_with("{\"type\":\"second\""), 1);
	assert_int_equal(lines_with("{\"type\":\"episode\""), 1);
	assert_int_equal(lines_with("{\"type\":\"summary\""), 1);
	sink_close(k);
	totals_free(t);
}

static void
what_cannot_be_written_is_said(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	struct sink *k;

	(void)state;
	if (full == NULL)
		skip();
	k = sink_json_new(full);
	assert_int_equal(sink_sample(k, &s, NULL), -1);
	assert_int_equal(errno, ENOSPC);
	sink_close(k);
	fclose(full);
}

static void
text_has_no_rows_for_episodes(void **state)
{
	const struct episode e = { .kind = VERDICT_STALL };
	struct sink *k = sink_text_new(file, &view, false);

	(void)state;
	assert_int_equal(sink_episode(k, &e), 0);
	fflush(file);
	assert_int_equal(out_len, 0);
	sink_close(k);
	sink_close(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(the_banner_comes_again_every_21_rows),
		CASE(each_row_is_there_when_it_was_given),
		CASE(text_ends_with_a_report_if_it_is_asked_for),
		CASE(json_is_a_line_for_each),
		CASE(what_cannot_be_written_is_said),
		CASE(text_has_no_rows_for_episodes),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_exporter.c: metrics as an output: when its file is written, and what
 * becomes of one that cannot be.
 */
#include "exporter.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "log.h"
#include "loadkit.h"

static struct totals *totals;
static struct exporter *exporter;
static FILE *file;
static unsigned int created, committed, warnings;
static bool refuse;
static char text[256 * 1024];

static int
create(void *ctx)
{
	assert_ptr_equal(ctx, &created);
	if (refuse) {
		errno = EACCES;
		return -1;
	}
	created++;
	if (file != NULL)
		fclose(file);
	file = tmpfile();
	return dup(fileno(file));
}

static int
commit(void *ctx)
{
	size_t n;

	assert_ptr_equal(ctx, &created);
	committed++;
	rewind(file);
	n = fread(text, 1, sizeof(text) - 1, file);
	text[n] = '\0';
	return 0;
}

static void
on_message(void *ctx, int priority, const char *line)
{
	(void)ctx;
	(void)priority;
	warnings += strstr(line, "cannot be written: Permission denied") !=
	    NULL;
}

static int
setup(void **state)
{
	char err[EXPORTER_ERROR_MAX];

	(void)state;
	totals = totals_new();
	const struct exporter_config config = { .create = create,
	    .commit = commit, .ctx = &created, .source = "eth0",
	    .interval_ns = LOADKIT_NS, .totals = totals };

	created = committed = warnings = 0;
	refuse = false;
	log_call("test", false, on_message, NULL);
	exporter = exporter_open(&config, err);
	return exporter == NULL || exporter_start(exporter, err) != 0;
}

static int
teardown(void **state)
{
	(void)state;
	sink_close(exporter_sink(exporter));
	totals_free(totals);
	if (file != NULL)
		fclose(file);
	file = NULL;
	return 0;
}

static void
second(int n)
{
	static struct sample s;

	loadkit_writes(&s, n, 10, 50);
	totals_add(totals, &s);
	assert_int_equal(sink_sample(exporter_sink(exporter), &s, NULL), 0);
}

static void
the_file_is_written_at_first_and_at_the_end(void **state)
{
	int n;

	(void)state;
	for (n = 0; n < 100; n++)
		second(n);
	assert_int_equal(committed, 1);
	assert_non_null(strstr(text, "\nnfsrated_rpc_calls_total 10\n"));
	assert_int_equal(sink_finish(exporter_sink(exporter), totals, NULL,
	    0), 0);
	assert_int_equal(committed, 2);
	assert_int_equal(created, 2);
	assert_non_null(strstr(text, "\nnfsrated_rpc_calls_total 1000\n"));
	assert_non_null(strstr(text, "\nnfsrated_source_up 0\n"));
}

static void
a_file_that_cannot_be_written_is_told_once_and_harms_nothing(void **state)
{
	(void)state;
	refuse = true;
	second(0);
	exporter_ended(exporter);
	exporter_ended(exporter);
	assert_int_equal(warnings, 1);
	refuse = false;
	exporter_ended(exporter);
	refuse = true;
	exporter_ended(exporter);
	assert_int_equal(warnings, 2);
	assert_int_equal(committed, 1);
}

static void
without_an_address_nothing_listens(void **state)
{
	(void)state;
	assert_false(exporter_serves(exporter));
	assert_int_equal(exporter_port(exporter), 0);
}

static void
an_address_that_is_not_ours_is_an_error(void **state)
{
	const struct exporter_config config = { .listen = "192.0.2.1:0",
	    .source = "eth0", .interval_ns = LOADKIT_NS, .totals = totals };
	char err[EXPORTER_ERROR_MAX];

	(void)state;
	assert_null(exporter_open(&config, err));
	assert_string_equal(err,
	    "metrics: 192.0.2.1:0: Cannot assign requested address");
}

static void
episodes_and_losses_are_told(void **state)
{
	const struct episode e = { .kind = VERDICT_STALL, .start_ns = 1 };

	(void)state;
	sink_episode(exporter_sink(exporter), &e);
	exporter_lost(exporter, 4);
	second(0);
	assert_non_null(strstr(text,
	    "\nnfsrated_episode_active{kind=\"stall\"} 1\n"));
	assert_non_null(strstr(text,
	    "\nnfsrated_flawed_intervals_total{flaw=\"lost\"} 4\n"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_file_is_written_at_first_and_at_the_end),
		CASE(
		a_file_that_cannot_be_written_is_told_once_and_harms_nothing),
		CASE(without_an_address_nothing_listens),
		CASE(an_address_that_is_not_ours_is_an_error),
		CASE(episodes_and_losses_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

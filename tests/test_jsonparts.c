/* SPDX-License-Identifier: ISC */
/*
 * test_jsonparts.c: objects that records have in common.
 */
#include "jsonparts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct sample s;
static struct textbuf t;
static struct jsonout j;
static const struct jsonparts from = { .sample = &s };

static int
setup(void **state)
{
	(void)state;
	sample_clear(&s);
	j = (struct jsonout){ .text = &t };
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	textbuf_free(&t);
	return 0;
}

static void
errs_are_left_out_where_there_are_none(void **state)
{
	const struct sample_traffic tr = { 1, 2, 3, 4, SAMPLE_UNKNOWN };

	(void)state;
	jsonparts_traffic(&j, "in", &tr, true);
	jsonparts_traffic(&j, "other", &tr, false);
	assert_string_equal(t.data, "\"in\":{\"packets\":1,"
	    "\"wire_packets\":2,\"bytes\":3,\"wire_bytes\":4,\"errs\":null},"
	    "\"other\":{\"packets\":1,\"wire_packets\":2,\"bytes\":3,"
	    "\"wire_bytes\":4}");
}

static void
what_was_not_timed_is_null(void **state)
{
	const struct sample_part p = { 0 };

	(void)state;
	jsonparts_latency(&j, "l", &from, SAMPLE_READ_REPLY, &p);
	assert_string_equal(t.data, "\"l\":null");
}

static void
a_part_without_a_series_has_no_quantiles(void **state)
{
	struct sample_part p = { 0 };

	(void)state;
	sample_part_latency(&s, &p, NFS_OP_NONE, 3000);
	jsonparts_latency(&j, "l", &from, NFS_OP_NONE, &p);
	assert_string_equal(t.data, "\"l\":{\"mean\":3,\"max\":3}");
}

static void
no_quantile_exceeds_the_maximum(void **state)
{
	struct sample_part p = { 0 };

	(void)state;
	sample_part_latency(&s, &p, SAMPLE_READ_REPLY, 256000);
	jsonparts_latency(&j, "l", &from, SAMPLE_READ_REPLY, &p);
	assert_string_equal(t.data, "\"l\":{\"mean\":256,\"p50\":256,"
	    "\"p95\":256,\"p99\":256,\"max\":256}");
}

static void
every_counter_stands_in_one_group(void **state)
{
	enum sample_group g;
	unsigned int n = 0;
	const char *p;

	(void)state;
	for (g = 0; g < SAMPLE_GROUPS; g++)
		jsonparts_counters(&j, g, s.counter);
	for (p = t.data; (p = strchr(p, ':')) != NULL; p++)
		n++;
	assert_int_equal(n, SAMPLE_COUNTERS);
}

static void
a_split_that_nobody_made_is_null(void **state)
{
	(void)state;
	jsonparts_split(&j, false, s.state_ns);
	assert_string_equal(t.data, "\"split\":null");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(errs_are_left_out_where_there_are_none),
		CASE(what_was_not_timed_is_null),
		CASE(a_part_without_a_series_has_no_quantiles),
		CASE(no_quantile_exceeds_the_maximum),
		CASE(every_counter_stands_in_one_group),
		CASE(a_split_that_nobody_made_is_null),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_alert.c: what is told of episodes, and how often.
 */
#include "alert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SECOND	INT64_C(1000000000)
/* 2026-11-30 20:28:01 UTC, see test_jsonread.c */
#define STORY	((INT64_C(20787) * 86400 + 73681) * SECOND)

static struct told {
	unsigned int	lines, commands;
	char		line[512];
	char		facts[2048];	/* with ' ' for NUL */
	const struct episode *open;
} told;

static const struct episode *
on_open(void *ctx)
{
	assert_ptr_equal(ctx, &told);
	return told.open;
}

static void
on_line(void *ctx, const char *line)
{
	assert_ptr_equal(ctx, &told);
	told.lines++;
	snprintf(told.line, sizeof(told.line), "%s", line);
}

static void
on_command(void *ctx, const char *facts, size_t len)
{
	size_t i;

	assert_ptr_equal(ctx, &told);
	told.commands++;
	assert_true(len > 0 && len < sizeof(told.facts));
	assert_int_equal(facts[len - 1], 0);
	for (i = 0; i < len; i++)
		told.facts[i] = facts[i] == '\0' ? ' ' : facts[i];
	told.facts[len] = '\0';
}

static struct sink *
new_alert(int64_t repeat, uint32_t per_hour)
{
	const struct alert_config config = { .repeat_ns = repeat * SECOND,
	    .per_hour = per_hour, .source = "eth0", .open = on_open,
	    .line = on_line, .command = on_command, .ctx = &told };

	memset(&told, 0, sizeof(told));
	return alert_new(&config);
}

static struct episode
bursty(void)
{
	struct episode e = {
		.kind = VERDICT_BURSTY, .start_ns = STORY,
		.end_ns = STORY + 9 * SECOND, .intervals = 9,
		.expect = EXPECT_PPS, .expected = 8637, .min = 558,
		.mean = 1200.4, .max = 2087, .has_shortfall = true,
		.shortfall_bytes = 123456, .has_cause = true,
		.cause = SAMPLE_CLIENT, .has_client = true
	};

	assert_true(addr_parse("10.77.0.3", &e.client));
	return e;
}

static void
second(struct sink *s, int n)
{
	struct sample sample;

	sample_clear(&sample);
	sample.start_ns = STORY + n * SECOND;
	sample.length_ns = SECOND;
	assert_int_equal(sink_sample(s, &sample, NULL), 0);
}

static void
a_line_has_keys_and_values(void **state)
{
	struct episode e = bursty();
	struct textbuf t = { 0 };

	(void)state;
	alert_line(&t, ALERT_START, &e);
	assert_string_equal(t.data, "episode start kind=bursty-underrun "
	    "start=2026-11-30T20:28:01.000Z seconds=9.0 intervals=9 unit=pps "
	    "min=558 mean=1200 max=2087 expected=8637 "
	    "shortfall_bytes=123456 cause=client client=10.77.0.3");
	textbuf_clear(&t);
	e = (struct episode){ .ended = true, .kind = VERDICT_STALL,
	    .start_ns = STORY, .end_ns = STORY + SECOND, .intervals = 1 };
	alert_line(&t, ALERT_END, &e);
	assert_string_equal(t.data, "episode end kind=stall "
	    "start=2026-11-30T20:28:01.000Z end=2026-11-30T20:28:02.000Z "
	    "seconds=1.0 intervals=1 unit=pps min=0 mean=0 max=0");
	textbuf_free(&t);
}

static void
a_command_gets_the_same_as_facts(void **state)
{
	struct episode e = bursty();
	struct sink *s = new_alert(0, 0);

	(void)state;
	e.expect = EXPECT_MBPS;
	e.expected = 11.8;
	assert_int_equal(sink_episode(s, &e), 0);
	assert_int_equal(told.lines, 1);
	assert_int_equal(told.commands, 1);
	assert_ptr_equal(strstr(told.facts, "NFSRATED_EVENT=start "
	    "NFSRATED_KIND=bursty-underrun "), told.facts);
	assert_non_null(strstr(told.facts, "NFSRATED_UNIT=MBps "));
	assert_non_null(strstr(told.facts, "NFSRATED_EXPECTED=11.80 "));
	assert_non_null(strstr(told.facts, "NFSRATED_CAUSE=client "
	    "NFSRATED_CLIENT=10.77.0.3 NFSRATED_SOURCE=eth0 "));
	assert_non_null(strstr(told.facts, "NFSRATED_LEFT_OUT=0 "));
	e.ended = true;
	assert_int_equal(sink_episode(s, &e), 0);
	assert_int_equal(told.commands, 2);
	assert_non_null(strstr(told.facts, "NFSRATED_EVENT=end "));
	assert_non_null(strstr(told.facts, "NFSRATED_END="));
	sink_close(s);
}

static void
it_is_repeated_while_it_lasts(void **state)
{
	struct episode e = bursty();
	struct sink *s = new_alert(10, 0);
	int i;

	(void)state;
	for (i = 0; i < 5; i++)
		second(s, i);
	e.end_ns = STORY + 5 * SECOND;
	sink_episode(s, &e);
	told.open = &e;
	for (; i < 14; i++)
		second(s, i);
	assert_int_equal(told.commands, 1);
	second(s, 14);		/* ends 10 s after the start was told */
	assert_int_equal(told.commands, 2);
	assert_ptr_equal(strstr(told.line, "episode repeat kind="),
	    told.line);
	for (i = 15; i < 25; i++)
		second(s, i);
	assert_int_equal(told.commands, 3);
	told.open = NULL;
	for (; i < 100; i++)
		second(s, i);
	assert_int_equal(told.commands, 3);
	sink_close(s);
}

static void
it_is_not_repeated_unless_asked_for(void **state)
{
	struct episode e = bursty();
	struct sink *s = new_alert(0, 0);
	int i;

	(void)state;
	sink_episode(s, &e);
	told.open = &e;
	for (i = 0; i < 10000; i++)
		second(s, i);
	assert_int_equal(told.commands, 1);
	assert_int_equal(told.lines, 1);
	alert_set(s, 60 * SECOND, 0);
	second(s, i);
	assert_int_equal(told.commands, 2);
	sink_close(s);
}

static void
episode(struct sink *s, int start)
{
	struct episode e = bursty();

	e.start_ns = STORY + start * SECOND;
	e.end_ns = e.start_ns + SECOND;
	sink_episode(s, &e);
	e.ended = true;
	e.end_ns += SECOND;
	sink_episode(s, &e);
}

static void
too_many_an_hour_start_no_command_but_are_counted(void **state)
{
	struct sink *s = new_alert(0, 6);
	int i;

	(void)state;
	for (i = 0; i < 10; i++)
		episode(s, i * 10);
	/* each has a line at start and end; six have commands */
	assert_int_equal(told.lines, 20);
	assert_int_equal(told.commands, 12);
	/* one more every ten minutes */
	episode(s, 700);
	assert_int_equal(told.commands, 14);
	assert_null(strstr(told.facts, "LEFT_OUT=4"));	/* that was the end */
	episode(s, 710);
	assert_int_equal(told.commands, 14);
	episode(s, 7200);
	assert_int_equal(told.commands, 16);
	sink_close(s);
}

static void
what_was_left_out_is_told_with_the_next(void **state)
{
	struct episode e = bursty();
	struct sink *s = new_alert(0, 1);

	(void)state;
	episode(s, 0);
	episode(s, 10);
	episode(s, 20);
	assert_non_null(strstr(told.line, " left_out=2"));
	e.start_ns = e.end_ns = STORY + 4000 * SECOND;
	sink_episode(s, &e);
	assert_int_equal(told.commands, 3);
	assert_non_null(strstr(told.facts, "NFSRATED_LEFT_OUT=2 "));
	sink_close(s);
}

static void
a_clock_that_goes_back_stops_nothing(void **state)
{
	struct episode e = bursty();
	struct sink *s = new_alert(60, 1);

	(void)state;
	episode(s, 100000);
	e.start_ns = e.end_ns = STORY;
	second(s, 0);
	sink_episode(s, &e);
	told.open = &e;
	assert_int_equal(told.lines, 3);
	second(s, 1);
	second(s, 70);
	assert_ptr_equal(strstr(told.line, "episode repeat"), told.line);
	sink_close(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_has_keys_and_values),
		cmocka_unit_test(a_command_gets_the_same_as_facts),
		cmocka_unit_test(it_is_repeated_while_it_lasts),
		cmocka_unit_test(it_is_not_repeated_unless_asked_for),
		cmocka_unit_test(
		    too_many_an_hour_start_no_command_but_are_counted),
		cmocka_unit_test(what_was_left_out_is_told_with_the_next),
		cmocka_unit_test(a_clock_that_goes_back_stops_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

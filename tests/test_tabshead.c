/* SPDX-License-Identifier: ISC */
/*
 * test_tabshead.c: the verdict in words, the clock, the split, the graph's
 * labels.
 */
#include "tabs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "keymap.h"
#include "packet.h"
#include "tabskit.h"

static struct tabskit k;

static int
begin(void **state)
{
	(void)state;
	tabskit_begin(&k, false, false);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	tabskit_end(&k);
	return 0;
}

/* The second line after an interval of 984 packets, 155 WRITEs. */
static const char *
words_of(const struct judgement *v)
{
	struct sample *s = &k.sample;

	sample_clear(s);
	s->start_ns = 1796070000 * NSEC_PER_SEC;
	s->length_ns = s->watched_ns = NSEC_PER_SEC;
	s->traffic[SAMPLE_IN].wire_packets = 984;
	s->data[SAMPLE_WRITE].calls = 155;
	s->data[SAMPLE_WRITE].bytes = 155 * 8192;
	s->outstanding = 8;
	s->has_split = true;
	s->state_ns[SAMPLE_CLIENT] = 970 * NSEC_PER_MSEC;
	s->state_ns[SAMPLE_SERVER] = 30 * NSEC_PER_MSEC;
	tabs_sample(k.tabs, s, v);
	return tabskit_row(&k, 1);
}

static struct judgement
judged(enum verdict verdict, enum expect_kind kind, double value)
{
	return (struct judgement){ .has_verdict = true, .verdict = verdict,
	    .expect = kind, .expect_value = value };
}

static void
a_bursty_underrun_is_said_in_one_line(void **state)
{
	struct judgement v = judged(VERDICT_BURSTY, EXPECT_PPS, 8637);

	(void)state;
	assert_string_equal(words_of(&v), "BURSTY UNDERRUN: 984 of 8637 "
	    "packets/s (11 %), waiting for the client 97 %");
	assert_int_equal(tabskit_attr(&k, "BURSTY UNDERRUN"), CANVAS_BAD);
}

static void
on_a_narrow_screen_it_is_said_briefly(void **state)
{
	struct judgement v = judged(VERDICT_BURSTY, EXPECT_PPS, 8637);

	(void)state;
	k.cols = 40;
	assert_string_equal(words_of(&v),
	    "BURSTY 984/8637 pps 11%, client 97%");
}

static void
other_expectations_have_their_units(void **state)
{
	struct judgement v = judged(VERDICT_UNDERRUN, EXPECT_WPS, 1440);

	(void)state;
	assert_string_equal(words_of(&v), "UNDERRUN: 155 of 1440 WRITEs/s "
	    "(11 %), waiting for the client 97 %");
	v = judged(VERDICT_OK, EXPECT_MBPS, 1.2);
	assert_string_equal(words_of(&v), "OK: 1.27 of 1.20 MB/s (106 %), "
	    "waiting for the client 97 %");
	assert_int_equal(tabskit_attr(&k, "OK:"), CANVAS_GOOD);
}

static void
a_cause_that_was_judged_comes_before_the_longest_state(void **state)
{
	struct judgement v = judged(VERDICT_UNDERRUN, EXPECT_PPS, 1200);

	(void)state;
	v.has_cause = true;
	v.cause = SAMPLE_SERVER;
	v.cause_share = 0.03;
	assert_string_equal(words_of(&v), "UNDERRUN: 984 of 1200 packets/s "
	    "(82 %), waiting for the server 3 %");
}

static void
a_stall_says_how_many_calls_wait(void **state)
{
	struct judgement v = judged(VERDICT_STALL, EXPECT_PPS, 8637);

	(void)state;
	assert_string_equal(words_of(&v), "STALL: 8 calls unanswered, 984 of "
	    "8637 packets/s, waiting for the client 97 %");
	k.cols = 132;
	assert_string_equal(tabskit_row(&k, 1), "STALL: 8 calls unanswered, "
	    "984 of 8637 packets/s (11 %), waiting for the client 97 %");
}

static void
without_expectation_there_is_just_the_rate(void **state)
{
	struct judgement v = judged(VERDICT_OK, EXPECT_NONE, 0);

	(void)state;
	assert_string_equal(words_of(&v),
	    "OK: 984 packets/s, waiting for the client 97 %");
	assert_string_equal(words_of(NULL),
	    "984 packets/s, waiting for the client 97 %");
	assert_non_null(strstr(tabskit_row(&k, 3), "984 max"));
}

static void
what_is_unknown_says_why(void **state)
{
	struct judgement v = judged(VERDICT_UNKNOWN, EXPECT_PPS, 8637);

	(void)state;
	words_of(&v);
	k.sample.partial = true;
	tabs_sample(k.tabs, &k.sample, &v);
	assert_string_equal(tabskit_row(&k, 1), "UNKNOWN: this interval was "
	    "not watched from start to end");
	k.sample.partial = false;
	k.sample.untrusted_ns = 400 * NSEC_PER_MSEC;
	tabs_sample(k.tabs, &k.sample, &v);
	assert_string_equal(tabskit_row(&k, 1), "UNKNOWN: 40 % of this "
	    "interval cannot be trusted");
}

static void
the_split_names_states_by_their_share(void **state)
{
	(void)state;
	words_of(NULL);
	assert_string_equal(tabskit_row(&k, 2),
	    "where:  client 97 %  server 3 %");
	k.sample.has_split = false;
	tabs_sample(k.tabs, &k.sample, NULL);
	assert_string_equal(tabskit_row(&k, 2), "where: -");
}

static void
the_first_line_says_where_and_when(void **state)
{
	(void)state;
	tabskit_demo(&k, 10);
	assert_string_equal(tabskit_row(&k, 0), "nfsrated: eth0, server "
	    "10.77.0.1            live  2026-11-30 20:27:10  every 1 s");
	tabskit_key(&k, KEYMAP_PAGE_UP);
	assert_non_null(strstr(tabskit_row(&k, 0), "9 s back"));
	assert_non_null(strstr(tabskit_row(&k, 0), "20:27:01"));
	tabskit_key(&k, KEYMAP_END);
	assert_non_null(strstr(tabskit_row(&k, 0), "live"));
	tabskit_keys(&k, " ");
	assert_non_null(strstr(tabskit_row(&k, 0), "paused"));
}

static void
the_graph_says_what_is_expected_and_the_most_there_was(void **state)
{
	struct judgement v = judged(VERDICT_OK, EXPECT_PPS, 500);

	(void)state;
	words_of(&v);
	assert_non_null(strstr(tabskit_row(&k, 3), "  984 max "));
	assert_non_null(strstr(tabskit_row(&k, 4), "  500 exp "));
	v.expect_value = 984;
	words_of(&v);
	assert_non_null(strstr(tabskit_row(&k, 3), "  984 exp "));
	assert_non_null(strstr(tabskit_row(&k, 4), "packets/s "));
}

static void
servers_that_were_seen_are_named_where_there_is_room(void **state)
{
	(void)state;
	tabskit_demo(&k, 3);
	assert_non_null(strstr(tabskit_row(&k, 0),
	    "nfsrated: eth0, server 10.77.0.1 "));
	k.cols = 40;
	assert_non_null(strstr(tabskit_row(&k, 0), "eth0, server 10.77.0.1 "));
	k.cols = 80;
	tabs_lost(k.tabs, 5);		/* that matters more */
	assert_null(strstr(tabskit_row(&k, 0), "server"));
	assert_true(tabskit_has(&k, "(5 intervals not shown)"));
}

int
main(void)
{
#define CASE(f)		cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(a_bursty_underrun_is_said_in_one_line),
		CASE(on_a_narrow_screen_it_is_said_briefly),
		CASE(other_expectations_have_their_units),
		CASE(a_cause_that_was_judged_comes_before_the_longest_state),
		CASE(a_stall_says_how_many_calls_wait),
		CASE(without_expectation_there_is_just_the_rate),
		CASE(what_is_unknown_says_why),
		CASE(the_split_names_states_by_their_share),
		CASE(the_first_line_says_where_and_when),
		CASE(servers_that_were_seen_are_named_where_there_is_room),
		CASE(the_graph_says_what_is_expected_and_the_most_there_was),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

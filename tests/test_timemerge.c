/* SPDX-License-Identifier: ISC */
/*
 * test_timemerge.c: whose packet is the next one of several sources.
 */
#include "timemerge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLACK	40

static void
set(struct timemerge *m, uint32_t i, int state, int64_t time)
{
	m->source[i].time_ns = time;
	switch (state) {
	case 'u':
		m->source[i].state = TIMEMERGE_UNREAD;
		break;
	case 'e':
		m->source[i].state = TIMEMERGE_EMPTY;
		break;
	case 'h':
		m->source[i].state = TIMEMERGE_HOLDS;
		break;
	default:
		m->source[i].state = TIMEMERGE_ABSENT;
	}
}

static struct timemerge
two(int state0, int64_t time0, int state1, int64_t time1)
{
	struct timemerge m = { .sources = 2, .slack_ns = SLACK };

	set(&m, 0, state0, time0);
	set(&m, 1, state1, time1);
	return m;
}

static void
of_two_packets_the_earlier_goes(void **state)
{
	struct timemerge m = two('h', 100, 'h', 99);

	(void)state;
	assert_int_equal(timemerge_next(&m, 100), 1);
	m = two('h', 98, 'h', 99);
	assert_int_equal(timemerge_next(&m, 100), 0);
	assert_int_equal(timemerge_earliest(&m), 0);
}

static void
nothing_goes_before_every_source_was_read(void **state)
{
	struct timemerge m = two('h', 100, 'u', 0);

	(void)state;
	assert_int_equal(timemerge_next(&m, 120), -1);
	assert_true(timemerge_wants(&m, 1));
	assert_false(timemerge_wants(&m, 0));
	assert_int_equal(timemerge_earliest(&m), 0);
}

static void
a_packet_waits_until_the_other_was_empty_for_the_slack(void **state)
{
	struct timemerge m = two('h', 100, 'e', 139);

	(void)state;
	assert_int_equal(timemerge_due(&m), 140);
	assert_int_equal(timemerge_next(&m, 139), -1);
	assert_true(timemerge_wants(&m, 1));
	set(&m, 1, 'e', 140);
	assert_int_equal(timemerge_next(&m, 140), 0);
	assert_false(timemerge_wants(&m, 1));
}

static void
old_packets_wait_for_nobody(void **state)
{
	struct timemerge m = two('h', 100, 'e', 1000);
	int64_t t;

	(void)state;
	/* A backlog: no more reads of the empty one for all of it. */
	for (t = 100; t <= 960; t += 10) {
		set(&m, 0, 'h', t);
		assert_false(timemerge_wants(&m, 1));
		assert_int_equal(timemerge_next(&m, 1000), 0);
	}
}

static void
an_absent_source_holds_up_nobody(void **state)
{
	struct timemerge m = two('h', 100, '-', 0);

	(void)state;
	assert_false(timemerge_wants(&m, 1));
	assert_int_equal(timemerge_next(&m, 100), 0);
}

static void
a_packet_from_after_a_clock_set_back_goes_at_once(void **state)
{
	struct timemerge m = two('h', 5000, 'e', 1000);

	(void)state;
	assert_int_equal(timemerge_next(&m, 1000), 0);
	/* Within the slack of now it is no such packet. */
	set(&m, 0, 'h', 1040);
	assert_int_equal(timemerge_next(&m, 1000), -1);
}

static void
without_packets_all_are_wanted_and_none_goes(void **state)
{
	struct timemerge m = two('e', 100, 'e', 100);

	(void)state;
	assert_true(timemerge_wants(&m, 0));
	assert_true(timemerge_wants(&m, 1));
	assert_int_equal(timemerge_next(&m, 200), -1);
	assert_int_equal(timemerge_earliest(&m), -1);
	assert_true(timemerge_due(&m) == INT64_MAX);
}

/* Packets by the time they were made, shown by each source a little later. */
struct made {
	int64_t		time;
	int64_t		shown;
	uint32_t	source;
};

static void
packets_that_show_within_the_slack_come_in_order(void **state)
{
	enum { N = 2000, SOURCES = 3 };
	static struct made made[N];
	uint32_t i, at[SOURCES] = { 0 }, handed = 0;
	struct timemerge m = { .sources = SOURCES, .slack_ns = SLACK };
	int64_t now, last = 0, shown[SOURCES] = { 0 };
	int next;

	(void)state;
	srand(7);
	for (i = 0; i < N; i++) {
		made[i].time = (i > 0 ? made[i - 1].time : 0) + rand() % 20;
		made[i].source = (uint32_t)rand() % SOURCES;
		made[i].shown = made[i].time + rand() % SLACK;
		/* A queue keeps its order. */
		if (made[i].shown < shown[made[i].source])
			made[i].shown = shown[made[i].source];
		shown[made[i].source] = made[i].shown;
	}
	for (now = 0; handed < N; now += 3) {
		assert_true(now < 100000);
		do {
			for (i = 0; i < SOURCES; i++) {
				if (!timemerge_wants(&m, i))
					continue;
				set(&m, i, 'e', now);
				while (at[i] < N && made[at[i]].source != i)
					at[i]++;
				if (at[i] < N && made[at[i]].shown <= now)
					set(&m, i, 'h', made[at[i]++].time);
			}
			if ((next = timemerge_next(&m, now)) < 0)
				break;
			assert_true(m.source[next].time_ns >= last);
			last = m.source[next].time_ns;
			/* and no later than the slack and one turn */
			assert_true(now <= last + 2 * SLACK + 3);
			m.source[next].state = TIMEMERGE_UNREAD;
			handed++;
		} while (handed < N);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_two_packets_the_earlier_goes),
		cmocka_unit_test(nothing_goes_before_every_source_was_read),
		cmocka_unit_test(
		    a_packet_waits_until_the_other_was_empty_for_the_slack),
		cmocka_unit_test(old_packets_wait_for_nobody),
		cmocka_unit_test(an_absent_source_holds_up_nobody),
		cmocka_unit_test(
		    a_packet_from_after_a_clock_set_back_goes_at_once),
		cmocka_unit_test(without_packets_all_are_wanted_and_none_goes),
		cmocka_unit_test(
		    packets_that_show_within_the_slack_come_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

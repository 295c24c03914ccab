/* SPDX-License-Identifier: ISC */
/*
 * test_player.c: when the next interval of a recording is due.
 */
#include "player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define S	INT64_C(1000000000)

static void
intervals_come_at_the_pace_they_were_recorded(void **state)
{
	struct player p;
	int64_t now = 100 * S;
	int i;

	(void)state;
	player_init(&p, 1);
	player_next(&p, S, now);
	assert_int_equal(player_wait(&p, now), 0);	/* the first at once */
	for (i = 0; i < 5; i++) {
		player_next(&p, S, now);
		assert_int_equal(player_wait(&p, now), S);
		assert_int_equal(player_wait(&p, now + S / 4), 3 * S / 4);
		now += S;
		assert_int_equal(player_wait(&p, now), 0);
		player_shown(&p, now);
	}
}

static void
being_a_little_late_is_made_up_for(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 1);
	player_next(&p, S, 0);
	player_next(&p, S, S / 10);
	assert_int_equal(player_wait(&p, S / 10), 9 * S / 10);
	player_next(&p, S, S + S / 10);
	assert_int_equal(player_wait(&p, S + S / 10), 9 * S / 10);
}

static void
who_is_very_late_does_not_hurry(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 1);
	player_next(&p, S, 0);
	player_next(&p, S, 60 * S);
	assert_int_equal(player_wait(&p, 60 * S), 0);
	player_next(&p, S, 60 * S);
	assert_int_equal(player_wait(&p, 60 * S), S);
}

static void
ten_times_as_fast_waits_a_tenth(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 10);
	player_next(&p, S, 0);
	player_next(&p, S, 0);
	assert_int_equal(player_wait(&p, 0), S / 10);
}

static void
at_full_speed_nothing_waits(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, PLAYER_SPEED_MAX);
	player_next(&p, S, 0);
	player_next(&p, 3600 * S, 0);
	assert_int_equal(player_wait(&p, 0), 0);
}

static void
paused_it_waits_for_ever_and_then_goes_on(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 1);
	player_next(&p, S, 0);
	player_next(&p, S, 0);
	player_pause(&p, true, 0);
	assert_true(player_wait(&p, 100 * S) == PLAYER_FOREVER);
	player_pause(&p, false, 100 * S);
	assert_int_equal(player_wait(&p, 100 * S), 0);
	player_next(&p, S, 100 * S);
	assert_int_equal(player_wait(&p, 100 * S), S);
}

static void
steps_are_shown_at_once_paused_or_not(void **state)
{
	struct player p;
	int i;

	(void)state;
	player_init(&p, 1);
	player_next(&p, S, 0);
	player_shown(&p, 0);
	player_pause(&p, true, 0);
	player_step(&p, 3);
	for (i = 0; i < 3; i++) {
		player_next(&p, S, 0);
		assert_int_equal(player_wait(&p, 0), 0);
		player_shown(&p, 0);
	}
	player_next(&p, S, 0);
	assert_true(player_wait(&p, 0) == PLAYER_FOREVER);
	player_pause(&p, false, 0);
	assert_int_equal(player_wait(&p, 0), S);
}

static void
speeds_go_round(void **state)
{
	static const double speeds[] = { 2, 5, 10, 30, 60, 300, 0, 1, 2 };
	struct player p;
	size_t i;

	(void)state;
	player_init(&p, 1);
	for (i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		player_faster(&p, 0);
		assert_float_equal(p.speed, speeds[i], 0);
	}
	p.speed = 7.5;
	player_faster(&p, 0);
	assert_float_equal(p.speed, 10, 0);
	p.speed = 100000;
	player_faster(&p, 0);
	assert_float_equal(p.speed, 0, 0);
}

static void
a_new_speed_counts_for_the_wait_under_way(void **state)
{
	struct player p;

	(void)state;
	player_init(&p, 1);
	player_next(&p, S, 0);
	player_next(&p, S, 0);
	player_faster(&p, S / 2);
	assert_int_equal(player_wait(&p, S / 2), S / 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    intervals_come_at_the_pace_they_were_recorded),
		cmocka_unit_test(being_a_little_late_is_made_up_for),
		cmocka_unit_test(who_is_very_late_does_not_hurry),
		cmocka_unit_test(ten_times_as_fast_waits_a_tenth),
		cmocka_unit_test(at_full_speed_nothing_waits),
		cmocka_unit_test(paused_it_waits_for_ever_and_then_goes_on),
		cmocka_unit_test(steps_are_shown_at_once_paused_or_not),
		cmocka_unit_test(speeds_go_round),
		cmocka_unit_test(a_new_speed_counts_for_the_wait_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

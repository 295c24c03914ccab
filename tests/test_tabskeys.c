/* SPDX-License-Identifier: ISC */
/*
 * test_tabskeys.c: every key does what the help says, in every tab and kind
 * of source.
 */
#include "tabs.h"

#include <locale.h>
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
live(void **state)
{
	(void)state;
	tabskit_begin(&k, false, false);
	tabskit_demo(&k, 100);
	tabskit_paint(&k);
	return 0;
}

static int
recording(void **state)
{
	(void)state;
	tabskit_begin(&k, true, false);
	tabskit_demo(&k, 100);
	tabskit_paint(&k);
	return 0;
}

static int
seekable(void **state)
{
	(void)state;
	tabskit_begin(&k, true, true);
	tabskit_demo(&k, 100);
	tabskit_paint(&k);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	tabskit_end(&k);
	return 0;
}

/* The time in the first line. */
static const char *
clock_shown(void)
{
	return strstr(tabskit_row(&k, 0), "2026-11-30 ") +
	    strlen("2026-11-30 ");
}

#define assert_clock(text) \
	assert_memory_equal(clock_shown(), text, strlen(text))

/* The name of the tab that is chosen, from its bracket on. */
static const char *
tab_shown(void)
{
	return strchr(tabskit_row(&k, 5), '[');
}

#define assert_tab(text) \
	assert_memory_equal(tab_shown(), text, strlen(text))

static void
q_quits_from_every_tab(void **state)
{
	char tab[2] = "1";

	(void)state;
	for (; tab[0] <= '6'; tab[0]++) {
		tabskit_keys(&k, tab);
		assert_int_equal(tabskit_keys(&k, "q"), TABS_QUIT);
	}
}

static void
w_and_ctrl_l_are_for_the_owner_of_the_terminal(void **state)
{
	(void)state;
	assert_int_equal(tabskit_keys(&k, "w"), TABS_WRITE);
	assert_int_equal(tabskit_key(&k, KEYMAP_CTRL_L), TABS_REDRAW);
}

static void
digits_and_tab_choose_a_tab(void **state)
{
	static const char *const names[] = {
		"[1 Rates]", "[2 Ops]", "[3 Clients]", "[4 Files]",
		"[5 Sizes]", "[6 Episodes]"
	};
	char tab[2] = "1";
	int i;

	(void)state;
	for (i = 5; i >= 0; i--) {
		tab[0] = (char)('1' + i);
		tabskit_keys(&k, tab);
		assert_tab(names[i]);
	}
	for (i = 1; i <= 6; i++) {
		tabskit_keys(&k, "\t");
		assert_tab(names[i % 6]);
	}
	for (i = 5; i >= 0; i--) {
		tabskit_key(&k, KEYMAP_BACKTAB);
		assert_tab(names[i]);
	}
}

static void
help_comes_and_goes(void **state)
{
	(void)state;
	tabskit_keys(&k, "3h");
	assert_true(tabskit_has(&k, "what the keys do"));
	tabskit_keys(&k, "h");
	assert_tab("[3 Clients]");
	tabskit_keys(&k, "?");
	assert_true(tabskit_has(&k, "what the keys do"));
	/* q is not for the program, then */
	assert_int_equal(tabskit_keys(&k, "q"), TABS_NOTHING);
	assert_tab("[3 Clients]");
	tabskit_keys(&k, "hx");
	assert_tab("[3 Clients]");
}

static void
help_scrolls_where_it_does_not_fit(void **state)
{
	int i;

	(void)state;
	k.rows = 10;
	tabskit_keys(&k, "h");
	assert_false(tabskit_has(&k, "Ctrl-L"));
	for (i = 0; i < 30; i++)
		tabskit_key(&k, KEYMAP_DOWN);
	assert_true(tabskit_has(&k, "Ctrl-L"));
	assert_false(tabskit_has(&k, " q "));
	for (i = 0; i < 11; i++)
		tabskit_key(&k, KEYMAP_UP);
	assert_true(tabskit_has(&k, " q "));
	tabskit_key(&k, KEYMAP_PAGE_DOWN);
	tabskit_key(&k, KEYMAP_PAGE_DOWN);
	tabskit_key(&k, KEYMAP_PAGE_DOWN);
	assert_true(tabskit_has(&k, "Ctrl-L"));
	tabskit_key(&k, KEYMAP_PAGE_UP);
	tabskit_key(&k, KEYMAP_PAGE_UP);
	tabskit_key(&k, KEYMAP_PAGE_UP);
	assert_true(tabskit_has(&k, " q "));
}

/* The demo's second 100 begins at 20:28:40. */
static void
left_and_right_go_through_time_in_every_tab(void **state)
{
	char tab[2] = "1";

	(void)state;
	for (; tab[0] <= '6'; tab[0]++) {
		tabskit_keys(&k, tab);
		assert_clock("20:28:40");
		tabskit_key(&k, KEYMAP_LEFT);
		assert_clock("20:28:39");
		tabskit_key(&k, KEYMAP_LEFT);
		assert_clock("20:28:38");
		tabskit_key(&k, KEYMAP_RIGHT);
		assert_clock("20:28:39");
		tabskit_key(&k, KEYMAP_END);
	}
}

static void
pages_are_as_long_as_the_table(void **state)
{
	(void)state;
	tabskit_key(&k, KEYMAP_PAGE_UP);	/* 16 rows */
	assert_clock("20:28:24");
	tabskit_key(&k, KEYMAP_PAGE_UP);
	assert_clock("20:28:08");
	tabskit_key(&k, KEYMAP_PAGE_DOWN);
	assert_clock("20:28:24");
	tabskit_keys(&k, "2");
	tabskit_key(&k, KEYMAP_PAGE_UP);
	assert_clock("20:28:08");
}

static void
home_and_end_are_the_oldest_and_the_newest(void **state)
{
	(void)state;
	tabskit_key(&k, KEYMAP_HOME);
	assert_clock("20:27:01");
	tabskit_key(&k, KEYMAP_LEFT);
	assert_clock("20:27:01");
	assert_int_equal(tabskit_attr(&k, "20:27:01    8638"),
	    CANVAS_CHOSEN);
	tabskit_key(&k, KEYMAP_END);
	assert_clock("20:28:40");
	tabskit_key(&k, KEYMAP_RIGHT);
	assert_clock("20:28:40");
}

static void
who_looks_back_stays_there_while_time_goes_on(void **state)
{
	(void)state;
	tabskit_key(&k, KEYMAP_LEFT);
	tabskit_demo(&k, 5);
	assert_clock("20:28:39");
	tabskit_key(&k, KEYMAP_END);
	assert_clock("20:28:45");
	tabskit_demo(&k, 1);
	assert_clock("20:28:46");
}

static void
who_comes_forward_to_the_newest_follows_again(void **state)
{
	(void)state;
	tabskit_key(&k, KEYMAP_LEFT);
	tabskit_key(&k, KEYMAP_RIGHT);
	tabskit_demo(&k, 2);
	assert_clock("20:28:42");
}

static void
what_was_looked_at_is_forgotten_only_with_the_oldest(void **state)
{
	int i;

	(void)state;
	tabskit_key(&k, KEYMAP_HOME);
	for (i = 0; i < 200; i++)	/* all that the history keeps */
		tabskit_second(&k, i);
	tabskit_paint(&k);
	assert_true(tabskit_has(&k, "20:20:00"));
}

static void
space_pauses_a_live_view(void **state)
{
	(void)state;
	tabskit_keys(&k, " ");
	tabskit_demo(&k, 5);
	assert_clock("20:28:40");
	tabskit_keys(&k, " ");
	assert_clock("20:28:45");
}

static void
space_pauses_a_recording(void **state)
{
	(void)state;
	tabskit_keys(&k, " ");
	assert_true(k.player.paused);
	assert_non_null(strstr(tabskit_row(&k, 0), "paused"));
	tabskit_keys(&k, " ");
	assert_false(k.player.paused);
}

static void
past_the_newest_a_recording_plays_on(void **state)
{
	(void)state;
	tabskit_keys(&k, " ");
	tabskit_key(&k, KEYMAP_RIGHT);
	assert_int_equal(k.player.steps, 1);
	tabskit_key(&k, KEYMAP_PAGE_DOWN);
	assert_int_equal(k.player.steps, 16);
	tabskit_key(&k, KEYMAP_END);
	assert_true(k.player.steps > 1000000);
	k.player.ended = true;
	k.player.steps = 0;
	tabskit_key(&k, KEYMAP_RIGHT);
	assert_int_equal(k.player.steps, 0);
	assert_non_null(strstr(tabskit_row(&k, 0), "end of recording"));
}

static void
p_is_the_speed_of_a_recording_and_not_of_live_traffic(void **state)
{
	(void)state;
	tabskit_keys(&k, "p");
	assert_float_equal(k.player.speed, 2, 0);
	assert_non_null(strstr(tabskit_row(&k, -1), "2 times"));
	assert_non_null(strstr(tabskit_row(&k, 0), "playing x2"));
	tabskit_keys(&k, "pppppp");
	assert_non_null(strstr(tabskit_row(&k, 0), "at full speed"));
	tabskit_end(&k);
	live(state);
	tabskit_keys(&k, "p");
	assert_non_null(strstr(tabskit_row(&k, -1), "its own speed"));
}

static void
what_can_be_sought_is_sought(void **state)
{
	const struct player_target *to = tabs_target(k.tabs);
	const int64_t first = 1796070421 * NSEC_PER_SEC;

	(void)state;
	assert_int_equal(tabskit_key(&k, KEYMAP_HOME), TABS_SEEK);
	assert_int_equal(to->to, PLAYER_TO_FIRST);
	assert_int_equal(tabskit_key(&k, KEYMAP_END), TABS_SEEK);
	assert_int_equal(to->to, PLAYER_TO_LAST);
	assert_int_equal(tabskit_keys(&k, "e"), TABS_SEEK);
	assert_int_equal(to->to, PLAYER_TO_NEXT_EPISODE);
	assert_int_equal(to->time_ns, first + 99 * NSEC_PER_SEC);
	assert_int_equal(tabskit_keys(&k, "E"), TABS_SEEK);
	assert_int_equal(to->to, PLAYER_TO_PREVIOUS_EPISODE);
	/* what is there need not be */
	assert_int_equal(tabskit_key(&k, KEYMAP_LEFT), TABS_NOTHING);
	assert_clock("20:28:39");
	while (tabskit_key(&k, KEYMAP_PAGE_UP) == TABS_NOTHING)
		continue;
	assert_int_equal(to->to, PLAYER_TO_TIME);
	assert_true(to->time_ns < first);
}

static void
e_goes_from_episode_to_episode(void **state)
{
	struct episode e = { .ended = true, .kind = VERDICT_STALL };

	(void)state;
	e.start_ns = (1796070421 + 80) * NSEC_PER_SEC;
	e.end_ns = e.start_ns + 3 * NSEC_PER_SEC;
	tabs_episode(k.tabs, &e);	/* and that of 20:28:01 */
	tabskit_keys(&k, "E");
	assert_clock("20:28:21");
	tabskit_keys(&k, "E");
	assert_clock("20:28:01");
	tabskit_keys(&k, "E");
	assert_clock("20:28:01");
	assert_non_null(strstr(tabskit_row(&k, -1), "no earlier episode"));
	tabskit_keys(&k, "e");
	assert_clock("20:28:21");
	tabskit_keys(&k, "e");
	assert_clock("20:28:21");
	assert_non_null(strstr(tabskit_row(&k, -1), "no later episode"));
	e.start_ns = NSEC_PER_SEC;
	tabs_episode(k.tabs, &e);
	tabskit_key(&k, KEYMAP_HOME);
	tabskit_keys(&k, "E");
	assert_non_null(strstr(tabskit_row(&k, -1), "too long ago"));
}

static void
columns_are_sorted_by_left_right_and_the_other_way_round(void **state)
{
	(void)state;
	tabskit_demo(&k, 21);		/* 20:29:01: five operations */
	tabskit_keys(&k, "2");
	assert_non_null(strstr(tabskit_row(&k, 5), "by calls/s"));
	assert_non_null(strstr(tabskit_row(&k, 7), "nfs3 WRITE"));
	tabskit_keys(&k, "s");
	assert_non_null(strstr(tabskit_row(&k, 5), "by calls/s, reversed"));
	assert_non_null(strstr(tabskit_row(&k, 11), "nfs3 WRITE"));
	tabskit_keys(&k, "<");
	assert_non_null(strstr(tabskit_row(&k, 5), "by operation"));
	assert_null(strstr(tabskit_row(&k, 5), "reversed"));
	assert_non_null(strstr(tabskit_row(&k, 7), "nfs3 ACCESS"));
	tabskit_keys(&k, "<<<");
	assert_non_null(strstr(tabskit_row(&k, 5), "by operation"));
	tabskit_keys(&k, ">>>>>>>>>>>>>");
	assert_non_null(strstr(tabskit_row(&k, 5), "by resent"));
	tabskit_keys(&k, "1s");
	assert_non_null(strstr(tabskit_row(&k, -1), "in order of time"));
	tabskit_keys(&k, "<");
	assert_non_null(strstr(tabskit_row(&k, -1), "in order of time"));
}

static void
a_filter_leaves_rows_with_its_text(void **state)
{
	(void)state;
	tabskit_demo(&k, 21);
	tabskit_keys(&k, "2/");
	assert_string_equal(tabskit_row(&k, -1), "filter: _");
	tabskit_keys(&k, "reAd");		/* at once, and in any case */
	assert_true(tabskit_has(&k, "nfs3 READ"));
	assert_false(tabskit_has(&k, "nfs3 WRITE"));
	tabskit_key(&k, KEYMAP_ENTER);
	assert_non_null(strstr(tabskit_row(&k, -1), "filter: reAd"));
	assert_false(tabskit_has(&k, "nfs3 WRITE"));
	tabskit_keys(&k, "/zz");
	assert_true(tabskit_has(&k, "no row has the text"));
	tabskit_key(&k, KEYMAP_ESCAPE);
	assert_true(tabskit_has(&k, "nfs3 READ"));
	tabskit_keys(&k, "/");
	tabskit_key(&k, KEYMAP_ENTER);
	assert_true(tabskit_has(&k, "nfs3 WRITE"));
}

static void
a_filter_is_typed_like_any_line(void **state)
{
	int i;

	(void)state;
	tabskit_keys(&k, "2/q1 w");		/* no commands now */
	assert_string_equal(tabskit_row(&k, -1), "filter: q1 w_");
	tabskit_key(&k, KEYMAP_BACKSPACE);
	tabskit_keys(&k, "\b");
	assert_string_equal(tabskit_row(&k, -1), "filter: q1_");
	tabskit_key(&k, 0xe9);			/* two bytes */
	tabskit_key(&k, 0x65e5);		/* three */
	assert_string_equal(tabskit_row(&k, -1),
	    "filter: q1\xc3\xa9\xe6\x97\xa5_");
	tabskit_key(&k, KEYMAP_BACKSPACE);
	tabskit_key(&k, KEYMAP_BACKSPACE);
	assert_string_equal(tabskit_row(&k, -1), "filter: q1_");
	tabskit_key(&k, KEYMAP_CTRL_U);
	tabskit_key(&k, KEYMAP_BACKSPACE);
	assert_string_equal(tabskit_row(&k, -1), "filter: _");
	tabskit_key(&k, KEYMAP_UP);
	tabskit_key(&k, 1);
	assert_string_equal(tabskit_row(&k, -1), "filter: _");
	for (i = 0; i < 1000; i++)
		tabskit_keys(&k, "x");
	tabskit_key(&k, KEYMAP_ESCAPE);
	assert_non_null(strstr(tabskit_row(&k, -1), "q quit"));
}

static void
in_rates_the_filter_is_for_times_verdicts_and_states(void **state)
{
	(void)state;
	tabskit_demo(&k, 12);
	tabskit_keys(&k, "/stall");
	tabskit_key(&k, KEYMAP_ENTER);
	assert_true(tabskit_has(&k, "20:28:52"));
	assert_false(tabskit_has(&k, "BURSTY "));
	tabskit_keys(&k, "/request");
	tabskit_key(&k, KEYMAP_ENTER);
	assert_true(tabskit_has(&k, "20:28:00    8637"));
	assert_false(tabskit_has(&k, "20:28:01     900"));
	tabskit_keys(&k, "/:01");
	tabskit_key(&k, KEYMAP_ENTER);
	assert_true(tabskit_has(&k, "20:28:01     900"));
	assert_false(tabskit_has(&k, "20:28:00    8637"));
}

static void
t_is_the_interface_in_rates_and_totals_elsewhere(void **state)
{
	(void)state;
	tabskit_keys(&k, "t");
	assert_non_null(strstr(tabskit_row(&k, -1), "interface"));
	/* the demo's interface has one packet more */
	assert_true(tabskit_has(&k, "20:28:40      592"));
	tabskit_keys(&k, "t");
	assert_true(tabskit_has(&k, "20:28:40     591"));
	tabskit_keys(&k, "2t");
	assert_true(tabskit_has(&k, "operation since 20:27:01"));
	tabskit_keys(&k, "3");
	assert_true(tabskit_has(&k, "client since 20:27:01"));
	tabskit_keys(&k, "t");
	assert_true(tabskit_has(&k, "client, 1 s"));
	tabskit_keys(&k, "6t");
	assert_non_null(strstr(tabskit_row(&k, -1), "no totals"));
}

static void
r_counts_totals_anew(void **state)
{
	(void)state;
	tabskit_keys(&k, "2tr");
	assert_non_null(strstr(tabskit_row(&k, -1), "from 20:28:41"));
	assert_true(tabskit_has(&k, "operation since 20:28:41"));
	assert_true(tabskit_has(&k, "no calls"));
	tabskit_demo(&k, 1);			/* 94 packets out */
	assert_true(tabskit_has(&k, "nfs3 WRITE"));
	tabskit_keys(&k, "3");
	/* 94 replies, 4 of them of the other client's; 8 more calls */
	assert_non_null(strstr(tabskit_row(&k, 7), "10.77.0.3 "));
	assert_non_null(strstr(tabskit_row(&k, 7), " 98 "));
}

static void
plus_and_minus_change_the_interval_from_now_on(void **state)
{
	(void)state;
	tabskit_keys(&k, "-");
	assert_non_null(strstr(tabskit_row(&k, -1), "cannot be shorter"));
	tabskit_keys(&k, "++");
	assert_non_null(strstr(tabskit_row(&k, -1), "5 s from now on"));
	assert_non_null(strstr(tabskit_row(&k, 0), "every 5 s"));
	tabskit_demo(&k, 9);		/* 20:28:41-44, then 45-49 */
	assert_clock("20:28:45");
	assert_true(tabskit_has(&k, "20:28:41     708"));
	tabskit_keys(&k, "2");
	assert_true(tabskit_has(&k, "operation, 5 s"));
	tabskit_keys(&k, "++++++");
	assert_non_null(strstr(tabskit_row(&k, -1), "the longest"));
	tabskit_keys(&k, "------");
	tabskit_demo(&k, 1);
	assert_clock("20:28:50");
	assert_true(tabskit_has(&k, "operation, 1 s"));
}

static void
lists_scroll_and_say_where_they_are(void **state)
{
	int i;

	(void)state;
	tabskit_demo(&k, 21);
	k.rows = 10;			/* three rows of five */
	tabskit_keys(&k, "2");
	assert_true(tabskit_has(&k, "1-3 of 5, by calls/s"));
	assert_false(tabskit_has(&k, "nfs3 READ"));
	tabskit_key(&k, KEYMAP_DOWN);
	assert_true(tabskit_has(&k, "2-4 of 5"));
	for (i = 0; i < 9; i++)
		tabskit_key(&k, KEYMAP_DOWN);
	assert_true(tabskit_has(&k, "3-5 of 5"));
	assert_true(tabskit_has(&k, "nfs3 READ"));
	for (i = 0; i < 9; i++)
		tabskit_key(&k, KEYMAP_UP);
	assert_true(tabskit_has(&k, "1-3 of 5"));
	assert_clock("20:29:01");
}

static void
up_and_down_are_intervals_in_rates(void **state)
{
	(void)state;
	tabskit_key(&k, KEYMAP_UP);
	assert_clock("20:28:39");
	tabskit_key(&k, KEYMAP_DOWN);
	assert_clock("20:28:40");
}

/* Any keys at any size: nothing breaks, and q still quits. */
static void
no_row_of_keys_does_harm(void **state)
{
	static const int special[] = {
		KEYMAP_UP, KEYMAP_DOWN, KEYMAP_LEFT, KEYMAP_RIGHT,
		KEYMAP_PAGE_UP, KEYMAP_PAGE_DOWN, KEYMAP_HOME, KEYMAP_END,
		KEYMAP_BACKTAB, KEYMAP_ENTER, KEYMAP_ESCAPE, KEYMAP_NONE
	};
	uint32_t x = 1;
	int i, key;

	(void)state;
	for (i = 0; i < 5000; i++) {
		x = x * 1664525 + 1013904223;
		key = (x >> 24) < 96 ? special[(x >> 16) % 12] :
		    (int)((x >> 16) % 128);
		k.cols = 30 + (int)(x % 120);
		k.rows = 5 + (int)(x % 40);
		k.now_ns += NSEC_PER_MSEC;
		tabskit_key(&k, key);
		if (i % 500 == 0)
			tabskit_second(&k, i);
	}
	tabskit_key(&k, KEYMAP_ESCAPE);
	tabskit_key(&k, KEYMAP_ESCAPE);
	assert_int_equal(tabskit_keys(&k, "q"), TABS_QUIT);
}

int
main(void)
{
#define LIVE(f)		cmocka_unit_test_setup_teardown(f, live, end)
#define RECORDING(f)	cmocka_unit_test_setup_teardown(f, recording, end)
#define SEEKABLE(f)	cmocka_unit_test_setup_teardown(f, seekable, end)
	const struct CMUnitTest tests[] = {
		LIVE(q_quits_from_every_tab),
		LIVE(w_and_ctrl_l_are_for_the_owner_of_the_terminal),
		LIVE(digits_and_tab_choose_a_tab),
		LIVE(help_comes_and_goes),
		LIVE(help_scrolls_where_it_does_not_fit),
		LIVE(left_and_right_go_through_time_in_every_tab),
		LIVE(pages_are_as_long_as_the_table),
		LIVE(home_and_end_are_the_oldest_and_the_newest),
		LIVE(who_looks_back_stays_there_while_time_goes_on),
		LIVE(who_comes_forward_to_the_newest_follows_again),
		LIVE(what_was_looked_at_is_forgotten_only_with_the_oldest),
		LIVE(space_pauses_a_live_view),
		RECORDING(space_pauses_a_recording),
		RECORDING(past_the_newest_a_recording_plays_on),
		RECORDING(
		    p_is_the_speed_of_a_recording_and_not_of_live_traffic),
		SEEKABLE(what_can_be_sought_is_sought),
		LIVE(e_goes_from_episode_to_episode),
		LIVE(columns_are_sorted_by_left_right_and_the_other_way_round),
		LIVE(a_filter_leaves_rows_with_its_text),
		LIVE(a_filter_is_typed_like_any_line),
		LIVE(in_rates_the_filter_is_for_times_verdicts_and_states),
		LIVE(t_is_the_interface_in_rates_and_totals_elsewhere),
		LIVE(r_counts_totals_anew),
		LIVE(plus_and_minus_change_the_interval_from_now_on),
		LIVE(lists_scroll_and_say_where_they_are),
		LIVE(up_and_down_are_intervals_in_rates),
		LIVE(no_row_of_keys_does_harm),
		RECORDING(no_row_of_keys_does_harm),
		SEEKABLE(no_row_of_keys_does_harm),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

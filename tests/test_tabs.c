/* SPDX-License-Identifier: ISC */
/*
 * test_tabs.c: whole screens of the view, and what they are of.
 */
#include "tabs.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
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
	return 0;
}

static int
recording(void **state)
{
	(void)state;
	tabskit_begin(&k, true, false);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	tabskit_end(&k);
	return 0;
}

static const char *const tab_names[] = {
	"rates", "ops", "clients", "files", "sizes", "episodes"
};

/* Second 130: 40 s of bursts and a stall of 12 s have passed. */
static void
all_tabs_are(int cols, int rows)
{
	char name[64], key[2] = "1";
	int i, wrong = 0;

	tabskit_demo(&k, 130);
	k.cols = cols;
	k.rows = rows;
	for (i = 0; i < 6; i++) {
		key[0] = (char)('1' + i);
		tabskit_keys(&k, key);
		snprintf(name, sizeof(name), "%s-%dx%d", tab_names[i], cols,
		    rows);
		wrong += !tabskit_is(&k, name);
	}
	tabskit_keys(&k, "h");
	snprintf(name, sizeof(name), "help-%dx%d", cols, rows);
	wrong += !tabskit_is(&k, name);
	assert_int_equal(wrong, 0);
}

static void
screens_of_80_by_24_are_as_they_were_looked_at(void **state)
{
	(void)state;
	all_tabs_are(80, 24);
}

static void
screens_of_40_by_10_are_as_they_were_looked_at(void **state)
{
	(void)state;
	all_tabs_are(40, 10);
}

static void
screens_of_132_by_50_are_as_they_were_looked_at(void **state)
{
	(void)state;
	all_tabs_are(132, 50);
}

static void
a_bursty_underrun_in_ascii_is_as_it_was_looked_at(void **state)
{
	(void)state;
	tabskit_demo(&k, DEMO_BEGIN);
	k.utf8 = false;
	assert_true(tabskit_is(&k, "bursty-ascii-80x24"));
}

static void
totals_are_as_they_were_looked_at(void **state)
{
	int wrong = 0;

	(void)state;
	tabskit_demo(&k, 130);
	tabskit_keys(&k, "2t");
	wrong += !tabskit_is(&k, "ops-total-80x24");
	tabskit_keys(&k, "4");
	wrong += !tabskit_is(&k, "files-total-80x24");
	tabskit_keys(&k, "5");
	wrong += !tabskit_is(&k, "sizes-total-80x24");
	assert_int_equal(wrong, 0);
}

/* Nothing may be written outside the canvas (ASan), whatever its size. */
static void
no_size_is_too_small_or_too_odd(void **state)
{
	static const int odd[] = { 1, 2, 5, 9, 10, 11, 19, 20, 24, 120 };
	static const int wide[] = { 1, 2, 20, 39, 40, 41, 59, 60, 79, 80, 101,
	    132, 400 };
	struct canvas_cell *cells;
	struct canvas c;
	size_t i, j;
	int key;

	(void)state;
	tabskit_demo(&k, 130);
	for (key = '1'; key <= '7'; key++)
		for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
			for (j = 0; j < sizeof(wide) / sizeof(wide[0]); j++) {
				tabs_key(k.tabs, key == '7' ? 'h' : key, 0);
				cells = calloc((size_t)odd[i] *
				    (size_t)wide[j], sizeof(*cells));
				canvas_init(&c, cells, odd[i], wide[j], true);
				tabs_paint(k.tabs, &c);
				free(cells);
			}
}

static void
a_screen_that_is_too_small_says_so(void **state)
{
	(void)state;
	tabskit_demo(&k, 130);
	k.cols = 39;
	assert_string_equal(tabskit_row(&k, 0), "nfsrated: too small");
	assert_string_equal(tabskit_row(&k, 1),
	    "ok 8637/8637 pps 100%, request 40%");
	assert_string_equal(tabskit_row(&k, 2), "");
	k.rows = 1;
	assert_string_equal(tabskit_row(&k, 0), "nfsrated: too small");
}

static void
before_the_first_interval_there_is_nothing(void **state)
{
	int i;
	char key[2] = "1";

	(void)state;
	assert_string_equal(tabskit_row(&k, 1), "nothing yet");
	for (i = 0; i < 6; i++) {
		key[0] = (char)('1' + i);
		tabskit_keys(&k, key);
		tabskit_keys(&k, "eE<>sr w+-t");
		tabskit_key(&k, KEYMAP_HOME);
		tabskit_key(&k, KEYMAP_PAGE_UP);
		tabskit_key(&k, KEYMAP_DOWN);
		assert_string_equal(tabskit_row(&k, 1), "nothing yet");
	}
}

static void
it_changes_with_samples_and_keys_but_not_by_itself(void **state)
{
	(void)state;
	tabskit_paint(&k);
	assert_false(tabs_changed(k.tabs));
	tabskit_demo(&k, 1);
	assert_true(tabs_changed(k.tabs));
	tabskit_paint(&k);
	assert_false(tabs_changed(k.tabs));
	tabs_key(k.tabs, '2', 0);
	assert_true(tabs_changed(k.tabs));
	tabskit_paint(&k);
	tabs_key(k.tabs, 'x', 0);
	assert_false(tabs_changed(k.tabs));
}

static void
lost_intervals_are_told(void **state)
{
	(void)state;
	tabskit_demo(&k, 2);
	tabs_lost(k.tabs, 12);
	tabs_lost(k.tabs, 30);
	assert_true(tabskit_has(&k, "(42 intervals not shown)"));
	tabskit_keys(&k, "r");
	assert_false(tabskit_has(&k, "not shown"));
}

static void
a_message_stays_until_the_next_key(void **state)
{
	(void)state;
	tabskit_demo(&k, 2);
	tabs_say(k.tabs, "disk is %s", "full");
	assert_string_equal(tabskit_row(&k, -1), "disk is full");
	tabskit_demo(&k, 2);
	assert_string_equal(tabskit_row(&k, -1), "disk is full");
	tabskit_keys(&k, "2");
	assert_non_null(strstr(tabskit_row(&k, -1), "q quit"));
}

static void
rows_that_are_too_long_ago_say_so(void **state)
{
	struct tabs_config c = {
		.source = "eth0", .interval_ns = NSEC_PER_SEC,
		.history = { .intervals = 50, .rows = 4000 }
	};

	(void)state;
	tabs_free(k.tabs);
	k.tabs = tabs_new(&c);
	tabskit_demo(&k, 30);
	tabskit_key(&k, KEYMAP_HOME);
	assert_true(tabskit_has(&k, "20:27:01"));
	tabskit_keys(&k, "2");
	assert_true(tabskit_has(&k, "only its rates are kept"));
	tabskit_keys(&k, "t");
	assert_true(tabskit_has(&k, "nfs3 WRITE"));
}

static void
names_from_the_wire_cannot_drive_the_terminal(void **state)
{
	struct judgement v = { 0 };

	(void)state;
	tabskit_demo(&k, 1);
	strcpy(k.sample.file[0].name, "\033]0;evil\a\xff\r\n");
	k.sample.start_ns += NSEC_PER_SEC;
	tabs_sample(k.tabs, &k.sample, &v);
	tabskit_keys(&k, "4");
	assert_true(tabskit_has(&k, "?]0;evil????"));
}

static void
a_file_without_a_name_shows_its_handle(void **state)
{
	struct judgement v = { 0 };

	(void)state;
	tabskit_demo(&k, 1);
	k.sample.file[0].name[0] = '\0';
	k.sample.file[0].fh_len = 128;		/* 31 bytes of it are kept */
	k.sample.file[0].fh[1] = 0xab;
	k.sample.start_ns += NSEC_PER_SEC;
	tabs_sample(k.tabs, &k.sample, &v);
	tabskit_keys(&k, "4");
	assert_true(tabskit_has(&k, "handle 01ab0000"));
}

static void
users_have_names_where_there_are_any(void **state)
{
	(void)state;
	tabskit_demo(&k, 1);
	tabskit_keys(&k, "4");
	assert_true(tabskit_has(&k, "root (0)"));
	assert_true(tabskit_has(&k, "uid 4001"));
}

static void
silences_and_outages_are_not_zeros(void **state)
{
	struct judgement v = { 0 };

	(void)state;
	tabskit_demo(&k, 1);
	k.sample.start_ns += NSEC_PER_SEC;
	k.sample.no_data = true;
	tabs_sample(k.tabs, &k.sample, &v);
	assert_string_equal(tabskit_row(&k, 1),
	    "NO DATA: the capture was down");
	assert_true(tabskit_has(&k, "no data"));
	k.sample.start_ns += NSEC_PER_SEC;
	k.sample.length_ns = 7200 * NSEC_PER_SEC;
	k.sample.no_data = false;
	k.sample.gap = true;
	tabs_sample(k.tabs, &k.sample, &v);
	assert_string_equal(tabskit_row(&k, 1), "no packets for 2 h 0 min");
	assert_non_null(strstr(tabskit_row(&k, 4), "█??"));
}

static void
an_episode_that_goes_on_has_the_rates_of_all_of_it(void **state)
{
	(void)state;
	tabskit_demo(&k, 73);
	tabskit_key(&k, '6');
	assert_true(tabskit_has(&k, "20:28:01       13    558   1162   2087"
	    "     8637    139.6 BURSTY, client (now)"));
}

int
main(void)
{
#define LIVE(f)		cmocka_unit_test_setup_teardown(f, live, end)
#define RECORDING(f)	cmocka_unit_test_setup_teardown(f, recording, end)
	const struct CMUnitTest tests[] = {
		LIVE(an_episode_that_goes_on_has_the_rates_of_all_of_it),
		RECORDING(screens_of_80_by_24_are_as_they_were_looked_at),
		RECORDING(screens_of_40_by_10_are_as_they_were_looked_at),
		LIVE(screens_of_132_by_50_are_as_they_were_looked_at),
		LIVE(a_bursty_underrun_in_ascii_is_as_it_was_looked_at),
		LIVE(totals_are_as_they_were_looked_at),
		LIVE(no_size_is_too_small_or_too_odd),
		LIVE(a_screen_that_is_too_small_says_so),
		LIVE(before_the_first_interval_there_is_nothing),
		LIVE(it_changes_with_samples_and_keys_but_not_by_itself),
		LIVE(lost_intervals_are_told),
		LIVE(a_message_stays_until_the_next_key),
		LIVE(rows_that_are_too_long_ago_say_so),
		LIVE(names_from_the_wire_cannot_drive_the_terminal),
		LIVE(a_file_without_a_name_shows_its_handle),
		LIVE(users_have_names_where_there_are_any),
		LIVE(silences_and_outages_are_not_zeros),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

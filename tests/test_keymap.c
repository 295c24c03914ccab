/* SPDX-License-Identifier: ISC */
/*
 * test_keymap.c: keys, and that the help has all of them.
 */
#include "keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* DESIGN sec. 6, and Shift-Tab and Ctrl-L. */
static const struct keymap_pair design[] = {
	{ 'q', COMMAND_QUIT }, { 'h', COMMAND_HELP }, { '?', COMMAND_HELP },
	{ ' ', COMMAND_PAUSE }, { '1', COMMAND_TAB_1 },
	{ '2', COMMAND_TAB_2 }, { '3', COMMAND_TAB_3 },
	{ '4', COMMAND_TAB_4 }, { '5', COMMAND_TAB_5 },
	{ '6', COMMAND_TAB_6 }, { '\t', COMMAND_NEXT_TAB },
	{ KEYMAP_BACKTAB, COMMAND_PREVIOUS_TAB },
	{ KEYMAP_LEFT, COMMAND_OLDER }, { KEYMAP_RIGHT, COMMAND_NEWER },
	{ KEYMAP_UP, COMMAND_UP }, { KEYMAP_DOWN, COMMAND_DOWN },
	{ KEYMAP_PAGE_UP, COMMAND_PAGE_OLDER },
	{ KEYMAP_PAGE_DOWN, COMMAND_PAGE_NEWER },
	{ KEYMAP_HOME, COMMAND_OLDEST }, { KEYMAP_END, COMMAND_NEWEST },
	{ 's', COMMAND_SORT_REVERSE }, { '<', COMMAND_SORT_LEFT },
	{ '>', COMMAND_SORT_RIGHT }, { '/', COMMAND_FILTER },
	{ 't', COMMAND_TOTAL }, { 'r', COMMAND_RESET },
	{ '+', COMMAND_LONGER }, { '-', COMMAND_SHORTER },
	{ 'w', COMMAND_WRITE }, { 'p', COMMAND_SPEED },
	{ 'e', COMMAND_NEXT_EPISODE }, { 'E', COMMAND_PREVIOUS_EPISODE },
	{ KEYMAP_CTRL_L, COMMAND_REDRAW }
};
#define DESIGN	(sizeof(design) / sizeof(design[0]))

static bool
is_in_design(int key)
{
	size_t i;

	for (i = 0; i < DESIGN; i++)
		if (design[i].key == key)
			return true;
	return false;
}

static void
every_key_of_the_design_has_its_command(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < DESIGN; i++)
		assert_int_equal(keymap_command(design[i].key),
		    design[i].command);
}

static void
every_other_key_does_nothing(void **state)
{
	int key;

	(void)state;
	for (key = KEYMAP_NONE; key <= KEYMAP_BACKTAB + 10; key++)
		if (!is_in_design(key))
			assert_int_equal(keymap_command(key), COMMAND_NONE);
}

static void
the_help_has_a_line_for_every_command(void **state)
{
	const struct keymap_line *lines;
	bool has[COMMANDS] = { true };		/* COMMAND_NONE */
	size_t i, j, n;

	(void)state;
	lines = keymap_lines(&n);
	for (i = 0; i < n; i++)
		for (j = 0; j < KEYMAP_KEYS &&
		    lines[i].pair[j].key != KEYMAP_NONE; j++)
			has[lines[i].pair[j].command] = true;
	for (i = 0; i < COMMANDS; i++)
		assert_true(has[i]);
}

/* A label of 12 columns and a help of 66 make a line of 80. */
static void
the_help_fits_a_screen_of_24_lines(void **state)
{
	const struct keymap_line *lines;
	size_t i, n;

	(void)state;
	lines = keymap_lines(&n);
	assert_true(n <= 22);
	for (i = 0; i < n; i++) {
		assert_true(strlen(lines[i].label) <= 11);
		assert_true(strlen(lines[i].help) <= 66);
		assert_true(lines[i].hint == NULL ||
		    strlen(lines[i].hint) <= 20);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_of_the_design_has_its_command),
		cmocka_unit_test(every_other_key_does_nothing),
		cmocka_unit_test(the_help_has_a_line_for_every_command),
		cmocka_unit_test(the_help_fits_a_screen_of_24_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_canvas.c: cells that hold any text, and nothing past their edges.
 */
#include "canvas.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS	3
#define COLS	10

static struct canvas c;
static char line[CANVAS_ROW_SIZE(COLS)];

/* On the heap, and of the exact size. */
static int
begin(void **state)
{
	(void)state;
	setlocale(LC_CTYPE, "C.UTF-8");
	canvas_init(&c, malloc(ROWS * COLS * sizeof(struct canvas_cell)),
	    ROWS, COLS, true);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	free(c.cell);
	return 0;
}

static void
it_is_blank_at_first(void **state)
{
	(void)state;
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)), "");
	assert_int_equal(c.cell[0].ch, ' ');
	assert_int_equal(c.cell[ROWS * COLS - 1].attr, CANVAS_PLAIN);
}

static void
text_is_cut_at_the_edge(void **state)
{
	(void)state;
	assert_int_equal(canvas_text(&c, 1, 7, CANVAS_BAD, "abcdef"), COLS);
	assert_string_equal(canvas_row(&c, 1, line, sizeof(line)),
	    "       abc");
	assert_int_equal(c.cell[COLS + 7].attr, CANVAS_BAD);
	assert_int_equal(c.cell[2 * COLS].ch, ' ');
}

static void
what_is_off_the_canvas_is_left_out(void **state)
{
	(void)state;
	canvas_text(&c, -1, 0, CANVAS_PLAIN, "x");
	canvas_text(&c, ROWS, 0, CANVAS_PLAIN, "x");
	canvas_text(&c, 0, 99, CANVAS_PLAIN, "x");
	canvas_text(&c, 0, -2, CANVAS_PLAIN, "abc");
	canvas_right(&c, 1, 2, CANVAS_PLAIN, "abcd");
	canvas_blank(&c, 99, 0, CANVAS_PLAIN);
	canvas_paint(&c, 99, CANVAS_PLAIN);
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)), "c");
	assert_string_equal(canvas_row(&c, 1, line, sizeof(line)), "cd");
	assert_string_equal(canvas_row(&c, 99, line, sizeof(line)), "");
}

static void
a_field_has_its_width(void **state)
{
	(void)state;
	assert_int_equal(canvas_field(&c, 0, 2, CANVAS_PLAIN, 3, "abcd"), 5);
	assert_int_equal(canvas_field(&c, 0, 8, CANVAS_PLAIN, 0, "abcd"), 8);
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)), "  abc");
}

static void
a_wide_character_takes_two_columns(void **state)
{
	(void)state;
	/* U+65E5: three bytes, two columns */
	assert_int_equal(canvas_width(&c, "\xe6\x97\xa5" "x"), 3);
	assert_int_equal(canvas_text(&c, 0, 0, CANVAS_PLAIN,
	    "\xe6\x97\xa5" "x"), 3);
	assert_int_equal(c.cell[0].ch, 0x65e5);
	assert_int_equal(c.cell[1].ch, 0);
	assert_int_equal(c.cell[2].ch, 'x');
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)),
	    "\xe6\x97\xa5" "x");
}

static void
a_wide_character_is_never_cut_in_two(void **state)
{
	(void)state;
	canvas_text(&c, 0, COLS - 1, CANVAS_PLAIN, "\xe6\x97\xa5");
	assert_int_equal(c.cell[COLS - 1].ch, ' ');
	canvas_field(&c, 1, 0, CANVAS_PLAIN, 3, "\xe6\x97\xa5\xe6\x97\xa5");
	assert_int_equal(c.cell[COLS + 2].ch, ' ');
	assert_int_equal(c.cell[COLS + 3].ch, ' ');
}

static void
a_character_without_width_takes_none(void **state)
{
	(void)state;
	/* e, U+0301 combining acute accent */
	assert_int_equal(canvas_text(&c, 0, 0, CANVAS_PLAIN, "e\xcc\x81x"), 2);
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)), "ex");
}

static void
control_characters_do_not_reach_the_terminal(void **state)
{
	(void)state;
	canvas_text(&c, 0, 0, CANVAS_PLAIN, "a\033[2Jb\x7f\n");
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)), "a?[2Jb??");
	canvas_text(&c, 1, 0, CANVAS_PLAIN, "\xc2\x9b" "x");	/* CSI */
	assert_string_equal(canvas_row(&c, 1, line, sizeof(line)), "?x");
}

static void
what_is_no_utf8_is_a_question_mark_a_byte(void **state)
{
	static const char *const bad[] = {
		"\xff" "a", "\x80" "a", "\xc0\xaf", "\xe6\x97", "\xed\xa0\x80",
		"\xf4\x90\x80\x80", "\xc3"
	};
	static const char *const shown[] = {
		"?a", "?a", "??", "??", "???", "????", "?"
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		canvas_blank(&c, 0, 0, CANVAS_PLAIN);
		canvas_text(&c, 0, 0, CANVAS_PLAIN, bad[i]);
		assert_string_equal(canvas_row(&c, 0, line, sizeof(line)),
		    shown[i]);
	}
}

static void
an_ascii_canvas_has_nothing_else(void **state)
{
	(void)state;
	c.utf8 = false;
	canvas_text(&c, 0, 0, CANVAS_PLAIN, "\xc3\xa9\xe6\x97\xa5z");
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)), "??z");
	assert_int_equal(canvas_width(&c, "\xe6\x97\xa5"), 1);
}

static void
any_code_point_comes_back_as_it_was(void **state)
{
	static const char text[] = "\x7e\xc3\xa9\xe2\x96\x88\xf0\x9d\x84\x9e";
	int col = 0;

	(void)state;
	col = canvas_char(&c, 0, col, CANVAS_PLAIN, 0x7e);
	col = canvas_char(&c, 0, col, CANVAS_PLAIN, 0xe9);
	col = canvas_char(&c, 0, col, CANVAS_PLAIN, 0x2588);
	col = canvas_char(&c, 0, col, CANVAS_PLAIN, 0x1d11e);
	assert_int_equal(col, 4);
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)), text);
}

static void
a_printf_of_any_length_is_cut(void **state)
{
	static char text[3000];

	(void)state;
	memset(text, 'y', sizeof(text) - 1);
	assert_int_equal(canvas_printf(&c, 0, 1, CANVAS_PLAIN, "%s|", text),
	    COLS);
	assert_string_equal(canvas_row(&c, 0, line, sizeof(line)),
	    " yyyyyyyyy");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_is_blank_at_first, begin,
		    end),
		cmocka_unit_test_setup_teardown(text_is_cut_at_the_edge,
		    begin, end),
		cmocka_unit_test_setup_teardown(
		    what_is_off_the_canvas_is_left_out, begin, end),
		cmocka_unit_test_setup_teardown(a_field_has_its_width, begin,
		    end),
		cmocka_unit_test_setup_teardown(
		    a_wide_character_takes_two_columns, begin, end),
		cmocka_unit_test_setup_teardown(
		    a_wide_character_is_never_cut_in_two, begin, end),
		cmocka_unit_test_setup_teardown(
		    a_character_without_width_takes_none, begin, end),
		cmocka_unit_test_setup_teardown(
		    control_characters_do_not_reach_the_terminal, begin, end),
		cmocka_unit_test_setup_teardown(
		    what_is_no_utf8_is_a_question_mark_a_byte, begin, end),
		cmocka_unit_test_setup_teardown(
		    an_ascii_canvas_has_nothing_else, begin, end),
		cmocka_unit_test_setup_teardown(
		    any_code_point_comes_back_as_it_was, begin, end),
		cmocka_unit_test_setup_teardown(a_printf_of_any_length_is_cut,
		    begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

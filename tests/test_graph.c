/* SPDX-License-Identifier: ISC */
/*
 * test_graph.c: bars of two lines, and the expected rate in them.
 */
#include "graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COLS	12

static struct canvas_cell cells[GRAPH_LINES * COLS];
static char upper[CANVAS_ROW_SIZE(COLS)], lower[CANVAS_ROW_SIZE(COLS)];
static struct canvas c;

static void
draw(const double *rates, int n, double expected, bool utf8)
{
	struct graph_point p[COLS];
	int i;

	memset(p, 0, sizeof(p));
	for (i = 0; i < n; i++)
		p[i].rate = rates[i];
	canvas_init(&c, cells, GRAPH_LINES, COLS, utf8);
	graph_draw(&c, 0, 0, p, n, expected);
	canvas_row(&c, 0, upper, sizeof(upper));
	canvas_row(&c, 1, lower, sizeof(lower));
}

#define DRAW(expected, utf8, ...) do {				\
	const double rates[] = { __VA_ARGS__ };			\
	draw(rates, sizeof(rates) / sizeof(rates[0]), expected, utf8); \
} while (0)

/* Sixteen levels: eighths of two lines. */
static void
a_rate_is_as_high_as_its_share_of_the_top(void **state)
{
	(void)state;
	DRAW(0, true, 16, 12, 8, 4, 1, 0);
	assert_string_equal(upper, "█▄");
	assert_string_equal(lower, "███▄▁");
}

static void
the_expected_rate_is_a_line_where_no_bar_is(void **state)
{
	(void)state;
	DRAW(16, true, 16, 4, 0, 12);
	assert_string_equal(upper, "█▔▔▄");
	assert_string_equal(lower, "█▄ █");
}

static void
rates_above_the_expected_push_the_line_down(void **state)
{
	(void)state;
	/* top 16, line at 8: the upper edge of the lower line */
	DRAW(8, true, 16, 0, 8, 4);
	assert_string_equal(upper, "█");
	assert_string_equal(lower, "█▔█▄");
	/* line at 12: the middle of the upper line */
	DRAW(12, true, 16, 0);
	assert_string_equal(upper, "█─");
}

static void
what_is_little_still_shows(void **state)
{
	(void)state;
	DRAW(1000, true, 1, 0);
	assert_string_equal(lower, "▁");
	DRAW(1000, false, 1, 0);
	assert_string_equal(lower, ".");
}

static void
unknown_is_not_zero(void **state)
{
	(void)state;
	DRAW(0, true, 4, -1, 0, 4);
	assert_string_equal(lower, "█? █");
	DRAW(4, true, -1);
	assert_string_equal(upper, "▔");
	assert_string_equal(lower, "?");
}

static void
in_ascii_there_are_three_heights(void **state)
{
	(void)state;
	DRAW(16, false, 16, 12, 10, 8, 4, 2, 0);
	assert_string_equal(upper, "#:.\"\"\"\"");
	assert_string_equal(lower, "####:.");
	DRAW(12, false, 16, 0);
	assert_string_equal(upper, "#-");
	DRAW(9, false, 16, 0);
	assert_string_equal(upper, "#_");
}

static void
nothing_at_all_is_drawn_without_dividing_by_it(void **state)
{
	const double zero = 0;

	(void)state;
	draw(&zero, 1, 0, true);
	assert_string_equal(upper, "");
	assert_string_equal(lower, "");
	draw(&zero, 0, 0, true);
	assert_string_equal(lower, "");
	assert_true(graph_top(NULL, 0, 0) >= 1);
}

static void
a_bad_interval_and_the_chosen_one_look_so(void **state)
{
	struct graph_point p[2] = {
		{ .rate = 1, .bad = true }, { .rate = 0, .chosen = true }
	};

	(void)state;
	canvas_init(&c, cells, GRAPH_LINES, COLS, true);
	graph_draw(&c, 0, 3, p, 2, 0);
	assert_int_equal(cells[COLS + 3].attr, CANVAS_BAD);
	assert_int_equal(cells[4].attr, CANVAS_CHOSEN);
	assert_int_equal(cells[COLS + 4].attr, CANVAS_CHOSEN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_as_high_as_its_share_of_the_top),
		cmocka_unit_test(the_expected_rate_is_a_line_where_no_bar_is),
		cmocka_unit_test(rates_above_the_expected_push_the_line_down),
		cmocka_unit_test(what_is_little_still_shows),
		cmocka_unit_test(unknown_is_not_zero),
		cmocka_unit_test(in_ascii_there_are_three_heights),
		cmocka_unit_test(
		    nothing_at_all_is_drawn_without_dividing_by_it),
		cmocka_unit_test(a_bad_interval_and_the_chosen_one_look_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

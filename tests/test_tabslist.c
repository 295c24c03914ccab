/* SPDX-License-Identifier: ISC */
/*
 * test_tabslist.c: lists: columns as there is room, in any order.
 */
#include "tabsstate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tabskit.h"

static const struct list_column columns[] = {
	{ "name", NULL, LIST_TEXT, 0, 8, 0, 1 },
	{ "count", "all", LIST_COUNT, 0, 7, 0, 1 },
	{ "real", NULL, LIST_REAL, 1, 7, 2, 2 },
	{ "share", NULL, LIST_PERCENT, 2, 7, 0, 3 },
	{ "time", NULL, LIST_TIME, 1, 9, 0, 4 },
	{ "some", NULL, LIST_REAL, 4, 7, LIST_AS_NEEDED, 5 }
};
#define COLUMNS	((int)(sizeof(columns) / sizeof(columns[0])))

static struct tabs *t;
static struct canvas c;
static struct canvas_cell cells[10 * 80];
static char row[CANVAS_ROW_SIZE(80)];

static int
begin(void **state)
{
	const struct tabs_config config = { .source = "x",
	    .interval_ns = 1000000000 };

	(void)state;
	t = tabs_new(&config);
	t->tab = TAB_OPS;		/* by the second column */
	return t == NULL;
}

static int
end(void **state)
{
	(void)state;
	tabs_free(t);
	return 0;
}

static void
add(struct list *l, const char *name, double count, const char *when)
{
	struct list_row *r = tabs_list_add(l);

	strcpy(r->text[0], name);
	strcpy(r->text[1], when);
	r->value[0] = r->value[1] = count;
	r->value[2] = count / 100;
}

/* Three rows on 80 or fewer columns. */
static void
show(int cols)
{
	struct list l = { .column = columns, .columns = COLUMNS,
	    .row = t->list_row, .nothing = "nothing" };

	add(&l, "b", 20, "00:00:02");
	add(&l, "a", 30, "00:00:01");
	add(&l, "c", 10, "00:00:03");
	canvas_init(&c, cells, 10, cols, false);
	tabs_list_show(t, &c, &l, 0, 5);
}

static const char *
line(int i)
{
	return canvas_row(&c, i, row, sizeof(row));
}

static void
columns_of_high_rank_go_where_there_is_no_room(void **state)
{
	int chosen[TABS_LIST_VALUES + TABS_LIST_TEXTS];

	(void)state;
	assert_int_equal(tabs_list_columns(columns, COLUMNS, 15, chosen), 2);
	assert_int_equal(tabs_list_columns(columns, COLUMNS, 21, chosen), 2);
	assert_int_equal(tabs_list_columns(columns, COLUMNS, 22, chosen), 3);
	assert_int_equal(tabs_list_columns(columns, COLUMNS, 45, chosen), 6);
	assert_int_equal(tabs_list_columns(columns, COLUMNS, 400, chosen), 6);
	assert_int_equal(chosen[5], 5);
	assert_int_equal(tabs_list_columns(columns, COLUMNS, 14, chosen), 0);
}

static void
rows_are_in_order_and_columns_aligned(void **state)
{
	(void)state;
	show(45);
	assert_string_equal(line(0),
	    "name      count   real  share time       some");
	assert_string_equal(line(1),
	    "a            30  30.00    30% 00:00:01      -");
	assert_string_equal(line(2),
	    "b            20  20.00    20% 00:00:02      -");
	assert_string_equal(line(3),
	    "c            10  10.00    10% 00:00:03      -");
	assert_string_equal(line(4), "");
}

static void
the_first_column_takes_what_it_needs(void **state)
{
	(void)state;
	show(24);
	assert_string_equal(line(0), "name      count   real");
	strcpy(t->list_row[0].text[0], "");
	show(22);
	assert_string_equal(line(1), "a            30  30.00");
}

static void
a_time_is_sorted_by_its_value_and_not_its_text(void **state)
{
	(void)state;
	t->order[TAB_OPS].column = 4;
	show(80);
	assert_memory_equal(line(1), "a ", 2);
	t->order[TAB_OPS].reverse = true;
	show(80);
	assert_memory_equal(line(1), "c ", 2);
	t->order[TAB_OPS].column = 0;
	t->order[TAB_OPS].reverse = false;
	show(80);
	assert_memory_equal(line(1), "a ", 2);
}

static void
the_chosen_column_looks_so_and_totals_have_their_titles(void **state)
{
	(void)state;
	t->totals_shown = true;
	show(45);
	assert_string_equal(line(0),
	    "name        all   real  share time       some");
	assert_int_equal(cells[12].attr, CANVAS_CHOSEN);
	assert_int_equal(cells[0].attr, CANVAS_TITLE);
}

static void
without_rows_it_says_so(void **state)
{
	struct list l = { .column = columns, .columns = COLUMNS,
	    .row = t->list_row, .nothing = "nothing at all" };

	(void)state;
	canvas_init(&c, cells, 10, 80, false);
	tabs_list_show(t, &c, &l, 0, 5);
	assert_string_equal(line(1), "nothing at all");
	tabs_list_show(t, &c, &l, 4, 4);	/* no room */
	assert_string_equal(line(4), "");
}

static void
a_full_list_takes_no_more_rows(void **state)
{
	struct list l = { .row = t->list_row };
	uint32_t i;

	(void)state;
	for (i = 0; i < TABS_LIST_ROWS; i++)
		assert_non_null(tabs_list_add(&l));
	assert_null(tabs_list_add(&l));
	assert_int_equal(l.n, TABS_LIST_ROWS);
}

static void
decimals_are_left_out_where_they_say_nothing(void **state)
{
	static const double values[] = { 0, 5, 5.5, 99.25, 100.6, 8637 };
	static const char *const texts[] = {
		"0", "5", "5.50", "99.25", "101", "8637"
	};
	struct list l = { .column = columns, .columns = COLUMNS,
	    .row = t->list_row };
	size_t i;

	(void)state;
	for (i = 0; i < 6; i++) {
		l.n = 0;
		add(&l, "x", 1, "");
		l.row[0].value[4] = values[i];
		canvas_init(&c, cells, 10, 45, false);
		tabs_list_show(t, &c, &l, 0, 5);
		assert_string_equal(strrchr(line(1), ' ') + 1, texts[i]);
	}
}

int
main(void)
{
#define CASE(f)	cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(columns_of_high_rank_go_where_there_is_no_room),
		CASE(rows_are_in_order_and_columns_aligned),
		CASE(the_first_column_takes_what_it_needs),
		CASE(a_time_is_sorted_by_its_value_and_not_its_text),
		CASE(the_chosen_column_looks_so_and_totals_have_their_titles),
		CASE(without_rows_it_says_so),
		CASE(a_full_list_takes_no_more_rows),
		CASE(decimals_are_left_out_where_they_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

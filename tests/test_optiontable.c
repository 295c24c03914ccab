/* SPDX-License-Identifier: ISC */
/*
 * test_optiontable.c: the table of options is in order, and each entry reads
 * a value into the member that it names.
 */
#include "optiontable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
the_table_has_no_name_or_letter_twice(void **state)
{
	const struct option_entry *table;
	size_t n, i, j;

	(void)state;
	table = option_table(&n);
	for (i = 0; i < n; i++)
		for (j = i + 1; j < n; j++) {
			assert_string_not_equal(table[i].name, table[j].name);
			if (table[i].letter != 0)
				assert_int_not_equal(table[i].letter,
				    table[j].letter);
			assert_true(table[i].group <= table[j].group);
		}
}

/* A value that every kind of argument of this name takes. */
static const char *
some_value(const struct option_entry *e)
{
	static const struct {
		const char	*argument, *value;
	} values[] = {
		{ "ADDR", "10.0.0.1" }, { "PORT", "2049" },
		{ "BYTES", "128" }, { "MIB", "2" }, { "SPEC", "auto" },
		{ "BITRATE", "1G" }, { "PCT", "5" }, { "M/N", "1/2" },
		{ "RANGE", "1:2" }, { "N", "7" }, { "SECONDS", "7" },
		{ "COUNT", "7" }, { "MODE", "log" },
	};
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (e->argument != NULL &&
		    strcmp(e->argument, values[i].argument) == 0)
			return values[i].value;
	return "text";
}

/* Each touches its own member: one changes, and no two the same. */
static void
every_entry_reads_its_value(void **state)
{
	static struct options before, after;
	const struct option_entry *table;
	char err[OPTVALUE_ERROR_MAX];
	size_t n, i, j;

	(void)state;
	table = option_table(&n);
	for (i = 0; i < n; i++) {
		memset(&before, 0, sizeof(before));
		memset(&after, 0, sizeof(after));
		assert_int_equal(table[i].parse(&after, &table[i],
		    some_value(&table[i]), err), 0);
		assert_memory_not_equal(&before, &after, sizeof(before));
		for (j = i + 1; j < n; j++)
			assert_int_not_equal(table[i].offset,
			    table[j].offset);
	}
}

static void
a_list_that_is_full_takes_no_more(void **state)
{
	static struct options o;
	const struct option_entry *table;
	char err[OPTVALUE_ERROR_MAX];
	size_t n, i, room;

	(void)state;
	table = option_table(&n);
	for (i = 0; i < n; i++) {
		if (strcmp(table[i].name, "server") != 0)
			continue;
		for (room = OPTIONS_SERVERS_MAX; room > 0; room--)
			assert_int_equal(table[i].parse(&o, &table[i],
			    "10.0.0.1", err), 0);
		assert_int_equal(table[i].parse(&o, &table[i], "10.0.0.1",
		    err), -1);
		assert_string_equal(err, "is given too often (at most 32)");
		assert_int_equal(o.servers, OPTIONS_SERVERS_MAX);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_has_no_name_or_letter_twice),
		cmocka_unit_test(every_entry_reads_its_value),
		cmocka_unit_test(a_list_that_is_full_takes_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

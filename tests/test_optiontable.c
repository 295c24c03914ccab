/* SPDX-License-Identifier: ISC */
/*
 * test_optiontable.c: the table of options is in order, and each entry reads
 * a value into the member that it names.
 */
#include "optiontable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DOCUMENT_MAX	(256 * 1024)

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
		{ "ADDR:PORT", "127.0.0.1:9712" },
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

/* A whole file of the top directory; the caller frees it. */
static char *
file_text(const char *name)
{
	FILE *f = fopen(name, "r");
	char *text = calloc(1, DOCUMENT_MAX);

	assert_non_null(text);
	if (f == NULL) {
		free(text);
		return NULL;	/* not in the top directory */
	}
	assert_true(fread(text, 1, DOCUMENT_MAX - 1, f) < DOCUMENT_MAX - 1);
	fclose(f);
	return text;
}

/* ".It Fl i , Fl Fl interface Ar IF" */
static void
heading(char *line, size_t size, const struct option_entry *e)
{
	char letter[16] = "", argument[64] = "", *slash;

	if (e->letter != 0)
		snprintf(letter, sizeof(letter), "Fl %c , ", e->letter);
	if (e->argument != NULL)
		snprintf(argument, sizeof(argument), " Ar %s", e->argument);
	slash = strstr(argument, "M/N");
	if (slash != NULL)
		strcpy(slash, "M Ns / Ns Ar N");
	snprintf(line, size, "\n.It %sFl Fl %s%s\n", letter, e->name,
	    argument);
}

static void
the_manual_explains_every_option_and_no_other(void **state)
{
	const struct option_entry *e;
	char *text = file_text("nfsrated.8"), line[160];
	const char *at;
	size_t n, all, headings = 0;

	(void)state;
	if (text == NULL)
		skip();
	e = option_table(&n);
	for (all = n; n > 0; n--, e++) {
		heading(line, sizeof(line), e);
		if (strstr(text, line) == NULL)
			fail_msg("not in the manual: %s", line);
	}
	for (at = text; (at = strstr(at, "\n.It Fl ")) != NULL; at++)
		headings++;
	assert_int_equal(headings, all);
	free(text);
}

/* Whether a file says --name, as a word. */
static bool
says_option(const char *text, const char *name)
{
	size_t len = strlen(name);
	const char *at;

	for (at = text; (at = strstr(at, name)) != NULL; at += len)
		if (at - text >= 2 && at[-1] == '-' && at[-2] == '-' &&
		    strchr("abcdefghijklmnopqrstuvwxyz-", at[len]) == NULL)
			return true;
	return false;
}

static void
both_completions_know_every_option_and_no_other(void **state)
{
	static const char *const files[] = {
		"contrib/nfsrated.bash", "contrib/nfsrated.zsh"
	};
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz-";
	const struct option_entry *e;
	char *text, name[64];
	const char *at;
	size_t i, n, k, len;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if ((text = file_text(files[i])) == NULL)
			skip();
		for (e = option_table(&n), k = 0; k < n; k++)
			if (!says_option(text, e[k].name))
				fail_msg("%s: no --%s", files[i], e[k].name);
		for (at = text; (at = strstr(at, "--")) != NULL; at += 2) {
			len = strspn(at + 2, letters);
			if (len == 0 || at[2] == '-')
				continue;
			snprintf(name, sizeof(name), "%.*s", (int)len, at + 2);
			for (k = 0; k < n; k++)
				if (strcmp(name, e[k].name) == 0)
					break;
			if (k == n)
				fail_msg("%s: there is no --%s", files[i],
				    name);
		}
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_has_no_name_or_letter_twice),
		cmocka_unit_test(every_entry_reads_its_value),
		cmocka_unit_test(a_list_that_is_full_takes_no_more),
		cmocka_unit_test(the_manual_explains_every_option_and_no_other),
		cmocka_unit_test(
		    both_completions_know_every_option_and_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

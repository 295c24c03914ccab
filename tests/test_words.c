/* SPDX-License-Identifier: ISC */
/*
 * test_words.c: a command line to words.
 */
#include "words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The words with '|' between them, or "!" and why there are none. */
static void
assert_splits(const char *text, const char *want)
{
	char got[256] = "";
	const char *why;
	char **w = words_split(text, &why);
	size_t i;

	if (w == NULL)
		snprintf(got, sizeof(got), "!%s", why);
	for (i = 0; w != NULL && w[i] != NULL; i++) {
		if (i > 0)
			strcat(got, "|");
		strcat(got, w[i]);
	}
	free(w);
	assert_string_equal(got, want);
}

static void
blanks_part_words(void **state)
{
	(void)state;
	assert_splits("a", "a");
	assert_splits("  mail -s x\troot ", "mail|-s|x|root");
}

static void
quotes_hold_blanks(void **state)
{
	(void)state;
	assert_splits("mail -s 'NFS is slow' root", "mail|-s|NFS is slow|root");
	assert_splits("a \"b c\"d'e f' ''", "a|b cde f|");
	assert_splits("'\"' \"'\"", "\"|'");
}

static void
a_backslash_takes_the_next_character(void **state)
{
	(void)state;
	assert_splits("a\\ b \\\"", "a b|\"");
	assert_splits("\"a\\\"b\" 'c\\d'", "a\"b|c\\d");
}

static void
nothing_else_has_a_meaning(void **state)
{
	(void)state;
	assert_splits("a $HOME `x` *; b | c >d",
	    "a|$HOME|`x`|*;|b|||c|>d");
}

static void
what_is_no_command_is_told(void **state)
{
	char many[2 * (WORDS_MAX + 1) + 1];
	size_t i;

	(void)state;
	assert_splits("", "!is empty");
	assert_splits(" \t", "!is empty");
	assert_splits("a 'b", "!has a quote that is not closed");
	assert_splits("a \"b\\\"", "!has a quote that is not closed");
	assert_splits("a\\", "!has a quote that is not closed");
	for (i = 0; i <= WORDS_MAX; i++)
		memcpy(many + 2 * i, "x ", 3);
	assert_splits(many, "!has too many words");
	many[2 * WORDS_MAX] = '\0';
	assert_true(many[0] == 'x');
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blanks_part_words),
		cmocka_unit_test(quotes_hold_blanks),
		cmocka_unit_test(a_backslash_takes_the_next_character),
		cmocka_unit_test(nothing_else_has_a_meaning),
		cmocka_unit_test(what_is_no_command_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_log.c: messages are whole lines that no quoted text can break.
 */
#include "log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct captured {
	char	text[4096];
	int	pipe[2];
	int	saved;
};

/* Standard error goes to a pipe from here on. */
static void
redirect(struct captured *c)
{
	assert_int_equal(pipe(c->pipe), 0);
	c->saved = dup(STDERR_FILENO);
	assert_true(c->saved >= 0);
	assert_true(dup2(c->pipe[1], STDERR_FILENO) >= 0);
	close(c->pipe[1]);
}

static void
restore(struct captured *c)
{
	ssize_t n;

	assert_true(dup2(c->saved, STDERR_FILENO) >= 0);
	close(c->saved);
	n = read(c->pipe[0], c->text, sizeof(c->text) - 1);
	c->text[n > 0 ? n : 0] = '\0';
	close(c->pipe[0]);
}

static void
a_message_is_a_line_with_the_name_before_it(void **state)
{
	struct captured c;

	(void)state;
	redirect(&c);
	log_open("nfsrated", LOG_TO_STDERR, false);
	log_warning("%s: %d drops", "eth0", 12);
	restore(&c);
	assert_string_equal(c.text, "nfsrated: eth0: 12 drops\n");
}

static void
control_characters_become_question_marks(void **state)
{
	struct captured c;

	(void)state;
	redirect(&c);
	log_open("n", LOG_TO_STDERR, false);
	log_error("a\x1b[2Jb\nc\x7f" "d\xc3\xa4");
	restore(&c);
	assert_string_equal(c.text, "n: a?[2Jb?c?d\xc3\xa4\n");
}

static void
a_message_that_is_too_long_ends_in_dots(void **state)
{
	char longer[3 * LOG_LINE_MAX];
	struct captured c;
	size_t len;

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	redirect(&c);
	log_open("n", LOG_TO_STDERR, false);
	log_error("%s", longer);
	restore(&c);
	len = strlen(c.text);
	assert_int_equal(len, LOG_LINE_MAX - 1);
	assert_string_equal(c.text + len - 5, "x...\n");
	assert_ptr_equal(strchr(c.text, '\n'), c.text + len - 1);
}

static void
a_message_that_just_fits_is_whole(void **state)
{
	char text[LOG_LINE_MAX];
	struct captured c;

	(void)state;
	/* "n: ", the text, newline */
	memset(text, 'x', sizeof(text));
	text[LOG_LINE_MAX - 1 - 3 - 1] = '\0';
	redirect(&c);
	log_open("n", LOG_TO_STDERR, false);
	log_error("%s", text);
	restore(&c);
	assert_int_equal(strlen(c.text), LOG_LINE_MAX - 1);
	assert_null(strstr(c.text, "..."));
}

static void
debug_messages_show_only_when_asked_for(void **state)
{
	struct captured c;

	(void)state;
	redirect(&c);
	log_open("n", LOG_TO_STDERR, false);
	log_debug("hidden");
	log_open("n", LOG_TO_STDERR, true);
	log_debug("shown");
	restore(&c);
	assert_string_equal(c.text, "n: shown\n");
}

static void
nothing_is_written_when_messages_go_to_nothing(void **state)
{
	struct captured c;

	(void)state;
	redirect(&c);
	log_open("n", LOG_TO_NOTHING, true);
	log_error("a");
	log_notice("b");
	log_debug("c");
	log_open("n", LOG_TO_STDERR, false);
	restore(&c);
	assert_string_equal(c.text, "");
}

static void
errno_survives_a_message(void **state)
{
	struct captured c;

	(void)state;
	redirect(&c);
	log_open("n", LOG_TO_STDERR, false);
	errno = ENOSPC;
	log_notice("%s", strerror(EIO));
	assert_int_equal(errno, ENOSPC);
	restore(&c);
}

static char called[256];

static void
on_call(void *ctx, int priority, const char *line)
{
	assert_ptr_equal(ctx, called);
	snprintf(called, sizeof(called), "%d %s", priority, line);
}

static void
messages_may_go_to_a_function(void **state)
{
	struct captured c;

	(void)state;
	redirect(&c);
	log_call("n", false, on_call, called);
	log_warning("one %d", 1);
	assert_string_equal(called, "4 one 1");	/* LOG_WARNING, RFC 5424 */
	log_debug("two");
	assert_string_equal(called, "4 one 1");
	log_close();
	restore(&c);
	assert_string_equal(c.text, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_is_a_line_with_the_name_before_it),
		cmocka_unit_test(control_characters_become_question_marks),
		cmocka_unit_test(a_message_that_is_too_long_ends_in_dots),
		cmocka_unit_test(a_message_that_just_fits_is_whole),
		cmocka_unit_test(debug_messages_show_only_when_asked_for),
		cmocka_unit_test(
		    nothing_is_written_when_messages_go_to_nothing),
		cmocka_unit_test(errno_survives_a_message),
		cmocka_unit_test(messages_may_go_to_a_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

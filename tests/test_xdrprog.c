/* SPDX-License-Identifier: ISC */
/*
 * test_xdrprog.c: what has to hold of the XDR programs for every walk to end.
 */
#include "xdrprog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "nfs.h"
#include "xdrstate.h"

static unsigned int
max(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static unsigned int
min(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool
calls(const struct xdr_step *s)
{
	switch (s->kind) {
	case XDR_OPTION:
	case XDR_LIST:
	case XDR_EACH:
	case XDR_CALL:
	case XDR_CASE:
	case XDR_OTHERWISE:
		return true;
	default:
		return false;
	}
}

/*
 * Depth of calls below a program, itself being 1.  A program that calls
 * itself would be found here by depth.  An operation's programs hang below
 * XDR_OPERATION; they cannot contain another one.
 */
static unsigned int
depth_of(uint16_t program, unsigned int above, bool in_operation)
{
	const struct xdr_step *s;
	unsigned int deepest = 0;
	uint16_t op;

	assert_true(program < xdr_step_count);
	assert_true(above < 32);
	for (s = &xdr_steps[program]; s->kind != XDR_END; s++) {
		if (calls(s))
			deepest = max(deepest, depth_of(s->program, above + 1,
			    in_operation));
		if (s->kind != XDR_OPERATION)
			continue;
		assert_false(in_operation);
		for (op = 0; op < xdr_grammar_count; op++) {
			if (nfs_op_is_procedure(op))
				continue;
			deepest = max(deepest, depth_of(
			    xdr_grammars[op].arguments, above + 1, true));
			deepest = max(deepest, depth_of(
			    xdr_grammars[op].results, above + 1, true));
		}
	}
	return deepest + 1;
}

/* The fewest bytes that a program reads. */
static unsigned int
fewest_bytes(uint16_t program)
{
	const struct xdr_step *s;
	unsigned int bytes = 0, arm = 0;

	for (s = &xdr_steps[program]; s->kind != XDR_END; s++) {
		if (s->kind == XDR_IMPOSSIBLE)
			return 1000;
		if (s->kind <= XDR_LAST_WORD)
			bytes += 4;
		else if (s->kind <= XDR_LAST_HYPER)
			bytes += 8;
		else if (s->kind == XDR_SKIP || s->kind == XDR_TEXT_FIXED)
			bytes += s->limit;
		else if (s->kind == XDR_CALL)
			bytes += fewest_bytes(s->program);
		if (s->kind != XDR_CASE && s->kind != XDR_OTHERWISE)
			continue;
		if (s[-1].kind != XDR_CASE)
			arm = fewest_bytes(s->program);
		arm = min(arm, fewest_bytes(s->program));
		if (s->kind == XDR_OTHERWISE)
			bytes += arm;
	}
	return bytes;
}

static void
there_is_a_grammar_for_every_op_id(void **state)
{
	uint16_t op;

	(void)state;
	for (op = 0; op < xdr_grammar_count; op++)
		assert_non_null(nfs_program_of(op));
	assert_null(nfs_program_of(xdr_grammar_count));
}

static void
calls_are_never_deeper_than_there_are_frames(void **state)
{
	uint16_t op;

	(void)state;
	assert_true(depth_of(XDR_PROGRAM_HEADER, 1, false) <= XDRSTATE_DEPTH);
	for (op = 0; op < xdr_grammar_count; op++) {
		if (!nfs_op_is_procedure(op))
			continue;
		assert_true(depth_of(xdr_grammars[op].arguments, 1, false) <=
		    XDRSTATE_DEPTH);
		assert_true(depth_of(xdr_grammars[op].results, 1, false) <=
		    XDRSTATE_DEPTH);
	}
}

static void
elements_of_arrays_and_lists_take_bytes(void **state)
{
	const struct xdr_step *s;
	uint16_t i;

	(void)state;
	for (i = 0; i < xdr_step_count; i++) {
		s = &xdr_steps[i];
		if (s->kind == XDR_COUNT)
			assert_int_equal(s[1].kind, XDR_EACH);
		if (s->kind == XDR_EACH)
			assert_int_equal(s[-1].kind, XDR_COUNT);
		if (s->kind == XDR_EACH || s->kind == XDR_LIST)
			assert_true(fewest_bytes(s->program) >= 4);
		if (s->kind == XDR_FIXED)
			assert_true(s->what >= 4 && s->what % 4 == 0);
	}
}

/* The word does not outlive the piece it came in. */
static void
a_word_is_looked_at_right_after_it_was_read(void **state)
{
	const struct xdr_step *s;
	uint16_t i;
	bool looks;

	(void)state;
	for (i = 1; i < xdr_step_count; i++) {
		s = &xdr_steps[i];
		looks = (s->kind == XDR_CASE && s[-1].kind != XDR_CASE) ||
		    (s->kind == XDR_HOOK && (s->what == XDR_HOOK_RPCVERS ||
		    s->what == XDR_HOOK_GSS_VERSION ||
		    s->what == XDR_HOOK_GSS_PROC ||
		    s->what == XDR_HOOK_GSS_SERVICE));
		if (looks)
			assert_int_equal(s[-1].kind, XDR_WORD);
		if (s->kind == XDR_CASE)
			assert_true(s[1].kind == XDR_CASE ||
			    s[1].kind == XDR_OTHERWISE);
	}
}

static void
bytes_that_are_skipped_or_kept_are_whole_words(void **state)
{
	const struct xdr_step *s;
	uint16_t i;

	(void)state;
	for (i = 0; i < xdr_step_count; i++) {
		s = &xdr_steps[i];
		if (s->kind == XDR_SKIP || s->kind == XDR_TEXT_FIXED)
			assert_int_equal(s->limit % 4, 0);
		if (s->kind == XDR_OPERATION)
			assert_int_equal(s[1].kind, XDR_OPERATION_END);
		if (s->kind == XDR_WORD || s->kind == XDR_HYPER)
			assert_true(s->what < XDR_MEMBERS);
	}
	assert_int_equal(xdr_steps[xdr_step_count - 1].kind, XDR_END);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_is_a_grammar_for_every_op_id),
		cmocka_unit_test(calls_are_never_deeper_than_there_are_frames),
		cmocka_unit_test(elements_of_arrays_and_lists_take_bytes),
		cmocka_unit_test(a_word_is_looked_at_right_after_it_was_read),
		cmocka_unit_test(
		    bytes_that_are_skipped_or_kept_are_whole_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

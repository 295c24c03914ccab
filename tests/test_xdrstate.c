/* SPDX-License-Identifier: ISC */
/*
 * test_xdrstate.c: integers cut anywhere, lengths, calls and unions.
 */
#include "xdrstate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "nfs.h"
#include "testkit.h"

static const uint8_t eight[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

static void
an_integer_cut_anywhere_is_gathered(void **state)
{
	struct xdrstate x;
	struct bytes b;
	const uint8_t *p;
	uint8_t *copy;
	size_t at;

	(void)state;
	xdrstate_start(&x, 0);
	for (at = 0; at < sizeof(eight); at++) {
		copy = testkit_copy(eight, at);
		b = bytes_of(copy, at);
		assert_null(xdrstate_gather(&x, &b, 8));
		assert_int_equal(b.len, 0);
		testkit_free(copy);
		b = bytes_of(eight + at, sizeof(eight) - at);
		p = xdrstate_gather(&x, &b, 8);
		assert_non_null(p);
		assert_memory_equal(p, eight, 8);
		assert_int_equal(b.len, 0);
	}
}

static void
an_integer_that_came_byte_by_byte_is_gathered(void **state)
{
	struct xdrstate x;
	struct bytes b = bytes_of(eight, 0);
	const uint8_t *p = NULL;
	size_t i;

	(void)state;
	xdrstate_start(&x, 0);
	for (i = 0; i < 4; i++) {
		assert_null(p);
		b = bytes_of(eight + i, 1);
		p = xdrstate_gather(&x, &b, 4);
	}
	assert_non_null(p);
	assert_memory_equal(p, eight, 4);
	b = bytes_of(eight, 8);
	assert_ptr_equal(xdrstate_gather(&x, &b, 4), eight);
	assert_int_equal(b.len, 4);
}

static void
what_is_skipped_may_end_in_another_piece(void **state)
{
	struct xdrstate x;
	struct bytes b = bytes_of(eight, 8);

	(void)state;
	xdrstate_start(&x, 0);
	x.skip = 10;
	assert_false(xdrstate_pass(&x, &b));
	assert_int_equal(x.skip, 2);
	b = bytes_of(eight, 8);
	assert_true(xdrstate_pass(&x, &b));
	assert_int_equal(b.len, 6);
	assert_true(xdrstate_pass(&x, &b));
	assert_int_equal(b.len, 6);
}

static void
lengths_are_padded_and_never_overflow(void **state)
{
	const struct xdr_step any = { XDR_OPAQUE, 0, 0, XDR_ANY };
	const struct xdr_step most5 = { XDR_OPAQUE, 0, 0, 5 };
	struct xdrstate x;

	(void)state;
	xdrstate_start(&x, 0);
	assert_true(xdrstate_opaque(&x, &any, 0));
	assert_int_equal(x.skip, 0);
	assert_true(xdrstate_opaque(&x, &any, 1));
	assert_int_equal(x.skip, 4);
	assert_true(xdrstate_opaque(&x, &any, 0xfffffffc));
	assert_int_equal(x.skip, 0xfffffffc);
	assert_false(xdrstate_opaque(&x, &any, 0xfffffffd));
	assert_false(xdrstate_opaque(&x, &any, UINT32_MAX));
	assert_true(xdrstate_opaque(&x, &most5, 5));
	assert_int_equal(x.skip, 8);
	assert_false(xdrstate_opaque(&x, &most5, 6));
}

static void
counts_of_fixed_elements_never_overflow(void **state)
{
	const struct xdr_step any = { XDR_FIXED, 16, 0, XDR_ANY };
	const struct xdr_step most1 = { XDR_FIXED, 4, 0, 1 };
	struct xdrstate x;

	(void)state;
	xdrstate_start(&x, 0);
	assert_true(xdrstate_fixed(&x, &any, 0x0fffffff));
	assert_int_equal(x.skip, 0xfffffff0);
	assert_false(xdrstate_fixed(&x, &any, 0x10000000));
	assert_false(xdrstate_fixed(&x, &any, UINT32_MAX));
	assert_true(xdrstate_fixed(&x, &most1, 1));
	assert_int_equal(x.skip, 4);
	assert_false(xdrstate_fixed(&x, &most1, 2));
}

static void
calls_come_back_and_are_bounded(void **state)
{
	struct xdrstate x;
	uint16_t i;

	(void)state;
	xdrstate_start(&x, 5);
	assert_false(xdrstate_return(&x));
	for (i = 1; i < XDRSTATE_DEPTH; i++) {
		x.pc++;
		assert_true(xdrstate_call(&x, (uint16_t)(5 + 10 * i)));
	}
	assert_false(xdrstate_call(&x, 5));
	for (i = XDRSTATE_DEPTH - 1; i > 0; i--) {
		assert_true(xdrstate_return(&x));
		assert_int_equal(x.pc, 6 + 10 * (i - 1));
	}
	assert_false(xdrstate_return(&x));
}

/* The header program: XID, type, then the arms 0, 1 and otherwise. */
static void
a_union_takes_one_arm_and_goes_on_behind_the_last(void **state)
{
	const struct xdr_step *s = &xdr_steps[XDR_PROGRAM_HEADER];
	struct xdrstate x;
	uint32_t word;

	(void)state;
	assert_int_equal(s[2].kind, XDR_CASE);
	assert_int_equal(s[4].kind, XDR_OTHERWISE);
	for (word = 0; word < 4; word++) {
		xdrstate_start(&x, XDR_PROGRAM_HEADER + 2);
		assert_true(xdrstate_choose(&x, word));
		assert_int_equal(x.pc, s[word < 2 ? 2 + word : 4].program);
		assert_true(xdrstate_return(&x));
		assert_int_equal(x.pc, XDR_PROGRAM_HEADER + 5);
	}
}

static void
each_element_is_walked_once(void **state)
{
	struct xdrstate x;
	unsigned int n = 0;

	(void)state;
	xdrstate_start(&x, 5);
	x.frames[0].left = 3;
	for (;;) {
		assert_true(xdrstate_each(&x, 100));
		if (x.pc != 100)
			break;
		x.frames[x.depth].left = 77;	/* an array in the element */
		n++;
		assert_true(xdrstate_return(&x));
		assert_int_equal(x.pc, 5);
	}
	assert_int_equal(n, 3);
	assert_int_equal(x.pc, 6);
}

/* v3_write: handle, offset, count, stable; data's length and data follow. */
static void
the_way_to_file_data_is_measured(void **state)
{
	struct xdrstate x;
	uint16_t write = xdr_grammars[nfs_proc_op(100003, 3, 7)].arguments;
	struct bytes b = bytes_of(eight, 3);

	(void)state;
	xdrstate_start(&x, write);
	assert_int_equal(xdrstate_to_data(&x), 0);	/* a handle before */
	x.pc++;
	assert_int_equal(xdrstate_to_data(&x), 8 + 4 + 4 + 4);
	x.skip = 12;
	assert_int_equal(xdrstate_to_data(&x), 12 + 20);
	x.skip = 0;
	assert_null(xdrstate_gather(&x, &b, 8));
	assert_int_equal(xdrstate_to_data(&x), 20 - 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_integer_cut_anywhere_is_gathered),
		cmocka_unit_test(
		    an_integer_that_came_byte_by_byte_is_gathered),
		cmocka_unit_test(what_is_skipped_may_end_in_another_piece),
		cmocka_unit_test(lengths_are_padded_and_never_overflow),
		cmocka_unit_test(counts_of_fixed_elements_never_overflow),
		cmocka_unit_test(calls_come_back_and_are_bounded),
		cmocka_unit_test(
		    a_union_takes_one_arm_and_goes_on_behind_the_last),
		cmocka_unit_test(each_element_is_walked_once),
		cmocka_unit_test(the_way_to_file_data_is_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

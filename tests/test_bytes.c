/* SPDX-License-Identifier: ISC */
/*
 * test_bytes.c: bounds-checked reads.
 */
#include "bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "testkit.h"

static const uint8_t text[] = {
	0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef,
	0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
};

static void
integers_are_big_endian(void **state)
{
	struct bytes b = bytes_of(text, sizeof(text));
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;
	uint64_t u64;

	(void)state;
	assert_true(bytes_take_u8(&b, &u8));
	assert_int_equal(u8, 0x01);
	assert_true(bytes_take_u16(&b, &u16));
	assert_int_equal(u16, 0x2345);
	assert_true(bytes_take_u32(&b, &u32));
	assert_int_equal(u32, 0x6789abcd);
	assert_true(bytes_take_u64(&b, &u64));
	assert_true(u64 == UINT64_C(0xeffedcba98765432));
	assert_int_equal(b.len, 1);
	assert_ptr_equal(b.data, text + 15);
}

static void
the_top_bit_is_no_sign(void **state)
{
	static const uint8_t ones[8] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	};

	(void)state;
	assert_int_equal(bytes_be16(ones), 0xffff);
	assert_true(bytes_be32(ones) == UINT32_MAX);
	assert_true(bytes_be64(ones) == UINT64_MAX - 1);
}

/* Every take function on a range of every length, one by one. */
static void
take_all_kinds(void *ctx, struct bytes prefix)
{
	struct bytes b, part = { NULL, 77 };
	uint64_t u64 = 77;
	uint32_t u32 = 77;
	uint16_t u16 = 77;
	uint8_t u8 = 77, room[8] = { 77 };

	(void)ctx;
	b = prefix;
	assert_true(bytes_take_u8(&b, &u8) == (prefix.len >= 1));
	assert_true(prefix.len >= 1 ? b.len == prefix.len - 1 : u8 == 77);
	b = prefix;
	assert_true(bytes_take_u16(&b, &u16) == (prefix.len >= 2));
	assert_true(prefix.len >= 2 ? b.len == prefix.len - 2 : u16 == 77);
	b = prefix;
	assert_true(bytes_take_u32(&b, &u32) == (prefix.len >= 4));
	assert_true(prefix.len >= 4 ? b.len == prefix.len - 4 : u32 == 77);
	b = prefix;
	assert_true(bytes_take_u64(&b, &u64) == (prefix.len >= 8));
	assert_true(prefix.len >= 8 ? b.len == prefix.len - 8 : u64 == 77);
	b = prefix;
	assert_true(bytes_take(&b, 5, &part) == (prefix.len >= 5));
	assert_int_equal(part.len, prefix.len >= 5 ? 5 : 77);
	b = prefix;
	assert_true(bytes_copy(&b, room, 8) == (prefix.len >= 8));
	assert_int_equal(room[0], prefix.len >= 8 ? 0x01 : 77);
	b = prefix;
	assert_true(bytes_skip(&b, 7) == (prefix.len >= 7));
	assert_int_equal(b.len, prefix.len >= 7 ? prefix.len - 7 : prefix.len);
}

static void
nothing_is_taken_of_a_range_that_is_too_short(void **state)
{
	(void)state;
	for_every_prefix(text, sizeof(text), take_all_kinds, NULL);
}

static void
a_huge_length_does_not_wrap_round(void **state)
{
	struct bytes b = bytes_of(text, sizeof(text)), part;
	uint32_t v;

	(void)state;
	assert_false(bytes_skip(&b, SIZE_MAX));
	assert_false(bytes_take(&b, SIZE_MAX - 1, &part));
	assert_false(bytes_peek_u32(&b, SIZE_MAX, &v));
	assert_false(bytes_peek_u32(&b, SIZE_MAX - 3, &v));
	assert_int_equal(b.len, sizeof(text));
}

static void
a_peek_consumes_nothing(void **state)
{
	struct bytes b = bytes_of(text, 7);
	uint32_t v = 0;

	(void)state;
	assert_true(bytes_peek_u32(&b, 0, &v));
	assert_int_equal(v, 0x01234567);
	assert_true(bytes_peek_u32(&b, 3, &v));
	assert_int_equal(v, 0x6789abcd);
	assert_false(bytes_peek_u32(&b, 4, &v));
	assert_int_equal(b.len, 7);
}

static void
trimming_keeps_the_first_bytes_and_never_adds(void **state)
{
	struct bytes b = bytes_of(text, sizeof(text));

	(void)state;
	bytes_trim(&b, 20);
	assert_int_equal(b.len, 16);
	bytes_trim(&b, 3);
	assert_int_equal(b.len, 3);
	assert_ptr_equal(b.data, text);
}

static void
an_empty_range_may_have_no_address(void **state)
{
	struct bytes b = bytes_of(NULL, 0), part;
	uint8_t v;

	(void)state;
	assert_true(bytes_skip(&b, 0));
	assert_true(bytes_take(&b, 0, &part));
	assert_true(bytes_copy(&b, &v, 0));
	assert_false(bytes_take_u8(&b, &v));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_big_endian),
		cmocka_unit_test(the_top_bit_is_no_sign),
		cmocka_unit_test(nothing_is_taken_of_a_range_that_is_too_short),
		cmocka_unit_test(a_huge_length_does_not_wrap_round),
		cmocka_unit_test(a_peek_consumes_nothing),
		cmocka_unit_test(trimming_keeps_the_first_bytes_and_never_adds),
		cmocka_unit_test(an_empty_range_may_have_no_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

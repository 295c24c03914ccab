/* SPDX-License-Identifier: ISC */
/*
 * test_samplepack.c: what is packed comes back as it was, in few bytes.
 */
#include "samplepack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "demo.h"
#include "testkit.h"

static struct sample s, back;
static uint8_t counters[SAMPLEPACK_COUNTERS_MAX], rows[SAMPLEPACK_ROWS_MAX];
static size_t counters_len, rows_len;

static void
pack(void)
{
	counters_len = samplepack_counters(&s, counters);
	rows_len = samplepack_rows(&s, rows);
	assert_true(counters_len <= sizeof(counters));
	assert_true(rows_len <= sizeof(rows));
}

static void
unpack(void)
{
	memset(&back, 0xa5, sizeof(back));
	assert_true(samplepack_get_counters(&back, counters, counters_len));
	assert_true(samplepack_get_rows(&back, rows, rows_len));
}

/* Rows past those in use are whatever they are. */
static void
same(void)
{
	int kind;

	assert_memory_equal(&s, &back, offsetof(struct sample, ops));
	assert_int_equal(s.ops, back.ops);
	assert_int_equal(s.cells, back.cells);
	assert_memory_equal(s.op, back.op, s.ops * sizeof(s.op[0]));
	assert_memory_equal(s.status, back.status,
	    s.statuses * sizeof(s.status[0]));
	for (kind = 0; kind < 2; kind++) {
		assert_int_equal(s.sizes[kind], back.sizes[kind]);
		assert_memory_equal(s.size[kind], back.size[kind],
		    s.sizes[kind] * sizeof(s.size[0][0]));
	}
	assert_memory_equal(s.client, back.client,
	    s.clients * sizeof(s.client[0]));
	assert_memory_equal(s.user, back.user, s.users * sizeof(s.user[0]));
	assert_memory_equal(s.file, back.file, s.files * sizeof(s.file[0]));
	if (s.cells > 0)
		assert_memory_equal(s.cell, back.cell, sizeof(s.cell));
}

static void
an_empty_sample_takes_few_bytes(void **state)
{
	(void)state;
	sample_clear(&s);
	pack();
	assert_true(counters_len <= 8);
	assert_true(rows_len <= 16);
	unpack();
	same();
}

static void
a_second_of_traffic_takes_two_kilobytes_and_comes_back(void **state)
{
	struct demo d = { 0 };

	(void)state;
	while (demo_next(&d, &s)) {
		pack();
		assert_true(counters_len < 500);
		assert_true(rows_len < 1700);
		unpack();
		same();
	}
}

static void
fill_with_chance(uint64_t *chance)
{
	uint8_t *p = (void *)&s;
	size_t i;
	uint32_t zeros = testkit_below(chance, 20);

	for (i = 0; i < sizeof(s); i++)
		p[i] = testkit_below(chance, 20) < zeros ? 0 :
		    (uint8_t)testkit_random(chance);
	s.partial = s.gap = s.restarted = s.no_data = false;
	s.has_split = s.has_duty = true;
	s.ops = testkit_below(chance, SAMPLE_OPS + 1);
	s.statuses = testkit_below(chance, SAMPLE_STATUS + 1);
	s.sizes[0] = testkit_below(chance, SAMPLE_SIZES + 1);
	s.sizes[1] = testkit_below(chance, SAMPLE_SIZES + 1);
	s.clients = testkit_below(chance, SAMPLE_CLIENTS + 1);
	s.users = testkit_below(chance, SAMPLE_USERS + 1);
	s.files = testkit_below(chance, SAMPLE_FILES + 1);
	s.cells = testkit_below(chance, SAMPLE_CELLS + 1);
}

static void
any_bytes_come_back_and_never_take_more_room_than_said(void **state)
{
	uint64_t chance = 1;
	int i;

	(void)state;
	for (i = 0; i < 200; i++) {
		fill_with_chance(&chance);
		pack();
		unpack();
		same();
	}
}

static void
counters_alone_leave_no_rows(void **state)
{
	struct demo d = { 0 };

	(void)state;
	assert_true(demo_next(&d, &s));
	pack();
	memset(&back, 0xa5, sizeof(back));
	assert_true(samplepack_get_counters(&back, counters, counters_len));
	assert_int_equal(back.ops + back.clients + back.users + back.files +
	    back.sizes[0] + back.sizes[1] + back.statuses + back.cells, 0);
	assert_int_equal(back.traffic[SAMPLE_IN].packets, 8638);
}

static void
try_rows(void *ctx, struct bytes b)
{
	const size_t *whole = ctx;

	sample_clear(&back);
	assert_int_equal(samplepack_get_rows(&back, b.data, b.len), b.len ==
	    *whole);
}

static void
try_counters(void *ctx, struct bytes b)
{
	const size_t *whole = ctx;

	assert_int_equal(samplepack_get_counters(&back, b.data, b.len), b.len ==
	    *whole);
}

static void
what_is_cut_is_refused(void **state)
{
	struct demo d = { 0 };

	(void)state;
	assert_true(demo_next(&d, &s));
	pack();
	for_every_prefix(rows, rows_len, try_rows, &rows_len);
	for_every_prefix(counters, counters_len, try_counters, &counters_len);
}

static void
flip_rows(void *ctx, struct bytes b, size_t bit)
{
	(void)ctx;
	(void)bit;
	sample_clear(&back);
	samplepack_get_rows(&back, b.data, b.len);
}

static void
flip_counters(void *ctx, struct bytes b, size_t bit)
{
	(void)ctx;
	(void)bit;
	samplepack_get_counters(&back, b.data, b.len);
}

static void
flipped_bits_do_no_harm(void **state)
{
	struct demo d = { 0 };

	(void)state;
	assert_true(demo_next(&d, &s));
	pack();
	for_every_bit_flip(rows, rows_len, flip_rows, NULL);
	for_every_bit_flip(counters, counters_len, flip_counters, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_sample_takes_few_bytes),
		cmocka_unit_test(
		    a_second_of_traffic_takes_two_kilobytes_and_comes_back),
		cmocka_unit_test(
		    any_bytes_come_back_and_never_take_more_room_than_said),
		cmocka_unit_test(counters_alone_leave_no_rows),
		cmocka_unit_test(what_is_cut_is_refused),
		cmocka_unit_test(flipped_bits_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

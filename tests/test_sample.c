/* SPDX-License-Identifier: ISC */
/*
 * test_sample.c: the rows, cells and names of a sample.
 */
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define US	INT64_C(1000)

static struct sample s;

static int
clear(void **state)
{
	(void)state;
	sample_clear(&s);
	return 0;
}

static uint16_t
op_of(const char *key, uint32_t prog, uint32_t vers, uint32_t proc)
{
	uint16_t op = nfs_proc_op(prog, vers, proc);

	assert_int_not_equal(op, NFS_OP_NONE);
	assert_string_equal(nfs_program_of(op)->key, key);
	return op;
}

static void
servers_are_told_once_each_and_only_some(void **state)
{
	struct addr a;
	uint8_t b[4] = { 10, 0, 0, 0 };

	(void)state;
	sample_clear(&s);
	for (b[3] = 0; b[3] < 2 * SAMPLE_SERVERS; b[3]++) {
		addr_from_ipv4(&a, b);
		sample_server(&s, &a);
		sample_server(&s, &a);
	}
	assert_int_equal(s.servers, SAMPLE_SERVERS);
	addr_from_ipv4(&a, (const uint8_t[4]){ 10, 0, 0, 1 });
	assert_true(addr_equal(&s.server[1], &a));
}

static void
an_empty_sample_knows_no_interface_counters(void **state)
{
	(void)state;
	assert_true(s.traffic[SAMPLE_IN].errs == SAMPLE_UNKNOWN);
	assert_true(s.colls == SAMPLE_UNKNOWN);
	assert_true(s.kernel_drops == SAMPLE_UNKNOWN);
	assert_true(s.if_out_errs == SAMPLE_UNKNOWN);
	assert_true(s.traffic[SAMPLE_IN].packets == 0);
	assert_true(sample_packets(&s) == 0);
}

static void
an_operation_has_one_row(void **state)
{
	uint16_t write = op_of("nfs3", NFS_PROG_NFS, 3, 7);
	uint16_t read = op_of("nfs3", NFS_PROG_NFS, 3, 6);
	struct sample_op *row = sample_op(&s, write, 1, 2, 3);

	(void)state;
	assert_non_null(row);
	assert_ptr_equal(sample_op(&s, write, 4, 5, 6), row);
	assert_ptr_not_equal(sample_op(&s, read, 0, 0, 0), row);
	assert_int_equal(s.ops, 2);
}

static void
operations_without_a_number_are_told_apart_by_program(void **state)
{
	struct sample_op *a = sample_op(&s, NFS_OP_NONE, 100227, 3, 1);
	struct sample_op *b = sample_op(&s, NFS_OP_NONE, 100227, 3, 2);

	(void)state;
	assert_ptr_not_equal(a, b);
	assert_ptr_not_equal(sample_op(&s, NFS_OP_NONE, 100227, 2, 1), a);
	assert_ptr_equal(sample_op(&s, NFS_OP_NONE, 100227, 3, 1), a);
	assert_int_equal(a->prog, 100227);
}

static void
unknown_programs_leave_room_for_the_known(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 0; i < 1000; i++)
		sample_op(&s, NFS_OP_NONE, 300000 + i, 1, 0);
	assert_int_equal(s.ops, SAMPLE_OTHER_OPS);
	assert_true(s.counter[SAMPLE_OPS_LOST] == 1000 - SAMPLE_OTHER_OPS);
	assert_non_null(sample_op(&s, op_of("nfs3", NFS_PROG_NFS, 3, 7), 0, 0,
	    0));
}

static void
a_full_table_of_operations_counts_what_it_refuses(void **state)
{
	uint16_t op;

	(void)state;
	for (op = 0; op < SAMPLE_OPS; op++)
		assert_non_null(sample_op(&s, op, 0, 0, 0));
	assert_null(sample_op(&s, SAMPLE_OPS, 0, 0, 0));
	assert_non_null(sample_op(&s, 0, 0, 0, 0));
	assert_true(s.counter[SAMPLE_OPS_LOST] == 1);
}

static void
statuses_add_up_by_program(void **state)
{
	uint32_t i;

	(void)state;
	sample_status_add(&s, 0, 2, 1);
	sample_status_add(&s, 0, 2, 4);
	sample_status_add(&s, 18, 2, 1);
	assert_int_equal(s.statuses, 2);
	assert_true(s.status[0].count == 5);
	for (i = 0; i < SAMPLE_STATUS; i++)
		sample_status_add(&s, 0, 1000 + i, 1);
	assert_int_equal(s.statuses, SAMPLE_STATUS);
	assert_true(s.counter[SAMPLE_OPS_LOST] == 2);
}

/* 1000 calls of 512 bytes, two at a time, 125 us each: 512 * 2 / 125 us. */
static void
a_size_has_a_limit_once_it_is_timed(void **state)
{
	struct sample_size z = { .size = 512, .calls = 1000, .bytes = 512000,
	    .depth_sum = 2000 };

	(void)state;
	assert_true(sample_size_limit(&z) < 0);
	z.timed = 10;		/* replies that were seen */
	z.sum_us = 1250;
	assert_true(fabs(sample_size_limit(&z) - 8192000) < 1);
}

static void
the_first_sizes_are_exact_and_the_rest_powers_of_two(void **state)
{
	struct sample_size *z;
	uint32_t i;

	(void)state;
	for (i = 0; i < SAMPLE_EXACT; i++) {
		z = sample_size(&s, SAMPLE_WRITE, 100 + i);
		assert_int_equal(z->upto, 0);
		assert_int_equal(z->size, 100 + i);
	}
	z = sample_size(&s, SAMPLE_WRITE, 513);
	assert_int_equal(z->upto, 1);
	assert_int_equal(z->size, 1024);
	assert_ptr_equal(sample_size(&s, SAMPLE_WRITE, 1024), z);
	assert_int_equal(sample_size(&s, SAMPLE_WRITE, 1)->size, 512);
	assert_int_equal(sample_size(&s, SAMPLE_WRITE, 105)->upto, 0);
	assert_int_equal(s.sizes[SAMPLE_READ], 0);
}

static void
every_size_finds_a_row(void **state)
{
	uint64_t size, calls = 0;
	uint32_t i;

	(void)state;
	for (size = 1; size <= UINT32_MAX; size = size * 3 / 2 + 1)
		sample_size(&s, SAMPLE_READ, (uint32_t)size)->calls++;
	sample_size(&s, SAMPLE_READ, UINT32_MAX)->calls++;
	sample_size(&s, SAMPLE_READ, 0)->calls++;
	assert_true(s.sizes[SAMPLE_READ] <= SAMPLE_SIZES);
	for (i = 0; i < s.sizes[SAMPLE_READ]; i++)
		calls += s.size[SAMPLE_READ][i].calls;
	for (size = 1; size <= UINT32_MAX; size = size * 3 / 2 + 1)
		calls--;
	assert_true(calls == 2);
}

static void
cells_hold_what_a_histogram_would(void **state)
{
	struct histogram want = { 0 }, got;
	uint16_t op = op_of("nfs3", NFS_PROG_NFS, 3, 7);
	struct sample_op *row = sample_op(&s, op, 0, 0, 0);
	int64_t ns;

	(void)state;
	for (ns = 0; ns < 3000000 * US; ns += ns / 7 + 400) {
		histogram_add_ns(&want, ns);
		sample_op_latency(&s, row, ns);
		/* others in between must not mix */
		sample_part_latency(&s, &s.data[SAMPLE_WRITE].latency,
		    SAMPLE_WRITE_LATENCY, ns + 1000);
	}
	sample_histogram(&s, op, &got);
	assert_true(got.count == want.count);
	assert_memory_equal(got.bucket, want.bucket, sizeof(got.bucket));
	assert_true(row->timed == want.count);
	assert_true(row->sum_us == want.sum_us);
	assert_int_equal(row->max_us, want.max_us);
	sample_histogram(&s, SAMPLE_READ_LATENCY, &got);
	assert_true(got.count == 0);
}

static void
a_latency_without_a_series_is_in_the_sums_alone(void **state)
{
	struct sample_op *row = sample_op(&s, NFS_OP_NONE, 9, 9, 9);

	(void)state;
	sample_op_latency(&s, row, 1499);
	sample_op_latency(&s, row, 2500);
	sample_op_latency(&s, row, -5);
	assert_int_equal(s.cells, 0);
	assert_true(row->timed == 3);
	assert_true(row->sum_us == 1 + 3);
	assert_int_equal(row->max_us, 3);
}

static void
full_cells_are_counted_and_keep_the_sums(void **state)
{
	struct sample_part part = { 0 };
	uint32_t series, us;

	(void)state;
	for (series = 0; series < 100; series++)
		for (us = 1; us < 40; us++)
			sample_part_latency(&s, &part, (uint16_t)series,
			    us * US);
	assert_true(part.timed == 3900);
	assert_true(s.cells < SAMPLE_CELLS);
	assert_true(s.counter[SAMPLE_OPS_LOST] > 0);
}

static void
trust_is_what_is_left_of_the_interval(void **state)
{
	(void)state;
	s.length_ns = 1000;
	assert_true(sample_trust(&s) == 1);
	s.untrusted_ns = 250;
	assert_true(sample_trust(&s) == 0.75);
	s.untrusted_ns = 5000;
	assert_true(sample_trust(&s) == 0);
	s.untrusted_ns = 0;
	s.no_data = true;
	assert_true(sample_trust(&s) == 0);
}

static void
seconds_are_never_0(void **state)
{
	(void)state;
	assert_true(sample_seconds(&s) > 0);
	s.length_ns = 100000000;
	assert_true(sample_seconds(&s) == 0.1);
}

static void
a_partial_interval_has_the_seconds_that_were_watched(void **state)
{
	(void)state;
	s.length_ns = 5000000000;
	s.watched_ns = 1500000000;
	assert_true(sample_seconds(&s) == 5);
	s.partial = true;
	assert_true(sample_seconds(&s) == 1.5);
	/* One packet in a millisecond is no 1000 packets a second. */
	s.watched_ns = 1000000;
	assert_true(sample_seconds(&s) == 5);
}

static void
unknown_and_known_make_known(void **state)
{
	(void)state;
	assert_true(sample_sum(SAMPLE_UNKNOWN, 3) == 3);
	assert_true(sample_sum(3, SAMPLE_UNKNOWN) == 3);
	assert_true(sample_sum(3, 4) == 7);
	assert_true(sample_sum(SAMPLE_UNKNOWN, SAMPLE_UNKNOWN) ==
	    SAMPLE_UNKNOWN);
}

static void
every_counter_has_its_own_name(void **state)
{
	enum sample_counter a, b;

	(void)state;
	for (a = 0; a < SAMPLE_COUNTERS; a++) {
		assert_non_null(sample_counter_name(a));
		assert_non_null(sample_counter_words(a));
		assert_true(sample_counter_group(a) < SAMPLE_GROUPS);
		for (b = 0; b < a; b++)
			assert_false(sample_counter_group(a) ==
			    sample_counter_group(b) &&
			    strcmp(sample_counter_name(a),
			    sample_counter_name(b)) == 0);
	}
}

static void
states_and_series_are_named_as_in_the_json(void **state)
{
	char buf[64];

	(void)state;
	assert_string_equal(sample_state_name(SAMPLE_COMMITTING), "commit");
	assert_string_equal(sample_state_name(SAMPLE_CLIENT), "client");
	assert_string_equal(sample_series_name(SAMPLE_WRITE_SERVER, buf,
	    sizeof(buf)), "write.server");
	assert_string_equal(sample_series_name(
	    op_of("nfs3", NFS_PROG_NFS, 3, 7), buf, sizeof(buf)),
	    "nfs3.WRITE");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(servers_are_told_once_each_and_only_some),
		cmocka_unit_test_setup(
		    an_empty_sample_knows_no_interface_counters, clear),
		cmocka_unit_test_setup(an_operation_has_one_row, clear),
		cmocka_unit_test_setup(
		    operations_without_a_number_are_told_apart_by_program,
		    clear),
		cmocka_unit_test_setup(
		    unknown_programs_leave_room_for_the_known, clear),
		cmocka_unit_test_setup(
		    a_full_table_of_operations_counts_what_it_refuses, clear),
		cmocka_unit_test_setup(statuses_add_up_by_program, clear),
		cmocka_unit_test(a_size_has_a_limit_once_it_is_timed),
		cmocka_unit_test_setup(
		    the_first_sizes_are_exact_and_the_rest_powers_of_two,
		    clear),
		cmocka_unit_test_setup(every_size_finds_a_row, clear),
		cmocka_unit_test_setup(cells_hold_what_a_histogram_would,
		    clear),
		cmocka_unit_test_setup(
		    a_latency_without_a_series_is_in_the_sums_alone, clear),
		cmocka_unit_test_setup(
		    full_cells_are_counted_and_keep_the_sums, clear),
		cmocka_unit_test_setup(trust_is_what_is_left_of_the_interval,
		    clear),
		cmocka_unit_test_setup(seconds_are_never_0, clear),
		cmocka_unit_test_setup(
		    a_partial_interval_has_the_seconds_that_were_watched,
		    clear),
		cmocka_unit_test_setup(unknown_and_known_make_known, clear),
		cmocka_unit_test_setup(every_counter_has_its_own_name, clear),
		cmocka_unit_test_setup(
		    states_and_series_are_named_as_in_the_json, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

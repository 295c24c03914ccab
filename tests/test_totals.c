/* SPDX-License-Identifier: ISC */
/*
 * test_totals.c: everything since the start, as a sum of samples.
 */
#include "totals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SEC	INT64_C(1000000000)
#define WRITE3	nfs_proc_op(NFS_PROG_NFS, 3, 7)

static struct totals *t;
static struct sample s;

static int
setup(void **state)
{
	(void)state;
	t = totals_new();
	return t == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	totals_free(t);
	return 0;
}

/* A full second of so many WRITEs. */
static void
second(int64_t n, uint32_t writes)
{
	struct sample_op *row;
	uint32_t i;

	sample_clear(&s);
	s.start_ns = n * SEC;
	s.length_ns = s.watched_ns = SEC;
	s.first_ns = s.start_ns + 1;
	s.last_ns = s.start_ns + 2;
	s.traffic[SAMPLE_IN].packets = 2 * writes;
	s.traffic[SAMPLE_IN].wire_packets = 6 * writes;
	s.data[SAMPLE_WRITE].calls = writes;
	s.data[SAMPLE_WRITE].bytes = 8192 * writes;
	row = sample_op(&s, WRITE3, 0, 0, 0);
	row->calls = writes;
	for (i = 0; i < writes; i++)
		sample_op_latency(&s, row, 1000 * (i + 1));
}

static void
sums_are_those_of_the_samples(void **state)
{
	(void)state;
	second(10, 100);
	totals_add(t, &s);
	second(11, 50);
	s.colls = 3;
	totals_add(t, &s);
	assert_true(t->records == 2);
	assert_true(t->watched_ns == 2 * SEC);
	assert_true(t->first_ns == 10 * SEC + 1);
	assert_true(t->last_ns == 11 * SEC + 2);
	assert_true(t->start_ns == 10 * SEC && t->end_ns == 12 * SEC);
	assert_true(t->traffic[SAMPLE_IN].wire_packets == 900);
	assert_true(t->colls == 3);
	assert_true(t->kernel_drops == SAMPLE_UNKNOWN);
	assert_true(t->op[WRITE3].calls == 150);
	assert_true(t->op[WRITE3].prog == NFS_PROG_NFS);
	assert_int_equal(t->op[WRITE3].max_us, 100);
	assert_true(t->op[WRITE3].sum_us == 5050 + 1275);
	assert_true(t->series[WRITE3].count == 150);
	assert_true(t->series[WRITE3].bucket[histogram_bucket(7)] == 2);
}

static void
rates_are_those_of_full_intervals(void **state)
{
	const struct totals_rate *r = &t->rate[TOTALS_RATE_WRITE];
	uint32_t i;

	(void)state;
	for (i = 1; i <= 100; i++) {
		second(i, i);
		totals_add(t, &s);
	}
	second(101, 5000);
	s.partial = true;
	totals_add(t, &s);
	sample_clear(&s);
	s.gap = true;
	s.length_ns = 99999 * SEC;
	totals_add(t, &s);
	assert_true(r->n == 100);
	assert_true(r->min == 1 && r->max == 100);
	assert_true(totals_rate_mean(r) == 50.5);
	assert_true(totals_rate_quantile(r, 0.50) == 51);
	assert_true(totals_rate_quantile(r, 0.95) == 96);
	assert_true(totals_rate_quantile(r, 0) == 1);
	assert_true(totals_rate_quantile(r, 1) == 100);
	assert_true(t->rate[TOTALS_RATE_IN].max == 600);
	assert_true(t->rate[TOTALS_RATE_BYTES].max == 819200);
	assert_true(t->gaps == 1 && t->partial == 1);
}

static void
rates_are_per_second_whatever_the_interval(void **state)
{
	(void)state;
	second(0, 100);
	s.length_ns = SEC / 10;
	totals_add(t, &s);
	assert_true(t->rate[TOTALS_RATE_WRITE].max == 1000);
}

static void
quantiles_of_a_long_run_come_from_a_part_of_it(void **state)
{
	const struct totals_rate *r = &t->rate[TOTALS_RATE_WRITE];
	uint32_t i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		second(i, 0);
		s.data[SAMPLE_WRITE].calls = i % 1000;
		totals_add(t, &s);
	}
	assert_true(r->n == 20000);
	assert_true(r->kept <= TOTALS_RATES && r->kept >= TOTALS_RATES / 2);
	assert_true(totals_rate_mean(r) == 499.5);
	assert_true(totals_rate_quantile(r, 0.5) > 480);
	assert_true(totals_rate_quantile(r, 0.5) < 520);
	assert_true(r->max == 999);
}

static void
nothing_added_gives_zeros(void **state)
{
	(void)state;
	assert_true(totals_rate_mean(&t->rate[0]) == 0);
	assert_true(totals_rate_quantile(&t->rate[0], 0.5) == 0);
	assert_true(totals_trust(t) == 1);
	assert_false(t->has_packets);
}

static void
a_full_bucket_keeps_the_shape_of_its_series(void **state)
{
	uint32_t i;

	(void)state;
	sample_clear(&s);
	sample_cell_add(&s, WRITE3, 100, UINT32_C(1) << 24);
	sample_cell_add(&s, WRITE3, 200, UINT32_C(1) << 23);
	for (i = 0; i < 600; i++)
		totals_add(t, &s);
	assert_in_range(t->series[WRITE3].bucket[100] /
	    (t->series[WRITE3].bucket[200] / 100), 195, 205);
	assert_true(t->series[WRITE3].count ==
	    (uint64_t)t->series[WRITE3].bucket[100] +
	    t->series[WRITE3].bucket[200]);
}

static void
more_sizes_than_there_is_room_for_share_powers_of_two(void **state)
{
	uint64_t calls = 0;
	uint32_t i;

	(void)state;
	for (i = 1; i <= 3000; i++) {
		sample_clear(&s);
		sample_size(&s, SAMPLE_WRITE, i)->calls = 1;
		totals_add(t, &s);
	}
	assert_true(t->sizes[SAMPLE_WRITE] <= TOTALS_SIZES);
	for (i = 0; i < t->sizes[SAMPLE_WRITE]; i++)
		calls += t->size[SAMPLE_WRITE][i].calls;
	assert_true(calls == 3000);
}

static void
more_unknown_operations_than_there_is_room_for_are_counted(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 0; i < TOTALS_OTHER_OPS + 5; i++) {
		sample_clear(&s);
		sample_op(&s, NFS_OP_NONE, 500000 + i, 1, 0)->calls = 1;
		totals_add(t, &s);
	}
	assert_int_equal(t->others, TOTALS_OTHER_OPS);
	assert_true(t->counter[SAMPLE_OPS_LOST] == 5);
}

static void
clients_come_from_samples_until_talkers_know_better(void **state)
{
	static const struct sample_talk calls = { .calls = 70 };
	struct talkers_at at = { .time_ns = 1 };
	struct talkers *talkers = talkers_new(NULL);
	const struct sample_client *c[2];
	struct addr a = { .b = { 1 } };

	(void)state;
	second(1, 1);
	s.clients = 1;
	s.client[0].addr = a;
	s.client[0].t.total.calls = 5;
	totals_add(t, &s);
	assert_int_equal(toprows_clients(t->rows, c, 2), 1);
	assert_true(c[0]->t.total.calls == 5);
	talkers_add(talkers, &at, &a, NULL, &calls);
	talkers_fill(talkers, 0, &s);
	totals_talkers(t, talkers);
	assert_int_equal(toprows_clients(t->rows, c, 2), 1);
	assert_true(c[0]->t.total.calls == 70);
	talkers_free(talkers);
}

static void
trust_is_weighted_by_time(void **state)
{
	(void)state;
	second(1, 1);
	totals_add(t, &s);
	second(2, 1);
	s.untrusted_ns = SEC / 2;
	totals_add(t, &s);
	assert_true(totals_trust(t) == 0.75);
}

static void
reset_is_as_new(void **state)
{
	(void)state;
	second(1, 9);
	totals_add(t, &s);
	totals_reset(t);
	assert_true(t->records == 0 && t->op[WRITE3].calls == 0);
	assert_true(t->colls == SAMPLE_UNKNOWN);
	second(2, 9);
	totals_add(t, &s);
	assert_true(t->start_ns == 2 * SEC);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(sums_are_those_of_the_samples),
		CASE(rates_are_those_of_full_intervals),
		CASE(rates_are_per_second_whatever_the_interval),
		CASE(quantiles_of_a_long_run_come_from_a_part_of_it),
		CASE(nothing_added_gives_zeros),
		CASE(a_full_bucket_keeps_the_shape_of_its_series),
		CASE(more_sizes_than_there_is_room_for_share_powers_of_two),
		CASE(
		    more_unknown_operations_than_there_is_room_for_are_counted),
		CASE(clients_come_from_samples_until_talkers_know_better),
		CASE(trust_is_weighted_by_time),
		CASE(reset_is_as_new),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

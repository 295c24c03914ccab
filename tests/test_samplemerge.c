/* SPDX-License-Identifier: ISC */
/*
 * test_samplemerge.c: adding one sample to another.
 */
#include "samplemerge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define OP	25		/* any operation that has a number */

static struct sample a, b;

static void
fill(struct sample *s, uint32_t scale)
{
	struct sample_op *row;

	sample_clear(s);
	s->length_ns = 1000;
	s->traffic[SAMPLE_IN].packets = 3 * scale;
	s->kernel_drops = scale;
	s->rpc_calls = 5 * scale;
	s->depth_max = scale;
	s->outstanding = scale;
	s->duty_gap_ns = 100 / scale;
	s->counter[SAMPLE_IP_FRAGMENTS] = 7 * scale;
	s->data[SAMPLE_WRITE].bytes = 100 * scale;
	row = sample_op(s, OP, 0, 0, 0);
	row->calls = 2 * scale;
	sample_op_latency(s, row, 1000 * scale);
	sample_status_add(s, 0, 70, scale);
	sample_size(s, SAMPLE_READ, 512)->calls = scale;
	s->clients = 1;
	s->client[0].t.now.calls = scale;
	s->client[0].t.total.calls = 10 * scale;
}

static int
setup(void **state)
{
	(void)state;
	fill(&a, 1);
	fill(&b, 2);
	return 0;
}

static void
sums_add_and_maxima_stay(void **state)
{
	struct histogram h;

	(void)state;
	sample_merge(&a, &b);
	assert_true(a.traffic[SAMPLE_IN].packets == 9);
	assert_true(a.kernel_drops == 3);
	assert_true(a.interface_drops == SAMPLE_UNKNOWN);
	assert_true(a.rpc_calls == 15);
	assert_int_equal(a.depth_max, 2);
	assert_true(a.outstanding == 2);
	assert_true(a.duty_gap_ns == 100);
	assert_true(a.counter[SAMPLE_IP_FRAGMENTS] == 21);
	assert_true(a.data[SAMPLE_WRITE].bytes == 300);
	assert_int_equal(a.ops, 1);
	assert_int_equal(a.op[0].calls, 6);
	assert_true(a.op[0].sum_us == 3);
	assert_int_equal(a.op[0].max_us, 2);
	sample_histogram(&a, OP, &h);
	assert_true(h.count == 2);
	assert_int_equal(a.statuses, 1);
	assert_true(a.status[0].count == 3);
	assert_true(a.size[SAMPLE_READ][0].calls == 3);
	assert_true(a.length_ns == 1000);
}

static void
a_client_of_both_adds_up_and_keeps_the_later_total(void **state)
{
	(void)state;
	sample_merge(&a, &b);
	assert_int_equal(a.clients, 1);
	assert_true(a.client[0].t.now.calls == 3);
	assert_true(a.client[0].t.total.calls == 20);
}

static void
another_client_gets_a_row_while_there_is_room(void **state)
{
	uint32_t i;

	(void)state;
	for (i = 1; i < 2 * SAMPLE_CLIENTS; i++) {
		b.client[0].addr.b[15] = (uint8_t)i;
		sample_merge(&a, &b);
	}
	assert_int_equal(a.clients, SAMPLE_CLIENTS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(sums_add_and_maxima_stay, setup),
		cmocka_unit_test_setup(
		    a_client_of_both_adds_up_and_keeps_the_later_total,
		    setup),
		cmocka_unit_test_setup(
		    another_client_gets_a_row_while_there_is_room, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_sampler.c: events of a capture file in the right intervals, and
 * intervals in order.
 */
#include "sampler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "feedkit.h"

#define MAX	4096
#define DAY	(86400 * SEC)

/* What was emitted: of each sample what the cases look at. */
struct told {
	int64_t		start, length, watched, first, last, gap_ns;
	uint64_t	seq, in, bytes, writes, late, drops, depth_ns;
	uint64_t	outstanding;
	uint32_t	duty_on, duty_bins, depth_max;
	bool		partial, gap, restarted;
};

static struct told told[MAX];
static unsigned int n, steps;
static struct sampler *sampler;
static struct feedkit kit;

static void
emit(void *ctx, struct sample *s)
{
	struct told *t = &told[n];

	(void)ctx;
	assert_true(n < MAX);
	n++;
	t->start = s->start_ns;
	t->length = s->length_ns;
	t->watched = s->watched_ns;
	t->first = s->first_ns;
	t->last = s->last_ns;
	t->seq = s->seq;
	t->in = s->traffic[SAMPLE_IN].packets;
	t->bytes = s->traffic[SAMPLE_IN].bytes;
	t->writes = s->data[SAMPLE_WRITE].calls;
	t->late = s->counter[SAMPLE_LATE];
	t->drops = s->kernel_drops;
	t->depth_ns = s->depth_ns;
	t->depth_max = s->depth_max;
	t->outstanding = s->outstanding;
	t->duty_on = s->duty_on;
	t->duty_bins = s->duty_bins;
	t->gap_ns = s->duty_gap_ns;
	t->partial = s->partial;
	t->gap = s->gap;
	t->restarted = s->restarted;
}

/* As the decoder does when it is flushed: an old event comes out. */
static void
step(void *ctx)
{
	(void)ctx;
	steps++;
	feedkit_unmatched(&kit, 0);
}

static void
start(int64_t interval_ns, bool live)
{
	struct sampler_config c = { .interval_ns = interval_ns, .live = live,
	    .emit = emit, .step = step };

	sampler = sampler_new(&c);
	assert_non_null(sampler);
	kit = (struct feedkit){ .l = sampler_listener(), .ctx = sampler };
	n = steps = 0;
}

static int
stop(void **state)
{
	(void)state;
	sampler_free(sampler);
	sampler = NULL;
	return 0;
}

static void
packet(int64_t t)
{
	sampler_time(sampler, t);
	feedkit_packet(&kit, t, SAMPLE_IN, 100);
}

static void
intervals_are_multiples_of_their_length(void **state)
{
	(void)state;
	start(SEC, false);
	packet(10 * SEC);
	packet(11 * SEC - 1);
	packet(11 * SEC);
	packet(12 * SEC + 999 * MS);
	sampler_finish(sampler, 12 * SEC + 999 * MS);
	assert_int_equal(n, 3);
	assert_true(told[0].start == 10 * SEC && told[0].in == 2);
	assert_true(told[1].start == 11 * SEC && told[1].in == 1);
	assert_true(told[2].start == 12 * SEC && told[2].in == 1);
	assert_true(told[2].seq == 2 && told[2].length == SEC);
	assert_true(told[0].first == 10 * SEC);
	assert_true(told[0].last == 11 * SEC - 1);
	assert_true(told[0].bytes == 200);
}

static void
empty_intervals_are_told_too(void **state)
{
	unsigned int i;

	(void)state;
	start(SEC, false);
	packet(5 * SEC);
	packet(15 * SEC);
	sampler_finish(sampler, 15 * SEC);
	assert_int_equal(n, 11);
	for (i = 0; i < 11; i++) {
		assert_true(told[i].start == (5 + i) * SEC);
		assert_true(told[i].in == (i == 0 || i == 10));
		assert_false(told[i].gap);
	}
}

static void
the_edges_of_the_watch_are_partial(void **state)
{
	(void)state;
	start(SEC, false);
	packet(10 * SEC + 400 * MS);
	packet(11 * SEC);
	packet(12 * SEC + 250 * MS);
	sampler_finish(sampler, 12 * SEC + 250 * MS);
	assert_int_equal(n, 3);
	assert_true(told[0].partial && told[0].watched == 600 * MS);
	assert_true(!told[1].partial && told[1].watched == SEC);
	assert_true(told[2].partial && told[2].watched == 250 * MS);
}

static void
an_edge_within_1_percent_is_none(void **state)
{
	(void)state;
	start(SEC, false);
	packet(10 * SEC + 9 * MS);
	packet(11 * SEC + 992 * MS);
	sampler_finish(sampler, 11 * SEC + 992 * MS);
	assert_int_equal(n, 2);
	assert_false(told[0].partial);
	assert_false(told[1].partial);
}

static void
late_by_less_than_two_intervals_goes_where_it_belongs(void **state)
{
	(void)state;
	start(SEC, false);
	packet(10 * SEC);
	packet(11 * SEC);
	packet(12 * SEC + 500 * MS);
	packet(10 * SEC + 600 * MS);
	packet(12 * SEC + 600 * MS);
	sampler_finish(sampler, 12 * SEC + 600 * MS);
	assert_int_equal(n, 3);
	assert_true(told[0].in == 2 && told[1].in == 1 && told[2].in == 2);
	assert_int_equal(steps, 0);
	assert_true(told[0].late == 0);
}

static void
a_packet_before_the_first_opens_its_interval(void **state)
{
	(void)state;
	start(SEC, false);
	packet(10 * SEC + 100 * MS);
	packet(9 * SEC + 900 * MS);
	packet(8 * SEC + 500 * MS);
	sampler_finish(sampler, 10 * SEC + 100 * MS);
	assert_int_equal(n, 3);
	assert_true(told[0].start == 8 * SEC && told[0].in == 1);
	assert_true(told[0].partial && told[0].watched == 500 * MS);
	assert_true(told[1].start == 9 * SEC && told[1].in == 1);
	assert_false(told[1].partial);
	assert_true(told[2].start == 10 * SEC && told[2].in == 1);
}

static void
a_step_back_starts_anew(void **state)
{
	(void)state;
	start(SEC, false);
	packet(4000 * SEC);
	packet(4001 * SEC + 500 * MS);
	packet(400 * SEC + 200 * MS);
	packet(401 * SEC);
	sampler_finish(sampler, 401 * SEC);
	assert_int_equal(n, 4);
	assert_int_equal(steps, 1);
	assert_true(told[1].start == 4001 * SEC && told[1].partial);
	assert_true(told[2].start == 400 * SEC && told[2].restarted);
	assert_true(told[2].partial && told[2].seq == 2);
	assert_true(!told[1].restarted && !told[3].restarted);
	assert_true(told[2].in == 1 && told[3].in == 1);
}

static void
a_long_silence_is_one_record(void **state)
{
	int64_t later = 19 * 365 * DAY + 300 * MS;

	(void)state;
	start(SEC, false);
	packet(10 * SEC + 500 * MS);
	packet(later);
	sampler_finish(sampler, later);
	assert_int_equal(n, 3);
	assert_int_equal(steps, 1);
	assert_true(told[0].start == 10 * SEC && told[0].in == 1);
	assert_true(told[1].gap && told[1].start == 11 * SEC);
	assert_true(told[1].start + told[1].length == later - 300 * MS);
	assert_true(told[1].watched == 0 && told[1].in == 0);
	assert_true(told[2].start == later - 300 * MS && told[2].partial);
	assert_false(told[2].restarted);
}

static void
an_hour_of_silence_is_filled_with_intervals(void **state)
{
	(void)state;
	start(SEC, false);
	packet(0);
	packet(3600 * SEC);
	sampler_finish(sampler, 3600 * SEC);
	assert_int_equal(n, 3601);
	assert_int_equal(steps, 0);
}

static void
intervals_of_an_hour_have_no_gap_where_they_touch(void **state)
{
	(void)state;
	start(3600 * SEC, false);
	packet(10 * SEC);
	packet(3600 * SEC + 3000 * SEC);
	sampler_finish(sampler, 6600 * SEC);
	assert_int_equal(n, 2);
	assert_false(told[0].gap || told[1].gap);
}

static void
the_totals_do_not_depend_on_the_interval(void **state)
{
	static const int64_t intervals[] = { 100 * MS, SEC, 5 * SEC,
	    3600 * SEC };
	uint64_t seed, in, writes;
	unsigned int i, j;
	int64_t t;

	(void)state;
	for (i = 0; i < 4; i++) {
		start(intervals[i], false);
		for (j = 0, seed = 1, t = 7 * SEC; j < 3000; j++) {
			seed = seed * 6364136223846793005U + 1;
			t += (int64_t)(seed >> 40) % (40 * MS);
			packet(t - (int64_t)(seed >> 50) % (90 * MS));
			if (j % 3 == 0)
				feedkit_write(&kit, t, j, 8192, 3 * MS);
		}
		sampler_finish(sampler, t);
		for (j = 0, in = writes = 0; j < n; j++) {
			in += told[j].in;
			writes += told[j].writes;
			assert_true(told[j].seq == j);
			assert_false(told[j].gap);
			if (j > 0)
				assert_true(told[j].start ==
				    told[j - 1].start + intervals[i]);
		}
		assert_true(in == 3000 && writes == 1000);
		sampler_free(sampler);
	}
	sampler = NULL;
}

static void
depth_is_the_time_that_calls_were_outstanding(void **state)
{
	struct call a = feedkit_make(1, NFS_PROG_NFS, 3, 7);
	struct call b = feedkit_make(2, NFS_PROG_NFS, 3, 7);

	(void)state;
	start(SEC, false);
	packet(10 * SEC);
	feedkit_call(&kit, 10 * SEC + 500 * MS, &a);
	feedkit_call(&kit, 10 * SEC + 750 * MS, &b);
	packet(11 * SEC + 100 * MS);
	feedkit_reply(&kit, 11 * SEC + 100 * MS, &a, false, RPC_SUCCESS);
	packet(13 * SEC);
	sampler_finish(sampler, 13 * SEC);
	assert_int_equal(n, 4);
	/* 1 x 250 ms + 2 x 250 ms; 2 x 100 ms + 1 x 900 ms; 1 s */
	assert_true(told[0].depth_ns == (uint64_t)(750 * MS));
	assert_true(told[1].depth_ns == (uint64_t)(1100 * MS));
	assert_true(told[2].depth_ns == (uint64_t)SEC);
	assert_int_equal(told[0].depth_max, 2);
	assert_int_equal(told[1].depth_max, 2);
	assert_int_equal(told[2].depth_max, 1);
	assert_true(told[0].outstanding == 2 && told[1].outstanding == 1);
}

static void
duty_tells_bursts_from_an_even_flow(void **state)
{
	int64_t t;

	(void)state;
	start(SEC, false);
	for (t = 10 * SEC; t < 11 * SEC; t += 5 * MS)
		packet(t);
	for (t = 11 * SEC + 100 * MS; t < 11 * SEC + 150 * MS; t += MS)
		packet(t);
	packet(12 * SEC);
	sampler_finish(sampler, 12 * SEC);
	assert_int_equal(told[0].duty_bins, 100);
	assert_int_equal(told[0].duty_on, 100);
	assert_true(told[0].gap_ns == 5 * MS);
	assert_int_equal(told[1].duty_bins, 100);
	assert_int_equal(told[1].duty_on, 5);
	assert_true(told[1].gap_ns == 851 * MS);
}

static void
an_interval_without_input_is_one_gap(void **state)
{
	(void)state;
	start(SEC, false);
	packet(10 * SEC);
	packet(12 * SEC);
	sampler_finish(sampler, 12 * SEC);
	assert_int_equal(told[1].duty_on, 0);
	assert_true(told[1].gap_ns == SEC);
}

static void
times_at_the_ends_of_an_int64_do_no_harm(void **state)
{
	(void)state;
	start(SEC, false);
	packet(INT64_MAX);
	packet(INT64_MIN);
	packet(-1);
	packet(0);
	packet(INT64_MAX);
	sampler_finish(sampler, INT64_MAX);
	assert_true(n > 4);
}

static void
a_time_before_1970_has_its_interval(void **state)
{
	(void)state;
	start(SEC, false);
	packet(-SEC - 1);
	packet(-1);
	sampler_finish(sampler, -1);
	assert_int_equal(n, 2);
	assert_true(told[0].start == -2 * SEC && told[1].start == -SEC);
	assert_true(told[0].in == 1 && told[1].in == 1);
}

static void
nothing_seen_is_nothing_told(void **state)
{
	(void)state;
	start(SEC, false);
	sampler_finish(sampler, 0);
	assert_int_equal(n, 0);
}

static void
intervals_out_of_range_are_refused(void **state)
{
	struct sampler_config c = { .interval_ns = 99 * MS, .emit = emit };

	(void)state;
	assert_null(sampler_new(&c));
	c.interval_ns = 3601 * SEC;
	assert_null(sampler_new(&c));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_teardown(f, stop)
		CASE(intervals_are_multiples_of_their_length),
		CASE(empty_intervals_are_told_too),
		CASE(the_edges_of_the_watch_are_partial),
		CASE(an_edge_within_1_percent_is_none),
		CASE(late_by_less_than_two_intervals_goes_where_it_belongs),
		CASE(a_packet_before_the_first_opens_its_interval),
		CASE(a_step_back_starts_anew),
		CASE(a_long_silence_is_one_record),
		CASE(an_hour_of_silence_is_filled_with_intervals),
		CASE(intervals_of_an_hour_have_no_gap_where_they_touch),
		CASE(the_totals_do_not_depend_on_the_interval),
		CASE(depth_is_the_time_that_calls_were_outstanding),
		CASE(duty_tells_bursts_from_an_even_flow),
		CASE(an_interval_without_input_is_one_gap),
		CASE(times_at_the_ends_of_an_int64_do_no_harm),
		CASE(a_time_before_1970_has_its_interval),
		CASE(nothing_seen_is_nothing_told),
		CASE(intervals_out_of_range_are_refused),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_sampler_live.c: intervals by the clock, packets or not.
 */
#include "sampler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "feedkit.h"

#define MAX	64

static struct told {
	int64_t		start, watched;
	uint64_t	in, late, drops;
	bool		partial, restarted;
} told[MAX];
static unsigned int n, steps;
static struct sampler *sampler;
static struct feedkit kit;

static void
emit(void *ctx, struct sample *s)
{
	(void)ctx;
	assert_true(n < MAX);
	told[n++] = (struct told){ .start = s->start_ns,
	    .watched = s->watched_ns, .in = s->traffic[SAMPLE_IN].packets,
	    .late = s->counter[SAMPLE_LATE], .drops = s->kernel_drops,
	    .partial = s->partial, .restarted = s->restarted };
}

static void
step(void *ctx)
{
	(void)ctx;
	steps++;
}

static int
start(void **state)
{
	const struct sampler_config c = { .interval_ns = SEC, .live = true,
	    .emit = emit, .step = step };

	(void)state;
	sampler = sampler_new(&c);
	kit = (struct feedkit){ .l = sampler_listener(), .ctx = sampler };
	n = steps = 0;
	return sampler == NULL;
}

static int
stop(void **state)
{
	(void)state;
	sampler_free(sampler);
	return 0;
}

static void
packet(int64_t t)
{
	sampler_time(sampler, t);
	feedkit_packet(&kit, t, SAMPLE_IN, 100);
}

static void
a_silent_wire_still_gives_intervals(void **state)
{
	int64_t t;

	(void)state;
	for (t = 100 * SEC + 300 * MS; t < 105 * SEC; t += 100 * MS)
		sampler_advance(sampler, t, 200 * MS);
	assert_int_equal(n, 4);
	assert_true(told[0].start == 100 * SEC && told[0].partial);
	assert_true(told[0].watched == 700 * MS);
	assert_true(told[3].start == 103 * SEC && !told[3].partial);
	sampler_finish(sampler, 104 * SEC + 950 * MS);
	assert_int_equal(n, 5);
	assert_true(told[4].partial && told[4].watched == 950 * MS);
}

static void
an_end_on_the_edge_opens_nothing(void **state)
{
	(void)state;
	sampler_advance(sampler, 100 * SEC, 0);
	sampler_advance(sampler, 101 * SEC + 500 * MS, 0);
	sampler_finish(sampler, 102 * SEC);
	assert_int_equal(n, 2);
	assert_false(told[0].partial || told[1].partial);
}

static void
live_packets_wait_for_lateness(void **state)
{
	(void)state;
	sampler_advance(sampler, 100 * SEC, 200 * MS);
	sampler_advance(sampler, 101 * SEC + 100 * MS, 200 * MS);
	assert_int_equal(n, 0);
	packet(100 * SEC + 999 * MS);
	sampler_advance(sampler, 101 * SEC + 200 * MS, 200 * MS);
	assert_int_equal(n, 1);
	assert_true(told[0].in == 1 && told[0].late == 0);
}

static void
live_packets_later_than_that_are_counted_as_late(void **state)
{
	(void)state;
	sampler_advance(sampler, 100 * SEC, 200 * MS);
	sampler_advance(sampler, 130 * SEC + 500 * MS, 200 * MS);
	packet(101 * SEC);
	packet(130 * SEC + 600 * MS);
	sampler_finish(sampler, 130 * SEC + 700 * MS);
	assert_int_equal(steps, 0);
	assert_int_equal(n, 31);
	assert_true(told[30].in == 2 && told[30].late == 1);
}

static void
a_live_clock_may_step_back(void **state)
{
	(void)state;
	sampler_advance(sampler, 5000 * SEC, 0);
	sampler_advance(sampler, 4999 * SEC + 500 * MS, 0);
	assert_int_equal(steps, 0);
	sampler_advance(sampler, 1000 * SEC + 100 * MS, 0);
	packet(1000 * SEC + 200 * MS);
	sampler_finish(sampler, 1000 * SEC + 300 * MS);
	assert_int_equal(steps, 1);
	assert_int_equal(n, 2);
	assert_true(told[1].restarted && told[1].start == 1000 * SEC);
	assert_true(told[1].in == 1);
}

static void
drops_are_unknown_until_the_capture_tells(void **state)
{
	(void)state;
	sampler_advance(sampler, 100 * SEC, 0);
	sampler_advance(sampler, 101 * SEC, 0);
	sampler_drops(sampler, 0, 0);
	sampler_advance(sampler, 102 * SEC, 0);
	sampler_drops(sampler, 7, 0);
	sampler_drops(sampler, 5, 1);
	sampler_finish(sampler, 103 * SEC);
	assert_int_equal(n, 3);
	assert_true(told[0].drops == SAMPLE_UNKNOWN);
	assert_true(told[1].drops == 0);
	assert_true(told[2].drops == 12);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, start, stop)
		CASE(a_silent_wire_still_gives_intervals),
		CASE(an_end_on_the_edge_opens_nothing),
		CASE(live_packets_wait_for_lateness),
		CASE(live_packets_later_than_that_are_counted_as_late),
		CASE(a_live_clock_may_step_back),
		CASE(drops_are_unknown_until_the_capture_tells),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

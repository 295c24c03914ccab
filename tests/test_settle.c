/* SPDX-License-Identifier: ISC */
/*
 * test_settle.c: loads that were fast at first and then settled.
 */
#include "settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "loadkit.h"

static struct sample s;
static struct settle t;
static int n;

static int
clear(void **state)
{
	(void)state;
	memset(&t, 0, sizeof(t));
	n = 0;
	return 0;
}

/* How many of so many seconds said that the load has settled. */
static int
load(int seconds, uint32_t writes, uint32_t server_percent)
{
	int said = 0;

	while (seconds-- > 0) {
		loadkit_writes(&s, n++, writes, server_percent);
		said += settle_interval(&t, &s);
	}
	return said;
}

static int
idle(int seconds)
{
	int said = 0;

	while (seconds-- > 0) {
		loadkit_idle(&s, n++);
		said += settle_interval(&t, &s);
	}
	return said;
}

/* The story: 56 MB/s until memory is full, then the disk's 17 MB/s. */
static void
memory_that_fills_is_seen_with_both_rates(void **state)
{
	(void)state;
	assert_int_equal(idle(3), 0);
	assert_int_equal(load(40, 6836, 30), 0);
	assert_int_equal(load(60, 2075, 90), 1);
	assert_float_equal(t.what.first, 6836 * 8192.0, 1);
	assert_float_equal(t.what.later, 2075 * 8192.0, 1);
	assert_float_equal(t.what.first_server, 0.3, 1e-6);
	assert_float_equal(t.what.later_server, 0.9, 1e-6);
	/* it fell at second 43: known to within the length of the mean */
	assert_in_range(t.what.fell_ns, LOADKIT_START + 40 * LOADKIT_NS,
	    LOADKIT_START + 44 * LOADKIT_NS);
	assert_int_equal(t.times, 1);
}

static void
a_client_that_sends_less_has_not_filled_the_memory(void **state)
{
	(void)state;
	load(40, 6836, 60);
	assert_int_equal(load(60, 2075, 20), 0);
}

static void
a_small_fall_is_none(void **state)
{
	(void)state;
	load(40, 5000, 30);
	assert_int_equal(load(60, 3100, 90), 0);
}

static void
a_short_fall_is_none(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 20; i++) {
		assert_int_equal(load(12, 5000, 30), 0);
		assert_int_equal(load(8, 1000, 90), 0);
	}
}

static void
a_load_that_ends_has_not_settled(void **state)
{
	(void)state;
	load(40, 5000, 30);
	assert_int_equal(idle(100), 0);
	/* another, slower load is another load */
	assert_int_equal(load(60, 1000, 90), 0);
}

static void
each_load_says_so_once(void **state)
{
	(void)state;
	load(20, 5000, 30);
	assert_int_equal(load(100, 1000, 90), 1);
	idle(10);
	load(20, 4000, 30);
	assert_int_equal(load(100, 800, 90), 1);
	assert_float_equal(t.what.first, 4000 * 8192.0, 1);
	assert_int_equal(t.times, 2);
}

static void
seconds_not_watched_change_nothing(void **state)
{
	(void)state;
	load(20, 5000, 30);
	loadkit_writes(&s, n++, 1, 100);
	s.partial = true;
	assert_false(settle_interval(&t, &s));
	loadkit_packets(&s, n++, 10, 1000);
	assert_false(settle_interval(&t, &s));
	assert_int_equal(load(20, 1000, 90), 1);
	loadkit_idle(&s, n++);
	s.gap = true;
	assert_false(settle_interval(&t, &s));
	assert_int_equal(load(60, 500, 90), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
		    memory_that_fills_is_seen_with_both_rates, clear),
		cmocka_unit_test_setup(
		    a_client_that_sends_less_has_not_filled_the_memory, clear),
		cmocka_unit_test_setup(a_small_fall_is_none, clear),
		cmocka_unit_test_setup(a_short_fall_is_none, clear),
		cmocka_unit_test_setup(a_load_that_ends_has_not_settled,
		    clear),
		cmocka_unit_test_setup(each_load_says_so_once, clear),
		cmocka_unit_test_setup(seconds_not_watched_change_nothing,
		    clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

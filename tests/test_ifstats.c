/* SPDX-License-Identifier: ISC */
/*
 * test_ifstats.c: interface counters: the table, wraps and resets.
 */
#include "ifstats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

/* As the kernel prints it. */
#define LO	"    lo:    2776      32    0    0    0     0        0       0"
#define ETH0	"  eth0: 1295344   20598    1    2    3     4        5       6"
static const char table[] = "Inter-|   Receive                         "
    "                       |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|"
    "bytes    packets errs drop fifo colls carrier compressed\n"
    LO "     2776      32    0    0    0     0       0          0\n"
    ETH0 "   566189    3551    7    8    9    10      11         12\n"
    "eth0.5:18446744073709551614 11 0 0 0 0 0 0 21 22 0 0 0 0 0 0\n";

static void
a_line_of_the_table_is_read(void **state)
{
	struct ifstats_counters c;

	(void)state;
	assert_true(ifstats_parse(table, "eth0", &c));
	assert_int_equal(c.in_bytes, 1295344);
	assert_int_equal(c.in_packets, 20598);
	assert_int_equal(c.in_errs, 1);
	assert_int_equal(c.out_bytes, 566189);
	assert_int_equal(c.out_packets, 3551);
	assert_int_equal(c.out_errs, 7);
	assert_int_equal(c.colls, 10);
}

static void
a_name_that_starts_alike_is_another(void **state)
{
	struct ifstats_counters c;

	(void)state;
	assert_true(ifstats_parse(table, "eth0.5", &c));
	assert_true(c.in_bytes == UINT64_MAX - 1);
	assert_int_equal(c.out_packets, 22);
	assert_false(ifstats_parse(table, "eth", &c));
	assert_false(ifstats_parse(table, "th0", &c));
	assert_false(ifstats_parse(table, "eth1", &c));
	assert_false(ifstats_parse("", "eth0", &c));
}

static void
parse_prefix(void *ctx, struct bytes b)
{
	struct ifstats_counters c;
	char text[sizeof(table)];

	(void)ctx;
	if (b.len > 0)
		memcpy(text, b.data, b.len);
	text[b.len] = '\0';
	ifstats_parse(text, "eth0.5", &c);
}

static void
a_table_may_be_cut_anywhere(void **state)
{
	(void)state;
	for_every_prefix(table, sizeof(table) - 1, parse_prefix, NULL);
}

static void
a_32_bit_counter_that_wraps_goes_on(void **state)
{
	(void)state;
	assert_int_equal(ifstats_difference(UINT64_C(4294967286), 20, 1), 30);
	assert_int_equal(ifstats_difference(UINT32_MAX, 0, 1), 1);
	assert_int_equal(ifstats_difference(100, 250, 1), 150);
	assert_int_equal(ifstats_difference(7, 7, 1), 0);
}

static void
a_counter_that_starts_anew_is_unknown_for_once(void **state)
{
	(void)state;
	assert_true(ifstats_difference(5000, 0, 1) == IFSTATS_UNKNOWN);
	assert_true(ifstats_difference(5000, 4000, 1) == IFSTATS_UNKNOWN);
	/* More than 32 bits cannot have wrapped at 32. */
	assert_true(ifstats_difference(UINT64_C(5000000000), 10, 1) ==
	    IFSTATS_UNKNOWN);
	/* It cannot have come that far in a millisecond. */
	assert_true(ifstats_difference(UINT64_C(4000000000), 10, 0.001) ==
	    IFSTATS_UNKNOWN);
}

static void
nothing_is_known_at_the_first_reading(void **state)
{
	static const char *const lo[] = { "lo" };
	struct ifstats *s = ifstats_open(lo, 1);
	struct ifstats_counters c;

	(void)state;
	assert_non_null(s);
	ifstats_read(s, 1, &c);
	assert_true(c.in_packets == IFSTATS_UNKNOWN);
	assert_true(c.colls == IFSTATS_UNKNOWN);
	ifstats_read(s, 1, &c);
	assert_true(c.in_packets < 1000000);
	assert_int_equal(c.colls, 0);
	ifstats_close(s);
}

static void
an_interface_that_is_not_there_is_unknown(void **state)
{
	static const char *const names[] = { "lo", "nosuch0" };
	struct ifstats *s = ifstats_open(names, 2);
	struct ifstats_counters c;

	(void)state;
	assert_non_null(s);
	ifstats_read(s, 1, &c);
	ifstats_read(s, 1, &c);
	assert_true(c.in_packets == IFSTATS_UNKNOWN);
	ifstats_close(s);
}

static void
any_has_no_counters(void **state)
{
	static const char *const any[] = { "any" };

	(void)state;
	assert_null(ifstats_open(any, 1));
	ifstats_close(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_of_the_table_is_read),
		cmocka_unit_test(a_name_that_starts_alike_is_another),
		cmocka_unit_test(a_table_may_be_cut_anywhere),
		cmocka_unit_test(a_32_bit_counter_that_wraps_goes_on),
		cmocka_unit_test(
		    a_counter_that_starts_anew_is_unknown_for_once),
		cmocka_unit_test(nothing_is_known_at_the_first_reading),
		cmocka_unit_test(an_interface_that_is_not_there_is_unknown),
		cmocka_unit_test(any_has_no_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

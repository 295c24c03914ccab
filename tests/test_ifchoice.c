/* SPDX-License-Identifier: ISC */
/*
 * test_ifchoice.c: which interface carries NFS, from the kernel's tables.
 *
 * Addresses in /proc/net/tcp are numbers of the machine's own byte order:
 * these lines were printed by a little-endian one.
 */
#include "ifchoice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define ZERO	"00000000000000000000000000000000"

static const uint16_t nfs[] = { 2049 };

static void
expect_local(const char *line, const char *want)
{
	char text[ADDR_STRLEN];
	struct addr a;

	assert_true(ifchoice_nfs_socket(line, nfs, 1, &a));
	assert_string_equal(addr_print(&a, text, sizeof(text)), want);
}

static void
a_connection_on_either_end_of_port_2049_counts(void **state)
{
	(void)state;
	if (*(const uint8_t *)&(const uint16_t){ 1 } != 1)
		skip();		/* big-endian */
	/* 10.77.0.2:2049 from 10.77.0.3:700, established (01) */
	expect_local("   0: 02004D0A:0801 03004D0A:02BC 01 00000000:00000000 "
	    "02:000A7214 00000000     0        0 12345", "10.77.0.2");
	/* the client's side */
	expect_local("  12: 03004D0A:02BC 02004D0A:0801 01 00000000:00000000 "
	    "00:00000000 00000000     0        0 12346", "10.77.0.3");
	/* [fd00::2]:2049 */
	expect_local("   1: 000000FD000000000000000002000000:0801 "
	    "000000FD000000000000000003000000:02BC 01 0:0 00:0 0 0 0 1",
	    "fd00::2");
	/* a listener on an address (0A) */
	expect_local("   2: 02004D0A:0801 00000000:0000 0A 0:0 00:0 0 0 0 1",
	    "10.77.0.2");
}

static void
other_sockets_do_not_count(void **state)
{
	static const char *const lines[] = {
		/* port 22 */
		"   0: 02004D0A:0016 03004D0A:02BC 01 0:0 00:0 0 0 0 1",
		/* 2049, but waiting to be forgotten (TIME_WAIT, 06) */
		"   0: 02004D0A:0801 03004D0A:02BC 06 0:0 00:0 0 0 0 1",
		/* a listener on every address says nothing */
		"   0: 00000000:0801 00000000:0000 0A 0:0 00:0 0 0 0 1",
		"   0: " ZERO ":0801 " ZERO ":0000 0A 0:0 00:0 0 0",
		/* the heading, and rubbish */
		"  sl  local_address rem_address   st tx_queue rx_queue tr",
		"   0: 02004D:0801 03004D0A:02BC 01 0:0",
		"   0: 02004D0A", "", "\n",
	};
	struct addr a;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_false(ifchoice_nfs_socket(lines[i], nfs, 1, &a));
}

static void
the_default_route_is_the_one_without_bits(void **state)
{
	char name[IFCHOICE_NAME_MAX];

	(void)state;
	assert_false(ifchoice_default_route("Iface\tDestination\tGateway \t"
	    "Flags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT", name));
	assert_false(ifchoice_default_route(
	    "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0",
	    name));
	/* flags 0200: reject */
	assert_false(ifchoice_default_route(
	    "eth0\t00000000\t010200C0\t0201\t0\t0\t0\t00000000\t0\t0\t0",
	    name));
	assert_true(ifchoice_default_route(
	    "eth1\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0",
	    name));
	assert_string_equal(name, "eth1");
}

static void
the_default_route_of_ipv6_is_no_reject_route(void **state)
{
	char name[IFCHOICE_NAME_MAX];

	(void)state;
	assert_true(ifchoice_default_route6(ZERO " 00 " ZERO " 00 "
	    "fd000000000000000000000000000001 00000400 00000002 00000000 "
	    "00000003     eth0", name));
	assert_string_equal(name, "eth0");
	assert_false(ifchoice_default_route6(ZERO " 00 " ZERO " 00 " ZERO
	    " ffffffff 00000001 00000000 00200200       lo", name));
	assert_false(ifchoice_default_route6(
	    "fe800000000000000000000000000000 40 " ZERO " 00 " ZERO
	    " 00000100 00000002 00000000 00000001     eth0", name));
	assert_false(ifchoice_default_route6("", name));
}

static void
a_choice_comes_with_its_reason(void **state)
{
	char name[IFCHOICE_NAME_MAX] = "";
	const char *why = ifchoice(nfs, 1, name);

	(void)state;
	if (why == NULL)
		skip();		/* not even a loopback here */
	assert_int_not_equal(name[0], '\0');
	assert_int_not_equal(why[0], '\0');
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_connection_on_either_end_of_port_2049_counts),
		cmocka_unit_test(other_sockets_do_not_count),
		cmocka_unit_test(the_default_route_is_the_one_without_bits),
		cmocka_unit_test(the_default_route_of_ipv6_is_no_reject_route),
		cmocka_unit_test(a_choice_comes_with_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

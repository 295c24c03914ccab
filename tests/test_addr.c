/* SPDX-License-Identifier: ISC */
/*
 * test_addr.c: addresses, endpoints and universal addresses.
 */
#include "addr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

static struct addr
parsed(const char *text)
{
	struct addr a;

	memset(&a, 0x55, sizeof(a));
	assert_true(addr_parse(text, &a));
	return a;
}

static void
an_ipv4_address_is_kept_mapped(void **state)
{
	static const uint8_t v4[4] = { 192, 0, 2, 1 };
	static const uint8_t expected[16] = {	/* RFC 4291 sec. 2.5.5.2 */
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1,
	};
	struct addr a, b = parsed("::ffff:192.0.2.1");

	(void)state;
	addr_from_ipv4(&a, v4);
	assert_memory_equal(a.b, expected, 16);
	assert_true(addr_is_ipv4(&a));
	assert_true(addr_equal(&a, &b));
}

static void
text_is_read_and_printed_alike(void **state)
{
	static const char *const texts[] = {
		"0.0.0.0", "10.77.0.3", "255.255.255.255", "::", "::1",
		"2001:db8::1", "fe80::1ff:fe23:4567:890a",
		"2001:db8:85a3:8d3:1319:8a2e:370:7348",
	};
	char buf[ADDR_STRLEN];
	struct addr a;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		a = parsed(texts[i]);
		assert_int_equal(addr_is_ipv4(&a), strchr(texts[i], ':') == 0);
		assert_string_equal(addr_print(&a, buf, sizeof(buf)),
		    texts[i]);
	}
}

static void
what_is_no_numeric_address_is_refused(void **state)
{
	static const char *const texts[] = {
		"", "server", "1.2.3", "1.2.3.4.5", "1.2.3.256", " 1.2.3.4",
		"1.2.3.4 ", "1.2.3.4:2049", "fe80::1%eth0", "[::1]", ":::",
		"1:2:3:4:5:6:7:8:9",
	};
	struct addr a;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(addr_parse(texts[i], &a));
}

static void
multicast_and_broadcast_are_known(void **state)
{
	static const struct {
		const char	*text;
		bool		 multicast;
	} cases[] = {
		{ "223.255.255.255", false }, { "224.0.0.0", true },
		{ "239.255.255.255", true }, { "240.0.0.0", false },
		{ "255.255.255.254", false }, { "255.255.255.255", true },
		{ "ff02::1", true }, { "fe80::1", false }, { "::", false },
	};
	struct addr a;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		a = parsed(cases[i].text);
		assert_int_equal(addr_is_multicast(&a), cases[i].multicast);
	}
}

static void
addresses_compare_as_their_bytes(void **state)
{
	struct addr low = parsed("10.0.0.1"), high = parsed("10.0.1.0");
	struct addr v6 = parsed("2001:db8::1");

	(void)state;
	assert_true(addr_compare(&low, &high) < 0);
	assert_true(addr_compare(&high, &low) > 0);
	assert_int_equal(addr_compare(&v6, &v6), 0);
	assert_true(addr_compare(&low, &v6) < 0);
	assert_false(addr_equal(&low, &high));
}

static void
endpoints_differ_by_address_or_port(void **state)
{
	struct endpoint a = { parsed("10.0.0.1"), 2049, 0 }, b = a;

	(void)state;
	assert_true(endpoint_equal(&a, &b));
	b.port = 2050;
	assert_false(endpoint_equal(&a, &b));
	b = a;
	b.addr = parsed("10.0.0.2");
	assert_false(endpoint_equal(&a, &b));
}

static void
an_endpoint_prints_ipv6_in_brackets(void **state)
{
	struct endpoint v4 = { parsed("10.0.0.1"), 2049, 0 };
	struct endpoint v6 = {
		parsed("2001:db8:85a3:8d3:1319:8a2e:370:7348"), 65535, 0,
	};
	char buf[ENDPOINT_STRLEN];

	(void)state;
	assert_string_equal(endpoint_print(&v4, buf, sizeof(buf)),
	    "10.0.0.1:2049");
	assert_string_equal(endpoint_print(&v6, buf, sizeof(buf)),
	    "[2001:db8:85a3:8d3:1319:8a2e:370:7348]:65535");
}

static void
text_that_does_not_fit_is_left_empty(void **state)
{
	struct endpoint e = { parsed("10.0.0.1"), 2049, 0 };
	char buf[8];

	(void)state;
	assert_string_equal(addr_print(&e.addr, buf, sizeof(buf)), "");
	assert_string_equal(endpoint_print(&e, buf, sizeof(buf)), "");
}

/* RFC 5665 sec. 5.2.3.3: the port is the last two, high byte first. */
static void
the_port_of_a_universal_address_is_found(void **state)
{
	static const struct {
		const char	*text;
		uint16_t	 port;
	} cases[] = {
		{ "10.1.3.7.8.1", 2049 },
		{ "0.0.0.0.0.111", 111 },
		{ "::1.8.1", 2049 },
		{ "::.8.1", 2049 },
		{ "2001:db8::7.255.255", 65535 },
		{ "::ffff:10.1.3.7.2.3", 515 },
		{ "10.1.3.7.0.0", 0 },
		{ "10.1.3.7.8", 0 },
		{ "10.1.3.7", 0 },
		{ "10.1.3.7.256.1", 0 },
		{ "10.1.3.7.8.999", 0 },
		{ "10.1.3.7.8.1000", 0 },
		{ "10.1.3.7.8.", 0 },
		{ "10.1.3.7..1", 0 },
		{ "10.1.3.7.8.-1", 0 },
		{ "10.1.3.7.8.1 ", 0 },
		{ "server.8.1", 0 },
		{ ".8.1", 0 },
		{ "8.1", 0 },
		{ "1", 0 },
		{ "", 0 },
		{ "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa.8.1", 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(addr_uaddr_port(cases[i].text,
		    strlen(cases[i].text)), cases[i].port);
	assert_int_equal(addr_uaddr_port("10.1.3.7\0.8.1", 13), 0);
}

static void
read_prefix(void *ctx, struct bytes prefix)
{
	uint16_t port;

	(void)ctx;
	port = addr_uaddr_port((const char *)prefix.data, prefix.len);
	/* "10.1.3.7.8.1" and what is before ".8" of it is no address */
	assert_int_equal(port, prefix.len == 12 ? 2049 : 0);
}

static void
read_flipped(void *ctx, struct bytes flipped, size_t bit)
{
	(void)ctx;
	(void)bit;
	(void)addr_uaddr_port((const char *)flipped.data, flipped.len);
}

static void
a_cut_or_spoilt_universal_address_is_not_over_read(void **state)
{
	(void)state;
	for_every_prefix("10.1.3.7.8.1", 12, read_prefix, NULL);
	for_every_bit_flip("10.1.3.7.8.1", 12, read_flipped, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ipv4_address_is_kept_mapped),
		cmocka_unit_test(text_is_read_and_printed_alike),
		cmocka_unit_test(what_is_no_numeric_address_is_refused),
		cmocka_unit_test(multicast_and_broadcast_are_known),
		cmocka_unit_test(addresses_compare_as_their_bytes),
		cmocka_unit_test(endpoints_differ_by_address_or_port),
		cmocka_unit_test(an_endpoint_prints_ipv6_in_brackets),
		cmocka_unit_test(text_that_does_not_fit_is_left_empty),
		cmocka_unit_test(the_port_of_a_universal_address_is_found),
		cmocka_unit_test(
		    a_cut_or_spoilt_universal_address_is_not_over_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

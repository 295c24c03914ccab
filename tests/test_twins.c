/* SPDX-License-Identifier: ISC */
/*
 * test_twins.c: the same packet on two interfaces, and what only looks so.
 */
#include "twins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "packet.h"
#include "testkit.h"

static const uint64_t seed[2] = { 9, 10 };

static struct ip_packet
packet(const uint8_t *payload, uint32_t len)
{
	static const uint8_t src[4] = { 10, 77, 0, 3 };
	static const uint8_t dst[4] = { 10, 77, 0, 1 };
	struct ip_packet ip = { .proto = IP_PROTO_UDP, .frag_id = 77,
	    .payload_len = len, .header_len = 20,
	    .payload = bytes_of(payload, len) };

	addr_from_ipv4(&ip.src, src);
	addr_from_ipv4(&ip.dst, dst);
	return ip;
}

static uint8_t payload[100] = "a datagram's header and some of its data";

static void
a_packet_seen_on_another_interface_is_a_twin(void **state)
{
	struct twins *t = twins_new(seed);
	struct ip_packet ip = packet(payload, 100);

	(void)state;
	assert_false(twins_seen(t, &ip, 0, 1000));
	assert_true(twins_seen(t, &ip, 1, 2000));
	assert_true(twins_seen(t, &ip, 2, 3000));
	/* A twin may have the earlier time. */
	assert_true(twins_seen(t, &ip, 1, 500));
	twins_free(t);
	twins_free(NULL);
}

static void
a_packet_seen_again_on_the_same_interface_is_none(void **state)
{
	struct twins *t = twins_new(seed);
	struct ip_packet ip = packet(payload, 100);

	(void)state;
	assert_false(twins_seen(t, &ip, 0, 1000));
	assert_false(twins_seen(t, &ip, 0, 2000));
	/* Each of the two has its twin. */
	assert_true(twins_seen(t, &ip, 1, 2100));
	assert_false(twins_seen(t, &ip, 0, 3000));
	assert_true(twins_seen(t, &ip, 1, 3100));
	twins_free(t);
}

static void
a_packet_that_comes_much_later_is_none(void **state)
{
	struct twins *t = twins_new(seed);
	struct ip_packet ip = packet(payload, 100);

	(void)state;
	assert_false(twins_seen(t, &ip, 0, 0));
	assert_true(twins_seen(t, &ip, 1, TWINS_WINDOW_NS));
	assert_false(twins_seen(t, &ip, 1, TWINS_WINDOW_NS + 1));
	/* And a clock set back by much makes none either. */
	assert_false(twins_seen(t, &ip, 0, -TWINS_WINDOW_NS));
	twins_free(t);
}

/* Changes one thing; other is a copy of the payload. */
static void
change(struct ip_packet *ip, uint8_t *other, int what)
{
	struct ip_packet was = *ip;

	ip->src.b[15] ^= what == 0;
	ip->dst.b[15] ^= what == 1;
	ip->proto = what == 2 ? IP_PROTO_TCP : was.proto;
	ip->frag_id ^= what == 3;
	ip->frag_offset = what == 4 ? 1480 : 0;
	ip->more = what == 5;
	ip->payload_len += what == 6;
	other[3] ^= what == 7;		/* destination port */
	other[39] ^= what == 8;		/* part of the RPC header */
}

static void
everything_that_a_bridge_leaves_alone_must_be_the_same(void **state)
{
	uint8_t other[100];
	int what;

	(void)state;
	for (what = 0; what < 10; what++) {
		struct twins *t = twins_new(seed);
		struct ip_packet ip = packet(payload, 100);

		assert_false(twins_seen(t, &ip, 0, 0));
		memcpy(other, payload, sizeof(other));
		change(&ip, other, what);
		ip.payload.data = other;
		assert_int_equal(twins_seen(t, &ip, 1, 0), what == 9);
		twins_free(t);
	}
}

static void
checksums_that_offload_fills_in_late_make_no_difference(void **state)
{
	uint8_t other[100];
	struct twins *t = twins_new(seed);
	struct ip_packet udp = packet(payload, 100), tcp = udp;

	(void)state;
	memcpy(other, payload, sizeof(other));
	assert_false(twins_seen(t, &udp, 0, 0));
	other[6] = 0xab;		/* RFC 768 */
	other[7] = 0xcd;
	udp.payload.data = other;
	assert_true(twins_seen(t, &udp, 1, 0));

	memcpy(other, payload, sizeof(other));
	tcp.proto = IP_PROTO_TCP;
	assert_false(twins_seen(t, &tcp, 0, 0));
	other[16] = 0xab;		/* RFC 9293 sec. 3.1 */
	other[17] = 0xcd;
	tcp.payload.data = other;
	assert_true(twins_seen(t, &tcp, 1, 0));

	/* Of a later fragment these bytes are data like all others. */
	memcpy(other, payload, sizeof(other));
	udp = packet(payload, 100);
	udp.frag_offset = 1480;
	assert_false(twins_seen(t, &udp, 0, 0));
	other[6] ^= 1;
	udp.payload.data = other;
	assert_false(twins_seen(t, &udp, 1, 0));
	twins_free(t);
}

static void
short_and_empty_payloads_are_not_overread(void **state)
{
	struct twins *t = twins_new(seed);
	uint32_t len;

	(void)state;
	for (len = 0; len < 50; len++) {
		uint8_t *copy = testkit_copy(payload, len);
		struct ip_packet ip = packet(copy, len);

		assert_false(twins_seen(t, &ip, 0, 0));
		assert_true(twins_seen(t, &ip, 1, 0));
		testkit_free(copy);
	}
	twins_free(t);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_packet_seen_on_another_interface_is_a_twin),
		CASE(a_packet_seen_again_on_the_same_interface_is_none),
		CASE(a_packet_that_comes_much_later_is_none),
		CASE(everything_that_a_bridge_leaves_alone_must_be_the_same),
		CASE(checksums_that_offload_fills_in_late_make_no_difference),
		CASE(short_and_empty_payloads_are_not_overread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

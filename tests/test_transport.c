/* SPDX-License-Identifier: ISC */
/*
 * test_transport.c: UDP and TCP headers under their reading.
 */
#include "transport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

#define TCP	6
#define UDP	17

/* RFC 768 */
static const uint8_t udp[] = {
	0x03, 0xff,			/* source port 1023 */
	0x08, 0x01,			/* destination port 2049 */
	0x00, 0x0c,			/* length 12 */
	0x00, 0x00,			/* no checksum */
	1, 2, 3, 4,
};

/* RFC 9293 sec. 3.1 */
static const uint8_t tcp[] = {
	0x03, 0xff,			/* source port 1023 */
	0x08, 0x01,			/* destination port 2049 */
	0x89, 0xab, 0xcd, 0xef,		/* sequence number */
	0x01, 0x23, 0x45, 0x67,		/* acknowledgment number */
	0x80,				/* data offset: 8 words */
	0x18,				/* PSH, ACK */
	0x01, 0xf5,			/* window 501 */
	0x00, 0x00,			/* checksum */
	0x00, 0x00,			/* urgent pointer */
	0x01, 0x01,			/* two no-operations */
	0x08, 0x0a, 0, 0, 0, 1, 0, 0, 0, 2,	/* timestamps */
	1, 2, 3, 4,
};

static const uint8_t syn[] = {
	0x03, 0xff,			/* source port 1023 */
	0x08, 0x01,			/* destination port 2049 */
	0x00, 0x00, 0x00, 0x00,		/* sequence number 0 */
	0x00, 0x00, 0x00, 0x00,		/* acknowledgment number */
	0xa0,				/* data offset: 10 words */
	0x02,				/* SYN */
	0xfa, 0xf0,			/* window 64240 */
	0x00, 0x00,			/* checksum */
	0x00, 0x00,			/* urgent pointer */
	0x02, 0x04, 0x05, 0xb4,		/* maximum segment size 1460 */
	0x04, 0x02,			/* selective acknowledgments */
	0x08, 0x0a, 0, 0, 0, 1, 0, 0, 0, 0,	/* timestamps */
	0x01,				/* no-operation */
	0x03, 0x03, 0x07,		/* window scale 7 */
};

static enum transport_result
decode(uint8_t proto, const uint8_t *data, size_t len, struct segment *s)
{
	return transport_decode(proto, bytes_of(data, len), (uint32_t)len, s);
}

static void
a_udp_header_is_read(void **state)
{
	struct segment s;

	(void)state;
	assert_int_equal(decode(UDP, udp, sizeof(udp), &s), TRANSPORT_OK);
	assert_int_equal(s.proto, UDP);
	assert_true(s.has_ports);
	assert_int_equal(s.sport, 1023);
	assert_int_equal(s.dport, 2049);
	assert_int_equal(s.header_len, 8);
	assert_int_equal(s.payload_len, 4);
	assert_int_equal(s.payload.len, 4);
	assert_ptr_equal(s.payload.data, udp + 8);
}

static void
a_tcp_header_is_read(void **state)
{
	struct segment s;

	(void)state;
	assert_int_equal(decode(TCP, tcp, sizeof(tcp), &s), TRANSPORT_OK);
	assert_int_equal(s.proto, TCP);
	assert_true(s.has_ports);
	assert_int_equal(s.sport, 1023);
	assert_int_equal(s.dport, 2049);
	assert_true(s.seq == UINT32_C(0x89abcdef));
	assert_int_equal(s.ack, 0x01234567);
	assert_int_equal(s.flags, TCP_PSH | TCP_ACK);
	assert_int_equal(s.window, 501);
	assert_int_equal(s.mss, 0);
	assert_int_equal(s.wscale, -1);
	assert_int_equal(s.header_len, 32);
	assert_int_equal(s.payload_len, 4);
	assert_int_equal(s.payload.len, 4);
	assert_ptr_equal(s.payload.data, tcp + 32);
}

static void
the_options_of_a_syn_are_read(void **state)
{
	struct segment s;

	(void)state;
	assert_int_equal(decode(TCP, syn, sizeof(syn), &s), TRANSPORT_OK);
	assert_int_equal(s.flags, TCP_SYN);
	assert_int_equal(s.mss, 1460);
	assert_int_equal(s.wscale, 7);
	assert_int_equal(s.header_len, 40);
	assert_int_equal(s.payload_len, 0);
}

static void
the_options_of_other_segments_are_not(void **state)
{
	uint8_t data[sizeof(syn)];
	struct segment s;

	(void)state;
	memcpy(data, syn, sizeof(data));
	data[13] = TCP_ACK;
	assert_int_equal(decode(TCP, data, sizeof(data), &s), TRANSPORT_OK);
	assert_int_equal(s.mss, 0);
	assert_int_equal(s.wscale, -1);
}

static void
a_window_scale_above_14_is_14(void **state)
{
	static const uint8_t given[] = { 0, 14, 15, 255 };
	static const int8_t meant[] = { 0, 14, 14, 14 };
	uint8_t data[sizeof(syn)];
	struct segment s;
	size_t i;

	(void)state;
	memcpy(data, syn, sizeof(data));
	for (i = 0; i < 4; i++) {
		data[39] = given[i];	/* RFC 7323 sec. 2.3 */
		decode(TCP, data, sizeof(data), &s);
		assert_int_equal(s.wscale, meant[i]);
	}
}

static void
options_of_odd_length_end_the_reading(void **state)
{
	uint8_t data[sizeof(syn)];
	struct segment s;

	(void)state;
	memcpy(data, syn, sizeof(data));
	data[25] = 0;			/* an option of no length */
	assert_int_equal(decode(TCP, data, sizeof(data), &s), TRANSPORT_OK);
	assert_int_equal(s.mss, 1460);
	assert_int_equal(s.wscale, -1);
	data[25] = 2;
	data[27] = 200;			/* one longer than all options */
	assert_int_equal(decode(TCP, data, sizeof(data), &s), TRANSPORT_OK);
	assert_int_equal(s.wscale, -1);
	data[27] = 10;
	data[36] = 0;			/* end of options */
	assert_int_equal(decode(TCP, data, sizeof(data), &s), TRANSPORT_OK);
	assert_int_equal(s.wscale, -1);
	data[36] = 1;
	data[21] = 3;			/* a segment size of one byte, */
	data[23] = 1;			/* its second byte a no-operation */
	assert_int_equal(decode(TCP, data, sizeof(data), &s), TRANSPORT_OK);
	assert_int_equal(s.mss, 0);
	assert_int_equal(s.wscale, 7);
}

static void
other_protocols_are_other(void **state)
{
	struct segment s;

	(void)state;
	assert_int_equal(decode(1, udp, sizeof(udp), &s), TRANSPORT_OTHER);
	assert_int_equal(s.proto, 1);
	assert_false(s.has_ports);
	assert_int_equal(s.payload.len, 0);
}

static void
decode_udp_prefix(void *ctx, struct bytes prefix)
{
	struct segment s;
	enum transport_result res = transport_decode(UDP, prefix, sizeof(udp),
	    &s);

	(void)ctx;
	assert_int_equal(res, prefix.len < 8 ? TRANSPORT_SHORT : TRANSPORT_OK);
	assert_int_equal(s.has_ports, prefix.len >= 4);
	assert_int_equal(s.dport, prefix.len >= 4 ? 2049 : 0);
	if (res == TRANSPORT_OK) {
		assert_int_equal(s.payload_len, 4);
		assert_int_equal(s.payload.len, prefix.len - 8);
	}
}

static void
cut_udp_is_short_but_its_ports_may_be_known(void **state)
{
	(void)state;
	for_every_prefix(udp, sizeof(udp), decode_udp_prefix, NULL);
}

/* The fixed header is enough: lengths are right, options may be missing. */
static void
decode_tcp_prefix(void *ctx, struct bytes prefix)
{
	struct segment s;
	enum transport_result res = transport_decode(TCP, prefix, sizeof(tcp),
	    &s);

	(void)ctx;
	assert_int_equal(res, prefix.len < 20 ? TRANSPORT_SHORT :
	    TRANSPORT_OK);
	assert_int_equal(s.has_ports, prefix.len >= 4);
	if (res != TRANSPORT_OK)
		return;
	assert_int_equal(s.header_len, 32);
	assert_int_equal(s.payload_len, 4);
	assert_int_equal(s.payload.len, prefix.len < 32 ? 0 : prefix.len - 32);
}

static void
cut_tcp_needs_its_fixed_header_only(void **state)
{
	(void)state;
	for_every_prefix(tcp, sizeof(tcp), decode_tcp_prefix, NULL);
}

static void
decode_syn_prefix(void *ctx, struct bytes prefix)
{
	struct segment s;
	enum transport_result res = transport_decode(TCP, prefix, sizeof(syn),
	    &s);

	(void)ctx;
	if (res != TRANSPORT_OK)
		return;
	assert_int_equal(s.mss, prefix.len < 24 ? 0 : 1460);
	assert_int_equal(s.wscale, prefix.len < 40 ? -1 : 7);
	assert_int_equal(s.payload_len, 0);
	assert_int_equal(s.payload.len, 0);
}

static void
an_option_that_is_cut_is_none(void **state)
{
	(void)state;
	for_every_prefix(syn, sizeof(syn), decode_syn_prefix, NULL);
}

static void
decode_flipped(void *ctx, struct bytes flipped, size_t bit)
{
	const uint8_t *proto = ctx;
	struct segment s;
	size_t captured;

	(void)bit;
	if (transport_decode(*proto, flipped, (uint32_t)flipped.len, &s) !=
	    TRANSPORT_OK)
		return;
	assert_true(s.header_len <= flipped.len);
	captured = flipped.len - s.header_len;
	assert_int_equal(s.payload.len, captured < s.payload_len ?
	    captured : s.payload_len);
	assert_ptr_equal(s.payload.data, flipped.data + s.header_len);
}

static void
a_flipped_bit_never_leads_outside(void **state)
{
	uint8_t proto = TCP;

	(void)state;
	for_every_bit_flip(tcp, sizeof(tcp), decode_flipped, &proto);
	for_every_bit_flip(syn, sizeof(syn), decode_flipped, &proto);
	proto = UDP;
	for_every_bit_flip(udp, sizeof(udp), decode_flipped, &proto);
}

static void
a_first_fragment_knows_the_whole_datagram(void **state)
{
	uint8_t data[sizeof(udp)];
	struct segment s;

	(void)state;
	memcpy(data, udp, sizeof(data));
	data[4] = 0x20;			/* length 0x2090 = 8336 */
	data[5] = 0x90;
	assert_int_equal(transport_decode(UDP, bytes_of(data, 12), 1480, &s),
	    TRANSPORT_OK);
	assert_int_equal(s.payload_len, 8328);
	assert_int_equal(s.payload.len, 4);
}

static void
a_udp_length_of_0_means_to_the_end(void **state)
{
	uint8_t data[sizeof(udp)];
	struct segment s;

	(void)state;
	memcpy(data, udp, sizeof(data));
	data[5] = 0;
	assert_int_equal(transport_decode(UDP, bytes_of(data, 12), 70008, &s),
	    TRANSPORT_OK);
	assert_int_equal(s.payload_len, 70000);
	assert_int_equal(s.payload.len, 4);
}

static void
what_follows_the_udp_length_is_no_payload(void **state)
{
	uint8_t data[sizeof(udp)];
	struct segment s;

	(void)state;
	memcpy(data, udp, sizeof(data));
	data[5] = 10;
	assert_int_equal(decode(UDP, data, sizeof(data), &s), TRANSPORT_OK);
	assert_int_equal(s.payload_len, 2);
	assert_int_equal(s.payload.len, 2);
}

static void
lengths_that_cannot_be_are_bad(void **state)
{
	uint8_t data[sizeof(tcp)];
	struct segment s;

	(void)state;
	memcpy(data, udp, sizeof(udp));
	data[5] = 7;			/* shorter than its header */
	assert_int_equal(decode(UDP, data, sizeof(udp), &s), TRANSPORT_BAD);
	assert_true(s.has_ports);
	assert_int_equal(decode(UDP, udp, 7, &s), TRANSPORT_BAD);
	memcpy(data, tcp, sizeof(tcp));
	data[12] = 0x40;		/* a header of 16 bytes */
	assert_int_equal(decode(TCP, data, sizeof(tcp), &s), TRANSPORT_BAD);
	data[12] = 0xa0;		/* of 40 bytes, of 36 */
	assert_int_equal(decode(TCP, data, sizeof(tcp), &s), TRANSPORT_BAD);
	assert_int_equal(decode(TCP, tcp, 19, &s), TRANSPORT_BAD);
	assert_int_equal(decode(TCP, tcp, 3, &s), TRANSPORT_BAD);
	assert_false(s.has_ports);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_udp_header_is_read),
		cmocka_unit_test(a_tcp_header_is_read),
		cmocka_unit_test(the_options_of_a_syn_are_read),
		cmocka_unit_test(the_options_of_other_segments_are_not),
		cmocka_unit_test(a_window_scale_above_14_is_14),
		cmocka_unit_test(options_of_odd_length_end_the_reading),
		cmocka_unit_test(other_protocols_are_other),
		cmocka_unit_test(cut_udp_is_short_but_its_ports_may_be_known),
		cmocka_unit_test(cut_tcp_needs_its_fixed_header_only),
		cmocka_unit_test(an_option_that_is_cut_is_none),
		cmocka_unit_test(a_flipped_bit_never_leads_outside),
		cmocka_unit_test(a_first_fragment_knows_the_whole_datagram),
		cmocka_unit_test(a_udp_length_of_0_means_to_the_end),
		cmocka_unit_test(what_follows_the_udp_length_is_no_payload),
		cmocka_unit_test(lengths_that_cannot_be_are_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

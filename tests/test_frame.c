/* SPDX-License-Identifier: ISC */
/*
 * test_frame.c: frames down to their innermost segment.
 */
#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packetkit.h"
#include "testkit.h"
#include "tunnelkit.h"

#define C	PACKETKIT_CLIENT

static int
set_up(void **state)
{
	*state = packetkit_new();
	return 0;
}

static int
tear_down(void **state)
{
	free(*state);
	return 0;
}

static enum frame_result
open_bytes(struct frame *f, struct bytes data, uint32_t wire_len)
{
	struct packet pkt = { .data = data, .wire_len = wire_len,
	    .linktype = 1 };

	return frame_open(f, &pkt);
}

/* The kit's frame, the first n bytes captured. */
static enum frame_result
open_cut(struct frame *f, const struct packetkit *k, uint32_t n)
{
	return open_bytes(f, bytes_of(k->frame, n), k->len);
}

static enum frame_result
open_kit(struct frame *f, const struct packetkit *k)
{
	return open_cut(f, k, k->len);
}

static void
udp_and_tcp_are_told_apart(void **state)
{
	const struct packetkit_tcp t = { .seq = 5, .flags = TCP_ACK };
	struct packetkit *k = *state;
	struct frame f;

	packetkit_udp(k, C, "abcd", 4);
	assert_int_equal(open_kit(&f, k), FRAME_UDP);
	assert_int_equal(f.seg.dport, 2049);
	assert_int_equal(f.seg.payload_len, 4);
	assert_int_equal(f.link.header_len, 14);
	assert_int_equal(f.tunnels, 0);
	assert_int_equal(f.tunnel_len, 0);
	packetkit_tcp(k, C, &t, "abcdef", 6);
	assert_int_equal(open_kit(&f, k), FRAME_TCP);
	assert_int_equal(f.seg.seq, 5);
	assert_int_equal(f.seg.payload_len, 6);
}

static void
trailers_and_padding_are_no_payload(void **state)
{
	struct packetkit *k = *state;
	struct frame f;

	packetkit_udp(k, C, "abcd", 4);		/* 46 bytes */
	memset(k->frame + k->len, 0x55, 100);
	k->len = 60;				/* IEEE 802.3: the least */
	assert_int_equal(open_kit(&f, k), FRAME_UDP);
	assert_int_equal(f.seg.payload_len, 4);
	assert_int_equal(f.seg.payload.len, 4);
	k->len = 146;
	assert_int_equal(open_kit(&f, k), FRAME_UDP);
	assert_int_equal(f.seg.payload_len, 4);
}

static void
a_total_length_of_zero_reaches_to_the_end_of_the_frame(void **state)
{
	const struct packetkit_tcp t = { .seq = 5, .flags = TCP_ACK };
	static uint8_t data[3000];
	struct packetkit *k = *state;
	struct frame f;

	packetkit_tcp(k, C, &t, data, sizeof(data));
	k->frame[16] = k->frame[17] = 0;
	assert_int_equal(open_kit(&f, k), FRAME_TCP);
	assert_int_equal(f.seg.payload_len, sizeof(data));
	assert_int_equal(open_cut(&f, k, 100), FRAME_TCP);
	assert_int_equal(f.seg.payload_len, sizeof(data));
	assert_int_equal(f.seg.payload.len, 100 - 54);
}

static void
a_length_on_the_wire_that_lies_is_not_believed(void **state)
{
	struct packetkit *k = *state;
	struct frame f;

	packetkit_udp(k, C, "abcd", 4);
	assert_int_equal(open_bytes(&f, bytes_of(k->frame, k->len), 1),
	    FRAME_UDP);
	assert_int_equal(f.seg.payload.len, 4);
}

static void
what_has_no_segment_says_why(void **state)
{
	struct packetkit *k = *state;
	struct frame f;

	packetkit_udp(k, C, "abcd", 4);
	k->frame[12] = 0x08;
	k->frame[13] = 0x06;			/* ARP */
	assert_int_equal(open_kit(&f, k), FRAME_NOT_IP);
	packetkit_udp(k, C, "abcd", 4);
	assert_int_equal(open_cut(&f, k, 13), FRAME_BAD_LINK);
	assert_int_equal(open_cut(&f, k, 33), FRAME_BAD_IP);
	assert_int_equal(open_cut(&f, k, 34), FRAME_CUT);
	assert_false(f.seg.has_ports);
	assert_int_equal(open_cut(&f, k, 38), FRAME_CUT);
	assert_true(f.seg.has_ports);
	k->frame[23] = 1;			/* ICMP */
	assert_int_equal(open_kit(&f, k), FRAME_OTHER);
	k->frame[23] = 17;
	k->frame[39] = 7;		/* UDP length below its header */
	assert_int_equal(open_kit(&f, k), FRAME_BAD_TRANSPORT);
}

static void
a_fragment_has_no_segment(void **state)
{
	struct packetkit *k = *state;
	uint8_t datagram[64];
	struct frame f;

	packetkit_datagram(k, C, "0123456789", 10, datagram);
	packetkit_fragment(k, C, datagram, 18, 0, 16, 7);
	assert_int_equal(open_kit(&f, k), FRAME_FRAGMENT);
	assert_int_equal(f.ip.frag_id, 7);
	tunnelkit_wrap(k, TUNNELKIT_GRE, false);
	assert_int_equal(open_kit(&f, k), FRAME_FRAGMENT);
	assert_int_equal(f.tunnels, 1);
}

static void
tunnels_are_opened_and_their_headers_counted(void **state)
{
	struct packetkit *k = *state;
	unsigned int kind, v6;
	struct frame f;

	for (kind = 0; kind < TUNNELKITS; kind++) {
		for (v6 = 0; v6 < 2; v6++) {
			packetkit_udp(k, C, "abcd", 4);
			tunnelkit_wrap(k, (enum tunnelkit)kind, v6 != 0);
			assert_int_equal(open_kit(&f, k), FRAME_UDP);
			assert_int_equal(f.seg.dport, 2049);
			assert_int_equal(f.tunnels, 1);
			assert_int_equal(f.link.header_len + f.tunnel_len +
			    f.ip.header_len + f.seg.header_len + 4, k->len);
		}
	}
}

static void
the_fifth_tunnel_stays_closed(void **state)
{
	struct packetkit *k = *state;
	struct frame f;
	int i;

	packetkit_udp(k, C, "abcd", 4);
	for (i = 0; i < 4; i++)
		tunnelkit_wrap(k, TUNNELKIT_VXLAN, false);
	assert_int_equal(open_kit(&f, k), FRAME_UDP);
	assert_int_equal(f.tunnels, 4);
	assert_int_equal(f.seg.dport, 2049);
	tunnelkit_wrap(k, TUNNELKIT_VXLAN, false);
	assert_int_equal(open_kit(&f, k), FRAME_UDP);
	assert_int_equal(f.tunnels, 4);
	assert_int_equal(f.seg.dport, 4789);
	packetkit_udp(k, C, "abcd", 4);
	for (i = 0; i < 5; i++)
		tunnelkit_wrap(k, TUNNELKIT_IP, false);
	assert_int_equal(open_kit(&f, k), FRAME_OTHER);
	assert_int_equal(f.tunnels, 4);
}

static void
a_bad_packet_in_a_tunnel_is_bad(void **state)
{
	struct packetkit *k = *state;
	struct frame f;

	packetkit_udp(k, C, "abcd", 4);
	tunnelkit_wrap(k, TUNNELKIT_GRE, false);
	k->frame[14 + 28] = 0x75;		/* IP version 7 */
	assert_int_equal(open_kit(&f, k), FRAME_BAD_IP);
	assert_int_equal(f.tunnels, 0);
}

/* What is told lies in the frame. */
static void
expect_inside(struct bytes data, uint32_t wire_len)
{
	enum frame_result res;
	struct frame f;

	res = open_bytes(&f, data, wire_len);
	assert_true(f.tunnels <= 4);
	if (res != FRAME_TCP && res != FRAME_UDP)
		return;
	assert_true(f.seg.payload.len <= f.seg.payload_len);
	assert_true(f.seg.payload.len == 0 ||
	    (f.seg.payload.data >= data.data && f.seg.payload.data +
	    f.seg.payload.len <= data.data + data.len));
}

static void
prefix(void *ctx, struct bytes data)
{
	const struct packetkit *k = ctx;

	expect_inside(data, k->len);
}

static void
flip(void *ctx, struct bytes data, size_t bit)
{
	(void)bit;
	prefix(ctx, data);
}

static void
a_cut_or_flipped_frame_is_not_read_past_its_end(void **state)
{
	struct packetkit *k = *state;
	unsigned int kind;

	for (kind = 0; kind < TUNNELKITS; kind++) {
		packetkit_udp(k, C, "abcd", 4);
		tunnelkit_wrap(k, (enum tunnelkit)kind, true);
		tunnelkit_wrap(k, TUNNELKIT_GENEVE, false);
		for_every_prefix(k->frame, k->len, prefix, k);
		for_every_bit_flip(k->frame, k->len, flip, k);
	}
}

#define CASE(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(udp_and_tcp_are_told_apart),
		CASE(trailers_and_padding_are_no_payload),
		CASE(a_total_length_of_zero_reaches_to_the_end_of_the_frame),
		CASE(a_length_on_the_wire_that_lies_is_not_believed),
		CASE(what_has_no_segment_says_why),
		CASE(a_fragment_has_no_segment),
		CASE(tunnels_are_opened_and_their_headers_counted),
		CASE(the_fifth_tunnel_stays_closed),
		CASE(a_bad_packet_in_a_tunnel_is_bad),
		CASE(a_cut_or_flipped_frame_is_not_read_past_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

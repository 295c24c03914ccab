/* SPDX-License-Identifier: ISC */
/*
 * test_offload.c: packets on the wire for captured TCP frames (DESIGN sec. 2:
 * payload in units of what a segment holds, rounded up).
 */
#include "offload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define IPV4		20U
#define TCP		20U
#define TIMESTAMPS	12U

struct scene {
	struct flow	f;
	struct segment	g;
	struct offload_frame frame;
};

static int
set_up(void **state)
{
	static struct scene s;

	memset(&s, 0, sizeof(s));
	s.g.header_len = TCP + TIMESTAMPS;
	s.frame.network_len = IPV4;
	*state = &s;
	return 0;
}

/* A segment with so many bytes of payload, sent in direction 0. */
static uint32_t
packets(struct scene *s, uint32_t payload)
{
	s->g.payload_len = payload;
	return offload_packets(&s->f, 0, &s->g, &s->frame);
}

static void
the_mss_of_the_receiver_less_options_is_a_full_segment(void **state)
{
	struct scene *s = *state;

	s->f.dir[1].mss = 1460;		/* RFC 6691: options count in it */
	s->f.dir[0].mss = 536;		/* what the sender takes: no matter */
	assert_int_equal(packets(s, 1448), 1);
	assert_int_equal(packets(s, 1449), 2);
	assert_int_equal(packets(s, 2896), 2);
	assert_int_equal(packets(s, 2897), 3);
	assert_int_equal(packets(s, 65160), 45);
	s->g.header_len = TCP;
	assert_int_equal(packets(s, 2920), 2);
}

static void
a_jumbo_frame_is_one_packet_when_the_mss_says_so(void **state)
{
	struct scene *s = *state;

	s->f.dir[1].mss = 8960;		/* an MTU of 9000 */
	assert_int_equal(packets(s, 8948), 1);
	assert_int_equal(packets(s, 8949), 2);
	assert_int_equal(packets(s, 17896), 2);
}

static void
else_the_mtu_tells(void **state)
{
	struct scene *s = *state;

	s->frame.mtu = 9000;
	assert_int_equal(packets(s, 8948), 1);
	assert_int_equal(packets(s, 8949), 2);
	s->frame.mtu = 1500;
	assert_int_equal(packets(s, 8948), 7);	/* 6.18 */
	/* In VXLAN: outer IPv4, UDP, VXLAN, Ethernet, and the inner IPv4 */
	s->frame.network_len = 20 + 8 + 8 + 14 + 20;
	assert_int_equal(packets(s, 2796), 2);	/* 1500 - 70 - 32 = 1398 */
	assert_int_equal(packets(s, 2797), 3);
}

static void
else_the_largest_ordinary_segment_does(void **state)
{
	struct scene *s = *state;

	assert_int_equal(packets(s, 4344), 3);	/* nothing seen: 1448 */
	assert_int_equal(packets(s, 1348), 1);
	assert_int_equal(packets(s, 300), 1);
	assert_int_equal(packets(s, 4044), 3);	/* of 1348 */
	assert_int_equal(packets(s, 4045), 4);
	assert_int_equal(s->f.dir[0].largest, 1348);
	assert_int_equal(s->f.dir[1].largest, 0);
}

static void
small_segments_do_not_tell_what_a_full_one_is(void **state)
{
	struct scene *s = *state;

	assert_int_equal(packets(s, 512), 1);
	assert_int_equal(packets(s, 4344), 3);
	assert_int_equal(packets(s, 513), 1);
	assert_int_equal(packets(s, 1539), 3);
}

static void
what_fits_an_ordinary_packet_is_one(void **state)
{
	struct scene *s = *state;

	/* 1500 bytes with all headers, whatever the options say */
	s->f.dir[1].mss = 536;
	assert_int_equal(packets(s, 1500 - IPV4 - TCP - TIMESTAMPS), 1);
	assert_int_equal(packets(s, 1501 - IPV4 - TCP - TIMESTAMPS), 3);
}

static void
an_mss_smaller_than_the_options_is_not_believed(void **state)
{
	struct scene *s = *state;

	s->f.dir[1].mss = 12;
	s->frame.mtu = 1500;
	assert_int_equal(packets(s, 2896), 2);
	s->frame.mtu = 52;		/* no room for payload either */
	assert_int_equal(packets(s, 2896), 2);
	s->f.dir[1].mss = 13;		/* one byte each */
	assert_int_equal(packets(s, 2896), 2896);
}

#define CASE(name)	cmocka_unit_test_setup(name, set_up)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_mss_of_the_receiver_less_options_is_a_full_segment),
		CASE(a_jumbo_frame_is_one_packet_when_the_mss_says_so),
		CASE(else_the_mtu_tells),
		CASE(else_the_largest_ordinary_segment_does),
		CASE(small_segments_do_not_tell_what_a_full_one_is),
		CASE(what_fits_an_ordinary_packet_is_one),
		CASE(an_mss_smaller_than_the_options_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

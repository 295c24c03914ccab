/* SPDX-License-Identifier: ISC */
/*
 * test_link.c: link headers under their reading.
 */
#include "link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

#define ETHER	1
#define SLL	113
#define SLL2	276

#define IPV4	0x0800
#define IPV6	0x86dd

/* The first bytes of an IPv4 and of an IPv6 packet; all that link looks at. */
#define IP4_HEAD	0x45, 0x00, 0x00, 0x1c
#define IP6_HEAD	0x60, 0x00, 0x00, 0x00

/* Ethernet: destination, source; a type follows. */
#define MACS	0x00, 0x00, 0x5e, 0x00, 0x53, 0x01, \
		0x00, 0x00, 0x5e, 0x00, 0x53, 0x02

static const uint8_t ether4[] = {
	MACS,
	0x08, 0x00,			/* type: IPv4 */
	IP4_HEAD,
};

static const uint8_t ether6[] = {
	MACS,
	0x86, 0xdd,			/* type: IPv6 */
	IP6_HEAD,
};

static const uint8_t vlan[] = {
	MACS,
	0x81, 0x00,			/* type: 802.1Q tag */
	0x20, 0x0a,			/* priority 1, VLAN 10 */
	0x08, 0x00,			/* type: IPv4 */
	IP4_HEAD,
};

static const uint8_t qinq[] = {
	MACS,
	0x88, 0xa8,			/* type: 802.1ad service tag */
	0x00, 0x64,			/* VLAN 100 */
	0x91, 0x00,			/* type: older service tag */
	0x00, 0x65,			/* VLAN 101 */
	0x92, 0x00,			/* type: another older one */
	0x00, 0x66,			/* VLAN 102 */
	0x81, 0x00,			/* type: 802.1Q tag */
	0x00, 0x0a,			/* VLAN 10 */
	0x86, 0xdd,			/* type: IPv6 */
	IP6_HEAD,
};

static const uint8_t mpls[] = {
	MACS,
	0x88, 0x47,			/* type: MPLS unicast */
	0x00, 0x01, 0x00, 0x40,		/* label 16, not the bottom, TTL 64 */
	0x00, 0x01, 0x11, 0x40,		/* label 17, bottom of stack, TTL 64 */
	IP4_HEAD,
};

static const uint8_t mpls_multicast6[] = {
	MACS,
	0x88, 0x48,			/* type: MPLS with upstream label */
	0x00, 0x01, 0x11, 0x40,		/* label 17, bottom of stack, TTL 64 */
	IP6_HEAD,
};

static const uint8_t snap[] = {
	MACS,
	0x00, 0x0c,			/* length: 12 */
	0xaa, 0xaa, 0x03,		/* LLC: SNAP, unnumbered information */
	0x00, 0x00, 0x00,		/* SNAP: organisation 0 */
	0x08, 0x00,			/* SNAP: type IPv4 */
	IP4_HEAD,
};

static const uint8_t vlan_snap[] = {
	MACS,
	0x81, 0x00,			/* type: 802.1Q tag */
	0x00, 0x0a,			/* VLAN 10 */
	0x00, 0x0c,			/* length: 12 */
	0xaa, 0xaa, 0x03,		/* LLC: SNAP, unnumbered information */
	0x00, 0x00, 0x00,		/* SNAP: organisation 0 */
	0x08, 0x00,			/* SNAP: type IPv4 */
	IP4_HEAD,
};

static const uint8_t cooked[] = {
	0x00, 0x00,			/* packet type: to us */
	0x00, 0x01,			/* ARPHRD_ETHER */
	0x00, 0x06,			/* address length 6 */
	0x00, 0x00, 0x5e, 0x00, 0x53, 0x02, 0x00, 0x00,
	0x08, 0x00,			/* protocol: IPv4 */
	IP4_HEAD,
};

static const uint8_t cooked_vlan[] = {
	0x00, 0x04,			/* packet type: from us */
	0x00, 0x01,			/* ARPHRD_ETHER */
	0x00, 0x06,			/* address length 6 */
	0x00, 0x00, 0x5e, 0x00, 0x53, 0x02, 0x00, 0x00,
	0x81, 0x00,			/* protocol: 802.1Q tag */
	0x00, 0x0a,			/* VLAN 10 */
	0x86, 0xdd,			/* type: IPv6 */
	IP6_HEAD,
};

static const uint8_t cooked2[] = {
	0x08, 0x00,			/* protocol: IPv4 */
	0x00, 0x00,			/* reserved */
	0x00, 0x00, 0x00, 0x07,		/* interface 7 */
	0x00, 0x01,			/* ARPHRD_ETHER */
	0x00, 0x06,			/* packet type: to us; length 6 */
	0x00, 0x00, 0x5e, 0x00, 0x53, 0x02, 0x00, 0x00,
	IP4_HEAD,
};

static const uint8_t cooked2_vlan[] = {
	0x88, 0xa8,			/* protocol: 802.1ad tag */
	0x00, 0x00,			/* reserved */
	0x80, 0x00, 0x00, 0x01,		/* interface 2147483649 */
	0x00, 0x01,			/* ARPHRD_ETHER */
	0x04, 0x06,			/* packet type: from us; length 6 */
	0x00, 0x00, 0x5e, 0x00, 0x53, 0x02, 0x00, 0x00,
	0x00, 0x64,			/* VLAN 100 */
	0x08, 0x00,			/* type: IPv4 */
	IP4_HEAD,
};

static const uint8_t null_little4[] = { 2, 0, 0, 0, IP4_HEAD };
static const uint8_t null_big4[] = { 0, 0, 0, 2, IP4_HEAD };
static const uint8_t null_linux6[] = { 10, 0, 0, 0, IP6_HEAD };
static const uint8_t null_openbsd6[] = { 0, 0, 0, 24, IP6_HEAD };
static const uint8_t null_freebsd6[] = { 28, 0, 0, 0, IP6_HEAD };
static const uint8_t null_macos6[] = { 30, 0, 0, 0, IP6_HEAD };

static const uint8_t raw4[] = { IP4_HEAD };
static const uint8_t raw6[] = { IP6_HEAD };

static const uint8_t infiniband[] = {
	/* global route header, zero but for the sender's identifier */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x80, 0x00, 0x05, 0x50,
	0xfe, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x10, 0xe0, 0x00, 0x66, 0x4a, 0xb4, 0x51,
	0x08, 0x00,			/* RFC 4391: type IPv4 */
	0x00, 0x00,			/* reserved */
	IP4_HEAD,
};

static const struct fixture {
	int		 linktype;
	const uint8_t	*data;
	size_t		 len;
	uint16_t	 ethertype;
	uint16_t	 header_len;
} fixtures[] = {
	{ ETHER, ether4, sizeof(ether4), IPV4, 14 },
	{ ETHER, ether6, sizeof(ether6), IPV6, 14 },
	{ ETHER, vlan, sizeof(vlan), IPV4, 18 },
	{ ETHER, qinq, sizeof(qinq), IPV6, 30 },
	{ ETHER, mpls, sizeof(mpls), IPV4, 22 },
	{ ETHER, mpls_multicast6, sizeof(mpls_multicast6), IPV6, 18 },
	{ ETHER, snap, sizeof(snap), IPV4, 22 },
	{ ETHER, vlan_snap, sizeof(vlan_snap), IPV4, 26 },
	{ SLL, cooked, sizeof(cooked), IPV4, 16 },
	{ SLL, cooked_vlan, sizeof(cooked_vlan), IPV6, 20 },
	{ SLL2, cooked2, sizeof(cooked2), IPV4, 20 },
	{ SLL2, cooked2_vlan, sizeof(cooked2_vlan), IPV4, 24 },
	{ 0, null_little4, sizeof(null_little4), IPV4, 4 },
	{ 0, null_big4, sizeof(null_big4), IPV4, 4 },
	{ 0, null_linux6, sizeof(null_linux6), IPV6, 4 },
	{ 0, null_freebsd6, sizeof(null_freebsd6), IPV6, 4 },
	{ 0, null_macos6, sizeof(null_macos6), IPV6, 4 },
	{ 108, null_big4, sizeof(null_big4), IPV4, 4 },
	{ 108, null_openbsd6, sizeof(null_openbsd6), IPV6, 4 },
	{ 12, raw4, sizeof(raw4), IPV4, 0 },
	{ 14, raw6, sizeof(raw6), IPV6, 0 },
	{ 101, raw4, sizeof(raw4), IPV4, 0 },
	{ 101, raw6, sizeof(raw6), IPV6, 0 },
	{ 228, raw4, sizeof(raw4), IPV4, 0 },
	{ 229, raw6, sizeof(raw6), IPV6, 0 },
	{ 242, infiniband, sizeof(infiniband), IPV4, 44 },
};

#define FIXTURES	(sizeof(fixtures) / sizeof(fixtures[0]))

static void
every_header_leads_to_its_ip_packet(void **state)
{
	struct link_frame frame;
	size_t i;

	(void)state;
	for (i = 0; i < FIXTURES; i++) {
		const struct fixture *f = &fixtures[i];

		assert_int_equal(link_decode(f->linktype,
		    bytes_of(f->data, f->len), &frame), LINK_OK);
		assert_int_equal(frame.ethertype, f->ethertype);
		assert_int_equal(frame.header_len, f->header_len);
		assert_ptr_equal(frame.rest.data, f->data + f->header_len);
		assert_int_equal(frame.rest.len, 4);
		assert_int_equal(frame.has_ifindex, f->linktype == SLL2);
	}
}

/* Short inside the header, except where an IP version is needed to go on. */
static void
decode_prefix(void *ctx, struct bytes prefix)
{
	const struct fixture *f = ctx;
	bool by_version = f->data == mpls || f->data == mpls_multicast6 ||
	    f->linktype == 12 || f->linktype == 14 || f->linktype == 101;
	size_t need = f->header_len + (by_version ? 1U : 0U);
	struct link_frame frame;
	enum link_result res = link_decode(f->linktype, prefix, &frame);

	assert_int_equal(res, prefix.len < need ? LINK_SHORT : LINK_OK);
	if (res == LINK_OK)
		assert_int_equal(frame.rest.len, prefix.len - f->header_len);
}

static void
a_frame_cut_in_the_link_header_is_short(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < FIXTURES; i++) {
		struct fixture f = fixtures[i];

		for_every_prefix(f.data, f.len, decode_prefix, &f);
	}
}

static void
decode_flipped(void *ctx, struct bytes flipped, size_t bit)
{
	const struct fixture *f = ctx;
	struct link_frame frame;

	(void)bit;
	if (link_decode(f->linktype, flipped, &frame) != LINK_OK)
		return;
	assert_true(frame.ethertype == IPV4 || frame.ethertype == IPV6);
	assert_ptr_equal(frame.rest.data, flipped.data + frame.header_len);
	assert_int_equal(frame.header_len + frame.rest.len, flipped.len);
}

static void
a_flipped_bit_never_leads_outside(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < FIXTURES; i++) {
		struct fixture f = fixtures[i];

		for_every_bit_flip(f.data, f.len, decode_flipped, &f);
	}
}

static void
cooked_v2_names_the_interface(void **state)
{
	struct link_frame frame;

	(void)state;
	link_decode(SLL2, bytes_of(cooked2, sizeof(cooked2)), &frame);
	assert_true(frame.has_ifindex);
	assert_int_equal(frame.ifindex, 7);
	link_decode(SLL2, bytes_of(cooked2_vlan, sizeof(cooked2_vlan)),
	    &frame);
	assert_true(frame.ifindex == UINT32_C(2147483649));
}

/* The Ethernet fixture with another type. */
static enum link_result
ethernet_of_type(uint16_t type, struct link_frame *frame)
{
	uint8_t data[sizeof(ether4)];

	memcpy(data, ether4, sizeof(data));
	data[12] = (uint8_t)(type >> 8);
	data[13] = (uint8_t)type;
	return link_decode(ETHER, bytes_of(data, sizeof(data)), frame);
}

static void
other_protocols_are_not_ip(void **state)
{
	static const uint16_t types[] = {
		0x0806,			/* ARP */
		0x8035,			/* RARP */
		0x88cc,			/* LLDP */
		0x8863, 0x8864,		/* PPPoE */
		0x8906,			/* FCoE */
		0xffff,
		0x0004,			/* 802.3 length, no SNAP behind */
		0x05dc,
	};
	struct link_frame frame;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		assert_int_equal(ethernet_of_type(types[i], &frame),
		    LINK_NOT_IP);
		assert_int_equal(frame.ethertype, types[i]);
	}
}

static void
llc_that_is_not_snap_is_not_ip_even_when_cut(void **state)
{
	static const uint8_t stp[] = {
		MACS,
		0x00, 0x26,		/* length: 38 */
		0x42, 0x42, 0x03,	/* LLC: spanning tree */
	};
	static const uint8_t cdp[] = {
		MACS,
		0x00, 0x26,		/* length: 38 */
		0xaa, 0xaa, 0x03,	/* LLC: SNAP */
		0x00, 0x00, 0x0c,	/* SNAP: organisation Cisco */
		0x20, 0x00,
	};
	struct link_frame frame;
	size_t len;

	(void)state;
	for (len = 15; len <= sizeof(stp); len++)
		assert_int_equal(link_decode(ETHER, bytes_of(stp, len),
		    &frame), LINK_NOT_IP);
	assert_int_equal(link_decode(ETHER, bytes_of(cdp, sizeof(cdp)),
	    &frame), LINK_NOT_IP);
}

/* LINKTYPE_LINUX_SLL: 1 is 802.3 without LLC, 4 has an LLC header. */
static void
small_protocols_of_cooked_frames_are_not_ip(void **state)
{
	static const uint16_t protocols[] = { 0x0000, 0x0001, 0x0004, 0x000c };
	uint8_t data[sizeof(snap) + 2];
	struct link_frame frame;
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		memcpy(data, cooked, 16);
		memcpy(data + 16, snap + 14, sizeof(snap) - 14);
		data[14] = (uint8_t)(protocols[i] >> 8);
		data[15] = (uint8_t)protocols[i];
		assert_int_equal(link_decode(SLL,
		    bytes_of(data, sizeof(data)), &frame), LINK_NOT_IP);
		assert_int_equal(frame.ethertype, protocols[i]);
	}
}

static void
tags_are_followed_only_so_far(void **state)
{
	uint8_t data[12 + 4 * 9 + 2 + 4] = { 0 };
	struct link_frame frame;
	size_t n, at;

	(void)state;
	for (n = 1; n <= 9; n++) {
		memset(data, 0, sizeof(data));
		for (at = 12; at < 12 + 4 * n; at += 4)
			data[at] = 0x81;
		data[at] = 0x08;
		assert_int_equal(link_decode(ETHER,
		    bytes_of(data, at + 6), &frame),
		    n <= LINK_TAGS_MAX ? LINK_OK : LINK_NOT_IP);
		if (n <= LINK_TAGS_MAX)
			assert_int_equal(frame.header_len, 14 + 4 * n);
	}
}

static void
mpls_labels_are_followed_only_so_far(void **state)
{
	uint8_t data[4 * 9 + 1];
	struct link_frame frame;
	size_t n;

	(void)state;
	for (n = 1; n <= 9; n++) {
		memset(data, 0, sizeof(data));
		data[4 * n - 2] = 0x01;		/* bottom of stack */
		data[4 * n] = 0x45;
		assert_int_equal(link_decode_ethertype(0x8847,
		    bytes_of(data, 4 * n + 1), &frame),
		    n <= LINK_TAGS_MAX ? LINK_OK : LINK_NOT_IP);
	}
}

/* RFC 4385 sec. 3: a control word starts with a nibble of 0. */
static void
an_mpls_pseudowire_is_not_ip(void **state)
{
	static const uint8_t data[] = {
		0x00, 0x01, 0x11, 0x40,		/* bottom of stack */
		0x00, 0x00, 0x00, 0x00,		/* control word */
		MACS, 0x08, 0x00, IP4_HEAD,
	};
	struct link_frame frame;

	(void)state;
	assert_int_equal(link_decode_ethertype(0x8847,
	    bytes_of(data, sizeof(data)), &frame), LINK_NOT_IP);
}

static void
an_ethertype_alone_leads_to_its_ip_packet_too(void **state)
{
	struct link_frame frame;

	(void)state;
	assert_int_equal(link_decode_ethertype(0x8100,
	    bytes_of(vlan + 14, sizeof(vlan) - 14), &frame), LINK_OK);
	assert_int_equal(frame.ethertype, IPV4);
	assert_int_equal(frame.header_len, 4);
	assert_int_equal(link_decode_ethertype(IPV6,
	    bytes_of(raw6, sizeof(raw6)), &frame), LINK_OK);
	assert_int_equal(frame.header_len, 0);
	assert_int_equal(link_decode_ethertype(0x0806,
	    bytes_of(raw6, sizeof(raw6)), &frame), LINK_NOT_IP);
	assert_int_equal(link_decode_ethertype(0x0010, bytes_of(NULL, 0),
	    &frame), LINK_SHORT);
}

static void
other_families_and_versions_are_not_ip(void **state)
{
	static const uint8_t family[] = { 7, 0, 0, 0, IP4_HEAD };
	static const uint8_t version[] = { 0x50, 0x00 };
	struct link_frame frame;

	(void)state;
	assert_int_equal(link_decode(0, bytes_of(family, sizeof(family)),
	    &frame), LINK_NOT_IP);
	assert_int_equal(link_decode(101, bytes_of(version, sizeof(version)),
	    &frame), LINK_NOT_IP);
}

static void
link_types_are_known_or_unsupported(void **state)
{
	struct link_frame frame;

	(void)state;
	assert_string_equal(link_name(1), "EN10MB");
	assert_string_equal(link_name(276), "LINUX_SLL2");
	assert_string_equal(link_name(9), "unknown");
	assert_true(link_supported(113));
	assert_false(link_supported(9));		/* PPP */
	assert_false(link_supported(127));		/* radiotap */
	assert_false(link_supported(-1));
	assert_int_equal(link_decode(127, bytes_of(ether4, sizeof(ether4)),
	    &frame), LINK_UNSUPPORTED);
	assert_int_equal(frame.rest.len, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_header_leads_to_its_ip_packet),
		cmocka_unit_test(a_frame_cut_in_the_link_header_is_short),
		cmocka_unit_test(a_flipped_bit_never_leads_outside),
		cmocka_unit_test(cooked_v2_names_the_interface),
		cmocka_unit_test(other_protocols_are_not_ip),
		cmocka_unit_test(llc_that_is_not_snap_is_not_ip_even_when_cut),
		cmocka_unit_test(small_protocols_of_cooked_frames_are_not_ip),
		cmocka_unit_test(tags_are_followed_only_so_far),
		cmocka_unit_test(mpls_labels_are_followed_only_so_far),
		cmocka_unit_test(an_mpls_pseudowire_is_not_ip),
		cmocka_unit_test(an_ethertype_alone_leads_to_its_ip_packet_too),
		cmocka_unit_test(other_families_and_versions_are_not_ip),
		cmocka_unit_test(link_types_are_known_or_unsupported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

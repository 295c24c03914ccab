/* SPDX-License-Identifier: ISC */
/*
 * test_tunnel.c: headers of tunnels under their reading.
 */
#include "tunnel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

#define IPIP	4
#define SIX	41
#define GRE	47
#define UDP	0	/* in the table: by port */

/* RFC 791: 10.9.0.3 to 10.9.0.1, UDP, 28 bytes in all; RFC 768: no data. */
#define INNER_IPV4							\
	0x45, 0x00, 0x00, 0x1c,		/* 20 bytes; total length 28 */	\
	0x12, 0x34, 0x40, 0x00,		/* identification, DF */	\
	0x40, 0x11, 0x00, 0x00,		/* TTL 64, UDP */		\
	10, 9, 0, 3, 10, 9, 0, 1,					\
	0x03, 0xff, 0x08, 0x01,		/* ports 1023, 2049 */		\
	0x00, 0x08, 0x00, 0x00		/* length 8, no checksum */

/* RFC 8200: fd09::3 to fd09::1, UDP. */
#define INNER_IPV6							\
	0x60, 0x00, 0x00, 0x00,						\
	0x00, 0x08, 0x11, 0x40,		/* 8 bytes, UDP, hop limit 64 */ \
	0xfd, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3,		\
	0xfd, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,		\
	0x03, 0xff, 0x08, 0x01,						\
	0x00, 0x08, 0x00, 0x00

#define MACS								\
	2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 3
#define ETHERNET(type)							\
	MACS, (type) / 256, (type) % 256

static const uint8_t vxlan[] = {	/* RFC 7348 sec. 5 */
	0x08, 0x00, 0x00, 0x00,		/* I: the VNI is valid */
	0x00, 0x00, 0x2a, 0x00,		/* VNI 42 */
	ETHERNET(0x0800), INNER_IPV4
};

static const uint8_t vxlan_tagged[] = {
	0x08, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x2a, 0x00,
	ETHERNET(0x8100), 0x00, 0x07, 0x86, 0xdd,	/* VLAN 7, IPv6 */
	INNER_IPV6
};

static const uint8_t geneve[] = {	/* RFC 8926 sec. 3.4 */
	0x00,				/* version 0, no options */
	0x00,				/* flags O, C */
	0x65, 0x58,			/* Ethernet */
	0x00, 0x00, 0x2a, 0x00,		/* VNI 42 */
	ETHERNET(0x0800), INNER_IPV4
};

static const uint8_t geneve_options[] = {
	0x02,				/* version 0, two words of options */
	0x40,				/* C: there are critical ones */
	0x08, 0x00,			/* IPv4, no Ethernet */
	0x00, 0x00, 0x2a, 0x00,
	0x01, 0x02, 0x80, 0x01,		/* class, type, one word follows */
	0xca, 0xfe, 0xba, 0xbe,
	INNER_IPV4
};

static const uint8_t gre[] = {		/* RFC 2784 sec. 2.1 */
	0x00, 0x00,			/* no options, version 0 */
	0x08, 0x00,			/* IPv4 */
	INNER_IPV4
};

static const uint8_t gre_all[] = {	/* RFC 2890 sec. 2 */
	0xb0, 0x00,			/* checksum, key, sequence number */
	0x86, 0xdd,			/* IPv6 */
	0x00, 0x00, 0x00, 0x00,		/* checksum, reserved */
	0x00, 0x00, 0x00, 0x2a,		/* key 42 */
	0x00, 0x00, 0x00, 0x07,		/* sequence number 7 */
	INNER_IPV6
};

static const uint8_t nvgre[] = {	/* RFC 7637 sec. 3.2 */
	0x20, 0x00,			/* key */
	0x65, 0x58,			/* transparent Ethernet bridging */
	0x00, 0x2a, 0x00, 0x01,		/* VSID, flow */
	ETHERNET(0x0800), INNER_IPV4
};

static const uint8_t gre_mpls[] = {	/* RFC 4023 sec. 4.2 */
	0x00, 0x00,
	0x88, 0x47,			/* MPLS */
	0x00, 0x01, 0x00, 0x40,		/* label 16 */
	0x00, 0x01, 0x11, 0x40,		/* label 17, bottom of the stack */
	INNER_IPV4
};

static const uint8_t erspan1[] = {	/* draft-foschiano-erspan-03 4.1 */
	0x00, 0x00,			/* no sequence number: type I */
	0x88, 0xbe,
	ETHERNET(0x0800), INNER_IPV4
};

static const uint8_t erspan2[] = {	/* sec. 4.2 */
	0x10, 0x00,			/* sequence number */
	0x88, 0xbe,
	0x00, 0x00, 0x00, 0x07,
	0x10, 0x64, 0x00, 0x05,		/* version 1, VLAN 100, session 5 */
	0x00, 0x00, 0x00, 0x02,		/* index */
	ETHERNET(0x0800), INNER_IPV4
};

static const uint8_t erspan3[] = {	/* sec. 4.3 */
	0x10, 0x00,
	0x22, 0xeb,
	0x00, 0x00, 0x00, 0x07,
	0x20, 0x64, 0x00, 0x05,		/* version 2, VLAN 100, session 5 */
	0x00, 0x01, 0x02, 0x03,		/* timestamp */
	0x00, 0x00, 0x00, 0x01,		/* frame type 0; O: subheader */
	0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00,
	ETHERNET(0x0800), INNER_IPV4
};

static const uint8_t erspan3_ip[] = {
	0x10, 0x00,
	0x22, 0xeb,
	0x00, 0x00, 0x00, 0x07,
	0x20, 0x64, 0x00, 0x05,
	0x00, 0x01, 0x02, 0x03,
	0x00, 0x00, 0x08, 0x00,		/* frame type 2: IP; no subheader */
	INNER_IPV4
};

static const uint8_t ipv4[] = { INNER_IPV4 };	/* RFC 2003 */
static const uint8_t ipv6[] = { INNER_IPV6 };	/* RFC 4213, 2473 */

#define ROW(name, proto, port, header_len)				\
	{ name, sizeof(name), proto, port, header_len }

static const struct row {
	const uint8_t	*data;
	uint32_t	 len;
	uint8_t		 proto;		/* UDP: by port */
	uint16_t	 port;
	uint32_t	 header_len;	/* to the inner IP header */
} rows[] = {
	ROW(vxlan,		UDP, 4789, 22),
	ROW(vxlan,		UDP, 8472, 22),
	ROW(vxlan_tagged,	UDP, 4789, 26),
	ROW(geneve,		UDP, 6081, 22),
	ROW(geneve_options,	UDP, 6081, 16),
	ROW(gre,		GRE, 0, 4),
	ROW(gre_all,		GRE, 0, 16),
	ROW(nvgre,		GRE, 0, 22),
	ROW(gre_mpls,		GRE, 0, 12),
	ROW(erspan1,		GRE, 0, 18),
	ROW(erspan2,		GRE, 0, 30),
	ROW(erspan3,		GRE, 0, 42),
	ROW(erspan3_ip,		GRE, 0, 20),
	ROW(ipv4,		IPIP, 0, 0),
	ROW(ipv6,		SIX, 0, 0),
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))

/* The captured part of a tunnel packet of the row's length. */
static enum tunnel_result
open_part(const struct row *r, struct bytes data, struct tunnel_inner *in)
{
	struct ip_packet outer = { .proto = r->proto, .payload = data,
	    .payload_len = r->len };

	if (r->proto == UDP)
		return tunnel_udp(r->port, data, r->len, in);
	return tunnel_ip(&outer, in);
}

static enum tunnel_result
open_bytes(uint8_t proto, uint16_t port, const uint8_t *data, size_t len,
    struct tunnel_inner *in)
{
	const struct row r = { data, (uint32_t)len, proto, port, 0 };

	return open_part(&r, bytes_of(data, len), in);
}

static void
the_packet_inside_is_found(void **state)
{
	const struct row *r;
	struct tunnel_inner in;

	(void)state;
	for (r = rows; r < rows + ROWS; r++) {
		assert_int_equal(open_part(r, bytes_of(r->data, r->len), &in),
		    TUNNEL_OK);
		assert_int_equal(in.header_len, r->header_len);
		assert_int_equal(in.ip.proto, IP_PROTO_UDP);
		assert_int_equal(in.ip.payload_len, 8);
		assert_int_equal(in.ip.payload.len, 8);
		assert_int_equal(in.ip.src.b[15], 3);
		assert_int_equal(in.ip.dst.b[15], 1);
		assert_int_equal(in.ip.header_len + in.header_len + 8, r->len);
	}
}

static void
expect_cut(void *ctx, struct bytes prefix)
{
	const struct row *r = ctx;
	uint32_t headers = r->len - 8;	/* all but the inner payload */
	struct tunnel_inner in;
	enum tunnel_result res = open_part(r, prefix, &in);

	if (prefix.len < headers) {
		assert_int_equal(res, TUNNEL_SHORT);
		return;
	}
	assert_int_equal(res, TUNNEL_OK);
	assert_int_equal(in.ip.payload.len, prefix.len - headers);
	assert_int_equal(in.ip.payload_len, 8);
}

static void
a_cut_tunnel_is_short_until_the_inner_header_is_there(void **state)
{
	struct row r;
	const struct row *each;

	(void)state;
	for (each = rows; each < rows + ROWS; each++) {
		r = *each;
		for_every_prefix(r.data, r.len, expect_cut, &r);
	}
}

static void
expect_inside(void *ctx, struct bytes flipped, size_t bit)
{
	struct tunnel_inner in;

	(void)bit;
	if (open_part(ctx, flipped, &in) != TUNNEL_OK)
		return;
	assert_true(in.header_len + in.ip.header_len <= flipped.len);
	assert_true(in.ip.payload.len <= in.ip.payload_len);
	assert_ptr_equal(in.ip.payload.data,
	    flipped.data + in.header_len + in.ip.header_len);
	assert_true(in.ip.payload.data + in.ip.payload.len <=
	    flipped.data + flipped.len);
}

static void
a_flipped_bit_leads_nowhere_else(void **state)
{
	struct row r;
	const struct row *each;

	(void)state;
	for (each = rows; each < rows + ROWS; each++) {
		r = *each;
		for_every_bit_flip(r.data, r.len, expect_inside, &r);
	}
}

static void
a_length_of_zero_inside_means_to_the_end(void **state)
{
	uint8_t data[sizeof(vxlan)];
	struct tunnel_inner in;

	(void)state;
	memcpy(data, vxlan, sizeof(data));
	data[22 + 2] = data[22 + 3] = 0;	/* as segmentation offload */
	assert_int_equal(tunnel_udp(4789, bytes_of(data, sizeof(data)), 3000,
	    &in), TUNNEL_OK);
	assert_int_equal(in.ip.payload_len, 3000 - 22 - 20);
	assert_int_equal(in.ip.payload.len, 8);
}

static void
other_ports_and_protocols_are_no_tunnels(void **state)
{
	struct tunnel_inner in;

	(void)state;
	assert_int_equal(open_bytes(UDP, 2049, vxlan, sizeof(vxlan), &in),
	    TUNNEL_NONE);
	assert_int_equal(open_bytes(50, 0, ipv4, sizeof(ipv4), &in),
	    TUNNEL_NONE);
	assert_true(tunnel_is_port(4789));
	assert_true(tunnel_is_port(8472));
	assert_true(tunnel_is_port(6081));
	assert_false(tunnel_is_port(4790));
	assert_false(tunnel_is_port(2049));
}

static void
a_fragment_is_no_tunnel(void **state)
{
	struct ip_packet outer = { .proto = GRE, .fragment = true,
	    .payload = bytes_of(gre, sizeof(gre)), .payload_len = sizeof(gre) };
	struct tunnel_inner in;

	(void)state;
	assert_int_equal(tunnel_ip(&outer, &in), TUNNEL_NONE);
}

static void
what_does_not_carry_ip_is_none(void **state)
{
	static const uint8_t arp[] = {
		0x08, 0, 0, 0, 0, 0, 0x2a, 0,
		ETHERNET(0x0806), 0, 1, 8, 0, 6, 4, 0, 1,
	};
	static const uint8_t no_vni[] = {	/* I is not set */
		0x00, 0, 0, 0, 0, 0, 0x2a, 0, ETHERNET(0x0800), INNER_IPV4
	};
	static const uint8_t tiny[] = { 0x08, 0, 0, 0, 0, 0, 0x2a };
	static const uint8_t version1[] = {	/* of GENEVE */
		0x40, 0, 0x08, 0x00, 0, 0, 0x2a, 0, INNER_IPV4
	};
	static const uint8_t pptp[] = {		/* RFC 2637: version 1 */
		0x20, 0x01, 0x88, 0x0b, 0, 4, 0, 1, 0xff, 0x03, 0, 0x21
	};
	static const uint8_t routing[] = {	/* RFC 1701 */
		0x40, 0x00, 0x08, 0x00, 0, 0, 0, 0, INNER_IPV4
	};
	static const uint8_t keepalive[] = { 0, 0, 0, 0 };
	static const uint8_t version3[] = {	/* of ERSPAN */
		0x10, 0, 0x88, 0xbe, 0, 0, 0, 7,
		0x30, 0x64, 0, 5, 0, 0, 0, 2, ETHERNET(0x0800), INNER_IPV4
	};
	static const uint8_t frame_type7[] = {	/* of ERSPAN III */
		0x10, 0, 0x22, 0xeb, 0, 0, 0, 7, 0x20, 0x64, 0, 5, 0, 1, 2, 3,
		0x00, 0x00, 0x1c, 0x00, INNER_IPV4
	};
	struct tunnel_inner in;

	(void)state;
#define NONE(proto, port, data)						\
	assert_int_equal(open_bytes(proto, port, data, sizeof(data), &in), \
	    TUNNEL_NONE)
	NONE(UDP, 4789, arp);
	NONE(UDP, 4789, no_vni);
	NONE(UDP, 4789, tiny);
	NONE(UDP, 6081, tiny);
	NONE(UDP, 6081, version1);
	NONE(GRE, 0, pptp);
	NONE(GRE, 0, routing);
	NONE(GRE, 0, keepalive);
	NONE(GRE, 0, version3);
	NONE(GRE, 0, frame_type7);
#undef NONE
}

static void
an_inner_header_that_cannot_be_is_bad(void **state)
{
	static const uint8_t version7[] = { 0x75, 0, 0, 28 };
	uint8_t data[sizeof(gre)];
	struct tunnel_inner in;

	(void)state;
	assert_int_equal(open_bytes(IPIP, 0, version7, sizeof(version7), &in),
	    TUNNEL_BAD);
	memcpy(data, gre, sizeof(data));
	data[4] = 0x44;			/* a header of 16 bytes */
	assert_int_equal(open_bytes(GRE, 0, data, sizeof(data), &in),
	    TUNNEL_BAD);
}

static void
a_length_that_lies_is_not_believed(void **state)
{
	struct tunnel_inner in;

	(void)state;
	assert_int_equal(tunnel_udp(4789, bytes_of(vxlan, sizeof(vxlan)), 3,
	    &in), TUNNEL_OK);
	assert_int_equal(in.ip.payload_len, 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_packet_inside_is_found),
		cmocka_unit_test(
		    a_cut_tunnel_is_short_until_the_inner_header_is_there),
		cmocka_unit_test(a_flipped_bit_leads_nowhere_else),
		cmocka_unit_test(a_length_of_zero_inside_means_to_the_end),
		cmocka_unit_test(other_ports_and_protocols_are_no_tunnels),
		cmocka_unit_test(a_fragment_is_no_tunnel),
		cmocka_unit_test(what_does_not_carry_ip_is_none),
		cmocka_unit_test(an_inner_header_that_cannot_be_is_bad),
		cmocka_unit_test(a_length_that_lies_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_ip.c: IPv4 and IPv6 headers under their reading.
 */
#include "ip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

/* RFC 791 sec. 3.1; behind the header 8 bytes of payload. */
static const uint8_t plain4[] = {
	0x45,				/* version 4, header of 5 words */
	0x00,				/* type of service */
	0x00, 0x1c,			/* total length 28 */
	0x12, 0x34,			/* identification */
	0x40, 0x00,			/* don't fragment, offset 0 */
	0x40, 0x11,			/* time to live 64, protocol UDP */
	0x00, 0x00,			/* header checksum, not looked at */
	10, 77, 0, 3,			/* source */
	10, 77, 0, 1,			/* destination */
	1, 2, 3, 4, 5, 6, 7, 8,
};

static const uint8_t options4[] = {
	0x48,				/* version 4, header of 8 words */
	0x00,				/* type of service */
	0x00, 0x28,			/* total length 40 */
	0x00, 0x01,			/* identification */
	0x00, 0x00,			/* no flags, offset 0 */
	0x40, 0x06,			/* time to live 64, protocol TCP */
	0x00, 0x00,			/* header checksum */
	192, 0, 2, 1,			/* source */
	198, 51, 100, 1,		/* destination */
	0x44, 0x0c, 0x05, 0x00,		/* timestamp option of 12 bytes */
	0, 0, 0, 0, 0, 0, 0, 0,
	1, 2, 3, 4, 5, 6, 7, 8,
};

static const uint8_t fragment4[] = {
	0x45, 0x00,			/* version 4, header of 5 words */
	0x00, 0x1c,			/* total length 28 */
	0xff, 0xfe,			/* identification */
	0x20, 0xb9,			/* more fragments, offset 185 * 8 */
	0x40, 0x11,			/* time to live 64, protocol UDP */
	0x00, 0x00,			/* header checksum */
	10, 77, 0, 3,			/* source */
	10, 77, 0, 1,			/* destination */
	1, 2, 3, 4, 5, 6, 7, 8,
};

/* RFC 8200 sec. 3 */
#define IP6_ADDRESSES \
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, \
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2

static const uint8_t plain6[] = {
	0x60, 0x00, 0x00, 0x00,		/* version 6, class 0, flow 0 */
	0x00, 0x08,			/* payload length 8 */
	0x11, 0x40,			/* next header UDP, hop limit 64 */
	IP6_ADDRESSES,
	1, 2, 3, 4, 5, 6, 7, 8,
};

static const uint8_t chain6[] = {
	0x60, 0x00, 0x00, 0x00,		/* version 6, class 0, flow 0 */
	0x00, 0x48,			/* payload length 72 */
	0x00, 0x40,			/* next header hop-by-hop */
	IP6_ADDRESSES,
	0x3c, 0x00,			/* next: destination options; 8 bytes */
	0x05, 0x02, 0x00, 0x00,		/* router alert */
	0x01, 0x00,			/* PadN of 2 */
	0x2b, 0x01,			/* next: routing; 16 bytes */
	0x01, 0x0c, 0, 0, 0, 0, 0, 0,	/* PadN of 14 */
	0, 0, 0, 0, 0, 0,
	0x33, 0x00,			/* next: authentication; 8 bytes */
	0x00, 0x00, 0, 0, 0, 0,		/* routing type 0, no segments left */
	0x2c, 0x04,			/* next: fragment; (4 + 2) * 4 bytes */
	0x00, 0x00, 0, 0, 0, 1,		/* reserved, parameters index */
	0, 0, 0, 1,			/* sequence number */
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,	/* check value */
	0x06, 0x00,			/* next: TCP; fragment, always 8 */
	0x00, 0x01,			/* offset 0, more fragments */
	0x89, 0xab, 0xcd, 0xef,		/* identification */
	1, 2, 3, 4, 5, 6, 7, 8,
};

static const uint8_t fragment6[] = {
	0x60, 0x00, 0x00, 0x00,		/* version 6, class 0, flow 0 */
	0x00, 0x10,			/* payload length 16 */
	0x2c, 0x40,			/* next header fragment */
	IP6_ADDRESSES,
	0x3c, 0x00,			/* next: destination options */
	0x05, 0xa8,			/* offset 1448, the last */
	0x00, 0x00, 0x00, 0x07,		/* identification 7 */
	0, 0, 0, 0, 0, 0, 0, 0,		/* text, not to be walked */
};

static const uint8_t atomic6[] = {
	0x60, 0x00, 0x00, 0x00,		/* version 6, class 0, flow 0 */
	0x00, 0x18,			/* payload length 24 */
	0x2c, 0x40,			/* next header fragment */
	IP6_ADDRESSES,
	0x3c, 0x00,			/* next: destination options */
	0x00, 0x00,			/* offset 0, the last: RFC 6946 */
	0x00, 0x00, 0x00, 0x07,		/* identification 7 */
	0x11, 0x00, 0x01, 0x04, 0, 0, 0, 0,	/* next: UDP; PadN of 6 */
	1, 2, 3, 4, 5, 6, 7, 8,
};

static const struct fixture {
	const uint8_t	*data;
	size_t		 len;
	uint8_t		 proto;
	uint32_t	 header_len;
	bool		 fragment, more;
	uint32_t	 id, offset;
} fixtures[] = {
	{ plain4, sizeof(plain4), 17, 20, false, false, 0x1234, 0 },
	{ options4, sizeof(options4), 6, 32, false, false, 1, 0 },
	{ fragment4, sizeof(fragment4), 17, 20, true, true, 0xfffe, 1480 },
	{ plain6, sizeof(plain6), 17, 40, false, false, 0, 0 },
	{ chain6, sizeof(chain6), 6, 104, true, true, 0x89abcdef, 0 },
	{ fragment6, sizeof(fragment6), 60, 48, true, false, 7, 1448 },
	{ atomic6, sizeof(atomic6), 17, 56, false, false, 7, 0 },
};

#define FIXTURES	(sizeof(fixtures) / sizeof(fixtures[0]))

static enum ip_result
decode(const uint8_t *data, size_t len, struct ip_packet *p)
{
	return ip_decode(bytes_of(data, len), (uint32_t)len, p);
}

static void
every_header_is_read(void **state)
{
	struct ip_packet p;
	size_t i;

	(void)state;
	for (i = 0; i < FIXTURES; i++) {
		const struct fixture *f = &fixtures[i];

		assert_int_equal(decode(f->data, f->len, &p), IP_OK);
		assert_int_equal(p.proto, f->proto);
		assert_int_equal(p.header_len, f->header_len);
		assert_int_equal(p.fragment, f->fragment);
		assert_int_equal(p.more, f->more);
		assert_true(p.frag_id == f->id);
		assert_int_equal(p.frag_offset, f->offset);
		assert_int_equal(p.payload_len, 8);
		assert_int_equal(p.payload.len, 8);
		assert_ptr_equal(p.payload.data, f->data + f->header_len);
	}
}

static void
addresses_are_read_of_both_versions(void **state)
{
	struct ip_packet p;
	struct addr src, dst;

	(void)state;
	decode(plain4, sizeof(plain4), &p);
	assert_true(addr_parse("10.77.0.3", &src));
	assert_true(addr_parse("10.77.0.1", &dst));
	assert_true(addr_equal(&p.src, &src) && addr_equal(&p.dst, &dst));
	decode(plain6, sizeof(plain6), &p);
	assert_true(addr_parse("2001:db8::1", &src));
	assert_true(addr_parse("2001:db8::2", &dst));
	assert_true(addr_equal(&p.src, &src) && addr_equal(&p.dst, &dst));
}

/* Captured short, but as long on the wire as ever. */
static void
decode_prefix(void *ctx, struct bytes prefix)
{
	const struct fixture *f = ctx;
	struct ip_packet p;
	enum ip_result res = ip_decode(prefix, (uint32_t)f->len, &p);

	if (prefix.len < f->header_len) {
		assert_int_equal(res, IP_SHORT);
		return;
	}
	assert_int_equal(res, IP_OK);
	assert_int_equal(p.payload_len, 8);
	assert_int_equal(p.payload.len, prefix.len - f->header_len);
}

static void
a_packet_cut_in_its_headers_is_short(void **state)
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
	struct ip_packet p;
	size_t captured;

	(void)ctx;
	(void)bit;
	if (ip_decode(flipped, (uint32_t)flipped.len, &p) != IP_OK)
		return;
	assert_ptr_equal(p.payload.data, flipped.data + p.header_len);
	assert_true(p.header_len <= flipped.len);
	captured = flipped.len - p.header_len;
	assert_int_equal(p.payload.len, captured < p.payload_len ?
	    captured : p.payload_len);
	assert_int_equal(p.fragment, p.more || p.frag_offset > 0);
}

static void
a_flipped_bit_never_leads_outside(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < FIXTURES; i++)
		for_every_bit_flip(fixtures[i].data, fixtures[i].len,
		    decode_flipped, NULL);
}

/* A copy of a fixture that a test may change, with room behind. */
static size_t
change(uint8_t *data, size_t size, const uint8_t *from, size_t len)
{
	memset(data, 0, size);
	memcpy(data, from, len);
	return len;
}

static void
padding_behind_the_packet_is_gone(void **state)
{
	uint8_t data[60];		/* what Ethernet needs at least */
	struct ip_packet p;

	(void)state;
	change(data, sizeof(data), plain4, sizeof(plain4));
	assert_int_equal(decode(data, 46, &p), IP_OK);
	assert_int_equal(p.payload_len, 8);
	assert_int_equal(p.payload.len, 8);
	change(data, sizeof(data), plain6, sizeof(plain6));
	assert_int_equal(decode(data, 60, &p), IP_OK);
	assert_int_equal(p.payload.len, 8);
}

static void
a_length_of_0_means_to_the_end_of_the_frame(void **state)
{
	uint8_t data[sizeof(plain6)];
	struct ip_packet p;
	size_t len;

	(void)state;
	len = change(data, sizeof(data), plain4, sizeof(plain4));
	data[2] = data[3] = 0;
	assert_int_equal(ip_decode(bytes_of(data, len), 30020, &p), IP_OK);
	assert_int_equal(p.payload_len, 30000);
	assert_int_equal(p.payload.len, 8);
	len = change(data, sizeof(data), plain6, sizeof(plain6));
	data[4] = data[5] = 0;
	assert_int_equal(ip_decode(bytes_of(data, len), 30040, &p), IP_OK);
	assert_int_equal(p.payload_len, 30000);
	assert_int_equal(p.payload.len, 8);
}

static void
a_header_may_say_more_than_the_frame_holds(void **state)
{
	uint8_t data[sizeof(plain6)];
	struct ip_packet p;
	size_t len;

	(void)state;
	len = change(data, sizeof(data), plain4, sizeof(plain4));
	data[2] = 0x05;			/* total length 0x51c = 1308 */
	assert_int_equal(decode(data, len, &p), IP_OK);
	assert_int_equal(p.payload_len, 1288);
	assert_int_equal(p.payload.len, 8);
	len = change(data, sizeof(data), plain6, sizeof(plain6));
	data[4] = 0x05;			/* payload length 0x508 = 1288 */
	assert_int_equal(decode(data, len, &p), IP_OK);
	assert_int_equal(p.payload_len, 1288);
	assert_int_equal(p.payload.len, 8);
}

static void
lengths_that_cannot_be_are_bad(void **state)
{
	uint8_t data[sizeof(plain4)];
	struct ip_packet p;
	size_t len = change(data, sizeof(data), plain4, sizeof(plain4));

	(void)state;
	data[0] = 0x44;			/* a header of 16 bytes */
	assert_int_equal(decode(data, len, &p), IP_BAD);
	data[0] = 0x46;			/* 24 bytes, */
	data[3] = 23;			/* but 23 in all */
	assert_int_equal(decode(data, len, &p), IP_BAD);
	data[3] = 24;			/* all header */
	assert_int_equal(decode(data, len, &p), IP_OK);
	assert_int_equal(p.payload_len, 0);
	assert_int_equal(p.payload.len, 0);
}

static void
other_versions_are_bad(void **state)
{
	uint8_t data[sizeof(plain4)];
	struct ip_packet p;
	size_t len = change(data, sizeof(data), plain4, sizeof(plain4));
	unsigned int version;

	(void)state;
	for (version = 0; version < 16; version++) {
		data[0] = (uint8_t)(version << 4 | 5);
		if (version != 4 && version != 6)
			assert_int_equal(decode(data, len, &p), IP_BAD);
	}
	assert_int_equal(ip_decode(bytes_of(NULL, 0), 0, &p), IP_SHORT);
}

static void
the_fragment_fields_of_ipv4_have_their_bits(void **state)
{
	static const struct {
		uint8_t		high, low;
		bool		fragment, more;
		uint32_t	offset;
	} cases[] = {
		{ 0x00, 0x00, false, false, 0 },
		{ 0x40, 0x00, false, false, 0 },	/* DF */
		{ 0x80, 0x00, false, false, 0 },	/* reserved */
		{ 0x20, 0x00, true, true, 0 },
		{ 0x00, 0x01, true, false, 8 },
		{ 0x1f, 0xff, true, false, 65528 },
		{ 0x3f, 0xff, true, true, 65528 },
	};
	uint8_t data[sizeof(plain4)];
	struct ip_packet p;
	size_t len = change(data, sizeof(data), plain4, sizeof(plain4)), i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		data[6] = cases[i].high;
		data[7] = cases[i].low;
		assert_int_equal(decode(data, len, &p), IP_OK);
		assert_int_equal(p.fragment, cases[i].fragment);
		assert_int_equal(p.more, cases[i].more);
		assert_int_equal(p.frag_offset, cases[i].offset);
	}
}

static void
an_extension_header_longer_than_the_packet_is_bad(void **state)
{
	uint8_t data[sizeof(chain6)];
	struct ip_packet p;
	size_t len = change(data, sizeof(data), chain6, sizeof(chain6));

	(void)state;
	data[41] = 200;			/* hop-by-hop of 1608 bytes, of 72 */
	assert_int_equal(decode(data, len, &p), IP_BAD);
	data[41] = 0;
	data[4] = 0;
	data[5] = 4;			/* 4 bytes hold no extension header */
	assert_int_equal(decode(data, len, &p), IP_BAD);
}

static void
a_long_extension_header_that_is_cut_is_short(void **state)
{
	uint8_t data[sizeof(chain6)];
	struct ip_packet p;
	size_t len = change(data, sizeof(data), chain6, sizeof(chain6));

	(void)state;
	data[4] = 0x10;			/* payload length 4168 */
	data[41] = 200;			/* hop-by-hop of 1608 bytes */
	assert_int_equal(ip_decode(bytes_of(data, len), 4208, &p), IP_SHORT);
}

/* Destination options of 8 bytes each, the last before UDP. */
static void
the_extension_chain_is_walked_only_so_far(void **state)
{
	uint8_t data[40 + 8 * 40 + 8];
	struct ip_packet p;
	size_t n, at, len;

	(void)state;
	for (n = 1; n <= 40; n++) {
		change(data, sizeof(data), plain6, 40);
		len = 40 + 8 * n + 8;
		data[4] = (uint8_t)((len - 40) >> 8);
		data[5] = (uint8_t)(len - 40);
		data[6] = 60;
		for (at = 40; at < 40 + 8 * n; at += 8) {
			data[at] = at + 16 == len ? 17 : 60;
			data[at + 2] = 1;
			data[at + 3] = 4;
		}
		assert_int_equal(decode(data, len, &p),
		    n <= 16 ? IP_OK : IP_BAD);
		if (n <= 16)
			assert_int_equal(p.header_len, len - 8);
	}
}

/* RFC 2675 sec. 2: payload length 0, the true one in a hop-by-hop option. */
static const uint8_t jumbo6[] = {
	0x60, 0x00, 0x00, 0x00,		/* version 6, class 0, flow 0 */
	0x00, 0x00,			/* payload length 0 */
	0x00, 0x40,			/* next header hop-by-hop */
	IP6_ADDRESSES,
	0x06, 0x00,			/* next: TCP; 8 bytes */
	0xc2, 0x04,			/* jumbo payload, 4 bytes */
	0x00, 0x02, 0x00, 0x08,		/* 131080 with the extension headers */
	1, 2, 3, 4, 5, 6, 7, 8,
};

static void
a_jumbo_option_gives_the_length(void **state)
{
	uint8_t data[sizeof(jumbo6)];
	struct ip_packet p;
	size_t len = change(data, sizeof(data), jumbo6, sizeof(jumbo6));

	(void)state;
	assert_int_equal(ip_decode(bytes_of(data, len), 200000, &p), IP_OK);
	assert_int_equal(p.proto, 6);
	assert_int_equal(p.header_len, 48);
	assert_int_equal(p.payload_len, 131072);
	assert_int_equal(p.payload.len, 8);
	data[45] = 0;			/* 8 is none: to the end of the frame */
	assert_int_equal(ip_decode(bytes_of(data, len), 200000, &p), IP_OK);
	assert_int_equal(p.payload_len, 200000 - 48);
	data[5] = 16;			/* and a length of 16 rules it out */
	data[45] = 2;
	assert_int_equal(ip_decode(bytes_of(data, len), 200000, &p), IP_OK);
	assert_int_equal(p.payload_len, 8);
	for_every_bit_flip(jumbo6, sizeof(jumbo6), decode_flipped, NULL);
}

static void
a_wire_length_below_the_captured_is_not_believed(void **state)
{
	uint8_t data[sizeof(plain4)];
	struct ip_packet p;
	size_t len = change(data, sizeof(data), plain4, sizeof(plain4));

	(void)state;
	data[3] = 0;
	assert_int_equal(ip_decode(bytes_of(data, len), 4, &p), IP_OK);
	assert_int_equal(p.payload_len, 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_header_is_read),
		cmocka_unit_test(addresses_are_read_of_both_versions),
		cmocka_unit_test(a_packet_cut_in_its_headers_is_short),
		cmocka_unit_test(a_flipped_bit_never_leads_outside),
		cmocka_unit_test(padding_behind_the_packet_is_gone),
		cmocka_unit_test(a_length_of_0_means_to_the_end_of_the_frame),
		cmocka_unit_test(a_header_may_say_more_than_the_frame_holds),
		cmocka_unit_test(lengths_that_cannot_be_are_bad),
		cmocka_unit_test(other_versions_are_bad),
		cmocka_unit_test(the_fragment_fields_of_ipv4_have_their_bits),
		cmocka_unit_test(
		    an_extension_header_longer_than_the_packet_is_bad),
		cmocka_unit_test(a_long_extension_header_that_is_cut_is_short),
		cmocka_unit_test(the_extension_chain_is_walked_only_so_far),
		cmocka_unit_test(a_jumbo_option_gives_the_length),
		cmocka_unit_test(
		    a_wire_length_below_the_captured_is_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

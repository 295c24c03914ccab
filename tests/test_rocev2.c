/* SPDX-License-Identifier: ISC */
/*
 * test_rocev2.c: InfiniBand transport headers under their reading.
 */
#include "rocev2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

/* Base transport header, volume 1 sec. 9.2. */
#define BTH(opcode, padding)						\
	(opcode),							\
	0x40 + (padding) * 16,		/* migrated; version 0 */	\
	0xff, 0xff,			/* default partition */		\
	0x00, 0x00, 0x12, 0x34,		/* queue pair 0x1234 */		\
	0x80, 0xab, 0xcd, 0xef		/* acknowledge; PSN 0xabcdef */
#define RETH								\
	0x00, 0x00, 0x7f, 0x01, 0x02, 0x03, 0x04, 0x05,	/* address */	\
	0x00, 0x00, 0x11, 0x22,		/* key */			\
	0x00, 0x00, 0x20, 0x00		/* 8192 bytes */
#define AETH								\
	0x1f,				/* ACK, no credit count */	\
	0x00, 0x00, 0x09		/* message 9 */
#define IMM	0xca, 0xfe, 0xba, 0xbe
#define IETH	0x00, 0x00, 0x33, 0x44
#define DETH								\
	0x11, 0x11, 0x11, 0x11,		/* Q_Key */			\
	0x00, 0x00, 0x56, 0x78		/* source queue pair */
#define DATA	'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'
#define ICRC	0xde, 0xad, 0xbe, 0xef

static const uint8_t send_only[] = { BTH(0x04, 0), DATA, ICRC };

static enum rocev2_result
decode(const uint8_t *data, size_t len, struct rocev2_packet *p)
{
	return rocev2_decode(bytes_of(data, len), (uint32_t)len, p);
}

static void
a_send_is_read(void **state)
{
	struct rocev2_packet p;

	(void)state;
	assert_int_equal(decode(send_only, sizeof(send_only), &p), ROCEV2_OK);
	assert_int_equal(p.opcode, 4);
	assert_int_equal(p.service, ROCEV2_RC);
	assert_int_equal(p.kind, ROCEV2_SEND);
	assert_true(p.first && p.last);
	assert_true(p.ack_wanted);
	assert_int_equal(p.dest_qp, 0x1234);
	assert_int_equal(p.psn, 0xabcdef);
	assert_false(p.has_reth || p.has_aeth || p.has_imm || p.has_ieth ||
	    p.has_deth);
	assert_int_equal(p.payload_len, 8);
	assert_int_equal(p.payload.len, 8);
	assert_memory_equal(p.payload.data, "abcdefgh", 8);
}

static void
padding_and_crc_are_no_payload(void **state)
{
	static const uint8_t padded[] = { BTH(0x04, 3), DATA, ICRC };
	struct rocev2_packet p;

	(void)state;
	assert_int_equal(decode(padded, sizeof(padded), &p), ROCEV2_OK);
	assert_int_equal(p.payload_len, 5);
	assert_memory_equal(p.payload.data, "abcde", 5);
}

/* What follows the BTH: volume 1, table 38. */
enum { NOTHING = 0, HAS_RETH = 1, HAS_AETH = 2, HAS_IMM = 4, HAS_IETH = 8,
    IS_FIRST = 16, IS_LAST = 32 };

static const struct opcode {
	uint8_t		opcode;
	uint8_t		kind;
	uint8_t		has;
	uint8_t		headers;	/* bytes behind the BTH */
} opcodes[] = {
	{ 0x00, ROCEV2_SEND,		IS_FIRST, 0 },
	{ 0x01, ROCEV2_SEND,		NOTHING, 0 },
	{ 0x02, ROCEV2_SEND,		IS_LAST, 0 },
	{ 0x03, ROCEV2_SEND,		IS_LAST | HAS_IMM, 4 },
	{ 0x04, ROCEV2_SEND,		IS_FIRST | IS_LAST, 0 },
	{ 0x05, ROCEV2_SEND,		IS_FIRST | IS_LAST | HAS_IMM, 4 },
	{ 0x06, ROCEV2_WRITE,		IS_FIRST | HAS_RETH, 16 },
	{ 0x07, ROCEV2_WRITE,		NOTHING, 0 },
	{ 0x08, ROCEV2_WRITE,		IS_LAST, 0 },
	{ 0x09, ROCEV2_WRITE,		IS_LAST | HAS_IMM, 4 },
	{ 0x0a, ROCEV2_WRITE,		IS_FIRST | IS_LAST | HAS_RETH, 16 },
	{ 0x0b, ROCEV2_WRITE, IS_FIRST | IS_LAST | HAS_RETH | HAS_IMM, 20 },
	{ 0x0c, ROCEV2_READ_REQUEST,	IS_FIRST | IS_LAST | HAS_RETH, 16 },
	{ 0x0d, ROCEV2_READ_RESPONSE,	IS_FIRST | HAS_AETH, 4 },
	{ 0x0e, ROCEV2_READ_RESPONSE,	NOTHING, 0 },
	{ 0x0f, ROCEV2_READ_RESPONSE,	IS_LAST | HAS_AETH, 4 },
	{ 0x10, ROCEV2_READ_RESPONSE,	IS_FIRST | IS_LAST | HAS_AETH, 4 },
	{ 0x11, ROCEV2_ACK,		IS_FIRST | IS_LAST | HAS_AETH, 4 },
	{ 0x12, ROCEV2_ATOMIC_ACK,	IS_FIRST | IS_LAST | HAS_AETH, 12 },
	{ 0x13, ROCEV2_ATOMIC,		IS_FIRST | IS_LAST, 28 },
	{ 0x14, ROCEV2_ATOMIC,		IS_FIRST | IS_LAST, 28 },
	{ 0x16, ROCEV2_SEND,		IS_LAST | HAS_IETH, 4 },
	{ 0x17, ROCEV2_SEND,		IS_FIRST | IS_LAST | HAS_IETH, 4 },
};
#define OPCODES	(sizeof(opcodes) / sizeof(opcodes[0]))

/* A packet of the opcode whose headers are 1, 2, 3, ... and payload 8 bytes. */
static size_t
make(uint8_t *out, uint8_t opcode, size_t headers)
{
	static const uint8_t bth[] = { BTH(0, 0) };
	static const uint8_t rest[] = { DATA, ICRC };
	size_t i;

	memcpy(out, bth, sizeof(bth));
	out[0] = opcode;
	for (i = 0; i < headers; i++)
		out[sizeof(bth) + i] = (uint8_t)(i + 1);
	memcpy(out + sizeof(bth) + headers, rest, sizeof(rest));
	return sizeof(bth) + headers + sizeof(rest);
}

static void
each_opcode_has_its_headers(void **state)
{
	const struct opcode *o;
	struct rocev2_packet p;
	uint8_t data[128];
	size_t len;

	(void)state;
	for (o = opcodes; o < opcodes + OPCODES; o++) {
		len = make(data, o->opcode, o->headers);
		assert_int_equal(decode(data, len, &p), ROCEV2_OK);
		assert_int_equal(p.kind, o->kind);
		assert_int_equal(p.first, (o->has & IS_FIRST) != 0);
		assert_int_equal(p.last, (o->has & IS_LAST) != 0);
		assert_int_equal(p.has_reth, (o->has & HAS_RETH) != 0);
		assert_int_equal(p.has_aeth, (o->has & HAS_AETH) != 0);
		assert_int_equal(p.has_imm, (o->has & HAS_IMM) != 0);
		assert_int_equal(p.has_ieth, (o->has & HAS_IETH) != 0);
		assert_int_equal(p.payload_len, 8);
		assert_memory_equal(p.payload.data, "abcdefgh", 8);
	}
}

static void
the_other_services_put_headers_before(void **state)
{
	static const struct {
		uint8_t	opcode, service, headers;
	} rows[] = {
		{ 0x24, ROCEV2_UC, 0 },		/* SEND only */
		{ 0x44, ROCEV2_RD, 4 + 8 },	/* RDETH, DETH */
		{ 0x4c, ROCEV2_RD, 4 + 8 + 16 }, /* and RETH */
		{ 0x4e, ROCEV2_RD, 4 },		/* READ response middle */
		{ 0x51, ROCEV2_RD, 4 + 4 },	/* acknowledge: AETH */
		{ 0x64, ROCEV2_UD, 8 },		/* DETH */
		{ 0x65, ROCEV2_UD, 8 + 4 },	/* and immediate data */
		{ 0xa4, ROCEV2_XRC, 4 },	/* XRCETH */
		{ 0xa6, ROCEV2_XRC, 4 + 16 },	/* and RETH */
		{ 0xb1, ROCEV2_XRC, 4 },	/* acknowledge: AETH alone */
		{ 0xae, ROCEV2_XRC, 0 },	/* READ response middle */
	};
	struct rocev2_packet p;
	uint8_t data[128];
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		len = make(data, rows[i].opcode, rows[i].headers);
		assert_int_equal(decode(data, len, &p), ROCEV2_OK);
		assert_int_equal(p.service, rows[i].service);
		assert_int_equal(p.payload_len, 8);
		assert_memory_equal(p.payload.data, "abcdefgh", 8);
	}
}

static void
remote_memory_is_read(void **state)
{
	static const uint8_t write[] = { BTH(0x0b, 0), RETH, IMM, DATA, ICRC };
	struct rocev2_packet p;

	(void)state;
	assert_int_equal(decode(write, sizeof(write), &p), ROCEV2_OK);
	assert_true(p.va == UINT64_C(0x00007f0102030405));
	assert_int_equal(p.rkey, 0x1122);
	assert_int_equal(p.dma_len, 8192);
	assert_true(p.imm == UINT32_C(0xcafebabe));
}

static void
acknowledgement_invalidation_and_source_are_read(void **state)
{
	static const uint8_t ack[] = { BTH(0x11, 0), AETH, ICRC };
	static const uint8_t send[] = { BTH(0x17, 0), IETH, DATA, ICRC };
	static const uint8_t datagram[] = { BTH(0x64, 0), DETH, DATA, ICRC };
	struct rocev2_packet p;

	(void)state;
	assert_int_equal(decode(ack, sizeof(ack), &p), ROCEV2_OK);
	assert_int_equal(p.syndrome, 0x1f);
	assert_int_equal(p.msn, 9);
	assert_int_equal(p.payload_len, 0);
	assert_int_equal(decode(send, sizeof(send), &p), ROCEV2_OK);
	assert_int_equal(p.invalidated, 0x3344);
	assert_int_equal(decode(datagram, sizeof(datagram), &p), ROCEV2_OK);
	assert_true(p.has_deth);
	assert_int_equal(p.src_qp, 0x5678);
}

static void
congestion_notification_and_unknown_opcodes_have_no_kind(void **state)
{
	static const uint8_t opcode[] = { 0x81, 0x80, 0x15, 0x18, 0x1f, 0xc4 };
	struct rocev2_packet p;
	uint8_t data[128];
	size_t i, len;

	(void)state;
	for (i = 0; i < sizeof(opcode); i++) {
		len = make(data, opcode[i], 16);
		assert_int_equal(decode(data, len, &p), ROCEV2_OK);
		assert_int_equal(p.kind, ROCEV2_OTHER);
		assert_false(p.first || p.last);
		assert_int_equal(p.service, opcode[i] == 0x81 ? ROCEV2_CNP :
		    opcode[i] < 0x20 ? ROCEV2_RC : ROCEV2_SERVICE_OTHER);
	}
}

static void
lengths_that_cannot_be_are_bad(void **state)
{
	static const uint8_t no_crc[] = { BTH(0x04, 0), 0, 0, 0 };
	static const uint8_t no_reth[] = { BTH(0x0a, 0), DATA, ICRC };
	static const uint8_t all_padding[] = { BTH(0x04, 3), 0, 0, ICRC };
	static const uint8_t version1[] = { 0x04, 0x41, 0xff, 0xff, 0, 0, 0,
	    1, 0, 0, 0, 1, DATA, ICRC };
	struct rocev2_packet p;

	(void)state;
	assert_int_equal(decode(no_crc, sizeof(no_crc), &p), ROCEV2_BAD);
	assert_int_equal(decode(no_reth, sizeof(no_reth), &p), ROCEV2_BAD);
	assert_int_equal(decode(all_padding, sizeof(all_padding), &p),
	    ROCEV2_BAD);
	assert_int_equal(decode(version1, sizeof(version1), &p), ROCEV2_BAD);
	assert_int_equal(rocev2_decode(bytes_of(NULL, 0), 0, &p), ROCEV2_BAD);
}

static void
expect_cut(void *ctx, struct bytes prefix)
{
	const struct opcode *o = ctx;
	size_t whole = 12 + (size_t)o->headers + 8 + 4;
	struct rocev2_packet p;
	enum rocev2_result res = rocev2_decode(prefix, (uint32_t)whole, &p);

	if (prefix.len < 12 + (size_t)o->headers) {
		assert_int_equal(res, ROCEV2_SHORT);
		return;
	}
	assert_int_equal(res, ROCEV2_OK);
	assert_int_equal(p.payload_len, 8);
	whole = prefix.len - 12 - o->headers;
	assert_int_equal(p.payload.len, whole < 8 ? whole : 8);
}

static void
expect_inside(void *ctx, struct bytes flipped, size_t bit)
{
	struct rocev2_packet p;

	(void)ctx;
	(void)bit;
	if (rocev2_decode(flipped, (uint32_t)flipped.len, &p) != ROCEV2_OK)
		return;
	assert_true(p.payload.len == p.payload_len);
	assert_true(p.payload.data >= flipped.data + 12);
	assert_true(p.payload.data + p.payload.len + 4 <=
	    flipped.data + flipped.len);
}

static void
a_cut_or_flipped_packet_is_no_other(void **state)
{
	struct opcode o;
	uint8_t data[128];
	size_t i, len;

	(void)state;
	for (i = 0; i < OPCODES; i++) {
		o = opcodes[i];
		len = make(data, o.opcode, o.headers);
		for_every_prefix(data, len, expect_cut, &o);
		for_every_bit_flip(data, len, expect_inside, &o);
	}
}

static void
sequence_numbers_wrap_at_24_bits(void **state)
{
	(void)state;
	assert_int_equal(rocev2_psn_diff(5, 5), 0);
	assert_int_equal(rocev2_psn_diff(6, 5), 1);
	assert_int_equal(rocev2_psn_diff(5, 6), -1);
	assert_int_equal(rocev2_psn_diff(0, 0xffffff), 1);
	assert_int_equal(rocev2_psn_diff(0xffffff, 0), -1);
	assert_int_equal(rocev2_psn_diff(0x7fffff, 0), 0x7fffff);
	assert_int_equal(rocev2_psn_diff(0x800000, 0), -0x800000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_send_is_read),
		cmocka_unit_test(padding_and_crc_are_no_payload),
		cmocka_unit_test(each_opcode_has_its_headers),
		cmocka_unit_test(the_other_services_put_headers_before),
		cmocka_unit_test(remote_memory_is_read),
		cmocka_unit_test(
		    acknowledgement_invalidation_and_source_are_read),
		cmocka_unit_test(
		    congestion_notification_and_unknown_opcodes_have_no_kind),
		cmocka_unit_test(lengths_that_cannot_be_are_bad),
		cmocka_unit_test(a_cut_or_flipped_packet_is_no_other),
		cmocka_unit_test(sequence_numbers_wrap_at_24_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

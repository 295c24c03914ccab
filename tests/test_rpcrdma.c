/* SPDX-License-Identifier: ISC */
/*
 * test_rpcrdma.c: RPC-over-RDMA headers (RFC 8166 sec. 4) under their reading.
 */
#include "rpcrdma.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

#define W(x)								\
	(uint8_t)((x) >> 24), (uint8_t)((x) >> 16), (uint8_t)((x) >> 8), \
	(uint8_t)(x)
/* Sec. 4.2: xid, version, credits, procedure. */
#define FIXED(proc)	W(0x12345678U), W(1U), W(128U), W((unsigned)(proc))
#define SEGMENT(len)	/* sec. 3.4.3: handle, length, offset */	\
	W(0x1122U), W((unsigned)(len)), W(0x7f01U), W(0x02030405U)
#define READ_AT(position, len)	/* sec. 4.3.1: one more, position */	\
	W(1U), W((unsigned)(position)), SEGMENT(len)
#define END		W(0U)
#define ONE		W(1U)
#define TWO		W(2U)

static const uint8_t null_call[] = { FIXED(0), END, END, END };

static const uint8_t write_call[] = {
	FIXED(0),
	READ_AT(120, 4096), READ_AT(120, 4094),	/* one chunk of 8190 bytes */
	END,
	END,					/* no write list */
	END					/* no reply chunk */
};

static const uint8_t read_call[] = {
	FIXED(0),
	END,
	ONE, TWO, SEGMENT(65536), SEGMENT(1024),	/* room for data */
	END,
	END
};

static const uint8_t reply_chunk[] = {
	FIXED(0),
	END,
	END,
	ONE, ONE, SEGMENT(2048)
};

static const uint8_t long_call[] = {
	FIXED(1),				/* RDMA_NOMSG */
	READ_AT(0, 5000),			/* the call itself */
	END,
	END,
	ONE, ONE, SEGMENT(3000)
};

static const uint8_t two_writes[] = {
	FIXED(0),
	READ_AT(100, 10), READ_AT(200, 20),
	END,
	ONE, ONE, SEGMENT(30),
	ONE, W(0U),				/* an empty array */
	END,
	END
};

static enum rpcrdma_result
decode(const uint8_t *data, size_t len, struct rpcrdma_header *h)
{
	return rpcrdma_decode(bytes_of(data, len), h);
}

static void
a_header_without_chunks_has_28_bytes(void **state)
{
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(sizeof(null_call), 28);
	assert_int_equal(decode(null_call, sizeof(null_call), &h), RPCRDMA_OK);
	assert_int_equal(h.xid, 0x12345678);
	assert_int_equal(h.credits, 128);
	assert_int_equal(h.proc, RPCRDMA_MSG);
	assert_int_equal(h.header_len, 28);
	assert_int_equal(h.reads, 0);
	assert_int_equal(h.writes, 0);
	assert_false(h.has_call_chunk || h.has_reply_chunk || h.more);
}

static void
segments_of_one_position_are_one_read_chunk(void **state)
{
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(decode(write_call, sizeof(write_call), &h),
	    RPCRDMA_OK);
	assert_int_equal(h.header_len, sizeof(write_call));
	assert_int_equal(h.reads, 1);
	assert_int_equal(h.read[0].position, 120);
	assert_int_equal(h.read[0].len, 8190);
	assert_false(h.has_call_chunk);
}

static void
segments_of_an_array_are_one_write_chunk(void **state)
{
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(decode(read_call, sizeof(read_call), &h), RPCRDMA_OK);
	assert_int_equal(h.header_len, sizeof(read_call));
	assert_int_equal(h.writes, 1);
	assert_int_equal(h.write[0].len, 66560);
	assert_int_equal(h.reads, 0);
}

static void
a_reply_chunk_of_one_segment_makes_48_bytes(void **state)
{
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(sizeof(reply_chunk), 48);
	assert_int_equal(decode(reply_chunk, sizeof(reply_chunk), &h),
	    RPCRDMA_OK);
	assert_int_equal(h.header_len, 48);
	assert_true(h.has_reply_chunk);
	assert_int_equal(h.reply_len, 2048);
}

static void
a_read_chunk_at_position_zero_is_the_call(void **state)
{
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(decode(long_call, sizeof(long_call), &h), RPCRDMA_OK);
	assert_int_equal(h.proc, RPCRDMA_NOMSG);
	assert_true(h.has_call_chunk);
	assert_int_equal(h.call_len, 5000);
	assert_int_equal(h.reads, 0);
	assert_true(h.has_reply_chunk);
	assert_int_equal(h.reply_len, 3000);
}

static void
several_chunks_are_kept_apart(void **state)
{
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(decode(two_writes, sizeof(two_writes), &h),
	    RPCRDMA_OK);
	assert_int_equal(h.reads, 2);
	assert_int_equal(h.read[0].position, 100);
	assert_int_equal(h.read[0].len, 10);
	assert_int_equal(h.read[1].position, 200);
	assert_int_equal(h.read[1].len, 20);
	assert_int_equal(h.writes, 2);
	assert_int_equal(h.write[0].len, 30);
	assert_int_equal(h.write[1].len, 0);
	assert_false(h.more);
}

static void
chunks_beyond_those_kept_are_told(void **state)
{
	static const uint8_t reads[] = {
		FIXED(0), READ_AT(4, 1), READ_AT(8, 2), READ_AT(12, 3),
		READ_AT(16, 4), READ_AT(20, 5), END, END, END
	};
	static const uint8_t writes[] = {
		FIXED(0), END, ONE, W(0U), ONE, W(0U), ONE, W(0U), ONE, W(0U),
		ONE, W(0U), END, END
	};
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(decode(reads, sizeof(reads), &h), RPCRDMA_OK);
	assert_true(h.more);
	assert_int_equal(h.reads, RPCRDMA_CHUNKS_MAX);
	assert_int_equal(h.read[3].len, 4);
	assert_int_equal(h.header_len, sizeof(reads));
	assert_int_equal(decode(writes, sizeof(writes), &h), RPCRDMA_OK);
	assert_true(h.more);
	assert_int_equal(h.writes, RPCRDMA_CHUNKS_MAX);
	assert_int_equal(h.header_len, sizeof(writes));
}

static void
lengths_add_up_to_no_more_than_32_bits(void **state)
{
	static const uint8_t huge[] = {
		FIXED(0), READ_AT(8, 0xfffffff0U), READ_AT(8, 0x20), END, END,
		END
	};
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(decode(huge, sizeof(huge), &h), RPCRDMA_OK);
	assert_true(h.read[0].len == UINT32_MAX);
}

static void
the_other_procedures_are_known(void **state)
{
	static const uint8_t padded[] = {	/* RFC 5666 sec. 4.2 */
		FIXED(2), W(4096U), W(1024U), END, END, END
	};
	static const uint8_t done[] = { FIXED(3) };
	static const uint8_t versions[] = {	/* sec. 4.5.1: ERR_VERS */
		FIXED(4), W(1U), W(1U), W(1U)
	};
	static const uint8_t chunk[] = { FIXED(4), W(2U) };	/* ERR_CHUNK */
	struct rpcrdma_header h;

	(void)state;
	assert_int_equal(decode(padded, sizeof(padded), &h), RPCRDMA_OK);
	assert_int_equal(h.header_len, 36);
	assert_int_equal(decode(done, sizeof(done), &h), RPCRDMA_OK);
	assert_int_equal(h.proc, RPCRDMA_DONE);
	assert_int_equal(decode(versions, sizeof(versions), &h), RPCRDMA_OK);
	assert_int_equal(h.proc, RPCRDMA_ERROR);
	assert_int_equal(h.header_len, 28);
	assert_int_equal(decode(chunk, sizeof(chunk), &h), RPCRDMA_OK);
	assert_int_equal(h.header_len, 20);
}

static void
something_else_is_told_from_it(void **state)
{
	static const uint8_t version2[] = {
		W(1U), W(2U), W(128U), W(0U), END, END, END
	};
	static const uint8_t no_credits[] = {
		W(1U), W(1U), W(0U), W(0U), END, END, END
	};
	static const uint8_t many_credits[] = {
		W(1U), W(1U), W(65536U), W(0U), END, END, END
	};
	static const uint8_t procedure5[] = { FIXED(5), END, END, END };
	static const uint8_t no_flag[] = { FIXED(0), W(2U), END, END };
	static const uint8_t no_flag2[] = { FIXED(0), END, W(9U), END };
	static const uint8_t no_flag3[] = { FIXED(0), END, END, W(7U) };
	static const uint8_t odd[] = {
		FIXED(0), READ_AT(121, 4), END, END, END
	};
	static const uint8_t endless[] = {
		FIXED(0), END, ONE, W(1025U), END, END
	};
	static const uint8_t error3[] = { FIXED(4), W(3U) };
	struct rpcrdma_header h;

	(void)state;
#define NO(data) assert_int_equal(decode(data, sizeof(data), &h), RPCRDMA_NO)
	NO(version2);
	NO(no_credits);
	NO(many_credits);
	NO(procedure5);
	NO(no_flag);
	NO(no_flag2);
	NO(no_flag3);
	NO(odd);
	NO(endless);
	NO(error3);
#undef NO
}

static void
a_list_without_end_is_none(void **state)
{
	static const uint8_t fixed[] = { FIXED(0), END };
	static const uint8_t empty[] = { ONE, W(0U) };
	static uint8_t data[sizeof(fixed) + 1100 * sizeof(empty)];
	struct rpcrdma_header h;
	size_t n = sizeof(fixed);

	(void)state;
	memcpy(data, fixed, sizeof(fixed));
	for (; n + sizeof(empty) <= sizeof(data); n += sizeof(empty))
		memcpy(data + n, empty, sizeof(empty));
	assert_int_equal(decode(data, n, &h), RPCRDMA_NO);
}

struct fixture {
	const uint8_t	*data;
	size_t		 len;
};

static const struct fixture fixtures[] = {
	{ null_call, sizeof(null_call) },
	{ write_call, sizeof(write_call) },
	{ read_call, sizeof(read_call) },
	{ reply_chunk, sizeof(reply_chunk) },
	{ long_call, sizeof(long_call) },
	{ two_writes, sizeof(two_writes) },
};
#define FIXTURES	(sizeof(fixtures) / sizeof(fixtures[0]))

static void
expect_cut(void *ctx, struct bytes prefix)
{
	const struct fixture *f = ctx;
	struct rpcrdma_header h;
	enum rpcrdma_result res = rpcrdma_decode(prefix, &h);

	if (prefix.len == f->len)
		assert_int_equal(res, RPCRDMA_OK);
	else
		assert_int_equal(res, prefix.len < 16 ?
		    RPCRDMA_NO : RPCRDMA_SHORT);
}

static void
expect_inside(void *ctx, struct bytes flipped, size_t bit)
{
	struct rpcrdma_header h;

	(void)ctx;
	(void)bit;
	if (rpcrdma_decode(flipped, &h) == RPCRDMA_OK)
		assert_true(h.header_len <= flipped.len);
	assert_true(h.reads <= RPCRDMA_CHUNKS_MAX);
	assert_true(h.writes <= RPCRDMA_CHUNKS_MAX);
}

static void
a_cut_or_flipped_header_is_no_other(void **state)
{
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < FIXTURES; i++) {
		f = fixtures[i];
		for_every_prefix(f.data, f.len, expect_cut, &f);
		for_every_bit_flip(f.data, f.len, expect_inside, &f);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_without_chunks_has_28_bytes),
		cmocka_unit_test(segments_of_one_position_are_one_read_chunk),
		cmocka_unit_test(segments_of_an_array_are_one_write_chunk),
		cmocka_unit_test(a_reply_chunk_of_one_segment_makes_48_bytes),
		cmocka_unit_test(a_read_chunk_at_position_zero_is_the_call),
		cmocka_unit_test(several_chunks_are_kept_apart),
		cmocka_unit_test(chunks_beyond_those_kept_are_told),
		cmocka_unit_test(lengths_add_up_to_no_more_than_32_bits),
		cmocka_unit_test(the_other_procedures_are_known),
		cmocka_unit_test(something_else_is_told_from_it),
		cmocka_unit_test(a_list_without_end_is_none),
		cmocka_unit_test(a_cut_or_flipped_header_is_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

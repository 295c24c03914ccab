/* SPDX-License-Identifier: ISC */
/*
 * test_rpcop.c: members, texts in pieces and what is left of a cut operation.
 */
#include "rpcop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "xdrprog.h"

static const uint8_t text[] =
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef+++";

/* Gives the text to take in pieces of n bytes. */
static void
take(struct rpcop *o, size_t len, size_t n)
{
	size_t done = 0, part;

	while (done < len && o->take > 0) {
		part = n < len - done ? n : len - done;
		done += rpcop_text(o, text + done, part);
	}
}

static void
a_new_operation_has_nothing(void **state)
{
	struct rpcop o;
	const struct rpc_op *op;

	(void)state;
	memset(&o, 0xff, sizeof(o));
	rpcop_begin(&o, 9, 38);
	op = rpcop_show(&o);
	assert_int_equal(op->op, 9);
	assert_int_equal(op->opnum, 38);
	assert_false(op->has_status || op->has_count || op->has_offset ||
	    op->has_stable || op->has_verifier || op->has_slot ||
	    op->in_compound || op->cut || op->name_cut);
	assert_int_equal(op->fh_len + op->name_len + op->name2_len, 0);
	assert_int_equal(op->port + op->map_prog + op->map_vers +
	    op->map_prot, 0);
	assert_int_equal(rpcop_text(&o, text, sizeof(text)), 0);
}

static void
words_and_hypers_go_to_their_members(void **state)
{
	struct rpcop o;
	const struct rpc_op *op;

	(void)state;
	rpcop_begin(&o, 0, 0);
	rpcop_word(&o, XDR_NOWHERE, 99);
	rpcop_word(&o, XDR_TO_STATUS, 1);
	rpcop_word(&o, XDR_TO_STABLE, 2);
	rpcop_word(&o, XDR_TO_SLOT, 3);
	rpcop_word(&o, XDR_TO_HIGHEST_SLOT, 4);
	rpcop_word(&o, XDR_TO_PORT, 5);
	rpcop_word(&o, XDR_TO_MAP_PROG, 6);
	rpcop_word(&o, XDR_TO_MAP_VERS, 7);
	rpcop_word(&o, XDR_TO_MAP_PROT, 8);
	rpcop_word(&o, XDR_TO_COUNT, 9);
	rpcop_hyper(&o, XDR_TO_OFFSET, UINT64_MAX);
	rpcop_word(&o, XDR_TO_OFFSET_WORD, 10);
	rpcop_hyper(&o, XDR_TO_VERIFIER, 11);
	op = rpcop_show(&o);
	assert_true(op->has_status && op->has_stable && op->has_slot &&
	    op->has_count && op->has_offset && op->has_verifier);
	assert_int_equal(op->status, 1);
	assert_int_equal(op->stable, 2);
	assert_int_equal(op->slot, 3);
	assert_int_equal(op->highest_slot, 4);
	assert_int_equal(op->port, 5);
	assert_int_equal(op->map_prog, 6);
	assert_int_equal(op->map_vers, 7);
	assert_int_equal(op->map_prot, 8);
	assert_int_equal(op->count, 9);
	assert_int_equal(op->offset, 10);
	assert_int_equal(op->verifier, 11);
}

static void
counts_are_told_up_to_32_bits(void **state)
{
	struct rpcop o;

	(void)state;
	rpcop_begin(&o, 0, 0);
	rpcop_count(&o, UINT32_MAX);
	assert_int_equal(o.op.count, UINT32_MAX);
	rpcop_count(&o, UINT64_MAX);
	assert_int_equal(o.op.count, UINT32_MAX);
	rpcop_count(&o, 0);
	assert_true(o.op.has_count);
	rpcop_count_add(&o, 5);
	rpcop_count_add(&o, 3);
	assert_int_equal(o.op.count, 8);
	rpcop_count_add(&o, UINT32_MAX);
	assert_int_equal(o.op.count, UINT32_MAX);
}

static void
texts_are_kept_from_pieces_of_any_size(void **state)
{
	struct rpcop o;
	const struct rpc_op *op;
	size_t n;

	(void)state;
	for (n = 1; n <= 66; n++) {
		rpcop_begin(&o, 0, 0);
		assert_int_equal(rpcop_text_begin(&o, XDR_TEXT_FH, 66), 66);
		take(&o, 67, n);
		assert_int_equal(rpcop_text_begin(&o, XDR_TEXT_NAME, 64), 64);
		take(&o, 67, n);
		assert_false(o.op.name_cut);
		assert_int_equal(rpcop_text_begin(&o, XDR_TEXT_NAME2, 65), 64);
		take(&o, 67, n);
		op = rpcop_show(&o);
		assert_int_equal(op->fh_len, 66);
		assert_memory_equal(op->fh, text, 66);
		assert_int_equal(op->name_len, 64);
		assert_memory_equal(op->name, text, 64);
		assert_int_equal(op->name2_len, 64);
		assert_memory_equal(op->name2, text, 64);
		assert_true(op->name_cut);
		assert_false(op->cut);
	}
}

static void
a_cut_text_leaves_half_a_name_but_no_half_handle(void **state)
{
	struct rpcop o;

	(void)state;
	rpcop_begin(&o, 0, 0);
	(void)rpcop_text_begin(&o, XDR_TEXT_FH, 32);
	(void)rpcop_text(&o, text, 31);
	rpcop_cut(&o);
	assert_true(o.op.cut);
	assert_int_equal(o.op.fh_len, 0);
	assert_int_equal(o.take, 0);

	rpcop_begin(&o, 0, 0);
	(void)rpcop_text_begin(&o, XDR_TEXT_NAME, 10);
	(void)rpcop_text(&o, text, 3);
	rpcop_cut(&o);
	assert_int_equal(o.op.name_len, 3);
	assert_true(o.op.name_cut);

	rpcop_begin(&o, 0, 0);
	(void)rpcop_text_begin(&o, XDR_TEXT_NAME2, 10);
	rpcop_cut(&o);
	assert_int_equal(o.op.name2_len, 0);
	assert_true(o.op.name_cut);
}

static void
assert_netid(const char *id, uint32_t prot)
{
	struct rpcop o;
	size_t len = strlen(id);

	rpcop_begin(&o, 0, 0);
	(void)rpcop_text_begin(&o, XDR_TEXT_SCRATCH, (uint32_t)len);
	(void)rpcop_text(&o, (const uint8_t *)id, len);
	rpcop_netid(&o);
	assert_int_equal(o.op.map_prot, prot);
	assert_int_equal(o.op.fh_len, 0);
}

static void
netids_are_protocol_numbers_and_addresses_have_ports(void **state)
{
	static const char uaddr[] = "192.0.2.1.8.1";
	struct rpcop o;

	(void)state;
	assert_netid("tcp", 6);
	assert_netid("tcp6", 6);
	assert_netid("udp", 17);
	assert_netid("udp6", 17);
	assert_netid("rdma", 0);
	assert_netid("tcp7", 0);
	assert_netid("tcp66", 0);
	assert_netid("tc", 0);
	assert_netid("", 0);
	rpcop_begin(&o, 0, 0);
	(void)rpcop_text_begin(&o, XDR_TEXT_SCRATCH, sizeof(uaddr) - 1);
	(void)rpcop_text(&o, (const uint8_t *)uaddr, sizeof(uaddr) - 1);
	rpcop_uaddr(&o);
	assert_int_equal(o.op.port, 2049);	/* 8 * 256 + 1 */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_new_operation_has_nothing),
		cmocka_unit_test(words_and_hypers_go_to_their_members),
		cmocka_unit_test(counts_are_told_up_to_32_bits),
		cmocka_unit_test(texts_are_kept_from_pieces_of_any_size),
		cmocka_unit_test(
		    a_cut_text_leaves_half_a_name_but_no_half_handle),
		cmocka_unit_test(
		    netids_are_protocol_numbers_and_addresses_have_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

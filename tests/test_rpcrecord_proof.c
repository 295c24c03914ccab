/* SPDX-License-Identifier: ISC */
/*
 * test_rpcrecord_proof.c: what proves records without a reply: a row of them
 * when the peer is silent, or the end of the capture; and what bounds a hunt.
 */
#include "rpcrecord.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "recordkit.h"
#include "rpckit.h"
#include "testkit.h"

/* GETATTR calls from one XID on, RPCKIT_GETATTR_CALL + 4 bytes each. */
#define GETATTR_LEN	(4 + RPCKIT_GETATTR_CALL)
static void
getattrs(struct rpckit *m, uint32_t xid, unsigned int n)
{
	while (n-- > 0) {
		RPCKIT_RECORD(m, rpckit_getattr_call(m, xid));
		xid++;
	}
}

static void
four_records_in_a_row_prove_each_other_without_a_peer(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	k->alone = true;
	rpckit_opaque(m, NULL, 96);
	getattrs(m, 30, 6);
	/* The fourth counts from where its head has been seen. */
	recordkit_data(k, m->data, 100 + 3 * GETATTR_LEN + HUNT_NEED - 1);
	assert_string_equal(k->text, "");
	recordkit_data(k, m->data + k->off, m->len - k->off);
	assert_string_equal(k->text, "call 30 3.1, GETATTR, end 30, "
	    "call 31 3.1, GETATTR, end 31, call 32 3.1, GETATTR, end 32, "
	    "call 33 3.1, GETATTR, end 33, call 34 3.1, GETATTR, end 34, "
	    "call 35 3.1, GETATTR, end 35");
	assert_int_equal(k->passed_over, 100);
	recordkit_free(k);
	free(m);
}

static void
a_row_with_gaps_or_a_peer_that_is_heard_is_no_proof(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	rpckit_u32(m, 1);
	getattrs(m, 30, 10);
	recordkit_data(k, m->data, m->len);
	assert_string_equal(k->text, "");
	recordkit_free(k);

	k = recordkit_new(false);
	k->alone = true;
	rpckit_clear(m);
	rpckit_u32(m, 1);
	getattrs(m, 30, 3);
	rpckit_u32(m, 1);
	getattrs(m, 33, 3);
	recordkit_data(k, m->data, m->len);
	assert_string_equal(k->text, "");
	recordkit_free(k);
	free(m);
}

static void
at_the_end_a_row_from_the_stream_s_start_is_believed(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	getattrs(m, 30, 2);
	recordkit_data(k, m->data, m->len);
	recordkit_flush(k);
	assert_string_equal(k->text, "call 30 3.1, GETATTR, end 30, "
	    "call 31 3.1, GETATTR, end 31");
	assert_int_equal(k->passed_over, 0);
	recordkit_free(k);

	k = recordkit_new(false);	/* the last is not whole */
	recordkit_data(k, m->data, m->len - 10);
	recordkit_flush(k);
	assert_string_equal(k->text, "call 30 3.1, GETATTR, end 30, "
	    "call 31 3.1, GETATTR cut");
	recordkit_free(k);
	free(m);
}

static void
at_the_end_nothing_else_is_believed(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	rpckit_u32(m, 1);		/* a row, but not from the start */
	getattrs(m, 30, 3);
	recordkit_data(k, m->data, m->len);
	recordkit_flush(k);
	assert_string_equal(k->text, "");
	recordkit_free(k);

	k = recordkit_new(false);	/* a row that breaks off */
	rpckit_clear(m);
	getattrs(m, 30, 1);
	rpckit_opaque(m, NULL, 300);
	recordkit_data(k, m->data, m->len);
	recordkit_flush(k);
	assert_string_equal(k->text, "");
	recordkit_free(k);
	free(m);
}

static void
without_room_to_hunt_bytes_are_passed_over_and_counted(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	getattrs(m, 30, 4);
	k->pool.max = 0;
	k->alone = true;
	recordkit_data(k, m->data, 2 * GETATTR_LEN);
	assert_int_equal(k->passed_over, 2 * GETATTR_LEN);
	assert_string_equal(k->text, "");
	assert_false(recordkit_prove(k, 30));
	recordkit_lose(k, 100);
	recordkit_flush(k);
	/* Once there is room, it is looked for again. */
	k->pool.max = 1;
	k->alone = false;
	recordkit_data(k, m->data, m->len);
	assert_true(recordkit_prove(k, 30));
	assert_int_equal(k->headers, 4);
	recordkit_free(k);
	free(m);
}

static void
a_hunt_forgets_the_oldest_of_too_many_candidates(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	rpckit_u32(m, 1);
	getattrs(m, 100, HUNT_CANDIDATES + 5);
	recordkit_data(k, m->data, m->len);
	assert_false(rpcrecord_suspects(&k->rec, 104));
	assert_true(recordkit_prove(k, 105));
	assert_int_equal(k->headers, HUNT_CANDIDATES);
	recordkit_free(k);
	free(m);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(four_records_in_a_row_prove_each_other_without_a_peer),
		CASE(a_row_with_gaps_or_a_peer_that_is_heard_is_no_proof),
		CASE(at_the_end_a_row_from_the_stream_s_start_is_believed),
		CASE(at_the_end_nothing_else_is_believed),
		CASE(without_room_to_hunt_bytes_are_passed_over_and_counted),
		CASE(a_hunt_forgets_the_oldest_of_too_many_candidates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_rpcrecord_hunt.c: streams met in the middle or out of step: what proves
 * a record, and what must not.
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

/* Whole valid messages as a file's data: a capture of NFS, say. */
static void
lookalikes(struct rpckit *m, uint32_t xid)
{
	rpckit_u32(m, 0x40404040);
	RPCKIT_RECORD(m, rpckit_getattr_call(m, xid));
	RPCKIT_RECORD(m, rpckit_write_call(m, xid + 1, NULL, 40));
	rpckit_u32(m, 0x40404040);
	RPCKIT_RECORD(m, rpckit_write_reply(m, xid + 1, 40));
	RPCKIT_RECORD(m, rpckit_getattr_call(m, xid + 2));
	rpckit_u32(m, 0x40404040);
}

/* 7 GETATTR, 8 WRITE of lookalikes, 9 and 10 GETATTR. */
struct disguise {
	struct rpckit	*m;
	size_t		 write;		/* where the WRITE's mark is */
	size_t		 data, end;	/* its data, the mark after it */
};

static struct disguise
disguise(void)
{
	struct rpckit *data = rpckit_new();
	struct disguise d = { .m = rpckit_new() };

	lookalikes(data, 5000);
	getattrs(d.m, 7, 1);
	d.write = d.m->len;
	RPCKIT_RECORD(d.m, rpckit_write_call(d.m, 8, data->data,
	    (uint32_t)data->len));
	d.end = d.m->len;
	d.data = d.end - data->len;
	getattrs(d.m, 9, 2);
	free(data);
	return d;
}

static void
rpc_as_file_data_in_step_is_nothing_but_data(void **state)
{
	struct disguise d = disguise();
	struct recordkit *k = recordkit_new(true);
	char want[200];

	(void)state;
	snprintf(want, sizeof(want), "call 7 3.1, GETATTR, end 7, "
	    "call 8 3.7, WRITE %zu, end 8, call 9 3.1, GETATTR, end 9, "
	    "call 10 3.1, GETATTR, end 10", d.end - d.data);
	recordkit_data(k, d.m->data, d.m->len);
	assert_string_equal(k->text, want);
	recordkit_free(k);
	free(d.m);
}

/*
 * The WRITE's mark is lost, and more, up to any byte of its data, so that any
 * of the messages in it may begin the rest.
 */
static void
rpc_as_file_data_invents_nothing_wherever_a_loss_ends(void **state)
{
	struct disguise d = disguise();
	size_t to;

	(void)state;
	for (to = d.write + 4; to <= d.end; to++) {
		struct recordkit *k = recordkit_new(true);

		recordkit_data(k, d.m->data, d.write - 10);
		recordkit_lose(k, to - k->off);
		recordkit_data(k, d.m->data + to, d.m->len - to);
		assert_string_equal(k->text,
		    "call 7 3.1, GETATTR cut, end 7, lost");
		assert_true(recordkit_prove(k, 9));
		assert_string_equal(k->text,
		    "call 7 3.1, GETATTR cut, end 7, lost, "
		    "call 9 3.1, GETATTR, end 9, "
		    "call 10 3.1, GETATTR, end 10");
		assert_int_equal(k->passed_over, d.end - to);
		recordkit_flush(k);
		assert_int_equal(k->headers, 3);
		recordkit_free(k);
	}
	free(d.m);
}

/* The same, and the capture ends before anything is proved. */
static void
the_end_of_a_capture_proves_nothing_after_a_loss(void **state)
{
	struct disguise d = disguise();
	size_t to, upto;

	(void)state;
	for (to = d.write + 4; to <= d.end; to++)
		for (upto = to; upto <= d.end; upto += 13) {
			struct recordkit *k = recordkit_new(true);

			recordkit_data(k, d.m->data, d.write - 10);
			recordkit_lose(k, to - k->off);
			recordkit_data(k, d.m->data + to, upto - to);
			recordkit_flush(k);
			assert_string_equal(k->text,
			    "call 7 3.1, GETATTR cut, end 7, lost");
			recordkit_free(k);
		}
	free(d.m);
}

/* A loss inside the data, of any length, while in step: no hunt at all. */
static void
a_loss_between_lookalikes_keeps_step(void **state)
{
	struct disguise d = disguise();
	size_t from, len;

	(void)state;
	for (from = d.data; from < d.end; from += 3)
		for (len = 1; from + len <= d.end; len += 11) {
			struct recordkit *k = recordkit_new(true);

			recordkit_data(k, d.m->data, from);
			recordkit_lose(k, len);
			recordkit_data(k, d.m->data + k->off,
			    d.m->len - k->off);
			assert_int_equal(k->headers, 4);
			assert_int_equal(k->ends, 4);
			assert_int_equal(k->lost, 0);
			recordkit_free(k);
		}
	free(d.m);
}

/* Proof by a reply. */

static void
a_stream_met_in_the_middle_waits_for_a_reply_as_proof(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	rpckit_opaque(m, NULL, 500);	/* the rest of something */
	getattrs(m, 30, 6);
	recordkit_data(k, m->data, 504 + 3 * GETATTR_LEN);
	assert_string_equal(k->text, "");
	assert_false(recordkit_prove(k, 29));
	assert_false(recordkit_prove(k, 33));
	assert_true(recordkit_prove(k, 31));
	/* It, and what follows it exactly. */
	assert_string_equal(k->text, "call 31 3.1, GETATTR, end 31, "
	    "call 32 3.1, GETATTR, end 32");
	assert_int_equal(k->rec.phase, RPCRECORD_MARK);
	recordkit_data(k, m->data + k->off, m->len - k->off);
	assert_int_equal(k->headers, 5);
	assert_int_equal(k->lost, 0);
	recordkit_free(k);
	free(m);
}

static void
a_chain_from_the_stream_s_start_is_proved_with_its_last(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	getattrs(m, 30, 4);
	recordkit_data(k, m->data, m->len);
	assert_true(recordkit_prove(k, 32));
	assert_string_equal(k->text, "call 30 3.1, GETATTR, end 30, "
	    "call 31 3.1, GETATTR, end 31, call 32 3.1, GETATTR, end 32, "
	    "call 33 3.1, GETATTR, end 33");
	assert_int_equal(k->passed_over, 0);
	recordkit_free(k);
	free(m);
}

static void
a_proved_call_that_is_still_coming_goes_on_in_step(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t at, junk = 100, last;

	(void)state;
	rpckit_opaque(m, NULL, junk - 4);
	RPCKIT_RECORD(m, rpckit_write_call(m, 40, NULL, 101));
	last = m->len;
	getattrs(m, 41, 1);
	for (at = junk + HUNT_NEED; at <= m->len; at++) {
		struct recordkit *k = recordkit_new(false);

		recordkit_data(k, m->data, at);
		assert_true(recordkit_prove(k, 40));
		recordkit_data(k, m->data + at, m->len - at);
		assert_string_equal(k->text, "call 40 3.7, WRITE 101, end 40, "
		    "call 41 3.1, GETATTR, end 41");
		assert_int_equal(k->passed_over, junk);
		assert_int_equal(k->end.start, last);
		assert_int_equal(k->end.end, m->len);
		assert_int_equal(k->lost, 0);
		recordkit_free(k);
	}
	free(m);
}

static void
hunting_byte_by_byte_finds_the_same_with_exact_times(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);
	size_t i;

	(void)state;
	rpckit_opaque(m, NULL, 96);
	getattrs(m, 30, 2);
	for (i = 0; i < m->len; i++) {
		k->now_ns = (int64_t)i;
		recordkit_data(k, m->data + i, 1);
	}
	assert_true(recordkit_prove(k, 30));
	assert_string_equal(k->text, "call 30 3.1, GETATTR, end 30, "
	    "call 31 3.1, GETATTR, end 31");
	assert_int_equal(k->passed_over, 100);
	assert_int_equal(k->end.start, 100 + GETATTR_LEN);
	assert_int_equal(k->end.first_ns, 100 + GETATTR_LEN);
	assert_int_equal(k->end.last_ns, m->len - 1);
	recordkit_free(k);
	free(m);
}

static void
hunted_bytes_cut_in_two_anywhere_are_the_same(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t cut;

	(void)state;
	rpckit_opaque(m, NULL, 96);
	RPCKIT_RECORD(m, rpckit_compound_write_call(m, 30, 20));
	getattrs(m, 31, 1);
	for (cut = 0; cut <= m->len; cut++) {
		struct recordkit *k = recordkit_new(false);

		recordkit_data(k, m->data, cut);
		recordkit_data(k, m->data + cut, m->len - cut);
		assert_true(recordkit_prove(k, 30));
		assert_string_equal(k->text, "call 30 4.1, COMPOUND, PUTFH, "
		    "WRITE 20, GETATTR, end 30, call 31 3.1, GETATTR, end 31");
		assert_int_equal(k->passed_over, 100);
		recordkit_free(k);
	}
	free(m);
}

static void
bytes_lost_while_hunting_are_not_passed_over_but_lost(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	getattrs(m, 30, 1);
	rpckit_opaque(m, NULL, 96);
	getattrs(m, 31, 1);
	recordkit_data(k, m->data, GETATTR_LEN);
	recordkit_lose(k, 60);
	recordkit_data(k, m->data + k->off, m->len - k->off);
	assert_true(recordkit_prove(k, 30));	/* it lies before the loss */
	assert_true(recordkit_prove(k, 31));
	assert_string_equal(k->text, "call 30 3.1, GETATTR, end 30, "
	    "call 31 3.1, GETATTR, end 31");
	assert_int_equal(k->passed_over, 40);
	recordkit_free(k);
	free(m);
}

/* Candidate replies are proved by their call. */

static void
a_reply_is_believed_when_its_call_is_known(void **state)
{
	struct rpckit *m = rpckit_new();
	struct recordkit *k = recordkit_new(false);

	(void)state;
	rpckit_opaque(m, NULL, 96);
	RPCKIT_RECORD(m, rpckit_write_reply(m, 50, 8192));
	RPCKIT_RECORD(m, rpckit_write_reply(m, 51, 8192));
	RPCKIT_RECORD(m, rpckit_getattr_reply(m, 52));
	recordkit_know(k, 51, 7);
	recordkit_know(k, 52, 1);
	recordkit_data(k, m->data, m->len);
	assert_string_equal(k->text, "reply 51, WRITE 8192, end 51, "
	    "reply 52, GETATTR, end 52");
	assert_int_equal(k->passed_over, 100 + 4 + RPCKIT_WRITE_REPLY);
	recordkit_free(k);
	free(m);
}

static void
the_shortest_reply_of_all_is_found_too_at_any_cut(void **state)
{
	struct rpckit *m = rpckit_new();
	size_t cut;

	(void)state;
	rpckit_opaque(m, NULL, 96);
	RPCKIT_RECORD(m, rpckit_denied(m, 50));
	for (cut = 0; cut <= m->len; cut++) {
		struct recordkit *k = recordkit_new(false);

		recordkit_know(k, 50, 0);
		recordkit_data(k, m->data, cut);
		recordkit_data(k, m->data + cut, m->len - cut);
		assert_string_equal(k->text, "reply 50, end 50");
		recordkit_free(k);
	}
	free(m);
}

static void
replies_inside_file_data_that_is_read_are_not_believed(void **state)
{
	struct rpckit *m = rpckit_new(), *data = rpckit_new();
	size_t to;

	(void)state;
	lookalikes(data, 5000);
	RPCKIT_RECORD(m, rpckit_read_reply(m, 60, data->data,
	    (uint32_t)data->len));
	RPCKIT_RECORD(m, rpckit_write_reply(m, 61, 1));
	for (to = 1; to < 4 + RPCKIT_READ_HEAD + data->len; to++) {
		struct recordkit *k = recordkit_new(true);

		recordkit_know(k, 60, 6);
		recordkit_know(k, 61, 7);
		recordkit_lose(k, to);
		recordkit_data(k, m->data + to, m->len - to);
		assert_string_equal(k->text,
		    "lost, reply 61, WRITE 1, end 61");
		recordkit_free(k);
	}
	free(data);
	free(m);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(rpc_as_file_data_in_step_is_nothing_but_data),
		CASE(rpc_as_file_data_invents_nothing_wherever_a_loss_ends),
		CASE(the_end_of_a_capture_proves_nothing_after_a_loss),
		CASE(a_loss_between_lookalikes_keeps_step),
		CASE(a_stream_met_in_the_middle_waits_for_a_reply_as_proof),
		CASE(a_chain_from_the_stream_s_start_is_proved_with_its_last),
		CASE(a_proved_call_that_is_still_coming_goes_on_in_step),
		CASE(hunting_byte_by_byte_finds_the_same_with_exact_times),
		CASE(hunted_bytes_cut_in_two_anywhere_are_the_same),
		CASE(bytes_lost_while_hunting_are_not_passed_over_but_lost),
		CASE(a_reply_is_believed_when_its_call_is_known),
		CASE(the_shortest_reply_of_all_is_found_too_at_any_cut),
		CASE(replies_inside_file_data_that_is_read_are_not_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

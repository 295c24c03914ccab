/* SPDX-License-Identifier: ISC */
/*
 * test_rpcheader.c: headers in one piece, and guesses what may be one.  That
 * a header gives the same in one piece and in many, test_rpcwalk.c proves.
 */
#include "rpcheader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"
#include "walkkit.h"
#include "xdrprog.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define MESSAGE_MAX	2048

/* machine "ab", uid 1000, gid 100, no gids; verifier; then arguments */
#define SYS	"#1 #24 <4> 'ab' #1000 #100 #0  #0 #0 "

static const char call[] = "#7 #0 #2 #100003 #3 #7 " SYS "'abcd'";
static const char reply[] = "#7 #1 #0  #0 #5 <8>  #0 #0";

static void
an_ordinary_call_is_read_at_once(void **state)
{
	uint8_t buf[MESSAGE_MAX];
	struct bytes b = bytes_of(buf, walkkit_bytes(call, buf, sizeof(buf)));
	struct rpc_header h = { .service = 77 };

	(void)state;
	assert_true(rpcheader_read(&b, &h));
	assert_int_equal(b.len, 8);		/* the handle is left */
	assert_int_equal(h.xid, 7);
	assert_false(h.reply);
	assert_int_equal(h.prog, 100003);
	assert_int_equal(h.vers, 3);
	assert_int_equal(h.proc, 7);
	assert_int_equal(h.flavor, RPC_AUTH_SYS);
	assert_true(h.has_uid);
	assert_int_equal(h.uid, 1000);
	assert_int_equal(h.service, 77);	/* not a member of this one */
}

static void
an_ordinary_reply_is_read_at_once(void **state)
{
	uint8_t buf[MESSAGE_MAX];
	struct bytes b = bytes_of(buf, walkkit_bytes(reply, buf, sizeof(buf)));
	struct rpc_header h = { .accept_stat = 77 };

	(void)state;
	assert_true(rpcheader_read(&b, &h));
	assert_int_equal(b.len, 4);
	assert_int_equal(h.xid, 7);
	assert_true(h.reply);
	assert_int_equal(h.accept_stat, 0);
}

/* What is not ordinary is left to be walked step by step. */
static void
other_headers_are_not_touched(void **state)
{
	static const char *const others[] = {
		"#7 #0 #3 #100003 #3 #7 " SYS,		/* RPC version 3 */
		"#7 #0 #2 #100003 #3 #7  #6 #24 <24>  #0 #0",
		"#7 #0 #2 #100003 #3 #7  #0 #401 <404>  #0 #0",
		"#7 #0 #2 #100003 #3 #7  #0 #0  #0 #401 <404>",
		"#7 #0 #2 #100003 #3 #7  #1 #8 <4> #0  #0 #0 <40>",
		"#7 #0 #2 #100003 #3 #7  #1 #400 <4> #256 <392>  #0 #0",
		"#7 #0 #2 #100003 #3 #7  #1 ffffffff  #0 #0 <40>",
		"#7 #1 #0  #0 #0  #1",			/* PROG_UNAVAIL */
		"#7 #1 #1  #1 #5 <20>",			/* denied */
		"#7 #1 #0  #0 #401 <404>  #0",
		"#7 #2 #2 #100003 #3 #7 " SYS,
	};
	uint8_t buf[MESSAGE_MAX];
	struct rpc_header h, before;
	struct bytes b;
	size_t i, len;

	(void)state;
	memset(&before, 0x5a, sizeof(before));
	for (i = 0; i < COUNT(others); i++) {
		memcpy(&h, &before, sizeof(h));
		len = walkkit_bytes(others[i], buf, sizeof(buf));
		b = bytes_of(buf, len);
		assert_false(rpcheader_read(&b, &h));
		assert_memory_equal(&h, &before, sizeof(h));
		assert_int_equal(b.len, len);
		assert_ptr_equal(b.data, buf);
	}
}

/* ctx is the length of the header. */
static void
read_prefix(void *ctx, struct bytes b)
{
	struct rpc_header h = { .xid = 0 };
	size_t len = b.len, header = *(const size_t *)ctx;

	assert_int_equal(rpcheader_read(&b, &h), len >= header);
	assert_int_equal(b.len, len >= header ? len - header : len);
}

static void
read_flipped(void *ctx, struct bytes b, size_t bit)
{
	struct rpc_header h = { .xid = 0 };

	(void)ctx;
	(void)bit;
	(void)rpcheader_read(&b, &h);
}

static void
a_header_that_is_not_all_there_is_not_read(void **state)
{
	uint8_t buf[MESSAGE_MAX];
	size_t len, header;

	(void)state;
	len = walkkit_bytes(call, buf, sizeof(buf));
	header = len - 8;
	for_every_prefix(buf, len, read_prefix, &header);
	for_every_bit_flip(buf, len, read_flipped, NULL);
	len = walkkit_bytes(reply, buf, sizeof(buf));
	header = len - 4;
	for_every_prefix(buf, len, read_prefix, &header);
	for_every_bit_flip(buf, len, read_flipped, NULL);
}

static void
words_go_to_their_members(void **state)
{
	struct rpc_header h = { .xid = 0 };

	(void)state;
	rpcheader_word(&h, XDR_TO_XID, 1);
	rpcheader_word(&h, XDR_TO_PROG, 2);
	rpcheader_word(&h, XDR_TO_VERS, 3);
	rpcheader_word(&h, XDR_TO_PROC, 4);
	rpcheader_word(&h, XDR_TO_FLAVOR, 5);
	rpcheader_word(&h, XDR_TO_ACCEPT_STAT, 6);
	rpcheader_word(&h, XDR_NOWHERE, 99);
	assert_false(h.has_uid);
	rpcheader_word(&h, XDR_TO_UID, 7);
	assert_int_equal(h.xid, 1);
	assert_int_equal(h.prog, 2);
	assert_int_equal(h.vers, 3);
	assert_int_equal(h.proc, 4);
	assert_int_equal(h.flavor, 5);
	assert_int_equal(h.accept_stat, 6);
	assert_true(h.has_uid);
	assert_int_equal(h.uid, 7);
}

static void
gss_services_are_those_that_exist(void **state)
{
	struct rpc_header h = { .service = RPC_SVC_NONE };

	(void)state;
	assert_true(rpcheader_gss_service(&h, 2));
	assert_int_equal(h.service, RPC_SVC_INTEGRITY);
	assert_true(rpcheader_gss_service(&h, 3));
	assert_int_equal(h.service, RPC_SVC_PRIVACY);
	assert_true(rpcheader_gss_service(&h, 1));
	assert_int_equal(h.service, RPC_SVC_NONE);
	/* rpc_gss_svc_channel_prot, RFC 5403 sec. 2: nothing is wrapped */
	assert_true(rpcheader_gss_service(&h, 4));
	assert_int_equal(h.service, RPC_SVC_NONE);
	assert_false(rpcheader_gss_service(&h, 0));
	assert_false(rpcheader_gss_service(&h, 5));
	assert_false(rpcheader_gss_service(&h, UINT32_MAX));
	h.service = RPC_SVC_CONTROL;
	assert_true(rpcheader_gss_service(&h, 9));
	assert_int_equal(h.service, RPC_SVC_CONTROL);
}

static enum rpc_guess
guess(const char *message)
{
	uint8_t buf[MESSAGE_MAX], *copy;
	size_t len = walkkit_bytes(message, buf, sizeof(buf));
	enum rpc_guess g;
	uint32_t xid = 0;

	copy = testkit_copy(buf, len);
	g = rpcheader_guess(copy, len, &xid);
	testkit_free(copy);
	if (len >= 4)
		assert_int_equal(xid, 7);
	return g;
}

static void
calls_are_guessed(void **state)
{
	static const char *const calls[] = {
		"#7 #0 #2 #100003 #3 #7 " SYS "'abcd'",
		"#7 #0 #2 #100003 #4 #1  #0 #0  #0 #0",
		"#7 #0 #2 #100003 #3 #7",	/* as far as bytes reach */
		"#7 #0 #2 #100003 #3 #7  #1 #20 <4>",
		"#7 #0 #2 #1 #1 #0  #6 #400 <400>  #6 #400",
		"#7 #0 #2 #1073741824 #1 #0  #3 #3 <4>  #0 #0",
		"#7 #0 #2 #100003 #4 #0  #7 #0  #0 #0",
		"#7 #0 #2 #100003 #3 #0  #300001 #28 <28>  #300001 #0",
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(calls); i++)
		assert_int_equal(guess(calls[i]), RPC_GUESS_CALL);
}

static void
replies_are_guessed(void **state)
{
	static const char *const replies[] = {
		"#7 #1 #0  #0 #0  #0 #0",
		"#7 #1 #0  #0 #0  #5",
		"#7 #1 #0  #6 #28 <4>",
		"#7 #1 #0  #0 #0",
		"#7 #1 #1  #0 #2 #2",
		"#7 #1 #1  #1 #14",
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(replies); i++)
		assert_int_equal(guess(replies[i]), RPC_GUESS_REPLY);
}

static void
what_cannot_be_a_header_is_refused(void **state)
{
	static const char *const nothing[] = {
		"#7 #2",
		"#7 #0 #1",
		"#7 #0 #2 #0",
		"#7 #0 #2 #1610612736",		/* 0x60000000 */
		"#7 #0 #2 #100003 #65",
		"#7 #0 #2 #100003 #3 #1025",
		"#7 #0 #2 #100003 #3 #7  #8",	/* no such flavor */
		"#7 #0 #2 #100003 #3 #7  #0 #401",
		"#7 #0 #2 #100003 #3 #7  #0 ffffffff",
		/* AUTH_SYS that is too short, whose name is too long */
		"#7 #0 #2 #100003 #3 #7  #1 #19",
		"#7 #0 #2 #100003 #3 #7  #1 #24 <4> #256",
		"#7 #0 #2 #100003 #3 #7  #1 #24 <4> #5",
		"#7 #0 #2 #100003 #3 #7  #0 #0  #8",
		"#7 #0 #2 #100003 #3 #7  #0 #0  #0 #401",
		"#7 #1 #2",
		"#7 #1 #0 #8",
		"#7 #1 #0 #0 #401",
		"#7 #1 #0 #0 #0 #6",
		"#7 #1 #1 #2",
		"#7 #1 #1 #1 #15",
		"#7 #1 #1 #0 #3 #2",		/* low above high */
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(nothing); i++)
		assert_int_equal(guess(nothing[i]), RPC_GUESS_NO);
}

/* ctx is how many bytes it takes to tell. */
static void
guess_prefix(void *ctx, struct bytes b)
{
	uint32_t xid;
	enum rpc_guess g = rpcheader_guess(b.data, b.len, &xid);

	assert_int_not_equal(g, RPC_GUESS_NO);
	assert_int_equal(g == RPC_GUESS_SHORT,
	    b.len < *(const size_t *)ctx);
}

static void
guess_flipped(void *ctx, struct bytes b, size_t bit)
{
	uint32_t xid;

	(void)ctx;
	(void)bit;
	(void)rpcheader_guess(b.data, b.len, &xid);
}

static void
a_beginning_too_short_to_tell_is_short(void **state)
{
	uint8_t buf[MESSAGE_MAX];
	size_t len, enough;

	(void)state;
	len = walkkit_bytes(call, buf, sizeof(buf));
	enough = 24;		/* up to the procedure */
	for_every_prefix(buf, len, guess_prefix, &enough);
	for_every_bit_flip(buf, len, guess_flipped, NULL);
	len = walkkit_bytes(reply, buf, sizeof(buf));
	enough = 20;		/* up to the verifier's length */
	for_every_prefix(buf, len, guess_prefix, &enough);
	for_every_bit_flip(buf, len, guess_flipped, NULL);
	len = walkkit_bytes("#7 #1 #1 #1 #5", buf, sizeof(buf));
	for_every_prefix(buf, len, guess_prefix, &enough);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ordinary_call_is_read_at_once),
		cmocka_unit_test(an_ordinary_reply_is_read_at_once),
		cmocka_unit_test(other_headers_are_not_touched),
		cmocka_unit_test(a_header_that_is_not_all_there_is_not_read),
		cmocka_unit_test(words_go_to_their_members),
		cmocka_unit_test(gss_services_are_those_that_exist),
		cmocka_unit_test(calls_are_guessed),
		cmocka_unit_test(replies_are_guessed),
		cmocka_unit_test(what_cannot_be_a_header_is_refused),
		cmocka_unit_test(a_beginning_too_short_to_tell_is_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

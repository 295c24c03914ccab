/* SPDX-License-Identifier: ISC */
/*
 * test_rpcwalk.c: RPC headers, cut messages and lengths that cannot be; what
 * each procedure tells is in test_rpcwalk_nfs23.c and test_rpcwalk_nfs4.c.
 */
#include "rpcwalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "walkkit.h"

/* A handle of NFSv2 has 32 bytes, RFC 1094 2.3.3. */
#define FH2	\
	"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define TOLD2	" fh=" FH2

/* machine "ab", uid 1000, gid 100, two more gids: RFC 5531 appendix A. */
#define SYS	"#1 #32  <4> 'ab' #1000 #100 #2 #100 #101  #0 #0 "

struct row {
	const char	*message;
	const char	*walk;
};

static void
assert_rows(const struct row *rows, size_t n, const struct walkkit_call *c)
{
	size_t i;

	for (i = 0; i < n; i++)
		walkkit_assert(rows[i].message, c, rows[i].walk);
}

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static void
a_call_header_is_read_to_the_uid(void **state)
{
	static const struct row rows[] = {
		/* xid, CALL, RPC 2, NFS 3 GETATTR, credential, verifier */
		{ "#7 #0 #2 #100003 #3 #1 " SYS "'\1\2\3\4'",
		  "call 7 100003.3.1 sys uid=1000 | GETATTR fh=01020304 | " },
		{ "#7 #0 #2 #100003 #3 #0  #0 #0  #0 #0",
		  "call 7 100003.3.0 none | NULL | " },
		/* AUTH_SHORT with three bytes and padding; AUTH_DH verifier */
		{ "#7 #0 #2 #100003 #3 #0  #2 #3 <4>  #3 #5 <8>",
		  "call 7 100003.3.0 2 | NULL | " },
		/* an empty machine name, no gids */
		{ "#7 #0 #2 #100003 #3 #0  #1 #20 <4> #0 #5 #6 #0  #0 #0",
		  "call 7 100003.3.0 sys uid=5 | NULL | " },
		/* RPC-over-TLS probe, RFC 9289 sec. 4.1 */
		{ "#7 #0 #2 #100003 #4 #0  #7 #0  #0 #0",
		  "call 7 100003.4.0 7 | NULL | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
}

static void
what_is_no_call_header_is_not_rpc(void **state)
{
	static const struct row rows[] = {
		{ "#7 #2 #2 #100003 #3 #0  #0 #0  #0 #0", "NOT RPC" },
		{ "#7 #0 #1 #100003 #3 #0  #0 #0  #0 #0", "NOT RPC" },
		{ "#7 #0 #3 #100003 #3 #0  #0 #0  #0 #0", "NOT RPC" },
		/* a credential, a verifier of 401 bytes */
		{ "#7 #0 #2 #100003 #3 #0  #0 #401 <404>  #0 #0", "NOT RPC" },
		{ "#7 #0 #2 #100003 #3 #0  #0 #0  #0 #401 <404>", "NOT RPC" },
		{ "#7 #0 #2 #100003 #3 #0  #0 ffffffff  #0 #0", "NOT RPC" },
		/* a machine name of 256 bytes */
		{ "#7 #0 #2 #100003 #3 #0  #1 #276 <4> #256 <256> #0 #0 #0"
		  "  #0 #0", "NOT RPC" },
		/* a uid that does not fit into the credential */
		{ "#7 #0 #2 #100003 #3 #0  #1 #12 <4> 'abcd' #1000  #0 #0",
		  "NOT RPC" },
		{ "#7 #0 #2 #100003 #3 #0  #1 #0  #0 #0  #0 #0", "NOT RPC" },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
}

static void
the_longest_credential_and_verifier_are_walked(void **state)
{
	static const struct row rows[] = {
		{ "#7 #0 #2 #100003 #3 #0  #3 #400 <400>  #3 #400 <400>",
		  "call 7 100003.3.0 3 | NULL | " },
		/* 16 gids behind a machine name of 255 bytes */
		{ "#7 #0 #2 #100003 #3 #0  #1 #340 <4> #255 <256> #9 #8 "
		  "#16 <64>  #0 #0",
		  "call 7 100003.3.0 sys uid=9 | NULL | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
}

/* RFC 2203 5.2.2: version, gss_proc, seq_num, service, handle. */
#define GSS(proc, service)	\
	"#6 #24 #1 #" #proc " #99 #" #service " 'abcd'  #6 #16 <16> "

static void
gss_arguments_are_read_where_they_can_be(void **state)
{
	static const struct row rows[] = {
		{ "#7 #0 #2 #100003 #3 #1 " GSS(0, 1) "'abcd'",
		  "call 7 100003.3.1 6-none | GETATTR fh=61626364 | " },
		/* databody_integ: length, seq_num, arguments; checksum */
		{ "#7 #0 #2 #100003 #3 #1 " GSS(0, 2) "#12 #99 'abcd' #4 <4>",
		  "call 7 100003.3.1 6-integrity | GETATTR fh=61626364 | " },
		{ "#7 #0 #2 #100003 #3 #1 " GSS(0, 3) "#20 <20>",
		  "call 7 100003.3.1 6-privacy | GETATTR | ENCRYPTED" },
		{ "#7 #0 #2 #100003 #4 #1 " GSS(0, 3) "#20 <20>",
		  "call 7 100003.4.1 6-privacy | COMPOUND | ENCRYPTED" },
		/* RPCSEC_GSS_INIT with a token; its service means nothing */
		{ "#7 #0 #2 #100003 #3 #0 " GSS(1, 9) "#20 <20>",
		  "call 7 100003.3.0 6-control | NULL | " },
		{ "#7 #0 #2 #100003 #3 #0 " GSS(3, 3),
		  "call 7 100003.3.0 6-control | NULL | " },
		/* channel protection, RFC 5403 sec. 2 */
		{ "#7 #0 #2 #100003 #3 #1  #6 #24 #2 #0 #99 #4 'abcd'  #0 #0 "
		  "'abcd'",
		  "call 7 100003.3.1 6-none | GETATTR fh=61626364 | " },
		{ "#7 #0 #2 #100003 #3 #0 " GSS(0, 0), "NOT RPC" },
		{ "#7 #0 #2 #100003 #3 #0 " GSS(0, 5), "NOT RPC" },
		/* version 4 */
		{ "#7 #0 #2 #100003 #3 #0  #6 #20 #4 #0 #99 #1 #0  #0 #0",
		  "NOT RPC" },
		/* a credential that ends before the service */
		{ "#7 #0 #2 #100003 #3 #0  #6 #12 #1 #0 #99  #0 #0 #0 #0",
		  "NOT RPC" },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
}

static void
gss_results_are_read_as_their_call_says(void **state)
{
	static const struct walkkit_call none = { 100003, 3, 3, RPC_SVC_NONE };
	static const struct walkkit_call integrity = {
		100003, 3, 3, RPC_SVC_INTEGRITY
	};
	static const struct walkkit_call privacy = {
		100003, 3, 3, RPC_SVC_PRIVACY
	};
	static const struct walkkit_call control = {
		100003, 3, 0, RPC_SVC_CONTROL
	};

	(void)state;
	walkkit_assert("#7 #1 #0  #6 #4 <4>  #0  #0 'abcd' #0", &none,
	    "reply 7 | LOOKUP/0 fh=61626364 | ");
	walkkit_assert("#7 #1 #0  #6 #4 <4>  #0  #16 #99 #0 'abcd' #0 <8>",
	    &integrity, "reply 7 | LOOKUP/0 fh=61626364 | ");
	walkkit_assert("#7 #1 #0  #6 #4 <4>  #0  #20 <20>", &privacy,
	    "reply 7 | LOOKUP | ENCRYPTED");
	walkkit_assert("#7 #1 #0  #6 #4 <4>  #0  'abcd' #0 #0 #128 #0",
	    &control, "reply 7 | NULL | ");
}

static void
reply_headers_are_read(void **state)
{
	static const struct walkkit_call getattr = { 100003, 3, 1, 0 };
	static const struct row rows[] = {
		{ "#7 #1 #0  #0 #0  #0 #70", "reply 7 | GETATTR/70 | " },
		{ "#7 #1 #0  #2 #5 <8>  #0 #0", "reply 7 | GETATTR/0 | " },
		/* PROG_UNAVAIL, PROG_MISMATCH 2 to 4, SYSTEM_ERR */
		{ "#7 #1 #0  #0 #0  #1", "reply 7 error 1 | " },
		{ "#7 #1 #0  #0 #0  #2 #2 #4", "reply 7 error 2 | " },
		{ "#7 #1 #0  #0 #0  #5", "reply 7 error 5 | " },
		{ "#7 #1 #0  #0 #0  #6", "NOT RPC" },
		/* MSG_DENIED: RPC_MISMATCH 2 to 2, AUTH_TOOWEAK */
		{ "#7 #1 #1  #0 #2 #2", "reply 7 denied 0 | " },
		{ "#7 #1 #1  #1 #5", "reply 7 denied 5 | " },
		{ "#7 #1 #1  #2 #5", "NOT RPC" },
		{ "#7 #1 #2  #0 #0  #0", "NOT RPC" },
		{ "#7 #1 #0  #0 #401 <404>  #0", "NOT RPC" },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), &getattr);
	/* a reply to a call that nobody saw */
	walkkit_assert("#7 #1 #0  #0 #0  #0 #0 <84>", NULL, "reply 7 | ");
}

static void
a_procedure_without_a_table_is_told_by_its_number(void **state)
{
	static const struct walkkit_call klm = { 100020, 1, 2, 0 };
	static const struct row rows[] = {
		{ WALKKIT_CALL(100020, 1, 2) "<40>",
		  "call 7 100020.1.2 none | ?2 | " },
		{ WALKKIT_CALL(100003, 3, 30),
		  "call 7 100003.3.30 none | ?30 | " },
		{ WALKKIT_CALL(100003, 2, 32),
		  "call 7 100003.2.32 none | ?32 | " },
		{ WALKKIT_CALL(100003, 5, 1),
		  "call 7 100003.5.1 none | ?1 | " },
		{ "#7 #0 #2 #100020 #1 #2 " GSS(0, 3) "<8>",
		  "call 7 100020.1.2 6-privacy | ?2 | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
	walkkit_assert(WALKKIT_REPLY "<20>", &klm, "reply 7 | ?2 | ");
}

static void
lengths_that_cannot_be_are_bad(void **state)
{
	static const struct row rows[] = {
		/* a handle of 65 bytes; NFS3_FHSIZE is 64 */
		{ WALKKIT_CALL(100003, 3, 1) "#65 <68>",
		  "call 7 100003.3.1 none | GETATTR cut | BAD" },
		{ WALKKIT_CALL(100003, 3, 3) "'abcd' ffffffff",
		  "call 7 100003.3.3 none | LOOKUP fh=61626364 cut | BAD" },
		{ WALKKIT_CALL(100003, 3, 3) "'abcd' fffffffd",
		  "call 7 100003.3.3 none | LOOKUP fh=61626364 cut | BAD" },
		/* a name of 256 bytes; MAXNAMLEN is 255 */
		{ WALKKIT_CALL(100003, 2, 4) FH2 "#256 <256>",
		  "call 7 100003.2.4 none | LOOKUP" TOLD2 " cut | BAD" },
		{ WALKKIT_CALL(100003, 2, 8) FH2 "#0 #0 #0 ffffffff",
		  "call 7 100003.2.8 none | WRITE o=0" TOLD2 " cut | BAD" },
	};
	static const struct walkkit_call read = { 100003, 3, 6, 0 };
	static const struct walkkit_call lookup = { 100003, 3, 3, 0 };

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
	/* attributes_follow is neither FALSE nor TRUE */
	walkkit_assert(WALKKIT_REPLY "#0 #2 <84> #1 #1 'a'", &read,
	    "reply 7 | READ/0 cut | BAD");
	walkkit_assert(WALKKIT_REPLY "#0 #65 <68>", &lookup,
	    "reply 7 | LOOKUP/0 cut | BAD");
}

/* 0xfffffffc is the longest length whose padding still has 32 bits. */
static void
the_longest_length_of_all_is_passed_over(void **state)
{
	static const char rename[] = WALKKIT_CALL(100003, 3, 14)
	    "'abcd' 'f' 'efgh' fffffffc 6162636465666768";
	char buf[256];

	(void)state;
	assert_string_equal(walkkit_walk(rename, NULL, 76, buf, sizeof(buf)),
	    "call 7 100003.3.14 none | "
	    "RENAME fh=61626364 name=f name2=abcdefgh~ cut | CUT");
}

static void
a_long_name_is_kept_up_to_a_bound(void **state)
{
	static const char name64[] = "0123456789abcdef0123456789abcdef"
	    "0123456789abcdef0123456789abcdef";
	char message[512], walk[512];

	(void)state;
	(void)snprintf(message, sizeof(message),
	    WALKKIT_CALL(100003, 3, 14) "'abcd' '%s' 'efgh' '%s+'",
	    name64, name64);
	(void)snprintf(walk, sizeof(walk), "call 7 100003.3.14 none | "
	    "RENAME fh=61626364 name=%s name2=%s~ | ", name64, name64);
	walkkit_assert(message, NULL, walk);
}

struct cut_row {
	size_t		 seen;
	const char	*walk;
};

static void
a_cut_operation_tells_what_came(void **state)
{
	static const char rename[] = WALKKIT_CALL(100003, 3, 14)
	    "'abcd' 'older' 'efgh' 'newer'";
	static const struct cut_row rows[] = {
		{ 36, "CUT" },		/* in the header */
		{ 40, "RENAME cut | CUT" },
		{ 47, "RENAME cut | CUT" },	/* half a handle is none */
		{ 48, "RENAME fh=61626364 cut | CUT" },
		{ 54, "RENAME fh=61626364 name=ol~ cut | CUT" },
		{ 57, "RENAME fh=61626364 name=older cut | CUT" },
		{ 68, "RENAME fh=61626364 name=older cut | CUT" },
		{ 75, "RENAME fh=61626364 name=older name2=new~ cut | CUT" },
		{ 77, "RENAME fh=61626364 name=older name2=newer | " },
		{ 80, "RENAME fh=61626364 name=older name2=newer | " },
	};
	char buf[256], walk[256];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		(void)snprintf(walk, sizeof(walk), "%s%s", rows[i].seen < 40 ?
		    "" : "call 7 100003.3.14 none | ", rows[i].walk);
		assert_string_equal(walkkit_walk(rename, NULL, rows[i].seen,
		    buf, sizeof(buf)), walk);
	}
}

static void
write_data_need_not_be_seen(void **state)
{
	static const char write[] = WALKKIT_CALL(100003, 3, 7)
	    "'abcd' @0 #8192 #0 #8192 <8192>";
	char buf[256];

	(void)state;
	/* header 40, handle 8, offset 8, count 4, stable 4 */
	assert_string_equal(walkkit_walk(write, NULL, 64, buf, sizeof(buf)),
	    "call 7 100003.3.7 none | WRITE n=8192 o=0 s=0 fh=61626364 | ");
	assert_string_equal(walkkit_walk(write, NULL, 63, buf, sizeof(buf)),
	    "call 7 100003.3.7 none | WRITE n=8192 o=0 fh=61626364 cut | CUT");
}

/* The message's length then tells the size of the data. */
static void
a_write_cut_before_its_count_tells_where_its_data_begins(void **state)
{
	/* header 40, handle 4 + 4, offset 8, count 4, stable 4, length 4 */
	static const char write3[] = WALKKIT_CALL(100003, 3, 7)
	    "'abcd' @0 #8192 #0 #8192 <8192>";
	/* header 40, handle 32, beginoffset, offset, totalcount, length 16 */
	static const char write2[] = WALKKIT_CALL(100003, 2, 8)
	    FH2 "#0 #4096 #0 #8192 <8192>";
	char buf[256];
	size_t seen;

	(void)state;
	for (seen = 48; seen < 60; seen++)
		assert_string_equal(walkkit_walk(write3, NULL, seen, buf,
		    sizeof(buf)), seen < 56 ?
		    "call 7 100003.3.7 none | "
		    "WRITE data@68 fh=61626364 cut | CUT" :
		    "call 7 100003.3.7 none | "
		    "WRITE o=0 data@68 fh=61626364 cut | CUT");
	for (seen = 72; seen < 88; seen++)
		assert_string_equal(walkkit_walk(write2, NULL, seen, buf,
		    sizeof(buf)), seen < 80 ?
		    "call 7 100003.2.8 none | "
		    "WRITE data@88" TOLD2 " cut | CUT" :
		    "call 7 100003.2.8 none | "
		    "WRITE o=4096 data@88" TOLD2 " cut | CUT");
	/* of a handle in the middle the length is known, before it is not */
	assert_string_equal(walkkit_walk(write3, NULL, 45, buf, sizeof(buf)),
	    "call 7 100003.3.7 none | WRITE data@68 cut | CUT");
	assert_string_equal(walkkit_walk(write3, NULL, 43, buf, sizeof(buf)),
	    "call 7 100003.3.7 none | WRITE cut | CUT");
}

static void
nobody(void *ctx, struct rpcwalk *w, const struct rpc_header *h)
{
	(void)ctx;
	(void)w;
	(void)h;
}

static void
nothing(void *ctx, struct rpcwalk *w, const struct rpc_op *op)
{
	(void)ctx;
	(void)w;
	(void)op;
}

static void
the_struct_is_small_and_an_empty_message_is_cut(void **state)
{
	static const struct rpcwalk_listener deaf = { nobody, nothing };
	struct rpcwalk w;

	(void)state;
	assert_true(sizeof(struct rpcwalk) <= 512);
	rpcwalk_start(&w);
	assert_int_equal(w.state, RPCWALK_HEADER);
	assert_int_equal(rpcwalk_indifferent(&w), 0);
	rpcwalk_feed(&w, NULL, 0, &deaf, NULL);
	rpcwalk_skip(&w, 0, &deaf, NULL);
	assert_int_equal(w.state, RPCWALK_HEADER);
	rpcwalk_end(&w, &deaf, NULL);
	assert_int_equal(w.state, RPCWALK_CUT);
	rpcwalk_start(&w);
	rpcwalk_skip(&w, UINT32_MAX, &deaf, NULL);
	assert_int_equal(w.state, RPCWALK_CUT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_header_is_read_to_the_uid),
		cmocka_unit_test(what_is_no_call_header_is_not_rpc),
		cmocka_unit_test(
		    the_longest_credential_and_verifier_are_walked),
		cmocka_unit_test(gss_arguments_are_read_where_they_can_be),
		cmocka_unit_test(gss_results_are_read_as_their_call_says),
		cmocka_unit_test(reply_headers_are_read),
		cmocka_unit_test(
		    a_procedure_without_a_table_is_told_by_its_number),
		cmocka_unit_test(lengths_that_cannot_be_are_bad),
		cmocka_unit_test(the_longest_length_of_all_is_passed_over),
		cmocka_unit_test(a_long_name_is_kept_up_to_a_bound),
		cmocka_unit_test(a_cut_operation_tells_what_came),
		cmocka_unit_test(write_data_need_not_be_seen),
		cmocka_unit_test(
		    a_write_cut_before_its_count_tells_where_its_data_begins),
		cmocka_unit_test(
		    the_struct_is_small_and_an_empty_message_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

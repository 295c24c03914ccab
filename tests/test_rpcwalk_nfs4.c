/* SPDX-License-Identifier: ISC */
/*
 * test_rpcwalk_nfs4.c: COMPOUND, and the operations of NFSv4.0 (RFC 7530);
 * later ones are in test_rpcwalk_nfs42.c.
 */
#include "rpcwalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compoundkit.h"
#include "walkkit.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* Arguments, by the sections of RFC 7530 sec. 16. */
static const struct compoundkit_row arguments[] = {
	{ 3, "#63", "ACCESS" },
	/* CLOSE: seqid, open_stateid */
	{ 4, "#9 " STATEID, "CLOSE" },
	{ 5, "@8192 #4096", "COMMIT n=4096 o=8192" },
	/* CREATE: createtype4, objname, createattrs */
	{ 6, "#5 'target' 'link' " FATTR, "CREATE name=link" },
	{ 6, "#3 #8 #1 'blk' " FATTR, "CREATE name=blk" },
	{ 6, "#4 #5 #1 'chr' " FATTR, "CREATE name=chr" },
	{ 6, "#2 'dir' " FATTR, "CREATE name=dir" },
	{ 6, "#6 'sock' #0 #0", "CREATE name=sock" },
	{ 6, "#99 'bad' #0 #0", "CREATE name=bad" },
	{ 7, "@77", "DELEGPURGE" },
	{ 8, STATEID, "DELEGRETURN" },
	{ 9, "#2 #16 #2097152", "GETATTR" },
	{ 9, "#0", "GETATTR" },
	{ 10, "", "GETFH" },
	{ 11, "'new'", "LINK name=new" },
	/* LOCK: locktype, reclaim, offset, length, locker4 */
	{ 12, "#2 #0 @0 @100  #1 #5 " STATEID " #6 " OWNER, "LOCK" },
	{ 12, "#2 #0 @0 @100  #0 " STATEID " #6", "LOCK" },
	{ 13, "#1 @0 @100 " OWNER, "LOCKT" },
	{ 14, "#1 #7 " STATEID " @0 @100", "LOCKU" },
	{ 15, "'name'", "LOOKUP name=name" },
	{ 15, "''", "LOOKUP" },
	{ 16, "", "LOOKUPP" },
	{ 17, FATTR, "NVERIFY" },
	/*
	 * OPEN: seqid, share_access, share_deny, owner; openflag4 with
	 * createhow4; open_claim4
	 */
	{ 18, "#1 #1 #0 " OWNER " #0 #0 'f'", "OPEN name=f" },
	{ 18, "#1 #3 #0 " OWNER " #1 #0 " FATTR " #0 'f'", "OPEN name=f" },
	{ 18, "#1 #3 #0 " OWNER " #1 #1 " FATTR " #0 'f'", "OPEN name=f" },
	{ 18, "#1 #3 #0 " OWNER " #1 #2 <8> #0 'f'", "OPEN name=f" },
	{ 18, "#1 #3 #0 " OWNER " #1 #3 <8> " FATTR " #0 'f'",
	  "OPEN name=f" },
	{ 18, "#1 #1 #0 " OWNER " #0 #1 #1", "OPEN" },
	{ 18, "#1 #1 #0 " OWNER " #0 #2 " STATEID " 'g'", "OPEN name=g" },
	{ 18, "#1 #1 #0 " OWNER " #0 #3 'h'", "OPEN name=h" },
	{ 18, "#1 #1 #0 " OWNER " #0 #4", "OPEN" },
	{ 18, "#1 #1 #0 " OWNER " #0 #5 " STATEID, "OPEN" },
	{ 18, "#1 #1 #0 " OWNER " #0 #6", "OPEN" },
	{ 19, "#1", "OPENATTR" },
	{ 20, STATEID " #2", "OPEN_CONFIRM" },
	{ 21, STATEID " #2 #1 #0", "OPEN_DOWNGRADE" },
	{ 22, "'abcd'", "PUTFH fh=61626364" },
	{ 23, "", "PUTPUBFH" },
	{ 24, "", "PUTROOTFH" },
	{ 25, STATEID " @1048576 #65536", "READ n=65536 o=1048576" },
	/* READDIR: cookie, cookieverf, dircount, maxcount, attr_request */
	{ 26, "@0 <8> #8170 #32680 #2 #16 #32", "READDIR" },
	{ 27, "", "READLINK" },
	{ 28, "'gone'", "REMOVE name=gone" },
	{ 29, "'old' 'new'", "RENAME name=old name2=new" },
	{ 30, "@77", "RENEW" },
	{ 31, "", "RESTOREFH" },
	{ 32, "", "SAVEFH" },
	{ 33, "'dir'", "SECINFO name=dir" },
	{ 34, STATEID FATTR, "SETATTR" },
	/* SETCLIENTID: verifier, id; cb_program, r_netid, r_addr; ident */
	{ 35, "<8> 'Linux client' #1073741824 'tcp' '10.0.0.1.3.4' #1",
	  "SETCLIENTID" },
	{ 36, "@77 <8>", "SETCLIENTID_CONFIRM" },
	{ 37, FATTR, "VERIFY" },
	/* WRITE: stateid, offset, stable, data */
	{ 38, STATEID " @4096 #0 'hello'", "WRITE n=5 o=4096 s=0" },
	{ 38, STATEID " @18446744073709551615 #2 #0",
	  "WRITE n=0 o=18446744073709551615 s=2" },
	{ 39, OWNER, "RELEASE_LOCKOWNER" },
	{ 10044, "", "ILLEGAL" },
};

#define DENIED	"@0 @100 #2 " OWNER	/* LOCK4denied */

static const struct compoundkit_row results[] = {
	{ 3, "#0 #31 #3", "ACCESS/0" },
	{ 4, "#0 " STATEID, "CLOSE/0" },
	{ 5, "#0 0102030405060708", "COMMIT/0 v=0102030405060708" },
	{ 5, "#5", "COMMIT/5" },
	{ 6, "#0 " CINFO " #2 #0 #2", "CREATE/0" },
	{ 7, "#0", "DELEGPURGE/0" },
	{ 8, "#0", "DELEGRETURN/0" },
	{ 9, "#0 " FATTR, "GETATTR/0" },
	{ 10, "#0 'abcd'", "GETFH/0 fh=61626364" },
	{ 11, "#0 " CINFO, "LINK/0" },
	{ 12, "#0 " STATEID, "LOCK/0" },
	/* NFS4ERR_DENIED, NFS4ERR_GRACE */
	{ 12, "#10010 " DENIED, "LOCK/10010" },
	{ 12, "#10013", "LOCK/10013" },
	{ 13, "#0", "LOCKT/0" },
	{ 13, "#10010 " DENIED, "LOCKT/10010" },
	{ 14, "#0 " STATEID, "LOCKU/0" },
	{ 15, "#0", "LOOKUP/0" },
	{ 15, "#2", "LOOKUP/2" },
	{ 16, "#0", "LOOKUPP/0" },
	{ 17, "#10009", "NVERIFY/10009" },
	/* OPEN: stateid, cinfo, rflags, attrset, open_delegation4 */
	{ 18, "#0 " STATEID CINFO " #4 #1 #0 #0", "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #1 " STATEID " #0 " ACE,
	  "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #2 " STATEID " #0 #1 @4096 " ACE,
	  "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #2 " STATEID " #0 #2 #8 #512 " ACE,
	  "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #3 #1 #1", "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #3 #2 #0", "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #3 #4", "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #4 " STATEID " #0 " ACE,
	  "OPEN/0" },
	{ 18, "#0 " STATEID CINFO " #4 #0 #5 " STATEID " #0 #1 @4096 " ACE,
	  "OPEN/0" },
	{ 18, "#10013", "OPEN/10013" },
	{ 19, "#0", "OPENATTR/0" },
	{ 20, "#0 " STATEID, "OPEN_CONFIRM/0" },
	{ 21, "#0 " STATEID, "OPEN_DOWNGRADE/0" },
	{ 22, "#70", "PUTFH/70" },
	{ 23, "#0", "PUTPUBFH/0" },
	{ 24, "#0", "PUTROOTFH/0" },
	/* READ: eof, data */
	{ 25, "#0 #1 'hello'", "READ/0 n=5" },
	{ 25, "#0 #0 #0", "READ/0 n=0" },
	{ 25, "#10008", "READ/10008" },
	/* READDIR: cookieverf, entries (cookie, name, attrs), eof */
	{ 26, "#0 <8> #1 @3 'a' " FATTR " #1 @4 'bcdef' " FATTR " #0 #1",
	  "READDIR/0" },
	{ 26, "#0 <8> #0 #1", "READDIR/0" },
	{ 27, "#0 'target'", "READLINK/0" },
	{ 28, "#0 " CINFO, "REMOVE/0" },
	{ 29, "#0 " CINFO CINFO, "RENAME/0" },
	{ 30, "#0", "RENEW/0" },
	{ 31, "#0", "RESTOREFH/0" },
	{ 32, "#0", "SAVEFH/0" },
	/* SECINFO: AUTH_SYS; RPCSEC_GSS with OID, QOP and service */
	{ 33, "#0 #2 #1 #6 '123456789' #0 #3", "SECINFO/0" },
	{ 33, "#0 #0", "SECINFO/0" },
	/* SETATTR: attrsset stands there after an error too */
	{ 34, "#0 #2 #16 #0", "SETATTR/0" },
	{ 34, "#13 #0", "SETATTR/13" },
	{ 34, "#13 #1 #16", "SETATTR/13" },
	{ 35, "#0 @77 <8>", "SETCLIENTID/0" },
	/* NFS4ERR_CLID_INUSE: who uses it */
	{ 35, "#10017 'tcp' '10.0.0.1.3.4'", "SETCLIENTID/10017" },
	{ 35, "#10006", "SETCLIENTID/10006" },
	{ 36, "#0", "SETCLIENTID_CONFIRM/0" },
	{ 37, "#10027", "VERIFY/10027" },
	/* WRITE: count, committed, writeverf */
	{ 38, "#0 #5 #2 0102030405060708",
	  "WRITE/0 n=5 s=2 v=0102030405060708" },
	{ 38, "#28", "WRITE/28" },
	{ 39, "#0", "RELEASE_LOCKOWNER/0" },
	{ 10044, "#10044", "ILLEGAL/10044" },
};

static void
arguments_of_every_nfs40_operation_are_walked_to_their_end(void **state)
{
	(void)state;
	compoundkit_arguments(arguments, COUNT(arguments), 0);
	compoundkit_covers(arguments, COUNT(arguments), 3, 39);
}

static void
results_of_every_nfs40_operation_are_walked_to_their_end(void **state)
{
	(void)state;
	compoundkit_results(results, COUNT(results), 0);
	compoundkit_covers(results, COUNT(results), 3, 39);
}

/* RFC 7530 sec. 15.2 */
static void
a_compound_is_told_before_its_operations(void **state)
{
	static const struct walkkit_call compound = { 100003, 4, 1, 0 };
	static const struct walkkit_call ping = { 100003, 4, 0, 0 };

	(void)state;
	walkkit_assert(WALKKIT_CALL(100003, 4, 0), NULL,
	    "call 7 100003.4.0 none | NULL | ");
	walkkit_assert(WALKKIT_REPLY, &ping, "reply 7 | NULL | ");
	walkkit_assert(WALKKIT_CALL(100003, 4, 1) "'' #0 #0", NULL,
	    "call 7 100003.4.1 none | COMPOUND | ");
	/* NFS4ERR_MINOR_VERS_MISMATCH: no results */
	walkkit_assert(WALKKIT_REPLY "#10021 '' #0", &compound,
	    "reply 7 | COMPOUND/10021 | ");
	/* the failing operation is the last; its status is the whole's */
	walkkit_assert(WALKKIT_REPLY "#2 'a long tag' #2 #22 #0 #15 #2",
	    &compound, "reply 7 | COMPOUND/2 | PUTFH/0 | LOOKUP/2 | ");
}

static void
gss_integrity_wraps_a_compound(void **state)
{
	static const struct walkkit_call call = {
		100003, 4, 1, RPC_SVC_INTEGRITY
	};

	(void)state;
	walkkit_assert("#7 #0 #2 #100003 #4 #1  #6 #20 #1 #0 #9 #2 #0 "
	    "#6 #0  #20 #9 '' #0 #1 #24  #4 <4>", NULL,
	    "call 7 100003.4.1 6-integrity | COMPOUND | PUTROOTFH | ");
	walkkit_assert("#7 #1 #0  #6 #0  #0  #24 #9 #0 '' #1 #24 #0  #4 <4>",
	    &call, "reply 7 | COMPOUND/0 | PUTROOTFH/0 | ");
}

/* One operation without a grammar leaves the rest unread, but is no error. */
static void
an_unknown_operation_ends_the_walk_without_being_malformed(void **state)
{
	static const struct walkkit_call compound = { 100003, 4, 1, 0 };

	(void)state;
	walkkit_assert(WALKKIT_CALL(100003, 4, 1)
	    "'' #2 #3 #24 #76 <16> #38 " STATEID " @0 #0 'data'", NULL,
	    "call 7 100003.4.1 none | COMPOUND | PUTROOTFH | ?76 cut | "
	    "UNKNOWN");
	walkkit_assert(WALKKIT_CALL(100003, 4, 1) "'' #0 #1 #2", NULL,
	    "call 7 100003.4.1 none | COMPOUND | ?2 cut | UNKNOWN");
	walkkit_assert(WALKKIT_REPLY "#0 '' #3 #24 #0 #2147483648 #0",
	    &compound,
	    "reply 7 | COMPOUND/0 | PUTROOTFH/0 | ?2147483648 cut | UNKNOWN");
}

static void
a_bad_value_cuts_its_operation_alone(void **state)
{
	static const struct walkkit_call compound = { 100003, 4, 1, 0 };
	static const char *const bad[][2] = {
		/* a claim type, a createmode, a locker that do not exist */
		{ "#18 #1 #1 #0 " OWNER " #0 #7", "OPEN" },
		{ "#18 #1 #1 #0 " OWNER " #1 #4", "OPEN" },
		{ "#12 #2 #0 @0 @100  #2", "LOCK" },
		/* NFS4_FHSIZE is 128, NFS4_OPAQUE_LIMIT 1024 */
		{ "#22 #129 <132>", "PUTFH" },
		{ "#39 @77 #1025 <1028>", "RELEASE_LOCKOWNER" },
		{ "#9 #1073741824", "GETATTR" },
		{ "#9 ffffffff", "GETATTR" },
		{ "#15 ffffffff", "LOOKUP" },
		{ "#38 " STATEID " @4096 #0 fffffffd", "WRITE o=4096 s=0" },
	};
	char message[4096], walk[256];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++) {
		(void)snprintf(message, sizeof(message),
		    WALKKIT_CALL(100003, 4, 1) "'' #0 #3 #24 %s #24",
		    bad[i][0]);
		(void)snprintf(walk, sizeof(walk),
		    "call 7 100003.4.1 none | COMPOUND | PUTROOTFH | "
		    "%s cut | BAD", bad[i][1]);
		walkkit_assert(message, NULL, walk);
	}
	/* READDIR: an entry that neither follows nor does not */
	walkkit_assert(WALKKIT_REPLY "#0 '' #2 #26 #0 <8> #2 #24 #0",
	    &compound, "reply 7 | COMPOUND/0 | READDIR/0 cut | BAD");
	/* more operations than can be counted */
	walkkit_assert(WALKKIT_CALL(100003, 4, 1) "'' #0 #65536 #24", NULL,
	    "call 7 100003.4.1 none | COMPOUND | BAD");
}

static void
counts_that_no_message_can_hold_do_not_keep_the_walk_busy(void **state)
{
	static const struct walkkit_call compound = { 100003, 4, 1, 0 };

	(void)state;
	walkkit_assert(WALKKIT_CALL(100003, 4, 1) "'' #0 #65535 #24 #24", NULL,
	    "call 7 100003.4.1 none | COMPOUND | PUTROOTFH | PUTROOTFH | "
	    "CUT");
	/* SECINFO results, each at least a flavor */
	walkkit_assert(WALKKIT_REPLY "#0 '' #1 #33 #0 ffffffff #1 #1 #1",
	    &compound, "reply 7 | COMPOUND/0 | SECINFO/0 cut | CUT");
}

/* WRITE is told when its length is known, and its data need not be seen. */
static void
file_data_may_be_skipped(void **state)
{
	static const struct walkkit_call compound = { 100003, 4, 1, 0 };
	static const char write[] = WALKKIT_CALL(100003, 4, 1)
	    "'' #1 #3 #22 'abcd' #38 " STATEID " @0 #0 #4096 <4096> #9 #0";
	static const char last[] = WALKKIT_CALL(100003, 4, 1)
	    "'' #1 #1 #38 " STATEID " @0 #0 #4096 <4096>";
	static const char read[] = WALKKIT_REPLY
	    "#0 '' #2 #22 #0 #25 #0 #1 #4096 <4096>";
	char buf[256];

	(void)state;
	walkkit_assert(write, NULL, "call 7 100003.4.1 none | COMPOUND | "
	    "PUTFH fh=61626364 | WRITE n=4096 o=0 s=0 | GETATTR | ");
	/* header 40, COMPOUND 12, PUTFH 12, WRITE 4 + 16 + 8 + 4 + 4 */
	assert_string_equal(walkkit_walk(write, NULL, 100, buf, sizeof(buf)),
	    "call 7 100003.4.1 none | COMPOUND | "
	    "PUTFH fh=61626364 | WRITE n=4096 o=0 s=0 | CUT");
	assert_string_equal(walkkit_walk(last, NULL, 88, buf, sizeof(buf)),
	    "call 7 100003.4.1 none | COMPOUND | WRITE n=4096 o=0 s=0 | ");
	/* header 24, COMPOUND 12, PUTFH 8, READ 16 */
	assert_string_equal(walkkit_walk(read, &compound, 60, buf,
	    sizeof(buf)),
	    "reply 7 | COMPOUND/0 | PUTFH/0 | READ/0 n=4096 | ");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    arguments_of_every_nfs40_operation_are_walked_to_their_end),
		cmocka_unit_test(
		    results_of_every_nfs40_operation_are_walked_to_their_end),
		cmocka_unit_test(a_compound_is_told_before_its_operations),
		cmocka_unit_test(gss_integrity_wraps_a_compound),
		cmocka_unit_test(
		    an_unknown_operation_ends_the_walk_without_being_malformed),
		cmocka_unit_test(a_bad_value_cuts_its_operation_alone),
		cmocka_unit_test(
		    counts_that_no_message_can_hold_do_not_keep_the_walk_busy),
		cmocka_unit_test(file_data_may_be_skipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

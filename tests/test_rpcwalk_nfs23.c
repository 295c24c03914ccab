/* SPDX-License-Identifier: ISC */
/*
 * test_rpcwalk_nfs23.c: what the procedures of NFSv2, NFSv3 and the programs
 * beside them tell, message by message.
 */
#include "rpcwalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "walkkit.h"

/* fattr3 (RFC 1813 2.5.5) is 84 bytes, wcc_attr (2.5.7) 24. */
#define FATTR3	"<84>"
#define WCC	"#1 <24> #1" FATTR3

/* A handle of NFSv2 has 32 bytes, RFC 1094 2.3.3. */
#define FH2	\
	"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define TOLD2	" fh=" FH2

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

/* RFC 1813 3.3; a handle of four bytes, and of the longest. */
static void
nfs3_arguments_are_told(void **state)
{
	static const struct row rows[] = {
		/* SETATTR: object, new_attributes, guard */
		{ WALKKIT_CALL(100003, 3, 2) "'abcd' #0 #0 #0 #0 #0 #0 #0",
		  "call 7 100003.3.2 none | SETATTR fh=61626364 | " },
		{ WALKKIT_CALL(100003, 3, 3) "'abc' 'name'",
		  "call 7 100003.3.3 none | LOOKUP fh=616263 name=name | " },
		{ WALKKIT_CALL(100003, 3, 4) "'abcd' #63",
		  "call 7 100003.3.4 none | ACCESS fh=61626364 | " },
		{ WALKKIT_CALL(100003, 3, 5) "'abcd'",
		  "call 7 100003.3.5 none | READLINK fh=61626364 | " },
		/* READ: file, offset, count */
		{ WALKKIT_CALL(100003, 3, 6) "'abcd' @4294967296 #8192",
		  "call 7 100003.3.6 none | "
		  "READ n=8192 o=4294967296 fh=61626364 | " },
		/* WRITE: file, offset, count, stable, data */
		{ WALKKIT_CALL(100003, 3, 7)
		  "'abcd' @4096 #5 #2 #5 0102030405000000",
		  "call 7 100003.3.7 none | "
		  "WRITE n=5 o=4096 s=2 fh=61626364 | " },
		/* CREATE: where, how */
		{ WALKKIT_CALL(100003, 3, 8) "'abcd' 'f' #2 <8>",
		  "call 7 100003.3.8 none | CREATE fh=61626364 name=f | " },
		{ WALKKIT_CALL(100003, 3, 9) "'abcd' 'dir' <24>",
		  "call 7 100003.3.9 none | MKDIR fh=61626364 name=dir | " },
		{ WALKKIT_CALL(100003, 3, 10) "'abcd' 'sl' <24> 'target'",
		  "call 7 100003.3.10 none | SYMLINK fh=61626364 name=sl | " },
		{ WALKKIT_CALL(100003, 3, 11) "'abcd' 'fifo' #7 <24>",
		  "call 7 100003.3.11 none | MKNOD fh=61626364 name=fifo | " },
		{ WALKKIT_CALL(100003, 3, 12) "'abcd' 'f'",
		  "call 7 100003.3.12 none | REMOVE fh=61626364 name=f | " },
		{ WALKKIT_CALL(100003, 3, 13) "'abcd' 'd'",
		  "call 7 100003.3.13 none | RMDIR fh=61626364 name=d | " },
		{ WALKKIT_CALL(100003, 3, 14) "'abcd' 'old' 'efgh' 'newer'",
		  "call 7 100003.3.14 none | "
		  "RENAME fh=61626364 name=old name2=newer | " },
		/* LINK: file, link.dir, link.name */
		{ WALKKIT_CALL(100003, 3, 15) "'abcd' 'efgh' 'hard'",
		  "call 7 100003.3.15 none | LINK fh=61626364 name=hard | " },
		{ WALKKIT_CALL(100003, 3, 16) "'abcd' @0 <8> #4096",
		  "call 7 100003.3.16 none | READDIR fh=61626364 | " },
		{ WALKKIT_CALL(100003, 3, 17) "'abcd' @0 <8> #4096 #8192",
		  "call 7 100003.3.17 none | READDIRPLUS fh=61626364 | " },
		{ WALKKIT_CALL(100003, 3, 18) "'abcd'",
		  "call 7 100003.3.18 none | FSSTAT fh=61626364 | " },
		{ WALKKIT_CALL(100003, 3, 19) "'abcd'",
		  "call 7 100003.3.19 none | FSINFO fh=61626364 | " },
		{ WALKKIT_CALL(100003, 3, 20) "'abcd'",
		  "call 7 100003.3.20 none | PATHCONF fh=61626364 | " },
		/* COMMIT: file, offset, count */
		{ WALKKIT_CALL(100003, 3, 21) "'abcd' @8 #0",
		  "call 7 100003.3.21 none | "
		  "COMMIT n=0 o=8 fh=61626364 | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
}

struct result_row {
	uint32_t	proc;
	const char	*results;
	const char	*walk;
};

static void
assert_results(const struct result_row *rows, size_t n, uint32_t prog,
    uint32_t vers)
{
	struct walkkit_call c = { prog, vers, 0, RPC_SVC_PLAIN };
	char message[4096], walk[4096];
	size_t i;

	for (i = 0; i < n; i++) {
		c.proc = rows[i].proc;
		(void)snprintf(message, sizeof(message), WALKKIT_REPLY "%s",
		    rows[i].results);
		(void)snprintf(walk, sizeof(walk), "reply 7 | %s",
		    rows[i].walk);
		walkkit_assert(message, &c, walk);
	}
}

static void
nfs3_results_are_told(void **state)
{
	static const struct result_row rows[] = {
		{ 0, "", "NULL | " },
		{ 1, "#0 " FATTR3, "GETATTR/0 | " },
		{ 2, "#0 " WCC, "SETATTR/0 | " },
		/* LOOKUP: object, its attributes, the directory's */
		{ 3, "#0 'abcd' #1" FATTR3 "#0", "LOOKUP/0 fh=61626364 | " },
		{ 3, "#2 #1" FATTR3, "LOOKUP/2 | " },
		{ 4, "#0 #0 #31", "ACCESS/0 | " },
		{ 5, "#0 #0 'target'", "READLINK/0 | " },
		/* READ: attributes, count, eof, data */
		{ 6, "#0 #1" FATTR3 "#5 #1 'hello'", "READ/0 n=5 | " },
		{ 6, "#0 #0 #0 #1 #0", "READ/0 n=0 | " },
		{ 6, "#10008 #0", "READ/10008 | " },
		/* WRITE: file_wcc, count, committed, verf */
		{ 7, "#0 " WCC "#8192 #0 0102030405060708",
		  "WRITE/0 n=8192 s=0 v=0102030405060708 | " },
		{ 7, "#0 #0 #0 #1 #2 <8>",
		  "WRITE/0 n=1 s=2 v=eeeeeeeeeeeeeeee | " },
		{ 7, "#28 " WCC, "WRITE/28 | " },
		/* CREATE: obj, obj_attributes, dir_wcc */
		{ 8, "#0 #1 'abcd' #1" FATTR3 WCC,
		  "CREATE/0 fh=61626364 | " },
		{ 8, "#0 #0 #0 " WCC, "CREATE/0 | " },
		{ 9, "#0 #1 'ab' #0 #0 #0", "MKDIR/0 fh=6162 | " },
		{ 10, "#0 #1 'ab' #0 #0 #0", "SYMLINK/0 fh=6162 | " },
		{ 11, "#17 #0 #0", "MKNOD/17 | " },
		{ 12, "#0 " WCC, "REMOVE/0 | " },
		{ 13, "#66 " WCC, "RMDIR/66 | " },
		{ 14, "#0 " WCC WCC, "RENAME/0 | " },
		{ 15, "#0 #0 " WCC, "LINK/0 | " },
		{ 16, "#0 #0 <8> #0 #1", "READDIR/0 | " },
		{ 17, "#0 #0 <8> #0 #1", "READDIRPLUS/0 | " },
		{ 18, "#0 #0 <52>", "FSSTAT/0 | " },
		{ 19, "#0 #0 <48>", "FSINFO/0 | " },
		{ 20, "#0 #0 <24>", "PATHCONF/0 | " },
		/* COMMIT: file_wcc, verf */
		{ 21, "#0 " WCC "1112131415161718",
		  "COMMIT/0 v=1112131415161718 | " },
	};

	(void)state;
	assert_results(rows, COUNT(rows), 100003, 3);
}

/* RFC 1094 2.2 and 2.3. */
static void
nfs2_arguments_are_told(void **state)
{
	static const struct row rows[] = {
		{ WALKKIT_CALL(100003, 2, 1) FH2,
		  "call 7 100003.2.1 none | GETATTR" TOLD2 " | " },
		{ WALKKIT_CALL(100003, 2, 2) FH2 "<32>",
		  "call 7 100003.2.2 none | SETATTR" TOLD2 " | " },
		{ WALKKIT_CALL(100003, 2, 3),
		  "call 7 100003.2.3 none | ROOT | " },
		{ WALKKIT_CALL(100003, 2, 4) FH2 "'name'",
		  "call 7 100003.2.4 none | LOOKUP" TOLD2 " name=name | " },
		/* READ: file, offset, count, totalcount */
		{ WALKKIT_CALL(100003, 2, 6) FH2 "#4294967295 #8192 #0",
		  "call 7 100003.2.6 none | "
		  "READ n=8192 o=4294967295" TOLD2 " | " },
		{ WALKKIT_CALL(100003, 2, 7),
		  "call 7 100003.2.7 none | WRITECACHE | " },
		/* WRITE: file, beginoffset, offset, totalcount, data */
		{ WALKKIT_CALL(100003, 2, 8) FH2 "#77 #8192 #88 'hello'",
		  "call 7 100003.2.8 none | WRITE n=5 o=8192" TOLD2 " | " },
		/* RENAME: from, to */
		{ WALKKIT_CALL(100003, 2, 11) FH2 "'old' <32> 'new'",
		  "call 7 100003.2.11 none | "
		  "RENAME" TOLD2 " name=old name2=new | " },
		/* LINK: from, to */
		{ WALKKIT_CALL(100003, 2, 12) FH2 "<32> 'hard'",
		  "call 7 100003.2.12 none | LINK" TOLD2 " name=hard | " },
		{ WALKKIT_CALL(100003, 2, 17) FH2,
		  "call 7 100003.2.17 none | STATFS" TOLD2 " | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
}

static void
nfs2_results_are_told(void **state)
{
	static const struct result_row rows[] = {
		{ 0, "", "NULL | " },
		{ 1, "#0 <68>", "GETATTR/0 | " },
		{ 4, "#0 " FH2 "<68>", "LOOKUP/0" TOLD2 " | " },
		{ 4, "#2", "LOOKUP/2 | " },
		/* READ: attributes of 17 words, data */
		{ 6, "#0 <68> 'hello'", "READ/0 n=5 | " },
		{ 8, "#0 <68>", "WRITE/0 | " },
		{ 9, "#0 " FH2 "<68>", "CREATE/0" TOLD2 " | " },
		{ 14, "#0 " FH2 "<68>", "MKDIR/0" TOLD2 " | " },
		{ 17, "#0 <20>", "STATFS/0 | " },
	};

	(void)state;
	assert_results(rows, COUNT(rows), 100003, 2);
}

static void
mount_tells_paths_and_handles(void **state)
{
	static const struct row rows[] = {
		{ WALKKIT_CALL(100005, 1, 1) "'/export'",
		  "call 7 100005.1.1 none | MNT name=/export | " },
		{ WALKKIT_CALL(100005, 3, 1) "'/export/home'",
		  "call 7 100005.3.1 none | MNT name=/export/home | " },
		{ WALKKIT_CALL(100005, 3, 3) "'/export/home'",
		  "call 7 100005.3.3 none | UMNT name=/export/home | " },
		{ WALKKIT_CALL(100005, 3, 5),
		  "call 7 100005.3.5 none | EXPORT | " },
		/* dirpath<1024> */
		{ WALKKIT_CALL(100005, 3, 1) "#1025 <1028>",
		  "call 7 100005.3.1 none | MNT cut | BAD" },
	};
	static const struct result_row v1[] = {
		{ 1, "#0 " FH2, "MNT/0" TOLD2 " | " },
		{ 1, "#13", "MNT/13 | " },
		{ 3, "", "UMNT | " },
	};
	static const struct result_row v3[] = {
		/* fhandle, auth_flavors<> */
		{ 1, "#0 'abcd' #2 #1 #6", "MNT/0 fh=61626364 | " },
		{ 1, "#13", "MNT/13 | " },
		{ 2, "#0", "DUMP | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
	assert_results(v1, COUNT(v1), 100005, 1);
	assert_results(v3, COUNT(v3), 100005, 3);
}

/* RFC 1833 sec. 3.1: prog, vers, prot, port. */
static void
portmap_tells_what_is_where(void **state)
{
	static const struct row rows[] = {
		{ WALKKIT_CALL(100000, 2, 3) "#100003 #3 #6 #0",
		  "call 7 100000.2.3 none | GETPORT map=100003.3/6 | " },
		{ WALKKIT_CALL(100000, 2, 1) "#100005 #3 #17 #635",
		  "call 7 100000.2.1 none | "
		  "SET map=100005.3/17 port=635 | " },
		/* CALLIT: prog, vers, proc, args */
		{ WALKKIT_CALL(100000, 2, 5) "#100005 #1 #0 #0",
		  "call 7 100000.2.5 none | CALLIT map=100005.1/0 | " },
		{ WALKKIT_CALL(100000, 2, 4),
		  "call 7 100000.2.4 none | DUMP | " },
	};
	static const struct result_row results[] = {
		{ 3, "#2049", "GETPORT port=2049 | " },
		{ 3, "#0", "GETPORT | " },
		{ 5, "#635 #0", "CALLIT port=635 | " },
		{ 1, "#1", "SET | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
	assert_results(results, COUNT(results), 100000, 2);
}

/* RFC 1833 sec. 2.1: r_prog, r_vers, r_netid, r_addr, r_owner. */
static void
rpcbind_tells_what_is_where(void **state)
{
	static const struct row rows[] = {
		{ WALKKIT_CALL(100000, 3, 3) "#100003 #3 'tcp' '' ''",
		  "call 7 100000.3.3 none | GETADDR map=100003.3/6 | " },
		{ WALKKIT_CALL(100000, 4, 3) "#100003 #4 'udp6' '' ''",
		  "call 7 100000.4.3 none | GETADDR map=100003.4/17 | " },
		{ WALKKIT_CALL(100000, 4, 9) "#100003 #4 'rdma' '' ''",
		  "call 7 100000.4.9 none | GETVERSADDR map=100003.4/0 | " },
		/* port 2049 is 8 * 256 + 1 */
		{ WALKKIT_CALL(100000, 4, 1)
		  "#100003 #4 'tcp6' '::.8.1' 'root'",
		  "call 7 100000.4.1 none | SET map=100003.4/6 port=2049 | " },
		{ WALKKIT_CALL(100000, 4, 5) "#100005 #1 #0 #0",
		  "call 7 100000.4.5 none | BCAST map=100005.1/0 | " },
	};
	static const struct result_row results[] = {
		{ 3, "'10.0.0.1.8.1'", "GETADDR port=2049 | " },
		{ 3, "''", "GETADDR | " },
		{ 3, "'nonsense'", "GETADDR | " },
		{ 5, "'10.0.0.1.2.123' ''", "CALLIT port=635 | " },
		{ 4, "#0", "DUMP | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
	assert_results(results, COUNT(results), 100000, 3);
}

static void
lock_status_and_acl_programs_are_told(void **state)
{
	static const struct row rows[] = {
		{ WALKKIT_CALL(100021, 4, 2) "'cook' #0 #1 <60>",
		  "call 7 100021.4.2 none | LOCK | " },
		{ WALKKIT_CALL(100024, 1, 0),
		  "call 7 100024.1.0 none | PROC_0 | " },
		{ WALKKIT_CALL(100011, 2, 1) "'/x' #1000 #0",
		  "call 7 100011.2.1 none | PROC_1 | " },
		{ WALKKIT_CALL(100227, 3, 1) "'abcd' #1",
		  "call 7 100227.3.1 none | GETACL fh=61626364 | " },
		{ WALKKIT_CALL(100227, 2, 4) FH2 "#1",
		  "call 7 100227.2.4 none | ACCESS" TOLD2 " | " },
	};
	static const struct result_row nlm[] = {
		{ 1, "'cook' #0", "TEST/0 | " },
		{ 2, "'cook' #3", "LOCK/3 | " },
		{ 4, "#8 <8> #0", "UNLOCK/0 | " },
		{ 20, "'cook' #1 #9", "SHARE/1 | " },
		{ 7, "", "LOCK_MSG | " },
	};
	static const struct result_row acl[] = {
		{ 1, "#0 #0 #1", "GETACL/0 | " },
		{ 0, "", "NULL | " },
	};

	(void)state;
	assert_rows(rows, COUNT(rows), NULL);
	assert_results(nlm, COUNT(nlm), 100021, 4);
	assert_results(acl, COUNT(acl), 100227, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nfs3_arguments_are_told),
		cmocka_unit_test(nfs3_results_are_told),
		cmocka_unit_test(nfs2_arguments_are_told),
		cmocka_unit_test(nfs2_results_are_told),
		cmocka_unit_test(mount_tells_paths_and_handles),
		cmocka_unit_test(portmap_tells_what_is_where),
		cmocka_unit_test(rpcbind_tells_what_is_where),
		cmocka_unit_test(lock_status_and_acl_programs_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_nfs.c: names and numbers of programs, operations and statuses.
 */
#include "nfs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static void
program_keys_are_those_of_the_design_in_order(void **state)
{
	static const char *const keys[] = {
		"nfs2", "nfs3", "nfs4", "nfscb1", "mount1", "mount2",
		"mount3", "portmap2", "rpcbind3", "rpcbind4", "nlm1", "nlm3",
		"nlm4", "nsm1", "nfsacl2", "nfsacl3", "rquota1", "rquota2"
	};
	const struct nfs_program *p = nfs_programs();
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(keys); i++)
		assert_string_equal(p[i].key, keys[i]);
	assert_null(p[i].key);
}

static void
op_ids_run_from_0_without_a_gap(void **state)
{
	const struct nfs_program *p;
	unsigned int next = 0, op;

	(void)state;
	for (p = nfs_programs(); p->key != NULL; p++) {
		assert_int_equal(p->first_op, next);
		assert_true(p->procs > 0);
		next += p->procs;
		if (p->compound_ops > 0)
			assert_int_equal(p->first_compound_op, next);
		next += p->compound_ops;
		assert_ptr_equal(nfs_program_find(p->prog, p->vers), p);
		for (op = p->first_op; op < next; op++) {
			assert_ptr_equal(nfs_program_of((uint16_t)op), p);
			assert_int_equal(nfs_op_is_procedure((uint16_t)op),
			    op - p->first_op < p->procs);
			assert_true(strlen(nfs_op_name((uint16_t)op)) > 1);
		}
	}
	assert_true(next <= NFS_OP_COUNT);
	assert_null(nfs_program_of((uint16_t)next));
	assert_null(nfs_program_of(NFS_OP_NONE));
	assert_string_equal(nfs_op_name((uint16_t)next), "NONE");
	assert_string_equal(nfs_op_name(NFS_OP_NONE), "NONE");
	assert_int_equal(nfs_op_kind(NFS_OP_NONE), NFS_KIND_OTHER);
	assert_false(nfs_op_is_procedure(NFS_OP_NONE));
	assert_false(nfs_op_has_status(NFS_OP_NONE));
}

struct name_row {
	uint32_t	prog, vers, proc;
	const char	*name;		/* NULL: has no op id */
};

static void
procedures_have_the_names_of_their_rfcs(void **state)
{
	static const struct name_row rows[] = {
		/* RFC 1094 2.2 */
		{ 100003, 2, 0, "NULL" }, { 100003, 2, 3, "ROOT" },
		{ 100003, 2, 7, "WRITECACHE" }, { 100003, 2, 8, "WRITE" },
		{ 100003, 2, 17, "STATFS" }, { 100003, 2, 18, NULL },
		/* RFC 1813 3 */
		{ 100003, 3, 1, "GETATTR" }, { 100003, 3, 7, "WRITE" },
		{ 100003, 3, 17, "READDIRPLUS" },
		{ 100003, 3, 21, "COMMIT" }, { 100003, 3, 22, NULL },
		/* RFC 7530 15 and 16 */
		{ 100003, 4, 0, "NULL" }, { 100003, 4, 1, "COMPOUND" },
		{ 100003, 4, 2, NULL }, { 100003, 5, 0, NULL },
		{ 0x40000000, 1, 0, "CB_NULL" },
		{ 0x40000000, 1, 1, "CB_COMPOUND" },
		/* RFC 1094 A, RFC 1813 5 */
		{ 100005, 1, 1, "MNT" }, { 100005, 1, 5, "EXPORT" },
		{ 100005, 1, 6, NULL }, { 100005, 2, 7, "PATHCONF" },
		{ 100005, 3, 3, "UMNT" }, { 100005, 3, 4, "UMNTALL" },
		/* RFC 1833 */
		{ 100000, 2, 3, "GETPORT" }, { 100000, 2, 5, "CALLIT" },
		{ 100000, 3, 3, "GETADDR" }, { 100000, 3, 5, "CALLIT" },
		{ 100000, 4, 5, "BCAST" }, { 100000, 4, 12, "GETSTAT" },
		{ 100000, 4, 13, NULL },
		/* RFC 1813 6 */
		{ 100021, 4, 2, "LOCK" }, { 100021, 4, 15, "GRANTED_RES" },
		{ 100021, 4, 16, "PROC_16" }, { 100021, 4, 20, "SHARE" },
		{ 100021, 4, 23, "FREE_ALL" }, { 100021, 1, 16, NULL },
		/* no RFC */
		{ 100024, 1, 0, "PROC_0" }, { 100024, 1, 6, "PROC_6" },
		{ 100011, 1, 1, "PROC_1" }, { 100011, 2, 4, "PROC_4" },
		{ 100227, 2, 3, "GETATTR" }, { 100227, 3, 1, "GETACL" },
		{ 100227, 3, 3, NULL }, { 100020, 1, 0, NULL },
	};
	uint16_t op;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		op = nfs_proc_op(rows[i].prog, rows[i].vers, rows[i].proc);
		if (rows[i].name == NULL)
			assert_int_equal(op, NFS_OP_NONE);
		else
			assert_string_equal(nfs_op_name(op), rows[i].name);
	}
	assert_int_equal(nfs_proc_op(100003, 3, UINT32_MAX), NFS_OP_NONE);
}

static void
compound_operations_have_the_names_of_their_rfcs(void **state)
{
	static const struct name_row rows[] = {
		{ 100003, 4, 0, NULL }, { 100003, 4, 2, NULL },
		{ 100003, 4, 3, "ACCESS" }, { 100003, 4, 25, "READ" },
		{ 100003, 4, 38, "WRITE" },
		{ 100003, 4, 39, "RELEASE_LOCKOWNER" },
		{ 100003, 4, 40, "BACKCHANNEL_CTL" },
		{ 100003, 4, 53, "SEQUENCE" },
		{ 100003, 4, 58, "RECLAIM_COMPLETE" },
		{ 100003, 4, 59, "ALLOCATE" }, { 100003, 4, 71, "CLONE" },
		{ 100003, 4, 72, "GETXATTR" },
		{ 100003, 4, 75, "REMOVEXATTR" },
		{ 100003, 4, 76, NULL }, { 100003, 4, 77, NULL },
		{ 100003, 4, 10043, NULL }, { 100003, 4, 10044, "ILLEGAL" },
		{ 100003, 4, UINT32_MAX, NULL },
		{ 0x40000000, 1, 2, NULL }, { 0x40000000, 1, 3, "CB_GETATTR" },
		{ 0x40000000, 1, 11, "CB_SEQUENCE" },
		{ 0x40000000, 1, 15, "CB_OFFLOAD" },
		{ 0x40000000, 1, 16, NULL },
		{ 0x40000000, 1, 10044, "CB_ILLEGAL" },
		{ 100003, 3, 7, NULL },
	};
	const struct nfs_program *p;
	uint16_t op;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		p = nfs_program_find(rows[i].prog, rows[i].vers);
		op = nfs_compound_op(p, rows[i].proc);
		if (rows[i].name == NULL) {
			assert_int_equal(op, NFS_OP_NONE);
			continue;
		}
		assert_string_equal(nfs_op_name(op), rows[i].name);
		assert_false(nfs_op_is_procedure(op));
		assert_ptr_equal(nfs_program_of(op), p);
	}
	assert_int_equal(nfs_compound_op(NULL, 38), NFS_OP_NONE);
}

static void
reading_writing_and_committing_are_told_apart(void **state)
{
	const struct nfs_program *nfs4 = nfs_program_find(100003, 4);

	(void)state;
	assert_int_equal(nfs_op_kind(nfs_proc_op(100003, 2, 6)),
	    NFS_KIND_READ);
	assert_int_equal(nfs_op_kind(nfs_proc_op(100003, 2, 8)),
	    NFS_KIND_WRITE);
	assert_int_equal(nfs_op_kind(nfs_proc_op(100003, 3, 6)),
	    NFS_KIND_READ);
	assert_int_equal(nfs_op_kind(nfs_proc_op(100003, 3, 7)),
	    NFS_KIND_WRITE);
	assert_int_equal(nfs_op_kind(nfs_proc_op(100003, 3, 21)),
	    NFS_KIND_COMMIT);
	assert_int_equal(nfs_op_kind(nfs_compound_op(nfs4, 5)),
	    NFS_KIND_COMMIT);
	assert_int_equal(nfs_op_kind(nfs_compound_op(nfs4, 25)),
	    NFS_KIND_READ);
	assert_int_equal(nfs_op_kind(nfs_compound_op(nfs4, 38)),
	    NFS_KIND_WRITE);
	assert_int_equal(nfs_op_kind(nfs_compound_op(nfs4, 68)),
	    NFS_KIND_READ);
	assert_int_equal(nfs_op_kind(nfs_proc_op(100003, 4, 1)),
	    NFS_KIND_OTHER);
	assert_int_equal(nfs_op_kind(nfs_proc_op(100003, 2, 7)),
	    NFS_KIND_OTHER);
}

static void
results_that_begin_with_a_status_are_known(void **state)
{
	const struct nfs_program *nfs4 = nfs_program_find(100003, 4);

	(void)state;
	assert_false(nfs_op_has_status(nfs_proc_op(100003, 3, 0)));
	assert_true(nfs_op_has_status(nfs_proc_op(100003, 3, 1)));
	assert_true(nfs_op_has_status(nfs_proc_op(100003, 4, 1)));
	assert_true(nfs_op_has_status(nfs_compound_op(nfs4, 22)));
	assert_true(nfs_op_has_status(nfs_proc_op(100005, 3, 1)));
	assert_false(nfs_op_has_status(nfs_proc_op(100005, 3, 3)));
	assert_false(nfs_op_has_status(nfs_proc_op(100000, 2, 3)));
	assert_false(nfs_op_has_status(nfs_proc_op(100000, 4, 3)));
	assert_true(nfs_op_has_status(nfs_proc_op(100021, 4, 2)));
	assert_false(nfs_op_has_status(nfs_proc_op(100021, 4, 7)));
	assert_false(nfs_op_has_status(nfs_proc_op(100024, 1, 1)));
}

struct status_row {
	uint32_t	prog, vers, status;
	const char	*name;
};

static void
statuses_have_the_names_of_their_rfcs(void **state)
{
	static const struct status_row rows[] = {
		{ 100003, 2, 0, "NFS_OK" }, { 100003, 2, 70, "NFSERR_STALE" },
		{ 100003, 2, 99, "NFSERR_WFLUSH" },
		{ 100003, 3, 0, "NFS3_OK" }, { 100003, 3, 2, "NFS3ERR_NOENT" },
		{ 100003, 3, 10008, "NFS3ERR_JUKEBOX" },
		{ 100003, 3, 10009, "STATUS_10009" },
		{ 100003, 4, 0, "NFS4_OK" },
		{ 100003, 4, 10008, "NFS4ERR_DELAY" },
		{ 100003, 4, 10087, "NFS4ERR_DELEG_REVOKED" },
		{ 100003, 4, 10094, "NFS4ERR_OFFLOAD_NO_REQS" },
		{ 100003, 4, 10096, "NFS4ERR_XATTR2BIG" },
		{ 100003, 4, 19, "STATUS_19" },
		{ 100003, 4, 10073, "STATUS_10073" },
		{ 0x40000000, 1, 10013, "NFS4ERR_GRACE" },
		{ 100005, 3, 13, "MNT3ERR_ACCES" },
		{ 100005, 1, 13, "STATUS_13" },
		{ 100227, 2, 70, "NFSERR_STALE" },
		{ 100227, 3, 70, "NFS3ERR_STALE" },
		{ 100021, 4, 1, "NLM4_DENIED" },
		{ 100000, 2, 4294967295U, "STATUS_4294967295" },
	};
	char buf[32], small[7];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(rows); i++)
		assert_string_equal(nfs_status_name(nfs_program_find(
		    rows[i].prog, rows[i].vers), rows[i].status, buf,
		    sizeof(buf)), rows[i].name);
	assert_string_equal(nfs_status_name(NULL, 5, buf, sizeof(buf)),
	    "STATUS_5");
	assert_string_equal(nfs_status_name(NULL, 5, small, sizeof(small)),
	    "STATUS");
}

static void
a_delay_is_an_answer_of_nfs3_or_nfs4(void **state)
{
	(void)state;
	assert_true(nfs_status_is_delay(nfs_program_find(100003, 3), 10008));
	assert_true(nfs_status_is_delay(nfs_program_find(100003, 4), 10008));
	assert_false(nfs_status_is_delay(nfs_program_find(100003, 4), 10013));
	assert_false(nfs_status_is_delay(nfs_program_find(100003, 2), 10008));
	assert_false(nfs_status_is_delay(nfs_program_find(100005, 3), 10008));
	assert_false(nfs_status_is_delay(NULL, 10008));
}

static void
only_assigned_and_dynamic_programs_are_plausible(void **state)
{
	(void)state;
	assert_true(nfs_call_plausible(100003, 3, 7));
	assert_true(nfs_call_plausible(1, 0, 0));
	assert_true(nfs_call_plausible(0x5fffffff, 64, 1024));
	assert_false(nfs_call_plausible(0, 3, 7));
	assert_false(nfs_call_plausible(0x60000000, 3, 7));
	assert_false(nfs_call_plausible(100003, 65, 7));
	assert_false(nfs_call_plausible(100003, 3, 1025));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    program_keys_are_those_of_the_design_in_order),
		cmocka_unit_test(op_ids_run_from_0_without_a_gap),
		cmocka_unit_test(procedures_have_the_names_of_their_rfcs),
		cmocka_unit_test(
		    compound_operations_have_the_names_of_their_rfcs),
		cmocka_unit_test(
		    reading_writing_and_committing_are_told_apart),
		cmocka_unit_test(results_that_begin_with_a_status_are_known),
		cmocka_unit_test(statuses_have_the_names_of_their_rfcs),
		cmocka_unit_test(a_delay_is_an_answer_of_nfs3_or_nfs4),
		cmocka_unit_test(
		    only_assigned_and_dynamic_programs_are_plausible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

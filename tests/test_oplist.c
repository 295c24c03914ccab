/* SPDX-License-Identifier: ISC */
/*
 * test_oplist.c: operations in the order in which they are shown.
 */
#include "oplist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sample s;
static struct oplist l;
static char buf[OPLIST_NAME];

static int
setup(void **state)
{
	(void)state;
	sample_clear(&s);
	return 0;
}

static void
called(uint32_t prog, uint32_t vers, uint32_t proc)
{
	sample_op(&s, nfs_proc_op(prog, vers, proc), prog, vers,
	    proc)->calls++;
}

static void
operations_stand_by_program_version_and_number(void **state)
{
	uint32_t i;
	static const char *const keys[] = { "portmap2", "nfs3", "nfs3",
	    "nfs3", "nfs4", "mount3", "395648.1", "395648.3" };
	static const char *const names[] = { "GETPORT", "READ", "WRITE",
	    "PROC_99", "COMPOUND", "MNT", "PROC_5", "PROC_1" };

	(void)state;
	called(395648, 3, 1);
	called(NFS_PROG_NFS, 3, 99);
	called(NFS_PROG_NFS, 4, 1);
	called(395648, 1, 5);
	called(NFS_PROG_NFS, 3, 7);
	called(NFS_PROG_MOUNT, 3, 1);
	called(NFS_PROG_PORTMAP, 2, 3);
	called(NFS_PROG_NFS, 3, 6);
	oplist_of_sample(&l, &s);
	assert_int_equal(l.n, 8);
	for (i = 0; i < l.n; i++) {
		assert_string_equal(oplist_key(l.op[i], buf), keys[i]);
		assert_string_equal(oplist_name(l.op[i], buf), names[i]);
	}
	assert_true(oplist_same_program(l.op[1], l.op[3]));
	assert_false(oplist_same_program(l.op[3], l.op[4]));
}

static void
rows_with_nothing_in_them_are_left_out(void **state)
{
	(void)state;
	sample_op(&s, 3, 0, 0, 0);
	sample_op(&s, 4, 0, 0, 0)->retransmits = 1;
	oplist_of_sample(&l, &s);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.op[0]->op, 4);
}

static void
totals_list_what_samples_had(void **state)
{
	struct totals *t = totals_new();

	(void)state;
	called(395648, 3, 1);
	called(NFS_PROG_NFS, 3, 7);
	totals_add(t, &s);
	totals_add(t, &s);
	oplist_of_totals(&l, t);
	assert_int_equal(l.n, 2);
	assert_string_equal(oplist_key(l.op[0], buf), "nfs3");
	assert_true(l.op[0]->calls == 2 && l.op[1]->calls == 2);
	totals_free(t);
}

static void
bytes_are_known_unless_every_call_hides_them(void **state)
{
	const struct totals_op none = { .calls = 0 };
	const struct totals_op some = { .calls = 5, .hidden = 4 };
	const struct totals_op all = { .calls = 5, .hidden = 5 };

	(void)state;
	assert_true(oplist_has_bytes(&none));
	assert_true(oplist_has_bytes(&some));
	assert_false(oplist_has_bytes(&all));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(
		    operations_stand_by_program_version_and_number, setup),
		cmocka_unit_test_setup(rows_with_nothing_in_them_are_left_out,
		    setup),
		cmocka_unit_test_setup(totals_list_what_samples_had, setup),
		cmocka_unit_test_setup(
		    bytes_are_known_unless_every_call_hides_them, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

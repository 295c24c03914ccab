/* SPDX-License-Identifier: ISC */
/*
 * test_rpcwalk_limits.c: lengths and counts up to the limits of the RFCs are
 * walked, and one more cannot be.
 */
#include "rpcwalk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "walkkit.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct limit_row {
	const char	*before;	/* the length or count */
	uint32_t	 limit;
	uint32_t	 unit;		/* bytes of an element; 1: an opaque */
	struct walkkit_call call;	/* of a reply */
};

static bool
is_bad(const struct limit_row *row, uint32_t n)
{
	uint8_t bytes[4096];
	char message[8192], walk[1024];
	size_t len;

	(void)snprintf(message, sizeof(message), "%s #%u <%u>", row->before,
	    (unsigned int)n, (unsigned int)((n * row->unit + 3) / 4 * 4));
	len = walkkit_bytes(message, bytes, sizeof(bytes));
	(void)walkkit_walk(message, &row->call, len, walk, sizeof(walk));
	return strstr(walk, "BAD") != NULL || strstr(walk, "NOT RPC") != NULL;
}

static void
assert_limits(const struct limit_row *rows, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (is_bad(&rows[i], rows[i].limit))
			fail_msg("at the limit: %s", rows[i].before);
		if (!is_bad(&rows[i], rows[i].limit + 1))
			fail_msg("above the limit: %s", rows[i].before);
	}
}

#define CALL2(proc)	WALKKIT_CALL(100003, 2, proc) "<32> "
#define CALL3(proc)	WALKKIT_CALL(100003, 3, proc)

/* RFC 1094 2.3: MAXNAMLEN 255; RFC 1813 2.4: NFS3_FHSIZE 64; MNTPATHLEN. */
static void
limits_of_nfs2_nfs3_and_mount_hold(void **state)
{
	static const struct limit_row rows[] = {
		{ CALL2(4), 255, 1, { 0 } },
		{ CALL2(11), 255, 1, { 0 } },
		{ CALL2(11) "'old' <32>", 255, 1, { 0 } },
		{ CALL2(12) "<32>", 255, 1, { 0 } },
		{ CALL3(1), 64, 1, { 0 } },
		{ CALL3(3), 64, 1, { 0 } },
		{ CALL3(6), 64, 1, { 0 } },
		{ CALL3(7), 64, 1, { 0 } },
		{ CALL3(14), 64, 1, { 0 } },
		{ CALL3(14) "'abcd' 'old'", 64, 1, { 0 } },
		{ CALL3(15), 64, 1, { 0 } },
		{ CALL3(15) "'abcd'", 64, 1, { 0 } },
		{ WALKKIT_REPLY "#0", 64, 1, { 100003, 3, 3, 0 } },
		{ WALKKIT_REPLY "#0 #1", 64, 1, { 100003, 3, 8, 0 } },
		{ WALKKIT_CALL(100005, 3, 1), 1024, 1, { 0 } },
		{ WALKKIT_REPLY "#0", 64, 1, { 100005, 3, 1, 0 } },
		/* netobj, RFC 1813 6.3.1 */
		{ WALKKIT_REPLY, 1024, 1, { 100021, 4, 2, 0 } },
	};

	(void)state;
	assert_limits(rows, COUNT(rows));
}

#define CALL4(ops)	WALKKIT_CALL(100003, 4, 1) "'' #1 #" #ops " "
#define REPLY4(ops)	WALKKIT_REPLY "#0 '' #" #ops " "
#define COMPOUND4	{ 100003, 4, 1, 0 }
#define CALLCB		WALKKIT_CALL(1073741824, 1, 1) "'' #1 #1 "

/* RFC 8881 3.1: NFS4_FHSIZE 128, NFS4_OPAQUE_LIMIT 1024. */
static void
limits_of_nfs4_hold(void **state)
{
	static const struct limit_row rows[] = {
		{ CALL4(2) "#22", 128, 1, { 0 } },
		{ REPLY4(2) "#10 #0", 128, 1, COMPOUND4 },
		{ CALL4(2) "#39 <8>", 1024, 1, { 0 } },
		{ CALL4(2) "#35 <8>", 1024, 1, { 0 } },
		{ CALL4(2) "#42 <8>", 1024, 1, { 0 } },
		{ REPLY4(2) "#42 #0 <16> #0 <8>", 1024, 1, COMPOUND4 },
		{ REPLY4(2) "#42 #0 <16> #0 <8> ''", 1024, 1, COMPOUND4 },
		/* machine name<255>, gids<16>: RFC 5531 appendix A */
		{ CALL4(2) "#40 #1 #1 #1 <4>", 255, 1, { 0 } },
		{ CALL4(2) "#40 #1 #1 #1 <4> '' <8>", 16, 4, { 0 } },
		/* arrays of at most one */
		{ CALL4(2) "#42 <8> '' #0 #0", 1, 0, { 0 } },
		{ REPLY4(2) "#42 #0 <16> #0 <8> '' ''", 1, 0, COMPOUND4 },
		{ CALL4(2) "#43 <16> <24>", 1, 4, { 0 } },
		{ REPLY4(2) "#60 #0", 1, 16, COMPOUND4 },
		{ REPLY4(2) "#67 #0 <8>", 1, 4, COMPOUND4 },
		/* operations, as far as their places can be counted */
		{ WALKKIT_CALL(100003, 4, 1) "'' #1", 65535, 0, { 0 } },
		{ WALKKIT_REPLY "#0 ''", 65535, 0, COMPOUND4 },
		{ CALLCB, 65535, 0, { 0 } },
	};

	(void)state;
	assert_limits(rows, COUNT(rows));
}

/* RFC 5531 8.2 and appendix A. */
static void
limits_of_the_header_hold(void **state)
{
	static const struct limit_row rows[] = {
		{ "#7 #0 #2 #100003 #3 #0  #0", 400, 1, { 0 } },
		{ "#7 #0 #2 #100003 #3 #0  #2", 400, 1, { 0 } },
		{ "#7 #0 #2 #100003 #3 #0  #0 #0  #0", 400, 1, { 0 } },
		{ "#7 #0 #2 #100003 #3 #0  #1 #400 <4>", 255, 1, { 0 } },
		{ "#7 #1 #0  #0", 400, 1, { 0 } },
	};

	(void)state;
	assert_limits(rows, COUNT(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_of_nfs2_nfs3_and_mount_hold),
		cmocka_unit_test(limits_of_nfs4_hold),
		cmocka_unit_test(limits_of_the_header_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * compoundkit.c: COMPOUND operations between two others; see compoundkit.h.
 */
#include "compoundkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <cmocka.h>

#include "walkkit.h"

/* What stands round an operation, in messages and in walks. */
struct around {
	const char	*message_before, *message_after;
	const char	*walk_before, *walk_after;
};

/*
 * RFC 7530 sec. 15.2: tag, minorversion, operations; 24 is PUTROOTFH.
 * Sec. 16.2: callback_ident too; 12 is CB_WANTS_CANCELLED, RFC 8881 20.10.
 */
static const struct around arguments[] = {
	{ WALKKIT_CALL(100003, 4, 1) "'tag' #2  #3  #24  #", " #24",
	  "call 7 100003.4.1 none | COMPOUND | PUTROOTFH | ",
	  " | PUTROOTFH | " },
	{ WALKKIT_CALL(1073741824, 1, 1) "'' #1 #55  #3  #12 #0 #0  #",
	  " #12 #0 #1",
	  "call 7 1073741824.1.1 none | CB_COMPOUND | CB_WANTS_CANCELLED | ",
	  " | CB_WANTS_CANCELLED | " }
};

/* status, tag, operations with their statuses */
static const struct around results[] = {
	{ WALKKIT_REPLY "#0 'tag'  #3  #24 #0  #", " #24 #0",
	  "reply 7 | COMPOUND/0 | PUTROOTFH/0 | ",
	  " | PUTROOTFH/0 | " },
	{ WALKKIT_REPLY "#0 ''  #3  #12 #0  #", " #12 #0",
	  "reply 7 | CB_COMPOUND/0 | CB_WANTS_CANCELLED/0 | ",
	  " | CB_WANTS_CANCELLED/0 | " }
};

static void
assert_row(const struct compoundkit_row *row, const struct around *a,
    const struct walkkit_call *call)
{
	char message[8192], walk[1024];

	(void)snprintf(message, sizeof(message), "%s%u %s%s",
	    a->message_before, (unsigned int)row->opnum, row->message,
	    a->message_after);
	(void)snprintf(walk, sizeof(walk), "%s%s%s", a->walk_before,
	    row->told, a->walk_after);
	walkkit_assert(message, call, walk);
}

void
compoundkit_arguments(const struct compoundkit_row *rows, size_t n, int cb)
{
	size_t i;

	for (i = 0; i < n; i++)
		assert_row(&rows[i], &arguments[cb], NULL);
}

void
compoundkit_results(const struct compoundkit_row *rows, size_t n, int cb)
{
	static const struct walkkit_call calls[] = {
		{ 100003, 4, 1, 0 }, { 1073741824, 1, 1, 0 }
	};
	size_t i;

	for (i = 0; i < n; i++)
		assert_row(&rows[i], &results[cb], &calls[cb]);
}

void
compoundkit_covers(const struct compoundkit_row *rows, size_t n,
    uint32_t first, uint32_t last)
{
	uint32_t op;
	size_t i;
	bool found;

	for (op = first; op <= last; op++) {
		found = false;
		for (i = 0; i < n; i++)
			found = found || rows[i].opnum == op;
		if (!found)
			fail_msg("no row for operation %u", (unsigned int)op);
	}
}

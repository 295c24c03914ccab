/* SPDX-License-Identifier: ISC */
/*
 * compoundkit.h: for tests of rpcwalk: one COMPOUND operation between two
 * others, which are told only if its end was found.
 */
#ifndef NFSRATED_COMPOUNDKIT_H
#define NFSRATED_COMPOUNDKIT_H

#include <stddef.h>
#include <stdint.h>

/*
 * What follows the operation's number, in the writing of walkkit.h, and what
 * is to be told of the operation.
 */
struct compoundkit_row {
	uint32_t	opnum;
	const char	*message;
	const char	*told;
};

#define STATEID		"#1 <12>"	/* seqid, other: RFC 7530 2.2.16 */
#define FATTR		"#2 #16 #2097152 #4 <4>"	/* mask, values */
#define CINFO		"#1 @41 @42"	/* atomic, before, after */
#define ACE		"#0 #0 #31 'EVERYONE@'"
#define SESSION		"<16>"
#define NFSTIME		"@1700000000 #999"
#define OWNER		"@77 'owner of locks'"

/*
 * Asserts each row, in arguments and in results, of the program nfs4 (cb 0)
 * or of its callbacks (cb 1).
 */
void	compoundkit_arguments(const struct compoundkit_row *, size_t n,
	    int cb);
void	compoundkit_results(const struct compoundkit_row *, size_t n, int cb);

/* Asserts that the rows tell of each operation from first to last. */
void	compoundkit_covers(const struct compoundkit_row *, size_t n,
	    uint32_t first, uint32_t last);

#endif

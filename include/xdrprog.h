/* SPDX-License-Identifier: ISC */
/*
 * xdrprog.h: the grammars of RPC headers, arguments and results as const
 * programs of XDR steps (RFC 4506), for rpcwalk to run.
 *
 * A program is a row of steps ended by XDR_END.  Programs call each other by
 * place: for a shared type, for the element of an array or list, for the arm
 * of a union.  No program calls itself, not even through others, and the
 * element of every array and list takes at least four bytes, so a walk always
 * ends and never stands still; tests/test_xdrprog.c proves both.  Pure data.
 */
#ifndef NFSRATED_XDRPROG_H
#define NFSRATED_XDRPROG_H

#include <stdint.h>

enum xdr_step_kind {
	/* These read one 32-bit word, the word. */
	XDR_WORD,		/* keep it in member */
	XDR_OPTION,		/* bool: program follows once if true */
	XDR_LIST,		/* bool before each: program for each */
	XDR_COUNT,		/* of an array, at most limit; XDR_EACH next */
	XDR_FIXED,		/* count, at most limit, of elements of unit
				 * bytes, passed over */
	XDR_OPAQUE,		/* length, at most limit; bytes passed over */
	XDR_TEXT,		/* length, at most limit; bytes kept in text */
	XDR_DATA,		/* length of file data, which is count: tell,
				 * then pass over the data */
	XDR_DATA_ADD,		/* the same, added to count and not told */
	XDR_STATUS,		/* keep it; the program ends if it is not 0 */
	XDR_REGION,		/* length, at most limit, of bytes that the
				 * steps up to XDR_REGION_END shall read */
	XDR_OPERATION,		/* number of a COMPOUND operation: its
				 * program follows, XDR_OPERATION_END next */
	XDR_LAST_WORD = XDR_OPERATION,

	/* These read 64 bits. */
	XDR_HYPER,		/* 64 bits: keep them in member */
	XDR_CLAMP,		/* 64 bits: keep them as count */
	XDR_LAST_HYPER = XDR_CLAMP,

	XDR_SKIP,		/* limit bytes, passed over */
	XDR_TEXT_FIXED,		/* limit bytes, kept in text */
	XDR_REGION_END,		/* what is left of the region, passed over */

	/* These read no integer. */
	XDR_EACH,		/* program for each element of the array */
	XDR_CALL,		/* program */
	XDR_CASE,		/* begins the arms of a union: program if the
				 * word last read is limit; else next arm */
	XDR_OTHERWISE,		/* the last arm: program */
	XDR_COUNTED,		/* there is a count from now on, 0 so far */
	XDR_ANNOUNCE,		/* COMPOUND itself can be told */
	XDR_OPERATION_END,
	XDR_IMPOSSIBLE,		/* bytes that lead here are not the protocol */
	XDR_HOOK,		/* do hook, which may use the word */
	XDR_END
};

/* Where a word or hyper goes. */
enum xdr_member {
	XDR_NOWHERE,
	/* header */
	XDR_TO_XID, XDR_TO_PROG, XDR_TO_VERS, XDR_TO_PROC, XDR_TO_FLAVOR,
	XDR_TO_UID, XDR_TO_ACCEPT_STAT,
	/* operation: 32 bits */
	XDR_TO_STATUS, XDR_TO_COUNT, XDR_TO_STABLE, XDR_TO_SLOT,
	XDR_TO_HIGHEST_SLOT, XDR_TO_PORT, XDR_TO_MAP_PROG, XDR_TO_MAP_VERS,
	XDR_TO_MAP_PROT,
	XDR_TO_OFFSET_WORD,	/* 32 bits to a 64-bit member */
	/* operation: 64 bits */
	XDR_TO_OFFSET, XDR_TO_VERIFIER,
	XDR_MEMBERS
};

/* Where the bytes of an opaque or string go. */
enum xdr_text {
	XDR_TEXT_FH, XDR_TEXT_NAME, XDR_TEXT_NAME2,
	XDR_TEXT_SCRATCH	/* for the hook that follows */
};

enum xdr_hook {
	XDR_HOOK_CALL,		/* the call header is complete */
	XDR_HOOK_REPLY,		/* the reply header is, accepted ... */
	XDR_HOOK_DENIED,	/* ... or denied */
	XDR_HOOK_IS_REPLY,	/* its header begins */
	XDR_HOOK_RPCVERS,	/* the word is the RPC version */
	XDR_HOOK_GSS_VERSION,	/* ... of the RPCSEC_GSS credential: version, */
	XDR_HOOK_GSS_PROC,	/* procedure, */
	XDR_HOOK_GSS_SERVICE,	/* and service */
	XDR_HOOK_NETID,		/* scratch is a netid: map_prot */
	XDR_HOOK_UADDR		/* scratch is a universal address: port */
};

#define XDR_ANY		UINT32_MAX	/* as limit: no limit */

struct xdr_step {
	uint8_t		kind;		/* enum xdr_step_kind */
	uint8_t		what;		/* member, text, hook, or unit */
	uint16_t	program;	/* the place of its first step */
	uint32_t	limit;
};

/* What an op id of nfs.h takes and gives: places of first steps. */
struct xdr_grammar {
	uint16_t	arguments, results;
};

/* The program that an RPC message begins with. */
#define XDR_PROGRAM_HEADER	0

extern const struct xdr_step xdr_steps[];	/* all programs in a row */
extern const uint16_t xdr_step_count;
extern const struct xdr_grammar xdr_grammars[];	/* by op id */
extern const uint16_t xdr_grammar_count;

#endif

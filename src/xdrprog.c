/* SPDX-License-Identifier: ISC */
/*
 * xdrprog.c: the XDR programs, and which of them each operation uses.
 *
 * The grammars themselves are in the .inc files, one XDR_PROGRAM(name, steps)
 * each, written in the words below and close to the XDR of the RFCs: a union
 * is WORD (or STATUS_ANY), then CASEs, then OTHERWISE.
 */
#include "xdrprog.h"

/* Steps that read. */
#define WORD		{ XDR_WORD, XDR_NOWHERE, 0, 0 }
#define WORD_TO(member)	{ XDR_WORD, XDR_TO_##member, 0, 0 }
#define HYPER_TO(member) { XDR_HYPER, XDR_TO_##member, 0, 0 }
#define CLAMP		{ XDR_CLAMP, 0, 0, 0 }
#define SKIP(n)		{ XDR_SKIP, 0, 0, (n) }
#define OPTION(p)	{ XDR_OPTION, 0, TO(p), 0 }
#define LIST(p)		{ XDR_LIST, 0, TO(p), 0 }
#define ARRAY(max, p)	{ XDR_COUNT, 0, 0, (max) },	\
			{ XDR_EACH, 0, TO(p), 0 }
#define FIXED(max, unit) { XDR_FIXED, (unit), 0, (max) }
#define OPAQUE(max)	{ XDR_OPAQUE, 0, 0, (max) }
#define TEXT(to, max)	{ XDR_TEXT, XDR_TEXT_##to, 0, (max) }
#define TEXT_FIXED(to, n) { XDR_TEXT_FIXED, XDR_TEXT_##to, 0, (n) }
#define DATA		{ XDR_DATA, 0, 0, XDR_ANY }
#define DATA_ADD	{ XDR_DATA_ADD, 0, 0, XDR_ANY }
#define STATUS		{ XDR_STATUS, 0, 0, 0 }
#define STATUS_ANY	WORD_TO(STATUS)
#define REGION(max)	{ XDR_REGION, 0, 0, (max) }
#define REGION_END	{ XDR_REGION_END, 0, 0, 0 }
#define OPERATION	{ XDR_OPERATION, 0, 0, 0 },	\
			{ XDR_OPERATION_END, 0, 0, 0 }
#define BITMAP		FIXED(XDR_ANY, 4)
#define FATTR		BITMAP, OPAQUE(XDR_ANY)
#define COMPONENT	TEXT(NAME, XDR_ANY)

/* Steps that do not. */
#define CALL(p)		{ XDR_CALL, 0, TO(p), 0 }
#define CASE(value, p)	{ XDR_CASE, 0, TO(p), (value) }
#define OTHERWISE(p)	{ XDR_OTHERWISE, 0, TO(p), 0 }
#define COUNTED		{ XDR_COUNTED, 0, 0, 0 }
#define ANNOUNCE	{ XDR_ANNOUNCE, 0, 0, 0 }
#define IMPOSSIBLE	{ XDR_IMPOSSIBLE, 0, 0, 0 }
#define HOOK(h)		{ XDR_HOOK, XDR_HOOK_##h, 0, 0 }
#define END		{ XDR_END, 0, 0, 0 }

/*
 * Where each program starts in the row of all steps.  Its length is that of
 * its steps, in which TO does not matter yet; then the next one starts.
 */
#define TO(p)	0
#define XDR_PROGRAM(name, ...)	\
	START_##name, LAST_##name = START_##name +	\
	    sizeof((const struct xdr_step[]){ __VA_ARGS__, END }) / \
	    sizeof(struct xdr_step) - 1,
enum start {
#include "xdrprog_rpc.inc"
#include "xdrprog_nfs23.inc"
#include "xdrprog_nfs4.inc"
#include "xdrprog_nfs42.inc"
	STEPS
};
#undef XDR_PROGRAM
#undef TO

_Static_assert(START_header == XDR_PROGRAM_HEADER, "the header is first");
_Static_assert(STEPS <= UINT16_MAX, "places of steps have 16 bits");

#define TO(p)	START_##p
#define XDR_PROGRAM(name, ...)	__VA_ARGS__, END,
const struct xdr_step xdr_steps[STEPS] = {
#include "xdrprog_rpc.inc"
#include "xdrprog_nfs23.inc"
#include "xdrprog_nfs4.inc"
#include "xdrprog_nfs42.inc"
};
#undef XDR_PROGRAM
#undef TO

const uint16_t xdr_step_count = STEPS;

const struct xdr_grammar xdr_grammars[] = {
#define NFS_PROC(key, n, name, kind, status, arguments, results)	\
	{ START_##arguments, START_##results },
#define NFS_OP	NFS_PROC
#include "nfs_ops.inc"
};

const uint16_t xdr_grammar_count =
    sizeof(xdr_grammars) / sizeof(xdr_grammars[0]);

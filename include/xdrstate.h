/* SPDX-License-Identifier: ISC */
/*
 * xdrstate.h: where the walk through XDR programs stands, between two pieces
 * of a message that may be cut at any byte.
 *
 * The steps that only move through the message or through the programs are
 * done here; rpcwalk does those that mean something.  The members are for
 * rpcwalk to read; they change by the functions below.  Pure.
 */
#ifndef NFSRATED_XDRSTATE_H
#define NFSRATED_XDRSTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "xdrprog.h"

#define XDRSTATE_DEPTH	8		/* of calls; tests prove it is enough */

struct xdrstate_frame {
	uint32_t	left;		/* elements of its array to come */
	uint16_t	back;		/* the step after it, in its caller */
};

struct xdrstate {
	uint16_t	pc;		/* the step to be done */
	uint8_t		depth;		/* frames[depth] is being walked */
	uint8_t		carried;	/* bytes in carry */
	uint32_t	skip;		/* bytes to pass over */
	uint8_t		carry[8];	/* the head of a cut integer */
	struct xdrstate_frame frames[XDRSTATE_DEPTH];
};

/* Forgets everything and stands at the start of a program. */
static inline void
xdrstate_start(struct xdrstate *x, uint16_t program)
{
	x->pc = program;
	x->depth = 0;
	x->carried = 0;
	x->skip = 0;
	x->frames[0].left = 0;
}

static inline const struct xdr_step *
xdrstate_step(const struct xdrstate *x)
{
	return &xdr_steps[x->pc];
}

/* xdrstate_gather for an integer that is cut. */
const uint8_t *xdrstate_gather_cut(struct xdrstate *, struct bytes *,
	    size_t n);

/*
 * Takes the next n bytes, at most 8, and gives them in one place, valid until
 * the next call; NULL when they are not all here, and the piece is used up.
 */
static inline const uint8_t *
xdrstate_gather(struct xdrstate *x, struct bytes *piece, size_t n)
{
	const uint8_t *p = piece->data;

	if (x->carried == 0 && bytes_skip(piece, n))
		return p;
	return xdrstate_gather_cut(x, piece, n);
}

/* Passes over what is to be skipped; false when the piece ends before. */
static inline bool
xdrstate_pass(struct xdrstate *x, struct bytes *piece)
{
	size_t n = x->skip < piece->len ? x->skip : piece->len;

	(void)bytes_skip(piece, n);
	x->skip -= (uint32_t)n;
	return x->skip == 0;
}

/*
 * These give false for what cannot be: lengths and counts above the step's
 * limit or of more bytes than a message can have, calls that are too deep.
 */

/* An opaque of len bytes and its padding (RFC 4506 sec. 4.10) to be skipped. */
bool	xdrstate_opaque(struct xdrstate *, const struct xdr_step *,
	    uint32_t len);
/* count elements of fixed size to be skipped. */
bool	xdrstate_fixed(struct xdrstate *, const struct xdr_step *,
	    uint32_t count);
/* Goes to a program; from its end the way leads back to the step at pc. */
bool	xdrstate_call(struct xdrstate *, uint16_t program);
/* At the first arm of a union: calls the arm for the word. */
bool	xdrstate_choose(struct xdrstate *, uint32_t word);
/* At XDR_EACH: calls the program if an element is left, else passes on. */
bool	xdrstate_each(struct xdrstate *, uint16_t program);

/*
 * How many bytes there are from here to the file data that ends a program's
 * arguments (XDR_DATA, or unread after XDR_END), its length word included,
 * when only steps of fixed size lie between; otherwise 0.
 */
uint32_t xdrstate_to_data(const struct xdrstate *);

/* Leaves a program; false when it was the one that was started. */
static inline bool
xdrstate_return(struct xdrstate *x)
{
	if (x->depth == 0)
		return false;
	x->pc = x->frames[x->depth].back;
	x->depth--;
	return true;
}

#endif

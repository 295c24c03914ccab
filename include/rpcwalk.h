/* SPDX-License-Identifier: ISC */
/*
 * rpcwalk.h: walks one ONC-RPC message (RFC 5531), fed in pieces of any size,
 * down to every argument and result that the program wants to know.
 *
 * The grammar is data: each procedure's and COMPOUND operation's arguments and
 * results are a const program of XDR steps (RFC 4506) in src/, and one loop
 * runs them.  Between two steps the whole state is in struct rpcwalk, so that
 * a message may be cut at any byte: feeding it byte by byte gives the same
 * events as feeding it whole.  File data is never stored: while the walk
 * stands in an opaque that nobody wants, rpcwalk_indifferent says how many
 * coming bytes need not be seen, and rpcwalk_skip passes over them unseen.
 *
 * struct rpcwalk is open data of fixed size without pointers into the
 * message; all zero is not valid, rpcwalk_start makes it so.  Pure: no
 * memory, no clock, no messages.
 */
#ifndef NFSRATED_RPCWALK_H
#define NFSRATED_RPCWALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nfs.h"
#include "rpcheader.h"
#include "rpcop.h"
#include "xdrstate.h"

struct rpcwalk;

struct rpcwalk_listener {
	/*
	 * The header is complete.  For a reply this is called as soon as the
	 * XID and message type are known AND the rest of the header has been
	 * walked; results follow only if the listener calls rpcwalk_expect
	 * from here.
	 */
	void	(*header)(void *ctx, struct rpcwalk *,
		    const struct rpc_header *);
	/*
	 * An operation is known: all its wanted members have been walked
	 * (WRITE: before its data has passed), or it was cut.  In order of
	 * index, once each.
	 */
	void	(*op)(void *ctx, struct rpcwalk *, const struct rpc_op *);
};

enum rpcwalk_state {
	RPCWALK_HEADER,		/* in the RPC header */
	RPCWALK_BODY,		/* in arguments or results */
	RPCWALK_DONE,		/* nothing more is wanted: all came, or the
				 * body is opaque (GSS privacy, unknown
				 * program, error reply) */
	RPCWALK_CUT,		/* wanted bytes were skipped */
	RPCWALK_BAD		/* not RPC, or XDR that cannot be */
};

struct rpcwalk {
	uint8_t		state;		/* enum rpcwalk_state */
	/* The rest belongs to rpcwalk.c.  Whole struct at most 512 bytes. */
	uint8_t		note;		/* enum rpcwalk_note */
	bool		expected;	/* rpcwalk_expect was called */
	bool		pending;	/* an operation is begun, not told */
	uint32_t	pos;		/* bytes of the message fed so far */
	uint32_t	region_end;	/* where the credential ends */
	struct rpc_header hdr;
	struct xdrstate	xdr;
	struct rpcop	op;
};

/* Begins a message. */
void	rpcwalk_start(struct rpcwalk *);

/*
 * The next len bytes of the message; calls the listener as facts complete.
 * ctx is passed through.  Feeding in state DONE, CUT or BAD does nothing.
 */
void	rpcwalk_feed(struct rpcwalk *, const uint8_t *data, size_t len,
	    const struct rpcwalk_listener *, void *ctx);

/* The next n bytes were not seen (lost, cut, not captured). */
void	rpcwalk_skip(struct rpcwalk *, uint32_t n,
	    const struct rpcwalk_listener *, void *ctx);

/*
 * How many of the next bytes make no difference: UINT32_MAX when DONE, CUT or
 * BAD, the rest of the opaque when inside one, otherwise 0.
 */
uint32_t rpcwalk_indifferent(const struct rpcwalk *);

/* The message is over: an unfinished operation is told with cut set. */
void	rpcwalk_end(struct rpcwalk *, const struct rpcwalk_listener *,
	    void *ctx);

/*
 * From the header callback of a reply: which call it answers.  Without it the
 * results are not walked.  service is the call's.
 */
void	rpcwalk_expect(struct rpcwalk *, uint32_t prog, uint32_t vers,
	    uint32_t proc, uint8_t service);

/* Why the walk is BAD, CUT or DONE early; for counters: */
enum rpcwalk_note {
	RPCWALK_NOTE_NONE,
	RPCWALK_NOTE_ENCRYPTED,		/* GSS privacy */
	RPCWALK_NOTE_UNKNOWN_OP,	/* COMPOUND operation without a table:
					 * the rest is unread */
	RPCWALK_NOTE_BAD_XDR,		/* lengths or values that cannot be */
	RPCWALK_NOTE_NOT_RPC
};
enum rpcwalk_note rpcwalk_note(const struct rpcwalk *);

/* As rpcheader_guess. */
enum rpc_guess rpcwalk_guess(const uint8_t *data, size_t len, uint32_t *xid);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * rpcop.h: one NFS operation as far as its message has told of it, and room
 * for the handle and names that came in pieces.
 *
 * struct rpc_op is what listeners of rpcwalk see.  struct rpcop is where
 * rpcwalk gathers it: begun with rpcop_begin, filled member by member, and
 * shown with rpcop_show.  Pure: no memory, no clock, no messages.
 */
#ifndef NFSRATED_RPCOP_H
#define NFSRATED_RPCOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RPCWALK_FH_MAX		128	/* NFS4_FHSIZE, RFC 8881 3.1 */
#define RPCWALK_NAME_MAX	64	/* names are kept up to here, cut */

/*
 * One operation: a v2/v3/... procedure, or one inside a COMPOUND.  Of a
 * message whose body is encrypted (GSS privacy) or is no arguments at all
 * (GSS context set-up) the procedure is told with nothing in it, not cut.
 */
struct rpc_op {
	uint16_t	op;		/* op id, or NFS_OP_NONE */
	uint16_t	index;		/* place in the COMPOUND, from 0 */
	uint32_t	opnum;		/* number inside COMPOUND, else proc */
	bool		in_compound;
	bool		cut;		/* its end was not seen; members below
					 * hold what was */
	bool		has_status;	/* replies */
	bool		has_count;
	bool		has_offset;
	bool		has_stable;
	bool		has_verifier;
	bool		has_slot;
	uint32_t	status;
	uint32_t	count;		/* READ/WRITE/COMMIT/...: bytes asked
					 * for (calls), moved (replies); at
					 * most UINT32_MAX is told */
	uint64_t	offset;		/* COPY, CLONE: in the destination */
	uint64_t	verifier;	/* WRITE/COMMIT/COPY results */
	uint32_t	stable;		/* WRITE: 0 UNSTABLE, 1 DATA_SYNC,
					 * 2 FILE_SYNC (asked; done in reply) */
	uint32_t	data_at;	/* cut before its file data, which would
					 * have begun at this offset of the
					 * message; 0 not known */
	uint32_t	slot, highest_slot; /* SEQUENCE (RFC 8881 18.46) */
	uint32_t	port;		/* portmap GETPORT result, rpcbind
					 * GETADDR result (from the universal
					 * address); SET arguments; 0 none */
	uint32_t	map_prog, map_vers, map_prot; /* GETPORT/SET/GETADDR
					 * arguments: what is asked for;
					 * map_prot is 6 or 17 for netids of
					 * TCP and UDP */
	uint8_t		fh_len;		/* object of the call (PUTFH, v3 args;
					 * the directory where a name goes
					 * with it, the file for LINK), or
					 * handle in a result; 0 none */
	uint8_t		name_len;	/* name in the arguments (LINK: the new
					 * one); 0 none */
	uint8_t		name2_len;	/* RENAME: the new name */
	bool		name_cut;	/* a name was longer than is kept */
	const uint8_t	*fh;		/* fh_len bytes, borrowed */
	const char	*name;		/* name_len bytes, no NUL, borrowed */
	const char	*name2;
};

struct rpcop {
	struct rpc_op	op;		/* its pointers are set by rpcop_show */
	uint16_t	take_at;	/* the next byte of a text goes here, */
	uint8_t		take;		/* and so many are still to come */
	uint8_t		scratch_len;	/* of a text that is kept in fh */
	uint8_t		fh[RPCWALK_FH_MAX];
	char		name[RPCWALK_NAME_MAX];
	char		name2[RPCWALK_NAME_MAX];
};

void	rpcop_begin(struct rpcop *, uint16_t op, uint32_t opnum);

/* A word or hyper for a member, enum xdr_member of xdrprog.h. */
void	rpcop_word(struct rpcop *, unsigned int member, uint32_t word);
void	rpcop_hyper(struct rpcop *, unsigned int member, uint64_t hyper);
/* A count of 64 bits, told as UINT32_MAX when it is more; and one to add. */
void	rpcop_count(struct rpcop *, uint64_t count);
void	rpcop_count_add(struct rpcop *, uint32_t count);

/*
 * A text of len bytes begins, for enum xdr_text.  Gives how many of them are
 * kept (take): rpcop_text is to be given these bytes, in pieces of any size;
 * it gives how many of the len bytes it took.
 */
uint8_t	rpcop_text_begin(struct rpcop *, unsigned int text, uint32_t len);
size_t	rpcop_text(struct rpcop *, const uint8_t *, size_t len);

/* The text in scratch was a netid, or a universal address. */
void	rpcop_netid(struct rpcop *);
void	rpcop_uaddr(struct rpcop *);

/* The rest of the operation will not come. */
void	rpcop_cut(struct rpcop *);

/* Valid until the next call that changes the rpcop. */
const struct rpc_op *rpcop_show(struct rpcop *);

#endif

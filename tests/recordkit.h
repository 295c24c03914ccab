/* SPDX-License-Identifier: ISC */
/*
 * recordkit.h: an rpcrecord with a sink that writes down what it is told, for
 * the tests of rpcrecord.
 *
 * The text has, in order: "call 7 3.7" or "reply 7" (a header: XID, version
 * and procedure), "WRITE 8192" or "WRITE cut" (an operation), "end 7", "lost"
 * (footing), "guess", "guessed", "wrong".  Nothing is written for bytes passed
 * over: they are added up.
 */
#ifndef NFSRATED_RECORDKIT_H
#define NFSRATED_RECORDKIT_H

#include <stdbool.h>
#include <stdint.h>

#include "rpcrecord.h"

#define RECORDKIT_KNOWN	16

struct recordkit {
	struct rpcrecord rec;
	struct hunt_pool pool;
	uint64_t	 off;		/* of the next byte */
	int64_t		 now_ns;
	/* what the sink answers */
	bool		 alone;
	uint32_t	 usual;
	uint32_t	 known[RECORDKIT_KNOWN];	/* calls of the peer: */
	uint32_t	 known_proc[RECORDKIT_KNOWN];	/* of NFSv3 */
	uint32_t	 knowns;
	/* what it was told */
	char		 text[4096];
	unsigned int	 headers, ends, lost;
	uint64_t	 passed_over;
	struct rpcrecord_place head, end, guess; /* the latest places */
};

struct recordkit *recordkit_new(bool in_step);
/* Asserts that no hunt is left over, and frees. */
void	recordkit_free(struct recordkit *);
void	recordkit_know(struct recordkit *, uint32_t xid, uint32_t proc);

/* At off, which moves; the bytes from an exact-size copy. */
void	recordkit_data(struct recordkit *, const void *, size_t len);
void	recordkit_lose(struct recordkit *, size_t len);
void	recordkit_cut(struct recordkit *, size_t len);	/* not lost: unseen */
bool	recordkit_prove(struct recordkit *, uint32_t xid);
void	recordkit_flush(struct recordkit *);

#endif

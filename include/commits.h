/* SPDX-License-Identifier: ISC */
/*
 * commits.h: data that a server has answered for but may still lose: bytes
 * written UNSTABLE (RFC 1813 sec. 3.3.7, RFC 8881 sec. 18.32) and not yet
 * committed (sec. 3.3.21, sec. 18.3), by client and file, in a table of fixed
 * size.
 *
 * A COMMIT of a part of a file is taken to mean bytes that wait, whichever:
 * where they lie is not remembered.  Time is an argument.  Not thread-safe.
 */
#ifndef NFSRATED_COMMITS_H
#define NFSRATED_COMMITS_H

#include <stdint.h>

#include "addr.h"

struct commits;

struct commits_config {
	uint32_t	capacity;	/* client-file pairs; 0: 4096 */
	uint64_t	seed[2];
	/* Bytes that are no longer waited for, for want of room or for age. */
	void		(*forgot)(void *ctx, const struct addr *client,
			    uint64_t bytes);
	void		*ctx;
};

/* NULL and errno when memory is short. */
struct commits *commits_new(const struct commits_config *);
void	commits_free(struct commits *);		/* NULL is fine */

/* The server has answered a WRITE of so many bytes UNSTABLE. */
void	commits_unstable(struct commits *, const struct addr *client,
	    uint64_t file, uint32_t bytes, int64_t now_ns);
/*
 * It has answered a COMMIT of count bytes, 0: of all.  Gives how many bytes
 * that waited are stable now, and since when (ns) the oldest of the file's
 * waited; 0 and nothing when none did.
 */
uint64_t commits_stable(struct commits *, const struct addr *client,
	    uint64_t file, uint32_t count, int64_t *since_ns);

/* Forgets what was last written to at or before the time. */
void	commits_expire(struct commits *, int64_t before_ns);

#endif

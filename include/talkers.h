/* SPDX-License-Identifier: ISC */
/*
 * talkers.h: who talks: clients, users and files, each with counters of the
 * open intervals and since the start, in tables of fixed size.
 *
 * Counters are kept apart for TALKERS_SLOTS open intervals; closing one of
 * them (talkers_fill) puts the busiest into a sample and adds all of them to
 * the totals.  What is forgotten for want of room takes its counts with it
 * and is itself counted.
 *
 * A file is known by its handle.  Replies carry none, so the object of each
 * call is remembered until newer calls push it out; so is the name that a
 * call looks up or creates, which becomes the name of the handle in the
 * reply.
 *
 * Not thread-safe.
 */
#ifndef NFSRATED_TALKERS_H
#define NFSRATED_TALKERS_H

#include "sample.h"

#define TALKERS_SLOTS	3

struct talkers;

struct talkers_config {
	uint32_t	clients;	/* capacity, default 4096 */
	uint32_t	users;		/* 1024 */
	uint32_t	files;		/* 4096 */
	uint32_t	calls;		/* whose object is remembered, 8192 */
	uint64_t	seed[2];
};

/* NULL for the defaults and seed 0.  NULL and errno when memory is short. */
struct talkers *talkers_new(const struct talkers_config *);
void	talkers_free(struct talkers *);

/* When and where counts belong to. */
struct talkers_at {
	uint32_t	slot;		/* open interval, < TALKERS_SLOTS */
	uint32_t	stream, xid;	/* of the call */
	int64_t		time_ns;
};

/* Counts for a client (NULL: unknown) and a user (NULL: unknown). */
void	talkers_add(struct talkers *, const struct talkers_at *,
	    const struct addr *client, const uint32_t *uid,
	    const struct sample_talk *);
/* The object of a call: the file that talkers_file counts for. */
void	talkers_object(struct talkers *, const struct talkers_at *,
	    const uint8_t *fh, uint32_t len);
/* Counts for the object of a call, when it is known. */
void	talkers_file(struct talkers *, const struct talkers_at *,
	    const struct sample_talk *);
/* A call looks up or creates a name; its reply says the handle of it. */
void	talkers_name(struct talkers *, const struct talkers_at *,
	    const char *name, uint32_t len);
void	talkers_handle(struct talkers *, const struct talkers_at *,
	    const uint8_t *fh, uint32_t len);

/*
 * The server answered for data of a call's object: bytes of a WRITE that are
 * UNSTABLE; a COMMIT of count bytes, 0 all.
 */
void	talkers_unstable(struct talkers *, const struct talkers_at *,
	    const struct addr *client, uint32_t bytes);
void	talkers_commit(struct talkers *, const struct talkers_at *,
	    const struct addr *client, uint32_t count);

/*
 * Closes an open interval: its busiest clients, users and files, most calls
 * first, go into the sample, with their totals; evictions since the last
 * call are counted in it.
 */
void	talkers_fill(struct talkers *, uint32_t slot, struct sample *);

/* Every row, by its totals; "now" is zero.  In no order. */
void	talkers_each_client(struct talkers *,
	    void (*fn)(void *ctx, const struct sample_client *), void *ctx);
void	talkers_each_user(struct talkers *,
	    void (*fn)(void *ctx, const struct sample_user *), void *ctx);
void	talkers_each_file(struct talkers *,
	    void (*fn)(void *ctx, const struct sample_file *), void *ctx);

#endif

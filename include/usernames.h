/* SPDX-License-Identifier: ISC */
/*
 * usernames.h: names of user numbers, as the system knows them.
 *
 * Each number is looked up once, which may take a while where names come from
 * a network; so it is not for the capture's thread.  After usernames_freeze
 * nothing is looked up any more (a sandbox would not allow it).  Bounded; not
 * thread-safe.
 */
#ifndef NFSRATED_USERNAMES_H
#define NFSRATED_USERNAMES_H

#include <stdint.h>

#define USERNAMES_MAX	4096		/* that are remembered */

struct usernames;

/* NULL and errno when memory is short. */
struct usernames *usernames_new(void);
void	usernames_free(struct usernames *);

/* NULL when it has none; good until the next call. */
const char *usernames_find(struct usernames *, uint32_t uid);
/* Looks up all that the system lists, and from then on no more. */
void	usernames_freeze(struct usernames *);

#endif

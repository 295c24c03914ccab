/* SPDX-License-Identifier: ISC */
/*
 * callobject.h: the objects of the latest calls, and the names in them: a
 * reply carries neither.
 *
 * A table of fixed size in which newer calls push out older ones.  Which calls
 * share its places anyone may know: the worst that he can do is to have his
 * own forgotten.  Not thread-safe.
 */
#ifndef NFSRATED_CALLOBJECT_H
#define NFSRATED_CALLOBJECT_H

#include <stdint.h>

#define CALLOBJECT_NAME_MAX	63

struct callobject {
	uint32_t	stream, xid;
	uint32_t	age;		/* number of the use, 0 never */
	uint32_t	file;		/* index in a table of the owner, or
					 * LRUTABLE_NONE */
	uint8_t		name_len;
	char		name[CALLOBJECT_NAME_MAX];	/* no NUL */
	uint64_t	hash;		/* and the key it had then */
};

struct callobjects;

/* For at least so many calls (0: 8192).  NULL and errno. */
struct callobjects *callobjects_new(uint32_t calls);
void	callobjects_free(struct callobjects *);	/* NULL is fine */

/* Valid until the next make.  NULL: forgotten, or never known. */
struct callobject *callobjects_find(struct callobjects *, uint32_t stream,
	    uint32_t xid);
/* The same, made without file and name when it is not there. */
struct callobject *callobjects_make(struct callobjects *, uint32_t stream,
	    uint32_t xid);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * privdrop.h: from root, or from a process with capabilities, to a user who
 * has none, for good.
 */
#ifndef NFSRATED_PRIVDROP_H
#define NFSRATED_PRIVDROP_H

#include <sys/types.h>

#include <stdbool.h>

#define PRIVDROP_ERROR_MAX	256

struct privdrop {
	bool		change;		/* else the user stays who he is */
	uid_t		uid;
	gid_t		gid;
	char		name[64];
	const char	*chroot;	/* NULL: none; borrowed */
};

/*
 * Looks up a user (name or number); NULL: no change.  0, or -1 and one line of
 * text, also when only root could change to him.
 */
int	privdrop_find(struct privdrop *, const char *user,
	    const char *chroot, char err[PRIVDROP_ERROR_MAX]);

/*
 * Changes root directory (unless NULL), groups, group and user, in this order,
 * and makes sure that there is no way back.  0, or -1 and one line of text.
 */
int	privdrop_user(const struct privdrop *, char err[PRIVDROP_ERROR_MAX]);
/* Gives up all capabilities, in all sets.  0, or -1 and one line of text. */
int	privdrop_capabilities(char err[PRIVDROP_ERROR_MAX]);
/* Nothing that is executed from now on can have more.  0, or -1 and errno. */
int	privdrop_no_new(void);

#endif

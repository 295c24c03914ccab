/* SPDX-License-Identifier: ISC */
/*
 * helperfiles.h: the files that the helper process opens for the main one.
 *
 * Each function gives a descriptor or 0, or -1 and errno: EINVAL when there is
 * no such file, or it is of another kind, or the name is none that may be in
 * its directory.
 */
#ifndef NFSRATED_HELPERFILES_H
#define NFSRATED_HELPERFILES_H

#include "helper.h"

struct helperfiles {
	struct helper_file file[HELPER_FILES_MAX];
	uint32_t	files;
};

/* Relative paths are made absolute, once and for all. */
void	helperfiles_init(struct helperfiles *, const struct helper_file *,
	    uint32_t files);

int	helperfiles_open(const struct helperfiles *, uint32_t file);
int	helperfiles_create(const struct helperfiles *, uint32_t file,
	    const char *name);
/* Puts it in place; in a directory the oldest go that are too many. */
int	helperfiles_commit(const struct helperfiles *, uint32_t file,
	    const char *name);
/* May a file be made beside this one, or in this directory? */
int	helperfiles_check(const struct helperfiles *, uint32_t file);

/* Letters, digits, '-', '_' and '.', but not in front; not too long. */
bool	helperfiles_name_is_plain(const char *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * statefile.h: where the program keeps what it wants to know next time.
 *
 * In this order: the directory that STATE_DIRECTORY names (systemd sets it),
 * /var/lib/nfsrated for root, ~/.local/state/nfsrated for others (XDG base
 * directories).
 */
#ifndef NFSRATED_STATEFILE_H
#define NFSRATED_STATEFILE_H

#include <stddef.h>

/*
 * The path of a file of that name, its directory made when it is not there;
 * -1 and errno when it cannot be.
 */
int	statefile_path(const char *name, char *path, size_t size);

#endif

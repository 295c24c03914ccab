/* SPDX-License-Identifier: ISC */
/*
 * ifchoice.h: chooses the interface that carries NFS, when none was named.
 *
 * In this order: the one with the address of an NFS connection (a socket on an
 * NFS port, on either end); the one with the default route; the first one
 * that is up and no loopback; the loopback.
 */
#ifndef NFSRATED_IFCHOICE_H
#define NFSRATED_IFCHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addr.h"

#define IFCHOICE_NAME_MAX	64	/* bytes of a name, with its NUL */

/* Writes the name and says why in words, or NULL when there is nothing. */
const char *ifchoice(const uint16_t *port, uint32_t ports,
	    char name[IFCHOICE_NAME_MAX]);

/* Appends the names of all interfaces to a text, each behind a blank. */
void	ifchoice_list(char *text, size_t size);

/* The same for tests and the like, from lines of the kernel's tables. */

/*
 * A line of /proc/net/tcp or tcp6: true when it is a connection, or a
 * listener on an address, of an NFS port.  Gives its local address.
 */
bool	ifchoice_nfs_socket(const char *line, const uint16_t *port,
	    uint32_t ports, struct addr *local);
/* A line of /proc/net/route: true when it is the default route, with name. */
bool	ifchoice_default_route(const char *line,
	    char name[IFCHOICE_NAME_MAX]);
/* The same of /proc/net/ipv6_route. */
bool	ifchoice_default_route6(const char *line,
	    char name[IFCHOICE_NAME_MAX]);

#endif

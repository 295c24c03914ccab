/* SPDX-License-Identifier: ISC */
/*
 * packetsocket.h: what the kernel offers on the socket of a live capture and
 * libpcap does not: another interface without new privileges, and drop
 * counters without opening files.
 */
#ifndef NFSRATED_PACKETSOCKET_H
#define NFSRATED_PACKETSOCKET_H

#include <stdbool.h>
#include <stdint.h>

/* No interface any more: 0, or -1 and errno. */
int	packetsocket_unbind(int fd);
/* The packets of this interface, from now on.  0, or -1 and errno. */
int	packetsocket_bind(int fd, unsigned int ifindex, bool promisc);
/* The kind of link (ARPHRD_*) that it is bound to; -1 unknown. */
int	packetsocket_hardware(int fd);
/* Packets that found no room since the last call; false when unknown. */
bool	packetsocket_drops(int fd, uint32_t *drops);

/* What an interface itself has dropped, from two files of sysfs. */
struct ifdrops {
	int		fd[2];
	uint64_t	start;		/* reading at the open */
};
/* Files that are not there count nothing. */
void	ifdrops_open(struct ifdrops *, const char *name);
void	ifdrops_close(struct ifdrops *);
/* Since the open, modulo 2^32. */
uint32_t ifdrops_read(const struct ifdrops *);

#endif

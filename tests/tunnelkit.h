/* SPDX-License-Identifier: ISC */
/*
 * tunnelkit.h: puts the frame of a packetkit into a tunnel between two other
 * hosts.
 */
#ifndef NFSRATED_TUNNELKIT_H
#define NFSRATED_TUNNELKIT_H

#include <stdbool.h>
#include <stdint.h>

#include "packetkit.h"

enum tunnelkit {
	TUNNELKIT_VXLAN,
	TUNNELKIT_GENEVE,		/* with Ethernet, and an option */
	TUNNELKIT_GRE,			/* with IP, and a key */
	TUNNELKIT_GRE_ETHERNET,
	TUNNELKIT_IP,			/* IP in IP */
	TUNNELKITS
};

/* Bytes that the frame grows by: outer IP header and what follows it. */
uint32_t tunnelkit_len(enum tunnelkit, bool outer_v6);

/*
 * The frame, which must be Ethernet, inside another: from 192.0.2.3 to .1, or
 * fdaa::3 to ::1, whatever its direction.  May be done several times.
 */
void	tunnelkit_wrap(struct packetkit *, enum tunnelkit, bool outer_v6);

#endif

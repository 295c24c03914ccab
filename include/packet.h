/* SPDX-License-Identifier: ISC */
/*
 * packet.h: one captured packet, as the capture hands it to the decoder.
 */
#ifndef NFSRATED_PACKET_H
#define NFSRATED_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

#define NSEC_PER_SEC	INT64_C(1000000000)
#define NSEC_PER_USEC	INT64_C(1000)
#define NSEC_PER_MSEC	INT64_C(1000000)

struct packet {
	int64_t		time_ns;	/* since 1970, UTC; may go backwards */
	struct bytes	data;		/* captured bytes from the link header
					 * on, borrowed until the next packet */
	uint32_t	wire_len;	/* length on the wire without FCS; what
					 * the capture says, may lie; never
					 * less than data.len (the capture
					 * sees to that) */
	int		linktype;	/* DLT_ value, see link.h */
	bool		trimmed;	/* the rest was not asked for: it is
					 * none that anyone looks at */
	uint16_t	ifindex;	/* which capture source: 0, 1, ... */
};

#endif

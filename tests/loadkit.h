/* SPDX-License-Identifier: ISC */
/*
 * loadkit.h: intervals for tests of what judges them: seconds of a load of
 * WRITEs, of nothing, of bare packets.  The second number n is kept by the
 * caller; time is n seconds after 1000000000.
 */
#ifndef NFSRATED_LOADKIT_H
#define NFSRATED_LOADKIT_H

#include <stdint.h>

#include "sample.h"

#define LOADKIT_NS	INT64_C(1000000000)
#define LOADKIT_START	(1000000000 * LOADKIT_NS)

/* Nothing on the wire; all of it is the client's. */
void	loadkit_idle(struct sample *, int n);
/*
 * WRITEs of 8192 bytes, answered, each in six input packets of 1418 bytes on
 * average; the server's share is that many hundredths, the rest the client's.
 */
void	loadkit_writes(struct sample *, int n, uint32_t writes,
	    uint32_t server_percent);
/* A WRITE is outstanding and nothing comes; all of it is that state's. */
void	loadkit_stuck(struct sample *, int n, enum sample_state);
/* One GETATTR of an idle client. */
void	loadkit_keepalive(struct sample *, int n);
/* What counters of packets show. */
void	loadkit_packets(struct sample *, int n, uint64_t packets,
	    uint64_t bytes);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * demo.h: a recording that needs no traffic and no privileges: a server takes
 * 8 KiB WRITEs over UDP at 8637 packets a second, then in bursts of 558 to
 * 2087 from a network card that holds its client up, then the server stalls,
 * then all is well again.
 *
 * Packets are those of the netstat tables that the program was made for; the
 * rest is what such traffic looks like.  It is the same each time.  Seconds,
 * from 2026-11-30 20:27:01 UTC on, so that the bursts begin at 20:28:01.
 * Pure.
 */
#ifndef NFSRATED_DEMO_H
#define NFSRATED_DEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "sample.h"

#define DEMO_EXPECT_PPS	8637.0
#define DEMO_STEADY	60	/* seconds of it, then of bursts, ... */
#define DEMO_BURSTY	40
#define DEMO_STALLED	12
#define DEMO_AGAIN	60
#define DEMO_SECONDS	(DEMO_STEADY + DEMO_BURSTY + DEMO_STALLED + DEMO_AGAIN)
/* A view that begins here has the bursts, and what was before, in sight. */
#define DEMO_BEGIN	(DEMO_STEADY + 8)

/* Open data; all zero is the beginning. */
struct demo {
	uint32_t		at;		/* second */
	struct sample_talk	client[2], user[2], file[3];	/* totals */
};

/* The next second; false at the end. */
bool	demo_next(struct demo *, struct sample *);

#endif

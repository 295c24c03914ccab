/* SPDX-License-Identifier: ISC */
/*
 * rpcrecordproof.h: the part of rpcrecord that is out of step: what a hunt
 * finds, and what becomes of it when it is proved.
 *
 * Only rpcrecord uses it; the rules are told in rpcrecord.h.
 */
#ifndef NFSRATED_RPCRECORDPROOF_H
#define NFSRATED_RPCRECORDPROOF_H

#include <stdint.h>

#include "rpcrecord.h"

struct rpcrecord_take {			/* arguments that travel together */
	struct rpcrecord		*rec;
	struct hunt_pool		*pool;
	const struct rpcrecord_sink	*sink;
	void				*ctx;
	struct rpcrecord_place		 place;
};

/* Hunting: takes bytes until there is something to decide; how many. */
uint32_t rpcrecordproof_data(struct rpcrecord_take *, uint64_t off,
	    const uint8_t *, uint32_t len, int64_t time_ns);
/* The end of a stream that is hunted; its hunt is not NULL. */
void	rpcrecordproof_flush(struct rpcrecord_take *);
/* Forgets the hunt, if there is one. */
void	rpcrecordproof_end(struct rpcrecord *);

#endif

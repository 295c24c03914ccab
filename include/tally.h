/* SPDX-License-Identifier: ISC */
/*
 * tally.h: one open interval, and how events are counted in it; the sampler
 * says which interval an event belongs to.
 *
 * Open data of fixed size: begin, count, end; then "s" is the sample, but
 * for seq, the flags gap and restarted, and where the second went.
 */
#ifndef NFSRATED_TALLY_H
#define NFSRATED_TALLY_H

#include "event.h"
#include "packet.h"
#include "sample.h"
#include "talkers.h"

struct tally {
	struct sample	s;
	int64_t		end_ns;
	int64_t		from_ns, to_ns;	/* watched */
	/* private */
	struct talkers	*talkers;	/* or NULL */
	uint32_t	slot;		/* in talkers */
	int64_t		last_in_ns;	/* input packet, or from_ns */
	int64_t		last_bin;	/* of input, -1 none */
	uint8_t		row[NFS_OP_COUNT]; /* index in s.op plus 1 */
};

/* Watched from from_ns, unless that lies before the start. */
void	tally_begin(struct tally *, int64_t start_ns, int64_t length_ns,
	    int64_t from_ns);
void	tally_packet(struct tally *, const struct packet_event *);
void	tally_rpc(struct tally *, const struct rpc_event *);
void	tally_op(struct tally *, const struct op_event *);
/* Watched to to_ns, unless that lies behind the end. */
void	tally_end(struct tally *, int64_t to_ns);

#endif

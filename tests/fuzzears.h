/* SPDX-License-Identifier: ISC */
/*
 * fuzzears.h: the listener of a decoder under fuzzing: it asserts what must
 * be true of any events, whatever the packets were, and adds them up to a
 * number by which two runs can be compared.
 */
#ifndef NFSRATED_FUZZEARS_H
#define NFSRATED_FUZZEARS_H

#include <stdbool.h>
#include <stdint.h>

#include "decoder.h"

struct fuzzears {
	bool		 steady;	/* packet times never go back */
	/* What was told. */
	uint64_t	 packets, calls, resends, dones, replies, duplicates,
			 replied, unmatched, gone, guesses, guesses_done, ops;
	uint64_t	 counter[SAMPLE_COUNTERS];
	uint64_t	 sum;		/* of RPC and operation events */
	/* May be NULL: called with each RPC event. */
	void		(*rpc)(void *ctx, const struct rpc_event *);
	void		*ctx;
	/* The packet that was pushed; it is to be told once. */
	const struct packet *pkt;
	bool		 told;
	int64_t		 latest_ns;
};

/* A decoder with little room that tells these ears, which are cleared. */
struct decoder *fuzzears_decoder(struct fuzzears *,
	    struct decoder_config *);
/* The room: few of everything, so that it is used up soon. */
void	fuzzears_config(struct decoder_config *);

/* A copy of exact size to the decoder, to which pkt->data need not belong. */
void	fuzzears_push(struct fuzzears *, struct decoder *,
	    const struct packet *);
/* The end: flushes and frees the decoder. */
void	fuzzears_end(struct fuzzears *, struct decoder *);

#endif

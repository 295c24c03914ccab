/* SPDX-License-Identifier: ISC */
/*
 * eventkit.h: what a decoder told, counted and written down, for tests.
 *
 * The text has a word or two for each RPC event, in order, so that a test can
 * state a whole conversation:
 *
 *	call 7, resend 7, done 7, reply 7, replied 7, unmatched 9, gone 7
 *	guess 0, guessed 0, wrong 0; dup 7 (a reply to an answered call)
 *
 * and in ops one for each operation, "7 WRITE 8192" of a call, "7 WRITE ok"
 * or "7 WRITE 70" of a reply, "7 WRITE refused", with "again " before those
 * of a resend, and in nets one for each net event ("hole in", "filled in",
 * "resent out", "shut in", "open in").
 */
#ifndef NFSRATED_EVENTKIT_H
#define NFSRATED_EVENTKIT_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"

struct eventkit {
	struct {
		uint64_t	packets, wire_packets, bytes, wire_bytes;
	}		 dir[SAMPLE_DIRECTIONS];
	struct packet_event packet;	/* the latest */
	unsigned int	 calls, resends, dones, replies, duplicates, replied,
			 unmatched, gone, guesses, wrong;
	uint64_t	 written, read;	/* bytes of calls, of replies */
	uint64_t	 counter[SAMPLE_COUNTERS];
	/* the latest events */
	uint32_t	 outstanding, open_calls;
	bool		 timed;		/* of the latest reply that was done */
	int64_t		 request_ns, server_ns, reply_ns;
	struct call	 call;
	struct addr	 client, server;
	bool		 has_ends;
	/* words */
	bool		 no_words;	/* counts alone */
	char		 text[4096], ops[4096], nets[1024];
};

/* Its listener; ctx is the struct eventkit. */
const struct decoder_listener *eventkit_listener(void);
void	eventkit_clear(struct eventkit *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * streamkit.h: a tcpstream with a consumer that knows the text that it must
 * be given: every offset once and in order.  For the tests of tcpstream.
 *
 * The text's byte at offset n is streamkit_text(n); base is the sequence
 * number of offset 0.  The consumer asserts what it is told as it is told it.
 */
#ifndef NFSRATED_STREAMKIT_H
#define NFSRATED_STREAMKIT_H

#include <stdbool.h>
#include <stdint.h>

#include "tcpstream.h"

#define STREAMKIT_MAX	(1U << 20)	/* offsets that are noted one by one */

struct streamkit {
	struct tcpstream s;
	struct tcphold	 hold;
	struct tcpstream_result r;	/* added up */
	uint32_t	 base;
	int64_t		 now_ns;
	/* what the consumer needs */
	bool		 indifferent;	/* nothing at all */
	uint8_t		 unneeded[STREAMKIT_MAX];
	/* what it was given */
	bool		 no_text;	/* beyond STREAMKIT_MAX */
	uint64_t	 pos, data, skipped, lost_skipped;
	int64_t		 time_of[STREAMKIT_MAX];
	uint8_t		 got[STREAMKIT_MAX];	/* 'd'ata, 's'kip, 'l'ost */
};

/* Not started; room for 4 MiB to hold. */
struct streamkit *streamkit_new(uint32_t base);
/* Asserts that all that was held has been freed, and frees. */
void	streamkit_free(struct streamkit *);

uint8_t	streamkit_text(uint64_t off);

/* Text at an offset as a segment, at now_ns, from an exact-size copy. */
void	streamkit_push(struct streamkit *, uint64_t off, uint32_t len);
/* Of which only have bytes were captured. */
void	streamkit_push_cut(struct streamkit *, uint64_t off, uint32_t len,
	    uint32_t have);
/* With any sequence number; the bytes are those of offset seq - base. */
void	streamkit_push_seq(struct streamkit *, uint32_t seq, uint32_t len,
	    uint32_t have);
void	streamkit_ack(struct streamkit *, uint64_t off);
void	streamkit_tick(struct streamkit *);
void	streamkit_hurry(struct streamkit *);
void	streamkit_flush(struct streamkit *);

#endif

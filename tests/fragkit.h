/* SPDX-License-Identifier: ISC */
/*
 * fragkit.h: what the tests of ipfrag share: fragments of one known text.
 * Its assertions are those of <assert.h>: it is linked without cmocka too.
 */
#ifndef NFSRATED_FRAGKIT_H
#define NFSRATED_FRAGKIT_H

#include <stdbool.h>
#include <stdint.h>

#include "ipfrag.h"
#include "packet.h"

#define FRAG_TEXT_MAX	65535
#define FRAG_UNCUT	UINT32_MAX	/* a snap length that cuts nothing */

/* FRAG_TEXT_MAX bytes, none 0, that tell their place nearly always. */
const uint8_t *frag_text(void);

/* The incomplete datagrams: how many, the latest with its head. */
struct frag_ended {
	uint32_t		n;
	struct ipfrag_datagram	last;
	uint8_t			head[IPFRAG_HEAD_MAX];
};

/* With a maximum age of 30 s; the record may be NULL. */
struct ipfrag *frag_new(uint32_t capacity, struct frag_ended *);

/* One fragment of the text: which, and how much of it was captured. */
struct frag_piece {
	uint32_t	id;
	uint32_t	offset, len;
	bool		more;
	uint32_t	snap;
};

/* The packet of a piece, of UDP from 10.77.0.3 to 10.77.0.1, no payload. */
struct ip_packet frag_packet(const struct frag_piece *);

/* Pushes a piece, its captured bytes from an exact-size copy of the text. */
bool	frag_push(struct ipfrag *, struct frag_piece, int64_t now_ns,
	    struct ipfrag_datagram *out);
/* The same for a piece that is not cut, at time 0. */
bool	frag_put(struct ipfrag *, uint32_t id, uint32_t offset, uint32_t len,
	    bool more, struct ipfrag_datagram *out);

/* Asserts that the datagram is whole and its head that of the text. */
void	frag_is_whole(const struct ipfrag_datagram *, uint32_t total);

/* An 8 KiB WRITE over Ethernet: 8328 bytes in six fragments of 1480. */
#define FRAG_STORY_LEN	8328
#define FRAG_STORY_N	6
struct frag_piece frag_story(uint32_t id, uint32_t n);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * walkkit.h: for tests of rpcwalk: messages written as text, walks written
 * down as text, and one message walked in every way there is.
 *
 * Messages are written so:
 *	#123	a word, in decimal
 *	@123	64 bits, in decimal
 *	0a0b	bytes, in hexadecimal
 *	'abc'	a string or opaque: length, bytes, padding
 *	<20>	20 bytes that nobody looks at
 * and blanks, which mean nothing.
 *
 * Walks are written so: "call 7 100003.3.1 sys uid=0 | GETATTR fh=0102 | "
 * and, when the walk did not end well, "CUT", "BAD" or a note at the end.
 */
#ifndef NFSRATED_WALKKIT_H
#define NFSRATED_WALKKIT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a message; gives how many. */
size_t	walkkit_bytes(const char *text, uint8_t *buf, size_t size);

/* What a reply answers: rpcwalk_expect is called with it if prog is not 0. */
struct walkkit_call {
	uint32_t	prog, vers, proc;
	uint8_t		service;
};

/*
 * Asserts that the message gives this walk: whole, byte by byte, cut in two
 * at each place, and with every byte that makes no difference left out; that
 * each prefix of it gives the beginning of the walk and never a good end
 * unless nothing was to come; and that with any bit flipped it ends.
 */
void	walkkit_assert(const char *message, const struct walkkit_call *,
	    const char *walk);

/* The same for a message given as bytes. */
void	walkkit_assert_bytes(const uint8_t *message, size_t len,
	    const struct walkkit_call *, const char *walk);

/*
 * The walk of the first seen bytes of a message, the others being skipped
 * (unseen), in buf.
 */
const char *walkkit_walk(const char *message, const struct walkkit_call *,
	    size_t seen, char *buf, size_t size);

/* Headers to begin messages with: xid 7. */
#define WALKKIT_CALL(prog, vers, proc)	\
	"#7 #0 #2 #" #prog " #" #vers " #" #proc " #0 #0  #0 #0 "
#define WALKKIT_REPLY	"#7 #1 #0  #0 #0  #0 "

#endif

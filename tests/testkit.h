/* SPDX-License-Identifier: ISC */
/*
 * testkit.h: what several unit tests need: fixtures as exact-size heap
 * copies, every prefix and every single-bit flip of them, repeatable chance.
 *
 * A copy ends where its heap block ends, so AddressSanitizer sees a read of
 * one byte too many, also behind a copy of no bytes.  Nothing here asserts
 * anything: the callbacks do.
 */
#ifndef NFSRATED_TESTKIT_H
#define NFSRATED_TESTKIT_H

#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

/* The caller frees the copy with testkit_free, not with free. */
uint8_t	*testkit_copy(const void *data, size_t len);
void	 testkit_free(uint8_t *);

/*
 * Calls fn with a copy of the first 0, 1, ..., len - 1 bytes and at last of
 * all len bytes; the copy is gone when fn returns.
 */
void	for_every_prefix(const void *data, size_t len,
	    void (*fn)(void *ctx, struct bytes prefix), void *ctx);

/*
 * Calls fn with a copy of all len bytes in which one bit is flipped, for
 * every bit: bit 0 is the top bit of the first byte.
 */
void	for_every_bit_flip(const void *data, size_t len,
	    void (*fn)(void *ctx, struct bytes flipped, size_t bit), void *ctx);

/*
 * Repeatable random numbers: the state may start with any value.
 * testkit_below gives 0 to n - 1 (n > 0); testkit_shuffle puts n numbers
 * into a random order.
 */
uint64_t testkit_random(uint64_t *state);
uint32_t testkit_below(uint64_t *state, uint32_t n);
void	 testkit_shuffle(uint64_t *state, uint32_t *numbers, size_t n);

#endif

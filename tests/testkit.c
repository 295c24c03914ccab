/* SPDX-License-Identifier: ISC */
/*
 * testkit.c: helpers of the unit tests, see testkit.h.
 */
#include "testkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room before a copy, so that a copy of nothing ends at its block's end. */
#define LEAD	16

uint8_t *
testkit_copy(const void *data, size_t len)
{
	uint8_t *block = malloc(LEAD + len);

	if (block == NULL) {
		perror("testkit");
		abort();
	}
	memset(block, 0xa5, LEAD);
	if (len > 0)
		memcpy(block + LEAD, data, len);
	return block + LEAD;
}

void
testkit_free(uint8_t *copy)
{
	if (copy != NULL)
		free(copy - LEAD);
}

void
for_every_prefix(const void *data, size_t len,
    void (*fn)(void *ctx, struct bytes prefix), void *ctx)
{
	uint8_t *copy;
	size_t n;

	for (n = 0; n <= len; n++) {
		copy = testkit_copy(data, n);
		fn(ctx, bytes_of(copy, n));
		testkit_free(copy);
	}
}

void
for_every_bit_flip(const void *data, size_t len,
    void (*fn)(void *ctx, struct bytes flipped, size_t bit), void *ctx)
{
	uint8_t *copy;
	size_t bit;

	for (bit = 0; bit < len * 8; bit++) {
		copy = testkit_copy(data, len);
		copy[bit / 8] ^= (uint8_t)(0x80U >> (bit % 8));
		fn(ctx, bytes_of(copy, len), bit);
		testkit_free(copy);
	}
}

/* An additive counter through two multiply-xor rounds. */
uint64_t
testkit_random(uint64_t *state)
{
	uint64_t x;

	*state += UINT64_C(0x9e3779b97f4a7c15);
	x = *state;
	x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	x = (x ^ (x >> 29)) * UINT64_C(0xa0761d6478bd642f);
	return x ^ (x >> 32);
}

uint32_t
testkit_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)(((testkit_random(state) >> 32) * n) >> 32);
}

void
testkit_shuffle(uint64_t *state, uint32_t *numbers, size_t n)
{
	uint32_t other, tmp;

	for (; n > 1; n--) {
		other = testkit_below(state, (uint32_t)n);
		tmp = numbers[n - 1];
		numbers[n - 1] = numbers[other];
		numbers[other] = tmp;
	}
}

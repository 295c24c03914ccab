/* SPDX-License-Identifier: ISC */
/*
 * jsonvalue.h: numbers of a JSON value that jansson has read, held to their
 * range.
 *
 * Members that are missing, null, or of another type leave the result as it
 * is.
 */
#ifndef NFSRATED_JSONVALUE_H
#define NFSRATED_JSONVALUE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

void	jsonvalue_uint(const json_t *object, const char *key, uint64_t *);
void	jsonvalue_uint32(const json_t *object, const char *key, uint32_t *);
double	jsonvalue_real(const json_t *object, const char *key,
	    double otherwise);

/* To the nearest, and held to what 0 to 2^60 is. */
uint64_t jsonvalue_rounded(double);

/* A number, 0 for what is none; negative ones are 0. */
uint64_t jsonvalue_uint_of(const json_t *);
uint32_t jsonvalue_uint32_of(const json_t *);
/* The n-th of an array; 0 past its end. */
uint64_t jsonvalue_nth(const json_t *array, size_t n);
uint32_t jsonvalue_nth32(const json_t *array, size_t n);

#endif

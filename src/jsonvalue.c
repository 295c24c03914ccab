/* SPDX-License-Identifier: ISC */
/*
 * jsonvalue.c: numbers of a JSON value, held to their range.
 */
#include "jsonvalue.h"

uint64_t
jsonvalue_uint_of(const json_t *v)
{
	json_int_t n = json_integer_value(v);

	return n > 0 ? (uint64_t)n : 0;
}

uint32_t
jsonvalue_uint32_of(const json_t *v)
{
	uint64_t n = jsonvalue_uint_of(v);

	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

void
jsonvalue_uint(const json_t *object, const char *key, uint64_t *value)
{
	const json_t *v = json_object_get(object, key);

	if (json_is_integer(v))
		*value = jsonvalue_uint_of(v);
}

void
jsonvalue_uint32(const json_t *object, const char *key, uint32_t *value)
{
	const json_t *v = json_object_get(object, key);

	if (json_is_integer(v))
		*value = jsonvalue_uint32_of(v);
}

double
jsonvalue_real(const json_t *object, const char *key, double otherwise)
{
	const json_t *v = json_object_get(object, key);

	return json_is_number(v) ? json_number_value(v) : otherwise;
}

uint64_t
jsonvalue_nth(const json_t *array, size_t n)
{
	return jsonvalue_uint_of(json_array_get(array, n));
}

uint32_t
jsonvalue_nth32(const json_t *array, size_t n)
{
	return jsonvalue_uint32_of(json_array_get(array, n));
}

uint64_t
jsonvalue_rounded(double v)
{
	if (!(v > 0))
		return 0;
	return v < 0x1p60 ? (uint64_t)(v + 0.5) : UINT64_C(1) << 60;
}

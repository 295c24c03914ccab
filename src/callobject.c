/* SPDX-License-Identifier: ISC */
/*
 * callobject.c: the objects of the latest calls, and the names in them.
 */
#include "callobject.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "lrutable.h"

#define WAYS	4		/* places that an object may have */

struct callobjects {
	struct callobject *object;
	struct callobject *last;	/* found or made last; NULL none */
	uint32_t	 mask;		/* sets of WAYS objects, less one */
	uint32_t	 age;
};

static uint32_t
power_of_two(uint32_t at_least)
{
	uint32_t n = WAYS;

	while (n < at_least && n < UINT32_C(1) << 24)
		n <<= 1;
	return n;
}

struct callobjects *
callobjects_new(uint32_t calls)
{
	struct callobjects *t = calloc(1, sizeof(*t));
	uint32_t n = power_of_two(calls != 0 ? calls : 8192);

	if (t == NULL)
		return NULL;
	t->mask = n / WAYS - 1;
	if ((t->object = calloc(n, sizeof(*t->object))) == NULL) {
		free(t);
		return NULL;
	}
	return t;
}

void
callobjects_free(struct callobjects *t)
{
	if (t == NULL)
		return;
	free(t->object);
	free(t);
}

/* The first of the places of a call's object. */
static struct callobject *
set_of(struct callobjects *t, uint32_t stream, uint32_t xid)
{
	uint32_t h = stream * UINT32_C(0x9e3779b1) ^ xid;

	/* XIDs may count in any of their bytes. */
	h = (h ^ h >> 16) * UINT32_C(0x85ebca6b);
	h = (h ^ h >> 13) * UINT32_C(0xc2b2ae35);
	return t->object + (size_t)((h ^ h >> 16) & t->mask) * WAYS;
}

struct callobject *
callobjects_find(struct callobjects *t, uint32_t stream, uint32_t xid)
{
	struct callobject *o = t->last;
	int i;

	/* A message asks for its object several times. */
	if (o != NULL && o->stream == stream && o->xid == xid)
		return o;
	for (i = 0, o = set_of(t, stream, xid); i < WAYS; i++, o++)
		if (o->age != 0 && o->stream == stream && o->xid == xid)
			return t->last = o;
	return NULL;
}

struct callobject *
callobjects_make(struct callobjects *t, uint32_t stream, uint32_t xid)
{
	struct callobject *o = callobjects_find(t, stream, xid), *set;
	int i;

	if (o != NULL)
		return o;
	for (i = 1, o = set = set_of(t, stream, xid); i < WAYS; i++)
		if (t->age - set[i].age > t->age - o->age)
			o = &set[i];
	if (++t->age == 0)
		t->age = 1;
	*o = (struct callobject){ .stream = stream, .xid = xid,
	    .age = t->age, .file = LRUTABLE_NONE };
	return t->last = o;
}

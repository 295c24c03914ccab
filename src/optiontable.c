/* SPDX-License-Identifier: ISC */
/*
 * optiontable.c: the one table of options, and how each is read.
 */
#include "optiontable.h"

#include <stdio.h>
#include <string.h>

/* The values, each for one entry of the table. */

static int
parse_flag(struct options *o, const struct option_entry *e, const char *text,
    char *err)
{
	void *member = (char *)o + e->offset;
	bool *flag = member;

	(void)text;
	(void)err;
	*flag = true;
	return 0;
}

static int
parse_text(struct options *o, const struct option_entry *e, const char *text,
    char *err)
{
	void *member = (char *)o + e->offset;
	const char **value = member;

	if (text[0] == '\0') {
		snprintf(err, OPTVALUE_ERROR_MAX, "is empty");
		return -1;
	}
	*value = text;
	return 0;
}

static int
parse_integer(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	void *member = (char *)o + e->offset;

	return optvalue_integer(text, (int64_t)e->min, (int64_t)e->max,
	    member, err);
}

static int
parse_real(struct options *o, const struct option_entry *e, const char *text,
    char *err)
{
	void *member = (char *)o + e->offset;

	return optvalue_real(text, e->min, e->max, member, err);
}

static int
parse_bitrate(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	void *member = (char *)o + e->offset;

	return optvalue_bitrate(text, member, err);
}

static int
parse_of_last(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	void *member = (char *)o + e->offset;

	return optvalue_of_last(text, member, err);
}

static int
parse_range(struct options *o, const struct option_entry *e, const char *text,
    char *err)
{
	void *member = (char *)o + e->offset;

	return optvalue_range(text, member, err);
}

/* Room for one more in a list: its place, NULL when it is full. */
static void *
list_place(struct options *o, const struct option_entry *e, size_t size,
    char *err)
{
	void *member = (char *)o + e->count_offset;
	uint32_t *count = member;

	if (*count >= e->max) {
		snprintf(err, OPTVALUE_ERROR_MAX, "is given too often (at "
		    "most %.0f)", e->max);
		return NULL;
	}
	return (char *)o + e->offset + (*count)++ * size;
}

static int
parse_interface(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	const char **place;
	uint32_t i;

	for (i = 0; i < o->interfaces; i++)
		if (strcmp(o->interface[i], text) == 0)
			return 0;
	if ((place = list_place(o, e, sizeof(*place), err)) == NULL)
		return -1;
	*place = text;
	return 0;
}

static int
parse_server(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	struct addr a, *place;

	if (!addr_parse(text, &a)) {
		snprintf(err, OPTVALUE_ERROR_MAX,
		    "\"%s\" is no numeric address", text);
		return -1;
	}
	if ((place = list_place(o, e, sizeof(*place), err)) == NULL)
		return -1;
	*place = a;
	return 0;
}

static int
parse_port(struct options *o, const struct option_entry *e, const char *text,
    char *err)
{
	uint16_t *place;
	int64_t port;

	if (optvalue_integer(text, 1, 65535, &port, err) != 0 ||
	    (place = list_place(o, e, sizeof(*place), err)) == NULL)
		return -1;
	*place = (uint16_t)port;
	return 0;
}

static int
parse_expect(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	struct expect_spec spec, *place;

	if (optvalue_expect(text, &spec, err) != 0 ||
	    (place = list_place(o, e, sizeof(*place), err)) == NULL)
		return -1;
	*place = spec;
	return 0;
}

#include "optiontable.inc"

_Static_assert(sizeof(table) / sizeof(table[0]) <= OPTIONS_MAX,
    "OPTIONS_MAX is too small");

const struct option_entry *
option_table(size_t *entries)
{
	*entries = sizeof(table) / sizeof(table[0]);
	return table;
}

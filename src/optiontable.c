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

/* How many times as fast as it was recorded. */
static int
parse_speed(struct options *o, const struct option_entry *e, const char *text,
    char *err)
{
	if (strcmp(text, "max") != 0)
		return parse_real(o, e, text, err);
	o->speed = 0;
	return 0;
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
		    "\"%s\" is no numeric address, as "
		    "10.0.0.5", text);
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

static int
parse_sandbox(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	static const char *const modes[] = { [SANDBOX_KILL] = "kill",
	    [SANDBOX_LOG] = "log", [SANDBOX_OFF] = "off" };
	size_t i;

	(void)e;
	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(text, modes[i]) == 0) {
			o->sandbox = (enum sandbox_mode)i;
			return 0;
		}
	snprintf(err, OPTVALUE_ERROR_MAX, "\"%s\" is none of kill, log, off",
	    text);
	return -1;
}

/* Read again by who listens; here it must be well-formed. */
static int
parse_listen(struct options *o, const struct option_entry *e,
    const char *text, char *err)
{
	struct endpoint ignored;

	return optvalue_listen(text, &ignored, err) != 0 ? -1 :
	    parse_text(o, e, text, err);
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

static bool
same_expect(const void *a, const void *b)
{
	const struct expect_spec *x = a, *y = b;

	return x->kind == y->kind && x->value == y->value;
}

static bool
same_range(const void *a, const void *b)
{
	const struct plugin_range *x = a, *y = b;

	return x->given == y->given && x->inside == y->inside &&
	    x->low == y->low && x->high == y->high;
}

/*
 * What kind of value an option has, or a list of which; any other is text.
 * A kind without a comparison has no padding: its bytes tell.
 */
static const struct kind {
	int	(*parse)(struct options *, const struct option_entry *,
		    const char *, char err[OPTVALUE_ERROR_MAX]);
	size_t	size;
	bool	(*same)(const void *, const void *);
} kinds[] = {
	{ parse_flag, sizeof(bool), NULL },
	{ parse_integer, sizeof(int64_t), NULL },
	{ parse_real, sizeof(double), NULL },
	{ parse_speed, sizeof(double), NULL },
	{ parse_bitrate, sizeof(double), NULL },
	{ parse_of_last, sizeof(struct of_last), NULL },
	{ parse_range, sizeof(struct plugin_range), same_range },
	{ parse_server, sizeof(struct addr), NULL },
	{ parse_port, sizeof(uint16_t), NULL },
	{ parse_expect, sizeof(struct expect_spec), same_expect },
	{ parse_sandbox, sizeof(enum sandbox_mode), NULL },
};

static const struct kind *
kind_of(const struct option_entry *e)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].parse == e->parse)
			return &kinds[i];
	return NULL;
}

static bool
same_values(const struct kind *kind, const char *a, const char *b, uint32_t n)
{
	if (kind->same == NULL)
		return memcmp(a, b, n * kind->size) == 0;
	for (; n > 0; n--, a += kind->size, b += kind->size)
		if (!kind->same(a, b))
			return false;
	return true;
}

static bool
same_text(const void *a, const void *b, uint32_t n)
{
	const char *const *x = a, *const *y = b;
	uint32_t i;

	for (i = 0; i < n; i++)
		if (x[i] != y[i] && (x[i] == NULL || y[i] == NULL ||
		    strcmp(x[i], y[i]) != 0))
			return false;
	return true;
}

bool
option_same(const struct option_entry *e, const struct options *a,
    const struct options *b)
{
	const char *x = (const char *)a, *y = (const char *)b;
	const struct kind *kind = kind_of(e);
	uint32_t n = 1, m = 1;

	if (e->count_offset != 0) {
		memcpy(&n, x + e->count_offset, sizeof(n));
		memcpy(&m, y + e->count_offset, sizeof(m));
	}
	if (n != m)
		return false;
	if (kind == NULL)
		return same_text(x + e->offset, y + e->offset, n);
	return same_values(kind, x + e->offset, y + e->offset, n);
}

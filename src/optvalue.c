/* SPDX-License-Identifier: ISC */
/*
 * optvalue.c: the values of options from text (pure).
 */
#include "optvalue.h"

#include <bsd/stdlib.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OF_LAST_MAX	3600
#define RATE_MAX	1e15	/* of anything a second */
#define LINK_MIN	64e3	/* bits a second */

static int	fail(char *err, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

static int
fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, OPTVALUE_ERROR_MAX, fmt, ap);
	va_end(ap);
	return -1;
}

int
optvalue_integer(const char *text, int64_t min, int64_t max, int64_t *value,
    char err[OPTVALUE_ERROR_MAX])
{
	const char *why;
	int64_t v;

	v = strtonum(text, INT64_MIN, INT64_MAX, &why);
	if (isspace((unsigned char)text[0]) ||
	    (why != NULL && strcmp(why, "invalid") == 0))
		return fail(err, "\"%s\" is no whole number", text);
	if (why != NULL || v < min || v > max)
		return fail(err, "\"%s\" is out of range (%lld to %lld)", text,
		    (long long)min, (long long)max);
	*value = v;
	return 0;
}

/*
 * A plain decimal number at the start of the text: no hexadecimal, no
 * infinity, no blanks.  Gives where it ends, NULL when there is none.
 */
static const char *
scan_number(const char *text, double *v)
{
	const char *digits = text + (*text == '-' || *text == '+');
	char *end;

	if (!isdigit((unsigned char)digits[digits[0] == '.']) ||
	    (digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x'))
		return NULL;
	*v = strtod(text, &end);
	return end;
}

int
optvalue_real(const char *text, double min, double max, double *value,
    char err[OPTVALUE_ERROR_MAX])
{
	const char *end;
	double v;

	end = scan_number(text, &v);
	if (end == NULL || *end != '\0')
		return fail(err, "\"%s\" is no number", text);
	if (!(v >= min && v <= max))
		return fail(err, "\"%s\" is out of range (%g to %g)", text,
		    min, max);
	*value = v;
	return 0;
}

int
optvalue_bitrate(const char *text, double *value,
    char err[OPTVALUE_ERROR_MAX])
{
	static const char units[] = "KMGT";
	const char *end, *unit;
	double v;

	end = scan_number(text, &v);
	if (end != NULL && *end != '\0' &&
	    (unit = strchr(units, toupper((unsigned char)*end))) != NULL) {
		for (; unit >= units; unit--)
			v *= 1000;
		end++;
	}
	if (end == NULL || *end != '\0')
		return fail(err, "\"%s\" is no bit rate, as 100M or 10G is",
		    text);
	if (!(v >= LINK_MIN))
		return fail(err, "\"%s\" is too little for a link; 100 Mbit/s "
		    "are 100M", text);
	if (v > RATE_MAX)
		return fail(err, "\"%s\" is out of range", text);
	*value = v;
	return 0;
}

int
optvalue_expect(const char *text, struct expect_spec *spec,
    char err[OPTVALUE_ERROR_MAX])
{
	static const struct {
		const char		*text;
		enum expect_spec_kind	 kind;
	} kinds[] = {
		{ "pps=", SPEC_PPS }, { "wps=", SPEC_WPS },
		{ "MBps=", SPEC_MBPS },
		{ "auto", SPEC_AUTO }, { "learn", SPEC_LEARN },
	};
	struct expect_spec s;
	size_t i, len;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		len = strlen(kinds[i].text);
		if (strncasecmp(text, kinds[i].text, len) != 0)
			continue;
		s.kind = kinds[i].kind;
		s.value = 0;
		if (kinds[i].text[len - 1] == '=') {
			if (optvalue_real(text + len, 1e-6, RATE_MAX,
			    &s.value, err) != 0)
				return -1;
		} else if (text[len] != '\0')
			continue;
		*spec = s;
		return 0;
	}
	return fail(err, "\"%s\" is none of pps=N, wps=N, MBps=N, auto, learn",
	    text);
}

int
optvalue_of_last(const char *text, struct of_last *value,
    char err[OPTVALUE_ERROR_MAX])
{
	const char *slash = strchr(text, '/');
	char first[16], ignored[OPTVALUE_ERROR_MAX];
	int64_t m = 0, n = 0;

	if (slash == NULL || (size_t)(slash - text) >= sizeof(first))
		return fail(err, "\"%s\" is not of the form M/N", text);
	memcpy(first, text, (size_t)(slash - text));
	first[slash - text] = '\0';
	if (optvalue_integer(first, 1, OF_LAST_MAX, &m, ignored) != 0 ||
	    optvalue_integer(slash + 1, m, OF_LAST_MAX, &n, ignored) != 0)
		return fail(err, "\"%s\": M/N must be 1 <= M <= N <= %d", text,
		    OF_LAST_MAX);
	value->m = (uint32_t)m;
	value->n = (uint32_t)n;
	return 0;
}

/* "LOW:HIGH", "LOW:", "~:HIGH" or "HIGH"; true when that is all. */
static bool
scan_range(const char *p, double *low, double *high)
{
	const char *end;

	*low = 0;
	*high = INFINITY;
	if (strchr(p, ':') != NULL) {
		if (*p == '~') {
			*low = -INFINITY;
			end = p + 1;
		} else if (*p == ':')
			end = p;
		else
			end = scan_number(p, low);
		if (end == NULL || *end != ':')
			return false;
		p = end + 1;
		if (*p == '\0')
			return true;
	}
	end = scan_number(p, high);
	return end != NULL && *end == '\0';
}

int
optvalue_range(const char *text, struct plugin_range *range,
    char err[OPTVALUE_ERROR_MAX])
{
	struct plugin_range r = { .given = true, .inside = text[0] == '@' };

	if (!scan_range(text + r.inside, &r.low, &r.high))
		return fail(err, "\"%s\" is no range, as 10, 10:, ~:10, 10:20 "
		    "or @10:20 is", text);
	if (r.low > r.high)
		return fail(err, "\"%s\": the range ends before it starts",
		    text);
	*range = r;
	return 0;
}

/* The address before the last colon. */
static bool
listen_address(const char *text, size_t len, struct addr *a)
{
	static const struct addr any;
	char name[ADDR_STRLEN + 2];

	if (len >= sizeof(name))
		return false;
	memcpy(name, text, len);
	name[len] = '\0';
	if (strcmp(name, "*") == 0) {
		*a = any;
		return true;
	}
	if (len == 0 || strcmp(name, "localhost") == 0)
		return addr_parse("127.0.0.1", a);
	if (name[0] == '[' && name[len - 1] == ']') {
		name[len - 1] = '\0';
		return addr_parse(name + 1, a);
	}
	return strchr(name, ':') == NULL && addr_parse(name, a);
}

int
optvalue_listen(const char *text, struct endpoint *e,
    char err[OPTVALUE_ERROR_MAX])
{
	const char *colon = strrchr(text, ':');
	const char *port = colon != NULL ? colon + 1 : text;
	char ignored[OPTVALUE_ERROR_MAX];
	struct endpoint where = { .port = 0 };
	int64_t number = 0;

	if (!listen_address(text, colon != NULL ? (size_t)(colon - text) : 0,
	    &where.addr) ||
	    optvalue_integer(port, 0, 65535, &number, ignored) != 0)
		return fail(err, "\"%s\" is no numeric ADDR:PORT, [ADDR]:PORT, "
		    "*:PORT or PORT", text);
	where.port = (uint16_t)number;
	*e = where;
	return 0;
}

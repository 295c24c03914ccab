/* SPDX-License-Identifier: ISC */
/*
 * jsonout.c: writes JSON into a textbuf, member by member.
 */
#include "jsonout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void
begin(struct jsonout *j, const char *key)
{
	if (j->comma)
		textbuf_char(j->text, ',');
	j->comma = true;
	if (key != NULL) {
		textbuf_char(j->text, '"');
		textbuf_str(j->text, key);
		textbuf_add(j->text, "\":", 2);
	}
}

static void
open_with(struct jsonout *j, const char *key, char c)
{
	begin(j, key);
	textbuf_char(j->text, c);
	j->comma = false;
}

static void
close_with(struct jsonout *j, char c)
{
	textbuf_char(j->text, c);
	j->comma = true;
}

void
jsonout_object(struct jsonout *j, const char *key)
{
	open_with(j, key, '{');
}

void
jsonout_array(struct jsonout *j, const char *key)
{
	open_with(j, key, '[');
}

void
jsonout_end_object(struct jsonout *j)
{
	close_with(j, '}');
}

void
jsonout_end_array(struct jsonout *j)
{
	close_with(j, ']');
}

void
jsonout_null(struct jsonout *j, const char *key)
{
	begin(j, key);
	textbuf_str(j->text, "null");
}

void
jsonout_bool(struct jsonout *j, const char *key, bool value)
{
	begin(j, key);
	textbuf_str(j->text, value ? "true" : "false");
}

void
jsonout_uint(struct jsonout *j, const char *key, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	if (value == UINT64_MAX) {
		jsonout_null(j, key);
		return;
	}
	begin(j, key);
	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	textbuf_add(j->text, digits + at, sizeof(digits) - at);
}

void
jsonout_real(struct jsonout *j, const char *key, double value, int decimals)
{
	char text[64];
	int n;

	if (!isfinite(value) || fabs(value) > 1e30) {
		jsonout_null(j, key);
		return;
	}
	n = snprintf(text, sizeof(text), "%.*f", decimals, value);
	if (decimals > 0) {
		while (text[n - 1] == '0')
			n--;
		if (text[n - 1] == '.')
			n--;
	}
	if (n == 2 && text[0] == '-' && text[1] == '0') {
		text[0] = '0';
		n = 1;
	}
	begin(j, key);
	textbuf_add(j->text, text, (size_t)n);
}

/*
 * Length of the UTF-8 character (RFC 3629 sec. 4) at s, of len bytes; 0 when
 * there is none.
 */
static size_t
utf8_length(const unsigned char *s, size_t len)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (s[0] == 0xe0)
		low = 0xa0;		/* not the shortest form */
	else if (s[0] == 0xed)
		high = 0x9f;		/* surrogates */
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;		/* above U+10FFFF */
	if (n > len || s[1] < low || s[1] > high)
		return 0;
	for (i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static void
character(struct textbuf *t, const char *s, size_t n)
{
	unsigned char c = (unsigned char)*s;

	if (n == 0)
		textbuf_str(t, "\\ufffd");
	else if (c == '"' || c == '\\') {
		textbuf_char(t, '\\');
		textbuf_char(t, *s);
	} else if (c < 0x20 || c == 0x7f)
		textbuf_printf(t, "\\u%04x", (unsigned)c);
	else
		textbuf_add(t, s, n);
}

void
jsonout_strn(struct jsonout *j, const char *key, const char *s, size_t len)
{
	size_t n;

	begin(j, key);
	textbuf_char(j->text, '"');
	while (len > 0) {
		n = utf8_length((const unsigned char *)s, len);
		character(j->text, s, n);
		if (n == 0)
			n = 1;
		s += n;
		len -= n;
	}
	textbuf_char(j->text, '"');
}

void
jsonout_str(struct jsonout *j, const char *key, const char *s)
{
	jsonout_strn(j, key, s, strlen(s));
}

void
jsonout_time(struct jsonout *j, const char *key, int64_t ns)
{
	begin(j, key);
	textbuf_char(j->text, '"');
	textbuf_iso_time(j->text, ns);
	textbuf_char(j->text, '"');
}

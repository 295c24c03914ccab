/* SPDX-License-Identifier: ISC */
/*
 * textbuf.c: text that grows as it is written.
 */
#include "textbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST_SIZE	1024

void
textbuf_free(struct textbuf *t)
{
	free(t->data);
	memset(t, 0, sizeof(*t));
}

void
textbuf_clear(struct textbuf *t)
{
	t->len = 0;
	t->failed = false;
	if (t->data != NULL)
		t->data[0] = '\0';
}

/* Room for n more bytes and the NUL. */
static bool
reserve(struct textbuf *t, size_t n)
{
	size_t size = t->size > 0 ? t->size : FIRST_SIZE;
	char *data;

	if (t->failed)
		return false;
	if (n < t->size - t->len && t->size > 0)
		return true;
	while (size - t->len <= n && size <= SIZE_MAX / 4)
		size *= 2;
	if (size - t->len <= n || (data = realloc(t->data, size)) == NULL) {
		t->failed = true;
		return false;
	}
	t->data = data;
	t->size = size;
	return true;
}

void
textbuf_add(struct textbuf *t, const char *data, size_t len)
{
	if (!reserve(t, len))
		return;
	if (len > 0)
		memcpy(t->data + t->len, data, len);
	t->len += len;
	t->data[t->len] = '\0';
}

void
textbuf_char(struct textbuf *t, char c)
{
	textbuf_add(t, &c, 1);
}

void
textbuf_str(struct textbuf *t, const char *s)
{
	textbuf_add(t, s, strlen(s));
}

void
textbuf_printf(struct textbuf *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (!reserve(t, 127))
		return;
	va_start(ap, fmt);
	n = vsnprintf(t->data + t->len, t->size - t->len, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n >= t->size - t->len &&
	    reserve(t, (size_t)n)) {
		va_start(ap, fmt);
		n = vsnprintf(t->data + t->len, t->size - t->len, fmt, ap);
		va_end(ap);
	}
	if (n < 0 || t->failed) {
		t->data[t->len] = '\0';
		t->failed = true;
		return;
	}
	t->len += (size_t)n;
}

void
textbuf_pad(struct textbuf *t, size_t column)
{
	size_t line = t->len;

	while (line > 0 && t->data[line - 1] != '\n')
		line--;
	while (!t->failed && t->len - line < column)
		textbuf_char(t, ' ');
}

/* Seconds since 1970, and the milliseconds of the second. */
static time_t
split_time(long long ns, int *ms)
{
	if (ns < 0)
		ns = 0;
	*ms = (int)(ns % 1000000000 / 1000000);
	return (time_t)(ns / 1000000000);
}

void
textbuf_iso_time(struct textbuf *t, long long ns)
{
	struct tm tm;
	int ms;
	time_t seconds = split_time(ns, &ms);

	gmtime_r(&seconds, &tm);
	textbuf_printf(t, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
	    tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
	    tm.tm_min, tm.tm_sec, ms);
}

void
textbuf_day_time(struct textbuf *t, long long ns)
{
	size_t at = t->len;

	textbuf_iso_time(t, ns);
	if (t->failed)
		return;
	t->data[at + 10] = ' ';
	t->len -= strlen(".000Z");
	t->data[t->len] = '\0';
}

void
textbuf_clock(struct textbuf *t, long long ns, bool tenths)
{
	struct tm tm;
	int ms;
	time_t seconds = split_time(ns, &ms);

	localtime_r(&seconds, &tm);
	textbuf_printf(t, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	if (tenths)
		textbuf_printf(t, ".%d", ms / 100);
}

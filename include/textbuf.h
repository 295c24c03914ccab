/* SPDX-License-Identifier: ISC */
/*
 * textbuf.h: text that grows as it is written.
 *
 * All zero is an empty text.  When memory is short the text stays as it is
 * and "failed" is set, so that a writer need look only once, at the end.
 * data is NUL-terminated, but NULL as long as nothing was added.
 */
#ifndef NFSRATED_TEXTBUF_H
#define NFSRATED_TEXTBUF_H

#include <stdbool.h>
#include <stddef.h>

struct textbuf {
	char	*data;
	size_t	 len, size;
	bool	 failed;
};

void	textbuf_free(struct textbuf *);
void	textbuf_clear(struct textbuf *);	/* keeps its memory */

void	textbuf_char(struct textbuf *, char);
void	textbuf_add(struct textbuf *, const char *data, size_t len);
void	textbuf_str(struct textbuf *, const char *);
void	textbuf_printf(struct textbuf *, const char *fmt, ...)
	    __attribute__((format(printf, 2, 3)));
/* Blanks until the line has this many bytes. */
void	textbuf_pad(struct textbuf *, size_t column);

/*
 * "2026-11-30T20:28:01.000Z", UTC, any time of an int64_t; times before 1970
 * are shown as 1970.  "20:28:01" is local time; with tenths when asked.
 */
void	textbuf_iso_time(struct textbuf *, long long ns);
void	textbuf_clock(struct textbuf *, long long ns, bool tenths);
/* "2026-11-30 20:28:01", UTC, for people. */
void	textbuf_day_time(struct textbuf *, long long ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * jsonout.h: writes JSON (RFC 8259) into a textbuf, member by member.
 *
 * The result is valid UTF-8 whatever the strings hold: bytes that are not
 * UTF-8 become U+FFFD.  Numbers that are not finite, and SAMPLE_UNKNOWN, are
 * null.  key is NULL inside an array.
 */
#ifndef NFSRATED_JSONOUT_H
#define NFSRATED_JSONOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "textbuf.h"

struct jsonout {
	struct textbuf	*text;
	bool		 comma;		/* one is due before the next value */
};

void	jsonout_object(struct jsonout *, const char *key);
void	jsonout_array(struct jsonout *, const char *key);
void	jsonout_end_object(struct jsonout *);
void	jsonout_end_array(struct jsonout *);

void	jsonout_null(struct jsonout *, const char *key);
void	jsonout_bool(struct jsonout *, const char *key, bool);
void	jsonout_uint(struct jsonout *, const char *key, uint64_t);
/* At most so many decimals; zeros at the end are left out. */
void	jsonout_real(struct jsonout *, const char *key, double, int decimals);
void	jsonout_str(struct jsonout *, const char *key, const char *);
void	jsonout_strn(struct jsonout *, const char *key, const char *, size_t);
/* A time of nanoseconds since 1970, as textbuf_iso_time has it. */
void	jsonout_time(struct jsonout *, const char *key, int64_t ns);

#endif

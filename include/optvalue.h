/* SPDX-License-Identifier: ISC */
/*
 * optvalue.h: the values of options from text (pure).
 *
 * Each function gives 0, or -1 and an error text that quotes the value, and
 * then leaves the result untouched.
 */
#ifndef NFSRATED_OPTVALUE_H
#define NFSRATED_OPTVALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"

#define OPTVALUE_ERROR_MAX	256	/* bytes of an error text */

int	optvalue_integer(const char *text, int64_t min, int64_t max,
	    int64_t *, char err[OPTVALUE_ERROR_MAX]);
int	optvalue_real(const char *text, double min, double max, double *,
	    char err[OPTVALUE_ERROR_MAX]);
/* Bits a second: a number, and maybe K, M, G or T (powers of 1000). */
int	optvalue_bitrate(const char *text, double *,
	    char err[OPTVALUE_ERROR_MAX]);

enum expect_spec_kind {
	SPEC_PPS,		/* input packets a second */
	SPEC_WPS,		/* WRITE calls a second */
	SPEC_MBPS,		/* megabytes written a second */
	SPEC_AUTO,		/* what the link can carry */
	SPEC_LEARN		/* what it did before */
};
struct expect_spec {
	enum expect_spec_kind kind;
	double		 value;	/* of the first three */
};
int	optvalue_expect(const char *text, struct expect_spec *,
	    char err[OPTVALUE_ERROR_MAX]);

/* "M/N": 1 <= M <= N <= 3600. */
struct of_last {
	uint32_t	m, n;
};
int	optvalue_of_last(const char *text, struct of_last *,
	    char err[OPTVALUE_ERROR_MAX]);

/*
 * Where to listen: "ADDR:PORT", "[ADDR]:PORT", "*:PORT" for every address (of
 * no bits), "PORT" or "localhost:PORT" for the loopback.  Port 0 is any.
 */
int	optvalue_listen(const char *text, struct endpoint *,
	    char err[OPTVALUE_ERROR_MAX]);

/*
 * A range of the monitoring plug-ins: "10" is 0 to 10, "10:" from 10 on,
 * "~:10" to 10, "10:20"; it alerts outside, or with "@" before it inside.
 */
struct plugin_range {
	bool	given;
	bool	inside;
	double	low, high;	/* may be infinite */
};
int	optvalue_range(const char *text, struct plugin_range *,
	    char err[OPTVALUE_ERROR_MAX]);

#endif

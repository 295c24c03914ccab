/* SPDX-License-Identifier: ISC */
/*
 * metricsout.h: families of metrics as text: the classic format of Prometheus
 * (text/plain; version=0.0.4) or OpenMetrics 1.0 (pure).
 *
 * A family's name ends in its unit, and in nothing else: "_total", "_info",
 * "_bucket" are put where they belong.  Sample lines are the same in both
 * formats, so that series stay what they are when the format changes.
 *
 * Labels are pairs of texts, ended by NULL; one whose value is NULL is left
 * out.  Values of labels may be anything: what is not printable ASCII becomes
 * '_'.
 */
#ifndef NFSRATED_METRICSOUT_H
#define NFSRATED_METRICSOUT_H

#include <stdint.h>

#include "textbuf.h"

enum metricsout_format { METRICSOUT_CLASSIC, METRICSOUT_OPENMETRICS };
enum metricsout_type {
	METRICSOUT_COUNTER, METRICSOUT_GAUGE, METRICSOUT_HISTOGRAM,
	METRICSOUT_INFO
};

struct metricsout {
	struct textbuf	*text;
	enum metricsout_format format;
	enum metricsout_type type;	/* of the family */
	const char	*name;
};

/* The value of its Content-Type. */
const char *metricsout_content_type(enum metricsout_format);
/* What a client accepts, by its header of that name; NULL: it has none. */
enum metricsout_format metricsout_choose(const char *accept);

/* A family begins.  unit may be NULL; the help is one sentence. */
void	metricsout_family(struct metricsout *, enum metricsout_type,
	    const char *name, const char *unit, const char *help);
void	metricsout_uint(struct metricsout *, uint64_t, ...)
	    __attribute__((sentinel));
void	metricsout_real(struct metricsout *, double, ...)
	    __attribute__((sentinel));

/*
 * bin[i] values are at most bound[i], and above the one before it; the count
 * may be larger than all of them together.
 */
struct metricsout_bins {
	const double	*bound;
	const uint64_t	*bin;
	unsigned int	 bins;
	uint64_t	 count;
	double		 sum;
};
void	metricsout_histogram(struct metricsout *,
	    const struct metricsout_bins *, ...) __attribute__((sentinel));
/* The end of all. */
void	metricsout_end(struct metricsout *);

#endif

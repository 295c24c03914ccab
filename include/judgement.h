/* SPDX-License-Identifier: ISC */
/*
 * judgement.h: what was expected of an interval, and what is said of it; and
 * an episode of bad ones.  Open data; the rules make them, outputs show them.
 */
#ifndef NFSRATED_JUDGEMENT_H
#define NFSRATED_JUDGEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "sample.h"

enum expect_kind { EXPECT_NONE, EXPECT_PPS, EXPECT_WPS, EXPECT_MBPS };

enum verdict {			/* DESIGN sec. 3 */
	VERDICT_IDLE, VERDICT_OK, VERDICT_UNDERRUN, VERDICT_BURSTY,
	VERDICT_STALL, VERDICT_UNKNOWN, VERDICTS
};

struct judgement {
	enum expect_kind expect;
	double		expect_value;	/* packets/s, WRITEs/s or MB/s */
	double		ratio;		/* what there was, of that */
	bool		has_verdict;	/* false: nobody judges */
	enum verdict	verdict;
	bool		has_cause;
	enum sample_state cause;
	double		cause_share;	/* of the interval, 0..1 */
};

struct episode {
	bool		ended;
	enum verdict	kind;
	int64_t		start_ns, end_ns;	/* end: so far, or for good */
	uint64_t	intervals;
	enum expect_kind expect;	/* what the rates below are of */
	double		expected;
	double		min, mean, max;
	bool		has_shortfall;
	double		shortfall_bytes;
	bool		has_cause;
	enum sample_state cause;
	bool		has_client;
	struct addr	client;		/* the busiest */
};

const char *expect_kind_name(enum expect_kind);	/* "pps" */
const char *verdict_name(enum verdict);		/* "bursty-underrun" */
/* At most 9 letters, bad ones in capitals: "BURSTY". */
const char *verdict_short(enum verdict);
bool	verdict_is_bad(enum verdict);

#endif

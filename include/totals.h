/* SPDX-License-Identifier: ISC */
/*
 * totals.h: everything since the start, as a sum of samples.
 *
 * Totals take nothing but samples, so a rate log played back gives the same
 * as the traffic did.  What a sample holds only the busiest of (clients,
 * users, files) is kept by key with the totals that it had when it was last
 * seen; totals_talkers puts the exact rows in their place.
 *
 * Open data to read, of fixed size (about 2 MiB, of which only what is used
 * is touched).  Not thread-safe.
 */
#ifndef NFSRATED_TOTALS_H
#define NFSRATED_TOTALS_H

#include "sample.h"
#include "talkers.h"
#include "toprows.h"

#define TOTALS_OTHER_OPS 128	/* operations without an op id */
#define TOTALS_STATUS	256
#define TOTALS_SIZES	1024
#define TOTALS_RATES	4096

/* As struct sample_op, for a long time. */
struct totals_op {
	uint16_t	op;
	uint32_t	prog, vers, proc;
	uint64_t	calls, replies, errors, retransmits, hidden;
	uint64_t	timed, sum_us, bytes;
	uint32_t	max_us;
};

/*
 * The rates of full intervals.  n, sum, min and max are exact; quantiles come
 * from the values kept: all of them up to TOTALS_RATES, then every second,
 * every fourth, ...
 */
struct totals_rate {
	uint64_t	n;
	double		sum, min, max;
	uint64_t	stride;		/* every so many is kept; 0: 1 */
	uint32_t	kept;
	double		value[TOTALS_RATES];
};

enum totals_rate_kind {
	TOTALS_RATE_IN,		/* wire packets towards servers a second */
	TOTALS_RATE_WRITE,	/* WRITE calls a second */
	TOTALS_RATE_BYTES,	/* bytes written a second */
	TOTALS_RATE_READ,	/* bytes read a second */
	TOTALS_RATES_KINDS
};

struct totals {
	uint64_t	records, gaps, restarts, partial, no_data;
	int64_t		watched_ns;
	int64_t		first_ns, last_ns;	/* packets, if has_packets */
	int64_t		start_ns, end_ns;	/* of the intervals */
	bool		has_packets;
	struct sample_traffic	traffic[SAMPLE_DIRECTIONS];
	uint64_t	colls, kernel_drops, interface_drops; /* or unknown */
	uint64_t	rpc_calls, rpc_replies, rpc_retransmits,
			rpc_unmatched, outstanding;
	uint64_t	depth_ns;
	uint32_t	depth_max;
	uint64_t	counter[SAMPLE_COUNTERS];
	struct sample_data	data[SAMPLE_KINDS];
	uint64_t	duty_bins, duty_on;
	int64_t		duty_gap_ns;
	int64_t		untrusted_ns;
	bool		has_split;
	bool		packets_only;	/* all of it, see sample.h */
	uint64_t	state_ns[SAMPLE_STATES];

	uint32_t	others, statuses, sizes[2];
	struct totals_op	op[NFS_OP_COUNT];	/* by op id */
	struct totals_op	other[TOTALS_OTHER_OPS];
	struct sample_status	status[TOTALS_STATUS];
	struct sample_size	size[2][TOTALS_SIZES];
	struct totals_rate	rate[TOTALS_RATES_KINDS];
	struct toprows	*rows;		/* clients, users, files */
	/* count is exact, sum_us and max_us are not kept here */
	struct histogram	series[SAMPLE_SERIES];
};

/* NULL and errno when memory is short. */
struct totals *totals_new(void);
void	totals_free(struct totals *);
/* As new (the r key). */
void	totals_reset(struct totals *);

void	totals_add(struct totals *, const struct sample *);
/* Exact rows instead of those seen in samples; at the end. */
void	totals_talkers(struct totals *, struct talkers *);

/* 1 less the share of the time watched that cannot be trusted, 0..1. */
double	totals_trust(const struct totals *);

double	totals_rate_mean(const struct totals_rate *);
/* The value below which the share q of the intervals lies; 0 without any. */
double	totals_rate_quantile(const struct totals_rate *, double q);

#endif

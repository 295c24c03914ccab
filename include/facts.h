/* SPDX-License-Identifier: ISC */
/*
 * facts.h: what a diagnosis rests on, as plain numbers.
 *
 * Open data; facts_clear, then the others in any order, as far as there is
 * something to tell.  What is not known stays 0.
 */
#ifndef NFSRATED_FACTS_H
#define NFSRATED_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "judgement.h"
#include "netstatfile.h"
#include "rules.h"
#include "sample.h"
#include "settle.h"
#include "totals.h"

struct facts_data {
	uint64_t	calls, replies, retransmits;
	double		latency_us, server_us;	/* means */
};

struct facts {
	/* the capture */
	double		seconds;	/* watched */
	double		trust;		/* 0..1 */
	uint64_t	packets, drops;
	/* judgement */
	bool		expected;	/* something was */
	enum verdict	verdict;	/* of all of it */
	double		ratio;		/* mean rate, of what was expected */
	double		rate_min, rate_mean, rate_max;
	enum expect_kind unit;		/* of these */
	uint64_t	stalls;
	double		longest_stall;	/* seconds */
	bool		has_stall_cause;
	enum sample_state stall_cause;
	/* where the time went, 0..1: that with demand when it is known */
	bool		has_split;
	double		share[SAMPLE_STATES];
	/* RPC */
	uint64_t	calls, replies, unanswered, encrypted;
	uint64_t	retransmits;	/* less the copies the capture made */
	uint64_t	delays;		/* JUKEBOX, DELAY */
	uint32_t	depth_max;
	struct facts_data write, read, commit;
	uint64_t	stable;		/* WRITEs that ask for stable storage */
	uint64_t	small_calls, small_replies; /* not READ, not WRITE */
	/* the most frequent size of WRITEs */
	uint32_t	size;
	uint64_t	size_calls;
	double		size_latency_us, size_depth;
	/* the network */
	uint64_t	tcp_retransmits, tcp_late, zero_windows;
	uint64_t	fragments, incomplete;
	/* who */
	uint32_t	clients;
	struct addr	top_client;
	double		top_share;	/* of the bytes, or calls, of all */
	/* besides */
	bool		settled;
	struct settled	settle;
	uint64_t	verifier_changes;
	uint64_t	skewed;		/* netstat rows, see netstatfile.h */
	double		skew_mean;
};

void	facts_clear(struct facts *);
void	facts_totals(struct facts *, const struct totals *);
void	facts_rules(struct facts *, const struct rules_overall *);
void	facts_settle(struct facts *, const struct settle *);
void	facts_netstat(struct facts *, const struct netstatfile_stats *);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * diagnoserules.c: the table of diagnosis rules.
 *
 * Weights: above 2, nothing else can be believed before it; 1 to 2, something
 * is broken; below 1, what limits, by the share of time where it has one; to
 * 0.3, good to know.
 */
#include "diagnoserules.h"

#include "judge.h"

#define MANY		100	/* calls from which habits can be told */
#define SLOW_US		2000.0	/* of a server: it waits for something */
#define SMALL		4096	/* bytes of a small WRITE */

/* Share of n in all, 0 for none. */
static double
part(uint64_t n, uint64_t all)
{
	return all > 0 ? (double)n / (double)all : 0;
}

static double
server_share(const struct facts *f)
{
	return f->share[SAMPLE_SERVER] + f->share[SAMPLE_COMMITTING];
}

static double
data_time(const struct facts *f)
{
	return f->write.calls >= f->read.calls ? f->write.server_us :
	    f->read.server_us;
}

static double
untrusted(const struct facts *f)
{
	return f->trust < JUDGE_TRUST || (f->drops > 0 && (double)f->drops >
	    JUDGE_DROPS * (double)f->packets) ? 3 : 0;
}

/* Large messages are repeated and not answered, small ones are. */
static double
black_hole(const struct facts *f)
{
	uint64_t large = f->write.calls + f->read.calls;
	uint64_t replies = f->write.replies + f->read.replies;
	uint64_t again = f->write.retransmits + f->read.retransmits +
	    f->tcp_retransmits + f->incomplete;

	return large > 0 && replies * 2 < large && again >= large &&
	    f->small_calls >= 3 && part(f->small_replies, f->small_calls) >=
	    0.9 ? 2 : 0;
}

static double
server_restart(const struct facts *f)
{
	return f->verifier_changes > 0 ? 1.9 : 0;
}

static double
stall(const struct facts *f)
{
	double share = f->seconds > 0 ? f->longest_stall / f->seconds : 0;

	return f->stalls > 0 ? 1.2 + (share < 0.5 ? share : 0.5) : 0;
}

static double
settle(const struct facts *f)
{
	return f->settled ? 1.1 : 0;
}

/* A segment sent again so soon that it may as well have been overtaken. */
static double
tcp_loss(const struct facts *f)
{
	double share = f->share[SAMPLE_NETWORK];
	uint64_t again = f->tcp_retransmits + f->tcp_late;

	if (again < 5 || (share < 0.05 && part(again, f->packets) < 0.002))
		return 0;
	return 0.9 + share;
}

/* Of TCP, calls come again over new connections only. */
static double
udp_loss(const struct facts *f)
{
	uint64_t lost = f->incomplete + (f->fragments > 0 ||
	    f->tcp_retransmits == 0 ? f->retransmits : 0);

	if (lost < 3 || part(lost, f->calls) < 0.002)
		return 0;
	return 0.9 + f->share[SAMPLE_NETWORK];
}

static double
small_window(const struct facts *f)
{
	double share = f->share[SAMPLE_WINDOW];

	return share >= 0.05 || (share >= 0.01 && f->zero_windows >= 5) ?
	    0.8 + share : 0;
}

static double
put_off(const struct facts *f)
{
	return f->delays >= 3 || f->share[SAMPLE_DELAY] >= 0.02 ?
	    0.8 + f->share[SAMPLE_DELAY] : 0;
}

static double
unanswered(const struct facts *f)
{
	return f->unanswered >= 3 && part(f->unanswered, f->calls) >= 0.01 ?
	    0.85 : 0;
}

static double
commit_bound(const struct facts *f)
{
	double share = f->share[SAMPLE_COMMITTING];

	return f->commit.calls > 0 && (share >= 0.2 || (share >= 0.05 &&
	    f->commit.calls * 4 >= f->write.calls)) ? 0.6 + share : 0;
}

static double
synchronous(const struct facts *f)
{
	return f->write.calls >= MANY && part(f->stable, f->write.calls) >=
	    0.5 ? 0.4 + server_share(f) / 2 : 0;
}

static double
small_writes(const struct facts *f)
{
	return f->write.calls >= MANY && f->size > 0 && f->size <= SMALL &&
	    part(f->size_calls, f->write.calls) >= 0.5 ? 0.75 : 0;
}

static double
stop_and_wait(const struct facts *f)
{
	return f->size_calls >= MANY && f->depth_max <= 2 &&
	    f->size_depth > 0 && f->size_depth < 1.1 &&
	    f->size_latency_us > 0 ? 0.45 : 0;
}

/* Nearly every call finds as many outstanding as there ever are. */
static double
clipped_depth(const struct facts *f)
{
	return f->size_calls >= MANY && f->depth_max >= 2 &&
	    f->size_depth >= 0.9 * f->depth_max && f->size_latency_us > 0 &&
	    f->share[SAMPLE_CLIENT] < 0.3 ? 0.5 : 0;
}

static double
server_bound(const struct facts *f)
{
	double share = server_share(f);

	if (f->verdict == VERDICT_OK && f->expected)
		return 0;
	return share >= 0.5 && (verdict_is_bad(f->verdict) ||
	    data_time(f) >= SLOW_US) ? 0.6 + share * 0.3 : 0;
}

/* With an expectation it is a fault; without one, just how it is. */
static double
client_bound(const struct facts *f)
{
	double share = f->share[SAMPLE_CLIENT];

	if (!f->has_split || f->write.calls + f->read.calls < MANY ||
	    (f->expected && !verdict_is_bad(f->verdict)))
		return 0;
	if (verdict_is_bad(f->verdict) && share >= 0.5)
		return 0.5 + share;
	return share >= 0.7 ? 0.3 : 0;
}

static double
slow_path(const struct facts *f)
{
	return f->write.calls + f->read.calls >= MANY &&
	    f->share[SAMPLE_REQUEST] + f->share[SAMPLE_REPLY] >= 0.5 &&
	    !(f->verdict == VERDICT_OK && f->expected) ? 0.55 : 0;
}

/* Where only packets were counted. */
static double
bursts(const struct facts *f)
{
	return !f->has_split && f->expected &&
	    f->verdict == VERDICT_BURSTY ? 1 : 0;
}

static double
uneven(const struct facts *f)
{
	return !f->has_split && !f->expected &&
	    f->verdict == VERDICT_BURSTY ? 0.9 : 0;
}

static double
evenly_low(const struct facts *f)
{
	return !f->has_split && f->verdict == VERDICT_UNDERRUN ? 1 : 0;
}

static double
one_client(const struct facts *f)
{
	return f->clients >= 2 && f->top_share >= 0.9 ? 0.2 : 0;
}

static double
encrypted(const struct facts *f)
{
	return f->encrypted > 0 && (part(f->encrypted, f->calls) >= 0.5 ||
	    f->calls == 0) ? 0.35 : 0;
}

static double
skew(const struct facts *f)
{
	return f->skewed > 0 ? 0.25 : 0;
}

const struct diagnose_rule *
diagnose_rule(uint32_t i)
{
	static const struct diagnose_rule rules[] = {
#define RULE(name, weight, sentence) { name, weight, sentence },
#include "diagnose_rules.inc"
#undef RULE
		{ NULL, NULL, NULL }
	};
	static const uint32_t last = sizeof(rules) / sizeof(rules[0]) - 1;

	return &rules[i < last ? i : last];
}

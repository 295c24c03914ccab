/* SPDX-License-Identifier: ISC */
/*
 * judge.c: what is to be said of one interval.
 */
#include "judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RUN_MAX		10	/* intervals below in a row that are compared */
#define RUN_MIN		3
#define RECENT_MAX	12	/* intervals with demand that are compared */
#define RECENT_MIN	4
#define HIGH_MAX	30	/* intervals that say what the load had been */
#define HIGH_MIN	5
#define HIGH_QUANTILE	0.9
#define FELL		0.5	/* of that */
#define WAKE_NS		INT64_C(5000000000)	/* of traffic */
#define GIVEN_UP_NS	INT64_C(60000000000)	/* age of forgotten calls */
#define UNIT		8192.0	/* bytes that count as much as a call */
#define NORMAL_MIN	3	/* ok intervals until they say what is usual */
#define NORMAL_FADE	0.125
#define CALLS_MIN	10	/* calls a second that are more than the
				 * housekeeping of idle clients */

/* The last numbers of a series. */
struct series {
	uint32_t	n, next;
	double		v[HIGH_MAX];
};

struct judge {
	struct judge_config config;
	bool		was_demand;	/* in the last interval that counted */
	bool		was_stall;
	int64_t		quiet_ns;	/* since an interval with replies */
	int64_t		silent_ns;	/* how long nothing was answered */
	uint64_t	orphans;	/* replies to unknown calls, lately */
	int64_t		orphan_ns;	/* since the last of them */
	uint32_t	normals;
	double		normal[SAMPLE_STATES];
	struct series	run;		/* ratios of those below, in a row */
	struct series	recent;		/* ratios, or rates without expectation,
					 * of those with demand */
	struct series	high;		/* rates of those with demand */
};

struct judge *
judge_new(const struct judge_config *config)
{
	struct judge *j;

	if ((j = calloc(1, sizeof(*j))) == NULL)
		return NULL;
	j->config = *config;
	j->quiet_ns = WAKE_NS;
	return j;
}

void
judge_free(struct judge *j)
{
	free(j);
}

/* Series */

static void
series_add(struct series *s, uint32_t max, double v)
{
	if (s->next >= max)
		s->next = 0;
	s->v[s->next++] = v;
	if (s->n < max)
		s->n++;
}

static double
mean(const struct series *s)
{
	double sum = 0;
	uint32_t i;

	for (i = 0; i < s->n; i++)
		sum += s->v[i];
	return s->n > 0 ? sum / s->n : 0;
}

/* By how much of their mean two of them differ, on average. */
static double
spread(const struct series *s)
{
	double sum = 0, m = mean(s);
	uint32_t i, k;

	if (m <= 0)
		return 0;
	for (i = 0; i < s->n; i++)
		for (k = 0; k < i; k++)
			sum += fabs(s->v[i] - s->v[k]);
	return sum / (s->n * (s->n - 1) / 2.0) / m;
}

/* The same of neighbours in time, without the largest step. */
static double
jumpiness(const struct series *s, uint32_t max)
{
	uint32_t i, first = s->n < max ? 0 : s->next % max;
	double sum = 0, largest = 0, step, m = mean(s);

	if (s->n < RECENT_MIN || m <= 0)
		return 0;
	for (i = 1; i < s->n; i++) {
		step = fabs(s->v[(first + i) % max] -
		    s->v[(first + i - 1) % max]);
		sum += step;
		if (step > largest)
			largest = step;
	}
	return (sum - largest) / (s->n - 2) / m;
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
quantile(const struct series *s, double q)
{
	double v[HIGH_MAX];

	memcpy(v, s->v, s->n * sizeof(v[0]));
	qsort(v, s->n, sizeof(v[0]), by_value);
	return v[(uint32_t)(q * (s->n - 1) + 0.5)];
}

/* What the interval is like */

static bool
is_unknown(const struct sample *s)
{
	uint64_t drops = 0;

	if (s->partial || s->gap || s->no_data ||
	    sample_trust(s) < JUDGE_TRUST)
		return true;
	if (s->kernel_drops != SAMPLE_UNKNOWN)
		drops += s->kernel_drops;
	if (s->interface_drops != SAMPLE_UNKNOWN)
		drops += s->interface_drops;
	return drops > 0 &&
	    (double)drops > JUDGE_DROPS * (double)sample_packets(s);
}

static double
share(const struct sample *s, enum sample_state state)
{
	double sum = 0;
	int i;

	for (i = 0; i < SAMPLE_STATES; i++)
		sum += (double)s->state_ns[i];
	return sum > 0 ? (double)s->state_ns[state] / sum : 0;
}

/*
 * Replies to unknown calls.  Where a capture lacks messages, or has them in
 * the wrong order, a call without a reply and a reply without a call may
 * belong together: so many calls outstanding say nothing.
 */
static void
count_orphans(struct judge *j, const struct sample *s)
{
	if (j->orphan_ns >= GIVEN_UP_NS)
		j->orphans = 0;
	j->orphan_ns += s->length_ns;
	if (s->rpc_unmatched == 0 || s->partial)
		return;
	j->orphans += s->rpc_unmatched;
	j->orphan_ns = 0;
}

/* Nothing answered while something was wanted. */
static bool
is_silent(const struct judge *j, const struct sample *s)
{
	if (s->rpc_replies > 0 || s->packets_only)
		return false;
	if (s->has_split && share(s, SAMPLE_NETWORK) >= 0.5)
		return true;
	if (s->outstanding <= j->orphans || j->silent_ns >= GIVEN_UP_NS)
		return false;
	/* outstanding all the time, or nearly */
	return s->rpc_retransmits > 0 ||
	    (double)s->depth_ns >= 0.9 * (double)s->length_ns;
}

static bool
is_stall(struct judge *j, const struct sample *s)
{
	if (!is_silent(j, s)) {
		j->silent_ns = 0;
		return false;
	}
	j->silent_ns += s->length_ns;
	return (j->was_stall || j->quiet_ns < WAKE_NS) &&
	    j->silent_ns >= JUDGE_STALL_NS;
}

/* A long call may fill an interval in which none begins. */
static bool
moves_data(const struct sample *s)
{
	const struct sample_data *w = &s->data[SAMPLE_WRITE];
	const struct sample_data *r = &s->data[SAMPLE_READ];

	return w->calls + w->retransmits + r->calls + r->retransmits > 0 ||
	    (s->depth_ns >= (uint64_t)s->length_ns / 2 &&
	    s->traffic[SAMPLE_IN].bytes + s->traffic[SAMPLE_OUT].bytes >=
	    (uint64_t)UNIT);
}

/* The expectation that is missed most. */
static bool
closest(const struct judge *j, const struct sample *s, struct expected *e,
    double *ratio)
{
	struct expected all[EXPECT_MAX];
	double this;
	uint32_t i, n = 0;

	if (j->config.expect != NULL)
		n = expect_of(j->config.expect, s, all);
	for (i = 0; i < n; i++) {
		this = expect_rate(all[i].kind, s) / all[i].value;
		if (i > 0 && this >= *ratio)
			continue;
		*ratio = this;
		*e = all[i];
	}
	return n > 0;
}

/* Data that the network holds up, while small calls may be answered. */
static bool
is_held_up(const struct judge *j, const struct sample *s)
{
	return j->was_demand && s->has_split &&
	    (double)s->depth_ns >= 0.9 * (double)s->length_ns &&
	    share(s, SAMPLE_NETWORK) >= 0.9;
}

static bool
has_demand(const struct judge *j, const struct sample *s,
    const struct judgement *out)
{
	if (j->config.always || is_held_up(j, s))
		return true;
	if (!s->packets_only) {
		if (out->expect == EXPECT_NONE)
			return moves_data(s) || (double)s->rpc_calls >=
			    CALLS_MIN * sample_seconds(s);
		return moves_data(s) && out->ratio >= JUDGE_DEMAND;
	}
	if (out->expect != EXPECT_NONE)
		return out->ratio >= JUDGE_DEMAND;
	return s->traffic[SAMPLE_IN].wire_packets > 0 &&
	    (j->high.n < HIGH_MIN || expect_rate(EXPECT_NONE, s) >=
	    JUDGE_DEMAND * quantile(&j->high, HIGH_QUANTILE));
}

/* The first interval of a load: from when on there was any; 0 to 1. */
static double
begun(const struct judge *j, const struct sample *s)
{
	int64_t end = s->start_ns + s->length_ns;

	if (j->was_demand || j->config.always || s->packets_only ||
	    s->first_ns <= s->start_ns || s->first_ns >= end)
		return 1;
	return (double)(end - s->first_ns) / (double)s->length_ns;
}

static bool
bursts_inside(const struct sample *s, double ratio)
{
	double on;

	if (!s->has_duty || s->duty_bins == 0 || s->duty_on == 0)
		return false;
	on = (double)s->duty_on / (double)s->duty_bins;
	return on < JUDGE_DUTY && ratio / on >= 0.5;
}

static enum verdict
below(struct judge *j, const struct sample *s, double ratio)
{
	series_add(&j->run, RUN_MAX, ratio);
	if ((j->run.n >= RUN_MIN && spread(&j->run) >= JUDGE_SPREAD) ||
	    jumpiness(&j->recent, RECENT_MAX) >= JUDGE_SPREAD ||
	    bursts_inside(s, ratio))
		return VERDICT_BURSTY;
	return VERDICT_UNDERRUN;
}

/* Without an expectation: does the load falter, against the client's will? */
static enum verdict
unevenness(const struct judge *j, const struct sample *s, double rate)
{
	double held;

	if (j->high.n < HIGH_MIN ||
	    rate >= FELL * quantile(&j->high, HIGH_QUANTILE) ||
	    jumpiness(&j->recent, RECENT_MAX) < JUDGE_SPREAD)
		return VERDICT_OK;
	if (s->packets_only)
		return VERDICT_BURSTY;
	held = share(s, SAMPLE_SERVER) + share(s, SAMPLE_COMMITTING) +
	    share(s, SAMPLE_NETWORK) + share(s, SAMPLE_WINDOW) +
	    share(s, SAMPLE_DELAY);
	return s->has_split && held >= 0.5 ? VERDICT_BURSTY : VERDICT_OK;
}

/* Work done a second: calls and data, or packets if that is all we know. */
static double
load(const struct sample *s)
{
	if (s->packets_only)
		return expect_rate(EXPECT_NONE, s);
	return ((double)s->rpc_calls + (double)(s->data[SAMPLE_WRITE].bytes +
	    s->data[SAMPLE_READ].bytes) / UNIT) / sample_seconds(s);
}

static void
find_cause(const struct judge *j, const struct sample *s,
    struct judgement *out)
{
	double best = -2, excess;
	int i;

	if (!s->has_split)
		return;
	for (i = 0; i < SAMPLE_STATES; i++) {
		excess = share(s, (enum sample_state)i);
		if (j->normals >= NORMAL_MIN)
			excess -= j->normal[i];
		if (excess <= best)
			continue;
		best = excess;
		out->cause = (enum sample_state)i;
	}
	out->has_cause = true;
	out->cause_share = share(s, out->cause);
}

static void
learn_normal(struct judge *j, const struct sample *s)
{
	double weight = j->normals < 1 / NORMAL_FADE ?
	    1.0 / (j->normals + 1) : NORMAL_FADE;
	int i;

	if (!s->has_split)
		return;
	for (i = 0; i < SAMPLE_STATES; i++)
		j->normal[i] += weight *
		    (share(s, (enum sample_state)i) - j->normal[i]);
	j->normals++;
}

static void
with_demand(struct judge *j, const struct sample *s, struct judgement *out,
    struct judge_facts *facts)
{
	double part = begun(j, s), rate = load(s) / part;

	if (out->expect != EXPECT_NONE) {
		out->ratio /= part;
		series_add(&j->recent, RECENT_MAX, out->ratio);
		out->verdict = VERDICT_OK;
		if (part < 0.5)
			facts->counts = false;	/* it has just begun */
		else if (out->ratio < 1 - j->config.tolerance)
			out->verdict = below(j, s, out->ratio);
	} else {
		series_add(&j->recent, RECENT_MAX, rate);
		out->verdict = unevenness(j, s, rate);
	}
	if (!verdict_is_bad(out->verdict)) {
		j->run.n = j->run.next = 0;
		learn_normal(j, s);
	}
	series_add(&j->high, HIGH_MAX, rate);
	if (j->config.expect != NULL && facts->counts)
		expect_learn(j->config.expect, s);
}

/* Time made a jump: what came before says nothing of what comes now. */
static void
begin_anew(struct judge *j)
{
	j->was_demand = j->was_stall = false;
	j->quiet_ns = WAKE_NS;
	j->silent_ns = 0;
	j->orphans = 0;
	j->run.n = j->run.next = j->recent.n = j->recent.next = 0;
	j->high.n = j->high.next = 0;
}

void
judge_interval(struct judge *j, const struct sample *s, struct judgement *out,
    struct judge_facts *facts)
{
	struct expected e = { EXPECT_NONE, 0 };

	memset(out, 0, sizeof(*out));
	*facts = (struct judge_facts){ false, false, 0 };
	out->has_verdict = true;
	if (s->gap || s->restarted)
		begin_anew(j);
	out->verdict = VERDICT_UNKNOWN;
	if (!s->gap && !s->no_data && closest(j, s, &e, &out->ratio)) {
		out->expect = e.kind;
		out->expect_value = e.value;
	}
	facts->rate = expect_rate(e.kind, s);
	if (s->rpc_replies > 0)
		j->quiet_ns = 0;
	count_orphans(j, s);
	if (is_unknown(s))
		return;
	if (is_stall(j, s)) {
		out->verdict = VERDICT_STALL;
		facts->counts = facts->demand = true;
	} else if (has_demand(j, s, out)) {
		facts->counts = facts->demand = true;
		with_demand(j, s, out, facts);
	} else
		out->verdict = VERDICT_IDLE;
	if (verdict_is_bad(out->verdict))
		find_cause(j, s, out);
	j->was_demand = facts->demand;
	j->was_stall = out->verdict == VERDICT_STALL;
	if (s->rpc_replies == 0 && j->quiet_ns < WAKE_NS)
		j->quiet_ns += s->length_ns;
}

/* SPDX-License-Identifier: ISC */
/*
 * rules.c: verdicts and episodes from a stream of intervals.
 */
#include "rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "episodesum.h"
#include "judge.h"

struct rules {
	struct rules_config config;
	struct judge	*judge;
	/* the last N intervals that count */
	uint32_t	kept, next, bad;
	/* idle ones since the last with demand; the first of them are kept */
	uint32_t	idle, pauses;
	bool		had_demand;
	double		unit_bytes;	/* of the last with demand */
	/* the episode */
	bool		open;
	bool		ended_before;
	uint32_t	good;		/* in a row */
	uint32_t	patience;	/* times M */
	uint64_t	since_end;	/* intervals */
	struct episodesum sum;
	struct rules_overall overall;
	uint32_t	still;		/* stalled intervals in a row */
	int64_t		still_ns;
	double		rate_sum;
	uint64_t	rates;
	struct episode_interval *pause;	/* N - M, at least 1 */
	struct episode_interval window[];
};

static uint32_t
pauses_max(const struct rules *r)
{
	uint32_t n = r->config.n - r->config.m;

	return n > 0 ? n : 1;
}

struct rules *
rules_new(const struct rules_config *config)
{
	struct judge_config jc = { config->expect, config->tolerance,
	    config->always };
	uint32_t m = config->m, n = config->n;
	struct rules *r;

	if (m == 0 && n == 0) {
		m = RULES_M;
		n = RULES_N;
	}
	if (m == 0 || m > n || n > RULES_N_MAX) {
		errno = EINVAL;
		return NULL;
	}
	r = calloc(1, sizeof(*r) + n * sizeof(r->window[0]));
	if (r == NULL)
		return NULL;
	r->config = *config;
	r->config.m = m;
	r->config.n = n;
	r->patience = 1;
	r->pause = calloc(pauses_max(r), sizeof(r->pause[0]));
	r->judge = judge_new(&jc);
	if (r->pause == NULL || r->judge == NULL) {
		rules_free(r);
		return NULL;
	}
	return r;
}

void
rules_free(struct rules *r)
{
	if (r == NULL)
		return;
	judge_free(r->judge);
	free(r->pause);
	free(r);
}

const struct episode *
rules_episode(const struct rules *r)
{
	return r->open ? &r->sum.e : NULL;
}

static void
tell(struct rules *r)
{
	if (r->config.episode != NULL)
		r->config.episode(r->config.ctx, &r->sum.e);
}

static void
clear_window(struct rules *r)
{
	r->kept = r->next = r->bad = 0;
}

static void
longest_stall(struct rules_overall *o, int64_t length_ns, bool has_cause,
    enum sample_state cause)
{
	if (length_ns < o->longest_stall_ns)
		return;
	o->longest_stall_ns = length_ns;
	o->has_stall_cause = has_cause;
	o->stall_cause = cause;
}

static void
note_stall(struct rules_overall *o, const struct episode *e)
{
	if (e->kind != VERDICT_STALL)
		return;
	o->stalls++;
	longest_stall(o, e->end_ns - e->start_ns, e->has_cause, e->cause);
}

/* Stalls too short for an episode are to be told of, too. */
static void
note_still(struct rules *r, const struct sample *s, const struct judgement *v)
{
	if (v->verdict != VERDICT_STALL) {
		r->still = 0;
		r->still_ns = 0;
		return;
	}
	r->still++;
	r->still_ns += s->length_ns;
	if (r->still < RULES_STANDSTILL)
		return;
	if (r->still == RULES_STANDSTILL)
		r->overall.standstills++;
	longest_stall(&r->overall, r->still_ns, v->has_cause, v->cause);
}

/* Into the window of the last N. */
static void
remember(struct rules *r, const struct episode_interval *i)
{
	struct episode_interval *slot = &r->window[r->next];

	if (r->kept == r->config.n)
		r->bad -= slot->bad;
	else
		r->kept++;
	*slot = *i;
	r->bad += i->bad;
	if (++r->next == r->config.n)
		r->next = 0;
}

/* What waited (see add_open) belongs to the open episode after all. */
static void
take_waiting(struct rules *r)
{
	uint32_t i;

	for (i = 0; i < r->kept; i++)
		episodesum_add(&r->sum, &r->window[i]);
	clear_window(r);
}

static void
close_episode(struct rules *r)
{
	r->open = false;
	r->ended_before = true;
	r->since_end = 0;
	r->sum.e.ended = true;
	note_stall(&r->overall, &r->sum.e);
	tell(r);
}

static void
end_episode(struct rules *r)
{
	take_waiting(r);
	close_episode(r);
}

/* From the first bad interval in the window on. */
static void
start_episode(struct rules *r)
{
	uint32_t n = r->config.n, i, at = r->kept < n ? 0 : r->next;

	memset(&r->sum, 0, sizeof(r->sum));
	for (i = 0; i < r->kept; i++, at++) {
		if (at == n)
			at = 0;
		if (r->sum.e.intervals > 0 || r->window[at].bad)
			episodesum_add(&r->sum, &r->window[at]);
	}
	if (!r->ended_before || r->since_end > RULES_SOON * (uint64_t)n)
		r->patience = 1;
	else if (r->patience < RULES_PATIENCE)
		r->patience *= 2;
	r->open = true;
	r->good = 0;
	r->overall.episodes++;
	clear_window(r);
	tell(r);
}

/* Good ones, or idle ones, in a row that end an episode. */
static uint32_t
good_enough(const struct rules *r)
{
	return r->config.m * r->patience;
}

/*
 * A stall within an episode of another kind has another cause, as likely as
 * not: M stalled intervals in a row, which wait in the window until then, are
 * an episode of their own.
 */
static void
add_open(struct rules *r, const struct episode_interval *i)
{
	const uint32_t patience = r->patience;

	if (i->verdict == VERDICT_STALL && r->sum.e.kind != VERDICT_STALL) {
		r->good = 0;
		remember(r, i);
		if (r->bad < r->config.m)
			return;
		close_episode(r);
		start_episode(r);
		r->patience = patience;
		return;
	}
	take_waiting(r);
	episodesum_add(&r->sum, i);
	r->good = i->bad ? 0 : r->good + 1;
	if (r->good >= good_enough(r))
		end_episode(r);
}

/* An interval that is evidence. */
static void
add(struct rules *r, const struct episode_interval *i)
{
	if (r->open) {
		add_open(r, i);
		return;
	}
	remember(r, i);
	if (r->bad >= r->config.m)
		start_episode(r);
}

/* The load goes on: were the idle intervals before it a pause? */
static void
count_pauses(struct rules *r)
{
	uint32_t i, n = r->idle;

	r->idle = 0;
	if (!r->had_demand || n > r->pauses)
		return;
	for (i = 0; i < n; i++)
		add(r, &r->pause[i]);
}

/* Idle: a pause, if the load goes on soon; or its end. */
static void
add_idle(struct rules *r, const struct episode_interval *i)
{
	uint32_t n = r->config.n;

	if (r->idle < UINT32_MAX)
		r->idle++;
	if (r->idle <= pauses_max(r) && i->expect != EXPECT_NONE) {
		r->pauses = r->idle;
		r->pause[r->idle - 1] = *i;
		return;
	}
	if (r->idle < n)
		return;
	if (!r->open)
		clear_window(r);	/* that load is over */
	else if (r->idle >= good_enough(r))
		end_episode(r);
}

static void
count(struct rules *r, const struct sample *s, const struct judgement *v,
    const struct judge_facts *f)
{
	struct rules_overall *o = &r->overall;
	int i;

	o->count[v->verdict]++;
	note_still(r, s, v);
	r->since_end++;
	if (v->expect != EXPECT_NONE) {
		o->expect = v->expect;
		o->expected = v->expect_value;
	}
	if (!f->demand)
		return;
	for (i = 0; i < SAMPLE_STATES; i++)
		o->state_ns[i] += (double)s->state_ns[i];
	if (r->rates == 0 || f->rate < o->min)
		o->min = f->rate;
	if (r->rates == 0 || f->rate > o->max)
		o->max = f->rate;
	r->rate_sum += f->rate;
	r->rates++;
}

/* Time made a jump. */
static void
begin_anew(struct rules *r)
{
	if (r->open)
		end_episode(r);
	clear_window(r);
	r->had_demand = false;
	r->idle = r->pauses = 0;
}

/* An idle interval as what it is if it turns out to be a pause. */
static void
as_pause(struct episode_interval *i, const struct sample *s)
{
	i->bad = true;
	i->verdict = VERDICT_BURSTY;
	i->has_cause = s->has_split;
	i->cause = SAMPLE_CLIENT;
	i->cause_share = 1;
}

static void
take(struct rules *r, const struct sample *s, const struct judgement *v,
    const struct judge_facts *facts)
{
	struct episode_interval i;
	double bytes;

	if (s->gap || s->restarted)
		begin_anew(r);
	count(r, s, v, facts);
	if (v->verdict == VERDICT_UNKNOWN)
		return;
	bytes = expect_unit_bytes(v->expect, s);
	if (facts->demand && bytes > 0)
		r->unit_bytes = bytes;
	episode_interval_of(&i, s, v, facts->rate, r->unit_bytes);
	if (!facts->demand) {
		as_pause(&i, s);
		add_idle(r, &i);
		return;
	}
	count_pauses(r);
	r->had_demand = true;
	r->pauses = 0;
	if (facts->counts)
		add(r, &i);
}

void
rules_interval(struct rules *r, const struct sample *s, struct judgement *v)
{
	struct judge_facts facts;

	judge_interval(r->judge, s, v, &facts);
	take(r, s, v, &facts);
}

void
rules_judged(struct rules *r, const struct sample *s,
    const struct judgement *v)
{
	const struct judge_facts facts = {
		.counts = v->verdict != VERDICT_UNKNOWN,
		.demand = v->verdict != VERDICT_IDLE &&
		    v->verdict != VERDICT_UNKNOWN,
		.rate = expect_rate(v->expect, s),
	};

	take(r, s, v, &facts);
}

void
rules_finish(struct rules *r)
{
	if (r->open)
		end_episode(r);
}

void
rules_overall(const struct rules *r, struct rules_overall *o)
{
	const uint64_t *n = r->overall.count;
	uint64_t bad = n[VERDICT_UNDERRUN] + n[VERDICT_BURSTY] +
	    n[VERDICT_STALL];

	*o = r->overall;
	o->mean = r->rates > 0 ? r->rate_sum / (double)r->rates : 0;
	if (bad > 0 && bad * r->config.n >= r->config.m *
	    (bad + n[VERDICT_OK])) {
		o->verdict = 2 * n[VERDICT_BURSTY] >= n[VERDICT_UNDERRUN] ?
		    VERDICT_BURSTY : VERDICT_UNDERRUN;
		if (2 * n[VERDICT_STALL] >= bad)
			o->verdict = VERDICT_STALL;
	} else if (bad + n[VERDICT_OK] > 0)
		o->verdict = VERDICT_OK;
	else
		o->verdict = n[VERDICT_IDLE] > 0 ? VERDICT_IDLE :
		    VERDICT_UNKNOWN;
}

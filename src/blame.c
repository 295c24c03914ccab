/* SPDX-License-Identifier: ISC */
/*
 * blame.c: where the second went: all pairs, weighted by their demand.
 */
#include "blame.h"

#include <errno.h>
#include <stdlib.h>

#include "pairstate.h"

#define PAIRS_DEFAULT	32768
/* Times are held to this (in the year 2112), so that two may be subtracted. */
#define TIME_MAX	INT64_C(4500000000000000000)
#define FADE		1	/* demand less this many bits of it */
#define FADE_OPEN	4	/* the same while calls are open */
#define LEVEL_MAX	(UINT64_C(1) << 43)
#define WEIGHT_BITS	20	/* of an interval's time, which has 42 */

struct pair {
	bool		known;		/* in the list of those looked at */
	uint32_t	next;		/* in the list */
	uint64_t	level;		/* demand */
	struct pairstate state;
};

struct blame {
	int64_t		interval_ns;
	uint32_t	max_pairs;
	uint32_t	first;		/* of the list; DECODER_NONE ends it */
	uint32_t	pairs;		/* in it */
	bool		stepped;
	struct pair	pair[];
};

struct blame *
blame_new(const struct blame_config *config)
{
	uint32_t max = config->max_pairs;
	struct blame *b;

	if (config->interval_ns <= 0) {
		errno = EINVAL;
		return NULL;
	}
	if (max == 0)
		max = PAIRS_DEFAULT;
	if ((b = calloc(1, sizeof(*b) + max * sizeof(b->pair[0]))) == NULL)
		return NULL;
	b->interval_ns = config->interval_ns;
	b->max_pairs = max;
	b->first = DECODER_NONE;
	return b;
}

void
blame_free(struct blame *b)
{
	free(b);
}

uint32_t
blame_pairs(const struct blame *b)
{
	return b->pairs;
}

static int64_t
hold(int64_t time_ns)
{
	if (time_ns > TIME_MAX)
		return TIME_MAX;
	return time_ns < -TIME_MAX ? -TIME_MAX : time_ns;
}

void
blame_step(struct blame *b)
{
	b->stepped = true;
}

static void
forget_all(struct blame *b)
{
	while (b->first != DECODER_NONE) {
		b->pair[b->first].known = false;
		b->first = b->pair[b->first].next;
	}
	b->pairs = 0;
	b->stepped = false;
}

/* The pair of an event, made when it is new; until then it was silent. */
static struct pairstate *
pair_of(struct blame *b, uint32_t number, int64_t from_ns)
{
	struct pair *p;

	if (b->stepped)
		forget_all(b);
	if (number >= b->max_pairs)
		return NULL;
	p = &b->pair[number];
	if (p->known)
		return &p->state;
	pairstate_start(&p->state, from_ns, b->interval_ns);
	p->known = true;
	p->level = 0;
	p->next = b->first;
	b->first = number;
	b->pairs++;
	return &p->state;
}

void
blame_rpc(struct blame *b, const struct rpc_event *ev)
{
	int64_t t = hold(ev->time_ns);
	int64_t from = t;
	struct pairstate *p;

	if (ev->call == NULL)
		return;
	if (ev->kind == RPC_EV_CALL && ev->call->first_ns < t)
		from = hold(ev->call->first_ns);
	if ((p = pair_of(b, ev->pair, from)) != NULL)
		pairstate_rpc(p, ev, t);
}

void
blame_op(struct blame *b, const struct op_event *ev)
{
	const struct rpc_op *op = ev->op;
	int64_t t = hold(ev->time_ns);
	struct pairstate *p;

	if (!ev->reply || ev->resend || !op->has_status || op->status == 0 ||
	    !nfs_status_is_delay(nfs_program_of(op->op), op->status))
		return;
	if ((p = pair_of(b, ev->pair, t)) != NULL)
		pairstate_delay(p, t);
}

void
blame_net(struct blame *b, const struct net_event *ev)
{
	int64_t t = hold(ev->time_ns);
	struct pairstate *p = pair_of(b, ev->pair, t);

	if (p != NULL)
		pairstate_net(p, ev, t);
}

/* How much the pair wants in this interval: see blame.h. */
static void
set_level(struct pair *p, int64_t index, uint64_t span)
{
	const struct timeline_slot *s = timeline_slot(&p->state.time, index);
	uint64_t before = p->level, demand = 0, other = 0;
	int i;

	if (s != NULL) {
		demand = s->demand < LEVEL_MAX ? s->demand : LEVEL_MAX;
		for (i = SAMPLE_CLIENT + 1; i < SAMPLE_STATES; i++)
			other += s->ns[i];
	}
	before -= before >> (p->state.open > 0 ? FADE_OPEN : FADE);
	if (before > 0 && before == p->level)
		before--;		/* too small for a sixteenth */
	p->level = demand > before ? demand : before;
	if (p->level == 0 && other > 0 && span > 0)
		p->level = 1;
}

/* Brings every pair up to the end, drops the idle ones; sum of the levels. */
static uint64_t
close_interval(struct blame *b, int64_t index, uint64_t span, int64_t end_ns)
{
	uint32_t *link = &b->first;
	uint64_t sum = 0;
	struct pair *p;

	while (*link != DECODER_NONE) {
		p = &b->pair[*link];
		pairstate_until(&p->state, end_ns);
		set_level(p, index, span);
		if (p->level == 0 &&
		    pairstate_is_idle(&p->state, end_ns)) {
			p->known = false;
			*link = p->next;
			b->pairs--;
			continue;
		}
		sum += p->level;
		link = &p->next;
	}
	return sum;
}

/* The shares of the span; what rounding left over goes to the largest. */
static void
share_out(const uint64_t *weighted, uint64_t span, uint64_t *state_ns)
{
	uint64_t sum = 0;
	int i, largest = SAMPLE_CLIENT;

	for (i = 0; i < SAMPLE_STATES; i++) {
		state_ns[i] = weighted[i] >> WEIGHT_BITS;
		sum += state_ns[i];
		if (state_ns[i] > state_ns[largest])
			largest = i;
	}
	state_ns[largest] += span - sum;
}

void
blame_shares(struct blame *b, int64_t start_ns, int64_t end_ns,
    struct sample *sample)
{
	int64_t index = timeline_index(hold(start_ns), b->interval_ns);
	uint64_t span = end_ns > start_ns ? (uint64_t)(end_ns - start_ns) : 0;
	uint64_t weighted[SAMPLE_STATES] = { 0 }, sum, weight;
	struct timeline_slot s;
	uint32_t n;
	int i;

	sum = close_interval(b, index, span, hold(end_ns));
	for (n = b->first; n != DECODER_NONE; n = b->pair[n].next) {
		timeline_take(&b->pair[n].state.time, index, (int64_t)span, &s);
		if (sum == 0)
			continue;
		weight = (b->pair[n].level << WEIGHT_BITS) / sum;
		for (i = 0; i < SAMPLE_STATES; i++)
			weighted[i] += s.ns[i] * weight;
	}
	share_out(weighted, span, sample->state_ns);
	sample->has_split = true;
}

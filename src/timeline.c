/* SPDX-License-Identifier: ISC */
/*
 * timeline.c: how long something was in each state, by intervals.
 */
#include "timeline.h"

#include <string.h>

_Static_assert((TIMELINE_SLOTS & (TIMELINE_SLOTS - 1)) == 0,
    "the slots are a power of two");

void
timeline_clear(struct timeline *t)
{
	int i;

	memset(t, 0, sizeof(*t));
	for (i = 0; i < TIMELINE_SLOTS; i++)
		t->slot[i].index = INT64_MIN;
}

int64_t
timeline_index(int64_t time_ns, int64_t length_ns)
{
	int64_t index = time_ns / length_ns;

	return index - (time_ns % length_ns < 0);
}

static struct timeline_slot *
place(struct timeline *t, int64_t index)
{
	return &t->slot[(uint64_t)index & (TIMELINE_SLOTS - 1)];
}

struct timeline_slot *
timeline_slot(struct timeline *t, int64_t index)
{
	struct timeline_slot *s = place(t, index);

	if (s->index == index)
		return s;
	if (s->index > index)
		return NULL;
	memset(s, 0, sizeof(*s));
	s->index = index;
	return s;
}

/* The first interval of a span that need be looked at. */
static int64_t
first_index(int64_t from_ns, int64_t to_ns, int64_t length_ns)
{
	int64_t first = timeline_index(from_ns, length_ns);
	int64_t last = timeline_index(to_ns - 1, length_ns);

	return last - first >= TIMELINE_SLOTS ?
	    last - TIMELINE_SLOTS + 1 : first;
}

/* What of [from, to) lies in the interval. */
static uint64_t
overlap(int64_t index, int64_t length_ns, int64_t from_ns, int64_t to_ns)
{
	int64_t start = index * length_ns, end = start + length_ns;

	if (from_ns > start)
		start = from_ns;
	if (to_ns < end)
		end = to_ns;
	return end > start ? (uint64_t)(end - start) : 0;
}

void
timeline_add(struct timeline *t, int64_t length_ns, int64_t from_ns,
    int64_t to_ns, enum sample_state state)
{
	struct timeline_slot *s;
	int64_t i;

	if (to_ns <= from_ns)
		return;
	for (i = first_index(from_ns, to_ns, length_ns);
	    i * length_ns < to_ns; i++)
		if ((s = timeline_slot(t, i)) != NULL)
			s->ns[state] += overlap(i, length_ns, from_ns, to_ns);
}

void
timeline_move(struct timeline *t, int64_t length_ns, int64_t from_ns,
    int64_t to_ns, enum sample_state was, enum sample_state is)
{
	struct timeline_slot *s;
	uint64_t ns;
	int64_t i;

	if (to_ns <= from_ns)
		return;
	for (i = first_index(from_ns, to_ns, length_ns);
	    i * length_ns < to_ns; i++) {
		s = place(t, i);
		if (s->index != i)
			continue;
		ns = overlap(i, length_ns, from_ns, to_ns);
		if (ns > s->ns[was])
			ns = s->ns[was];
		s->ns[was] -= ns;
		s->ns[is] += ns;
	}
}

/* Makes the states add up to span: the client has, or loses, the rest. */
static void
fit(struct timeline_slot *s, uint64_t span)
{
	uint64_t sum = 0, cut;
	int i;

	for (i = 0; i < SAMPLE_STATES; i++)
		sum += s->ns[i];
	if (sum < span)
		s->ns[SAMPLE_CLIENT] += span - sum;
	/* Events out of order at the edges of what was watched. */
	for (i = 0; i < SAMPLE_STATES && sum > span; i++) {
		cut = sum - span < s->ns[i] ? sum - span : s->ns[i];
		s->ns[i] -= cut;
		sum -= cut;
	}
}

void
timeline_take(struct timeline *t, int64_t index, int64_t span_ns,
    struct timeline_slot *out)
{
	struct timeline_slot *s = place(t, index);

	if (s->index == index) {
		*out = *s;
		s->index = INT64_MIN;
	} else {
		memset(out, 0, sizeof(*out));
		out->index = index;
	}
	fit(out, span_ns > 0 ? (uint64_t)span_ns : 0);
}

/* SPDX-License-Identifier: ISC */
/*
 * clocks.c: what clocks and the system say of the intervals of a live capture.
 */
#include "clocks.h"

#include <string.h>

#define NSEC_PER_MS	1000000

void
clocks_init(struct clocks *c, int64_t interval_ns, struct ifstats *ifstats)
{
	memset(c, 0, sizeof(*c));
	c->interval_ns = interval_ns;
	c->ifstats = ifstats;
}

static size_t
slot_of(const struct clocks *c, int64_t start_ns)
{
	return (uint64_t)(start_ns / c->interval_ns) % CLOCKS_SLOTS;
}

/* Where turns were missed they are those of more than one interval. */
static void
read_counters(struct clocks *c, struct clocks_slot *s, bool missed,
    int64_t real_ns)
{
	if (c->ifstats == NULL)
		return;
	ifstats_read(c->ifstats, (double)(real_ns - c->read_ns) / 1e9,
	    &s->counters);
	s->has_counters = c->read_ns != 0 && !missed;
	c->read_ns = real_ns;
}

static void
note_jump(struct clocks *c, int64_t real_ns, int64_t mono_ns)
{
	int64_t ahead = (real_ns - c->real_ns) - (mono_ns - c->mono_ns);

	if (c->real_ns == 0 || ahead < CLOCKS_JUMP_NS)
		return;
	c->jump_from = c->real_ns;
	c->jump_to = c->real_ns + ahead;
}

/* What came since the last turn belongs to the interval of that turn. */
void
clocks_turn(struct clocks *c, int64_t real_ns, int64_t mono_ns, bool down,
    bool ends)
{
	int64_t start = real_ns - real_ns % c->interval_ns;
	int64_t before = c->real_ns - c->real_ns % c->interval_ns;
	struct clocks_slot *s = &c->slot[slot_of(c, before)];

	note_jump(c, real_ns, mono_ns);
	if (c->real_ns != 0 && down && mono_ns > c->mono_ns)
		s->down_ns += mono_ns - c->mono_ns;
	if (start != before || ends) {
		read_counters(c, s, start > before + c->interval_ns ||
		    start < before, real_ns);
		if (!ends) {
			s = &c->slot[slot_of(c, start)];
			memset(s, 0, sizeof(*s));
			s->start_ns = start;
		}
	}
	c->real_ns = real_ns;
	c->mono_ns = mono_ns;
}

static void
fill_counters(const struct ifstats_counters *k, struct sample *s)
{
	s->if_in_packets = k->in_packets;
	s->if_in_bytes = k->in_bytes;
	s->if_in_errs = k->in_errs;
	s->if_out_packets = k->out_packets;
	s->if_out_bytes = k->out_bytes;
	s->if_out_errs = k->out_errs;
	s->traffic[SAMPLE_IN].errs = k->in_errs;
	s->traffic[SAMPLE_OUT].errs = k->out_errs;
	s->colls = k->colls;
}

/* How much of the interval lies in the last jump. */
static int64_t
jumped(const struct clocks *c, const struct sample *s)
{
	int64_t from = s->start_ns, to = s->start_ns + s->length_ns;

	if (from < c->jump_from)
		from = c->jump_from;
	if (to > c->jump_to)
		to = c->jump_to;
	return to > from ? to - from : 0;
}

void
clocks_fill(const struct clocks *c, struct sample *s)
{
	const struct clocks_slot *k = &c->slot[slot_of(c, s->start_ns)];
	int64_t down;

	if (s->gap)
		return;
	down = jumped(c, s);
	if (k->start_ns == s->start_ns) {
		if (k->has_counters)
			fill_counters(&k->counters, s);
		down += k->down_ns;
	}
	s->untrusted_ns += down;
	if (down >= s->length_ns / 5 * 4)
		s->no_data = true;
}

int
clocks_wait_ms(const struct clocks *c, int max_ms)
{
	int64_t left = c->interval_ns - c->real_ns % c->interval_ns;

	return left < max_ms * INT64_C(1000000) ?
	    (int)(left / NSEC_PER_MS) + 1 : max_ms;
}

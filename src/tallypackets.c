/* SPDX-License-Identifier: ISC */
/*
 * tallypackets.c: an open interval: its begin and end, and its packets.
 */
#include "tally.h"

#include <string.h>

#define BIN_NS	(10 * NSEC_PER_MSEC)	/* of the duty cycle */

void
tally_begin(struct tally *t, int64_t start_ns, int64_t length_ns,
    int64_t from_ns)
{
	sample_clear(&t->s);
	memset(t->row, 0, sizeof(t->row));
	t->s.start_ns = start_ns;
	t->s.length_ns = length_ns;
	t->end_ns = start_ns + length_ns;
	t->from_ns = from_ns > start_ns ? from_ns : start_ns;
	t->last_in_ns = t->from_ns;
	t->last_bin = -1;
	t->s.first_ns = INT64_MAX;
	t->s.last_ns = INT64_MIN;
}

/*
 * A bin is counted once as long as packets come in order; input for a bin
 * before the last one counts for none.
 */
static void
duty_input(struct tally *t, int64_t time_ns)
{
	int64_t bin;

	if (time_ns < t->last_in_ns)
		return;
	if (time_ns - t->last_in_ns > t->s.duty_gap_ns)
		t->s.duty_gap_ns = time_ns - t->last_in_ns;
	t->last_in_ns = time_ns;
	bin = (time_ns - t->s.start_ns) / BIN_NS;
	if (bin > t->last_bin) {
		t->last_bin = bin;
		t->s.duty_on++;
	}
}

void
tally_packet(struct tally *t, const struct packet_event *ev)
{
	struct sample_traffic *tr = &t->s.traffic[ev->dir];

	if (ev->time_ns < t->s.first_ns)
		t->s.first_ns = ev->time_ns;
	if (ev->time_ns > t->s.last_ns)
		t->s.last_ns = ev->time_ns;
	tr->packets++;
	tr->wire_packets += ev->wire_packets;
	tr->bytes += ev->bytes;
	tr->wire_bytes += ev->wire_bytes;
	if (ev->dir == SAMPLE_IN)
		duty_input(t, ev->time_ns);
	if (ev->time_ns < t->s.start_ns)
		t->s.counter[SAMPLE_LATE]++;
}

static double
share(uint64_t part, uint64_t rest)
{
	return part > 0 ? (double)part / (double)(part + rest) : 0;
}

/*
 * The larger of two: packets that the capture dropped, of all; stream bytes
 * lost to the capture or passed over, of all bytes.  Messages of which the
 * snap length has cut off facts take nothing away: they are counted, and what
 * is not known of them is said to be so.
 */
static double
untrusted(const struct sample *s)
{
	uint64_t drops = sample_sum(s->kernel_drops, s->interface_drops);
	double packets, bytes;

	packets = share(drops == SAMPLE_UNKNOWN ? 0 : drops,
	    sample_packets(s));
	bytes = share(s->counter[SAMPLE_TCP_LOST_BYTES] +
	    s->counter[SAMPLE_TCP_SKIPPED_BYTES],
	    s->traffic[SAMPLE_IN].wire_bytes +
	    s->traffic[SAMPLE_OUT].wire_bytes);
	return packets > bytes ? packets : bytes;
}

void
tally_end(struct tally *t, int64_t to_ns)
{
	struct sample *s = &t->s;
	int64_t margin = s->length_ns / 100;

	if (sample_packets(s) == 0)
		s->first_ns = s->last_ns = 0;
	t->to_ns = to_ns < t->end_ns ? to_ns : t->end_ns;
	if (t->to_ns < t->from_ns)
		t->to_ns = t->from_ns;
	s->watched_ns = t->to_ns - t->from_ns;
	s->partial = t->from_ns > s->start_ns + margin ||
	    t->to_ns < t->end_ns - margin;
	if (!s->partial)
		s->watched_ns = s->length_ns;
	s->has_duty = true;
	s->duty_bins = (uint32_t)((s->watched_ns + BIN_NS - 1) / BIN_NS);
	if (s->duty_bins < s->duty_on)
		s->duty_bins = s->duty_on;
	if (t->to_ns - t->last_in_ns > s->duty_gap_ns)
		s->duty_gap_ns = t->to_ns - t->last_in_ns;
	s->untrusted_ns = (int64_t)(untrusted(s) * (double)s->length_ns);
}

/* SPDX-License-Identifier: ISC */
/*
 * loadkit.c: intervals for tests, see loadkit.h.
 */
#include "loadkit.h"

#define WRITE_BYTES	8192
#define FRAGMENTS	6
#define FRAME		1418

static void
begin(struct sample *s, int n)
{
	sample_clear(s);
	s->start_ns = LOADKIT_START + n * LOADKIT_NS;
	s->length_ns = s->watched_ns = LOADKIT_NS;
	s->seq = (uint64_t)n;
}

void
loadkit_idle(struct sample *s, int n)
{
	begin(s, n);
	s->first_ns = INT64_MAX;
	s->last_ns = INT64_MIN;
	s->has_split = s->has_duty = true;
	s->duty_bins = 100;
	s->state_ns[SAMPLE_CLIENT] = (uint64_t)LOADKIT_NS;
}

void
loadkit_writes(struct sample *s, int n, uint32_t writes,
    uint32_t server_percent)
{
	struct sample_traffic *in = &s->traffic[SAMPLE_IN];
	struct sample_data *w = &s->data[SAMPLE_WRITE];

	loadkit_idle(s, n);
	s->first_ns = s->start_ns;
	s->last_ns = s->start_ns + s->length_ns - 1;
	in->packets = in->wire_packets = writes * FRAGMENTS;
	in->bytes = in->wire_bytes = in->packets * FRAME;
	s->traffic[SAMPLE_OUT].packets = writes;
	s->traffic[SAMPLE_OUT].wire_packets = writes;
	s->rpc_calls = s->rpc_replies = writes;
	w->calls = w->replies = writes;
	w->bytes = (uint64_t)writes * WRITE_BYTES;
	s->duty_on = 100;
	s->state_ns[SAMPLE_SERVER] = (uint64_t)LOADKIT_NS / 100 *
	    server_percent;
	s->state_ns[SAMPLE_CLIENT] -= s->state_ns[SAMPLE_SERVER];
	s->depth_ns = s->state_ns[SAMPLE_SERVER];
}

void
loadkit_stuck(struct sample *s, int n, enum sample_state state)
{
	loadkit_idle(s, n);
	s->state_ns[SAMPLE_CLIENT] = 0;
	s->state_ns[state] = (uint64_t)LOADKIT_NS;
	s->outstanding = 1;
	s->depth_ns = (uint64_t)LOADKIT_NS;
	s->depth_max = 1;
}

void
loadkit_keepalive(struct sample *s, int n)
{
	loadkit_idle(s, n);
	s->first_ns = s->start_ns + LOADKIT_NS / 2;
	s->last_ns = s->first_ns + 1000000;
	s->traffic[SAMPLE_IN].packets = s->traffic[SAMPLE_IN].wire_packets = 2;
	s->traffic[SAMPLE_IN].bytes = s->traffic[SAMPLE_IN].wire_bytes = 260;
	s->rpc_calls = s->rpc_replies = 1;
	s->duty_on = 1;
}

void
loadkit_packets(struct sample *s, int n, uint64_t packets, uint64_t bytes)
{
	struct sample_traffic *in = &s->traffic[SAMPLE_IN];

	begin(s, n);
	s->first_ns = INT64_MAX;
	s->last_ns = INT64_MIN;
	in->packets = in->wire_packets = packets;
	in->bytes = in->wire_bytes = bytes;
	s->packets_only = true;
}

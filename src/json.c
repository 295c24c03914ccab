/* SPDX-License-Identifier: ISC */
/*
 * json.c: samples and episodes as JSON, one object a line.
 */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "jsonout.h"
#include "jsonparts.h"
#include "oplist.h"

#define NS	1e9
#define LENGTH(keys)	(sizeof(keys) / sizeof((keys)[0]))

/* An interval of which nothing is known. */
static void
second_unknown(struct jsonout *j)
{
	static const char *const keys[] = { "in", "out", "other", "colls",
	    "rpc", "write", "read", "commit", "ops", "split", "duty", "tcp",
	    "ip", "capture" };

	jsonparts_nulls(j, keys, LENGTH(keys));
}

static void
second_rpc(struct jsonout *j, const struct sample *s)
{
	jsonout_object(j, "rpc");
	jsonout_uint(j, "calls", s->rpc_calls);
	jsonout_uint(j, "replies", s->rpc_replies);
	jsonout_uint(j, "retransmits", s->rpc_retransmits);
	jsonout_uint(j, "unmatched", s->rpc_unmatched);
	jsonparts_counters(j, SAMPLE_G_RPC, s->counter);
	jsonout_uint(j, "outstanding", s->outstanding);
	jsonout_real(j, "depth_mean", s->watched_ns > 0 ?
	    (double)s->depth_ns / (double)s->watched_ns : 0, 3);
	jsonout_uint(j, "depth_max", s->depth_max);
	jsonout_end_object(j);
}

static void
second_ops(struct jsonout *j, const struct sample *s)
{
	char key[OPLIST_NAME], name[OPLIST_NAME];
	struct oplist l;
	uint32_t i;

	oplist_of_sample(&l, s);
	jsonout_object(j, "ops");
	for (i = 0; i < l.n; i++) {
		if (i == 0 || !oplist_same_program(l.op[i], l.op[i - 1]))
			jsonout_object(j, oplist_key(l.op[i], key));
		if (l.op[i]->calls > 0)
			jsonout_uint(j, oplist_name(l.op[i], name),
			    l.op[i]->calls);
		if (i + 1 == l.n || !oplist_same_program(l.op[i], l.op[i + 1]))
			jsonout_end_object(j);
	}
	jsonout_end_object(j);
}

static void
second_duty(struct jsonout *j, const struct sample *s)
{
	if (!s->has_duty || s->duty_bins == 0) {
		jsonout_null(j, "duty");
		return;
	}
	jsonout_object(j, "duty");
	jsonout_real(j, "on", (double)s->duty_on / s->duty_bins, 4);
	jsonout_real(j, "gap_ms", (double)s->duty_gap_ns / 1e6, 3);
	if (s->duty_on > 0)
		jsonout_real(j, "on_pps",
		    (double)s->traffic[SAMPLE_IN].wire_packets /
		    (s->duty_on * 0.01), 1);
	else
		jsonout_null(j, "on_pps");
	jsonout_end_object(j);
}

/* The interface's own counters (--total), when they are known. */
static void
second_interface(struct jsonout *j, const struct sample *s)
{
	if (s->if_in_packets == SAMPLE_UNKNOWN &&
	    s->if_out_packets == SAMPLE_UNKNOWN)
		return;
	jsonout_object(j, "interface");
	jsonout_uint(j, "in_packets", s->if_in_packets);
	jsonout_uint(j, "in_errs", s->if_in_errs);
	jsonout_uint(j, "in_bytes", s->if_in_bytes);
	jsonout_uint(j, "out_packets", s->if_out_packets);
	jsonout_uint(j, "out_errs", s->if_out_errs);
	jsonout_uint(j, "out_bytes", s->if_out_bytes);
	jsonout_end_object(j);
}

void
json_counts(struct jsonout *j, const struct sample *s)
{
	const struct jsonparts from = { .sample = s };

	jsonparts_traffic(j, "in", &s->traffic[SAMPLE_IN], true);
	jsonparts_traffic(j, "out", &s->traffic[SAMPLE_OUT], true);
	jsonparts_traffic(j, "other", &s->traffic[SAMPLE_OTHER], false);
	jsonout_uint(j, "colls", s->colls);
	second_interface(j, s);
	if (s->packets_only) {
		jsonparts_beside_packets(j);
		return;
	}
	second_rpc(j, s);
	jsonparts_servers(j, s);
	jsonparts_data(j, &from, s->data);
	second_ops(j, s);
	jsonparts_split(j, s->has_split, s->state_ns);
	second_duty(j, s);
	jsonparts_groups(j, s->counter, s->kernel_drops, s->interface_drops);
}

static void
second_judgement(struct jsonout *j, const struct judgement *v)
{
	if (v == NULL || v->expect == EXPECT_NONE)
		jsonout_null(j, "expect");
	else {
		jsonout_object(j, "expect");
		jsonout_str(j, "kind", expect_kind_name(v->expect));
		jsonout_real(j, "value", v->expect_value, 3);
		jsonout_real(j, "ratio", v->ratio, 4);
		jsonout_end_object(j);
	}
	if (v == NULL || !v->has_verdict)
		jsonout_null(j, "verdict");
	else
		jsonout_str(j, "verdict", verdict_name(v->verdict));
	if (v == NULL || !v->has_cause) {
		jsonout_null(j, "cause");
		return;
	}
	jsonout_str(j, "cause", sample_state_name(v->cause));
	jsonout_real(j, "cause_share", v->cause_share, 4);
}

void
json_second_and(struct textbuf *t, const struct sample *s,
    const struct judgement *v,
    void (*more)(struct jsonout *, const struct sample *,
    const struct judgement *))
{
	struct jsonout j;

	jsonparts_begin(&j, t, "second");
	jsonout_time(&j, "time", s->start_ns);
	jsonout_uint(&j, "seq", s->seq);
	jsonout_real(&j, "interval", (double)s->length_ns / NS, 3);
	jsonout_bool(&j, "partial", s->partial);
	if (s->gap)
		jsonout_bool(&j, "gap", true);
	if (s->restarted)
		jsonout_bool(&j, "restarted", true);
	if (s->no_data) {
		jsonout_bool(&j, "no_data", true);
		second_unknown(&j);
	} else
		json_counts(&j, s);
	jsonout_real(&j, "trust", sample_trust(s), 4);
	second_judgement(&j, v);
	if (more != NULL)
		more(&j, s, v);
	jsonparts_end(&j);
}

void
json_second(struct textbuf *t, const struct sample *s,
    const struct judgement *v)
{
	json_second_and(t, s, v, NULL);
}

void
json_episode(struct textbuf *t, const struct episode *e)
{
	struct jsonout j;

	jsonparts_begin(&j, t, "episode");
	jsonparts_episode(&j, e);
	jsonparts_end(&j);
}

/* SPDX-License-Identifier: ISC */
/*
 * json.c: samples, episodes and totals as JSON, one object a line.
 */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "jsonout.h"
#include "jsonparts.h"
#include "oplist.h"

#define NS	1e9

static void
line_begin(struct jsonout *j, struct textbuf *t, const char *type)
{
	*j = (struct jsonout){ .text = t };
	jsonout_object(j, NULL);
	jsonout_str(j, "type", type);
}

static void
line_end(struct jsonout *j)
{
	jsonout_end_object(j);
	textbuf_char(j->text, '\n');
}

#define LENGTH(keys)	(sizeof(keys) / sizeof((keys)[0]))

static void
nulls(struct jsonout *j, const char *const *keys, size_t n)
{
	for (; n > 0; n--, keys++)
		jsonout_null(j, *keys);
}

/* An interval of which nothing is known. */
static void
second_unknown(struct jsonout *j)
{
	static const char *const keys[] = { "in", "out", "other", "colls",
	    "rpc", "write", "read", "commit", "ops", "split", "duty", "tcp",
	    "ip", "capture" };

	nulls(j, keys, LENGTH(keys));
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

/* What is not known of what only rows of netstat told of. */
static const char *const beside_packets[] = {
	"rpc", "write", "read", "commit", "ops", "split", "duty", "tcp", "ip",
	"capture", "discards", "evictions"
};

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
		nulls(j, beside_packets, LENGTH(beside_packets));
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

	line_begin(&j, t, "second");
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
	line_end(&j);
}

void
json_second(struct textbuf *t, const struct sample *s,
    const struct judgement *v)
{
	json_second_and(t, s, v, NULL);
}

static void
rate_or_null(struct jsonout *j, const char *key, bool known, double rate)
{
	if (known)
		jsonout_real(j, key, rate, 3);
	else
		jsonout_null(j, key);
}

static void
episode_members(struct jsonout *j, const struct episode *e)
{
	char addr[ADDR_STRLEN];

	jsonout_str(j, "event", e->ended ? "end" : "start");
	jsonout_str(j, "kind", verdict_name(e->kind));
	jsonout_time(j, "start", e->start_ns);
	if (e->ended)
		jsonout_time(j, "end", e->end_ns);
	else
		jsonout_null(j, "end");
	jsonout_uint(j, "intervals", e->intervals);
	jsonout_str(j, "unit", expect_kind_name(e->expect == EXPECT_NONE ?
	    EXPECT_PPS : e->expect));
	jsonout_real(j, "min", e->min, 3);
	jsonout_real(j, "mean", e->mean, 3);
	jsonout_real(j, "max", e->max, 3);
	rate_or_null(j, "expected", e->expect != EXPECT_NONE, e->expected);
	rate_or_null(j, "shortfall_bytes", e->has_shortfall,
	    e->shortfall_bytes);
	if (e->has_cause)
		jsonout_str(j, "cause", sample_state_name(e->cause));
	else
		jsonout_null(j, "cause");
	if (e->has_client)
		jsonout_str(j, "client",
		    addr_print(&e->client, addr, sizeof(addr)));
	else
		jsonout_null(j, "client");
}

void
json_episode(struct textbuf *t, const struct episode *e)
{
	struct jsonout j;

	line_begin(&j, t, "episode");
	episode_members(&j, e);
	line_end(&j);
}

static void
summary_op(struct jsonout *j, const struct jsonparts *from,
    const struct totals_op *o)
{
	const struct sample_part latency = { .timed = o->timed,
	    .sum_us = o->sum_us, .max_us = o->max_us };
	char name[OPLIST_NAME];
	enum nfs_kind kind = o->op < NFS_OP_COUNT ? nfs_op_kind(o->op) :
	    NFS_KIND_OTHER;

	jsonout_object(j, oplist_name(o, name));
	jsonout_uint(j, "calls", o->calls);
	jsonout_uint(j, "replies", o->replies);
	jsonout_uint(j, "errors", o->errors);
	jsonout_uint(j, "retransmits", o->retransmits);
	if (kind == NFS_KIND_READ || kind == NFS_KIND_WRITE)
		jsonout_uint(j, "bytes",
		    oplist_has_bytes(o) ? o->bytes : SAMPLE_UNKNOWN);
	if (o->hidden > 0)
		jsonout_uint(j, "hidden", o->hidden);
	jsonparts_latency(j, "latency_us", from, o->op, &latency);
	jsonout_end_object(j);
}

static void
summary_ops(struct jsonout *j, const struct totals *t)
{
	const struct jsonparts from = { .totals = t };
	struct oplist *l = malloc(sizeof(*l));
	char key[OPLIST_NAME];
	uint32_t i;

	if (l == NULL) {
		j->text->failed = true;
		return;
	}
	oplist_of_totals(l, t);
	jsonout_object(j, "ops");
	for (i = 0; i < l->n; i++) {
		if (i == 0 || !oplist_same_program(l->op[i], l->op[i - 1]))
			jsonout_object(j, oplist_key(l->op[i], key));
		summary_op(j, &from, l->op[i]);
		if (i + 1 == l->n ||
		    !oplist_same_program(l->op[i], l->op[i + 1]))
			jsonout_end_object(j);
	}
	jsonout_end_object(j);
	free(l);
}

static void
summary_status(struct jsonout *j, const struct totals *t)
{
	const struct nfs_program *p;
	const struct sample_status *s;
	char buf[32];
	bool any;

	jsonout_object(j, "status");
	for (p = nfs_programs(); p->key != NULL; p++) {
		any = false;
		for (s = t->status; s < t->status + t->statuses; s++) {
			if (s->first_op != p->first_op)
				continue;
			if (!any)
				jsonout_object(j, p->key);
			any = true;
			jsonout_uint(j, nfs_status_name(p, s->status, buf,
			    sizeof(buf)), s->count);
		}
		if (any)
			jsonout_end_object(j);
	}
	jsonout_end_object(j);
}

static int
compare_size(const void *a, const void *b)
{
	const struct sample_size *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return (x->upto > y->upto) - (x->upto < y->upto);
}

static void
summary_size(struct jsonout *j, const struct sample_size *z)
{
	const double limit = sample_size_limit(z);

	jsonout_object(j, NULL);
	jsonout_uint(j, "size", z->size);
	if (z->upto)
		jsonout_bool(j, "upto", true);
	jsonout_uint(j, "calls", z->calls);
	jsonout_uint(j, "bytes", z->bytes);
	if (z->timed > 0) {
		jsonout_object(j, "latency_us");
		jsonout_real(j, "mean", (double)z->sum_us / (double)z->timed,
		    1);
		jsonout_end_object(j);
	} else
		jsonout_null(j, "latency_us");
	rate_or_null(j, "depth_mean", z->calls > 0,
	    z->calls > 0 ? (double)z->depth_sum / (double)z->calls : 0);
	rate_or_null(j, "limit_bytes", limit >= 0, limit);
	jsonout_end_object(j);
}

static void
summary_sizes(struct jsonout *j, const char *key, const struct totals *t,
    enum sample_kind kind)
{
	struct sample_size *sorted;
	uint32_t i, n = t->sizes[kind];

	jsonout_array(j, key);
	sorted = calloc(n > 0 ? n : 1, sizeof(*sorted));
	if (sorted == NULL)
		j->text->failed = true;
	else {
		memcpy(sorted, t->size[kind], n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), compare_size);
		for (i = 0; i < n; i++)
			summary_size(j, &sorted[i]);
		free(sorted);
	}
	jsonout_end_array(j);
}

static void
summary_traffic(struct jsonout *j, const struct totals *t)
{
	uint64_t packets = 0, bytes = 0;
	int d;

	for (d = 0; d < SAMPLE_DIRECTIONS; d++) {
		packets += t->traffic[d].packets;
		bytes += t->traffic[d].bytes;
	}
	jsonout_uint(j, "packets", packets);
	jsonout_uint(j, "bytes", bytes);
	jsonparts_traffic(j, "in", &t->traffic[SAMPLE_IN], true);
	jsonparts_traffic(j, "out", &t->traffic[SAMPLE_OUT], true);
	jsonparts_traffic(j, "other", &t->traffic[SAMPLE_OTHER], false);
	jsonout_uint(j, "colls", t->colls);
}

static void
summary_times(struct jsonout *j, const struct totals *t)
{
	if (t->has_packets) {
		jsonout_time(j, "first", t->first_ns);
		jsonout_time(j, "last", t->last_ns);
	} else {
		jsonout_null(j, "first");
		jsonout_null(j, "last");
	}
	jsonout_real(j, "seconds", (double)t->watched_ns / NS, 6);
	jsonout_uint(j, "records", t->records);
	jsonout_uint(j, "gaps", t->gaps);
	jsonout_uint(j, "restarts", t->restarts);
}

static void
summary_rates(struct jsonout *j, const struct totals *t)
{
	static const char *const keys[TOTALS_RATES_KINDS] = {
		[TOTALS_RATE_IN] = "in_pps", [TOTALS_RATE_WRITE] = "write_wps",
		[TOTALS_RATE_BYTES] = "write_bytes",
		[TOTALS_RATE_READ] = "read_bytes"
	};
	const struct totals_rate *r;
	int i;

	jsonout_object(j, "rates");
	for (i = 0; i < TOTALS_RATES_KINDS; i++) {
		r = &t->rate[i];
		if (r->n == 0) {
			jsonout_null(j, keys[i]);
			continue;
		}
		jsonout_object(j, keys[i]);
		jsonout_real(j, "min", r->min, 3);
		jsonout_real(j, "mean", totals_rate_mean(r), 3);
		jsonout_real(j, "p50", totals_rate_quantile(r, 0.50), 3);
		jsonout_real(j, "p95", totals_rate_quantile(r, 0.95), 3);
		jsonout_real(j, "max", r->max, 3);
		jsonout_end_object(j);
	}
	jsonout_end_object(j);
}

static void
summary_rpc(struct jsonout *j, const struct totals *t)
{
	jsonout_object(j, "rpc");
	jsonout_uint(j, "calls", t->rpc_calls);
	jsonout_uint(j, "replies", t->rpc_replies);
	jsonout_uint(j, "retransmits", t->rpc_retransmits);
	jsonout_uint(j, "unmatched", t->rpc_unmatched);
	jsonparts_counters(j, SAMPLE_G_RPC, t->counter);
	jsonout_uint(j, "outstanding", t->outstanding);
	jsonout_real(j, "depth_mean", t->watched_ns > 0 ?
	    (double)t->depth_ns / (double)t->watched_ns : 0, 3);
	jsonout_uint(j, "depth_max", t->depth_max);
	jsonout_end_object(j);
}

static void
summary_episodes(struct jsonout *j, const struct episode *episodes, size_t n)
{
	jsonout_array(j, "episodes");
	for (; n > 0; n--, episodes++) {
		jsonout_object(j, NULL);
		episode_members(j, episodes);
		jsonout_end_object(j);
	}
	jsonout_end_array(j);
}

void
json_summary(struct textbuf *text, const struct totals *t,
    const struct episode *episodes, size_t n)
{
	const struct jsonparts from = { .totals = t };
	static const char *const tables[] = { "status", "sizes", "clients",
	    "users", "files" };
	struct jsonout j;

	line_begin(&j, text, "summary");
	summary_times(&j, t);
	summary_traffic(&j, t);
	summary_rates(&j, t);
	if (t->packets_only) {
		nulls(&j, beside_packets, LENGTH(beside_packets));
		nulls(&j, tables, LENGTH(tables));
		summary_episodes(&j, episodes, n);
		jsonout_real(&j, "trust", totals_trust(t), 4);
		line_end(&j);
		return;
	}
	summary_rpc(&j, t);
	jsonparts_data(&j, &from, t->data);
	summary_ops(&j, t);
	summary_status(&j, t);
	jsonout_object(&j, "sizes");
	summary_sizes(&j, "write", t, SAMPLE_WRITE);
	summary_sizes(&j, "read", t, SAMPLE_READ);
	jsonout_end_object(&j);
	jsonparts_top(&j, t->rows);
	summary_episodes(&j, episodes, n);
	jsonparts_split(&j, t->has_split, t->state_ns);
	jsonparts_groups(&j, t->counter, t->kernel_drops, t->interface_drops);
	jsonout_real(&j, "trust", totals_trust(t), 4);
	line_end(&j);
}

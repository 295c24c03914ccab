/* SPDX-License-Identifier: ISC */
/*
 * jsonsummary.c: totals as one object.
 */
#include "json.h"

#include <stdlib.h>
#include <string.h>

#include "jsonout.h"
#include "jsonparts.h"
#include "oplist.h"

#define NS	1e9
#define LENGTH(keys)	(sizeof(keys) / sizeof((keys)[0]))

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
	jsonparts_rate(j, "depth_mean", z->calls > 0,
	    z->calls > 0 ? (double)z->depth_sum / (double)z->calls : 0);
	jsonparts_rate(j, "limit_bytes", limit >= 0, limit);
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
		jsonparts_episode(j, episodes);
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

	jsonparts_begin(&j, text, "summary");
	summary_times(&j, t);
	summary_traffic(&j, t);
	summary_rates(&j, t);
	if (t->packets_only) {
		jsonparts_beside_packets(&j);
		jsonparts_nulls(&j, tables, LENGTH(tables));
		summary_episodes(&j, episodes, n);
		jsonout_real(&j, "trust", totals_trust(t), 4);
		jsonparts_end(&j);
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
	jsonparts_end(&j);
}

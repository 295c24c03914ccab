/* SPDX-License-Identifier: ISC */
/*
 * metricsops.c: metrics of operations, codes and latencies, and of clients.
 */
#include "metricsstate.h"

#include <stddef.h>
#include <stdlib.h>

#include "oplist.h"

#define US_PER_S	1e6

static bool
has_bytes(const struct totals_op *o)
{
	enum nfs_kind kind = o->op < NFS_OP_COUNT ? nfs_op_kind(o->op) :
	    NFS_KIND_OTHER;

	return (kind == NFS_KIND_READ || kind == NFS_KIND_WRITE) &&
	    oplist_has_bytes(o);
}

/* What is counted of an operation. */
static const struct op_counter {
	const char	*name, *unit, *help;
	size_t		 offset;
	bool		 of_data;	/* READ and WRITE alone */
} op_counters[] = {
#define OP(name, unit, member, data, help) \
	{ "nfsrated_operation_" name, unit, help, \
	  offsetof(struct totals_op, member), data }
	OP("calls", NULL, calls, false,
	    "Calls of an operation, each counted once however often it was "
	    "sent."),
	OP("replies", NULL, replies, false, "Results of an operation."),
	OP("errors", NULL, errors, false,
	    "Results of an operation that were not OK."),
	OP("retransmits", NULL, retransmits, false,
	    "Calls of an operation that were sent again."),
	OP("bytes", "bytes", bytes, true,
	    "Data in calls of WRITE and in replies of READ."),
#undef OP
};

static void
counters(struct metricsout *out, const struct oplist *l,
    const struct op_counter *c)
{
	char key[OPLIST_NAME], name[OPLIST_NAME];
	uint32_t i;

	metricsout_family(out, METRICSOUT_COUNTER, c->name, c->unit, c->help);
	for (i = 0; i < l->n; i++)
		if (!c->of_data || has_bytes(l->op[i]))
			metricsout_uint(out,
			    metrics_member(l->op[i], c->offset),
			    "program", oplist_key(l->op[i], key),
			    "operation", oplist_name(l->op[i], name), NULL);
}

static struct metricsout_bins
bins_of(const struct metrics *m, uint16_t series, uint64_t timed,
    uint64_t sum_us)
{
	return (struct metricsout_bins){
		.bound = metricshist_bounds(), .bin = m->hist.bin[series],
		.bins = METRICSHIST_BOUNDS, .count = timed,
		.sum = (double)sum_us / US_PER_S
	};
}

static void
latencies(const struct metrics *m, struct metricsout *out,
    const struct oplist *l)
{
	char key[OPLIST_NAME], name[OPLIST_NAME];
	const struct totals_op *o;
	struct metricsout_bins b;
	uint32_t i;

	metricsout_family(out, METRICSOUT_HISTOGRAM, "nfsrated_rpc_seconds",
	    "seconds", "Latency of RPCs by operation: first byte of the call "
	    "to last byte of the reply.");
	for (i = 0; i < l->n; i++) {
		o = l->op[i];
		if (o->op >= NFS_OP_COUNT || o->timed == 0)
			continue;
		b = bins_of(m, o->op, o->timed, o->sum_us);
		metricsout_histogram(out, &b,
		    "program", oplist_key(o, key),
		    "operation", oplist_name(o, name), NULL);
	}
}

static void
part(const struct metrics *m, struct metricsout *out, uint16_t series,
    const struct sample_part *p, const char *operation, const char *name)
{
	struct metricsout_bins b = bins_of(m, series, p->timed, p->sum_us);

	if (p->timed > 0)
		metricsout_histogram(out, &b, "operation", operation, "part",
		    name, NULL);
}

static void
parts(const struct metrics *m, struct metricsout *out)
{
	const struct sample_data *w = &m->config.totals->data[SAMPLE_WRITE];
	const struct sample_data *r = &m->config.totals->data[SAMPLE_READ];

	metricsout_family(out, METRICSOUT_HISTOGRAM,
	    "nfsrated_rpc_part_seconds", "seconds", "Parts of the latency of "
	    "READs and WRITEs of all versions: the call on the wire, the "
	    "server, the reply on the wire.");
	part(m, out, SAMPLE_WRITE_REQUEST, &w->request, "WRITE", "request");
	part(m, out, SAMPLE_WRITE_SERVER, &w->server, "WRITE", "server");
	part(m, out, SAMPLE_WRITE_REPLY, &w->reply, "WRITE", "reply");
	part(m, out, SAMPLE_READ_REQUEST, &r->request, "READ", "request");
	part(m, out, SAMPLE_READ_SERVER, &r->server, "READ", "server");
	part(m, out, SAMPLE_READ_REPLY, &r->reply, "READ", "reply");
}

static void
statuses(const struct totals *t, struct metricsout *out)
{
	const struct sample_status *s;
	const struct nfs_program *p;
	char buf[32];

	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_status", NULL,
	    "Results that were not OK, by their code.");
	for (s = t->status; s < t->status + t->statuses; s++)
		if ((p = nfs_program_of(s->first_op)) != NULL)
			metricsout_uint(out, s->count, "program", p->key,
			    "status", nfs_status_name(p, s->status, buf,
			    sizeof(buf)), NULL);
}

void
metrics_operations(const struct metrics *m, struct metricsout *out)
{
	struct oplist *l = malloc(sizeof(*l));
	size_t i;

	if (l == NULL) {
		out->text->failed = true;
		return;
	}
	oplist_of_totals(l, m->config.totals);
	for (i = 0; i < sizeof(op_counters) / sizeof(op_counters[0]); i++)
		counters(out, l, &op_counters[i]);
	latencies(m, out, l);
	parts(m, out);
	statuses(m->config.totals, out);
	free(l);
}

/* Clients. */

static const struct client_counter {
	const char	*name, *unit, *help;
	size_t		 offset;
	double		 scale;		/* of what is no whole number; or 0 */
} client_counters[] = {
#define OF_CLIENT(name, unit, member, scale, help) \
	{ "nfsrated_client_" name, unit, help, \
	  offsetof(struct sample_talk, member), scale }
	OF_CLIENT("calls", NULL, calls, 0, "Calls of a client."),
	OF_CLIENT("replies", NULL, replies, 0, "Replies to a client."),
	OF_CLIENT("errors", NULL, errors, 0,
	    "Replies to a client that were not OK."),
	OF_CLIENT("retransmits", NULL, retransmits, 0,
	    "Calls that a client sent again."),
	OF_CLIENT("write_bytes", "bytes", write_bytes, 0,
	    "Data that a client wrote."),
	OF_CLIENT("read_bytes", "bytes", read_bytes, 0,
	    "Data that a client read."),
	OF_CLIENT("timed_replies", NULL, timed, 0,
	    "Replies to a client whose latency is known."),
	OF_CLIENT("latency_seconds", "seconds", sum_us, 1 / US_PER_S,
	    "Latencies of these replies, added up."),
#undef OF_CLIENT
};

void
metrics_clients(const struct metrics *m, struct metricsout *out)
{
	const struct sample_client *rows[METRICS_CLIENTS];
	uint32_t i, n = toprows_clients(m->config.totals->rows, rows,
	    METRICS_CLIENTS);
	char addr[METRICS_CLIENTS][ADDR_STRLEN];
	const struct client_counter *c = client_counters;
	size_t k;

	for (i = 0; i < n; i++)
		addr_print(&rows[i]->addr, addr[i], sizeof(addr[i]));
	for (k = 0; k < sizeof(client_counters) / sizeof(*c); k++, c++) {
		metricsout_family(out, METRICSOUT_COUNTER, c->name, c->unit,
		    c->help);
		for (i = 0; i < n; i++)
			if (c->scale > 0)
				metricsout_real(out, c->scale *
				    (double)metrics_member(
				    &rows[i]->t.total, c->offset),
				    "client", addr[i], NULL);
			else
				metricsout_uint(out, metrics_member(
				    &rows[i]->t.total, c->offset),
				    "client", addr[i], NULL);
	}
	metricsout_family(out, METRICSOUT_GAUGE,
	    "nfsrated_client_uncommitted_bytes", "bytes",
	    "Data of a client that the server may keep in memory until a "
	    "COMMIT.");
	for (i = 0; i < n; i++)
		metricsout_uint(out, sample_uncommitted(&rows[i]->t.total),
		    "client", addr[i], NULL);
}

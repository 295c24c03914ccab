/* SPDX-License-Identifier: ISC */
/*
 * metricscounts.c: metrics of packets, RPCs and data.
 */
#include "metricsstate.h"

#include <stddef.h>
#include <stdio.h>

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

static const char *const directions[SAMPLE_DIRECTIONS] = {
	[SAMPLE_IN] = "in", [SAMPLE_OUT] = "out", [SAMPLE_OTHER] = "other"
};
static const char *const kinds[SAMPLE_KINDS] = {
	[SAMPLE_WRITE] = "write", [SAMPLE_READ] = "read",
	[SAMPLE_COMMIT] = "commit"
};

/* Packets. */

static const struct of_traffic {
	const char	*name, *unit, *help;
	size_t		 offset;
	bool		 both;		/* not of what is neither in nor out */
} traffic_counters[] = {
#define TRAFFIC(name, unit, member, both, help) \
	{ "nfsrated_" name, unit, help, \
	  offsetof(struct sample_traffic, member), both }
	TRAFFIC("packets", NULL, packets, false,
	    "Packets as captured: towards a server, from it, or neither."),
	TRAFFIC("wire_packets", NULL, wire_packets, false,
	    "Packets as the wire carries them."),
	TRAFFIC("bytes", "bytes", bytes, false,
	    "Bytes of captured frames without their check sum."),
	TRAFFIC("wire_bytes", "bytes", wire_bytes, false,
	    "Bytes of frames as the wire carries them."),
	TRAFFIC("interface_errors", NULL, errs, true,
	    "Errors that the interface counted."),
#undef TRAFFIC
};

static void
traffic(const struct totals *t, struct metricsout *out)
{
	const struct of_traffic *c = traffic_counters;
	uint64_t value;
	size_t i;
	int d;

	for (i = 0; i < COUNT(traffic_counters); i++, c++) {
		metricsout_family(out, METRICSOUT_COUNTER, c->name, c->unit,
		    c->help);
		for (d = 0; d < SAMPLE_DIRECTIONS; d++) {
			value = metrics_member(&t->traffic[d], c->offset);
			if (value != SAMPLE_UNKNOWN &&
			    (!c->both || d != SAMPLE_OTHER))
				metricsout_uint(out, value, "direction",
				    directions[d], NULL);
		}
	}
}

/* Plain counters; unknown ones are left out. */
static const struct plain {
	const char	*name, *help;
	size_t		 offset;
	bool		 rpc;		/* not where packets alone count */
} plains[] = {
#define PLAIN(name, member, rpc, help) \
	{ "nfsrated_" name, help, offsetof(struct totals, member), rpc }
	PLAIN("interface_collisions", colls, false,
	    "Collisions that the interface counted."),
	PLAIN("capture_kernel_drops", kernel_drops, false,
	    "Packets that the kernel dropped because the program was slow."),
	PLAIN("capture_interface_drops", interface_drops, false,
	    "Packets that the interface dropped."),
	PLAIN("rpc_calls", rpc_calls, true, "RPC calls, each once."),
	PLAIN("rpc_replies", rpc_replies, true, "RPC replies."),
	PLAIN("rpc_retransmits", rpc_retransmits, true,
	    "RPC calls that were sent again."),
	PLAIN("rpc_unmatched", rpc_unmatched, true,
	    "RPC replies to calls that were not seen."),
	PLAIN("duty_bins", duty_bins, true,
	    "Parts of 10 ms that were watched."),
	PLAIN("duty_on_bins", duty_on, true,
	    "Parts of 10 ms in which there was input."),
#undef PLAIN
};

static void
plain_counters(const struct totals *t, struct metricsout *out)
{
	const struct plain *c = plains;
	uint64_t value;
	size_t i;

	for (i = 0; i < COUNT(plains); i++, c++) {
		value = metrics_member(t, c->offset);
		if (value == SAMPLE_UNKNOWN || (c->rpc && t->packets_only))
			continue;
		metricsout_family(out, METRICSOUT_COUNTER, c->name, NULL,
		    c->help);
		metricsout_uint(out, value, NULL);
	}
}

/* Those of a group that has a metric for each; or a label, if one is given. */
static void
group(const struct totals *t, struct metricsout *out, enum sample_group g,
    const char *label)
{
	char name[64], help[128];
	int i;

	for (i = 0; i < SAMPLE_COUNTERS; i++) {
		if (sample_counter_group((enum sample_counter)i) != g)
			continue;
		if (label != NULL) {
			metricsout_uint(out, t->counter[i], label,
			    sample_counter_name((enum sample_counter)i), NULL);
			continue;
		}
		snprintf(name, sizeof(name), "nfsrated_%s_%s",
		    sample_group_name(g),
		    sample_counter_name((enum sample_counter)i));
		snprintf(help, sizeof(help), "Number of %s.",
		    sample_counter_words((enum sample_counter)i));
		metricsout_family(out, METRICSOUT_COUNTER, name, NULL, help);
		metricsout_uint(out, t->counter[i], NULL);
	}
}

static void
groups(const struct totals *t, struct metricsout *out)
{
	group(t, out, SAMPLE_G_TCP, NULL);
	group(t, out, SAMPLE_G_IP, NULL);
	group(t, out, SAMPLE_G_RPC, NULL);
	group(t, out, SAMPLE_G_CAPTURE, NULL);
	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_discards", NULL,
	    "What was counted, but not understood, by reason.");
	group(t, out, SAMPLE_G_DISCARDS, "reason");
	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_evictions", NULL,
	    "What was forgotten for want of room, by table.");
	group(t, out, SAMPLE_G_EVICTIONS, "table");
}

/* Data. */

static const struct of_data {
	const char	*name, *unit, *help;
	size_t		 offset;
	bool		 commit;	/* COMMITs have it too */
} data_counters[] = {
#define DATA(name, unit, member, commit, help) \
	{ "nfsrated_io_" name, unit, help, \
	  offsetof(struct sample_data, member), commit }
	DATA("calls", NULL, calls, true,
	    "READ, WRITE and COMMIT calls of all versions, each once."),
	DATA("replies", NULL, replies, true, "Replies to these."),
	DATA("errors", NULL, errors, true, "Replies that were not OK."),
	DATA("retransmits", NULL, retransmits, true,
	    "Calls that were sent again."),
	DATA("bytes", "bytes", bytes, false, "Data read or written."),
	DATA("hidden_calls", NULL, hidden, false,
	    "Calls whose bytes are not known: encrypted or cut."),
#undef DATA
};

static void
data(const struct totals *t, struct metricsout *out)
{
	static const char *const how[] = { "unstable", "data_sync",
	    "file_sync" };
	const struct of_data *c = data_counters;
	size_t i;
	int k;

	for (i = 0; i < COUNT(data_counters); i++, c++) {
		metricsout_family(out, METRICSOUT_COUNTER, c->name, c->unit,
		    c->help);
		for (k = 0; k < SAMPLE_KINDS; k++)
			if (c->commit || k != SAMPLE_COMMIT)
				metricsout_uint(out, metrics_member(&t->data[k],
				    c->offset), "kind", kinds[k], NULL);
	}
	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_write_stability",
	    NULL, "WRITEs by how stable they asked their data to be.");
	for (k = 0; k < 3; k++)
		metricsout_uint(out, t->data[SAMPLE_WRITE].stable[k], "how",
		    how[k], NULL);
}

void
metrics_counts(const struct metrics *m, struct metricsout *out)
{
	const struct totals *t = m->config.totals;

	traffic(t, out);
	plain_counters(t, out);
	if (t->packets_only)
		return;
	groups(t, out);
	data(t, out);
}

/* SPDX-License-Identifier: ISC */
/*
 * metricstext.c: all metrics; of time, verdicts and episodes here.
 */
#include "metricsstate.h"

#include <stdio.h>
#include <string.h>

#define NS_PER_S	1e9

/* About itself. */

static void
info(const struct metrics *m, struct metricsout *out)
{
	metricsout_family(out, METRICSOUT_INFO, "nfsrated_build", NULL,
	    "The version of nfsrated.");
	metricsout_uint(out, 1, "version", m->config.version, NULL);
	metricsout_family(out, METRICSOUT_INFO, "nfsrated_source", NULL,
	    "What is watched: interfaces, or a file.");
	metricsout_uint(out, 1, "source", m->config.source, NULL);
	metricsout_family(out, METRICSOUT_GAUGE, "nfsrated_interval_seconds",
	    "seconds", "Length of an interval.");
	metricsout_real(out, (double)m->config.interval_ns / NS_PER_S, NULL);
}

static void
process(const struct metrics_process *p, struct metricsout *out)
{
	metricsout_family(out, METRICSOUT_COUNTER, "process_cpu_seconds",
	    "seconds", "User and system time of the program.");
	metricsout_real(out, p->cpu_seconds, NULL);
	if (p->start_seconds > 0) {
		metricsout_family(out, METRICSOUT_GAUGE,
		    "process_start_time_seconds", "seconds",
		    "When the program was started, since 1970.");
		metricsout_real(out, p->start_seconds, NULL);
	}
	metricsout_family(out, METRICSOUT_GAUGE,
	    "nfsrated_max_resident_memory_bytes", "bytes",
	    "The most memory that the program ever had.");
	metricsout_uint(out, p->max_resident_bytes, NULL);
	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_http_requests",
	    NULL, "Requests over HTTP, by what became of them.");
	metricsout_uint(out, p->requests, "outcome", "served", NULL);
	metricsout_uint(out, p->refused, "outcome", "refused", NULL);
}

/* Time. */

static void
seconds_counter(struct metricsout *out, const char *name, double ns,
    const char *help)
{
	metricsout_family(out, METRICSOUT_COUNTER, name, "seconds", help);
	metricsout_real(out, ns / NS_PER_S, NULL);
}

static void
times(const struct totals *t, struct metricsout *out)
{
	int i;

	seconds_counter(out, "nfsrated_watched_seconds",
	    (double)t->watched_ns, "Time that was watched.");
	seconds_counter(out, "nfsrated_untrusted_seconds",
	    (double)t->untrusted_ns, "Time of which the capture lost what it "
	    "should have seen.");
	if (t->packets_only)
		return;
	seconds_counter(out, "nfsrated_outstanding_seconds",
	    (double)t->depth_ns, "Time that calls were outstanding, added up: "
	    "its rate is their mean number.");
	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_state_seconds",
	    "seconds", "Where the time went: who was waited for.");
	for (i = 0; i < SAMPLE_STATES; i++)
		metricsout_real(out, (double)t->state_ns[i] / NS_PER_S,
		    "state", sample_state_name((enum sample_state)i), NULL);
}

static void
flaws(const struct metrics *m, struct metricsout *out)
{
	const struct totals *t = m->config.totals;

	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_flawed_intervals",
	    NULL, "Intervals that are not as they should be, by flaw.");
	metricsout_uint(out, t->partial, "flaw", "partial", NULL);
	metricsout_uint(out, t->gaps, "flaw", "gap", NULL);
	metricsout_uint(out, t->restarts, "flaw", "restarted", NULL);
	metricsout_uint(out, t->no_data, "flaw", "no_data", NULL);
	metricsout_uint(out, m->lost, "flaw", "lost", NULL);
}

/* Verdicts. */

static void
verdicts(const struct metrics *m, struct metricsout *out)
{
	int i;

	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_intervals", NULL,
	    "Intervals by what was said of them.");
	for (i = 0; i < VERDICTS; i++)
		metricsout_uint(out, m->verdict[i], "verdict",
		    verdict_name((enum verdict)i), NULL);
	metricsout_uint(out, m->unjudged, "verdict", "none", NULL);
	metricsout_family(out, METRICSOUT_GAUGE, "nfsrated_verdict", NULL,
	    "1 for what was said of the last interval.");
	for (i = 0; i < VERDICTS; i++)
		metricsout_uint(out, m->judged.has_verdict &&
		    m->judged.verdict == (enum verdict)i, "verdict",
		    verdict_name((enum verdict)i), NULL);
}

static void
expectation(const struct metrics *m, struct metricsout *out)
{
	static const struct {
		const char *name, *unit;
		double	scale;
	} rates[] = {
		[EXPECT_PPS] = { "nfsrated_expected_packets_per_second",
		    "packets_per_second", 1 },
		[EXPECT_WPS] = { "nfsrated_expected_writes_per_second",
		    "writes_per_second", 1 },
		[EXPECT_MBPS] = { "nfsrated_expected_bytes_per_second",
		    "bytes_per_second", 1e6 },
	};
	const struct judgement *v = &m->judged;

	if (v->expect == EXPECT_NONE)
		return;
	metricsout_family(out, METRICSOUT_GAUGE, rates[v->expect].name,
	    rates[v->expect].unit, "What is expected.");
	metricsout_real(out, v->expect_value * rates[v->expect].scale, NULL);
	metricsout_family(out, METRICSOUT_GAUGE, "nfsrated_expected_ratio",
	    "ratio", "What there was in the last interval, of that.");
	metricsout_real(out, v->ratio, NULL);
}

static void
episodes(const struct metrics *m, struct metricsout *out)
{
	const struct episode *e = &m->episode;
	char client[ADDR_STRLEN];
	int i;

	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_episodes", NULL,
	    "Episodes that started, by kind.");
	for (i = 0; i < VERDICTS; i++)
		if (verdict_is_bad((enum verdict)i))
			metricsout_uint(out, m->episodes[i], "kind",
			    verdict_name((enum verdict)i), NULL);
	metricsout_family(out, METRICSOUT_COUNTER, "nfsrated_episode_seconds",
	    "seconds", "Length of the episodes that ended, by kind.");
	for (i = 0; i < VERDICTS; i++)
		if (verdict_is_bad((enum verdict)i))
			metricsout_real(out, (double)m->episode_ns[i] /
			    NS_PER_S, "kind",
			    verdict_name((enum verdict)i), NULL);
	metricsout_family(out, METRICSOUT_COUNTER,
	    "nfsrated_episode_shortfall_bytes", "bytes",
	    "What was missing in the episodes that ended.");
	metricsout_real(out, m->shortfall_bytes, NULL);
	metricsout_family(out, METRICSOUT_GAUGE, "nfsrated_episode_active",
	    NULL, "1 while an episode of this kind goes on.");
	for (i = 0; i < VERDICTS; i++)
		if (verdict_is_bad((enum verdict)i))
			metricsout_uint(out, m->open &&
			    e->kind == (enum verdict)i, "kind",
			    verdict_name((enum verdict)i), NULL);
	if (!m->open)
		return;
	metricsout_family(out, METRICSOUT_INFO, "nfsrated_episode", NULL,
	    "The episode that goes on: its cause, and the busiest client.");
	metricsout_uint(out, 1, "kind", verdict_name(e->kind),
	    "cause", e->has_cause ? sample_state_name(e->cause) : NULL,
	    "client", e->has_client ? addr_print(&e->client, client,
	    sizeof(client)) : NULL, NULL);
}

/* The last interval. */

static void
gauge(struct metricsout *out, const char *name, const char *unit,
    double value, const char *help)
{
	metricsout_family(out, METRICSOUT_GAUGE, name, unit, help);
	metricsout_real(out, value, NULL);
}

static void
last(const struct metrics *m, struct metricsout *out)
{
	const struct totals *t = m->config.totals;
	int i;

	metricsout_family(out, METRICSOUT_GAUGE, "nfsrated_source_up", NULL,
	    "1 while the source gives intervals, 0 when it is down or at its "
	    "end.");
	metricsout_uint(out, m->any && !m->ended && !m->no_data, NULL);
	if (!m->any)
		return;
	gauge(out, "nfsrated_last_interval_timestamp_seconds", "seconds",
	    (double)m->end_ns / NS_PER_S,
	    "End of the last interval, since 1970.");
	gauge(out, "nfsrated_trust_ratio", "ratio", m->trust,
	    "How far the capture of the last interval can be trusted.");
	if (t->packets_only)
		return;
	gauge(out, "nfsrated_outstanding_calls", "calls",
	    (double)t->outstanding,
	    "Calls outstanding at the end of the last interval.");
	metricsout_family(out, METRICSOUT_GAUGE, "nfsrated_state_ratio",
	    "ratio", "Where the time of the last interval went, in shares.");
	for (i = 0; i < SAMPLE_STATES && m->has_split; i++)
		metricsout_real(out, m->share[i], "state",
		    sample_state_name((enum sample_state)i), NULL);
}

/* The last minute. */

static const struct extreme {
	const char	*name;
	bool		 min, max;
	const char	*what;
} extremes[METRICSWINDOW_KINDS] = {
	[METRICSWINDOW_IN] = { "nfsrated_input_packets_per_second", true, true,
	    "wire packets towards servers" },
	[METRICSWINDOW_WRITES] = { "nfsrated_writes_per_second", true, true,
	    "WRITE calls" },
	[METRICSWINDOW_WRITTEN] = { "nfsrated_written_bytes_per_second", true,
	    true, "bytes written" },
	[METRICSWINDOW_READ] = { "nfsrated_read_bytes_per_second", true, true,
	    "bytes read" },
	[METRICSWINDOW_RATIO] = { "nfsrated_expected_ratio", true, true,
	    "share of what was expected, while there was demand" },
	[METRICSWINDOW_TRUST] = { "nfsrated_trust_ratio", true, false,
	    "trust" },
	[METRICSWINDOW_WRITE_S] = { "nfsrated_write_latency_seconds", false,
	    true, "latency of a WRITE" },
	[METRICSWINDOW_READ_S] = { "nfsrated_read_latency_seconds", false,
	    true, "latency of a READ" },
	[METRICSWINDOW_DEPTH] = { "nfsrated_outstanding_calls", false, true,
	    "calls outstanding" },
	[METRICSWINDOW_GAP_S] = { "nfsrated_input_gap_seconds", false, true,
	    "time without input" },
};

static void
extreme(struct metricsout *out, const struct extreme *e, const char *end,
    const char *word, double value)
{
	char name[96], help[160];

	snprintf(name, sizeof(name), "%s_%s", e->name, end);
	snprintf(help, sizeof(help), "The %s %s of an interval in the last "
	    "60 s.", word, e->what);
	gauge(out, name, NULL, value, help);
}

static void
window(const struct metrics *m, struct metricsout *out)
{
	const struct extreme *e = extremes;
	double min, max;
	int i;

	for (i = 0; i < METRICSWINDOW_KINDS; i++, e++) {
		if (!metricswindow_extremes(&m->window,
		    (enum metricswindow_kind)i, &min, &max))
			continue;
		if (e->min)
			extreme(out, e, "min", "least", min);
		if (e->max)
			extreme(out, e, "max", "largest", max);
	}
}

void
metrics_text(const struct metrics *m, enum metricsout_format format,
    const struct metrics_process *p, struct textbuf *text)
{
	struct metricsout out = { .text = text, .format = format };
	const struct totals *t = m->config.totals;

	info(m, &out);
	last(m, &out);
	verdicts(m, &out);
	expectation(m, &out);
	episodes(m, &out);
	window(m, &out);
	metrics_counts(m, &out);
	times(t, &out);
	flaws(m, &out);
	if (!t->packets_only) {
		metrics_operations(m, &out);
		metrics_clients(m, &out);
	}
	process(p, &out);
	metricsout_end(&out);
}

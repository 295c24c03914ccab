/* SPDX-License-Identifier: ISC */
/*
 * metrics.c: what the metrics remember besides the totals.
 */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

#include "metricsstate.h"

struct metrics *
metrics_new(const struct metrics_config *config)
{
	struct metrics *m = calloc(1, sizeof(*m));

	if (m != NULL)
		m->config = *config;
	return m;
}

void
metrics_free(struct metrics *m)
{
	free(m);
}

static void
keep_last(struct metrics *m, const struct sample *s)
{
	uint64_t all = 0;
	int i;

	m->any = true;
	m->end_ns = s->start_ns + s->length_ns;
	m->trust = sample_trust(s);
	m->depth = s->watched_ns > 0 ?
	    (double)s->depth_ns / (double)s->watched_ns : 0;
	m->no_data = s->no_data;
	m->in = s->traffic[SAMPLE_IN];
	m->write = s->data[SAMPLE_WRITE];
	m->read = s->data[SAMPLE_READ];
	m->seconds = sample_seconds(s);
	for (i = 0; i < SAMPLE_STATES; i++)
		all += s->state_ns[i];
	m->has_split = s->has_split && all > 0;
	for (i = 0; i < SAMPLE_STATES; i++)
		m->share[i] = m->has_split ?
		    (double)s->state_ns[i] / (double)all : 0;
}

void
metrics_sample(struct metrics *m, const struct sample *s,
    const struct judgement *v)
{
	keep_last(m, s);
	memset(&m->judged, 0, sizeof(m->judged));
	if (v != NULL)
		m->judged = *v;
	if (m->judged.has_verdict)
		m->verdict[m->judged.verdict]++;
	else
		m->unjudged++;
	metricshist_add(&m->hist, s);
	metricswindow_add(&m->window, s, v);
}

/*
 * An episode is told when it starts and when it ends, and its kind may have
 * changed by then; it counts as what it was at first, its time as what it was
 * in the end.
 */
void
metrics_episode(struct metrics *m, const struct episode *e)
{
	bool goes_on = m->open && m->episode.start_ns == e->start_ns;

	if (!goes_on)
		m->episodes[e->kind]++;
	m->open = !e->ended;
	m->any_episode = true;
	m->episode = *e;
	if (!e->ended)
		return;
	m->episode_ns[e->kind] += e->end_ns - e->start_ns;
	if (e->has_shortfall && e->shortfall_bytes > 0)
		m->shortfall_bytes += e->shortfall_bytes;
}

void
metrics_lost(struct metrics *m, uint64_t intervals)
{
	m->lost += intervals;
}

void
metrics_ended(struct metrics *m)
{
	m->ended = true;
}

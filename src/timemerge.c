/* SPDX-License-Identifier: ISC */
/*
 * timemerge.c: which of several live sources hands out its packet next.
 */
#include "timemerge.h"

int
timemerge_earliest(const struct timemerge *m)
{
	int best = -1;
	uint32_t i;

	for (i = 0; i < m->sources; i++)
		if (m->source[i].state == TIMEMERGE_HOLDS && (best < 0 ||
		    m->source[i].time_ns < m->source[best].time_ns))
			best = (int)i;
	return best;
}

int64_t
timemerge_due(const struct timemerge *m)
{
	int first = timemerge_earliest(m);

	if (first < 0 || m->source[first].time_ns > INT64_MAX - m->slack_ns)
		return INT64_MAX;
	return m->source[first].time_ns + m->slack_ns;
}

bool
timemerge_wants(const struct timemerge *m, uint32_t source)
{
	const struct timemerge_source *s = &m->source[source];

	return s->state == TIMEMERGE_UNREAD ||
	    (s->state == TIMEMERGE_EMPTY && s->time_ns < timemerge_due(m));
}

int
timemerge_next(const struct timemerge *m, int64_t now_ns)
{
	int first = timemerge_earliest(m);
	uint32_t i;

	if (first < 0 || m->source[first].time_ns > now_ns + m->slack_ns)
		return first;
	for (i = 0; i < m->sources; i++)
		if (timemerge_wants(m, i))
			return -1;
	return first;
}

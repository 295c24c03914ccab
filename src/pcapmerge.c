/* SPDX-License-Identifier: ISC */
/*
 * pcapmerge.c: several live sources as one stream of packets in order of time.
 */
#include "pcapmerge.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The kernel must not hold back packets for long. */
#define GATHER_MS	10

struct lane {
	struct packet	 held;
	uint8_t		*copy;		/* its bytes, up to the snap length */
};

struct pcapmerge {
	struct pcapsource_config to;
	struct pcapsource_config how;
	struct timemerge merge;
	struct lane	 lane[TIMEMERGE_SOURCES_MAX];
};

/* The packet that a read has brought, while the others are asked for theirs. */
static void
hold(void *ctx, const struct packet *p)
{
	struct pcapmerge *m = ctx;
	struct lane *l = &m->lane[p->ifindex];
	size_t len = p->data.len;

	if (len > (size_t)m->to.snaplen)
		len = (size_t)m->to.snaplen;
	if (len > 0)
		memcpy(l->copy, p->data.data, len);
	l->held = *p;
	l->held.data = bytes_of(l->copy, len);
	m->merge.source[p->ifindex].state = TIMEMERGE_HOLDS;
	m->merge.source[p->ifindex].time_ns = p->time_ns;
}

struct pcapmerge *
pcapmerge_new(const struct pcapsource_config *config, uint32_t sources)
{
	struct pcapmerge *m;
	uint32_t i;

	if ((m = calloc(1, sizeof(*m))) == NULL)
		return NULL;
	m->to = m->how = *config;
	m->how.gather_ms = GATHER_MS;
	m->how.batch = 1;
	m->how.packet = hold;
	m->how.ctx = m;
	m->merge.sources = sources;
	m->merge.slack_ns = PCAPMERGE_SLACK_NS;
	for (i = 0; i < sources; i++)
		if ((m->lane[i].copy = malloc((size_t)config->snaplen)) ==
		    NULL) {
			pcapmerge_free(m);
			return NULL;
		}
	return m;
}

void
pcapmerge_free(struct pcapmerge *m)
{
	uint32_t i;

	if (m == NULL)
		return;
	for (i = 0; i < m->merge.sources; i++)
		free(m->lane[i].copy);
	free(m);
}

struct pcapsource_config *
pcapmerge_config(struct pcapmerge *m)
{
	return &m->how;
}

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* Every source that must be known better; gives the time of it. */
static int64_t
read_wanted(struct pcapmerge *m, struct pcapsource *const source[],
    enum pcapsource_result res[])
{
	int64_t now = now_ns();
	uint32_t i;

	for (i = 0; i < m->merge.sources; i++) {
		if (!timemerge_wants(&m->merge, i))
			continue;
		m->merge.source[i].state = TIMEMERGE_EMPTY;
		m->merge.source[i].time_ns = now;
		res[i] = pcapsource_read(source[i]);
	}
	return now;
}

static void
hand_out(struct pcapmerge *m, int i)
{
	m->merge.source[i].state = TIMEMERGE_UNREAD;
	m->to.packet(m->to.ctx, &m->lane[i].held);
}

/* Who has gone away may still hold a packet. */
static void
note_absent(struct pcapmerge *m, struct pcapsource *const source[])
{
	struct timemerge_source *s;
	uint32_t i;

	for (i = 0; i < m->merge.sources; i++) {
		s = &m->merge.source[i];
		if (source[i] == NULL && s->state != TIMEMERGE_HOLDS)
			s->state = TIMEMERGE_ABSENT;
		else if (source[i] != NULL && s->state == TIMEMERGE_ABSENT)
			s->state = TIMEMERGE_UNREAD;
	}
}

bool
pcapmerge_read(struct pcapmerge *m, struct pcapsource *const source[],
    enum pcapsource_result res[])
{
	int next, left;

	for (left = m->to.batch; left > 0; left--) {
		note_absent(m, source);
		next = timemerge_next(&m->merge, read_wanted(m, source, res));
		if (next < 0)
			return false;
		hand_out(m, next);
	}
	return true;
}

void
pcapmerge_rest(struct pcapmerge *m)
{
	int next;

	while ((next = timemerge_earliest(&m->merge)) >= 0)
		hand_out(m, next);
}

bool
pcapmerge_holds(const struct pcapmerge *m, uint32_t source)
{
	return m->merge.source[source].state == TIMEMERGE_HOLDS;
}

int
pcapmerge_wait(const struct pcapmerge *m, int timeout_ms)
{
	int64_t due = timemerge_due(&m->merge), left;

	if (due == INT64_MAX)
		return timeout_ms;
	left = (due - now_ns()) / NSEC_PER_MSEC + 1;
	if (left < 0)
		return 0;
	return left < timeout_ms ? (int)left : timeout_ms;
}

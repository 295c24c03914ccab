/* SPDX-License-Identifier: ISC */
/*
 * history.c: the last intervals and what was said of them.
 */
#include "history.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "samplepack.h"

#define INTERVALS	7200
#define ROWS		(24U << 20)

/* Records of any length in a ring of bytes: the oldest make room. */
struct ring {
	uint8_t		*data;
	size_t		 size, at;	/* at: where the next one goes */
	uint64_t	 first;		/* oldest record that is there */
	struct place {
		size_t	 offset, len;
	} *place;			/* of record n, at n % intervals */
};

struct history {
	uint32_t	 intervals;
	uint64_t	 first, end;
	struct history_brief *brief;
	struct judgement *judgement;
	struct ring	 counters, rows;
	uint8_t		*scratch;
};

static bool
ring_new(struct ring *r, size_t size, uint32_t intervals)
{
	r->size = size;
	r->data = calloc(1, size);
	r->place = calloc(intervals, sizeof(*r->place));
	return r->data != NULL && r->place != NULL;
}

/* A record of the bytes [at, at + len) is in the way. */
static bool
in_the_way(const struct place *p, size_t at, size_t len)
{
	return p->offset < at + len && at < p->offset + p->len;
}

/* Records lie in order, so what is in the way are the oldest ones. */
static void
make_room(struct history *h, struct ring *r, size_t len)
{
	size_t rest = r->size - r->at;

	if (rest < len) {
		while (r->first < h->end && in_the_way(&r->place[r->first %
		    h->intervals], r->at, rest + 1))
			r->first++;
		r->at = 0;
	}
	while (r->first < h->end &&
	    in_the_way(&r->place[r->first % h->intervals], r->at, len))
		r->first++;
}

/* Record number h->end; what is larger than the ring is not kept. */
static void
ring_put(struct history *h, struct ring *r, const uint8_t *data, size_t len)
{
	struct place *p = &r->place[h->end % h->intervals];

	if (h->end - r->first == h->intervals)
		r->first++;
	if (len > r->size) {
		r->first = h->end + 1;
		return;
	}
	make_room(h, r, len);
	memcpy(r->data + r->at, data, len);
	*p = (struct place){ r->at, len };
	r->at += len;
}

static const uint8_t *
ring_get(const struct history *h, const struct ring *r, uint64_t n,
    size_t *len)
{
	const struct place *p = &r->place[n % h->intervals];

	if (n < r->first || n >= h->end)
		return NULL;
	*len = p->len;
	return r->data + p->offset;
}

struct history *
history_new(const struct history_config *config)
{
	struct history *h = calloc(1, sizeof(*h));
	size_t rows = config->rows > 0 ? config->rows : ROWS;
	uint32_t n = config->intervals > 0 ? config->intervals : INTERVALS;

	if (h == NULL)
		return NULL;
	h->intervals = n;
	h->brief = calloc(n, sizeof(*h->brief));
	h->judgement = calloc(n, sizeof(*h->judgement));
	h->scratch = malloc(SAMPLEPACK_ROWS_MAX);
	if (h->brief == NULL || h->judgement == NULL || h->scratch == NULL ||
	    !ring_new(&h->counters, (n + 1) * SAMPLEPACK_COUNTERS_MAX, n) ||
	    !ring_new(&h->rows, rows, n)) {
		history_free(h);
		errno = ENOMEM;
		return NULL;
	}
	return h;
}

void
history_free(struct history *h)
{
	if (h == NULL)
		return;
	free(h->brief);
	free(h->judgement);
	free(h->scratch);
	free(h->counters.data);
	free(h->counters.place);
	free(h->rows.data);
	free(h->rows.place);
	free(h);
}

void
history_clear(struct history *h)
{
	h->first = h->counters.first = h->rows.first = h->end;
	h->counters.at = h->rows.at = 0;
}

static void
where(struct history_brief *b, const struct sample *s)
{
	double sum = 0;
	int i;

	for (i = 0; i < SAMPLE_STATES; i++) {
		sum += (double)s->state_ns[i];
		if (s->state_ns[i] > s->state_ns[b->where])
			b->where = (enum sample_state)i;
	}
	if (s->has_split && sum > 0)
		b->share = (float)((double)s->state_ns[b->where] / sum);
}

static void
make_brief(struct history_brief *b, const struct sample *s,
    const struct judgement *v)
{
	memset(b, 0, sizeof(*b));
	b->start_ns = s->start_ns;
	b->length_ns = s->length_ns;
	b->pps = (float)expect_rate(EXPECT_PPS, s);
	b->wps = (float)expect_rate(EXPECT_WPS, s);
	b->mbps = (float)expect_rate(EXPECT_MBPS, s);
	b->partial = s->partial;
	b->gap = s->gap;
	b->restarted = s->restarted;
	b->no_data = s->no_data;
	where(b, s);
	b->expect = v->expect;
	b->expected = (float)v->expect_value;
	b->has_verdict = v->has_verdict;
	b->verdict = v->verdict;
}

void
history_push(struct history *h, const struct sample *s,
    const struct judgement *v)
{
	static const struct judgement none;
	uint32_t at = (uint32_t)(h->end % h->intervals);

	if (v == NULL)
		v = &none;
	make_brief(&h->brief[at], s, v);
	h->judgement[at] = *v;
	ring_put(h, &h->counters, h->scratch,
	    samplepack_counters(s, h->scratch));
	ring_put(h, &h->rows, h->scratch, samplepack_rows(s, h->scratch));
	h->end++;
	if (h->end - h->first > h->intervals)
		h->first = h->end - h->intervals;
}

uint64_t
history_first(const struct history *h)
{
	return h->first;
}

uint64_t
history_end(const struct history *h)
{
	return h->end;
}

const struct history_brief *
history_brief(const struct history *h, uint64_t n)
{
	if (n < h->first || n >= h->end)
		return NULL;
	return &h->brief[n % h->intervals];
}

bool
history_counters(const struct history *h, uint64_t n, struct sample *s,
    struct judgement *v)
{
	const uint8_t *data;
	size_t len;

	if (n < h->first || (data = ring_get(h, &h->counters, n, &len)) == NULL)
		return false;
	*v = h->judgement[n % h->intervals];
	return samplepack_get_counters(s, data, len);
}

bool
history_whole(const struct history *h, uint64_t n, struct sample *s,
    struct judgement *v, bool *rows)
{
	const uint8_t *data;
	size_t len;

	if (!history_counters(h, n, s, v))
		return false;
	data = ring_get(h, &h->rows, n, &len);
	*rows = data != NULL && samplepack_get_rows(s, data, len);
	return true;
}

/* From the newest on: when time went back, the later one counts. */
uint64_t
history_find(const struct history *h, int64_t time_ns)
{
	uint64_t n;

	for (n = h->end; n > h->first; n--)
		if (h->brief[(n - 1) % h->intervals].start_ns <= time_ns)
			return n - 1;
	return h->first;
}

double
history_rate(const struct history_brief *b, enum expect_kind kind)
{
	switch (kind) {
	case EXPECT_WPS:
		return (double)b->wps;
	case EXPECT_MBPS:
		return (double)b->mbps;
	case EXPECT_PPS:
	case EXPECT_NONE:
		break;
	}
	return (double)b->pps;
}

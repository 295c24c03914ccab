/* SPDX-License-Identifier: ISC */
/*
 * ipfrag.c: holds IP fragments until a datagram is whole.
 *
 * Entries are not touched after they were added, so that the table's order
 * is that of age.  A whole datagram is remembered for a while, without being
 * held, so that copies of its fragments do not make a datagram of their own.
 */
#include "ipfrag.h"

#include <stdlib.h>
#include <string.h>

#include "lrutable.h"
#include "packet.h"

#define CAPACITY	4096
#define MAX_AGE_NS	(30 * NSEC_PER_SEC)
/* From then on the same key means another datagram. */
#define REUSE_NS	(5 * NSEC_PER_SEC)
#define REUSE_WHOLE_NS	NSEC_PER_SEC
#define WHOLE_MAX	256		/* whole datagrams remembered */
#define RANGES_MAX	32
#define RANGES_FULL	UINT32_MAX
#define PAYLOAD_MAX	65535

struct range {
	uint16_t	start, end;	/* first byte, byte after the last */
};

/* In order, apart from each other by a byte or more. */
struct ranges {
	uint32_t	n;
	struct range	r[RANGES_MAX];
};

struct key {
	struct addr	src, dst;
	uint32_t	id;
	uint32_t	proto;
};

struct held {
	int64_t		first_ns;
	int64_t		last_ns;
	uint32_t	total_len;	/* 0: not known */
	uint32_t	seen_len;
	uint32_t	fragments;
	bool		whole;
	uint8_t		mark;
	struct ranges	seen;		/* passed on the wire */
	struct ranges	got;		/* of head: captured */
	uint8_t		head[IPFRAG_HEAD_MAX];
};

struct ipfrag {
	struct lrutable	*table;		/* struct key to struct held */
	struct ipfrag_config config;
	struct ipfrag_stats stats;
	uint32_t	 held;		/* entries that are not whole */
	uint32_t	 whole;		/* entries that are */
	uint32_t	 whole_max;
	bool		 expiring;
	uint8_t		 no_mark;	/* for packets that are not held */
};

_Static_assert(sizeof(struct key) == 40, "a key has no padding");

static uint32_t
range_len(const struct range *r)
{
	return (uint32_t)r->end - r->start;
}

static void
ranges_shift(struct ranges *rs, uint32_t from, uint32_t to)
{
	memmove(&rs->r[to], &rs->r[from],
	    (rs->n - from) * sizeof(rs->r[0]));
	rs->n = rs->n - from + to;
}

/* Gives the bytes that were not in, or RANGES_FULL and changes nothing. */
static uint32_t
ranges_add(struct ranges *rs, uint32_t start, uint32_t end)
{
	struct range new = { (uint16_t)start, (uint16_t)end };
	uint32_t i, j, known = 0;

	if (rs->n > 0 && start == rs->r[rs->n - 1].end) {
		rs->r[rs->n - 1].end = new.end;
		return end - start;
	}
	for (i = 0; i < rs->n && rs->r[i].end < start; i++)
		;
	for (j = i; j < rs->n && rs->r[j].start <= end; j++) {
		known += range_len(&rs->r[j]);
		if (rs->r[j].start < new.start)
			new.start = rs->r[j].start;
		if (rs->r[j].end > new.end)
			new.end = rs->r[j].end;
	}
	if (i == j && rs->n == RANGES_MAX)
		return RANGES_FULL;
	ranges_shift(rs, j, i + 1);
	rs->r[i] = new;
	return range_len(&new) - known;
}

/* How far they reach from 0 on without a hole. */
static uint32_t
ranges_prefix(const struct ranges *rs)
{
	return rs->n > 0 && rs->r[0].start == 0 ? rs->r[0].end : 0;
}

static uint32_t
ranges_end(const struct ranges *rs)
{
	return rs->n > 0 ? rs->r[rs->n - 1].end : 0;
}

static struct ipfrag_datagram
describe(const struct key *key, const struct held *h)
{
	uint32_t want = ranges_prefix(&h->seen);

	return (struct ipfrag_datagram){
		.src = key->src,
		.dst = key->dst,
		.proto = (uint8_t)key->proto,
		.id = key->id,
		.first_ns = h->first_ns,
		.last_ns = h->last_ns,
		.total_len = h->total_len,
		.seen_len = h->seen_len,
		.fragments = h->fragments,
		.whole = h->whole,
		.mark = h->mark,
		.head = bytes_of(h->head, ranges_prefix(&h->got)),
		.head_want = want < IPFRAG_HEAD_MAX ? want : IPFRAG_HEAD_MAX,
	};
}

/* An entry goes; what it held was all that will come. */
static void
end_entry(struct ipfrag *f, const struct key *key, const struct held *h)
{
	struct ipfrag_datagram d;

	if (h->whole) {
		f->whole--;
		return;
	}
	f->held--;
	f->stats.incomplete++;
	if (f->config.incomplete == NULL)
		return;
	d = describe(key, h);
	f->config.incomplete(f->config.ctx, &d);
}

static void
on_evict(void *ctx, const void *key, void *value)
{
	const struct held *h = value;
	struct ipfrag *f = ctx;

	if (!f->expiring && !h->whole)
		f->stats.evicted++;
	end_entry(f, key, h);
}

struct ipfrag *
ipfrag_new(const struct ipfrag_config *config)
{
	struct ipfrag *f = calloc(1, sizeof(*f));
	struct lrutable_config tc = {
		.key_size = sizeof(struct key),
		.value_size = sizeof(struct held),
		.seed = { config->seed[0], config->seed[1] },
		.evict = on_evict,
		.ctx = f,
	};

	if (f == NULL)
		return NULL;
	f->config = *config;
	if (f->config.capacity == 0)
		f->config.capacity = CAPACITY;
	if (f->config.max_age_ns == 0)
		f->config.max_age_ns = MAX_AGE_NS;
	f->whole_max = (f->config.capacity + 3) / 4;
	if (f->whole_max > WHOLE_MAX)
		f->whole_max = WHOLE_MAX;
	tc.capacity = f->config.capacity;
	if ((f->table = lrutable_new(&tc)) == NULL) {
		free(f);
		return NULL;
	}
	return f;
}

void
ipfrag_free(struct ipfrag *f)
{
	if (f == NULL)
		return;
	lrutable_free(f->table);
	free(f);
}

/* Copies what is new of the captured bytes into the head. */
static void
head_put(struct held *h, uint32_t at, struct bytes captured)
{
	const struct ranges *got = &h->got;
	uint32_t start = at, end, i, stop;

	if (at >= IPFRAG_HEAD_MAX || captured.len == 0)
		return;
	bytes_trim(&captured, IPFRAG_HEAD_MAX - at);
	end = at + (uint32_t)captured.len;
	for (i = 0; i <= got->n && at < end; i++) {
		stop = i < got->n ? got->r[i].start : end;
		if (stop > end)
			stop = end;
		if (stop > at)
			memcpy(h->head + at, captured.data + (at - start),
			    stop - at);
		if (i < got->n && got->r[i].end > at)
			at = got->r[i].end;
	}
	(void)ranges_add(&h->got, start, end);
}

/* The packet's place is one that a fragment can have. */
static bool
place_good(const struct ip_packet *p)
{
	if (p->payload_len == 0 || p->payload_len > PAYLOAD_MAX ||
	    p->frag_offset > PAYLOAD_MAX - p->payload_len)
		return false;
	return !p->more || p->payload_len % 8 == 0;
}

static bool
apart(int64_t a, int64_t b, int64_t limit)
{
	uint64_t gap = a > b ? (uint64_t)a - (uint64_t)b :
	    (uint64_t)b - (uint64_t)a;

	return gap > (uint64_t)limit;
}

/* Whether the packet cannot be a part of the datagram with its key. */
static bool
is_another(const struct held *h, const struct ip_packet *p, int64_t now_ns)
{
	uint32_t end = p->frag_offset + p->payload_len;

	if (h->total_len != 0 && (end > h->total_len ||
	    (!p->more && end != h->total_len)))
		return true;
	if (!p->more && end < ranges_end(&h->seen))
		return true;
	if (h->whole)
		return apart(now_ns, h->last_ns, REUSE_WHOLE_NS);
	return p->frag_offset == 0 && ranges_prefix(&h->seen) >= end &&
	    apart(now_ns, h->last_ns, REUSE_NS);
}

static struct held *
entry_for(struct ipfrag *f, const struct key *key, const struct ip_packet *p,
    int64_t now_ns)
{
	struct held *h = lrutable_find(f->table, key);

	if (h != NULL && !is_another(h, p, now_ns))
		return h;
	if (h != NULL) {
		end_entry(f, key, h);
		lrutable_remove(f->table, h);
	}
	h = lrutable_add(f->table, key, now_ns);
	h->first_ns = now_ns;
	f->held++;
	return h;
}

/* The datagram has become whole: remember it, but not too many. */
static void
set_whole(struct ipfrag *f, struct held *h)
{
	h->whole = true;
	f->stats.whole++;
	f->held--;
	lrutable_demote(f->table, h);
	if (f->whole < f->whole_max)
		f->whole++;
	else
		lrutable_remove(f->table, lrutable_oldest(f->table));
}

/* True when this fragment was the last that was missing. */
static bool
add_fragment(struct ipfrag *f, struct held *h, const struct ip_packet *p,
    int64_t now_ns)
{
	uint32_t end = p->frag_offset + p->payload_len;
	uint32_t added;

	h->last_ns = now_ns;
	h->fragments++;
	added = ranges_add(&h->seen, p->frag_offset, end);
	if (added == RANGES_FULL) {
		f->stats.dropped++;
		return false;
	}
	if (added < p->payload_len)
		f->stats.duplicates++;
	head_put(h, p->frag_offset, p->payload);
	if (h->whole)
		return false;
	h->seen_len += added;
	if (!p->more)
		h->total_len = end;
	if (h->seen_len != h->total_len)
		return false;
	set_whole(f, h);
	return true;
}

/* A packet that is no part of anything held. */
static struct ipfrag_datagram
describe_alone(const struct ip_packet *p, int64_t now_ns, bool whole)
{
	struct ipfrag_datagram d = {
		.src = p->src,
		.dst = p->dst,
		.proto = p->proto,
		.id = p->frag_id,
		.first_ns = now_ns,
		.last_ns = now_ns,
		.fragments = 1,
		.whole = whole,
	};

	if (!whole)
		return d;
	d.total_len = d.seen_len = p->payload_len;
	d.head = p->payload;
	bytes_trim(&d.head, IPFRAG_HEAD_MAX);
	d.head_want = p->payload_len < IPFRAG_HEAD_MAX ?
	    p->payload_len : IPFRAG_HEAD_MAX;
	return d;
}

bool
ipfrag_push(struct ipfrag *f, const struct ip_packet *p, int64_t now_ns,
    struct ipfrag_datagram *out, uint8_t **mark)
{
	struct key key = { p->src, p->dst, p->frag_id, p->proto };
	struct held *h;
	bool whole;

	f->no_mark = 0;
	if (mark != NULL)
		*mark = &f->no_mark;
	if (p->fragment)
		f->stats.fragments++;
	if (!p->fragment || !place_good(p)) {
		if (p->fragment)
			f->stats.bad++;
		*out = describe_alone(p, now_ns, !p->fragment);
		return !p->fragment;
	}
	h = entry_for(f, &key, p, now_ns);
	whole = add_fragment(f, h, p, now_ns);
	*out = describe(&key, h);
	if (mark != NULL)
		*mark = &h->mark;
	return whole;
}

void
ipfrag_advance(struct ipfrag *f, int64_t now_ns)
{
	if (now_ns < INT64_MIN + f->config.max_age_ns)
		return;
	f->expiring = true;
	lrutable_expire(f->table, now_ns - f->config.max_age_ns);
	f->expiring = false;
}

void
ipfrag_flush(struct ipfrag *f)
{
	f->expiring = true;
	lrutable_expire(f->table, INT64_MAX);
	f->expiring = false;
}

const struct ipfrag_stats *
ipfrag_stats(const struct ipfrag *f)
{
	return &f->stats;
}

uint32_t
ipfrag_held(const struct ipfrag *f)
{
	return f->held;
}

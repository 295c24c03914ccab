/* SPDX-License-Identifier: ISC */
/*
 * lrutable.c: a hash table of fixed capacity that evicts the least recently
 * used and expires the old.
 *
 * Entries lie in one slab of 8-byte units: head, key, value.  A reference is
 * the number of an entry's first unit plus one, in 32 bits, with 0 for none:
 * following one, and making one of an address, costs neither a multiplication
 * nor a division, and fresh memory needs no initialising.  Buckets hold the
 * first entry of a chain.  One list goes from the oldest to the newest; the
 * demoted are its first part, "main" is the first that is not demoted.
 */
#include "lrutable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MAX	(UINT32_C(1) << 28)
#define KEY_MAX		64
#define VALUE_MAX	(64 * 1024)
#define UNIT		sizeof(uint64_t)

/* Marks in an entry's hash; without LIVE the slot is free. */
#define LIVE		UINT32_C(0x80000000)
#define DEMOTED		UINT32_C(0x40000000)

struct entry {
	uint32_t	hash;
	uint32_t	next;		/* in the chain, or of the free */
	uint32_t	newer;
	uint32_t	older;
	int64_t		touched_ns;
	uint8_t		key[];
};

struct lrutable {
	struct entry	*last;		/* found or added last; NULL none */
	uint64_t	*slab;
	uint32_t	*bucket;
	uint32_t	 mask;		/* buckets less one */
	uint32_t	 stride;	/* units of an entry */
	uint32_t	 value_at;	/* bytes from the entry's start */
	uint32_t	 count;
	uint32_t	 fresh;		/* slots that were ever used */
	uint32_t	 free;		/* chain of slots given back */
	uint32_t	 oldest, main, newest;
	int64_t		 latest_ns;	/* of the latest add or touch */
	uint64_t	 evictions;
	struct lrutable_config config;
};

__extension__ typedef unsigned __int128 wide;

static inline uint64_t
fold(uint64_t a, uint64_t b)
{
	wide product = (wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t
load(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n);
	return v;
}

uint64_t
lrutable_hash(const void *key, size_t len, const uint64_t seed[2])
{
	const uint8_t *p = key;
	uint64_t h = seed[0] ^ (uint64_t)len;
	uint64_t s = seed[1] ^ UINT64_C(0x9e3779b97f4a7c15);

	for (; len >= 16; len -= 16, p += 16)
		h = fold(load(p, 8) ^ s, load(p + 8, 8) ^ h);
	if (len >= 8) {
		h = fold(load(p, 8) ^ s, h);
		len -= 8;
		p += 8;
	}
	if (len >= 4)
		h = fold(load(p, 4) ^ s, h);
	return fold(h ^ s, UINT64_C(0xd1b54a32d192ed03) ^ seed[0]);
}

static inline struct entry *
entry_of(const struct lrutable *t, uint32_t ref)
{
	return (void *)(t->slab + (ref - 1));
}

static inline uint32_t
ref_of(const struct lrutable *t, const struct entry *e)
{
	return (uint32_t)((const uint64_t *)(const void *)e - t->slab) + 1;
}

static inline void *
value_of(const struct lrutable *t, struct entry *e)
{
	return (uint8_t *)e + t->value_at;
}

static inline struct entry *
entry_of_value(const struct lrutable *t, const void *value)
{
	size_t at = (size_t)((const uint8_t *)value -
	    (const uint8_t *)t->slab) - t->value_at;

	return (void *)(t->slab + at / UNIT);
}

static inline uint32_t
hash_of(const struct lrutable *t, const void *key)
{
	return ((uint32_t)lrutable_hash(key, t->config.key_size,
	    t->config.seed) & ~DEMOTED) | LIVE;
}

static bool
config_good(const struct lrutable_config *c)
{
	return c->capacity >= 1 && c->capacity <= CAPACITY_MAX &&
	    c->key_size >= 4 && c->key_size <= KEY_MAX &&
	    c->key_size % 4 == 0 && c->value_size <= VALUE_MAX;
}

static uint32_t
power_of_two(uint32_t at_least)
{
	uint32_t n = 1;

	while (n < at_least)
		n <<= 1;
	return n;
}

static uint32_t
round_up(uint32_t n)
{
	return (n + (uint32_t)UNIT - 1) / (uint32_t)UNIT * (uint32_t)UNIT;
}

struct lrutable *
lrutable_new(const struct lrutable_config *config)
{
	struct lrutable *t;
	uint32_t buckets;

	if (!config_good(config)) {
		errno = EINVAL;
		return NULL;
	}
	if ((t = calloc(1, sizeof(*t))) == NULL)
		return NULL;
	t->config = *config;
	t->value_at = round_up((uint32_t)sizeof(struct entry) +
	    config->key_size);
	t->stride = round_up(t->value_at + config->value_size) /
	    (uint32_t)UNIT;
	t->latest_ns = INT64_MIN;
	if ((uint64_t)t->stride * config->capacity > UINT32_MAX) {
		free(t);
		errno = ENOMEM;
		return NULL;
	}
	buckets = power_of_two(config->capacity);
	t->mask = buckets - 1;
	t->bucket = calloc(buckets, sizeof(*t->bucket));
	t->slab = calloc(config->capacity, t->stride * UNIT);
	if (t->bucket == NULL || t->slab == NULL) {
		lrutable_free(t);
		errno = ENOMEM;
		return NULL;
	}
	return t;
}

void
lrutable_free(struct lrutable *t)
{
	if (t == NULL)
		return;
	free(t->bucket);
	free(t->slab);
	free(t);
}

/* Keys are short and of whole words: no call is worth it. */
static inline bool
key_equal(const void *a, const void *b, size_t len)
{
	const uint8_t *p = a, *q = b;

	for (; len >= 8; len -= 8, p += 8, q += 8)
		if (load(p, 8) != load(q, 8))
			return false;
	return len == 0 || load(p, 4) == load(q, 4);
}

void *
lrutable_find(struct lrutable *t, const void *key)
{
	uint32_t hash, ref;
	struct entry *e = t->last;

	/* What was found last is often wanted again: no need to hash. */
	if (e != NULL && key_equal(e->key, key, t->config.key_size))
		return value_of(t, e);
	hash = hash_of(t, key);
	for (ref = t->bucket[hash & t->mask]; ref != 0; ref = e->next) {
		e = entry_of(t, ref);
		if ((e->hash & ~DEMOTED) == hash &&
		    key_equal(e->key, key, t->config.key_size)) {
			t->last = e;
			return value_of(t, e);
		}
	}
	return NULL;
}

/* Into the list before another entry, or with 0 as the newest. */
static void
list_insert(struct lrutable *t, struct entry *e, uint32_t before)
{
	uint32_t ref = ref_of(t, e);

	e->newer = before;
	e->older = before != 0 ? entry_of(t, before)->older : t->newest;
	if (e->older != 0)
		entry_of(t, e->older)->newer = ref;
	else
		t->oldest = ref;
	if (before != 0)
		entry_of(t, before)->older = ref;
	else
		t->newest = ref;
}

static void
list_remove(struct lrutable *t, struct entry *e)
{
	if (ref_of(t, e) == t->main)
		t->main = e->newer;
	if (e->older != 0)
		entry_of(t, e->older)->newer = e->newer;
	else
		t->oldest = e->newer;
	if (e->newer != 0)
		entry_of(t, e->newer)->older = e->older;
	else
		t->newest = e->older;
}

/* To the newest end of the part of the list that the entry belongs to. */
static void
list_append(struct lrutable *t, struct entry *e)
{
	if (e->hash & DEMOTED) {
		list_insert(t, e, t->main);
		return;
	}
	list_insert(t, e, 0);
	if (t->main == 0)
		t->main = ref_of(t, e);
}

static void
chain_remove(struct lrutable *t, const struct entry *e)
{
	uint32_t *link = &t->bucket[e->hash & ~DEMOTED & t->mask];
	uint32_t ref = ref_of(t, e);

	while (*link != ref)
		link = &entry_of(t, *link)->next;
	*link = e->next;
}

static void
entry_remove(struct lrutable *t, struct entry *e)
{
	list_remove(t, e);
	chain_remove(t, e);
	if (t->last == e)
		t->last = NULL;
	e->hash = 0;
	e->next = t->free;
	t->free = ref_of(t, e);
	t->count--;
}

static void
entry_evict(struct lrutable *t, struct entry *e)
{
	if (t->config.evict != NULL)
		t->config.evict(t->config.ctx, e->key, value_of(t, e));
	entry_remove(t, e);
}

/* A slot for a new entry, its value zero. */
static struct entry *
slot_take(struct lrutable *t)
{
	struct entry *e;

	if (t->free == 0 && t->fresh < t->config.capacity)
		return entry_of(t, t->fresh++ * t->stride + 1);
	if (t->free == 0) {
		entry_evict(t, entry_of(t, t->oldest));
		t->evictions++;
	}
	e = entry_of(t, t->free);
	t->free = e->next;
	memset(value_of(t, e), 0, t->config.value_size);
	return e;
}

void *
lrutable_add(struct lrutable *t, const void *key, int64_t now_ns)
{
	struct entry *e = slot_take(t);
	uint32_t *first;

	e->hash = hash_of(t, key);
	memcpy(e->key, key, t->config.key_size);
	first = &t->bucket[e->hash & t->mask];
	e->next = *first;
	*first = ref_of(t, e);
	e->touched_ns = t->latest_ns = now_ns;
	list_append(t, e);
	t->count++;
	t->last = e;
	return value_of(t, e);
}

void
lrutable_touch(struct lrutable *t, void *value, int64_t now_ns)
{
	struct entry *e = entry_of_value(t, value);

	e->touched_ns = t->latest_ns = now_ns;
	if (e->newer == 0 && !(e->hash & DEMOTED))
		return;
	list_remove(t, e);
	e->hash &= ~DEMOTED;
	list_append(t, e);
}

void
lrutable_remove(struct lrutable *t, void *value)
{
	entry_remove(t, entry_of_value(t, value));
}

void
lrutable_demote(struct lrutable *t, void *value)
{
	struct entry *e = entry_of_value(t, value);

	if (e->hash & DEMOTED)
		return;
	list_remove(t, e);
	e->hash |= DEMOTED;
	list_append(t, e);
}

/*
 * Whether the first entry of a part of the list stays.  One that was touched
 * before the clock was set back is taken to be as new as the latest touch,
 * and goes behind the others.
 */
static bool
first_stays(struct lrutable *t, struct entry *e, int64_t before_ns)
{
	if (e->touched_ns <= before_ns)
		return false;
	if (e->touched_ns <= t->latest_ns)
		return true;
	e->touched_ns = t->latest_ns;
	list_remove(t, e);
	list_append(t, e);
	return false;
}

uint32_t
lrutable_expire(struct lrutable *t, int64_t before_ns)
{
	uint32_t was = t->count;
	struct entry *e;

	while (t->oldest != t->main) {
		e = entry_of(t, t->oldest);
		if (first_stays(t, e, before_ns))
			break;
		if (e->touched_ns <= before_ns)
			entry_evict(t, e);
	}
	while (t->main != 0) {
		e = entry_of(t, t->main);
		if (first_stays(t, e, before_ns))
			break;
		if (e->touched_ns <= before_ns)
			entry_evict(t, e);
	}
	return was - t->count;
}

void *
lrutable_oldest(const struct lrutable *t)
{
	return t->oldest != 0 ? value_of(t, entry_of(t, t->oldest)) : NULL;
}

void *
lrutable_newer(const struct lrutable *t, const void *value)
{
	uint32_t ref = entry_of_value(t, value)->newer;

	return ref != 0 ? value_of(t, entry_of(t, ref)) : NULL;
}

uint32_t
lrutable_index(const struct lrutable *t, const void *value)
{
	return (ref_of(t, entry_of_value(t, value)) - 1) / t->stride;
}

void *
lrutable_at(const struct lrutable *t, uint32_t index)
{
	struct entry *e;

	if (index >= t->fresh)
		return NULL;
	e = entry_of(t, index * t->stride + 1);
	return e->hash & LIVE ? value_of(t, e) : NULL;
}

const void *
lrutable_key(const struct lrutable *t, const void *value)
{
	return entry_of_value(t, value)->key;
}

int64_t
lrutable_touched(const struct lrutable *t, const void *value)
{
	return entry_of_value(t, value)->touched_ns;
}

uint32_t
lrutable_count(const struct lrutable *t)
{
	return t->count;
}

uint64_t
lrutable_evictions(const struct lrutable *t)
{
	return t->evictions;
}

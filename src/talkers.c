/* SPDX-License-Identifier: ISC */
/*
 * talkers.c: who talks: clients, users and files, each with counters of the
 * open intervals and since the start, in tables of fixed size.
 */
#include "talkers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "callobject.h"
#include "commits.h"
#include "lrutable.h"
#include "packet.h"

#define FH_MAX		128
#define FORGET_NS	(600 * NSEC_PER_SEC)	/* data without a COMMIT */

/* What every table's value begins with. */
struct talk {
	struct sample_talk now[TALKERS_SLOTS], total;
};

struct file {
	struct talk	t;
	uint8_t		fh_len;
	uint8_t		fh[31];
	char		name[64];
};

enum { CLIENTS, USERS, FILES, TABLES };

/* A table, and the entry that was used last: traffic comes in runs. */
struct table {
	struct lrutable	*lru;
	uint64_t	 evictions;	/* that were told */
	struct talk	*last;
	uint8_t		 last_key[sizeof(struct addr)];
	uint32_t	 key_size;
};

_Static_assert(CALLOBJECT_NAME_MAX < sizeof(((struct sample_file *)0)->name),
    "a name fits with its NUL");

struct talkers {
	struct table	 table[TABLES];
	struct commits	*commits;
	uint32_t	 slot;		/* for what is forgotten of it */
	struct callobjects *objects;
	bool		 active[TALKERS_SLOTS];
	uint64_t	 seed[2];
};

static const enum sample_counter evicted[TABLES] = {
	[CLIENTS] = SAMPLE_EVICTED_CLIENTS, [USERS] = SAMPLE_EVICTED_USERS,
	[FILES] = SAMPLE_EVICTED_FILES
};

static bool
table_new(struct table *t, uint32_t capacity, uint32_t key_size,
    size_t value_size, const uint64_t seed[2])
{
	struct lrutable_config c = {
		.capacity = capacity, .key_size = key_size,
		.value_size = (uint32_t)value_size,
		.seed = { seed[0], seed[1] }
	};

	t->key_size = key_size;
	return (t->lru = lrutable_new(&c)) != NULL;
}

/* Data that is not waited for any longer. */
static void
forgot(void *ctx, const struct addr *client, uint64_t bytes)
{
	struct talkers *t = ctx;
	struct talk *k = lrutable_find(t->table[CLIENTS].lru, client);

	if (k == NULL)
		return;
	t->active[t->slot] = true;
	k->now[t->slot].stable_bytes += bytes;
}

static bool
make_commits(struct talkers *t)
{
	struct commits_config c = { .seed = { t->seed[0], t->seed[1] },
	    .forgot = forgot, .ctx = t };

	return (t->commits = commits_new(&c)) != NULL;
}

struct talkers *
talkers_new(const struct talkers_config *config)
{
	struct talkers_config c = { 0 };
	struct talkers *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	if (config != NULL)
		c = *config;
	memcpy(t->seed, c.seed, sizeof(t->seed));
	t->objects = callobjects_new(c.calls);
	if (t->objects == NULL || !make_commits(t) ||
	    !table_new(&t->table[CLIENTS], c.clients ? c.clients : 4096,
		sizeof(struct addr), sizeof(struct talk), c.seed) ||
	    !table_new(&t->table[USERS], c.users ? c.users : 1024,
		sizeof(uint32_t), sizeof(struct talk), c.seed) ||
	    !table_new(&t->table[FILES], c.files ? c.files : 4096,
		sizeof(uint64_t), sizeof(struct file), c.seed)) {
		talkers_free(t);
		errno = ENOMEM;
		return NULL;
	}
	return t;
}

void
talkers_free(struct talkers *t)
{
	int i;

	if (t == NULL)
		return;
	for (i = 0; i < TABLES; i++)
		lrutable_free(t->table[i].lru);
	commits_free(t->commits);
	callobjects_free(t->objects);
	free(t);
}

/* The entry of a key, made when it is not there. */
static struct talk *
table_get(struct table *t, const void *key, int64_t now_ns)
{
	if (t->last != NULL && memcmp(t->last_key, key, t->key_size) == 0)
		return t->last;
	t->last = lrutable_find(t->lru, key);
	if (t->last != NULL)
		lrutable_touch(t->lru, t->last, now_ns);
	else
		t->last = lrutable_add(t->lru, key, now_ns);
	memcpy(t->last_key, key, t->key_size);
	return t->last;
}

void
talkers_add(struct talkers *t, const struct talkers_at *at,
    const struct addr *client, const uint32_t *uid,
    const struct sample_talk *talk)
{
	t->active[at->slot] = true;
	if (client != NULL)
		sample_talk_add(&table_get(&t->table[CLIENTS], client,
		    at->time_ns)->now[at->slot], talk);
	if (uid != NULL)
		sample_talk_add(&table_get(&t->table[USERS], uid,
		    at->time_ns)->now[at->slot], talk);
}

static struct callobject *
find(struct talkers *t, const struct talkers_at *at)
{
	return callobjects_find(t->objects, at->stream, at->xid);
}

static struct callobject *
make(struct talkers *t, const struct talkers_at *at)
{
	return callobjects_make(t->objects, at->stream, at->xid);
}

static struct file *
file_get(struct talkers *t, const uint8_t *fh, uint32_t len, int64_t now_ns,
    uint64_t *hash)
{
	uint32_t word[FH_MAX / 4 + 1] = { len };	/* the rest is zero */
	struct file *f;

	if (len > FH_MAX)
		len = FH_MAX;
	memcpy(word + 1, fh, len);
	*hash = lrutable_hash(word, sizeof(*word) * (1 + (len + 3) / 4),
	    t->seed);
	f = (void *)table_get(&t->table[FILES], hash, now_ns);
	if (f->fh_len == 0) {
		f->fh_len = (uint8_t)len;
		memcpy(f->fh, fh, len < sizeof(f->fh) ? len : sizeof(f->fh));
	}
	return f;
}

void
talkers_object(struct talkers *t, const struct talkers_at *at,
    const uint8_t *fh, uint32_t len)
{
	struct callobject *o;
	struct file *f;

	if (len == 0)
		return;
	o = make(t, at);
	f = file_get(t, fh, len, at->time_ns, &o->hash);
	o->file = lrutable_index(t->table[FILES].lru, f);
}

/* The file of an object; NULL when it was forgotten meanwhile. */
static struct file *
object_file(struct talkers *t, const struct callobject *o)
{
	struct lrutable *lru = t->table[FILES].lru;
	struct file *f;

	if (o->file == LRUTABLE_NONE ||
	    (f = lrutable_at(lru, o->file)) == NULL ||
	    memcmp(lrutable_key(lru, f), &o->hash, sizeof(o->hash)) != 0)
		return NULL;
	return f;
}

void
talkers_file(struct talkers *t, const struct talkers_at *at,
    const struct sample_talk *talk)
{
	const struct callobject *o = find(t, at);
	struct file *f = o != NULL ? object_file(t, o) : NULL;

	if (f == NULL)
		return;
	t->active[at->slot] = true;
	sample_talk_add(&f->t.now[at->slot], talk);
}

void
talkers_name(struct talkers *t, const struct talkers_at *at,
    const char *name, uint32_t len)
{
	struct callobject *o;

	if (len == 0)
		return;
	o = make(t, at);
	o->name_len = (uint8_t)(len < CALLOBJECT_NAME_MAX ? len :
	    CALLOBJECT_NAME_MAX);
	memcpy(o->name, name, o->name_len);
}

void
talkers_handle(struct talkers *t, const struct talkers_at *at,
    const uint8_t *fh, uint32_t len)
{
	const struct callobject *o = find(t, at);
	struct file *f;
	uint64_t hash;

	if (o == NULL || o->name_len == 0 || len == 0)
		return;
	f = file_get(t, fh, len, at->time_ns, &hash);
	memcpy(f->name, o->name, o->name_len);
	f->name[o->name_len] = '\0';
}

void
talkers_unstable(struct talkers *t, const struct talkers_at *at,
    const struct addr *client, uint32_t bytes)
{
	const struct sample_talk k = { .unstable_bytes = bytes };
	const struct callobject *o = find(t, at);

	if (o == NULL || o->file == LRUTABLE_NONE)
		return;
	t->slot = at->slot;
	commits_unstable(t->commits, client, o->hash, bytes, at->time_ns);
	talkers_add(t, at, client, NULL, &k);
	talkers_file(t, at, &k);
}

void
talkers_commit(struct talkers *t, const struct talkers_at *at,
    const struct addr *client, uint32_t count)
{
	struct sample_talk k = { .commits = 1 };
	const struct callobject *o = find(t, at);
	int64_t since_ns;

	if (o == NULL || o->file == LRUTABLE_NONE ||
	    (k.stable_bytes = commits_stable(t->commits, client, o->hash,
	    count, &since_ns)) == 0)
		return;
	if (at->time_ns > since_ns)
		k.waited_us = (uint64_t)(at->time_ns - since_ns) / 1000;
	k.waited_max_us = k.waited_us;
	talkers_add(t, at, client, NULL, &k);
	talkers_file(t, at, &k);
}

/* What an entry is ranked by: files by data, all then by messages. */
static uint64_t
weight(const struct sample_talk *k, int table)
{
	uint64_t messages = k->calls + k->retransmits + k->replies;

	if (table != FILES)
		return messages + k->timed;
	return (k->write_bytes + k->read_bytes) * 16 + messages + k->timed;
}

struct pick {
	const struct talk *talk;
	uint64_t	weight;
};

/* The busiest of a table, most first; gives how many. */
static uint32_t
busiest(struct table *t, int table, uint32_t slot, struct pick *picks,
    uint32_t max)
{
	const struct talk *k;
	uint32_t n = 0, i;
	uint64_t w;

	for (k = lrutable_oldest(t->lru); k != NULL;
	    k = lrutable_newer(t->lru, k)) {
		w = weight(&k->now[slot], table);
		if (w == 0 || (n == max && w <= picks[n - 1].weight))
			continue;
		if (n < max)
			n++;
		for (i = n - 1; i > 0 && picks[i - 1].weight < w; i--)
			picks[i] = picks[i - 1];
		picks[i] = (struct pick){ k, w };
	}
	return n;
}

/* The counts of a slot go to the totals. */
static void
close_slot(struct table *t, uint32_t slot)
{
	struct talk *k;

	for (k = lrutable_oldest(t->lru); k != NULL;
	    k = lrutable_newer(t->lru, k)) {
		sample_talk_add(&k->total, &k->now[slot]);
		memset(&k->now[slot], 0, sizeof(k->now[slot]));
	}
}

static void
copy_talk(struct sample_talker *to, const struct talk *k, uint32_t slot)
{
	to->now = k->now[slot];
	to->total = k->total;
	sample_talk_add(&to->total, &to->now);
}

static void
copy_file(struct sample_file *to, const struct lrutable *lru,
    const struct file *f)
{
	memcpy(&to->fh_hash, lrutable_key(lru, f), sizeof(to->fh_hash));
	to->fh_len = f->fh_len;
	memcpy(to->fh, f->fh, sizeof(to->fh));
	memcpy(to->name, f->name, sizeof(to->name));
}

static void
fill_rows(struct talkers *t, uint32_t slot, struct sample *s)
{
	const struct lrutable *lru;
	struct pick pick[SAMPLE_CLIENTS + SAMPLE_USERS + SAMPLE_FILES];
	uint32_t i;

	lru = t->table[CLIENTS].lru;
	s->clients = busiest(&t->table[CLIENTS], CLIENTS, slot, pick,
	    SAMPLE_CLIENTS);
	for (i = 0; i < s->clients; i++) {
		memcpy(&s->client[i].addr, lrutable_key(lru, pick[i].talk),
		    sizeof(struct addr));
		copy_talk(&s->client[i].t, pick[i].talk, slot);
	}
	lru = t->table[USERS].lru;
	s->users = busiest(&t->table[USERS], USERS, slot, pick, SAMPLE_USERS);
	for (i = 0; i < s->users; i++) {
		memcpy(&s->user[i].uid, lrutable_key(lru, pick[i].talk),
		    sizeof(uint32_t));
		copy_talk(&s->user[i].t, pick[i].talk, slot);
	}
	lru = t->table[FILES].lru;
	s->files = busiest(&t->table[FILES], FILES, slot, pick, SAMPLE_FILES);
	for (i = 0; i < s->files; i++) {
		copy_file(&s->file[i], lru, (const void *)pick[i].talk);
		copy_talk(&s->file[i].t, pick[i].talk, slot);
	}
}

void
talkers_fill(struct talkers *t, uint32_t slot, struct sample *s)
{
	uint64_t n;
	int i;

	for (i = 0; i < TABLES; i++) {
		n = lrutable_evictions(t->table[i].lru);
		s->counter[evicted[i]] += n - t->table[i].evictions;
		t->table[i].evictions = n;
	}
	t->slot = slot;
	commits_expire(t->commits, s->start_ns - FORGET_NS);
	if (!t->active[slot])
		return;
	t->active[slot] = false;
	fill_rows(t, slot, s);
	for (i = 0; i < TABLES; i++)
		close_slot(&t->table[i], slot);
}

void
talkers_each_client(struct talkers *t,
    void (*fn)(void *, const struct sample_client *), void *ctx)
{
	const struct lrutable *lru = t->table[CLIENTS].lru;
	const struct talk *k;

	for (k = lrutable_oldest(lru); k != NULL; k = lrutable_newer(lru, k)) {
		struct sample_client row = { .t.total = k->total };

		memcpy(&row.addr, lrutable_key(lru, k), sizeof(row.addr));
		fn(ctx, &row);
	}
}

void
talkers_each_user(struct talkers *t,
    void (*fn)(void *, const struct sample_user *), void *ctx)
{
	const struct lrutable *lru = t->table[USERS].lru;
	const struct talk *k;

	for (k = lrutable_oldest(lru); k != NULL; k = lrutable_newer(lru, k)) {
		struct sample_user row = { .t.total = k->total };

		memcpy(&row.uid, lrutable_key(lru, k), sizeof(row.uid));
		fn(ctx, &row);
	}
}

void
talkers_each_file(struct talkers *t,
    void (*fn)(void *, const struct sample_file *), void *ctx)
{
	const struct lrutable *lru = t->table[FILES].lru;
	const struct file *f;

	for (f = lrutable_oldest(lru); f != NULL; f = lrutable_newer(lru, f)) {
		struct sample_file row = { .t.total = f->t.total };

		copy_file(&row, lru, f);
		fn(ctx, &row);
	}
}

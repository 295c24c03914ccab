/* SPDX-License-Identifier: ISC */
/*
 * toprows.c: the rows of clients, users and files seen so far.
 */
#include "toprows.h"

#include <stddef.h>
#include <stdlib.h>

#include "lrutable.h"

#define CLIENTS_MAX	4096
#define USERS_MAX	1024
#define FILES_MAX	4096

struct toprows {
	struct lrutable *clients, *users, *files;
	bool		 cleared;	/* rows have had a past */
};

/* In the tables: a row, and what had been counted when it began. */
struct client {
	struct sample_client row;
	struct sample_talk before;
};

struct user {
	struct sample_user row;
	struct sample_talk before;
};

struct file {
	struct sample_file row;
	struct sample_talk before;
};

static struct lrutable *
table_new(uint32_t capacity, uint32_t key_size, size_t value_size)
{
	struct lrutable_config c = { .capacity = capacity,
	    .key_size = key_size, .value_size = (uint32_t)value_size };

	return lrutable_new(&c);
}

struct toprows *
toprows_new(void)
{
	struct toprows *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->clients = table_new(CLIENTS_MAX, sizeof(struct addr),
	    sizeof(struct client));
	t->users = table_new(USERS_MAX, sizeof(uint32_t),
	    sizeof(struct user));
	t->files = table_new(FILES_MAX, sizeof(uint64_t),
	    sizeof(struct file));
	if (t->clients == NULL || t->users == NULL || t->files == NULL) {
		toprows_free(t);
		return NULL;
	}
	return t;
}

void
toprows_free(struct toprows *t)
{
	if (t == NULL)
		return;
	lrutable_free(t->clients);
	lrutable_free(t->users);
	lrutable_free(t->files);
	free(t);
}

static void
empty(struct lrutable *t)
{
	void *value;

	while ((value = lrutable_oldest(t)) != NULL)
		lrutable_remove(t, value);
}

void
toprows_clear(struct toprows *t)
{
	empty(t->clients);
	empty(t->users);
	empty(t->files);
	t->cleared = true;
}

/* a less b, but not less than nothing (an entry was forgotten meanwhile). */
static void
subtract(struct sample_talk *a, const struct sample_talk *b)
{
#define LESS(member) \
	a->member -= a->member < b->member ? a->member : b->member
	LESS(calls);
	LESS(replies);
	LESS(errors);
	LESS(retransmits);
	LESS(write_calls);
	LESS(write_bytes);
	LESS(read_calls);
	LESS(read_bytes);
	LESS(timed);
	LESS(sum_us);
	LESS(unstable_bytes);
	LESS(stable_bytes);
	LESS(commits);
	LESS(waited_us);
#undef LESS
}

/* The entry of a key; one that is new begins now if there was a past. */
static void *
row_of(const struct toprows *t, struct lrutable *table, const void *key,
    int64_t now_ns, const struct sample_talker *k, size_t before)
{
	uint8_t *row = lrutable_find(table, key);
	struct sample_talk *past;

	if (row != NULL) {
		lrutable_touch(table, row, now_ns);
		return row;
	}
	row = lrutable_add(table, key, now_ns);
	if (t->cleared) {
		past = (void *)(row + before);
		*past = k->total;
		subtract(past, &k->now);
	}
	return row;
}

void
toprows_client(struct toprows *t, const struct sample_client *c,
    int64_t now_ns)
{
	struct client *e = row_of(t, t->clients, &c->addr, now_ns, &c->t,
	    offsetof(struct client, before));

	e->row = *c;
	subtract(&e->row.t.total, &e->before);
}

void
toprows_user(struct toprows *t, const struct sample_user *u, int64_t now_ns)
{
	struct user *e = row_of(t, t->users, &u->uid, now_ns, &u->t,
	    offsetof(struct user, before));

	e->row = *u;
	subtract(&e->row.t.total, &e->before);
}

void
toprows_file(struct toprows *t, const struct sample_file *f, int64_t now_ns)
{
	struct file *e = row_of(t, t->files, &f->fh_hash, now_ns, &f->t,
	    offsetof(struct file, before));

	e->row = *f;
	subtract(&e->row.t.total, &e->before);
}

static uint64_t
by_calls(const struct sample_talk *k)
{
	return k->calls + k->retransmits;
}

static uint64_t
by_bytes(const struct sample_talk *k)
{
	return (k->write_bytes + k->read_bytes) * 16 + k->calls;
}

/* The rows of most weight; the talker stands at an offset in each. */
static uint32_t
busiest(const struct lrutable *t, size_t talker,
    uint64_t (*weigh)(const struct sample_talk *), const void *rows[],
    uint32_t max)
{
	uint64_t weights[TOPROWS_MAX], w;
	const struct sample_talker *k;
	const uint8_t *row;
	uint32_t n = 0, i;

	if (max > TOPROWS_MAX)
		max = TOPROWS_MAX;
	for (row = lrutable_oldest(t); row != NULL;
	    row = lrutable_newer(t, row)) {
		k = (const void *)(row + talker);
		w = weigh(&k->total);
		if (w == 0 || max == 0 || (n == max && w <= weights[n - 1]))
			continue;
		if (n < max)
			n++;
		for (i = n - 1; i > 0 && weights[i - 1] < w; i--) {
			weights[i] = weights[i - 1];
			rows[i] = rows[i - 1];
		}
		weights[i] = w;
		rows[i] = row;
	}
	return n;
}

uint32_t
toprows_clients(const struct toprows *t, const struct sample_client **rows,
    uint32_t max)
{
	const void *found[TOPROWS_MAX];
	uint32_t i, n;

	n = busiest(t->clients, offsetof(struct sample_client, t), by_calls,
	    found, max);
	for (i = 0; i < n; i++)
		rows[i] = found[i];
	return n;
}

uint32_t
toprows_users(const struct toprows *t, const struct sample_user **rows,
    uint32_t max)
{
	const void *found[TOPROWS_MAX];
	uint32_t i, n;

	n = busiest(t->users, offsetof(struct sample_user, t), by_calls,
	    found, max);
	for (i = 0; i < n; i++)
		rows[i] = found[i];
	return n;
}

uint32_t
toprows_files(const struct toprows *t, const struct sample_file **rows,
    uint32_t max)
{
	const void *found[TOPROWS_MAX];
	uint32_t i, n;

	n = busiest(t->files, offsetof(struct sample_file, t), by_bytes,
	    found, max);
	for (i = 0; i < n; i++)
		rows[i] = found[i];
	return n;
}

/* SPDX-License-Identifier: ISC */
/*
 * commits.c: data that a server has answered for but may still lose, by
 * client and file, in a table of fixed size.
 */
#include "commits.h"

#include <stdlib.h>
#include <string.h>

#include "lrutable.h"

struct key {				/* without padding */
	struct addr	client;
	uint32_t	file[2];
};

struct waiting {
	uint64_t	bytes;
	int64_t		since_ns;
};

struct commits {
	struct commits_config config;
	struct lrutable	*table;
};

static void
evict(void *ctx, const void *key, void *value)
{
	const struct commits *c = ctx;
	const struct waiting *w = value;
	struct addr client;

	memcpy(&client, key, sizeof(client));
	if (c->config.forgot != NULL)
		c->config.forgot(c->config.ctx, &client, w->bytes);
}

struct commits *
commits_new(const struct commits_config *config)
{
	struct commits *c = calloc(1, sizeof(*c));
	struct lrutable_config table = {
		.capacity = config->capacity ? config->capacity : 4096,
		.key_size = sizeof(struct key),
		.value_size = sizeof(struct waiting),
		.seed = { config->seed[0], config->seed[1] },
		.evict = evict, .ctx = c
	};

	if (c == NULL)
		return NULL;
	c->config = *config;
	if ((c->table = lrutable_new(&table)) == NULL) {
		free(c);
		return NULL;
	}
	return c;
}

void
commits_free(struct commits *c)
{
	if (c == NULL)
		return;
	lrutable_free(c->table);
	free(c);
}

static struct key
key_of(const struct addr *client, uint64_t file)
{
	return (struct key){ *client,
	    { (uint32_t)(file >> 32), (uint32_t)file } };
}

void
commits_unstable(struct commits *c, const struct addr *client, uint64_t file,
    uint32_t bytes, int64_t now_ns)
{
	struct key key = key_of(client, file);
	struct waiting *w = lrutable_find(c->table, &key);

	if (bytes == 0)
		return;
	if (w != NULL)
		lrutable_touch(c->table, w, now_ns);
	else {
		w = lrutable_add(c->table, &key, now_ns);
		w->since_ns = now_ns;
	}
	w->bytes += bytes;
}

uint64_t
commits_stable(struct commits *c, const struct addr *client, uint64_t file,
    uint32_t count, int64_t *since_ns)
{
	struct key key = key_of(client, file);
	struct waiting *w = lrutable_find(c->table, &key);
	uint64_t bytes;

	if (w == NULL)
		return 0;
	*since_ns = w->since_ns;
	bytes = count == 0 || count > w->bytes ? w->bytes : count;
	w->bytes -= bytes;
	if (w->bytes == 0)
		lrutable_remove(c->table, w);
	return bytes;
}

void
commits_expire(struct commits *c, int64_t before_ns)
{
	lrutable_expire(c->table, before_ns);
}

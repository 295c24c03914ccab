/* SPDX-License-Identifier: ISC */
/*
 * flow.c: tables of connections and of client-server pairs.
 */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "lrutable.h"

#define TROUBLED_MAX	256

struct flowtable {
	struct lrutable	*kept;
	struct lrutable	*probation;
	struct lrutable	*pairs;
	struct tcphold	 hold;
	struct hunt_pool hunts;
	uint32_t	 serial;
	uint32_t	 troubles;
	struct flow_key	 trouble[TROUBLED_MAX];
	void		(*evicted)(void *, struct flow *);
	void		*ctx;
};

static void
flow_clear(struct flowtable *t, struct flow *f)
{
	int d;

	for (d = 0; d < 2; d++) {
		tcpstream_clear(&f->dir[d].stream, &t->hold);
		rpcrecord_clear(&f->dir[d].rec);
	}
}

static void
evict_flow(void *ctx, const void *key, void *value)
{
	struct flowtable *t = ctx;

	(void)key;
	if (t->evicted != NULL)
		t->evicted(t->ctx, value);
	flow_clear(t, value);
}

struct flowtable *
flowtable_new(const struct flow_config *config)
{
	struct flowtable *t;
	struct lrutable_config lc = {
		.capacity = config->max_flows,
		.key_size = sizeof(struct flow_key),
		.value_size = sizeof(struct flow),
		.seed = { config->seed[0], config->seed[1] },
		.evict = evict_flow,
	};

	if ((t = calloc(1, sizeof(*t))) == NULL)
		return NULL;
	t->hold.max = config->max_hold_bytes;
	t->hunts.max = config->max_hunts;
	t->hunts.max_candidates = 32 * config->max_hunts;
	t->evicted = config->evicted;
	t->ctx = config->ctx;
	lc.ctx = t;
	t->kept = lrutable_new(&lc);
	lc.capacity = config->max_flows > 1 ? config->max_flows / 2 : 1;
	t->probation = lrutable_new(&lc);
	lc.capacity = config->max_pairs;
	lc.key_size = sizeof(struct pair_key);
	lc.value_size = sizeof(struct pair);
	lc.evict = NULL;
	t->pairs = lrutable_new(&lc);
	if (t->kept == NULL || t->probation == NULL || t->pairs == NULL) {
		flowtable_free(t);
		return NULL;
	}
	return t;
}

static void
each_in(struct lrutable *table, void (*fn)(void *, struct flow *), void *ctx)
{
	struct flow *f, *next;

	for (f = lrutable_oldest(table); f != NULL; f = next) {
		next = lrutable_newer(table, f);
		fn(ctx, f);
	}
}

void
flowtable_each(struct flowtable *t, void (*fn)(void *, struct flow *),
    void *ctx)
{
	each_in(t->kept, fn, ctx);
	each_in(t->probation, fn, ctx);
}

static void
clear_one(void *ctx, struct flow *f)
{
	flow_clear(ctx, f);
}

void
flowtable_free(struct flowtable *t)
{
	if (t == NULL)
		return;
	if (t->kept != NULL && t->probation != NULL)
		flowtable_each(t, clear_one, t);
	lrutable_free(t->kept);
	lrutable_free(t->probation);
	lrutable_free(t->pairs);
	free(t);
}

static struct lrutable *
table_of(const struct flowtable *t, const struct flow *f)
{
	return f->kept ? t->kept : t->probation;
}

static int
make_key(const struct endpoint *src, const struct endpoint *dst,
    uint8_t proto, struct flow_key *k)
{
	int order = addr_compare(&src->addr, &dst->addr);

	if (order == 0)
		order = (int)src->port - (int)dst->port;
	if (order <= 0) {
		*k = (struct flow_key){ src->addr, dst->addr, src->port,
		    dst->port, proto };
		return 0;
	}
	*k = (struct flow_key){ dst->addr, src->addr, dst->port, src->port,
	    proto };
	return 1;
}

static void
flow_init(struct flowtable *t, struct flow *f, uint8_t proto, int64_t now_ns)
{
	int d;

	f->serial = ++t->serial;
	f->pair = FLOW_NONE;
	f->role = FLOW_UNKNOWN;
	f->server = f->recent = -1;
	f->proto = proto;
	f->first_ns = f->last_ns = now_ns;
	f->syn = f->closed = f->tls_asked = false;
	for (d = 0; d < 2; d++) {
		memset(&f->dir[d], 0, sizeof(f->dir[d]));
		tcpstream_init(&f->dir[d].stream);
		rpcrecord_init(&f->dir[d].rec, false);
		f->dir[d].wscale = -1;
	}
}

struct flow *
flow_get(struct flowtable *t, const struct endpoint *src,
    const struct endpoint *dst, uint8_t proto, int64_t now_ns, int *dir,
    bool *fresh)
{
	struct flow_key k;
	struct flow *f;

	*dir = make_key(src, dst, proto, &k);
	*fresh = false;
	if ((f = lrutable_find(t->kept, &k)) != NULL)
		lrutable_touch(t->kept, f, now_ns);
	else if ((f = lrutable_find(t->probation, &k)) != NULL)
		lrutable_touch(t->probation, f, now_ns);
	else {
		*fresh = true;
		f = lrutable_add(t->probation, &k, now_ns);
		flow_init(t, f, proto, now_ns);
	}
	f->last_ns = now_ns;
	return f;
}

const struct flow_key *
flow_key(const struct flowtable *t, const struct flow *f)
{
	return lrutable_key(table_of(t, f), f);
}

void
flow_endpoint(const struct flowtable *t, const struct flow *f, int dir,
    struct endpoint *e)
{
	const struct flow_key *k = flow_key(t, f);

	e->addr = dir == 0 ? k->low : k->high;
	e->port = dir == 0 ? k->low_port : k->high_port;
	e->zero = 0;
}

struct flow *
flow_keep(struct flowtable *t, struct flow *f)
{
	struct flow_key k = *flow_key(t, f);
	struct flow *n;

	if (f->kept)
		return f;
	n = lrutable_add(t->kept, &k, f->last_ns);
	*n = *f;		/* held bytes and hunts change their owner */
	n->kept = true;
	lrutable_remove(t->probation, f);
	return n;
}

void
flow_renew(struct flowtable *t, struct flow *f, int64_t now_ns)
{
	uint8_t role = f->role, proto = f->proto;
	int8_t server = f->server;

	flow_close(t, f, now_ns);
	flow_clear(t, f);
	flow_init(t, f, proto, now_ns);
	f->syn = true;
	if (role == FLOW_RPC || role == FLOW_LIKELY)
		f->role = FLOW_LIKELY;
	if (server >= 0)
		flow_set_server(t, f, server, now_ns);
}

static void
reset_one(void *ctx, struct flow *f)
{
	struct flowtable *t = ctx;
	int d;

	flow_clear(t, f);
	f->troubled = false;
	for (d = 0; d < 2; d++) {
		tcpstream_init(&f->dir[d].stream);
		rpcrecord_init(&f->dir[d].rec, false);
		f->dir[d].pendings = 0;
		f->dir[d].heard = false;
		f->dir[d].window_closed = false;
	}
}

void
flowtable_reset(struct flowtable *t)
{
	flowtable_each(t, reset_one, t);
	t->troubles = 0;
}

/* The slot of the pair for one more flow: free, or closed or silent longest. */
static int8_t
recent_slot(const struct pair *p)
{
	int8_t i, best = 0;

	for (i = 0; i < FLOW_RECENT; i++) {
		const struct pair_recent *r = &p->recent[i];
		const struct pair_recent *b = &p->recent[best];

		if (r->serial == 0)
			return i;
		if (r->closed != b->closed ? r->closed :
		    r->last_ns < b->last_ns)
			best = i;
	}
	return best;
}

static struct pair *
join_pair(struct flowtable *t, struct flow *f, const struct pair_key *k,
    int64_t now_ns)
{
	struct pair *p = lrutable_find(t->pairs, k);
	struct pair_recent *r;

	if (p == NULL)
		p = lrutable_add(t->pairs, k, now_ns);
	else
		lrutable_touch(t->pairs, p, now_ns);
	f->pair = lrutable_index(t->pairs, p);
	f->recent = recent_slot(p);
	r = &p->recent[f->recent];
	r->serial = f->serial;
	r->closed = false;
	r->first_ns = f->first_ns;
	r->last_ns = now_ns;
	return p;
}

void
flow_set_server(struct flowtable *t, struct flow *f, int server, int64_t now_ns)
{
	const struct flow_key *k = flow_key(t, f);
	struct pair_key pk;

	if (f->server == server && f->pair != FLOW_NONE)
		return;
	f->server = (int8_t)server;
	pk.client = server == 0 ? k->high : k->low;
	pk.server = server == 0 ? k->low : k->high;
	join_pair(t, f, &pk, now_ns);
}

static struct pair_recent *
recent_of(struct flowtable *t, const struct flow *f)
{
	struct pair *p = pair_at(t, f->pair);

	if (p == NULL || f->recent < 0 ||
	    p->recent[f->recent].serial != f->serial)
		return NULL;
	return &p->recent[f->recent];
}

void
flow_close(struct flowtable *t, struct flow *f, int64_t now_ns)
{
	struct pair_recent *r = recent_of(t, f);

	f->closed = true;
	if (r != NULL) {
		r->closed = true;
		r->last_ns = now_ns;
	}
}

struct pair *
pair_at(struct flowtable *t, uint32_t pair)
{
	return pair == FLOW_NONE ? NULL : lrutable_at(t->pairs, pair);
}

const struct pair_key *
pair_key(const struct flowtable *t, uint32_t pair)
{
	const struct pair *p;

	if (pair == FLOW_NONE || (p = lrutable_at(t->pairs, pair)) == NULL)
		return NULL;
	return lrutable_key(t->pairs, p);
}

void
pair_alive(struct flowtable *t, struct flow *f, int64_t now_ns)
{
	const struct flow_key *k = flow_key(t, f);
	const struct pair_key *pk = pair_key(t, f->pair);
	struct pair_recent *r;

	/* The pair may have been evicted and its place given to another. */
	if (f->server >= 0 && (pk == NULL ||
	    !addr_equal(&pk->server, f->server == 0 ? &k->low : &k->high) ||
	    !addr_equal(&pk->client, f->server == 0 ? &k->high : &k->low))) {
		int server = f->server;

		f->server = -1;
		flow_set_server(t, f, server, now_ns);
	} else if (f->pair != FLOW_NONE)
		lrutable_touch(t->pairs, pair_at(t, f->pair), now_ns);
	r = recent_of(t, f);
	if (r != NULL)
		r->last_ns = now_ns;
}

void
flow_trouble(struct flowtable *t, struct flow *f)
{
	if (f->troubled || t->troubles == TROUBLED_MAX)
		return;
	f->troubled = true;
	t->trouble[t->troubles++] = *flow_key(t, f);
}

void
flowtable_each_troubled(struct flowtable *t,
    void (*fn)(void *, struct flow *), void *ctx)
{
	uint32_t i, n = t->troubles;
	struct flow *f;

	t->troubles = 0;
	for (i = 0; i < n; i++) {
		struct flow_key k = t->trouble[i];

		if ((f = lrutable_find(t->kept, &k)) == NULL &&
		    (f = lrutable_find(t->probation, &k)) == NULL)
			continue;
		f->troubled = false;
		fn(ctx, f);	/* puts it back when it still is */
	}
}

struct tcphold *
flowtable_hold(struct flowtable *t)
{
	return &t->hold;
}

struct hunt_pool *
flowtable_hunts(struct flowtable *t)
{
	return &t->hunts;
}

bool
flow_take_pending(struct flow_dir *dir, bool reply, uint32_t xid,
    int64_t *last_ns)
{
	unsigned i;

	for (i = 0; i < dir->pendings; i++) {
		if (dir->pending[i].reply != reply ||
		    dir->pending[i].xid != xid)
			continue;
		*last_ns = dir->pending[i].last_ns;
		dir->pendings--;
		memmove(&dir->pending[i], &dir->pending[i + 1],
		    (dir->pendings - i) * sizeof(dir->pending[0]));
		return true;
	}
	return false;
}

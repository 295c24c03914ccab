/* SPDX-License-Identifier: ISC */
/*
 * test_flow_pairs.c: pairs of client and server, and flows in trouble.
 */
#include "flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "packet.h"
#include "testkit.h"

struct evicted {
	unsigned int	n, kept;
	uint32_t	serial;		/* of the latest */
};

static void
note_evicted(void *ctx, struct flow *f)
{
	struct evicted *e = ctx;

	e->n++;
	e->kept += f->kept;
	e->serial = f->serial;
}

static struct flowtable *
table(uint32_t flows, uint32_t pairs, struct evicted *e)
{
	const struct flow_config config = {
		.max_flows = flows, .max_pairs = pairs, .max_hunts = 8,
		.max_hold_bytes = 1 << 20, .seed = { 5, 6 },
		.evicted = note_evicted, .ctx = e
	};
	struct flowtable *t = flowtable_new(&config);

	memset(e, 0, sizeof(*e));
	assert_non_null(t);
	return t;
}

static struct endpoint
at(uint8_t host, uint16_t port)
{
	const uint8_t v4[4] = { 10, 77, 0, host };
	struct endpoint e = { .port = port };

	addr_from_ipv4(&e.addr, v4);
	return e;
}

/* From client host:port to the server, 10.77.0.100:2049. */
static struct flow *
get(struct flowtable *t, uint8_t host, uint16_t port, int64_t now_ns,
    bool *fresh)
{
	struct endpoint a = at(host, port), b = at(100, 2049);
	int dir;

	return flow_get(t, &a, &b, 6, now_ns, &dir, fresh);
}

static void
a_pair_is_a_client_and_a_server_with_all_their_flows(void **state)
{
	struct evicted e;
	struct flowtable *t = table(8, 4, &e);
	struct flow *a, *b, *c;
	struct addr client = at(3, 0).addr, server = at(100, 0).addr;
	bool fresh;

	(void)state;
	a = get(t, 3, 700, 1, &fresh);
	b = get(t, 3, 701, 2, &fresh);
	c = get(t, 4, 700, 3, &fresh);
	assert_null(pair_key(t, a->pair));
	assert_null(pair_at(t, a->pair));
	flow_set_server(t, a, 1, 4);
	flow_set_server(t, b, 1, 5);
	flow_set_server(t, c, 1, 6);
	assert_int_equal(a->pair, b->pair);
	assert_int_not_equal(a->pair, c->pair);
	assert_true(addr_equal(&pair_key(t, a->pair)->client, &client));
	assert_true(addr_equal(&pair_key(t, a->pair)->server, &server));
	/* The other side is another pair. */
	flow_set_server(t, b, 0, 7);
	assert_int_not_equal(a->pair, b->pair);
	assert_true(addr_equal(&pair_key(t, b->pair)->client, &server));
	assert_true(addr_equal(&pair_key(t, b->pair)->server, &client));
	flowtable_free(t);
}

static void
an_evicted_pair_is_joined_anew_when_its_flow_lives(void **state)
{
	struct evicted e;
	struct flowtable *t = table(16, 2, &e);
	struct addr client = at(3, 0).addr;
	struct flow *f;
	uint8_t host;
	bool fresh;

	(void)state;
	f = flow_keep(t, get(t, 3, 700, 1, &fresh));
	flow_set_server(t, f, 1, 1);
	pair_at(t, f->pair)->outstanding = 7;
	for (host = 10; host < 13; host++)
		flow_set_server(t, flow_keep(t, get(t, host, 700, host,
		    &fresh)), 1, host);
	pair_alive(t, f, 50);
	assert_true(addr_equal(&pair_key(t, f->pair)->client, &client));
	assert_int_equal(pair_at(t, f->pair)->outstanding, 0);
	assert_int_equal(f->server, 1);
	/* One that lives is not the next to go. */
	pair_alive(t, f, 60);
	flow_set_server(t, get(t, 20, 700, 61, &fresh), 1, 61);
	assert_true(addr_equal(&pair_key(t, f->pair)->client, &client));
	flowtable_free(t);
}

static void
a_pair_remembers_its_latest_flows(void **state)
{
	struct evicted e;
	struct flowtable *t = table(64, 4, &e);
	struct flow *f, *first = NULL;
	const struct pair *p;
	uint16_t i;
	unsigned int j, found = 0;
	bool fresh;

	(void)state;
	for (i = 0; i < FLOW_RECENT; i++) {
		f = get(t, 3, i, i, &fresh);
		flow_set_server(t, f, 1, i);
		if (i == 0)
			first = f;
	}
	p = pair_at(t, f->pair);
	assert_int_equal(p->recent[0].serial, first->serial);
	pair_alive(t, first, 500);
	assert_int_equal(p->recent[0].last_ns, 500);
	assert_int_equal(p->recent[0].first_ns, 0);
	flow_close(t, f, 600);
	assert_true(f->closed);
	/* One more: the closed one gives its place, not one that lives. */
	f = get(t, 3, 1000, 700, &fresh);
	flow_set_server(t, f, 1, 700);
	for (j = 0; j < FLOW_RECENT; j++) {
		assert_false(p->recent[j].closed);
		found += p->recent[j].serial == f->serial;
	}
	assert_int_equal(found, 1);
	assert_int_equal(p->recent[0].serial, first->serial);
	flowtable_free(t);
}

struct visits {
	struct flowtable *t;
	unsigned int	n;
	uint32_t	serial;
	bool		again;
};

static void
visit(void *ctx, struct flow *f)
{
	struct visits *v = ctx;

	v->n++;
	v->serial = f->serial;
	if (v->again)
		flow_trouble(v->t, f);
}

static void
a_troubled_flow_is_visited_once(void **state)
{
	struct evicted e;
	struct flowtable *t = table(8, 4, &e);
	struct visits v = { .t = t };
	struct flow *f;
	bool fresh;

	(void)state;
	f = get(t, 3, 700, 1, &fresh);
	get(t, 3, 701, 1, &fresh);
	flow_trouble(t, f);
	flow_trouble(t, f);
	flowtable_each_troubled(t, visit, &v);
	assert_int_equal(v.n, 1);
	assert_int_equal(v.serial, f->serial);
	flowtable_each_troubled(t, visit, &v);
	assert_int_equal(v.n, 1);
	/* It may be put back while it is visited. */
	v.again = true;
	flow_trouble(t, f);
	flowtable_each_troubled(t, visit, &v);
	assert_int_equal(v.n, 2);
	f = flow_keep(t, f);		/* it moves */
	flowtable_each_troubled(t, visit, &v);
	assert_int_equal(v.n, 3);
	flowtable_free(t);
}

static void
a_troubled_flow_that_was_evicted_is_not_visited(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	struct visits v = { .t = t };
	uint16_t i;
	bool fresh;

	(void)state;
	flow_trouble(t, get(t, 3, 700, 1, &fresh));
	for (i = 0; i < 5; i++)
		get(t, 3, i, 2, &fresh);
	flowtable_each_troubled(t, visit, &v);
	assert_int_equal(v.n, 0);
	flowtable_free(t);
}

static void
a_reset_ends_all_trouble_and_new_trouble_is_noted(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	struct visits v = { .t = t };
	struct flow *f;
	bool fresh;

	(void)state;
	f = get(t, 3, 700, 1, &fresh);
	flow_set_server(t, f, 1, 1);
	f->role = FLOW_RPC;
	flow_trouble(t, f);
	flowtable_reset(t);
	assert_int_equal(f->role, FLOW_RPC);
	assert_int_equal(f->server, 1);
	flowtable_each_troubled(t, visit, &v);
	assert_int_equal(v.n, 0);
	flow_trouble(t, f);
	flowtable_each_troubled(t, visit, &v);
	assert_int_equal(v.n, 1);
	flowtable_free(t);
}

static void
more_trouble_than_there_is_room_for_is_left_out(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4000, 4, &e);
	struct visits v = { .t = t };
	uint16_t i;
	bool fresh;

	(void)state;
	for (i = 0; i < 1000; i++)
		flow_trouble(t, get(t, 3, i, 1, &fresh));
	flowtable_each_troubled(t, visit, &v);
	assert_true(v.n >= 100 && v.n < 1000);
	flowtable_free(t);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_pair_is_a_client_and_a_server_with_all_their_flows),
		CASE(an_evicted_pair_is_joined_anew_when_its_flow_lives),
		CASE(a_pair_remembers_its_latest_flows),
		CASE(a_troubled_flow_is_visited_once),
		CASE(a_troubled_flow_that_was_evicted_is_not_visited),
		CASE(a_reset_ends_all_trouble_and_new_trouble_is_noted),
		CASE(more_trouble_than_there_is_room_for_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_flow.c: tables of connections and of client-server pairs.
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
both_directions_are_one_flow(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	struct endpoint a = at(3, 700), b = at(1, 2049), got;
	struct flow *f, *g;
	int to, back;
	bool fresh;

	(void)state;
	f = flow_get(t, &a, &b, 6, 100, &to, &fresh);
	assert_true(fresh);
	assert_int_equal(f->server, -1);
	assert_int_equal(f->pair, FLOW_NONE);
	assert_int_equal(f->role, FLOW_UNKNOWN);
	assert_int_equal(f->proto, 6);
	assert_int_equal(f->first_ns, 100);
	g = flow_get(t, &b, &a, 6, 200, &back, &fresh);
	assert_false(fresh);
	assert_ptr_equal(f, g);
	assert_int_equal(to, !back);
	assert_int_equal(f->last_ns, 200);
	flow_endpoint(t, f, to, &got);
	assert_true(endpoint_equal(&got, &a));
	flow_endpoint(t, f, back, &got);
	assert_true(endpoint_equal(&got, &b));
	flowtable_free(t);
}

static void
addresses_ports_and_protocol_tell_flows_apart(void **state)
{
	struct evicted e;
	struct flowtable *t = table(16, 4, &e);
	struct endpoint a = at(3, 700), b = at(1, 2049), c = at(3, 701),
	    d = at(4, 700);
	struct flow *f[4];
	bool fresh;
	int dir, i, j;

	(void)state;
	f[0] = flow_get(t, &a, &b, 6, 0, &dir, &fresh);
	f[1] = flow_get(t, &a, &b, 17, 0, &dir, &fresh);
	f[2] = flow_get(t, &c, &b, 6, 0, &dir, &fresh);
	f[3] = flow_get(t, &d, &b, 6, 0, &dir, &fresh);
	for (i = 0; i < 4; i++)
		for (j = 0; j < i; j++) {
			assert_ptr_not_equal(f[i], f[j]);
			assert_int_not_equal(f[i]->serial, f[j]->serial);
		}
	flowtable_free(t);
}

static void
a_host_may_talk_to_itself_and_ports_tell_the_directions(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	struct endpoint a = at(1, 50000), b = at(1, 2049);
	struct flow *f;
	int to, back;
	bool fresh;

	(void)state;
	f = flow_get(t, &a, &b, 6, 0, &to, &fresh);
	assert_ptr_equal(flow_get(t, &b, &a, 6, 0, &back, &fresh), f);
	assert_false(fresh);
	assert_int_equal(to, 1);	/* low to high is from port 2049 */
	assert_int_equal(back, 0);
	flowtable_free(t);
}

static void
a_flood_of_connections_does_not_push_out_what_is_kept(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	uint32_t serial[4];
	uint16_t i;
	bool fresh;

	(void)state;
	for (i = 0; i < 4; i++)
		serial[i] = flow_keep(t, get(t, 3, i, 1, &fresh))->serial;
	assert_int_equal(e.n, 0);
	for (i = 1000; i < 2000; i++)
		get(t, 3, i, i, &fresh);
	assert_int_equal(e.kept, 0);
	assert_int_equal(e.n, 998);	/* half as many on probation: two */
	for (i = 0; i < 4; i++) {
		struct flow *f = get(t, 3, i, 3000, &fresh);

		assert_false(fresh);
		assert_true(f->kept);
		assert_int_equal(f->serial, serial[i]);
	}
	/* The fifth that is kept takes the place of the one longest silent. */
	get(t, 3, 0, 3001, &fresh);
	flow_keep(t, get(t, 3, 1999, 3002, &fresh));
	assert_int_equal(e.kept, 1);
	assert_int_equal(e.serial, serial[1]);
	flowtable_free(t);
}

static void
a_kept_flow_is_the_same_flow_and_keeps_what_it_holds(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	struct flow *f, *g;
	uint32_t serial;
	bool fresh;

	(void)state;
	f = get(t, 3, 700, 1, &fresh);
	serial = f->serial;
	f->role = FLOW_RPC;
	f->dir[0].rec.hunt = hunt_new(flowtable_hunts(t), 0, true);
	g = flow_keep(t, f);
	assert_int_equal(g->serial, serial);
	assert_true(g->kept);
	assert_int_equal(g->role, FLOW_RPC);
	assert_non_null(g->dir[0].rec.hunt);
	assert_ptr_equal(flow_keep(t, g), g);
	assert_ptr_equal(get(t, 3, 700, 2, &fresh), g);
	assert_false(fresh);
	assert_int_equal(flow_key(t, g)->low_port, 700);
	assert_int_equal(flowtable_hunts(t)->used, 1);
	flowtable_free(t);
}

static uint32_t
sink_indifferent(void *ctx)
{
	(void)ctx;
	return 0;
}

static void
sink_data(void *ctx, uint64_t off, const uint8_t *data, uint32_t len,
    int64_t time_ns)
{
	(void)ctx, (void)off, (void)data, (void)len, (void)time_ns;
}

static void
sink_skip(void *ctx, uint64_t off, uint32_t len, int64_t time_ns, bool lost)
{
	(void)ctx, (void)off, (void)len, (void)time_ns, (void)lost;
}

/* Makes a flow hold bytes behind a hole, and hunt. */
static void
burden(struct flowtable *t, struct flow *f)
{
	static const struct tcpstream_sink sink = {
		sink_data, sink_skip, sink_indifferent, NULL
	};
	static const uint8_t text[100];
	struct tcpstream_result r = { 0 };
	struct flow_dir *d = &f->dir[0];

	tcpstream_push(&d->stream, flowtable_hold(t), &sink, NULL, 1,
	    bytes_of(text, 100), 100, 0, &r);
	tcpstream_push(&d->stream, flowtable_hold(t), &sink, NULL, 201,
	    bytes_of(text, 100), 100, 0, &r);
	assert_true(d->stream.stuck);
	d->rec.hunt = hunt_new(flowtable_hunts(t), 0, true);
	assert_non_null(d->rec.hunt);
}

static void
what_a_flow_holds_is_freed_whatever_ends_it(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	struct flow *f;
	uint16_t i;
	bool fresh;

	(void)state;
	burden(t, get(t, 3, 700, 1, &fresh));
	for (i = 0; i < 2; i++)		/* two on probation */
		get(t, 3, i, 2, &fresh);
	assert_int_equal(e.n, 1);
	assert_int_equal(flowtable_hold(t)->used, 0);
	assert_int_equal(flowtable_hunts(t)->used, 0);

	f = get(t, 3, 700, 3, &fresh);
	burden(t, f);
	flow_renew(t, f, 4);
	assert_int_equal(flowtable_hold(t)->used, 0);
	assert_int_equal(flowtable_hunts(t)->used, 0);

	burden(t, f);
	f = flow_keep(t, f);
	assert_true(flowtable_hold(t)->used > 100);
	flowtable_reset(t);
	assert_int_equal(flowtable_hold(t)->used, 0);
	assert_int_equal(flowtable_hunts(t)->used, 0);
	assert_false(tcpstream_troubled(&f->dir[0].stream));

	burden(t, f);
	burden(t, get(t, 4, 1, 5, &fresh));
	flowtable_free(t);		/* the sanitizer sees the rest */
}

static void
a_renewed_flow_is_new_but_for_its_sides(void **state)
{
	struct evicted e;
	struct flowtable *t = table(4, 4, &e);
	struct flow *f;
	uint32_t serial, pair;
	bool fresh;

	(void)state;
	f = get(t, 3, 700, 1, &fresh);
	flow_set_server(t, f, 1, 1);
	f->role = FLOW_RPC;
	f->tls_asked = true;
	f->dir[0].mss = 1460;
	f->dir[1].heard = true;
	serial = f->serial;
	pair = f->pair;
	flow_renew(t, f, 50);
	assert_int_not_equal(f->serial, serial);
	assert_int_equal(f->server, 1);
	assert_int_equal(f->pair, pair);
	assert_int_equal(f->role, FLOW_LIKELY);
	assert_true(f->syn);
	assert_false(f->closed);
	assert_false(f->tls_asked);
	assert_int_equal(f->first_ns, 50);
	assert_int_equal(f->dir[0].mss, 0);
	assert_int_equal(f->dir[0].wscale, -1);
	assert_false(f->dir[1].heard);
	/* The pair knows the old one as closed, then. */
	assert_int_equal(pair_at(t, pair)->recent[0].serial, serial);
	assert_true(pair_at(t, pair)->recent[0].closed);
	assert_int_equal(pair_at(t, pair)->recent[0].last_ns, 50);
	assert_int_equal(pair_at(t, pair)->recent[1].serial, f->serial);
	assert_false(pair_at(t, pair)->recent[1].closed);
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
each_visits_the_kept_and_those_on_probation(void **state)
{
	struct evicted e;
	struct flowtable *t = table(8, 4, &e);
	struct visits v = { .t = t };
	bool fresh;

	(void)state;
	flow_keep(t, get(t, 3, 700, 1, &fresh));
	get(t, 3, 701, 1, &fresh);
	get(t, 3, 702, 1, &fresh);
	flowtable_each(t, visit, &v);
	assert_int_equal(v.n, 3);
	flowtable_free(t);
	flowtable_free(NULL);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(both_directions_are_one_flow),
		CASE(addresses_ports_and_protocol_tell_flows_apart),
		CASE(a_host_may_talk_to_itself_and_ports_tell_the_directions),
		CASE(a_flood_of_connections_does_not_push_out_what_is_kept),
		CASE(a_kept_flow_is_the_same_flow_and_keeps_what_it_holds),
		CASE(what_a_flow_holds_is_freed_whatever_ends_it),
		CASE(a_renewed_flow_is_new_but_for_its_sides),
		CASE(each_visits_the_kept_and_those_on_probation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

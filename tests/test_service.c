/* SPDX-License-Identifier: ISC */
/*
 * test_service.c: ports and hosts that are known to serve RPC.
 */
#include "service.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const uint64_t seed[2] = { 7, 8 };

static struct endpoint
at(uint8_t host, uint16_t port)
{
	const uint8_t v4[4] = { 10, 77, 0, host };
	struct endpoint e = { .port = port };

	addr_from_ipv4(&e.addr, v4);
	return e;
}

static void
claims_weigh_portmap_then_learned_then_nfs_ports(void **state)
{
	const uint16_t ports[] = { 2049, 12049 };
	struct service *s = service_new(ports, 2, NULL, 0, seed);
	struct endpoint nfs = at(1, 2049), other = at(9, 12049),
	    portmap = at(1, 111), mount = at(1, 635), client = at(3, 635),
	    none = at(3, 700);

	(void)state;
	assert_int_equal(service_claim(s, &nfs), 3);
	assert_int_equal(service_claim(s, &other), 3);
	assert_int_equal(service_claim(s, &portmap), 1);
	assert_int_equal(service_claim(s, &none), 0);
	assert_int_equal(service_claim(s, &mount), 0);
	service_learn(s, &mount, 0);
	service_learn(s, &mount, 1);
	assert_int_equal(service_claim(s, &mount), 2);
	assert_int_equal(service_claim(s, &client), 0);	/* another host's */
	service_learn(s, &portmap, 2);
	assert_int_equal(service_claim(s, &portmap), 2);
	assert_true(service_is_nfs_port(s, 12049));
	assert_false(service_is_nfs_port(s, 111));
	service_free(s);
}

static void
every_port_number_can_be_an_nfs_port(void **state)
{
	const uint16_t ports[] = { 0, 1, 7, 8, 65535 };
	struct service *s = service_new(ports, 5, NULL, 0, seed);
	unsigned int i, n = 0;

	(void)state;
	for (i = 0; i < 65536; i++)
		n += service_is_nfs_port(s, (uint16_t)i);
	assert_int_equal(n, 5);
	assert_true(service_is_nfs_port(s, 65535));
	service_free(s);
	service_free(NULL);
}

static void
hosts_that_serve_are_learned(void **state)
{
	const uint16_t port = 2049;
	struct service *s = service_new(&port, 1, NULL, 0, seed);
	struct addr a = at(1, 0).addr, b = at(2, 0).addr;

	(void)state;
	assert_false(service_fixed(s));
	assert_false(service_is_host(s, &a));
	service_learn_host(s, &a, 0);
	assert_true(service_is_host(s, &a));
	assert_false(service_is_host(s, &b));
	assert_false(service_is_fixed_server(s, &a));
	service_free(s);
}

static void
hosts_that_were_given_are_the_servers_and_nobody_else(void **state)
{
	const uint16_t port = 2049;
	const struct addr given[] = { at(1, 0).addr, at(2, 0).addr };
	struct service *s = service_new(&port, 1, given, 2, seed);
	struct addr other = at(3, 0).addr;

	(void)state;
	assert_true(service_fixed(s));
	assert_true(service_is_fixed_server(s, &given[0]));
	assert_true(service_is_fixed_server(s, &given[1]));
	assert_true(service_is_host(s, &given[1]));
	service_learn_host(s, &other, 0);
	assert_false(service_is_host(s, &other));
	assert_false(service_is_fixed_server(s, &other));
	service_free(s);
}

static void
more_servers_than_there_is_room_for_are_refused(void **state)
{
	struct addr many[SERVICE_SERVERS_MAX + 1];
	const uint16_t port = 2049;
	struct service *s;
	uint8_t i;

	(void)state;
	for (i = 0; i <= SERVICE_SERVERS_MAX; i++)
		many[i] = at(i, 0).addr;
	assert_null(service_new(&port, 1, many, SERVICE_SERVERS_MAX + 1,
	    seed));
	s = service_new(&port, 1, many, SERVICE_SERVERS_MAX, seed);
	assert_true(service_is_fixed_server(s,
	    &many[SERVICE_SERVERS_MAX - 1]));
	service_free(s);
}

static void
what_is_learned_is_bounded_and_the_oldest_goes(void **state)
{
	const uint16_t port = 2049;
	struct service *s = service_new(&port, 1, NULL, 0, seed);
	struct endpoint e = at(1, 635), fresh;
	uint32_t i;

	(void)state;
	service_learn(s, &e, 0);
	for (i = 0; i < SERVICE_LEARNED_MAX - 1; i++) {
		fresh = at(2, (uint16_t)(10000 + i));
		service_learn(s, &fresh, i);
	}
	assert_int_equal(service_claim(s, &e), 2);
	fresh = at(2, 9999);
	service_learn(s, &fresh, i);
	assert_int_equal(service_claim(s, &e), 0);
	assert_int_equal(service_claim(s, &fresh), 2);
	service_free(s);
}

/* RFC 1813 3.3.7: the verifier changes only when the server restarts. */
static void
a_write_verifier_that_changes_is_a_restart_told_once(void **state)
{
	const uint16_t port = 2049;
	struct service *s = service_new(&port, 1, NULL, 0, seed);
	struct addr a = at(1, 0).addr, b = at(2, 0).addr;

	(void)state;
	assert_false(service_restarted(s, &a, 3, 7, 0));
	assert_false(service_restarted(s, &a, 3, 7, 1));
	assert_false(service_restarted(s, &a, 4, 9, 2));
	assert_false(service_restarted(s, &b, 3, 8, 3));
	assert_true(service_restarted(s, &a, 3, 8, 4));
	assert_false(service_restarted(s, &a, 3, 8, 5));
	service_free(s);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(claims_weigh_portmap_then_learned_then_nfs_ports),
		CASE(every_port_number_can_be_an_nfs_port),
		CASE(hosts_that_serve_are_learned),
		CASE(hosts_that_were_given_are_the_servers_and_nobody_else),
		CASE(more_servers_than_there_is_room_for_are_refused),
		CASE(what_is_learned_is_bounded_and_the_oldest_goes),
		CASE(a_write_verifier_that_changes_is_a_restart_told_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

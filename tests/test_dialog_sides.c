/* SPDX-License-Identifier: ISC */
/*
 * test_dialog_sides.c: which side is the server, what ports speak RPC, and
 * what is hidden by security.
 */
#include "dialog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "decoderkit.h"

static bool
server_is(const struct decoderkit *k, uint8_t host)
{
	return k->e.has_ends && k->e.server.b[15] == host;
}

static void
what_is_no_rpc_on_the_nfs_port_is_counted_and_that_is_all(void **state)
{
	/* 48 bytes of NTP (RFC 5905), as version 4 clients send them. */
	static const uint8_t ntp[48] = { 0x23, 0, 6, 0xec };
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	k->p->port[CLIENT] = 123;
	packetkit_send_udp(k->p, k->d, CLIENT, ntp, sizeof(ntp), 0);
	packetkit_send_udp(k->p, k->d, CLIENT, ntp, 0, 1);
	assert_int_equal(k->e.counter[SAMPLE_RPC_NOT_RPC], 2);
	assert_string_equal(k->e.text, "");
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 2);
	decoderkit_free(k);
}

static void
rpc_on_unknown_ports_is_known_by_its_calls(void **state)
{
	static const uint8_t noise[100] = "something else";
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	k->p->port[SERVER] = 3049;
	packetkit_send_udp(k->p, k->d, CLIENT, noise, sizeof(noise), 0);
	packetkit_send_udp(k->p, k->d, SERVER, noise, sizeof(noise), 1);
	assert_int_equal(k->e.counter[SAMPLE_RPC_NOT_RPC], 0);
	assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 2);
	SAY_UDP(k, CLIENT, 2, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, SERVER, 3, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	assert_true(server_is(k, 1));
	/* From then on it is NFS traffic. */
	assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 1);
	SAY_UDP(k, CLIENT, 4, rpckit_getattr_call(k->m, 8));
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 1);
	decoderkit_free(k);
}

static void
an_endpoint_that_answered_calls_is_known_from_then_on(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	k->p->port[SERVER] = 12049;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	SAY(k, SERVER, 2, rpckit_getattr_reply(k->m, 7));
	/* A callback over it does not make a server of the client. */
	SAY(k, SERVER, 3, rpckit_cb_null_call(k->m, 8));
	SAY(k, CLIENT, 4, rpckit_reply(k->m, 8));
	decoderkit_forget(k);
	k->p->host[CLIENT] = 4;
	decoderkit_other_port(k, 700);
	packetkit_open(k->p, k->d, 10);
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 2);
	assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 1);
	k->p->host[CLIENT] = 3;
	k->p->port[SERVER] = 5000;
	packetkit_open(k->p, k->d, 20);
	assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 3);
	decoderkit_free(k);
}

static void
ports_that_portmap_gives_out_are_learned(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	static const uint8_t noise[100] = "no rpc";

	(void)state;
	k->p->port[SERVER] = 111;
	SAY_UDP(k, CLIENT, 0, rpckit_getport_call(k->m, 7, 100005, 3, 17));
	SAY_UDP(k, SERVER, 1, rpckit_getport_reply(k->m, 7, 635));
	assert_int_equal(k->e.replies, 1);
	k->p->port[SERVER] = 635;
	k->p->port[CLIENT] = 702;
	packetkit_send_udp(k->p, k->d, CLIENT, noise, sizeof(noise), 2);
	assert_int_equal(k->e.counter[SAMPLE_RPC_NOT_RPC], 1);
	assert_int_equal(k->e.packet.dir, SAMPLE_IN);
	/* Not on the client, and no port that was not given out. */
	k->p->port[SERVER] = 5000;
	k->p->port[CLIENT] = 635;
	packetkit_send_udp(k->p, k->d, CLIENT, noise, sizeof(noise), 3);
	assert_int_equal(k->e.counter[SAMPLE_RPC_NOT_RPC], 1);
	assert_int_equal(k->e.packet.dir, SAMPLE_OTHER);
	/* Port 0: the program is not registered, RFC 1833 sec. 3.2. */
	k->p->port[SERVER] = 111;
	SAY_UDP(k, CLIENT, 4, rpckit_getport_call(k->m, 8, 100021, 4, 17));
	SAY_UDP(k, SERVER, 5, rpckit_getport_reply(k->m, 8, 0));
	k->p->port[SERVER] = 0;
	packetkit_send_udp(k->p, k->d, CLIENT, noise, sizeof(noise), 6);
	assert_int_equal(k->e.packet.dir, SAMPLE_OTHER);
	decoderkit_free(k);
}

static void
a_reserved_client_port_does_not_make_a_server(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	k->p->port[CLIENT] = 111;	/* a client may bind it */
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	assert_true(server_is(k, 1));
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 1);
	decoderkit_free(k);
}

static void
callbacks_do_not_turn_the_sides_round(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	/* The backchannel of NFSv4.1, with the very same XID. */
	SAY(k, SERVER, 2, rpckit_cb_null_call(k->m, 7));
	assert_true(server_is(k, 1));
	assert_int_equal(k->e.outstanding, 2);
	SAY(k, CLIENT, 3, rpckit_reply(k->m, 7));
	SAY(k, SERVER, 5, rpckit_getattr_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, call 7, done 7, "
	    "reply 7, replied 7, reply 7, replied 7");
	assert_string_equal(k->e.ops, "7 GETATTR, 7 CB_NULL, 7 CB_NULL ok, "
	    "7 GETATTR ok");
	assert_int_equal(k->e.server_ns, 4);
	assert_int_equal(k->e.outstanding, 0);

	/* NFSv4.0: a connection of its own, to a port of the client. */
	k->p->port[CLIENT] = 40000;
	k->p->port[SERVER] = 60000;
	packetkit_open(k->p, k->d, 10);
	SAY(k, SERVER, 11, rpckit_cb_null_call(k->m, 9));
	assert_true(server_is(k, 1));
	SAY(k, CLIENT, 12, rpckit_reply(k->m, 9));
	assert_int_equal(k->e.replied, 3);
	decoderkit_free(k);
}

/* -S */

static struct decoderkit *
given_server(uint8_t host, uint8_t other)
{
	const uint8_t a[4] = { 10, 77, 0, host }, b[4] = { 10, 77, 0, other };
	struct decoder_config config;

	decoder_config_init(&config);
	addr_from_ipv4(&config.server[0], a);
	addr_from_ipv4(&config.server[1], b);
	config.servers = other != 0 ? 2 : 1;
	return decoderkit_new(&config);
}

static void
the_server_that_was_given_is_the_server_whoever_calls(void **state)
{
	struct decoderkit *k = given_server(3, 0);

	(void)state;
	/* Host 3 calls host 1: towards a server is what comes from 1. */
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, SERVER, 1, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.calls, 1);
	assert_true(server_is(k, 3));
	assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 1);
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 1);
	decoderkit_free(k);
}

static void
traffic_of_other_servers_is_other_and_untold(void **state)
{
	struct decoderkit *k = given_server(9, 0);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, SERVER, 1, rpckit_getattr_reply(k->m, 7));
	packetkit_open(k->p, k->d, 2);
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 8));
	packetkit_flags(k->p, k->d, CLIENT, 0x14, 4);	/* RST */
	decoderkit_other_port(k, 700);
	packetkit_open(k->p, k->d, 5);
	SAY(k, CLIENT, 6, rpckit_getattr_call(k->m, 9));
	assert_string_equal(k->e.text, "");
	assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 11);
	decoderkit_free(k);
}

static void
of_two_given_servers_the_port_tells_which_one_serves(void **state)
{
	struct decoderkit *k = given_server(1, 3);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	assert_true(server_is(k, 1));
	decoderkit_free(k);

	k = given_server(1, 3);
	k->p->port[CLIENT] = 2049;	/* and the other way round */
	k->p->port[SERVER] = 700;
	SAY_UDP(k, SERVER, 0, rpckit_getattr_call(k->m, 7));
	assert_true(server_is(k, 3));
	decoderkit_free(k);
}

static void
a_host_may_be_its_own_client(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	int given;

	(void)state;
	for (given = 0; given < 2; given++) {
		if (given) {
			decoderkit_free(k);
			k = given_server(1, 0);
		}
		k->p->host[CLIENT] = 1;
		packetkit_open(k->p, k->d, 0);
		SAY(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
		SAY(k, SERVER, 3, rpckit_getattr_reply(k->m, 7));
		assert_string_equal(k->e.text,
		    "call 7, done 7, reply 7, replied 7");
		assert_int_equal(k->e.server_ns, 2);
		assert_int_equal(k->e.dir[SAMPLE_IN].packets, 3);
		assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 2);
		assert_true(server_is(k, 1));
		assert_true(addr_equal(&k->e.client, &k->e.server));
	}
	decoderkit_free(k);
}

/* Security. */

static void
under_gss_privacy_only_the_procedure_is_known(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	k->m->flavor = RPCKIT_KRB5P;
	SAY(k, CLIENT, 1, rpckit_write_call(k->m, 7, NULL, 4096));
	SAY(k, SERVER, 2, rpckit_write_reply(k->m, 7, 4096));
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 8));
	assert_string_equal(k->e.ops, "7 WRITE hidden, 7 WRITE ok hidden, "
	    "8 GETATTR hidden");
	assert_int_equal(k->e.written, 0);
	assert_int_equal(k->e.counter[SAMPLE_RPC_ENCRYPTED], 2);
	assert_int_equal(k->e.counter[SAMPLE_RPC_CUT], 0);
	assert_false(k->e.call.has_uid);
	decoderkit_free(k);
}

static void
tls_that_was_asked_for_ends_what_can_be_read(void **state)
{
	/* RFC 8446 sec. 5.1: handshake, version, length, ClientHello. */
	static uint8_t hello[200] = { 0x16, 3, 1, 0, 195, 1, 0, 0, 191 };
	static uint8_t secret[300] = { 0x17, 3, 3, 1, 0x27 };
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	k->m->flavor = RPCKIT_TLS;
	SAY(k, CLIENT, 1, rpckit_null_call(k->m, 7));
	SAY(k, SERVER, 2, rpckit_reply(k->m, 7));
	packetkit_send(k->p, k->d, CLIENT, hello, sizeof(hello), 3);
	packetkit_send(k->p, k->d, SERVER, hello, sizeof(hello), 4);
	assert_int_equal(k->e.counter[SAMPLE_RPC_ENCRYPTED], 1);
	packetkit_send(k->p, k->d, CLIENT, secret, sizeof(secret), 5);
	packetkit_send(k->p, k->d, SERVER, secret, sizeof(secret), 6);
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	assert_int_equal(k->e.counter[SAMPLE_RPC_ENCRYPTED], 1);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_SKIPPED_BYTES], 0);
	/* Its packets still go in and out. */
	assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 0);
	decoderkit_free(k);
}

static void
a_refused_probe_for_tls_leaves_the_connection_readable(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 0);
	k->m->flavor = RPCKIT_TLS;
	SAY(k, CLIENT, 1, rpckit_null_call(k->m, 7));
	SAY(k, SERVER, 2, rpckit_denied(k->m, 7));	/* 20 bytes */
	k->m->flavor = 0;
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 8));
	SAY(k, SERVER, 4, rpckit_getattr_reply(k->m, 8));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7, "
	    "call 8, done 8, reply 8, replied 8");
	assert_string_equal(k->e.ops,
	    "7 NULL, 7 NULL refused, 8 GETATTR, 8 GETATTR ok");
	assert_int_equal(k->e.counter[SAMPLE_RPC_ENCRYPTED], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	decoderkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_is_no_rpc_on_the_nfs_port_is_counted_and_that_is_all),
		CASE(rpc_on_unknown_ports_is_known_by_its_calls),
		CASE(an_endpoint_that_answered_calls_is_known_from_then_on),
		CASE(ports_that_portmap_gives_out_are_learned),
		CASE(a_reserved_client_port_does_not_make_a_server),
		CASE(callbacks_do_not_turn_the_sides_round),
		CASE(the_server_that_was_given_is_the_server_whoever_calls),
		CASE(traffic_of_other_servers_is_other_and_untold),
		CASE(of_two_given_servers_the_port_tells_which_one_serves),
		CASE(a_host_may_be_its_own_client),
		CASE(under_gss_privacy_only_the_procedure_is_known),
		CASE(tls_that_was_asked_for_ends_what_can_be_read),
		CASE(a_refused_probe_for_tls_leaves_the_connection_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

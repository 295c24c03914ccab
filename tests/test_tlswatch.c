/* SPDX-License-Identifier: ISC */
/*
 * test_tlswatch.c: TLS records (RFC 8446 sec. 5.1) told from RPC records, and
 * RPC-with-TLS conversations (RFC 9289) through the decoder.
 */
#include "tlswatch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eventkit.h"
#include "packet.h"
#include "packetkit.h"
#include "rpckit.h"
#include "testkit.h"

#define C	PACKETKIT_CLIENT
#define S	PACKETKIT_SERVER
#define MS	NSEC_PER_MSEC

static const uint8_t hello[] = {
	22,				/* handshake */
	3, 1,				/* version, as first hellos have it */
	0, 9,				/* length 9 */
	1, 0, 0, 5, 3, 3, 'a', 'b', 'c',
};

static const uint8_t two_records[] = {
	20, 3, 3, 0, 1, 1,		/* change_cipher_spec */
	23, 3, 3, 0, 4, 1, 2, 3, 4,	/* application_data */
};

static void
expect_prefix(void *ctx, struct bytes prefix)
{
	(void)ctx;
	assert_int_equal(tlswatch_records(prefix), prefix.len >= 5);
}

static void
records_are_known_as_far_as_they_go(void **state)
{
	(void)state;
	for_every_prefix(hello, sizeof(hello), expect_prefix, NULL);
	for_every_prefix(two_records, sizeof(two_records), expect_prefix, NULL);
}

static void
survive(void *ctx, struct bytes flipped, size_t bit)
{
	(void)ctx;
	/* Of type, version and length: most bits matter; of data, none. */
	if (bit >= 40 && bit < 48)
		assert_true(tlswatch_records(flipped));
	else
		tlswatch_records(flipped);
}

static void
what_cannot_be_a_record_is_none(void **state)
{
	static const uint8_t bad[][5] = {
		{ 19, 3, 3, 0, 4 },
		{ 24, 3, 3, 0, 4 },	/* heartbeat */
		{ 23, 2, 3, 0, 4 },
		{ 23, 3, 5, 0, 4 },
		{ 23, 3, 3, 0, 0 },
		{ 23, 3, 3, 0x48, 0x01 },	/* 2^14 + 2049 */
		{ 0x80, 0, 0x20, 0x78, 0 },	/* an RPC record mark */
	};
	static const uint8_t most[] = { 23, 3, 3, 0x48, 0x00 };
	static const uint8_t second_bad[] = {
		22, 3, 3, 0, 1, 0, 99, 3, 3, 0, 1
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(tlswatch_records(bytes_of(bad[i], 5)));
	assert_true(tlswatch_records(bytes_of(most, 5)));
	assert_false(tlswatch_records(bytes_of(second_bad,
	    sizeof(second_bad))));
	for_every_bit_flip(two_records, sizeof(two_records), survive, NULL);
}

struct scene {
	struct decoder	*d;
	struct packetkit *k;
	struct rpckit	*m;
	struct eventkit	 e;
	int64_t		 now_ns;
};

static int
set_up(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));
	struct decoder_config config;

	if (s == NULL)
		return -1;
	decoder_config_init(&config);
	s->d = decoder_new(&config, eventkit_listener(), &s->e);
	s->k = packetkit_new();
	s->m = rpckit_new();
	*state = s;
	return s->d != NULL ? 0 : -1;
}

static int
tear_down(void **state)
{
	struct scene *s = *state;

	decoder_free(s->d);
	free(s->k);
	free(s->m);
	free(s);
	return 0;
}

static void
send_bytes(struct scene *s, int dir, const void *data, size_t len)
{
	s->now_ns += MS;
	packetkit_send(s->k, s->d, dir, data, (uint32_t)len, s->now_ns);
}

static void
send_it(struct scene *s, int dir)
{
	send_bytes(s, dir, s->m->data, s->m->len);
	rpckit_clear(s->m);
}

/* RFC 9289 sec. 4.1: NULL with AUTH_TLS; the verifier says STARTTLS. */
static void
ask(struct scene *s)
{
	s->m->flavor = RPCKIT_TLS;
	RPCKIT_RECORD(s->m, rpckit_null_call(s->m, 1));
	s->m->flavor = 0;
	send_it(s, C);
}

static void
start_tls(struct rpckit *m)
{
	rpckit_u32(m, 1);		/* xid */
	rpckit_u32(m, 1);		/* REPLY */
	rpckit_u32(m, 0);		/* MSG_ACCEPTED */
	rpckit_u32(m, 0);		/* AUTH_NONE */
	rpckit_opaque(m, "STARTTLS", 8);
	rpckit_u32(m, 0);		/* SUCCESS */
}

/* A segment of one record of application data, that looks like nothing. */
static void
send_record(struct scene *s, int dir, uint32_t len)
{
	static uint8_t data[8192];
	uint32_t i;

	for (i = 5; i < len + 5; i++)
		data[i] = (uint8_t)(i * 151 + len);
	data[0] = 23;
	data[1] = data[2] = 3;
	data[3] = (uint8_t)(len >> 8);
	data[4] = (uint8_t)len;
	send_bytes(s, dir, data, len + 5);
}

static void
after_starttls_only_packets_and_bytes_count(void **state)
{
	struct scene *s = *state;
	struct eventkit *e = &s->e;
	uint32_t i;

	packetkit_open(s->k, s->d, 0);
	ask(s);
	RPCKIT_RECORD(s->m, start_tls(s->m));
	send_it(s, S);
	assert_string_equal(e->text, "call 1, done 1, reply 1, replied 1");
	assert_int_equal(e->counter[SAMPLE_RPC_ENCRYPTED], 0);
	send_bytes(s, C, hello, sizeof(hello));
	send_bytes(s, S, hello, sizeof(hello));
	assert_int_equal(e->counter[SAMPLE_RPC_ENCRYPTED], 1);
	for (i = 0; i < 100; i++) {
		send_record(s, C, 1200);
		send_record(s, S, 100);
	}
	assert_int_equal(e->calls, 1);
	assert_int_equal(e->counter[SAMPLE_RPC_ENCRYPTED], 1);
	assert_int_equal(e->counter[SAMPLE_TCP_RESYNCS], 0);
	assert_int_equal(e->counter[SAMPLE_TCP_SKIPPED_BYTES], 0);
	assert_int_equal(e->counter[SAMPLE_RPC_NOT_RPC], 0);
	assert_int_equal(e->counter[SAMPLE_RPC_BAD_XDR], 0);
	/* SYN, ACK, NULL, hello and records; SYN ACK, NULL, hello, records */
	assert_int_equal(e->dir[SAMPLE_IN].packets, 4 + 100);
	assert_int_equal(e->dir[SAMPLE_OUT].packets, 3 + 100);
	assert_int_equal(e->dir[SAMPLE_OTHER].packets, 0);
}

static void
a_lost_hello_does_not_matter(void **state)
{
	struct scene *s = *state;

	packetkit_open(s->k, s->d, 0);
	ask(s);
	RPCKIT_RECORD(s->m, start_tls(s->m));
	send_it(s, S);
	packetkit_lose(s->k, C, sizeof(hello));
	send_bytes(s, S, two_records, sizeof(two_records));
	assert_int_equal(s->e.counter[SAMPLE_RPC_ENCRYPTED], 1);
}

/* The server does not do TLS, and the client's policy is to go on. */
static void
a_refusal_leaves_the_connection_readable(void **state)
{
	struct scene *s = *state;
	uint8_t data[2600];
	uint32_t i, at;

	packetkit_open(s->k, s->d, 0);
	ask(s);
	RPCKIT_RECORD(s->m, rpckit_denied(s->m, 1));
	send_it(s, S);
	/* File data that is TLS records, at the start of a segment too. */
	for (i = 0; i + sizeof(two_records) <= sizeof(data);
	    i += sizeof(two_records))
		memcpy(data + i, two_records, sizeof(two_records));
	RPCKIT_RECORD(s->m, rpckit_write_call(s->m, 2, data, sizeof(data)));
	at = 4 + RPCKIT_WRITE_HEAD + 10 * sizeof(two_records);
	send_bytes(s, C, s->m->data, at);
	send_bytes(s, C, s->m->data + at, s->m->len - at);
	assert_int_equal(s->e.counter[SAMPLE_RPC_ENCRYPTED], 0);
	assert_int_equal(s->e.written, sizeof(data));
	assert_int_equal(s->e.dones, 2);
}

static void
a_connection_met_under_way_is_known_by_its_records(void **state)
{
	struct scene *s = *state;
	uint32_t i;

	for (i = 0; i < TLSWATCH_SEGMENTS; i++) {
		assert_int_equal(s->e.counter[SAMPLE_RPC_ENCRYPTED], 0);
		send_record(s, C, 300);
		send_record(s, S, 100);
	}
	assert_int_equal(s->e.counter[SAMPLE_RPC_ENCRYPTED], 1);
	for (i = 0; i < 100; i++)
		send_record(s, C, 1000);
	assert_int_equal(s->e.counter[SAMPLE_RPC_ENCRYPTED], 1);
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 100 + TLSWATCH_SEGMENTS);
}

static void
a_connection_that_has_shown_rpc_is_not_taken_for_tls(void **state)
{
	struct scene *s = *state;
	uint32_t i;

	packetkit_open(s->k, s->d, 0);
	RPCKIT_RECORD(s->m, rpckit_getattr_call(s->m, 1));
	send_it(s, C);
	for (i = 0; i < 20; i++)
		send_record(s, C, 300);
	assert_int_equal(s->e.counter[SAMPLE_RPC_ENCRYPTED], 0);
}

static void
a_new_connection_has_to_ask_anew(void **state)
{
	struct scene *s = *state;

	packetkit_open(s->k, s->d, 0);
	ask(s);
	send_bytes(s, C, hello, sizeof(hello));
	assert_int_equal(s->e.counter[SAMPLE_RPC_ENCRYPTED], 1);
	s->k->seq[C] += 1000000;
	s->k->seq[S] += 1000000;
	packetkit_open(s->k, s->d, s->now_ns);
	RPCKIT_RECORD(s->m, rpckit_getattr_call(s->m, 2));
	send_it(s, C);
	assert_int_equal(s->e.calls, 2);
}

#define CASE(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_known_as_far_as_they_go),
		cmocka_unit_test(what_cannot_be_a_record_is_none),
		CASE(after_starttls_only_packets_and_bytes_count),
		CASE(a_lost_hello_does_not_matter),
		CASE(a_refusal_leaves_the_connection_readable),
		CASE(a_connection_met_under_way_is_known_by_its_records),
		CASE(a_connection_that_has_shown_rpc_is_not_taken_for_tls),
		CASE(a_new_connection_has_to_ask_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

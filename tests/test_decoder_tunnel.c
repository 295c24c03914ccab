/* SPDX-License-Identifier: ISC */
/*
 * test_decoder_tunnel.c: NFS inside tunnels through the whole decoder: each
 * packet is counted once, as long as it is on the wire.
 */
#include "decoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "eventkit.h"
#include "ip.h"
#include "packet.h"
#include "packetkit.h"
#include "rpckit.h"
#include "testkit.h"
#include "transport.h"
#include "tunnelkit.h"

#define C	PACKETKIT_CLIENT
#define S	PACKETKIT_SERVER
#define MS	NSEC_PER_MSEC

struct scene {
	struct decoder	*d;
	struct packetkit *k;
	struct rpckit	*m;		/* the message being made */
	struct eventkit	 e;
	struct decoder_config config;
	int64_t		 now_ns;
};

static void
begin(struct scene *s)
{
	decoder_free(s->d);
	eventkit_clear(&s->e);
	s->d = decoder_new(&s->config, eventkit_listener(), &s->e);
	if (s->d == NULL)
		abort();
}

static int
set_up(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return -1;
	decoder_config_init(&s->config);
	s->k = packetkit_new();
	s->m = rpckit_new();
	begin(s);
	*state = s;
	return 0;
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
push(struct scene *s)
{
	s->now_ns += MS;
	packetkit_push(s->k, s->d, s->now_ns);
}

/* The message as one segment, in a tunnel. */
static void
send_tcp(struct scene *s, int dir, enum tunnelkit kind, bool outer_v6)
{
	struct packetkit_tcp t = { .seq = s->k->seq[dir],
	    .ack = s->k->seq[!dir], .flags = TCP_ACK, .window = 65535 };

	packetkit_tcp(s->k, dir, &t, s->m->data, (uint32_t)s->m->len);
	s->k->seq[dir] += (uint32_t)s->m->len;
	rpckit_clear(s->m);
	tunnelkit_wrap(s->k, kind, outer_v6);
	push(s);
}

/* As a datagram, in so many: the outermost over IPv6, the next IPv4, ... */
static void
send_udp(struct scene *s, int dir, enum tunnelkit kind, unsigned int nested)
{
	packetkit_udp(s->k, dir, s->m->data, (uint32_t)s->m->len);
	rpckit_clear(s->m);
	while (nested-- > 0)
		tunnelkit_wrap(s->k, kind, nested % 2 == 0);
	push(s);
}

static void
converse(struct scene *s, enum tunnelkit kind, bool inner_v6, bool outer_v6)
{
	uint32_t inner = 14 + (inner_v6 ? 40 : 20) + 20;
	uint32_t more = tunnelkit_len(kind, outer_v6);
	struct addr server;

	s->k->v6 = inner_v6;
	begin(s);
	RPCKIT_RECORD(s->m, rpckit_write_call(s->m, 7, NULL, 1000));
	send_tcp(s, C, kind, outer_v6);
	RPCKIT_RECORD(s->m, rpckit_write_reply(s->m, 7, 1000));
	send_tcp(s, S, kind, outer_v6);
	assert_string_equal(s->e.text, "call 7, done 7, reply 7, replied 7");
	assert_int_equal(s->e.written, 1000);
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 1);
	assert_int_equal(s->e.dir[SAMPLE_OUT].packets, 1);
	assert_int_equal(s->e.dir[SAMPLE_OTHER].packets, 0);
	assert_int_equal(s->e.dir[SAMPLE_IN].bytes,
	    inner + more + 4 + RPCKIT_WRITE_HEAD + 1000);
	assert_int_equal(s->e.dir[SAMPLE_OUT].bytes,
	    inner + more + 4 + RPCKIT_WRITE_REPLY);
	assert_int_equal(s->e.counter[SAMPLE_TUNNELLED], 2);
	server = packetkit_addr(s->k, S);
	assert_true(addr_equal(&s->e.server, &server));
}

static void
nfs_in_any_tunnel_is_decoded_and_counted_once(void **state)
{
	struct scene *s = *state;
	unsigned int kind, i;

	for (kind = 0; kind < TUNNELKITS; kind++)
		for (i = 0; i < 4; i++)
			converse(s, (enum tunnelkit)kind, (i & 1) != 0,
			    (i & 2) != 0);
}

static void
tunnels_in_tunnels_are_opened_up_to_a_bound(void **state)
{
	struct scene *s = *state;
	unsigned int kind, nested;

	for (kind = 0; kind < TUNNELKITS; kind++) {
		for (nested = 1; nested <= 6; nested++) {
			begin(s);
			rpckit_getattr_call(s->m, 7);
			send_udp(s, C, (enum tunnelkit)kind, nested);
			assert_int_equal(s->e.calls, nested <= 4);
			assert_int_equal(s->e.counter[SAMPLE_TUNNELLED], 1);
			assert_int_equal(s->e.dir[SAMPLE_IN].packets +
			    s->e.dir[SAMPLE_OTHER].packets, 1);
			assert_int_equal(s->e.packet.bytes, s->k->len);
		}
	}
}

/* The UDP datagram is in fragments, each of them in a tunnel packet. */
static void
fragments_in_a_tunnel_are_put_together(void **state)
{
	static uint8_t datagram[16384];
	struct scene *s = *state;
	uint32_t total, off, n;

	rpckit_write_call(s->m, 7, NULL, 8192);
	total = packetkit_datagram(s->k, C, s->m->data, (uint32_t)s->m->len,
	    datagram);
	for (off = 0; off < total; off += 1400) {
		n = total - off < 1400 ? total - off : 1400;
		packetkit_fragment(s->k, C, datagram, total, off, n, 77);
		tunnelkit_wrap(s->k, TUNNELKIT_VXLAN, false);
		push(s);
	}
	assert_string_equal(s->e.text, "call 7, done 7");
	assert_int_equal(s->e.written, 8192);
	assert_int_equal(s->e.counter[SAMPLE_IP_FRAGMENTS], 6);
	assert_int_equal(s->e.counter[SAMPLE_TUNNELLED], 6);
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 6);
}

/* The tunnel packet itself in two: its halves are packets and no more. */
static void
a_tunnel_packet_in_fragments_is_only_counted(void **state)
{
	struct scene *s = *state;
	uint8_t whole[2048];
	uint32_t payload;

	rpckit_getattr_call(s->m, 7);
	packetkit_udp(s->k, C, s->m->data, (uint32_t)s->m->len);
	tunnelkit_wrap(s->k, TUNNELKIT_VXLAN, false);
	payload = s->k->len - 34;	/* behind Ethernet and IPv4 */
	memcpy(whole, s->k->frame + 34, payload);
	packetkit_fragment(s->k, C, whole, payload, 0, 64, 5);
	push(s);
	packetkit_fragment(s->k, C, whole, payload, 64, payload - 64, 5);
	push(s);
	assert_int_equal(s->e.calls, 0);
	assert_int_equal(s->e.counter[SAMPLE_TUNNELLED], 0);
	assert_int_equal(s->e.counter[SAMPLE_IP_FRAGMENTS], 2);
	assert_int_equal(s->e.dir[SAMPLE_OTHER].packets, 2);
}

static void
what_offload_merged_repeats_all_headers_on_the_wire(void **state)
{
	struct scene *s = *state;
	uint32_t headers = 14 + tunnelkit_len(TUNNELKIT_VXLAN, false) + 20 + 20;

	s->config.mtu = 1500;	/* of the outer interface */
	begin(s);
	RPCKIT_RECORD(s->m, rpckit_write_call(s->m, 7, NULL, 20000));
	send_tcp(s, C, TUNNELKIT_VXLAN, false);
	/* 1500 - 20 - 16 - 14 - 20 - 20 = 1410 bytes each; 20124 in all */
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 1);
	assert_int_equal(s->e.dir[SAMPLE_IN].wire_packets, 15);
	assert_int_equal(s->e.dir[SAMPLE_IN].bytes, headers + 20124);
	assert_int_equal(s->e.dir[SAMPLE_IN].wire_bytes,
	    15 * headers + 20124);
}

static void
a_tunnel_without_ip_in_it_is_an_ordinary_datagram(void **state)
{
	struct scene *s = *state;

	rpckit_getattr_call(s->m, 7);
	packetkit_udp(s->k, C, s->m->data, (uint32_t)s->m->len);
	s->k->frame[12] = 0x08;		/* ARP, it says */
	s->k->frame[13] = 0x06;
	tunnelkit_wrap(s->k, TUNNELKIT_VXLAN, false);
	push(s);
	assert_int_equal(s->e.calls, 0);
	assert_int_equal(s->e.counter[SAMPLE_TUNNELLED], 0);
	assert_int_equal(s->e.counter[SAMPLE_BAD_IP], 0);
	assert_int_equal(s->e.dir[SAMPLE_OTHER].packets, 1);
}

/* A client may have a tunnel's port: what it gets is no tunnel. */
static void
rpc_on_the_port_of_a_tunnel_is_rpc(void **state)
{
	static const uint16_t port[] = { 4789, 8472, 6081 };
	/* The first byte of the XID is that of VXLAN and GENEVE flags. */
	static const uint32_t xid[] = { 0x08000007, 0x00000007, 0x0a000007 };
	struct scene *s = *state;
	unsigned int i, j;

	for (i = 0; i < 3; i++) {
		for (j = 0; j < 3; j++) {
			begin(s);
			s->k->port[C] = port[i];
			rpckit_getattr_call(s->m, xid[j]);
			send_udp(s, C, TUNNELKIT_VXLAN, 0);
			rpckit_getattr_reply(s->m, xid[j]);
			send_udp(s, S, TUNNELKIT_VXLAN, 0);
			assert_int_equal(s->e.replied, 1);
			assert_int_equal(s->e.dir[SAMPLE_OUT].packets, 1);
			assert_int_equal(s->e.counter[SAMPLE_TUNNELLED], 0);
		}
	}
}

/* Seen on the way to the tunnel, and inside of it on the next interface. */
static void
a_packet_seen_in_and_outside_of_a_tunnel_is_one(void **state)
{
	struct scene *s = *state;

	s->config.many_sources = true;
	begin(s);
	rpckit_getattr_call(s->m, 7);
	packetkit_udp(s->k, C, s->m->data, (uint32_t)s->m->len);
	s->k->ifindex = 1;
	packetkit_push(s->k, s->d, 0);
	tunnelkit_wrap(s->k, TUNNELKIT_GENEVE, false);
	s->k->ifindex = 0;
	packetkit_push(s->k, s->d, 1000);
	assert_string_equal(s->e.text, "call 7, done 7");
	assert_int_equal(s->e.counter[SAMPLE_COPIES], 1);
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 1);
	assert_int_equal(s->e.dir[SAMPLE_OTHER].packets, 1);
}

static void
a_cut_inner_header_is_counted(void **state)
{
	struct scene *s = *state;
	uint32_t inner_ip = 14 + tunnelkit_len(TUNNELKIT_VXLAN, true);

	for (s->k->snap = 1; s->k->snap < inner_ip + 20 + 8; s->k->snap++) {
		begin(s);
		rpckit_getattr_call(s->m, 7);
		send_udp(s, C, TUNNELKIT_VXLAN, 1);
		assert_int_equal(s->e.calls, 0);
		assert_int_equal(s->e.packet.bytes, s->k->len);
		assert_int_equal(s->e.counter[SAMPLE_TRUNCATED], 1);
		assert_int_equal(s->e.counter[SAMPLE_BAD_LINK] +
		    s->e.counter[SAMPLE_BAD_IP] +
		    s->e.counter[SAMPLE_BAD_TRANSPORT], 1);
		assert_int_equal(s->e.counter[SAMPLE_TUNNELLED],
		    s->k->snap >= inner_ip + 20);
	}
}

static void
survive(void *ctx, struct bytes part)
{
	struct scene *s = ctx;
	struct packet pkt = { .data = part, .wire_len = s->k->len,
	    .linktype = 1 };

	decoder_push(s->d, &pkt);
}

static void
survive_flip(void *ctx, struct bytes flipped, size_t bit)
{
	(void)bit;
	survive(ctx, flipped);
}

static void
a_cut_or_flipped_tunnel_packet_does_no_harm(void **state)
{
	struct scene *s = *state;
	unsigned int kind;

	s->e.no_words = true;
	for (kind = 0; kind < TUNNELKITS; kind++) {
		rpckit_getattr_call(s->m, 7);
		packetkit_udp(s->k, C, s->m->data, (uint32_t)s->m->len);
		rpckit_clear(s->m);
		tunnelkit_wrap(s->k, TUNNELKIT_IP, true);
		tunnelkit_wrap(s->k, (enum tunnelkit)kind, false);
		for_every_prefix(s->k->frame, s->k->len, survive, s);
		for_every_bit_flip(s->k->frame, s->k->len, survive_flip, s);
	}
}

#define CASE(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(nfs_in_any_tunnel_is_decoded_and_counted_once),
		CASE(tunnels_in_tunnels_are_opened_up_to_a_bound),
		CASE(fragments_in_a_tunnel_are_put_together),
		CASE(a_tunnel_packet_in_fragments_is_only_counted),
		CASE(what_offload_merged_repeats_all_headers_on_the_wire),
		CASE(a_tunnel_without_ip_in_it_is_an_ordinary_datagram),
		CASE(rpc_on_the_port_of_a_tunnel_is_rpc),
		CASE(a_packet_seen_in_and_outside_of_a_tunnel_is_one),
		CASE(a_cut_inner_header_is_counted),
		CASE(a_cut_or_flipped_tunnel_packet_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_decoder.c: packets of every make through all layers: counted before
 * they are understood, with their direction and what the wire carried.
 */
#include "decoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "decoderkit.h"
#include "testkit.h"
#include "transport.h"

static uint64_t
packets(const struct decoderkit *k)
{
	return k->e.dir[SAMPLE_IN].packets + k->e.dir[SAMPLE_OUT].packets +
	    k->e.dir[SAMPLE_OTHER].packets;
}

/* Links and addresses. */

static void
a_conversation_is_the_same_in_every_wrapping(void **state)
{
	int v6, link;

	(void)state;
	for (v6 = 0; v6 < 2; v6++)
		for (link = PACKETKIT_ETHERNET; link <= PACKETKIT_SLL2;
		    link++) {
			struct decoderkit *k = decoderkit_new(NULL);
			struct addr server;

			k->p->v6 = v6 != 0;
			k->p->link = (enum packetkit_link)link;
			server = packetkit_addr(k->p, SERVER);
			packetkit_open(k->p, k->d, 0);
			SAY(k, CLIENT, 1, rpckit_write_call(k->m, 7, NULL,
			    500));
			SAY(k, SERVER, 2, rpckit_write_reply(k->m, 7, 500));
			SAY_UDP(k, CLIENT, 3, rpckit_getattr_call(k->m, 8));
			SAY_UDP(k, SERVER, 4, rpckit_getattr_reply(k->m, 8));
			rpckit_clear(k->m);
			rpckit_write_call(k->m, 9, NULL, 8192);
			packetkit_send_fragments(k->p, k->d, CLIENT,
			    k->m->data, (uint32_t)k->m->len, 5, 1, -1, false);
			assert_string_equal(k->e.text,
			    "call 7, done 7, reply 7, replied 7, "
			    "call 8, done 8, reply 8, replied 8, "
			    "call 9, done 9");
			assert_int_equal(k->e.written, 8692);
			assert_int_equal(k->e.dir[SAMPLE_IN].packets, 10);
			assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 3);
			assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 0);
			assert_true(addr_equal(&k->e.server, &server));
			decoderkit_free(k);
		}
}

static void
bytes_are_frame_lengths_on_the_wire(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	assert_int_equal(k->e.dir[SAMPLE_IN].bytes,
	    14 + 20 + 8 + RPCKIT_GETATTR_CALL);
	k->p->snap = 60;
	SAY_UDP(k, SERVER, 1, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.dir[SAMPLE_OUT].bytes,
	    14 + 20 + 8 + RPCKIT_GETATTR_REPLY);
	assert_int_equal(k->e.dir[SAMPLE_OUT].wire_bytes,
	    14 + 20 + 8 + RPCKIT_GETATTR_REPLY);
	assert_int_equal(k->e.counter[SAMPLE_TRUNCATED], 1);
	decoderkit_free(k);
}

static void
what_is_not_understood_is_a_packet_all_the_same(void **state)
{
	static const uint8_t arp[42] = { [12] = 0x08, [13] = 0x06 };
	struct decoderkit *k = decoderkit_new(NULL);
	struct packet pkt = { .data = bytes_of(arp, 42), .wire_len = 42,
	    .linktype = 1 };

	(void)state;
	decoder_push(k->d, &pkt);
	assert_int_equal(k->e.counter[SAMPLE_NOT_IP], 1);
	pkt.data.len = 10;		/* in the Ethernet header */
	decoder_push(k->d, &pkt);
	pkt.linktype = 9999;
	decoder_push(k->d, &pkt);
	assert_int_equal(k->e.counter[SAMPLE_BAD_LINK], 2);
	packetkit_udp(k->p, CLIENT, "payload", 7);
	k->p->snap = 14 + 12;		/* in the IP header */
	packetkit_push(k->p, k->d, 1);
	assert_int_equal(k->e.counter[SAMPLE_BAD_IP], 1);
	k->p->snap = 14 + 20 + 6;	/* in the UDP header */
	packetkit_push(k->p, k->d, 2);
	assert_int_equal(k->e.counter[SAMPLE_BAD_TRANSPORT], 1);
	/* Its ports were there: towards the NFS port. */
	assert_int_equal(k->e.packet.dir, SAMPLE_IN);
	assert_int_equal(packets(k), 5);
	decoderkit_free(k);
}

static void
the_ends_of_a_pair_can_be_asked_for(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	struct addr client = packetkit_addr(k->p, CLIENT);
	struct addr server = packetkit_addr(k->p, SERVER);
	uint32_t pair;

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	pair = k->e.packet.pair;
	assert_int_not_equal(pair, DECODER_NONE);
	assert_true(addr_equal(decoder_pair_client(k->d, pair), &client));
	assert_true(addr_equal(decoder_pair_server(k->d, pair), &server));
	assert_null(decoder_pair_client(k->d, DECODER_NONE));
	assert_null(decoder_pair_server(k->d, pair + 1));
	k->p->port[SERVER] = 53;
	SAY_UDP(k, CLIENT, 0, rpckit_u32(k->m, 1));
	assert_int_equal(k->e.packet.pair, DECODER_NONE);
	decoderkit_free(k);
}

/* Frames that offload merged, DESIGN sec. 2. */

static void
wire_packets_come_from_the_mss_less_the_options(void **state)
{
	static uint8_t data[65160];
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	k->p->timestamps = true;
	packetkit_open(k->p, k->d, 0);		/* MSS 1460 */
	decoderkit_forget(k);
	packetkit_send(k->p, k->d, CLIENT, data, sizeof(data), 1);
	/* 65160 = 45 * 1448; headers of 14 + 20 + 32 bytes. */
	assert_int_equal(k->e.packet.wire_packets, 45);
	assert_int_equal(k->e.packet.bytes, 65160 + 66);
	assert_int_equal(k->e.packet.wire_bytes, 65160 + 45 * 66);
	packetkit_send(k->p, k->d, CLIENT, data, 2 * 1448 + 1, 2);
	assert_int_equal(k->e.packet.wire_packets, 3);
	packetkit_send(k->p, k->d, CLIENT, data, 1448, 3);
	assert_int_equal(k->e.packet.wire_packets, 1);
	assert_int_equal(k->e.packet.wire_bytes, 1448 + 66);
	packetkit_flags(k->p, k->d, CLIENT, TCP_ACK, 4);
	assert_int_equal(k->e.packet.wire_packets, 1);
	decoderkit_free(k);
}

static void
wire_packets_come_from_the_mtu_when_no_syn_was_seen(void **state)
{
	static uint8_t data[65000];
	struct decoder_config config;
	struct decoderkit *k;

	(void)state;
	decoder_config_init(&config);
	config.mtu = 9000;
	k = decoderkit_new(&config);
	packetkit_send(k->p, k->d, CLIENT, data, sizeof(data), 1);
	/* 8960 bytes in each: 65000 / 8960 is 7.25. */
	assert_int_equal(k->e.packet.wire_packets, 8);
	packetkit_send(k->p, k->d, CLIENT, data, 8960, 2);
	assert_int_equal(k->e.packet.wire_packets, 1);
	decoderkit_free(k);
}

static void
else_the_largest_ordinary_segment_is_what_a_packet_holds(void **state)
{
	static uint8_t data[60000];
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_send(k->p, k->d, CLIENT, data, 1400, 1);
	packetkit_send(k->p, k->d, CLIENT, data, 14000, 2);
	assert_int_equal(k->e.packet.wire_packets, 10);
	decoderkit_free(k);
}

/* 1460 bytes of payload fill an Ethernet frame whatever header it has. */
static void
a_full_frame_is_one_packet_on_every_link(void **state)
{
	static uint8_t data[1460];
	int link;

	(void)state;
	for (link = PACKETKIT_ETHERNET; link <= PACKETKIT_SLL2; link++) {
		struct decoderkit *k = decoderkit_new(NULL);

		k->p->link = (enum packetkit_link)link;
		packetkit_send(k->p, k->d, CLIENT, data, sizeof(data), 1);
		assert_int_equal(k->e.packet.wire_packets, 1);
		decoderkit_free(k);
	}
}

/* Directions of fragments: those of their datagram. */

static void
send_8k(struct decoderkit *k, int dir, int64_t time_ns, bool reversed)
{
	rpckit_clear(k->m);
	if (dir == CLIENT)
		rpckit_write_call(k->m, 7, NULL, 8192);
	else
		rpckit_read_reply(k->m, 8, NULL, 8192);
	packetkit_send_fragments(k->p, k->d, dir, k->m->data,
	    (uint32_t)k->m->len, time_ns, 1, -1, reversed);
}

static void
fragments_have_the_direction_of_their_datagram(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	send_8k(k, CLIENT, 0, false);
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 6);
	send_8k(k, SERVER, 10, false);
	assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 6);
	k->p->port[SERVER] = 9999;	/* no NFS, and nothing like RPC */
	rpckit_clear(k->m);
	rpckit_opaque(k->m, NULL, 8192);
	packetkit_send_fragments(k->p, k->d, CLIENT, k->m->data,
	    (uint32_t)k->m->len, 20, 1, -1, false);
	assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 6);
	assert_int_equal(packets(k), 18);
	decoderkit_free(k);
}

static void
the_last_fragment_first_goes_by_the_hosts_that_are_known(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	/* Before anything is known only the first fragment has ports. */
	send_8k(k, CLIENT, 0, true);
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 1);
	assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 5);
	assert_int_equal(k->e.calls, 1);
	SAY_UDP(k, SERVER, 10, rpckit_write_reply(k->m, 7, 8192));
	decoderkit_forget(k);
	send_8k(k, CLIENT, 20, true);
	assert_int_equal(k->e.dir[SAMPLE_IN].packets, 6);
	send_8k(k, SERVER, 30, true);
	assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 6);
	decoderkit_free(k);
}

static void
fragments_that_make_no_datagram_are_counted_later(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	rpckit_clear(k->m);
	rpckit_write_call(k->m, 7, NULL, 8192);
	packetkit_send_fragments(k->p, k->d, CLIENT, k->m->data,
	    (uint32_t)k->m->len, 0, 1, 2, false);
	decoder_advance(k->d, 29 * SEC);
	assert_int_equal(k->e.counter[SAMPLE_IP_INCOMPLETE], 0);
	decoder_advance(k->d, 31 * SEC);
	assert_int_equal(k->e.counter[SAMPLE_IP_INCOMPLETE], 1);
	assert_int_equal(k->e.counter[SAMPLE_IP_FRAGMENTS], 5);
	assert_int_equal(k->e.counter[SAMPLE_EVICTED_DATAGRAMS], 0);
	decoderkit_free(k);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_conversation_is_the_same_in_every_wrapping),
		CASE(bytes_are_frame_lengths_on_the_wire),
		CASE(what_is_not_understood_is_a_packet_all_the_same),
		CASE(the_ends_of_a_pair_can_be_asked_for),
		CASE(wire_packets_come_from_the_mss_less_the_options),
		CASE(wire_packets_come_from_the_mtu_when_no_syn_was_seen),
		CASE(else_the_largest_ordinary_segment_is_what_a_packet_holds),
		CASE(a_full_frame_is_one_packet_on_every_link),
		CASE(fragments_have_the_direction_of_their_datagram),
		CASE(the_last_fragment_first_goes_by_the_hosts_that_are_known),
		CASE(fragments_that_make_no_datagram_are_counted_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

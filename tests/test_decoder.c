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
the_last_fragment_first_goes_by_the_hosts_once_they_are_known(void **state)
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
fragments_that_never_become_a_datagram_are_counted_after_a_while(void **state)
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

/* The same packet on two interfaces. */

static void
a_packet_on_two_interfaces_is_one_call(void **state)
{
	struct decoder_config config;
	struct decoderkit *k;
	uint16_t i;

	(void)state;
	decoder_config_init(&config);
	config.many_sources = true;
	k = decoderkit_new(&config);
	rpckit_clear(k->m);
	rpckit_getattr_call(k->m, 7);
	packetkit_udp(k->p, CLIENT, k->m->data, (uint32_t)k->m->len);
	for (i = 0; i < 2; i++) {
		k->p->ifindex = i;
		packetkit_push(k->p, k->d, i * 100 * US);
	}
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.resends, 0);
	assert_int_equal(k->e.counter[SAMPLE_COPIES], 1);
	assert_int_equal(packets(k), 2);
	/* On one interface it is a resend. */
	packetkit_push(k->p, k->d, 2 * SEC);
	packetkit_push(k->p, k->d, 3 * SEC);
	assert_int_equal(k->e.resends, 2);
	decoderkit_free(k);
}

static void
cooked_frames_name_their_interface_themselves(void **state)
{
	struct decoder_config config;
	struct decoderkit *k;
	uint16_t i;

	(void)state;
	decoder_config_init(&config);
	config.many_sources = true;
	k = decoderkit_new(&config);
	k->p->link = PACKETKIT_SLL2;
	for (i = 0; i < 2; i++) {
		k->p->ifindex = i;	/* in the header, too */
		k->p->id = 500;
		SAY_UDP(k, CLIENT, i, rpckit_getattr_call(k->m, 7));
	}
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.resends, 0);
	decoderkit_free(k);
}

/* Time. */

static void
after_a_clock_step_nothing_is_waited_for_and_all_goes_on(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	packetkit_open(k->p, k->d, 5000 * SEC);
	SAY(k, CLIENT, 5001 * SEC, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, CLIENT, 5001 * SEC, rpckit_getattr_call(k->m, 8));
	decoder_flush(k->d);
	assert_int_equal(k->e.gone, 2);
	assert_int_equal(k->e.outstanding, 0);
	assert_int_equal(k->e.open_calls, 0);
	decoderkit_forget(k);
	SAY(k, SERVER, 1400 * SEC, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(k->e.replies, 0);
	SAY(k, CLIENT, 1401 * SEC, rpckit_getattr_call(k->m, 9));
	SAY(k, SERVER, 1402 * SEC, rpckit_getattr_reply(k->m, 9));
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.replies, 1);
	assert_int_equal(k->e.server_ns, 1 * SEC);
	assert_int_equal(k->e.dir[SAMPLE_OTHER].packets, 0);
	/* Age counts from the new time. */
	SAY_UDP(k, CLIENT, 1410 * SEC, rpckit_getattr_call(k->m, 10));
	decoder_advance(k->d, 1460 * SEC);
	assert_int_equal(k->e.gone, 0);
	decoder_advance(k->d, 1471 * SEC);
	assert_int_equal(k->e.gone, 1);
	decoderkit_free(k);
}

static void
packets_themselves_make_time_pass(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	SAY_UDP(k, CLIENT, 0, rpckit_getattr_call(k->m, 7));
	k->p->port[SERVER] = 53;
	SAY_UDP(k, CLIENT, 70 * SEC, rpckit_u32(k->m, 1));
	assert_int_equal(k->e.gone, 1);
	decoderkit_free(k);
}

/* Bounds. */

static void
flows_that_were_kept_are_counted_when_they_are_evicted(void **state)
{
	struct decoder_config config;
	struct decoderkit *k;
	uint16_t i;

	(void)state;
	decoder_config_init(&config);
	config.max_flows = 4;
	k = decoderkit_new(&config);
	for (i = 0; i < 6; i++) {
		k->p->port[CLIENT] = (uint16_t)(700 + i);
		SAY_UDP(k, CLIENT, i, rpckit_getattr_call(k->m, i));
	}
	assert_int_equal(k->e.counter[SAMPLE_EVICTED_FLOWS], 2);
	k->p->port[SERVER] = 53;	/* these are never kept */
	for (i = 0; i < 100; i++) {
		k->p->port[CLIENT] = (uint16_t)(1700 + i);
		SAY_UDP(k, CLIENT, 10 + i, rpckit_u32(k->m, i));
	}
	assert_int_equal(k->e.counter[SAMPLE_EVICTED_FLOWS], 2);
	decoderkit_free(k);
}

static void
datagrams_that_go_for_want_of_room_are_counted_as_such(void **state)
{
	struct decoder_config config;
	struct decoderkit *k;
	int i;

	(void)state;
	decoder_config_init(&config);
	config.max_datagrams = 4;
	k = decoderkit_new(&config);
	for (i = 0; i < 6; i++) {
		rpckit_clear(k->m);
		rpckit_write_call(k->m, 7, NULL, 8192);
		packetkit_send_fragments(k->p, k->d, CLIENT, k->m->data,
		    (uint32_t)k->m->len, i * MS, 1, 3, false);
	}
	assert_int_equal(k->e.counter[SAMPLE_IP_INCOMPLETE], 2);
	assert_int_equal(k->e.counter[SAMPLE_EVICTED_DATAGRAMS], 2);
	decoderkit_free(k);
}

/* Frames cut at any byte, or with any bit flipped. */

struct flips {
	struct decoderkit *k;
	int		linktype;
	uint64_t	n;
};

static void
push_bytes(struct flips *f, struct bytes b, uint32_t wire_len)
{
	struct packet pkt = { .data = b, .wire_len = wire_len,
	    .linktype = f->linktype, .time_ns = (int64_t)++f->n };

	decoder_push(f->k->d, &pkt);
	assert_int_equal(packets(f->k), f->n);
}

static void
push_prefix(void *ctx, struct bytes b)
{
	push_bytes(ctx, b, ((struct flips *)ctx)->k->p->len);
}

static void
push_flipped(void *ctx, struct bytes b, size_t bit)
{
	(void)bit;
	push_bytes(ctx, b, (uint32_t)b.len);
}

static void
no_prefix_and_no_bit_of_a_frame_does_harm(void **state)
{
	struct packetkit_tcp t = { .seq = 1, .ack = 2, .mss = 1460,
	    .flags = TCP_SYN, .wscale = 7, .timestamps = true };
	struct decoderkit *k = decoderkit_new(NULL);
	struct flips f = { .k = k, .linktype = 1 };
	int kind;

	(void)state;
	k->e.no_words = true;
	for (kind = 0; kind < 8; kind++) {
		k->p->v6 = kind % 2 != 0;
		rpckit_clear(k->m);
		if (kind / 2 == 0)
			RPCKIT_RECORD(k->m, rpckit_write_call(k->m, 7, NULL,
			    10));
		else
			rpckit_write_call(k->m, 7, NULL, 10);
		if (kind / 2 == 0) {
			t.flags = TCP_ACK;
			packetkit_tcp(k->p, CLIENT, &t, k->m->data,
			    (uint32_t)k->m->len);
		} else if (kind / 2 == 1)
			packetkit_udp(k->p, CLIENT, k->m->data,
			    (uint32_t)k->m->len);
		else if (kind / 2 == 2) {
			uint8_t datagram[400];
			uint32_t n = packetkit_datagram(k->p, CLIENT,
			    k->m->data, (uint32_t)k->m->len, datagram);

			packetkit_fragment(k->p, CLIENT, datagram, n, 0, 80,
			    5);
		} else {
			t.flags = TCP_SYN;
			packetkit_tcp(k->p, CLIENT, &t, NULL, 0);
		}
		for_every_prefix(k->p->frame, k->p->len, push_prefix, &f);
		for_every_bit_flip(k->p->frame, k->p->len, push_flipped, &f);
	}
	decoder_flush(k->d);
	decoderkit_free(k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_conversation_is_the_same_in_every_wrapping),
		cmocka_unit_test(bytes_are_frame_lengths_on_the_wire),
		cmocka_unit_test(what_is_not_understood_is_a_packet_all_the_same),
		cmocka_unit_test(the_ends_of_a_pair_can_be_asked_for),
		cmocka_unit_test(wire_packets_come_from_the_mss_less_the_options),
		cmocka_unit_test(wire_packets_come_from_the_mtu_when_no_syn_was_seen),
		cmocka_unit_test(else_the_largest_ordinary_segment_is_what_a_packet_holds),
		cmocka_unit_test(a_full_frame_is_one_packet_on_every_link),
		cmocka_unit_test(fragments_have_the_direction_of_their_datagram),
		cmocka_unit_test(the_last_fragment_first_goes_by_the_hosts_once_they_are_known),
		cmocka_unit_test(fragments_that_never_become_a_datagram_are_counted_after_a_while),
		cmocka_unit_test(a_packet_on_two_interfaces_is_one_call),
		cmocka_unit_test(cooked_frames_name_their_interface_themselves),
		cmocka_unit_test(after_a_clock_step_nothing_is_waited_for_and_all_goes_on),
		cmocka_unit_test(packets_themselves_make_time_pass),
		cmocka_unit_test(flows_that_were_kept_are_counted_when_they_are_evicted),
		cmocka_unit_test(datagrams_that_go_for_want_of_room_are_counted_as_such),
		cmocka_unit_test(no_prefix_and_no_bit_of_a_frame_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

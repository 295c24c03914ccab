/* SPDX-License-Identifier: ISC */
/*
 * test_decoder_limits.c: interfaces, time and room: twins, clock steps and
 * evictions; and frames cut or damaged at any place.
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

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_packet_on_two_interfaces_is_one_call),
		CASE(cooked_frames_name_their_interface_themselves),
		CASE(after_a_clock_step_nothing_is_waited_for_and_all_goes_on),
		CASE(packets_themselves_make_time_pass),
		CASE(flows_that_were_kept_are_counted_when_they_are_evicted),
		CASE(datagrams_that_go_for_want_of_room_are_counted_as_such),
		CASE(no_prefix_and_no_bit_of_a_frame_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

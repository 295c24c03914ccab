/* SPDX-License-Identifier: ISC */
/*
 * test_decoder_wire.c: frames as real links and offload make them, through the
 * whole decoder: total length 0, trailers and padding, jumbo frames.
 */
#include "decoder.h"

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
#include "transport.h"

#define C	PACKETKIT_CLIENT
#define S	PACKETKIT_SERVER

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

/* A segment, not yet pushed; mss makes it a SYN. */
static void
segment(struct scene *s, int dir, uint16_t mss, const void *data, uint32_t len)
{
	struct packetkit_tcp t = { .seq = s->k->seq[dir],
	    .ack = s->k->seq[!dir], .flags = TCP_ACK, .window = 65535,
	    .timestamps = s->k->timestamps, .mss = mss };

	if (mss != 0) {
		t.seq--;
		t.flags = dir == C ? TCP_SYN : TCP_SYN | TCP_ACK;
	}
	packetkit_tcp(s->k, dir, &t, data, len);
	s->k->seq[dir] += len;
}

static void
push(struct scene *s)
{
	packetkit_push(s->k, s->d, s->now_ns += 1000);
}

static void
connect_with(struct scene *s, uint16_t mss)
{
	segment(s, C, mss, NULL, 0);
	push(s);
	segment(s, S, mss, NULL, 0);
	push(s);
}

/* A WRITE in segments of so many bytes; its number of segments. */
static unsigned int
write_in(struct scene *s, uint32_t data, uint32_t size)
{
	unsigned int n = 0;
	uint32_t at, len;

	RPCKIT_RECORD(s->m, rpckit_write_call(s->m, 7, NULL, data));
	for (at = 0; at < s->m->len; at += len) {
		len = (uint32_t)s->m->len - at;
		len = len < size ? len : size;
		segment(s, C, 0, s->m->data + at, len);
		push(s);
		n++;
	}
	rpckit_clear(s->m);
	return n;
}

/* MTU 9000: MSS 8960, 8948 with timestamps. */
static void
jumbo_frames_are_one_wire_packet_each(void **state)
{
	struct scene *s = *state;
	unsigned int n;

	s->k->timestamps = true;
	connect_with(s, 8960);
	n = write_in(s, 65536, 8948);
	assert_int_equal(n, 8);		/* 65660 / 8948 */
	assert_int_equal(s->e.written, 65536);
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 1 + n);
	assert_int_equal(s->e.dir[SAMPLE_IN].wire_packets, 1 + n);
	assert_int_equal(s->e.dir[SAMPLE_IN].wire_bytes,
	    s->e.dir[SAMPLE_IN].bytes);
}

static void
merged_jumbo_frames_are_as_many_as_they_were(void **state)
{
	struct scene *s = *state;

	s->k->timestamps = true;
	connect_with(s, 8960);
	write_in(s, 60000, 65000);	/* 60124 / 8948 = 6.7 */
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 2);
	assert_int_equal(s->e.dir[SAMPLE_IN].wire_packets, 1 + 7);
	/* Ethernet 14, IPv4 20, TCP 32, six times more; the SYN once */
	assert_int_equal(s->e.dir[SAMPLE_IN].wire_bytes,
	    s->e.dir[SAMPLE_IN].bytes + 6 * 66);
}

/* IPv4 total length 0, as a sender with TSO shows it to a capture. */
static void
a_total_length_of_zero_costs_nothing(void **state)
{
	struct scene *s = *state;

	connect_with(s, 1460);
	RPCKIT_RECORD(s->m, rpckit_write_call(s->m, 7, NULL, 32768));
	segment(s, C, 0, s->m->data, (uint32_t)s->m->len);
	s->k->frame[16] = s->k->frame[17] = 0;
	push(s);
	rpckit_clear(s->m);
	RPCKIT_RECORD(s->m, rpckit_write_reply(s->m, 7, 32768));
	segment(s, S, 0, s->m->data, (uint32_t)s->m->len);
	push(s);
	assert_string_equal(s->e.text, "call 7, done 7, reply 7, replied 7");
	assert_int_equal(s->e.written, 32768);
	assert_int_equal(s->e.dir[SAMPLE_IN].packets, 2);
	assert_int_equal(s->e.dir[SAMPLE_IN].wire_packets, 1 + 23);
	assert_int_equal(s->e.counter[SAMPLE_BAD_IP], 0);
	assert_int_equal(s->e.counter[SAMPLE_TCP_LOST_BYTES], 0);
}

/* Bytes behind the packet; they are on the wire, but nobody's payload. */
static void
trail(struct scene *s, uint32_t len)
{
	memset(s->k->frame + s->k->len, 0x80, len);
	s->k->len += len;
}

static void
padding_and_trailers_are_bytes_but_no_payload(void **state)
{
	struct scene *s = *state;
	unsigned int i;

	connect_with(s, 1460);
	for (i = 0; i < 3; i++) {
		segment(s, C, 0, NULL, 0);	/* a bare ACK: 54 bytes */
		trail(s, 6);			/* IEEE 802.3: at least 60 */
		push(s);
		RPCKIT_RECORD(s->m, rpckit_getattr_call(s->m, 10 + i));
		segment(s, C, 0, s->m->data, (uint32_t)s->m->len);
		trail(s, 28);			/* a switch's time stamps */
		push(s);
		rpckit_clear(s->m);
		RPCKIT_RECORD(s->m, rpckit_getattr_reply(s->m, 10 + i));
		segment(s, S, 0, s->m->data, (uint32_t)s->m->len);
		trail(s, 4);			/* the FCS */
		push(s);
		rpckit_clear(s->m);
	}
	assert_int_equal(s->e.replied, 3);
	assert_int_equal(s->e.counter[SAMPLE_TCP_RESYNCS], 0);
	assert_int_equal(s->e.counter[SAMPLE_TCP_RETRANSMITS], 0);
	/* SYN 58, ACKs, calls of 4 + 100 bytes */
	assert_int_equal(s->e.dir[SAMPLE_IN].bytes, 58 + 3 * 60 +
	    3 * (54 + 4 + RPCKIT_GETATTR_CALL + 28));
}

static void
padding_of_a_datagram_is_no_part_of_it(void **state)
{
	struct scene *s = *state;

	rpckit_getattr_call(s->m, 7);
	packetkit_udp(s->k, C, s->m->data, (uint32_t)s->m->len);
	trail(s, 18);
	push(s);
	assert_string_equal(s->e.text, "call 7, done 7");
	assert_int_equal(s->e.dir[SAMPLE_IN].bytes,
	    14 + 20 + 8 + RPCKIT_GETATTR_CALL + 18);
}

#define CASE(name)	cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(jumbo_frames_are_one_wire_packet_each),
		CASE(merged_jumbo_frames_are_as_many_as_they_were),
		CASE(a_total_length_of_zero_costs_nothing),
		CASE(padding_and_trailers_are_bytes_but_no_payload),
		CASE(padding_of_a_datagram_is_no_part_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

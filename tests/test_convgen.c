/* SPDX-License-Identifier: ISC */
/*
 * test_convgen.c: tests of the conversation generator: what it says of a
 * conversation is held against the packets by simpler means.
 */
#include "convgen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ip.h"
#include "link.h"
#include "pcapout.h"
#include "transport.h"

#define STREAMS_MAX	64
#define STREAM_BYTES	(1U << 20)

static unsigned int
profile(const char *name)
{
	int p = convgen_profile_find(name);

	assert_true(p >= 0);
	return (unsigned int)p;
}

static uint64_t
hash(uint64_t h, const void *data, size_t len)
{
	const uint8_t *p = data;

	while (len-- > 0)
		h = (h ^ *p++) * UINT64_C(0x100000001b3);
	return h;
}

/* Everything that a conversation gives, as one number. */
static uint64_t
digest(struct convgen *g, uint64_t seed, unsigned int p)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	struct packet pkt;
	size_t i;

	convgen_make(g, seed, p);
	for (i = 0; i < convgen_packets(g); i++) {
		convgen_packet(g, i, &pkt);
		h = hash(h, &pkt.time_ns, sizeof(pkt.time_ns));
		h = hash(h, &pkt.wire_len, sizeof(pkt.wire_len));
		h = hash(h, pkt.data.data, pkt.data.len);
	}
	return hash(h, convgen_truth(g), sizeof(struct convgen_truth));
}

static void
a_seed_gives_the_same_conversation_every_time(void **state)
{
	struct convgen *a = convgen_new(), *b = convgen_new();
	unsigned int p;
	uint64_t seed;

	(void)state;
	for (p = 0; p < convgen_profiles(); p++)
		for (seed = 1; seed <= 8; seed++) {
			/* b has made something else before */
			convgen_make(b, seed + 100, p);
			assert_int_equal(digest(a, seed, p),
			    digest(b, seed, p));
			assert_int_not_equal(digest(a, seed, p),
			    digest(a, seed + 1, p));
		}
	convgen_free(a);
	convgen_free(b);
}

static void
every_row_has_its_key_back(void **state)
{
	struct convgen_key key;
	unsigned int row;

	(void)state;
	for (row = 0; convgen_row_key(row, &key); row++)
		assert_int_equal(convgen_row_of(key.table, key.num), row);
	assert_true(row <= CONVGEN_ROWS);
	/* RFC 1813: WRITE is procedure 7; RFC 8881: and operation 38. */
	assert_true(convgen_row_key((unsigned int)convgen_row_of(
	    CONVGEN_NFS3, 7), &key));
	assert_int_equal(key.prog, 100003);
	assert_int_equal(key.vers, 3);
	assert_int_equal(convgen_row_of(CONVGEN_NFS4_OP, 10044), -1);
}

static void
assert_bounded(struct convgen_range r)
{
	assert_true(r.lo <= r.hi);
}

static void
no_lower_bound_is_above_its_upper_bound(void **state)
{
	struct convgen *g = convgen_new();
	const struct convgen_truth *t = convgen_truth(g);
	unsigned int p, i;
	uint64_t seed;

	(void)state;
	for (p = 0; p < convgen_profiles(); p++)
		for (seed = 1; seed <= 60; seed++) {
			convgen_make(g, seed, p);
			for (i = 0; i < CONVGEN_ROWS; i++) {
				assert_bounded(t->row[i].calls);
				assert_bounded(t->row[i].replies);
				assert_bounded(t->row[i].errors);
				assert_bounded(t->row[i].retransmits);
				assert_bounded(t->row[i].bytes);
			}
			assert_bounded(t->unmatched);
			assert_bounded(t->incomplete);
			assert_bounded(t->lost_bytes);
			assert_bounded(t->resyncs);
			assert_true(t->calls.lo <= t->sent_calls);
			assert_true(t->replies.lo + t->unmatched.lo <=
			    t->sent_replies);
			assert_true(t->calls.lo + t->retransmits.lo <=
			    t->sent_calls + t->sent_resends);
		}
	convgen_free(g);
}

/* What the sent messages come to when nothing is lost or doubled. */
static void
an_unhurt_conversation_is_known_exactly(void **state)
{
	static const char *const names[] = { "clean", "pieces", "lookalike" };
	struct convgen *g = convgen_new();
	const struct convgen_truth *t = convgen_truth(g);
	unsigned int i;
	uint64_t seed;

	(void)state;
	for (i = 0; i < 3; i++)
		for (seed = 1; seed <= 60; seed++) {
			convgen_make(g, seed, profile(names[i]));
			assert_int_equal(t->calls.lo, t->sent_calls);
			assert_int_equal(t->calls.hi, t->sent_calls);
			assert_int_equal(t->replies.lo, t->sent_replies);
			assert_int_equal(t->replies.hi, t->sent_replies);
			assert_int_equal(t->retransmits.lo, t->sent_resends);
			assert_int_equal(t->retransmits.hi, t->sent_resends);
			assert_int_equal(t->unmatched.hi, 0);
			assert_int_equal(t->incomplete.hi, 0);
			assert_int_equal(t->lost_bytes.hi, 0);
			assert_int_equal(t->resyncs.hi, 0);
			assert_int_equal(t->truncated, 0);
			if (t->sent_resends == 0)
				assert_true(t->exact);
		}
	convgen_free(g);
}

static void
packets_and_bytes_add_up(void **state)
{
	struct convgen *g = convgen_new();
	const struct convgen_truth *t = convgen_truth(g);
	uint64_t bytes, cut, seed;
	struct packet pkt;
	unsigned int p;
	size_t i;

	(void)state;
	for (p = 0; p < convgen_profiles(); p++)
		for (seed = 1; seed <= 10; seed++) {
			convgen_make(g, seed, p);
			bytes = cut = 0;
			for (i = 0; i < convgen_packets(g); i++) {
				convgen_packet(g, i, &pkt);
				bytes += pkt.wire_len;
				cut += pkt.data.len < pkt.wire_len;
				assert_true(pkt.data.len <= pkt.wire_len);
			}
			assert_int_equal(convgen_packets(g), t->packets);
			assert_int_equal(bytes, t->bytes);
			assert_int_equal(cut, t->truncated);
			assert_true(t->in_packets <= t->packets);
		}
	convgen_free(g);
}

/* TCP streams put together by sequence number, and messages counted. */
struct stream {
	struct addr	src, dst;
	uint16_t	sport, dport;
	uint32_t	isn, len;
	uint8_t		*data;
};

struct counted {
	struct stream	stream[STREAMS_MAX];
	unsigned int	streams;
	uint64_t	calls, replies;
};

static struct stream *
find_stream(struct counted *c, const struct ip_packet *ip,
    const struct segment *s)
{
	struct stream *t;
	unsigned int i;

	for (i = 0; i < c->streams; i++) {
		t = &c->stream[i];
		if (addr_equal(&t->src, &ip->src) && t->sport == s->sport &&
		    addr_equal(&t->dst, &ip->dst) && t->dport == s->dport)
			return t;
	}
	assert_true(c->streams < STREAMS_MAX);
	assert_true((s->flags & TCP_SYN) != 0);
	t = &c->stream[c->streams++];
	t->src = ip->src;
	t->dst = ip->dst;
	t->sport = s->sport;
	t->dport = s->dport;
	t->isn = s->seq;
	t->len = 0;
	t->data = calloc(1, STREAM_BYTES);
	assert_non_null(t->data);
	return t;
}

static void
count_message(struct counted *c, const uint8_t *m)
{
	if (bytes_be32(m + 4) == 0)
		c->calls++;
	else
		c->replies++;
}

static void
take_packet(struct counted *c, const struct packet *pkt)
{
	struct link_frame frame;
	struct ip_packet ip;
	struct segment s;
	struct stream *t;
	uint32_t off;

	assert_int_equal(link_decode(pkt->linktype, pkt->data, &frame),
	    LINK_OK);
	assert_int_equal(ip_decode(frame.rest, pkt->wire_len -
	    frame.header_len, &ip), IP_OK);
	if (ip.proto == IP_PROTO_UDP) {
		if (ip.frag_offset == 0)
			count_message(c, ip.payload.data + 8);
		return;
	}
	assert_int_equal(transport_decode(ip.proto, ip.payload,
	    ip.payload_len, &s), TRANSPORT_OK);
	t = find_stream(c, &ip, &s);
	if (s.payload.len == 0)
		return;
	off = s.seq - t->isn - 1;	/* wraps with the numbers */
	assert_true(off + s.payload.len <= STREAM_BYTES);
	memcpy(t->data + off, s.payload.data, s.payload.len);
	if (off + s.payload.len > t->len)
		t->len = (uint32_t)(off + s.payload.len);
}

/* RFC 5531 11: the first fragment of each record begins a message. */
static void
count_records(struct counted *c, const struct stream *t)
{
	uint32_t at = 0, mark;
	uint8_t head[8];
	size_t have = 0, n;

	while (at < t->len) {
		mark = bytes_be32(t->data + at);
		at += 4;
		n = mark & 0x7fffffff;
		if (have < sizeof(head) && n > 0) {
			if (n > sizeof(head) - have)
				n = sizeof(head) - have;
			memcpy(head + have, t->data + at, n);
			have += n;
		}
		at += mark & 0x7fffffff;
		if ((mark & 0x80000000) != 0) {
			assert_int_equal(have, sizeof(head));
			count_message(c, head);
			have = 0;
		}
	}
	assert_int_equal(at, t->len);
}

static void
the_packets_hold_the_messages_that_are_told(void **state)
{
	static const char *const names[] = { "clean", "pieces", "lookalike" };
	struct convgen *g = convgen_new();
	const struct convgen_truth *t = convgen_truth(g);
	struct counted c;
	struct packet pkt;
	unsigned int i, j;
	uint64_t seed;
	size_t k;

	(void)state;
	for (i = 0; i < 3; i++)
		for (seed = 1; seed <= 40; seed++) {
			convgen_make(g, seed, profile(names[i]));
			memset(&c, 0, sizeof(c));
			for (k = 0; k < convgen_packets(g); k++) {
				convgen_packet(g, k, &pkt);
				take_packet(&c, &pkt);
			}
			for (j = 0; j < c.streams; j++) {
				count_records(&c, &c.stream[j]);
				free(c.stream[j].data);
			}
			assert_int_equal(c.calls, t->sent_calls +
			    t->sent_resends);
			assert_int_equal(c.replies, t->sent_replies);
		}
	convgen_free(g);
}

static void
a_hole_in_a_stream_is_told_as_lost_bytes(void **state)
{
	struct convgen *g = convgen_new();
	const struct convgen_truth *t = convgen_truth(g);
	unsigned int holes = 0, shown = 0;
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 200; seed++) {
		convgen_make(g, seed, profile("capture-loss"));
		if (t->calls.lo == t->sent_calls)
			continue;
		holes++;
		shown += t->lost_bytes.lo + t->incomplete.lo +
		    t->unmatched.lo > 0;
	}
	assert_true(holes > 20);
	/* The rest was lost at an end, or with all that answered it. */
	assert_true(shown * 10 > holes * 8);
	convgen_free(g);
}

/* draft-ietf-opsawg-pcap: magic, version 2.4, two zeros, length, link type. */
static void
a_pcap_header_is_in_the_order_that_was_asked_for(void **state)
{
	static const uint8_t little[] = { 0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0,
		0, 0, 0, 0, 0, 0, 0, 0, 0x60, 0, 0, 0, 0x71, 0, 0, 0 };
	static const uint8_t big[] = { 0xa1, 0xb2, 0x3c, 0x4d, 0, 2, 0, 4,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 1 };
	/* second 1, 2000000 ns; 3 of 60 bytes */
	static const uint8_t record[] = { 0, 0, 0, 1, 0, 0x1e, 0x84, 0x80,
		0, 0, 0, 3, 0, 0, 0, 60 };
	static const uint8_t us[] = { 1, 0, 0, 0, 0xd0, 7, 0, 0, 3, 0, 0, 0,
		60, 0, 0, 0 };
	struct pcapout_format f = { .linktype = 113, .snaplen = 96 };
	const struct packet p = { .time_ns = 1002000000,
		.data = { (const uint8_t *)"abc", 3 }, .wire_len = 60 };
	uint8_t got[PCAPOUT_HEADER_LEN];

	(void)state;
	pcapout_header(got, &f);
	assert_memory_equal(got, little, sizeof(little));
	pcapout_record(got, &f, &p);
	assert_memory_equal(got, us, sizeof(us));
	f = (struct pcapout_format){ .big_endian = true, .nanoseconds = true,
		.linktype = 1 };
	pcapout_header(got, &f);
	assert_memory_equal(got, big, sizeof(big));
	pcapout_record(got, &f, &p);
	assert_memory_equal(got, record, sizeof(record));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_seed_gives_the_same_conversation_every_time),
		cmocka_unit_test(every_row_has_its_key_back),
		cmocka_unit_test(no_lower_bound_is_above_its_upper_bound),
		cmocka_unit_test(an_unhurt_conversation_is_known_exactly),
		cmocka_unit_test(packets_and_bytes_add_up),
		cmocka_unit_test(the_packets_hold_the_messages_that_are_told),
		cmocka_unit_test(a_hole_in_a_stream_is_told_as_lost_bytes),
		cmocka_unit_test(
		    a_pcap_header_is_in_the_order_that_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

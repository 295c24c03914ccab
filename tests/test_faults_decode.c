/* SPDX-License-Identifier: ISC */
/*
 * test_faults_decode.c: faults that others met in decoding RPC, each as what
 * must come of it here.  The numbers are the rows of tests/faults.md.
 */
#include "decoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decoderkit.h"
#include "sampler.h"
#include "transport.h"

#define NFS		100003U
#define MOUNT		100005U
#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

/* An RPC_AUTH_NONE call without arguments. */
static void
bare_call(struct rpckit *m, uint32_t xid, uint32_t prog, uint32_t vers,
    uint32_t proc)
{
	m->flavor = RPCKIT_NONE;
	rpckit_call(m, xid, prog, vers, proc);
}

/* Row 1: number 1 was looked up without asking for the version. */
static void
the_version_says_what_a_procedure_number_means(void **state)
{
	static const struct {
		uint32_t	prog, vers, proc;
		const char	*op;
	} calls[] = {
		{ NFS, 2, 1, "GETATTR" }, { NFS, 3, 1, "GETATTR" },
		{ NFS, 4, 1, "COMPOUND" }, { NFS, 2, 8, "WRITE" },
		{ NFS, 3, 8, "CREATE" }, { NFS, 3, 7, "WRITE" },
		{ MOUNT, 3, 1, "MNT" }, { 100021, 4, 1, "TEST" },
		{ 100000, 2, 1, "SET" }, { 100227, 3, 1, "GETACL" },
		{ 0x40000000, 1, 1, "CB_COMPOUND" }
	};
	struct decoderkit *k = decoderkit_new(NULL);
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(calls); i++) {
		decoderkit_forget(k);
		SAY_UDP(k, CLIENT, (int64_t)i, bare_call(k->m, (uint32_t)i,
		    calls[i].prog, calls[i].vers, calls[i].proc));
		assert_int_equal(k->e.calls, 1);
		assert_string_equal(nfs_op_name(k->e.call.op), calls[i].op);
	}
	decoderkit_free(k);
}

/* Row 4: what the first packet of a stream carried was thrown away. */

static void
send_flags(struct decoderkit *k, uint8_t flags, int64_t time)
{
	const struct packetkit_tcp t = { .seq = k->p->seq[CLIENT],
	    .ack = k->p->seq[SERVER], .flags = flags, .window = 65535 };

	packetkit_tcp(k->p, CLIENT, &t, k->m->data, (uint32_t)k->m->len);
	packetkit_push(k->p, k->d, time);
	k->p->seq[CLIENT] += (uint32_t)k->m->len +
	    ((flags & TCP_SYN) != 0);
}

static void
first_call_with(uint8_t flags, bool open)
{
	struct decoderkit *k = decoderkit_new(NULL);

	if (open)
		packetkit_open(k->p, k->d, 0);
	RPCKIT_RECORD(k->m, rpckit_null_call(k->m, 7));
	send_flags(k, flags, 1);
	SAY(k, SERVER, 2, rpckit_reply(k->m, 7));
	assert_string_equal(k->e.text, "call 7, done 7, reply 7, replied 7");
	assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES], 0);
	decoderkit_free(k);
}

static void
the_call_in_the_first_packet_of_a_connection_counts(void **state)
{
	(void)state;
	first_call_with(TCP_ACK | TCP_PSH, true);
	/* The capture began after the connection. */
	first_call_with(TCP_ACK | TCP_PSH, false);
	/* RFC 9293 sec. 3.4: a SYN may carry data (RFC 7413 does so). */
	first_call_with(TCP_SYN, false);
	/* The first call is the last thing that the client says. */
	first_call_with(TCP_ACK | TCP_FIN, true);
}

/* Row 6: the second segment of a message was read as the start of one. */
static void
a_message_without_one_segment_costs_no_more_than_itself(void **state)
{
	const uint32_t size = 1448, wsize = 32768;
	uint32_t lost, at, n, total;

	(void)state;
	for (lost = 0; lost < 23; lost++) {
		struct decoderkit *k = decoderkit_new(NULL);

		packetkit_open(k->p, k->d, 0);
		RPCKIT_RECORD(k->m, rpckit_write_call(k->m, 7, NULL, wsize));
		total = (uint32_t)k->m->len;
		for (at = 0; at < total; at += n) {
			n = total - at < size ? total - at : size;
			if (at / size == lost)
				packetkit_lose(k->p, CLIENT, n);
			else
				packetkit_send(k->p, k->d, CLIENT,
				    k->m->data + at, n, 1 * MS);
		}
		SAY(k, SERVER, 2 * MS, rpckit_write_reply(k->m, 7, wsize));
		SAY(k, CLIENT, 3 * MS, rpckit_getattr_call(k->m, 8));
		SAY(k, SERVER, 4 * MS, rpckit_getattr_reply(k->m, 8));
		decoder_flush(k->d);
		assert_non_null(strstr(k->e.text, "call 8"));
		assert_non_null(strstr(k->e.text, "reply 8"));
		if (lost == 0) {	/* its header is gone */
			assert_int_equal(k->e.calls, 1);
			assert_int_equal(k->e.unmatched, 1);
			assert_string_equal(k->e.ops,
			    "8 GETATTR, 8 GETATTR ok");
		} else {
			assert_int_equal(k->e.calls, 2);
			assert_int_equal(k->e.unmatched, 0);
			assert_int_equal(k->e.written, wsize);
		}
		assert_int_equal(k->e.counter[SAMPLE_TCP_LOST_BYTES],
		    lost < total / size ? size : total % size);
		decoderkit_free(k);
	}
}

/* Row 7: one unknown operation, and all of its COMPOUND was malformed. */

static void
compound_of(struct rpckit *m, uint32_t xid, uint32_t first, uint32_t second)
{
	rpckit_call(m, xid, NFS, 4, 1);
	rpckit_u32(m, 0);		/* no tag */
	rpckit_u32(m, 2);		/* NFSv4.2 */
	rpckit_u32(m, 3);
	rpckit_u32(m, 24);		/* PUTROOTFH */
	rpckit_u32(m, first);
	if (first == 38) {		/* WRITE, RFC 8881 sec. 18.32 */
		rpckit_u32(m, 1);
		rpckit_bytes(m, "stateid 12 b", 12);
		rpckit_u64(m, 0);
		rpckit_u32(m, 0);
		rpckit_opaque(m, NULL, 4096);
	}
	rpckit_u32(m, second);
	rpckit_u32(m, 0xdeadbeef);	/* arguments of who knows what */
	rpckit_u32(m, 0x12345678);
}

static void
an_operation_that_is_not_known_spoils_only_what_is_behind_it(void **state)
{
	static const uint32_t unknown[] = { 0, 2, 76, 100, 10043, 0x80000000,
	    0xffffffff };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(unknown); i++) {
		struct decoderkit *k = decoderkit_new(NULL);

		packetkit_open(k->p, k->d, 0);
		SAY(k, CLIENT, 1, compound_of(k->m, 7, 38, unknown[i]));
		SAY(k, CLIENT, 2, compound_of(k->m, 8, unknown[i], 38));
		SAY(k, CLIENT, 3, rpckit_compound_write_call(k->m, 9, 100));
		assert_int_equal(k->e.calls, 3);
		assert_int_equal(k->e.dones, 3);
		/* Of 7 and of 9: that of 8 was left unread. */
		assert_int_equal(k->e.written, 4096 + 100);
		assert_non_null(strstr(k->e.ops, "7 PUTROOTFH, 7 WRITE 4096"));
		assert_non_null(strstr(k->e.ops, "8 PUTROOTFH"));
		assert_int_equal(k->e.counter[SAMPLE_RPC_UNKNOWN_OP], 2);
		assert_int_equal(k->e.counter[SAMPLE_RPC_BAD_XDR], 0);
		assert_int_equal(k->e.counter[SAMPLE_RPC_CUT], 0);
		assert_int_equal(k->e.counter[SAMPLE_TCP_RESYNCS], 0);
		decoderkit_free(k);
	}
}

/* Row 11: a header at an odd address stopped a strict machine. */
static void
frames_are_read_alike_at_any_address(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t shift;

	(void)state;
	for (shift = 0; shift < 8; shift++) {
		uint8_t *copy = malloc(PACKETKIT_MAX + 8);
		struct packet pkt = { .time_ns = 1, .linktype = 1 };

		assert_non_null(copy);
		decoderkit_forget(k);
		rpckit_clear(k->m);
		rpckit_write_call(k->m, 1 + shift, NULL, 1000);
		packetkit_udp(k->p, CLIENT, k->m->data, (uint32_t)k->m->len);
		memcpy(copy + shift, k->p->frame, k->p->len);
		pkt.data = bytes_of(copy + shift, k->p->len);
		pkt.wire_len = k->p->len;
		decoder_push(k->d, &pkt);
		free(copy);
		assert_int_equal(k->e.calls, 1);
		assert_int_equal(k->e.written, 1000);
		assert_string_equal(k->e.ops + 1, " WRITE 1000");
	}
	decoderkit_free(k);
}

/* Row 13: one call was seen in a packet that held many. */
static void
every_message_in_a_segment_counts(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t i;

	(void)state;
	packetkit_open(k->p, k->d, 0);
	for (i = 0; i < 8; i++)
		RPCKIT_RECORD(k->m, rpckit_getattr_call(k->m, i));
	for (i = 8; i < 16; i++)
		RPCKIT_RECORD(k->m, rpckit_write_call(k->m, i, NULL, 10));
	packetkit_send(k->p, k->d, CLIENT, k->m->data, (uint32_t)k->m->len, 1);
	rpckit_clear(k->m);
	for (i = 0; i < 8; i++)
		RPCKIT_RECORD(k->m, rpckit_getattr_reply(k->m, i));
	for (i = 8; i < 16; i++)
		RPCKIT_RECORD(k->m, rpckit_write_reply(k->m, i, 10));
	packetkit_send(k->p, k->d, SERVER, k->m->data, (uint32_t)k->m->len, 2);
	assert_int_equal(k->e.calls, 16);
	assert_int_equal(k->e.replied, 16);
	assert_int_equal(k->e.written, 80);
	decoderkit_free(k);
}

/* Row 14: RPC that is not read must not pass without a word. */

static uint64_t
elsewhere(const struct decoderkit *k)
{
	return k->e.counter[SAMPLE_RPC_ELSEWHERE];
}

static void
datagrams_like_rpc_that_are_not_read_are_counted(void **state)
{
	struct decoder_config config;
	struct decoderkit *k = decoderkit_new(NULL);

	(void)state;
	/* One half of the talk, on a port that nobody named. */
	k->p->port[SERVER] = 12049;
	SAY_UDP(k, SERVER, 1, rpckit_write_reply(k->m, 7, 8192));
	SAY_UDP(k, SERVER, 2, rpckit_getattr_reply(k->m, 8));
	assert_int_equal(elsewhere(k), 2);
	assert_string_equal(k->e.text, "");
	/* Calls say what it is. */
	SAY_UDP(k, CLIENT, 3, rpckit_getattr_call(k->m, 9));
	SAY_UDP(k, SERVER, 4, rpckit_getattr_reply(k->m, 9));
	SAY_UDP(k, SERVER, 5, rpckit_getattr_reply(k->m, 9));
	assert_int_equal(elsewhere(k), 2);
	decoderkit_free(k);

	decoder_config_init(&config);
	config.servers = 1;
	assert_true(addr_parse("10.77.0.99", &config.server[0]));
	k = decoderkit_new(&config);
	SAY_UDP(k, CLIENT, 1, rpckit_getattr_call(k->m, 7));
	SAY_UDP(k, SERVER, 2, rpckit_getattr_reply(k->m, 7));
	assert_int_equal(elsewhere(k), 2);
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 8));
	SAY(k, SERVER, 4, rpckit_getattr_reply(k->m, 8));
	assert_int_equal(elsewhere(k), 4);
	assert_string_equal(k->e.text, "");
	decoderkit_free(k);
}

static void
segments_like_rpc_that_are_not_read_are_counted(void **state)
{
	static const uint8_t text[1448] = "GET /captures/nfs.tar HTTP/1.1";
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t i;

	(void)state;
	/* In the middle of a large WRITE, on a port that nobody named. */
	k->p->port[SERVER] = 12049;
	for (i = 0; i < 255; i++)
		packetkit_send(k->p, k->d, CLIENT, text, sizeof(text), 1);
	assert_int_equal(elsewhere(k), 0);
	SAY(k, SERVER, 2, rpckit_write_reply(k->m, 7, 32768));
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 8));
	SAY(k, SERVER, 4, rpckit_getattr_reply(k->m, 8));
	assert_int_equal(elsewhere(k), 3);
	assert_string_equal(k->e.text, "");
	decoderkit_free(k);

	/* A call is seen before long: what follows is read. */
	k = decoderkit_new(NULL);
	k->p->port[SERVER] = 12049;
	for (i = 0; i < 20; i++)
		packetkit_send(k->p, k->d, CLIENT, text, sizeof(text), 1);
	SAY(k, CLIENT, 3, rpckit_getattr_call(k->m, 8));
	SAY(k, SERVER, 4, rpckit_getattr_reply(k->m, 8));
	assert_int_equal(elsewhere(k), 0);
	assert_int_equal(k->e.calls, 1);
	assert_int_equal(k->e.replies, 1);
	decoderkit_free(k);

	/* The port is named: it is read, whatever it looks like. */
	k = decoderkit_new(NULL);
	for (i = 0; i < 255; i++)
		packetkit_send(k->p, k->d, CLIENT, text, sizeof(text), 1);
	SAY(k, SERVER, 2, rpckit_write_reply(k->m, 7, 32768));
	assert_int_equal(elsewhere(k), 0);
	decoderkit_free(k);
}

/* Row 16: a procedure beyond the table's end was written beyond its end. */

static struct sample got;
static unsigned int samples;

static void
keep_sample(void *ctx, struct sample *s)
{
	(void)ctx;
	got = *s;
	samples++;
}

/* Whether the row of a procedure counts one call and one reply. */
static bool
counts_once(uint32_t prog, uint32_t vers, uint32_t proc)
{
	uint32_t i;

	for (i = 0; i < got.ops; i++)
		if (got.op[i].op == NFS_OP_NONE && got.op[i].prog == prog &&
		    got.op[i].vers == vers && got.op[i].proc == proc)
			return got.op[i].calls == 1 && got.op[i].replies == 1;
	return false;
}

static void
procedures_beyond_the_tables_count_by_their_numbers(void **state)
{
	/* The first number behind the last one of each RFC, and others. */
	static const struct {
		uint32_t	prog, vers, proc;
	} calls[] = {
		{ NFS, 3, 22 }, { NFS, 3, 30 }, { NFS, 3, 1024 },
		{ NFS, 2, 18 }, { NFS, 2, 32 }, { NFS, 4, 2 },
		{ MOUNT, 1, 6 }, { MOUNT, 2, 8 }, { MOUNT, 3, 6 },
		{ 100000, 2, 6 }, { 100000, 4, 13 }, { 100021, 4, 24 },
		{ 100024, 1, 7 }, { NFS, 5, 1 }, { NFS, 1, 0 },
		{ 100227, 2, 9 }
	};
	const struct sampler_config sc = { .interval_ns = SEC,
	    .emit = keep_sample };
	struct sampler *sampler = sampler_new(&sc);
	struct packetkit *p = packetkit_new();
	struct rpckit *m = rpckit_new();
	struct decoder_config dc;
	struct decoder *d;
	uint32_t i;

	(void)state;
	samples = 0;
	decoder_config_init(&dc);
	assert_non_null(sampler);
	d = decoder_new(&dc, sampler_listener(), sampler);
	assert_non_null(d);
	sampler_time(sampler, 0);
	for (i = 0; i < COUNT(calls); i++) {
		rpckit_clear(m);
		bare_call(m, i, calls[i].prog, calls[i].vers, calls[i].proc);
		packetkit_send_udp(p, d, CLIENT, m->data, (uint32_t)m->len,
		    i * MS);
		rpckit_clear(m);
		rpckit_reply(m, i);
		packetkit_send_udp(p, d, SERVER, m->data, (uint32_t)m->len,
		    i * MS + US);
	}
	sampler_finish(sampler, SEC);
	assert_int_equal(samples, 1);
	assert_true(got.rpc_calls == COUNT(calls));
	assert_true(got.rpc_replies == COUNT(calls));
	assert_int_equal(got.ops, COUNT(calls));
	assert_true(got.counter[SAMPLE_RPC_NOT_RPC] == 0);
	assert_true(got.counter[SAMPLE_OPS_LOST] == 0);
	for (i = 0; i < COUNT(calls); i++)
		assert_true(counts_once(calls[i].prog, calls[i].vers,
		    calls[i].proc));
	decoder_free(d);
	sampler_free(sampler);
	free(m);
	free(p);
}

/* Row 18: a client's port that another protocol is known by. */
static void
the_server_is_at_the_nfs_port_whatever_the_client_port(void **state)
{
	static const uint16_t ports[] = { 1, 53, 80, 111, 123, 443, 912, 993,
	    1023, 2048, 2050, 4789, 4791, 6081, 20048, 51820, 65535 };
	struct decoderkit *k;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(ports); i++) {
		k = decoderkit_new(NULL);
		k->p->port[CLIENT] = ports[i];
		SAY_UDP(k, CLIENT, 1, rpckit_write_call(k->m, 7, NULL, 100));
		SAY_UDP(k, SERVER, 2, rpckit_write_reply(k->m, 7, 100));
		SAY(k, CLIENT, 3, rpckit_write_call(k->m, 8, NULL, 100));
		SAY(k, SERVER, 4, rpckit_write_reply(k->m, 8, 100));
		packetkit_flags(k->p, k->d, SERVER, TCP_ACK, 5);
		if (k->e.calls != 2 || k->e.replied != 2)
			fail_msg("port %d: %s", ports[i], k->e.text);
		assert_int_equal(k->e.dir[SAMPLE_IN].packets, 2);
		assert_int_equal(k->e.dir[SAMPLE_OUT].packets, 3);
		assert_int_equal(k->e.server.b[15], 1);
		decoderkit_free(k);
	}
}

/* Row 43: every packet was seen twice, by a mirror or below a bond. */

static void
push_twice(struct decoderkit *k, int64_t time)
{
	packetkit_push(k->p, k->d, time);
	packetkit_push(k->p, k->d, time + 4 * US);
}

/* What is in k->m as one segment; the ACK of the other side's with it. */
static void
say_twice(struct decoderkit *k, int dir, int64_t time)
{
	const struct packetkit_tcp t = { .seq = k->p->seq[dir],
	    .ack = k->p->seq[!dir], .flags = TCP_ACK, .window = 65535 };

	packetkit_tcp(k->p, dir, &t, k->m->data, (uint32_t)k->m->len);
	push_twice(k, time);
	k->p->seq[dir] += (uint32_t)k->m->len;
}

static void
over_tcp_a_mirrored_packet_changes_no_count(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t i;

	(void)state;
	for (i = 0; i < 50; i++) {
		rpckit_clear(k->m);
		RPCKIT_RECORD(k->m, rpckit_write_call(k->m, i, NULL, 1000));
		say_twice(k, CLIENT, 1 + i * MS);
		rpckit_clear(k->m);
		RPCKIT_RECORD(k->m, rpckit_write_reply(k->m, i, 1000));
		say_twice(k, SERVER, 1 + i * MS + 100 * US);
	}
	assert_int_equal(k->e.calls, 50);
	assert_int_equal(k->e.replies, 50);
	assert_int_equal(k->e.written, 50000);
	assert_int_equal(k->e.resends, 0);
	assert_int_equal(k->e.duplicates, 0);
	assert_int_equal(k->e.counter[SAMPLE_TCP_RETRANSMITS], 0);
	assert_int_equal(k->e.counter[SAMPLE_COPIES], 100);
	assert_string_equal(k->e.nets, "");
	decoderkit_free(k);
}

/*
 * Over UDP nothing but the time tells it from a resend: it counts as one, and
 * each is told as a copy, and never as trouble of the network.
 */
static void
over_udp_a_mirrored_call_is_told_as_a_copy(void **state)
{
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t i;

	(void)state;
	for (i = 0; i < 50; i++) {
		rpckit_clear(k->m);
		rpckit_write_call(k->m, i, NULL, 1000);
		packetkit_udp(k->p, CLIENT, k->m->data, (uint32_t)k->m->len);
		push_twice(k, i * MS);
		rpckit_clear(k->m);
		rpckit_write_reply(k->m, i, 1000);
		packetkit_udp(k->p, SERVER, k->m->data, (uint32_t)k->m->len);
		push_twice(k, i * MS + 100 * US);
	}
	assert_int_equal(k->e.calls, 50);
	assert_int_equal(k->e.written, 50000);
	assert_int_equal(k->e.resends, k->e.counter[SAMPLE_COPIES]);
	assert_int_equal(k->e.resends, 50);
	assert_int_equal(k->e.replies - k->e.duplicates, 50);
	assert_string_equal(k->e.nets, "");
	decoderkit_free(k);
}

/* In fragments there is an identification, too: nothing counts twice. */
static void
a_mirrored_datagram_of_fragments_counts_once(void **state)
{
	static uint8_t datagram[9000];
	struct decoderkit *k = decoderkit_new(NULL);
	uint32_t i, off, len;

	(void)state;
	for (i = 0; i < 50; i++) {
		rpckit_clear(k->m);
		rpckit_write_call(k->m, i, NULL, 8192);
		len = packetkit_datagram(k->p, CLIENT, k->m->data,
		    (uint32_t)k->m->len, datagram);
		for (off = 0; off < len; off += 1480) {
			packetkit_fragment(k->p, CLIENT, datagram, len, off,
			    len - off < 1480 ? len - off : 1480, 1000 + i);
			push_twice(k, i * MS + off);
		}
	}
	decoder_advance(k->d, 100 * SEC);
	assert_int_equal(k->e.calls, 50);
	assert_int_equal(k->e.dones, 50);
	assert_int_equal(k->e.written, 50 * 8192);
	assert_int_equal(k->e.resends, 0);
	assert_int_equal(k->e.counter[SAMPLE_IP_INCOMPLETE], 0);
	decoderkit_free(k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_version_says_what_a_procedure_number_means),
		cmocka_unit_test(
		    the_call_in_the_first_packet_of_a_connection_counts),
		cmocka_unit_test(
		    a_message_without_one_segment_costs_no_more_than_itself),
		cmocka_unit_test(
		an_operation_that_is_not_known_spoils_only_what_is_behind_it),
		cmocka_unit_test(frames_are_read_alike_at_any_address),
		cmocka_unit_test(every_message_in_a_segment_counts),
		cmocka_unit_test(
		    datagrams_like_rpc_that_are_not_read_are_counted),
		cmocka_unit_test(
		    segments_like_rpc_that_are_not_read_are_counted),
		cmocka_unit_test(
		    procedures_beyond_the_tables_count_by_their_numbers),
		cmocka_unit_test(
		    the_server_is_at_the_nfs_port_whatever_the_client_port),
		cmocka_unit_test(over_tcp_a_mirrored_packet_changes_no_count),
		cmocka_unit_test(over_udp_a_mirrored_call_is_told_as_a_copy),
		cmocka_unit_test(a_mirrored_datagram_of_fragments_counts_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

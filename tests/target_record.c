/* SPDX-License-Identifier: ISC */
/*
 * target_record.c: fuzz target: what two hosts say over TCP means the same
 * however it is cut into segments.
 *
 * A script of pieces of two byte streams, in the order of time and with
 * nothing missing; it is given to one decoder in segments as it says, and to
 * another in segments of a few bytes.  Both must tell the same RPC messages.
 */
#include "fuzzkit.h"

#include <stdlib.h>

#include "fuzzears.h"
#include "fuzzsay.h"
#include "packetkit.h"
#include "transport.h"

#define TEXT_MAX	(16U << 10)	/* what all pieces may have */

enum { OPEN = 1, SMALL = 2 };	/* settings; then 3 bits of a small size */

struct run {
	struct fuzzears	 ears;
	struct decoder	*d;
	struct packetkit *k;
	uint32_t	 size;		/* of its segments; 0: as they come */
};

static void
run_push(struct run *r, int64_t now_ns)
{
	const struct packet p = {
		.time_ns = now_ns, .wire_len = r->k->len, .linktype = 1,
		.data = bytes_of(r->k->frame, r->k->len)
	};

	fuzzears_push(&r->ears, r->d, &p);
}

static void
run_flags(struct run *r, int dir, uint8_t flags)
{
	const struct packetkit_tcp t = { .seq = r->k->seq[dir] - 1,
	    .ack = r->k->seq[!dir], .flags = flags, .window = 65535 };

	packetkit_tcp(r->k, dir, &t, NULL, 0);
	run_push(r, 0);
}

static void
run_begin(struct run *r, uint8_t how, uint32_t size)
{
	struct decoder_config config;

	fuzzears_config(&config);
	config.max_calls = 256;
	r->d = fuzzears_decoder(&r->ears, &config);
	r->k = packetkit_new();
	r->size = size;
	if ((how & OPEN) != 0) {
		run_flags(r, 0, TCP_SYN);
		run_flags(r, 1, TCP_SYN | TCP_ACK);
	}
}

static void
run_send(struct run *r, int dir, struct bytes b, int64_t now_ns)
{
	struct packetkit *k = r->k;
	uint32_t n;

	for (; b.len > 0; bytes_skip(&b, n)) {
		const struct packetkit_tcp t = { .seq = k->seq[dir],
		    .ack = k->seq[!dir], .flags = TCP_ACK, .window = 65535 };

		n = r->size != 0 && r->size < b.len ? r->size :
		    (uint32_t)b.len;
		packetkit_tcp(k, dir, &t, b.data, n);
		k->seq[dir] += n;
		run_push(r, now_ns);
	}
}

static void
run_end(struct run *r)
{
	fuzzears_end(&r->ears, r->d);
	free(r->k);
}

/* The next piece: a message, or bytes of the script. */
static struct bytes
piece(struct bytes *script, struct rpckit *m, uint8_t what)
{
	uint8_t size;

	rpckit_clear(m);
	switch (what >> 1 & 3) {
	case 0:
		fuzzsay(m, script);
		rpckit_record(m, 0);
		break;
	case 1:
		size = fuzzkit_u8(script);
		fuzzsay(m, script);
		rpckit_fragments(m, 0, 8 + (size & 0x7fU), size & 0x80);
		break;
	case 2:
		fuzzsay_trap(m, script);
		rpckit_record(m, 0);
		break;
	case 3:
		return fuzzkit_part(script, fuzzkit_u8(script) + 1U);
	}
	return bytes_of(m->data, m->len);
}

/* Where the footing was lost, a segment's start is where the search begins. */
static void
compare(const struct fuzzears *a, const struct fuzzears *b)
{
	if (a->counter[SAMPLE_TCP_RESYNCS] + b->counter[SAMPLE_TCP_RESYNCS] > 0)
		return;
	FUZZ_CHECK(a->calls == b->calls);
	FUZZ_CHECK(a->replies == b->replies);
	FUZZ_CHECK(a->sum == b->sum);
}

void
target_record(const uint8_t *data, size_t len)
{
	struct bytes script = bytes_of(data, len), b;
	uint8_t how = fuzzkit_u8(&script), what;
	struct rpckit *m = rpckit_new();
	struct run whole, parts;
	int64_t now_ns = 0;
	size_t said = 0;

	run_begin(&whole, how, 0);
	run_begin(&parts, how, (how & SMALL) != 0 ? 1U + (how >> 2 & 7U) :
	    40U + how);
	while (script.len > 0 && said < TEXT_MAX) {
		what = fuzzkit_u8(&script);
		now_ns += (what >> 3) * NSEC_PER_MSEC;
		b = piece(&script, m, what);
		said += b.len;
		run_send(&whole, what & 1, b, now_ns);
		run_send(&parts, what & 1, b, now_ns);
	}
	run_end(&whole);
	run_end(&parts);
	compare(&whole.ears, &parts.ears);
	free(m);
}

/* SPDX-License-Identifier: ISC */
/*
 * target_tcp.c: fuzz target: two hosts that say RPC messages over TCP, and
 * segments of that which are lost, repeated, cut, and out of order.
 *
 * The first bytes are settings; then each byte is a deed (its low bits), whose
 * direction it is, and how long after the last one it comes.  What a host says
 * goes to the end of its text; what it sends are ranges of it.
 *
 * Whatever becomes of the segments, no message may be made up: unless the
 * script says bytes of its own, only XIDs that were said may be told, and
 * those of messages inside of file data never.
 */
#include "fuzzkit.h"

#include <stdlib.h>
#include <string.h>

#include "fuzzears.h"
#include "fuzzsay.h"
#include "packetkit.h"
#include "transport.h"

#define TEXT_MAX	(64U << 10)
#define DEEDS_MAX	600

enum {				/* settings */
	V6 = 1, OPEN = 2, VLAN = 4, STAMPS = 8, SERVER = 16, WRAP = 32
};

struct side {
	uint8_t		*text;
	uint32_t	 len;		/* said */
	uint32_t	 pos;		/* sent, or lost */
	uint32_t	 base;		/* sequence number of text[0] */
	uint8_t		 said[2][256];	/* calls, replies by XID */
};

struct talk_script {
	struct bytes	 script;
	struct fuzzears	 ears;
	struct decoder	*d;
	struct packetkit *k;
	struct rpckit	*m;
	struct side	 side[2];
	bool		 own_bytes;	/* the script said some */
	int64_t		 now_ns;
};

static bool
was_said(const struct talk_script *t, bool reply, uint32_t xid)
{
	uint32_t n = xid - FUZZSAY_XID;

	return n < 256 &&
	    (t->side[0].said[reply][n] || t->side[1].said[reply][n]);
}

static void
on_rpc(void *ctx, const struct rpc_event *e)
{
	const struct talk_script *t = ctx;

	/* Of what the snap length hides, the XID is not known. */
	if (t->own_bytes || (e->call != NULL && e->call->guessed))
		return;
	if (e->kind == RPC_EV_CALL || e->kind == RPC_EV_RESEND)
		FUZZ_CHECK(was_said(t, false, e->call->xid));
	if (e->kind == RPC_EV_REPLY || e->kind == RPC_EV_UNMATCHED)
		FUZZ_CHECK(was_said(t, true, e->hdr->xid));
}

/* Talk. */

static void
append(struct side *s, const void *data, size_t len)
{
	if (len > TEXT_MAX - s->len)
		len = TEXT_MAX - s->len;
	if (len > 0)
		memcpy(s->text + s->len, data, len);
	s->len += (uint32_t)len;
}

static void
note(struct side *s, struct fuzzsay said)
{
	s->said[said.reply][said.xid - FUZZSAY_XID] = 1;
}

static void
say(struct talk_script *t, struct side *s, bool trap)
{
	rpckit_clear(t->m);
	note(s, trap ? fuzzsay_trap(t->m, &t->script) :
	    fuzzsay(t->m, &t->script));
	rpckit_record(t->m, 0);
	append(s, t->m->data, t->m->len);
}

static void
say_fragments(struct talk_script *t, struct side *s)
{
	uint8_t size = fuzzkit_u8(&t->script);

	rpckit_clear(t->m);
	note(s, fuzzsay(t->m, &t->script));
	rpckit_fragments(t->m, 0, 16 + 4 * (size & 0x7fU), size & 0x80);
	append(s, t->m->data, t->m->len);
}

static void
say_bytes(struct talk_script *t, struct side *s)
{
	struct bytes b = fuzzkit_part(&t->script, fuzzkit_u8(&t->script) + 1U);

	t->own_bytes = true;
	append(s, b.data, b.len);
}

static void
say_datagram(struct talk_script *t, int dir)
{
	rpckit_clear(t->m);
	note(&t->side[dir], fuzzsay(t->m, &t->script));
	packetkit_udp(t->k, dir, t->m->data, (uint32_t)t->m->len);
}

/* Segments. */

static void
push(struct talk_script *t)
{
	const struct packetkit *k = t->k;
	struct packet p = {
		.time_ns = t->now_ns, .wire_len = k->len, .linktype = 1,
		.data = bytes_of(k->frame, k->len)
	};

	if (k->snap != 0)
		bytes_trim(&p.data, k->snap);
	fuzzears_push(&t->ears, t->d, &p);
}

static void
segment(struct talk_script *t, int dir, uint8_t flags, uint32_t from,
    uint32_t len)
{
	const struct side *s = &t->side[dir], *back = &t->side[!dir];
	const struct packetkit_tcp tcp = {
		.seq = s->base + from, .ack = back->base + back->pos,
		.flags = flags, .window = t->k->window[dir],
		.timestamps = t->k->timestamps
	};

	packetkit_tcp(t->k, dir, &tcp, s->text + from, len);
	push(t);
}

/* As much of a range of the text as there is. */
static void
send_range(struct talk_script *t, int dir, uint32_t from, uint32_t len)
{
	const struct side *s = &t->side[dir];

	if (from > s->len)
		return;
	if (len > s->len - from)
		len = s->len - from;
	if (len > 60000)
		len = 60000;		/* of an IP packet */
	segment(t, dir, TCP_ACK, from, len);
}

static void
send_next(struct talk_script *t, int dir, bool lost)
{
	struct side *s = &t->side[dir];
	uint32_t len = fuzzkit_u16(&t->script), left = s->len - s->pos;

	if (len == 0 || len > left)
		len = left < 60000 ? left : 60000;
	if (len == 0)
		return;
	if (!lost)
		send_range(t, dir, s->pos, len);
	s->pos += len;
}

static void
send_other(struct talk_script *t, int dir, bool ahead)
{
	const struct side *s = &t->side[dir];
	uint32_t off = fuzzkit_u16(&t->script), len = fuzzkit_u16(&t->script);

	if (ahead)
		send_range(t, dir, s->pos + off, len);
	else
		send_range(t, dir, off < s->pos ? s->pos - off : 0, len);
}

static void
acknowledge(struct talk_script *t, int dir)
{
	const struct side *s = &t->side[dir], *back = &t->side[!dir];
	const struct packetkit_tcp tcp = {
		.seq = s->base + s->pos,
		.ack = back->base + back->pos - fuzzkit_u16(&t->script),
		.flags = TCP_ACK, .window = t->k->window[dir]
	};

	packetkit_tcp(t->k, dir, &tcp, NULL, 0);
	push(t);
}

static void
handshake(struct talk_script *t)
{
	struct packetkit_tcp tcp = {
		.seq = t->side[0].base - 1, .flags = TCP_SYN,
		.window = 65535, .mss = 1460, .wscale = 7
	};

	packetkit_tcp(t->k, 0, &tcp, NULL, 0);
	push(t);
	tcp.seq = t->side[1].base - 1;
	tcp.ack = t->side[0].base;
	tcp.flags = TCP_SYN | TCP_ACK;
	packetkit_tcp(t->k, 1, &tcp, NULL, 0);
	push(t);
}

/* Another connection, from the same port or the next; with a SYN or met. */
static void
connect_anew(struct talk_script *t)
{
	uint8_t how = fuzzkit_u8(&t->script);
	int i;

	for (i = 0; i < 2; i++) {
		t->side[i].base += 0x01000000U * (how >> 4) + t->side[i].len;
		t->side[i].len = t->side[i].pos = 0;
	}
	if ((how & 1) != 0)
		t->k->port[0]++;
	if ((how & 2) != 0)
		handshake(t);
}

static void
deed(struct talk_script *t)
{
	static const int64_t steps[8] = { 0, 1000, 100 * NSEC_PER_USEC,
	    5 * NSEC_PER_MSEC, 100 * NSEC_PER_MSEC, NSEC_PER_SEC,
	    31 * NSEC_PER_SEC, 61 * NSEC_PER_SEC };
	uint8_t what = fuzzkit_u8(&t->script);
	int dir = what >> 4 & 1;
	struct side *s = &t->side[dir];

	t->now_ns += steps[what >> 5];
	switch (what & 15) {
	case 0:
		say(t, s, false);
		break;
	case 1:
		say_bytes(t, s);
		break;
	case 2:
		say_fragments(t, s);
		break;
	case 3:
		send_next(t, dir, false);
		break;
	case 4:
		send_next(t, dir, true);
		break;
	case 5:
		send_other(t, dir, false);
		break;
	case 6:
		send_other(t, dir, true);
		break;
	case 7:
		acknowledge(t, dir);
		break;
	case 8:
		segment(t, dir, fuzzkit_u8(&t->script), s->pos, 0);
		break;
	case 9:
		t->k->window[dir] = fuzzkit_u16(&t->script);
		break;
	case 10:
		connect_anew(t);
		break;
	case 11:
		t->now_ns -= fuzzkit_u16(&t->script) * NSEC_PER_MSEC;
		break;
	case 12:
		decoder_advance(t->d, t->now_ns);
		break;
	case 13:
		say_datagram(t, dir);
		push(t);
		break;
	case 14:
		say(t, s, true);
		break;
	case 15:
		t->k->snap = fuzzkit_u8(&t->script) * 4U;
		break;
	}
}

static void
begin(struct talk_script *t)
{
	uint8_t how = fuzzkit_u8(&t->script);
	struct decoder_config config;
	int i;

	t->k = packetkit_new();
	t->m = rpckit_new();
	t->k->v6 = (how & V6) != 0;
	t->k->link = (how & VLAN) != 0 ? PACKETKIT_VLAN : PACKETKIT_ETHERNET;
	t->k->timestamps = (how & STAMPS) != 0;
	for (i = 0; i < 2; i++) {
		t->side[i].text = calloc(1, TEXT_MAX);
		FUZZ_CHECK(t->side[i].text != NULL);
		t->side[i].base = t->k->seq[i];
		if ((how & WRAP) != 0)
			t->side[i].base = 0xfffffe00U + (uint32_t)i;
	}
	fuzzears_config(&config);
	if ((how & SERVER) != 0) {
		config.server[0] = packetkit_addr(t->k, PACKETKIT_SERVER);
		config.servers = 1;
	}
	t->d = fuzzears_decoder(&t->ears, &config);
	t->ears.rpc = on_rpc;
	t->ears.ctx = t;
	if ((how & OPEN) != 0)
		handshake(t);
}

void
target_tcp(const uint8_t *data, size_t len)
{
	struct talk_script t = { .script = bytes_of(data, len) };
	int deeds;

	begin(&t);
	for (deeds = 0; t.script.len > 0 && deeds < DEEDS_MAX; deeds++)
		deed(&t);
	fuzzears_end(&t.ears, t.d);
	free(t.side[0].text);
	free(t.side[1].text);
	free(t.k);
	free(t.m);
}

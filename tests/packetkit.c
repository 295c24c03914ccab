/* SPDX-License-Identifier: ISC */
/*
 * packetkit.c: builds frames for tests, see packetkit.h.
 */
#include "packetkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ip.h"
#include "packet.h"
#include "testkit.h"
#include "transport.h"

#define DLT_EN10MB	1
#define DLT_LINUX_SLL2	276

struct packetkit *
packetkit_new(void)
{
	struct packetkit *k = calloc(1, sizeof(*k));

	if (k == NULL) {
		perror("packetkit");
		abort();
	}
	k->host[0] = 3;
	k->host[1] = 1;
	k->port[0] = 700;
	k->port[1] = 2049;
	k->id = 1000;
	k->seq[0] = 0x10000001;
	k->seq[1] = 0x20000001;
	k->window[0] = k->window[1] = 65535;
	return k;
}

struct addr
packetkit_addr(const struct packetkit *k, int side)
{
	uint8_t v4[4] = { 10, 77, 0, k->host[side] };
	uint8_t v6[16] = { 0xfd, 0x77, [15] = k->host[side] };
	struct addr a;

	if (k->v6)
		addr_from_ipv6(&a, v6);
	else
		addr_from_ipv4(&a, v4);
	return a;
}

static uint8_t *
add(struct packetkit *k, uint32_t len)
{
	uint8_t *p = k->frame + k->len;

	if (len > PACKETKIT_MAX - k->len) {
		fputs("packetkit: too much\n", stderr);
		abort();
	}
	memset(p, 0, len);
	k->len += len;
	return p;
}

static void
poke16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void
poke32(uint8_t *p, uint32_t v)
{
	poke16(p, v >> 16);
	poke16(p + 2, v);
}

static void
link_header(struct packetkit *k, int dir)
{
	uint16_t type = k->v6 ? 0x86dd : 0x0800;
	uint8_t *p;

	k->len = 0;
	if (k->link == PACKETKIT_SLL2) {
		/* protocol, 2 reserved, ifindex, ARPHRD_, type, length, 8 */
		p = add(k, 20);
		poke16(p, type);
		poke32(p + 4, 2U + k->ifindex);
		poke16(p + 8, 1);
		p[11] = 6;
		return;
	}
	p = add(k, 12);
	p[5] = k->host[!dir];
	p[11] = k->host[dir];
	p[0] = p[6] = 2;		/* locally administered */
	if (k->link == PACKETKIT_VLAN) {
		poke16(add(k, 2), 0x8100);
		poke16(add(k, 2), 77);
	}
	poke16(add(k, 2), type);
}

static void
address(uint8_t *p, const struct packetkit *k, int side)
{
	struct addr a = packetkit_addr(k, side);

	if (k->v6)
		memcpy(p, a.b, 16);
	else
		memcpy(p, a.b + 12, 4);
}

/* RFC 791 sec. 3.1; place: more fragments, offset in units of 8. */
static void
ipv4_header(struct packetkit *k, int dir, uint8_t proto, uint32_t len,
    uint32_t id, uint32_t place)
{
	uint8_t *p = add(k, 20);

	p[0] = 0x45;
	poke16(p + 2, 20 + len);
	poke16(p + 4, id);
	poke16(p + 6, place);
	p[8] = 64;
	p[9] = proto;
	address(p + 12, k, dir);
	address(p + 16, k, !dir);
}

/* RFC 8200 sec. 3 */
static void
ipv6_header(struct packetkit *k, int dir, uint8_t next, uint32_t len)
{
	uint8_t *p = add(k, 40);

	p[0] = 0x60;
	poke16(p + 4, len);
	p[6] = next;
	p[7] = 64;
	address(p + 8, k, dir);
	address(p + 24, k, !dir);
}

static void
ip_header(struct packetkit *k, int dir, uint8_t proto, uint32_t len)
{
	link_header(k, dir);
	if (k->v6)
		ipv6_header(k, dir, proto, len);
	else
		ipv4_header(k, dir, proto, len, k->id++, 0);
}

uint32_t
packetkit_datagram(const struct packetkit *k, int dir, const void *payload,
    uint32_t len, uint8_t *out)
{
	poke16(out, k->port[dir]);
	poke16(out + 2, k->port[!dir]);
	poke16(out + 4, 8 + len);
	poke16(out + 6, 0);
	if (len > 0)
		memcpy(out + 8, payload, len);
	return 8 + len;
}

void
packetkit_udp(struct packetkit *k, int dir, const void *payload, uint32_t len)
{
	ip_header(k, dir, IP_PROTO_UDP, 8 + len);
	packetkit_datagram(k, dir, payload, len, add(k, 8 + len));
}

/* RFC 9293 sec. 3.2, RFC 7323 sec. 2.2 and 3.2; padded with NOPs. */
static uint32_t
tcp_options(const struct packetkit_tcp *t, uint8_t out[40])
{
	uint32_t n = 0;

	if (t->mss != 0) {
		out[n] = 2;
		out[n + 1] = 4;
		poke16(out + n + 2, t->mss);
		n += 4;
	}
	if (t->wscale != 0) {
		out[n] = 1;
		out[n + 1] = 3;
		out[n + 2] = 3;
		out[n + 3] = (uint8_t)(t->wscale == 255 ? 0 : t->wscale);
		n += 4;
	}
	if (t->timestamps) {
		memset(out + n, 0, 12);
		out[n] = out[n + 1] = 1;
		out[n + 2] = 8;
		out[n + 3] = 10;
		n += 12;
	}
	return n;
}

void
packetkit_tcp(struct packetkit *k, int dir, const struct packetkit_tcp *t,
    const void *payload, uint32_t len)
{
	uint8_t options[40], *p;
	uint32_t n = tcp_options(t, options);

	ip_header(k, dir, IP_PROTO_TCP, 20 + n + len);
	p = add(k, 20 + n);
	poke16(p, k->port[dir]);
	poke16(p + 2, k->port[!dir]);
	poke32(p + 4, t->seq);
	poke32(p + 8, t->ack);
	p[12] = (uint8_t)((20 + n) / 4 << 4);
	p[13] = t->flags;
	poke16(p + 14, t->window);
	memcpy(p + 20, options, n);
	if (len > 0)
		memcpy(add(k, len), payload, len);
}

void
packetkit_fragment(struct packetkit *k, int dir, const uint8_t *datagram,
    uint32_t total, uint32_t off, uint32_t len, uint32_t id)
{
	bool more = off + len < total;
	uint8_t *p;

	link_header(k, dir);
	if (k->v6) {		/* RFC 8200 sec. 4.5 */
		ipv6_header(k, dir, 44, 8 + len);
		p = add(k, 8);
		p[0] = IP_PROTO_UDP;
		poke16(p + 2, off | more);
		poke32(p + 4, id);
	} else
		ipv4_header(k, dir, IP_PROTO_UDP, len, id,
		    off / 8 | (more ? 0x2000U : 0));
	memcpy(add(k, len), datagram + off, len);
}

void
packetkit_push(const struct packetkit *k, struct decoder *d, int64_t time_ns)
{
	uint32_t n = k->snap != 0 && k->snap < k->len ? k->snap : k->len;
	uint8_t *copy = testkit_copy(k->frame, n);
	struct packet pkt = {
		.time_ns = time_ns, .data = bytes_of(copy, n),
		.wire_len = k->len, .ifindex = k->ifindex,
		.linktype = k->link == PACKETKIT_SLL2 ? DLT_LINUX_SLL2 :
		    DLT_EN10MB
	};

	decoder_push(d, &pkt);
	testkit_free(copy);
}

void
packetkit_send_udp(struct packetkit *k, struct decoder *d, int dir,
    const void *payload, uint32_t len, int64_t time_ns)
{
	packetkit_udp(k, dir, payload, len);
	packetkit_push(k, d, time_ns);
}

void
packetkit_send_fragments(struct packetkit *k, struct decoder *d, int dir,
    const void *payload, uint32_t len, int64_t time_ns, int64_t step_ns,
    int lost, bool reversed)
{
	uint8_t *datagram = malloc(8 + len);
	uint32_t total, n, i, id = k->id++;

	if (datagram == NULL)
		abort();
	total = packetkit_datagram(k, dir, payload, len, datagram);
	n = (total + 1479) / 1480;
	for (i = 0; i < n; i++) {
		uint32_t at = reversed ? n - 1 - i : i;
		uint32_t off = at * 1480;

		if ((int)at == lost)
			continue;
		packetkit_fragment(k, dir, datagram, total, off,
		    total - off < 1480 ? total - off : 1480, id);
		packetkit_push(k, d, time_ns + (int64_t)i * step_ns);
	}
	free(datagram);
}

void
packetkit_open(struct packetkit *k, struct decoder *d, int64_t time_ns)
{
	struct packetkit_tcp t = {
		.seq = k->seq[0] - 1, .flags = TCP_SYN,
		.window = k->window[0], .mss = 1460,
		.timestamps = k->timestamps
	};

	packetkit_tcp(k, 0, &t, NULL, 0);
	packetkit_push(k, d, time_ns);
	t.seq = k->seq[1] - 1;
	t.ack = k->seq[0];
	t.flags = TCP_SYN | TCP_ACK;
	t.window = k->window[1];
	packetkit_tcp(k, 1, &t, NULL, 0);
	packetkit_push(k, d, time_ns);
	packetkit_flags(k, d, 0, TCP_ACK, time_ns);
}

static void
segment(struct packetkit *k, int dir, uint8_t flags, const void *payload,
    uint32_t len)
{
	const struct packetkit_tcp t = {
		.seq = k->seq[dir], .ack = k->seq[!dir], .flags = flags,
		.window = k->window[dir], .timestamps = k->timestamps
	};

	packetkit_tcp(k, dir, &t, payload, len);
}

void
packetkit_send(struct packetkit *k, struct decoder *d, int dir,
    const void *payload, uint32_t len, int64_t time_ns)
{
	segment(k, dir, TCP_ACK | TCP_PSH, payload, len);
	k->seq[dir] += len;
	packetkit_push(k, d, time_ns);
}

void
packetkit_lose(struct packetkit *k, int dir, uint32_t len)
{
	k->seq[dir] += len;
}

void
packetkit_flags(struct packetkit *k, struct decoder *d, int dir,
    uint8_t flags, int64_t time_ns)
{
	segment(k, dir, flags, NULL, 0);
	packetkit_push(k, d, time_ns);
	if ((flags & TCP_FIN) != 0)
		k->seq[dir]++;
}

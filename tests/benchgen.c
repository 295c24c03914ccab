/* SPDX-License-Identifier: ISC */
/*
 * benchgen.c: writes a capture of a load of one kind, the same each time, for
 * tests/bench.
 *
 * usage: benchgen SHAPE FILE MIB
 *   SHAPE is
 *	udp	8 KiB WRITEs over UDP, in six fragments
 *	tcp	32 KiB WRITEs over TCP, in segments of 1448 bytes
 *	small	512-byte WRITEs over TCP, one to eight on the way
 *	clients	8 KiB WRITEs over TCP of 10,000 clients, sixteen of them at a
 *		time, a packet of each in turn
 *	one	the same of a single client
 *	repeat	the capture on stdin (IPv4 in Ethernet) over and over, each
 *		time from other client ports
 * MIB is how long the file gets at least.  A shorter file is the beginning of
 * a longer one.
 */
#include <bsd/stdlib.h>
#include <err.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packetkit.h"
#include "pcapout.h"
#include "rpckit.h"
#include "testkit.h"
#include "transport.h"

#define START_NS	(INT64_C(1700000000) * NSEC_PER_SEC)
#define BYTE_NS		8	/* 1 Gbit/s */
#define SERVICE_NS	(100 * NSEC_PER_USEC)
#define MTU_PAYLOAD	1480	/* of IPv4 */
#define MSS		1448	/* with timestamps */
#define ADDRESS_AT	(14 + 12)	/* in a frame of IPv4 */
#define PORT_AT		(14 + 20)
#define CLIENTS		10000
#define AT_ONCE		16
#define DEPTH		8

/* One client's TCP connection and where its WRITE stands. */
struct client {
	uint32_t	number;
	uint32_t	seq[2];
	uint32_t	xid;
	uint32_t	sent;		/* bytes of the call */
	uint32_t	owed;		/* segments that are not ACKed */
	bool		open, replied;
};

struct gen {
	struct pcapout	*out;
	const char	*name;
	struct packetkit *p;
	struct rpckit	*call, *reply;
	int64_t		 now_ns;
	uint64_t	 left;		/* bytes to write */
};

static void
write_frame(struct gen *g, const struct packet *pkt)
{
	uint64_t n = PCAPOUT_RECORD_LEN + pkt->data.len;

	if (pcapout_write(g->out, pkt) != 0)
		err(1, "%s", g->name);
	g->left -= n < g->left ? n : g->left;
}

/* The frame in the packetkit, once the wire is free. */
static void
put(struct gen *g)
{
	const struct packet pkt = {
		.time_ns = g->now_ns, .wire_len = g->p->len, .linktype = 1,
		.data = bytes_of(g->p->frame, g->p->len)
	};

	write_frame(g, &pkt);
	g->now_ns += BYTE_NS * (int64_t)g->p->len;
}

static void
poke32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

/* A WRITE of so many bytes and its reply, as records or as datagrams. */
static void
make_messages(struct gen *g, uint32_t size, bool records)
{
	if (records) {
		RPCKIT_RECORD(g->call, rpckit_write_call(g->call, 0, NULL,
		    size));
		RPCKIT_RECORD(g->reply, rpckit_write_reply(g->reply, 0,
		    size));
	} else {
		rpckit_write_call(g->call, 0, NULL, size);
		rpckit_write_reply(g->reply, 0, size);
	}
}

static void
udp(struct gen *g)
{
	uint32_t len, off, left, id, xid = 1;
	uint8_t *datagram = calloc(1, PACKETKIT_MAX);

	if (datagram == NULL)
		err(1, NULL);
	make_messages(g, 8192, false);
	for (; g->left > 0; xid++) {
		poke32(g->call->data, xid);
		poke32(g->reply->data, xid);
		len = packetkit_datagram(g->p, PACKETKIT_CLIENT, g->call->data,
		    (uint32_t)g->call->len, datagram);
		id = g->p->id++;
		for (off = 0; off < len; off += MTU_PAYLOAD) {
			left = len - off;
			packetkit_fragment(g->p, PACKETKIT_CLIENT, datagram,
			    len, off, left < MTU_PAYLOAD ? left : MTU_PAYLOAD,
			    id);
			put(g);
		}
		g->now_ns += SERVICE_NS;
		packetkit_udp(g->p, PACKETKIT_SERVER, g->reply->data,
		    (uint32_t)g->reply->len);
		put(g);
	}
	free(datagram);
}

/* Client n is 10.78.x.y, at a port of its own. */
static void
segment(struct gen *g, struct client *c, int dir, uint8_t flags,
    const uint8_t *data, uint32_t len)
{
	struct packetkit *p = g->p;
	const struct packetkit_tcp t = {
		.seq = c->seq[dir], .ack = c->seq[!dir],
		.flags = flags, .window = 65535, .timestamps = true
	};

	p->port[PACKETKIT_CLIENT] = (uint16_t)(600 + c->number % 400);
	packetkit_tcp(p, dir, &t, data, len);
	poke32(p->frame + ADDRESS_AT + 4 * dir, 0x0a4e0000U + c->number);
	put(g);
	c->seq[dir] += len + ((flags & TCP_SYN) != 0);
}

static void
open_connection(struct gen *g, struct client *c)
{
	uint64_t random = c->number;

	c->seq[0] = (uint32_t)testkit_random(&random);
	c->seq[1] = (uint32_t)testkit_random(&random);
	c->xid = (uint32_t)testkit_random(&random);
	segment(g, c, PACKETKIT_CLIENT, TCP_SYN, NULL, 0);
	segment(g, c, PACKETKIT_SERVER, TCP_SYN | TCP_ACK, NULL, 0);
	segment(g, c, PACKETKIT_CLIENT, TCP_ACK, NULL, 0);
	c->open = true;
}

static void
send_call(struct gen *g, struct client *c)
{
	uint32_t left = (uint32_t)g->call->len - c->sent;
	uint32_t len = left < MSS ? left : MSS;

	poke32(g->call->data + 4, c->xid);	/* behind the mark */
	segment(g, c, PACKETKIT_CLIENT,
	    (uint8_t)(len == left ? TCP_ACK | TCP_PSH : TCP_ACK),
	    g->call->data + c->sent, len);
	c->sent += len;
	c->owed++;
}

static void
send_reply(struct gen *g, struct client *c, uint32_t xid)
{
	poke32(g->reply->data + 4, xid);
	segment(g, c, PACKETKIT_SERVER, TCP_ACK | TCP_PSH, g->reply->data,
	    (uint32_t)g->reply->len);
	c->owed = 0;
}

/* The next packet of a WRITE; whether it is the last. */
static bool
step(struct gen *g, struct client *c)
{
	if (c->owed == 2) {
		segment(g, c, PACKETKIT_SERVER, TCP_ACK, NULL, 0);
		c->owed = 0;
	} else if (c->sent < g->call->len)
		send_call(g, c);
	else if (!c->replied) {
		send_reply(g, c, c->xid);
		c->replied = true;
	} else {
		segment(g, c, PACKETKIT_CLIENT, TCP_ACK, NULL, 0);
		c->sent = 0;
		c->replied = false;
		c->xid++;
		return true;
	}
	return false;
}

/* So many of them are at work at a time, who is chance. */
static void
writers(struct gen *g, uint32_t size, uint32_t clients, uint32_t at_once)
{
	struct client *all = calloc(clients, sizeof(*all)), *c;
	uint32_t i, next = 0, busy[AT_ONCE];
	uint32_t *order = calloc(clients, sizeof(*order));
	uint64_t random = 8;

	if (all == NULL || order == NULL)
		err(1, NULL);
	make_messages(g, size, true);
	for (i = 0; i < clients; i++)
		all[i].number = order[i] = i;
	testkit_shuffle(&random, order, clients);
	for (; next < at_once; next++)
		busy[next] = next;
	for (i = 0; g->left > 0; i = (i + 1) % at_once) {
		c = &all[order[busy[i]]];
		if (!c->open)
			open_connection(g, c);
		if (!step(g, c))
			continue;
		busy[i] = next;
		next = (next + 1) % clients;
	}
	free(order);
	free(all);
}

static void
pipelined(struct gen *g)
{
	struct client c = { .number = 1 };
	uint32_t n, i;
	uint64_t random = 8;

	make_messages(g, 512, true);
	open_connection(g, &c);
	while (g->left > 0) {
		n = 1 + testkit_below(&random, DEPTH);
		for (i = 0; i < n; i++, c.xid++, c.sent = 0)
			send_call(g, &c);
		g->now_ns += SERVICE_NS;
		for (i = n; i > 0; i--)
			send_reply(g, &c, c.xid - i);
		segment(g, &c, PACKETKIT_CLIENT, TCP_ACK, NULL, 0);
	}
}

/* One frame of the original, from the client port of this round. */
static void
put_again(struct gen *g, const struct pcap_pkthdr *h, const uint8_t *data,
    uint16_t round)
{
	struct packetkit *p = g->p;
	const struct packet pkt = {
		.time_ns = g->now_ns, .wire_len = h->len, .linktype = 1,
		.data = bytes_of(p->frame, h->caplen)
	};
	uint8_t *port = p->frame + PORT_AT;

	if (h->caplen > sizeof(p->frame))
		errx(1, "a frame of %u bytes", h->caplen);
	memcpy(p->frame, data, h->caplen);
	if (h->caplen > PORT_AT + 4) {
		if (port[0] == 2049 / 256 && port[1] == 2049 % 256)
			port += 2;
		port[0] = (uint8_t)(0x80 + round / 256);
		port[1] = (uint8_t)round;
	}
	write_frame(g, &pkt);
}

/* Reads all of stdin once; a file of it is read again for each round. */
static void
repeat(struct gen *g)
{
	FILE *f = tmpfile();
	uint8_t buf[65536];
	struct pcap_pkthdr *h;
	const u_char *data;
	char why[PCAP_ERRBUF_SIZE];
	int64_t last, now;
	uint16_t round;
	size_t n;
	pcap_t *p;

	while ((n = fread(buf, 1, sizeof(buf), stdin)) > 0)
		fwrite(buf, 1, n, f);
	for (round = 0; g->left > 0; round++) {
		rewind(f);
		if ((p = pcap_fopen_offline(fdopen(dup(fileno(f)), "r"),
		    why)) == NULL)
			errx(1, "stdin: %s", why);
		for (last = 0; pcap_next_ex(p, &h, &data) == 1; last = now) {
			now = h->ts.tv_sec * NSEC_PER_SEC +
			    h->ts.tv_usec * NSEC_PER_USEC;
			if (last != 0)
				g->now_ns += now - last;
			put_again(g, h, data, round);
		}
		pcap_close(p);
	}
	fclose(f);
}

static void
make(struct gen *g, const char *shape)
{
	if (strcmp(shape, "udp") == 0)
		udp(g);
	else if (strcmp(shape, "tcp") == 0)
		writers(g, 32768, 1, 1);
	else if (strcmp(shape, "small") == 0)
		pipelined(g);
	else if (strcmp(shape, "clients") == 0)
		writers(g, 8192, CLIENTS, AT_ONCE);
	else if (strcmp(shape, "one") == 0)
		writers(g, 8192, 1, 1);
	else if (strcmp(shape, "repeat") == 0)
		repeat(g);
	else
		errx(2, "%s: no such shape", shape);
}

int
main(int argc, char *argv[])
{
	const struct pcapout_format format = { .linktype = 1 };
	struct gen g = { .now_ns = START_NS };
	const char *why;

	if (argc != 4)
		errx(2, "usage: benchgen SHAPE FILE MIB");
	g.name = argv[2];
	g.left = (uint64_t)strtonum(argv[3], 1, 100000, &why) << 20;
	if (why != NULL)
		errx(2, "%s: %s", argv[3], why);
	g.p = packetkit_new();
	g.call = rpckit_new();
	g.reply = rpckit_new();
	if ((g.out = pcapout_open(argv[2], &format)) == NULL)
		err(1, "%s", argv[2]);
	make(&g, argv[1]);
	if (pcapout_close(g.out) != 0)
		err(1, "%s", argv[2]);
	free(g.reply);
	free(g.call);
	free(g.p);
	return 0;
}

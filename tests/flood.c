/* SPDX-License-Identifier: ISC */
/*
 * flood.c: floods of packets around real traffic: memory stays flat, and the
 * rates of the real traffic right.
 *
 * usage: flood NAME PACKETS
 *   NAME is what comes in a flood:
 *	syns		SYNs from everywhere to the NFS port
 *	fragments	fragments of datagrams that are never whole
 *	xids		calls without replies
 *	clients		a client for each call, with its reply
 *	holes		connections with holes in their streams
 *
 * Between them two clients write 8 KiB a hundred times a second each, one in
 * six TCP segments, one in six IP fragments.  Every second must count the 200
 * WRITEs (so 100000 packets are the least), and memory must not grow in the
 * second half of the flood.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "decoder.h"
#include "packetkit.h"
#include "rpckit.h"
#include "sampler.h"
#include "talkers.h"
#include "testkit.h"
#include "totals.h"
#include "transport.h"

#define SEC		NSEC_PER_SEC
#define RATE		100000	/* packets of the flood in a second */
#define WRITES		100	/* a second, of each of the two */
#define WSIZE		8192U
#define GROWTH_KIB	2048	/* what the second half may add */
#define MOST_KIB	(96 * 1024)	/* and what there may be in all */
#define ADDRESS_AT	(14 + 12)	/* in a frame of IPv4 */
#define PORT_AT		(14 + 20)
#define SEQ_AT		(PORT_AT + 4)

/* Sanitizers keep what was freed. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED	true
#elif defined(__has_feature)
#define SANITIZED	(__has_feature(address_sanitizer) || \
			    __has_feature(thread_sanitizer))
#else
#define SANITIZED	false
#endif

struct flood {
	struct decoder	*d;
	struct sampler	*s;
	struct talkers	*talkers;
	struct totals	*totals;
	int64_t		 now;
	int64_t		 advance;
	uint64_t	 random;
	/* the real traffic */
	struct packetkit *tcp, *udp;
	struct rpckit	*call, *reply;
	uint32_t	 xid;
	uint32_t	 step;		/* of 18 in a hundredth of a second */
	uint8_t		*datagram;
	uint32_t	 datagram_len;
	/* the flood */
	struct packetkit *p;
	struct rpckit	*m;
	uint64_t	 n, calls;
	/* what was counted */
	uint64_t	 seconds, wrong;
};

static void
push(struct flood *f, const struct packetkit *p)
{
	const struct packet pkt = { .time_ns = f->now,
	    .data = bytes_of(p->frame, p->len), .wire_len = p->len,
	    .linktype = 1 };

	sampler_time(f->s, f->now);
	decoder_push(f->d, &pkt);
	if (f->now >= f->advance) {
		decoder_advance(f->d, f->now);
		f->advance = f->now + SEC;
	}
}

static void
poke32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

/* The real traffic. */

static void
real_segment(struct flood *f, int dir, const struct rpckit *m, uint32_t off,
    uint32_t size)
{
	struct packetkit *p = f->tcp;
	uint32_t left = (uint32_t)m->len - off;
	uint32_t len = left < size ? left : size;
	const struct packetkit_tcp t = { .seq = p->seq[dir],
	    .ack = p->seq[!dir], .flags = TCP_ACK, .window = 65535 };

	packetkit_tcp(p, dir, &t, m->data + off, len);
	p->seq[dir] += len;
	push(f, p);
}

static void
real_datagram(struct flood *f)
{
	rpckit_clear(f->call);
	rpckit_write_call(f->call, f->xid, NULL, WSIZE);
	f->datagram_len = packetkit_datagram(f->udp, PACKETKIT_CLIENT,
	    f->call->data, (uint32_t)f->call->len, f->datagram);
}

/* One of the packets that the two clients and the server send. */
static void
real_packet(struct flood *f)
{
	uint32_t off;

	if (f->step == 0) {
		f->xid++;
		rpckit_clear(f->call);
		RPCKIT_RECORD(f->call, rpckit_write_call(f->call, f->xid,
		    NULL, WSIZE));
	}
	if (f->step < 6)
		real_segment(f, PACKETKIT_CLIENT, f->call, f->step * 1460,
		    1460);
	rpckit_clear(f->reply);
	if (f->step == 6) {
		RPCKIT_RECORD(f->reply, rpckit_write_reply(f->reply, f->xid,
		    WSIZE));
		real_segment(f, PACKETKIT_SERVER, f->reply, 0, 1460);
		real_datagram(f);
	}
	if (f->step >= 7 && f->step < 13) {
		off = (f->step - 7) * 1480;
		packetkit_fragment(f->udp, PACKETKIT_CLIENT, f->datagram,
		    f->datagram_len, off, f->datagram_len - off < 1480 ?
		    f->datagram_len - off : 1480, f->xid & 0xffff);
		push(f, f->udp);
	}
	if (f->step == 13) {
		rpckit_write_reply(f->reply, f->xid, WSIZE);
		packetkit_udp(f->udp, PACKETKIT_SERVER, f->reply->data,
		    (uint32_t)f->reply->len);
		push(f, f->udp);
	}
	f->step = (f->step + 1) % 18;
}

/* The floods: the next packet, or packets, of each. */

static void
syn(struct flood *f)
{
	const struct packetkit_tcp t = { .flags = TCP_SYN, .mss = 1460 };

	if (f->n == 0)
		packetkit_tcp(f->p, PACKETKIT_CLIENT, &t, NULL, 0);
	poke32(f->p->frame + ADDRESS_AT, (uint32_t)testkit_random(&f->random));
	f->p->frame[PORT_AT] = (uint8_t)f->n;
	poke32(f->p->frame + SEQ_AT, (uint32_t)testkit_random(&f->random));
	push(f, f->p);
}

static void
fragments(struct flood *f)
{
	static const uint8_t datagram[8000] = { 2, 188, 8, 1 };
	uint32_t off = 1480 * testkit_below(&f->random, 3);

	packetkit_fragment(f->p, PACKETKIT_CLIENT, datagram, sizeof(datagram),
	    off, 64, (uint32_t)f->n & 0xffff);
	poke32(f->p->frame + ADDRESS_AT, (uint32_t)testkit_random(&f->random));
	push(f, f->p);
}

/* Over one TCP connection and from one UDP port, by turns. */
static void
xids(struct flood *f)
{
	struct packetkit_tcp t = { .flags = TCP_ACK, .window = 65535 };

	rpckit_clear(f->m);
	f->calls++;
	if (f->n % 2 == 0) {
		rpckit_getattr_call(f->m, (uint32_t)f->n);
		packetkit_udp(f->p, PACKETKIT_CLIENT, f->m->data,
		    (uint32_t)f->m->len);
	} else {
		RPCKIT_RECORD(f->m, rpckit_getattr_call(f->m,
		    (uint32_t)f->n));
		t.seq = f->p->seq[0];
		t.ack = f->p->seq[1];
		f->p->seq[0] += (uint32_t)f->m->len;
		packetkit_tcp(f->p, PACKETKIT_CLIENT, &t, f->m->data,
		    (uint32_t)f->m->len);
	}
	push(f, f->p);
}

/* Every other one over TCP; each with a user and a file of its own. */
static void
clients(struct flood *f)
{
	const uint32_t address = 0x0b000000 + (uint32_t)f->calls;
	const int tcp = f->calls % 2 == 1;
	int dir;

	for (dir = 0; dir < 2; dir++) {
		struct packetkit_tcp t = { .seq = 1000, .ack = 2000,
		    .flags = TCP_ACK, .window = 65535 };

		rpckit_clear(f->m);
		if (tcp)
			rpckit_u32(f->m, 0);
		if (dir == 0) {
			rpckit_getattr_call(f->m, 7);
			/* the handle stands at the end */
			poke32(f->m->data + f->m->len - 4, address);
		} else
			rpckit_getattr_reply(f->m, 7);
		if (tcp) {
			poke32(f->m->data, 0x80000000U |
			    (uint32_t)(f->m->len - 4));
			packetkit_tcp(f->p, dir, &t, f->m->data,
			    (uint32_t)f->m->len);
		} else
			packetkit_udp(f->p, dir, f->m->data,
			    (uint32_t)f->m->len);
		poke32(f->p->frame + ADDRESS_AT + (dir == 0 ? 0 : 4),
		    address);
		push(f, f->p);
	}
	f->calls++;
}

/* A connection's first bytes, and some from behind a hole, and so on. */
static void
holes(struct flood *f)
{
	const uint32_t address = 0x0b000000 + (uint32_t)(f->n / 4) % 100000;
	const struct packetkit_tcp t = { .seq = 1000 + 3000 *
	    (uint32_t)(f->n % 4), .flags = TCP_ACK, .window = 65535 };

	rpckit_clear(f->m);
	RPCKIT_RECORD(f->m, rpckit_getattr_call(f->m, (uint32_t)f->n));
	rpckit_opaque(f->m, NULL, 1300);
	f->m->data[0] = 0;	/* a fragment, the next one of which is lost */
	packetkit_tcp(f->p, PACKETKIT_CLIENT, &t, f->m->data,
	    (uint32_t)f->m->len);
	poke32(f->p->frame + ADDRESS_AT, address);
	push(f, f->p);
}

static const struct kind {
	const char	*name;
	void		(*next)(struct flood *);
	bool		counted;	/* all its calls must be */
} kinds[] = {
	{ "syns", syn, false }, { "fragments", fragments, false },
	{ "xids", xids, true }, { "clients", clients, true },
	{ "holes", holes, false }
};

/* What is made of it. */

static void
on_sample(void *ctx, struct sample *s)
{
	const struct sample_data *w = &s->data[SAMPLE_WRITE];
	struct flood *f = ctx;

	totals_add(f->totals, s);
	if (s->partial)
		return;
	f->seconds++;
	if (w->calls == 2 * WRITES && w->replies == 2 * WRITES &&
	    w->retransmits == 0 && w->bytes == 2 * WRITES * WSIZE &&
	    w->latency.timed == 2 * WRITES)
		return;
	if (f->wrong++ == 0)
		printf("# second %llu: %llu WRITEs, %llu replies, %llu "
		    "resent, %llu bytes\n", (unsigned long long)f->seconds,
		    (unsigned long long)w->calls,
		    (unsigned long long)w->replies,
		    (unsigned long long)w->retransmits,
		    (unsigned long long)w->bytes);
}

static void
start(struct flood *f)
{
	struct decoder_config dc;
	struct talkers_config tc = { 0 };
	struct sampler_config sc = { .interval_ns = SEC, .emit = on_sample,
	    .ctx = f };

	decoder_config_init(&dc);
	dc.seed[0] = tc.seed[0] = 0x0123456789abcdef;
	f->talkers = sc.talkers = talkers_new(&tc);
	f->totals = totals_new();
	f->s = sampler_new(&sc);
	f->d = decoder_new(&dc, sampler_listener(), f->s);
	f->tcp = packetkit_new();
	f->udp = packetkit_new();
	f->p = packetkit_new();
	f->call = rpckit_new();
	f->reply = rpckit_new();
	f->m = rpckit_new();
	f->datagram = malloc(PACKETKIT_MAX);
	if (f->talkers == NULL || f->totals == NULL || f->s == NULL ||
	    f->d == NULL || f->datagram == NULL)
		err(2, NULL);
	f->udp->host[0] = 4;
	f->p->host[0] = 5;
	f->now = 1000 * SEC;
	f->random = 1;
	sampler_time(f->s, f->now);
	packetkit_open(f->tcp, f->d, f->now);
}

static void
stop(struct flood *f)
{
	decoder_flush(f->d);
	sampler_finish(f->s, f->now);
	decoder_free(f->d);
	sampler_free(f->s);
	talkers_free(f->talkers);
	totals_free(f->totals);
	free(f->tcp);
	free(f->udp);
	free(f->p);
	free(f->call);
	free(f->reply);
	free(f->m);
	free(f->datagram);
}

/* KiB of memory that the process has now. */
static long
resident(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	long kib = 0;

	if (status == NULL)
		err(2, "/proc/self/status");
	while (fgets(line, sizeof(line), status) != NULL)
		if (sscanf(line, "VmRSS: %ld", &kib) == 1)
			break;
	fclose(status);
	return kib;
}

static void
say(const char *name, const char *what, bool good, bool *all)
{
	printf("%s %s: %s\n", good ? "ok" : "not ok", name, what);
	*all = *all && good;
}

static bool
run(struct flood *f, const struct kind *k, uint64_t packets)
{
	/* 18 times in a hundredth of a second something real may come. */
	const uint64_t between = RATE / (18 * WRITES);
	uint64_t evicted = 0, calls;
	long half = 0, end;
	bool all = true;
	clock_t begun = clock();
	int i;

	for (f->n = 0; f->n < packets; f->n++) {
		if (f->n == packets / 2)
			half = resident();
		if (f->n % between == 0)
			real_packet(f);
		k->next(f);
		/* The hundredths of a second are full ones. */
		f->now = 1000 * SEC + (int64_t)((f->n + 1) / between * SEC /
		    (18 * WRITES));
	}
	end = resident();
	decoder_flush(f->d);
	sampler_finish(f->s, f->now);
	for (i = SAMPLE_EVICTED_FLOWS; i < SAMPLE_COUNTERS; i++)
		evicted += f->totals->counter[i];
	calls = f->totals->rpc_calls - f->totals->data[SAMPLE_WRITE].calls;
	printf("# %s: %llu packets, %.1f s, %ld KiB after a half, %ld at "
	    "the end; %llu seconds; %llu other calls, %llu evictions, "
	    "%llu datagrams incomplete, %llu unanswered\n", k->name,
	    (unsigned long long)packets,
	    (double)(clock() - begun) / CLOCKS_PER_SEC, half, end,
	    (unsigned long long)f->seconds, (unsigned long long)calls,
	    (unsigned long long)evicted,
	    (unsigned long long)f->totals->counter[SAMPLE_IP_INCOMPLETE],
	    (unsigned long long)f->totals->counter[SAMPLE_RPC_UNANSWERED]);
	say(k->name, "every second has its WRITEs", f->seconds > 0 &&
	    f->wrong == 0, &all);
	if (k->counted)
		say(k->name, "every call of the flood counts",
		    calls == f->calls, &all);
	if (!SANITIZED)
		say(k->name, "memory is flat", end - half <= GROWTH_KIB &&
		    end <= MOST_KIB, &all);
	return all;
}

int
main(int argc, char **argv)
{
	static struct flood f;
	size_t i;
	bool good;

	if (argc != 3)
		errx(2, "usage: flood NAME PACKETS");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		start(&f);
		good = run(&f, &kinds[i], strtoull(argv[2], NULL, 10));
		stop(&f);
		return good ? 0 : 1;
	}
	errx(2, "there is no flood of %s", argv[1]);
}

/* SPDX-License-Identifier: ISC */
/*
 * demo.c: a recording that needs no traffic and no privileges.
 */
#include "demo.h"

#include <string.h>

#include "packet.h"

#define BEGIN_NS	(INT64_C(1796070421) * NSEC_PER_SEC)
#define WRITE_SIZE	8192
#define READ_SIZE	32768
#define CALL_BYTES	8622	/* six fragments with their headers */
#define REPLY_BYTES	204
#define OUTSTANDING	8	/* calls of the stall */

/* Input and output packets of each second: ../netstat-sk and -bge5701. */
struct packets {
	uint16_t	in, out;
};

static const struct packets steady[] = {
	{ 8638, 1440 }, { 8636, 1439 }, { 8637, 1441 }, { 8637, 1439 },
	{ 8637, 1440 }, { 8636, 1439 }, { 8637, 1439 }, { 8636, 1440 },
	{ 8637, 1439 }, { 8636, 1440 }, { 8637, 1439 }
};

static const struct packets bursty[] = {
	{ 900, 142 }, { 1509, 236 }, { 1647, 259 }, { 1603, 252 },
	{ 1055, 163 }, { 558, 86 }, { 984, 155 }, { 864, 135 }, { 883, 165 },
	{ 1177, 203 }, { 2087, 331 }, { 1187, 190 }, { 650, 101 },
	{ 1565, 246 }, { 2055, 329 }, { 1554, 244 }, { 1402, 220 },
	{ 1690, 267 }, { 1323, 209 }, { 591, 92 }
};

/* Some calls again while the server is away, ever more rarely. */
static const struct packets stalled[] = {
	{ 612, 94 }, { 48, 0 }, { 0, 0 }, { 48, 0 }, { 0, 0 }, { 0, 0 },
	{ 0, 0 }, { 48, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }, { 0, 0 }
};

struct phase {
	uint32_t	seconds;
	const struct packets *packets;
	uint32_t	n;
	int64_t		request_us, server_us, reply_us;
	double		depth;
	uint32_t	on;		/* of 100 bins of 10 ms */
	int64_t		gap_ms;
	uint16_t	share[SAMPLE_STATES];	/* of 1000 */
};

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))
#define STEADY(n)	{ (n), steady, COUNT(steady), 160, 230, 20, 1.8, \
	    98, 4, { [SAMPLE_CLIENT] = 330, [SAMPLE_REQUEST] = 400, \
	    [SAMPLE_SERVER] = 250, [SAMPLE_REPLY] = 20 } }

static const struct phase phases[] = {
	STEADY(DEMO_STEADY),
	{ DEMO_BURSTY, bursty, COUNT(bursty), 150, 210, 20, 0.1, 15, 240,
	    { [SAMPLE_CLIENT] = 968, [SAMPLE_REQUEST] = 20,
	    [SAMPLE_SERVER] = 11, [SAMPLE_REPLY] = 1 } },
	{ DEMO_STALLED, stalled, COUNT(stalled), 150, 260, 20, 8, 1, 990,
	    { [SAMPLE_SERVER] = 996, [SAMPLE_NETWORK] = 4 } },
	STEADY(DEMO_AGAIN)
};

/* Where in the recording a second is. */
struct place {
	const struct phase *phase;
	uint32_t	 at;		/* second of the phase */
	struct packets	 packets;
	bool		 stall, after_stall;
};

static void
find_place(uint32_t second, struct place *p)
{
	p->phase = phases;
	p->at = second;
	while (p->at >= p->phase->seconds) {
		p->at -= p->phase->seconds;
		p->phase++;
	}
	p->packets = p->phase->packets[p->at % p->phase->n];
	p->stall = p->phase->packets == stalled;
	p->after_stall = p->phase == &phases[3] && p->at == 0;
}

/* 0 to 1, as if by chance, the same each time. */
static double
chance(uint32_t second, uint32_t call)
{
	uint32_t x = second * UINT32_C(0x9e3779b1) ^ call *
	    UINT32_C(0x85ebca6b);

	x ^= x >> 15;
	x *= UINT32_C(0x2c1b3c6d);
	x ^= x >> 12;
	return (x >> 8) / 16777216.0;
}

/* Most take the usual time, some less, a few much more. */
static int64_t
vary(int64_t usual_us, double x)
{
	double times = 0.6 + 0.6 * x;

	if (x > 0.95)
		times = 2 + 40 * (x - 0.95);
	return (int64_t)((double)usual_us * times) * NSEC_PER_USEC;
}

static void
add_traffic(struct sample *s, const struct place *p)
{
	struct sample_traffic *in = &s->traffic[SAMPLE_IN];
	struct sample_traffic *out = &s->traffic[SAMPLE_OUT];
	struct sample_traffic *other = &s->traffic[SAMPLE_OTHER];

	in->packets = in->wire_packets = p->packets.in;
	in->bytes = in->wire_bytes = p->packets.in * CALL_BYTES / 6U;
	out->packets = out->wire_packets = p->packets.out;
	out->bytes = out->wire_bytes = p->packets.out * REPLY_BYTES;
	other->packets = other->wire_packets = 2;
	other->bytes = other->wire_bytes = 120;
	in->errs = out->errs = s->colls = 0;
	s->kernel_drops = s->interface_drops = 0;
	s->if_in_packets = in->packets + 1;
	s->if_in_bytes = in->bytes + 60;
	s->if_out_packets = out->packets + 1;
	s->if_out_bytes = out->bytes + 60;
	s->if_in_errs = s->if_out_errs = 0;
	s->counter[SAMPLE_IP_FRAGMENTS] = in->packets;
}

static void
add_split(struct sample *s, const struct place *p)
{
	int i;

	s->has_split = s->has_duty = true;
	for (i = 0; i < SAMPLE_STATES; i++)
		s->state_ns[i] = p->phase->share[i] *
		    (uint64_t)NSEC_PER_MSEC;
	s->duty_bins = 100;
	s->duty_on = p->packets.in == 0 ? 0 : p->phase->on;
	s->duty_gap_ns = (p->packets.in == 0 ? 1000 : p->phase->gap_ms) *
	    NSEC_PER_MSEC;
	s->depth_ns = (uint64_t)(p->phase->depth * (double)NSEC_PER_SEC);
	s->depth_max = p->phase->depth > 1 ? OUTSTANDING : 4;
	s->outstanding = p->stall ? OUTSTANDING : 0;
}

/* A call and its reply: who, and on what. */
struct who {
	struct sample_talk *client, *user, *file;
	struct sample_talk *client_total, *user_total, *file_total;
};

static void
count_talk(const struct who *w, const struct sample_talk *talk)
{
	sample_talk_add(w->client, talk);
	sample_talk_add(w->user, talk);
	sample_talk_add(w->file, talk);
	sample_talk_add(w->client_total, talk);
	sample_talk_add(w->user_total, talk);
	sample_talk_add(w->file_total, talk);
}

/* A procedure of NFSv3 with its latency; answered in its own second. */
static void
add_call(struct sample *s, const struct who *w, uint32_t proc, int64_t ns,
    bool error)
{
	const struct sample_talk talk = { .calls = 1, .replies = 1,
	    .errors = error, .timed = 1,
	    .sum_us = (uint64_t)(ns / NSEC_PER_USEC) };
	struct sample_op *o;

	s->rpc_calls++;
	s->rpc_replies++;
	o = sample_op(s, nfs_proc_op(NFS_PROG_NFS, 3, proc), 0, 0, 0);
	o->calls++;
	o->replies++;
	o->errors += error;
	sample_op_latency(s, o, ns);
	if (error)			/* NFS3ERR_NOENT */
		sample_status_add(s, nfs_proc_op(NFS_PROG_NFS, 3, 0), 2, 1);
	count_talk(w, &talk);
}

static void
add_data(struct sample *s, const struct place *p, const struct who *w,
    enum sample_kind kind, double x, uint32_t bytes)
{
	int64_t request = vary(p->phase->request_us, x);
	int64_t server = vary(p->phase->server_us, x);
	int64_t reply = vary(p->phase->reply_us, x);
	uint32_t proc = kind == SAMPLE_WRITE ? 7 : 6;
	uint16_t series = kind == SAMPLE_WRITE ? SAMPLE_WRITE_LATENCY :
	    SAMPLE_READ_LATENCY;
	struct sample_data *d = &s->data[kind];
	struct sample_size *z = sample_size(s, kind, bytes);
	struct sample_talk talk = { 0 };

	d->calls++;
	d->replies++;
	d->bytes += bytes;
	sample_part_latency(s, &d->latency, series, request + server + reply);
	sample_part_latency(s, &d->request, (uint16_t)(series + 1), request);
	sample_part_latency(s, &d->server, (uint16_t)(series + 2), server);
	sample_part_latency(s, &d->reply, (uint16_t)(series + 3), reply);
	z->calls++;
	z->bytes += bytes;
	z->timed++;
	z->sum_us += (uint64_t)((request + server + reply) / NSEC_PER_USEC);
	z->depth_sum += 1 + (uint64_t)p->phase->depth;
	if (kind == SAMPLE_WRITE) {
		d->stable[0]++;
		talk.write_calls = 1;
		talk.write_bytes = bytes;
	} else {
		talk.read_calls = 1;
		talk.read_bytes = bytes;
	}
	count_talk(w, &talk);
	add_call(s, w, proc, request + server + reply, false);
	sample_op(s, nfs_proc_op(NFS_PROG_NFS, 3, proc), 0, 0, 0)->bytes +=
	    bytes;
}

/* Calls on their way when the server stalls, and their replies after it. */
static void
add_stall(struct sample *s, const struct place *p, const struct who *w)
{
	struct sample_op *o = sample_op(s, nfs_proc_op(NFS_PROG_NFS, 3, 7), 0,
	    0, 0);
	struct sample_talk talk = { 0 };

	if (p->stall && p->at == 0) {
		s->rpc_calls += OUTSTANDING;
		o->calls += OUTSTANDING;
		s->data[SAMPLE_WRITE].calls += OUTSTANDING;
		s->data[SAMPLE_WRITE].bytes += OUTSTANDING * WRITE_SIZE;
		talk.calls = OUTSTANDING;
	} else if (p->stall && p->packets.in > 0) {
		s->rpc_retransmits += OUTSTANDING;
		o->retransmits += OUTSTANDING;
		s->data[SAMPLE_WRITE].retransmits += OUTSTANDING;
		talk.retransmits = OUTSTANDING;
	} else if (p->after_stall) {
		s->rpc_replies += OUTSTANDING;
		o->replies += OUTSTANDING;
		s->data[SAMPLE_WRITE].replies += OUTSTANDING;
		sample_op_latency(s, o, DEMO_STALLED * NSEC_PER_SEC);
		sample_part_latency(s, &s->data[SAMPLE_WRITE].latency,
		    SAMPLE_WRITE_LATENCY, DEMO_STALLED * NSEC_PER_SEC);
		talk.replies = OUTSTANDING;
	}
	count_talk(w, &talk);
}

static bool
others_read(const struct demo *d)
{
	return d->at % 5 == 0;
}

static void
name_talkers(struct sample *s, bool reading)
{
	static const uint8_t client[2][4] = {
		{ 10, 77, 0, 3 }, { 10, 77, 0, 7 }
	};
	static const uint8_t server[4] = { 10, 77, 0, 1 };
	static const char *const name[3] = {
		"backup.tar", "/export/data", "notes.txt"
	};
	struct addr a;
	uint32_t i;

	addr_from_ipv4(&a, server);
	sample_server(s, &a);
	s->clients = s->users = 2;
	s->files = reading ? 3 : 2;
	for (i = 0; i < 2; i++)
		addr_from_ipv4(&s->client[i].addr, client[i]);
	s->user[1].uid = 4001;
	for (i = 0; i < 3; i++) {
		s->file[i].fh_hash = i + 1;
		s->file[i].fh_len = 28;
		s->file[i].fh[0] = 1;
		s->file[i].fh[27] = (uint8_t)(i + 1);
		strcpy(s->file[i].name, name[i]);
	}
}

/* The writer's or the reader's calls on a file. */
static struct who
who_of(struct demo *d, struct sample *s, int client, int file)
{
	return (struct who){
		&s->client[client].t.now, &s->user[client].t.now,
		&s->file[file].t.now, &d->client[client], &d->user[client],
		&d->file[file]
	};
}

/* Now and then somebody looks around and reads a file. */
static uint32_t
add_others(struct demo *d, struct sample *s, const struct place *p)
{
	struct who root = who_of(d, s, 1, 1), notes = who_of(d, s, 1, 2);
	int64_t ns = 90 * NSEC_PER_USEC;

	add_call(s, &root, 1, ns, false);		/* GETATTR */
	if (!others_read(d))
		return 1;
	add_call(s, &root, 3, ns, d->at % 10 == 0);	/* LOOKUP */
	add_call(s, &root, 4, ns, false);		/* ACCESS */
	add_data(s, p, &notes, SAMPLE_READ, chance(d->at, 9999), READ_SIZE);
	return 4;
}

static void
fill(struct demo *d, struct sample *s, const struct place *p)
{
	struct who writer = who_of(d, s, 0, 0);
	uint32_t i, replies = p->packets.out, others;
	int k;

	others = replies > 0 ? add_others(d, s, p) : 0;
	if (p->after_stall)
		replies -= OUTSTANDING;
	for (i = others; i < replies; i++)
		add_data(s, p, &writer, SAMPLE_WRITE, chance(d->at, i),
		    WRITE_SIZE);
	if (p->stall || p->after_stall)
		add_stall(s, p, &writer);
	for (k = 0; k < 2; k++) {
		s->client[k].t.total = d->client[k];
		s->user[k].t.total = d->user[k];
	}
	for (k = 0; k < 3; k++)
		s->file[k].t.total = d->file[k];
}

bool
demo_next(struct demo *d, struct sample *s)
{
	struct place p;

	if (d->at >= DEMO_SECONDS)
		return false;
	find_place(d->at, &p);
	sample_clear(s);
	s->start_ns = BEGIN_NS + d->at * NSEC_PER_SEC;
	s->length_ns = s->watched_ns = NSEC_PER_SEC;
	s->first_ns = s->start_ns + NSEC_PER_MSEC;
	s->last_ns = s->start_ns + NSEC_PER_SEC - NSEC_PER_MSEC;
	s->seq = d->at;
	if (p.packets.in > 0)
		name_talkers(s, others_read(d));
	add_traffic(s, &p);
	add_split(s, &p);
	fill(d, s, &p);
	d->at++;
	return true;
}

/* SPDX-License-Identifier: ISC */
/*
 * prop.c: feeds generated conversations to the decoder and holds its counts
 * against their truth.
 *
 * usage: prop [-qsv] [-n COUNT] [-f FIRST] [-p PROFILE] [-w DIR]
 *	COUNT conversations (20000) from seed FIRST (1) on, of all profiles in
 *	turn or of one.  Those that do not match are printed, and the first of
 *	them written as pcap files to DIR (build/tests/out); -q prints no
 *	differences, -s a line for each profile, -v every event.
 *
 * Last line: "conversations: N, mismatches: M".  Exit status 1 when M > 0.
 */
#include "convgen.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder.h"
#include "nfs.h"
#include "pcapout.h"

#define FILES_MAX	20
#define FLUSH_BACK	(2 * NSEC_PER_SEC)	/* as the sampler does */
#define FLUSH_AHEAD	(3600 * NSEC_PER_SEC)

/* What the decoder told. */
struct counts {
	uint64_t	packets, bytes, in_packets, in_bytes;
	uint64_t	unmatched, guessed, strange;
	uint64_t	counter[SAMPLE_COUNTERS];
	struct {
		uint64_t	calls, replies, errors, retransmits, bytes;
	} row[CONVGEN_ROWS];
};

struct prop {
	struct convgen	*gen;
	struct counts	 c;
	uint64_t	 made, bad, exact;
	uint64_t	 by_profile[64][3];	/* made, bad, exact */
	const char	*dir;
	bool		 quiet, summary, verbose;
	unsigned int	 files;
	/* of the conversation at hand */
	bool		 failed;
	char		 text[4096];
	size_t		 len;
	size_t		 frame;		/* from 1 */
};

static int
find_row(uint32_t prog, uint32_t vers, bool in_compound, uint32_t num)
{
	struct convgen_key key;
	unsigned int t;

	for (t = 0; t < CONVGEN_TABLES; t++) {
		convgen_row_key((unsigned int)convgen_row_of(
		    (enum convgen_table)t, 0), &key);
		if (key.prog == prog && key.vers == vers &&
		    key.in_compound == in_compound)
			return convgen_row_of((enum convgen_table)t, num);
	}
	return -1;
}

static void
on_packet(void *ctx, const struct packet_event *e)
{
	struct counts *c = &((struct prop *)ctx)->c;

	c->packets++;
	c->bytes += e->bytes;
	if (e->dir == SAMPLE_IN) {
		c->in_packets++;
		c->in_bytes += e->bytes;
	}
}

static void
print_rpc(const struct prop *p, const struct rpc_event *e)
{
	static const char *const kinds[] = { "call", "resend", "call done",
		"reply", "reply done", "unmatched", "gone", "guess",
		"guess done", "guess wrong" };

	printf("frame %zu: %s %08x", p->frame, kinds[e->kind],
	    e->call != NULL ? e->call->xid : e->hdr != NULL ? e->hdr->xid : 0);
	if (e->call != NULL)
		printf(" %u.%u.%u stream %u%s", e->call->prog, e->call->vers,
		    e->call->proc, e->call->stream,
		    e->call->guessed ? " guessed" : "");
	putchar('\n');
}

static void
on_rpc(void *ctx, const struct rpc_event *e)
{
	struct counts *c = &((struct prop *)ctx)->c;
	int row;

	if (((struct prop *)ctx)->verbose)
		print_rpc(ctx, e);

	if (e->kind == RPC_EV_UNMATCHED)
		c->unmatched++;
	if (e->kind != RPC_EV_CALL && e->kind != RPC_EV_RESEND &&
	    e->kind != RPC_EV_REPLY)
		return;
	row = find_row(e->call->prog, e->call->vers, false, e->call->proc);
	if (row < 0)
		c->strange++;
	else if (e->call->guessed)
		c->guessed += e->kind == RPC_EV_CALL;
	else if (e->kind == RPC_EV_CALL)
		c->row[row].calls++;
	else if (e->kind == RPC_EV_RESEND)
		c->row[row].retransmits++;
	else
		c->row[row].replies++;
}

static void
print_op(const struct prop *p, const struct op_event *e)
{
	printf("frame %zu: %s op of %08x: %u", p->frame, e->reply ? "reply" :
	    e->resend ? "resend" : "call", e->call->xid, e->op->opnum);
	if (e->op->has_count)
		printf(" bytes %u", e->op->count);
	puts(e->op->cut ? " cut" : "");
}

static void
on_op(void *ctx, const struct op_event *e)
{
	struct counts *c = &((struct prop *)ctx)->c;
	const struct rpc_op *o = e->op;
	enum nfs_kind kind = nfs_op_kind(o->op);
	int row = find_row(e->call->prog, e->call->vers, o->in_compound,
	    o->opnum);

	if (((struct prop *)ctx)->verbose)
		print_op(ctx, e);
	if (row < 0 || o->op == NFS_OP_NONE || e->call->guessed)
		return;
	if (o->in_compound) {
		if (!e->reply && !e->resend)
			c->row[row].calls++;
		else if (!e->reply)
			c->row[row].retransmits++;
		else if (!e->resend)
			c->row[row].replies++;
	}
	if (e->resend)
		return;
	if (e->reply && o->has_status && o->status != 0)
		c->row[row].errors++;
	if (o->has_count && kind == (e->reply ? NFS_KIND_READ :
	    NFS_KIND_WRITE))
		c->row[row].bytes += o->count;
}

static void
on_net(void *ctx, const struct net_event *e)
{
	const struct prop *p = ctx;

	if (p->verbose)
		printf("frame %zu: net %u stream %u bytes %u\n", p->frame,
		    e->kind, e->stream, e->bytes);
}

static void
on_count(void *ctx, int64_t time_ns, enum sample_counter counter, uint64_t n)
{
	struct prop *p = ctx;

	(void)time_ns;
	p->c.counter[counter] += n;
	if (p->verbose)
		printf("frame %zu: %s + %ju\n", p->frame,
		    sample_counter_name(counter), (uintmax_t)n);
}

static const struct decoder_listener listener = {
	on_packet, on_rpc, on_op, on_net, on_count
};

static void
decode(struct prop *p)
{
	struct decoder_config config;
	struct decoder *d;
	struct packet pkt;
	int64_t last = 0;
	size_t i;

	memset(&p->c, 0, sizeof(p->c));
	decoder_config_init(&config);
	config.seed[0] = 1;
	if ((d = decoder_new(&config, &listener, p)) == NULL)
		err(1, "decoder");
	for (i = 0; i < convgen_packets(p->gen); i++) {
		p->frame = i + 1;
		convgen_packet(p->gen, i, &pkt);
		if (i > 0 && (pkt.time_ns < last - FLUSH_BACK ||
		    pkt.time_ns > last + FLUSH_AHEAD))
			decoder_flush(d);
		decoder_push(d, &pkt);
		last = pkt.time_ns;
	}
	decoder_flush(d);
	decoder_free(d);
}

static void
check(struct prop *p, const char *row, const char *what, uint64_t got,
    struct convgen_range want)
{
	if (got >= want.lo && (got <= want.hi || want.hi == CONVGEN_ANY))
		return;
	p->failed = true;
	if (p->len + 200 < sizeof(p->text))
		p->len += (size_t)snprintf(p->text + p->len, sizeof(p->text) -
		    p->len, "    %s %s: got %ju, want %ju..%jd\n", row, what,
		    (uintmax_t)got, (uintmax_t)want.lo, (intmax_t)want.hi);
}

static void
equal(struct prop *p, const char *what, uint64_t got, uint64_t want)
{
	check(p, "all", what, got, (struct convgen_range){ want, want });
}

static void
compare_row(struct prop *p, unsigned int row, const struct convgen_key *key)
{
	const struct convgen_row *t = &convgen_truth(p->gen)->row[row];
	const struct nfs_program *prog = nfs_program_find(key->prog,
	    key->vers);
	uint16_t op = key->in_compound ? nfs_compound_op(prog, key->num) :
	    nfs_proc_op(key->prog, key->vers, key->num);
	char name[64];

	snprintf(name, sizeof(name), "%s %s", prog->key, nfs_op_name(op));
	check(p, name, "calls", p->c.row[row].calls, t->calls);
	check(p, name, "replies", p->c.row[row].replies, t->replies);
	check(p, name, "errors", p->c.row[row].errors, t->errors);
	check(p, name, "retransmits", p->c.row[row].retransmits,
	    t->retransmits);
	check(p, name, "bytes", p->c.row[row].bytes, t->bytes);
}

static void
compare(struct prop *p)
{
	const struct convgen_truth *t = convgen_truth(p->gen);
	struct convgen_key key;
	unsigned int i;

	p->failed = false;
	p->len = 0;
	equal(p, "packets", p->c.packets, t->packets);
	equal(p, "bytes", p->c.bytes, t->bytes);
	equal(p, "truncated", p->c.counter[SAMPLE_TRUNCATED], t->truncated);
	equal(p, "calls of programs that are not there", p->c.strange, 0);
	for (i = 0; convgen_row_key(i, &key); i++)
		compare_row(p, i, &key);
	check(p, "all", "unmatched", p->c.unmatched, t->unmatched);
	check(p, "all", "guessed calls", p->c.guessed,
	    (struct convgen_range){ 0, t->guesses });
	check(p, "ip", "incomplete", p->c.counter[SAMPLE_IP_INCOMPLETE],
	    t->incomplete);
	check(p, "tcp", "lost_bytes", p->c.counter[SAMPLE_TCP_LOST_BYTES],
	    t->lost_bytes);
	check(p, "tcp", "resyncs", p->c.counter[SAMPLE_TCP_RESYNCS],
	    t->resyncs);
}

static void
write_file(struct prop *p, uint64_t seed, unsigned int profile)
{
	struct pcapout_format f = { .nanoseconds = true };
	struct pcapout *o;
	struct packet pkt;
	char path[256];
	size_t i;

	snprintf(path, sizeof(path), "%s/prop-%s-%ju.pcap", p->dir,
	    convgen_profile_name(profile), (uintmax_t)seed);
	f.linktype = convgen_linktype(p->gen);
	if ((o = pcapout_open(path, &f)) == NULL) {
		warn("%s", path);
		return;
	}
	for (i = 0; i < convgen_packets(p->gen); i++) {
		convgen_packet(p->gen, i, &pkt);
		pcapout_write(o, &pkt);
	}
	if (pcapout_close(o) != 0)
		warn("%s", path);
	else
		printf("    written to %s\n", path);
}

static void
one(struct prop *p, uint64_t seed, unsigned int profile)
{
	bool exact;

	convgen_make(p->gen, seed, profile);
	exact = convgen_truth(p->gen)->exact;
	decode(p);
	compare(p);
	p->made++;
	p->exact += exact;
	p->bad += p->failed;
	p->by_profile[profile][0]++;
	p->by_profile[profile][1] += p->failed;
	p->by_profile[profile][2] += exact;
	if (!p->failed || p->quiet)
		return;
	printf("mismatch: %s\n%s", convgen_describe(p->gen), p->text);
	if (p->files < FILES_MAX) {
		p->files++;
		write_file(p, seed, profile);
	}
}

static void
print_profiles(const struct prop *p)
{
	unsigned int i;

	for (i = 0; i < convgen_profiles(); i++)
		if (p->by_profile[i][0] > 0)
			printf("%s: conversations: %ju, exactly known: %ju, "
			    "mismatches: %ju\n", convgen_profile_name(i),
			    (uintmax_t)p->by_profile[i][0],
			    (uintmax_t)p->by_profile[i][2],
			    (uintmax_t)p->by_profile[i][1]);
}

int
main(int argc, char *argv[])
{
	struct prop *p = calloc(1, sizeof(*p));
	uint64_t first = 1, n = 20000, i;
	int c, profile = -1;

	if (p == NULL)
		err(1, "prop");
	p->dir = "build/tests/out";
	while ((c = getopt(argc, argv, "f:n:p:qsvw:")) != -1)
		switch (c) {
		case 'f':
			first = strtoull(optarg, NULL, 0);
			break;
		case 'n':
			n = strtoull(optarg, NULL, 0);
			break;
		case 'p':
			if ((profile = convgen_profile_find(optarg)) < 0)
				errx(2, "no profile %s", optarg);
			break;
		case 'q':
			p->quiet = true;
			break;
		case 's':
			p->summary = true;
			break;
		case 'v':
			p->verbose = true;
			break;
		case 'w':
			p->dir = optarg;
			break;
		default:
			return 2;
		}
	if (mkdir(p->dir, 0777) != 0 && errno != EEXIST)
		warn("%s", p->dir);
	p->gen = convgen_new();
	for (i = 0; i < n; i++)
		one(p, first + i, profile >= 0 ? (unsigned int)profile :
		    (unsigned int)((first + i) % convgen_profiles()));
	if (p->summary)
		print_profiles(p);
	printf("exactly known: %ju\n", (uintmax_t)p->exact);
	printf("conversations: %ju, mismatches: %ju\n", (uintmax_t)p->made,
	    (uintmax_t)p->bad);
	c = p->bad > 0;
	convgen_free(p->gen);
	free(p);
	return c;
}

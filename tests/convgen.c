/* SPDX-License-Identifier: ISC */
/*
 * convgen.c: writes a generated conversation to a pcap file and its truth, as a
 * line of JSON, to standard output.
 *
 * usage: convgen [-bnv] [-s SEED] [-p PROFILE] [-o FILE]
 *	-b big-endian, -n nanoseconds, -v a line for each transmission first;
 *	without -p it lists the profiles.
 */
#include "convgen_int.h"

#include <err.h>
#include <stdio.h>
#include <unistd.h>

#include "nfs.h"
#include "pcapout.h"

static void
range(const char *name, struct convgen_range r)
{
	printf(",\"%s\":", name);
	if (r.hi == CONVGEN_ANY)
		printf("[%ju,null]", (uintmax_t)r.lo);
	else if (r.lo == r.hi)
		printf("%ju", (uintmax_t)r.lo);
	else
		printf("[%ju,%ju]", (uintmax_t)r.lo, (uintmax_t)r.hi);
}

static void
print_row(const struct convgen_key *key, const struct convgen_row *r)
{
	const struct nfs_program *p = nfs_program_find(key->prog, key->vers);
	uint16_t op = key->in_compound ? nfs_compound_op(p, key->num) :
	    nfs_proc_op(key->prog, key->vers, key->num);

	printf("{\"program\":\"%s\",\"op\":\"%s\"", p->key, nfs_op_name(op));
	range("calls", r->calls);
	range("replies", r->replies);
	range("errors", r->errors);
	range("retransmits", r->retransmits);
	range("bytes", r->bytes);
	putchar('}');
}

static void
print_truth(struct convgen *g)
{
	const struct convgen_truth *t = convgen_truth(g);
	struct convgen_key key;
	unsigned int i;
	const char *comma = "";

	printf("{\"made\":\"%s\",\"packets\":%ju,\"bytes\":%ju,"
	    "\"in_packets\":%ju,\"truncated\":%ju,\"sent_calls\":%ju,"
	    "\"sent_resends\":%ju,\"sent_replies\":%ju,\"exact\":%s",
	    convgen_describe(g), (uintmax_t)t->packets, (uintmax_t)t->bytes,
	    (uintmax_t)t->in_packets, (uintmax_t)t->truncated,
	    (uintmax_t)t->sent_calls, (uintmax_t)t->sent_resends,
	    (uintmax_t)t->sent_replies, t->exact ? "true" : "false");
	range("calls", t->calls);
	range("replies", t->replies);
	range("retransmits", t->retransmits);
	range("unmatched", t->unmatched);
	range("incomplete", t->incomplete);
	range("lost_bytes", t->lost_bytes);
	range("resyncs", t->resyncs);
	printf(",\"ops\":[");
	for (i = 0; convgen_row_key(i, &key); i++) {
		if (t->row[i].calls.hi + t->row[i].replies.hi == 0)
			continue;
		printf("%s", comma);
		comma = ",";
		print_row(&key, &t->row[i]);
	}
	printf("]}\n");
}

/* Every transmission, what is known of it, and from which frame on. */
static void
print_sends(const struct convgen *g)
{
	static const char *const states[] = { "no", "half", "maybe", "yes" };
	const struct cg_send *s;
	const struct cg_op *o;
	uint32_t i, j;

	for (i = 0; i < g->sends; i++) {
		s = &g->send[i];
		printf("%08x %s flow %u dir %u %-5s frame %u at %u",
		    g->rpc[s->rpc].xid, s->reply ? "reply" : "call ",
		    s->flow, s->dir, states[s->state], s->idx + 1,
		    s->frags > 0 ? g->frag[s->first_frag].pos : 0);
		for (j = 0; j < s->frags; j++)
			printf("+%u", g->frag[s->first_frag + j].len);
		putchar(':');
		for (j = 0; j < g->msg[s->msg].ops; j++) {
			o = &g->op[g->msg[s->msg].first_op + j];
			printf(" %u.%u", o->table, o->num);
			if (o->bytes > 0)
				printf("(%u)", o->bytes);
		}
		putchar('\n');
	}
}

static void
write_file(struct convgen *g, const char *path, struct pcapout_format *f)
{
	struct pcapout *o;
	struct packet p;
	size_t i;

	f->linktype = convgen_linktype(g);
	if ((o = pcapout_open(path, f)) == NULL)
		err(1, "%s", path);
	for (i = 0; i < convgen_packets(g); i++) {
		convgen_packet(g, i, &p);
		pcapout_write(o, &p);
	}
	if (pcapout_close(o) != 0)
		err(1, "%s", path);
}

static void
list(void)
{
	unsigned int i;

	for (i = 0; i < convgen_profiles(); i++)
		puts(convgen_profile_name(i));
}

int
main(int argc, char *argv[])
{
	struct pcapout_format f = { .nanoseconds = false };
	const char *path = NULL;
	struct convgen *g;
	uint64_t seed = 1;
	int c, profile = -1;
	bool verbose = false;

	while ((c = getopt(argc, argv, "bno:p:s:v")) != -1)
		switch (c) {
		case 'b':
			f.big_endian = true;
			break;
		case 'n':
			f.nanoseconds = true;
			break;
		case 'o':
			path = optarg;
			break;
		case 'p':
			if ((profile = convgen_profile_find(optarg)) < 0)
				errx(2, "no profile %s", optarg);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 'v':
			verbose = true;
			break;
		default:
			return 2;
		}
	if (profile < 0) {
		list();
		return 0;
	}
	g = convgen_new();
	convgen_make(g, seed, (unsigned int)profile);
	if (path != NULL)
		write_file(g, path, &f);
	if (verbose)
		print_sends(g);
	print_truth(g);
	convgen_free(g);
	return 0;
}

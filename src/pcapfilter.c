/* SPDX-License-Identifier: ISC */
/*
 * pcapfilter.c: filter expressions to programs, and several to one.
 */
#include "pcapfilter.h"

#include <sys/socket.h>

#ifdef __linux__
#include <linux/filter.h>
#endif
#include <pcap/pcap.h>
#include <stdlib.h>

#include "capfilter.h"
#include "ipfrag.h"

#define PROGRAM_MAX	4096	/* instructions, of Linux */
#define GO_ON	UINT32_MAX	/* to what is appended next */

/* Takes the text away. */
static int
compile(struct pcap *p, char *text, struct bpf_program *out)
{
	int res = -1;

	if (text != NULL)
		res = pcap_compile(p, out, text, 1, PCAP_NETMASK_UNKNOWN);
	free(text);
	return res == 0 ? 0 : -1;
}

/* Room for all of them and an end. */
static int
make_room(struct bpf_program *out, const struct bpf_program part[3])
{
	unsigned int total = part[0].bf_len + part[1].bf_len + part[2].bf_len;

	out->bf_len = 0;
	out->bf_insns = NULL;
	if (total >= PROGRAM_MAX)
		return -1;
	out->bf_insns = calloc(total + 1, sizeof(out->bf_insns[0]));
	return out->bf_insns != NULL ? 0 : -1;
}

/*
 * Jumps are relative, so that a program may stand anywhere.  Where it would
 * end it says how many bytes are copied, yes of what passes it and no of what
 * does not; or it goes on with what is appended next.
 */
static void
append(struct bpf_program *out, const struct bpf_program *p, uint32_t yes,
    uint32_t no)
{
	struct bpf_insn *i;
	uint32_t n;

	for (n = 0; n < p->bf_len; n++) {
		i = &out->bf_insns[out->bf_len++];
		*i = p->bf_insns[n];
		if (BPF_CLASS(i->code) != BPF_RET)
			continue;
		i->k = i->k != 0 ? yes : no;
		if (i->k != GO_ON)
			continue;
		i->code = BPF_JMP | BPF_JA;
		i->k = p->bf_len - n - 1;
	}
}

/* What passes; then which of these are fragments, and which datagrams. */
static int
join(struct pcap *p, const struct bpf_program part[3], struct bpf_program *out)
{
	const struct bpf_insn end = { .code = BPF_RET | BPF_K,
	    .k = (uint32_t)pcap_snapshot(p) };

	if (make_room(out, part) != 0)
		return -1;
	append(out, &part[0], GO_ON, 0);
	append(out, &part[1], PCAPFILTER_FRAGMENT, GO_ON);
	append(out, &part[2], PCAPFILTER_DATAGRAM, GO_ON);
	out->bf_insns[out->bf_len++] = end;
	return 0;
}

static int
live(struct pcap *p, const struct pcapfilter_live *f, int tags,
    struct bpf_program *out)
{
	struct bpf_program part[3] = { { 0 }, { 0 }, { 0 } };
	int res = -1, i;

	if (compile(p, capfilter_make(f->expr, f->port, f->ports, tags),
	    &part[0]) == 0 && compile(p, capfilter_fragments(IPFRAG_HEAD_MAX,
	    tags), &part[1]) == 0 && compile(p, capfilter_datagrams(f->port,
	    f->ports, tags), &part[2]) == 0)
		res = join(p, part, out);
	for (i = 0; i < 3; i++)
		pcap_freecode(&part[i]);
	return res;
}

int
pcapfilter_set(struct pcap *p, struct bpf_program *program, bool again)
{
#ifdef SO_ATTACH_FILTER
	struct sock_fprog prog;

	/* Cooked packets look otherwise to the kernel: libpcap knows how. */
	if (again && pcap_datalink(p) == DLT_EN10MB &&
	    program->bf_len <= PROGRAM_MAX) {
		prog.len = (unsigned short)program->bf_len;
		prog.filter = (void *)program->bf_insns;
		if (setsockopt(pcap_fileno(p), SOL_SOCKET, SO_ATTACH_FILTER,
		    &prog, sizeof(prog)) == 0)
			return 0;
	}
#else
	(void)again;
#endif
	return pcap_setfilter(p, program);
}

int
pcapfilter_live(struct pcap *p, const struct pcapfilter_live *f,
    struct bpf_program *out)
{
	int res = -1, tags;

	for (tags = CAPFILTER_TAGS_MAX; res != 0 && tags >= 0; tags--)
		res = live(p, f, tags, out);
	return res;
}

int
pcapfilter_file(struct pcap *p, const char *expr, struct bpf_program *out)
{
	int res = -1, tags;

	for (tags = CAPFILTER_TAGS_MAX; res != 0 && tags >= 0; tags--)
		res = compile(p, capfilter_own(expr, tags), out);
	return res;
}

/* SPDX-License-Identifier: ISC */
/*
 * convgen_make.c: makes one conversation from a seed, in memory that is kept
 * for the next.
 */
#include "convgen_int.h"

#include <err.h>
#include <stdio.h>

void *
cg_grow(void *base, uint32_t *cap, uint32_t n, size_t size)
{
	if (n <= *cap)
		return base;
	*cap = n < 64 ? 64 : n + n / 2;
	if ((base = realloc(base, *cap * size)) == NULL)
		err(1, "convgen");
	return base;
}

uint8_t *
cg_add(struct cg_buf *b, size_t n)
{
	if (b->len + n > b->cap) {
		b->cap = b->len + n + b->cap / 2 + 4096;
		if ((b->data = realloc(b->data, b->cap)) == NULL)
			err(1, "convgen");
	}
	b->len += n;
	return b->data + b->len - n;
}

struct convgen *
convgen_new(void)
{
	struct convgen *g = calloc(1, sizeof(*g));
	uint64_t state = 1;
	size_t i;

	if (g == NULL)
		err(1, "convgen");
	for (i = 0; i < sizeof(g->noise); i++)
		g->noise[i] = (uint8_t)(testkit_random(&state) >> 32);
	return g;
}

void
convgen_free(struct convgen *g)
{
	int d;

	if (g == NULL)
		return;
	for (d = 0; d < 2; d++) {
		free(g->spool[d].data);
		free(g->seen[d]);
	}
	free(g->pool.data);
	free(g->data.data);
	free(g->frame_bytes.data);
	free(g->op);
	free(g->msg);
	free(g->rpc);
	free(g->send);
	free(g->frag);
	free(g->frame);
	free(g->flow);
	free(g->epoch);
	free(g->queue);
	free(g);
}

void
convgen_make(struct convgen *g, uint64_t seed, unsigned int profile)
{
	g->rng = seed * 1000003 + profile;
	g->seed = seed;
	g->profile = profile;
	g->pool.len = g->spool[0].len = g->spool[1].len = 0;
	g->ops = g->msgs = g->rpcs = g->sends = g->frags = g->frames = 0;
	g->flows = g->epochs = 0;
	g->ip_id = cg_below(g, 65536);
	cg_link_choose(g);
	cg_profile_set(g, profile);
	cg_converse(g);
	cg_hurt(g);
	cg_truth(g);
}

size_t
convgen_packets(const struct convgen *g)
{
	return g->frames;
}

int
convgen_linktype(const struct convgen *g)
{
	return g->linktype;
}

const struct convgen_truth *
convgen_truth(const struct convgen *g)
{
	return &g->truth;
}

const char *
convgen_describe(struct convgen *g)
{
	const struct cg_shape *s = &g->shape;
	const struct cg_hurt *h = &g->hurt;

	snprintf(g->text, sizeof(g->text),
	    "profile %s seed %llu: NFSv%u.%u %s IPv%d linktype %d, %u clients"
	    " x %u RPCs, depth %u batch %u, data to %u, mss %u, segments %u,"
	    " fragments %u, end %u, nconnect %u, reconnects %u%s%s%s%s%s;"
	    " per million: lost before %u behind %u, unanswered %u, fakes %u,"
	    " drop %u (burst %u) of marks %u, copy %u, move %u, cross %u,"
	    " overlap %u, probe %u%s; start %u end %u cut, snaplen %u,"
	    " step %lld s, jitter %lld us",
	    convgen_profile_name(g->profile), (unsigned long long)g->seed,
	    s->version, s->minor, s->tcp ? "TCP" : "UDP", s->v6 ? 6 : 4,
	    g->linktype, s->clients, s->rpcs, s->depth, s->batch,
	    s->data_max, s->mss, s->seg, s->frag, s->end, s->nconnect,
	    s->reconnects, s->same_port ? " same port" : "",
	    s->nat ? " NAT" : "", s->mount ? " mount" : "",
	    s->near_wrap ? " wrap" : "", s->backwards ? " backwards" : "",
	    s->lost_before, s->lost_behind, s->unanswered, s->fakes,
	    h->drop, h->burst, h->drop_marks, h->copy, h->move, h->cross,
	    h->overlap, h->probe, h->mirror ? " mirror" : "", h->cut_start,
	    h->cut_end, h->snaplen, (long long)(h->step / CG_SEC),
	    (long long)(h->jitter / CG_US));
	return g->text;
}

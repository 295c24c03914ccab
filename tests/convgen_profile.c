/* SPDX-License-Identifier: ISC */
/*
 * convgen_profile.c: the kinds of conversation that there are: what is made,
 * and how it is hurt.
 */
#include "convgen_int.h"

static const uint32_t ordinary_mss[] = { 536, 1440, 1448, 1460, 8948 };

static void
pick_version(struct convgen *g)
{
	struct cg_shape *s = &g->shape;
	uint32_t pick = cg_below(g, 10);

	s->version = pick < 1 ? 2 : pick < 6 ? 3 : 4;
	s->minor = (uint8_t)(s->version == 4 ? cg_below(g, 3) : 0);
	s->tcp = s->version == 4 || cg_chance(g, s->version == 3 ? 650000 :
	    200000);
	s->v6 = cg_chance(g, 300000);
	s->callbacks = s->minor > 0 && cg_chance(g, 300000) ? 30000 : 0;
}

/* The shape that the others are variations of. */
static void
ordinary(struct convgen *g)
{
	struct cg_shape *s = &g->shape;

	memset(s, 0, sizeof(*s));
	memset(&g->hurt, 0, sizeof(g->hurt));
	pick_version(g);
	s->clients = cg_chance(g, 150000) ? cg_between(g, 2, 5) : 1;
	s->rpcs = cg_between(g, 5, cg_chance(g, 200000) ? 120 : 40);
	if (s->clients > 1)
		s->rpcs = s->rpcs / s->clients + 1;
	s->depth = cg_chance(g, 300000) ? 1 : cg_between(g, 2, 16);
	s->batch = cg_chance(g, 500000) ? 1 : cg_between(g, 1, s->depth);
	s->data_max = cg_chance(g, 200000) ? 32768 : cg_between(g, 0, 9000);
	if (s->version == 2 && s->data_max > 8192)
		s->data_max = 8192;
	s->data_share = cg_between(g, 100000, 600000);
	s->acks = cg_between(g, 300000, 1000000);
	s->spread = 20 * CG_MS;
	s->end = (uint8_t)cg_below(g, 3);
	s->mss = cg_chance(g, 60000) ? cg_between(g, 16000, 60000) :
	    ordinary_mss[cg_below(g, 5)];
	s->seg = cg_chance(g, 700000) ? CG_SEG_FULL : CG_SEG_RANDOM;
	s->near_wrap = cg_chance(g, 300000);
	s->mount = s->version == 3 && cg_chance(g, 150000);
	s->backwards = cg_chance(g, 200000);
}

static void
clean(struct convgen *g)
{
	ordinary(g);
}

/* Cut into small pieces in every way; nothing is lost. */
static void
pieces(struct convgen *g)
{
	struct cg_shape *s = &g->shape;

	ordinary(g);
	s->seg = (uint8_t)cg_below(g, CG_SEG_KINDS);
	s->frag = (uint8_t)cg_below(g, CG_CUT_KINDS);
	if (s->seg >= CG_SEG_TINY) {
		s->data_max = cg_below(g, 60);
		s->rpcs = cg_between(g, 2, 8);
		s->clients = 1;
	} else if (s->seg == CG_SEG_SMALL && s->data_max > 4000)
		s->data_max = 4000;
}

/* Doubled, moved, sent again in other pieces; nothing is lost. */
static void
disorder(struct convgen *g)
{
	struct cg_hurt *h = &g->hurt;

	pieces(g);
	if (cg_chance(g, 600000))
		h->copy = cg_between(g, 5000, 200000);
	if (cg_chance(g, 600000))
		h->move = cg_between(g, 5000, 300000);
	if (cg_chance(g, 600000))
		h->overlap = cg_between(g, 5000, 200000);
	if (cg_chance(g, 300000))
		h->probe = cg_between(g, 5000, 50000);
	h->mirror = cg_chance(g, 100000);
}

/* The network loses, the capture sees it all. */
static void
network_loss(struct convgen *g)
{
	ordinary(g);
	g->shape.lost_before = cg_below(g, 60000);
	g->shape.lost_behind = cg_below(g, 60000);
	if (cg_chance(g, 400000))
		g->hurt.move = cg_below(g, 50000);
	if (cg_chance(g, 300000))
		g->hurt.overlap = cg_below(g, 50000);
}

/* The capture loses what the receiver got. */
static void
capture_loss(struct convgen *g)
{
	ordinary(g);
	g->shape.frag = cg_chance(g, 200000) ? CG_CUT_FEW : CG_CUT_ONE;
	g->hurt.drop = cg_between(g, 1000, 60000);
	g->hurt.burst = cg_chance(g, 300000) ? cg_between(g, 2, 12) : 1;
	if (cg_chance(g, 300000))
		g->hurt.drop_marks = cg_between(g, 10000, 200000);
	if (cg_chance(g, 300000))
		g->shape.lost_before = cg_below(g, 30000);
	g->shape.unanswered = cg_chance(g, 200000) ? 50000 : 0;
}

static void
snapped(struct convgen *g)
{
	ordinary(g);
	g->hurt.snaplen = cg_between(g, 64, cg_chance(g, 500000) ? 300 : 128);
	if (cg_chance(g, 200000))
		g->hurt.move = cg_below(g, 50000);
	if (cg_chance(g, 200000))
		g->shape.lost_before = cg_below(g, 20000);
}

/* Begins and ends anywhere. */
static void
excerpt(struct convgen *g)
{
	ordinary(g);
	g->hurt.cut_start = 900000;
	g->hurt.cut_end = cg_chance(g, 500000) ? 500000 : 0;
	if (cg_chance(g, 200000))
		g->hurt.move = cg_below(g, 50000);
}

/* Data that looks like RPC, whole. */
static void
lookalike(struct convgen *g)
{
	ordinary(g);
	g->shape.fakes = 800000;
	g->shape.data_share = 500000;
	g->shape.data_max = cg_between(g, 500, 16000);
	if (g->shape.version == 2 && g->shape.data_max > 8000)
		g->shape.data_max = 8000;
	if (cg_chance(g, 300000))
		g->hurt.move = cg_below(g, 50000);
}

/* The same with losses in the middle of it. */
static void
lookalike_loss(struct convgen *g)
{
	lookalike(g);
	g->hurt.drop = cg_between(g, 1000, 60000);
	g->hurt.burst = cg_chance(g, 300000) ? cg_between(g, 2, 12) : 1;
	if (cg_chance(g, 500000))
		g->hurt.drop_marks = cg_between(g, 10000, 200000);
	if (cg_chance(g, 300000))
		g->hurt.cut_start = 900000;
}

/* Connections die, and calls are sent again over new ones. */
static void
reconnect(struct convgen *g)
{
	struct cg_shape *s = &g->shape;

	ordinary(g);
	s->tcp = true;
	s->mount = false;
	s->callbacks = 0;
	s->reconnects = cg_between(g, 1, 4);
	s->same_port = cg_chance(g, 500000);
	if (cg_chance(g, 200000))
		g->hurt.drop = cg_between(g, 1000, 20000);
	g->hurt.burst = 1;
}

/* Several connections of one client, or several clients at one address. */
static void
side_by_side(struct convgen *g)
{
	struct cg_shape *s = &g->shape;

	ordinary(g);
	s->mount = false;
	s->end = CG_END_NONE;
	if (cg_chance(g, 500000)) {
		s->tcp = true;
		s->clients = 1;
		s->nconnect = cg_between(g, 2, 16);
		s->rpcs = cg_between(g, 3, 30);
	} else {
		s->nat = true;
		s->clients = cg_between(g, 2, 6);
		s->spread = 0;
	}
	if (cg_chance(g, 200000))
		g->hurt.drop = cg_between(g, 1000, 20000);
	g->hurt.burst = 1;
}

static void
crowd(struct convgen *g)
{
	struct cg_shape *s = &g->shape;

	ordinary(g);
	s->mount = false;
	s->clients = cg_chance(g, 30000) ? cg_between(g, 1000, 3000) :
	    cg_between(g, 20, 150);
	s->rpcs = cg_between(g, 1, 3);
	s->data_max = cg_between(g, 0, 2000);
	s->spread = CG_SEC;
	if (cg_chance(g, 300000))
		g->hurt.drop = cg_between(g, 1000, 20000);
	g->hurt.burst = 1;
}

static void
bad_clock(struct convgen *g)
{
	static const int64_t steps[] = { -3600, -60, -5, -1, 1, 5, 20, 3600,
		31536000 };

	ordinary(g);
	if (cg_chance(g, 700000))
		g->hurt.step = steps[cg_below(g, 9)] * CG_SEC;
	if (cg_chance(g, 500000))
		g->hurt.jitter = cg_between(g, 1, 20000) * CG_US;
	g->shape.lost_behind = cg_chance(g, 300000) ? 20000 : 0;
}

/* A reply, or an ACK, may be captured before what it answers. */
static void
crossed(struct convgen *g)
{
	ordinary(g);
	g->hurt.cross = cg_between(g, 5000, 100000);
	g->hurt.move = cg_below(g, 100000);
}

/* Everything at once, a little. */
static void
all(struct convgen *g)
{
	struct cg_hurt *h = &g->hurt;

	ordinary(g);
	g->shape.seg = (uint8_t)cg_below(g, CG_SEG_SMALL + 1);
	if (g->shape.seg == CG_SEG_SMALL && g->shape.data_max > 4000)
		g->shape.data_max = 4000;
	g->shape.frag = (uint8_t)cg_below(g, CG_CUT_KINDS);
	g->shape.lost_before = cg_below(g, 30000);
	g->shape.lost_behind = cg_below(g, 30000);
	h->drop = cg_below(g, 30000);
	h->burst = 1 + cg_below(g, 4);
	h->copy = cg_below(g, 50000);
	h->move = cg_below(g, 50000);
	h->overlap = cg_below(g, 50000);
	h->cut_start = cg_chance(g, 300000) ? 500000 : 0;
	h->cut_end = cg_chance(g, 300000) ? 500000 : 0;
	h->snaplen = cg_chance(g, 300000) ? cg_between(g, 64, 300) : 0;
	h->jitter = cg_chance(g, 200000) ? CG_MS : 0;
}

static const struct {
	const char	*name;
	void		(*set)(struct convgen *);
} profiles[] = {
	{ "clean", clean }, { "pieces", pieces }, { "disorder", disorder },
	{ "network-loss", network_loss }, { "capture-loss", capture_loss },
	{ "snapped", snapped }, { "excerpt", excerpt },
	{ "lookalike", lookalike }, { "lookalike-loss", lookalike_loss },
	{ "reconnect", reconnect }, { "side-by-side", side_by_side },
	{ "crowd", crowd }, { "bad-clock", bad_clock }, { "crossed", crossed },
	{ "all", all },
};
#define PROFILES	(sizeof(profiles) / sizeof(profiles[0]))

unsigned int
convgen_profiles(void)
{
	return PROFILES;
}

const char *
convgen_profile_name(unsigned int profile)
{
	return profiles[profile].name;
}

int
convgen_profile_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < PROFILES; i++)
		if (strcmp(profiles[i].name, name) == 0)
			return (int)i;
	return -1;
}

void
cg_profile_set(struct convgen *g, unsigned int profile)
{
	profiles[profile].set(g);
}

/* SPDX-License-Identifier: ISC */
/*
 * target_judge.c: fuzz target: intervals of any kind through the rules, which
 * must give each a verdict that can be shown, and episodes that begin before
 * they end.
 */
#include "fuzzkit.h"

#include <math.h>
#include <string.h>

#include "packet.h"
#include "rules.h"

struct court {
	struct bytes	 script;
	struct sample	 s;
	struct rules	*rules;
	bool		 open;		/* an episode is */
	uint64_t	 episodes;
};

static void
on_episode(void *ctx, const struct episode *e)
{
	struct court *c = ctx;

	FUZZ_CHECK(e->ended == c->open);
	c->open = !e->ended;
	c->episodes += e->ended;
	FUZZ_CHECK(verdict_is_bad(e->kind));
	FUZZ_CHECK(e->start_ns <= e->end_ns);
	FUZZ_CHECK(e->intervals > 0);
	FUZZ_CHECK(isfinite(e->min) && isfinite(e->mean) && isfinite(e->max));
	FUZZ_CHECK(e->min >= 0 && e->min <= e->max);
	if (e->has_shortfall)
		FUZZ_CHECK(isfinite(e->shortfall_bytes) &&
		    e->shortfall_bytes >= 0);
}

static void
check_judgement(const struct judgement *v)
{
	FUZZ_CHECK(!v->has_verdict || v->verdict < VERDICTS);
	FUZZ_CHECK(v->expect <= EXPECT_MBPS);
	if (v->expect != EXPECT_NONE)
		FUZZ_CHECK(isfinite(v->expect_value) && isfinite(v->ratio) &&
		    v->ratio >= 0);
	if (v->has_cause)
		FUZZ_CHECK(v->cause < SAMPLE_STATES && v->cause_share >= 0 &&
		    v->cause_share <= 1.000001);
}

/* Mostly small numbers, sometimes huge ones. */
static uint64_t
count(struct bytes *b)
{
	uint8_t v = fuzzkit_u8(b);

	if (v < 128)
		return v;
	return v < 250 ? fuzzkit_u16(b) : fuzzkit_u64(b) >> (v & 7) * 8;
}

static uint32_t
count32(struct bytes *b)
{
	uint64_t v = count(b);

	return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

enum {				/* what an interval is */
	PARTIAL = 1, GAP = 2, DROPS = 4, WRITES = 8, SPLIT = 16, DUTY = 32,
	TROUBLE = 64, SAME = 128
};

static void
fill_writes(struct court *c)
{
	struct sample *s = &c->s;

	s->rpc_calls = count(&c->script);
	s->rpc_replies = count(&c->script);
	s->outstanding = count(&c->script);
	s->data[SAMPLE_WRITE].calls = count(&c->script);
	s->data[SAMPLE_WRITE].replies = count(&c->script);
	s->data[SAMPLE_WRITE].bytes = count(&c->script) * 1024;
	s->depth_ns = count(&c->script) * 1000000;
	s->depth_max = count32(&c->script);
}

/* The shares of an interval add up to it. */
static void
fill_split(struct court *c)
{
	uint64_t left = (uint64_t)c->s.length_ns, n;
	int i;

	c->s.has_split = true;
	for (i = 0; i < SAMPLE_STATES - 1; i++) {
		n = left * fuzzkit_u8(&c->script) / 255;
		c->s.state_ns[i] = n;
		left -= n;
	}
	c->s.state_ns[i] = left;
}

static void
fill(struct court *c, uint8_t what)
{
	struct sample *s = &c->s;
	int64_t start = s->start_ns + s->length_ns;

	sample_clear(s);
	s->start_ns = start;
	s->length_ns = s->watched_ns = NSEC_PER_SEC;
	s->partial = (what & PARTIAL) != 0;
	if ((what & GAP) != 0) {
		s->gap = true;
		s->length_ns += (int64_t)(count32(&c->script) >> 12) *
		    NSEC_PER_SEC;
		s->watched_ns = 0;
		s->restarted = fuzzkit_u8(&c->script) & 1;
		s->no_data = fuzzkit_u8(&c->script) & 1;
	}
	s->kernel_drops = (what & DROPS) != 0 ? count(&c->script) : 0;
	s->traffic[SAMPLE_IN].wire_packets = count(&c->script);
	s->traffic[SAMPLE_IN].packets = s->traffic[SAMPLE_IN].wire_packets;
	s->traffic[SAMPLE_IN].wire_bytes = count(&c->script) * 256;
	s->traffic[SAMPLE_IN].bytes = s->traffic[SAMPLE_IN].wire_bytes;
	s->first_ns = s->start_ns + fuzzkit_u8(&c->script) * NSEC_PER_MSEC;
	s->last_ns = s->start_ns + 900 * NSEC_PER_MSEC;
	if ((what & WRITES) != 0)
		fill_writes(c);
	if ((what & SPLIT) != 0)
		fill_split(c);
	if ((what & DUTY) != 0) {
		s->has_duty = true;
		s->duty_bins = 100;
		s->duty_on = fuzzkit_u8(&c->script) % 101;
		s->duty_gap_ns = fuzzkit_u8(&c->script) * NSEC_PER_MSEC;
	}
	if ((what & TROUBLE) != 0) {
		s->rpc_retransmits = count(&c->script);
		s->counter[SAMPLE_TCP_RETRANSMITS] = count(&c->script);
		s->untrusted_ns = fuzzkit_u8(&c->script) * 5 * NSEC_PER_MSEC;
	}
}

/* An interval; SAME: the last one so many times more. */
static void
interval(struct court *c)
{
	uint8_t what = fuzzkit_u8(&c->script), times = 1;
	struct judgement v;

	if ((what & SAME) != 0)
		times = what & 0x7f;
	else
		fill(c, what);
	for (; times > 0; times--) {
		memset(&v, 0, sizeof(v));
		rules_interval(c->rules, &c->s, &v);
		check_judgement(&v);
		FUZZ_CHECK((rules_episode(c->rules) != NULL) == c->open);
		if ((what & SAME) != 0)
			c->s.start_ns += c->s.length_ns;
	}
}

static struct expect *
make_expect(struct bytes *script, uint8_t how)
{
	static const enum expect_kind kinds[] = { EXPECT_PPS, EXPECT_WPS,
		EXPECT_MBPS };
	struct expect_config config = {
		.automatic = how & 1, .learn = how >> 1 & 1,
		.link_bps = 1e8
	};

	if ((how & 4) != 0) {
		config.given[0].kind = kinds[(how >> 3 & 3) % 3];
		config.given[0].value = 1 + fuzzkit_u16(script);
		config.givens = 1;
	}
	return expect_new(&config);
}

void
target_judge(const uint8_t *data, size_t len)
{
	static struct court c;
	struct rules_config config = { .episode = on_episode, .ctx = &c };
	struct rules_overall all;
	uint8_t how;

	memset(&c, 0, sizeof(c));
	c.script = bytes_of(data, len);
	how = fuzzkit_u8(&c.script);
	config.always = how >> 5 & 1;
	config.tolerance = how >> 6 & 1 ? 0.1 : 0;
	config.n = 1 + fuzzkit_u8(&c.script) % 12;
	config.m = 1 + fuzzkit_u8(&c.script) % config.n;
	config.expect = make_expect(&c.script, how);
	c.rules = rules_new(&config);
	FUZZ_CHECK(c.rules != NULL && config.expect != NULL);
	while (c.script.len > 0 && c.s.start_ns < INT64_MAX / 4)
		interval(&c);
	rules_finish(c.rules);
	FUZZ_CHECK(!c.open && rules_episode(c.rules) == NULL);
	rules_overall(c.rules, &all);
	FUZZ_CHECK(all.episodes == c.episodes && all.verdict < VERDICTS);
	FUZZ_CHECK(isfinite(all.min) && isfinite(all.mean) &&
	    isfinite(all.max));
	rules_free(c.rules);
	expect_free(config.expect);
}

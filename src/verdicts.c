/* SPDX-License-Identifier: ISC */
/*
 * verdicts.c: from the options to verdicts, and the episodes so far.
 */
#include "verdicts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "demo.h"
#include "expect.h"
#include "log.h"
#include "statefile.h"

#define SAVE_EVERY	600	/* intervals, when something is learned */

struct verdicts {
	struct verdicts_config config;
	struct expect	*expect;
	struct rules	*rules;
	bool		 learns;
	char		 learned[512];	/* where it is kept; "": nowhere */
	int		 (*create)(void *ctx);
	int		 (*commit)(void *ctx);
	void		*store_ctx;
	uint64_t	 intervals;
	bool		 played;	/* episodes come from a log */
	size_t		 episodes;
	struct episode	 episode[VERDICTS_EPISODES];
};

/* The start and the end of one episode are one entry. */
static void
keep(struct verdicts *v, const struct episode *e)
{
	if (v->episodes > 0 && !v->episode[v->episodes - 1].ended)
		v->episodes--;
	else if (v->episodes == VERDICTS_EPISODES) {
		v->episodes--;
		memmove(&v->episode[0], &v->episode[1],
		    v->episodes * sizeof(v->episode[0]));
	}
	v->episode[v->episodes++] = *e;
	if (v->config.episode != NULL)
		v->config.episode(v->config.ctx, e);
}

static void
on_episode(void *ctx, const struct episode *e)
{
	struct verdicts *v = ctx;

	if (!v->played)
		keep(v, e);
}

void
verdicts_note(struct verdicts *v, const struct episode *e)
{
	keep(v, e);
}

static void
expect_one(struct expect_config *c, const struct expect_spec *spec)
{
	static const enum expect_kind kinds[] = {
		[SPEC_PPS] = EXPECT_PPS,
		[SPEC_WPS] = EXPECT_WPS,
		[SPEC_MBPS] = EXPECT_MBPS,
	};

	if (spec->kind == SPEC_AUTO)
		c->automatic = true;
	else if (spec->kind == SPEC_LEARN)
		c->learn = true;
	else if (c->givens < EXPECT_GIVEN_MAX)
		c->given[c->givens++] = (struct expected){
			kinds[spec->kind], spec->value
		};
}

/* What was learned before; without it, it is learned anew. */
static void
load(struct verdicts *v)
{
	char err[EXPECT_ERROR_MAX];

	v->learns = true;
	if (statefile_path("learned", v->learned, sizeof(v->learned)) != 0) {
		log_warning("what is learned cannot be kept: %s",
		    strerror(errno));
		v->learned[0] = '\0';
	} else if (expect_load(v->expect, v->learned, err) != 0)
		log_warning("%s", err);
}

/* From the verdicts before; where those kept nothing there is no file. */
static void
take_over(struct verdicts *v, const struct verdicts *before)
{
	v->learns = true;
	if (before->learns)
		expect_take(v->expect, before->expect);
	snprintf(v->learned, sizeof(v->learned), "%s", before->learned);
	if (v->learned[0] == '\0')
		log_warning("what is learned is kept only after a new start");
}

static int
save_by_store(struct verdicts *v, char *err)
{
	int fd = v->create(v->store_ctx);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	bool good = f != NULL && expect_write(v->expect, f);

	if (f == NULL && fd >= 0)
		close(fd);
	if (f != NULL)
		good = fclose(f) == 0 && good;
	if (good && v->commit(v->store_ctx) == 0)
		return 0;
	snprintf(err, EXPECT_ERROR_MAX, "%.200s: %s", v->learned,
	    strerror(errno));
	return -1;
}

static void
save(struct verdicts *v)
{
	char err[EXPECT_ERROR_MAX];

	if (!v->learns || v->played || v->learned[0] == '\0')
		return;
	if ((v->create != NULL ? save_by_store(v, err) :
	    expect_save(v->expect, v->learned, err)) != 0) {
		log_warning("%s", err);
		v->learned[0] = '\0';
	}
}

const char *
verdicts_state(const struct verdicts *v)
{
	return v->learns && v->learned[0] != '\0' ? v->learned : NULL;
}

void
verdicts_store(struct verdicts *v, int (*create)(void *ctx),
    int (*commit)(void *ctx), void *ctx)
{
	v->create = create;
	v->commit = commit;
	v->store_ctx = ctx;
}

static int
make_expect(struct verdicts *v)
{
	const struct options *o = v->config.options;
	struct expect_config c;
	uint32_t i;

	if (o->expects == 0 && !o->demo)
		return 0;
	memset(&c, 0, sizeof(c));
	c.link_bps = o->link_bps > 0 ? o->link_bps : v->config.link_bps;
	for (i = 0; i < o->expects; i++)
		expect_one(&c, &o->expect[i]);
	if (o->demo && o->expects == 0)
		c.given[c.givens++] = (struct expected){
			EXPECT_PPS, DEMO_EXPECT_PPS
		};
	if ((v->expect = expect_new(&c)) == NULL)
		return -1;
	if (c.learn && v->config.before != NULL)
		take_over(v, v->config.before);
	else if (c.learn)
		load(v);
	return 0;
}

struct verdicts *
verdicts_new(const struct verdicts_config *config)
{
	const struct options *o = config->options;
	struct verdicts *v = calloc(1, sizeof(*v));
	struct rules_config c = {
		.tolerance = o->tolerance_percent / 100,
		.m = o->of_last.m, .n = o->of_last.n, .always = o->always,
		.episode = on_episode, .ctx = v,
	};

	if (v == NULL)
		return NULL;
	v->config = *config;
	if (make_expect(v) == 0) {
		c.expect = v->expect;
		v->rules = rules_new(&c);
	}
	v->config.before = NULL;
	if (v->rules != NULL)
		return v;
	verdicts_free(v);
	return NULL;
}

void
verdicts_free(struct verdicts *v)
{
	if (v == NULL)
		return;
	rules_free(v->rules);
	expect_free(v->expect);
	free(v);
}

void
verdicts_interval(struct verdicts *v, const struct sample *s,
    struct judgement *j)
{
	rules_interval(v->rules, s, j);
	if (++v->intervals % SAVE_EVERY == 0)
		save(v);
}

void
verdicts_judged(struct verdicts *v, const struct sample *s,
    const struct judgement *j)
{
	v->played = true;
	rules_judged(v->rules, s, j);
}

void
verdicts_finish(struct verdicts *v)
{
	rules_finish(v->rules);
	save(v);
}

const struct episode *
verdicts_episodes(const struct verdicts *v, size_t *n)
{
	*n = v->episodes;
	return v->episode;
}

const struct rules *
verdicts_rules(const struct verdicts *v)
{
	return v->rules;
}

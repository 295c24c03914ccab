/* SPDX-License-Identifier: ISC */
/*
 * playlog.c: a rate log as intervals in order, with what was said of them.
 */
#include "playlog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

#define TOLD_MAX	3	/* bad lines that are told one by one */

struct playlog {
	struct playlog_config config;
	struct ratelogread *log;
	uint64_t	 line;		/* the next one */
	uint64_t	 bad;
	bool		 begun;
	int64_t		 start_ns, end_ns;	/* of the last interval */
};

struct playlog *
playlog_open(const struct playlog_config *config,
    char err[RATELOGREAD_ERROR_MAX])
{
	struct playlog *p;

	if ((p = calloc(1, sizeof(*p))) == NULL) {
		snprintf(err, RATELOGREAD_ERROR_MAX, "%s", strerror(errno));
		return NULL;
	}
	p->config = *config;
	p->log = ratelogread_open(config->name, config->wait, config->ctx,
	    err);
	if (p->log != NULL)
		return p;
	free(p);
	return NULL;
}

void
playlog_close(struct playlog *p)
{
	if (p == NULL)
		return;
	ratelogread_close(p->log);
	free(p);
}

static void
bad_line(struct playlog *p, const char *why)
{
	if (p->bad++ < TOLD_MAX)
		log_warning("%s; passed over", why);
}

/* The record for intervals that are not in the log. */
static void
play_hole(struct playlog *p, const struct sample *next)
{
	struct sample hole;

	sample_clear(&hole);
	hole.start_ns = p->end_ns;
	hole.length_ns = next->start_ns - p->end_ns;
	hole.gap = hole.no_data = true;
	hole.seq = next->seq;
	p->config.sample(p->config.ctx, &hole, NULL);
}

static void
play(struct playlog *p, const struct jsonread_record *r)
{
	struct sample s = r->sample;

	if (p->begun && s.start_ns > p->end_ns)
		play_hole(p, &s);
	if (p->begun && s.start_ns < p->start_ns)
		s.restarted = true;
	p->begun = true;
	p->start_ns = s.start_ns;
	p->end_ns = s.start_ns + s.length_ns;
	p->config.sample(p->config.ctx, &s,
	    r->has_judgement ? &r->judgement : NULL);
}

static void
at_end(struct playlog *p)
{
	uint64_t torn = ratelogread_torn(p->log);

	if (p->bad > TOLD_MAX)
		log_warning("%s: %llu lines in all were passed over",
		    p->config.name, (unsigned long long)p->bad);
	p->bad = 0;
	if (torn > 0)
		log_notice("%s: the last line is torn, %llu bytes; passed over",
		    p->config.name, (unsigned long long)torn);
}

bool
playlog_step(struct playlog *p)
{
	const struct jsonread_record *r;
	char err[RATELOGREAD_ERROR_MAX];

	while (p->line < ratelogread_lines(p->log))
		switch (ratelogread_line(p->log, p->line++, &r, err)) {
		case JSONREAD_SECOND:
			play(p, r);
			return true;
		case JSONREAD_EPISODE:
			if (p->config.episode != NULL)
				p->config.episode(p->config.ctx, &r->episode);
			break;
		case JSONREAD_BAD:
			bad_line(p, err);
			break;
		case JSONREAD_LOST:
		case JSONREAD_OTHER:
			break;
		}
	at_end(p);
	return false;
}

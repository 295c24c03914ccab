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
	if (ratelogread_lines(p->log) == 0 && torn == 0)
		log_notice("%s: is empty; its first line comes when an "
		    "interval ends", p->config.name);
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

/* An interval, the last one up to a line or the next one; false: none. */
static bool
interval_near(struct playlog *p, uint64_t line, bool back, int64_t *time_ns)
{
	const struct jsonread_record *r;
	char err[RATELOGREAD_ERROR_MAX];

	for (; line < ratelogread_lines(p->log);
	    line += back ? UINT64_MAX : 1)
		if (ratelogread_line(p->log, line, &r, err) ==
		    JSONREAD_SECOND) {
			*time_ns = r->sample.start_ns;
			return true;
		}
	return false;
}

/*
 * The nearest start of an episode after or before a time.  An episode stands
 * behind its intervals, so the search begins there and goes on until one
 * does; going back it is the first that is found, unless it is a later one.
 */
static bool
find_episode(struct playlog *p, int64_t now_ns, bool back, int64_t *time_ns)
{
	uint64_t line = ratelogread_find(p->log, now_ns);
	const struct jsonread_record *r;
	char err[RATELOGREAD_ERROR_MAX];

	if (back && line == ratelogread_lines(p->log) && line > 0)
		line--;
	for (;;) {
		line = ratelogread_episode(p->log, line, back);
		if (line == ratelogread_lines(p->log))
			return false;
		if (ratelogread_line(p->log, line, &r, err) ==
		    JSONREAD_EPISODE && (back ? r->episode.start_ns < now_ns :
		    r->episode.start_ns > now_ns)) {
			*time_ns = r->episode.start_ns;
			return true;
		}
		line += back ? UINT64_MAX : 1;
	}
}

static bool
find_target(struct playlog *p, const struct player_target *to,
    int64_t *time_ns)
{
	uint64_t lines = ratelogread_lines(p->log);

	switch (to->to) {
	case PLAYER_TO_FIRST:
		return interval_near(p, 0, false, time_ns);
	case PLAYER_TO_LAST:
		return lines > 0 && interval_near(p, lines - 1, true, time_ns);
	case PLAYER_TO_TIME:
		return interval_near(p, ratelogread_find(p->log, to->time_ns),
		    false, time_ns);
	case PLAYER_TO_NEXT_EPISODE:
		return find_episode(p, to->time_ns, false, time_ns);
	case PLAYER_TO_PREVIOUS_EPISODE:
		return find_episode(p, to->time_ns, true, time_ns);
	}
	return false;
}

bool
playlog_seek(struct playlog *p, const struct player_target *to,
    uint64_t before, int64_t *time_ns)
{
	uint64_t line;

	if (!find_target(p, to, time_ns))
		return false;
	line = ratelogread_find(p->log, *time_ns);
	p->line = line > before ? line - before : 0;
	p->begun = false;
	return true;
}

void
playlog_episodes(struct playlog *p)
{
	const struct jsonread_record *r;
	char err[RATELOGREAD_ERROR_MAX];
	uint64_t line = 0;

	while ((line = ratelogread_episode(p->log, line, false)) <
	    ratelogread_lines(p->log))
		if (ratelogread_line(p->log, line++, &r, err) ==
		    JSONREAD_EPISODE && r->episode.ended)
			p->config.episode(p->config.ctx, &r->episode);
}

bool
playlog_has_grown(struct playlog *p)
{
	return p->line < ratelogread_more(p->log);
}

/* SPDX-License-Identifier: ISC */
/*
 * alert.c: an output that tells of episodes.
 */
#include "alert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packet.h"
#include "textbuf.h"

#define HOUR_NS		(3600 * NSEC_PER_SEC)

struct alert {
	struct sink	 sink;
	struct alert_config config;
	char		 host[256];
	int64_t		 now_ns;	/* end of the last interval */
	bool		 running;	/* the command has heard of its start */
	int64_t		 told_ns;	/* at last */
	/* the limit: so many may start, one more each hour / per_hour */
	double		 left;
	int64_t		 left_ns;	/* as of then */
	uint32_t	 left_out;
};

struct facts_to {
	struct textbuf	*text;
	bool		 line;
};

static void
put_fact(const struct facts_to *to, const char *key, const char *value)
{
	const char *p;

	if (to->line) {
		textbuf_printf(to->text, " %s=%s", key, value);
		return;
	}
	textbuf_str(to->text, "NFSRATED_");
	for (p = key; *p != '\0'; p++)
		textbuf_char(to->text, *p >= 'a' && *p <= 'z' ?
		    (char)(*p - 'a' + 'A') : *p);
	textbuf_char(to->text, '=');
	textbuf_str(to->text, value);
	textbuf_char(to->text, '\0');
}

static void
put_time(const struct facts_to *to, const char *key, int64_t ns)
{
	struct textbuf t = { 0 };

	textbuf_iso_time(&t, ns);
	put_fact(to, key, t.data != NULL ? t.data : "");
	textbuf_free(&t);
}

static void
put_number(const struct facts_to *to, const char *key, double v, int decimals)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*f", decimals, v);
	put_fact(to, key, text);
}

static void
put_rates(const struct facts_to *to, const struct episode *e)
{
	const int decimals = e->expect == EXPECT_MBPS ? 2 : 0;

	put_fact(to, "unit", expect_kind_name(e->expect == EXPECT_NONE ?
	    EXPECT_PPS : e->expect));
	put_number(to, "min", e->min, decimals);
	put_number(to, "mean", e->mean, decimals);
	put_number(to, "max", e->max, decimals);
	if (e->expect != EXPECT_NONE)
		put_number(to, "expected", e->expected, decimals);
	if (e->has_shortfall)
		put_number(to, "shortfall_bytes", e->shortfall_bytes, 0);
}

static void
put_episode(const struct facts_to *to, const struct episode *e)
{
	char addr[ADDR_STRLEN];

	put_fact(to, "kind", verdict_name(e->kind));
	put_time(to, "start", e->start_ns);
	if (e->ended)
		put_time(to, "end", e->end_ns);
	put_number(to, "seconds", (double)(e->end_ns - e->start_ns) / 1e9, 1);
	put_number(to, "intervals", (double)e->intervals, 0);
	put_rates(to, e);
	if (e->has_cause)
		put_fact(to, "cause", sample_state_name(e->cause));
	if (e->has_client)
		put_fact(to, "client",
		    addr_print(&e->client, addr, sizeof(addr)));
}

static const char *
event_name(enum alert_event event)
{
	static const char *const names[] = {
		[ALERT_START] = "start", [ALERT_REPEAT] = "repeat",
		[ALERT_END] = "end"
	};

	return names[event];
}

void
alert_line(struct textbuf *t, enum alert_event event, const struct episode *e)
{
	const struct facts_to to = { t, true };

	textbuf_printf(t, "episode %s", event_name(event));
	put_episode(&to, e);
}

void
alert_facts(struct textbuf *t, enum alert_event event,
    const struct episode *e, const char *source, const char *host,
    uint32_t left_out)
{
	const struct facts_to to = { t, false };

	put_fact(&to, "event", event_name(event));
	put_episode(&to, e);
	if (source != NULL)
		put_fact(&to, "source", source);
	if (host != NULL)
		put_fact(&to, "host", host);
	put_number(&to, "left_out", left_out, 0);
}

/* The sink stands first in it. */
static struct alert *
alert_of(struct sink *s)
{
	return (void *)s;
}

static void
refill(struct alert *a)
{
	const double limit = a->config.per_hour;
	int64_t passed = a->now_ns - a->left_ns;

	if (passed > 0)
		a->left += (double)passed * limit / HOUR_NS;
	if (a->left > limit || a->left_ns == 0)
		a->left = limit;
	a->left_ns = a->now_ns;
}

/* Whoever heard of a start hears of the end. */
static bool
may_run(struct alert *a, enum alert_event event)
{
	if (a->config.command == NULL)
		return false;
	if (event != ALERT_START)
		return a->running;
	if (a->config.per_hour == 0)
		return true;
	refill(a);
	if (a->left < 1) {
		a->left_out++;
		return false;
	}
	a->left--;
	return true;
}

static void
tell(struct alert *a, enum alert_event event, const struct episode *e)
{
	struct textbuf t = { 0 };

	alert_line(&t, event, e);
	if (a->left_out > 0)
		textbuf_printf(&t, " left_out=%u", (unsigned int)a->left_out);
	if (!t.failed)
		a->config.line(a->config.ctx, t.data);
	textbuf_clear(&t);
	if (may_run(a, event)) {
		alert_facts(&t, event, e, a->config.source, a->host,
		    a->left_out);
		if (!t.failed)
			a->config.command(a->config.ctx, t.data, t.len);
		a->running = event != ALERT_END;
		a->left_out = 0;
	} else if (event == ALERT_END)
		a->running = false;
	a->told_ns = a->now_ns;
	textbuf_free(&t);
}

static int
alert_sample(struct sink *s, const struct sample *sample,
    const struct judgement *v)
{
	struct alert *a = alert_of(s);
	const struct episode *e;

	(void)v;
	a->now_ns = sample->start_ns + sample->length_ns;
	if (a->config.repeat_ns == 0 ||
	    (e = a->config.open(a->config.ctx)) == NULL)
		return 0;
	if (a->now_ns - a->told_ns >= a->config.repeat_ns ||
	    a->now_ns < a->told_ns)
		tell(a, ALERT_REPEAT, e);
	return 0;
}

static int
alert_episode(struct sink *s, const struct episode *e)
{
	struct alert *a = alert_of(s);

	if (e->end_ns > a->now_ns)
		a->now_ns = e->end_ns;
	tell(a, e->ended ? ALERT_END : ALERT_START, e);
	return 0;
}

static void
alert_close(struct sink *s)
{
	free(alert_of(s));
}

static const struct sink_class alert_class = {
	.sample = alert_sample, .episode = alert_episode,
	.close = alert_close
};

struct sink *
alert_new(const struct alert_config *config)
{
	struct alert *a = calloc(1, sizeof(*a));

	if (a == NULL)
		return NULL;
	a->sink.class = &alert_class;
	a->config = *config;
	if (gethostname(a->host, sizeof(a->host) - 1) != 0)
		a->host[0] = '\0';
	return &a->sink;
}

void
alert_set(struct sink *s, int64_t repeat_ns, uint32_t per_hour)
{
	struct alert *a = alert_of(s);

	a->config.repeat_ns = repeat_ns;
	a->config.per_hour = per_hour;
}

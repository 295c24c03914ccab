/* SPDX-License-Identifier: ISC */
/*
 * watch.c: somebody watches.
 */
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "demo.h"
#include "packet.h"
#include "ratelog.h"
#include "usernames.h"

#define NAME_SIZE	64
#define SOURCE_SIZE	512

struct watch {
	struct sink	 sink;
	struct watch_config config;
	struct player	 player;
	struct usernames *names;	/* NULL: numbers */
	struct tabs	*tabs;
	struct screen	*screen;
	bool		 catching_up;	/* intervals up to a time are due */
	int64_t		 until_ns;
	bool		 hold;		/* pause then */
	char		 source[SOURCE_SIZE];
};

bool
watch_wanted(const struct options *o)
{
	return !o->text && !o->json && !o->report && !o->daemon && !o->check &&
	    screen_missing() == NULL;
}

static const char *
name_user(void *ctx, uint32_t uid)
{
	struct watch *w = ctx;

	return usernames_find(w->names, uid);
}

static int
give_sample(struct sink *sink, const struct sample *s,
    const struct judgement *v)
{
	struct watch *w = (void *)sink;

	tabs_sample(w->tabs, s, v);
	return 0;
}

static int
give_episode(struct sink *sink, const struct episode *e)
{
	struct watch *w = (void *)sink;

	tabs_episode(w->tabs, e);
	return 0;
}

static const struct sink_class class = {
	.sample = give_sample, .episode = give_episode
};

/* "eth0, server 10.77.0.2": those that were named. */
static void
name_source(struct watch *w)
{
	const struct options *o = w->config.options;
	char addr[ADDR_STRLEN];
	size_t len;
	uint32_t i;

	len = (size_t)snprintf(w->source, SOURCE_SIZE, "%s",
	    w->config.source);
	for (i = 0; i < o->servers && len < SOURCE_SIZE; i++)
		len += (size_t)snprintf(w->source + len, SOURCE_SIZE - len,
		    "%s %s", i == 0 ? ", server" : ",",
		    addr_print(&o->server[i], addr, sizeof(addr)));
}

static struct tabs *
make_tabs(struct watch *w)
{
	const struct options *o = w->config.options;
	const struct tabs_config config = {
		.source = w->source,
		.servers_named = o->servers > 0,
		.player = w->config.recording ? &w->player : NULL,
		.seekable = w->config.seekable,
		.interval_ns = o->interval_ns,
		.total = o->total,
		.human = o->human,
		.user = w->names != NULL ? name_user : NULL,
		.ctx = w
	};

	return tabs_new(&config);
}

struct watch *
watch_open(const struct watch_config *config)
{
	const struct options *o = config->options;
	struct watch *w = calloc(1, sizeof(*w));
	int error;

	if (w == NULL)
		return NULL;
	w->sink.class = &class;
	w->config = *config;
	name_source(w);
	player_init(&w->player, o->speed < 0 ? 1 : o->speed);
	if (o->demo)
		player_step(&w->player, DEMO_BEGIN);
	if ((o->numeric || (w->names = usernames_new()) != NULL) &&
	    (w->tabs = make_tabs(w)) != NULL &&
	    (w->screen = screen_open(w->tabs)) != NULL)
		return w;
	error = errno;
	watch_close(w);
	errno = error;
	return NULL;
}

void
watch_leave(struct watch *w)
{
	screen_close(w->screen);
	w->screen = NULL;
}

void
watch_close(struct watch *w)
{
	if (w == NULL)
		return;
	watch_leave(w);
	tabs_free(w->tabs);
	usernames_free(w->names);
	free(w);
}

void
watch_prepare_sandbox(struct watch *w)
{
	tzset();
	if (w->names != NULL)
		usernames_freeze(w->names);
}

struct sink *
watch_sink(struct watch *w)
{
	return &w->sink;
}

void
watch_lost(struct watch *w, uint64_t intervals)
{
	tabs_lost(w->tabs, intervals);
}

/* The file of the w key. */

/* A log is appended to, but this one must be new. */
static int
open_new(void *ctx, const char *name)
{
	const struct watch *w = ctx;

	if (w->config.create != NULL)
		return w->config.create(w->config.ctx, name);
	return open(name, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC |
	    O_NOCTTY, 0666);
}

/* By the time of its last interval, so that two of them differ. */
static void
make_name(char name[NAME_SIZE], int64_t ns)
{
	time_t seconds = (time_t)(ns / NSEC_PER_SEC);
	struct tm tm;

	localtime_r(&seconds, &tm);
	strftime(name, NAME_SIZE, "nfsrated-%Y%m%d-%H%M%S.log", &tm);
}

/* Episodes that are over stand behind their last interval. */
static void
write_episodes(const struct watch *w, struct sink *log, int64_t from_ns,
    int64_t to_ns)
{
	uint32_t i, n;
	const struct episode *e = tabs_episodes(w->tabs, &n);

	for (i = 0; i < n; i++)
		if (e[i].ended && e[i].end_ns > from_ns &&
		    e[i].end_ns <= to_ns)
			sink_episode(log, &e[i]);
}

static uint64_t
write_intervals(const struct watch *w, struct sink *log, int64_t from_ns)
{
	const struct history *h = tabs_history(w->tabs);
	uint64_t n = history_find(h, from_ns), written = 0;
	struct judgement v;
	struct sample s;
	bool rows;

	for (; n < history_end(h); n++) {
		if (!history_whole(h, n, &s, &v, &rows))
			continue;
		sink_sample(log, &s, &v);
		written++;
		write_episodes(w, log, s.start_ns, s.start_ns + s.length_ns);
	}
	return written;
}

static void
write_log(struct watch *w)
{
	const struct history *h = tabs_history(w->tabs);
	const struct history_brief *last;
	char name[NAME_SIZE], err[RATELOG_ERROR_MAX];
	uint64_t end = history_end(h), written;
	struct sink *log;

	last = end > 0 ? history_brief(h, end - 1) : NULL;
	if (last == NULL) {
		tabs_say(w->tabs, "there is nothing to write yet");
		return;
	}
	make_name(name, last->start_ns);
	if ((log = ratelog_new(name, open_new, w, err)) == NULL) {
		tabs_say(w->tabs, "not written: %s", err);
		return;
	}
	written = write_intervals(w, log, last->start_ns - TABS_WRITE_NS);
	if (ratelog_lost(log) > 0)
		tabs_say(w->tabs, "%s: only in part, %llu intervals are "
		    "missing", name, (unsigned long long)ratelog_lost(log));
	else
		tabs_say(w->tabs, "%s: %llu intervals; look at it with "
		    "nfsrated -L", name, (unsigned long long)written);
	sink_close(log);
}

/* Running. */

void
watch_poll(const struct watch *w, struct pollfd p[WATCH_FDS])
{
	int i;

	if (w->screen != NULL) {
		screen_poll(w->screen, p);
		return;
	}
	for (i = 0; i < WATCH_FDS; i++)
		p[i] = (struct pollfd){ .fd = -1 };
}

int
watch_timeout_ms(const struct watch *w, int64_t now_ns)
{
	return w->screen != NULL ? screen_timeout_ms(w->screen, now_ns) : -1;
}

enum watch_want
watch_run(struct watch *w, int64_t now_ns)
{
	for (;;)
		switch (w->screen != NULL ? screen_run(w->screen, now_ns) :
		    TABS_NOTHING) {
		case TABS_QUIT:
			return WATCH_QUIT;
		case TABS_SEEK:
			return WATCH_SEEK;
		case TABS_WRITE:
			write_log(w);
			break;
		case TABS_REDRAW:
		case TABS_NOTHING:
			return WATCH_NOTHING;
		}
}

/* Recordings. */

void
watch_next(struct watch *w, const struct sample *s, int64_t now_ns)
{
	int64_t length = w->config.options->interval_ns;

	/* Nobody waits through a silence of hours. */
	if (!s->gap && !s->no_data)
		length = s->length_ns;
	player_next(&w->player, length, now_ns);
	if (w->catching_up && s->start_ns > w->until_ns) {
		w->catching_up = false;
		if (w->hold)
			player_pause(&w->player, true, now_ns);
	}
}

int64_t
watch_wait_ns(const struct watch *w, int64_t now_ns)
{
	return w->catching_up ? 0 : player_wait(&w->player, now_ns);
}

void
watch_shown(struct watch *w, int64_t now_ns)
{
	player_shown(&w->player, now_ns);
}

void
watch_ended(struct watch *w, bool ended)
{
	w->player.ended = ended;
	if (ended)
		w->catching_up = false;
}

const struct player_target *
watch_target(const struct watch *w)
{
	return tabs_target(w->tabs);
}

void
watch_sought(struct watch *w, int64_t time_ns, bool hold, int64_t now_ns)
{
	tabs_restart(w->tabs);
	w->player.ended = false;
	player_pause(&w->player, false, now_ns);
	w->catching_up = true;
	w->until_ns = time_ns;
	w->hold = hold;
}

void
watch_not_found(struct watch *w)
{
	switch (tabs_target(w->tabs)->to) {
	case PLAYER_TO_NEXT_EPISODE:
		tabs_say(w->tabs, "there is no later episode");
		break;
	case PLAYER_TO_PREVIOUS_EPISODE:
		tabs_say(w->tabs, "there is no earlier episode");
		break;
	default:
		tabs_say(w->tabs, "there is nothing");
		break;
	}
}

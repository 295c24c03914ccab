/* SPDX-License-Identifier: ISC */
/*
 * programopen.c: opens source, judgement and outputs, and gives up what is not
 * needed any more.
 */
#include "programstate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "log.h"
#include "outstream.h"
#include "program.h"
#include "recordings.h"

int
program_open_verdicts(struct program *p, const struct options *options)
{
	const struct verdicts_config config = {
		.options = options,
		.link_bps = p->link_bps, .before = p->verdicts,
		.episode = program_episode, .ctx = p
	};

	return (p->verdicts = verdicts_new(&config)) != NULL ? 0 : -1;
}

static int
open_source(struct program *p)
{
	const struct source_config config = {
		.options = p->options, .wait = program_wait_input,
		.patient = upkeep_is_service(&p->upkeep),
		.sample = program_sample,
		.episode = program_logged_episode, .ctx = p
	};
	enum pcapsource_fault fault;
	char err[SOURCE_ERROR_MAX];

	p->source = source_open(&config, &fault, err);
	if (p->source != NULL)
		return 0;
	if (p->interrupted)
		return -1;
	log_error("%s", err);
	p->status = fault == PCAPSOURCE_USAGE ? PROGRAM_EXIT_USAGE :
	    EXIT_FAILURE;
	return -1;
}

/* NULL: there can be none. */
static struct sink *
make_watch(struct program *p)
{
	const struct watch_config config = {
		.options = p->options,
		.source = source_name(p->source),
		.recording = source_is_recording(p->source),
		.seekable = source_can_seek(p->source),
		.create = lockdown_create_save, .ctx = &p->upkeep.lockdown
	};

	if (!watch_wanted(p->options))
		return NULL;
	p->watch = watch_open(&config);
	return p->watch != NULL ? watch_sink(p->watch) : NULL;
}

/* The one place that chooses a view. */
static struct sink *
make_sink(struct program *p)
{
	const struct options *o = p->options;
	struct sink *sink = make_watch(p);
	const struct view_options view = {
		.total = o->total,
		.human = o->human,
		.numeric = o->numeric,
		.interval_ns = o->interval_ns,
		.source = source_name(p->source),
	};

	if (sink != NULL)
		return sink;
	if (o->json)
		return sink_json_new(p->out);
	return sink_text_new(p->out, &view, false);
}

static int
add_sink(struct program *p, struct sink *s)
{
	if (s == NULL)
		return -1;
	p->sink[p->sinks++] = s;
	return 0;
}

static void
want_recording(void *ctx)
{
	struct program *p = ctx;

	source_want_recording(p->source);
}

static void *
take_recording(void *ctx, size_t *len)
{
	struct program *p = ctx;

	return source_take_recording(p->source, len);
}

static int
create_recording(void *ctx, const char *name)
{
	struct program *p = ctx;

	return lockdown_create_recording(&p->upkeep.lockdown, name);
}

static int
commit_recording(void *ctx, const char *name)
{
	struct program *p = ctx;

	return lockdown_commit_recording(&p->upkeep.lockdown, name);
}

static int
add_recordings(struct program *p, char *err)
{
	const struct recordings_config config = {
		.want = want_recording, .take = take_recording,
		.create = create_recording, .commit = commit_recording,
		.ctx = p
	};

	if (p->options->recorder == NULL ||
	    add_sink(p, recordings_new(&config)) == 0)
		return 0;
	snprintf(err, UPKEEP_ERROR_MAX, "%s", strerror(errno));
	return -1;
}

static int
add_exporter(struct program *p, char *err)
{
	const struct options *o = p->options;
	const bool file = o->textfile != NULL;
	const struct exporter_config config = {
		.listen = o->metrics,
		.create = file ? lockdown_create_textfile : NULL,
		.commit = file ? lockdown_commit_textfile : NULL,
		.ctx = &p->upkeep.lockdown, .source = source_name(p->source),
		.interval_ns = o->interval_ns, .totals = p->totals
	};

	if ((o->metrics == NULL && !file) || o->check)
		return 0;
	if ((p->exporter = exporter_open(&config, err)) == NULL)
		return -1;
	return add_sink(p, exporter_sink(p->exporter));
}

/* What upkeep has to offer; none is no fault. */
static int
add_upkeep(struct program *p, char *err)
{
	struct sink *log, *alerts;

	if (upkeep_log(&p->upkeep, &log, err) != 0)
		return -1;
	if (log != NULL)
		add_sink(p, log);
	if (upkeep_alerts(&p->upkeep, source_name(p->source), &alerts,
	    err) != 0)
		return -1;
	if (alerts != NULL)
		add_sink(p, alerts);
	return add_recordings(p, err) != 0 ? -1 : add_exporter(p, err);
}

/* All that needs privileges is open; then they go. */
static int
open_outputs(struct program *p, char *err)
{
	bool watched = watch_wanted(p->options);

	if (upkeep_lock(&p->upkeep, p->verdicts, watched, err) != 0)
		return -1;
	if (!p->options->daemon && !p->options->check &&
	    add_sink(p, make_sink(p)) != 0) {
		snprintf(err, UPKEEP_ERROR_MAX, "%s", strerror(errno));
		return -1;
	}
	if (p->watch != NULL)
		watch_prepare_sandbox(p->watch);
	if (add_upkeep(p, err) != 0 ||
	    upkeep_enter(&p->upkeep, p->watch != NULL, err) != 0 ||
	    (p->exporter != NULL && exporter_start(p->exporter, err) != 0))
		return -1;
	if (source_start(p->source) == 0)
		return 0;
	snprintf(err, UPKEEP_ERROR_MAX, "thread: %s", strerror(errno));
	return -1;
}

/* Of a log, a check looks at the latest. */
static void
skip_to_last(struct program *p)
{
	const struct player_target last = { .to = PLAYER_TO_LAST };
	int64_t time_ns;

	if (p->options->count > 0 && source_can_seek(p->source))
		source_seek(p->source, &last, p->options->count - 1,
		    &time_ns);
}

int
program_open(struct program *p, struct lifeline *lifeline)
{
	char err[UPKEEP_ERROR_MAX] = "";

	if (upkeep_begin(&p->upkeep, p->options, lifeline, err) != 0) {
		log_error("%s", err);
		return -1;
	}
	if ((p->totals = totals_new()) == NULL ||
	    (p->out = outstream_open(STDOUT_FILENO, program_wait_output, p)) ==
	    NULL) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (open_source(p) != 0)
		return -1;
	p->link_bps = source_link_bps(p->source);
	if (p->options->check)
		skip_to_last(p);
	if (program_open_verdicts(p, p->options) != 0) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (open_outputs(p, err) != 0) {
		if (p->watch != NULL)
			watch_leave(p->watch);
		log_error("%s", err);
		return -1;
	}
	upkeep_ready(&p->upkeep, source_name(p->source), program_now_ns());
	return 0;
}

void
program_close(struct program *p)
{
	source_free(p->source);
	upkeep_end(&p->upkeep, p->interrupted);
	while (p->sinks > 0)
		sink_close(p->sink[--p->sinks]);
	watch_close(p->watch);
	if (p->out != NULL)
		fclose(p->out);
	verdicts_free(p->verdicts);
	totals_free(p->totals);
}

/* SPDX-License-Identifier: ISC */
/*
 * program.c: wires source, judgement and outputs together, waits for them,
 * and shuts down.
 */
#include "program.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "log.h"
#include "programstate.h"

/* How often to see whether a log that is watched has grown. */
#define LOG_LOOK_MS	1000

/* An open episode ends: it was one by other rules. */
static void
judge_otherwise(struct program *p)
{
	struct verdicts *before = p->verdicts;

	verdicts_finish(before);
	if (program_open_verdicts(p, upkeep_options(&p->upkeep)) != 0) {
		log_warning("%s", strerror(errno));
		p->verdicts = before;
		return;
	}
	verdicts_free(before);
	upkeep_set_verdicts(&p->upkeep, p->verdicts);
}

void
program_reopen(struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->sinks; i++)
		sink_reopen(p->sink[i]);
	if (upkeep_reload(&p->upkeep))
		judge_otherwise(p);
}

/* Nobody reads any more: that is no fault. */
void
program_output_failed(struct program *p)
{
	if (errno != EPIPE && errno != ECANCELED) {
		log_error("standard output: %s", strerror(errno));
		p->status = EXIT_FAILURE;
	}
	p->failed = true;
	source_stop(p->source);
}

void
program_episode(void *ctx, const struct episode *e)
{
	struct program *p = ctx;
	unsigned int i;

	for (i = 0; i < p->sinks && !p->failed; i++)
		if (sink_episode(p->sink[i], e) != 0)
			program_output_failed(p);
}

/* Who plays a log with an expectation of his own has it judged anew. */
static bool
judges_anew(const struct program *p)
{
	return p->options->expects > 0;
}

void
program_logged_episode(void *ctx, const struct episode *e)
{
	struct program *p = ctx;

	if (p->only_watch)
		sink_episode(watch_sink(p->watch), e);
	else if (!judges_anew(p))
		verdicts_note(p->verdicts, e);
}

/* What stood beside it in a log, or what the rules say now. */
void
program_sample(void *ctx, const struct sample *s, const struct judgement *v,
    uint64_t lost)
{
	struct program *p = ctx;
	struct judgement now;
	unsigned int i;

	if (p->done || p->failed || p->seek || !program_wait_until_due(p, s))
		return;
	if (lost > 0 && p->watch != NULL)
		watch_lost(p->watch, lost);
	else if (lost > 0)
		log_warning("%llu intervals were lost: the output is too "
		    "slow", (unsigned long long)lost);
	if (lost > 0 && p->exporter != NULL)
		exporter_lost(p->exporter, lost);
	totals_add(p->totals, s);
	settle_interval(&p->settle, s);
	p->intervals++;
	if (v == NULL || judges_anew(p)) {
		verdicts_interval(p->verdicts, s, &now);
		v = &now;
	} else
		verdicts_judged(p->verdicts, s, v);
	for (i = 0; i < p->sinks; i++)
		if (sink_sample(p->sink[i], s, v) != 0)
			program_output_failed(p);
	upkeep_alive(&p->upkeep, program_now_ns());
	if (p->watch != NULL)
		watch_shown(p->watch, program_now_ns());
	if (p->intervals == p->options->count) {
		p->done = true;
		source_stop(p->source);
	}
}

/* Who watches a recording wants to see another part of it. */
static void
seek(struct program *p)
{
	const struct player_target *to = watch_target(p->watch);
	int64_t time_ns;

	p->seek = false;
	if (source_seek(p->source, to, WATCH_BEFORE, &time_ns))
		watch_sought(p->watch, time_ns, to->to != PLAYER_TO_LAST,
		    program_now_ns());
	else
		watch_not_found(p->watch);
}

/* A log is opened at its end, with all of its episodes. */
static void
open_at_end(struct program *p)
{
	const struct player_target last = { .to = PLAYER_TO_LAST };
	int64_t time_ns;

	p->only_watch = true;
	source_episodes(p->source);
	p->only_watch = false;
	if (p->options->speed < 0 &&
	    source_seek(p->source, &last, WATCH_BEFORE, &time_ns))
		watch_sought(p->watch, time_ns, false, program_now_ns());
}

/* All of the source, as long as nobody wants another part of it. */
static void
run_once(struct program *p)
{
	int fd = source_fd(p->source);
	enum collector_state state;

	do {
		program_wait(p, fd, POLLIN, fd < 0 ? 0 :
		    upkeep_wait_ms(&p->upkeep, program_now_ns()));
		state = source_run(p->source);
	} while (state == COLLECTOR_RUNNING && !p->seek);
	if (state != COLLECTOR_FAILED)
		return;
	log_error("%s", source_error(p->source));
	p->status = EXIT_FAILURE;
}

/* Who watches may look back at the end, and a log may grow. */
static void
stay(struct program *p)
{
	watch_ended(p->watch, true);
	while (!p->interrupted && !p->done && !p->seek &&
	    !source_has_grown(p->source))
		program_wait(p, -1, 0, source_can_seek(p->source) ?
		    LOG_LOOK_MS : -1);
	watch_ended(p->watch, false);
}

/* A recording's metrics are there for as long as somebody may ask. */
static void
serve_on(struct program *p)
{
	struct talkers *talkers = source_talkers(p->source);

	if (p->exporter == NULL || !exporter_serves(p->exporter) ||
	    p->interrupted || p->done || p->failed ||
	    p->status != EXIT_SUCCESS || source_is_live(p->source))
		return;
	if (talkers != NULL)
		totals_talkers(p->totals, talkers);
	verdicts_finish(p->verdicts);
	exporter_ended(p->exporter);
	while (!p->interrupted)
		program_wait(p, -1, 0, -1);
}

static void
run(struct program *p)
{
	if (p->watch != NULL && source_can_seek(p->source))
		open_at_end(p);
	do {
		if (p->seek)
			seek(p);
		run_once(p);
		if (p->watch != NULL && !p->seek && !p->interrupted &&
		    !p->done)
			stay(p);
	} while (p->watch != NULL && !p->interrupted && !p->done);
	serve_on(p);
}

/* A plug-in says on standard output what is wrong. */
static void
on_message(void *ctx, int priority, const char *line)
{
	struct program *p = ctx;

	if (priority <= LOG_ERR && p->message[0] == '\0')
		snprintf(p->message, sizeof(p->message), "%s", line);
}

int
program_run(const struct options *options, struct lifeline *lifeline,
    int signal_fd)
{
	struct program program = {
		.options = options, .signal_fd = signal_fd,
		.status = EXIT_SUCCESS
	};
	struct program *p = &program;
	int status;

	if (options->check)
		log_call("nfsrated", false, on_message, p);
	if (program_open(p, lifeline) == 0) {
		run(p);
		program_finish(p);
	} else if (p->status == EXIT_SUCCESS && !p->interrupted)
		p->status = EXIT_FAILURE;
	status = options->check ? program_plugin_status(p) : p->status;
	program_close(p);
	return status;
}

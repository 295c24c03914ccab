/* SPDX-License-Identifier: ISC */
/*
 * program.c: wires source, judgement and outputs together, waits for them,
 * and shuts down.
 */
#include "program.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "outstream.h"
#include "report.h"
#include "reportwhy.h"
#include "settle.h"
#include "sink.h"
#include "source.h"
#include "totals.h"
#include "upkeep.h"
#include "verdicts.h"
#include "watch.h"

#define SINKS_MAX	8

/* How often to see whether a log that is watched has grown. */
#define LOG_LOOK_MS	1000

/* How long a slow output may take when the program was asked to stop. */
#define LAST_WORDS_NS	(150 * NSEC_PER_MSEC)

struct program {
	const struct options *options;
	int		 signal_fd;
	struct source	*source;
	struct totals	*totals;
	struct verdicts	*verdicts;
	FILE		*out;
	struct watch	*watch;		/* NULL: nobody watches */
	struct sink	*sink[SINKS_MAX];	/* the first: stdout's */
	unsigned int	 sinks;
	struct settle	 settle;
	struct upkeep	 upkeep;
	uint64_t	 intervals;
	int64_t		 deadline_ns;	/* of last words; 0 not stopped */
	bool		 interrupted;
	bool		 seek;		/* the recording goes on elsewhere */
	bool		 only_watch;	/* what comes is for the view alone */
	bool		 done;		/* all that was asked for */
	bool		 failed;	/* no one reads it */
	int		 status;
};

static int64_t
monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void
stop(struct program *p)
{
	p->interrupted = true;
	if (p->deadline_ns == 0)
		p->deadline_ns = monotonic_ns() + LAST_WORDS_NS;
	if (p->source != NULL)
		source_stop(p->source);
}

static void
tell_status(const struct program *p)
{
	const struct totals *t = p->totals;
	uint64_t packets = 0;
	int i;

	for (i = 0; i < SAMPLE_DIRECTIONS; i++)
		packets += t->traffic[i].packets;
	log_notice("%s: %llu intervals, %llu packets, %llu calls, %llu "
	    "replies, %llu outstanding",
	    p->source != NULL ? source_name(p->source) : "starting",
	    (unsigned long long)p->intervals, (unsigned long long)packets,
	    (unsigned long long)t->rpc_calls,
	    (unsigned long long)t->rpc_replies,
	    (unsigned long long)t->outstanding);
}

static int	open_verdicts(struct program *, const struct options *);

/* An open episode ends: it was one by other rules. */
static void
judge_otherwise(struct program *p)
{
	struct verdicts *before = p->verdicts;

	verdicts_finish(before);
	if (open_verdicts(p, upkeep_options(&p->upkeep)) != 0) {
		log_warning("%s", strerror(errno));
		p->verdicts = before;
		return;
	}
	verdicts_free(before);
	upkeep_set_verdicts(&p->upkeep, p->verdicts);
}

static void
reopen(struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->sinks; i++)
		sink_reopen(p->sink[i]);
	if (upkeep_reload(&p->upkeep))
		judge_otherwise(p);
}

/* A hangup of the terminal ends what writes to it. */
static void
take_signals(struct program *p)
{
	unsigned char number;

	while (read(p->signal_fd, &number, 1) == 1)
		if (number == SIGUSR1)
			tell_status(p);
		else if (number == SIGHUP && p->watch == NULL &&
		    !isatty(STDOUT_FILENO))
			reopen(p);
		else
			stop(p);
}

static void
look_at_watch(struct program *p)
{
	switch (watch_run(p->watch, monotonic_ns())) {
	case WATCH_QUIT:
		p->done = true;
		source_stop(p->source);
		break;
	case WATCH_SEEK:
		p->seek = true;
		break;
	case WATCH_NOTHING:
		break;
	}
}

/* The shorter of two times to wait, of which -1 is the longest. */
static int
sooner(int a_ms, int b_ms)
{
	return a_ms < 0 || (b_ms >= 0 && b_ms < a_ms) ? b_ms : a_ms;
}

/*
 * Waits for the events of fd (none: -1), looking at signals, and at who
 * watches, meanwhile.  Gives whether they came, within timeout_ms (-1: however
 * long).
 */
static bool
wait_for(struct program *p, int fd, short events, int timeout_ms)
{
	struct pollfd fds[2 + UPKEEP_FDS + WATCH_FDS] = {
		{ .fd = p->signal_fd, .events = POLLIN },
		{ .fd = fd, .events = events },
	};
	nfds_t count = 2 + UPKEEP_FDS;
	int n;

	upkeep_poll(&p->upkeep, fds + 2);
	if (p->watch != NULL) {
		watch_poll(p->watch, fds + count);
		count += WATCH_FDS;
		timeout_ms = sooner(timeout_ms, watch_timeout_ms(p->watch,
		    monotonic_ns()));
	}
	n = poll(fds, count, timeout_ms);
	if (n > 0 && fds[0].revents != 0)
		take_signals(p);
	upkeep_run(&p->upkeep, monotonic_ns());
	if (p->watch != NULL)
		look_at_watch(p);
	return n > 0 && fds[1].revents != 0;
}

/* For a pipe that is read: until there is something, or a stop. */
static bool
wait_for_input(void *ctx, int fd)
{
	struct program *p = ctx;

	while (!p->interrupted && !p->done)
		if (wait_for(p, fd, POLLIN, -1))
			return true;
	return false;
}

/* A recording that is watched has its pace.  False: there are other wishes. */
static bool
wait_until_due(struct program *p, const struct sample *s)
{
	int64_t ns;

	if (p->watch == NULL || !source_is_recording(p->source))
		return true;
	watch_next(p->watch, s, monotonic_ns());
	while (!p->interrupted && !p->done && !p->seek) {
		if ((ns = watch_wait_ns(p->watch, monotonic_ns())) == 0)
			return true;
		wait_for(p, -1, 0, ns == PLAYER_FOREVER ? -1 :
		    (int)(ns / NSEC_PER_MSEC) + 1);
	}
	return false;
}

/* For a slow output: until there is room, or too late after a stop. */
static bool
wait_for_output(void *ctx, int fd)
{
	struct program *p = ctx;
	int64_t left;
	int ms = -1;

	do {
		if (p->deadline_ns != 0) {
			left = p->deadline_ns - monotonic_ns();
			ms = left > 0 ? (int)(left / NSEC_PER_MSEC) + 1 : 0;
		}
		if (wait_for(p, fd, POLLOUT, ms))
			return true;
	} while (ms != 0);
	return false;
}

/* Nobody reads any more: that is no fault. */
static void
output_failed(struct program *p)
{
	if (errno != EPIPE && errno != ECANCELED) {
		log_error("standard output: %s", strerror(errno));
		p->status = EXIT_FAILURE;
	}
	p->failed = true;
	source_stop(p->source);
}

static void
on_episode(void *ctx, const struct episode *e)
{
	struct program *p = ctx;
	unsigned int i;

	for (i = 0; i < p->sinks && !p->failed; i++)
		if (sink_episode(p->sink[i], e) != 0)
			output_failed(p);
}

/* Who plays a log with an expectation of his own has it judged anew. */
static bool
judges_anew(const struct program *p)
{
	return p->options->expects > 0;
}

static void
on_logged_episode(void *ctx, const struct episode *e)
{
	struct program *p = ctx;

	if (p->only_watch)
		sink_episode(watch_sink(p->watch), e);
	else if (!judges_anew(p))
		verdicts_note(p->verdicts, e);
}

/* What stood beside it in a log, or what the rules say now. */
static void
on_sample(void *ctx, const struct sample *s, const struct judgement *v,
    uint64_t lost)
{
	struct program *p = ctx;
	struct judgement now;
	unsigned int i;

	if (p->done || p->failed || p->seek || !wait_until_due(p, s))
		return;
	if (lost > 0 && p->watch != NULL)
		watch_lost(p->watch, lost);
	else if (lost > 0)
		log_warning("%llu intervals were lost: the output is too "
		    "slow", (unsigned long long)lost);
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
			output_failed(p);
	upkeep_alive(&p->upkeep, monotonic_ns());
	if (p->watch != NULL)
		watch_shown(p->watch, monotonic_ns());
	if (p->intervals == p->options->count) {
		p->done = true;
		source_stop(p->source);
	}
}

static int
open_verdicts(struct program *p, const struct options *options)
{
	const struct verdicts_config config = {
		.options = options,
		.link_bps = source_link_bps(p->source),
		.episode = on_episode, .ctx = p
	};

	return (p->verdicts = verdicts_new(&config)) != NULL ? 0 : -1;
}

static int
open_source(struct program *p)
{
	const struct source_config config = {
		.options = p->options, .wait = wait_for_input,
		.patient = upkeep_is_service(&p->upkeep),
		.sample = on_sample, .episode = on_logged_episode, .ctx = p
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
	return 0;
}

/* All that needs privileges is open; then they go. */
static int
open_outputs(struct program *p, char *err)
{
	bool watched = watch_wanted(p->options);

	if (upkeep_lock(&p->upkeep, p->verdicts, watched, err) != 0)
		return -1;
	if (!p->options->daemon && add_sink(p, make_sink(p)) != 0) {
		snprintf(err, UPKEEP_ERROR_MAX, "%s", strerror(errno));
		return -1;
	}
	if (p->watch != NULL)
		watch_prepare_sandbox(p->watch);
	if (add_upkeep(p, err) != 0 ||
	    upkeep_enter(&p->upkeep, p->watch != NULL, err) != 0)
		return -1;
	if (source_start(p->source) == 0)
		return 0;
	snprintf(err, UPKEEP_ERROR_MAX, "thread: %s", strerror(errno));
	return -1;
}

static int
open_all(struct program *p, struct lifeline *lifeline)
{
	char err[UPKEEP_ERROR_MAX] = "";

	if (upkeep_begin(&p->upkeep, p->options, lifeline, err) != 0) {
		log_error("%s", err);
		return -1;
	}
	if ((p->totals = totals_new()) == NULL ||
	    (p->out = outstream_open(STDOUT_FILENO, wait_for_output, p)) ==
	    NULL) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (open_source(p) != 0)
		return -1;
	if (open_verdicts(p, p->options) != 0) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (open_outputs(p, err) != 0) {
		if (p->watch != NULL)
			watch_leave(p->watch);
		log_error("%s", err);
		return -1;
	}
	upkeep_ready(&p->upkeep, source_name(p->source), monotonic_ns());
	return 0;
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
		    monotonic_ns());
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
		watch_sought(p->watch, time_ns, false, monotonic_ns());
}

/* All of the source, as long as nobody wants another part of it. */
static void
run_once(struct program *p)
{
	int fd = source_fd(p->source);
	enum collector_state state;

	do {
		wait_for(p, fd, POLLIN, fd < 0 ? 0 :
		    upkeep_wait_ms(&p->upkeep, monotonic_ns()));
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
		wait_for(p, -1, 0, source_can_seek(p->source) ?
		    LOG_LOOK_MS : -1);
	watch_ended(p->watch, false);
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
}

/* Nothing was seen, though there was something: why? */
static void
tell_unread(const struct program *p)
{
	const uint64_t n = p->totals->counter[SAMPLE_RPC_ELSEWHERE];

	if (n > 0 && p->totals->rpc_calls == 0)
		log_warning("%s: %llu packets look like RPC, but none was "
		    "read; name the port of NFS with --port",
		    source_name(p->source), (unsigned long long)n);
}

/* Who stops it by hand sees the report too. */
static int
print_report(struct program *p)
{
	struct textbuf text = { 0 }, why = { 0 };
	struct rules_overall overall;
	struct facts facts;
	size_t n;
	const struct episode *episodes = verdicts_episodes(p->verdicts, &n);
	int res = -1;

	textbuf_char(&text, '\n');
	facts_clear(&facts);
	facts_totals(&facts, p->totals);
	rules_overall(verdicts_rules(p->verdicts), &overall);
	facts_rules(&facts, &overall);
	facts_settle(&facts, &p->settle);
	if (source_skew(p->source) != NULL)
		facts_netstat(&facts, source_skew(p->source));
	reportwhy_text(&why, &overall, &facts, episodes, n);
	report_text(&text, p->totals, why.data, source_name(p->source));
	textbuf_free(&why);
	if (text.failed)
		errno = ENOMEM;
	else if (fwrite(text.data, 1, text.len, p->out) == text.len &&
	    fflush(p->out) == 0)
		res = 0;
	textbuf_free(&text);
	return res;
}

static void
finish(struct program *p)
{
	const struct options *o = p->options;
	struct talkers *talkers = source_talkers(p->source);
	const struct episode *episodes;
	unsigned int i;
	size_t n;

	if (p->watch != NULL)
		watch_leave(p->watch);
	if (p->failed)
		return;
	tell_unread(p);
	verdicts_finish(p->verdicts);
	episodes = verdicts_episodes(p->verdicts, &n);
	if (o->count == 0 && talkers != NULL)
		totals_talkers(p->totals, talkers);
	for (i = 0; i < p->sinks && !p->failed; i++)
		if (sink_finish(p->sink[i], p->totals, episodes, n) != 0)
			output_failed(p);
	if ((p->interrupted || o->report) && !p->failed && !o->json &&
	    print_report(p) != 0)
		output_failed(p);
}

static void
close_all(struct program *p)
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

	if (open_all(p, lifeline) == 0) {
		run(p);
		finish(p);
	} else if (p->status == EXIT_SUCCESS && !p->interrupted)
		p->status = EXIT_FAILURE;
	status = p->status;
	close_all(p);
	return status;
}

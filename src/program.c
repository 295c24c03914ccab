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
#include "ratelog.h"
#include "report.h"
#include "reportwhy.h"
#include "settle.h"
#include "sink.h"
#include "source.h"
#include "totals.h"
#include "verdicts.h"

#define SINKS_MAX	8

/* How long a slow output may take when the program was asked to stop. */
#define LAST_WORDS_NS	(150 * NSEC_PER_MSEC)

struct program {
	const struct options *options;
	int		 signal_fd;
	struct source	*source;
	struct totals	*totals;
	struct verdicts	*verdicts;
	FILE		*out;
	struct sink	*sink[SINKS_MAX];	/* the first: stdout's */
	unsigned int	 sinks;
	struct settle	 settle;
	uint64_t	 intervals;
	int64_t		 deadline_ns;	/* of last words; 0 not stopped */
	bool		 interrupted;
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

static void
reopen(struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->sinks; i++)
		sink_reopen(p->sink[i]);
}

/* A hangup of the terminal ends what writes to it. */
static void
take_signals(struct program *p)
{
	unsigned char number;

	while (read(p->signal_fd, &number, 1) == 1)
		if (number == SIGUSR1)
			tell_status(p);
		else if (number == SIGHUP && !isatty(STDOUT_FILENO))
			reopen(p);
		else
			stop(p);
}

/*
 * Waits for the events of fd (none: -1), looking at signals meanwhile.  Gives
 * whether they came, within timeout_ms (-1: however long).
 */
static bool
wait_for(struct program *p, int fd, short events, int timeout_ms)
{
	struct pollfd fds[2] = {
		{ .fd = p->signal_fd, .events = POLLIN },
		{ .fd = fd, .events = events },
	};
	int n;

	n = poll(fds, 2, timeout_ms);
	if (n > 0 && fds[0].revents != 0)
		take_signals(p);
	return n > 0 && fds[1].revents != 0;
}

/* For a pipe that is read: until there is something, or a stop. */
static bool
wait_for_input(void *ctx, int fd)
{
	struct program *p = ctx;

	while (!p->interrupted)
		if (wait_for(p, fd, POLLIN, -1))
			return true;
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

	if (!judges_anew(p))
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

	if (p->done || p->failed)
		return;
	if (lost > 0)
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
	if (p->intervals == p->options->count) {
		p->done = true;
		source_stop(p->source);
	}
}

static int
open_verdicts(struct program *p)
{
	const struct verdicts_config config = {
		.options = p->options,
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

/* The one place that chooses a view. */
static struct sink *
make_sink(struct program *p)
{
	const struct options *o = p->options;
	const struct view_options view = {
		.total = o->total,
		.human = o->human,
		.numeric = o->numeric,
		.interval_ns = o->interval_ns,
		.source = source_name(p->source),
	};

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

static int
open_log(struct program *p)
{
	char err[RATELOG_ERROR_MAX];

	if (p->options->log == NULL)
		return 0;
	if (add_sink(p, ratelog_new(p->options->log, ratelog_open_file, NULL,
	    err)) == 0)
		return 0;
	log_error("%s", err);
	return -1;
}

static int
open_all(struct program *p)
{
	if ((p->totals = totals_new()) == NULL ||
	    (p->out = outstream_open(STDOUT_FILENO, wait_for_output, p)) ==
	    NULL) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (open_source(p) != 0)
		return -1;
	if (open_verdicts(p) != 0 || add_sink(p, make_sink(p)) != 0) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (open_log(p) != 0)
		return -1;
	if (source_start(p->source) != 0) {
		log_error("thread: %s", strerror(errno));
		return -1;
	}
	return 0;
}

static void
run(struct program *p)
{
	int fd = source_fd(p->source);
	enum collector_state state;

	do {
		wait_for(p, fd, POLLIN, fd >= 0 ? -1 : 0);
		state = source_run(p->source);
	} while (state == COLLECTOR_RUNNING);
	if (state != COLLECTOR_FAILED)
		return;
	log_error("%s", source_error(p->source));
	p->status = EXIT_FAILURE;
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
	while (p->sinks > 0)
		sink_close(p->sink[--p->sinks]);
	if (p->out != NULL)
		fclose(p->out);
	verdicts_free(p->verdicts);
	totals_free(p->totals);
}

int
program_run(const struct options *options, int signal_fd)
{
	struct program program = {
		.options = options, .signal_fd = signal_fd,
		.status = EXIT_SUCCESS
	};
	struct program *p = &program;
	int status;

	if (open_all(p) == 0) {
		run(p);
		finish(p);
	} else if (p->status == EXIT_SUCCESS && !p->interrupted)
		p->status = EXIT_FAILURE;
	status = p->status;
	close_all(p);
	return status;
}

/* SPDX-License-Identifier: ISC */
/*
 * main.c: wires the parts together, waits for them, and shuts down.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector.h"
#include "ifchoice.h"
#include "log.h"
#include "options.h"
#include "outstream.h"
#include "report.h"
#include "sink.h"
#include "totals.h"

#ifndef NFSRATED_VERSION
#define NFSRATED_VERSION "unknown"
#endif

#define EXIT_USAGE	2
#define SOURCE_MAX	256	/* bytes of the source's name */

/* How long a slow output may take when the program was asked to stop. */
#define LAST_WORDS_NS	(150 * NSEC_PER_MSEC)

struct program {
	struct options	 options;
	struct collector *collector;
	struct totals	*totals;
	FILE		*out;
	struct sink	*sink;
	char		 chosen[IFCHOICE_NAME_MAX];
	char		 source[SOURCE_MAX];
	uint64_t	 intervals;
	int64_t		 deadline_ns;	/* of last words; 0 not stopped */
	bool		 interrupted;
	bool		 done;		/* all that was asked for, or no one
					 * reads it */
	int		 status;
};

/* Signals go through it to where the program waits. */
static int signal_pipe[2];

static void
on_signal(int number)
{
	const unsigned char byte = (unsigned char)number;
	int saved_errno = errno;

	if (write(signal_pipe[1], &byte, 1) < 0)
		errno = 0;	/* full of signals that were not looked at */
	errno = saved_errno;
}

static int
catch_signals(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction sa;
	size_t i;

	if (pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
		return -1;
	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = on_signal;
	for (i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
	return 0;
}

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
	if (p->collector != NULL)
		collector_stop(p->collector);
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
	    "replies, %llu outstanding", p->source,
	    (unsigned long long)p->intervals, (unsigned long long)packets,
	    (unsigned long long)t->rpc_calls,
	    (unsigned long long)t->rpc_replies,
	    (unsigned long long)t->outstanding);
}

/* A hangup of the terminal ends what writes to it. */
static void
take_signals(struct program *p)
{
	unsigned char number;

	while (read(signal_pipe[0], &number, 1) == 1)
		if (number == SIGUSR1)
			tell_status(p);
		else if (number == SIGHUP && !isatty(STDOUT_FILENO)) {
			if (p->sink != NULL)
				sink_reopen(p->sink);
		} else
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
		{ .fd = signal_pipe[0], .events = POLLIN },
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
	p->done = true;
	collector_stop(p->collector);
}

static void
on_sample(void *ctx, const struct sample *s, uint64_t lost)
{
	struct program *p = ctx;

	if (p->done)
		return;
	if (lost > 0)
		log_warning("%llu intervals were lost: the output is too "
		    "slow", (unsigned long long)lost);
	totals_add(p->totals, s);
	p->intervals++;
	if (sink_sample(p->sink, s, NULL) != 0)
		output_failed(p);
	else if (p->intervals == p->options.count) {
		p->done = true;
		collector_stop(p->collector);
	}
}

static int
choose_interface(struct program *p)
{
	struct options *o = &p->options;
	const char *why;

	if (o->read != NULL || o->interfaces > 0)
		return 0;
	why = ifchoice(o->port, o->ports, p->chosen);
	if (why == NULL) {
		log_error("there is no interface to choose; name one with "
		    "--interface, or a file with --read");
		return -1;
	}
	log_notice("interface %s is chosen: %s", p->chosen, why);
	o->interface[o->interfaces++] = p->chosen;
	return 0;
}

static void
name_source(struct program *p)
{
	const struct options *o = &p->options;
	size_t len = 0;
	uint32_t i;

	if (o->read != NULL)
		snprintf(p->source, sizeof(p->source), "%s",
		    strcmp(o->read, "-") == 0 ? "stdin" : basename(o->read));
	for (i = 0; i < o->interfaces && len < sizeof(p->source); i++)
		len += (size_t)snprintf(p->source + len,
		    sizeof(p->source) - len, "%s%s", i > 0 ? "," : "",
		    o->interface[i]);
}

static int
open_collector(struct program *p)
{
	const struct options *o = &p->options;
	struct collector_config config;
	char err[COLLECTOR_ERROR_MAX];
	enum pcapsource_fault fault;

	memset(&config, 0, sizeof(config));
	pcapsource_config_init(&config.capture.how);
	config.capture.file = o->read;
	config.capture.interface = o->interface;
	config.capture.interfaces = o->interfaces;
	config.capture.how.filter = o->filter;
	config.capture.how.port = o->port;
	config.capture.how.ports = o->ports;
	config.capture.how.snaplen = (int)o->snaplen;
	config.capture.how.buffer_mib = (int)o->buffer_mib;
	config.capture.how.promisc = o->promisc;
	config.capture.how.wait = wait_for_input;
	config.capture.how.wait_ctx = p;
	decoder_config_init(&config.decoder);
	memcpy(config.decoder.port, o->port, sizeof(o->port));
	config.decoder.ports = o->ports;
	memcpy(config.decoder.server, o->server, sizeof(o->server));
	config.decoder.servers = o->servers;
	config.interval_ns = o->interval_ns;
	config.emit = on_sample;
	config.ctx = p;
	p->collector = collector_new(&config, &fault, err);
	if (p->collector != NULL)
		return 0;
	if (p->interrupted)
		return -1;
	log_error("%s", err);
	p->status = fault == PCAPSOURCE_USAGE ? EXIT_USAGE : EXIT_FAILURE;
	return -1;
}

/* The one place that chooses a view. */
static struct sink *
make_sink(struct program *p)
{
	const struct options *o = &p->options;
	const struct view_options view = {
		.total = o->total,
		.human = o->human,
		.numeric = o->numeric,
		.interval_ns = o->interval_ns,
		.source = p->source,
	};

	if (o->json)
		return sink_json_new(p->out);
	return sink_text_new(p->out, &view, o->report);
}

static int
open_all(struct program *p)
{
	if ((p->totals = totals_new()) == NULL || catch_signals() != 0 ||
	    (p->out = outstream_open(STDOUT_FILENO, wait_for_output, p)) ==
	    NULL) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (choose_interface(p) != 0)
		return -1;
	name_source(p);
	if ((p->sink = make_sink(p)) == NULL) {
		log_error("%s", strerror(errno));
		return -1;
	}
	if (open_collector(p) != 0)
		return -1;
	if (collector_start(p->collector) != 0) {
		log_error("thread: %s", strerror(errno));
		return -1;
	}
	return 0;
}

static void
run(struct program *p)
{
	int fd = collector_fd(p->collector);
	enum collector_state state;

	do {
		wait_for(p, fd, POLLIN, fd >= 0 ? -1 : 0);
		state = collector_run(p->collector);
	} while (state == COLLECTOR_RUNNING);
	if (state != COLLECTOR_FAILED)
		return;
	log_error("%s", collector_error(p->collector));
	p->status = EXIT_FAILURE;
}

/* Who stops it by hand sees the report too. */
static int
print_report(struct program *p)
{
	struct textbuf text = { 0 };
	int res = -1;

	textbuf_char(&text, '\n');
	report_text(&text, p->totals, NULL, 0, p->source);
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
	const struct options *o = &p->options;

	if (p->done && p->intervals != o->count)
		return;		/* the output failed */
	if (o->count == 0)
		totals_talkers(p->totals, collector_talkers(p->collector));
	if (sink_finish(p->sink, p->totals, NULL, 0) != 0 ||
	    (p->interrupted && !o->json && !o->report &&
	    print_report(p) != 0))
		output_failed(p);
}

static void
close_all(struct program *p)
{
	collector_free(p->collector);
	sink_close(p->sink);
	if (p->out != NULL)
		fclose(p->out);
	totals_free(p->totals);
	options_clear(&p->options);
}

static int
print(char *text)
{
	int res = EXIT_SUCCESS;

	if (text == NULL || fputs(text, stdout) == EOF ||
	    fflush(stdout) == EOF) {
		log_error("standard output: %s", strerror(errno));
		res = EXIT_FAILURE;
	}
	free(text);
	return res;
}

static int
print_version(void)
{
	char *text;

	if (asprintf(&text, "nfsrated %s\n", NFSRATED_VERSION) < 0)
		text = NULL;
	return print(text);
}

int
main(int argc, char **argv)
{
	static struct program program;
	struct program *p = &program;
	char err[OPTIONS_ERROR_MAX];

	options_init(&p->options);
	if (options_parse(&p->options, argc, argv, err) != 0) {
		log_error("%s", err);
		return EXIT_USAGE;
	}
	if (p->options.help)
		return print(options_help());
	if (p->options.version)
		return print_version();
	if (p->options.configtest)
		return EXIT_SUCCESS;
	p->status = EXIT_SUCCESS;
	if (open_all(p) == 0) {
		run(p);
		finish(p);
	} else if (p->status == EXIT_SUCCESS && !p->interrupted)
		p->status = EXIT_FAILURE;
	close_all(p);
	return p->status;
}

/* SPDX-License-Identifier: ISC */
/*
 * source.c: where intervals come from: chooses one, and names it.
 */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "demo.h"
#include "ifchoice.h"
#include "ifstats.h"
#include "log.h"
#include "playlog.h"
#include "playnetstat.h"

/* What a kind of source can do; NULL: nothing. */
struct kind {
	int		(*start)(struct source *);
	enum collector_state (*run)(struct source *);
	int		(*fd)(const struct source *);
	const char	*(*error)(const struct source *);
};

struct source {
	struct source_config config;
	const struct kind *kind;
	char		 name[SOURCE_NAME_MAX];
	bool		 stop;		/* of what is played */
	bool		 recording;	/* source_is_recording */
	/* one of these */
	struct collector *collector;
	struct playlog	*log;
	struct playnetstat *netstat;
	struct demo	 demo;
	/* of a live capture */
	const char	*interface[OPTIONS_INTERFACES_MAX];
	uint32_t	 interfaces;
	char		 chosen[IFCHOICE_NAME_MAX];
};

/* The file that intervals come from; NULL: a live capture. */
static const char *
file_of(const struct options *o)
{
	if (o->play != NULL)
		return o->play;
	return o->netstat != NULL ? o->netstat : o->read;
}

static void
make_name(struct source *src)
{
	const char *file = file_of(src->config.options);
	size_t len = 0;
	uint32_t i;

	if (src->config.options->demo)
		snprintf(src->name, sizeof(src->name), "demo");
	else if (file != NULL)
		snprintf(src->name, sizeof(src->name), "%s",
		    strcmp(file, "-") == 0 ? "stdin" : basename(file));
	for (i = 0; i < src->interfaces && len < sizeof(src->name); i++)
		len += (size_t)snprintf(src->name + len,
		    sizeof(src->name) - len, "%s%s", i > 0 ? "," : "",
		    src->interface[i]);
}

/* Captures. */

static void
on_captured(void *ctx, const struct sample *s, uint64_t lost)
{
	struct source *src = ctx;

	src->config.sample(src->config.ctx, s, NULL, lost);
}

/* Those that were named, or the one that carries NFS. */
static int
choose_interfaces(struct source *src, char *err)
{
	const struct options *o = src->config.options;
	const char *why;

	memcpy(src->interface, o->interface, sizeof(src->interface));
	src->interfaces = o->interfaces;
	if (o->read != NULL || o->interfaces > 0)
		return 0;
	why = ifchoice(o->port, o->ports, src->chosen);
	if (why == NULL) {
		snprintf(err, SOURCE_ERROR_MAX, "there is no interface to "
		    "choose; name one with --interface, or a file with "
		    "--read");
		return -1;
	}
	log_notice("interface %s is chosen: %s", src->chosen, why);
	src->interface[src->interfaces++] = src->chosen;
	return 0;
}

static int
open_collector(struct source *src, enum pcapsource_fault *fault, char *err)
{
	const struct options *o = src->config.options;
	struct collector_config config;

	memset(&config, 0, sizeof(config));
	pcapsource_config_init(&config.capture.how);
	config.capture.file = o->read;
	config.capture.interface = src->interface;
	config.capture.interfaces = src->interfaces;
	config.capture.patient = src->config.patient;
	config.capture.how.filter = o->filter;
	config.capture.how.port = o->port;
	config.capture.how.ports = o->ports;
	config.capture.how.snaplen = (int)o->snaplen;
	config.capture.how.buffer_mib = (int)o->buffer_mib;
	config.capture.how.promisc = o->promisc;
	config.capture.how.wait = src->config.wait;
	config.capture.how.wait_ctx = src->config.ctx;
	decoder_config_init(&config.decoder);
	memcpy(config.decoder.port, o->port, sizeof(o->port));
	config.decoder.ports = o->ports;
	memcpy(config.decoder.server, o->server, sizeof(o->server));
	config.decoder.servers = o->servers;
	config.interval_ns = o->interval_ns;
	config.record = o->recorder != NULL;
	config.emit = on_captured;
	config.ctx = src;
	src->collector = collector_new(&config, fault, err);
	return src->collector != NULL ? 0 : -1;
}

static int
start_collector(struct source *src)
{
	return collector_start(src->collector);
}

static enum collector_state
run_collector(struct source *src)
{
	return collector_run(src->collector);
}

static int
fd_of_collector(const struct source *src)
{
	return collector_fd(src->collector);
}

static const char *
error_of_collector(const struct source *src)
{
	return collector_error(src->collector);
}

static const struct kind captured = {
	start_collector, run_collector, fd_of_collector, error_of_collector
};

/* Rate logs. */

static void
on_logged(void *ctx, const struct sample *s, const struct judgement *v)
{
	struct source *src = ctx;

	src->config.sample(src->config.ctx, s, v, 0);
}

static void
on_episode(void *ctx, const struct episode *e)
{
	struct source *src = ctx;

	if (src->config.episode != NULL)
		src->config.episode(src->config.ctx, e);
}

static bool
wait_for_file(void *ctx, int fd)
{
	struct source *src = ctx;

	return src->config.wait(src->config.ctx, fd);
}

static int
open_log(struct source *src, char *err)
{
	const struct playlog_config config = {
		.name = src->config.options->play, .wait = wait_for_file,
		.sample = on_logged, .episode = on_episode, .ctx = src
	};
	char why[RATELOGREAD_ERROR_MAX];

	if ((src->log = playlog_open(&config, why)) != NULL)
		return 0;
	snprintf(err, SOURCE_ERROR_MAX, "%s", why);
	return -1;
}

static enum collector_state
run_log(struct source *src)
{
	return !src->stop && playlog_step(src->log) ? COLLECTOR_RUNNING :
	    COLLECTOR_ENDED;
}

static const struct kind logged = { .run = run_log };

/* netstat's rows. */

static void
on_row(void *ctx, const struct sample *s)
{
	struct source *src = ctx;

	src->config.sample(src->config.ctx, s, NULL, 0);
}

static int
open_netstat(struct source *src, char *err)
{
	const struct options *o = src->config.options;
	const struct playnetstat_config config = {
		.name = o->netstat, .interval_ns = o->interval_ns,
		.total = o->total, .wait = wait_for_file, .sample = on_row,
		.ctx = src
	};
	char why[PLAYNETSTAT_ERROR_MAX];

	if ((src->netstat = playnetstat_open(&config, why)) != NULL)
		return 0;
	snprintf(err, SOURCE_ERROR_MAX, "%s", why);
	return -1;
}

static enum collector_state
run_netstat(struct source *src)
{
	if (!src->stop && playnetstat_step(src->netstat))
		return COLLECTOR_RUNNING;
	return playnetstat_error(src->netstat) != NULL && !src->stop ?
	    COLLECTOR_FAILED : COLLECTOR_ENDED;
}

static const char *
error_of_netstat(const struct source *src)
{
	return playnetstat_error(src->netstat);
}

static const struct kind rows = {
	.run = run_netstat, .error = error_of_netstat
};

/* The built-in recording. */

static enum collector_state
run_demo(struct source *src)
{
	struct sample s;

	if (src->stop || !demo_next(&src->demo, &s))
		return COLLECTOR_ENDED;
	src->config.sample(src->config.ctx, &s, NULL, 0);
	return COLLECTOR_RUNNING;
}

static const struct kind demo = { .run = run_demo };

/* All of them. */

static int
open_kind(struct source *src, enum pcapsource_fault *fault, char *err)
{
	const struct options *o = src->config.options;

	if (o->play != NULL) {
		src->kind = &logged;
		return open_log(src, err);
	}
	if (o->netstat != NULL) {
		src->kind = &rows;
		return open_netstat(src, err);
	}
	if (o->demo) {
		src->kind = &demo;
		return 0;
	}
	src->kind = &captured;
	if (choose_interfaces(src, err) != 0)
		return -1;
	return open_collector(src, fault, err);
}

/* A pipe has the pace of who writes to it. */
static bool
is_recording(const struct source *src)
{
	const char *file = file_of(src->config.options);
	struct stat st;

	if (file == NULL || src->log != NULL)
		return !source_is_live(src);
	return (strcmp(file, "-") == 0 ? fstat(STDIN_FILENO, &st) :
	    stat(file, &st)) == 0 && S_ISREG(st.st_mode);
}

struct source *
source_open(const struct source_config *config, enum pcapsource_fault *fault,
    char err[SOURCE_ERROR_MAX])
{
	struct source *src;

	*fault = PCAPSOURCE_OPEN;
	if ((src = calloc(1, sizeof(*src))) == NULL) {
		snprintf(err, SOURCE_ERROR_MAX, "%s", strerror(errno));
		return NULL;
	}
	src->config = *config;
	if (open_kind(src, fault, err) == 0) {
		make_name(src);
		src->recording = is_recording(src);
		return src;
	}
	source_free(src);
	return NULL;
}

int
source_start(struct source *src)
{
	return src->kind->start != NULL ? src->kind->start(src) : 0;
}

void
source_free(struct source *src)
{
	if (src == NULL)
		return;
	collector_free(src->collector);
	playlog_close(src->log);
	playnetstat_close(src->netstat);
	free(src);
}

enum collector_state
source_run(struct source *src)
{
	return src->kind->run(src);
}

int
source_fd(const struct source *src)
{
	return src->kind->fd != NULL ? src->kind->fd(src) : -1;
}

void
source_stop(struct source *src)
{
	src->stop = true;
	if (src->collector != NULL)
		collector_stop(src->collector);
}

const char *
source_error(const struct source *src)
{
	return src->kind->error != NULL ? src->kind->error(src) : NULL;
}

const char *
source_name(const struct source *src)
{
	return src->name;
}

bool
source_is_live(const struct source *src)
{
	return file_of(src->config.options) == NULL &&
	    !src->config.options->demo;
}

bool
source_is_recording(const struct source *src)
{
	return src->recording;
}

bool
source_can_seek(const struct source *src)
{
	return src->log != NULL;
}

bool
source_seek(struct source *src, const struct player_target *to,
    uint64_t before, int64_t *time_ns)
{
	return src->log != NULL && playlog_seek(src->log, to, before, time_ns);
}

void
source_episodes(struct source *src)
{
	if (src->log != NULL)
		playlog_episodes(src->log);
}

bool
source_has_grown(struct source *src)
{
	return src->log != NULL && playlog_has_grown(src->log);
}

struct talkers *
source_talkers(struct source *src)
{
	return src->collector != NULL ? collector_talkers(src->collector) :
	    NULL;
}

double
source_link_bps(const struct source *s)
{
	const struct options *o = s->config.options;

	if (!source_is_live(s) || o->interfaces > 1)
		return 0;
	return ifstats_link_bps(source_name(s));
}

const struct netstatfile_stats *
source_skew(const struct source *s)
{
	return s->netstat != NULL ? playnetstat_stats(s->netstat) : NULL;
}

void
source_want_recording(struct source *src)
{
	if (src->collector != NULL)
		collector_want_recording(src->collector);
}

void *
source_take_recording(struct source *src, size_t *len)
{
	return src->collector != NULL ?
	    collector_take_recording(src->collector, len) : NULL;
}

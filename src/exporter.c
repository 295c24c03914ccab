/* SPDX-License-Identifier: ISC */
/*
 * exporter.c: an output that makes metrics and has them served and written.
 */
#include "exporter.h"

#include <sys/types.h>
#include <sys/resource.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "metrics.h"
#include "metricshttp.h"
#include "optvalue.h"
#include "outstream.h"
#include "packet.h"

#define GOOD_INTERVALS	5	/* without news, and still well */
#define GOOD_MIN_NS	(5 * NSEC_PER_SEC)

struct exporter {
	struct sink	 sink;
	struct exporter_config config;
	struct metrics	*metrics;
	struct metricshttp *http;	/* NULL: none */
	double		 start_seconds;
	int64_t		 served_ns, written_ns;	/* when; 0 never */
	bool		 ended;
	bool		 failed;	/* the file, the last time */
};

static int64_t
now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void
look_at_process(const struct exporter *e, struct metrics_process *p)
{
	struct rusage use;

	memset(p, 0, sizeof(*p));
	p->start_seconds = e->start_seconds;
	if (getrusage(RUSAGE_SELF, &use) == 0) {
		p->cpu_seconds = (double)(use.ru_utime.tv_sec +
		    use.ru_stime.tv_sec) + (double)(use.ru_utime.tv_usec +
		    use.ru_stime.tv_usec) / 1e6;
		p->max_resident_bytes = (uint64_t)use.ru_maxrss * 1024;
	}
	if (e->http != NULL)
		metricshttp_counts(e->http, &p->requests, &p->refused);
}

/* To HTTP. */

static int64_t
good_until(const struct exporter *e, int64_t now)
{
	int64_t good = GOOD_INTERVALS * e->config.interval_ns;

	if (e->ended)
		return INT64_MAX;
	return now + (good > GOOD_MIN_NS ? good : GOOD_MIN_NS);
}

static void
serve(struct exporter *e, const struct metrics_process *p, int64_t now)
{
	struct textbuf page[METRICSHTTP_PAGES] = { { 0 } };

	metrics_text(e->metrics, METRICSOUT_CLASSIC, p,
	    &page[METRICSHTTP_CLASSIC]);
	metrics_text(e->metrics, METRICSOUT_OPENMETRICS, p,
	    &page[METRICSHTTP_OPENMETRICS]);
	metrics_page(e->metrics, &page[METRICSHTTP_STATUS]);
	if (metricshttp_put(e->http, page, good_until(e, now)) != 0)
		log_warning("metrics: %s", strerror(errno));
}

/* To the file. */

static bool
put_file(const struct exporter *e, const struct textbuf *t)
{
	int fd;
	bool good;

	if (t->failed) {
		errno = ENOMEM;
		return false;
	}
	if ((fd = e->config.create(e->config.ctx)) < 0)
		return false;
	good = outstream_write(fd, t->data, t->len);
	if (close(fd) != 0)
		good = false;
	return good && e->config.commit(e->config.ctx) == 0;
}

/* What fails every time is said once. */
static void
write_file(struct exporter *e, const struct metrics_process *p)
{
	struct textbuf t = { 0 };
	bool good;

	metrics_text(e->metrics, METRICSOUT_CLASSIC, p, &t);
	good = put_file(e, &t);
	if (!good && !e->failed)
		log_warning("the text file of metrics cannot be written: %s",
		    strerror(errno));
	e->failed = !good;
	textbuf_free(&t);
}

static void
publish(struct exporter *e, bool at_once)
{
	const int64_t now = now_ns(CLOCK_MONOTONIC);
	bool serves, writes;
	struct metrics_process p;

	serves = e->http != NULL && (at_once || e->served_ns == 0 ||
	    now - e->served_ns >= EXPORTER_FRESH_NS);
	writes = e->config.create != NULL && (at_once || e->written_ns == 0 ||
	    now - e->written_ns >= EXPORTER_FILE_NS);
	if (!serves && !writes)
		return;
	look_at_process(e, &p);
	if (serves) {
		serve(e, &p, now);
		metricshttp_hang_up(e->http, now - EXPORTER_REQUEST_NS);
		e->served_ns = now;
	}
	if (writes) {
		write_file(e, &p);
		e->written_ns = now;
	}
}

/* As a sink; it stands first. */

static struct exporter *
exporter(struct sink *s)
{
	return (void *)s;
}

static int
take_sample(struct sink *s, const struct sample *sample,
    const struct judgement *v)
{
	metrics_sample(exporter(s)->metrics, sample, v);
	publish(exporter(s), false);
	return 0;
}

static int
take_episode(struct sink *s, const struct episode *e)
{
	metrics_episode(exporter(s)->metrics, e);
	return 0;
}

static int
finish(struct sink *s, const struct totals *t, const struct episode *e,
    size_t n)
{
	(void)t;
	(void)e;
	(void)n;
	exporter_ended(exporter(s));
	return 0;
}

static void
close_it(struct sink *s)
{
	metricshttp_close(exporter(s)->http);
	metrics_free(exporter(s)->metrics);
	free(exporter(s));
}

static const struct sink_class class = {
	.sample = take_sample, .episode = take_episode, .finish = finish,
	.close = close_it
};

struct sink *
exporter_sink(struct exporter *e)
{
	return &e->sink;
}

/* Life. */

static int
open_http(struct exporter *e, char *err)
{
	struct endpoint where;
	char why[OPTVALUE_ERROR_MAX], failure[METRICSHTTP_ERROR_MAX];

	if (e->config.listen == NULL)
		return 0;
	if (optvalue_listen(e->config.listen, &where, why) != 0) {
		snprintf(err, EXPORTER_ERROR_MAX, "metrics: %s", why);
		return -1;
	}
	if ((e->http = metricshttp_open(&where, failure)) != NULL)
		return 0;
	snprintf(err, EXPORTER_ERROR_MAX, "metrics: %s", failure);
	return -1;
}

struct exporter *
exporter_open(const struct exporter_config *config,
    char err[EXPORTER_ERROR_MAX])
{
	const struct metrics_config metrics = {
		.source = config->source, .version = NFSRATED_VERSION,
		.interval_ns = config->interval_ns, .totals = config->totals
	};
	struct exporter *e = calloc(1, sizeof(*e));

	if (e == NULL || (e->metrics = metrics_new(&metrics)) == NULL) {
		snprintf(err, EXPORTER_ERROR_MAX, "%s", strerror(errno));
		free(e);
		return NULL;
	}
	e->sink.class = &class;
	e->config = *config;
	e->start_seconds = (double)now_ns(CLOCK_REALTIME) / 1e9;
	if (open_http(e, err) == 0)
		return e;
	close_it(&e->sink);
	return NULL;
}

int
exporter_start(struct exporter *e, char err[EXPORTER_ERROR_MAX])
{
	if (e->http == NULL || metricshttp_start(e->http) == 0)
		return 0;
	snprintf(err, EXPORTER_ERROR_MAX, "metrics: %s", strerror(errno));
	return -1;
}

bool
exporter_serves(const struct exporter *e)
{
	return e->http != NULL;
}

uint16_t
exporter_port(const struct exporter *e)
{
	return e->http != NULL ? metricshttp_port(e->http) : 0;
}

void
exporter_lost(struct exporter *e, uint64_t intervals)
{
	metrics_lost(e->metrics, intervals);
}

void
exporter_ended(struct exporter *e)
{
	e->ended = true;
	metrics_ended(e->metrics);
	publish(e, true);
}

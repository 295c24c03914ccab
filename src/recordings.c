/* SPDX-License-Identifier: ISC */
/*
 * recordings.c: an output that writes what was recorded to a file when an
 * episode starts.
 */
#include "recordings.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "outstream.h"

struct recordings {
	struct sink	 sink;
	struct recordings_config config;
	bool		 wanted;
	char		 name[RECORDINGS_NAME_MAX];
};

void
recordings_name(const struct episode *e, char name[RECORDINGS_NAME_MAX])
{
	time_t seconds = (time_t)(e->start_ns / INT64_C(1000000000));
	char when[24];
	struct tm tm;

	if (gmtime_r(&seconds, &tm) == NULL ||
	    strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ", &tm) == 0)
		snprintf(when, sizeof(when), "unknown");
	snprintf(name, RECORDINGS_NAME_MAX, "nfsrated-%s-%s.pcap", when,
	    verdict_name(e->kind));
}

static bool
put_file(struct recordings *r, const char *data, size_t len)
{
	int fd = r->config.create(r->config.ctx, r->name);
	bool good;

	if (fd < 0)
		return false;
	good = outstream_write(fd, data, len);
	close(fd);
	return good && r->config.commit(r->config.ctx, r->name) == 0;
}

static void
take(struct recordings *r)
{
	size_t len;
	char *file;

	if (!r->wanted || (file = r->config.take(r->config.ctx, &len)) == NULL)
		return;
	r->wanted = false;
	if (put_file(r, file, len))
		log_notice("recorded %s", r->name);
	else
		log_warning("%s: cannot be recorded: %s", r->name,
		    strerror(errno));
	free(file);
}

/* The sink stands first in it. */
static struct recordings *
recordings(struct sink *s)
{
	return (void *)s;
}

static int
recordings_sample(struct sink *s, const struct sample *sample,
    const struct judgement *v)
{
	(void)sample;
	(void)v;
	take(recordings(s));
	return 0;
}

static int
recordings_episode(struct sink *s, const struct episode *e)
{
	struct recordings *r = recordings(s);

	if (e->ended)
		return 0;
	recordings_name(e, r->name);
	r->wanted = true;
	r->config.want(r->config.ctx);
	take(r);
	return 0;
}

static void
recordings_close(struct sink *s)
{
	free(recordings(s));
}

static const struct sink_class recordings_class = {
	.sample = recordings_sample, .episode = recordings_episode,
	.close = recordings_close
};

struct sink *
recordings_new(const struct recordings_config *config)
{
	struct recordings *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return NULL;
	r->sink.class = &recordings_class;
	r->config = *config;
	return &r->sink;
}

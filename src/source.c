/* SPDX-License-Identifier: ISC */
/*
 * source.c: where intervals come from: chooses one, and names it.
 */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ifchoice.h"
#include "ifstats.h"
#include "log.h"

struct source {
	struct source_config config;
	struct collector *collector;
	const char	*interface[OPTIONS_INTERFACES_MAX];
	uint32_t	 interfaces;
	char		 chosen[IFCHOICE_NAME_MAX];
	char		 name[SOURCE_NAME_MAX];
};

static void
on_sample(void *ctx, const struct sample *s, uint64_t lost)
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

static void
make_name(struct source *src)
{
	const struct options *o = src->config.options;
	const char *file = o->read;
	size_t len = 0;
	uint32_t i;

	if (file != NULL)
		snprintf(src->name, sizeof(src->name), "%s",
		    strcmp(file, "-") == 0 ? "stdin" : basename(file));
	for (i = 0; i < src->interfaces && len < sizeof(src->name); i++)
		len += (size_t)snprintf(src->name + len,
		    sizeof(src->name) - len, "%s%s", i > 0 ? "," : "",
		    src->interface[i]);
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
	config.emit = on_sample;
	config.ctx = src;
	src->collector = collector_new(&config, fault, err);
	return src->collector != NULL ? 0 : -1;
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
	if (choose_interfaces(src, err) == 0) {
		make_name(src);
		if (open_collector(src, fault, err) == 0)
			return src;
	}
	source_free(src);
	return NULL;
}

int
source_start(struct source *src)
{
	return collector_start(src->collector);
}

void
source_free(struct source *src)
{
	if (src == NULL)
		return;
	collector_free(src->collector);
	free(src);
}

enum collector_state
source_run(struct source *src)
{
	return collector_run(src->collector);
}

int
source_fd(const struct source *src)
{
	return collector_fd(src->collector);
}

void
source_stop(struct source *src)
{
	collector_stop(src->collector);
}

const char *
source_error(const struct source *src)
{
	return collector_error(src->collector);
}

const char *
source_name(const struct source *src)
{
	return src->name;
}

bool
source_is_live(const struct source *src)
{
	return src->config.options->read == NULL;
}

struct talkers *
source_talkers(struct source *src)
{
	return collector_talkers(src->collector);
}

double
source_link_bps(const struct source *s)
{
	const struct options *o = s->config.options;

	if (!source_is_live(s) || o->interfaces > 1)
		return 0;
	return ifstats_link_bps(source_name(s));
}

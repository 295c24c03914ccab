/* SPDX-License-Identifier: ISC */
/*
 * playnetstat.c: a file or pipe of netstat's rows as intervals.
 */
#include "playnetstat.h"

#include <sys/types.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "netstatfile.h"
#include "packet.h"

#define TOLD_MAX	3	/* bad lines that are told one by one */
#define LINE_MAX_LEN	4096

struct playnetstat {
	struct playnetstat_config config;
	struct netstatfile *rows;
	struct unpack	*unpack;
	FILE		*stream;
	uint64_t	 bad, told;
	bool		 ended;
	char		 error[PLAYNETSTAT_ERROR_MAX];
};

static void
on_row(void *ctx, struct sample *s)
{
	struct playnetstat *p = ctx;

	p->config.sample(p->config.ctx, s);
}

static void
on_error(void *ctx, uint64_t line, const char *why)
{
	struct playnetstat *p = ctx;

	p->bad++;
	if (netstatfile_stats(p->rows)->rows == 0 || p->told == TOLD_MAX)
		return;
	p->told++;
	log_warning("%s: line %llu: %s; passed over", p->config.name,
	    (unsigned long long)line, why);
}

static int64_t
first_time(int fd, int64_t interval_ns)
{
	struct timespec ts;
	struct stat st;
	int64_t now;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	clock_gettime(CLOCK_REALTIME, &ts);
	now = ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
	return now - now % interval_ns;
}

static int
open_rows(struct playnetstat *p, int fd, char *err)
{
	const struct netstatfile_config config = {
		.start_ns = first_time(fd, p->config.interval_ns),
		.interval_ns = p->config.interval_ns,
		.total = p->config.total,
		.emit = on_row, .error = on_error, .ctx = p
	};
	char why[256];

	p->unpack = unpack_open(fd, p->config.wait, p->config.ctx, why,
	    sizeof(why));
	if (p->unpack == NULL) {
		snprintf(err, PLAYNETSTAT_ERROR_MAX, "%s: %s", p->config.name,
		    why);
		return -1;
	}
	p->stream = unpack_stream(p->unpack);
	if ((p->rows = netstatfile_new(&config)) == NULL) {
		snprintf(err, PLAYNETSTAT_ERROR_MAX, "%s", strerror(errno));
		return -1;
	}
	return 0;
}

struct playnetstat *
playnetstat_open(const struct playnetstat_config *config,
    char err[PLAYNETSTAT_ERROR_MAX])
{
	struct playnetstat *p;
	int fd;

	if ((p = calloc(1, sizeof(*p))) == NULL) {
		snprintf(err, PLAYNETSTAT_ERROR_MAX, "%s", strerror(errno));
		return NULL;
	}
	p->config = *config;
	if (strcmp(config->name, "-") == 0)
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	else
		fd = open(config->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		snprintf(err, PLAYNETSTAT_ERROR_MAX, "%s: %s", config->name,
		    strerror(errno));
	else if (open_rows(p, fd, err) == 0)
		return p;
	playnetstat_close(p);
	return NULL;
}

void
playnetstat_close(struct playnetstat *p)
{
	if (p == NULL)
		return;
	if (p->stream != NULL)
		fclose(p->stream);
	if (p->unpack != NULL)
		unpack_free(p->unpack);
	netstatfile_free(p->rows);
	free(p);
}

/* What is worth knowing of the whole. */
static void
tell(struct playnetstat *p)
{
	const struct netstatfile_stats *st = netstatfile_stats(p->rows);

	if (p->bad > p->told && (st->rows > 0 || unpack_stopped(p->unpack)))
		log_warning("%s: %llu lines in all were passed over",
		    p->config.name, (unsigned long long)p->bad);
	if (st->skewed > 0)
		log_notice("%s: in %llu rows the mean input packet is longer "
		    "than the link allows (up to %.0f bytes): packets and "
		    "bytes were counted at different times", p->config.name,
		    (unsigned long long)st->skewed, st->largest_mean);
}

static void
end(struct playnetstat *p)
{
	const char *why = unpack_error(p->unpack);

	p->ended = true;
	netstatfile_finish(p->rows);
	tell(p);
	if (why != NULL)
		snprintf(p->error, sizeof(p->error), "%s: %s", p->config.name,
		    why);
	else if (netstatfile_stats(p->rows)->rows == 0 &&
	    !unpack_stopped(p->unpack))
		snprintf(p->error, sizeof(p->error), "%s: has no rows of "
		    "a BSD's netstat -w 1; a capture is for --read, a log "
		    "for --play", p->config.name);
}

bool
playnetstat_step(struct playnetstat *p)
{
	char line[LINE_MAX_LEN];

	if (p->ended)
		return false;
	if (fgets(line, sizeof(line), p->stream) == NULL) {
		end(p);
		return false;
	}
	netstatfile_push(p->rows, line, strlen(line));
	return true;
}

const char *
playnetstat_error(const struct playnetstat *p)
{
	return p->error[0] != '\0' ? p->error : NULL;
}

const struct netstatfile_stats *
playnetstat_stats(const struct playnetstat *p)
{
	return netstatfile_stats(p->rows);
}

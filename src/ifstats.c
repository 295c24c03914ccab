/* SPDX-License-Identifier: ISC */
/*
 * ifstats.c: the counters that the system keeps of an interface.
 */
#include "ifstats.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TABLE_MAX	(256 * 1024)	/* bytes; 1000 interfaces have 128 K */
#define NAMES_MAX	16

/*
 * Where 32-bit counters are left, links are slow: more than this a second
 * (8 Gbit/s) is no wrap.
 */
#define WRAP_MAX	1e9

struct ifstats {
	int		 fd;
	const char	*name[NAMES_MAX];
	uint32_t	 names;
	bool		 known[NAMES_MAX];	/* last is valid */
	struct ifstats_counters	last[NAMES_MAX];
	char		*text;
};

struct ifstats *
ifstats_open(const char *const *name, uint32_t names)
{
	struct ifstats *s;
	uint32_t i;

	if (names > NAMES_MAX || (s = calloc(1, sizeof(*s))) == NULL)
		return NULL;
	s->fd = open("/proc/net/dev", O_RDONLY | O_CLOEXEC);
	s->text = malloc(TABLE_MAX);
	for (i = 0; i < names; i++) {
		s->name[i] = name[i];
		if (strcmp(name[i], "any") == 0)
			break;
	}
	s->names = names;
	if (s->fd >= 0 && s->text != NULL && i == names)
		return s;
	ifstats_close(s);
	return NULL;
}

void
ifstats_close(struct ifstats *s)
{
	if (s == NULL)
		return;
	if (s->fd >= 0)
		close(s->fd);
	free(s->text);
	free(s);
}

/* The kernel gives the table a page at a time. */
static bool
read_table(struct ifstats *s)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = pread(s->fd, s->text + len, TABLE_MAX - 1 - len,
		    (off_t)len);
		if (n > 0)
			len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	s->text[len] = '\0';
	return n == 0;
}

/* What stands behind "name:" at the start of a line. */
static const char *
find_line(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (; text != NULL; text = strchr(text, '\n')) {
		text += strspn(text, "\n ");
		if (strncmp(text, name, len) == 0 && text[len] == ':')
			return text + len + 1;
		if (*text == '\0')
			break;
	}
	return NULL;
}

bool
ifstats_parse(const char *text, const char *name, struct ifstats_counters *c)
{
	const char *line = find_line(text, name);

	/*
	 * receive: bytes packets errs drop fifo frame compressed multicast
	 * transmit: bytes packets errs drop fifo colls carrier compressed
	 */
	return line != NULL && sscanf(line, "%" SCNu64 "%" SCNu64 "%" SCNu64
	    "%*u%*u%*u%*u%*u%" SCNu64 "%" SCNu64 "%" SCNu64 "%*u%*u%" SCNu64,
	    &c->in_bytes, &c->in_packets, &c->in_errs, &c->out_bytes,
	    &c->out_packets, &c->out_errs, &c->colls) == 7;
}

uint64_t
ifstats_difference(uint64_t before, uint64_t after, double seconds)
{
	uint64_t wrapped;

	if (after >= before)
		return after - before;
	if (before > UINT32_MAX)
		return IFSTATS_UNKNOWN;
	wrapped = after + (UINT64_C(1) << 32) - before;
	return (double)wrapped <= WRAP_MAX * seconds &&
	    wrapped < UINT64_C(1) << 31 ? wrapped : IFSTATS_UNKNOWN;
}

static void
add(uint64_t *sum, uint64_t before, uint64_t after, double seconds)
{
	uint64_t more = ifstats_difference(before, after, seconds);

	if (more == IFSTATS_UNKNOWN || *sum == IFSTATS_UNKNOWN)
		*sum = IFSTATS_UNKNOWN;
	else
		*sum += more;
}

static void
add_counters(struct ifstats_counters *sum, const struct ifstats_counters *a,
    const struct ifstats_counters *b, double seconds)
{
	add(&sum->in_packets, a->in_packets, b->in_packets, seconds);
	add(&sum->in_bytes, a->in_bytes, b->in_bytes, seconds);
	add(&sum->in_errs, a->in_errs, b->in_errs, seconds);
	add(&sum->out_packets, a->out_packets, b->out_packets, seconds);
	add(&sum->out_bytes, a->out_bytes, b->out_bytes, seconds);
	add(&sum->out_errs, a->out_errs, b->out_errs, seconds);
	add(&sum->colls, a->colls, b->colls, seconds);
}

void
ifstats_read(struct ifstats *s, double seconds, struct ifstats_counters *sum)
{
	struct ifstats_counters now;
	bool table = read_table(s);
	uint32_t i;

	memset(sum, 0, sizeof(*sum));
	for (i = 0; i < s->names; i++) {
		if (table && ifstats_parse(s->text, s->name[i], &now)) {
			if (s->known[i])
				add_counters(sum, &s->last[i], &now, seconds);
			else
				memset(sum, 0xff, sizeof(*sum));
			s->last[i] = now;
			s->known[i] = true;
		} else {
			memset(sum, 0xff, sizeof(*sum));
			s->known[i] = false;
		}
	}
}

double
ifstats_link_bps(const char *name)
{
	char path[128];
	long mbps = 0;
	FILE *f;

	if (strchr(name, '/') != NULL)
		return 0;
	snprintf(path, sizeof(path), "/sys/class/net/%s/speed", name);
	if ((f = fopen(path, "re")) == NULL)
		return 0;
	/* Interfaces without a link say -1, or that they cannot say. */
	if (fscanf(f, "%ld", &mbps) != 1 || mbps < 0)
		mbps = 0;
	fclose(f);
	return (double)mbps * 1e6;
}

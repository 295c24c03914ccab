/* SPDX-License-Identifier: ISC */
/*
 * expect.c: how much there should have been in an interval.
 */
#include "expect.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "histogram.h"

#define FRAME_OVERHEAD	24	/* preamble and delimiter 8, FCS 4, gap 12
				 * (IEEE 802.3-2018 clauses 3.1.1, 4.4.2) */
#define FRAMES_FADE	(1.0 / 32)	/* of an interval's frames */
#define LEARNED_MAX	200000	/* then all counts are halved */
#define MAGIC		"nfsrated-learned 1"
#define LINE_SIZE	128

struct expect {
	struct expect_config	config;
	double			frames, frame_bytes;	/* of WRITEs */
	struct histogram	learned;	/* packets a second */
};

struct expect *
expect_new(const struct expect_config *config)
{
	struct expect *e;

	if ((e = calloc(1, sizeof(*e))) == NULL)
		return NULL;
	e->config = *config;
	if (e->config.givens > EXPECT_GIVEN_MAX)
		e->config.givens = EXPECT_GIVEN_MAX;
	return e;
}

void
expect_free(struct expect *e)
{
	free(e);
}

double
expect_rate(enum expect_kind kind, const struct sample *s)
{
	double seconds = sample_seconds(s);

	switch (kind) {
	case EXPECT_WPS:
		return (double)s->data[SAMPLE_WRITE].calls / seconds;
	case EXPECT_MBPS:
		return (double)s->data[SAMPLE_WRITE].bytes / 1e6 / seconds;
	case EXPECT_PPS:
	case EXPECT_NONE:
		break;
	}
	return (double)s->traffic[SAMPLE_IN].wire_packets / seconds;
}

double
expect_unit_bytes(enum expect_kind kind, const struct sample *s)
{
	const struct sample_traffic *in = &s->traffic[SAMPLE_IN];
	const struct sample_data *w = &s->data[SAMPLE_WRITE];

	if (kind == EXPECT_MBPS)
		return 1e6;
	if (kind == EXPECT_WPS)
		return w->calls > 0 ? (double)w->bytes / (double)w->calls : 0;
	return in->wire_packets > 0 ?
	    (double)in->wire_bytes / (double)in->wire_packets : 0;
}

/* Whether an interval's rate of this kind is known. */
static bool
is_known(enum expect_kind kind, const struct sample *s)
{
	if (kind == EXPECT_PPS)
		return true;
	if (s->packets_only)
		return false;
	return kind == EXPECT_WPS || s->data[SAMPLE_WRITE].hidden == 0;
}

/* The frames of an interval in which most of the input is WRITE data. */
static void
take_frames(struct expect *e, const struct sample *s)
{
	const struct sample_traffic *in = &s->traffic[SAMPLE_IN];

	if (in->wire_packets == 0 || (!s->packets_only &&
	    s->data[SAMPLE_WRITE].bytes < in->wire_bytes / 2))
		return;
	e->frames += (double)in->wire_packets - e->frames * FRAMES_FADE;
	e->frame_bytes += (double)in->wire_bytes -
	    e->frame_bytes * FRAMES_FADE;
}

static double
line_rate(const struct expect *e)
{
	if (e->frames <= 0 || e->config.link_bps <= 0)
		return 0;
	return e->config.link_bps /
	    (8 * (e->frame_bytes / e->frames + FRAME_OVERHEAD));
}

static double
learned_rate(const struct expect *e)
{
	if (e->learned.count < EXPECT_LEARN_MIN)
		return 0;
	return histogram_quantile_us(&e->learned, EXPECT_QUANTILE);
}

static uint32_t
add(struct expected *out, uint32_t n, enum expect_kind kind, double value)
{
	if (value <= 0)
		return n;
	out[n] = (struct expected){ kind, value };
	return n + 1;
}

uint32_t
expect_of(struct expect *e, const struct sample *s,
    struct expected out[EXPECT_MAX])
{
	const struct expected *g = e->config.given;
	uint32_t i, n = 0;

	for (i = 0; i < e->config.givens; i++)
		if (is_known(g[i].kind, s))
			n = add(out, n, g[i].kind, g[i].value);
	if (e->config.automatic) {
		take_frames(e, s);
		n = add(out, n, EXPECT_PPS, line_rate(e));
	}
	if (e->config.learn)
		n = add(out, n, EXPECT_PPS, learned_rate(e));
	return n;
}

/* A histogram of rates instead of latencies: its error is as good for them. */
static void
count_rate(struct histogram *h, uint32_t bucket, uint32_t n)
{
	double upper = histogram_upper_us(bucket);

	h->bucket[bucket] += n;
	h->count += n;
	if (upper > (double)h->max_us)
		h->max_us = (uint32_t)upper;
}

static void
fade(struct histogram *h)
{
	struct histogram old = *h;
	uint32_t i;

	memset(h, 0, sizeof(*h));
	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (old.bucket[i] > 1)
			count_rate(h, i, old.bucket[i] / 2);
}

void
expect_learn(struct expect *e, const struct sample *s)
{
	double rate = expect_rate(EXPECT_PPS, s);

	if (!e->config.learn)
		return;
	if (e->learned.count >= LEARNED_MAX)
		fade(&e->learned);
	count_rate(&e->learned, histogram_bucket((uint64_t)(rate + 0.5)), 1);
}

/* The file: MAGIC, lines "BUCKET COUNT" in order, "total SUM". */

static int
fail(char err[EXPECT_ERROR_MAX], const char *path, const char *why)
{
	snprintf(err, EXPECT_ERROR_MAX, "%.150s: %.80s", path, why);
	return -1;
}

/* A line without its newline; false at the end, or for one too long. */
static bool
read_line(FILE *f, char line[LINE_SIZE])
{
	size_t len;

	if (fgets(line, LINE_SIZE, f) == NULL)
		return false;
	len = strlen(line);
	if (len == 0 || line[len - 1] != '\n')
		return false;
	line[len - 1] = '\0';
	return true;
}

static bool
read_counts(FILE *f, struct histogram *h)
{
	char line[LINE_SIZE], rest;
	uint32_t bucket, n, next = 0;
	uint64_t total;

	while (read_line(f, line)) {
		if (sscanf(line, "total %" SCNu64 "%c", &total, &rest) == 1)
			return total == h->count && !read_line(f, line);
		if (sscanf(line, "%" SCNu32 " %" SCNu32 "%c", &bucket, &n,
		    &rest) != 2 || bucket < next ||
		    bucket >= HISTOGRAM_BUCKETS || n == 0 || n > LEARNED_MAX)
			return false;
		count_rate(h, bucket, n);
		next = bucket + 1;
	}
	return false;
}

int
expect_load(struct expect *e, const char *path, char err[EXPECT_ERROR_MAX])
{
	struct histogram h = { 0 };
	char line[LINE_SIZE];
	bool good;
	FILE *f;

	if ((f = fopen(path, "re")) == NULL)
		return errno == ENOENT ? 0 : fail(err, path, strerror(errno));
	if (!read_line(f, line) ||
	    strncmp(line, MAGIC, sizeof(MAGIC) - 2) != 0) {
		fclose(f);
		return fail(err, path, "is not what was learned; ignored");
	}
	if (strcmp(line, MAGIC) != 0) {
		fclose(f);
		return fail(err, path, "is of another version; ignored");
	}
	good = read_counts(f, &h);
	fclose(f);
	if (!good)
		return fail(err, path, "is damaged; ignored");
	e->learned = h;
	return 0;
}

static bool
write_counts(const struct histogram *h, FILE *f)
{
	uint32_t i;

	fprintf(f, "%s\n", MAGIC);
	for (i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (h->bucket[i] > 0)
			fprintf(f, "%" PRIu32 " %" PRIu32 "\n", i,
			    h->bucket[i]);
	fprintf(f, "total %" PRIu64 "\n", h->count);
	return fflush(f) == 0 && fsync(fileno(f)) == 0;
}

bool
expect_write(const struct expect *e, FILE *f)
{
	return write_counts(&e->learned, f);
}

void
expect_take(struct expect *e, const struct expect *from)
{
	e->learned = from->learned;
}

int
expect_save(const struct expect *e, const char *path,
    char err[EXPECT_ERROR_MAX])
{
	char temp[1024];
	bool good;
	FILE *f;
	int fd, n;

	n = snprintf(temp, sizeof(temp), "%s.new", path);
	if (n < 0 || (size_t)n >= sizeof(temp))
		return fail(err, path, strerror(ENAMETOOLONG));
	fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
	    0644);
	if (fd == -1)
		return fail(err, temp, strerror(errno));
	if ((f = fdopen(fd, "w")) == NULL) {
		fail(err, temp, strerror(errno));
		close(fd);
		return -1;
	}
	good = write_counts(&e->learned, f);
	good = fclose(f) == 0 && good;
	if (!good || rename(temp, path) == -1) {
		fail(err, path, strerror(errno));
		unlink(temp);
		return -1;
	}
	return 0;
}

/* SPDX-License-Identifier: ISC */
/*
 * ratelogread.c: a rate log as a list of lines that are read when they are
 * asked for.
 */
#include "ratelogread.h"

#include <sys/types.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK		(256 * 1024)
#define LINE_MAX_LEN	(1024 * 1024)	/* longer ones are none of ours */

struct ratelogread {
	const char	*name;
	int		 fd;
	uint64_t	*start;		/* of each line, and of what is next */
	uint64_t	 lines, room;
	uint64_t	 scanned;	/* bytes looked through */
	char		*line;		/* LINE_MAX_LEN */
	struct jsonread_record record;
};

static int	fail(char *err, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

static int
fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, RATELOGREAD_ERROR_MAX, fmt, ap);
	va_end(ap);
	return -1;
}

/* The next line starts there. */
static bool
add_start(struct ratelogread *r, uint64_t at)
{
	uint64_t *more, room;

	if (r->lines + 2 > r->room) {
		room = r->room > 0 ? 2 * r->room : 4096;
		more = reallocarray(r->start, room, sizeof(*more));
		if (more == NULL)
			return false;
		r->start = more;
		r->room = room;
	}
	r->start[++r->lines] = at;
	return true;
}

static bool
index_chunk(struct ratelogread *r, const char *chunk, size_t len)
{
	const char *p = chunk, *end = chunk + len;

	while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		p++;
		if (!add_start(r, r->scanned + (uint64_t)(p - chunk)))
			return false;
	}
	r->scanned += len;
	return true;
}

uint64_t
ratelogread_more(struct ratelogread *r)
{
	char *chunk = malloc(CHUNK);
	ssize_t n = 0;

	while (chunk != NULL && ((n = pread(r->fd, chunk, CHUNK,
	    (off_t)r->scanned)) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0 && !index_chunk(r, chunk, (size_t)n))
			break;
	free(chunk);
	return r->lines;
}

/* Copies a stream to a file that goes when it is closed. */
static int
spool(FILE *in, const char *name, char *err)
{
	FILE *file = tmpfile();
	char *chunk = malloc(CHUNK);
	int fd = -1;
	size_t n;

	if (file == NULL || chunk == NULL)
		fail(err, "%s: temporary file: %s", name, strerror(errno));
	else {
		while ((n = fread(chunk, 1, CHUNK, in)) > 0 &&
		    fwrite(chunk, 1, n, file) == n)
			;
		if (fflush(file) != 0 || ferror(file))
			fail(err, "%s: temporary file: %s", name,
			    strerror(errno));
		else
			fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 0);
	}
	free(chunk);
	if (file != NULL)
		fclose(file);
	return fd;
}

static int
unpack_all(int fd, const char *name, unpack_wait *wait, void *ctx, char *err)
{
	struct unpack *u;
	char why[256];
	int out;

	if ((u = unpack_open(fd, wait, ctx, why, sizeof(why))) == NULL)
		return fail(err, "%s: %s", name, why);
	out = spool(unpack_stream(u), name, err);
	fclose(unpack_stream(u));
	if (out >= 0 && unpack_error(u) != NULL) {
		fail(err, "%s: %s", name, unpack_error(u));
		close(out);
		out = -1;
	}
	unpack_free(u);
	return out;
}

/* Text starts with what no compressed file does. */
static bool
is_plain(int fd)
{
	struct stat st;
	char first;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_size == 0 || (pread(fd, &first, 1, 0) == 1 &&
	    (first == '{' || first == '\0' || first == '\n' ||
	    first == ' ')));
}

static int
open_file(const char *name, unpack_wait *wait, void *ctx, char *err)
{
	struct stat st;
	int fd;

	if (strcmp(name, "-") == 0)
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	else
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail(err, "%s: %s", name, strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(fd);
		return fail(err, "%s: is a directory", name);
	}
	if (is_plain(fd))
		return fd;
	return unpack_all(fd, name, wait, ctx, err);
}

/* Some line near the beginning must be one of JSON's objects. */
static int
look_at(struct ratelogread *r, char *err)
{
	const struct jsonread_record *record;
	char why[RATELOGREAD_ERROR_MAX];
	uint64_t i;

	if (r->scanned == 0)
		return 0;		/* nothing has happened yet */
	for (i = 0; i < r->lines && i < 100; i++)
		if (ratelogread_line(r, i, &record, why) != JSONREAD_BAD)
			return 0;
	return fail(err, "%s: is no rate log, as --log writes it; a "
	    "capture is for --read", r->name);
}

struct ratelogread *
ratelogread_open(const char *name, unpack_wait *wait, void *ctx,
    char err[RATELOGREAD_ERROR_MAX])
{
	struct ratelogread *r;

	if ((r = calloc(1, sizeof(*r))) == NULL ||
	    (r->line = malloc(LINE_MAX_LEN)) == NULL ||
	    (r->start = calloc(1, sizeof(*r->start))) == NULL) {
		fail(err, "%s: %s", name, strerror(errno));
		if (r != NULL)
			free(r->line);
		free(r);
		return NULL;
	}
	r->name = name;
	r->fd = open_file(name, wait, ctx, err);
	if (r->fd >= 0) {
		ratelogread_more(r);
		if (look_at(r, err) == 0)
			return r;
	}
	ratelogread_close(r);
	return NULL;
}

void
ratelogread_close(struct ratelogread *r)
{
	if (r == NULL)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->start);
	free(r->line);
	free(r);
}

uint64_t
ratelogread_lines(const struct ratelogread *r)
{
	return r->lines;
}

uint64_t
ratelogread_torn(const struct ratelogread *r)
{
	return r->scanned - r->start[r->lines];
}

static ssize_t
read_all(int fd, char *to, size_t len, uint64_t at)
{
	size_t done = 0;
	ssize_t n;

	while (done < len) {
		n = pread(fd, to + done, len - done, (off_t)(at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -1 : (ssize_t)done;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

enum jsonread_kind
ratelogread_line(struct ratelogread *r, uint64_t line,
    const struct jsonread_record **record, char err[RATELOGREAD_ERROR_MAX])
{
	uint64_t len = r->start[line + 1] - r->start[line] - 1;
	char why[JSONREAD_ERROR_MAX] = "is too long";
	enum jsonread_kind kind = JSONREAD_BAD;

	*record = &r->record;
	if (len <= LINE_MAX_LEN) {
		if (read_all(r->fd, r->line, (size_t)len, r->start[line]) !=
		    (ssize_t)len)
			snprintf(why, sizeof(why), "cannot be read: %s",
			    errno != 0 ? strerror(errno) : "it is gone");
		else
			kind = jsonread_line(r->line, (size_t)len, &r->record,
			    why);
	}
	if (kind == JSONREAD_BAD)
		fail(err, "%s: line %llu: %s", r->name,
		    (unsigned long long)line + 1, why);
	return kind;
}

static bool
is_episode(const struct ratelogread *r, uint64_t line)
{
	static const char begin[] = "{\"type\":\"episode\"";
	char text[sizeof(begin) - 1];

	return read_all(r->fd, text, sizeof(text), r->start[line]) ==
	    (ssize_t)sizeof(text) && memcmp(text, begin, sizeof(text)) == 0;
}

uint64_t
ratelogread_episode(struct ratelogread *r, uint64_t line, bool back)
{
	for (; line < r->lines; line += back ? UINT64_MAX : 1)
		if (is_episode(r, line))
			return line;
	return r->lines;
}

/* The time of the first interval from a line on; its line. */
static uint64_t
next_second(struct ratelogread *r, uint64_t line, int64_t *time_ns)
{
	const struct jsonread_record *record;
	char err[RATELOGREAD_ERROR_MAX];

	for (; line < r->lines; line++)
		if (ratelogread_line(r, line, &record, err) ==
		    JSONREAD_SECOND) {
			*time_ns = record->sample.start_ns;
			return line;
		}
	*time_ns = INT64_MAX;
	return r->lines;
}

uint64_t
ratelogread_find(struct ratelogread *r, int64_t time_ns)
{
	uint64_t low = 0, high = r->lines, middle;
	int64_t there;

	while (low < high) {
		middle = low + (high - low) / 2;
		next_second(r, middle, &there);
		if (there < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return next_second(r, low, &there);
}

/* SPDX-License-Identifier: ISC */
/*
 * ratelog.c: an output that appends every interval and episode to a file.
 */
#include "ratelog.h"

#include <sys/types.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "jsonlog.h"
#include "log.h"
#include "textbuf.h"

#define LINE_MAX_LEN	(1024 * 1024)	/* a torn line is looked for in it */
#define CHUNK		4096

struct ratelog {
	struct sink	 sink;
	const char	*path;
	ratelog_opener	*opener;
	void		*ctx;
	int		 fd;		/* -1 after a failed reopening */
	bool		 torn;		/* the last line has no end */
	bool		 failing;	/* told, and not over yet */
	uint64_t	 lost;
	uint64_t	 told;		/* of these, said in the log */
	struct textbuf	 text;
};

int
ratelog_open_file(void *ctx, const char *path)
{
	(void)ctx;
	return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY,
	    0640);
}

/* Where the last line starts; -1 when that is too far back. */
static off_t
last_line(int fd, off_t size)
{
	char chunk[CHUNK];
	const char *newline;
	off_t at = size;
	size_t len;

	while (at > 0 && size - at < LINE_MAX_LEN) {
		len = at < CHUNK ? (size_t)at : CHUNK;
		at -= (off_t)len;
		if (pread(fd, chunk, len, at) != (ssize_t)len)
			return -1;
		newline = memrchr(chunk, '\n', len);
		if (newline != NULL)
			return at + (newline - chunk) + 1;
	}
	return at == 0 ? 0 : -1;
}

/* What a torn write leaves: the start of an object, or a hole of zeros. */
static bool
is_torn_write(int fd, off_t start, off_t size)
{
	static const char begin[] = "{\"type\":\"";
	char text[sizeof(begin) - 1];
	size_t i, len = sizeof(text);
	bool zeros = true, same;

	if (size - start < (off_t)len)
		len = (size_t)(size - start);
	if (pread(fd, text, len, start) != (ssize_t)len)
		return false;
	same = memcmp(text, begin, len) == 0;
	for (i = 0; i < len; i++)
		zeros = zeros && text[i] == '\0';
	return same || zeros;
}

int
ratelog_repair(int fd)
{
	struct stat st;
	off_t start;
	char last;

	if (fstat(fd, &st) != 0)
		return -1;
	if (!S_ISREG(st.st_mode) || st.st_size == 0 ||
	    pread(fd, &last, 1, st.st_size - 1) != 1 || last == '\n')
		return 0;
	start = last_line(fd, st.st_size);
	if (start >= 0 && is_torn_write(fd, start, st.st_size))
		return ftruncate(fd, start);
	return write(fd, "\n", 1) == 1 ? 0 : -1;
}

static void
failed(struct ratelog *r, const char *why)
{
	if (!r->failing)
		log_warning("%s: %s; intervals are lost until it can be "
		    "written again", r->path, why);
	r->failing = true;
}

/*
 * A part of a line must not stay.  The file may have been cut meanwhile, and
 * must not become longer by this.
 */
static void
take_back(struct ratelog *r, size_t len)
{
	struct stat st;

	r->torn = fstat(r->fd, &st) != 0 || st.st_size < (off_t)len ||
	    ftruncate(r->fd, st.st_size - (off_t)len) != 0;
}

/* All of it or nothing. */
static bool
append(struct ratelog *r, const char *data, size_t len)
{
	ssize_t n;

	do
		n = write(r->fd, data, len);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)len)
		return true;
	if (n > 0) {		/* the disk is full */
		take_back(r, (size_t)n);
		errno = ENOSPC;
	}
	return false;
}

/* A capture, or a file that was packed: what is appended would spoil it. */
static bool
is_no_text(int fd)
{
	static const char magic[][5] = {
		"\xd4\xc3\xb2\xa1", "\xa1\xb2\xc3\xd4", "\x4d\x3c\xb2\xa1",
		"\xa1\xb2\x3c\x4d", "\x0a\x0d\x0d\x0a",	/* pcap, pcapng */
		"\x1f\x8b", "\x28\xb5\x2f\xfd", "\xfd\x37\x7a\x58",
		"\x04\x22\x4d\x18", "BZh"	/* gzip, zstd, xz, lz4, bzip2 */
	};
	char head[4];
	size_t i;

	if (pread(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return false;
	for (i = 0; i < sizeof(magic) / sizeof(magic[0]); i++)
		if (memcmp(head, magic[i], strlen(magic[i])) == 0)
			return true;
	return false;
}

static bool
try_to_reopen(struct ratelog *r)
{
	int fd = r->opener(r->ctx, r->path);

	if (fd < 0)
		return false;
	if (is_no_text(fd)) {
		close(fd);
		errno = ENOTSUP;
		return false;
	}
	if (r->fd >= 0)
		close(r->fd);
	r->fd = fd;
	r->torn = false;
	if (ratelog_repair(fd) != 0)
		r->torn = true;
	return true;
}

/* What has to stand before the next line; it is written with it, or not. */
static void
begin(struct ratelog *r, int64_t time_ns)
{
	if (r->torn)
		textbuf_char(&r->text, '\n');
	if (r->told != r->lost)
		jsonlog_lost(&r->text, time_ns, r->lost - r->told);
}

static void
went_on(struct ratelog *r)
{
	r->torn = false;
	r->told = r->lost;
	if (r->failing)
		log_notice("%s: is written again; %llu intervals were lost",
		    r->path, (unsigned long long)r->lost);
	r->failing = false;
}

static bool
put(struct ratelog *r)
{
	bool ok = !r->text.failed;

	if (!ok)
		errno = ENOMEM;
	else
		ok = (r->fd >= 0 || try_to_reopen(r)) &&
		    append(r, r->text.data, r->text.len);
	textbuf_clear(&r->text);
	if (ok)
		went_on(r);
	else
		failed(r, strerror(errno));
	return ok;
}

/* The sink stands first in it. */
static struct ratelog *
ratelog(struct sink *s)
{
	return (void *)s;
}

static int
ratelog_sample(struct sink *s, const struct sample *sample,
    const struct judgement *v)
{
	struct ratelog *r = ratelog(s);

	begin(r, sample->start_ns);
	jsonlog_second(&r->text, sample, v);
	if (!put(r))
		r->lost++;
	return 0;
}

static int
ratelog_episode(struct sink *s, const struct episode *e)
{
	struct ratelog *r = ratelog(s);

	begin(r, e->ended ? e->end_ns : e->start_ns);
	json_episode(&r->text, e);
	put(r);
	return 0;
}

/* What cannot be opened leaves the old file in use. */
static int
ratelog_reopen(struct sink *s)
{
	struct ratelog *r = ratelog(s);

	if (!try_to_reopen(r))
		log_warning("%s: cannot be opened again: %s%s", r->path,
		    strerror(errno), r->fd >= 0 ? "; the file that was open "
		    "is written on" : "");
	return 0;
}

static void
ratelog_close(struct sink *s)
{
	struct ratelog *r = ratelog(s);

	if (r->fd >= 0)
		close(r->fd);
	textbuf_free(&r->text);
	free(r);
}

static const struct sink_class ratelog_class = {
	.sample = ratelog_sample, .episode = ratelog_episode,
	.reopen = ratelog_reopen, .close = ratelog_close
};

struct sink *
ratelog_new(const char *path, ratelog_opener *opener, void *ctx,
    char err[RATELOG_ERROR_MAX])
{
	struct ratelog *r;

	if ((r = calloc(1, sizeof(*r))) == NULL) {
		snprintf(err, RATELOG_ERROR_MAX, "%s", strerror(errno));
		return NULL;
	}
	r->sink.class = &ratelog_class;
	r->path = path;
	r->opener = opener;
	r->ctx = ctx;
	r->fd = -1;
	if (try_to_reopen(r))
		return &r->sink;
	snprintf(err, RATELOG_ERROR_MAX, "%s: %s", path, errno == ENOTSUP ?
	    "is a capture or packed, not text that a log can be appended to; "
	    "name another file" : errno == ENOENT ? "its directory is not "
	    "there; make it first" : strerror(errno));
	free(r);
	return NULL;
}

uint64_t
ratelog_lost(const struct sink *s)
{
	const struct ratelog *r = (const void *)s;

	return r->lost;
}

/* SPDX-License-Identifier: ISC */
/*
 * unpack.c: a file or pipe, compressed or not, as a stream of its raw bytes.
 */
#include "unpack.h"

#include <sys/stat.h>

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdint.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_MAX	6		/* the longest magic number */
#define INPUT_SIZE	(64 * 1024)	/* what libarchive reads at a time */

/*
 * What the C library reads at a time: large enough that system calls do not
 * count, small enough to stay in the processor's cache.
 */
#define STREAM_SIZE	(256 * 1024)

struct unpack {
	int		 fd;
	bool		 may_wait;	/* no regular file */
	unpack_wait	*wait;
	void		*ctx;
	uint8_t		 head[HEAD_MAX];
	size_t		 head_len;
	size_t		 head_used;
	const char	*format;
	struct archive	*archive;
	uint8_t		*input;
	FILE		*stream;
	char		*buffer;	/* of the stream */
	off_t		 position;	/* in the raw bytes */
	bool		 empty;		/* nothing was compressed */
	bool		 stopped;
	char		 error[256];
};

static const struct format {
	const char	*name;
	size_t		 len;
	uint8_t		 magic[HEAD_MAX];
	int		 (*support)(struct archive *);
} formats[] = {
	/* RFC 1952 sec. 2.3.1, RFC 8878 sec. 3.1.1 */
	{ "gzip", 2, { 0x1f, 0x8b },
	    archive_read_support_filter_gzip },
	{ "zstd", 4, { 0x28, 0xb5, 0x2f, 0xfd },
	    archive_read_support_filter_zstd },
	{ "xz", 6, { 0xfd, '7', 'z', 'X', 'Z', 0 },
	    archive_read_support_filter_xz },
	{ "lz4", 4, { 0x04, 0x22, 0x4d, 0x18 },
	    archive_read_support_filter_lz4 },
	{ "bzip2", 3, { 'B', 'Z', 'h' },
	    archive_read_support_filter_bzip2 },
};
#define FORMATS	(sizeof(formats) / sizeof(formats[0]))

/* As read(2); -1 with EINTR when wait gave up. */
static ssize_t
read_fd(struct unpack *u, void *buf, size_t size)
{
	ssize_t n;

	do {
		if (u->may_wait && u->wait != NULL &&
		    !u->wait(u->ctx, u->fd)) {
			u->stopped = true;
			errno = EINTR;
			return -1;
		}
		n = read(u->fd, buf, size);
	} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	if (n < 0)
		snprintf(u->error, sizeof(u->error), "%s", strerror(errno));
	return n;
}

/* The head that was looked at, then the rest. */
static ssize_t
read_input(struct unpack *u, void *buf, size_t size)
{
	size_t n = u->head_len - u->head_used;

	if (n == 0)
		return read_fd(u, buf, size);
	if (n > size)
		n = size;
	memcpy(buf, u->head + u->head_used, n);
	u->head_used += n;
	return (ssize_t)n;
}

static la_ssize_t
archive_input(struct archive *a, void *ctx, const void **buf)
{
	struct unpack *u = ctx;
	ssize_t n;

	*buf = u->input;
	n = read_input(u, u->input, INPUT_SIZE);
	if (n < 0)
		archive_set_error(a, errno, "%s", strerror(errno));
	return n;
}

/* libarchive's own words, or EINTR when wait gave up. */
static ssize_t
archive_failed(struct unpack *u)
{
	const char *why = archive_error_string(u->archive);

	if (u->stopped)
		errno = EINTR;
	else {
		errno = EIO;
		if (u->error[0] == '\0')
			snprintf(u->error, sizeof(u->error),
			    "damaged %s data: %s", u->format,
			    why != NULL ? why : "no reason given");
	}
	return -1;
}

static ssize_t
stream_read(void *ctx, char *buf, size_t size)
{
	struct unpack *u = ctx;
	la_ssize_t n;

	if (u->empty)
		n = 0;
	else if (u->archive == NULL)
		n = read_input(u, buf, size);
	else if ((n = archive_read_data(u->archive, buf, size < INPUT_SIZE ?
	    size : INPUT_SIZE)) < 0)
		n = archive_failed(u);	/* all that was asked for is lost */
	if (n > 0)
		u->position += n;
	return n;
}

/* Only tells the position (ftello). */
static int
stream_seek(void *ctx, off64_t *offset, int whence)
{
	struct unpack *u = ctx;

	if (whence != SEEK_CUR || *offset != 0) {
		errno = ESPIPE;
		return -1;
	}
	*offset = u->position;
	return 0;
}

static int
stream_close(void *ctx)
{
	struct unpack *u = ctx;

	if (u->archive != NULL)
		archive_read_free(u->archive);
	free(u->input);
	close(u->fd);
	u->archive = NULL;
	u->input = NULL;
	u->fd = -1;
	u->stream = NULL;
	return 0;
}

/* Reads the first bytes; how many may be fewer in a short file. */
static int
look_at_head(struct unpack *u)
{
	ssize_t n;

	while (u->head_len < HEAD_MAX) {
		n = read_fd(u, u->head + u->head_len, HEAD_MAX - u->head_len);
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		u->head_len += (size_t)n;
	}
	return 0;
}

static const struct format *
find_format(const struct unpack *u)
{
	size_t i;

	for (i = 0; i < FORMATS; i++)
		if (u->head_len >= formats[i].len &&
		    memcmp(u->head, formats[i].magic, formats[i].len) == 0)
			return &formats[i];
	return NULL;
}

static int
open_archive(struct unpack *u, const struct format *f)
{
	struct archive_entry *entry;
	int res;

	u->format = f->name;
	u->input = malloc(INPUT_SIZE);
	u->archive = archive_read_new();
	if (u->input == NULL || u->archive == NULL) {
		snprintf(u->error, sizeof(u->error), "%s", strerror(ENOMEM));
		return -1;
	}
	if (f->support(u->archive) != ARCHIVE_OK ||
	    archive_read_support_format_raw(u->archive) != ARCHIVE_OK ||
	    archive_read_support_format_empty(u->archive) != ARCHIVE_OK ||
	    archive_read_open2(u->archive, u, NULL, archive_input, NULL,
	    NULL) != ARCHIVE_OK)
		return (int)archive_failed(u);
	res = archive_read_next_header(u->archive, &entry);
	u->empty = res == ARCHIVE_EOF;
	if (res != ARCHIVE_OK && res != ARCHIVE_EOF)
		return (int)archive_failed(u);
	return 0;
}

/*
 * A plain file is read by the C library itself: a fifth less work for each
 * packet than through our functions.
 */
static bool
open_plain(struct unpack *u)
{
	if (u->may_wait || lseek(u->fd, -(off_t)u->head_len, SEEK_CUR) < 0 ||
	    (u->stream = fdopen(u->fd, "r")) == NULL)
		return false;
	u->fd = -1;
	return true;
}

static int
open_stream(struct unpack *u)
{
	static const cookie_io_functions_t io = {
		.read = stream_read,
		.seek = stream_seek,
		.close = stream_close,
	};
	const struct format *f;
	struct stat st;

	if (fstat(u->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		snprintf(u->error, sizeof(u->error), "is a directory");
		return -1;
	}
	u->may_wait = !S_ISREG(st.st_mode);
	if (look_at_head(u) != 0)
		return -1;
	if ((f = find_format(u)) != NULL && open_archive(u, f) != 0)
		return -1;
	if (!(f == NULL && open_plain(u)) &&
	    (u->stream = fopencookie(u, "r", io)) == NULL) {
		snprintf(u->error, sizeof(u->error), "%s", strerror(errno));
		return -1;
	}
	/* The C library ignores the size where the buffer is not given. */
	if ((u->buffer = malloc(STREAM_SIZE)) != NULL)
		setvbuf(u->stream, u->buffer, _IOFBF, STREAM_SIZE);
	/* One thread reads. */
	__fsetlocking(u->stream, FSETLOCKING_BYCALLER);
	return 0;
}

struct unpack *
unpack_open(int fd, unpack_wait *wait, void *ctx, char *err, size_t errsize)
{
	struct unpack *u;

	if ((u = calloc(1, sizeof(*u))) == NULL) {
		snprintf(err, errsize, "%s", strerror(errno));
		close(fd);
		return NULL;
	}
	u->fd = fd;
	u->wait = wait;
	u->ctx = ctx;
	if (open_stream(u) != 0) {
		snprintf(err, errsize, "%s",
		    u->stopped ? "interrupted" : u->error);
		stream_close(u);
		unpack_free(u);
		return NULL;
	}
	return u;
}

FILE *
unpack_stream(struct unpack *u)
{
	return u->stream;
}

const char *
unpack_format(const struct unpack *u)
{
	return u->format;
}

const char *
unpack_error(const struct unpack *u)
{
	return u->error[0] != '\0' ? u->error : NULL;
}

bool
unpack_stopped(const struct unpack *u)
{
	return u->stopped;
}

void
unpack_free(struct unpack *u)
{
	free(u->buffer);
	free(u);
}

/* SPDX-License-Identifier: ISC */
/*
 * outstream.c: a stream to a pipe or terminal that may be slow.
 */
#include "outstream.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#define FULL_MS	10

struct outstream {
	int		 fd;
	int		 error;		/* errno of the first failure */
	bool		 regular;
	bool		 own;		/* the fd is not the caller's */
	outstream_wait	*wait;
	void		*ctx;
};

/*
 * A terminal that can be written to has room for one byte, and a write of more
 * would block.  What does not is a description of our own: the caller's is the
 * shell's, too.  -1: it is no terminal, or cannot be opened.
 */
static int
open_terminal(int fd)
{
	char path[32];

	if (!isatty(fd))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/*
 * A pipe that can be written to has room for PIPE_BUF bytes, so that many do
 * not block.
 */
static ssize_t
write_some(struct outstream *o, const char *buf, size_t size)
{
	if (o->regular)
		return write(o->fd, buf, size);
	if (!o->wait(o->ctx, o->fd)) {
		errno = ECANCELED;
		return -1;
	}
	return write(o->fd, buf, size < PIPE_BUF ? size : PIPE_BUF);
}

static ssize_t
stream_write(void *ctx, const char *buf, size_t size)
{
	struct outstream *o = ctx;
	size_t done = 0;
	ssize_t n;

	while (done < size && o->error == 0) {
		n = write_some(o, buf + done, size - done);
		if (n >= 0)
			done += (size_t)n;
		else if (errno == EAGAIN)	/* room, but too little */
			poll(NULL, 0, FULL_MS);
		else if (errno != EINTR)
			o->error = errno;
	}
	errno = o->error;
	return (ssize_t)done;
}

static int
stream_close(void *ctx)
{
	struct outstream *o = ctx;

	if (o->own)
		close(o->fd);
	free(o);
	return 0;
}

FILE *
outstream_open(int fd, outstream_wait *wait, void *ctx)
{
	static const cookie_io_functions_t io = {
		.write = stream_write,
		.close = stream_close,
	};
	struct outstream *o;
	struct stat st;
	FILE *f;

	if ((o = calloc(1, sizeof(*o))) == NULL)
		return NULL;
	o->fd = open_terminal(fd);
	o->own = o->fd >= 0;
	if (!o->own)
		o->fd = fd;
	o->wait = wait;
	o->ctx = ctx;
	o->regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	if ((f = fopencookie(o, "w", io)) == NULL)
		stream_close(o);
	return f;
}

bool
outstream_write(int fd, const char *data, size_t len)
{
	ssize_t n;

	for (; len > 0; data += n, len -= (size_t)n) {
		n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n <= 0)
			return false;
	}
	return true;
}

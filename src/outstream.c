/* SPDX-License-Identifier: ISC */
/*
 * outstream.c: a stream to a pipe or terminal that may be slow.
 */
#include "outstream.h"

#include <sys/stat.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

struct outstream {
	int		 fd;
	int		 error;		/* errno of the first failure */
	bool		 regular;
	outstream_wait	*wait;
	void		*ctx;
};

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
		else if (errno != EINTR && errno != EAGAIN)
			o->error = errno;
	}
	errno = o->error;
	return (ssize_t)done;
}

static int
stream_close(void *ctx)
{
	free(ctx);
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
	o->fd = fd;
	o->wait = wait;
	o->ctx = ctx;
	o->regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	if ((f = fopencookie(o, "w", io)) == NULL)
		free(o);
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

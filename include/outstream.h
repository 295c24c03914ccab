/* SPDX-License-Identifier: ISC */
/*
 * outstream.h: a stream to a pipe or terminal that may be slow, and that can
 * be given up while it is.
 *
 * Writing to it waits by a function of the caller's, so that signals are
 * looked at meanwhile, and never longer than that function wants.
 */
#ifndef NFSRATED_OUTSTREAM_H
#define NFSRATED_OUTSTREAM_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Returns true when fd may be written to, false to give up: then writing
 * fails with ECANCELED, now and for ever.
 */
typedef bool outstream_wait(void *ctx, int fd);

/*
 * NULL and errno when memory is short.  fd stays the caller's; it is waited
 * for unless it is a regular file.  A terminal is opened anew, not to block in
 * it.  Closing forgets what was not written.
 */
FILE	*outstream_open(int fd, outstream_wait *, void *ctx);

/* To a file: all of it, or false and errno. */
bool	outstream_write(int fd, const char *data, size_t len);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * unpack.h: a file or pipe, compressed or not, as a stream of its raw bytes.
 *
 * gzip, zstd, xz, lz4 and bzip2 are known by content; anything else passes as
 * it is.  The only user of libarchive.
 *
 * Life: open; read unpack_stream to its end; fclose it (or let libpcap do so);
 * ask unpack_error why, if the stream failed; free.  Not thread-safe.
 */
#ifndef NFSRATED_UNPACK_H
#define NFSRATED_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct unpack;

/*
 * Called before each read that may take long (a pipe, a terminal, a socket):
 * returns true when fd has something to read, false to give up.
 */
typedef bool unpack_wait(void *ctx, int fd);

/*
 * Takes over fd, also when it fails: then NULL, and a text without the file's
 * name in err.  wait may be NULL.
 */
struct unpack *unpack_open(int fd, unpack_wait *wait, void *ctx, char *err,
	    size_t errsize);
/* To be closed by the caller, before unpack_free.  ftello works on it. */
FILE	*unpack_stream(struct unpack *);
/* "gzip", or NULL when the input is not compressed. */
const char *unpack_format(const struct unpack *);
/* Why reading failed; NULL when it did not, or when wait gave up. */
const char *unpack_error(const struct unpack *);
/* The wait function gave up. */
bool	unpack_stopped(const struct unpack *);
void	unpack_free(struct unpack *);

#endif

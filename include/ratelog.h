/* SPDX-License-Identifier: ISC */
/*
 * ratelog.h: an output that appends every interval and episode to a file, one
 * line of JSON each (jsonlog.h).
 *
 * A line is written by one write(2) at the file's end, wherever that is by
 * then: a file that is cut to nothing (copytruncate) goes on at its start, one
 * that was renamed is left by reopening.  A last line that was torn (power
 * failure) is cut off when the file is opened.  A capture or a packed file is
 * not taken for a log.
 *
 * Writing never fails as far as the caller can tell: what cannot be written is
 * lost and counted, told once by log_warning, and once by log_notice when it
 * goes on; the log then holds a line that says how many intervals it lacks.
 */
#ifndef NFSRATED_RATELOG_H
#define NFSRATED_RATELOG_H

#include <stdint.h>

#include "sink.h"

#define RATELOG_ERROR_MAX	512

/*
 * Opens the file for appending, when it is opened first and again: a
 * descriptor, or -1 and errno.  May be called from any part of the program's
 * life, also where files cannot be opened.
 */
typedef int ratelog_opener(void *ctx, const char *path);
/* The plain way: the file is made if it is not there, with mode 0640. */
ratelog_opener ratelog_open_file;

/*
 * NULL and one line of text when it cannot.  The path is borrowed until it is
 * closed.  A first failure to open is a failure; later ones are not.
 */
struct sink *ratelog_new(const char *path, ratelog_opener *opener, void *ctx,
	    char err[RATELOG_ERROR_MAX]);
/* Intervals that are lost so far. */
uint64_t ratelog_lost(const struct sink *);

/*
 * Cuts off a torn last line; where it is not certain that the line is one of
 * the log's, it is ended instead.  0, or -1 and errno.  The descriptor must be
 * readable, else nothing is done.
 */
int	ratelog_repair(int fd);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * ratelogread.h: a rate log as a list of lines that are read when they are
 * asked for.
 *
 * Opening finds the lines only, so a day's log is open at once.  Compressed
 * logs and pipes are unpacked into an unnamed temporary file first.  A last
 * line without its end is one that was torn (or is being written): it is no
 * line yet.
 *
 * Life: open; read lines in any order; close.  Not thread-safe.
 */
#ifndef NFSRATED_RATELOGREAD_H
#define NFSRATED_RATELOGREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "jsonread.h"
#include "unpack.h"

#define RATELOGREAD_ERROR_MAX	512

struct ratelogread;

/*
 * "-" is standard input.  NULL and one line of text that names the file when
 * it cannot, or when the file holds something else than lines.  The name is
 * borrowed until the close.
 */
struct ratelogread *ratelogread_open(const char *name, unpack_wait *wait,
	    void *ctx, char err[RATELOGREAD_ERROR_MAX]);
void	ratelogread_close(struct ratelogread *);

uint64_t ratelogread_lines(const struct ratelogread *);
/* Looks for lines that were written since; gives how many there are now. */
uint64_t ratelogread_more(struct ratelogread *);
/* Bytes behind the last line's end. */
uint64_t ratelogread_torn(const struct ratelogread *);

/*
 * A line, from 0.  BAD: with a text that names the file and the line (from
 * 1).  The record is the reader's until the next call.
 */
enum jsonread_kind ratelogread_line(struct ratelogread *, uint64_t line,
	    const struct jsonread_record **, char err[RATELOGREAD_ERROR_MAX]);

/*
 * The first line from this one on, or the last one up to it (back), that looks
 * like an episode's; the number of lines when there is none.  Reads the
 * beginnings of lines only.
 */
uint64_t ratelogread_episode(struct ratelogread *, uint64_t line, bool back);

/*
 * The first line that is an interval at or after this time; the number of
 * lines when there is none.  Of a log whose times go on.
 */
uint64_t ratelogread_find(struct ratelogread *, int64_t time_ns);

#endif

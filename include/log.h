/* SPDX-License-Identifier: ISC */
/*
 * log.h: the program's own messages, to standard error or to syslog; never
 * the rates (those are samples, and go to outputs).
 *
 * A message is one line, written by one write(2), so that lines of two threads
 * do not mix.  Control characters of what was quoted (file names, text from
 * the wire) come out as '?', so that no message can drive a terminal.  errno
 * is as before after each call.  Before log_open, messages go to standard
 * error.  Open and close from one thread; the rest is thread-safe.
 */
#ifndef NFSRATED_LOG_H
#define NFSRATED_LOG_H

#include <stdbool.h>

#define LOG_LINE_MAX	1024		/* longer lines end in "..." */

enum log_destination {
	LOG_TO_STDERR,
	LOG_TO_SYSLOG,
	LOG_TO_CALL,		/* what log_call was given */
	LOG_TO_NOTHING
};

/* The name goes before each line, and is borrowed for ever. */
void	log_open(const char *name, enum log_destination, bool debug);
void	log_close(void);

/*
 * As log_open with LOG_TO_CALL: each line goes to this function, in the thread
 * it comes from, with a priority of syslog(3) and without the name.
 */
typedef void log_call_fn(void *ctx, int priority, const char *line);
void	log_call(const char *name, bool debug, log_call_fn *, void *ctx);

/* It ends, or part of it does. */
void	log_error(const char *fmt, ...)
	    __attribute__((format(printf, 1, 2)));
/* It goes on, but not as asked. */
void	log_warning(const char *fmt, ...)
	    __attribute__((format(printf, 1, 2)));
/* Worth knowing. */
void	log_notice(const char *fmt, ...)
	    __attribute__((format(printf, 1, 2)));
/* Shown only when log_open asked for it. */
void	log_debug(const char *fmt, ...)
	    __attribute__((format(printf, 1, 2)));

#endif

/* SPDX-License-Identifier: ISC */
/*
 * log.c: the program's own messages, to standard error or to syslog.
 */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

static struct {
	const char		*name;
	enum log_destination	 to;
	bool			 debug;
	log_call_fn		*call;
	void			*ctx;
} config = { "nfsrated", LOG_TO_STDERR, false, NULL, NULL };

static size_t	format(char *line, const char *fmt, va_list ap)
		    __attribute__((format(printf, 2, 0)));
static void	message(int priority, const char *fmt, va_list ap)
		    __attribute__((format(printf, 2, 0)));

void
log_open(const char *name, enum log_destination to, bool debug)
{
	config.name = name;
	config.to = to;
	config.debug = debug;
	if (to == LOG_TO_SYSLOG)
		openlog(name, LOG_PID | LOG_NDELAY, LOG_DAEMON);
}

void
log_call(const char *name, bool debug, log_call_fn *call, void *ctx)
{
	log_open(name, LOG_TO_NOTHING, debug);
	config.call = call;
	config.ctx = ctx;
	config.to = LOG_TO_CALL;
}

void
log_close(void)
{
	if (config.to == LOG_TO_SYSLOG)
		closelog();
	config.to = LOG_TO_STDERR;
}

/* What cannot be shown in one line of text becomes '?'; UTF-8 stays. */
static void
make_printable(char *line)
{
	unsigned char c;

	for (; *line != '\0'; line++) {
		c = (unsigned char)*line;
		if (c < 0x20 || c == 0x7f)
			*line = '?';
	}
}

static void
to_stderr(const char *text, size_t len)
{
	ssize_t n;

	do
		n = write(STDERR_FILENO, text, len);
	while (n < 0 && errno == EINTR);
}

/* Makes "name: text" of it; gives where the text starts. */
static size_t
format(char *line, const char *fmt, va_list ap)
{
	size_t start;
	int n;

	n = snprintf(line, LOG_LINE_MAX / 2, "%s: ", config.name);
	start = n < 0 || n >= LOG_LINE_MAX / 2 ? 0 : (size_t)n;
	n = vsnprintf(line + start, LOG_LINE_MAX - 1 - start, fmt, ap);
	if (n < 0)
		line[start] = '\0';
	else if ((size_t)n >= LOG_LINE_MAX - 1 - start)
		memcpy(line + LOG_LINE_MAX - 5, "...", 4);
	make_printable(line);
	return start;
}

static void
message(int priority, const char *fmt, va_list ap)
{
	char line[LOG_LINE_MAX];
	int saved_errno = errno;
	size_t start, len;

	if (config.to == LOG_TO_NOTHING)
		return;
	start = format(line, fmt, ap);
	if (config.to == LOG_TO_SYSLOG)
		syslog(priority, "%s", line + start);
	else if (config.to == LOG_TO_CALL)
		config.call(config.ctx, priority, line + start);
	else {
		len = strlen(line);
		line[len++] = '\n';
		to_stderr(line, len);
	}
	errno = saved_errno;
}

void
log_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(LOG_ERR, fmt, ap);
	va_end(ap);
}

void
log_warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(LOG_WARNING, fmt, ap);
	va_end(ap);
}

void
log_notice(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(LOG_NOTICE, fmt, ap);
	va_end(ap);
}

void
log_debug(const char *fmt, ...)
{
	va_list ap;

	if (!config.debug)
		return;
	va_start(ap, fmt);
	message(LOG_DEBUG, fmt, ap);
	va_end(ap);
}

/* SPDX-License-Identifier: ISC */
/*
 * helperserve.c: the process outside of the sandbox.
 */
#include "helperwire.h"

#include <sys/types.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <bsd/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "helperfiles.h"
#include "log.h"
#include "runner.h"

#define SOCKET	3		/* the only one that stays, besides 0 to 2 */
#define BUFFERS_MAX	16	/* one for each interface */

struct server {
	const struct helper_config *config;
	struct helperfiles files;
	struct runner	*runner;
	bool		 ended;		/* the main process is gone */
};

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* A line that a command has printed, or what became of it. */
static void
on_line(void *ctx, const char *line)
{
	const struct server *s = ctx;
	struct helperwire w = { .head = { .what = HELPERWIRE_NOTE },
	    .fd = -1 };

	if (s->config->syslog_name != NULL) {
		log_notice("%s", line);
		return;
	}
	snprintf(w.text, sizeof(w.text), "%s", line);
	w.len = strlen(w.text);
	helperwire_send(SOCKET, &w, false);
}

static void
answer(uint32_t serial, int error, int fd)
{
	struct helperwire w = { .head = { .what = HELPERWIRE_ANSWER,
	    .serial = serial, .number = error }, .fd = fd };

	helperwire_send(SOCKET, &w, false);
	if (fd >= 0)
		close(fd);
}

static void
message(int priority, const char *line)
{
	if (priority <= LOG_ERR)
		log_error("%s", line);
	else if (priority == LOG_WARNING)
		log_warning("%s", line);
	else if (priority < LOG_DEBUG)
		log_notice("%s", line);
	else
		log_debug("%s", line);
}

static void
serve(struct server *s, const struct helperwire *w)
{
	const char *name = w->len > 0 ? w->text : NULL;
	int res;

	switch (w->head.what) {
	case HELPERWIRE_OPEN:
		res = helperfiles_open(&s->files, w->head.file);
		answer(w->head.serial, res < 0 ? errno : 0, res);
		break;
	case HELPERWIRE_CREATE:
		res = helperfiles_create(&s->files, w->head.file, name);
		answer(w->head.serial, res < 0 ? errno : 0, res);
		break;
	case HELPERWIRE_COMMIT:
		res = helperfiles_commit(&s->files, w->head.file, name);
		answer(w->head.serial, res < 0 ? errno : 0, -1);
		break;
	case HELPERWIRE_CHECK:
		res = helperfiles_check(&s->files, w->head.file);
		answer(w->head.serial, res < 0 ? errno : 0, -1);
		break;
	case HELPERWIRE_COMMAND:
		if (s->runner != NULL)
			runner_add(s->runner, w->text, w->len);
		break;
	case HELPERWIRE_MESSAGE:
		message(w->head.number, w->text);
		break;
	}
}

static void
take_requests(struct server *s)
{
	struct helperwire w;
	int res;

	while ((res = helperwire_receive(SOCKET, &w)) > 0) {
		serve(s, &w);
		if (w.fd >= 0)
			close(w.fd);
	}
	if (res == 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
		s->ended = true;
}

static void
loop(struct server *s)
{
	struct pollfd fd[2];
	int wait_ms;

	while (!s->ended ||
	    (s->runner != NULL && runner_is_busy(s->runner))) {
		fd[0] = (struct pollfd){ .fd = s->ended ? -1 : SOCKET,
		    .events = POLLIN };
		fd[1] = (struct pollfd){ .fd = -1, .events = POLLIN };
		wait_ms = -1;
		if (s->runner != NULL) {
			fd[1].fd = runner_fd(s->runner);
			wait_ms = runner_wait_ms(s->runner, now_ns());
		}
		poll(fd, 2, wait_ms);
		if (fd[0].revents != 0)
			take_requests(s);
		if (s->runner != NULL)
			runner_run(s->runner, now_ns());
	}
}

static void
to_null(int fd)
{
	int null = open("/dev/null", O_RDWR);

	if (null >= 0 && null != fd) {
		dup2(null, fd);
		close(null);
	}
}

/* The buffers of packet sockets are not for this process. */
static void
unmap_buffers(void)
{
	void *start[BUFFERS_MAX], *end;
	size_t len[BUFFERS_MAX], n = 0;
	char line[512];
	FILE *f;

	if ((f = fopen("/proc/self/maps", "re")) == NULL)
		return;
	while (n < BUFFERS_MAX && fgets(line, sizeof(line), f) != NULL)
		if (strstr(line, " socket:[") != NULL &&
		    sscanf(line, "%p-%p", &start[n], &end) == 2) {
			len[n] = (size_t)((char *)end - (char *)start[n]);
			n++;
		}
	fclose(f);
	while (n > 0) {
		n--;
		munmap(start[n], len[n]);
	}
}

/*
 * Signals that are meant for the main process end this one by the end of the
 * main one; its commands get the usual ones back.
 */
static void
settle_in(const struct helper_config *config, int sock)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
	    SIGUSR1, SIGPIPE, SIGTSTP };
	size_t i;

	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	if (sock != SOCKET)
		dup2(sock, SOCKET);
	fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
	closefrom(SOCKET + 1);
	unmap_buffers();
	to_null(STDIN_FILENO);
	to_null(STDOUT_FILENO);
	if (config->syslog_name != NULL) {
		to_null(STDERR_FILENO);
		log_open(config->syslog_name, LOG_TO_SYSLOG, false);
	} else
		log_open("nfsrated", LOG_TO_NOTHING, false);
	umask(027);
}

/* Whoever stays root keeps what root can do: it is what was asked for. */
static bool
give_up(const struct helper_config *config, char *err)
{
	return privdrop_user(&config->who, err) == 0 && (geteuid() == 0 ||
	    privdrop_capabilities(err) == 0);
}

void
helperserve(const struct helper_config *config, int sock)
{
	struct server s = { .config = config };
	char err[PRIVDROP_ERROR_MAX];
	const struct runner_config run = { .argv = config->command,
	    .timeout_ns = config->timeout_ns, .line = on_line, .ctx = &s };

	helperfiles_init(&s.files, config->file, config->files);
	settle_in(config, sock);
	if (config->syslog_name != NULL)
		setproctitle("helper");
	if (!give_up(config, err)) {
		on_line(&s, err);
		_exit(1);
	}
	if (config->command != NULL && (s.runner = runner_new(&run)) == NULL)
		_exit(1);
	loop(&s);
	_exit(0);
}

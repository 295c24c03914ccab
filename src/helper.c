/* SPDX-License-Identifier: ISC */
/*
 * helper.c: the main process's side of the process outside of the sandbox.
 */
#include "helper.h"

#include <sys/types.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "helperwire.h"
#include "log.h"

#define NSEC_PER_MS	1000000

struct helper {
	pid_t		 pid;
	int		 sock;		/* never replaced: threads use it */
	uint32_t	 serial;
	bool		 gone;
};

struct helper *
helper_start(const struct helper_config *config, char err[HELPER_ERROR_MAX])
{
	struct helper *h;
	int pair[2];

	if ((h = calloc(1, sizeof(*h))) == NULL ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		snprintf(err, HELPER_ERROR_MAX, "helper process: %s",
		    strerror(errno));
		free(h);
		return NULL;
	}
	h->pid = fork();
	if (h->pid == 0) {
		close(pair[0]);
		helperserve(config, pair[1]);
	}
	close(pair[1]);
	h->sock = pair[0];
	if (h->pid > 0)
		return h;
	snprintf(err, HELPER_ERROR_MAX, "helper process: %s",
	    strerror(errno));
	close(h->sock);
	free(h);
	return NULL;
}

static int64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / NSEC_PER_MS;
}

/* Waits for the next message: 1, 0 when there is none in time, -1. */
static int
wait_for(struct helper *h, struct helperwire *w, int64_t until_ms)
{
	struct pollfd fd = { .fd = h->sock, .events = POLLIN };
	int64_t left;
	int res;

	for (;;) {
		res = helperwire_receive(h->sock, w);
		if (res > 0)
			return 1;
		if (res == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) {
			h->gone = true;
			return -1;
		}
		left = until_ms - now_ms();
		if (left <= 0)
			return 0;
		poll(&fd, 1, (int)left);
	}
}

/* What is no answer to this request is a note, or an answer that came late. */
static void
take(struct helperwire *w)
{
	if (w->head.what == HELPERWIRE_NOTE)
		log_notice("%s", w->text);
	if (w->fd >= 0)
		close(w->fd);
}

void
helper_run(struct helper *h)
{
	struct helperwire w;

	while (!h->gone && wait_for(h, &w, 0) > 0)
		take(&w);
}

void
helper_stop(struct helper *h, int wait_ms)
{
	int64_t until = now_ms() + wait_ms;
	struct helperwire w;

	if (h == NULL)
		return;
	shutdown(h->sock, SHUT_WR);
	while (!h->gone && wait_for(h, &w, until) > 0)
		take(&w);
	close(h->sock);
	if (h->gone)
		waitpid(h->pid, NULL, 0);
	free(h);
}

int
helper_fd(const struct helper *h)
{
	return h->gone ? -1 : h->sock;
}

bool
helper_is_gone(const struct helper *h)
{
	return h->gone;
}

static bool
put_text(struct helperwire *w, const char *text, size_t len)
{
	if (len > HELPERWIRE_TEXT_MAX)
		return false;
	if (len > 0)
		memcpy(w->text, text, len);
	w->len = len;
	return true;
}

/* Asks and waits for the answer: a descriptor, 0 or -1 and errno. */
static int
ask(struct helper *h, enum helperwire_what what, uint32_t file,
    const char *name)
{
	struct helperwire w = { .head = { .what = what, .file = file },
	    .fd = -1 };
	int64_t until = now_ms() + HELPER_WAIT_MS;
	const uint32_t serial = w.head.serial = ++h->serial;
	int res;

	if (!put_text(&w, name, name != NULL ? strlen(name) : 0)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (helperwire_send(h->sock, &w, false) < 0)
		return -1;
	while ((res = wait_for(h, &w, until)) > 0) {
		if (w.head.what == HELPERWIRE_ANSWER &&
		    w.head.serial == serial) {
			errno = w.head.number;
			return w.head.number != 0 ? -1 : w.fd >= 0 ? w.fd : 0;
		}
		take(&w);
	}
	errno = res == 0 ? ETIMEDOUT : EPIPE;
	return -1;
}

int
helper_open(struct helper *h, uint32_t file)
{
	return ask(h, HELPERWIRE_OPEN, file, NULL);
}

int
helper_create(struct helper *h, uint32_t file, const char *name)
{
	return ask(h, HELPERWIRE_CREATE, file, name);
}

int
helper_commit(struct helper *h, uint32_t file, const char *name)
{
	return ask(h, HELPERWIRE_COMMIT, file, name);
}

int
helper_check(struct helper *h, uint32_t file)
{
	return ask(h, HELPERWIRE_CHECK, file, NULL);
}

bool
helper_command(struct helper *h, const char *facts, size_t len)
{
	struct helperwire w = { .head = { .what = HELPERWIRE_COMMAND },
	    .fd = -1 };

	return put_text(&w, facts, len) &&
	    helperwire_send(h->sock, &w, false) > 0;
}

void
helper_message(void *helper, int priority, const char *line)
{
	const struct helper *h = helper;
	struct helperwire w = { .head = { .what = HELPERWIRE_MESSAGE,
	    .number = priority }, .fd = -1 };

	if (put_text(&w, line, strlen(line)))
		helperwire_send(h->sock, &w, false);
}

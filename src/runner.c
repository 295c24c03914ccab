/* SPDX-License-Identifier: ISC */
/*
 * runner.c: runs a command again and again, one at a time.
 */
#include "runner.h"

#include <sys/types.h>
#include <sys/wait.h>

#include <bsd/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FACTS_MAX	4096
#define LINE_MAX_LEN	512
#define LINES_MAX	100	/* of one run */
#define GRACE_NS	INT64_C(2000000000)	/* from SIGTERM to SIGKILL */
#define LOOK_MS		100	/* how often an end is looked for */

struct facts_block {
	size_t	len;
	char	text[FACTS_MAX + 1];
};

struct runner {
	struct runner_config config;
	/* those that wait */
	struct facts_block queue[RUNNER_QUEUE];
	unsigned int	 first, count;
	/* the one that runs */
	pid_t		 pid;		/* 0 none */
	int		 fd;		/* what it prints; -1 at its end */
	int64_t		 deadline_ns;
	bool		 late;		/* it was told to end */
	unsigned int	 lines;
	size_t		 used;
	char		 text[LINE_MAX_LEN];
};

static void	say(struct runner *, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

static void
say(struct runner *r, const char *fmt, ...)
{
	char line[LINE_MAX_LEN + 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	r->config.line(r->config.ctx, line);
}

struct runner *
runner_new(const struct runner_config *config)
{
	struct runner *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return NULL;
	r->config = *config;
	r->fd = -1;
	return r;
}

void
runner_free(struct runner *r)
{
	if (r != NULL && r->fd >= 0)
		close(r->fd);
	free(r);
}

bool
runner_is_busy(const struct runner *r)
{
	return r->pid != 0 || r->count > 0;
}

void
runner_add(struct runner *r, const char *facts, size_t len)
{
	struct facts_block *b;

	if (len > FACTS_MAX)
		return;
	if (r->count == RUNNER_QUEUE) {
		r->first = (r->first + 1) % RUNNER_QUEUE;
		r->count--;
		say(r, "%s is too slow: a run was left out",
		    r->config.argv[0]);
	}
	b = &r->queue[(r->first + r->count++) % RUNNER_QUEUE];
	memcpy(b->text, facts, len);
	b->text[len] = '\0';
	b->len = len;
}

static bool
is_fact(const char *text)
{
	const unsigned char *p = (const void *)text;

	if (strncmp(text, "NFSRATED_", 9) != 0 || strchr(text, '=') == NULL)
		return false;
	for (; *p != '\0'; p++)
		if (*p < 0x20 || *p == 0x7f)
			return false;
	return true;
}

/* The child: what is not closed on execution was made so on purpose. */
static void
execute(const struct runner *r, struct facts_block *b, int out)
{
	static const int usual[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
	    SIGUSR1, SIGPIPE, SIGTSTP };
	unsigned int facts = 0;
	sigset_t none;
	size_t i;

	setpgid(0, 0);
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		signal(usual[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (i = 0; i < b->len; i += strlen(b->text + i) + 1)
		if (is_fact(b->text + i) && facts++ < RUNNER_FACTS)
			putenv(b->text + i);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	closefrom(STDERR_FILENO + 1);
	if (chdir("/") == 0)
		execvp(r->config.argv[0], r->config.argv);
	dprintf(STDERR_FILENO, "%s: %s\n", r->config.argv[0],
	    strerror(errno));
	_exit(127);
}

static void
start(struct runner *r, int64_t now_ns)
{
	struct facts_block *b = &r->queue[r->first];
	int out[2];

	r->first = (r->first + 1) % RUNNER_QUEUE;
	r->count--;
	if (pipe2(out, O_CLOEXEC) != 0) {
		say(r, "%s: %s", r->config.argv[0], strerror(errno));
		return;
	}
	r->pid = fork();
	if (r->pid == 0)
		execute(r, b, out[1]);
	close(out[1]);
	if (r->pid < 0) {
		say(r, "%s: %s", r->config.argv[0], strerror(errno));
		close(out[0]);
		r->pid = 0;
		return;
	}
	setpgid(r->pid, r->pid);	/* whoever of the two is first */
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	r->fd = out[0];
	r->late = false;
	r->lines = 0;
	r->used = 0;
	r->deadline_ns = now_ns + r->config.timeout_ns;
}

static void
end_line(struct runner *r)
{
	r->text[r->used] = '\0';
	r->used = 0;
	if (r->lines++ < LINES_MAX)
		say(r, "%s[%d]: %s", r->config.argv[0], (int)r->pid, r->text);
}

static void
take_output(struct runner *r)
{
	char chunk[1024];
	ssize_t n, i;

	while (r->fd >= 0 &&
	    (n = read(r->fd, chunk, sizeof(chunk))) >= 0) {
		if (n == 0) {
			close(r->fd);
			r->fd = -1;
		}
		for (i = 0; i < n; i++) {
			if (chunk[i] != '\n')
				r->text[r->used++] = chunk[i];
			if (chunk[i] == '\n' || r->used == LINE_MAX_LEN - 1)
				end_line(r);
		}
	}
}

static void
tell_end(struct runner *r, int status)
{
	if (r->used > 0)
		end_line(r);
	if (r->lines > LINES_MAX)
		say(r, "%s[%d]: %u more lines", r->config.argv[0],
		    (int)r->pid, r->lines - LINES_MAX);
	if (r->late)
		say(r, "%s[%d] took longer than %d s and was ended",
		    r->config.argv[0], (int)r->pid,
		    (int)(r->config.timeout_ns / 1000000000));
	else if (WIFSIGNALED(status))
		say(r, "%s[%d] was killed by signal %d", r->config.argv[0],
		    (int)r->pid, WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0)
		say(r, "%s[%d] ended with exit status %d", r->config.argv[0],
		    (int)r->pid, WEXITSTATUS(status));
}

static void
look_after(struct runner *r, int64_t now_ns)
{
	int status;

	take_output(r);
	if (waitpid(r->pid, &status, WNOHANG) == r->pid) {
		take_output(r);
		/* What it has left behind is not waited for. */
		if (r->fd >= 0)
			close(r->fd);
		r->fd = -1;
		if (r->late)
			kill(-r->pid, SIGKILL);
		tell_end(r, status);
		r->pid = 0;
	} else if (now_ns >= r->deadline_ns) {
		kill(-r->pid, r->late ? SIGKILL : SIGTERM);
		r->late = true;
		r->deadline_ns = now_ns + GRACE_NS;
	}
}

void
runner_run(struct runner *r, int64_t now_ns)
{
	if (r->pid != 0)
		look_after(r, now_ns);
	if (r->pid == 0 && r->count > 0)
		start(r, now_ns);
}

int
runner_fd(const struct runner *r)
{
	return r->fd;
}

int
runner_wait_ms(const struct runner *r, int64_t now_ns)
{
	(void)now_ns;
	if (r->pid == 0)
		return r->count > 0 ? 0 : -1;
	return LOOK_MS;
}

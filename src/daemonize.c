/* SPDX-License-Identifier: ISC */
/*
 * daemonize.c: into the background, and the pid file.
 */
#include "daemonize.h"

#include <sys/types.h>
#include <sys/wait.h>

#include <bsd/libutil.h>
#include <bsd/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The process that was started: how did it go? */
static int
wait_for_start(int fd, pid_t child)
{
	unsigned char status;
	ssize_t n;
	int end;

	do
		n = read(fd, &status, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		return status;
	while (waitpid(child, &end, 0) < 0 && errno == EINTR)
		;
	/* It ended, and not as it should: success is what it has to say. */
	return WIFEXITED(end) && WEXITSTATUS(end) != 0 ? WEXITSTATUS(end) :
	    EXIT_FAILURE;
}

bool
lifeline_fork(struct lifeline *l, int *status)
{
	pid_t child;
	int fds[2];

	l->fd = l->null = -1;
	*status = EXIT_FAILURE;
	if (pipe2(fds, O_CLOEXEC) != 0)
		return true;
	if ((child = fork()) < 0) {
		close(fds[0]);
		close(fds[1]);
		return true;
	}
	if (child > 0) {
		close(fds[1]);
		*status = wait_for_start(fds[0], child);
		return false;
	}
	close(fds[0]);
	setsid();
	l->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	l->fd = fds[1];
	*status = 0;
	return true;
}

static void
leave_terminal(int null)
{
	if (null < 0)
		return;
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

void
lifeline_ready(struct lifeline *l)
{
	const unsigned char well = 0;
	ssize_t n;

	if (l->fd < 0)
		return;
	leave_terminal(l->null);
	do
		n = write(l->fd, &well, 1);
	while (n < 0 && errno == EINTR);
	close(l->fd);
	l->fd = -1;
}

struct pidkeeper {
	struct pidfh	*file;
	int		 lifeline;	/* of the process that removes it */
};

struct pidkeeper *
pidkeeper_open(const char *path, char err[DAEMONIZE_ERROR_MAX])
{
	struct pidkeeper *k;
	pid_t other = 0;

	if ((k = calloc(1, sizeof(*k))) == NULL) {
		snprintf(err, DAEMONIZE_ERROR_MAX, "%s", strerror(errno));
		return NULL;
	}
	k->lifeline = -1;
	k->file = pidfile_open(path, 0644, &other);
	if (k->file != NULL)
		return k;
	if (errno == EEXIST)
		snprintf(err, DAEMONIZE_ERROR_MAX, "%s: process %d runs "
		    "already", path, (int)other);
	else
		snprintf(err, DAEMONIZE_ERROR_MAX, "%s: %s", path,
		    strerror(errno));
	free(k);
	return NULL;
}

/* Lives as long as the other end of the pipe is open anywhere. */
static void
keep(struct pidkeeper *k, int fd)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
	    SIGUSR1, SIGPIPE, SIGTSTP };
	char any;
	size_t i;

	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	leave_terminal(open("/dev/null", O_RDWR));
	setproctitle("pid file");
	while (read(fd, &any, 1) < 0 && errno == EINTR)
		;
	pidfile_remove(k->file);
	_exit(0);
}

int
pidkeeper_write(struct pidkeeper *k)
{
	pid_t child;
	int fds[2];

	if (pidfile_write(k->file) != 0 || pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	child = fork();
	if (child == 0) {
		close(fds[1]);
		keep(k, fds[0]);
	}
	close(fds[0]);
	if (child < 0) {
		close(fds[1]);
		return -1;
	}
	k->lifeline = fds[1];
	return 0;
}

void
pidkeeper_close(struct pidkeeper *k)
{
	if (k == NULL)
		return;
	if (k->lifeline >= 0) {
		close(k->lifeline);	/* and the other one removes it */
		pidfile_close(k->file);
	} else
		pidfile_remove(k->file);
	free(k);
}

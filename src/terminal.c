/* SPDX-License-Identifier: ISC */
/*
 * terminal.c: the terminal of standard output as a thing that is taken and
 * put back.
 */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#define LEAVING_MAX	256

struct terminal {
	bool		 ours, gone;
	char		*out;		/* what it has not taken */
	size_t		 out_len, out_size;
	int		 error[2];	/* a pipe for standard error, or -1 */
	char		 message[TERMINAL_MESSAGE_MAX + 1];
	size_t		 message_len;
};

/* What signal handlers need. */
static struct {
	volatile sig_atomic_t events, ours;
	int		 fd;
	int		 pipe[2];	/* wakes whoever polls */
	struct termios	 before;
	char		 leaving[LEAVING_MAX];
	size_t		 leaving_len;
	int		 error;		/* standard error as it was, or -1 */
	int		 messages;	/* what came to it meanwhile */
} shared = { .fd = -1, .pipe = { -1, -1 }, .error = -1, .messages = -1 };

static const int fatal[] = {
	SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS
};
static const int caught[] = { SIGWINCH, SIGTSTP, SIGCONT };

#define FATAL		(sizeof(fatal) / sizeof(fatal[0]))
#define CAUGHT		(sizeof(caught) / sizeof(caught[0]))

static struct sigaction fatal_before[FATAL], caught_before[CAUGHT];

/* Signals. */

/* All that is called here may be called from a handler. */
static void
put_back(void)
{
	char buf[512];
	ssize_t n;

	shared.ours = 0;
	n = write(shared.fd, shared.leaving, shared.leaving_len);
	(void)n;
	tcsetattr(shared.fd, TCSANOW, &shared.before);
	if (shared.error < 0)
		return;
	dup2(shared.error, STDERR_FILENO);
	while ((n = read(shared.messages, buf, sizeof(buf))) > 0)
		if (write(STDERR_FILENO, buf, (size_t)n) < 0)
			break;
}

static void
on_fatal(int number)
{
	size_t i;

	if (shared.ours)
		put_back();
	for (i = 0; i < FATAL; i++)
		if (fatal[i] == number)
			sigaction(number, &fatal_before[i], NULL);
	raise(number);
}

static void
on_caught(int number)
{
	int saved_errno = errno;

	shared.events |= number == SIGWINCH ? TERMINAL_RESIZED :
	    number == SIGTSTP ? TERMINAL_STOP : TERMINAL_CONTINUED;
	if (write(shared.pipe[1], "", 1) < 0)
		errno = 0;		/* full: it wakes anyway */
	errno = saved_errno;
}

static void
catch_signals(void)
{
	struct sigaction sa;
	size_t i;

	memset(&sa, 0, sizeof(sa));
	sigfillset(&sa.sa_mask);
	sa.sa_handler = on_caught;
	sa.sa_flags = SA_RESTART;
	for (i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &sa, &caught_before[i]);
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = on_fatal;
	sa.sa_flags = SA_NODEFER;
	for (i = 0; i < FATAL; i++)
		sigaction(fatal[i], &sa, &fatal_before[i]);
}

static void
leave_signals(void)
{
	size_t i;

	for (i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &caught_before[i], NULL);
	for (i = 0; i < FATAL; i++)
		sigaction(fatal[i], &fatal_before[i], NULL);
}

unsigned int
terminal_events(struct terminal *t)
{
	unsigned int events;
	char bytes[64];
	sigset_t all, before;

	(void)t;
	while (read(shared.pipe[0], bytes, sizeof(bytes)) > 0)
		continue;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	events = (unsigned int)shared.events;
	shared.events = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return events;
}

void
terminal_stop(struct terminal *t)
{
	struct sigaction sa, ours;

	(void)t;
	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = SIG_DFL;
	sigaction(SIGTSTP, &sa, &ours);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
}

/* Standard error. */

static bool
is_this_terminal(int fd)
{
	struct stat a, b;

	return isatty(fd) && fstat(fd, &a) == 0 &&
	    fstat(shared.fd, &b) == 0 && a.st_rdev == b.st_rdev;
}

static void
take_error(struct terminal *t)
{
	if (!is_this_terminal(STDERR_FILENO))
		return;
	if (pipe2(t->error, O_CLOEXEC | O_NONBLOCK) != 0) {
		t->error[0] = t->error[1] = -1;
		return;
	}
	shared.messages = t->error[0];
	shared.error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	if (shared.error >= 0)
		dup2(t->error[1], STDERR_FILENO);
}

static void
give_error_back(struct terminal *t)
{
	ssize_t n;

	if (shared.error >= 0) {
		dup2(shared.error, STDERR_FILENO);
		close(shared.error);
		n = write(STDERR_FILENO, t->message, t->message_len);
		(void)n;
	}
	if (t->error[0] >= 0) {
		close(t->error[0]);
		close(t->error[1]);
	}
	shared.error = shared.messages = -1;
}

/* The last of what came is kept. */
const char *
terminal_message(struct terminal *t)
{
	const size_t half = TERMINAL_MESSAGE_MAX / 2;
	ssize_t n;
	size_t at;

	if (t->error[0] < 0)
		return NULL;
	if (t->message_len > half) {
		memmove(t->message, t->message + t->message_len - half, half);
		t->message_len = half;
	}
	n = read(t->error[0], t->message + t->message_len, half);
	if (n <= 0)
		return NULL;
	t->message_len += (size_t)n;
	t->message[t->message_len] = '\0';
	at = t->message_len - 1;
	while (at > 0 && t->message[at - 1] != '\n')
		at--;
	return t->message + at;
}

/* Bytes. */

bool
terminal_write(struct terminal *t, const void *data, size_t len)
{
	char *more;

	if (len > t->out_size - t->out_len) {
		more = realloc(t->out, t->out_len + len);
		if (more == NULL)
			return false;
		t->out = more;
		t->out_size = t->out_len + len;
	}
	if (len > 0)
		memcpy(t->out + t->out_len, data, len);
	t->out_len += len;
	terminal_flush(t);
	return true;
}

void
terminal_flush(struct terminal *t)
{
	size_t done = 0;
	ssize_t n;

	while (done < t->out_len) {
		n = write(shared.fd, t->out + done, t->out_len - done);
		if (n > 0)
			done += (size_t)n;
		else if (errno != EINTR) {
			t->gone |= errno != EAGAIN;
			break;
		}
	}
	t->out_len -= done;
	if (t->out_len > 0)
		memmove(t->out, t->out + done, t->out_len);
}

size_t
terminal_pending(const struct terminal *t)
{
	return t->out_len;
}

/* The last bytes get some time, but not for ever. */
static void
flush_last(struct terminal *t)
{
	struct pollfd p = { .fd = shared.fd, .events = POLLOUT };

	terminal_flush(t);
	while (t->out_len > 0 && !t->gone &&
	    poll(&p, 1, TERMINAL_LAST_MS) > 0)
		terminal_flush(t);
	t->out_len = 0;
}

/* Modes and size. */

static bool
in_foreground(void)
{
	pid_t group = tcgetpgrp(shared.fd);

	return group < 0 || group == getpgrp();
}

bool
terminal_enter(struct terminal *t)
{
	struct termios now;

	if (t->gone || !in_foreground())
		return false;
	/* Stopped without having left it: these are not its own modes. */
	if (!t->ours && tcgetattr(shared.fd, &shared.before) != 0) {
		t->gone = true;
		return false;
	}
	now = shared.before;
	now.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);
	now.c_oflag &= ~(tcflag_t)(ONLCR | OCRNL | ONLRET);
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL);
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	t->ours = true;
	shared.ours = 1;
	return tcsetattr(shared.fd, TCSANOW, &now) == 0;
}

void
terminal_leave(struct terminal *t)
{
	if (!t->ours)
		return;
	flush_last(t);
	tcsetattr(shared.fd, TCSANOW, &shared.before);
	t->ours = false;
	shared.ours = 0;
}

bool
terminal_is_ours(const struct terminal *t)
{
	return t->ours;
}

bool
terminal_is_gone(struct terminal *t)
{
	struct pollfd p = { .fd = shared.fd };

	if (poll(&p, 1, 0) > 0 &&
	    (p.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
		t->gone = true;
	return t->gone;
}

bool
terminal_size(const struct terminal *t, int *rows, int *cols)
{
	struct winsize w;

	(void)t;
	if (ioctl(shared.fd, TIOCGWINSZ, &w) != 0 || w.ws_row == 0 ||
	    w.ws_col == 0)
		return false;
	*rows = w.ws_row;
	*cols = w.ws_col;
	return true;
}

/* Opening and closing. */

/*
 * A way to the terminal of our own: that it never blocks is nobody else's
 * business.
 */
static int
open_tty(void)
{
	const char *name = ttyname(STDOUT_FILENO);
	const int how = O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = -1;

	if (name != NULL)
		fd = open(name, how);
	return fd >= 0 ? fd : open("/dev/tty", how);
}

struct terminal *
terminal_open(void)
{
	struct terminal *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->error[0] = t->error[1] = -1;
	shared.leaving_len = 0;
	if ((shared.fd = open_tty()) < 0 ||
	    tcgetattr(shared.fd, &shared.before) != 0) {
		free(t);
		return NULL;
	}
	if (pipe2(shared.pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
		close(shared.fd);
		free(t);
		return NULL;
	}
	take_error(t);
	catch_signals();
	return t;
}

void
terminal_close(struct terminal *t)
{
	if (t == NULL)
		return;
	terminal_message(t);
	terminal_leave(t);
	leave_signals();
	give_error_back(t);
	close(shared.pipe[0]);
	close(shared.pipe[1]);
	close(shared.fd);
	shared.fd = -1;
	free(t->out);
	free(t);
}

int
terminal_fd(const struct terminal *t)
{
	(void)t;
	return shared.fd;
}

void
terminal_add_leaving(struct terminal *t, const char *text)
{
	size_t len = strlen(text);

	(void)t;
	if (len > LEAVING_MAX - shared.leaving_len)
		return;
	memcpy(shared.leaving + shared.leaving_len, text, len);
	shared.leaving_len += len;
}

void
terminal_poll(const struct terminal *t, struct pollfd p[TERMINAL_FDS])
{
	p[0] = (struct pollfd){ .fd = t->ours ? shared.fd : -1,
	    .events = (short)(POLLIN | (t->out_len > 0 ? POLLOUT : 0)) };
	p[1] = (struct pollfd){ .fd = shared.pipe[0], .events = POLLIN };
	p[2] = (struct pollfd){ .fd = t->error[0], .events = POLLIN };
}

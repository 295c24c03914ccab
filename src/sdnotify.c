/* SPDX-License-Identifier: ISC */
/*
 * sdnotify.c: tells a service manager how we are.
 */
#include "sdnotify.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <bsd/stdlib.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* '@' stands for the zero byte of an abstract name. */
static int
connect_to(const char *name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	const struct sockaddr *any = (const void *)&to;
	int fd;

	if ((name[0] != '/' && name[0] != '@') || len < 2 ||
	    len > sizeof(to.sun_path))
		return -1;
	memcpy(to.sun_path, name, len);
	if (name[0] == '@')
		to.sun_path[0] = '\0';
	if ((fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) < 0)
		return -1;
	if (connect(fd, any, (socklen_t)(offsetof(struct sockaddr_un,
	    sun_path) + len)) == 0)
		return fd;
	close(fd);
	return -1;
}

static int64_t
watchdog(void)
{
	const char *usec = getenv("WATCHDOG_USEC");
	const char *pid = getenv("WATCHDOG_PID");
	const char *why;
	long long n;

	if (usec == NULL || (pid != NULL && atoll(pid) != getpid()))
		return 0;
	n = strtonum(usec, 1, INT64_MAX / 1000, &why);
	return why == NULL ? n * 1000 : 0;
}

void
sdnotify_open(struct sdnotify *s)
{
	const char *name = getenv("NOTIFY_SOCKET");

	*s = (struct sdnotify){ .fd = -1 };
	if (name != NULL)
		s->fd = connect_to(name);
	if (s->fd >= 0)
		s->watchdog_ns = watchdog();
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

void
sdnotify_close(struct sdnotify *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

void
sdnotify_tell(struct sdnotify *s, const char *state)
{
	if (s->fd >= 0 && send(s->fd, state, strlen(state), MSG_NOSIGNAL |
	    MSG_DONTWAIT) < 0)
		return;		/* it will be told again */
}

void
sdnotify_alive(struct sdnotify *s, int64_t now_ns)
{
	if (s->watchdog_ns == 0 || (s->told_ns != 0 &&
	    now_ns - s->told_ns < s->watchdog_ns / 2))
		return;
	s->told_ns = now_ns;
	sdnotify_tell(s, "WATCHDOG=1");
}

int
sdnotify_wait_ms(const struct sdnotify *s, int64_t now_ns)
{
	int64_t left;

	if (s->watchdog_ns == 0)
		return -1;
	left = (s->told_ns + s->watchdog_ns / 2 - now_ns) / 1000000 + 1;
	if (left < 0)
		return 0;
	return left < 60000 ? (int)left : 60000;
}

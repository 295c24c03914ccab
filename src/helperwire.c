/* SPDX-License-Identifier: ISC */
/*
 * helperwire.c: what the main process and its helper say to each other.
 */
#include "helperwire.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

union control {
	struct cmsghdr	head;		/* for its alignment */
	char		space[CMSG_SPACE(sizeof(int))];
};

static void
attach(struct msghdr *m, union control *c, int fd)
{
	struct cmsghdr *head;

	memset(c, 0, sizeof(*c));
	m->msg_control = c->space;
	m->msg_controllen = sizeof(c->space);
	head = CMSG_FIRSTHDR(m);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
}

int
helperwire_send(int sock, const struct helperwire *w, bool wait)
{
	struct helperwire copy;
	struct iovec iov[2] = {
		{ &copy.head, sizeof(copy.head) }, { copy.text, w->len }
	};
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2 };
	union control control;
	ssize_t n;

	copy.head = w->head;
	memcpy(copy.text, w->text, w->len);
	if (w->fd >= 0)
		attach(&m, &control, w->fd);
	do
		n = sendmsg(sock, &m, MSG_NOSIGNAL |
		    (wait ? 0 : MSG_DONTWAIT));
	while (n < 0 && errno == EINTR);
	return n < 0 ? -1 : 1;
}

static int
attached(struct msghdr *m)
{
	struct cmsghdr *head = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (head != NULL && head->cmsg_level == SOL_SOCKET &&
	    head->cmsg_type == SCM_RIGHTS &&
	    head->cmsg_len == CMSG_LEN(sizeof(fd)))
		memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

int
helperwire_receive(int sock, struct helperwire *w)
{
	struct iovec iov[2] = {
		{ &w->head, sizeof(w->head) },
		{ w->text, HELPERWIRE_TEXT_MAX }
	};
	union control control;
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 2,
	    .msg_control = control.space,
	    .msg_controllen = sizeof(control.space) };
	ssize_t n;

	do
		n = recvmsg(sock, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return (int)n;
	w->fd = attached(&m);
	w->len = 0;
	if (n < (ssize_t)sizeof(w->head))
		w->head.what = UINT32_MAX;
	else
		w->len = (size_t)n - sizeof(w->head);
	w->text[w->len] = '\0';
	return 1;
}

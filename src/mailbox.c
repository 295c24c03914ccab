/* SPDX-License-Identifier: ISC */
/*
 * mailbox.c: hands samples from the capture thread to the main thread.
 */
#include "mailbox.h"

#include <sys/eventfd.h>

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

struct mailbox {
	pthread_mutex_t	 lock;
	int		 fd;		/* readable: not empty, or closed */
	uint32_t	 first;		/* the oldest sample */
	uint32_t	 count;
	uint64_t	 lost;		/* since the last one that was taken */
	bool		 closed;
	struct sample	 slot[MAILBOX_SLOTS];
};

struct mailbox *
mailbox_new(void)
{
	struct mailbox *m;
	int error;

	if ((m = calloc(1, sizeof(*m))) == NULL)
		return NULL;
	if ((m->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0) {
		error = errno;
		free(m);
		errno = error;
		return NULL;
	}
	if ((error = pthread_mutex_init(&m->lock, NULL)) != 0) {
		close(m->fd);
		free(m);
		errno = error;
		return NULL;
	}
	return m;
}

void
mailbox_free(struct mailbox *m)
{
	if (m == NULL)
		return;
	pthread_mutex_destroy(&m->lock);
	close(m->fd);
	free(m);
}

int
mailbox_fd(const struct mailbox *m)
{
	return m->fd;
}

/* With the lock held. */
static void
make_readable(struct mailbox *m)
{
	const uint64_t one = 1;

	if (write(m->fd, &one, sizeof(one)) < 0)
		return;		/* it is full, so readable anyway */
}

static void
make_unreadable(struct mailbox *m)
{
	uint64_t any;

	if (read(m->fd, &any, sizeof(any)) < 0)
		return;		/* it was not readable */
}

void
mailbox_put(struct mailbox *m, const struct sample *s)
{
	pthread_mutex_lock(&m->lock);
	if (m->count == MAILBOX_SLOTS) {
		m->first = (m->first + 1) % MAILBOX_SLOTS;
		m->count--;
		m->lost++;
	}
	m->slot[(m->first + m->count) % MAILBOX_SLOTS] = *s;
	m->count++;
	make_readable(m);
	pthread_mutex_unlock(&m->lock);
}

void
mailbox_close(struct mailbox *m)
{
	pthread_mutex_lock(&m->lock);
	m->closed = true;
	make_readable(m);
	pthread_mutex_unlock(&m->lock);
}

enum mailbox_result
mailbox_take(struct mailbox *m, struct sample *s, uint64_t *lost)
{
	enum mailbox_result res;

	pthread_mutex_lock(&m->lock);
	if (m->count > 0) {
		*s = m->slot[m->first];
		*lost = m->lost;
		m->lost = 0;
		m->first = (m->first + 1) % MAILBOX_SLOTS;
		m->count--;
		res = MAILBOX_SAMPLE;
	} else
		res = m->closed ? MAILBOX_CLOSED : MAILBOX_EMPTY;
	if (m->count == 0 && !m->closed)
		make_unreadable(m);
	pthread_mutex_unlock(&m->lock);
	return res;
}

/* SPDX-License-Identifier: ISC */
/*
 * mailbox.h: hands samples from the capture thread to the main thread.  The
 * only user of a mutex.
 *
 * A ring of MAILBOX_SLOTS samples, copied in and out.  Putting never waits for
 * the taker: when the ring is full the oldest sample goes, and is counted.
 *
 * Life: new; put by one thread while another takes; close by the putter when
 * there will be no more; free when both are done.  Thread-safe but for free.
 */
#ifndef NFSRATED_MAILBOX_H
#define NFSRATED_MAILBOX_H

#include <stdint.h>

#include "sample.h"

#define MAILBOX_SLOTS	64

struct mailbox;

struct mailbox *mailbox_new(void);	/* NULL and errno */
void	mailbox_free(struct mailbox *);

void	mailbox_put(struct mailbox *, const struct sample *);
void	mailbox_close(struct mailbox *);

enum mailbox_result {
	MAILBOX_SAMPLE,
	MAILBOX_EMPTY,		/* nothing yet */
	MAILBOX_CLOSED		/* nothing any more */
};
/* lost is how many samples went for want of room just before this one. */
enum mailbox_result mailbox_take(struct mailbox *, struct sample *,
	    uint64_t *lost);
/* Readable, for poll, whenever mailbox_take has something to say. */
int	mailbox_fd(const struct mailbox *);

#endif

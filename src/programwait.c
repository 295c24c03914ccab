/* SPDX-License-Identifier: ISC */
/*
 * programwait.c: signals, and all that is waited for.
 */
#include "programstate.h"

#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

/* How long a slow output may take when the program was asked to stop. */
#define LAST_WORDS_NS	(180 * NSEC_PER_MSEC)

int64_t
program_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void
stop(struct program *p)
{
	p->interrupted = true;
	if (p->deadline_ns == 0)
		p->deadline_ns = program_now_ns() + LAST_WORDS_NS;
	if (p->source != NULL)
		source_stop(p->source);
}

static void
tell_status(const struct program *p)
{
	const struct totals *t = p->totals;
	uint64_t packets = 0;
	int i;

	for (i = 0; i < SAMPLE_DIRECTIONS; i++)
		packets += t->traffic[i].packets;
	log_notice("%s: %llu intervals, %llu packets, %llu calls, %llu "
	    "replies, %llu outstanding",
	    p->source != NULL ? source_name(p->source) : "starting",
	    (unsigned long long)p->intervals, (unsigned long long)packets,
	    (unsigned long long)t->rpc_calls,
	    (unsigned long long)t->rpc_replies,
	    (unsigned long long)t->outstanding);
}

/* A hangup of the terminal ends what writes to it. */
static void
take_signals(struct program *p)
{
	unsigned char number;

	while (read(p->signal_fd, &number, 1) == 1)
		if (number == SIGUSR1)
			tell_status(p);
		else if (number == SIGHUP && p->watch == NULL &&
		    !isatty(STDOUT_FILENO))
			program_reopen(p);
		else
			stop(p);
}

static void
look_at_watch(struct program *p)
{
	switch (watch_run(p->watch, program_now_ns())) {
	case WATCH_QUIT:
		p->done = true;
		source_stop(p->source);
		break;
	case WATCH_SEEK:
		p->seek = true;
		break;
	case WATCH_NOTHING:
		break;
	}
}

/* The shorter of two times to wait, of which -1 is the longest. */
static int
sooner(int a_ms, int b_ms)
{
	return a_ms < 0 || (b_ms >= 0 && b_ms < a_ms) ? b_ms : a_ms;
}

bool
program_wait(struct program *p, int fd, short events, int timeout_ms)
{
	struct pollfd fds[2 + UPKEEP_FDS + WATCH_FDS] = {
		{ .fd = p->signal_fd, .events = POLLIN },
		{ .fd = fd, .events = events },
	};
	nfds_t count = 2 + UPKEEP_FDS;
	int n;

	upkeep_poll(&p->upkeep, fds + 2);
	if (p->watch != NULL) {
		watch_poll(p->watch, fds + count);
		count += WATCH_FDS;
		timeout_ms = sooner(timeout_ms, watch_timeout_ms(p->watch,
		    program_now_ns()));
	}
	n = poll(fds, count, timeout_ms);
	if (n > 0 && fds[0].revents != 0)
		take_signals(p);
	upkeep_run(&p->upkeep, program_now_ns());
	if (p->watch != NULL)
		look_at_watch(p);
	return n > 0 && fds[1].revents != 0;
}

bool
program_wait_input(void *ctx, int fd)
{
	struct program *p = ctx;

	while (!p->interrupted && !p->done)
		if (program_wait(p, fd, POLLIN, -1))
			return true;
	return false;
}

bool
program_wait_until_due(struct program *p, const struct sample *s)
{
	int64_t ns;

	if (p->watch == NULL || !source_is_recording(p->source))
		return true;
	watch_next(p->watch, s, program_now_ns());
	while (!p->interrupted && !p->done && !p->seek) {
		if ((ns = watch_wait_ns(p->watch, program_now_ns())) == 0)
			return true;
		program_wait(p, -1, 0, ns == PLAYER_FOREVER ? -1 :
		    (int)(ns / NSEC_PER_MSEC) + 1);
	}
	return false;
}

bool
program_wait_output(void *ctx, int fd)
{
	struct program *p = ctx;
	int64_t left;
	int ms = -1;

	do {
		if (p->deadline_ns != 0) {
			left = p->deadline_ns - program_now_ns();
			ms = left > 0 ? (int)(left / NSEC_PER_MSEC) + 1 : 0;
		}
		if (program_wait(p, fd, POLLOUT, ms))
			return true;
	} while (ms != 0);
	return false;
}

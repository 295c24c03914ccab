/* SPDX-License-Identifier: ISC */
/*
 * collector.c: capture to decoder to sampler, at work.
 */
#include "collector.h"

#include <bsd/stdlib.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "blame.h"
#include "capfilter.h"
#include "clocks.h"
#include "ifstats.h"
#include "log.h"
#include "mailbox.h"
#include "recorder.h"
#include "sampler.h"

#define POLL_MS		100
#define LIVE_GAP_NS	(30 * NSEC_PER_SEC)

/*
 * How long after its end an interval is closed: the kernel may hold packets
 * back for 100 ms, and a poll may take as long.
 */
#define LATENESS_NS	(200 * NSEC_PER_MSEC)
/* The kernel's timer is not exact. */
#define DRAIN_NS	((CAPTURE_GATHER_MS + 10) * NSEC_PER_MSEC)

/* Those given, and learned ones. */
#define COLLECTOR_PORTS_MAX	64

struct collector {
	const struct decoder_listener *listener;	/* the sampler's */
	struct blame	*blame;
	struct collector_config config;
	struct capture	*capture;
	struct decoder	*decoder;
	struct sampler	*sampler;
	struct talkers	*talkers;
	struct recorder	*recorder;	/* or NULL */
	int64_t		 latest_ns;	/* time of the last packet */
	int64_t		 advance_ns;	/* when the decoder is to advance */
	enum collector_state state;	/* of a file */
	bool		 stop;		/* of a file */

	/* live: of the thread once it runs, but for these three */
	struct mailbox	*mailbox;
	pthread_t	 thread;
	bool		 started;
	struct ifstats	*ifstats;
	struct capture_stats stats;
	uint16_t	 port[COLLECTOR_PORTS_MAX];	/* of the filter */
	uint32_t	 ports;
	bool		 new_port, told_names;
	struct clocks	 clocks;
};

static int64_t
now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void
on_packet(void *ctx, const struct packet *p)
{
	struct collector *c = ctx;

	if (c->recorder != NULL)
		recorder_put(c->recorder, p);
	sampler_time(c->sampler, p->time_ns);
	decoder_push(c->decoder, p);
	c->latest_ns = p->time_ns;
	if (p->time_ns >= c->advance_ns) {
		decoder_advance(c->decoder, p->time_ns);
		c->advance_ns = p->time_ns + NSEC_PER_SEC;
	}
}

/* The filter is to let it pass, once no packet is in the way. */
static void
on_port(void *ctx, uint16_t port)
{
	struct collector *c = ctx;
	uint32_t i;

	for (i = 0; i < c->ports; i++)
		if (c->port[i] == port)
			return;
	if (c->ports == COLLECTOR_PORTS_MAX)
		return;
	c->port[c->ports++] = port;
	c->new_port = true;
	if (c->ports == COLLECTOR_PORTS_MAX)
		log_warning("%u ports were learned; no more are captured",
		    (unsigned int)COLLECTOR_PORTS_MAX);
}

static void
set_ports(struct collector *c)
{
	const char *filter = c->config.capture.how.filter;

	if (!c->new_port)
		return;
	c->new_port = false;
	/* Their look-up would wait, and in the sandbox it cannot be done. */
	if (filter != NULL && capfilter_has_names(filter)) {
		if (!c->told_names)
			log_warning("port %u was learned, but is not "
			    "captured: the filter has names in it",
			    (unsigned int)c->port[c->ports - 1]);
		c->told_names = true;
		return;
	}
	capture_set_ports(c->capture, c->port, c->ports);
}

/* Time went back, or a long silence. */
static void
on_step(void *ctx)
{
	struct collector *c = ctx;

	decoder_flush(c->decoder);
	blame_step(c->blame);
	c->advance_ns = 0;
}

static void
on_sample(void *ctx, struct sample *s)
{
	struct collector *c = ctx;

	if (c->mailbox != NULL) {
		clocks_fill(&c->clocks, s);
		mailbox_put(c->mailbox, s);
	} else
		c->config.emit(c->config.ctx, s, 0);
}

/* Events go to the sampler, which counts them, and to blame. */
static void
on_packet_event(void *ctx, const struct packet_event *ev)
{
	struct collector *c = ctx;

	c->listener->packet(c->sampler, ev);
}

static void
on_rpc(void *ctx, const struct rpc_event *ev)
{
	struct collector *c = ctx;

	c->listener->rpc(c->sampler, ev);
	blame_rpc(c->blame, ev);
}

static void
on_op(void *ctx, const struct op_event *ev)
{
	struct collector *c = ctx;

	c->listener->op(c->sampler, ev);
	blame_op(c->blame, ev);
}

static void
on_net(void *ctx, const struct net_event *ev)
{
	struct collector *c = ctx;

	c->listener->net(c->sampler, ev);
	blame_net(c->blame, ev);
}

static void
on_count(void *ctx, int64_t time_ns, enum sample_counter counter, uint64_t n)
{
	struct collector *c = ctx;

	c->listener->count(c->sampler, time_ns, counter, n);
}

static const struct decoder_listener listener = {
	.packet = on_packet_event, .rpc = on_rpc, .op = on_op, .net = on_net,
	.count = on_count
};

static void
on_shares(void *ctx, int64_t start_ns, int64_t end_ns, struct sample *s)
{
	struct collector *c = ctx;

	blame_shares(c->blame, start_ns, end_ns, s);
}

/*
 * A live capture closes intervals all the time: when it did not for so long
 * (the machine slept, or the clock was set), they are one, and not more than
 * the mailbox has room for.
 */
static int64_t
gap_ns(const struct collector *c)
{
	int64_t ten = 10 * c->config.interval_ns;

	if (!capture_is_live(c->capture))
		return 0;		/* the sampler's own */
	return ten > LIVE_GAP_NS ? ten : LIVE_GAP_NS;
}

static int
make_pipeline(struct collector *c)
{
	struct decoder_config decoder = c->config.decoder;
	struct sampler_config sampler = {
		.interval_ns = c->config.interval_ns,
		.gap_ns = gap_ns(c),
		.live = capture_is_live(c->capture),
		.emit = on_sample,
		.step = on_step,
		.shares = on_shares,
		.ctx = c,
	};
	struct talkers_config talkers = { 0 };
	const struct blame_config blame = {
		.interval_ns = c->config.interval_ns,
		.max_pairs = 2 * decoder.max_flows,
	};

	arc4random_buf(talkers.seed, sizeof(talkers.seed));
	arc4random_buf(decoder.seed, sizeof(decoder.seed));
	decoder.many_sources = capture_has_many(c->capture);
	decoder.mtu = capture_mtu(c->capture);
	if (capture_is_live(c->capture)) {
		decoder.learned = on_port;
		decoder.learned_ctx = c;
	}
	c->talkers = sampler.talkers = talkers_new(&talkers);
	if (c->talkers == NULL)
		return -1;
	if ((c->sampler = sampler_new(&sampler)) == NULL)
		return -1;
	c->listener = sampler_listener();
	if ((c->blame = blame_new(&blame)) == NULL)
		return -1;
	c->decoder = decoder_new(&decoder, &listener, c);
	if (c->decoder == NULL)
		return -1;
	if (c->config.record &&
	    (c->recorder = recorder_new(0)) == NULL)
		return -1;
	if (!capture_is_live(c->capture))
		return 0;
	for (; c->ports < c->config.capture.how.ports; c->ports++)
		c->port[c->ports] = c->config.capture.how.port[c->ports];
	c->ifstats = ifstats_open(c->config.capture.interface,
	    c->config.capture.interfaces);
	clocks_init(&c->clocks, c->config.interval_ns, c->ifstats);
	return (c->mailbox = mailbox_new()) != NULL ? 0 : -1;
}

struct collector *
collector_new(const struct collector_config *config,
    enum pcapsource_fault *fault, char err[COLLECTOR_ERROR_MAX])
{
	struct collector *c;

	*fault = PCAPSOURCE_OPEN;
	if ((c = calloc(1, sizeof(*c))) == NULL) {
		snprintf(err, COLLECTOR_ERROR_MAX, "%s", strerror(errno));
		return NULL;
	}
	c->config = *config;
	c->config.capture.how.packet = on_packet;
	c->config.capture.how.ctx = c;
	c->capture = capture_open(&c->config.capture, fault, err);
	if (c->capture != NULL) {
		if (make_pipeline(c) == 0)
			return c;
		snprintf(err, COLLECTOR_ERROR_MAX, "%s", strerror(errno));
	}
	collector_free(c);
	return NULL;
}

void
collector_free(struct collector *c)
{
	if (c == NULL)
		return;
	if (c->started) {
		capture_break(c->capture);
		pthread_join(c->thread, NULL);
	}
	capture_close(c->capture);
	decoder_free(c->decoder);
	blame_free(c->blame);
	sampler_free(c->sampler);
	talkers_free(c->talkers);
	recorder_free(c->recorder);
	ifstats_close(c->ifstats);
	mailbox_free(c->mailbox);
	free(c);
}

/* The thread. */

static void
note_drops(struct collector *c)
{
	struct capture_stats now;

	if (!capture_stats(c->capture, &now))
		return;
	sampler_drops(c->sampler, now.kernel_drops - c->stats.kernel_drops,
	    now.interface_drops - c->stats.interface_drops);
	c->stats = now;
}

/*
 * What was on the wire when it was to end, but not yet given by the kernel,
 * counts as well.  Gives the time.
 */
static int64_t
drain(struct collector *c, int64_t stopped_ns)
{
	const int64_t end = now_ns(CLOCK_MONOTONIC) + DRAIN_NS;
	int64_t left = DRAIN_NS;

	while (left > 0 && c->latest_ns <= stopped_ns) {
		capture_drain(c->capture, (int)(left / NSEC_PER_MSEC) + 1);
		left = end - now_ns(CLOCK_MONOTONIC);
	}
	capture_rest(c->capture);
	note_drops(c);
	return now_ns(CLOCK_REALTIME);
}

static void *
collect(void *ctx)
{
	struct collector *c = ctx;
	enum capture_state state;
	int64_t now = now_ns(CLOCK_REALTIME);

	clocks_turn(&c->clocks, now, now_ns(CLOCK_MONOTONIC), false, false);
	sampler_advance(c->sampler, now, LATENESS_NS);
	do {
		state = capture_poll(c->capture,
		    clocks_wait_ms(&c->clocks, POLL_MS));
		now = now_ns(CLOCK_REALTIME);
		clocks_turn(&c->clocks, now, now_ns(CLOCK_MONOTONIC),
		    state == CAPTURE_DOWN, state == CAPTURE_ENDED);
		note_drops(c);
		set_ports(c);
		recorder_serve(c->recorder);
		if (state == CAPTURE_ENDED || capture_is_behind(c->capture))
			continue;
		decoder_advance(c->decoder, now - LATENESS_NS);
		sampler_advance(c->sampler, now, LATENESS_NS);
	} while (state != CAPTURE_ENDED);
	now = drain(c, now);
	decoder_flush(c->decoder);
	sampler_finish(c->sampler, now);
	mailbox_close(c->mailbox);
	return NULL;
}

int
collector_start(struct collector *c)
{
	static const int faults[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS
	};
	sigset_t all, before;
	int error;
	size_t i;

	if (c->mailbox == NULL)
		return 0;
	/* Faults of the thread are for their handlers, if there are any. */
	sigfillset(&all);
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&c->thread, NULL, collect, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error != 0) {
		errno = error;
		return -1;
	}
	c->started = true;
	return 0;
}

/* The caller's side. */

static enum collector_state
take_samples(struct collector *c)
{
	struct sample s;
	uint64_t lost;

	for (;;)
		switch (mailbox_take(c->mailbox, &s, &lost)) {
		case MAILBOX_SAMPLE:
			c->config.emit(c->config.ctx, &s, lost);
			break;
		case MAILBOX_EMPTY:
			return COLLECTOR_RUNNING;
		case MAILBOX_CLOSED:
			return COLLECTOR_ENDED;
		}
}

static enum collector_state
read_file(struct collector *c)
{
	enum capture_state state;

	if (c->state != COLLECTOR_RUNNING)
		return c->state;
	state = c->stop ? CAPTURE_ENDED : capture_poll(c->capture, 0);
	if (state == CAPTURE_RUNNING)
		return COLLECTOR_RUNNING;
	decoder_flush(c->decoder);
	sampler_finish(c->sampler, c->latest_ns);
	c->state = state == CAPTURE_FAILED ? COLLECTOR_FAILED :
	    COLLECTOR_ENDED;
	return c->state;
}

enum collector_state
collector_run(struct collector *c)
{
	return c->mailbox != NULL ? take_samples(c) : read_file(c);
}

int
collector_fd(const struct collector *c)
{
	return c->mailbox != NULL ? mailbox_fd(c->mailbox) : -1;
}

void
collector_stop(struct collector *c)
{
	if (c->mailbox != NULL)
		capture_break(c->capture);
	else
		c->stop = true;
}

const char *
collector_error(const struct collector *c)
{
	return capture_error(c->capture);
}

struct talkers *
collector_talkers(struct collector *c)
{
	return c->talkers;
}

void
collector_want_recording(struct collector *c)
{
	recorder_want(c->recorder);
	if (c->mailbox == NULL)
		recorder_serve(c->recorder);
}

void *
collector_take_recording(struct collector *c, size_t *len)
{
	return recorder_take(c->recorder, len);
}

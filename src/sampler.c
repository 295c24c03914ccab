/* SPDX-License-Identifier: ISC */
/*
 * sampler.c: adds the decoder's events to the right interval and closes
 * intervals as time advances.
 */
#include "sampler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"

#define GAP_DEFAULT	(3600 * NSEC_PER_SEC)
/* Corrections of a live clock up to this are no step. */
#define LIVE_SLACK	NSEC_PER_SEC
/* Times are held to these (1966 and 2255), so that no difference overflows. */
#define TIME_MIN	INT64_C(-100000000000000000)
#define TIME_MAX	INT64_C(9000000000000000000)

struct sampler {
	struct sampler_config config;
	struct tally	*current;	/* the last one that was found */
	struct tally	*newest;
	uint32_t	 open;		/* intervals, 0 before the first */
	uint32_t	 oldest;	/* its place in the ring */
	bool		 emitted;	/* since the last start */
	bool		 restarted;	/* the next record says so */
	bool		 has_drops;
	int64_t		 now_ns;	/* the latest time seen */
	uint64_t	 seq;
	uint32_t	 calls;		/* outstanding */
	int64_t		 calls_ns;	/* accounted for up to here */
	struct tally	 ring[SAMPLER_OPEN];
};

struct sampler *
sampler_new(const struct sampler_config *config)
{
	struct sampler *s;
	uint32_t i;

	if (config->interval_ns < SAMPLER_INTERVAL_MIN ||
	    config->interval_ns > SAMPLER_INTERVAL_MAX) {
		errno = EINVAL;
		return NULL;
	}
	if ((s = calloc(1, sizeof(*s))) == NULL)
		return NULL;
	s->config = *config;
	if (s->config.gap_ns <= 0)
		s->config.gap_ns = GAP_DEFAULT;
	for (i = 0; i < SAMPLER_OPEN; i++) {
		s->ring[i].talkers = config->talkers;
		s->ring[i].slot = i;
	}
	return s;
}

void
sampler_free(struct sampler *s)
{
	free(s);
}

static int64_t
hold(int64_t time_ns)
{
	if (time_ns > TIME_MAX)
		return TIME_MAX;
	return time_ns < TIME_MIN ? TIME_MIN : time_ns;
}

/* Start of the interval of a time. */
static int64_t
start_of(const struct sampler *s, int64_t time_ns)
{
	int64_t length = s->config.interval_ns;
	int64_t past = time_ns % length;

	return time_ns - (past < 0 ? past + length : past);
}

static struct tally *
oldest(struct sampler *s)
{
	return &s->ring[s->oldest];
}

/* The calls outstanding up to a time count for the newest interval. */
static void
depth_until(struct sampler *s, int64_t time_ns)
{
	if (time_ns > s->newest->end_ns)
		time_ns = s->newest->end_ns;
	if (time_ns <= s->calls_ns)
		return;
	s->newest->s.depth_ns += s->calls * (uint64_t)(time_ns - s->calls_ns);
	s->calls_ns = time_ns;
}

static void
depth_now(struct sampler *s, int64_t time_ns, uint32_t calls)
{
	depth_until(s, time_ns);
	s->calls = calls;
	if (calls > s->newest->s.depth_max)
		s->newest->s.depth_max = calls;
}

/* Opens the interval behind the newest one, or the first. */
static void
open_next(struct sampler *s, int64_t start_ns, int64_t from_ns)
{
	struct tally *t = &s->ring[(s->oldest + s->open) % SAMPLER_OPEN];

	tally_begin(t, start_ns, s->config.interval_ns, from_ns);
	s->open++;
	s->newest = s->current = t;
	s->calls_ns = t->from_ns;
	t->s.depth_max = s->calls;
	if (s->has_drops)
		t->s.kernel_drops = t->s.interface_drops = 0;
}

/* Opens the interval before the oldest one. */
static void
open_before(struct sampler *s, int64_t from_ns)
{
	int64_t start = oldest(s)->s.start_ns - s->config.interval_ns;

	oldest(s)->from_ns = oldest(s)->s.start_ns;
	s->oldest = (s->oldest + SAMPLER_OPEN - 1) % SAMPLER_OPEN;
	s->open++;
	tally_begin(oldest(s), start, s->config.interval_ns, from_ns);
	if (s->has_drops)
		oldest(s)->s.kernel_drops = oldest(s)->s.interface_drops = 0;
}

static void
emit(struct sampler *s, struct sample *sample)
{
	sample->seq = s->seq++;
	sample->restarted = s->restarted;
	s->restarted = false;
	s->emitted = true;
	s->config.emit(s->config.ctx, sample);
}

/* Closes the oldest interval, watched to to_ns. */
static void
close_oldest(struct sampler *s, int64_t to_ns)
{
	struct tally *t = oldest(s);

	if (t == s->newest) {
		depth_until(s, to_ns);
		t->s.outstanding = s->calls;
	}
	tally_end(t, to_ns);
	if (s->config.talkers != NULL)
		talkers_fill(s->config.talkers, t->slot, &t->s);
	if (s->config.shares != NULL)
		s->config.shares(s->config.ctx, t->from_ns, t->to_ns, &t->s);
	s->oldest = (s->oldest + 1) % SAMPLER_OPEN;
	s->open--;
	if (s->current == t)
		s->current = s->newest;
	emit(s, &t->s);
}

static void
close_all(struct sampler *s, int64_t to_ns)
{
	while (s->open > 0)
		close_oldest(s, to_ns);
}

/* Opens intervals until the newest holds a time that is not before it. */
static void
roll(struct sampler *s, int64_t time_ns)
{
	struct tally *t;

	while (time_ns >= s->newest->end_ns) {
		t = s->newest;
		depth_until(s, t->end_ns);
		t->s.outstanding = s->calls;
		if (s->open == SAMPLER_OPEN)
			close_oldest(s, t->end_ns);
		open_next(s, t->end_ns, t->end_ns);
	}
}

/* Time makes a jump: everything is closed, and starts anew there. */
static void
jump(struct sampler *s, int64_t time_ns, bool back)
{
	int64_t end = s->newest->end_ns;
	int64_t start = start_of(s, time_ns);
	struct sample *gap;

	if (s->config.step != NULL)
		s->config.step(s->config.ctx);
	close_all(s, s->now_ns);
	if (back)
		s->restarted = true;
	else {
		gap = &s->ring[s->oldest].s;
		sample_clear(gap);
		gap->gap = true;
		gap->start_ns = end;
		gap->length_ns = start - end;
		emit(s, gap);
	}
	s->emitted = !back;
	s->now_ns = time_ns;
	s->calls = 0;
	open_next(s, start, time_ns);
}

/* Whether the way to a time is too long to be filled with intervals. */
static bool
is_gap(const struct sampler *s, int64_t time_ns)
{
	return time_ns - s->now_ns > s->config.gap_ns &&
	    start_of(s, time_ns) > s->newest->end_ns;
}

static bool
is_step_back(const struct sampler *s, int64_t time_ns)
{
	int64_t back = s->now_ns - time_ns;

	return back >= 2 * s->config.interval_ns &&
	    (!s->config.live || back > LIVE_SLACK);
}

/* The common case, most of the packets: nothing happens. */
static inline bool
is_within(const struct tally *t, int64_t time_ns)
{
	return time_ns >= t->s.start_ns && time_ns < t->end_ns;
}

static void
move(struct sampler *s, int64_t time_ns)
{
	if (s->open == 0) {
		s->now_ns = time_ns;
		open_next(s, start_of(s, time_ns), time_ns);
	} else if (is_gap(s, time_ns))
		jump(s, time_ns, false);
	else if (is_step_back(s, time_ns))
		jump(s, time_ns, true);
	else
		roll(s, time_ns);
	if (time_ns > s->now_ns)
		s->now_ns = time_ns;
}

/*
 * A first packet may be followed by an earlier one: its interval is opened
 * as long as no later one has been told.
 */
static void
reach_back(struct sampler *s, int64_t time_ns)
{
	while (time_ns < oldest(s)->s.start_ns && s->open < SAMPLER_OPEN &&
	    !s->emitted)
		open_before(s, time_ns);
	if (!s->emitted && time_ns < oldest(s)->from_ns)
		oldest(s)->from_ns = time_ns > oldest(s)->s.start_ns ?
		    time_ns : oldest(s)->s.start_ns;
}

void
sampler_time(struct sampler *s, int64_t time_ns)
{
	time_ns = hold(time_ns);
	if (s->open > 0 && time_ns >= s->now_ns &&
	    time_ns < s->newest->end_ns) {
		s->now_ns = time_ns;
		return;
	}
	if (s->config.live && s->open > 0 && time_ns < s->now_ns)
		return;			/* late; the clock knows of steps */
	move(s, time_ns);
	if (time_ns < s->now_ns)
		reach_back(s, time_ns);
}

void
sampler_advance(struct sampler *s, int64_t now_ns, int64_t lateness_ns)
{
	now_ns = hold(now_ns);
	move(s, now_ns);
	while (s->open > 1 && oldest(s)->end_ns <= now_ns - lateness_ns)
		close_oldest(s, oldest(s)->end_ns);
}

void
sampler_finish(struct sampler *s, int64_t end_ns)
{
	if (s->open == 0)
		return;
	end_ns = hold(end_ns);
	if (end_ns - 1 > s->now_ns)	/* an end on an edge opens nothing */
		move(s, end_ns - 1);
	close_all(s, end_ns > s->now_ns ? end_ns : s->now_ns);
	s->newest = s->current = NULL;
	s->emitted = false;
}

/* The open interval of a time, or the nearest. */
static struct tally *
find(struct sampler *s, int64_t time_ns)
{
	uint32_t i;

	if (s->open == 0)
		move(s, hold(time_ns));
	for (i = 0; i + 1 < s->open; i++)
		if (time_ns <
		    s->ring[(s->oldest + i) % SAMPLER_OPEN].end_ns)
			break;
	return s->current = &s->ring[(s->oldest + i) % SAMPLER_OPEN];
}

static inline struct tally *
at(struct sampler *s, int64_t time_ns)
{
	if (s->current != NULL && is_within(s->current, time_ns))
		return s->current;
	return find(s, time_ns);
}

void
sampler_drops(struct sampler *s, uint64_t kernel, uint64_t interface)
{
	uint32_t i;

	if (s->open == 0)
		return;
	for (i = 0; !s->has_drops && i < s->open; i++)
		s->ring[(s->oldest + i) % SAMPLER_OPEN].s.kernel_drops =
		    s->ring[(s->oldest + i) % SAMPLER_OPEN].s.interface_drops =
		    0;
	s->has_drops = true;
	s->newest->s.kernel_drops += kernel;
	s->newest->s.interface_drops += interface;
}

static void
on_packet(void *ctx, const struct packet_event *ev)
{
	struct sampler *s = ctx;

	tally_packet(at(s, ev->time_ns), ev);
}

static void
on_rpc(void *ctx, const struct rpc_event *ev)
{
	struct sampler *s = ctx;
	struct tally *t = at(s, ev->time_ns);

	depth_now(s, ev->time_ns, ev->open_calls);
	tally_rpc(t, ev);
}

static void
on_op(void *ctx, const struct op_event *ev)
{
	struct sampler *s = ctx;

	tally_op(at(s, ev->time_ns), ev);
}

static void
on_net(void *ctx, const struct net_event *ev)
{
	(void)ctx;
	(void)ev;
}

static void
on_count(void *ctx, int64_t time_ns, enum sample_counter counter, uint64_t n)
{
	struct sampler *s = ctx;

	at(s, time_ns)->s.counter[counter] += n;
}

const struct decoder_listener *
sampler_listener(void)
{
	static const struct decoder_listener listener = {
		.packet = on_packet, .rpc = on_rpc, .op = on_op,
		.net = on_net, .count = on_count
	};

	return &listener;
}

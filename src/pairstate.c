/* SPDX-License-Identifier: ISC */
/*
 * pairstate.c: the state of one client-server pair over time.
 */
#include "pairstate.h"

#include <string.h>

#include "packet.h"

#define COPY_NS		INT64_C(100000)	/* a resend so soon is a copy that the
					 * capture made */
#define REACH_NS	(2 * NSEC_PER_SEC) /* longest wait before a segment is
					 * resent for the first time */
#define BACKOFF_NS	(120 * NSEC_PER_SEC)	/* the longest of Linux */
#define SLACK_NS	(NSEC_PER_SEC / 5)
#define TROUBLE_NS	(60 * NSEC_PER_SEC)	/* whatever became of it */
#define STALE_NS	(90 * NSEC_PER_SEC)	/* calls are given up at 60 s */

enum trouble_kind { TROUBLE_HOLE, TROUBLE_RESENT, TROUBLE_WINDOW };

void
pairstate_start(struct pairstate *p, int64_t from_ns, int64_t length_ns)
{
	memset(p, 0, sizeof(*p));
	timeline_clear(&p->time);
	p->length_ns = length_ns;
	p->state = SAMPLE_CLIENT;
	p->since_ns = p->event_ns = p->answered_ns = p->painted_ns = from_ns;
	p->turn_ns = INT64_MAX;
}

/* Troubles of streams */

/* When troubles that hold at a time began, and when they end. */
struct spell {
	int64_t	since_ns, until_ns;
};

static bool
has_trouble(const struct pairstate *p, bool window, int64_t at_ns,
    struct spell *spell)
{
	const struct trouble *t;
	bool found = false;

	for (t = p->trouble; t < p->trouble + p->troubles; t++) {
		if ((t->kind == TROUBLE_WINDOW) != window ||
		    t->until_ns <= at_ns)
			continue;
		if (!found)
			*spell = (struct spell){ t->since_ns, t->until_ns };
		if (t->since_ns < spell->since_ns)
			spell->since_ns = t->since_ns;
		if (t->until_ns > spell->until_ns)
			spell->until_ns = t->until_ns;
		found = true;
	}
	return found;
}

static struct trouble *
find_trouble(struct pairstate *p, enum trouble_kind kind, uint32_t stream)
{
	struct trouble *t;

	for (t = p->trouble; t < p->trouble + p->troubles; t++)
		if (t->kind == kind && t->stream == stream)
			return t;
	return NULL;
}

static void
drop_trouble(struct pairstate *p, struct trouble *t)
{
	if (t != NULL)
		*t = p->trouble[--p->troubles];
}

/* A trouble of a stream; the one that ends first makes room for it. */
static struct trouble *
add_trouble(struct pairstate *p, enum trouble_kind kind, uint32_t stream,
    int64_t t)
{
	struct trouble *slot = find_trouble(p, kind, stream);
	int i;

	if (slot == NULL && p->troubles < PAIRSTATE_TROUBLES)
		slot = &p->trouble[p->troubles++];
	else if (slot == NULL) {
		slot = p->trouble;
		for (i = 1; i < PAIRSTATE_TROUBLES; i++)
			if (p->trouble[i].until_ns < slot->until_ns)
				slot = &p->trouble[i];
	} else {
		slot->until_ns = t + TROUBLE_NS;
		return slot;
	}
	*slot = (struct trouble){ stream, (uint8_t)kind, t, t + TROUBLE_NS };
	return slot;
}

/* The connection moves on: nothing of it is being resent any more. */
static void
moves_on(struct pairstate *p, uint32_t stream)
{
	int i;

	for (i = p->troubles - 1; i >= 0; i--)
		if (p->trouble[i].kind == TROUBLE_RESENT &&
		    ((p->trouble[i].stream ^ stream) & 0x7ffffffe) == 0)
			drop_trouble(p, &p->trouble[i]);
}

/* States */

/*
 * The window is the server's fault when it owes replies and gives none: until
 * when it is the window's.
 */
static int64_t
window_until(const struct pairstate *p, const struct spell *spell)
{
	int64_t until = spell->since_ns > p->answered_ns ?
	    spell->since_ns : p->answered_ns;

	until += PAIRSTATE_PATIENCE_NS;
	return p->open == p->partial || until > spell->until_ns ?
	    spell->until_ns : until;
}

/* Whether the network or the window holds it up, and until when. */
static bool
is_held_up(struct pairstate *p, int64_t at_ns, enum sample_state *state)
{
	struct spell spell;

	*state = SAMPLE_NETWORK;
	if (p->resent > 0)
		return true;
	if (p->troubles == 0)
		return false;
	if (has_trouble(p, false, at_ns, &spell)) {
		p->turn_ns = spell.until_ns;
		return true;
	}
	if (p->open == 0 || !has_trouble(p, true, at_ns, &spell) ||
	    window_until(p, &spell) <= at_ns)
		return false;
	p->turn_ns = window_until(p, &spell);
	*state = SAMPLE_WINDOW;
	return true;
}

/* The state that holds from a time on, and when it will end by itself. */
static enum sample_state
decide(struct pairstate *p, int64_t at_ns)
{
	enum sample_state state;

	p->turn_ns = INT64_MAX;
	if (is_held_up(p, at_ns, &state))
		return state;
	if (p->open > p->partial)
		return p->commits > 0 && p->writes == 0 ?
		    SAMPLE_COMMITTING : SAMPLE_SERVER;
	if (p->replies > 0)
		return SAMPLE_REPLY;
	if (p->partial > 0)
		return SAMPLE_REQUEST;
	return p->delayed ? SAMPLE_DELAY : SAMPLE_CLIENT;
}

/* The current state lasted until t. */
static void
spend(struct pairstate *p, int64_t t)
{
	if (t <= p->since_ns)
		return;
	timeline_add(&p->time, p->length_ns, p->since_ns, t, p->state);
	p->since_ns = t;
}

/* Before anything changes at t: states that ended by themselves. */
static void
run_turns(struct pairstate *p, int64_t t)
{
	while (p->turn_ns <= t) {
		spend(p, p->turn_ns);
		p->state = (uint8_t)decide(p, p->turn_ns);
	}
}

/* After something has changed at t. */
static void
settle(struct pairstate *p, int64_t t)
{
	enum sample_state state = decide(p, t);

	if (state == p->state)
		return;
	spend(p, t);
	p->state = (uint8_t)state;
}

/* What the current state was said to be from a time on was another one. */
static void
paint(struct pairstate *p, int64_t from_ns, int64_t to_ns,
    enum sample_state state)
{
	spend(p, from_ns);
	if (to_ns <= p->since_ns)
		return;
	timeline_add(&p->time, p->length_ns, p->since_ns, to_ns, state);
	p->since_ns = to_ns;
}

static void
demand(struct pairstate *p, int64_t t, uint64_t n)
{
	struct timeline_slot *s = timeline_slot(&p->time,
	    timeline_index(t, p->length_ns));

	if (s != NULL)
		s->demand += n;
}

/* Calls and replies */

static void
take(uint32_t *n)
{
	if (*n > 0)
		(*n)--;
}

/* A whole call begins to wait for its reply, or waits no more. */
static void
wait_for(struct pairstate *p, const struct call *c, bool begins)
{
	uint32_t *n = NULL;

	if (c->kind == NFS_KIND_WRITE)
		n = &p->writes;
	else if (c->kind == NFS_KIND_COMMIT)
		n = &p->commits;
	if (n != NULL && begins)
		(*n)++;
	else if (n != NULL)
		take(n);
}

static void
call_begins(struct pairstate *p, const struct call *c, int64_t t)
{
	int64_t from = c->first_ns > p->since_ns ? c->first_ns : p->since_ns;

	demand(p, t, 1);
	p->painted_ns = from;
	if (p->state == SAMPLE_CLIENT || p->state == SAMPLE_DELAY)
		paint(p, from, t, SAMPLE_REQUEST);
	else
		p->painted_ns = t;
	p->delayed = false;
	p->partial++;
}

static void
call_ends(struct pairstate *p, const struct call *c, int64_t t)
{
	if (c->transmissions > 1 && !c->first_whole)
		return;			/* the end of a repetition */
	if (c->has_count)
		demand(p, t, c->count / PAIRSTATE_UNIT);
	take(&p->partial);
	wait_for(p, c, true);
}

static void
call_repeated(struct pairstate *p, const struct rpc_event *ev, int64_t t)
{
	const struct call *c = ev->call;
	int64_t from = p->answered_ns;

	if (c->whole && c->last_ns <= t && c->last_ns > t - COPY_NS)
		return;
	if (c->state == CALL_ANSWERED) {
		paint(p, from, t, SAMPLE_NETWORK);
		add_trouble(p, TROUBLE_RESENT, c->stream, t);
		return;
	}
	if (c->transmissions == 2)
		p->resent++;
	if (c->whole) {
		if (c->last_ns > from)
			from = c->last_ns;
		paint(p, from, t, SAMPLE_NETWORK);
		return;
	}
	/* Until now only heads of it had come. */
	timeline_move(&p->time, p->length_ns, p->painted_ns,
	    c->sent_ns < p->since_ns ? c->sent_ns : p->since_ns,
	    SAMPLE_REQUEST, SAMPLE_NETWORK);
	p->painted_ns = c->sent_ns;
}

static void
reply_begins(struct pairstate *p, const struct rpc_event *ev, int64_t t)
{
	const struct call *c = ev->call;

	p->replies++;
	if (!ev->duplicate) {
		if (p->open - p->partial <= 1 && (p->state == SAMPLE_SERVER ||
		    p->state == SAMPLE_COMMITTING))
			paint(p, c->reply_ns, t, SAMPLE_REPLY);
		wait_for(p, c, false);
		if (c->transmissions > 1)
			take(&p->resent);
	}
	p->answered_ns = t;
}

static void
call_gone(struct pairstate *p, const struct call *c)
{
	if (c->whole)
		wait_for(p, c, false);
	else
		take(&p->partial);
	if (c->transmissions > 1)
		take(&p->resent);
}

/* The decoder knows how many calls are open: nothing can drift for long. */
static void
hold_to(struct pairstate *p, const struct rpc_event *ev)
{
	p->open = ev->outstanding + p->guesses;
	if (p->open == 0)
		p->partial = p->writes = p->commits = p->resent = 0;
	if (ev->kind == RPC_EV_CALL && p->open == 1) {
		p->partial = 1;
		p->replies = p->writes = p->commits = p->resent = 0;
	}
	if (p->partial > p->open)
		p->partial = p->open;
}

static void
apply(struct pairstate *p, const struct rpc_event *ev, int64_t t)
{
	const struct call *c = ev->call;

	switch (ev->kind) {
	case RPC_EV_CALL:
		if (c->guessed)
			take(&p->guesses);	/* told when guessed */
		else
			call_begins(p, c, t);
		break;
	case RPC_EV_CALL_DONE:
		if (!c->guessed)
			call_ends(p, c, t);
		break;
	case RPC_EV_GUESS:
		p->guesses++;
		call_begins(p, c, t);
		break;
	case RPC_EV_GUESS_DONE:
		call_ends(p, c, t);
		break;
	case RPC_EV_GUESS_WRONG:
		take(&p->guesses);
		call_gone(p, c);
		break;
	case RPC_EV_RESEND:
		call_repeated(p, ev, t);
		break;
	case RPC_EV_REPLY:
		reply_begins(p, ev, t);
		break;
	case RPC_EV_REPLY_DONE:
		take(&p->replies);
		break;
	case RPC_EV_GONE:
		call_gone(p, c);
		break;
	case RPC_EV_UNMATCHED:
		break;
	}
	if (!(ev->kind == RPC_EV_CALL && c->guessed))
		hold_to(p, ev);
	else
		p->open = ev->outstanding + p->guesses;
}

void
pairstate_rpc(struct pairstate *p, const struct rpc_event *ev, int64_t t)
{
	if (p->turn_ns <= t)
		run_turns(p, t);
	if (p->troubles > 0 && ev->kind != RPC_EV_RESEND &&
	    ev->kind != RPC_EV_GONE)
		moves_on(p, ev->call->stream);
	apply(p, ev, t);
	if (t > p->event_ns)
		p->event_ns = t;
	settle(p, t);
}

void
pairstate_delay(struct pairstate *p, int64_t t)
{
	if (p->turn_ns <= t)
		run_turns(p, t);
	p->delayed = true;
	settle(p, t);
}

/*
 * A segment came again: since the last message, or its last coming, it had
 * been lost, and until the connection moves on, or the next of its comings
 * is overdue, the loss goes on.
 */
static void
segment_again(struct pairstate *p, const struct net_event *ev, int64_t t)
{
	int64_t from = p->event_ns;
	struct trouble *r = find_trouble(p, TROUBLE_RESENT, ev->stream);

	if (r != NULL)
		from = r->since_ns;
	else if (t - from > REACH_NS)
		from = t - REACH_NS;
	paint(p, from, t, SAMPLE_NETWORK);
	r = add_trouble(p, TROUBLE_RESENT, ev->stream, t);
	r->since_ns = t;
	r->until_ns = t + SLACK_NS;
	if (t > from)
		r->until_ns += (t - from < BACKOFF_NS ? t - from :
		    BACKOFF_NS) * 5 / 2;
}

void
pairstate_net(struct pairstate *p, const struct net_event *ev, int64_t t)
{
	if (p->turn_ns <= t)
		run_turns(p, t);
	switch (ev->kind) {
	case NET_HOLE:
		add_trouble(p, TROUBLE_HOLE, ev->stream, t);
		break;
	case NET_FILLED:
		drop_trouble(p, find_trouble(p, TROUBLE_HOLE, ev->stream));
		break;
	case NET_RESENT:
		segment_again(p, ev, t);
		break;
	case NET_WINDOW_CLOSED:
		if (ev->to_server)
			add_trouble(p, TROUBLE_WINDOW, ev->stream, t);
		break;
	case NET_WINDOW_OPEN:
		drop_trouble(p, find_trouble(p, TROUBLE_WINDOW, ev->stream));
		break;
	}
	settle(p, t);
}

void
pairstate_until(struct pairstate *p, int64_t end_ns)
{
	int i;

	if (p->turn_ns <= end_ns)
		run_turns(p, end_ns);
	spend(p, end_ns);
	for (i = p->troubles - 1; i >= 0; i--)
		if (p->trouble[i].until_ns <= end_ns)
			drop_trouble(p, &p->trouble[i]);
	if (end_ns - p->event_ns < STALE_NS)
		return;
	p->open = p->guesses = p->partial = p->writes = p->commits =
	    p->resent = p->replies = 0;
	p->delayed = false;
	settle(p, end_ns);
}

bool
pairstate_is_idle(const struct pairstate *p, int64_t end_ns)
{
	return p->state == SAMPLE_CLIENT && p->open == 0 && p->replies == 0 &&
	    p->troubles == 0 && p->since_ns <= end_ns;
}

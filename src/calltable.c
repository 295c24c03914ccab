/* SPDX-License-Identifier: ISC */
/*
 * calltable.c: open calls in one bounded table, answered ones in another, so
 * that a flood of either cannot push out the other kind.
 */
#include "calltable.h"

#include <stdlib.h>

#include "lrutable.h"

struct key {
	uint32_t	stream;
	uint32_t	xid;
};

struct calltable {
	struct lrutable	*open;		/* CALL_HEAD and CALL_OPEN */
	struct lrutable	*answered;
	struct call	*last;		/* found or added last; NULL none */
	uint32_t	 heads;		/* CALL_HEAD among open */
	uint32_t	 leaving;	/* told gone, and still among open */
	int64_t		 max_age_ns;
	bool		 expiring;
	void		(*gone)(void *, const struct call *, bool);
	void		*ctx;
};

static void
tell_gone(struct calltable *t, const struct call *c, bool evicted)
{
	if (t->gone == NULL)
		return;
	t->leaving = 1;
	t->gone(t->ctx, c, evicted);
	t->leaving = 0;
}

static void
evict_open(void *ctx, const void *key, void *value)
{
	struct calltable *t = ctx;
	struct call *c = value;

	(void)key;
	if (c->state == CALL_HEAD)
		t->heads--;
	else
		tell_gone(t, c, !t->expiring);
	t->last = NULL;
}

static void
evict_answered(void *ctx, const void *key, void *value)
{
	struct calltable *t = ctx;

	(void)key;
	(void)value;
	t->last = NULL;
}

struct calltable *
calltable_new(const struct calltable_config *config)
{
	struct calltable *t;
	struct lrutable_config lc = {
		.capacity = config->capacity,
		.key_size = sizeof(struct key),
		.value_size = sizeof(struct call),
		.seed = { config->seed[0], config->seed[1] },
		.evict = evict_open,
	};

	if ((t = calloc(1, sizeof(*t))) == NULL)
		return NULL;
	t->max_age_ns = config->max_age_ns;
	t->gone = config->gone;
	t->ctx = config->ctx;
	lc.ctx = t;
	t->open = lrutable_new(&lc);
	/* Answered calls only serve to know resends: half the room will do. */
	lc.capacity = config->capacity > 1 ? config->capacity / 2 : 1;
	lc.evict = evict_answered;
	t->answered = lrutable_new(&lc);
	if (t->open == NULL || t->answered == NULL) {
		calltable_free(t);
		return NULL;
	}
	return t;
}

void
calltable_free(struct calltable *t)
{
	if (t == NULL)
		return;
	lrutable_free(t->open);
	lrutable_free(t->answered);
	free(t);
}

struct call *
calltable_find(struct calltable *t, uint32_t stream, uint32_t xid)
{
	const struct key k = { stream, xid };
	struct call *c = t->last;

	/* A message asks for its call at its header, operation and end. */
	if (c != NULL && c->stream == stream && c->xid == xid)
		return c;
	if ((c = lrutable_find(t->open, &k)) == NULL)
		c = lrutable_find(t->answered, &k);
	if (c != NULL)
		t->last = c;
	return c;
}

static void
forget(struct calltable *t, struct call *c)
{
	if (c->state == CALL_HEAD)
		t->heads--;
	t->last = NULL;
	lrutable_remove(c->state == CALL_ANSWERED ? t->answered : t->open, c);
}

struct call *
calltable_add(struct calltable *t, uint32_t stream, uint32_t xid,
    int64_t now_ns)
{
	const struct key k = { stream, xid };
	struct call *c = calltable_find(t, stream, xid);

	if (c != NULL) {
		if (c->state == CALL_OPEN)
			tell_gone(t, c, false);
		forget(t, c);
	}
	c = lrutable_add(t->open, &k, now_ns);
	c->stream = stream;
	c->xid = xid;
	c->state = CALL_OPEN;
	c->op = NFS_OP_NONE;
	t->last = c;
	return c;
}

struct call *
calltable_answer(struct calltable *t, struct call *c, int64_t now_ns)
{
	const struct key k = { c->stream, c->xid };
	struct call copy;

	if (c->state == CALL_ANSWERED) {
		lrutable_touch(t->answered, c, now_ns);
		return c;
	}
	copy = *c;
	forget(t, c);
	c = lrutable_add(t->answered, &k, now_ns);
	*c = copy;
	c->state = CALL_ANSWERED;
	t->last = c;
	return c;
}

void
calltable_touch(struct calltable *t, struct call *c, int64_t now_ns)
{
	lrutable_touch(c->state == CALL_ANSWERED ? t->answered : t->open, c,
	    now_ns);
}

struct call *
calltable_move(struct calltable *t, struct call *c, uint32_t stream,
    uint32_t xid, int64_t now_ns)
{
	struct call copy = *c;
	bool answered = c->state == CALL_ANSWERED;

	forget(t, c);
	c = calltable_add(t, stream, xid, now_ns);
	copy.stream = stream;
	copy.xid = xid;
	copy.state = CALL_OPEN;
	*c = copy;
	return answered ? calltable_answer(t, c, now_ns) : c;
}

void
calltable_set_state(struct calltable *t, struct call *c, enum call_state state)
{
	if (c->state == CALL_HEAD)
		t->heads--;
	if (state == CALL_HEAD)
		t->heads++;
	c->state = (uint8_t)state;
}

void
calltable_remove(struct calltable *t, struct call *c)
{
	forget(t, c);
}

void
calltable_advance(struct calltable *t, int64_t now_ns)
{
	t->expiring = true;
	lrutable_expire(t->open, now_ns - t->max_age_ns);
	t->expiring = false;
	lrutable_expire(t->answered, now_ns - t->max_age_ns);
}

void
calltable_flush(struct calltable *t)
{
	t->expiring = true;
	lrutable_expire(t->open, INT64_MAX);
	t->expiring = false;
	lrutable_expire(t->answered, INT64_MAX);
}

uint32_t
calltable_open(const struct calltable *t)
{
	return lrutable_count(t->open) - t->heads - t->leaving;
}

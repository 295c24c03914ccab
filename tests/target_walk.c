/* SPDX-License-Identifier: ISC */
/*
 * target_walk.c: fuzz target: one RPC message of any program through rpcwalk.
 *
 * The first bytes choose program, procedure, call or reply, and how the
 * message begins (a proper header, or none); the rest is its body.  Fed whole,
 * in pieces, and with what makes no difference left out, it must give the same
 * events; the start of it alone must give the start of them.
 */
#include "fuzzkit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "nfs.h"
#include "rpckit.h"
#include "rpcwalk.h"
#include "testkit.h"

#define EVENTS_MAX	2048	/* that are told apart; later ones add up */

enum { REPLY = 1, BARE = 2, GSS = 4 };	/* settings; bits 4, 5: service */

struct message {
	const uint8_t	*data;
	size_t		 len;
	const struct nfs_program *program;
	uint32_t	 proc;
	uint8_t		 service;
};

struct walked {
	const struct message *m;
	uint64_t	 event[EVENTS_MAX];	/* a number for each */
	size_t		 events;
	unsigned int	 headers, next_index;
	bool		 cut;		/* the latest was cut */
	struct rpcwalk	 walk;
};

/*
 * The grammar is data, so that the code says little of how far a message got:
 * libFuzzer also takes these counts, of walks that stood at a step, as cover.
 */
#define STEPS_MAX	4096
static uint8_t stood_at[STEPS_MAX]
    __attribute__((section("__libfuzzer_extra_counters"), used));

static uint64_t *
next_event(struct walked *w)
{
	uint64_t *e = &w->event[w->events < EVENTS_MAX ?
	    w->events : EVENTS_MAX - 1];

	if (w->events++ < EVENTS_MAX)
		*e = 0;
	return e;
}

static void
on_header(void *ctx, struct rpcwalk *walk, const struct rpc_header *h)
{
	struct walked *w = ctx;
	const struct message *m = w->m;
	uint64_t *e = next_event(w);

	FUZZ_CHECK(w->headers++ == 0);
	FUZZ_CHECK(h->service <= RPC_SVC_CONTROL);
	fuzzkit_mix(e, h->xid);
	fuzzkit_mix(e, h->reply);
	fuzzkit_mix(e, h->reply ? h->outcome : h->prog);
	fuzzkit_mix(e, h->reply ? h->accept_stat : h->vers);
	fuzzkit_mix(e, h->reply ? 0 : h->proc);
	fuzzkit_mix(e, h->service);
	fuzzkit_mix(e, h->has_uid ? h->uid : 0);
	if (h->reply)
		rpcwalk_expect(walk, m->program->prog, m->program->vers,
		    m->proc, m->service);
}

static void
mix_numbers(uint64_t *e, const struct rpc_op *o)
{
	fuzzkit_mix(e, o->op);
	fuzzkit_mix(e, o->index);
	fuzzkit_mix(e, o->opnum);
	fuzzkit_mix(e, o->has_status ? o->status + UINT64_C(1) : 0);
	fuzzkit_mix(e, o->has_count ? o->count + UINT64_C(1) : 0);
	fuzzkit_mix(e, o->has_offset ? o->offset : 1);
	fuzzkit_mix(e, o->has_verifier ? o->verifier : 1);
	fuzzkit_mix(e, o->has_stable ? o->stable : 9);
	fuzzkit_mix(e, o->has_slot ? o->slot : 1);
	fuzzkit_mix(e, o->port);
	fuzzkit_mix(e, o->map_prog);
	fuzzkit_mix(e, o->cut);
}

static void
on_op(void *ctx, struct rpcwalk *walk, const struct rpc_op *o)
{
	struct walked *w = ctx;
	uint64_t *e = next_event(w);

	(void)walk;
	FUZZ_CHECK(w->headers == 1 && !w->cut);
	FUZZ_CHECK(o->op == NFS_OP_NONE || o->op < NFS_OP_COUNT);
	FUZZ_CHECK(o->fh_len <= RPCWALK_FH_MAX);
	FUZZ_CHECK(o->name_len <= RPCWALK_NAME_MAX);
	FUZZ_CHECK(o->name2_len <= RPCWALK_NAME_MAX);
	FUZZ_CHECK(o->data_at == 0 || o->cut);
	if (o->in_compound)
		FUZZ_CHECK(o->index == (uint16_t)w->next_index++);
	mix_numbers(e, o);
	fuzzkit_mix_bytes(e, o->fh, o->fh_len);
	fuzzkit_mix_bytes(e, o->name, o->name_len);
	fuzzkit_mix_bytes(e, o->name2, o->name2_len);
	w->cut = o->cut;
}

static const struct rpcwalk_listener listener = { on_header, on_op };

static void
begin(struct walked *w, const struct message *m)
{
	w->m = m;
	w->events = 0;
	w->headers = w->next_index = 0;
	w->cut = false;
	memset(&w->walk, 0x5a, sizeof(w->walk));
	rpcwalk_start(&w->walk);
}

static void
finish(struct walked *w)
{
	size_t events;

	rpcwalk_end(&w->walk, &listener, w);
	events = w->events;
	FUZZ_CHECK(w->walk.state >= RPCWALK_DONE);
	FUZZ_CHECK(rpcwalk_indifferent(&w->walk) == UINT32_MAX);
	rpcwalk_end(&w->walk, &listener, w);
	FUZZ_CHECK(w->events == events);
}

static void
feed(struct walked *w, const uint8_t *data, size_t len)
{
	uint8_t *copy = testkit_copy(data, len);

	rpcwalk_feed(&w->walk, copy, len, &listener, w);
	testkit_free(copy);
	if (w->walk.state <= RPCWALK_BODY)
		stood_at[w->walk.xdr.pc % STEPS_MAX] = 1;
}

static void
walk_whole(struct walked *w, const struct message *m)
{
	begin(w, m);
	feed(w, m->data, m->len);
	finish(w);
}

/* In pieces of 1 to 16 bytes; indifferent: what may be skipped is. */
static void
walk_pieces(struct walked *w, const struct message *m, bool indifferent)
{
	uint64_t chance = m->len;
	size_t at = 0, n;
	uint32_t skip;

	begin(w, m);
	while (at < m->len) {
		n = 1 + testkit_below(&chance, 16);
		if (n > m->len - at)
			n = m->len - at;
		skip = indifferent ? rpcwalk_indifferent(&w->walk) : 0;
		if (skip > m->len - at)
			skip = (uint32_t)(m->len - at);
		if (skip > 0)
			rpcwalk_skip(&w->walk, skip, &listener, w);
		else
			feed(w, m->data + at, n);
		at += skip > 0 ? skip : n;
	}
	finish(w);
}

/* Only the start is seen; the rest is skipped, or not there at all. */
static void
walk_start(struct walked *w, const struct message *m, size_t seen, bool skip)
{
	begin(w, m);
	feed(w, m->data, seen);
	if (skip)
		rpcwalk_skip(&w->walk, (uint32_t)(m->len - seen), &listener,
		    w);
	finish(w);
}

static void
check_same(const struct walked *a, const struct walked *b)
{
	size_t n = a->events < EVENTS_MAX ? a->events : EVENTS_MAX;

	FUZZ_CHECK(a->events == b->events);
	FUZZ_CHECK(memcmp(a->event, b->event, n * sizeof(a->event[0])) == 0);
	FUZZ_CHECK(a->walk.state == b->walk.state);
	FUZZ_CHECK(rpcwalk_note(&a->walk) == rpcwalk_note(&b->walk));
}

/* All but the last of b, which may be cut, are the first of a. */
static void
check_start(const struct walked *a, const struct walked *b)
{
	size_t n = b->events - (b->cut ? 1 : 0);

	FUZZ_CHECK(b->events <= a->events + 1);
	FUZZ_CHECK(n <= a->events);
	if (n > EVENTS_MAX - 1)
		n = EVENTS_MAX - 1;
	FUZZ_CHECK(memcmp(a->event, b->event, n * sizeof(a->event[0])) == 0);
}

/* Programs, and one that is not in the table. */
static const struct nfs_program *
choose_program(uint8_t choice)
{
	static const struct nfs_program other = { .prog = 100227, .vers = 3 };
	const struct nfs_program *p = nfs_programs();
	unsigned int n = 0;

	while (p[n].key != NULL)
		n++;
	return choice % (n + 1) < n ? p + choice % (n + 1) : &other;
}

static void
make_header(struct rpckit *k, const struct message *m, uint8_t how)
{
	if ((how & BARE) != 0)
		return;
	if ((how & REPLY) != 0) {
		rpckit_reply(k, 7);
		return;
	}
	k->flavor = (how & GSS) != 0 ? RPCKIT_KRB5I : 0;
	rpckit_call(k, 7, m->program->prog, m->program->vers, m->proc);
}

void
target_walk(const uint8_t *data, size_t len)
{
	static struct walked whole, other;
	struct bytes script = bytes_of(data, len);
	struct rpckit *k = rpckit_new();
	uint8_t how = fuzzkit_u8(&script);
	struct message m = {
		.program = choose_program(fuzzkit_u8(&script)),
		.proc = fuzzkit_u8(&script), .service = how >> 4 & 3
	};
	size_t seen;

	make_header(k, &m, how);
	bytes_trim(&script, RPCKIT_MAX / 2);
	rpckit_bytes(k, script.data, script.len);
	m.data = k->data;
	m.len = k->len;
	walk_whole(&whole, &m);
	walk_pieces(&other, &m, false);
	check_same(&whole, &other);
	walk_pieces(&other, &m, true);
	check_same(&whole, &other);
	seen = m.len * how / 256;
	walk_start(&other, &m, seen, false);
	check_start(&whole, &other);
	walk_start(&other, &m, seen, true);
	check_start(&whole, &other);
	free(k);
}

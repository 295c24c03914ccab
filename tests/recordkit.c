/* SPDX-License-Identifier: ISC */
/*
 * recordkit.c: an rpcrecord whose sink writes down what it is told, see
 * recordkit.h.
 */
#include "recordkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

static void __attribute__((format(printf, 2, 3)))
note(struct recordkit *k, const char *fmt, ...)
{
	size_t len = strlen(k->text);
	va_list ap;

	if (len > 0 && len + 2 < sizeof(k->text)) {
		strcpy(k->text + len, ", ");
		len += 2;
	}
	va_start(ap, fmt);
	vsnprintf(k->text + len, sizeof(k->text) - len, fmt, ap);
	va_end(ap);
}

static int
known_at(const struct recordkit *k, uint32_t xid)
{
	uint32_t i;

	for (i = 0; i < k->knowns; i++)
		if (k->known[i] == xid)
			return (int)i;
	return -1;
}

static void
on_header(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr,
    const struct rpcrecord_place *place)
{
	struct recordkit *k = ctx;
	int i;

	k->headers++;
	k->head = *place;
	assert_true(place->first_ns <= place->last_ns);
	if (!hdr->reply) {
		note(k, "call %u %u.%u", hdr->xid, hdr->vers, hdr->proc);
		return;
	}
	note(k, "reply %u", hdr->xid);
	if ((i = known_at(k, hdr->xid)) >= 0)
		rpcwalk_expect(w, NFS_PROG_NFS, 3, k->known_proc[i],
		    RPC_SVC_PLAIN);
}

static void
on_op(void *ctx, const struct rpc_header *hdr, const struct rpc_op *op,
    const struct rpcrecord_place *place)
{
	struct recordkit *k = ctx;
	char count[16] = "";

	(void)hdr;
	(void)place;
	if (op->has_count)
		snprintf(count, sizeof(count), " %u", op->count);
	note(k, "%s%s%s", nfs_op_name(op->op), count, op->cut ? " cut" : "");
}

static void
on_end(void *ctx, struct rpcwalk *w, const struct rpc_header *hdr,
    const struct rpcrecord_place *place)
{
	struct recordkit *k = ctx;

	(void)w;
	k->ends++;
	k->end = *place;
	assert_true(place->end >= place->start + 24);
	assert_true(place->first_ns <= place->last_ns);
	note(k, "end %u", hdr->xid);
}

static bool
on_expected(void *ctx, uint32_t xid, bool inside)
{
	(void)inside;
	return known_at(ctx, xid) >= 0;
}

static bool
on_alone(void *ctx)
{
	return ((struct recordkit *)ctx)->alone;
}

static uint32_t
on_usual(void *ctx)
{
	return ((struct recordkit *)ctx)->usual;
}

static void
on_guess(void *ctx, const struct rpcrecord_place *place)
{
	struct recordkit *k = ctx;

	k->guess = *place;
	note(k, "guess");
}

static void
on_guess_end(void *ctx, const struct rpcrecord_place *place)
{
	struct recordkit *k = ctx;

	assert_int_equal(place->start, k->guess.start);
	assert_int_equal(place->end, k->guess.end);
	k->guess = *place;
	note(k, "guessed");
}

static void
on_guesses_wrong(void *ctx)
{
	note(ctx, "wrong");
}

static void
on_lost_step(void *ctx)
{
	struct recordkit *k = ctx;

	k->lost++;
	note(k, "lost");
}

static void
on_passed_over(void *ctx, uint32_t len)
{
	struct recordkit *k = ctx;

	assert_true(len > 0);
	k->passed_over += len;
}

static const struct rpcrecord_sink sink = {
	on_header, on_op, on_end, on_expected, on_alone, on_usual,
	on_guess, on_guess_end, on_guesses_wrong, on_lost_step, on_passed_over
};

struct recordkit *
recordkit_new(bool in_step)
{
	struct recordkit *k = calloc(1, sizeof(*k));

	assert_non_null(k);
	k->pool.max = 4;
	rpcrecord_init(&k->rec, in_step);
	return k;
}

void
recordkit_free(struct recordkit *k)
{
	rpcrecord_clear(&k->rec);
	assert_int_equal(k->pool.used, 0);
	free(k);
}

void
recordkit_know(struct recordkit *k, uint32_t xid, uint32_t proc)
{
	assert_true(k->knowns < RECORDKIT_KNOWN);
	k->known[k->knowns] = xid;
	k->known_proc[k->knowns++] = proc;
}

void
recordkit_data(struct recordkit *k, const void *data, size_t len)
{
	uint8_t *copy = testkit_copy(data, len);

	rpcrecord_data(&k->rec, &k->pool, &sink, k, k->off, copy,
	    (uint32_t)len, k->now_ns);
	testkit_free(copy);
	k->off += len;
}

static void
unseen(struct recordkit *k, size_t len, bool lost)
{
	rpcrecord_skip(&k->rec, &k->pool, &sink, k, k->off, (uint32_t)len,
	    k->now_ns, lost);
	k->off += len;
}

void
recordkit_lose(struct recordkit *k, size_t len)
{
	unseen(k, len, true);
}

void
recordkit_cut(struct recordkit *k, size_t len)
{
	unseen(k, len, false);
}

bool
recordkit_prove(struct recordkit *k, uint32_t xid)
{
	bool suspected = rpcrecord_suspects(&k->rec, xid);
	bool proved = rpcrecord_prove(&k->rec, &k->pool, &sink, k, xid,
	    k->now_ns);

	assert_int_equal(proved, suspected);
	return proved;
}

void
recordkit_flush(struct recordkit *k)
{
	rpcrecord_flush(&k->rec, &k->pool, &sink, k, k->now_ns);
}

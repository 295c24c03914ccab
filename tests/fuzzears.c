/* SPDX-License-Identifier: ISC */
/*
 * fuzzears.c: a listener that asserts, see fuzzears.h.
 */
#include "fuzzears.h"

#include <string.h>

#include "fuzzkit.h"
#include "testkit.h"

static void
on_packet(void *ctx, const struct packet_event *e)
{
	struct fuzzears *k = ctx;

	FUZZ_CHECK(k->pkt != NULL && !k->told);
	FUZZ_CHECK(e->time_ns == k->pkt->time_ns);
	FUZZ_CHECK(e->dir < SAMPLE_DIRECTIONS);
	FUZZ_CHECK(e->bytes == k->pkt->wire_len);
	FUZZ_CHECK(e->wire_packets >= 1 && e->wire_bytes >= e->bytes);
	FUZZ_CHECK(e->dir == SAMPLE_OTHER || e->wire_packets <= 65536);
	k->told = true;
	k->packets++;
}

static void
count_rpc(struct fuzzears *k, const struct rpc_event *e)
{
	switch (e->kind) {
	case RPC_EV_CALL:
		k->calls++;
		return;
	case RPC_EV_RESEND:
		k->resends++;
		return;
	case RPC_EV_CALL_DONE:
		k->dones++;
		return;
	case RPC_EV_REPLY:
		k->replies++;
		k->duplicates += e->duplicate;
		return;
	case RPC_EV_REPLY_DONE:
		k->replied++;
		return;
	case RPC_EV_UNMATCHED:
		k->unmatched++;
		return;
	case RPC_EV_GONE:
		k->gone++;
		return;
	case RPC_EV_GUESS:
		k->guesses++;
		return;
	case RPC_EV_GUESS_DONE:
		k->guesses_done++;
		return;
	case RPC_EV_GUESS_WRONG:
		return;
	}
	FUZZ_CHECK(e->kind <= RPC_EV_GUESS_WRONG);
}

/* What follows from the counts so far. */
static void
check_counts(const struct fuzzears *k)
{
	uint64_t answered = k->replies - k->duplicates;

	/* A call that is sent again over a new connection is open again. */
	FUZZ_CHECK(answered + k->gone <= k->calls + k->resends);
	FUZZ_CHECK(k->replied <= k->replies);
	FUZZ_CHECK(k->guesses_done <= k->guesses);
}

static void
check_times(const struct fuzzears *k, const struct rpc_event *e)
{
	if (!e->timed)
		return;
	FUZZ_CHECK(e->kind == RPC_EV_REPLY_DONE && !e->duplicate);
	if (k->steady)
		FUZZ_CHECK(e->request_ns >= 0 && e->server_ns >= 0 &&
		    e->reply_ns >= 0);
}

static void
on_rpc(void *ctx, const struct rpc_event *e)
{
	struct fuzzears *k = ctx;

	count_rpc(k, e);
	check_counts(k);
	check_times(k, e);
	FUZZ_CHECK((e->call == NULL) == (e->kind == RPC_EV_UNMATCHED));
	FUZZ_CHECK(e->call != NULL || e->hdr != NULL);
	FUZZ_CHECK(e->outstanding <= e->open_calls);
	FUZZ_CHECK(e->open_calls <= k->calls);
	FUZZ_CHECK((e->client == NULL) == (e->server == NULL));
	fuzzkit_mix(&k->sum, e->kind);
	fuzzkit_mix(&k->sum, e->duplicate);
	if (e->call != NULL) {
		FUZZ_CHECK(e->call->op == NFS_OP_NONE ||
		    e->call->op < NFS_OP_COUNT);
		fuzzkit_mix(&k->sum, e->call->xid);
		fuzzkit_mix(&k->sum, e->call->proc);
	}
	if (e->hdr != NULL)
		fuzzkit_mix(&k->sum, e->hdr->xid);
	if (k->rpc != NULL)
		k->rpc(k->ctx, e);
}

static void
on_op(void *ctx, const struct op_event *e)
{
	struct fuzzears *k = ctx;
	const struct rpc_op *o = e->op;

	FUZZ_CHECK(e->call != NULL);
	FUZZ_CHECK(o->op == NFS_OP_NONE || o->op < NFS_OP_COUNT);
	FUZZ_CHECK(o->fh_len <= RPCWALK_FH_MAX);
	FUZZ_CHECK(o->name_len <= RPCWALK_NAME_MAX);
	FUZZ_CHECK(o->name2_len <= RPCWALK_NAME_MAX);
	FUZZ_CHECK(k->calls + k->resends > 0);
	k->ops++;
	fuzzkit_mix(&k->sum, o->op);
	fuzzkit_mix(&k->sum, o->has_count ? o->count : 0);
	fuzzkit_mix(&k->sum, o->has_status ? o->status : 0);
	fuzzkit_mix_bytes(&k->sum, o->fh, o->fh_len);
	fuzzkit_mix_bytes(&k->sum, o->name, o->name_len);
}

static void
on_net(void *ctx, const struct net_event *e)
{
	(void)ctx;
	FUZZ_CHECK(e->kind <= NET_WINDOW_OPEN);
	FUZZ_CHECK(e->pair != DECODER_NONE);
}

static void
on_count(void *ctx, int64_t time_ns, enum sample_counter counter, uint64_t n)
{
	struct fuzzears *k = ctx;

	(void)time_ns;
	FUZZ_CHECK(counter < SAMPLE_COUNTERS);
	FUZZ_CHECK(k->counter[counter] + n >= k->counter[counter]);
	k->counter[counter] += n;
}

void
fuzzears_config(struct decoder_config *config)
{
	decoder_config_init(config);
	config->max_flows = 8;
	config->max_calls = 16;
	config->max_datagrams = 4;
	config->max_hold_bytes = 64U << 10;
}

struct decoder *
fuzzears_decoder(struct fuzzears *k, struct decoder_config *config)
{
	static const struct decoder_listener listener = {
		on_packet, on_rpc, on_op, on_net, on_count
	};
	struct decoder *d;

	memset(k, 0, sizeof(*k));
	k->steady = true;
	d = decoder_new(config, &listener, k);
	FUZZ_CHECK(d != NULL);
	return d;
}

void
fuzzears_push(struct fuzzears *k, struct decoder *d, const struct packet *p)
{
	uint8_t *copy = testkit_copy(p->data.data, p->data.len);
	struct packet pkt = *p;

	pkt.data.data = copy;
	if (k->packets > 0 && pkt.time_ns < k->latest_ns)
		k->steady = false;
	k->latest_ns = pkt.time_ns;
	k->pkt = &pkt;
	k->told = false;
	decoder_push(d, &pkt);
	FUZZ_CHECK(k->told);
	k->pkt = NULL;
	testkit_free(copy);
}

void
fuzzears_end(struct fuzzears *k, struct decoder *d)
{
	decoder_flush(d);
	/* Every call was answered or given up. */
	FUZZ_CHECK(k->calls <= k->replies - k->duplicates + k->gone);
	decoder_free(d);
}

/* SPDX-License-Identifier: ISC */
/*
 * decoder.c: packet in, NFS traffic and RPC events out.
 */
#include "decoder.h"

#include <stdlib.h>
#include <string.h>

#include "dialog.h"
#include "flow.h"
#include "frame.h"
#include "ipfrag.h"
#include "likeness.h"
#include "offload.h"
#include "rdmatalk.h"
#include "rocev2.h"
#include "service.h"
#include "sides.h"
#include "tcptalk.h"
#include "transport.h"
#include "twins.h"
#include "udptalk.h"

#define NFS_PORT	2049
#define ADVANCE_NS	NSEC_PER_SEC
#define DATAGRAM_AGE_NS	(30 * NSEC_PER_SEC)	/* Linux ipfrag_time */

struct decoder {
	struct decoder_listener	 l;
	void			*ctx;
	uint32_t		 mtu;
	struct flowtable	*flows;
	struct service		*services;
	struct dialog		*dialog;
	struct ipfrag		*frags;
	struct twins		*twins;		/* many sources, or NULL */
	struct tcptalk		 tcptalk;
	struct rdmatalk		*rdmatalk;
	uint64_t		 evicted_datagrams;	/* told so far */
	int64_t			 now_ns;
	int64_t			 advanced_ns;
	bool			 started;
};

/* One packet on its way through the layers. */
struct arrival {
	const struct packet	*pkt;
	struct frame		 f;
	struct packet_event	 event;
	struct flow		*flow;
	int			 dir;
	bool			 head_told;	/* of a datagram of fragments */
};

static void
count(struct decoder *d, enum sample_counter c, uint64_t n)
{
	d->l.count(d->ctx, d->now_ns, c, n);
}

void
decoder_config_init(struct decoder_config *config)
{
	memset(config, 0, sizeof(*config));
	config->max_flows = 16384;
	config->max_calls = 32768;
	config->max_datagrams = 4096;
	config->max_hold_bytes = 4U << 20;
}

static void
datagram_incomplete(void *ctx, const struct ipfrag_datagram *g)
{
	struct decoder *d = ctx;
	uint64_t evicted = ipfrag_stats(d->frags)->evicted;

	(void)g;
	count(d, SAMPLE_IP_INCOMPLETE, 1);
	if (evicted != d->evicted_datagrams)
		count(d, SAMPLE_EVICTED_DATAGRAMS, 1);
	d->evicted_datagrams = evicted;
}

static void
flow_evicted(void *ctx, struct flow *f)
{
	struct decoder *d = ctx;

	if (f->kept)
		count(d, SAMPLE_EVICTED_FLOWS, 1);
}

static bool
make_tables(struct decoder *d, const struct decoder_config *config)
{
	const uint16_t nfs = NFS_PORT;
	struct flow_config fc = {
		.max_flows = config->max_flows,
		.max_pairs = config->max_flows * 2,
		.max_hunts = 64,
		.max_hold_bytes = config->max_hold_bytes,
		.seed = { config->seed[0], config->seed[1] },
		.evicted = flow_evicted, .ctx = d
	};
	struct ipfrag_config ic = {
		.capacity = config->max_datagrams,
		.max_age_ns = DATAGRAM_AGE_NS,
		.seed = { config->seed[0], config->seed[1] },
		.incomplete = datagram_incomplete, .ctx = d
	};
	struct dialog_config dc = {
		.max_calls = config->max_calls,
		.seed = { config->seed[0], config->seed[1] },
		.listener = &d->l, .ctx = d->ctx,
		.learned = config->learned,
		.learned_ctx = config->learned_ctx
	};
	struct rdmatalk_config rc = {
		.max_queues = config->max_flows / 4 + 1,
		.seed = { config->seed[0], config->seed[1] },
		.listener = &d->l, .ctx = d->ctx
	};

	d->services = service_new(config->ports > 0 ? config->port : &nfs,
	    config->ports > 0 ? config->ports : 1, config->server,
	    config->servers, config->seed);
	dc.flows = d->flows = flowtable_new(&fc);
	dc.services = d->services;
	d->frags = ipfrag_new(&ic);
	if (config->many_sources &&
	    (d->twins = twins_new(config->seed)) == NULL)
		return false;
	if (d->services == NULL || d->flows == NULL || d->frags == NULL)
		return false;
	rc.dialog = d->dialog = dialog_new(&dc);
	d->rdmatalk = rdmatalk_new(&rc);
	d->tcptalk = (struct tcptalk){ d->dialog, d->flows, &d->l, d->ctx };
	return d->dialog != NULL && d->rdmatalk != NULL;
}

struct decoder *
decoder_new(const struct decoder_config *config,
    const struct decoder_listener *listener, void *ctx)
{
	struct decoder *d;

	if ((d = calloc(1, sizeof(*d))) == NULL)
		return NULL;
	d->l = *listener;
	d->ctx = ctx;
	d->mtu = config->mtu;
	if (!make_tables(d, config)) {
		decoder_free(d);
		return NULL;
	}
	return d;
}

void
decoder_free(struct decoder *d)
{
	if (d == NULL)
		return;
	rdmatalk_free(d->rdmatalk);
	dialog_free(d->dialog);
	ipfrag_free(d->frags);
	flowtable_free(d->flows);
	service_free(d->services);
	twins_free(d->twins);
	free(d);
}

static void
find_flow(struct decoder *d, struct arrival *a)
{
	struct endpoint src = { a->f.ip.src, a->f.seg.sport, 0 };
	struct endpoint dst = { a->f.ip.dst, a->f.seg.dport, 0 };
	bool fresh;

	a->flow = flow_get(d->flows, &src, &dst, a->f.seg.proto, d->now_ns,
	    &a->dir, &fresh);
	if (fresh)
		sides_guess(a->flow, d->flows, d->services, d->now_ns);
	a->event.dir = sides_direction(a->flow, a->dir);
	a->event.pair = a->flow->pair;
}

/* What the wire carried for a frame that offload merged. */
static void
wire_packets(struct decoder *d, struct arrival *a)
{
	const struct offload_frame frame = {
		.mtu = d->mtu,
		.network_len = a->f.tunnel_len + a->f.ip.header_len
	};
	uint32_t headers = a->f.link.header_len + frame.network_len +
	    a->f.seg.header_len;
	uint32_t n = offload_packets(a->flow, a->dir, &a->f.seg, &frame);

	a->event.wire_packets = n;
	a->event.wire_bytes += (n - 1) * headers;
}

static void
tell_packet(struct decoder *d, const struct arrival *a)
{
	d->l.packet(d->ctx, &a->event);
}

static void
keep_if_rpc(struct decoder *d, struct flow *f)
{
	if ((f->role == FLOW_RPC || f->role == FLOW_ENCRYPTED) && !f->kept)
		flow_keep(d->flows, f);
}

/* What is not looked into may have been RPC. */
static void
passed_by(struct decoder *d, enum rpc_guess guess)
{
	if (guess == RPC_GUESS_CALL || guess == RPC_GUESS_REPLY)
		count(d, SAMPLE_RPC_ELSEWHERE, 1);
}

static void
tcp_packet(struct decoder *d, struct arrival *a)
{
	find_flow(d, a);
	if (a->f.seg.payload_len > 0)
		wire_packets(d, a);
	tell_packet(d, a);
	if (a->flow->role == FLOW_OTHER && (a->f.seg.flags & TCP_SYN) == 0) {
		passed_by(d, likeness_segment(&a->f.seg));
		return;
	}
	tcptalk_segment(&d->tcptalk, a->flow, a->dir, &a->f.seg, d->now_ns);
	keep_if_rpc(d, a->flow);
}

static void
udp_payload(struct decoder *d, struct arrival *a, struct bytes head,
    uint32_t len, int64_t first_ns)
{
	struct talk t = { d->dialog, a->flow, a->dir, d->now_ns,
	    a->head_told };

	if (a->flow->role == FLOW_OTHER) {
		passed_by(d, likeness_datagram(head));
		return;
	}
	udptalk_datagram(&t, head, len, first_ns,
	    a->flow->role != FLOW_UNKNOWN);
	keep_if_rpc(d, a->flow);
}

/* Source ports of RoCEv2 only spread the load: two hosts have one flow. */
static void
rdma_packet(struct decoder *d, struct arrival *a)
{
	struct rocev2_packet p;

	a->f.seg.sport = ROCEV2_PORT;
	find_flow(d, a);
	tell_packet(d, a);
	if (a->flow->role == FLOW_OTHER)
		return;
	if (rocev2_decode(a->f.seg.payload, a->f.seg.payload_len, &p) !=
	    ROCEV2_OK) {
		count(d, SAMPLE_BAD_TRANSPORT, 1);
		return;
	}
	rdmatalk_packet(d->rdmatalk, a->flow, a->dir, &p, d->now_ns);
	keep_if_rpc(d, a->flow);
}

/* RDMA, and no answer of an RPC service to a client's port of that number. */
static bool
is_rdma(struct decoder *d, const struct arrival *a)
{
	const struct endpoint src = { a->f.ip.src, a->f.seg.sport, 0 };

	return a->f.seg.dport == ROCEV2_PORT &&
	    service_claim(d->services, &src) == 0;
}

static void
udp_packet(struct decoder *d, struct arrival *a)
{
	if (is_rdma(d, a)) {
		rdma_packet(d, a);
		return;
	}
	find_flow(d, a);
	tell_packet(d, a);
	udp_payload(d, a, a->f.seg.payload, a->f.seg.payload_len, d->now_ns);
}

/* The UDP header and payload at the head of a datagram of fragments. */
static bool
datagram_head(struct arrival *a, const struct ipfrag_datagram *g)
{
	uint32_t len = g->total_len > 0 ? g->total_len : 65535;

	return g->proto == IP_PROTO_UDP && transport_decode(g->proto, g->head,
	    len, &a->f.seg) == TRANSPORT_OK && a->f.seg.has_ports;
}

/* ip_mark: what is known of a datagram after its first fragment. */
enum { MARK_NEW, MARK_HEAD = 1, MARK_DIRECTION = 2 };

static void
fragment(struct decoder *d, struct arrival *a)
{
	struct ipfrag_datagram g;
	uint8_t *mark;
	bool whole = ipfrag_push(d->frags, &a->f.ip, d->now_ns, &g, &mark);
	bool head = false;

	count(d, SAMPLE_IP_FRAGMENTS, 1);
	a->head_told = *mark >= MARK_DIRECTION;
	if ((whole || *mark == MARK_NEW) && (head = datagram_head(a, &g))) {
		find_flow(d, a);
		*mark = (uint8_t)(MARK_DIRECTION + a->event.dir);
	} else if (*mark >= MARK_DIRECTION)
		a->event.dir = (enum sample_direction)(*mark - MARK_DIRECTION);
	else
		a->event.dir = sides_of_fragment(&a->f.ip, d->services);
	tell_packet(d, a);
	if (!head)
		return;
	if (whole)
		udp_payload(d, a, a->f.seg.payload, a->f.seg.payload_len,
		    g.first_ns);
	else if (a->flow->role != FLOW_OTHER) {
		struct talk t = { d->dialog, a->flow, a->dir, d->now_ns,
		    false };

		udptalk_head(&t, a->f.seg.payload, g.first_ns);
	}
}

static bool
is_twin(struct decoder *d, const struct arrival *a)
{
	const struct packet *pkt = a->pkt;

	return d->twins != NULL && twins_seen(d->twins, &a->f.ip,
	    a->f.link.has_ifindex ? a->f.link.ifindex : pkt->ifindex,
	    pkt->time_ns);
}

/* What is no segment, whole or in part, is only told. */
static void
other_packet(struct decoder *d, struct arrival *a, enum frame_result result)
{
	static const enum sample_counter why[] = {
		[FRAME_CUT] = SAMPLE_BAD_TRANSPORT,
		[FRAME_BAD_TRANSPORT] = SAMPLE_BAD_TRANSPORT,
		[FRAME_BAD_IP] = SAMPLE_BAD_IP,
		[FRAME_NOT_IP] = SAMPLE_NOT_IP,
		[FRAME_BAD_LINK] = SAMPLE_BAD_LINK,
	};

	if (result == FRAME_CUT && a->f.seg.has_ports)
		find_flow(d, a);
	if (result != FRAME_OTHER)
		count(d, why[result], 1);
	tell_packet(d, a);
}

static void
understand(struct decoder *d, struct arrival *a)
{
	enum frame_result result = frame_open(&a->f, a->pkt);

	if (a->f.tunnels > 0)
		count(d, SAMPLE_TUNNELLED, 1);
	if (result <= FRAME_BAD_TRANSPORT && is_twin(d, a)) {
		count(d, SAMPLE_COPIES, 1);
		tell_packet(d, a);
		return;
	}
	switch (result) {
	case FRAME_TCP:
		tcp_packet(d, a);
		break;
	case FRAME_UDP:
		udp_packet(d, a);
		break;
	case FRAME_FRAGMENT:
		fragment(d, a);
		break;
	default:
		other_packet(d, a, result);
		break;
	}
}

void
decoder_push(struct decoder *d, const struct packet *pkt)
{
	struct arrival a;

	d->now_ns = pkt->time_ns;
	if (!d->started || pkt->time_ns - d->advanced_ns >= ADVANCE_NS ||
	    pkt->time_ns < d->advanced_ns)
		decoder_advance(d, pkt->time_ns);
	a.pkt = pkt;
	a.flow = NULL;
	a.head_told = false;
	a.event = (struct packet_event){
		.time_ns = pkt->time_ns, .dir = SAMPLE_OTHER,
		.bytes = pkt->wire_len, .wire_packets = 1,
		.wire_bytes = pkt->wire_len, .pair = DECODER_NONE
	};
	if (pkt->data.len < pkt->wire_len && !pkt->trimmed)
		count(d, SAMPLE_TRUNCATED, 1);
	understand(d, &a);
}

static void
tick_flow(void *ctx, struct flow *f)
{
	struct decoder *d = ctx;

	tcptalk_tick(&d->tcptalk, f, d->now_ns);
}

void
decoder_advance(struct decoder *d, int64_t now_ns)
{
	d->now_ns = d->advanced_ns = now_ns;
	d->started = true;
	ipfrag_advance(d->frags, now_ns);
	dialog_advance(d->dialog, now_ns);
	flowtable_each_troubled(d->flows, tick_flow, d);
}

static void
flush_flow(void *ctx, struct flow *f)
{
	struct decoder *d = ctx;

	if (f->proto == IP_PROTO_TCP)
		tcptalk_flush(&d->tcptalk, f, d->now_ns);
}

void
decoder_flush(struct decoder *d)
{
	flowtable_each(d->flows, flush_flow, d);
	rdmatalk_flush(d->rdmatalk);
	ipfrag_flush(d->frags);
	dialog_flush(d->dialog);
	flowtable_reset(d->flows);
}

const struct addr *
decoder_pair_client(const struct decoder *d, uint32_t pair)
{
	const struct pair_key *k = pair_key(d->flows, pair);

	return k != NULL ? &k->client : NULL;
}

const struct addr *
decoder_pair_server(const struct decoder *d, uint32_t pair)
{
	const struct pair_key *k = pair_key(d->flows, pair);

	return k != NULL ? &k->server : NULL;
}

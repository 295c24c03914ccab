/* SPDX-License-Identifier: ISC */
/*
 * decoder.c: packet in, NFS traffic and RPC events out.
 */
#include "decoder.h"

#include <stdlib.h>
#include <string.h>

#include "dialog.h"
#include "flow.h"
#include "ip.h"
#include "ipfrag.h"
#include "link.h"
#include "service.h"
#include "tcptalk.h"
#include "transport.h"
#include "twins.h"
#include "udptalk.h"

#define NFS_PORT	2049
#define ADVANCE_NS	NSEC_PER_SEC
#define DATAGRAM_AGE_NS	(30 * NSEC_PER_SEC)	/* Linux ipfrag_time */
#define ORDINARY_FRAME	1518	/* longer ones were made by offload, unless
				 * the MTU says otherwise */

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
	int64_t			 now_ns;
	int64_t			 advanced_ns;
	bool			 started;
};

/* One packet on its way through the layers. */
struct frame {
	const struct packet	*pkt;
	struct link_frame	 link;
	struct ip_packet	 ip;
	struct segment		 seg;
	struct packet_event	 event;
	struct flow		*flow;
	int			 dir;
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

	(void)g;
	count(d, SAMPLE_IP_INCOMPLETE, 1);
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
	d->dialog = dialog_new(&dc);
	d->tcptalk = (struct tcptalk){ d->dialog, d->flows, d->services,
	    &d->l, d->ctx };
	return d->dialog != NULL;
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
	dialog_free(d->dialog);
	ipfrag_free(d->frags);
	flowtable_free(d->flows);
	service_free(d->services);
	twins_free(d->twins);
	free(d);
}

static enum sample_direction
direction(const struct flow *f, int dir)
{
	if (f->server < 0 || f->role == FLOW_OTHER || f->role == FLOW_UNKNOWN)
		return SAMPLE_OTHER;
	return f->server == dir ? SAMPLE_OUT : SAMPLE_IN;
}

/* A new flow: which side may be the server, by -S or by its ports. */
static void
guess_server(struct decoder *d, struct flow *f)
{
	struct endpoint e[2];
	int claim[2], i;

	for (i = 0; i < 2; i++) {
		flow_endpoint(d->flows, f, i, &e[i]);
		claim[i] = service_claim(d->services, &e[i]);
		if (service_is_fixed_server(d->services, &e[i].addr))
			f->server = (int8_t)i;
	}
	if (service_fixed(d->services)) {
		if (f->server < 0) {
			f->role = FLOW_OTHER;	/* another server's */
			return;
		}
		i = f->server;
		f->server = -1;
		/* A host may serve itself: then the port tells. */
		if (addr_equal(&e[0].addr, &e[1].addr))
			i = claim[1] > claim[0];
		flow_set_server(d->flows, f, i, d->now_ns);
	} else if (claim[0] != claim[1])
		flow_set_server(d->flows, f, claim[1] > claim[0], d->now_ns);
	if (claim[0] > 0 || claim[1] > 0)
		f->role = FLOW_LIKELY;
}

static void
find_flow(struct decoder *d, struct frame *fr)
{
	struct endpoint src = { fr->ip.src, fr->seg.sport, 0 };
	struct endpoint dst = { fr->ip.dst, fr->seg.dport, 0 };
	bool fresh;

	fr->flow = flow_get(d->flows, &src, &dst, fr->seg.proto, d->now_ns,
	    &fr->dir, &fresh);
	if (fresh)
		guess_server(d, fr->flow);
	fr->event.dir = direction(fr->flow, fr->dir);
	fr->event.pair = fr->flow->pair;
}

/*
 * How many packets the wire carried for a frame that offload merged (DESIGN
 * sec. 2): the payload in units of what one segment holds.
 */
static void
wire_packets(struct decoder *d, struct frame *fr)
{
	struct flow_dir *back = &fr->flow->dir[!fr->dir];
	struct flow_dir *here = &fr->flow->dir[fr->dir];
	uint32_t len = fr->seg.payload_len, headers, unit, n;
	uint32_t options = fr->seg.header_len > 20 ?
	    fr->seg.header_len - 20 : 0;

	headers = fr->link.header_len + fr->ip.header_len + fr->seg.header_len;
	if (back->mss > options)		/* RFC 9293 3.7.1, RFC 6691 */
		unit = back->mss - options;
	else if (d->mtu > fr->ip.header_len + fr->seg.header_len)
		unit = d->mtu - fr->ip.header_len - fr->seg.header_len;
	else if (fr->event.bytes <= ORDINARY_FRAME) {
		if (len > here->largest)
			here->largest = (uint16_t)len;
		return;
	} else
		unit = here->largest > 512 ? here->largest : 1448;
	if (len <= unit || fr->event.bytes <= ORDINARY_FRAME)
		return;
	n = len / unit + (len % unit != 0);
	fr->event.wire_packets = n;
	fr->event.wire_bytes += (n - 1) * headers;
}

static void
tell_packet(struct decoder *d, const struct frame *fr)
{
	d->l.packet(d->ctx, &fr->event);
}

static void
keep_if_rpc(struct decoder *d, struct flow *f)
{
	if (f->role == FLOW_RPC && !f->kept)
		flow_keep(d->flows, f);
}

static void
tcp_packet(struct decoder *d, struct frame *fr)
{
	find_flow(d, fr);
	if (fr->seg.payload_len > 0)
		wire_packets(d, fr);
	tell_packet(d, fr);
	if (fr->flow->role == FLOW_OTHER && (fr->seg.flags & TCP_SYN) == 0)
		return;
	tcptalk_segment(&d->tcptalk, fr->flow, fr->dir, &fr->seg, d->now_ns);
	keep_if_rpc(d, fr->flow);
}

static void
udp_payload(struct decoder *d, struct frame *fr, struct bytes head,
    uint32_t len, int64_t first_ns)
{
	struct talk t = { d->dialog, fr->flow, fr->dir, d->now_ns };

	if (fr->flow->role == FLOW_OTHER)
		return;
	udptalk_datagram(&t, head, len, first_ns,
	    fr->flow->role != FLOW_UNKNOWN);
	keep_if_rpc(d, fr->flow);
}

static void
udp_packet(struct decoder *d, struct frame *fr)
{
	find_flow(d, fr);
	tell_packet(d, fr);
	udp_payload(d, fr, fr->seg.payload, fr->seg.payload_len, d->now_ns);
}

/* Direction of a fragment without ports: by hosts known to serve. */
static enum sample_direction
fragment_direction(struct decoder *d, const struct ip_packet *ip)
{
	bool in = service_is_host(d->services, &ip->dst);
	bool out = service_is_host(d->services, &ip->src);

	if (in == out)
		return SAMPLE_OTHER;
	return in ? SAMPLE_IN : SAMPLE_OUT;
}

/* The UDP header and payload at the head of a datagram of fragments. */
static bool
datagram_head(struct frame *fr, const struct ipfrag_datagram *g)
{
	uint32_t len = g->total_len > 0 ? g->total_len : 65535;

	return g->proto == IP_PROTO_UDP && transport_decode(g->proto, g->head,
	    len, &fr->seg) == TRANSPORT_OK && fr->seg.has_ports;
}

/* ip_mark: what is known of a datagram after its first fragment. */
enum { MARK_NEW, MARK_HEAD = 1, MARK_DIRECTION = 2 };

static void
fragment(struct decoder *d, struct frame *fr)
{
	struct ipfrag_datagram g;
	uint8_t *mark;
	bool whole = ipfrag_push(d->frags, &fr->ip, d->now_ns, &g, &mark);
	bool head = false;

	count(d, SAMPLE_IP_FRAGMENTS, 1);
	if ((whole || *mark == MARK_NEW) && (head = datagram_head(fr, &g))) {
		find_flow(d, fr);
		*mark = (uint8_t)(MARK_DIRECTION + fr->event.dir);
	} else if (*mark >= MARK_DIRECTION)
		fr->event.dir = (enum sample_direction)(*mark - MARK_DIRECTION);
	else
		fr->event.dir = fragment_direction(d, &fr->ip);
	tell_packet(d, fr);
	if (!head)
		return;
	if (whole)
		udp_payload(d, fr, fr->seg.payload, fr->seg.payload_len,
		    g.first_ns);
	else if (fr->flow->role != FLOW_OTHER) {
		struct talk t = { d->dialog, fr->flow, fr->dir, d->now_ns };

		udptalk_head(&t, fr->seg.payload, g.first_ns);
	}
}

static void
ip_payload(struct decoder *d, struct frame *fr)
{
	if (fr->ip.fragment) {
		fragment(d, fr);
		return;
	}
	switch (transport_decode(fr->ip.proto, fr->ip.payload,
	    fr->ip.payload_len, &fr->seg)) {
	case TRANSPORT_OK:
		if (fr->seg.proto == IP_PROTO_TCP)
			tcp_packet(d, fr);
		else
			udp_packet(d, fr);
		return;
	case TRANSPORT_SHORT:
		if (fr->seg.has_ports)
			find_flow(d, fr);
		count(d, SAMPLE_BAD_TRANSPORT, 1);
		break;
	case TRANSPORT_BAD:
		count(d, SAMPLE_BAD_TRANSPORT, 1);
		break;
	case TRANSPORT_OTHER:
		break;
	}
	tell_packet(d, fr);
}

static bool
network_layer(struct decoder *d, struct frame *fr)
{
	uint32_t rest = fr->event.bytes > fr->link.header_len ?
	    fr->event.bytes - fr->link.header_len : 0;

	if (rest < fr->link.rest.len)
		rest = (uint32_t)fr->link.rest.len;
	if (ip_decode(fr->link.rest, rest, &fr->ip) != IP_OK) {
		count(d, SAMPLE_BAD_IP, 1);
		return false;
	}
	return true;
}

static bool
link_layer(struct decoder *d, struct frame *fr)
{
	switch (link_decode(fr->pkt->linktype, fr->pkt->data, &fr->link)) {
	case LINK_OK:
		return network_layer(d, fr);
	case LINK_NOT_IP:
		count(d, SAMPLE_NOT_IP, 1);
		break;
	case LINK_SHORT:
	case LINK_UNSUPPORTED:
		count(d, SAMPLE_BAD_LINK, 1);
		break;
	}
	return false;
}

void
decoder_push(struct decoder *d, const struct packet *pkt)
{
	struct frame fr;

	d->now_ns = pkt->time_ns;
	if (!d->started || pkt->time_ns - d->advanced_ns >= ADVANCE_NS ||
	    pkt->time_ns < d->advanced_ns)
		decoder_advance(d, pkt->time_ns);
	fr.pkt = pkt;
	fr.flow = NULL;
	fr.event = (struct packet_event){
		.time_ns = pkt->time_ns, .dir = SAMPLE_OTHER,
		.bytes = pkt->wire_len, .wire_packets = 1,
		.wire_bytes = pkt->wire_len, .pair = DECODER_NONE
	};
	if (pkt->data.len < pkt->wire_len)
		count(d, SAMPLE_TRUNCATED, 1);
	if (!link_layer(d, &fr)) {
		tell_packet(d, &fr);
		return;
	}
	if (d->twins != NULL && twins_seen(d->twins, &fr.ip,
	    fr.link.has_ifindex ? fr.link.ifindex : pkt->ifindex,
	    pkt->time_ns)) {
		count(d, SAMPLE_COPIES, 1);
		tell_packet(d, &fr);
		return;
	}
	ip_payload(d, &fr);
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

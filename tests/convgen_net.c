/* SPDX-License-Identifier: ISC */
/*
 * convgen_net.c: frames to bytes: link, IP and TCP headers before the payload.
 */
#include "convgen_int.h"

/* LINKTYPE_ values, https://www.tcpdump.org/linktypes.html */
#define LINK_NULL	0
#define LINK_ETHERNET	1
#define LINK_RAW	101
#define LINK_LOOP	108
#define LINK_SLL	113
#define LINK_SLL2	276

#define ETHER_MIN	60		/* without FCS */

void
cg_link_choose(struct convgen *g)
{
	static const struct {
		int		type;
		uint32_t	len, share;
	} links[] = {
		{ LINK_ETHERNET, 14, 70 }, { LINK_ETHERNET, 18, 8 },
		{ LINK_ETHERNET, 22, 4 }, { LINK_SLL, 16, 5 },
		{ LINK_SLL2, 20, 5 }, { LINK_RAW, 0, 4 }, { LINK_NULL, 4, 2 },
		{ LINK_LOOP, 4, 2 },
	};
	uint32_t pick = cg_below(g, 100), i;

	for (i = 0; pick >= links[i].share; i++)
		pick -= links[i].share;
	g->linktype = links[i].type;
	g->link_len = links[i].len;
	g->ip_options = cg_chance(g, 50000) ? 8 : 0;
	g->tcp_options = cg_chance(g, 800000) ? 12 : 0;
}

static const struct cg_flow *
flow_of(const struct convgen *g, const struct cg_frame *f)
{
	return &g->flow[f->flow];
}

static bool
is_fragment(const struct convgen *g, const struct cg_frame *f)
{
	return f->send != CG_NONE && f->len != g->send[f->send].len;
}

static uint32_t
tcp_header_len(const struct convgen *g, const struct cg_frame *f)
{
	if ((f->flags & 0x02) != 0)
		return g->tcp_options != 0 ? 40 : 24;
	return 20 + g->tcp_options;
}

uint32_t
cg_frame_header(const struct convgen *g, const struct cg_frame *f)
{
	uint32_t n = g->link_len + g->ip_options;

	if (flow_of(g, f)->v6)
		n += 40 + (is_fragment(g, f) ? 8U : 0);
	else
		n += 20;
	return flow_of(g, f)->tcp ? n + tcp_header_len(g, f) : n;
}

uint32_t
cg_frame_wire(const struct convgen *g, const struct cg_frame *f)
{
	uint32_t n = cg_frame_header(g, f) + f->len;

	return g->linktype == LINK_ETHERNET && n < ETHER_MIN ? ETHER_MIN : n;
}

static uint8_t *
put_ethernet(const struct convgen *g, const struct cg_frame *f, uint8_t *p,
    uint32_t type)
{
	uint32_t tags;

	memset(p, 0, g->link_len);
	p[0] = p[6] = 0x02;
	p[f->dir == 0 ? 5 : 11] = 0x01;
	p[f->dir == 0 ? 11 : 5] = 0x02;
	p += 12;
	for (tags = (g->link_len - 14) / 4; tags > 0; tags--) {
		cg_poke16(p, tags == 2 ? 0x88a8 : 0x8100);
		cg_poke16(p + 2, 100 + tags);
		p += 4;
	}
	cg_poke16(p, type);
	return p + 2;
}

static uint8_t *
put_link(const struct convgen *g, const struct cg_frame *f, uint8_t *p)
{
	uint32_t type = flow_of(g, f)->v6 ? 0x86dd : 0x0800;

	if (g->linktype == LINK_ETHERNET)
		return put_ethernet(g, f, p, type);
	memset(p, 0, g->link_len);
	switch (g->linktype) {
	case LINK_SLL:
		cg_poke16(p, f->dir == 0 ? 0 : 4);
		cg_poke16(p + 2, 1);
		cg_poke16(p + 4, 6);
		cg_poke16(p + 14, type);
		break;
	case LINK_SLL2:
		cg_poke16(p, type);
		cg_poke32(p + 4, 2);
		cg_poke16(p + 8, 1);
		p[10] = f->dir == 0 ? 0 : 4;
		p[11] = 6;
		break;
	case LINK_NULL:			/* the host's order: little here */
		p[0] = flow_of(g, f)->v6 ? 30 : 2;
		break;
	case LINK_LOOP:
		p[3] = flow_of(g, f)->v6 ? 24 : 2;
		break;
	default:
		break;
	}
	return p + g->link_len;
}

static uint32_t
checksum(const uint8_t *p, uint32_t n)
{
	uint32_t sum = 0, i;

	for (i = 0; i < n; i += 2)
		sum += (uint32_t)p[i] << 8 | p[i + 1];
	while (sum > 0xffff)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum & 0xffff;
}

/* RFC 791 3.1; len is what follows the IP header. */
static uint8_t *
put_ipv4(const struct convgen *g, const struct cg_frame *f, uint8_t *p,
    uint32_t len)
{
	const struct cg_flow *w = flow_of(g, f);
	uint32_t head = 20 + g->ip_options, place = 0x4000;

	if (f->send != CG_NONE) {
		place = f->off / 8;
		if (f->off + f->len < g->send[f->send].len)
			place |= 0x2000;
	}
	p[0] = (uint8_t)(0x40 | head / 4);
	p[1] = 0;
	cg_poke16(p + 2, head + len);
	cg_poke16(p + 4, f->send != CG_NONE ? g->send[f->send].ip_id :
	    f->order);
	cg_poke16(p + 6, place);
	p[8] = 64;
	p[9] = w->tcp ? 6 : 17;
	cg_poke16(p + 10, 0);
	memcpy(p + 12, w->addr[f->dir], 4);
	memcpy(p + 16, w->addr[!f->dir], 4);
	memset(p + 20, 1, g->ip_options);	/* no-operation */
	cg_poke16(p + 10, checksum(p, head));
	return p + head;
}

/* RFC 8200 3; options are a hop-by-hop header of nothing but padding. */
static uint8_t *
put_ipv6(const struct convgen *g, const struct cg_frame *f, uint8_t *p,
    uint32_t len)
{
	const struct cg_flow *w = flow_of(g, f);
	uint32_t place = f->off;
	uint8_t proto = w->tcp ? 6 : 17, *next = p + 6;
	bool fragment = is_fragment(g, f);

	cg_poke32(p, 0x60000000);
	cg_poke16(p + 4, len + g->ip_options + (fragment ? 8U : 0));
	p[7] = 64;
	memcpy(p + 8, w->addr[f->dir], 16);
	memcpy(p + 24, w->addr[!f->dir], 16);
	p += 40;
	if (g->ip_options != 0) {
		*next = 0;
		next = p;
		memset(p, 0, 8);
		p[2] = 1;		/* PadN */
		p[3] = 4;
		p += 8;
	}
	if (fragment) {
		*next = 44;
		next = p;
		p[1] = 0;
		if (f->off + f->len < g->send[f->send].len)
			place |= 1;
		cg_poke16(p + 2, place);
		cg_poke32(p + 4, g->send[f->send].ip_id);
		p += 8;
	}
	*next = proto;
	return p;
}

/* RFC 9293 3.1 */
static uint8_t *
put_tcp(const struct convgen *g, const struct cg_frame *f, uint8_t *p)
{
	const struct cg_flow *w = flow_of(g, f);
	uint32_t head = tcp_header_len(g, f);
	bool syn = (f->flags & 0x02) != 0;
	uint8_t *o = p + 20;

	memset(p, 0, head);
	cg_poke16(p, w->port[f->dir]);
	cg_poke16(p + 2, w->port[!f->dir]);
	cg_poke32(p + 4, w->isn[f->dir] + (syn ? 0 : 1) + f->off);
	if ((f->flags & 0x10) != 0)
		cg_poke32(p + 8, w->isn[!f->dir] + 1 + f->ack);
	p[12] = (uint8_t)(head / 4 << 4);
	p[13] = f->flags;
	cg_poke16(p + 14, 64000);
	if (syn) {
		o[0] = 2;		/* maximum segment size */
		o[1] = 4;
		cg_poke16(o + 2, w->mss);
		o += 4;
	}
	if (g->tcp_options == 0)
		return p + head;
	cg_poke32(o, 0x0101080a);	/* time stamps, RFC 7323 */
	cg_poke32(o + 4, (uint32_t)(f->t / CG_MS));
	if (syn)			/* and window scale */
		cg_poke32(o + 12, 0x01030307);
	return p + head;
}

void
convgen_packet(struct convgen *g, size_t i, struct packet *out)
{
	const struct cg_frame *f = &g->frame[i];
	const struct cg_flow *w = flow_of(g, f);
	uint32_t wire = cg_frame_wire(g, f), len = f->len;
	uint32_t at = f->send != CG_NONE ? g->send[f->send].at :
	    w->base[f->dir];
	uint8_t *p;

	g->frame_bytes.len = 0;
	p = cg_add(&g->frame_bytes, wire);
	p = put_link(g, f, p);
	if (w->tcp)
		len += tcp_header_len(g, f);
	p = w->v6 ? put_ipv6(g, f, p, len) : put_ipv4(g, f, p, len);
	if (w->tcp)
		p = put_tcp(g, f, p);
	if (f->probe)
		memset(p, 0, f->len);
	else if (f->len > 0)
		memcpy(p, g->spool[f->dir].data + at + f->off, f->len);
	p += f->len;
	if (p < g->frame_bytes.data + wire)
		memset(p, 0x5a, (size_t)(g->frame_bytes.data + wire - p));
	*out = (struct packet){ .time_ns = f->t };
	out->data = bytes_of(g->frame_bytes.data, f->cap < wire ? f->cap :
	    wire);
	out->wire_len = wire;
	out->linktype = g->linktype;
	out->ifindex = f->ifindex;
}

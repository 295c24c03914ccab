/* SPDX-License-Identifier: ISC */
/*
 * frame.c: a captured frame down to its innermost IP packet and segment.
 */
#include "frame.h"

#include "tunnel.h"

/*
 * Takes the packet inside a tunnel, behind so many bytes of the one at hand.
 * True when that was all that could be done: *result says how it went.
 */
static bool
leave_outer(struct frame *f, enum tunnel_result res,
    const struct tunnel_inner *in, uint32_t header_len,
    enum frame_result *result)
{
	switch (res) {
	case TUNNEL_NONE:
		return true;
	case TUNNEL_SHORT:
	case TUNNEL_BAD:
		*result = FRAME_BAD_IP;
		return true;
	case TUNNEL_OK:
		break;
	}
	f->tunnels++;
	f->tunnel_len += header_len + in->header_len;
	f->ip = in->ip;
	return false;
}

static bool
open_udp(struct frame *f, enum frame_result *result)
{
	struct tunnel_inner in;

	*result = FRAME_UDP;
	if (f->seg.dport < TUNNEL_PORT_VXLAN || !tunnel_is_port(f->seg.dport) ||
	    f->tunnels == TUNNEL_NESTED_MAX)
		return true;
	return leave_outer(f, tunnel_udp(f->seg.dport, f->seg.payload,
	    f->seg.payload_len, &in), &in,
	    f->ip.header_len + f->seg.header_len, result);
}

static bool
open_other(struct frame *f, enum frame_result *result)
{
	struct tunnel_inner in;

	*result = FRAME_OTHER;
	if (f->tunnels == TUNNEL_NESTED_MAX)
		return true;
	return leave_outer(f, tunnel_ip(&f->ip, &in), &in, f->ip.header_len,
	    result);
}

/* False when an inner packet is to be opened next. */
static bool
open_ip(struct frame *f, enum frame_result *result)
{
	*result = FRAME_FRAGMENT;
	if (f->ip.fragment)
		return true;
	switch (transport_decode(f->ip.proto, f->ip.payload,
	    f->ip.payload_len, &f->seg)) {
	case TRANSPORT_OK:
		if (f->seg.proto != IP_PROTO_TCP)
			return open_udp(f, result);
		*result = FRAME_TCP;
		break;
	case TRANSPORT_SHORT:
		*result = FRAME_CUT;
		break;
	case TRANSPORT_BAD:
		*result = FRAME_BAD_TRANSPORT;
		break;
	case TRANSPORT_OTHER:
		return open_other(f, result);
	}
	return true;
}

static enum frame_result
open_network(struct frame *f, uint32_t wire_len)
{
	enum frame_result result = FRAME_BAD_IP;
	uint32_t rest = wire_len > f->link.header_len ?
	    wire_len - f->link.header_len : 0;

	if (rest < f->link.rest.len)
		rest = (uint32_t)f->link.rest.len;
	if (ip_decode(f->link.rest, rest, &f->ip) != IP_OK)
		return FRAME_BAD_IP;
	while (!open_ip(f, &result))
		;
	return result;
}

enum frame_result
frame_open(struct frame *f, const struct packet *p)
{
	f->tunnels = f->tunnel_len = 0;
	switch (link_decode(p->linktype, p->data, &f->link)) {
	case LINK_OK:
		return open_network(f, p->wire_len);
	case LINK_NOT_IP:
		return FRAME_NOT_IP;
	case LINK_SHORT:
	case LINK_UNSUPPORTED:
		break;
	}
	return FRAME_BAD_LINK;
}

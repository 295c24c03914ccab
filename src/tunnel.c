/* SPDX-License-Identifier: ISC */
/*
 * tunnel.c: the IP packet inside a tunnel.
 */
#include "tunnel.h"

#include "link.h"

#define PROTO_IPV4	4	/* RFC 2003 */
#define PROTO_IPV6	41	/* RFC 2473, RFC 4213 */
#define PROTO_GRE	47	/* RFC 2784 */

#define LINK_ETHERNET	1	/* as a capture file names it */
#define TYPE_MIN	0x0600	/* below it none is assigned */
#define TYPE_ETHERNET	0x6558	/* transparent Ethernet bridging, RFC 1701 */
#define TYPE_ERSPAN	0x88be	/* types I and II */
#define TYPE_ERSPAN_III	0x22eb

/* RFC 2784 sec. 2.1, RFC 2890 sec. 2 */
#define GRE_CHECKSUM	0x8000
#define GRE_KEY		0x2000
#define GRE_SEQUENCE	0x1000
#define GRE_ROUTING	0x4000	/* RFC 1701; since then must be 0 */
#define GRE_VERSION	0x0007	/* 1 is PPTP, RFC 2637 */

/* What is being opened. */
struct outer {
	const uint8_t	*start;		/* of its payload */
	uint32_t	 wire_len;	/* of that */
	struct bytes	 left;		/* behind the headers taken so far */
};

static enum tunnel_result
enter_ip(const struct outer *o, struct tunnel_inner *in)
{
	in->header_len = (uint32_t)(o->left.data - o->start);
	switch (ip_decode(o->left, o->wire_len - in->header_len, &in->ip)) {
	case IP_OK:
		return TUNNEL_OK;
	case IP_SHORT:
		return TUNNEL_SHORT;
	case IP_BAD:
		break;
	}
	return TUNNEL_BAD;
}

/* Behind a header that names the ethertype of what it carries. */
static enum tunnel_result
enter_type(struct outer *o, uint16_t type, struct tunnel_inner *in)
{
	struct link_frame f;
	enum link_result res;

	if (type < TYPE_MIN)
		return TUNNEL_NONE;
	if (type == TYPE_ETHERNET)
		res = link_decode(LINK_ETHERNET, o->left, &f);
	else
		res = link_decode_ethertype(type, o->left, &f);
	if (res == LINK_SHORT)
		return TUNNEL_SHORT;
	if (res != LINK_OK)
		return TUNNEL_NONE;
	o->left = f.rest;
	return enter_ip(o, in);
}

/*
 * Headers of draft-foschiano-erspan-03: version (4 bits) and more.  Type I has
 * none, and no GRE sequence number.  Type III may have a subheader of eight
 * bytes; its frame type (5 bits) is 0 for Ethernet and 2 for IP.
 */
static enum tunnel_result
enter_erspan(struct outer *o, uint16_t type, bool sequence,
    struct tunnel_inner *in)
{
	struct bytes h;
	uint16_t last;

	if (type == TYPE_ERSPAN && !sequence)
		return enter_type(o, TYPE_ETHERNET, in);
	if (!bytes_take(&o->left, type == TYPE_ERSPAN ? 8 : 12, &h))
		return TUNNEL_SHORT;
	if (h.data[0] >> 4 != (type == TYPE_ERSPAN ? 1 : 2))
		return TUNNEL_NONE;
	if (type == TYPE_ERSPAN)
		return enter_type(o, TYPE_ETHERNET, in);
	last = bytes_be16(h.data + 10);	/* P 1, FT 5, Hw 6, D 1, Gra 2, O 1 */
	if ((last & 1) != 0 && !bytes_skip(&o->left, 8))
		return TUNNEL_SHORT;
	switch (last >> 10 & 0x1f) {
	case 0:
		return enter_type(o, TYPE_ETHERNET, in);
	case 2:
		return enter_ip(o, in);
	}
	return TUNNEL_NONE;
}

/* Flags and version, protocol; checksum, key, sequence number if flagged. */
static enum tunnel_result
enter_gre(struct outer *o, struct tunnel_inner *in)
{
	uint16_t flags, type;
	uint32_t options = 0;

	if (!bytes_take_u16(&o->left, &flags) ||
	    !bytes_take_u16(&o->left, &type))
		return TUNNEL_SHORT;
	if ((flags & (GRE_ROUTING | GRE_VERSION)) != 0)
		return TUNNEL_NONE;
	options += (flags & GRE_CHECKSUM) != 0 ? 4 : 0;
	options += (flags & GRE_KEY) != 0 ? 4 : 0;
	options += (flags & GRE_SEQUENCE) != 0 ? 4 : 0;
	if (!bytes_skip(&o->left, options))
		return TUNNEL_SHORT;
	if (type == TYPE_ERSPAN || type == TYPE_ERSPAN_III)
		return enter_erspan(o, type, (flags & GRE_SEQUENCE) != 0, in);
	return enter_type(o, type, in);
}

enum tunnel_result
tunnel_ip(const struct ip_packet *outer, struct tunnel_inner *in)
{
	struct outer o = { outer->payload.data, outer->payload_len,
	    outer->payload };

	if (outer->fragment)
		return TUNNEL_NONE;
	switch (outer->proto) {
	case PROTO_IPV4:
	case PROTO_IPV6:
		return enter_ip(&o, in);
	case PROTO_GRE:
		return enter_gre(&o, in);
	}
	return TUNNEL_NONE;
}

/* RFC 7348 sec. 5: flags, of which I must be set; 24 bits, VNI, 8 bits. */
static enum tunnel_result
enter_vxlan(struct outer *o, struct tunnel_inner *in)
{
	struct bytes h;

	if (!bytes_take(&o->left, 8, &h))
		return TUNNEL_SHORT;
	if ((h.data[0] & 0x08) == 0)
		return TUNNEL_NONE;
	return enter_type(o, TYPE_ETHERNET, in);
}

/*
 * RFC 8926 sec. 3.4: version (2 bits), length of the options in words (6),
 * flags, protocol, VNI, 8 bits.
 */
static enum tunnel_result
enter_geneve(struct outer *o, struct tunnel_inner *in)
{
	struct bytes h;

	if (!bytes_take(&o->left, 8, &h))
		return TUNNEL_SHORT;
	if (h.data[0] >> 6 != 0)
		return TUNNEL_NONE;
	if (!bytes_skip(&o->left, (h.data[0] & 0x3fU) * 4))
		return TUNNEL_SHORT;
	return enter_type(o, bytes_be16(h.data + 2), in);
}

enum tunnel_result
tunnel_udp(uint16_t dport, struct bytes payload, uint32_t len,
    struct tunnel_inner *in)
{
	struct outer o = { payload.data, len, payload };

	if (o.wire_len < payload.len)
		o.wire_len = (uint32_t)payload.len;
	if (o.wire_len < 8)
		return TUNNEL_NONE;
	switch (dport) {
	case TUNNEL_PORT_VXLAN:
	case TUNNEL_PORT_VXLAN_OLD:
		return enter_vxlan(&o, in);
	case TUNNEL_PORT_GENEVE:
		return enter_geneve(&o, in);
	}
	return TUNNEL_NONE;
}

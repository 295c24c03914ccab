/* SPDX-License-Identifier: ISC */
/*
 * ip.c: IPv4 and IPv6 headers to addresses, protocol, fragment fields and
 * payload.
 */
#include "ip.h"

#define IPV4_HEADER	20
#define IPV6_HEADER	40
#define IPV6_CHAIN_MAX	16	/* extension headers */

/* Next header values, RFC 8200 sec. 4. */
#define NEXT_HOP_BY_HOP	0
#define NEXT_ROUTING	43
#define NEXT_FRAGMENT	44
#define NEXT_AUTH	51	/* RFC 4302 */
#define NEXT_OPTIONS	60

#define OPTION_PAD1	0
#define OPTION_JUMBO	0xc2	/* RFC 2675 sec. 2 */
#define JUMBO_MIN	65536

/* What is left behind the headers: captured bytes, bounded by the header. */
static enum ip_result
finish(struct ip_packet *p, struct bytes rest, uint32_t total_len)
{
	if (total_len < p->header_len)
		return IP_BAD;
	p->payload_len = total_len - p->header_len;
	bytes_trim(&rest, p->payload_len);
	p->payload = rest;
	return IP_OK;
}

/* RFC 791 sec. 3.1 */
static enum ip_result
decode_ipv4(struct bytes b, uint32_t wire_len, struct ip_packet *p)
{
	uint32_t total_len, place;
	struct bytes h;

	p->header_len = (b.data[0] & 0x0fU) * 4;
	if (p->header_len < IPV4_HEADER)
		return IP_BAD;
	if (!bytes_take(&b, IPV4_HEADER, &h))
		return IP_SHORT;
	total_len = bytes_be16(h.data + 2);
	if (total_len == 0)
		total_len = wire_len;
	if (total_len < p->header_len)
		return IP_BAD;
	if (!bytes_skip(&b, p->header_len - IPV4_HEADER))
		return IP_SHORT;
	p->frag_id = bytes_be16(h.data + 4);
	place = bytes_be16(h.data + 6);	/* 0, DF, MF, offset / 8 */
	p->more = (place & 0x2000) != 0;
	p->frag_offset = (place & 0x1fff) * 8;
	p->fragment = p->more || p->frag_offset != 0;
	p->proto = h.data[9];
	addr_from_ipv4(&p->src, h.data + 12);
	addr_from_ipv4(&p->dst, h.data + 16);
	return finish(p, b, total_len);
}

/* The length in a jumbo payload option, or 0 without a proper one. */
static uint32_t
jumbo_len(struct bytes options)
{
	uint8_t type, len;
	struct bytes value;

	while (bytes_take_u8(&options, &type)) {
		if (type == OPTION_PAD1)
			continue;
		if (!bytes_take_u8(&options, &len) ||
		    !bytes_take(&options, len, &value))
			return 0;
		if (type == OPTION_JUMBO && len == 4 &&
		    bytes_be32(value.data) >= JUMBO_MIN)
			return bytes_be32(value.data);
	}
	return 0;
}

/* RFC 8200 sec. 4.5; true when the walk ends here. */
static bool
take_fragment(const struct bytes *h, struct ip_packet *p)
{
	uint16_t place = bytes_be16(h->data + 2);

	p->more = (place & 1) != 0;
	p->frag_offset = place & 0xfff8U;
	p->frag_id = bytes_be32(h->data + 4);
	/* One that is alone is no fragment, RFC 6946. */
	p->fragment = p->more || p->frag_offset != 0;
	return p->fragment;
}

static bool
is_extension(uint8_t proto)
{
	return proto == NEXT_HOP_BY_HOP || proto == NEXT_ROUTING ||
	    proto == NEXT_FRAGMENT || proto == NEXT_AUTH ||
	    proto == NEXT_OPTIONS;
}

/* Length from an extension header's second byte. */
static uint32_t
extension_len(uint8_t proto, uint8_t len)
{
	if (proto == NEXT_FRAGMENT)
		return 8;
	if (proto == NEXT_AUTH)
		return (len + 2U) * 4;
	return (len + 1U) * 8;
}

/*
 * The chain from the fixed header on.  A payload length of 0 is replaced by
 * what the jumbo option says, should there be one.
 */
static enum ip_result
walk_chain(struct bytes b, uint32_t total_len, bool open_end,
    struct ip_packet *p)
{
	uint32_t len, jumbo;
	struct bytes h;
	uint8_t proto;
	int n;

	for (n = 0; is_extension(p->proto); n++) {
		if (n == IPV6_CHAIN_MAX || total_len - p->header_len < 8)
			return IP_BAD;
		if (b.len < 2)
			return IP_SHORT;
		proto = p->proto;
		len = extension_len(proto, b.data[1]);
		if (len > total_len - p->header_len)
			return IP_BAD;
		if (!bytes_take(&b, len, &h))
			return IP_SHORT;
		p->proto = h.data[0];
		p->header_len += len;
		if (proto == NEXT_FRAGMENT && take_fragment(&h, p))
			break;
		if (proto != NEXT_HOP_BY_HOP || !open_end)
			continue;
		bytes_skip(&h, 2);
		jumbo = jumbo_len(h);
		if (jumbo > 0 && jumbo <= UINT32_MAX - IPV6_HEADER)
			total_len = IPV6_HEADER + jumbo;
	}
	return finish(p, b, total_len);
}

/* RFC 8200 sec. 3 */
static enum ip_result
decode_ipv6(struct bytes b, uint32_t wire_len, struct ip_packet *p)
{
	uint32_t total_len;
	struct bytes h;

	if (!bytes_take(&b, IPV6_HEADER, &h))
		return IP_SHORT;
	total_len = IPV6_HEADER + (uint32_t)bytes_be16(h.data + 4);
	p->proto = h.data[6];
	p->header_len = IPV6_HEADER;
	addr_from_ipv6(&p->src, h.data + 8);
	addr_from_ipv6(&p->dst, h.data + 24);
	if (total_len == IPV6_HEADER)
		return walk_chain(b, wire_len, true, p);
	return walk_chain(b, total_len, false, p);
}

enum ip_result
ip_decode(struct bytes data, uint32_t wire_len, struct ip_packet *p)
{
	*p = (struct ip_packet){ 0 };
	if (wire_len < data.len)
		wire_len = (uint32_t)data.len;
	if (data.len < 1)
		return IP_SHORT;
	switch (data.data[0] >> 4) {
	case 4:
		return decode_ipv4(data, wire_len, p);
	case 6:
		return decode_ipv6(data, wire_len, p);
	}
	return IP_BAD;
}

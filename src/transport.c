/* SPDX-License-Identifier: ISC */
/*
 * transport.c: UDP and TCP headers to a segment.
 */
#include "transport.h"

#include "ip.h"

#define UDP_HEADER	8
#define TCP_HEADER	20

/* Kinds of TCP options, RFC 9293 sec. 3.2 and RFC 7323 sec. 2.2. */
#define OPTION_END	0
#define OPTION_NOP	1
#define OPTION_MSS	2
#define OPTION_WSCALE	3

static bool
take_ports(struct bytes *b, struct segment *s)
{
	struct bytes h;

	if (!bytes_take(b, 4, &h))
		return false;
	s->sport = bytes_be16(h.data);
	s->dport = bytes_be16(h.data + 2);
	s->has_ports = true;
	return true;
}

/* RFC 768: length with header, checksum. */
static enum transport_result
decode_udp(struct bytes b, uint32_t wire_len, struct segment *s)
{
	uint32_t len;
	struct bytes h;

	if (!bytes_take(&b, UDP_HEADER - 4, &h))
		return TRANSPORT_SHORT;
	len = bytes_be16(h.data);
	if (len == 0)
		len = wire_len;
	if (len < UDP_HEADER)
		return TRANSPORT_BAD;
	s->header_len = UDP_HEADER;
	s->payload_len = len - UDP_HEADER;
	bytes_trim(&b, s->payload_len);
	s->payload = b;
	return TRANSPORT_OK;
}

/* What is captured of a SYN's options; an option that is cut is none. */
static void
take_options(struct bytes b, struct segment *s)
{
	uint8_t kind, len;
	struct bytes value;

	while (bytes_take_u8(&b, &kind) && kind != OPTION_END) {
		if (kind == OPTION_NOP)
			continue;
		if (!bytes_take_u8(&b, &len) || len < 2 ||
		    !bytes_take(&b, len - 2U, &value))
			return;
		if (kind == OPTION_MSS && value.len == 2)
			s->mss = bytes_be16(value.data);
		if (kind == OPTION_WSCALE && value.len == 1)
			/* RFC 7323 sec. 2.3: above 14 means 14 */
			s->wscale = value.data[0] < 14 ?
			    (int8_t)value.data[0] : 14;
	}
}

/* RFC 9293 sec. 3.1 */
static enum transport_result
decode_tcp(struct bytes b, uint32_t wire_len, struct segment *s)
{
	struct bytes h, options;

	if (!bytes_take(&b, TCP_HEADER - 4, &h))
		return TRANSPORT_SHORT;
	s->seq = bytes_be32(h.data);
	s->ack = bytes_be32(h.data + 4);
	s->header_len = (uint32_t)(h.data[8] >> 4) * 4;
	s->flags = h.data[9];
	s->window = bytes_be16(h.data + 10);
	if (s->header_len < TCP_HEADER || s->header_len > wire_len)
		return TRANSPORT_BAD;
	s->payload_len = wire_len - s->header_len;
	options = b;
	bytes_trim(&options, s->header_len - TCP_HEADER);
	bytes_skip(&b, options.len);
	if (s->flags & TCP_SYN)
		take_options(options, s);
	bytes_trim(&b, s->payload_len);
	s->payload = b;
	return TRANSPORT_OK;
}

enum transport_result
transport_decode(uint8_t proto, struct bytes data, uint32_t wire_len,
    struct segment *s)
{
	bool udp, whole;

	*s = (struct segment){ .proto = proto, .wscale = -1 };
	if (proto != IP_PROTO_UDP && proto != IP_PROTO_TCP)
		return TRANSPORT_OTHER;
	if (wire_len < data.len)
		wire_len = (uint32_t)data.len;
	udp = proto == IP_PROTO_UDP;
	whole = wire_len >= (udp ? UDP_HEADER : TCP_HEADER);
	if (!take_ports(&data, s) || !whole)
		return whole ? TRANSPORT_SHORT : TRANSPORT_BAD;
	if (udp)
		return decode_udp(data, wire_len, s);
	return decode_tcp(data, wire_len, s);
}

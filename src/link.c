/* SPDX-License-Identifier: ISC */
/*
 * link.c: link header to ethertype and the rest.
 */
#include "link.h"

#include <stddef.h>
#include <string.h>

#define ETHERTYPE_MIN	0x0600	/* below it is a length, IEEE 802.3 3.2.6 */
#define ETHERTYPE_IPV4	0x0800
#define ETHERTYPE_VLAN	0x8100	/* 802.1Q C-tag */
#define ETHERTYPE_IPV6	0x86dd
#define ETHERTYPE_MPLS	0x8847	/* RFC 5332 */
#define ETHERTYPE_MPLSM	0x8848
#define ETHERTYPE_QINQ	0x88a8	/* 802.1ad S-tag */
#define ETHERTYPE_QINQ1	0x9100	/* S-tags before 802.1ad */
#define ETHERTYPE_QINQ2	0x9200

/* A decoder takes the link header off the range and fills the frame. */
typedef enum link_result decode_fn(struct bytes *, struct link_frame *);

static enum link_result
found(uint16_t ethertype, const struct bytes *b, struct link_frame *f)
{
	f->ethertype = ethertype;
	f->rest = *b;
	return LINK_OK;
}

/* The version nibble says which IP it is. */
static enum link_result
after_nothing(struct bytes *b, struct link_frame *f)
{
	if (b->len < 1)
		return LINK_SHORT;
	switch (b->data[0] >> 4) {
	case 4:
		return found(ETHERTYPE_IPV4, b, f);
	case 6:
		return found(ETHERTYPE_IPV6, b, f);
	}
	return LINK_NOT_IP;
}

/* RFC 3032 sec. 2.1: label 20, class 3, bottom of stack 1, TTL 8 bits. */
static enum link_result
after_mpls(struct bytes *b, struct link_frame *f)
{
	uint32_t entry;
	int n;

	for (n = 0; n < LINK_TAGS_MAX; n++) {
		if (!bytes_take_u32(b, &entry))
			return LINK_SHORT;
		if (entry & 0x100)
			return after_nothing(b, f);
	}
	return LINK_NOT_IP;
}

/* Behind an 802.3 length: LLC with SNAP, organisation 0, RFC 1042. */
static enum link_result
take_snap(struct bytes *b, uint16_t *ethertype)
{
	static const uint8_t snap[6] = { 0xaa, 0xaa, 0x03 };
	size_t n = b->len < sizeof(snap) ? b->len : sizeof(snap);

	if (n > 0 && memcmp(b->data, snap, n) != 0)
		return LINK_NOT_IP;
	if (!bytes_skip(b, sizeof(snap)) || !bytes_take_u16(b, ethertype))
		return LINK_SHORT;
	return *ethertype < ETHERTYPE_MIN ? LINK_NOT_IP : LINK_OK;
}

static enum link_result
after_type(uint16_t type, struct bytes *b, struct link_frame *f)
{
	enum link_result res;
	int n;

	for (n = 0; n <= LINK_TAGS_MAX; n++) {
		f->ethertype = type;
		switch (type) {
		case ETHERTYPE_IPV4:
		case ETHERTYPE_IPV6:
			return found(type, b, f);
		case ETHERTYPE_VLAN:
		case ETHERTYPE_QINQ:
		case ETHERTYPE_QINQ1:
		case ETHERTYPE_QINQ2:
			if (!bytes_skip(b, 2) || !bytes_take_u16(b, &type))
				return LINK_SHORT;
			break;
		case ETHERTYPE_MPLS:
		case ETHERTYPE_MPLSM:
			return after_mpls(b, f);
		default:
			if (type >= ETHERTYPE_MIN)
				return LINK_NOT_IP;
			if ((res = take_snap(b, &type)) != LINK_OK)
				return res;
		}
	}
	return LINK_NOT_IP;
}

static enum link_result
decode_ethernet(struct bytes *b, struct link_frame *f)
{
	uint16_t type;

	if (!bytes_skip(b, 12) || !bytes_take_u16(b, &type))
		return LINK_SHORT;
	return after_type(type, b, f);
}

/*
 * Small protocol numbers of cooked frames are not lengths: 1 is 802.3 without
 * LLC, 4 is LLC, others are links that carry no IP.
 */
static enum link_result
after_cooked(uint16_t protocol, struct bytes *b, struct link_frame *f)
{
	if (protocol < ETHERTYPE_MIN) {
		f->ethertype = protocol;
		return LINK_NOT_IP;
	}
	return after_type(protocol, b, f);
}

/* Packet type, ARPHRD, address length, address (8), protocol. */
static enum link_result
decode_sll(struct bytes *b, struct link_frame *f)
{
	uint16_t protocol;

	if (!bytes_skip(b, 14) || !bytes_take_u16(b, &protocol))
		return LINK_SHORT;
	return after_cooked(protocol, b, f);
}

/* Protocol, zero, interface (4), ARPHRD, type (1), length (1), address (8). */
static enum link_result
decode_sll2(struct bytes *b, struct link_frame *f)
{
	uint16_t protocol;
	uint32_t ifindex;

	if (!bytes_take_u16(b, &protocol) || !bytes_skip(b, 2) ||
	    !bytes_take_u32(b, &ifindex) || !bytes_skip(b, 12))
		return LINK_SHORT;
	f->has_ifindex = true;
	f->ifindex = ifindex;
	return after_cooked(protocol, b, f);
}

/*
 * An address family, in the order of the host that wrote the file (NULL) or
 * of the network (LOOP); no family is above 65535, so either is told apart.
 */
static enum link_result
decode_family(struct bytes *b, struct link_frame *f)
{
	uint32_t family;

	if (!bytes_take_u32(b, &family))
		return LINK_SHORT;
	if (family > 0xffff)
		family = __builtin_bswap32(family);
	switch (family) {
	case 2:			/* AF_INET everywhere */
		return found(ETHERTYPE_IPV4, b, f);
	case 10:		/* AF_INET6 of Linux, */
	case 24:		/* NetBSD and OpenBSD, */
	case 28:		/* FreeBSD, */
	case 30:		/* macOS */
		return found(ETHERTYPE_IPV6, b, f);
	}
	return LINK_NOT_IP;
}

static enum link_result
decode_ipv4(struct bytes *b, struct link_frame *f)
{
	return found(ETHERTYPE_IPV4, b, f);
}

static enum link_result
decode_ipv6(struct bytes *b, struct link_frame *f)
{
	return found(ETHERTYPE_IPV6, b, f);
}

/* Global route header (40), then RFC 4391 sec. 6: ethertype and zero. */
static enum link_result
decode_ipoib(struct bytes *b, struct link_frame *f)
{
	uint16_t type;

	if (!bytes_skip(b, 40) || !bytes_take_u16(b, &type) ||
	    !bytes_skip(b, 2))
		return LINK_SHORT;
	if (type < ETHERTYPE_MIN) {
		f->ethertype = type;
		return LINK_NOT_IP;
	}
	return after_type(type, b, f);
}

/*
 * The numbers are those of a capture file and, where the systems differ (raw
 * IP), also those of the hosts.
 */
static const struct linktype {
	int		 dlt;
	const char	*name;
	decode_fn	*decode;
} linktypes[] = {
	{ 1,	"EN10MB",	decode_ethernet },
	{ 113,	"LINUX_SLL",	decode_sll },
	{ 276,	"LINUX_SLL2",	decode_sll2 },
	{ 0,	"NULL",		decode_family },
	{ 108,	"LOOP",		decode_family },
	{ 12,	"RAW",		after_nothing },
	{ 14,	"RAW",		after_nothing },
	{ 101,	"RAW",		after_nothing },
	{ 228,	"IPV4",		decode_ipv4 },
	{ 229,	"IPV6",		decode_ipv6 },
	{ 242,	"IPOIB",	decode_ipoib },
};

static const struct linktype *
lookup(int linktype)
{
	size_t i;

	for (i = 0; i < sizeof(linktypes) / sizeof(linktypes[0]); i++)
		if (linktypes[i].dlt == linktype)
			return &linktypes[i];
	return NULL;
}

bool
link_supported(int linktype)
{
	return lookup(linktype) != NULL;
}

const char *
link_name(int linktype)
{
	const struct linktype *t = lookup(linktype);

	return t != NULL ? t->name : "unknown";
}

enum link_result
link_decode(int linktype, struct bytes data, struct link_frame *f)
{
	const struct linktype *t = lookup(linktype);
	const uint8_t *start = data.data;
	enum link_result res;

	*f = (struct link_frame){ 0 };
	if (t == NULL)
		return LINK_UNSUPPORTED;
	if ((res = t->decode(&data, f)) == LINK_OK)
		f->header_len = (uint16_t)(data.data - start);
	return res;
}

enum link_result
link_decode_ethertype(uint16_t ethertype, struct bytes data,
    struct link_frame *f)
{
	const uint8_t *start = data.data;
	enum link_result res;

	*f = (struct link_frame){ 0 };
	if ((res = after_type(ethertype, &data, f)) == LINK_OK)
		f->header_len = (uint16_t)(data.data - start);
	return res;
}

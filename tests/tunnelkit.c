/* SPDX-License-Identifier: ISC */
/*
 * tunnelkit.c: puts frames into tunnels, see tunnelkit.h.
 */
#include "tunnelkit.h"

#include <stdlib.h>
#include <string.h>

#define ETHERNET	14

static void
poke16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

/* What stands between the outer IP header and what is inside. */
static uint32_t
shim_len(enum tunnelkit kind)
{
	static const uint32_t len[TUNNELKITS] = { 8 + 8, 8 + 8 + 8, 8, 4, 0 };

	return len[kind];
}

static bool
has_ethernet(enum tunnelkit kind)
{
	return kind == TUNNELKIT_VXLAN || kind == TUNNELKIT_GENEVE ||
	    kind == TUNNELKIT_GRE_ETHERNET;
}

uint32_t
tunnelkit_len(enum tunnelkit kind, bool outer_v6)
{
	return (outer_v6 ? 40U : 20U) + shim_len(kind) +
	    (has_ethernet(kind) ? ETHERNET : 0U);
}

static void
udp_header(uint8_t *p, uint32_t port, uint32_t len)
{
	poke16(p, 50000);
	poke16(p + 2, port);
	poke16(p + 4, len);
}

/* len is that of the shim and all inside; type is the inner ethertype. */
static void
write_shim(uint8_t *p, enum tunnelkit kind, uint32_t type, uint32_t len)
{
	memset(p, 0, shim_len(kind));
	switch (kind) {
	case TUNNELKIT_VXLAN:		/* RFC 7348 sec. 5 */
		udp_header(p, 4789, len);
		p[8] = 0x08;
		p[14] = 42;
		break;
	case TUNNELKIT_GENEVE:		/* RFC 8926 sec. 3.4 */
		udp_header(p, 6081, len);
		p[8] = 2;		/* two words of options */
		poke16(p + 10, 0x6558);
		p[14] = 42;
		poke16(p + 16, 0x0103);	/* class; one word follows */
		p[19] = 1;
		break;
	case TUNNELKIT_GRE:		/* RFC 2890 sec. 2 */
		p[0] = 0x20;
		poke16(p + 2, type);
		p[7] = 42;
		break;
	case TUNNELKIT_GRE_ETHERNET:
		poke16(p + 2, 0x6558);
		break;
	case TUNNELKIT_IP:
	case TUNNELKITS:
		break;
	}
}

static void
write_ip(uint8_t *p, bool v6, uint8_t proto, uint32_t len)
{
	static const uint8_t v4[] = { 192, 0, 2, 3, 192, 0, 2, 1 };

	memset(p, 0, v6 ? 40 : 20);
	if (v6) {
		p[0] = 0x60;
		poke16(p + 4, len);
		p[6] = proto;
		p[8] = p[24] = 0xfd;
		p[9] = p[25] = 0xaa;
		p[23] = 3;
		p[39] = 1;
		return;
	}
	p[0] = 0x45;
	poke16(p + 2, 20 + len);
	p[8] = 64;
	p[9] = proto;
	memcpy(p + 12, v4, sizeof(v4));
}

void
tunnelkit_wrap(struct packetkit *k, enum tunnelkit kind, bool outer_v6)
{
	static const uint8_t proto[TUNNELKITS] = { 17, 17, 47, 47, 0 };
	uint32_t type = (uint32_t)k->frame[12] << 8 | k->frame[13];
	uint32_t from = has_ethernet(kind) ? 0 : ETHERNET;
	uint32_t inside = k->len - from;
	uint32_t head = ETHERNET + (outer_v6 ? 40U : 20U) + shim_len(kind);
	uint32_t len = shim_len(kind) + inside;
	uint8_t ip_in_ip = type == 0x86dd ? 41 : 4;

	if (head + inside > PACKETKIT_MAX)
		abort();
	memmove(k->frame + head, k->frame + from, inside);
	memset(k->frame, 2, 12);
	poke16(k->frame + 12, outer_v6 ? 0x86dd : 0x0800);
	write_ip(k->frame + ETHERNET, outer_v6,
	    kind == TUNNELKIT_IP ? ip_in_ip : proto[kind], len);
	write_shim(k->frame + head - shim_len(kind), kind, type, len);
	k->len = head + inside;
}

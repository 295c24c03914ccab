/* SPDX-License-Identifier: ISC */
/*
 * link.h: link header to ethertype and the rest.
 *
 * Pure.  Ethernet and 802.3 with LLC and SNAP, 802.1Q and 802.1ad tags (up to
 * LINK_TAGS_MAX, also after the cooked headers), Linux cooked v1 and v2, BSD
 * null and loop, raw IP (all of LINKTYPE_RAW, DLT_RAW, IPV4, IPV6), IP over
 * InfiniBand, MPLS label stacks; PPPoE is not IP here.
 */
#ifndef NFSRATED_LINK_H
#define NFSRATED_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

#define LINK_TAGS_MAX	8

enum link_result {
	LINK_OK,		/* an IPv4 or IPv6 packet follows */
	LINK_NOT_IP,		/* something else: ARP, LLC, ... */
	LINK_SHORT,		/* cut inside the link header */
	LINK_UNSUPPORTED	/* link type that is not in the table */
};

struct link_frame {
	uint16_t	ethertype;	/* 0x0800 or 0x86dd when LINK_OK, else
					 * how far it came, 0 unknown */
	uint16_t	header_len;	/* bytes before the network layer */
	bool		has_ifindex;	/* cooked v2 names the interface */
	uint32_t	ifindex;
	struct bytes	rest;		/* network layer, maybe with padding */
};

/* Whether the DLT_ value is in the table; its name ("EN10MB"), never NULL. */
bool	link_supported(int linktype);
const char *link_name(int linktype);

enum link_result link_decode(int linktype, struct bytes, struct link_frame *);

/* The part after an ethertype, for tunnels (VLAN tags, MPLS, then IP). */
enum link_result link_decode_ethertype(uint16_t ethertype, struct bytes,
	    struct link_frame *);

#endif

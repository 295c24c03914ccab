/* SPDX-License-Identifier: ISC */
/*
 * capfilter.h: writes the pcap-filter(7) expression that lets NFS traffic pass.
 *
 * Pure: text in, text out.  What passes: TCP and UDP of the ports given and of
 * portmap; IPv4 fragments that have no ports; IPv6 packets whose transport
 * header is hidden behind a fragment or another extension header; and the same
 * under one or two VLAN tags, and all that has more tags than are looked
 * behind.  The ports of mountd and others are not known
 * beforehand: they are learned, and the expression is written again.
 */
#ifndef NFSRATED_CAPFILTER_H
#define NFSRATED_CAPFILTER_H

#include <stdbool.h>
#include <stdint.h>

#define CAPFILTER_PORTMAP	111	/* RFC 1833 sec. 1 */

/* How many VLAN tags to look behind; not every link type has them. */
#define CAPFILTER_TAGS_MAX	2

/*
 * The expression in memory that the caller frees, NULL when there is none
 * left.  expr narrows it down further, and may be NULL.  An expr that speaks
 * of VLAN tags itself stands before the rest, which it then reads behind its
 * tags; any other is looked for behind 0 to tags tags.
 */
char	*capfilter_make(const char *expr, const uint16_t *port, uint32_t ports,
	int tags);

/*
 * Of expr alone, for a file: what it means of the packet without tags.  It
 * never holds for the tags' own frame, so that "not port 80" says nothing of
 * a tagged packet to port 80.  One that speaks of tags itself stays as it is.
 */
char	*capfilter_own(const char *expr, int tags);

/*
 * What of packets nobody looks at: behind so many bytes of a datagram's
 * fragments; and behind the heads of RPC messages in UDP.
 */
char	*capfilter_fragments(uint32_t behind, int tags);
char	*capfilter_datagrams(const uint16_t *port, uint32_t ports, int tags);
/*
 * Whether an expression has names of hosts, ports or networks, which only
 * files and servers can tell; what is in doubt is a name.
 */
bool	capfilter_has_names(const char *expr);

#endif

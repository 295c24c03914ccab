/* SPDX-License-Identifier: ISC */
/*
 * capfilter.c: writes the pcap-filter(7) expression that lets NFS traffic pass.
 */
#include "capfilter.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROCEV2_PORT	4791	/* RDMA: its packets are a stream */

/*
 * Fragments behind the first (RFC 791 sec. 3.1: 13 bits of offset), and IPv6
 * with a next header of hop-by-hop, routing, fragment or destination options
 * (RFC 8200 sec. 4.1).  First fragments have ports.
 */
static const char hidden[] = "(ip[6:2] & 0x1fff != 0) or "
    "(ip6 and (ip6[6] = 44 or ip6[6] = 0 or ip6[6] = 43 or ip6[6] = 60))";

/* What stands behind tags that are not looked behind is not known either. */
static const char tag[] = "ether proto 0x8100 or ether proto 0x88a8";

/* The word vlan, and not part of another. */
static bool
speaks_of_tags(const char *expr)
{
	const char *p;

	for (p = expr; (p = strstr(p, "vlan")) != NULL; p += 4)
		if ((p == expr || !isalnum((unsigned char)p[-1])) &&
		    !isalnum((unsigned char)p[4]))
			return true;
	return false;
}

static void
write_nfs(FILE *f, const uint16_t *port, uint32_t ports)
{
	uint32_t i;

	fprintf(f, "(port %d", CAPFILTER_PORTMAP);
	for (i = 0; i < ports; i++)
		if (port[i] != CAPFILTER_PORTMAP)
			fprintf(f, " or port %u", (unsigned int)port[i]);
	fprintf(f, " or %s)", hidden);
}

/*
 * `vlan` moves what stands behind it to behind the tag, so a level is "what
 * is wanted, or a tag and the level below".
 */
static void
write_level(FILE *f, const char *expr, const uint16_t *port, uint32_t ports,
    int tags)
{
	if (expr != NULL)
		fprintf(f, "((%s) and ", expr);
	write_nfs(f, port, ports);
	if (expr != NULL)
		fputc(')', f);
	if (tags > 0) {
		fputs(" or (vlan and (", f);
		write_level(f, expr, port, ports, tags - 1);
		fputs("))", f);
	} else if (expr == NULL)
		fprintf(f, " or %s", tag);
}

static void
write_own(FILE *f, const char *expr, int tags)
{
	if (tags <= 0) {
		fprintf(f, "(%s)", expr);
		return;
	}
	fprintf(f, "((%s) and not (%s)) or (vlan and (", expr, tag);
	write_own(f, expr, tags - 1);
	fputs("))", f);
}

char *
capfilter_own(const char *expr, int tags)
{
	char *text = NULL;
	size_t len;
	FILE *f;

	if ((f = open_memstream(&text, &len)) == NULL)
		return NULL;
	write_own(f, expr, speaks_of_tags(expr) ? 0 : tags);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

char *
capfilter_make(const char *expr, const uint16_t *port, uint32_t ports,
    int tags)
{
	char *text = NULL;
	size_t len;
	FILE *f;

	if ((f = open_memstream(&text, &len)) == NULL)
		return NULL;
	if (expr != NULL && speaks_of_tags(expr)) {
		fprintf(f, "(%s) and (", expr);
		write_level(f, NULL, port, ports, tags);
		fputc(')', f);
	} else
		write_level(f, expr, port, ports, tags);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* Expressions without a place for another one, behind tags, too. */
static char *
behind_tags(const char *expr, int tags)
{
	char *text = NULL;
	size_t len;
	FILE *f;
	int i;

	if ((f = open_memstream(&text, &len)) == NULL)
		return NULL;
	for (i = 0; i < tags; i++)
		fprintf(f, "(%s) or (vlan and (", expr);
	fputs(expr, f);
	for (i = 0; i < tags; i++)
		fputs("))", f);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* IPv6: the fragment header alone, RFC 8200 sec. 4.5. */
char *
capfilter_fragments(uint32_t behind, int tags)
{
	char expr[128];

	snprintf(expr, sizeof(expr), "(ip[6:2] & 0x1fff >= %u) or "
	    "(ip6 and ip6[6] = 44 and ip6[42:2] >= %u)",
	    (unsigned int)(behind + 7) / 8, (unsigned int)(behind + 7) / 8 * 8);
	return behind_tags(expr, tags);
}

char *
capfilter_datagrams(const uint16_t *port, uint32_t ports, int tags)
{
	char *expr = NULL, *text;
	size_t len;
	uint32_t i;
	FILE *f;

	if ((f = open_memstream(&expr, &len)) == NULL)
		return NULL;
	fprintf(f, "udp and not port %d and (port %d", ROCEV2_PORT,
	    CAPFILTER_PORTMAP);
	for (i = 0; i < ports; i++)
		fprintf(f, " or port %u", (unsigned int)port[i]);
	fputc(')', f);
	text = fclose(f) == 0 ? behind_tags(expr, tags) : NULL;
	free(expr);
	return text;
}

/* The words of pcap-filter(7) that stand for themselves. */
static const char keywords[] =
    " addr1 addr2 addr3 addr4 ah and arp atalk broadcast carp decnet dir dst "
    "esp ether fddi gateway geneve greater host icmp icmp6 igmp igrp ifindex "
    "inbound ip ip6 iso len less link llc mask mpls multicast net not or "
    "outbound pim port portrange pppoes proto protochain ra rarp sctp src ta "
    "tcp tcp-ack tcp-cwr tcp-ece tcp-fin tcp-push tcp-rst tcp-syn tcp-urg "
    "tcpflags tr type udp vlan vrrp vxlan wlan ";

static bool
is_keyword(const char *word, size_t len)
{
	const char *p = keywords;

	while ((p = strchr(p, ' ')) != NULL && *++p != '\0')
		if (strncmp(p, word, len) == 0 && p[len] == ' ')
			return true;
	return false;
}

/* Decimal, hexadecimal, and addresses of all kinds. */
static bool
is_number(const char *word, size_t len)
{
	size_t i;

	if (!isdigit((unsigned char)word[0]) &&
	    memchr(word, ':', len) == NULL)
		return false;
	for (i = 0; i < len; i++)
		if (strchr("0123456789abcdefABCDEFx:./-", word[i]) == NULL)
			return false;
	return true;
}

bool
capfilter_has_names(const char *expr)
{
	static const char part[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-:/";
	size_t len;

	for (; *expr != '\0'; expr += len) {
		len = strspn(expr, part);
		if (len == 0)
			len = 1;
		else if (strspn(expr, "-:/") < len &&
		    !is_keyword(expr, len) && !is_number(expr, len))
			return true;
	}
	return false;
}

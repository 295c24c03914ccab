/* SPDX-License-Identifier: ISC */
/*
 * ifchoice.c: chooses the interface that carries NFS, when none was named.
 */
#include "ifchoice.h"

#include <sys/types.h>
#include <sys/socket.h>

#include <ifaddrs.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_LEN	512
#define ADDRESSES_MAX	64	/* of NFS sockets that are looked at */

#define TCP_ESTABLISHED_STATE	0x01	/* as /proc/net/tcp has them */
#define TCP_LISTEN_STATE	0x0a

static bool
is_one_of(unsigned int n, const uint16_t *port, uint32_t ports)
{
	uint32_t i;

	for (i = 0; i < ports; i++)
		if (port[i] == n)
			return true;
	return false;
}

/* The kernel prints each 32 bits of an address as a number of its own order. */
static bool
parse_words(const char *hex, struct addr *a)
{
	size_t words = strlen(hex) / 8, i;
	uint8_t raw[16];
	uint32_t word;

	if ((words != 1 && words != 4) || strlen(hex) != words * 8)
		return false;
	for (i = 0; i < words; i++) {
		if (sscanf(hex + i * 8, "%8x", &word) != 1)
			return false;
		memcpy(raw + i * 4, &word, 4);
	}
	if (words == 1)
		addr_from_ipv4(a, raw);
	else
		addr_from_ipv6(a, raw);
	return true;
}

static bool
is_unspecified(const struct addr *a)
{
	static const uint8_t zero[16];
	const uint8_t v4[16] = { [10] = 0xff, 0xff };

	return memcmp(a->b, zero, 16) == 0 || memcmp(a->b, v4, 16) == 0;
}

bool
ifchoice_nfs_socket(const char *line, const uint16_t *port, uint32_t ports,
    struct addr *local)
{
	unsigned int lport, rport, state;
	char hex[33];

	if (sscanf(line, " %*u: %32[0-9A-Fa-f]:%4x %*32[0-9A-Fa-f]:%4x %2x",
	    hex, &lport, &rport, &state) != 4)
		return false;
	if (state != TCP_ESTABLISHED_STATE && state != TCP_LISTEN_STATE)
		return false;
	return (is_one_of(lport, port, ports) ||
	    is_one_of(rport, port, ports)) &&
	    parse_words(hex, local) && !is_unspecified(local);
}

bool
ifchoice_default_route(const char *line, char name[IFCHOICE_NAME_MAX])
{
	unsigned int dest, flags, mask;

	/* name destination gateway flags refs use metric mask */
	return sscanf(line, "%63s %8x %*8x %4x %*d %*d %*d %8x", name, &dest,
	    &flags, &mask) == 4 && dest == 0 && mask == 0 &&
	    (flags & RTF_UP) && !(flags & RTF_REJECT);
}

bool
ifchoice_default_route6(const char *line, char name[IFCHOICE_NAME_MAX])
{
	unsigned int bits, flags;
	char dest[33];

	/* destination bits source bits next-hop metric refs use flags name */
	return sscanf(line, "%32s %2x %*32s %*2x %*32s %*8x %*8x %*8x %8x %63s",
	    dest, &bits, &flags, name) == 4 && bits == 0 &&
	    strspn(dest, "0") == 32 && (flags & RTF_UP) &&
	    !(flags & RTF_REJECT) && strcmp(name, "lo") != 0;
}

static bool
has_address(const struct ifaddrs *ifa, const struct addr *want)
{
	struct sockaddr_in sin;
	struct sockaddr_in6 sin6;
	struct addr a;

	if (ifa->ifa_addr == NULL)
		return false;
	if (ifa->ifa_addr->sa_family == AF_INET) {
		memcpy(&sin, ifa->ifa_addr, sizeof(sin));
		addr_from_ipv4(&a, (const uint8_t *)&sin.sin_addr);
	} else if (ifa->ifa_addr->sa_family == AF_INET6) {
		memcpy(&sin6, ifa->ifa_addr, sizeof(sin6));
		addr_from_ipv6(&a, (const uint8_t *)&sin6.sin6_addr);
	} else
		return false;
	return addr_equal(&a, want);
}

static bool
take_name(const char *from, char name[IFCHOICE_NAME_MAX])
{
	return (size_t)snprintf(name, IFCHOICE_NAME_MAX, "%s", from) <
	    IFCHOICE_NAME_MAX;
}

static bool
find_address(const struct ifaddrs *all, const struct addr *want,
    char name[IFCHOICE_NAME_MAX])
{
	const struct ifaddrs *ifa;

	for (ifa = all; ifa != NULL; ifa = ifa->ifa_next)
		if (has_address(ifa, want))
			return take_name(ifa->ifa_name, name);
	return false;
}

/* A connection over the loopback counts only when there is no other. */
static bool
by_sockets(const struct ifaddrs *all, const char *table,
    const uint16_t *port, uint32_t ports, char name[IFCHOICE_NAME_MAX])
{
	char line[LINE_MAX_LEN], candidate[IFCHOICE_NAME_MAX];
	bool found = false;
	struct addr local;
	FILE *f;
	int n = 0;

	if ((f = fopen(table, "re")) == NULL)
		return false;
	while (n < ADDRESSES_MAX && fgets(line, sizeof(line), f) != NULL) {
		if (!ifchoice_nfs_socket(line, port, ports, &local))
			continue;
		n++;
		if (!find_address(all, &local, candidate))
			continue;
		found = take_name(candidate, name);
		if (strcmp(name, "lo") != 0)
			break;
	}
	fclose(f);
	return found;
}

static bool
by_route(const char *table, bool (*parse)(const char *, char *),
    char name[IFCHOICE_NAME_MAX])
{
	char line[LINE_MAX_LEN];
	bool found = false;
	FILE *f;

	if ((f = fopen(table, "re")) == NULL)
		return false;
	while (!found && fgets(line, sizeof(line), f) != NULL)
		found = parse(line, name);
	fclose(f);
	return found;
}

static bool
by_flags(const struct ifaddrs *all, unsigned int flags, unsigned int mask,
    char name[IFCHOICE_NAME_MAX])
{
	const struct ifaddrs *ifa;

	for (ifa = all; ifa != NULL; ifa = ifa->ifa_next)
		if ((ifa->ifa_flags & mask) == flags)
			return take_name(ifa->ifa_name, name);
	return false;
}

static const char *
choose(const struct ifaddrs *all, const uint16_t *port, uint32_t ports,
    char name[IFCHOICE_NAME_MAX])
{
	const unsigned int mask = IFF_UP | IFF_LOOPBACK;
	bool tcp4, tcp6;

	tcp4 = by_sockets(all, "/proc/net/tcp", port, ports, name);
	if (tcp4 && strcmp(name, "lo") != 0)
		return "it has NFS connections";
	tcp6 = by_sockets(all, "/proc/net/tcp6", port, ports, name);
	if (tcp4 || tcp6)
		return "it has NFS connections";
	if (by_route("/proc/net/route", ifchoice_default_route, name) ||
	    by_route("/proc/net/ipv6_route", ifchoice_default_route6, name))
		return "it has the default route";
	if (by_flags(all, IFF_UP, mask, name))
		return "it is the first that is up";
	if (by_flags(all, mask, mask, name))
		return "there is no other";
	return NULL;
}

const char *
ifchoice(const uint16_t *port, uint32_t ports, char name[IFCHOICE_NAME_MAX])
{
	struct ifaddrs *all;
	const char *why;

	if (getifaddrs(&all) != 0)
		return NULL;
	why = choose(all, port, ports, name);
	freeifaddrs(all);
	return why;
}

void
ifchoice_list(char *text, size_t size)
{
	struct if_nameindex *all, *i;
	size_t used;

	if ((all = if_nameindex()) == NULL)
		return;
	for (i = all; i->if_name != NULL; i++) {
		used = strlen(text);
		snprintf(text + used, size - used, " %s", i->if_name);
	}
	if_freenameindex(all);
}

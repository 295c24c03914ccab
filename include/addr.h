/* SPDX-License-Identifier: ISC */
/*
 * addr.h: IP addresses, endpoints and flow keys: compare, hash, parse, print.
 *
 * An IPv4 address is kept as its IPv4-mapped IPv6 form (RFC 4291 sec. 2.5.5.2,
 * ::ffff:a.b.c.d), so that one 16-byte value serves both and comparing is
 * memcmp.  All structs are free of padding, so they may be hashed as bytes.
 */
#ifndef NFSRATED_ADDR_H
#define NFSRATED_ADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest text of an address, as INET6_ADDRSTRLEN, with the NUL. */
#define ADDR_STRLEN	46
/* "[address]:port" and the NUL. */
#define ENDPOINT_STRLEN	(ADDR_STRLEN + 8)

struct addr {
	uint8_t		b[16];		/* network order */
};

struct endpoint {
	struct addr	addr;
	uint16_t	port;		/* host order */
	uint16_t	zero;
};

/* Network order bytes of an IPv4 (4) or IPv6 (16) address to an addr. */
void	addr_from_ipv4(struct addr *, const uint8_t[4]);
void	addr_from_ipv6(struct addr *, const uint8_t[16]);

bool	addr_is_ipv4(const struct addr *);
bool	addr_is_multicast(const struct addr *);	/* or IPv4 broadcast */

/* <0, 0 or >0, by bytes. */
int	addr_compare(const struct addr *, const struct addr *);
bool	addr_equal(const struct addr *, const struct addr *);
bool	endpoint_equal(const struct endpoint *, const struct endpoint *);

/* A numeric address, v4 or v6, without a scope; false when it is none. */
bool	addr_parse(const char *, struct addr *);

/* Numeric text into buf (at least ADDR_STRLEN, ENDPOINT_STRLEN); gives buf. */
const char *addr_print(const struct addr *, char *buf, size_t size);
const char *endpoint_print(const struct endpoint *, char *buf, size_t size);

/*
 * A universal address of RFC 5665 sec. 5.2.3.3-4 ("a.b.c.d.p1.p2", or v6 with
 * ".p1.p2"): its port, or 0 when the text is none.
 */
uint16_t addr_uaddr_port(const char *text, size_t len);

#endif

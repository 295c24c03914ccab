/* SPDX-License-Identifier: ISC */
/*
 * addr.c: IP addresses, endpoints and flow keys: compare, hash, parse, print.
 */
#include "addr.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct addr) == 16, "an addr has no padding");
_Static_assert(sizeof(struct endpoint) == 20, "an endpoint has no padding");

/* ::ffff:0:0/96, RFC 4291 sec. 2.5.5.2 */
static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

void
addr_from_ipv4(struct addr *a, const uint8_t b[4])
{
	memcpy(a->b, mapped, sizeof(mapped));
	memcpy(a->b + sizeof(mapped), b, 4);
}

void
addr_from_ipv6(struct addr *a, const uint8_t b[16])
{
	memcpy(a->b, b, sizeof(a->b));
}

bool
addr_is_ipv4(const struct addr *a)
{
	return memcmp(a->b, mapped, sizeof(mapped)) == 0;
}

bool
addr_is_multicast(const struct addr *a)
{
	static const uint8_t broadcast[4] = { 255, 255, 255, 255 };

	if (!addr_is_ipv4(a))
		return a->b[0] == 0xff;		/* RFC 4291 sec. 2.7 */
	return (a->b[12] & 0xf0) == 0xe0 ||	/* RFC 5771 sec. 3 */
	    memcmp(a->b + 12, broadcast, sizeof(broadcast)) == 0;
}

int
addr_compare(const struct addr *a, const struct addr *b)
{
	return memcmp(a->b, b->b, sizeof(a->b));
}

bool
addr_equal(const struct addr *a, const struct addr *b)
{
	return memcmp(a->b, b->b, sizeof(a->b)) == 0;
}

bool
endpoint_equal(const struct endpoint *a, const struct endpoint *b)
{
	return a->port == b->port && addr_equal(&a->addr, &b->addr);
}

bool
addr_parse(const char *text, struct addr *a)
{
	uint8_t b[16];

	if (inet_pton(AF_INET, text, b) == 1) {
		addr_from_ipv4(a, b);
		return true;
	}
	if (inet_pton(AF_INET6, text, b) == 1) {
		addr_from_ipv6(a, b);
		return true;
	}
	return false;
}

const char *
addr_print(const struct addr *a, char *buf, size_t size)
{
	const char *text;

	if (addr_is_ipv4(a))
		text = inet_ntop(AF_INET, a->b + 12, buf, (socklen_t)size);
	else
		text = inet_ntop(AF_INET6, a->b, buf, (socklen_t)size);
	if (text == NULL && size > 0)
		buf[0] = '\0';		/* does not fit */
	return buf;
}

const char *
endpoint_print(const struct endpoint *e, char *buf, size_t size)
{
	bool v4 = addr_is_ipv4(&e->addr);
	char host[ADDR_STRLEN];
	int n;

	addr_print(&e->addr, host, sizeof(host));
	n = snprintf(buf, size, "%s%s%s:%u", v4 ? "" : "[", host,
	    v4 ? "" : "]", (unsigned int)e->port);
	if ((n < 0 || (size_t)n >= size) && size > 0)
		buf[0] = '\0';
	return buf;
}

/*
 * Takes ".n" with n from 0 to 255 from the end of the text; -1 when the text
 * does not end so.
 */
static int
take_last_octet(const char *text, size_t *len)
{
	int value = 0, weight = 1;
	size_t n = 0;

	for (; n < 3 && n < *len; n++, weight *= 10) {
		char c = text[*len - 1 - n];

		if (c < '0' || c > '9')
			break;
		value += (c - '0') * weight;
	}
	if (n == 0 || n == *len || text[*len - 1 - n] != '.' || value > 255)
		return -1;
	*len -= n + 1;
	return value;
}

uint16_t
addr_uaddr_port(const char *text, size_t len)
{
	char host[ADDR_STRLEN];
	struct addr a;
	int high, low;

	if ((low = take_last_octet(text, &len)) < 0 ||
	    (high = take_last_octet(text, &len)) < 0)
		return 0;
	if (len >= sizeof(host) || memchr(text, '\0', len) != NULL)
		return 0;
	memcpy(host, text, len);
	host[len] = '\0';
	if (!addr_parse(host, &a))
		return 0;
	return (uint16_t)(high << 8 | low);
}

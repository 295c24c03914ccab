/* SPDX-License-Identifier: ISC */
/*
 * service.c: ports and hosts that serve RPC, given and learned.
 */
#include "service.h"

#include <stdlib.h>
#include <string.h>

#include "lrutable.h"

#define PORTMAP_PORT	111	/* RFC 1833 sec. 3.1 */

struct verifier_key {
	struct addr	server;
	uint32_t	vers;
};

struct service {
	uint8_t		 nfs_port[65536 / 8];	/* bits */
	struct addr	 server[SERVICE_SERVERS_MAX];
	uint32_t	 servers;
	struct lrutable	*learned;	/* struct endpoint */
	struct lrutable	*hosts;		/* struct addr */
	struct lrutable	*verifiers;	/* struct verifier_key to uint64_t */
};

struct service *
service_new(const uint16_t *ports, uint32_t nports, const struct addr *servers,
    uint32_t nservers, const uint64_t seed[2])
{
	struct service *s;
	struct lrutable_config lc = {
		.capacity = SERVICE_LEARNED_MAX,
		.key_size = sizeof(struct endpoint),
		.value_size = 0,
		.seed = { seed[0], seed[1] },
	};
	uint32_t i;

	if (nservers > SERVICE_SERVERS_MAX ||
	    (s = calloc(1, sizeof(*s))) == NULL)
		return NULL;
	for (i = 0; i < nports; i++)
		s->nfs_port[ports[i] / 8] |= (uint8_t)(1U << (ports[i] % 8));
	if (nservers > 0)
		memcpy(s->server, servers, nservers * sizeof(*servers));
	s->servers = nservers;
	s->learned = lrutable_new(&lc);
	lc.key_size = sizeof(struct addr);
	s->hosts = lrutable_new(&lc);
	lc.key_size = sizeof(struct verifier_key);
	lc.value_size = sizeof(uint64_t);
	s->verifiers = lrutable_new(&lc);
	if (s->learned == NULL || s->hosts == NULL || s->verifiers == NULL) {
		service_free(s);
		return NULL;
	}
	return s;
}

void
service_free(struct service *s)
{
	if (s == NULL)
		return;
	lrutable_free(s->learned);
	lrutable_free(s->hosts);
	lrutable_free(s->verifiers);
	free(s);
}

bool
service_is_nfs_port(const struct service *s, uint16_t port)
{
	return (s->nfs_port[port / 8] & (1U << (port % 8))) != 0;
}

int
service_claim(struct service *s, const struct endpoint *e)
{
	if (service_is_nfs_port(s, e->port))
		return 3;
	if (lrutable_find(s->learned, e) != NULL)
		return 2;
	return e->port == PORTMAP_PORT ? 1 : 0;
}

bool
service_fixed(const struct service *s)
{
	return s->servers > 0;
}

bool
service_is_fixed_server(const struct service *s, const struct addr *a)
{
	uint32_t i;

	for (i = 0; i < s->servers; i++)
		if (addr_equal(&s->server[i], a))
			return true;
	return false;
}

static void
learn(struct lrutable *t, const void *key, int64_t now_ns)
{
	void *v = lrutable_find(t, key);

	if (v != NULL)
		lrutable_touch(t, v, now_ns);
	else
		lrutable_add(t, key, now_ns);
}

void
service_learn(struct service *s, const struct endpoint *e, int64_t now_ns)
{
	learn(s->learned, e, now_ns);
}

void
service_learn_host(struct service *s, const struct addr *a, int64_t now_ns)
{
	learn(s->hosts, a, now_ns);
}

bool
service_is_host(struct service *s, const struct addr *a)
{
	if (s->servers > 0)
		return service_is_fixed_server(s, a);
	return lrutable_find(s->hosts, a) != NULL;
}

bool
service_restarted(struct service *s, const struct addr *server, uint32_t vers,
    uint64_t verifier, int64_t now_ns)
{
	const struct verifier_key key = { *server, vers };
	uint64_t *known = lrutable_find(s->verifiers, &key), before;

	if (known == NULL) {
		known = lrutable_add(s->verifiers, &key, now_ns);
		*known = verifier;
		return false;
	}
	before = *known;
	*known = verifier;
	lrutable_touch(s->verifiers, known, now_ns);
	return before != verifier;
}

/* SPDX-License-Identifier: ISC */
/*
 * twins.c: the same packet seen on two interfaces.
 */
#include "twins.h"

#include <stdlib.h>
#include <string.h>

#include "lrutable.h"

#define SETS	4096U		/* power of two */
#define WAYS	4U		/* a set's newest packets */
#define PAYLOAD	40U		/* bytes of payload looked at */

struct slot {
	uint64_t	hash;
	int64_t		time_ns;
	uint32_t	ifindex;
	uint32_t	used;
};

struct twins {
	uint64_t	seed[2];
	struct slot	set[SETS][WAYS];
};

struct twins *
twins_new(const uint64_t seed[2])
{
	struct twins *t = calloc(1, sizeof(*t));

	if (t != NULL)
		memcpy(t->seed, seed, sizeof(t->seed));
	return t;
}

void
twins_free(struct twins *t)
{
	free(t);
}

static uint64_t
identity(const struct twins *t, const struct ip_packet *ip)
{
	struct {
		struct addr	src, dst;
		uint32_t	proto, id, offset, len;
		uint8_t		payload[PAYLOAD];
	} key;
	size_t n = ip->payload.len < PAYLOAD ? ip->payload.len : PAYLOAD;

	memset(&key, 0, sizeof(key));
	key.src = ip->src;
	key.dst = ip->dst;
	key.proto = ip->proto;
	key.id = ip->frag_id;
	key.offset = ip->frag_offset * 2 + ip->more;
	key.len = ip->payload_len;
	if (n > 0)
		memcpy(key.payload, ip->payload.data, n);
	if (ip->frag_offset == 0 && ip->proto == IP_PROTO_TCP)
		memset(key.payload + 16, 0, 2);
	else if (ip->frag_offset == 0 && ip->proto == IP_PROTO_UDP)
		memset(key.payload + 6, 0, 2);
	return lrutable_hash(&key, sizeof(key), t->seed);
}

bool
twins_seen(struct twins *t, const struct ip_packet *ip, uint32_t ifindex,
    int64_t now_ns)
{
	uint64_t hash = identity(t, ip);
	struct slot *set = t->set[hash & (SETS - 1)];
	int64_t ago;
	unsigned i;

	for (i = 0; i < WAYS; i++) {
		ago = now_ns - set[i].time_ns;
		if (set[i].used && set[i].hash == hash &&
		    set[i].ifindex != ifindex &&
		    ago <= TWINS_WINDOW_NS && ago >= -TWINS_WINDOW_NS)
			return true;
	}
	memmove(&set[1], &set[0], (WAYS - 1) * sizeof(set[0]));
	set[0] = (struct slot){ hash, now_ns, ifindex, 1 };
	return false;
}

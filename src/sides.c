/* SPDX-License-Identifier: ISC */
/*
 * sides.c: which end of a flow serves, and so which way a packet goes.
 */
#include "sides.h"

enum sample_direction
sides_direction(const struct flow *f, int dir)
{
	if (f->server < 0 || f->role == FLOW_OTHER || f->role == FLOW_UNKNOWN)
		return SAMPLE_OTHER;
	return f->server == dir ? SAMPLE_OUT : SAMPLE_IN;
}

void
sides_guess(struct flow *f, struct flowtable *flows,
    struct service *services, int64_t now_ns)
{
	bool fixed = service_fixed(services), given[2];
	struct endpoint e;
	int claim[2], i;

	for (i = 0; i < 2; i++) {
		flow_endpoint(flows, f, i, &e);
		claim[i] = service_claim(services, &e);
		given[i] = service_is_fixed_server(services, &e.addr);
	}
	if (fixed && !given[0] && !given[1]) {
		f->role = FLOW_OTHER;	/* another server's */
		return;
	}
	/* Servers that talk to each other, or to themselves: by port. */
	if (given[0] != given[1])
		flow_set_server(flows, f, given[1], now_ns);
	else if (fixed || claim[0] != claim[1])
		flow_set_server(flows, f, claim[1] > claim[0], now_ns);
	if (claim[0] > 0 || claim[1] > 0)
		f->role = FLOW_LIKELY;
}

enum sample_direction
sides_of_fragment(const struct ip_packet *ip, struct service *services)
{
	bool in = service_is_host(services, &ip->dst);
	bool out = service_is_host(services, &ip->src);

	if (in == out)
		return SAMPLE_OTHER;
	return in ? SAMPLE_IN : SAMPLE_OUT;
}

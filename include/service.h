/* SPDX-License-Identifier: ISC */
/*
 * service.h: which ports and hosts are known to serve RPC.
 *
 * From the configuration (NFS ports, -S servers), and learned: endpoints that
 * answered calls, ports that portmap or rpcbind gave out (RFC 1833).
 */
#ifndef NFSRATED_SERVICE_H
#define NFSRATED_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"

#define SERVICE_SERVERS_MAX	32
#define SERVICE_LEARNED_MAX	1024

struct service;

/* ports: NFS ports; servers: hosts that are the server, none: learn. */
struct service *service_new(const uint16_t *ports, uint32_t nports,
	    const struct addr *servers, uint32_t nservers,
	    const uint64_t seed[2]);
void	service_free(struct service *);

bool	service_is_nfs_port(const struct service *, uint16_t port);
/* Weight of the claim that this endpoint serves RPC: 0 none, 1 the portmap
 * port, 2 learned, 3 an NFS port. */
int	service_claim(struct service *, const struct endpoint *);
/* Were servers given, and is this one of them? */
bool	service_fixed(const struct service *);
bool	service_is_fixed_server(const struct service *, const struct addr *);

void	service_learn(struct service *, const struct endpoint *,
	    int64_t now_ns);
void	service_learn_host(struct service *, const struct addr *,
	    int64_t now_ns);
bool	service_is_host(struct service *, const struct addr *);

/*
 * The write verifier in a WRITE's or COMMIT's results: true when this server
 * had another one before for that version, so it has restarted since (RFC 1813
 * 3.3.7, RFC 8881 18.32.3).
 */
bool	service_restarted(struct service *, const struct addr *, uint32_t vers,
	    uint64_t verifier, int64_t now_ns);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * sides.h: which end of a flow serves, and so which way a packet goes.
 *
 * Before anything is said, the ports and the servers that were named (-S) are
 * all there is to go by; who answers calls settles it later (dialog.h).
 */
#ifndef NFSRATED_SIDES_H
#define NFSRATED_SIDES_H

#include <stdint.h>

#include "flow.h"
#include "ip.h"
#include "sample.h"
#include "service.h"

/* A new flow: sets its server, if one end is likelier, and its role. */
void	sides_guess(struct flow *, struct flowtable *, struct service *,
	    int64_t now_ns);
/* Of a packet that end dir sent. */
enum sample_direction sides_direction(const struct flow *, int dir);
/* Of a fragment without ports: by hosts known to serve. */
enum sample_direction sides_of_fragment(const struct ip_packet *,
	    struct service *);

#endif

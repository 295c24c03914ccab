/* SPDX-License-Identifier: ISC */
/*
 * pcapmerge.h: several live sources as one stream of packets in order of time
 * (timemerge.h): the next packet of each is held until it is its turn.
 *
 * Life: new; open the sources with the configuration that it makes; read,
 * again and again; rest; free.  Not thread-safe.
 */
#ifndef NFSRATED_PCAPMERGE_H
#define NFSRATED_PCAPMERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "pcapsource.h"
#include "timemerge.h"

#define PCAPMERGE_SLACK_NS	(40 * NSEC_PER_MSEC)

struct pcapmerge;

/*
 * Packets go where the configuration says.  NULL and errno when memory is
 * short.
 */
struct pcapmerge *pcapmerge_new(const struct pcapsource_config *,
	    uint32_t sources);
void	pcapmerge_free(struct pcapmerge *);
/* What the sources are to be opened with, numbered from 0. */
struct pcapsource_config *pcapmerge_config(struct pcapmerge *);

/*
 * Reads what there is and hands out a batch of packets at most: true when
 * there is more at once.  A source that is NULL is absent.  Gives the result
 * of each source that was read; others keep theirs.
 */
bool	pcapmerge_read(struct pcapmerge *, struct pcapsource *const source[],
	    enum pcapsource_result[]);
/* No time is left: what is held goes as it is. */
void	pcapmerge_rest(struct pcapmerge *);
/* It holds a packet of the source, so nobody has to wait for one. */
bool	pcapmerge_holds(const struct pcapmerge *, uint32_t source);
/* How long to wait, timeout_ms at most, until what is held may go. */
int	pcapmerge_wait(const struct pcapmerge *, int timeout_ms);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * recorder.h: a flight recorder: the heads of the packets of the last seconds,
 * in a ring of fixed size, and an image of a pcap file of them.
 *
 * When the ring is full the oldest packets go before their time.  Pure; for
 * one thread, but for want and take, which are another's.
 */
#ifndef NFSRATED_RECORDER_H
#define NFSRATED_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "packet.h"

#define RECORDER_HEAD	128		/* bytes that are kept of a packet */
#define RECORDER_NS	(30 * NSEC_PER_SEC)
#define RECORDER_BYTES	(32U << 20)

struct recorder;

/* bytes: of the ring; 0: RECORDER_BYTES.  NULL and errno. */
struct recorder *recorder_new(size_t bytes);
void	recorder_free(struct recorder *);

void	recorder_put(struct recorder *, const struct packet *);
void	recorder_clear(struct recorder *);
/*
 * A file of what is kept, in the order in which it came, with nanoseconds; the
 * caller frees it.  Packets of another link type than the latest are left out.
 * NULL and errno when memory is short, or ENODATA.
 */
void	*recorder_pcap(const struct recorder *, size_t *len);

/*
 * Another thread wants a file; this one, when it comes round to it, serves
 * whoever does; then the other can take it (NULL: not yet), and frees it.
 * A recorder that is NULL never has one.
 */
void	recorder_want(struct recorder *);
void	recorder_serve(struct recorder *);
void	*recorder_take(struct recorder *, size_t *len);

#endif

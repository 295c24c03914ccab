/* SPDX-License-Identifier: ISC */
/*
 * pcapsource.h: one capture file or one live interface to packets.  The only
 * user of libpcap; capture.h makes several of them one.
 *
 * Life: open; read until it ENDED or FAILED; close.  All from one thread.
 */
#ifndef NFSRATED_PCAPSOURCE_H
#define NFSRATED_PCAPSOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "packet.h"
#include "unpack.h"

#define PCAPSOURCE_SNAPLEN	262144	/* packets of 64 KiB are whole */
#define PCAPSOURCE_BUFFER_MIB	16
#define PCAPSOURCE_GATHER_MS	100	/* packets come together */
#define PCAPSOURCE_ERROR_MAX	512	/* bytes of an error text */

struct pcapsource;

struct pcapsource_config {
	const char	*filter;	/* further expression, or NULL */
	const uint16_t	*port;		/* of NFS, for the live filter */
	uint32_t	 ports;
	int		 snaplen;
	int		 buffer_mib;
	int		 gather_ms;	/* how long the kernel may hold back */
	int		 batch;		/* packets that a read delivers */
	bool		 promisc;
	/* Each packet, in order of arrival; borrowed for the call. */
	void		(*packet)(void *ctx, const struct packet *);
	void		*ctx;
	/* For a file that is a pipe, see unpack.h; or NULL. */
	unpack_wait	*wait;
	void		*wait_ctx;
};

/* No filter, no ports, the defaults above. */
void	pcapsource_config_init(struct pcapsource_config *);

enum pcapsource_fault {
	PCAPSOURCE_USAGE,	/* the filter expression is wrong */
	PCAPSOURCE_ABSENT,	/* an interface that is not there, or down */
	PCAPSOURCE_OPEN		/* missing, no permission, not a capture */
};

/*
 * NULL, the fault and one line of text when it cannot.  Configuration and
 * name are borrowed until the source is closed.  A file is "-" for standard
 * input, and may be compressed; its packets pass only the further expression.
 * An interface (or "any") needs privileges, its handle does not block, and its
 * packets have the number ifindex; one that is to come later, of whatever
 * kind, has none until pcapsource_bind.
 */
struct pcapsource *pcapsource_open_file(const struct pcapsource_config *,
	    const char *name, enum pcapsource_fault *,
	    char err[PCAPSOURCE_ERROR_MAX]);
struct pcapsource *pcapsource_open_live(const struct pcapsource_config *,
	    const char *name, uint16_t ifindex, bool later,
	    enum pcapsource_fault *, char err[PCAPSOURCE_ERROR_MAX]);
void	pcapsource_close(struct pcapsource *);

/*
 * From now on the packets of the interface that has this number in the system:
 * it needs no privilege, so it works where opening would not.  -1 and errno:
 * EPROTOTYPE when it is a link of another kind than the handle reads.
 */
int	pcapsource_bind(struct pcapsource *, unsigned int system_ifindex);

enum pcapsource_result {
	PCAPSOURCE_SOME,	/* what there was, maybe nothing */
	PCAPSOURCE_MORE,	/* a full batch: there is more at once */
	PCAPSOURCE_ENDED,	/* of a file: its end, or wait gave up */
	PCAPSOURCE_FAILED	/* a damaged file; an interface that is gone */
};
/* Delivers a batch of packets at most. */
enum pcapsource_result pcapsource_read(struct pcapsource *);
/* One line that names the source, after FAILED. */
const char *pcapsource_error(const struct pcapsource *);

/* Becomes readable when a live source has packets. */
int	pcapsource_fd(const struct pcapsource *);
uint64_t pcapsource_packets(const struct pcapsource *);	/* delivered */
/* The kernel's counters since the start, modulo 2^32; false when unknown. */
bool	pcapsource_drops(struct pcapsource *, uint32_t *kernel,
	    uint32_t *interface);
/* Writes the live filter again, for the configuration's ports of now. */
int	pcapsource_refilter(struct pcapsource *,
	    char err[PCAPSOURCE_ERROR_MAX]);

/*
 * Seconds and fraction (nanoseconds) of a packet header as time_ns (pure).
 * Fractions beyond a second carry over; seconds that a file keeps in 32 bits
 * are unsigned until 2106; what 64-bit nanoseconds cannot hold is held to
 * their bounds.
 */
int64_t	pcapsource_time(int64_t sec, int64_t nsec);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * capture.h: live interfaces or a capture file as one stream of packets, and
 * what the capture lost.
 *
 * Life: open (needs privileges when live); poll until it ENDED or FAILED;
 * close.  All from one thread, but for capture_break.
 *
 * Live, capture_poll waits with its own timeout, so that a silent wire holds
 * up nothing.  Packets of several interfaces come in order of time
 * (pcapmerge.h).  An interface that goes down
 * or away is told once by log_warning, and taken up again when it is back,
 * which needs no privilege; while none is there the state is DOWN.
 */
#ifndef NFSRATED_CAPTURE_H
#define NFSRATED_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "pcapsource.h"

#define CAPTURE_INTERFACES_MAX	16
#define CAPTURE_ERROR_MAX	PCAPSOURCE_ERROR_MAX

struct capture;

struct capture_config {
	/* one of these; the strings are borrowed until capture_close */
	const char	*file;		/* "-" is standard input */
	const char	*const *interface;
	uint32_t	 interfaces;
	bool		 patient;	/* what is not there may come later */

	struct pcapsource_config how;	/* copied; its pointers are borrowed */
};

/* NULL, the fault and one line of text when it cannot. */
struct capture *capture_open(const struct capture_config *,
	    enum pcapsource_fault *, char err[CAPTURE_ERROR_MAX]);
void	capture_close(struct capture *);

enum capture_state {
	CAPTURE_RUNNING,
	CAPTURE_DOWN,		/* live: no interface is there */
	CAPTURE_ENDED,		/* end of the file, or capture_break */
	CAPTURE_FAILED		/* the file is damaged: capture_error */
};

/*
 * Delivers what there is.  Live it first waits up to timeout_ms for a packet;
 * a file gives a bounded number of packets per call.
 */
enum capture_state capture_poll(struct capture *, int timeout_ms);
/* There was more than one poll delivers: packets may be older than now. */
bool	capture_is_behind(const struct capture *);
/* One line that names the file, once FAILED. */
const char *capture_error(const struct capture *);
/* From any thread: the poll at work returns at once, and says ENDED. */
void	capture_break(struct capture *);
/*
 * Live, after that: what the kernel gathered until then comes within
 * CAPTURE_GATHER_MS.  A drain waits for some of it, as a poll does; rest
 * delivers, last, what waits for its place in the order of time.
 */
#define CAPTURE_GATHER_MS	PCAPSOURCE_GATHER_MS
void	capture_drain(struct capture *, int timeout_ms);
void	capture_rest(struct capture *);

/*
 * What live captures lost since they were opened; false when unknown (a
 * file).  A 32-bit counter of the kernel that wraps goes on here.
 */
struct capture_stats {
	uint64_t	kernel_drops;	/* buffer full */
	uint64_t	interface_drops;
};
bool	capture_stats(struct capture *, struct capture_stats *);

/*
 * Live: other ports to let pass (learned ones); borrowed like those of the
 * configuration.  -1, and a warning, when they cannot be set.
 */
int	capture_set_ports(struct capture *, const uint16_t *port,
	    uint32_t ports);

bool	capture_is_live(const struct capture *);
/* More than one interface, or "any": packets may be seen twice. */
bool	capture_has_many(const struct capture *);
/* The MTU of the one interface; 0 unknown. */
uint32_t capture_mtu(const struct capture *);
uint64_t capture_packets(const struct capture *);	/* delivered */

/*
 * A 32-bit counter that is read now and then, as 64 bits (pure).  Differences
 * are modulo 2^32; one of 2^31 and more, such as an absurd first reading, or
 * a fall, is no count but a new start.
 */
struct capture_counter {
	uint32_t	last;
	uint64_t	total;
};
void	capture_counter_feed(struct capture_counter *, uint32_t reading);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * ifstats.h: the counters that the system keeps of an interface (--total, errs
 * and colls), which pcap cannot know.
 *
 * Life: open; read once per interval; close.  The file stays open, so that
 * it can be read after chroot.  Not thread-safe.
 */
#ifndef NFSRATED_IFSTATS_H
#define NFSRATED_IFSTATS_H

#include <stdbool.h>
#include <stdint.h>

#define IFSTATS_UNKNOWN	UINT64_MAX

struct ifstats;

struct ifstats_counters {
	uint64_t	in_packets, in_bytes, in_errs;
	uint64_t	out_packets, out_bytes, out_errs;
	uint64_t	colls;
};

/*
 * Counts the interfaces together; the names are borrowed.  NULL when the
 * system does not tell, and for "any", which has no counters.
 */
struct ifstats *ifstats_open(const char *const *name, uint32_t names);
void	ifstats_close(struct ifstats *);
/*
 * What came since the last read (nothing is known at the first), each number
 * maybe IFSTATS_UNKNOWN.  seconds is the time since the last read.
 */
void	ifstats_read(struct ifstats *, double seconds,
	    struct ifstats_counters *);

/* Bits a second of an interface's link; 0 where the system does not say. */
double	ifstats_link_bps(const char *name);

/* The line of an interface in the text of /proc/net/dev (pure). */
bool	ifstats_parse(const char *text, const char *name,
	    struct ifstats_counters *);
/*
 * The difference of two readings (pure).  A counter that fell has wrapped
 * when it may be one of 32 bits and can have come so far in the time; else it
 * started anew, and nothing is known.
 */
uint64_t ifstats_difference(uint64_t before, uint64_t after, double seconds);

#endif

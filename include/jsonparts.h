/* SPDX-License-Identifier: ISC */
/*
 * jsonparts.h: the objects that records of one interval and of all of them
 * have in common: traffic, latencies, READ/WRITE/COMMIT, counters.
 */
#ifndef NFSRATED_JSONPARTS_H
#define NFSRATED_JSONPARTS_H

#include "judgement.h"
#include "jsonout.h"
#include "sample.h"
#include "toprows.h"
#include "totals.h"

/* Where latencies are taken from: one of the two. */
struct jsonparts {
	const struct sample *sample;
	const struct totals *totals;
};

/* A line of its own: {"type":..  and its end. */
void	jsonparts_begin(struct jsonout *, struct textbuf *, const char *type);
void	jsonparts_end(struct jsonout *);
/* Members that are null: n of them; what rows of netstat do not tell of. */
void	jsonparts_nulls(struct jsonout *, const char *const *keys, size_t n);
void	jsonparts_beside_packets(struct jsonout *);
/* A figure with three decimals, or null. */
void	jsonparts_rate(struct jsonout *, const char *key, bool known, double);
/* The members of an episode. */
void	jsonparts_episode(struct jsonout *, const struct episode *);
/* {"packets":..,"wire_packets":..,"bytes":..,"wire_bytes":..,"errs":..} */
void	jsonparts_traffic(struct jsonout *, const char *key,
	    const struct sample_traffic *, bool errs);
/*
 * {"mean":..,"p50":..,"p95":..,"p99":..,"max":..}, null when nothing was
 * timed; without quantiles for a series NFS_OP_NONE.
 */
void	jsonparts_latency(struct jsonout *, const char *key,
	    const struct jsonparts *, uint16_t series,
	    const struct sample_part *);
/* The members "write", "read" and "commit". */
void	jsonparts_data(struct jsonout *, const struct jsonparts *,
	    const struct sample_data data[SAMPLE_KINDS]);
/* The counters of one group as members. */
void	jsonparts_counters(struct jsonout *, enum sample_group,
	    const uint64_t counter[SAMPLE_COUNTERS]);
/* The members "tcp", "ip", "capture", "discards", "evictions". */
void	jsonparts_groups(struct jsonout *,
	    const uint64_t counter[SAMPLE_COUNTERS], uint64_t kernel_drops,
	    uint64_t interface_drops);
/* "split": shares of the states that sum to 1, or null. */
void	jsonparts_split(struct jsonout *, bool has_split,
	    const uint64_t state_ns[SAMPLE_STATES]);

/* The members "clients", "users", "files": the busiest since the start. */
void	jsonparts_servers(struct jsonout *, const struct sample *);
void	jsonparts_top(struct jsonout *, const struct toprows *);

#endif

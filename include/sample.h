/* SPDX-License-Identifier: ISC */
/*
 * sample.h: the record of one interval: plain counters of fixed size.
 *
 * A sample holds no pointer, so it may be copied, queued between threads and
 * added.  It keeps integers; rates and quantiles are computed where they are
 * shown.  All zero is an empty interval, except that members marked "unknown"
 * use SAMPLE_UNKNOWN.
 *
 * `log` (log.h) is the program's own messages, `ratelog` the file of samples,
 * `sample` this record, `sampler` what makes it.
 */
#ifndef NFSRATED_SAMPLE_H
#define NFSRATED_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "histogram.h"
#include "nfs.h"

#define SAMPLE_UNKNOWN	UINT64_MAX

#define SAMPLE_OPS	128	/* operations active in one interval */
#define SAMPLE_OTHER_OPS 48	/* of these without an op id, at most */
#define SAMPLE_CELLS	2048	/* latency cells: a power of two */
#define SAMPLE_STATUS	32	/* different error codes in one interval */
#define SAMPLE_SIZES	32	/* rows by size, each of READ and WRITE, */
#define SAMPLE_EXACT	20	/* of these for one exact size each */
#define SAMPLE_SERVERS	4
#define SAMPLE_CLIENTS	16	/* busiest clients */
#define SAMPLE_USERS	8
#define SAMPLE_FILES	16

/* Packets of one direction (DESIGN sec. 2, packets and bytes). */
struct sample_traffic {
	uint64_t	packets;	/* as captured */
	uint64_t	wire_packets;	/* as the wire carries them */
	uint64_t	bytes;		/* frame lengths without FCS */
	uint64_t	wire_bytes;
	uint64_t	errs;		/* interface counter or unknown */
};

enum sample_direction {
	SAMPLE_IN,			/* towards a server */
	SAMPLE_OUT,			/* from a server */
	SAMPLE_OTHER,
	SAMPLE_DIRECTIONS
};

/* Everything that is counted by name; the JSON names stand in sample.c. */
enum sample_counter {
	/* tcp */
	SAMPLE_TCP_RETRANSMITS,		/* segments that came again */
	SAMPLE_TCP_OUT_OF_ORDER,	/* segments that came late */
	SAMPLE_TCP_ZERO_WINDOW,		/* advertisements of window 0 */
	SAMPLE_TCP_RESYNCS,		/* record footing lost and looked for */
	SAMPLE_TCP_LOST_BYTES,		/* stream bytes never seen */
	SAMPLE_TCP_SKIPPED_BYTES,	/* passed over while out of step */
	SAMPLE_TCP_CONNECTIONS,		/* SYNs to a server */
	SAMPLE_TCP_RESETS,
	/* ip */
	SAMPLE_IP_FRAGMENTS,
	SAMPLE_IP_INCOMPLETE,		/* datagrams that stayed so */
	/* rpc: what was passed over */
	SAMPLE_RPC_NOT_RPC,		/* on an RPC port, but no RPC */
	SAMPLE_RPC_CUT,			/* messages whose facts were cut */
	SAMPLE_RPC_BAD_XDR,
	SAMPLE_RPC_ENCRYPTED,		/* bodies under GSS privacy or TLS */
	SAMPLE_RPC_UNKNOWN_OP,		/* COMPOUND rests left unread */
	SAMPLE_RPC_UNANSWERED,		/* calls without reply for 60 s */
	SAMPLE_RPC_RESTARTS,		/* write verifiers that changed */
	SAMPLE_RPC_ELSEWHERE,		/* RPC-like, but not decoded */
	SAMPLE_RPC_CHUNKED,		/* calls hidden in RDMA chunks */
	/* capture and decoding */
	SAMPLE_TRUNCATED,		/* packets cut by the snap length */
	SAMPLE_COPIES,			/* packets seen twice */
	SAMPLE_LATE,			/* packets of an interval gone by */
	SAMPLE_NOT_IP,
	SAMPLE_BAD_LINK,		/* cut or unsupported link header */
	SAMPLE_BAD_IP,
	SAMPLE_BAD_TRANSPORT,
	SAMPLE_TUNNELLED,		/* decoded inside a tunnel */
	/* evictions for want of room */
	SAMPLE_EVICTED_FLOWS,
	SAMPLE_EVICTED_CALLS,
	SAMPLE_EVICTED_DATAGRAMS,
	SAMPLE_EVICTED_CLIENTS,
	SAMPLE_EVICTED_USERS,
	SAMPLE_EVICTED_FILES,
	SAMPLE_OPS_LOST,		/* rows or cells that found no room */
	SAMPLE_COUNTERS
};

/* The JSON object that a counter stands in. */
enum sample_group {
	SAMPLE_G_TCP, SAMPLE_G_IP, SAMPLE_G_RPC, SAMPLE_G_CAPTURE,
	SAMPLE_G_DISCARDS, SAMPLE_G_EVICTIONS, SAMPLE_GROUPS
};
const char *sample_group_name(enum sample_group);
enum sample_group sample_counter_group(enum sample_counter);
const char *sample_counter_name(enum sample_counter);
/* The counter in words, for a reader: "TCP segments that came again". */
const char *sample_counter_words(enum sample_counter);

/* One operation; op NFS_OP_NONE means prog.vers PROC_proc. */
struct sample_op {
	uint16_t	op;
	uint16_t	pad;
	uint32_t	prog, vers, proc;
	uint32_t	calls;		/* first transmissions */
	uint32_t	replies;
	uint32_t	errors;
	uint32_t	retransmits;
	uint32_t	hidden;		/* READ, WRITE: calls whose byte count
					 * is encrypted or cut */
	uint32_t	max_us;		/* latency */
	uint64_t	sum_us;
	uint64_t	timed;		/* replies in sum_us */
	uint64_t	bytes;		/* WRITE: data in calls; READ: data in
					 * replies */
};

/* Latency series beyond the operations' own, numbered after them. */
enum sample_series {
	SAMPLE_WRITE_LATENCY = NFS_OP_COUNT,	/* all versions together */
	SAMPLE_WRITE_REQUEST, SAMPLE_WRITE_SERVER, SAMPLE_WRITE_REPLY,
	SAMPLE_READ_LATENCY,
	SAMPLE_READ_REQUEST, SAMPLE_READ_SERVER, SAMPLE_READ_REPLY,
	SAMPLE_COMMIT_LATENCY,
	SAMPLE_SERIES
};

/* Open-addressed cells (series, bucket) -> count; count 0 is free. */
struct sample_cell {
	uint16_t	series;		/* op id or enum sample_series */
	uint16_t	bucket;		/* histogram.h */
	uint32_t	count;
};

/* READ, WRITE and COMMIT of all NFS versions together. */
struct sample_data {
	uint64_t	calls, replies, errors, retransmits, bytes;
	uint64_t	hidden;		/* calls of unknown byte count */
	uint64_t	stable[3];	/* WRITE: by enum stable_how */
	struct sample_part {
		uint64_t	timed, sum_us;
		uint32_t	max_us, pad;
	} latency, request, server, reply;
};
enum sample_kind {
	SAMPLE_WRITE, SAMPLE_READ, SAMPLE_COMMIT, SAMPLE_KINDS
};

struct sample_status {
	uint16_t	first_op;	/* first op id of the program */
	uint16_t	pad;
	uint32_t	status;
	uint64_t	count;
};

/*
 * READs by the bytes they ask for, WRITEs by those they carry.  The first
 * SAMPLE_EXACT sizes of an interval have a row each; later ones share rows by
 * powers of two from 512 to 2^20, in which "upto" is set: they hold the sizes
 * up to theirs and above the next smaller power (the last: and all above).
 */
struct sample_size {
	uint32_t	size;		/* bytes */
	uint32_t	upto;		/* 0: exactly; 1: a power of two */
	uint64_t	calls;
	uint64_t	bytes;
	uint64_t	timed, sum_us;	/* latency */
	uint64_t	depth_sum;	/* calls outstanding, itself included,
					 * summed over calls */
};

/* A client, user or file; counters of this interval and since the start. */
struct sample_talker {
	struct sample_talk {
		uint64_t	calls, replies, errors, retransmits;
		uint64_t	write_calls, write_bytes;
		uint64_t	read_calls, read_bytes;
		uint64_t	timed, sum_us;
		/* Bytes answered UNSTABLE, and how many of these are stable
		 * (or no longer known) since; COMMITs that made some stable,
		 * and how long the oldest of each had waited. */
		uint64_t	unstable_bytes, stable_bytes;
		uint64_t	commits, waited_us, waited_max_us;
	} now, total;
};
struct sample_client {
	struct addr		addr;
	struct sample_talker	t;
};
struct sample_user {
	uint32_t		uid, pad;
	struct sample_talker	t;
};
struct sample_file {
	uint64_t		fh_hash;
	uint8_t			fh_len;		/* true length */
	uint8_t			fh[31];		/* its first bytes */
	char			name[64];	/* "" unknown */
	struct sample_talker	t;
};

/* Where the second went (DESIGN sec. 2), nanoseconds in each state. */
enum sample_state {
	SAMPLE_CLIENT, SAMPLE_REQUEST, SAMPLE_SERVER, SAMPLE_COMMITTING,
	SAMPLE_REPLY, SAMPLE_NETWORK, SAMPLE_WINDOW, SAMPLE_DELAY,
	SAMPLE_STATES
};
const char *sample_state_name(enum sample_state);	/* JSON names */

struct sample {
	int64_t		start_ns;
	int64_t		length_ns;	/* the interval; a gap's whole length */
	int64_t		watched_ns;	/* less than it when partial; gap: 0 */
	int64_t		first_ns, last_ns; /* packet times, if any packets */
	uint64_t	seq;		/* counts records, from 0 */
	bool		partial;	/* not watched from start to end */
	bool		gap;		/* a long silence or clock step */
	bool		restarted;	/* time went backwards before it */
	bool		no_data;	/* the capture was down: all unknown */
	bool		packets_only;	/* a row of netstat: of packets, bytes,
					 * errors and collisions alone; of all
					 * else nothing is known */
	bool		has_split, has_duty;
	uint8_t		pad[1];

	struct sample_traffic	traffic[SAMPLE_DIRECTIONS];
	uint64_t	colls;		/* or unknown */
	uint64_t	kernel_drops, interface_drops;	/* or unknown */
	/* the interface's own counters (--total), or unknown */
	uint64_t	if_in_packets, if_in_bytes, if_out_packets,
			if_out_bytes, if_in_errs, if_out_errs;

	uint64_t	rpc_calls, rpc_replies, rpc_retransmits, rpc_unmatched;
	uint64_t	outstanding;	/* at the end of the interval */
	uint64_t	depth_ns;	/* integral of outstanding calls */
	uint32_t	depth_max, pad2;

	uint64_t	counter[SAMPLE_COUNTERS];
	struct sample_data	data[SAMPLE_KINDS];

	/* duty cycle of input, 10 ms bins */
	uint32_t	duty_bins, duty_on;
	int64_t		duty_gap_ns;	/* longest time without input */

	uint64_t	state_ns[SAMPLE_STATES];	/* weighted by demand */
	int64_t		untrusted_ns;	/* lost to drops, resync, cuts */

	struct addr	server[SAMPLE_SERVERS];	/* that were called, the first
						 * of them */
	uint32_t	servers, pad3;
	uint32_t	ops, statuses, sizes[2], clients, users, files, cells;
	struct sample_op	op[SAMPLE_OPS];
	struct sample_status	status[SAMPLE_STATUS];
	struct sample_size	size[2][SAMPLE_SIZES];	/* WRITE, READ */
	struct sample_client	client[SAMPLE_CLIENTS];
	struct sample_user	user[SAMPLE_USERS];
	struct sample_file	file[SAMPLE_FILES];
	struct sample_cell	cell[SAMPLE_CELLS];
};

/* Empty, with unknowns set. */
void	sample_clear(struct sample *);

/*
 * The row of an operation, made when it is not there; NULL (and
 * SAMPLE_OPS_LOST counted) when there is no room.  For op NFS_OP_NONE the
 * numbers decide, otherwise they are ignored.
 */
struct sample_op *sample_op(struct sample *, uint16_t op, uint32_t prog,
	    uint32_t vers, uint32_t proc);
void	sample_status_add(struct sample *, uint16_t first_op, uint32_t status,
	    uint64_t n);


/* A server that was called; those that find no room are not told of. */
void	sample_server(struct sample *, const struct addr *);

/*
 * Bytes a second that calls of this size can carry, as many outstanding and
 * each as long as these were (depth x size / latency); negative when unknown.
 */
double	sample_size_limit(const struct sample_size *);

/* The row of a size, kind SAMPLE_WRITE or SAMPLE_READ; never NULL. */
struct sample_size *sample_size(struct sample *, enum sample_kind,
	    uint32_t size);
/* The same in any table: exact rows up to max - SAMPLE_POWERS, then powers. */
#define SAMPLE_POWERS	12
struct sample_size *sample_size_row(struct sample_size *rows, uint32_t *n,
	    uint32_t max, uint32_t size, uint32_t upto);
void	sample_size_merge(struct sample_size *, const struct sample_size *);

/* One latency of an operation: its row, and a cell of its series. */
void	sample_op_latency(struct sample *, struct sample_op *, int64_t ns);
/*
 * One latency of READ, WRITE or COMMIT: the part, and a cell of its series
 * (NFS_OP_NONE: without).
 */
void	sample_part_latency(struct sample *, struct sample_part *,
	    uint16_t series, int64_t ns);
/*
 * The cells of a series as a histogram without its sum; empty when there are
 * none.  max_us is the upper bound of the last bucket: the caller knows better.
 */
void	sample_histogram(const struct sample *, uint16_t series,
	    struct histogram *);

/* n latencies of a bucket of a series (playback, merging). */
void	sample_cell_add(struct sample *, uint16_t series, uint16_t bucket,
	    uint32_t n);

/* JSON and report name of a series: "nfs3.WRITE", "write.server"; in buf. */
const char *sample_series_name(uint16_t series, char *buf, size_t size);

/* Adding up. */
void	sample_talk_add(struct sample_talk *, const struct sample_talk *);
/* Bytes that wait to be committed, of totals. */
uint64_t sample_uncommitted(const struct sample_talk *);
void	sample_traffic_add(struct sample_traffic *,
	    const struct sample_traffic *);
void	sample_part_add(struct sample_part *, const struct sample_part *);
void	sample_data_add(struct sample_data *, const struct sample_data *);
/* a + b where either may be SAMPLE_UNKNOWN: then the other. */
uint64_t sample_sum(uint64_t a, uint64_t b);
uint32_t sample_larger(uint32_t max, uint64_t us);	/* held to 32 bits */
/* Packets of all directions, as captured. */
uint64_t sample_packets(const struct sample *);

/*
 * Seconds of the interval, as a number to divide by; never 0.  Of one that was
 * watched in part, of that part, unless it is less than a tenth.
 */
double	sample_seconds(const struct sample *);
/* 1 less the share of the interval that cannot be trusted, 0..1. */
double	sample_trust(const struct sample *);

#endif

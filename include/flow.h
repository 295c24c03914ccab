/* SPDX-License-Identifier: ISC */
/*
 * flow.h: the connections: who talks to whom, which side is the server, and
 * the state of each direction.
 *
 * A flow is a TCP connection or a pair of UDP endpoints.  It starts on
 * probation, in a table of its own, and is kept (flow_keep) once it has shown
 * RPC: a flood of connections that say nothing cannot push out those that do.
 * A pair is a client host and a server host with all their flows.
 *
 * Flow pointers are valid until the next flow_get or flow_keep.
 * Not thread-safe.  Bounded by the configuration.
 */
#ifndef NFSRATED_FLOW_H
#define NFSRATED_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "addr.h"
#include "rpcrecord.h"
#include "tcpstream.h"

#define FLOW_NONE	UINT32_MAX
#define FLOW_PENDING	8	/* messages that passed with holes in them */
#define FLOW_RECENT	8	/* flows of a pair that are looked at when a
				 * call is resent over a new connection */

enum flow_role {
	FLOW_UNKNOWN,		/* nothing speaks for RPC yet */
	FLOW_LIKELY,		/* a port speaks for it */
	FLOW_RPC,		/* it has shown RPC */
	FLOW_OTHER,		/* it has shown that it is none */
	FLOW_ENCRYPTED		/* RPC-with-TLS (RFC 9289) */
};

/* A message that has passed but for holes still open in it. */
struct flow_pending {
	uint64_t	end;		/* stream offset after it */
	uint32_t	xid;
	bool		reply;
	int64_t		last_ns;
};

/*
 * The latest WRITE call whose facts were all seen, and its record's length.
 * Where the snap length hides record heads, records of the same length are
 * taken for such calls until a visible mark says otherwise (rpcrecord.h).
 */
struct flow_usual {
	uint32_t	len;		/* of the record, mark not counted; 0
					 * none */
	uint32_t	reply_len;	/* of its reply, 0 not yet known */
	uint32_t	prog, vers, proc;
	uint32_t	count;		/* bytes written */
	uint16_t	op;		/* op id */
	uint8_t		kind;		/* enum nfs_kind */
	uint8_t		stable;
};

/* What one endpoint sends. */
struct flow_dir {
	struct tcpstream	stream;
	struct rpcrecord	rec;
	struct flow_pending	pending[FLOW_PENDING];
	uint8_t		pendings;
	bool		heard;		/* a segment of it was seen */
	bool		window_closed;
	bool		fin;
	bool		busy;		/* its stream is being passed on */
	int8_t		wscale;		/* of its SYN, -1 unknown */
	uint16_t	mss;		/* its SYN's option: what it takes */
	uint16_t	largest;	/* ordinary segment seen, payload */
	uint8_t		guesses;	/* payloads that were no RPC */
	uint8_t		tls_segments;	/* that begin with TLS records */
	uint32_t	ack;		/* latest acknowledgement it sent */
	uint32_t	window;		/* bytes it takes beyond ack */
	uint32_t	last_seq, last_len;	/* its latest segment */
	int64_t		last_ns;
	struct flow_usual usual;
	uint32_t	guess_first, guess_next; /* numbers of the calls guessed
					 * and not yet answered */
};

struct flow_key {
	struct addr	low, high;	/* by address, then port */
	uint16_t	low_port, high_port;
	uint32_t	proto;
};

struct flow {
	uint32_t	serial;		/* unique, never used again; the stream
					 * number of direction d is 2 * serial
					 * + d */
	uint32_t	pair;		/* FLOW_NONE unknown */
	uint8_t		role;		/* enum flow_role */
	int8_t		server;		/* direction whose sender is the server:
					 * 0 low, 1 high, -1 unknown */
	uint8_t		proto;
	bool		kept;
	bool		syn;		/* its beginning was seen */
	bool		closed;
	bool		troubled;	/* in the table's list of such */
	bool		tls_asked;	/* AUTH_TLS call seen */
	uint32_t	searched;	/* held bytes, for one packet */
	int8_t		recent;		/* its slot in the pair's recent[] */
	int64_t		first_ns;
	int64_t		last_ns;
	struct flow_dir	dir[2];		/* [0] low to high, [1] high to low */
};

struct pair_key {
	struct addr	client, server;
};

struct pair {
	uint32_t	outstanding;	/* open calls */
	struct pair_recent {
		uint32_t	serial;		/* of the flow; 0 none */
		bool		closed;
		int64_t		first_ns, last_ns;
	}		recent[FLOW_RECENT];
};

struct flow_config {
	uint32_t	max_flows;	/* kept; half as many on probation */
	uint32_t	max_pairs;
	uint32_t	max_hunts;
	uint64_t	max_hold_bytes;
	uint64_t	seed[2];
	/* A flow goes for want of room; its memory is cleared afterwards. */
	void		(*evicted)(void *ctx, struct flow *);
	void		*ctx;
};

struct flowtable;

struct flowtable *flowtable_new(const struct flow_config *);
void	flowtable_free(struct flowtable *);

/*
 * The flow of a packet from src to dst, made when it is not there; *dir is
 * the direction of the packet.  fresh tells whether it was made now.
 */
struct flow *flow_get(struct flowtable *, const struct endpoint *src,
	    const struct endpoint *dst, uint8_t proto, int64_t now_ns,
	    int *dir, bool *fresh);
const struct flow_key *flow_key(const struct flowtable *, const struct flow *);
/* The endpoint that sends in direction dir. */
void	flow_endpoint(const struct flowtable *, const struct flow *, int dir,
	    struct endpoint *);
/* Off probation; go on with the result. */
struct flow *flow_keep(struct flowtable *, struct flow *);
/* A new connection between the same endpoints (a SYN): all state anew. */
void	flow_renew(struct flowtable *, struct flow *, int64_t now_ns);
/* Forgets streams and records, keeps roles (clock step). */
void	flowtable_reset(struct flowtable *);

/* Names the side; joins the flow to its pair. */
void	flow_set_server(struct flowtable *, struct flow *, int server,
	    int64_t now_ns);
void	flow_close(struct flowtable *, struct flow *, int64_t now_ns);

struct pair *pair_at(struct flowtable *, uint32_t pair);
const struct pair_key *pair_key(const struct flowtable *, uint32_t pair);
/* Notes that a flow is alive, and with it its pair (joined anew if that has
 * been evicted). */
void	pair_alive(struct flowtable *, struct flow *, int64_t now_ns);

/* Flows with stuck streams or open holes: to be looked at without packets. */
void	flow_trouble(struct flowtable *, struct flow *);
void	flowtable_each_troubled(struct flowtable *,
	    void (*)(void *ctx, struct flow *), void *ctx);
void	flowtable_each(struct flowtable *, void (*)(void *ctx, struct flow *),
	    void *ctx);

struct tcphold *flowtable_hold(struct flowtable *);
struct hunt_pool *flowtable_hunts(struct flowtable *);

static inline uint32_t
flow_stream(const struct flow *f, int dir)
{
	return 2 * f->serial + (uint32_t)dir;
}

/* A message of this direction waits for its last hole no more: whether it
 * did, and when its last byte that was seen came. */
bool	flow_take_pending(struct flow_dir *, bool reply, uint32_t xid,
	    int64_t *last_ns);

#endif

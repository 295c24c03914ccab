/* SPDX-License-Identifier: ISC */
/*
 * convgen_int.h: what the parts of the conversation generator share.
 *
 * Everything a conversation is made of lies in growing arrays and refers to
 * each other by index.
 */
#ifndef NFSRATED_CONVGEN_INT_H
#define NFSRATED_CONVGEN_INT_H

#include <stdlib.h>
#include <string.h>

#include "convgen.h"
#include "testkit.h"

#define CG_NONE		UINT32_MAX
#define CG_US		INT64_C(1000)
#define CG_MS		INT64_C(1000000)
#define CG_SEC		INT64_C(1000000000)

/*
 * What a decoder is asked for; where the design leaves room, the bounds are
 * as wide as these say.
 */
#define CG_PROOF_RECORDS	4	/* records that prove each other after a
					 * loss, when the peer is not seen */
#define CG_PROOF_CALL	32	/* bytes of a record's first fragment by which
				 * it is found after a loss, ... */
#define CG_PROOF_REPLY	24	/* ... if there are more fragments */
#define CG_PROOF_FRAMES	100	/* after the frame with the proof, in which a
				 * decoder may wait for one that is late */
#define CG_STEP_BACK	(2 * CG_SEC)	/* a clock that steps by more ... */
#define CG_STEP_AHEAD	(55 * CG_SEC)	/* ... may make a decoder forget */

struct cg_buf {
	uint8_t		*data;
	size_t		 len, cap;
};

/* A procedure, or an operation inside a COMPOUND, in one message. */
struct cg_op {
	uint8_t		table;		/* enum convgen_table */
	bool		error;		/* a reply with a bad status */
	uint16_t	num;
	uint32_t	maybe;		/* length of the message from which on
					 * it may be told, ... */
	uint32_t	sure;		/* ... must be told, ... */
	uint32_t	detail;		/* ... with its data's length, status */
	uint32_t	bytes;		/* file data, without padding */
};

struct cg_msg {
	uint32_t	at, len;	/* in pool */
	uint32_t	first_op, ops;
	uint32_t	skip_at, skip_len;	/* file data, maybe unseen */
	uint32_t	rpc;
	bool		reply;
	bool		fake;		/* holds data that looks like RPC */
};

/* One call, its reply, and every time either was sent. */
struct cg_rpc {
	uint32_t	xid;
	uint32_t	call, reply;	/* messages; reply CG_NONE: none */
	uint32_t	first_send, last_send;	/* chain in order of time */
	uint32_t	needs;		/* rpc that must be known before */
	uint32_t	twin;		/* rpc with the same XID on another
					 * connection of the client */
	bool		reverse;	/* server to client: a callback */
};

/* One transmission of a message. */
struct cg_send {
	uint32_t	msg, rpc, flow, next;
	uint8_t		dir;		/* 0 to the server, 1 from it */
	bool		reply;
	uint32_t	first_frag, frags;	/* TCP */
	uint32_t	at, len;	/* UDP: header and all, in spool */
	uint32_t	ip_id;
	/* filled in by convgen_truth.c */
	uint8_t		state;		/* enum cg_state */
	bool		sure_half;	/* CG_HALF for sure */
	bool		again;		/* TCP: its head was seen again after
					 * the clock had stepped */
	uint32_t	idx;		/* frame with which it is known */
	uint32_t	heads;		/* UDP: first fragments seen */
	uint32_t	doubles;	/* UDP: fragments seen again */
};
enum cg_state { CG_NO, CG_HALF, CG_MAYBE, CG_YES };

/* A record fragment (RFC 5531 11): its mark is at pos of the stream. */
struct cg_frag {
	uint32_t	pos, len;
	uint32_t	msg_off;
	bool		last;
};

struct cg_frame {
	int64_t		t;
	uint32_t	order;		/* to keep the order of equals */
	uint32_t	flow;
	uint32_t	send;		/* UDP */
	uint32_t	off, len;	/* TCP: of the stream; UDP: of the
					 * datagram, its header included */
	uint32_t	ack;		/* TCP: of the other stream */
	uint32_t	cap;		/* captured length of the frame */
	uint16_t	ifindex;
	uint8_t		dir, flags;
	bool		undelivered;	/* lost behind the capture */
	bool		head;		/* TCP: a record begins with it */
	bool		probe;		/* payload is garbage before snd_nxt */
};

struct cg_flow {
	bool		tcp, v6;
	uint8_t		addr[2][16];	/* client, server */
	uint16_t	port[2];
	uint32_t	isn[2];
	uint32_t	base[2], len[2];	/* streams in spool */
	uint32_t	first_send, sends;
	uint32_t	mss;
	uint32_t	before;		/* flow that had the ports before */
	uint8_t		seg, frag;	/* how it is cut, see cg_seg, cg_cut */
	uint8_t		end;		/* enum cg_end */
	bool		fakes[2];	/* data that looks like RPC */
	/* filled in by convgen_truth.c */
	bool		started[2], syn[2], blind;
	bool		any_syn[2];	/* at first, or later */
	uint32_t	start_idx[2];	/* its first frame */
	uint32_t	first[2];	/* where a stream begins, and, without
					 * SYN, its data */
	uint32_t	data[2];
	uint32_t	ack[2];		/* highest seen, for that stream */
	uint32_t	high[2];	/* end of what was seen */
	uint32_t	tail[2];	/* where a FIN says that it ends */
	uint32_t	close_idx;	/* first FIN or RST, CG_NONE */
	uint32_t	last_idx;
};
enum cg_seg { CG_SEG_FULL, CG_SEG_RANDOM, CG_SEG_SMALL, CG_SEG_TINY,
	CG_SEG_BYTE, CG_SEG_KINDS };
enum cg_cut { CG_CUT_ONE, CG_CUT_FEW, CG_CUT_SMALL, CG_CUT_EMPTY_LAST,
	CG_CUT_KINDS };
enum cg_end { CG_END_FIN, CG_END_RST, CG_END_NONE };

enum cg_content { CG_DATA_NOISE, CG_DATA_CHAIN, CG_DATA_CAPTURE,
	CG_DATA_MARKS };

/* What is made. */
struct cg_shape {
	uint32_t	clients, rpcs;	/* rpcs of each client */
	uint32_t	depth, batch;	/* calls at once; in one burst */
	uint32_t	data_max;	/* bytes of a WRITE or READ */
	uint32_t	data_share;	/* per million */
	uint32_t	nconnect;	/* connections of a client, same XIDs */
	uint32_t	reconnects;
	uint32_t	callbacks;	/* per million */
	uint32_t	lost_before;	/* segments, fragments: per million */
	uint32_t	lost_behind;
	uint32_t	unanswered;	/* per million */
	uint32_t	fakes;		/* per million of data */
	uint32_t	acks;		/* pure ones, per million of segments */
	int64_t		spread;		/* clients start within */
	bool		tcp, v6, nat, mount, same_port;
	uint8_t		version;	/* 2, 3, 4 */
	uint8_t		minor;
	uint8_t		seg, frag, end;
	bool		backwards;	/* IP fragments, last one first */
	uint32_t	mss;
	bool		near_wrap;	/* sequence numbers */
};

/* What is done to it; chances are per million of frames. */
struct cg_hurt {
	uint32_t	drop, drop_marks, burst;	/* capture loss */
	uint32_t	copy, move, cross, overlap, probe;
	bool		mirror;		/* every frame twice */
	uint32_t	cut_start, cut_end;	/* frames, per million */
	uint32_t	snaplen;	/* 0: none */
	int64_t		step;		/* of the clock */
	int64_t		jitter;
};

struct convgen {
	uint64_t	rng;
	struct cg_shape	shape;
	struct cg_hurt	hurt;
	/* the link of the capture */
	int		linktype;
	uint32_t	link_len, ip_options, tcp_options;

	struct cg_buf	pool;		/* messages */
	struct cg_buf	data;		/* of the WRITE or READ being made */
	struct cg_buf	spool[2];	/* streams and datagrams */
	struct cg_buf	frame_bytes;	/* of convgen_packet */
	struct cg_op	*op;
	struct cg_msg	*msg;
	struct cg_rpc	*rpc;
	struct cg_send	*send;
	struct cg_frag	*frag;
	struct cg_frame	*frame;
	struct cg_flow	*flow;
	uint32_t	*seen[2];	/* per byte of spool, convgen_truth.c */
	uint32_t	*epoch;		/* frames at which the clock steps */
	uint32_t	ops, msgs, rpcs, sends, frags, frames, flows;
	uint32_t	epochs;
	uint32_t	op_cap, msg_cap, rpc_cap, send_cap, frag_cap, frame_cap,
			flow_cap, seen_cap[2], epoch_cap;
	uint32_t	*queue;		/* rpcs a client has yet to send */
	uint32_t	queue_cap;
	uint32_t	ip_id;
	bool		data_fake;	/* what g->data holds */
	uint8_t		noise[65536];
	struct convgen_truth truth;
	char		text[1024];
	uint64_t	seed;
	unsigned int	profile;
};

/* Makes room for n elements; exits for want of memory. */
void	*cg_grow(void *, uint32_t *cap, uint32_t n, size_t size);
/* n new bytes at the end of a buffer, not yet set. */
uint8_t	*cg_add(struct cg_buf *, size_t n);

/* Chance. */
static inline uint32_t
cg_below(struct convgen *g, uint32_t n)
{
	return testkit_below(&g->rng, n);
}

static inline uint32_t
cg_between(struct convgen *g, uint32_t lo, uint32_t hi)
{
	return lo + cg_below(g, hi - lo + 1);
}

static inline bool
cg_chance(struct convgen *g, uint32_t per_million)
{
	return per_million != 0 && cg_below(g, 1000000) < per_million;
}

/* XDR (RFC 4506) at the end of a buffer. */
static inline void
cg_poke32(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 24);
	p[1] = (uint8_t)(v >> 16);
	p[2] = (uint8_t)(v >> 8);
	p[3] = (uint8_t)v;
}

static inline void
cg_poke16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static inline void
cg_put32(struct cg_buf *b, uint32_t v)
{
	cg_poke32(cg_add(b, 4), v);
}

/* convgen_profile.c */
void	cg_profile_set(struct convgen *, unsigned int profile);

/* convgen_rpc.c: messages. */
uint32_t cg_rpc_begin(struct convgen *, uint32_t xid, bool reverse);
void	cg_call_begin(struct convgen *, uint32_t rpc, enum convgen_table,
	    uint32_t proc);
void	cg_reply_begin(struct convgen *, uint32_t rpc, enum convgen_table,
	    uint32_t proc);
void	cg_msg_end(struct convgen *);
/* Appends what the letters of the grammar say. */
void	cg_put(struct convgen *, const char *grammar);
void	cg_op_begin(struct convgen *, enum convgen_table, uint32_t num);
void	cg_op_sure(struct convgen *);
void	cg_op_detail(struct convgen *);
/* A whole call and reply of NFSv2, v3, MOUNT or portmap. */
uint32_t cg_rpc_plain(struct convgen *, enum convgen_table, uint32_t proc,
	    uint32_t xid);
uint32_t cg_rpc_any(struct convgen *, uint32_t xid);	/* of the shape */
uint32_t cg_rpc_getport(struct convgen *, uint32_t prog, uint32_t vers,
	    uint32_t proto, uint16_t port, uint32_t xid);
void	cg_data(struct convgen *, uint32_t want);	/* fills g->data */

/* convgen_nfs4.c */
uint32_t cg_rpc_compound(struct convgen *, uint32_t xid);
uint32_t cg_rpc_callback(struct convgen *, uint32_t xid);

/* convgen_data.c */
void	cg_data_fill(struct convgen *, enum cg_content, uint32_t want);

/* convgen_flow.c: all clients of the shape, sorted frames. */
void	cg_converse(struct convgen *);
/* convgen_tcp.c, convgen_udp.c */
void	cg_tcp_run(struct convgen *, uint32_t flow, uint32_t *queue,
	    uint32_t *n, int64_t *t, bool dies);
void	cg_udp_run(struct convgen *, uint32_t flow, const uint32_t *queue,
	    uint32_t n, int64_t *t);
struct cg_frame *cg_frame_add(struct convgen *, uint32_t flow, uint8_t dir,
	    int64_t t);
uint32_t cg_send_add(struct convgen *, uint32_t flow, uint8_t dir,
	    uint32_t msg);
void	cg_frames_sort(struct cg_frame *, uint32_t n);

/* convgen_net.c */
uint32_t cg_frame_header(const struct convgen *, const struct cg_frame *);
uint32_t cg_frame_wire(const struct convgen *, const struct cg_frame *);
void	cg_link_choose(struct convgen *);

/* convgen_hurt.c */
void	cg_hurt(struct convgen *);

/* convgen_truth.c, convgen_count.c */
void	cg_truth(struct convgen *);
void	cg_count(struct convgen *);
/* The last of the needed bytes of [from, to) of a message that was seen, as
 * a frame; false when one is missing.  sure: came late counts as missing. */
bool	cg_send_seen(const struct convgen *, const struct cg_send *,
	    uint32_t from, uint32_t to, bool sure, uint32_t *idx);
void	cg_more(struct convgen_range *, uint64_t lo, uint64_t hi);
/* How often the clock had stepped when the frame came. */
uint32_t cg_epoch(const struct convgen *, uint32_t idx);

#endif

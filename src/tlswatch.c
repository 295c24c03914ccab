/* SPDX-License-Identifier: ISC */
/*
 * tlswatch.c: knows when an NFS connection speaks TLS.
 */
#include "tlswatch.h"

#define HEADER		5	/* type, version (2 bytes), length (2) */
#define TYPE_FIRST	20	/* change_cipher_spec, alert, handshake, */
#define TYPE_LAST	23	/* application_data */
#define LENGTH_MAX	((1U << 14) + 2048)	/* RFC 5246 sec. 6.2.3 */

bool
tlswatch_records(struct bytes b)
{
	struct bytes h;
	uint32_t len;

	if (b.len < HEADER)
		return false;
	while (bytes_take(&b, HEADER, &h)) {
		len = bytes_be16(h.data + 3);
		if (h.data[0] < TYPE_FIRST || h.data[0] > TYPE_LAST ||
		    h.data[1] != 3 || h.data[2] > 4 ||
		    len == 0 || len > LENGTH_MAX)
			return false;
		if (!bytes_skip(&b, len))
			return true;
	}
	return true;
}

/* Could an RPC record begin with this segment, for all that is known? */
static bool
at_record(const struct flow_dir *d, const struct segment *g)
{
	switch (d->rec.phase) {
	case RPCRECORD_MARK:
		return d->rec.mark_have == 0 && (!d->stream.started ||
		    g->seq == d->stream.next);
	case RPCRECORD_HUNT:
		return true;
	}
	return false;
}

bool
tlswatch_look(struct flow *f, int dir, const struct segment *g)
{
	struct flow_dir *d = &f->dir[dir];

	if (!f->tls_asked && f->role != FLOW_LIKELY)
		return false;
	if (f->role == FLOW_ENCRYPTED || !at_record(d, g) ||
	    !tlswatch_records(g->payload))
		return false;
	return f->tls_asked || ++d->tls_segments >= TLSWATCH_SEGMENTS;
}

/* SPDX-License-Identifier: ISC */
/*
 * tcpwindow.c: what a TCP receiver lets the other side send.
 */
#include "tcpwindow.h"

#define USUAL_MSS	1460	/* where no SYN told */
#define SCALE_MAX	14	/* RFC 7323 2.3 */

/* The window in bytes; false when a scale may be missing. */
static bool
window_of(const struct flow *f, int dir, const struct segment *g, uint32_t *w)
{
	int scale = f->dir[dir].wscale;

	*w = g->window;
	if (!f->syn)
		return g->window == 0;
	/* A scale holds only when both SYNs had one. */
	if (scale >= 0 && f->dir[!dir].wscale >= 0)
		*w <<= scale > SCALE_MAX ? SCALE_MAX : scale;
	return true;
}

enum tcpwindow
tcpwindow_look(struct flow *f, int dir, const struct segment *g)
{
	struct flow_dir *from = &f->dir[dir];
	const struct flow_dir *to = &f->dir[!dir];
	uint32_t w, rest, need, full;
	int64_t flying;

	if (!window_of(f, dir, g, &w))
		return TCPWINDOW_UNKNOWN;
	from->ack = g->ack;
	from->window = w;
	if (!to->stream.started)
		return TCPWINDOW_UNKNOWN;
	if (g->window == 0)
		return TCPWINDOW_CLOSED;
	rest = to->rec.phase == RPCRECORD_BODY ? to->rec.left : 0;
	full = from->mss != 0 ? from->mss : USUAL_MSS;
	need = rest < full ? rest : full;
	/* Sent, not acknowledged; less than 0: acknowledged, not seen. */
	flying = (int32_t)(to->stream.next - g->ack);
	if (flying < 0)
		flying = 0;
	if (w < full && w < flying + need && need > 0)
		return TCPWINDOW_CLOSED;
	return TCPWINDOW_OPEN;
}

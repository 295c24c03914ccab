/* SPDX-License-Identifier: ISC */
/*
 * offload.c: how many packets the wire carries for a captured TCP frame.
 */
#include "offload.h"

#define TCP_HEADER	20
#define ORDINARY_PACKET	1500	/* longer ones were made by offload, unless
				 * MSS or MTU say otherwise */
#define SMALLEST_FULL	512	/* a full segment is longer */
#define USUAL_FULL	1448	/* Ethernet, with timestamps */

/* Payload of a full segment; 0 when this one can only teach how much. */
static uint32_t
full_segment(const struct flow *f, int dir, const struct segment *g,
    const struct offload_frame *frame)
{
	uint32_t options = g->header_len > TCP_HEADER ?
	    g->header_len - TCP_HEADER : 0;
	uint32_t mss = f->dir[!dir].mss, largest = f->dir[dir].largest;
	uint32_t headers = frame->network_len + g->header_len;

	if (mss > options)		/* RFC 9293 3.7.1, RFC 6691 */
		return mss - options;
	if (frame->mtu > headers)
		return frame->mtu - headers;
	if (headers + g->payload_len <= ORDINARY_PACKET)
		return 0;
	return largest > SMALLEST_FULL ? largest : USUAL_FULL;
}

uint32_t
offload_packets(struct flow *f, int dir, const struct segment *g,
    const struct offload_frame *frame)
{
	uint32_t full = full_segment(f, dir, g, frame);

	if (full == 0) {
		if (g->payload_len > f->dir[dir].largest)
			f->dir[dir].largest = (uint16_t)g->payload_len;
		return 1;
	}
	if (g->payload_len <= full || frame->network_len + g->header_len +
	    g->payload_len <= ORDINARY_PACKET)
		return 1;
	return g->payload_len / full + (g->payload_len % full != 0);
}

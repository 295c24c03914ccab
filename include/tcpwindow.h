/* SPDX-License-Identifier: ISC */
/*
 * tcpwindow.h: what a TCP receiver lets the other side send (RFC 9293 3.8.6).
 */
#ifndef NFSRATED_TCPWINDOW_H
#define NFSRATED_TCPWINDOW_H

#include "flow.h"
#include "transport.h"

enum tcpwindow {
	TCPWINDOW_UNKNOWN,	/* the scale was not seen (RFC 7323 2.3) */
	TCPWINDOW_OPEN,
	TCPWINDOW_CLOSED	/* zero; or less than a full segment and than
				 * what the message under way still needs */
};

/*
 * What segment g, sent in direction dir, allows the other direction.  Its
 * acknowledgement and window are noted in the flow.
 */
enum tcpwindow tcpwindow_look(struct flow *, int dir, const struct segment *g);

#endif

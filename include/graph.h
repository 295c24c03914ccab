/* SPDX-License-Identifier: ISC */
/*
 * graph.h: rates over time as bars of two lines, and the rate that is
 * expected as a line in them.
 *
 * A column is an interval.  The scale goes from 0 to the largest rate shown or
 * the expected one, whichever is more; the line is drawn where it is not
 * behind a bar.  What is not known is '?': it differs from a rate of 0, which
 * is a blank.  Blocks of eighths where there is UTF-8, else ". : #".  Pure.
 */
#ifndef NFSRATED_GRAPH_H
#define NFSRATED_GRAPH_H

#include <stdbool.h>

#include "canvas.h"

#define GRAPH_LINES	2

struct graph_point {
	double		rate;		/* negative: not known */
	bool		bad;
	bool		chosen;		/* where the reader is */
};

/* The top of the scale; 1 at least. */
double	graph_top(const struct graph_point *, int n, double expected);

/*
 * Points from a column on, in the rows row and row + 1.  expected 0: there is
 * no line.
 */
void	graph_draw(struct canvas *, int row, int col,
	    const struct graph_point *, int n, double expected);

/* The eighths of a block, 0 to 8, as a character: ' ' to a full one. */
unsigned int graph_block(const struct canvas *, int eighths);

#endif

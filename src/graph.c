/* SPDX-License-Identifier: ISC */
/*
 * graph.c: rates over time as bars of two lines.
 */
#include "graph.h"

#define EIGHTHS		8
#define LEVELS		(GRAPH_LINES * EIGHTHS)

#define UPPER_EDGE	0x2594	/* upper one eighth block */
#define MIDDLE		0x2500	/* box drawings light horizontal */
#define LOWER_EDGE	0x2581	/* lower one eighth block */

unsigned int
graph_block(const struct canvas *c, int eighths)
{
	static const char ascii[EIGHTHS + 1] = "  ..::###";

	if (eighths <= 0)
		return ' ';
	if (eighths > EIGHTHS)
		eighths = EIGHTHS;
	if (c->utf8)
		return 0x2580U + (unsigned int)eighths;
	return (unsigned char)ascii[eighths == 1 ? 2 : eighths];
}

double
graph_top(const struct graph_point *p, int n, double expected)
{
	double top = expected > 1 ? expected : 1;
	int i;

	for (i = 0; i < n; i++)
		if (p[i].rate > top)
			top = p[i].rate;
	return top;
}

/* Of LEVELS; what is not 0 shows. */
static int
level_of(double rate, double top)
{
	int level = (int)(rate / top * LEVELS + 0.5);

	if (level == 0 && rate > 0)
		return 1;
	return level > LEVELS ? LEVELS : level;
}

/* The expected line through a cell at a height of 1 to 8. */
static unsigned int
line_char(const struct canvas *c, int height)
{
	if (!c->utf8)
		return height > 6 ? '"' : height > 2 ? '-' : '_';
	return height > 6 ? UPPER_EDGE : height > 2 ? MIDDLE : LOWER_EDGE;
}

static void
draw_point(struct canvas *c, int row, int col, const struct graph_point *p,
    double top, int line)
{
	enum canvas_attr attr = p->chosen ? CANVAS_CHOSEN :
	    p->bad ? CANVAS_BAD : CANVAS_BAR;
	int level = level_of(p->rate, top);
	int i, above, height;

	for (i = 0; i < GRAPH_LINES; i++) {
		above = (GRAPH_LINES - 1 - i) * EIGHTHS; /* levels below it */
		height = line - above;
		if (p->rate < 0 && i == GRAPH_LINES - 1)
			canvas_char(c, row + i, col, CANVAS_DIM, '?');
		else if (level > above)
			canvas_char(c, row + i, col, attr,
			    graph_block(c, level - above));
		else if (height > 0 && height <= EIGHTHS)
			canvas_char(c, row + i, col, p->chosen ?
			    CANVAS_CHOSEN : CANVAS_DIM, line_char(c, height));
		else
			canvas_char(c, row + i, col, p->chosen ?
			    CANVAS_CHOSEN : CANVAS_PLAIN, ' ');
	}
}

void
graph_draw(struct canvas *c, int row, int col, const struct graph_point *p,
    int n, double expected)
{
	double top = graph_top(p, n, expected);
	int line = expected > 0 ? level_of(expected, top) : 0;
	int i;

	for (i = 0; i < n; i++)
		draw_point(c, row, col + i, &p[i], top, line);
}

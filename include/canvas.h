/* SPDX-License-Identifier: ISC */
/*
 * canvas.h: a screen as rows of cells in the caller's storage: characters and
 * how they should look.  Whoever paints it decides how that is done.
 *
 * Text is cut where the row ends, whatever its length.  It may come from the
 * wire: control characters, what is no UTF-8 and, on a canvas that has only
 * ASCII, all the rest are shown as '?'.
 */
#ifndef NFSRATED_CANVAS_H
#define NFSRATED_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* None of them says anything that the text does not say too. */
enum canvas_attr {
	CANVAS_PLAIN,
	CANVAS_DIM,
	CANVAS_TITLE,		/* of columns */
	CANVAS_STRONG,
	CANVAS_GOOD,
	CANVAS_BAD,
	CANVAS_WARN,
	CANVAS_BAR,		/* of a graph */
	CANVAS_CHOSEN,		/* where the reader is */
	CANVAS_KEYS,		/* the line of keys, messages */
	CANVAS_ATTRS
};

struct canvas_cell {
	uint32_t	ch;	/* a character; 0: the second half of a wide
				 * one */
	uint8_t		attr;	/* enum canvas_attr */
};

struct canvas {
	struct canvas_cell *cell;
	int		rows, cols;
	bool		utf8;	/* more than ASCII can be shown */
};

/* rows * cols cells; all blank. */
void	canvas_init(struct canvas *, struct canvas_cell *, int rows, int cols,
	    bool utf8);

/* Each gives the column behind what it wrote, which may be past the end. */
int	canvas_char(struct canvas *, int row, int col, enum canvas_attr,
	    uint32_t ch);
int	canvas_text(struct canvas *, int row, int col, enum canvas_attr,
	    const char *);
int	canvas_printf(struct canvas *, int row, int col, enum canvas_attr,
	    const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* At most width columns. */
int	canvas_field(struct canvas *, int row, int col, enum canvas_attr,
	    int width, const char *);
/* So that it ends in front of the column end. */
int	canvas_right(struct canvas *, int row, int end, enum canvas_attr,
	    const char *);
/* Columns that a text takes on this canvas. */
int	canvas_width(const struct canvas *, const char *);

/* Blanks in a row from a column on, and how they look. */
void	canvas_blank(struct canvas *, int row, int col, enum canvas_attr);
/* The looks of what stands in a row. */
void	canvas_paint(struct canvas *, int row, enum canvas_attr);

/* A row as UTF-8 without blanks at its end, into buf; gives buf. */
#define CANVAS_ROW_SIZE(cols)	((size_t)(cols) * 4 + 1)
const char *canvas_row(const struct canvas *, int row, char *buf, size_t size);

#endif

/* SPDX-License-Identifier: ISC */
/*
 * canvas.c: a screen as rows of cells.
 */
#include "canvas.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define LINE_MAX_BYTES	1024	/* of a printf */

void
canvas_init(struct canvas *c, struct canvas_cell *cells, int rows, int cols,
    bool utf8)
{
	int row;

	*c = (struct canvas){ cells, rows, cols, utf8 };
	for (row = 0; row < rows; row++)
		canvas_blank(c, row, 0, CANVAS_PLAIN);
}

static struct canvas_cell *
cell_at(struct canvas *c, int row, int col)
{
	if (row < 0 || row >= c->rows || col < 0 || col >= c->cols)
		return NULL;
	return &c->cell[(size_t)row * (size_t)c->cols + (size_t)col];
}

/* The next character of a text, which is not at its end. */
static uint32_t
take(const char **text)
{
	const unsigned char *p = (const void *)*text;
	uint32_t ch = *p, low;
	int more, i;

	(*text)++;
	if (ch < 0x80)
		return ch;
	more = ch >= 0xf0 ? 3 : ch >= 0xe0 ? 2 : 1;
	if (ch < 0xc2 || ch > 0xf4)
		return '?';
	ch &= 0x3fU >> more;
	for (i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return '?';
		ch = ch << 6 | (p[i] & 0x3f);
	}
	low = more == 3 ? 0x10000 : more == 2 ? 0x800 : 0x80;
	if (ch < low || ch > 0x10ffff || (ch >= 0xd800 && ch <= 0xdfff))
		return '?';
	*text += more;
	return ch;
}

/* Columns of a character, which becomes one that can be shown. */
static int
fit(const struct canvas *c, uint32_t *ch)
{
	int width = 1;

	if (*ch < 0x80) {
		if (*ch < 0x20 || *ch == 0x7f)
			*ch = '?';
	} else if (!c->utf8)
		*ch = '?';
	else if ((width = wcwidth((wchar_t)*ch)) < 0) {
		*ch = '?';
		width = 1;
	}
	return width;
}

int
canvas_char(struct canvas *c, int row, int col, enum canvas_attr attr,
    uint32_t ch)
{
	struct canvas_cell *cell = cell_at(c, row, col);

	if (cell != NULL)
		*cell = (struct canvas_cell){ ch, (uint8_t)attr };
	return col + 1;
}

/* A wide character that has no room is a blank. */
static int
put(struct canvas *c, int row, int col, int end, enum canvas_attr attr,
    uint32_t ch, int width)
{
	if (width == 2 && col + 2 > end)
		return canvas_char(c, row, col, attr, ' ');
	if (width > 0)
		col = canvas_char(c, row, col, attr, ch);
	if (width == 2)
		col = canvas_char(c, row, col, attr, 0);
	return col;
}

static int
text_to(struct canvas *c, int row, int col, int end, enum canvas_attr attr,
    const char *text)
{
	uint32_t ch;
	int width;

	if (end > c->cols)
		end = c->cols;
	while (*text != '\0' && col < end) {
		ch = take(&text);
		width = fit(c, &ch);
		col = put(c, row, col, end, attr, ch, width);
	}
	return col;
}

int
canvas_text(struct canvas *c, int row, int col, enum canvas_attr attr,
    const char *text)
{
	return text_to(c, row, col, INT_MAX, attr, text);
}

int
canvas_printf(struct canvas *c, int row, int col, enum canvas_attr attr,
    const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	va_list ap;

	va_start(ap, fmt);
	if (vsnprintf(line, sizeof(line), fmt, ap) < 0)
		line[0] = '\0';
	va_end(ap);
	return canvas_text(c, row, col, attr, line);
}

int
canvas_field(struct canvas *c, int row, int col, enum canvas_attr attr,
    int width, const char *text)
{
	return width > 0 ? text_to(c, row, col, col + width, attr, text) : col;
}

int
canvas_right(struct canvas *c, int row, int end, enum canvas_attr attr,
    const char *text)
{
	return canvas_text(c, row, end - canvas_width(c, text), attr, text);
}

int
canvas_width(const struct canvas *c, const char *text)
{
	uint32_t ch;
	int width = 0;

	while (*text != '\0') {
		ch = take(&text);
		width += fit(c, &ch);
	}
	return width;
}

void
canvas_blank(struct canvas *c, int row, int col, enum canvas_attr attr)
{
	while (col < c->cols)
		col = canvas_char(c, row, col, attr, ' ');
}

void
canvas_paint(struct canvas *c, int row, enum canvas_attr attr)
{
	struct canvas_cell *cell;
	int col;

	for (col = 0; (cell = cell_at(c, row, col)) != NULL; col++)
		cell->attr = (uint8_t)attr;
}

static size_t
encode(char *p, uint32_t ch)
{
	if (ch < 0x80) {
		p[0] = (char)ch;
		return 1;
	}
	if (ch < 0x800) {
		p[0] = (char)(0xc0 | ch >> 6);
		p[1] = (char)(0x80 | (ch & 0x3f));
		return 2;
	}
	if (ch < 0x10000) {
		p[0] = (char)(0xe0 | ch >> 12);
		p[1] = (char)(0x80 | (ch >> 6 & 0x3f));
		p[2] = (char)(0x80 | (ch & 0x3f));
		return 3;
	}
	p[0] = (char)(0xf0 | ch >> 18);
	p[1] = (char)(0x80 | (ch >> 12 & 0x3f));
	p[2] = (char)(0x80 | (ch >> 6 & 0x3f));
	p[3] = (char)(0x80 | (ch & 0x3f));
	return 4;
}

const char *
canvas_row(const struct canvas *c, int row, char *buf, size_t size)
{
	const struct canvas_cell *cell;
	size_t len = 0;
	int col;

	for (col = 0; row >= 0 && row < c->rows && col < c->cols &&
	    size - len > 4; col++) {
		cell = &c->cell[(size_t)row * (size_t)c->cols + (size_t)col];
		if (cell->ch != 0)
			len += encode(buf + len, cell->ch);
	}
	while (len > 0 && buf[len - 1] == ' ')
		len--;
	buf[len] = '\0';
	return buf;
}

/* SPDX-License-Identifier: ISC */
/*
 * reportcell.c: right-aligned cells of a report's tables.
 */
#include "reportcell.h"

#include "figures.h"

void
reportcell_text(struct textbuf *t, int width, const char *text)
{
	textbuf_printf(t, " %*s", width - 1, text);
}

void
reportcell_count(struct textbuf *t, int width, uint64_t v)
{
	char buf[FIGURES_SIZE];

	reportcell_text(t, width, figures_count(buf, v, width - 1));
}

void
reportcell_real(struct textbuf *t, int width, double v, int decimals)
{
	char buf[FIGURES_SIZE];

	reportcell_text(t, width, figures_real(buf, v, decimals, width - 1));
}

void
reportcell_mean_ms(struct textbuf *t, int width, uint64_t sum_us, uint64_t n)
{
	if (n > 0)
		reportcell_real(t, width, (double)sum_us / (double)n / 1e3, 2);
	else
		reportcell_text(t, width, "-");
}

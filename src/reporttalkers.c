/* SPDX-License-Identifier: ISC */
/*
 * reporttalkers.c: the part of a report on who talked.
 */
#include "reporttalkers.h"

#include "reportcell.h"

static void
talker(struct textbuf *t, const struct sample_talk *k)
{
	reportcell_count(t, 12, k->calls);
	reportcell_count(t, 8, k->retransmits);
	reportcell_count(t, 8, k->errors);
	reportcell_count(t, 12, k->write_calls);
	reportcell_real(t, 12, (double)k->write_bytes / 1e6, 2);
	reportcell_real(t, 12, (double)k->read_bytes / 1e6, 2);
	reportcell_mean_ms(t, 10, k->sum_us, k->timed);
	textbuf_char(t, '\n');
}

static void
title(struct textbuf *t, const char *of)
{
	textbuf_printf(t, "\n%-24s       calls  resent  errors"
	    "      WRITEs  MB written     MB read   mean ms\n", of);
}

static void
client_name(struct textbuf *t, const struct sample_client *c)
{
	char addr[ADDR_STRLEN];

	textbuf_printf(t, "%-24s", addr_print(&c->addr, addr, sizeof(addr)));
}

static void
clients(struct textbuf *t, const struct sample_client *const *c, uint32_t n)
{
	uint32_t i;

	if (n > 0)
		title(t, "clients");
	for (i = 0; i < n; i++) {
		client_name(t, c[i]);
		talker(t, &c[i]->t.total);
	}
}

/* What waits in the server's memory, and how long it did. */
static void
unstable(struct textbuf *t, const struct sample_client *const *c, uint32_t n)
{
	const struct sample_talk *k;
	bool titled = false;
	uint32_t i;

	for (i = 0; i < n; i++) {
		k = &c[i]->t.total;
		if (k->unstable_bytes == 0)
			continue;
		if (!titled)
			textbuf_str(t, "\nUNSTABLE data            "
			    "   MB written   uncommitted     COMMITs   "
			    "waited ms    max ms\n");
		titled = true;
		client_name(t, c[i]);
		reportcell_real(t, 14, (double)k->unstable_bytes / 1e6, 2);
		reportcell_real(t, 14, (double)sample_uncommitted(k) / 1e6,
		    2);
		reportcell_count(t, 12, k->commits);
		reportcell_mean_ms(t, 12, k->waited_us, k->commits);
		reportcell_mean_ms(t, 10, k->waited_max_us, k->commits > 0);
		textbuf_char(t, '\n');
	}
}

static void
users(struct textbuf *t, const struct sample_user *const *u, uint32_t n)
{
	uint32_t i;

	if (n > 0)
		title(t, "users (uid)");
	for (i = 0; i < n; i++) {
		textbuf_printf(t, "%-24u", u[i]->uid);
		talker(t, &u[i]->t.total);
	}
}

void
reporttalkers(struct textbuf *text, const struct totals *t)
{
	const struct sample_client *c[REPORT_ROWS] = { NULL };
	const struct sample_user *u[REPORT_ROWS] = { NULL };
	uint32_t n = toprows_clients(t->rows, c, REPORT_ROWS);

	clients(text, c, n);
	unstable(text, c, n);
	users(text, u, toprows_users(t->rows, u, REPORT_ROWS));
}

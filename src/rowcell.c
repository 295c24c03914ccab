/* SPDX-License-Identifier: ISC */
/*
 * rowcell.c: what stands in the cells of an interval's row.
 */
#include "rowcell.h"

#include <stdio.h>
#include <string.h>

#include "expect.h"
#include "textbuf.h"

static void
print_real(char *buf, bool known, double v, int decimals, int width)
{
	if (known)
		figures_real(buf, v, decimals, width);
	else
		strcpy(buf, "-");
}

/* The time and its mark. */
static void
print_time(char *buf, const struct rowcell_row *r)
{
	struct textbuf t = { 0 };

	textbuf_clock(&t, r->s->start_ns, r->tenths);
	textbuf_char(&t, r->s->partial ? '*' : ' ');
	snprintf(buf, FIGURES_SIZE, "%s", t.failed ? "" : t.data);
	textbuf_free(&t);
}

/* Nothing is known of RPC: the capture was down, or packets were counted. */
static bool
knows_rpc(const struct sample *s)
{
	return !s->no_data && !s->packets_only;
}

static uint64_t
count_of(enum rowcell which, const struct sample *s)
{
	const struct sample_traffic *in = &s->traffic[SAMPLE_IN];
	const struct sample_traffic *out = &s->traffic[SAMPLE_OUT];

	switch (which) {
	case ROWCELL_IN_PACKETS:
		return in->wire_packets;
	case ROWCELL_IN_ERRS:
		return in->errs;
	case ROWCELL_IN_BYTES:
		return in->wire_bytes;
	case ROWCELL_OUT_PACKETS:
		return out->wire_packets;
	case ROWCELL_OUT_ERRS:
		return out->errs;
	case ROWCELL_OUT_BYTES:
		return out->wire_bytes;
	case ROWCELL_WRITES:
		return s->data[SAMPLE_WRITE].calls;
	case ROWCELL_READS:
		return s->data[SAMPLE_READ].calls;
	case ROWCELL_CALLS:
		return s->rpc_calls;
	case ROWCELL_RESENT:
		return s->rpc_retransmits;
	default:
		return SAMPLE_UNKNOWN;
	}
}

/* These are the interface's, which goes on when the capture does not. */
static uint64_t
counter_of(enum rowcell which, const struct sample *s)
{
	switch (which) {
	case ROWCELL_COLLS:
		return s->colls;
	case ROWCELL_IF_IN_PACKETS:
		return s->if_in_packets;
	case ROWCELL_IF_IN_ERRS:
		return s->if_in_errs;
	case ROWCELL_IF_IN_BYTES:
		return s->if_in_bytes;
	case ROWCELL_IF_OUT_PACKETS:
		return s->if_out_packets;
	case ROWCELL_IF_OUT_ERRS:
		return s->if_out_errs;
	case ROWCELL_IF_OUT_BYTES:
		return s->if_out_bytes;
	case ROWCELL_DROPS:
		return sample_sum(s->kernel_drops, s->interface_drops);
	default:
		return SAMPLE_UNKNOWN;
	}
}

static void
print_mbps(char *buf, const struct rowcell_row *r, enum sample_kind kind,
    int width)
{
	const struct sample_data *d = &r->s->data[kind];
	bool hidden = d->hidden > 0 && d->hidden >= d->calls;

	print_real(buf, knows_rpc(r->s) && !hidden,
	    (double)d->bytes / 1e6 / sample_seconds(r->s), 2, width);
}

static void
print_ms(char *buf, const struct rowcell_row *r, enum sample_kind kind,
    int width)
{
	const struct sample_part *p = &r->s->data[kind].latency;

	print_real(buf, p->timed > 0,
	    (double)p->sum_us / 1e3 / (double)(p->timed ? p->timed : 1), 2,
	    width);
}

static void
print_depth(char *buf, const struct rowcell_row *r, int width)
{
	int64_t ns = r->s->watched_ns;

	print_real(buf, knows_rpc(r->s) && ns > 0,
	    (double)r->s->depth_ns / (double)(ns > 0 ? ns : 1), 1, width);
}

static void
print_on(char *buf, const struct rowcell_row *r)
{
	const struct sample *s = r->s;

	if (!s->has_duty || s->duty_bins == 0)
		strcpy(buf, "-");
	else
		snprintf(buf, FIGURES_SIZE, "%.0f%%",
		    100 * (double)s->duty_on / s->duty_bins);
}

static void
print_where(char *buf, const struct rowcell_row *r)
{
	const uint64_t *ns = r->s->state_ns;
	double sum = 0;
	int i, most = 0;

	for (i = 0; i < SAMPLE_STATES; i++) {
		sum += (double)ns[i];
		if (ns[i] > ns[most])
			most = i;
	}
	if (!r->s->has_split || sum <= 0)
		strcpy(buf, "-");
	else
		snprintf(buf, FIGURES_SIZE, "%s %.0f%%",
		    sample_state_name((enum sample_state)most),
		    100 * (double)ns[most] / sum);
}

static void
print_verdict(char *buf, const struct rowcell_row *r)
{
	const char *text = "-";

	if (r->s->no_data)
		text = "no data";
	else if (r->v != NULL && r->v->has_verdict)
		text = verdict_short(r->v->verdict);
	snprintf(buf, FIGURES_SIZE, "%s%s", !r->s->no_data &&
	    sample_trust(r->s) < ROWCELL_TRUSTED ? "~" : "", text);
}

const char *
rowcell_text(char buf[FIGURES_SIZE], enum rowcell which,
    const struct rowcell_row *r, int width)
{
	switch (which) {
	case ROWCELL_TIME:
		print_time(buf, r);
		break;
	case ROWCELL_WRITE_MBPS:
		print_mbps(buf, r, SAMPLE_WRITE, width);
		break;
	case ROWCELL_READ_MBPS:
		print_mbps(buf, r, SAMPLE_READ, width);
		break;
	case ROWCELL_WRITE_MS:
		print_ms(buf, r, SAMPLE_WRITE, width);
		break;
	case ROWCELL_READ_MS:
		print_ms(buf, r, SAMPLE_READ, width);
		break;
	case ROWCELL_DEPTH:
		print_depth(buf, r, width);
		break;
	case ROWCELL_ON:
		print_on(buf, r);
		break;
	case ROWCELL_WHERE:
		print_where(buf, r);
		break;
	case ROWCELL_VERDICT:
		print_verdict(buf, r);
		break;
	case ROWCELL_IN_BYTES:
	case ROWCELL_OUT_BYTES:
		if (r->human && !r->s->no_data)
			return figures_human(buf, count_of(which, r->s));
		return figures_count(buf, r->s->no_data ? SAMPLE_UNKNOWN :
		    count_of(which, r->s), width);
	case ROWCELL_IF_IN_BYTES:
	case ROWCELL_IF_OUT_BYTES:
		if (r->human)
			return figures_human(buf, counter_of(which, r->s));
		return figures_count(buf, counter_of(which, r->s), width);
	case ROWCELL_COLLS:
	case ROWCELL_IF_IN_PACKETS:
	case ROWCELL_IF_IN_ERRS:
	case ROWCELL_IF_OUT_PACKETS:
	case ROWCELL_IF_OUT_ERRS:
	case ROWCELL_DROPS:
		return figures_count(buf, counter_of(which, r->s), width);
	case ROWCELL_WRITES:
	case ROWCELL_READS:
	case ROWCELL_CALLS:
	case ROWCELL_RESENT:
		return figures_count(buf, knows_rpc(r->s) ?
		    count_of(which, r->s) : SAMPLE_UNKNOWN, width);
	default:
		return figures_count(buf, r->s->no_data ? SAMPLE_UNKNOWN :
		    count_of(which, r->s), width);
	}
	return buf;
}

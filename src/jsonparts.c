/* SPDX-License-Identifier: ISC */
/*
 * jsonparts.c: the objects that records of one interval and of all of them
 * have in common.
 */
#include "jsonparts.h"

#include <string.h>

void
jsonparts_traffic(struct jsonout *j, const char *key,
    const struct sample_traffic *t, bool errs)
{
	jsonout_object(j, key);
	jsonout_uint(j, "packets", t->packets);
	jsonout_uint(j, "wire_packets", t->wire_packets);
	jsonout_uint(j, "bytes", t->bytes);
	jsonout_uint(j, "wire_bytes", t->wire_bytes);
	if (errs)
		jsonout_uint(j, "errs", t->errs);
	jsonout_end_object(j);
}

static void
quantiles(struct jsonout *j, const struct jsonparts *from, uint16_t series,
    uint32_t max_us)
{
	struct histogram h;

	if (from->sample != NULL)
		sample_histogram(from->sample, series, &h);
	else
		h = from->totals->series[series];
	if (h.count == 0)
		return;
	h.max_us = max_us;
	jsonout_real(j, "p50", histogram_quantile_us(&h, 0.50), 1);
	jsonout_real(j, "p95", histogram_quantile_us(&h, 0.95), 1);
	jsonout_real(j, "p99", histogram_quantile_us(&h, 0.99), 1);
}

void
jsonparts_latency(struct jsonout *j, const char *key,
    const struct jsonparts *from, uint16_t series,
    const struct sample_part *p)
{
	if (p->timed == 0) {
		jsonout_null(j, key);
		return;
	}
	jsonout_object(j, key);
	jsonout_real(j, "mean", (double)p->sum_us / (double)p->timed, 1);
	if (series < SAMPLE_SERIES)
		quantiles(j, from, series, p->max_us);
	jsonout_uint(j, "max", p->max_us);
	jsonout_end_object(j);
}

static void
counts(struct jsonout *j, const struct sample_data *d)
{
	jsonout_uint(j, "calls", d->calls);
	jsonout_uint(j, "replies", d->replies);
	jsonout_uint(j, "errors", d->errors);
	jsonout_uint(j, "retransmits", d->retransmits);
}

/* READ or WRITE; the series of the parts follow one another. */
static void
transfer(struct jsonout *j, const struct jsonparts *from,
    const struct sample_data *d, uint16_t series)
{
	counts(j, d);
	if (d->hidden > 0 && d->hidden >= d->calls)
		jsonout_null(j, "bytes");
	else
		jsonout_uint(j, "bytes", d->bytes);
	if (d->hidden > 0)
		jsonout_uint(j, "hidden", d->hidden);
	jsonparts_latency(j, "latency_us", from, series, &d->latency);
	jsonparts_latency(j, "request_us", from, (uint16_t)(series + 1),
	    &d->request);
	jsonparts_latency(j, "server_us", from, (uint16_t)(series + 2),
	    &d->server);
	jsonparts_latency(j, "reply_us", from, (uint16_t)(series + 3),
	    &d->reply);
}

void
jsonparts_data(struct jsonout *j, const struct jsonparts *from,
    const struct sample_data data[SAMPLE_KINDS])
{
	const struct sample_data *w = &data[SAMPLE_WRITE];

	jsonout_object(j, "write");
	transfer(j, from, w, SAMPLE_WRITE_LATENCY);
	jsonout_object(j, "stable");
	jsonout_uint(j, "unstable", w->stable[0]);
	jsonout_uint(j, "data_sync", w->stable[1]);
	jsonout_uint(j, "file_sync", w->stable[2]);
	jsonout_end_object(j);
	jsonout_end_object(j);

	jsonout_object(j, "read");
	transfer(j, from, &data[SAMPLE_READ], SAMPLE_READ_LATENCY);
	jsonout_end_object(j);

	jsonout_object(j, "commit");
	counts(j, &data[SAMPLE_COMMIT]);
	jsonparts_latency(j, "latency_us", from, SAMPLE_COMMIT_LATENCY,
	    &data[SAMPLE_COMMIT].latency);
	jsonout_end_object(j);
}

void
jsonparts_counters(struct jsonout *j, enum sample_group group,
    const uint64_t counter[SAMPLE_COUNTERS])
{
	int i;

	for (i = 0; i < SAMPLE_COUNTERS; i++)
		if (sample_counter_group((enum sample_counter)i) == group)
			jsonout_uint(j, sample_counter_name(
			    (enum sample_counter)i), counter[i]);
}

void
jsonparts_groups(struct jsonout *j, const uint64_t counter[SAMPLE_COUNTERS],
    uint64_t kernel_drops, uint64_t interface_drops)
{
	static const enum sample_group groups[] = { SAMPLE_G_TCP, SAMPLE_G_IP,
	    SAMPLE_G_CAPTURE, SAMPLE_G_DISCARDS, SAMPLE_G_EVICTIONS };
	size_t i;

	for (i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		jsonout_object(j, sample_group_name(groups[i]));
		if (groups[i] == SAMPLE_G_CAPTURE) {
			jsonout_uint(j, "kernel_drops", kernel_drops);
			jsonout_uint(j, "interface_drops", interface_drops);
		}
		jsonparts_counters(j, groups[i], counter);
		jsonout_end_object(j);
	}
}

void
jsonparts_split(struct jsonout *j, bool has_split,
    const uint64_t state_ns[SAMPLE_STATES])
{
	double sum = 0;
	int i;

	if (!has_split) {
		jsonout_null(j, "split");
		return;
	}
	for (i = 0; i < SAMPLE_STATES; i++)
		sum += (double)state_ns[i];
	jsonout_object(j, "split");
	for (i = 0; i < SAMPLE_STATES; i++)
		jsonout_real(j, sample_state_name((enum sample_state)i),
		    sum > 0 ? (double)state_ns[i] / sum :
		    i == SAMPLE_CLIENT ? 1 : 0, 5);
	jsonout_end_object(j);
}

/* Data that a crash of the server may cost, and how long it was so. */
static void
commits(struct jsonout *j, const struct sample_talk *k)
{
	jsonout_uint(j, "uncommitted_bytes", sample_uncommitted(k));
	jsonout_uint(j, "commits", k->commits);
	if (k->commits == 0) {
		jsonout_null(j, "time_to_commit_us");
		return;
	}
	jsonout_object(j, "time_to_commit_us");
	jsonout_real(j, "mean", (double)k->waited_us / (double)k->commits, 1);
	jsonout_uint(j, "max", k->waited_max_us);
	jsonout_end_object(j);
}

static void
talk(struct jsonout *j, const struct sample_talk *k)
{
	jsonout_uint(j, "calls", k->calls);
	jsonout_uint(j, "replies", k->replies);
	jsonout_uint(j, "errors", k->errors);
	jsonout_uint(j, "retransmits", k->retransmits);
	jsonout_uint(j, "write_calls", k->write_calls);
	jsonout_uint(j, "write_bytes", k->write_bytes);
	jsonout_uint(j, "read_calls", k->read_calls);
	jsonout_uint(j, "read_bytes", k->read_bytes);
	if (k->timed == 0)
		jsonout_null(j, "latency_us");
	else {
		jsonout_object(j, "latency_us");
		jsonout_real(j, "mean", (double)k->sum_us / (double)k->timed,
		    1);
		jsonout_end_object(j);
	}
	commits(j, k);
}

static void
file_handle(struct jsonout *j, const struct sample_file *f)
{
	char hex[2 * sizeof(f->fh) + 1];
	size_t i, n = f->fh_len < sizeof(f->fh) ? f->fh_len : sizeof(f->fh);

	for (i = 0; i < n; i++) {
		hex[2 * i] = "0123456789abcdef"[f->fh[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[f->fh[i] & 15];
	}
	jsonout_strn(j, "fh", hex, 2 * n);
	if (f->fh_len > n)
		jsonout_uint(j, "fh_len", f->fh_len);
	if (f->name[0] != '\0')
		jsonout_strn(j, "name", f->name,
		    strnlen(f->name, sizeof(f->name)));
	else
		jsonout_null(j, "name");
}

static void
top_clients(struct jsonout *j, const struct toprows *rows)
{
	const struct sample_client *c[TOPROWS_MAX];
	uint32_t i, n = toprows_clients(rows, c, TOPROWS_MAX);
	char addr[ADDR_STRLEN];

	jsonout_array(j, "clients");
	for (i = 0; i < n; i++) {
		jsonout_object(j, NULL);
		jsonout_str(j, "addr", addr_print(&c[i]->addr, addr,
		    sizeof(addr)));
		talk(j, &c[i]->t.total);
		jsonout_end_object(j);
	}
	jsonout_end_array(j);
}

static void
top_users(struct jsonout *j, const struct toprows *rows)
{
	const struct sample_user *u[TOPROWS_MAX];
	uint32_t i, n = toprows_users(rows, u, TOPROWS_MAX);

	jsonout_array(j, "users");
	for (i = 0; i < n; i++) {
		jsonout_object(j, NULL);
		jsonout_uint(j, "uid", u[i]->uid);
		talk(j, &u[i]->t.total);
		jsonout_end_object(j);
	}
	jsonout_end_array(j);
}

static void
top_files(struct jsonout *j, const struct toprows *rows)
{
	const struct sample_file *f[TOPROWS_MAX];
	uint32_t i, n = toprows_files(rows, f, TOPROWS_MAX);

	jsonout_array(j, "files");
	for (i = 0; i < n; i++) {
		jsonout_object(j, NULL);
		file_handle(j, f[i]);
		talk(j, &f[i]->t.total);
		jsonout_end_object(j);
	}
	jsonout_end_array(j);
}

void
jsonparts_begin(struct jsonout *j, struct textbuf *t, const char *type)
{
	*j = (struct jsonout){ .text = t };
	jsonout_object(j, NULL);
	jsonout_str(j, "type", type);
}

void
jsonparts_end(struct jsonout *j)
{
	jsonout_end_object(j);
	textbuf_char(j->text, '\n');
}

void
jsonparts_nulls(struct jsonout *j, const char *const *keys, size_t n)
{
	for (; n > 0; n--, keys++)
		jsonout_null(j, *keys);
}

/* What is not known of what only rows of netstat told of. */
static const char *const beside_packets[] = {
	"rpc", "write", "read", "commit", "ops", "split", "duty", "tcp", "ip",
	"capture", "discards", "evictions"
};

void
jsonparts_rate(struct jsonout *j, const char *key, bool known, double rate)
{
	if (known)
		jsonout_real(j, key, rate, 3);
	else
		jsonout_null(j, key);
}

void
jsonparts_episode(struct jsonout *j, const struct episode *e)
{
	char addr[ADDR_STRLEN];

	jsonout_str(j, "event", e->ended ? "end" : "start");
	jsonout_str(j, "kind", verdict_name(e->kind));
	jsonout_time(j, "start", e->start_ns);
	if (e->ended)
		jsonout_time(j, "end", e->end_ns);
	else
		jsonout_null(j, "end");
	jsonout_uint(j, "intervals", e->intervals);
	jsonout_str(j, "unit", expect_kind_name(e->expect == EXPECT_NONE ?
	    EXPECT_PPS : e->expect));
	jsonout_real(j, "min", e->min, 3);
	jsonout_real(j, "mean", e->mean, 3);
	jsonout_real(j, "max", e->max, 3);
	jsonparts_rate(j, "expected", e->expect != EXPECT_NONE, e->expected);
	jsonparts_rate(j, "shortfall_bytes", e->has_shortfall,
	    e->shortfall_bytes);
	if (e->has_cause)
		jsonout_str(j, "cause", sample_state_name(e->cause));
	else
		jsonout_null(j, "cause");
	if (e->has_client)
		jsonout_str(j, "client",
		    addr_print(&e->client, addr, sizeof(addr)));
	else
		jsonout_null(j, "client");
}

void
jsonparts_beside_packets(struct jsonout *j)
{
	jsonparts_nulls(j, beside_packets,
	    sizeof(beside_packets) / sizeof(beside_packets[0]));
}

void
jsonparts_servers(struct jsonout *j, const struct sample *s)
{
	char addr[ADDR_STRLEN];
	uint32_t i;

	if (s->servers == 0)
		return;
	jsonout_array(j, "servers");
	for (i = 0; i < s->servers; i++)
		jsonout_str(j, NULL, addr_print(&s->server[i], addr,
		    sizeof(addr)));
	jsonout_end_array(j);
}

void
jsonparts_top(struct jsonout *j, const struct toprows *rows)
{
	top_clients(j, rows);
	top_users(j, rows);
	top_files(j, rows);
}

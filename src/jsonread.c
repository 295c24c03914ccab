/* SPDX-License-Identifier: ISC */
/*
 * jsonread.c: a line of JSON to a sample and its judgement, or an episode.
 */
#include "jsonread.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "jsonreadlog.h"
#include "jsonvalue.h"
#include "packet.h"

bool
jsonread_time(const char *text, int64_t *ns)
{
	struct tm tm = { 0 };
	int ms, n = 0;

	if (sscanf(text, "%d-%2d-%2dT%2d:%2d:%2d.%3dZ%n", &tm.tm_year,
	    &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms,
	    &n) != 7 || text[n] != '\0' || tm.tm_year < 1900 ||
	    tm.tm_year > 2200)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	*ns = (timegm(&tm) * 1000 + ms) * NSEC_PER_MSEC;
	return true;
}

static bool
time_of(const json_t *o, const char *key, int64_t *ns)
{
	const char *text = json_string_value(json_object_get(o, key));

	return text != NULL && jsonread_time(text, ns);
}

/* Which of n names the text is; n when it is none of them. */
static int
find_name(const char *text, const char *(*name)(int), int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (text != NULL && strcmp(text, name(i)) == 0)
			break;
	return i;
}

static const char *
state_at(int i)
{
	return sample_state_name((enum sample_state)i);
}

static const char *
verdict_at(int i)
{
	return verdict_name((enum verdict)i);
}

static const char *
expect_at(int i)
{
	return expect_kind_name((enum expect_kind)i);
}

static bool
name_at(const json_t *o, const char *key, const char *(*name)(int), int n,
    int *which)
{
	*which = find_name(json_string_value(json_object_get(o, key)), name,
	    n);
	return *which < n;
}

static void
take_traffic(const json_t *o, const char *key, struct sample_traffic *t)
{
	const json_t *in = json_object_get(o, key);

	jsonvalue_uint(in, "packets", &t->packets);
	jsonvalue_uint(in, "bytes", &t->bytes);
	t->wire_packets = t->packets;
	t->wire_bytes = t->bytes;
	jsonvalue_uint(in, "wire_packets", &t->wire_packets);
	jsonvalue_uint(in, "wire_bytes", &t->wire_bytes);
	jsonvalue_uint(in, "errs", &t->errs);
}

static void
take_rpc(const json_t *o, struct sample *s)
{
	const json_t *rpc = json_object_get(o, "rpc");

	jsonvalue_uint(rpc, "calls", &s->rpc_calls);
	jsonvalue_uint(rpc, "replies", &s->rpc_replies);
	jsonvalue_uint(rpc, "retransmits", &s->rpc_retransmits);
	jsonvalue_uint(rpc, "unmatched", &s->rpc_unmatched);
	jsonvalue_uint(rpc, "outstanding", &s->outstanding);
	jsonvalue_uint32(rpc, "depth_max", &s->depth_max);
	s->depth_ns = jsonvalue_rounded(jsonvalue_real(rpc, "depth_mean", 0) *
	    (double)s->watched_ns);
}

/* As many as were answered took so long in the mean. */
static void
take_part(const json_t *o, const char *key, uint64_t timed,
    struct sample_part *p)
{
	const json_t *l = json_object_get(o, key);
	uint64_t max = 0;

	if (!json_is_object(l))
		return;
	p->timed = timed;
	p->sum_us = jsonvalue_rounded(jsonvalue_real(l, "mean", 0) *
	    (double)timed);
	jsonvalue_uint(l, "max", &max);
	p->max_us = sample_larger(0, max);
}

static void
take_data(const json_t *o, const char *key, struct sample_data *d)
{
	const json_t *in = json_object_get(o, key);
	const json_t *stable = json_object_get(in, "stable");

	jsonvalue_uint(in, "calls", &d->calls);
	jsonvalue_uint(in, "replies", &d->replies);
	jsonvalue_uint(in, "errors", &d->errors);
	jsonvalue_uint(in, "retransmits", &d->retransmits);
	jsonvalue_uint(in, "bytes", &d->bytes);
	jsonvalue_uint(in, "hidden", &d->hidden);
	jsonvalue_uint(stable, "unstable", &d->stable[0]);
	jsonvalue_uint(stable, "data_sync", &d->stable[1]);
	jsonvalue_uint(stable, "file_sync", &d->stable[2]);
	take_part(in, "latency_us", d->replies, &d->latency);
	take_part(in, "request_us", d->replies, &d->request);
	take_part(in, "server_us", d->replies, &d->server);
	take_part(in, "reply_us", d->replies, &d->reply);
}

static void
take_ops(const json_t *o, struct sample *s)
{
	json_t *ops = json_object_get(o, "ops"), *program;
	const char *key, *name;
	struct sample_op *row;
	const json_t *calls;

	json_object_foreach(ops, key, program) {
		json_object_foreach(program, name, calls) {
			row = jsonreadlog_op(s, key, name);
			if (row != NULL)
				row->calls = jsonvalue_uint32_of(calls);
		}
	}
}

static void
take_split(const json_t *o, struct sample *s)
{
	const json_t *split = json_object_get(o, "split");
	int i;

	if (!json_is_object(split))
		return;
	s->has_split = true;
	for (i = 0; i < SAMPLE_STATES; i++)
		s->state_ns[i] = jsonvalue_rounded(jsonvalue_real(split,
		    state_at(i), 0) * (double)s->length_ns);
}

static void
take_duty(const json_t *o, struct sample *s)
{
	const json_t *duty = json_object_get(o, "duty");

	if (!json_is_object(duty))
		return;
	s->has_duty = true;
	s->duty_bins = sample_larger(0, (uint64_t)s->watched_ns /
	    (10 * NSEC_PER_MSEC));
	s->duty_on = sample_larger(0, jsonvalue_rounded(
	    jsonvalue_real(duty, "on", 0) * s->duty_bins));
	s->duty_gap_ns = (int64_t)jsonvalue_rounded(
	    jsonvalue_real(duty, "gap_ms", 0) * 1e6);
}

static void
take_counters(const json_t *o, struct sample *s)
{
	const json_t *in = json_object_get(o, "capture");
	enum sample_counter c;
	int i;

	jsonvalue_uint(in, "kernel_drops", &s->kernel_drops);
	jsonvalue_uint(in, "interface_drops", &s->interface_drops);
	for (i = 0; i < SAMPLE_COUNTERS; i++) {
		c = (enum sample_counter)i;
		in = json_object_get(o,
		    sample_group_name(sample_counter_group(c)));
		jsonvalue_uint(in, sample_counter_name(c), &s->counter[i]);
	}
}

static void
take_counts(const json_t *o, struct sample *s)
{
	const json_t *in = json_object_get(o, "interface");

	take_traffic(o, "in", &s->traffic[SAMPLE_IN]);
	take_traffic(o, "out", &s->traffic[SAMPLE_OUT]);
	take_traffic(o, "other", &s->traffic[SAMPLE_OTHER]);
	jsonvalue_uint(o, "colls", &s->colls);
	jsonvalue_uint(in, "in_packets", &s->if_in_packets);
	jsonvalue_uint(in, "in_errs", &s->if_in_errs);
	jsonvalue_uint(in, "in_bytes", &s->if_in_bytes);
	jsonvalue_uint(in, "out_packets", &s->if_out_packets);
	jsonvalue_uint(in, "out_errs", &s->if_out_errs);
	jsonvalue_uint(in, "out_bytes", &s->if_out_bytes);
	take_rpc(o, s);
	take_data(o, "write", &s->data[SAMPLE_WRITE]);
	take_data(o, "read", &s->data[SAMPLE_READ]);
	take_data(o, "commit", &s->data[SAMPLE_COMMIT]);
	take_split(o, s);
	take_duty(o, s);
	take_counters(o, s);
}

static void
take_servers(const json_t *o, struct sample *s)
{
	const json_t *servers = json_object_get(o, "servers");
	const char *text;
	struct addr a;
	size_t i;

	for (i = 0; i < json_array_size(servers); i++) {
		text = json_string_value(json_array_get(servers, i));
		if (text != NULL && addr_parse(text, &a))
			sample_server(s, &a);
	}
}

static void
take_sample(const json_t *o, struct sample *s)
{
	json_t *log = json_object_get(o, "log");
	const json_t *counted = json_object_get(log, "counted");
	double length = jsonvalue_real(o, "interval", 1);

	s->length_ns = length > 0 && length < JSONREADLOG_LONG_NS / 1e9 ?
	    (int64_t)(length * 1000 + 0.5) * NSEC_PER_MSEC : NSEC_PER_SEC;
	jsonvalue_uint(o, "seq", &s->seq);
	s->partial = json_is_true(json_object_get(o, "partial"));
	s->gap = json_is_true(json_object_get(o, "gap"));
	s->restarted = json_is_true(json_object_get(o, "restarted"));
	s->no_data = json_is_true(json_object_get(o, "no_data"));
	s->packets_only = json_is_null(json_object_get(o, "rpc")) &&
	    json_is_object(json_object_get(o, "in"));
	s->watched_ns = s->gap ? 0 : s->length_ns;
	s->first_ns = s->start_ns;
	s->last_ns = s->start_ns + s->length_ns - 1;
	if (s->packets_only) {		/* of counters */
		s->first_ns = INT64_MAX;
		s->last_ns = INT64_MIN;
	}
	take_counts(counted != NULL ? counted : o, s);
	take_servers(counted != NULL ? counted : o, s);
	s->untrusted_ns = (int64_t)jsonvalue_rounded(
	    (1 - jsonvalue_real(o, "trust", 1)) * (double)s->length_ns);
	if (json_is_object(log))
		jsonreadlog(log, s);
	else
		take_ops(o, s);
	/* Rows that found no room were counted when it was written. */
	take_counters(counted != NULL ? counted : o, s);
}

static void
take_judgement(const json_t *o, struct jsonread_record *r)
{
	const json_t *expect = json_object_get(o, "expect");
	const json_t *exact = json_object_get(json_object_get(o, "log"),
	    "expect");
	struct judgement *v = &r->judgement;
	int which;

	if (name_at(expect, "kind", expect_at, EXPECT_MBPS + 1, &which)) {
		v->expect = (enum expect_kind)which;
		v->expect_value = jsonvalue_real(expect, "value", 0);
		v->ratio = jsonvalue_real(expect, "ratio", 0);
	}
	v->has_verdict = name_at(o, "verdict", verdict_at, VERDICTS, &which);
	if (v->has_verdict)
		v->verdict = (enum verdict)which;
	v->has_cause = name_at(o, "cause", state_at, SAMPLE_STATES, &which);
	if (v->has_cause) {
		v->cause = (enum sample_state)which;
		v->cause_share = jsonvalue_real(o, "cause_share", 0);
	}
	if (json_array_size(exact) == 3) {
		v->expect_value = json_number_value(json_array_get(exact, 0));
		v->ratio = json_number_value(json_array_get(exact, 1));
		v->cause_share = json_number_value(json_array_get(exact, 2));
	}
	r->has_judgement = v->expect != EXPECT_NONE || v->has_verdict ||
	    v->has_cause;
}

static void
take_episode(const json_t *o, struct episode *e)
{
	const char *event = json_string_value(json_object_get(o, "event"));
	const char *client = json_string_value(json_object_get(o, "client"));
	int which;

	e->ended = event != NULL && strcmp(event, "end") == 0;
	e->kind = name_at(o, "kind", verdict_at, VERDICTS, &which) ?
	    (enum verdict)which : VERDICT_UNKNOWN;
	time_of(o, "start", &e->start_ns);
	e->end_ns = e->start_ns;
	time_of(o, "end", &e->end_ns);
	jsonvalue_uint(o, "intervals", &e->intervals);
	if (json_is_number(json_object_get(o, "expected"))) {
		name_at(o, "unit", expect_at, EXPECT_MBPS + 1, &which);
		e->expect = which <= EXPECT_MBPS ? (enum expect_kind)which :
		    EXPECT_PPS;
		e->expected = jsonvalue_real(o, "expected", 0);
	}
	e->min = jsonvalue_real(o, "min", 0);
	e->mean = jsonvalue_real(o, "mean", 0);
	e->max = jsonvalue_real(o, "max", 0);
	e->has_shortfall =
	    json_is_number(json_object_get(o, "shortfall_bytes"));
	e->shortfall_bytes = jsonvalue_real(o, "shortfall_bytes", 0);
	e->has_cause = name_at(o, "cause", state_at, SAMPLE_STATES, &which);
	if (e->has_cause)
		e->cause = (enum sample_state)which;
	e->has_client = client != NULL && addr_parse(client, &e->client);
}

static enum jsonread_kind
take_object(const json_t *o, struct jsonread_record *r, char *err)
{
	const char *type = json_string_value(json_object_get(o, "type"));

	if (type != NULL && strcmp(type, "second") == 0) {
		sample_clear(&r->sample);
		memset(&r->judgement, 0, sizeof(r->judgement));
		if (!time_of(o, "time", &r->sample.start_ns)) {
			snprintf(err, JSONREAD_ERROR_MAX, "an interval "
			    "without a time");
			return JSONREAD_BAD;
		}
		take_sample(o, &r->sample);
		take_judgement(o, r);
		return JSONREAD_SECOND;
	}
	if (type != NULL && strcmp(type, "episode") == 0) {
		memset(&r->episode, 0, sizeof(r->episode));
		take_episode(o, &r->episode);
		return JSONREAD_EPISODE;
	}
	if (type != NULL && strcmp(type, "lost") == 0) {
		r->lost = 0;
		r->lost_ns = 0;
		jsonvalue_uint(o, "intervals", &r->lost);
		time_of(o, "time", &r->lost_ns);
		return JSONREAD_LOST;
	}
	return JSONREAD_OTHER;
}

enum jsonread_kind
jsonread_line(const char *line, size_t len, struct jsonread_record *r,
    char err[JSONREAD_ERROR_MAX])
{
	enum jsonread_kind kind;
	json_error_t why;
	json_t *o;

	/* jansson prints what it found; only the place is of use. */
	if ((o = json_loadb(line, len, 0, &why)) == NULL) {
		snprintf(err, JSONREAD_ERROR_MAX, "is no JSON, from byte %d on",
		    why.position);
		return JSONREAD_BAD;
	}
	kind = take_object(o, r, err);
	json_decref(o);
	return kind;
}

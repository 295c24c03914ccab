/* SPDX-License-Identifier: ISC */
/*
 * test_json.c: the records of DESIGN sec. 4, read back.
 */
#include "json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#define SEC	INT64_C(1000000000)
#define WRITE3	nfs_proc_op(NFS_PROG_NFS, 3, 7)

static struct sample s;
static struct textbuf t;
static json_t *root;

static int
setup(void **state)
{
	struct sample_op *row;

	(void)state;
	sample_clear(&s);
	s.start_ns = INT64_C(1795984081) * SEC;	/* 2026-11-29T20:28:01Z */
	s.length_ns = s.watched_ns = SEC;
	s.seq = 12;
	s.traffic[SAMPLE_IN] = (struct sample_traffic){ 8637, 8637, 12293330,
	    12293330, SAMPLE_UNKNOWN };
	s.traffic[SAMPLE_OTHER].packets = 3;
	s.first_ns = s.start_ns;
	s.last_ns = s.start_ns + SEC - 1;
	s.rpc_calls = s.rpc_replies = 2;
	s.data[SAMPLE_WRITE].calls = s.data[SAMPLE_WRITE].replies = 2;
	s.data[SAMPLE_WRITE].bytes = 16384;
	s.data[SAMPLE_WRITE].stable[0] = 2;
	row = sample_op(&s, WRITE3, 0, 0, 0);
	row->calls = row->replies = 2;
	row->bytes = 16384;
	sample_op_latency(&s, row, 400000);
	sample_op_latency(&s, row, 420000);
	sample_part_latency(&s, &s.data[SAMPLE_WRITE].latency,
	    SAMPLE_WRITE_LATENCY, 400000);
	sample_part_latency(&s, &s.data[SAMPLE_WRITE].latency,
	    SAMPLE_WRITE_LATENCY, 420000);
	s.has_duty = true;
	s.duty_bins = 100;
	s.duty_on = 98;
	s.duty_gap_ns = 4100000;
	s.depth_ns = 1800000000;
	s.depth_max = 8;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	textbuf_free(&t);
	json_decref(root);
	root = NULL;
	return 0;
}

/* One line, one object. */
static void
read_back(void)
{
	assert_false(t.failed);
	assert_int_equal(t.data[t.len - 1], '\n');
	assert_ptr_equal(strchr(t.data, '\n'), t.data + t.len - 1);
	json_decref(root);
	root = json_loads(t.data, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	textbuf_clear(&t);
}

static void
second(const struct judgement *v)
{
	json_second(&t, &s, v);
	read_back();
}

/* "a.b.c" and "a.0.b"; there must be one. */
static json_t *
at(const char *path)
{
	char copy[128], *part, *rest = copy;
	json_t *v = root;

	assert_true(strlen(path) < sizeof(copy));
	strcpy(copy, path);
	while ((part = strsep(&rest, ".")) != NULL) {
		v = json_is_array(v) ?
		    json_array_get(v, (size_t)atoi(part)) :
		    json_object_get(v, part);
		if (v == NULL)
			fail_msg("%s is not there", path);
	}
	return v;
}

static void
number(const char *path, double want)
{
	double got = json_number_value(at(path));

	assert_true(json_is_number(at(path)));
	if (got < want - 0.0005 || got > want + 0.0005)
		fail_msg("%s is %f, not %f", path, got, want);
}

static void
text(const char *path, const char *want)
{
	assert_true(json_is_string(at(path)));
	assert_string_equal(json_string_value(at(path)), want);
}

static void
null(const char *path)
{
	if (!json_is_null(at(path)))
		fail_msg("%s is not null", path);
}

static void
a_second_has_every_member_of_the_contract(void **state)
{
	static const char *const paths[] = { "type", "time", "seq",
	    "interval", "partial", "in.packets", "in.wire_packets",
	    "in.bytes", "in.wire_bytes", "in.errs", "out.packets", "out.errs",
	    "other.packets", "other.bytes", "colls", "rpc.calls",
	    "rpc.replies", "rpc.retransmits", "rpc.unmatched",
	    "rpc.outstanding", "rpc.depth_mean", "rpc.depth_max",
	    "write.calls", "write.replies", "write.errors",
	    "write.retransmits", "write.bytes", "write.latency_us.mean",
	    "write.latency_us.p50", "write.latency_us.p95",
	    "write.latency_us.p99", "write.latency_us.max",
	    "write.request_us", "write.server_us", "write.reply_us",
	    "write.stable.unstable", "write.stable.data_sync",
	    "write.stable.file_sync", "read.calls", "read.bytes",
	    "read.latency_us", "commit.calls", "commit.latency_us",
	    "ops.nfs3.WRITE", "split", "duty.on", "duty.gap_ms",
	    "duty.on_pps", "tcp.retransmits", "tcp.out_of_order",
	    "tcp.zero_window", "tcp.resyncs", "tcp.lost_bytes",
	    "ip.fragments", "ip.incomplete", "capture.kernel_drops",
	    "capture.interface_drops", "capture.truncated", "trust",
	    "expect", "verdict", "cause" };
	size_t i;

	(void)state;
	second(NULL);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		at(paths[i]);
	assert_null(json_object_get(at("read"), "stable"));
}

static void
a_second_says_what_the_sample_holds(void **state)
{
	(void)state;
	second(NULL);
	text("type", "second");
	text("time", "2026-11-29T20:28:01.000Z");
	number("seq", 12);
	number("interval", 1);
	assert_true(json_is_false(at("partial")));
	number("in.packets", 8637);
	null("in.errs");
	null("colls");
	number("rpc.depth_mean", 1.8);
	number("write.bytes", 16384);
	number("write.latency_us.mean", 410);
	number("write.latency_us.max", 420);
	null("write.server_us");
	number("ops.nfs3.WRITE", 2);
	null("split");
	number("duty.on", 0.98);
	number("duty.gap_ms", 4.1);
	number("duty.on_pps", 8813.3);	/* 8637 in 0.98 s */
	null("capture.kernel_drops");
	number("trust", 1);
	null("expect");
	null("verdict");
	null("cause");
	assert_null(json_object_get(root, "gap"));
	assert_null(json_object_get(root, "restarted"));
}

static void
shares_sum_to_1(void **state)
{
	double sum = 0;
	void *share;
	int i;

	(void)state;
	s.has_split = true;
	for (i = 0; i < SAMPLE_STATES; i++)
		s.state_ns[i] = 333333333U / (unsigned int)(i + 1);
	second(NULL);
	assert_int_equal(json_object_size(at("split")), SAMPLE_STATES);
	for (share = json_object_iter(at("split")); share != NULL;
	    share = json_object_iter_next(at("split"), share))
		sum += json_number_value(json_object_iter_value(share));
	assert_true(sum > 0.9995 && sum < 1.0005);
	memset(s.state_ns, 0, sizeof(s.state_ns));
	second(NULL);
	number("split.client", 1);
	number("split.server", 0);
}

static void
encrypted_bytes_are_null(void **state)
{
	(void)state;
	s.data[SAMPLE_WRITE].hidden = 2;
	second(NULL);
	null("write.bytes");
	number("write.hidden", 2);
	s.data[SAMPLE_WRITE].calls = 3;
	second(NULL);
	number("write.bytes", 16384);
}

static void
gaps_and_restarts_say_so(void **state)
{
	(void)state;
	s.gap = s.restarted = s.partial = true;
	s.length_ns = INT64_C(600000000) * SEC;
	s.has_duty = false;
	second(NULL);
	assert_true(json_is_true(at("gap")));
	assert_true(json_is_true(at("restarted")));
	assert_true(json_is_true(at("partial")));
	number("interval", 600000000);
	null("duty");
}

static void
without_a_capture_everything_is_null(void **state)
{
	(void)state;
	s.no_data = true;
	second(NULL);
	null("in");
	null("rpc");
	null("write");
	null("ops");
	number("trust", 0);
}

static void
what_netstat_does_not_tell_is_null(void **state)
{
	static const char *const unknown[] = { "rpc", "write", "read",
	    "commit", "ops", "split", "tcp", "ip", "capture" };
	struct totals *sum = totals_new();
	size_t i;

	(void)state;
	s.packets_only = true;
	second(NULL);
	number("in.packets", 8637);
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		null(unknown[i]);
	totals_add(sum, &s);
	json_summary(&t, sum, NULL, 0);
	read_back();
	number("in.packets", 8637);
	for (i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		null(unknown[i]);
	null("clients");
	null("rates.write_wps");
	totals_free(sum);
}

static void
a_judgement_is_told(void **state)
{
	const struct judgement v = { .expect = EXPECT_PPS,
	    .expect_value = 8637, .ratio = 0.11, .has_verdict = true,
	    .verdict = VERDICT_BURSTY, .has_cause = true,
	    .cause = SAMPLE_CLIENT, .cause_share = 0.97 };

	(void)state;
	second(&v);
	text("expect.kind", "pps");
	number("expect.value", 8637);
	number("expect.ratio", 0.11);
	text("verdict", "bursty-underrun");
	text("cause", "client");
	number("cause_share", 0.97);
}

static void
an_episode_begins_and_ends(void **state)
{
	struct episode e = { .kind = VERDICT_STALL, .start_ns = SEC,
	    .expect = EXPECT_WPS, .expected = 1440, .min = 1, .mean = 2,
	    .max = 3 };

	(void)state;
	json_episode(&t, &e);
	read_back();
	text("type", "episode");
	text("event", "start");
	text("kind", "stall");
	text("start", "1970-01-01T00:00:01.000Z");
	null("end");
	number("expected", 1440);
	null("cause");
	null("client");
	e.ended = e.has_cause = e.has_client = true;
	e.end_ns = 3 * SEC;
	e.cause = SAMPLE_NETWORK;
	assert_true(addr_parse("10.77.0.3", &e.client));
	json_episode(&t, &e);
	read_back();
	text("event", "end");
	text("end", "1970-01-01T00:00:03.000Z");
	text("cause", "network");
	text("client", "10.77.0.3");
}

static void
add_talkers(void)
{
	s.clients = s.users = s.files = 1;
	assert_true(addr_parse("fd00::9", &s.client[0].addr));
	s.client[0].t.total = (struct sample_talk){ .calls = 2,
	    .write_bytes = 16384, .timed = 2, .sum_us = 820 };
	s.user[0].uid = 1000;
	s.user[0].t.total.calls = 2;
	s.file[0].fh_len = 33;
	s.file[0].fh[0] = 0xab;
	strcpy(s.file[0].name, "odd\"\xff.txt");
	s.file[0].t.total.calls = 2;
}

static void
a_summary_adds_seconds(void **state)
{
	struct totals *sum = totals_new();
	struct sample_size *z;
	const struct episode e = { .kind = VERDICT_STALL, .ended = true };

	(void)state;
	z = sample_size(&s, SAMPLE_WRITE, 8192);
	z->calls = 2;
	z->bytes = 16384;
	z->timed = 2;
	z->sum_us = 820;
	z->depth_sum = 3;
	sample_size(&s, SAMPLE_WRITE, 512)->calls = 1;
	totals_add(sum, &s);
	totals_add(sum, &s);
	json_summary(&t, sum, &e, 1);
	read_back();
	text("type", "summary");
	text("first", "2026-11-29T20:28:01.000Z");
	text("last", "2026-11-29T20:28:01.999Z");
	number("seconds", 2);
	number("packets", 2 * 8640);
	number("bytes", 2 * 12293330);
	number("in.packets", 2 * 8637);
	number("ops.nfs3.WRITE.calls", 4);
	number("ops.nfs3.WRITE.bytes", 32768);
	number("ops.nfs3.WRITE.latency_us.mean", 410);
	number("ops.nfs3.WRITE.latency_us.p50", 407.5);
	number("sizes.write.1.latency_us.mean", 410);
	number("sizes.write.1.depth_mean", 1.5);
	number("sizes.write.1.limit_bytes", 29970731.707);
	null("sizes.write.0.limit_bytes");
	null("sizes.write.0.latency_us");
	text("episodes.0.kind", "stall");
	totals_free(sum);
}

static void
a_summary_lists_sizes_statuses_and_talkers(void **state)
{
	struct totals *sum = totals_new();
	const json_t *other;

	(void)state;
	sample_size(&s, SAMPLE_WRITE, 8192)->calls = 2;
	sample_size(&s, SAMPLE_WRITE, 512)->calls = 1;
	sample_status_add(&s, nfs_program_find(NFS_PROG_NFS, 3)->first_op, 2,
	    12);
	sample_op(&s, NFS_OP_NONE, 395648, 3, 1)->calls = 4;
	add_talkers();
	totals_add(sum, &s);
	json_summary(&t, sum, NULL, 0);
	read_back();
	number("status.nfs3.NFS3ERR_NOENT", 12);
	number("sizes.write.0.size", 512);
	number("sizes.write.1.calls", 2);
	assert_int_equal(json_array_size(at("sizes.read")), 0);
	other = json_object_get(at("ops"), "395648.3");
	assert_non_null(other);
	other = json_object_get(json_object_get(other, "PROC_1"), "calls");
	assert_int_equal(json_integer_value(other), 4);
	text("clients.0.addr", "fd00::9");
	number("clients.0.write_bytes", 16384);
	number("clients.0.latency_us.mean", 410);
	number("users.0.uid", 1000);
	number("files.0.fh_len", 33);
	text("files.0.name", "odd\"\xef\xbf\xbd.txt");
	assert_int_equal(json_string_length(at("files.0.fh")), 62);
	assert_int_equal(json_array_size(at("episodes")), 0);
	totals_free(sum);
}

static void
a_summary_of_nothing_is_complete(void **state)
{
	struct totals *sum = totals_new();

	(void)state;
	json_summary(&t, sum, NULL, 0);
	read_back();
	null("first");
	null("last");
	number("packets", 0);
	assert_int_equal(json_object_size(at("ops")), 0);
	null("rates.in_pps");
	totals_free(sum);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(a_second_has_every_member_of_the_contract),
		CASE(a_second_says_what_the_sample_holds),
		CASE(shares_sum_to_1),
		CASE(encrypted_bytes_are_null),
		CASE(gaps_and_restarts_say_so),
		CASE(without_a_capture_everything_is_null),
		CASE(what_netstat_does_not_tell_is_null),
		CASE(a_judgement_is_told),
		CASE(an_episode_begins_and_ends),
		CASE(a_summary_adds_seconds),
		CASE(a_summary_lists_sizes_statuses_and_talkers),
		CASE(a_summary_of_nothing_is_complete),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

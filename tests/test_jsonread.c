/* SPDX-License-Identifier: ISC */
/*
 * test_jsonread.c: lines of the rate log, written and read back.
 */
#include "jsonread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "json.h"
#include "jsonlog.h"
#include "fullsample.h"
#include "loadkit.h"

#define SECOND	INT64_C(1000000000)
/* 2026-11-30 20:28:01 UTC: 20787 days (57 years with 14 leap days, less the
 * 31 of December and the last day of November) of 86400 s, and 73681 s */
#define STORY	((INT64_C(20787) * 86400 + 73681) * SECOND)

static struct jsonread_record record;
static char err[JSONREAD_ERROR_MAX];

/* From an exact-size copy, so that an overread shows. */
static enum jsonread_kind
read_exact(const char *text, size_t len)
{
	char *copy = malloc(len > 0 ? len : 1);
	enum jsonread_kind kind;

	assert_non_null(copy);
	memcpy(copy, text, len);
	kind = jsonread_line(copy, len, &record, err);
	free(copy);
	return kind;
}

static enum jsonread_kind
read_text(const struct textbuf *t)
{
	assert_false(t->failed);
	assert_true(t->data[t->len - 1] == '\n');
	return read_exact(t->data, t->len - 1);
}

static void
assert_comes_back(const struct sample *s, const struct judgement *v)
{
	struct textbuf t = { 0 };
	const char *member;

	jsonlog_second(&t, s, v);
	assert_int_equal(read_text(&t), JSONREAD_SECOND);
	member = fullsample_difference(s, &record.sample);
	if (member != NULL)
		fail_msg("%s differs: %s", member, t.data);
	textbuf_free(&t);
}

static void
every_member_of_a_sample_comes_back(void **state)
{
	struct sample s;
	unsigned int seed;

	(void)state;
	for (seed = 1; seed < 50; seed++) {
		fullsample_fill(&s, seed, STORY + seed * SECOND);
		assert_comes_back(&s, NULL);
		assert_false(record.has_judgement);
	}
}

static void
an_empty_sample_comes_back(void **state)
{
	struct sample s;

	(void)state;
	sample_clear(&s);
	s.start_ns = STORY;
	s.length_ns = s.watched_ns = SECOND;
	assert_comes_back(&s, NULL);
}

static void
a_sample_of_odd_times_comes_back(void **state)
{
	struct sample s;

	(void)state;
	fullsample_fill(&s, 3, STORY + 123456789);
	s.length_ns = 333333333;
	assert_comes_back(&s, NULL);
	s.first_ns = s.start_ns - 2 * SECOND;	/* late ones */
	s.last_ns = s.start_ns - 1;
	assert_comes_back(&s, NULL);
}

static void
an_interval_without_data_keeps_what_was_counted(void **state)
{
	struct sample s;

	(void)state;
	fullsample_fill(&s, 4, STORY);
	s.no_data = true;
	assert_comes_back(&s, NULL);
	sample_clear(&s);
	s.start_ns = STORY;
	s.length_ns = 100 * SECOND;
	s.gap = s.no_data = true;
	assert_comes_back(&s, NULL);
}

static void
a_full_sample_comes_back(void **state)
{
	const struct nfs_program *p = nfs_program_find(NFS_PROG_NFS, 3);
	struct sample s;
	uint32_t i;

	(void)state;
	sample_clear(&s);
	s.start_ns = STORY;
	s.length_ns = s.watched_ns = SECOND;
	for (i = 0; i < SAMPLE_OPS; i++)
		sample_op(&s, (uint16_t)(p->first_op + i), 0, 0, 0)->calls =
		    i + 1;
	for (i = 0; i < 2 * SAMPLE_CELLS; i++)
		sample_cell_add(&s, (uint16_t)(p->first_op + i / 300),
		    (uint16_t)(i % 300), i + 1);
	for (i = 0; i < SAMPLE_STATUS; i++)
		sample_status_add(&s, p->first_op, i, i + 1);
	for (i = 0; i < SAMPLE_CLIENTS; i++)
		s.client[s.clients++].t.now.calls = 1;
	for (i = 0; i < SAMPLE_USERS; i++)
		s.user[s.users++].uid = i;
	for (i = 0; i < SAMPLE_FILES; i++)
		s.file[s.files++].fh_hash = i;
	for (i = 0; i < SAMPLE_SIZES; i++)
		s.size[0][s.sizes[0]++].size = s.size[1][s.sizes[1]++].size =
		    i;
	assert_true(s.counter[SAMPLE_OPS_LOST] > 0);
	assert_comes_back(&s, NULL);
}

static void
a_judgement_comes_back_to_nine_digits(void **state)
{
	struct judgement v;
	struct sample s;

	(void)state;
	fullsample_writes(&s, STORY, 1440);
	fullsample_judge(&v, 7);
	assert_comes_back(&s, &v);
	assert_true(record.has_judgement);
	assert_int_equal(record.judgement.expect, EXPECT_WPS);
	assert_true(record.judgement.expect_value == 1440.123456789);
	assert_true(record.judgement.ratio == 0.257);
	assert_int_equal(record.judgement.verdict, VERDICT_BURSTY);
	assert_int_equal(record.judgement.cause, SAMPLE_COMMITTING);
	assert_true(record.judgement.cause_share == 0.375);
}

static void
an_episode_comes_back(void **state)
{
	struct episode e = {
		.ended = true, .kind = VERDICT_STALL, .start_ns = STORY,
		.end_ns = STORY + 9 * SECOND, .intervals = 9,
		.expect = EXPECT_PPS, .expected = 8637, .min = 558,
		.mean = 1200.5, .max = 2087, .has_shortfall = true,
		.shortfall_bytes = 99999, .has_cause = true,
		.cause = SAMPLE_CLIENT, .has_client = true
	};
	struct textbuf t = { 0 };

	(void)state;
	assert_true(addr_parse("10.77.0.3", &e.client));
	json_episode(&t, &e);
	assert_int_equal(read_text(&t), JSONREAD_EPISODE);
	assert_true(record.episode.ended);
	assert_int_equal(record.episode.kind, VERDICT_STALL);
	assert_true(record.episode.start_ns == STORY);
	assert_true(record.episode.end_ns == STORY + 9 * SECOND);
	assert_int_equal(record.episode.intervals, 9);
	assert_int_equal(record.episode.expect, EXPECT_PPS);
	assert_true(record.episode.expected == 8637);
	assert_true(record.episode.min == 558 && record.episode.max == 2087);
	assert_true(record.episode.mean == 1200.5);
	assert_true(record.episode.shortfall_bytes == 99999);
	assert_int_equal(record.episode.cause, SAMPLE_CLIENT);
	assert_true(record.episode.has_client &&
	    addr_equal(&record.episode.client, &e.client));

	textbuf_clear(&t);
	e = (struct episode){ .kind = VERDICT_UNDERRUN, .start_ns = STORY };
	json_episode(&t, &e);
	assert_int_equal(read_text(&t), JSONREAD_EPISODE);
	assert_false(record.episode.ended || record.episode.has_client ||
	    record.episode.has_cause || record.episode.has_shortfall);
	assert_int_equal(record.episode.expect, EXPECT_NONE);
	textbuf_free(&t);
}

static void
lost_intervals_are_told_with_their_time(void **state)
{
	struct textbuf t = { 0 };

	(void)state;
	jsonlog_lost(&t, STORY, 12);
	assert_string_equal(t.data, "{\"type\":\"lost\",\"time\":"
	    "\"2026-11-30T20:28:01.000Z\",\"intervals\":12}\n");
	assert_int_equal(read_text(&t), JSONREAD_LOST);
	assert_int_equal(record.lost, 12);
	assert_true(record.lost_ns == STORY);
	textbuf_free(&t);
}

static void
output_of_json_comes_back_as_far_as_it_goes(void **state)
{
	struct textbuf t = { 0 };
	struct sample s;

	(void)state;
	fullsample_writes(&s, STORY, 1440);
	s.data[SAMPLE_WRITE].latency = (struct sample_part){ 1440, 144000,
	    900, 0 };
	s.has_split = true;
	s.state_ns[SAMPLE_CLIENT] = (uint64_t)SECOND / 4;
	s.state_ns[SAMPLE_SERVER] = (uint64_t)SECOND / 4 * 3;
	json_second(&t, &s, NULL);
	assert_null(strstr(t.data, "\"log\""));
	assert_int_equal(read_text(&t), JSONREAD_SECOND);
	assert_int_equal(record.sample.traffic[SAMPLE_IN].packets, 8640);
	assert_int_equal(record.sample.data[SAMPLE_WRITE].bytes,
	    1440 * 8192);
	assert_int_equal(record.sample.data[SAMPLE_WRITE].latency.sum_us,
	    144000);
	assert_int_equal(record.sample.data[SAMPLE_WRITE].latency.max_us,
	    900);
	assert_int_equal(record.sample.ops, 1);
	assert_int_equal(record.sample.op[0].calls, 1440);
	assert_true(record.sample.state_ns[SAMPLE_SERVER] ==
	    (uint64_t)SECOND / 4 * 3);
	assert_int_equal(record.sample.watched_ns, SECOND);
	textbuf_free(&t);
}

static void
rows_of_counters_come_back_as_such(void **state)
{
	struct textbuf t = { 0 };
	struct sample s;

	(void)state;
	loadkit_packets(&s, 0, 8637, 12384676);
	jsonlog_second(&t, &s, NULL);
	assert_int_equal(read_text(&t), JSONREAD_SECOND);
	assert_true(record.sample.packets_only);
	assert_int_equal(record.sample.traffic[SAMPLE_IN].packets, 8637);
	assert_true(record.sample.first_ns > record.sample.last_ns);
	textbuf_free(&t);
	json_second(&t, &s, NULL);
	assert_int_equal(read_text(&t), JSONREAD_SECOND);
	assert_true(record.sample.packets_only);
	textbuf_free(&t);
}

static void
other_objects_are_passed_over_and_rubbish_is_bad(void **state)
{
	static const char *const other[] = { "{}", "{\"type\":\"summary\"}",
	    "{\"type\":7}", "[1,2]", "{\"type\":\"later\",\"x\":null}" };
	static const char *const bad[] = { "", "x", "{", "{\"type\":\"second\"",
	    "{\"type\":\"second\"} {}", "{\"type\":\"second\"}",
	    "{\"type\":\"second\",\"time\":\"yesterday\"}", "\x80\xff" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		assert_int_equal(read_exact(other[i], strlen(other[i])),
		    JSONREAD_OTHER);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_int_equal(read_exact(bad[i], strlen(bad[i])),
		    JSONREAD_BAD);
		assert_true(err[0] != '\0');
	}
	/* A hole of zeros, as a power failure leaves it. */
	assert_int_equal(read_exact("\0\0\0\0", 4), JSONREAD_BAD);
}

static void
members_of_the_wrong_type_count_as_missing(void **state)
{
	static const char line[] = "{\"type\":\"second\",\"time\":"
	    "\"2026-11-30T20:28:01.000Z\",\"seq\":\"x\",\"interval\":[],"
	    "\"in\":{\"packets\":-5,\"bytes\":1.5,\"errs\":null},\"out\":7,"
	    "\"rpc\":null,\"write\":{\"stable\":[]},\"ops\":{\"nfs3\":"
	    "{\"WRITE\":\"many\",\"NO_SUCH\":1,\"PROC_x\":2},\"none\":"
	    "{\"A\":1},\"7.x\":{\"PROC_1\":1}},\"log\":{\"ops\":[1,[],[1,2],"
	    "[\"nfs3\",\"WRITE\",-1,99999999999]],\"cells\":{\"nfs3.WRITE\":"
	    "[1],\"x\":[1,1],\"write.server\":[9999,1,-1,1]},\"files\":[[1],"
	    "[\"zz\",999,null,\"q\",7,8]],\"clients\":[[\"no\"],[]],"
	    "\"users\":[7],\"sizes\":{\"write\":7},\"watch\":{},"
	    "\"split\":[-1]},\"verdict\":\"odd\",\"cause\":5}";

	(void)state;
	assert_int_equal(read_exact(line, strlen(line)), JSONREAD_SECOND);
	assert_int_equal(record.sample.length_ns, SECOND);
	assert_int_equal(record.sample.traffic[SAMPLE_IN].packets, 0);
	assert_true(record.sample.traffic[SAMPLE_IN].errs == SAMPLE_UNKNOWN);
	assert_int_equal(record.sample.clients, 0);
	assert_int_equal(record.sample.files, 1);
	assert_int_equal(record.sample.ops, 1);
	assert_int_equal(record.sample.op[0].replies, UINT32_MAX);
	assert_false(record.has_judgement);
}

static void
times_that_are_too_long_are_held(void **state)
{
	static const char line[] = "{\"type\":\"second\",\"time\":"
	    "\"2199-11-30T20:28:01.000Z\",\"interval\":1e300,"
	    "\"in\":{\"packets\":1},\"trust\":-1e9,\"log\":{\"start\":"
	    "9223372036854775807,\"length\":9223372036854775807,\"watch\":["
	    "9223372036854775807,-9223372036854775807,"
	    "9223372036854775807],\"untrusted\":9223372036854775807,"
	    "\"duty\":[1,1,9223372036854775807]}}";

	(void)state;
	assert_int_equal(read_exact(line, strlen(line)), JSONREAD_SECOND);
	assert_int_equal(record.sample.length_ns, SECOND);
	assert_true(record.sample.watched_ns <= SECOND);
	assert_true(record.sample.first_ns == record.sample.start_ns);
	assert_int_equal(record.sample.untrusted_ns, 0);
}

static void
no_prefix_of_a_line_is_a_line(void **state)
{
	struct textbuf t = { 0 };
	struct sample s;
	size_t len;

	(void)state;
	fullsample_fill(&s, 5, STORY);
	jsonlog_second(&t, &s, NULL);
	for (len = 0; len < t.len - 1; len += 7)
		assert_int_equal(read_exact(t.data, len), JSONREAD_BAD);
	textbuf_free(&t);
}

static void
damaged_lines_harm_nothing(void **state)
{
	struct textbuf t = { 0 };
	unsigned int seed = 1, i;
	struct judgement v;
	struct sample s;
	size_t at;
	char was;

	(void)state;
	fullsample_fill(&s, 6, STORY);
	fullsample_judge(&v, 1);
	jsonlog_second(&t, &s, &v);
	for (i = 0; i < 4000; i++) {
		at = (size_t)rand_r(&seed) % (t.len - 1);
		was = t.data[at];
		t.data[at] ^= (char)(1 << (rand_r(&seed) % 8));
		read_exact(t.data, t.len - 1);
		t.data[at] = was;
	}
	textbuf_free(&t);
}

static void
times_are_read_to_the_millisecond(void **state)
{
	int64_t ns;

	(void)state;
	assert_true(jsonread_time("2026-11-30T20:28:01.250Z", &ns));
	assert_true(ns == STORY + 250 * 1000000);
	assert_true(jsonread_time("1970-01-01T00:00:00.000Z", &ns));
	assert_true(ns == 0);
	assert_false(jsonread_time("2026-11-30 20:28:01.250Z", &ns));
	assert_false(jsonread_time("2026-11-30T20:28:01Z", &ns));
	assert_false(jsonread_time("2026-11-30T20:28:01.250Zx", &ns));
	assert_false(jsonread_time("9999-11-30T20:28:01.250Z", &ns));
	assert_false(jsonread_time("", &ns));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_member_of_a_sample_comes_back),
		cmocka_unit_test(an_empty_sample_comes_back),
		cmocka_unit_test(a_sample_of_odd_times_comes_back),
		cmocka_unit_test(
		    an_interval_without_data_keeps_what_was_counted),
		cmocka_unit_test(a_full_sample_comes_back),
		cmocka_unit_test(a_judgement_comes_back_to_nine_digits),
		cmocka_unit_test(an_episode_comes_back),
		cmocka_unit_test(lost_intervals_are_told_with_their_time),
		cmocka_unit_test(output_of_json_comes_back_as_far_as_it_goes),
		cmocka_unit_test(rows_of_counters_come_back_as_such),
		cmocka_unit_test(
		    other_objects_are_passed_over_and_rubbish_is_bad),
		cmocka_unit_test(members_of_the_wrong_type_count_as_missing),
		cmocka_unit_test(times_that_are_too_long_are_held),
		cmocka_unit_test(no_prefix_of_a_line_is_a_line),
		cmocka_unit_test(damaged_lines_harm_nothing),
		cmocka_unit_test(times_are_read_to_the_millisecond),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_metrics.c: what was measured, as metrics and as a page.
 */
#include "metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fullsample.h"
#include "metricsstate.h"
#include "loadkit.h"

static struct totals *totals;
static struct metrics *metrics;
static struct textbuf text;
static struct sample s;
static const struct metrics_process process = { .cpu_seconds = 1.5,
    .start_seconds = 1000, .max_resident_bytes = 4096, .requests = 7,
    .refused = 2 };

static int
setup(void **state)
{
	(void)state;
	totals = totals_new();
	const struct metrics_config config = { .source = "eth0<\"&",
	    .version = "1.2", .interval_ns = LOADKIT_NS, .totals = totals };

	metrics = metrics_new(&config);
	return totals == NULL || metrics == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	metrics_free(metrics);
	totals_free(totals);
	textbuf_free(&text);
	memset(&text, 0, sizeof(text));
	return 0;
}

static void
add(const struct judgement *v)
{
	totals_add(totals, &s);
	metrics_sample(metrics, &s, v);
}

static void
render(enum metricsout_format format)
{
	textbuf_clear(&text);
	metrics_text(metrics, format, &process, &text);
	assert_false(text.failed);
}

/* Is there this line? */
static bool
has(const char *line)
{
	const char *p = text.data;
	size_t len = strlen(line);

	for (; (p = strstr(p, line)) != NULL; p++)
		if ((p == text.data || p[-1] == '\n') && p[len] == '\n')
			return true;
	return false;
}

#define HAS(line)	do { \
	if (!has(line)) \
		fail_msg("no line %s in\n%s", line, text.data); \
} while (0)

static void
without_an_interval_the_source_is_not_up(void **state)
{
	(void)state;
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_source_up 0");
	HAS("nfsrated_build_info{version=\"1.2\"} 1");
	HAS("nfsrated_source_info{source=\"eth0<\\\"&\"} 1");
	HAS("process_cpu_seconds_total 1.5");
	HAS("nfsrated_http_requests_total{outcome=\"served\"} 7");
	assert_null(strstr(text.data, "nfsrated_expected"));
	assert_null(strstr(text.data, "nfsrated_input_packets_per_second"));
	assert_null(strstr(text.data, "drops"));
}

/* 10 and 20 WRITEs of 8192 bytes, six packets of 1418 bytes each. */
static void
counters_are_sums_of_intervals(void **state)
{
	(void)state;
	loadkit_writes(&s, 0, 10, 25);
	add(NULL);
	loadkit_writes(&s, 1, 20, 25);
	add(NULL);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_source_up 1");
	HAS("nfsrated_packets_total{direction=\"in\"} 180");
	HAS("nfsrated_packets_total{direction=\"out\"} 30");
	HAS("nfsrated_bytes_total{direction=\"in\"} 255240");
	HAS("nfsrated_rpc_calls_total 30");
	HAS("nfsrated_io_calls_total{kind=\"write\"} 30");
	HAS("nfsrated_io_bytes_total{kind=\"write\"} 245760");
	HAS("nfsrated_watched_seconds_total 2");
	HAS("nfsrated_state_seconds_total{state=\"server\"} 0.5");
	HAS("nfsrated_state_ratio{state=\"client\"} 0.75");
	HAS("nfsrated_writes_per_second_min 10");
	HAS("nfsrated_writes_per_second_max 20");
	HAS("nfsrated_intervals_total{verdict=\"none\"} 2");
	HAS("nfsrated_last_interval_timestamp_seconds 1000000002");
}

static void
what_is_not_known_is_left_out(void **state)
{
	(void)state;
	loadkit_packets(&s, 0, 100, 10000);
	s.packets_only = true;
	s.traffic[SAMPLE_IN].errs = 3;
	add(NULL);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_packets_total{direction=\"in\"} 100");
	HAS("nfsrated_interface_errors_total{direction=\"in\"} 3");
	assert_false(has("nfsrated_interface_errors_total{direction=\"out\"} "
	    "0"));
	assert_null(strstr(text.data, "rpc"));
	assert_null(strstr(text.data, "nfsrated_state"));
	assert_null(strstr(text.data, "nfsrated_outstanding"));
}

/* 3 WRITEs of NFS 3: 50 us, 100 us, 100 s. */
static void
latencies_are_a_histogram_for_each_operation(void **state)
{
	static const int64_t us[] = { 50, 100, 100000000 };
	struct sample_op *o;
	size_t i;

	(void)state;
	loadkit_idle(&s, 0);
	o = sample_op(&s, nfs_proc_op(NFS_PROG_NFS, 3, 7), 0, 0, 0);
	o->calls = o->replies = 3;
	o->bytes = 100;
	for (i = 0; i < 3; i++) {
		sample_op_latency(&s, o, us[i] * 1000);
		sample_part_latency(&s, &s.data[SAMPLE_WRITE].server,
		    SAMPLE_WRITE_SERVER, us[i] * 1000);
	}
	add(NULL);
	render(METRICSOUT_OPENMETRICS);
#define OP	"{program=\"nfs3\",operation=\"WRITE\""
	HAS("nfsrated_operation_calls_total" OP "} 3");
	HAS("nfsrated_operation_bytes_total" OP "} 100");
	HAS("nfsrated_rpc_seconds_bucket" OP ",le=\"6.4e-05\"} 1");
	HAS("nfsrated_rpc_seconds_bucket" OP ",le=\"0.000128\"} 2");
	HAS("nfsrated_rpc_seconds_bucket" OP ",le=\"16.777216\"} 2");
	HAS("nfsrated_rpc_seconds_bucket" OP ",le=\"+Inf\"} 3");
	HAS("nfsrated_rpc_seconds_sum" OP "} 100.00015");
	HAS("nfsrated_rpc_seconds_count" OP "} 3");
	HAS("nfsrated_rpc_part_seconds_count{operation=\"WRITE\","
	    "part=\"server\"} 3");
	assert_null(strstr(text.data, "part=\"reply\""));
	assert_string_equal(text.data + text.len - 6, "# EOF\n");
}

static void
an_expectation_has_its_unit_and_the_verdict_its_label(void **state)
{
	struct judgement v = { .expect = EXPECT_MBPS, .expect_value = 11.8,
	    .ratio = 0.25, .has_verdict = true, .verdict = VERDICT_UNDERRUN };

	(void)state;
	loadkit_writes(&s, 0, 10, 25);
	add(&v);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_expected_bytes_per_second 11800000");
	HAS("nfsrated_expected_ratio 0.25");
	HAS("nfsrated_expected_ratio_min 0.25");
	HAS("nfsrated_verdict{verdict=\"underrun\"} 1");
	HAS("nfsrated_verdict{verdict=\"ok\"} 0");
	HAS("nfsrated_intervals_total{verdict=\"underrun\"} 1");
	v.expect = EXPECT_PPS;
	add(&v);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_expected_packets_per_second 11.8");
	v.expect = EXPECT_WPS;
	add(&v);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_expected_writes_per_second 11.8");
}

static void
an_episode_is_active_until_it_ends_and_counts_once(void **state)
{
	struct episode e = { .kind = VERDICT_STALL, .start_ns = LOADKIT_NS,
	    .end_ns = 2 * LOADKIT_NS, .has_cause = true,
	    .cause = SAMPLE_NETWORK, .has_client = true };

	(void)state;
	addr_parse("10.1.2.3", &e.client);
	metrics_episode(metrics, &e);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_episode_active{kind=\"stall\"} 1");
	HAS("nfsrated_episode_active{kind=\"underrun\"} 0");
	HAS("nfsrated_episodes_total{kind=\"stall\"} 1");
	HAS("nfsrated_episode_info{kind=\"stall\",cause=\"network\","
	    "client=\"10.1.2.3\"} 1");
	e.ended = true;
	e.end_ns = 6 * LOADKIT_NS;
	e.has_shortfall = true;
	e.shortfall_bytes = 1e6;
	metrics_episode(metrics, &e);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_episode_active{kind=\"stall\"} 0");
	HAS("nfsrated_episodes_total{kind=\"stall\"} 1");
	HAS("nfsrated_episode_seconds_total{kind=\"stall\"} 5");
	HAS("nfsrated_episode_shortfall_bytes_total 1000000");
	assert_null(strstr(text.data, "nfsrated_episode_info"));
	e.start_ns = 8 * LOADKIT_NS;
	e.end_ns = 9 * LOADKIT_NS;
	metrics_episode(metrics, &e);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_episodes_total{kind=\"stall\"} 2");
}

static unsigned int
lines_with(const char *start)
{
	unsigned int n = 0;
	const char *p;

	for (p = text.data; (p = strstr(p, start)) != NULL; p++)
		n += p[-1] == '\n';
	return n;
}

static void
clients_are_the_busiest_of_all_and_no_more(void **state)
{
	struct sample_client *c;
	unsigned int n, i;

	(void)state;
	for (n = 0; n < 50; n++) {
		loadkit_idle(&s, (int)n);
		s.clients = SAMPLE_CLIENTS;
		for (i = 0; i < s.clients; i++) {
			const uint8_t a[4] = { 10, 0, (uint8_t)n,
			    (uint8_t)i };

			c = &s.client[i];
			memset(c, 0, sizeof(*c));
			addr_from_ipv4(&c->addr, a);
			c->t.now.calls = c->t.total.calls = n * 100 + i + 1;
			c->t.total.sum_us = 2500000;
		}
		add(NULL);
	}
	render(METRICSOUT_CLASSIC);
	assert_int_equal(lines_with("nfsrated_client_calls_total{"),
	    METRICS_CLIENTS);
	HAS("nfsrated_client_calls_total{client=\"10.0.49.15\"} 4916");
	HAS("nfsrated_client_latency_seconds_total{client=\"10.0.49.15\"} "
	    "2.5");
}

static void
a_capture_that_is_down_or_ended_is_not_up(void **state)
{
	(void)state;
	loadkit_writes(&s, 0, 10, 25);
	add(NULL);
	sample_clear(&s);
	s.length_ns = LOADKIT_NS;
	s.no_data = true;
	add(NULL);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_source_up 0");
	HAS("nfsrated_trust_ratio 0");
	HAS("nfsrated_flawed_intervals_total{flaw=\"no_data\"} 1");
	loadkit_writes(&s, 2, 10, 25);
	add(NULL);
	metrics_lost(metrics, 3);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_source_up 1");
	HAS("nfsrated_flawed_intervals_total{flaw=\"lost\"} 3");
	metrics_ended(metrics);
	render(METRICSOUT_CLASSIC);
	HAS("nfsrated_source_up 0");
}

/*
 * Every line is one of those that the formats allow, every family is begun
 * once and before its samples, and no series is there twice.
 */
static void
check_lines(void)
{
	char *copy = strdup(text.data), *next = copy, *line, *end;
	char *seen[8192], name[128] = "";
	size_t n = 0, i, len;

	while ((line = strsep(&next, "\n")) != NULL && next != NULL) {
		if (strncmp(line, "# HELP ", 7) == 0) {
			len = strcspn(line + 7, " ");
			snprintf(name, sizeof(name), "%.*s", (int)len,
			    line + 7);
			line[7 + len] = '\0';
		} else if (line[0] == '#')
			continue;
		else {
			if (strncmp(line, name, strlen(name)) != 0)
				fail_msg("%s is not of %s", line, name);
			end = strrchr(line, ' ');
			assert_non_null(end);
			strtod(end + 1, &end);
			assert_true(*end == '\0');
			*strrchr(line, ' ') = '\0';
		}
		for (i = 0; i < n; i++)
			if (strcmp(seen[i], line) == 0)
				fail_msg("twice: %s", line);
		assert_true(n < sizeof(seen) / sizeof(seen[0]));
		seen[n++] = line;
	}
	free(copy);
}

static void
whatever_is_in_a_sample_the_text_is_well_formed(void **state)
{
	struct judgement v;
	unsigned int seed;

	(void)state;
	for (seed = 1; seed < 6; seed++) {
		fullsample_fill(&s, seed, LOADKIT_START + seed *
		    LOADKIT_NS);
		s.packets_only = false;
		fullsample_judge(&v, seed);
		add(&v);
		render(METRICSOUT_CLASSIC);
		check_lines();
		render(METRICSOUT_OPENMETRICS);
		check_lines();
	}
}

static void
the_page_shows_the_last_interval_and_quotes_names(void **state)
{
	struct judgement v = { .expect = EXPECT_PPS, .expect_value = 8637,
	    .ratio = 0.5, .has_verdict = true, .verdict = VERDICT_STALL,
	    .has_cause = true, .cause = SAMPLE_NETWORK };

	(void)state;
	metrics_page(metrics, &text);
	assert_non_null(strstr(text.data, "nfsrated: eth0&lt;&quot;&amp;<"));
	assert_non_null(strstr(text.data, "There was no interval yet"));
	loadkit_writes(&s, 0, 100, 25);
	add(&v);
	textbuf_clear(&text);
	metrics_page(metrics, &text);
	assert_non_null(strstr(text.data, "<th>input</th><td>600 packets/s"));
	assert_non_null(strstr(text.data, "100 calls/s, 0.82 MB/s"));
	assert_non_null(strstr(text.data, "client 75 %"));
	assert_non_null(strstr(text.data, "stall, cause: network"));
	assert_non_null(strstr(text.data, "8637 pps, there was 50 %"));
	assert_null(strstr(text.data, "<script"));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(without_an_interval_the_source_is_not_up),
		CASE(counters_are_sums_of_intervals),
		CASE(what_is_not_known_is_left_out),
		CASE(latencies_are_a_histogram_for_each_operation),
		CASE(an_expectation_has_its_unit_and_the_verdict_its_label),
		CASE(an_episode_is_active_until_it_ends_and_counts_once),
		CASE(clients_are_the_busiest_of_all_and_no_more),
		CASE(a_capture_that_is_down_or_ended_is_not_up),
		CASE(whatever_is_in_a_sample_the_text_is_well_formed),
		CASE(the_page_shows_the_last_interval_and_quotes_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

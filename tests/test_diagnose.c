/* SPDX-License-Identifier: ISC */
/*
 * test_diagnose.c: each rule with facts that make it speak, and facts that are
 * near them and keep it silent; and how sentences are chosen and written.
 */
#include "diagnose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static struct facts f;
static struct diagnosis found[DIAGNOSE_RULES];
static uint32_t n;

/* A server that does well: 100 s of 1440 WRITEs a second, as expected. */
static void
well(void)
{
	facts_clear(&f);
	f.seconds = 100;
	f.packets = 1008000;
	f.expected = true;
	f.verdict = VERDICT_OK;
	f.ratio = 1;
	f.rate_min = 8636;
	f.rate_mean = 8637;
	f.rate_max = 8638;
	f.unit = EXPECT_PPS;
	f.has_split = true;
	f.share[SAMPLE_CLIENT] = 0.7;
	f.share[SAMPLE_SERVER] = 0.3;
	f.calls = f.replies = 144100;
	f.depth_max = 8;
	f.write = (struct facts_data){ 144000, 144000, 0, 410, 380 };
	f.small_calls = f.small_replies = 100;
	f.size = 8192;
	f.size_calls = 144000;
	f.size_latency_us = 410;
	f.size_depth = 1.8;
	f.fragments = 864000;
	f.clients = 1;
	f.top_share = 1;
}

/* The sentence of a rule, or NULL. */
static const char *
said(const char *name)
{
	uint32_t i;

	n = diagnose(&f, found, DIAGNOSE_RULES);
	for (i = 0; i < n; i++)
		if (strcmp(found[i].name, name) == 0) {
			assert_null(strchr(found[i].text, '{'));
			return found[i].text;
		}
	return NULL;
}

static void
expect_said(const char *name, const char *sentence)
{
	const char *text = said(name);

	assert_non_null(text);
	assert_string_equal(text, sentence);
}

static void
nothing_is_said_of_what_is_well(void **state)
{
	(void)state;
	well();
	assert_int_equal(diagnose(&f, found, DIAGNOSE_RULES), 0);
	facts_clear(&f);
	assert_int_equal(diagnose(&f, found, DIAGNOSE_RULES), 0);
}

static void
a_capture_with_holes_is_not_trusted(void **state)
{
	(void)state;
	well();
	f.drops = 50000;
	f.trust = 0.8;
	expect_said("untrusted", "The capture is not to be trusted: 50000 "
	    "packets were dropped beside 1008000 seen, and 80 % of the time "
	    "was watched well.");
	f.drops = 1000;			/* less than one in a thousand */
	f.trust = 0.95;
	assert_null(said("untrusted"));
}

static void
large_messages_that_never_arrive_are_a_black_hole(void **state)
{
	(void)state;
	well();
	f.write = (struct facts_data){ 10, 0, 30, 0, 0 };
	f.small_calls = 40;
	f.small_replies = 40;
	f.incomplete = 4;
	f.tcp_retransmits = 6;
	expect_said("black-hole", "Large messages do not get through: 0 of 10 "
	    "READs and WRITEs were answered and parts of them sent 40 times "
	    "again, but 40 of 40 small calls were answered: look for an MTU "
	    "that the path cannot carry.");
	f.small_replies = 10;		/* nothing gets through */
	assert_null(said("black-hole"));
	f.small_replies = 40;
	f.write.replies = 8;
	assert_null(said("black-hole"));
	f.write.replies = 0;		/* slow, but not repeated */
	f.write.retransmits = f.incomplete = f.tcp_retransmits = 0;
	assert_null(said("black-hole"));
}

static void
a_changed_write_verifier_is_a_restart(void **state)
{
	(void)state;
	well();
	f.verifier_changes = 1;
	expect_said("server-restart", "The server restarted once (its write "
	    "verifier changed): clients must write again what was not "
	    "committed.");
	f.verifier_changes = 2;
	assert_non_null(strstr(said("server-restart"), "restarted 2 times"));
	f.verifier_changes = 0;
	assert_null(said("server-restart"));
}

static void
stalls_are_told_with_the_longest(void **state)
{
	(void)state;
	well();
	f.stalls = 1;
	f.longest_stall = 6;
	f.has_stall_cause = true;
	f.stall_cause = SAMPLE_NETWORK;
	expect_said("stall", "Nothing was answered for 6 s at a time; that "
	    "happened once, and the cause was: network.");
	f.has_stall_cause = false;
	assert_non_null(strstr(said("stall"), "not known"));
	f.stalls = 0;
	assert_null(said("stall"));
}

static void
a_load_that_settles_is_told_with_both_rates(void **state)
{
	(void)state;
	well();
	f.settled = true;
	f.settle = (struct settled){ 0, 56e6, 17e6, 0.3, 0.9 };
	expect_said("settled", "WRITEs ran at 56 MB/s and then settled at "
	    "17 MB/s, while the server's share of the time rose from 30 % to "
	    "90 %: its memory has filled, and the disk is the limit.");
	f.settled = false;
	assert_null(said("settled"));
}

static void
segments_that_come_again_are_tcp_loss(void **state)
{
	(void)state;
	well();
	f.packets = 8435;
	f.tcp_retransmits = 7;
	f.tcp_late = 60;
	f.share[SAMPLE_NETWORK] = 0.04;
	expect_said("tcp-loss", "The network loses or reorders TCP segments: "
	    "67 came again or late (0.8 % of the packets), and 4 % of the time "
	    "was lost by that.");
	f.tcp_late = 9;		/* one in 500, and little time */
	assert_null(said("tcp-loss"));
	f.share[SAMPLE_NETWORK] = 0.06;
	assert_non_null(said("tcp-loss"));
	f.tcp_retransmits = 4;
	f.tcp_late = 0;
	assert_null(said("tcp-loss"));
}

static void
missing_fragments_and_resends_are_udp_loss(void **state)
{
	(void)state;
	well();
	f.incomplete = 60;
	f.retransmits = 51;
	f.calls = 3000;
	expect_said("udp-loss", "The network loses UDP datagrams: 60 lacked "
	    "fragments and 51 of 3000 calls were sent again; one fragment "
	    "lost costs the whole call.");
	f.calls = 144000;
	assert_null(said("udp-loss"));
	f.calls = 1000;			/* resends, but of TCP */
	f.incomplete = 0;
	f.fragments = 0;
	f.tcp_retransmits = 100;
	assert_null(said("udp-loss"));
	f.tcp_retransmits = 0;
	assert_non_null(said("udp-loss"));
}

static void
a_window_that_is_too_small_takes_time(void **state)
{
	(void)state;
	well();
	f.share[SAMPLE_WINDOW] = 0.4;
	f.zero_windows = 12;
	expect_said("window", "The server's TCP window was too small for 40 % "
	    "of the time, and closed 12 times: its receive buffers are small "
	    "or drain slowly.");
	f.share[SAMPLE_WINDOW] = 0.005;	/* it closes, but never for long */
	assert_null(said("window"));
}

static void
a_server_that_says_later_takes_time(void **state)
{
	(void)state;
	well();
	f.delays = 3;
	f.share[SAMPLE_DELAY] = 0.15;
	expect_said("delay", "The server put clients off 3 times (JUKEBOX or "
	    "DELAY), and 15 % of the time went by until they asked again.");
	f.delays = 2;
	f.share[SAMPLE_DELAY] = 0.01;
	assert_null(said("delay"));
}

static void
calls_without_replies_are_told(void **state)
{
	(void)state;
	well();
	f.calls = 200;
	f.unanswered = 5;
	expect_said("unanswered", "5 of 200 calls were never answered.");
	f.calls = 2000;
	assert_null(said("unanswered"));
}

static void
commits_that_take_long_hold_up_writers(void **state)
{
	(void)state;
	well();
	f.commit = (struct facts_data){ 300, 300, 0, 120000, 0 };
	f.share[SAMPLE_COMMITTING] = 0.36;
	expect_said("commit", "COMMITs hold up the writers: 300 of them for "
	    "144000 WRITEs, 120 ms each, 36 % of the time.");
	f.share[SAMPLE_COMMITTING] = 0.1;
	assert_null(said("commit"));
	f.commit.calls = 40000;		/* one for every fourth WRITE */
	assert_non_null(said("commit"));
	f.share[SAMPLE_COMMITTING] = 0.02;
	assert_null(said("commit"));
}

static void
stable_writes_wait_for_the_disk(void **state)
{
	(void)state;
	well();
	f.stable = 139680;
	expect_said("synchronous", "97 % of the WRITEs ask for stable storage: "
	    "each waits for the disk, 380 us on average.");
	f.stable = 60000;
	assert_null(said("synchronous"));
	f.stable = f.write.calls = 20;	/* too few to be a habit */
	assert_null(said("synchronous"));
}

/* 1.8 calls of 512 bytes in 410 us: 2.248 MB/s. */
static void
small_writes_imply_a_limit(void **state)
{
	(void)state;
	well();
	f.size = 512;
	expect_said("small-writes", "WRITEs are small: 512 bytes in 144000 of "
	    "144000; with 1.80 outstanding and 410 us each that allows "
	    "2.25 MB/s.");
	f.size_calls = 60000;		/* less than half of them */
	assert_null(said("small-writes"));
	f.size_calls = 144000;
	f.size = 8192;
	assert_null(said("small-writes"));
}

/* One call of 8192 bytes in 1.25 ms: 6.554 MB/s. */
static void
one_call_at_a_time_implies_a_limit(void **state)
{
	(void)state;
	well();
	f.depth_max = 1;
	f.size_depth = 1;
	f.size_latency_us = 1250;
	expect_said("stop-and-wait", "Only one call is outstanding at a time: "
	    "each WRITE waits for the reply to the one before, and 8192 bytes "
	    "every 1.25 ms are 6.55 MB/s at most.");
	f.depth_max = 8;		/* it could have had more, and has */
	assert_null(said("stop-and-wait"));
	f.depth_max = 2;
	f.size_depth = 1.5;
	assert_null(said("stop-and-wait"));
}

/* 15.6 calls of 65536 bytes in 20 ms: 51.1 MB/s. */
static void
a_depth_that_clips_is_a_limit(void **state)
{
	(void)state;
	well();
	f.depth_max = 16;
	f.size = 65536;
	f.size_depth = 15.6;
	f.size_latency_us = 20000;
	f.share[SAMPLE_CLIENT] = 0.02;
	expect_said("depth", "No more than 16 calls are ever outstanding, and "
	    "WRITEs find 15.6 on average: the client's slot table or session "
	    "is the limit, 51.1 MB/s at 20 ms a call.");
	f.share[SAMPLE_CLIENT] = 0.5;	/* the client does not want more */
	assert_null(said("depth"));
	f.share[SAMPLE_CLIENT] = 0.02;
	f.size_depth = 9;		/* it swings: nothing clips it */
	assert_null(said("depth"));
}

static void
a_server_that_is_waited_for_is_the_limit(void **state)
{
	(void)state;
	well();
	f.expected = false;
	f.share[SAMPLE_CLIENT] = 0.04;
	f.share[SAMPLE_SERVER] = 0.95;
	f.share[SAMPLE_COMMITTING] = 0.01;
	f.write.server_us = 10400;
	expect_said("server", "The server is the limit: whole calls waited for "
	    "it 96 % of the time, 10.4 ms for a WRITE on average.");
	f.write.server_us = 500;	/* deep, but quick */
	assert_null(said("server"));
	f.verdict = VERDICT_UNDERRUN;
	f.expected = true;
	assert_non_null(said("server"));
	f.verdict = VERDICT_OK;		/* as fast as it should be */
	f.write.server_us = 10400;
	assert_null(said("server"));
}

static void
a_client_that_is_waited_for_is_the_limit(void **state)
{
	(void)state;
	well();
	f.verdict = VERDICT_BURSTY;
	f.share[SAMPLE_CLIENT] = 0.97;
	f.share[SAMPLE_SERVER] = 0.03;
	f.write.server_us = 400;
	expect_said("client", "The server answered in 400 us and then waited "
	    "97 % of the time for the client.");
	f.expected = false;		/* just so */
	f.verdict = VERDICT_OK;
	assert_non_null(said("client"));
	f.share[SAMPLE_CLIENT] = 0.6;
	assert_null(said("client"));
	f.share[SAMPLE_CLIENT] = 0.97;
	f.write.calls = 10;		/* nobody wanted anything */
	assert_null(said("client"));
}

static void
calls_that_take_long_to_arrive_blame_the_path(void **state)
{
	(void)state;
	well();
	f.expected = false;
	f.share[SAMPLE_CLIENT] = 0.2;
	f.share[SAMPLE_SERVER] = 0.1;
	f.share[SAMPLE_REQUEST] = 0.7;
	expect_said("path", "Messages took 70 % of the time to arrive: the "
	    "path between client and server is the limit.");
	f.share[SAMPLE_REQUEST] = 0.4;
	assert_null(said("path"));
}

static void
of_bare_packets_level_and_spread_are_told(void **state)
{
	(void)state;
	facts_clear(&f);
	f.expected = true;
	f.verdict = VERDICT_BURSTY;
	f.rate_min = 558;
	f.rate_mean = 1264.2;
	f.rate_max = 2087;
	f.ratio = 0.14637;
	expect_said("bursts", "The rate jumped between 558 and 2087 packets/s, "
	    "on average 15 % of what was expected: whoever sends does so in "
	    "bursts.");
	assert_null(said("evenly-low"));
	assert_null(said("uneven"));
	f.verdict = VERDICT_UNDERRUN;
	f.rate_mean = 4334.2;
	f.ratio = 0.5018;
	expect_said("evenly-low", "The rate was evenly low, 4334 packets/s on "
	    "average: 50 % of what was expected.");
	assert_null(said("bursts"));
	f.expected = false;
	f.verdict = VERDICT_BURSTY;
	expect_said("uneven", "The rate jumped between 558 and 2087 packets/s, "
	    "4334 on average.");
	f.has_split = true;
	assert_null(said("uneven"));
	f.verdict = VERDICT_OK;
	assert_null(said("evenly-low"));
}

static void
a_client_that_owns_the_load_is_named(void **state)
{
	const uint8_t ip[4] = { 10, 77, 0, 3 };

	(void)state;
	well();
	f.clients = 12;
	addr_from_ipv4(&f.top_client, ip);
	f.top_share = 0.95;
	expect_said("one-client", "One client, 10.77.0.3, made 95 % of the "
	    "load of 12.");
	f.top_share = 0.6;
	assert_null(said("one-client"));
	f.top_share = 1;
	f.clients = 1;			/* there is no other */
	assert_null(said("one-client"));
}

static void
encrypted_messages_are_told(void **state)
{
	(void)state;
	well();
	f.encrypted = 140000;
	expect_said("encrypted", "140000 messages were encrypted: what is in "
	    "them is not known.");
	f.encrypted = 1000;
	assert_null(said("encrypted"));
}

static void
rows_with_skewed_counters_are_told(void **state)
{
	(void)state;
	well();
	f.skewed = 11;
	f.skew_mean = 7647.8;
	expect_said("skew", "In 11 rows the mean packet was longer than the "
	    "MTU allows (up to 7648 bytes): packets and bytes were counted at "
	    "different times.");
	f.skewed = 0;
	assert_null(said("skew"));
}

static void
what_weighs_most_is_said_first_and_no_more_than_asked(void **state)
{
	struct diagnosis three[DIAGNOSE_MAX];
	uint32_t i;

	(void)state;
	well();
	f.verdict = VERDICT_BURSTY;
	f.share[SAMPLE_CLIENT] = 0.9;
	f.size = 512;
	f.clients = 2;
	f.verifier_changes = 1;
	f.drops = 100000;
	n = diagnose(&f, found, DIAGNOSE_RULES);
	assert_true(n >= 5);
	for (i = 1; i < n; i++)
		assert_true(found[i - 1].weight >= found[i].weight);
	assert_string_equal(found[0].name, "untrusted");
	assert_string_equal(found[1].name, "server-restart");
	assert_string_equal(found[2].name, "client");
	assert_int_equal(diagnose(&f, three, DIAGNOSE_MAX), DIAGNOSE_MAX);
	for (i = 0; i < DIAGNOSE_MAX; i++)
		assert_string_equal(three[i].text, found[i].text);
	assert_int_equal(diagnose(&f, three, 0), 0);
}

static void
figures_have_three_digits(void **state)
{
	static const struct {
		double		us;
		const char	*text;
	} times[] = {
		{ 0, " 0 us " }, { 0.5, " 0.50 us " }, { 12.34, " 12.3 us " },
		{ 999.4, " 999 us " }, { 999.6, " 1.00 ms " },
		{ 1250, " 1.25 ms " }, { 2e6, " 2 s " },
		{ 123456789, " 123 s " }
	};
	size_t i;

	(void)state;
	well();
	f.stable = f.write.calls;
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		f.write.server_us = times[i].us;
		assert_non_null(strstr(said("synchronous"), times[i].text));
	}
}

static void
every_rule_has_a_name_and_room(void **state)
{
	uint32_t i, k;

	(void)state;
	for (i = 0; diagnose_name(i) != NULL; i++)
		for (k = 0; k < i; k++)
			assert_string_not_equal(diagnose_name(i),
			    diagnose_name(k));
	assert_in_range(i, 15, DIAGNOSE_RULES);
	assert_null(diagnose_name(i + 1000));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_said_of_what_is_well),
		cmocka_unit_test(a_capture_with_holes_is_not_trusted),
		cmocka_unit_test(
		    large_messages_that_never_arrive_are_a_black_hole),
		cmocka_unit_test(a_changed_write_verifier_is_a_restart),
		cmocka_unit_test(stalls_are_told_with_the_longest),
		cmocka_unit_test(a_load_that_settles_is_told_with_both_rates),
		cmocka_unit_test(segments_that_come_again_are_tcp_loss),
		cmocka_unit_test(missing_fragments_and_resends_are_udp_loss),
		cmocka_unit_test(a_window_that_is_too_small_takes_time),
		cmocka_unit_test(a_server_that_says_later_takes_time),
		cmocka_unit_test(calls_without_replies_are_told),
		cmocka_unit_test(commits_that_take_long_hold_up_writers),
		cmocka_unit_test(stable_writes_wait_for_the_disk),
		cmocka_unit_test(small_writes_imply_a_limit),
		cmocka_unit_test(one_call_at_a_time_implies_a_limit),
		cmocka_unit_test(a_depth_that_clips_is_a_limit),
		cmocka_unit_test(a_server_that_is_waited_for_is_the_limit),
		cmocka_unit_test(a_client_that_is_waited_for_is_the_limit),
		cmocka_unit_test(calls_that_take_long_to_arrive_blame_the_path),
		cmocka_unit_test(of_bare_packets_level_and_spread_are_told),
		cmocka_unit_test(a_client_that_owns_the_load_is_named),
		cmocka_unit_test(encrypted_messages_are_told),
		cmocka_unit_test(rows_with_skewed_counters_are_told),
		cmocka_unit_test(
		    what_weighs_most_is_said_first_and_no_more_than_asked),
		cmocka_unit_test(figures_have_three_digits),
		cmocka_unit_test(every_rule_has_a_name_and_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_collector.c: from a capture to intervals: a file in the caller's
 * thread, the loopback (as root) in one of its own.
 */
#include "collector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "log.h"

#define INTERVALS_MAX	64

/* pcap, little-endian, raw IP (101); captured and wire length the same */
#define FILE_HEADER	0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, \
	0, 0, 0, 0, 0xff, 0xff, 0, 0, 101, 0, 0, 0
#define RECORD(sec, len)	sec, 0, 0, 0, 0, 0, 0, 0, len, 0, 0, 0, \
	len, 0, 0, 0
/* RFC 791: 20 bytes, protocol 17, between 10.0.0.1 and 10.0.0.2 */
#define IP(len, from, to)	0x45, 0, 0, len, 0, 1, 0, 0, 64, 17, 0, 0, \
	10, 0, 0, from, 10, 0, 0, to
/* RFC 768: ports 700 and 2049 */
#define TO_SERVER(len)	0x02, 0xbc, 0x08, 0x01, 0, len, 0, 0
#define TO_CLIENT(len)	0x08, 0x01, 0x02, 0xbc, 0, len, 0, 0
/* RFC 5531 sec. 9: xid 7, CALL, RPC 2, NFS 3, NULL, no credentials */
#define CALL	0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0x86, 0xa3, \
	0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
/* xid 7, REPLY, accepted, no verifier, success */
#define REPLY	0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
	0, 0, 0, 0

/* A call at 100 s, its answer at 103 s. */
static const uint8_t file[] = {
	FILE_HEADER,
	RECORD(100, 68), IP(68, 1, 2), TO_SERVER(48), CALL,
	RECORD(103, 52), IP(52, 2, 1), TO_CLIENT(32), REPLY,
};

struct seen {
	uint32_t	intervals;
	int64_t		start_ns[INTERVALS_MAX];
	uint64_t	packets, calls, replies, lost;
	bool		partial_last, no_data;
	struct collector *to_stop;	/* at the first interval */
};

static char name[64], err[COLLECTOR_ERROR_MAX];
static enum pcapsource_fault fault;

static void
on_sample(void *ctx, const struct sample *s, uint64_t lost)
{
	struct seen *seen = ctx;
	int i;

	if (seen->intervals < INTERVALS_MAX)
		seen->start_ns[seen->intervals] = s->start_ns;
	seen->intervals++;
	for (i = 0; i < SAMPLE_DIRECTIONS; i++)
		seen->packets += s->traffic[i].packets;
	seen->calls += s->rpc_calls;
	seen->replies += s->rpc_replies;
	seen->lost += lost;
	seen->partial_last = s->partial;
	seen->no_data |= s->no_data;
	if (seen->to_stop != NULL)
		collector_stop(seen->to_stop);
}

static void
configure(struct collector_config *config, struct seen *seen)
{
	memset(seen, 0, sizeof(*seen));
	memset(config, 0, sizeof(*config));
	pcapsource_config_init(&config->capture.how);
	decoder_config_init(&config->decoder);
	config->interval_ns = NSEC_PER_SEC;
	config->emit = on_sample;
	config->ctx = seen;
}

static struct collector *
open_bytes(const void *data, size_t len, struct seen *seen)
{
	struct collector_config config;
	struct collector *c;
	int fd;

	snprintf(name, sizeof(name), "/tmp/test_collector.XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
	configure(&config, seen);
	config.capture.file = name;
	c = collector_new(&config, &fault, err);
	unlink(name);
	return c;
}

static enum collector_state
run_to_the_end(struct collector *c)
{
	enum collector_state state;

	do
		state = collector_run(c);
	while (state == COLLECTOR_RUNNING);
	return state;
}

static void
a_file_gives_every_interval_to_its_end(void **state)
{
	struct seen seen;
	struct collector *c = open_bytes(file, sizeof(file), &seen);
	uint32_t i;

	(void)state;
	assert_non_null(c);
	assert_int_equal(collector_start(c), 0);
	assert_int_equal(collector_fd(c), -1);
	assert_int_equal(run_to_the_end(c), COLLECTOR_ENDED);
	assert_int_equal(seen.intervals, 4);
	for (i = 0; i < 4; i++)
		assert_true(seen.start_ns[i] == (100 + i) * NSEC_PER_SEC);
	assert_int_equal(seen.packets, 2);
	assert_int_equal(seen.calls, 1);
	assert_int_equal(seen.replies, 1);
	assert_int_equal(seen.lost, 0);
	assert_non_null(collector_talkers(c));
	/* It stays ended. */
	assert_int_equal(collector_run(c), COLLECTOR_ENDED);
	assert_int_equal(seen.intervals, 4);
	collector_free(c);
}

static void
a_cut_file_gives_what_stands_before_the_cut(void **state)
{
	struct seen seen;
	struct collector *c = open_bytes(file, sizeof(file) - 1, &seen);

	(void)state;
	assert_non_null(c);
	assert_int_equal(run_to_the_end(c), COLLECTOR_FAILED);
	assert_int_equal(seen.packets, 1);
	assert_int_equal(seen.calls, 1);
	assert_int_equal(seen.intervals, 1);
	assert_non_null(strstr(collector_error(c), "cut short"));
	collector_free(c);
}

static void
a_capture_without_packets_has_no_intervals(void **state)
{
	struct seen seen;
	struct collector *c = open_bytes(file, 24, &seen);

	(void)state;
	assert_non_null(c);
	assert_int_equal(run_to_the_end(c), COLLECTOR_ENDED);
	assert_int_equal(seen.intervals, 0);
	collector_free(c);
}

static void
what_cannot_be_opened_says_why(void **state)
{
	struct collector_config config;
	struct seen seen;

	(void)state;
	assert_null(open_bytes("rubbish", 7, &seen));
	assert_int_equal(fault, PCAPSOURCE_OPEN);
	assert_ptr_equal(strstr(err, name), err);

	configure(&config, &seen);
	config.capture.file = "/no/such/file";
	assert_null(collector_new(&config, &fault, err));
	assert_string_equal(err, "/no/such/file: No such file or directory");
	collector_free(NULL);
}

static void
a_stop_ends_a_file_with_its_last_interval(void **state)
{
	struct seen seen;
	struct collector *c = open_bytes(file, sizeof(file), &seen);

	(void)state;
	assert_non_null(c);
	collector_stop(c);
	assert_int_equal(run_to_the_end(c), COLLECTOR_ENDED);
	assert_int_equal(seen.packets, 0);
	collector_free(c);
}

/* The loopback, intervals of 100 ms; NULL without the privilege. */
static struct collector *
open_loopback(struct seen *seen)
{
	static const char *const lo[] = { "lo" };
	static const uint16_t port[] = { 2049 };
	struct collector_config config;

	configure(&config, seen);
	config.capture.interface = lo;
	config.capture.interfaces = 1;
	config.capture.how.port = port;
	config.capture.how.ports = 1;
	config.capture.how.buffer_mib = 1;
	config.interval_ns = NSEC_PER_SEC / 10;
	return collector_new(&config, &fault, err);
}

static void
a_silent_interface_gives_an_interval_at_a_time(void **state)
{
	struct seen seen;
	struct collector *c = open_loopback(&seen);
	struct pollfd fd = { .events = POLLIN };
	uint32_t i;

	(void)state;
	if (c == NULL)
		skip();
	assert_int_equal(collector_start(c), 0);
	fd.fd = collector_fd(c);
	while (seen.intervals < 5) {
		assert_int_equal(poll(&fd, 1, 2000), 1);
		assert_int_equal(collector_run(c), COLLECTOR_RUNNING);
	}
	collector_stop(c);
	while (collector_run(c) == COLLECTOR_RUNNING)
		assert_int_equal(poll(&fd, 1, 2000), 1);
	assert_true(seen.intervals >= 6);
	assert_false(seen.no_data);
	assert_true(seen.partial_last);
	for (i = 1; i < seen.intervals && i < INTERVALS_MAX; i++)
		assert_true(seen.start_ns[i] ==
		    seen.start_ns[i - 1] + NSEC_PER_SEC / 10);
	collector_free(c);
}

static void
it_may_be_freed_while_it_runs(void **state)
{
	struct seen seen;
	struct collector *c = open_loopback(&seen);

	(void)state;
	if (c == NULL)
		skip();
	assert_int_equal(collector_start(c), 0);
	collector_free(c);
	/* or before it ran */
	c = open_loopback(&seen);
	assert_non_null(c);
	collector_free(c);
}

static void
an_output_that_is_too_slow_loses_counted_intervals(void **state)
{
	const struct timespec eight_seconds = { 8, 0 };
	struct seen seen;
	struct collector *c = open_loopback(&seen);

	(void)state;
	if (c == NULL)
		skip();
	assert_int_equal(collector_start(c), 0);
	nanosleep(&eight_seconds, NULL);	/* the mailbox has 6.4 s */
	assert_int_equal(collector_run(c), COLLECTOR_RUNNING);
	assert_true(seen.lost >= 10);
	assert_true(seen.lost + seen.intervals >= 75);
	collector_free(c);
}

static int
be_quiet(void **state)
{
	(void)state;
	log_open("test", LOG_TO_NOTHING, false);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_gives_every_interval_to_its_end),
		cmocka_unit_test(a_cut_file_gives_what_stands_before_the_cut),
		cmocka_unit_test(a_capture_without_packets_has_no_intervals),
		cmocka_unit_test(what_cannot_be_opened_says_why),
		cmocka_unit_test(a_stop_ends_a_file_with_its_last_interval),
		cmocka_unit_test(
		    a_silent_interface_gives_an_interval_at_a_time),
		cmocka_unit_test(it_may_be_freed_while_it_runs),
		cmocka_unit_test(
		    an_output_that_is_too_slow_loses_counted_intervals),
	};

	return cmocka_run_group_tests(tests, be_quiet, NULL);
}

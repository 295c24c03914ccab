/* SPDX-License-Identifier: ISC */
/*
 * test_capture.c: a file as a capture; the kernel's counters as 64 bits.
 * (Interfaces need privileges: tests/live-capture.sh.)
 */
#include "capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* pcap, little-endian, Ethernet; two records of 4 bytes; a cut one. */
static const uint8_t file[] = {
	0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0xff, 0xff, 0, 0, 1, 0, 0, 0,
	100, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 60, 0, 0, 0, 1, 2, 3, 4,
	101, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 60, 0, 0, 0, 5, 6, 7, 8,
	102, 0, 0, 0, 0, 0,
};
#define WHOLE	(sizeof(file) - 6)

static unsigned int packets;
static char name[64], err[CAPTURE_ERROR_MAX];

static void
on_packet(void *ctx, const struct packet *p)
{
	assert_ptr_equal(ctx, &packets);
	assert_int_equal(p->data.len, 4);
	packets++;
}

static struct capture *
open_bytes(size_t len)
{
	struct capture_config config;
	enum pcapsource_fault fault;
	struct capture *c;
	int fd;

	snprintf(name, sizeof(name), "/tmp/test_capture.XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, file, len), len);
	close(fd);
	packets = 0;
	memset(&config, 0, sizeof(config));
	pcapsource_config_init(&config.how);
	config.file = name;
	config.how.packet = on_packet;
	config.how.ctx = &packets;
	c = capture_open(&config, &fault, err);
	unlink(name);
	return c;
}

static void
a_file_is_read_to_its_end(void **state)
{
	struct capture *c = open_bytes(WHOLE);
	enum capture_state res;

	(void)state;
	assert_non_null(c);
	do
		res = capture_poll(c, 0);
	while (res == CAPTURE_RUNNING);
	assert_int_equal(res, CAPTURE_ENDED);
	assert_int_equal(packets, 2);
	assert_int_equal(capture_packets(c), 2);
	capture_close(c);
}

static void
a_damaged_file_fails_after_its_good_part(void **state)
{
	struct capture *c = open_bytes(sizeof(file));
	enum capture_state res;

	(void)state;
	assert_non_null(c);
	do
		res = capture_poll(c, 0);
	while (res == CAPTURE_RUNNING);
	assert_int_equal(res, CAPTURE_FAILED);
	assert_int_equal(packets, 2);
	assert_ptr_equal(strstr(capture_error(c), name), capture_error(c));
	capture_close(c);
}

static void
what_cannot_be_opened_says_why(void **state)
{
	(void)state;
	assert_null(open_bytes(0));
	assert_ptr_equal(strstr(err, name), err);
	capture_close(NULL);
}

static void
a_file_knows_no_drops_and_no_interface(void **state)
{
	struct capture *c = open_bytes(WHOLE);
	struct capture_stats stats;

	(void)state;
	assert_false(capture_is_live(c));
	assert_false(capture_has_many(c));
	assert_int_equal(capture_mtu(c), 0);
	assert_false(capture_stats(c, &stats));
	assert_int_equal(capture_set_ports(c, NULL, 0), 0);
	capture_close(c);
}

static void
a_break_ends_it(void **state)
{
	struct capture *c = open_bytes(WHOLE);

	(void)state;
	capture_break(c);
	capture_break(c);
	assert_int_equal(capture_poll(c, 60000), CAPTURE_ENDED);
	assert_int_equal(packets, 0);
	capture_close(c);
}

/* As libpcap gives it: unsigned 32 bits that wrap. */
static void
a_counter_that_wraps_goes_on_in_64_bits(void **state)
{
	struct capture_counter c = { 0 };

	(void)state;
	capture_counter_feed(&c, 7);
	assert_int_equal(c.total, 7);
	capture_counter_feed(&c, 2000000000);
	capture_counter_feed(&c, 4000000000U);
	capture_counter_feed(&c, 4294967290U);
	assert_true(c.total == UINT64_C(4294967290));
	capture_counter_feed(&c, 5);
	assert_true(c.total == UINT64_C(4294967301));
}

static void
an_absurd_first_reading_is_not_shown(void **state)
{
	struct capture_counter c = { 0 };

	(void)state;
	capture_counter_feed(&c, 4294967290U);
	assert_int_equal(c.total, 0);
	capture_counter_feed(&c, 5);
	assert_int_equal(c.total, 11);
}

static void
a_counter_that_falls_starts_anew(void **state)
{
	struct capture_counter c = { 0 };

	(void)state;
	capture_counter_feed(&c, 10);
	capture_counter_feed(&c, 3);
	assert_int_equal(c.total, 10);
	capture_counter_feed(&c, 4);
	assert_int_equal(c.total, 11);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_to_its_end),
		cmocka_unit_test(a_damaged_file_fails_after_its_good_part),
		cmocka_unit_test(what_cannot_be_opened_says_why),
		cmocka_unit_test(a_file_knows_no_drops_and_no_interface),
		cmocka_unit_test(a_break_ends_it),
		cmocka_unit_test(a_counter_that_wraps_goes_on_in_64_bits),
		cmocka_unit_test(an_absurd_first_reading_is_not_shown),
		cmocka_unit_test(a_counter_that_falls_starts_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

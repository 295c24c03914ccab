/* SPDX-License-Identifier: ISC */
/*
 * test_pcapsource.c: capture files of all kinds and defects, and times.
 *
 * Files are laid out by hand after draft-ietf-opsawg-pcap: magic, version
 * 2.4, two zero words, snap length, link type; then records of seconds,
 * fraction, captured length, length on the wire.
 */
#include "pcapsource.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "log.h"
#include "testkit.h"

#define MICRO	0xa1b2c3d4U
#define NANO	0xa1b23c4dU
#define ETHERNET 1
#define PACKETS_MAX 8

struct file {
	uint8_t	data[2048];
	size_t	len;
	bool	big;
};

struct got {
	unsigned int	packets;
	struct packet	p[PACKETS_MAX];
	uint8_t		first[PACKETS_MAX];	/* byte of each */
	enum pcapsource_result end;
	enum pcapsource_fault fault;
	char		error[PCAPSOURCE_ERROR_MAX];
	char		name[64];
};

static void
put32(struct file *f, uint32_t v)
{
	int i;

	for (i = 0; i < 4; i++)
		f->data[f->len++] =
		    (uint8_t)(v >> (f->big ? 24 - 8 * i : 8 * i));
}

static void
put_header(struct file *f, uint32_t magic, bool big, uint32_t linktype)
{
	f->len = 0;
	f->big = big;
	put32(f, magic);
	put32(f, big ? 0x00020004 : 0x00040002);
	put32(f, 0);
	put32(f, 0);
	put32(f, 65535);
	put32(f, linktype);
}

/* A record of bytes whose first is mark. */
static void
put_packet(struct file *f, uint32_t sec, uint32_t fraction, uint32_t caplen,
    uint32_t len, uint8_t mark)
{
	put32(f, sec);
	put32(f, fraction);
	put32(f, caplen);
	put32(f, len);
	memset(f->data + f->len, 0, caplen);
	if (caplen > 0)
		f->data[f->len] = mark;
	f->len += caplen;
}

static void
on_packet(void *ctx, const struct packet *p)
{
	struct got *g = ctx;

	if (g->packets < PACKETS_MAX) {
		g->p[g->packets] = *p;
		g->first[g->packets] = p->data.len > 0 ? p->data.data[0] : 0;
	}
	g->packets++;
}

/* Everything that a source of this name gives. */
static void
read_name(struct got *g, const char *name, const char *filter)
{
	struct pcapsource_config config;
	struct pcapsource *s;

	pcapsource_config_init(&config);
	config.packet = on_packet;
	config.ctx = g;
	config.filter = filter;
	s = pcapsource_open_file(&config, name, &g->fault, g->error);
	g->end = PCAPSOURCE_FAILED;
	if (s == NULL)
		return;
	g->error[0] = '\0';
	do
		g->end = pcapsource_read(s);
	while (g->end == PCAPSOURCE_MORE || g->end == PCAPSOURCE_SOME);
	if (g->end == PCAPSOURCE_FAILED)
		snprintf(g->error, sizeof(g->error), "%s",
		    pcapsource_error(s));
	assert_int_equal(pcapsource_packets(s), g->packets);
	pcapsource_close(s);
}

static void
read_bytes(struct got *g, const void *data, size_t len, const char *filter)
{
	int fd;

	memset(g, 0, sizeof(*g));
	snprintf(g->name, sizeof(g->name), "/tmp/test_pcapsource.XXXXXX");
	fd = mkstemp(g->name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
	read_name(g, g->name, filter);
	unlink(g->name);
}

static void
both_byte_orders_and_both_resolutions_read_alike(void **state)
{
	struct file f;
	struct got g;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		put_header(&f, i & 1 ? NANO : MICRO, i & 2, ETHERNET);
		put_packet(&f, 1000, i & 1 ? 5000 : 5, 60, 1514, 0xaa);
		read_bytes(&g, f.data, f.len, NULL);
		assert_int_equal(g.end, PCAPSOURCE_ENDED);
		assert_int_equal(g.packets, 1);
		assert_true(g.p[0].time_ns == 1000 * NSEC_PER_SEC + 5000);
		assert_int_equal(g.p[0].data.len, 60);
		assert_int_equal(g.first[0], 0xaa);
		assert_int_equal(g.p[0].wire_len, 1514);
		assert_int_equal(g.p[0].linktype, ETHERNET);
		assert_int_equal(g.p[0].ifindex, 0);
	}
}

/*
 * draft-ietf-opsawg-pcapng: section header, two interfaces (if_tsresol 6 by
 * default, and 9), an enhanced packet block of each at 1000.000005 s.
 */
static void
pcapng_interfaces_have_clocks_of_their_own(void **state)
{
	const uint64_t micro = UINT64_C(1000000005);
	const uint64_t nano = UINT64_C(1000000005000);
	struct file f = { .len = 0 };
	struct got g;
	int i;

	(void)state;
	put32(&f, 0x0a0d0d0a);		/* section header block */
	put32(&f, 28);
	put32(&f, 0x1a2b3c4d);
	put32(&f, 1);			/* version 1.0 */
	put32(&f, 0xffffffff);		/* section length unknown */
	put32(&f, 0xffffffff);
	put32(&f, 28);
	put32(&f, 1);			/* interface description block */
	put32(&f, 20);
	put32(&f, ETHERNET);
	put32(&f, 65535);
	put32(&f, 20);
	put32(&f, 1);
	put32(&f, 32);
	put32(&f, ETHERNET);
	put32(&f, 65535);
	put32(&f, 0x00010009);		/* if_tsresol, 1 byte */
	put32(&f, 9);			/* 10^-9, padded */
	put32(&f, 0);			/* end of options */
	put32(&f, 32);
	for (i = 0; i < 2; i++) {
		const uint64_t t = i == 0 ? micro : nano;

		put32(&f, 6);		/* enhanced packet block */
		put32(&f, 36);
		put32(&f, (uint32_t)i);
		put32(&f, (uint32_t)(t >> 32));
		put32(&f, (uint32_t)t);
		put32(&f, 4);
		put32(&f, 60);
		put32(&f, 0x11111111);
		put32(&f, 36);
	}
	read_bytes(&g, f.data, f.len, NULL);
	assert_string_equal(g.error, "");
	assert_int_equal(g.packets, 2);
	assert_true(g.p[0].time_ns == 1000 * NSEC_PER_SEC + 5000);
	assert_true(g.p[1].time_ns == 1000 * NSEC_PER_SEC + 5000);
}

static void
a_file_without_packets_ends_at_once(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	put_header(&f, MICRO, false, ETHERNET);
	read_bytes(&g, f.data, f.len, NULL);
	assert_int_equal(g.end, PCAPSOURCE_ENDED);
	assert_int_equal(g.packets, 0);
}

/* Cut at every byte of the second record: the first packet, then the fault. */
static void
what_stands_before_a_cut_is_delivered(void **state)
{
	size_t first, cut;
	struct file f;
	struct got g;
	char at[64];

	(void)state;
	put_header(&f, MICRO, false, ETHERNET);
	put_packet(&f, 1000, 0, 20, 20, 0x11);
	first = f.len;
	put_packet(&f, 1001, 0, 20, 20, 0x22);
	for (cut = first + 1; cut < f.len; cut++) {
		read_bytes(&g, f.data, cut, NULL);
		assert_int_equal(g.packets, 1);
		assert_int_equal(g.first[0], 0x11);
		assert_int_equal(g.end, PCAPSOURCE_FAILED);
		assert_ptr_equal(strstr(g.error, g.name), g.error);
		snprintf(at, sizeof(at),
		    ": cut short after 1 packet, at byte %zu: ", cut);
		assert_non_null(strstr(g.error, at));
	}
	read_bytes(&g, f.data, first, NULL);
	assert_int_equal(g.end, PCAPSOURCE_ENDED);
}

static void
an_empty_file_is_called_empty(void **state)
{
	struct got g;

	(void)state;
	read_bytes(&g, "", 0, NULL);
	assert_int_equal(g.fault, PCAPSOURCE_OPEN);
	assert_non_null(strstr(g.error, ": is empty"));
}

static void
what_is_no_capture_is_refused(void **state)
{
	struct got g;

	(void)state;
	read_bytes(&g, "this is no capture at all", 25, NULL);
	assert_int_equal(g.fault, PCAPSOURCE_OPEN);
	assert_ptr_equal(strstr(g.error, g.name), g.error);
	assert_non_null(strstr(g.error, ": is no capture that can be read: "));
	read_bytes(&g, "abc", 3, NULL);
	assert_non_null(strstr(g.error, ": is no capture that can be read: "));
}

static void
a_missing_file_and_a_directory_are_named(void **state)
{
	struct got g;

	(void)state;
	read_name(&g, "/tmp/no/such/file", NULL);
	assert_string_equal(g.error,
	    "/tmp/no/such/file: No such file or directory");
	read_name(&g, "/tmp", NULL);
	assert_string_equal(g.error, "/tmp: is a directory");
}

static void
a_bad_filter_is_a_usage_fault_with_the_expression(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	put_header(&f, MICRO, false, ETHERNET);
	read_bytes(&g, f.data, f.len, "port port");
	assert_int_equal(g.fault, PCAPSOURCE_USAGE);
	assert_ptr_equal(strstr(g.error, "filter \"port port\": "), g.error);
	assert_non_null(strstr(g.error, "; see pcap-filter(7)"));
	assert_null(strchr(g.error, '\n'));
}

static void
a_filter_selects_the_packets_of_a_file(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	put_header(&f, MICRO, false, ETHERNET);
	put_packet(&f, 1, 0, 60, 60, 0x02);
	put_packet(&f, 2, 0, 60, 60, 0x04);
	read_bytes(&g, f.data, f.len, "ether[0] = 4");
	assert_int_equal(g.packets, 1);
	assert_int_equal(g.first[0], 0x04);
}

static void
a_length_on_the_wire_is_never_less_than_what_was_captured(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	put_header(&f, MICRO, false, ETHERNET);
	put_packet(&f, 1, 0, 60, 0, 1);
	put_packet(&f, 1, 0, 60, 2300000, 1);
	read_bytes(&g, f.data, f.len, NULL);
	assert_int_equal(g.p[0].wire_len, 60);
	assert_int_equal(g.p[1].wire_len, 2300000);
}

static void
an_unknown_link_type_is_read_nevertheless(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	log_open("test", LOG_TO_NOTHING, false);
	put_header(&f, MICRO, false, 127);	/* radiotap */
	put_packet(&f, 1, 0, 60, 60, 1);
	read_bytes(&g, f.data, f.len, NULL);
	assert_int_equal(g.end, PCAPSOURCE_ENDED);
	assert_int_equal(g.packets, 1);
	assert_int_equal(g.p[0].linktype, 127);
}

static void
time_is_right_beyond_2038_and_2106(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	put_header(&f, MICRO, false, ETHERNET);
	put_packet(&f, 0x7fffffff, 999999, 60, 60, 1);
	put_packet(&f, 0x80000000, 0, 60, 60, 1);
	put_packet(&f, 0xffffffff, 0, 60, 60, 1);
	read_bytes(&g, f.data, f.len, NULL);
	assert_true(g.p[0].time_ns == INT64_C(2147483647999999000));
	assert_true(g.p[1].time_ns == INT64_C(2147483648000000000));
	assert_true(g.p[2].time_ns == INT64_C(4294967295000000000));
	/* pcapng: 64 bits */
	assert_true(pcapsource_time(INT64_C(4294967296), 5) ==
	    INT64_C(4294967296000000005));
}

static void
a_fraction_beyond_a_second_carries_over(void **state)
{
	struct file f;
	struct got g;

	(void)state;
	put_header(&f, MICRO, false, ETHERNET);
	put_packet(&f, 10, 1500000, 60, 60, 1);
	read_bytes(&g, f.data, f.len, NULL);
	assert_true(g.p[0].time_ns == 11 * NSEC_PER_SEC + NSEC_PER_SEC / 2);
	assert_true(pcapsource_time(10, -1) == 10 * NSEC_PER_SEC - 1);
	assert_true(pcapsource_time(0, 3 * NSEC_PER_SEC + 7) ==
	    3 * NSEC_PER_SEC + 7);
}

static void
time_that_does_not_fit_is_held_to_its_bounds(void **state)
{
	const int64_t odd[] = { INT64_MAX, INT64_MIN, INT64_MAX / 2,
	    INT64_C(-9999999999), 0 };
	const int64_t nsec[] = { 0, 999999999, INT64_MAX, INT64_MIN };
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		for (j = 0; j < sizeof(nsec) / sizeof(nsec[0]); j++)
			pcapsource_time(odd[i], nsec[j]);	/* UBSan */
	assert_true(pcapsource_time(INT64_MAX, 0) > 9 * INT64_C(1000000000) *
	    NSEC_PER_SEC);
	assert_true(pcapsource_time(INT64_MIN, 0) < 0);
}

static void
read_prefix(void *ctx, struct bytes input)
{
	struct got g;

	(void)ctx;
	read_bytes(&g, input.data, input.len, NULL);
	assert_true(g.packets <= 2);
	if (g.end == PCAPSOURCE_FAILED)
		assert_int_not_equal(g.error[0], '\0');
}

static void
read_flipped(void *ctx, struct bytes input, size_t bit)
{
	struct got g;

	(void)ctx;
	(void)bit;
	read_bytes(&g, input.data, input.len, NULL);
	if (g.end == PCAPSOURCE_FAILED)
		assert_int_not_equal(g.error[0], '\0');
}

static void
no_prefix_or_flipped_bit_does_harm(void **state)
{
	struct file f;

	(void)state;
	log_open("test", LOG_TO_NOTHING, false);
	put_header(&f, MICRO, false, ETHERNET);
	put_packet(&f, 1000, 0, 4, 60, 1);
	put_packet(&f, 1001, 0, 4, 60, 1);
	for_every_prefix(f.data, f.len, read_prefix, NULL);
	for_every_bit_flip(f.data, f.len, read_flipped, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    both_byte_orders_and_both_resolutions_read_alike),
		cmocka_unit_test(pcapng_interfaces_have_clocks_of_their_own),
		cmocka_unit_test(a_file_without_packets_ends_at_once),
		cmocka_unit_test(what_stands_before_a_cut_is_delivered),
		cmocka_unit_test(an_empty_file_is_called_empty),
		cmocka_unit_test(what_is_no_capture_is_refused),
		cmocka_unit_test(a_missing_file_and_a_directory_are_named),
		cmocka_unit_test(
		    a_bad_filter_is_a_usage_fault_with_the_expression),
		cmocka_unit_test(a_filter_selects_the_packets_of_a_file),
		cmocka_unit_test(
		    a_length_on_the_wire_is_never_less_than_what_was_captured),
		cmocka_unit_test(an_unknown_link_type_is_read_nevertheless),
		cmocka_unit_test(time_is_right_beyond_2038_and_2106),
		cmocka_unit_test(a_fraction_beyond_a_second_carries_over),
		cmocka_unit_test(
		    time_that_does_not_fit_is_held_to_its_bounds),
		cmocka_unit_test(no_prefix_or_flipped_bit_does_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

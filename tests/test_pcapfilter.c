/* SPDX-License-Identifier: ISC */
/*
 * test_pcapfilter.c: how much of which frames a live capture's program copies,
 * by libpcap's own interpreter.
 */
#include "pcapfilter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <pcap/pcap.h>

#include <cmocka.h>

#define SNAPLEN	262144
#define FULL	1514U

static const uint16_t nfs[] = { 2049, 4791 };

/* A frame of 1514 bytes that begins with a head. */
static uint32_t
copied_as(int linktype, const char *expr, const uint8_t *head, size_t len)
{
	const struct pcapfilter_live live = { expr, nfs, 2 };
	pcap_t *p = pcap_open_dead(linktype, SNAPLEN);
	struct bpf_program program;
	uint8_t frame[FULL] = { 0 };
	uint32_t n;

	assert_non_null(p);
	memcpy(frame, head, len);
	assert_int_equal(pcapfilter_live(p, &live, &program), 0);
	n = bpf_filter(program.bf_insns, frame, FULL, FULL);
	pcap_freecode(&program);
	pcap_close(p);
	return n;
}

#define MACS	2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2
#define IPV4	0x08, 0x00
#define IPV6	0x86, 0xdd
#define TAG	0x81, 0x00, 0x00, 0x05		/* VLAN 5 */
/* RFC 791 sec. 3.1: version, tos, length, id, flags, offset, ttl, protocol */
#define HEADER4(place, proto) \
	0x45, 0, 0x05, 0xdc, 0x12, 0x34, (place) / 256, (place) % 256, 64, \
	proto, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2
/* RFC 8200 sec. 3: version, payload length 1460, next header, hop limit */
#define HEADER6(next) \
	0x60, 0, 0, 0, 0x05, 0xb4, next, 64, \
	0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, \
	0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2
/* RFC 8200 sec. 4.5: UDP, reserved, offset and flags, identification */
#define FRAGMENT6(place) 17, 0, (place) / 256, (place) % 256, 0, 0, 0, 1
#define PORTS(s, d)	(s) / 256, (s) % 256, (d) / 256, (d) % 256
#define UDP	17
#define TCP	6
#define MORE	0x2000

#define COPIED(linktype, ...) copied_as((linktype), NULL,		\
	(const uint8_t[]){ __VA_ARGS__ },				\
	sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define ETHERNET(...)	COPIED(DLT_EN10MB, MACS, __VA_ARGS__)

static void
a_tcp_segment_is_copied_whole(void **state)
{
	(void)state;
	assert_int_equal(ETHERNET(IPV4, HEADER4(0, TCP), PORTS(800, 2049)),
	    SNAPLEN);
	assert_int_equal(ETHERNET(IPV6, HEADER6(TCP), PORTS(2049, 800)),
	    SNAPLEN);
	assert_int_equal(ETHERNET(TAG, IPV4, HEADER4(0, TCP),
	    PORTS(800, 2049)), SNAPLEN);
}

static void
what_is_no_nfs_is_not_copied_at_all(void **state)
{
	(void)state;
	assert_int_equal(ETHERNET(IPV4, HEADER4(0, TCP), PORTS(800, 80)), 0);
	assert_int_equal(ETHERNET(IPV4, HEADER4(0, UDP), PORTS(800, 53)), 0);
	assert_int_equal(ETHERNET(0x08, 0x06), 0);
}

static void
of_a_datagram_the_head_is_copied(void **state)
{
	(void)state;
	assert_int_equal(ETHERNET(IPV4, HEADER4(0, UDP), PORTS(800, 2049)),
	    PCAPFILTER_DATAGRAM);
	assert_int_equal(ETHERNET(IPV4, HEADER4(MORE, UDP),
	    PORTS(800, 2049)), PCAPFILTER_DATAGRAM);
	assert_int_equal(ETHERNET(IPV6, HEADER6(UDP), PORTS(111, 800)),
	    PCAPFILTER_DATAGRAM);
	assert_int_equal(ETHERNET(TAG, IPV4, HEADER4(0, UDP),
	    PORTS(800, 2049)), PCAPFILTER_DATAGRAM);
}

static void
rdma_over_udp_is_copied_whole(void **state)
{
	(void)state;
	assert_int_equal(ETHERNET(IPV4, HEADER4(0, UDP), PORTS(800, 4791)),
	    SNAPLEN);
}

/* 80 times 8 bytes are the head that is put together of fragments: 640. */
static void
of_fragments_behind_the_head_only_headers_are_copied(void **state)
{
	(void)state;
	assert_int_equal(ETHERNET(IPV4, HEADER4(MORE | 185, UDP)),
	    PCAPFILTER_FRAGMENT);
	assert_int_equal(ETHERNET(IPV4, HEADER4(925, UDP)),
	    PCAPFILTER_FRAGMENT);
	assert_int_equal(ETHERNET(IPV4, HEADER4(MORE | 80, UDP)),
	    PCAPFILTER_FRAGMENT);
	assert_int_equal(ETHERNET(IPV6, HEADER6(44),
	    FRAGMENT6(1448 | 1)), PCAPFILTER_FRAGMENT);
	assert_int_equal(ETHERNET(TAG, IPV4, HEADER4(925, UDP)),
	    PCAPFILTER_FRAGMENT);
	assert_int_equal(ETHERNET(TAG, TAG, IPV4, HEADER4(925, UDP)),
	    PCAPFILTER_FRAGMENT);
}

static void
a_fragment_that_has_some_of_the_head_is_copied_whole(void **state)
{
	(void)state;
	assert_int_equal(ETHERNET(IPV4, HEADER4(MORE | 79, UDP)), SNAPLEN);
	assert_int_equal(ETHERNET(IPV6, HEADER6(44), FRAGMENT6(632 | 1),
	    PORTS(0, 0)), SNAPLEN);
}

static void
the_kinds_of_links_without_tags_have_a_program_too(void **state)
{
	(void)state;
	assert_int_equal(COPIED(DLT_RAW, HEADER4(925, UDP)),
	    PCAPFILTER_FRAGMENT);
	assert_int_equal(COPIED(DLT_RAW, HEADER4(0, TCP), PORTS(800, 2049)),
	    SNAPLEN);
}

static void
an_expression_narrows_it_down_and_the_lengths_stay(void **state)
{
	static const uint8_t frame[] = { MACS, IPV4, HEADER4(925, UDP) };

	(void)state;
	assert_int_equal(copied_as(DLT_EN10MB, "host 10.0.0.1", frame,
	    sizeof(frame)), PCAPFILTER_FRAGMENT);
	assert_int_equal(copied_as(DLT_EN10MB, "host 10.0.0.9", frame,
	    sizeof(frame)), 0);
}

static void
an_expression_that_is_none_is_refused(void **state)
{
	pcap_t *p = pcap_open_dead(DLT_EN10MB, SNAPLEN);
	const struct pcapfilter_live live = { "host and", nfs, 1 };
	struct bpf_program program = { 0 };

	(void)state;
	assert_int_equal(pcapfilter_live(p, &live, &program), -1);
	assert_int_equal(pcapfilter_file(p, "host and", &program), -1);
	pcap_close(p);
}

static void
of_a_file_all_that_passes_is_taken(void **state)
{
	static const uint8_t frame[] = { MACS, IPV4, HEADER4(0, UDP),
	    PORTS(800, 2049) };
	pcap_t *p = pcap_open_dead(DLT_EN10MB, SNAPLEN);
	struct bpf_program program = { 0 };

	(void)state;
	assert_int_equal(pcapfilter_file(p, "udp", &program), 0);
	assert_int_equal(bpf_filter(program.bf_insns, frame, FULL,
	    sizeof(frame)), SNAPLEN);
	pcap_freecode(&program);
	pcap_close(p);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_tcp_segment_is_copied_whole),
		CASE(what_is_no_nfs_is_not_copied_at_all),
		CASE(of_a_datagram_the_head_is_copied),
		CASE(rdma_over_udp_is_copied_whole),
		CASE(of_fragments_behind_the_head_only_headers_are_copied),
		CASE(a_fragment_that_has_some_of_the_head_is_copied_whole),
		CASE(the_kinds_of_links_without_tags_have_a_program_too),
		CASE(an_expression_narrows_it_down_and_the_lengths_stay),
		CASE(an_expression_that_is_none_is_refused),
		CASE(of_a_file_all_that_passes_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

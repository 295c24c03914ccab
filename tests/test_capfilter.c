/* SPDX-License-Identifier: ISC */
/*
 * test_capfilter.c: what the default capture filter lets pass, on frames and
 * on whole link types, by libpcap's own interpreter.
 */
#include "capfilter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <pcap/pcap.h>

#include <cmocka.h>

#define SNAPLEN	262144

static const uint16_t nfs[] = { 2049 };

/* Whether a frame passes what capfilter_make says for this link type. */
static bool
passes_as(const char *expr, int tags, int linktype, const uint8_t *frame,
    size_t len)
{
	char *text = capfilter_make(expr, nfs, 1, tags);
	pcap_t *p = pcap_open_dead(linktype, SNAPLEN);
	struct pcap_pkthdr h = { .caplen = (uint32_t)len,
	    .len = (uint32_t)len };
	struct bpf_program program;
	bool res;

	assert_non_null(text);
	assert_non_null(p);
	if (pcap_compile(p, &program, text, 1, PCAP_NETMASK_UNKNOWN) != 0)
		fail_msg("%s: %s", text, pcap_geterr(p));
	res = pcap_offline_filter(&program, &h, frame) != 0;
	pcap_freecode(&program);
	pcap_close(p);
	free(text);
	return res;
}

static bool
passes(const uint8_t *frame, size_t len)
{
	return passes_as(NULL, CAPFILTER_TAGS_MAX, DLT_EN10MB, frame, len);
}

#define MACS	2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2
#define IPV4	0x08, 0x00
#define IPV6	0x86, 0xdd
#define TAG	0x81, 0x00, 0x00, 0x05		/* VLAN 5 */
#define STAG	0x88, 0xa8, 0x00, 0x07
/* RFC 791 sec. 3.1: version, tos, length, id, flags, offset, ttl, protocol */
#define HEADER4(frag_hi, frag_lo, proto) \
	0x45, 0, 0, 60, 0x12, 0x34, frag_hi, frag_lo, 64, proto, 0, 0, \
	10, 0, 0, 1, 10, 0, 0, 2
/* RFC 8200 sec. 3: version, payload length 40, next header, hop limit */
#define HEADER6(next) \
	0x60, 0, 0, 0, 0, 40, next, 64, \
	0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, \
	0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2
#define PORTS(s, d)	(s) / 256, (s) % 256, (d) / 256, (d) % 256
#define REST	0, 40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define UDP	17
#define TCP	6

#define FRAME(name, ...)	static const uint8_t name[] = { __VA_ARGS__ }
#define PASSES(name)	passes(name, sizeof(name))

FRAME(udp4, MACS, IPV4, HEADER4(0, 0, UDP), PORTS(800, 2049), REST);
FRAME(tcp4, MACS, IPV4, HEADER4(0, 0, TCP), PORTS(2049, 800), REST);
FRAME(http, MACS, IPV4, HEADER4(0, 0, TCP), PORTS(40000, 80), REST);

static void
nfs_over_udp_and_tcp_passes_and_http_does_not(void **state)
{
	FRAME(udp6, MACS, IPV6, HEADER6(UDP), PORTS(800, 2049), REST);
	FRAME(tcp6, MACS, IPV6, HEADER6(TCP), PORTS(2049, 800), REST);
	FRAME(http6, MACS, IPV6, HEADER6(TCP), PORTS(40000, 80), REST);
	FRAME(arp, MACS, 0x08, 0x06, REST, REST);

	(void)state;
	assert_true(PASSES(udp4));
	assert_true(PASSES(tcp4));
	assert_true(PASSES(udp6));
	assert_true(PASSES(tcp6));
	assert_false(PASSES(http));
	assert_false(PASSES(http6));
	assert_false(PASSES(arp));
}

static void
portmap_passes_so_that_ports_can_be_learned(void **state)
{
	FRAME(portmap, MACS, IPV4, HEADER4(0, 0, UDP), PORTS(900, 111), REST);

	(void)state;
	assert_true(PASSES(portmap));
}

static void
all_fragments_pass_as_only_the_first_has_ports(void **state)
{
	/* offset 185 (1480 bytes), more fragments; and the last, 925 */
	FRAME(middle, MACS, IPV4, HEADER4(0x20, 0xb9, UDP), PORTS(0, 0), REST);
	FRAME(last, MACS, IPV4, HEADER4(0x03, 0x9d, UDP), PORTS(0, 0), REST);
	/* the first fragment of what is no NFS is not wanted */
	FRAME(first, MACS, IPV4, HEADER4(0x20, 0, UDP), PORTS(9, 2049), REST);
	FRAME(other, MACS, IPV4, HEADER4(0x20, 0, UDP), PORTS(9, 53), REST);

	(void)state;
	assert_true(PASSES(middle));
	assert_true(PASSES(last));
	assert_true(PASSES(first));
	assert_false(PASSES(other));
}

static void
ipv6_behind_extension_headers_passes(void **state)
{
	FRAME(fragment, MACS, IPV6, HEADER6(44), REST, REST);
	FRAME(hops, MACS, IPV6, HEADER6(0), REST, REST);
	FRAME(routing, MACS, IPV6, HEADER6(43), REST, REST);
	FRAME(options, MACS, IPV6, HEADER6(60), REST, REST);
	FRAME(icmp, MACS, IPV6, HEADER6(58), REST, REST);

	(void)state;
	assert_true(PASSES(fragment));
	assert_true(PASSES(hops));
	assert_true(PASSES(routing));
	assert_true(PASSES(options));
	assert_false(PASSES(icmp));
}

static void
one_tag_and_two_tags_are_looked_behind(void **state)
{
	FRAME(one, MACS, TAG, IPV4, HEADER4(0, 0, UDP), PORTS(9, 2049), REST);
	FRAME(two, MACS, STAG, TAG, IPV4, HEADER4(0, 0, TCP),
	    PORTS(2049, 9), REST);
	FRAME(frag, MACS, TAG, IPV4, HEADER4(0, 0xb9, UDP), PORTS(0, 0), REST);
	FRAME(one6, MACS, TAG, IPV6, HEADER6(44), REST, REST);
	FRAME(web, MACS, TAG, IPV4, HEADER4(0, 0, TCP), PORTS(9, 80), REST);
	FRAME(web2, MACS, STAG, TAG, IPV4, HEADER4(0, 0, TCP),
	    PORTS(9, 80), REST);

	(void)state;
	assert_true(PASSES(one));
	assert_true(PASSES(two));
	assert_true(PASSES(frag));
	assert_true(PASSES(one6));
	assert_false(PASSES(web));
	assert_false(PASSES(web2));
}

static void
more_tags_than_are_looked_behind_pass_unread(void **state)
{
	/* Linux cooked v2: protocol first, 20 bytes in all */
	FRAME(cooked, 0x81, 0x00, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 2, 0, 0, 0, 0,
	    1, 0, 0, 0, 5, IPV4, HEADER4(0, 0, UDP), PORTS(9, 80), REST);
	FRAME(three, MACS, STAG, TAG, TAG, IPV4, HEADER4(0, 0, TCP),
	    PORTS(9, 80), REST);

	(void)state;
	assert_true(passes_as(NULL, 0, DLT_LINUX_SLL2, cooked,
	    sizeof(cooked)));
	assert_true(PASSES(three));
	/* but not where more was asked for */
	assert_false(passes_as("host 10.0.0.9", 2, DLT_EN10MB, three,
	    sizeof(three)));
}

static void
every_port_that_was_given_passes(void **state)
{
	const uint16_t port[] = { 2049, 12049, 20048, 65535 };
	char *text = capfilter_make(NULL, port, 4, 0);

	(void)state;
	assert_non_null(strstr(text, "port 111 "));
	assert_non_null(strstr(text, "port 2049 "));
	assert_non_null(strstr(text, "port 12049 "));
	assert_non_null(strstr(text, "port 65535 "));
	free(text);
}

static void
a_further_expression_narrows_at_every_depth(void **state)
{
	FRAME(one, MACS, TAG, IPV4, HEADER4(0, 0, UDP), PORTS(9, 2049), REST);

	(void)state;
	assert_true(passes_as("host 10.0.0.1", 2, DLT_EN10MB, udp4,
	    sizeof(udp4)));
	assert_false(passes_as("host 10.0.0.9", 2, DLT_EN10MB, udp4,
	    sizeof(udp4)));
	assert_true(passes_as("host 10.0.0.1", 2, DLT_EN10MB, one,
	    sizeof(one)));
	assert_false(passes_as("host 10.0.0.9", 2, DLT_EN10MB, one,
	    sizeof(one)));
	/* It does not widen: "or" stays within its brackets. */
	assert_false(passes_as("host 10.0.0.9 or port 80", 2, DLT_EN10MB,
	    udp4, sizeof(udp4)));
	assert_false(passes_as("host 10.0.0.9 or port 80", 2, DLT_EN10MB,
	    http, sizeof(http)));
}

static void
an_expression_about_tags_stands_before_the_rest(void **state)
{
	FRAME(five, MACS, TAG, IPV4, HEADER4(0, 0, UDP), PORTS(9, 2049), REST);

	(void)state;
	assert_true(passes_as("vlan 5", 2, DLT_EN10MB, five, sizeof(five)));
	assert_false(passes_as("vlan 6", 2, DLT_EN10MB, five, sizeof(five)));
	assert_false(passes_as("vlan 5", 2, DLT_EN10MB, udp4, sizeof(udp4)));
}

static void
it_compiles_for_every_link_type_without_tags(void **state)
{
	const int linktype[] = { DLT_EN10MB, DLT_RAW, DLT_NULL, DLT_LOOP,
	    DLT_LINUX_SLL, DLT_LINUX_SLL2, DLT_IPV4, DLT_IPV6 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(linktype) / sizeof(linktype[0]); i++)
		passes_as(NULL, 0, linktype[i], udp4, sizeof(udp4));
	/* Raw IP starts with the IP header. */
	assert_true(passes_as(NULL, 0, DLT_RAW, udp4 + 14,
	    sizeof(udp4) - 14));
	assert_false(passes_as(NULL, 0, DLT_RAW, http + 14,
	    sizeof(http) - 14));
}

static void
names_in_an_expression_are_told_from_its_words(void **state)
{
	static const char *const without[] = { "", "tcp", "host 10.0.0.1",
	    "net 10.0.0.0/8 and not (src host fe80::1 or port 2049)",
	    "ether host 02:00:00:00:00:01", "tcp[tcpflags] & (tcp-syn) != 0",
	    "ip[2:2] > 0x100", "len >= 64", "vlan 5 and ip6", "icmp or arp",
	    "portrange 600-1023", "ether proto 0x88a8", "ip6 proto 44" };
	static const char *const with[] = { "host fileserver", "port nfs",
	    "net localnet", "host a.example.org", "tcp port sunrpc or udp",
	    "host 3com", "gateway router1", "ether host server" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (capfilter_has_names(without[i]))
			fail_msg("%s", without[i]);
	for (i = 0; i < sizeof(with) / sizeof(with[0]); i++)
		if (!capfilter_has_names(with[i]))
			fail_msg("%s", with[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    nfs_over_udp_and_tcp_passes_and_http_does_not),
		cmocka_unit_test(portmap_passes_so_that_ports_can_be_learned),
		cmocka_unit_test(
		    all_fragments_pass_as_only_the_first_has_ports),
		cmocka_unit_test(ipv6_behind_extension_headers_passes),
		cmocka_unit_test(one_tag_and_two_tags_are_looked_behind),
		cmocka_unit_test(
		    more_tags_than_are_looked_behind_pass_unread),
		cmocka_unit_test(every_port_that_was_given_passes),
		cmocka_unit_test(a_further_expression_narrows_at_every_depth),
		cmocka_unit_test(
		    an_expression_about_tags_stands_before_the_rest),
		cmocka_unit_test(it_compiles_for_every_link_type_without_tags),
		cmocka_unit_test(
		    names_in_an_expression_are_told_from_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

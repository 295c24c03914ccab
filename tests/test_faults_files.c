/* SPDX-License-Identifier: ISC */
/*
 * test_faults_files.c: faults that others met in reading capture files, each
 * as what must come of it here.  The numbers are the rows of tests/faults.md.
 */
#include "collector.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "packetkit.h"
#include "pcapout.h"
#include "rpckit.h"
#include "testkit.h"

#define SEC		NSEC_PER_SEC
#define HOUR		(3600 * SEC)
#define YEAR		(365 * 24 * HOUR)
#define ETHERNET	1
#define RAW_IP		101

/* A capture file, and what came of it. */
struct trial {
	char		name[64];
	struct pcapout	*out;
	struct packetkit *p;
	struct rpckit	*m;
	uint32_t	xid;
	/* what was told */
	uint64_t	records, gaps, restarts, packets, bytes, calls,
			resends, truncated;
	uint64_t	most;		/* packets of a record */
};

static void
begin(struct trial *t, int linktype)
{
	const struct pcapout_format format = { .linktype = linktype };
	int fd;

	memset(t, 0, sizeof(*t));
	snprintf(t->name, sizeof(t->name), "/tmp/test_faults_files.XXXXXX");
	fd = mkstemp(t->name);
	assert_true(fd >= 0);
	close(fd);
	t->out = pcapout_open(t->name, &format);
	assert_non_null(t->out);
	t->p = packetkit_new();
	t->m = rpckit_new();
}

static void
end(struct trial *t)
{
	free(t->p);
	free(t->m);
}

static void
add(struct trial *t, const uint8_t *data, uint32_t len, uint32_t wire_len,
    int64_t time_ns)
{
	const struct packet pkt = { .time_ns = time_ns,
	    .data = bytes_of(data, len), .wire_len = wire_len };

	assert_int_equal(pcapout_write(t->out, &pkt), 0);
}

/* A GETATTR call, another one each time. */
static void
add_call(struct trial *t, int64_t time_ns)
{
	rpckit_clear(t->m);
	rpckit_getattr_call(t->m, ++t->xid);
	packetkit_udp(t->p, PACKETKIT_CLIENT, t->m->data,
	    (uint32_t)t->m->len);
	add(t, t->p->frame, t->p->len, t->p->len, time_ns);
}

static void
on_sample(void *ctx, const struct sample *s, uint64_t lost)
{
	struct trial *t = ctx;
	uint64_t packets = 0;
	int i;

	for (i = 0; i < SAMPLE_DIRECTIONS; i++) {
		packets += s->traffic[i].packets;
		t->bytes += s->traffic[i].bytes;
	}
	assert_true(lost == 0);
	assert_true(s->length_ns > 0);
	assert_true(s->gap || s->length_ns == SEC);
	assert_true(!s->gap || packets == 0);
	assert_true(s->watched_ns >= 0 && s->watched_ns <= SEC);
	t->records++;
	t->gaps += s->gap;
	t->restarts += s->restarted;
	t->packets += packets;
	t->calls += s->rpc_calls;
	t->resends += s->rpc_retransmits;
	t->truncated += s->counter[SAMPLE_TRUNCATED];
	if (packets > t->most)
		t->most = packets;
}

/* Reads the file; it stays for another trial with another filter. */
static void
watch(struct trial *t, const char *filter)
{
	struct collector_config config;
	enum pcapsource_fault fault;
	enum collector_state state;
	char err[COLLECTOR_ERROR_MAX];
	struct collector *c;

	if (t->out != NULL)
		assert_int_equal(pcapout_close(t->out), 0);
	t->out = NULL;
	memset(&config, 0, sizeof(config));
	pcapsource_config_init(&config.capture.how);
	decoder_config_init(&config.decoder);
	config.capture.file = t->name;
	config.capture.how.filter = filter;
	config.interval_ns = SEC;
	config.emit = on_sample;
	config.ctx = t;
	t->records = t->gaps = t->restarts = t->packets = t->bytes = 0;
	t->calls = t->resends = t->truncated = t->most = 0;
	c = collector_new(&config, &fault, err);
	assert_non_null(c);
	do
		state = collector_run(c);
	while (state == COLLECTOR_RUNNING);
	assert_int_equal(state, COLLECTOR_ENDED);
	collector_free(c);
}

static void
done(struct trial *t)
{
	unlink(t->name);
	end(t);
}

/* Row 22: a filter that works on the wire found nothing in a file. */

/* Calls with no tag, one and two (IEEE 802.1Q, 802.1ad). */
static void
add_tagged(struct trial *t)
{
	static const uint8_t outer[4] = { 0x88, 0xa8, 0, 5 };
	uint8_t *two = malloc(PACKETKIT_MAX + 4);

	assert_non_null(two);
	add_call(t, 1 * SEC);
	t->p->link = PACKETKIT_VLAN;
	add_call(t, 2 * SEC);
	add_call(t, 3 * SEC);
	memcpy(two, t->p->frame, 12);
	memcpy(two + 12, outer, 4);
	memcpy(two + 16, t->p->frame + 12, t->p->len - 12);
	add(t, two, t->p->len + 4, t->p->len + 4, 4 * SEC);
	free(two);
}

static void
a_filter_looks_behind_the_tags_in_a_file(void **state)
{
	static const struct {
		const char	*filter;
		uint64_t	packets;
	} rows[] = {
		{ NULL, 4 }, { "port 2049", 4 }, { "udp dst port 2049", 4 },
		{ "host 10.77.0.3", 4 }, { "ip", 4 },
		{ "not port 2049", 0 }, { "host 10.77.0.4", 0 },
		{ "port 80 or src host 10.77.0.3", 4 }, { "ip6", 0 },
		/* Who speaks of tags means what is there. */
		{ "vlan", 3 }, { "vlan 77 and port 2049", 2 },
		{ "vlan and vlan and port 2049", 1 }, { "not vlan", 1 }
	};
	struct trial t;
	size_t i;

	(void)state;
	begin(&t, ETHERNET);
	add_tagged(&t);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		watch(&t, rows[i].filter);
		if (t.packets != rows[i].packets)
			fail_msg("%s: %u packets", rows[i].filter,
			    (unsigned int)t.packets);
	}
	done(&t);
}

static void
a_filter_works_where_there_are_no_tags(void **state)
{
	struct trial t;

	(void)state;
	begin(&t, RAW_IP);
	rpckit_getattr_call(t.m, 7);
	packetkit_udp(t.p, PACKETKIT_CLIENT, t.m->data, (uint32_t)t.m->len);
	add(&t, t.p->frame + 14, t.p->len - 14, t.p->len - 14, SEC);
	watch(&t, "port 2049");
	assert_int_equal(t.calls, 1);
	watch(&t, "not port 2049");
	assert_int_equal(t.packets, 0);
	done(&t);
}

/* Row 25: packets were cut, and nobody said so. */
static void
a_cut_packet_counts_as_long_as_it_was_and_as_cut(void **state)
{
	struct trial t;

	(void)state;
	begin(&t, ETHERNET);
	add_call(&t, SEC);
	/* 64 KiB of TCP from offload, of which 96 bytes were kept */
	add(&t, t.p->frame, 96, 65549, SEC);
	watch(&t, NULL);
	assert_int_equal(t.packets, 2);
	assert_int_equal(t.bytes, t.p->len + 65549);
	assert_int_equal(t.truncated, 1);
	done(&t);
}

/*
 * Row 37: where time went backwards, or far ahead, the gap was filled with
 * output without end.
 */

static void
a_step_of_the_clock_is_one_record(void **state)
{
	static const struct {
		int64_t		step;
		uint64_t	gaps, restarts;
	} rows[] = {
		{ -HOUR, 0, 1 }, { -2 * SEC, 0, 1 }, { -19 * YEAR, 0, 1 },
		{ 2 * HOUR, 1, 0 }, { 19 * YEAR, 1, 0 },
		{ 80 * YEAR, 1, 0 }
	};
	const int64_t start = 20 * YEAR + SEC / 2;
	struct trial t;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin(&t, ETHERNET);
		for (n = 0; n < 10; n++)
			add_call(&t, start + n * SEC);
		for (n = 0; n < 10; n++)
			add_call(&t, start + 9 * SEC + rows[i].step +
			    n * SEC);
		watch(&t, NULL);
		assert_int_equal(t.records, 20 + rows[i].gaps);
		assert_int_equal(t.gaps, rows[i].gaps);
		assert_int_equal(t.restarts, rows[i].restarts);
		assert_int_equal(t.packets, 20);
		assert_int_equal(t.calls, 20);
		assert_int_equal(t.resends, 0);
		assert_int_equal(t.most, 1);
		done(&t);
	}
}

/* The 32 bits of seconds of a pcap file end in 2106. */
static void
time_that_wraps_in_2106_is_a_step_back(void **state)
{
	const int64_t last = (INT64_C(1) << 32) * SEC - SEC;
	struct trial t;

	(void)state;
	begin(&t, ETHERNET);
	add_call(&t, last - SEC);
	add_call(&t, last);
	add_call(&t, last + SEC);		/* written as 0 */
	add_call(&t, last + 2 * SEC);
	watch(&t, NULL);
	assert_int_equal(t.records, 4);
	assert_int_equal(t.restarts, 1);
	assert_int_equal(t.calls, 4);
	done(&t);
}

static void
a_time_in_the_wrong_order_is_counted_where_it_belongs(void **state)
{
	struct trial t;

	(void)state;
	begin(&t, ETHERNET);
	add_call(&t, 10 * SEC);
	add_call(&t, 11 * SEC + 1000);
	add_call(&t, 11 * SEC - 1000);
	add_call(&t, 11 * SEC + 2000);
	watch(&t, NULL);
	assert_int_equal(t.records, 2);
	assert_int_equal(t.restarts, 0);
	assert_int_equal(t.most, 2);
	done(&t);
}

static void
no_order_of_times_makes_much_of_few_packets(void **state)
{
	uint64_t seed = 37;
	struct trial t;
	int i;

	(void)state;
	/* Any times of the 136 years. */
	begin(&t, ETHERNET);
	for (i = 0; i < 1000; i++)
		add_call(&t, (int64_t)(testkit_random(&seed) >> 32) * SEC);
	watch(&t, NULL);
	assert_int_equal(t.packets, 1000);
	assert_int_equal(t.calls, 1000);
	assert_true(t.records <= 2000);
	done(&t);
	/* To and fro by an hour. */
	begin(&t, ETHERNET);
	for (i = 0; i < 1000; i++)
		add_call(&t, 10 * HOUR + i % 2 * (HOUR + 2 * SEC));
	watch(&t, NULL);
	assert_int_equal(t.packets, 1000);
	assert_true(t.records <= 2000);
	done(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_filter_looks_behind_the_tags_in_a_file),
		cmocka_unit_test(a_filter_works_where_there_are_no_tags),
		cmocka_unit_test(
		    a_cut_packet_counts_as_long_as_it_was_and_as_cut),
		cmocka_unit_test(a_step_of_the_clock_is_one_record),
		cmocka_unit_test(time_that_wraps_in_2106_is_a_step_back),
		cmocka_unit_test(
		    a_time_in_the_wrong_order_is_counted_where_it_belongs),
		cmocka_unit_test(no_order_of_times_makes_much_of_few_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_tcpwindow.c: when a receiver allows too little (RFC 9293 sec. 3.8.6).
 */
#include "tcpwindow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/*
 * Direction 0 has sent up to sequence number 10000 of a message of which rest
 * bytes are still to come; direction 1 acknowledges and allows.
 */
static struct flow *
flow(uint32_t rest)
{
	static struct flow f;
	int d;

	memset(&f, 0, sizeof(f));
	f.syn = true;
	for (d = 0; d < 2; d++) {
		tcpstream_init(&f.dir[d].stream);
		rpcrecord_init(&f.dir[d].rec, true);
		f.dir[d].wscale = -1;
		f.dir[d].mss = 1460;
	}
	f.dir[0].stream.started = true;
	f.dir[0].stream.next = 10000;
	if (rest > 0) {
		f.dir[0].rec.phase = RPCRECORD_BODY;
		f.dir[0].rec.left = rest;
	}
	return &f;
}

static enum tcpwindow
look(struct flow *f, uint32_t ack, uint16_t window)
{
	const struct segment g = { .flags = TCP_ACK, .ack = ack,
	    .window = window };

	return tcpwindow_look(f, 1, &g);
}

static void
a_window_of_zero_is_closed_whatever_is_to_come(void **state)
{
	struct flow *f;

	(void)state;
	assert_int_equal(look(flow(0), 10000, 0), TCPWINDOW_CLOSED);
	assert_int_equal(look(flow(500), 10000, 0), TCPWINDOW_CLOSED);
	/* Zero is zero by any scale. */
	f = flow(500);
	f->syn = false;
	assert_int_equal(look(f, 10000, 0), TCPWINDOW_CLOSED);
}

static void
a_full_segment_is_enough(void **state)
{
	(void)state;
	assert_int_equal(look(flow(100000), 10000, 1460), TCPWINDOW_OPEN);
	assert_int_equal(look(flow(100000), 10000, 1459), TCPWINDOW_CLOSED);
	assert_int_equal(look(flow(100000), 10000, 65535), TCPWINDOW_OPEN);
}

static void
what_the_message_still_needs_is_enough(void **state)
{
	(void)state;
	assert_int_equal(look(flow(500), 10000, 500), TCPWINDOW_OPEN);
	assert_int_equal(look(flow(500), 10000, 499), TCPWINDOW_CLOSED);
	/* With nothing to come any window does. */
	assert_int_equal(look(flow(0), 10000, 1), TCPWINDOW_OPEN);
	assert_int_equal(look(flow(0), 9000, 1000), TCPWINDOW_OPEN);
}

static void
what_is_on_its_way_takes_its_part_of_the_window(void **state)
{
	(void)state;
	assert_int_equal(look(flow(500), 9500, 1000), TCPWINDOW_OPEN);
	assert_int_equal(look(flow(500), 9500, 999), TCPWINDOW_CLOSED);
	assert_int_equal(look(flow(500), 9000, 1000), TCPWINDOW_CLOSED);
}

static void
an_ack_of_more_than_was_seen_leaves_the_whole_window(void **state)
{
	(void)state;
	assert_int_equal(look(flow(500), 10400, 600), TCPWINDOW_OPEN);
	assert_int_equal(look(flow(500), 10400, 400), TCPWINDOW_CLOSED);
}

static void
the_scale_holds_when_both_syns_had_one(void **state)
{
	struct flow *f = flow(100000);

	(void)state;
	f->dir[1].wscale = 7;
	assert_int_equal(look(f, 10000, 100), TCPWINDOW_CLOSED);
	f->dir[0].wscale = 0;
	assert_int_equal(look(f, 10000, 100), TCPWINDOW_OPEN);
	assert_int_equal(f->dir[1].window, 12800);
	assert_int_equal(f->dir[1].ack, 10000);
	assert_int_equal(look(f, 10000, 11), TCPWINDOW_CLOSED);
	f->dir[1].wscale = 14;
	assert_int_equal(look(f, 10000, 65535), TCPWINDOW_OPEN);
	assert_int_equal(f->dir[1].window, 65535U << 14);
}

static void
without_a_syn_or_a_stream_nothing_is_known(void **state)
{
	struct flow *f = flow(100000);

	(void)state;
	f->syn = false;
	assert_int_equal(look(f, 10000, 100), TCPWINDOW_UNKNOWN);
	f = flow(0);
	f->dir[0].stream.started = false;
	assert_int_equal(look(f, 10000, 100), TCPWINDOW_UNKNOWN);
}

static void
without_an_mss_option_a_usual_segment_is_what_is_full(void **state)
{
	struct flow *f = flow(100000);

	(void)state;
	f->dir[1].mss = 0;
	assert_int_equal(look(f, 10000, 1460), TCPWINDOW_OPEN);
	assert_int_equal(look(f, 10000, 1459), TCPWINDOW_CLOSED);
	f->dir[1].mss = 536;
	assert_int_equal(look(f, 10000, 536), TCPWINDOW_OPEN);
}

#define CASE(f)	cmocka_unit_test(f)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_window_of_zero_is_closed_whatever_is_to_come),
		CASE(a_full_segment_is_enough),
		CASE(what_the_message_still_needs_is_enough),
		CASE(what_is_on_its_way_takes_its_part_of_the_window),
		CASE(an_ack_of_more_than_was_seen_leaves_the_whole_window),
		CASE(the_scale_holds_when_both_syns_had_one),
		CASE(without_a_syn_or_a_stream_nothing_is_known),
		CASE(without_an_mss_option_a_usual_segment_is_what_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

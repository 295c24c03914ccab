/* SPDX-License-Identifier: ISC */
/*
 * test_pairstate.c: the state of one pair.  Times are in milliseconds; the
 * interval is a second, so that slot 0 holds them all.
 */
#include "pairstate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "packet.h"

#define MS	NSEC_PER_MSEC

struct scene {
	struct pairstate p;
	struct call	 c[4];
	uint32_t	 out;
};

static void
begin(struct scene *s)
{
	int i;

	memset(s, 0, sizeof(*s));
	pairstate_start(&s->p, 0, NSEC_PER_SEC);
	for (i = 0; i < 4; i++) {
		s->c[i].xid = (uint32_t)i + 1;
		s->c[i].stream = 6;
		s->c[i].transmissions = 1;
	}
}

static void
rpc(struct scene *s, int n, enum rpc_event_kind kind, int64_t ms)
{
	struct rpc_event ev = { .time_ns = ms * MS, .kind = kind,
	    .call = &s->c[n], .outstanding = s->out };

	pairstate_rpc(&s->p, &ev, ev.time_ns);
}

/* Messages as the decoder tells them. */
static void
call_starts(struct scene *s, int n, int64_t ms)
{
	s->out++;
	s->c[n].state = CALL_OPEN;
	s->c[n].first_ns = s->c[n].sent_ns = ms * MS;
	rpc(s, n, RPC_EV_CALL, ms);
}

static void
call_ends(struct scene *s, int n, int64_t ms)
{
	s->c[n].whole = true;
	s->c[n].last_ns = ms * MS;
	rpc(s, n, RPC_EV_CALL_DONE, ms);
}

static void
reply_starts(struct scene *s, int n, int64_t ms)
{
	s->out--;
	s->c[n].state = CALL_ANSWERED;
	s->c[n].reply_ns = ms * MS;
	rpc(s, n, RPC_EV_REPLY, ms);
}

static void
reply_ends(struct scene *s, int n, int64_t ms)
{
	rpc(s, n, RPC_EV_REPLY_DONE, ms);
}

static void
net(struct scene *s, enum net_event_kind kind, uint32_t stream, int64_t ms)
{
	struct net_event ev = { .time_ns = ms * MS, .kind = kind,
	    .stream = stream, .to_server = (stream & 1) == 0 };

	pairstate_net(&s->p, &ev, ev.time_ns);
}

/* Ends the second and compares milliseconds in each state. */
static void
expect(struct scene *s, const uint64_t want[SAMPLE_STATES])
{
	struct timeline_slot got;
	int i;

	pairstate_until(&s->p, NSEC_PER_SEC);
	timeline_take(&s->p.time, 0, NSEC_PER_SEC, &got);
	for (i = 0; i < SAMPLE_STATES; i++) {
		if (got.ns[i] != want[i] * (uint64_t)MS)
			print_message("%s:\n", sample_state_name(
			    (enum sample_state)i));
		assert_int_equal(got.ns[i], want[i] * (uint64_t)MS);
	}
}
#define EXPECT(s, ...) \
	expect(s, (const uint64_t[SAMPLE_STATES]){ __VA_ARGS__ })

static void
a_call_goes_through_its_states(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 130);
	reply_starts(&s, 0, 200);
	reply_ends(&s, 0, 250);
	EXPECT(&s, [SAMPLE_CLIENT] = 850, [SAMPLE_REQUEST] = 30,
	    [SAMPLE_SERVER] = 70, [SAMPLE_REPLY] = 50);
	assert_true(pairstate_is_idle(&s.p, NSEC_PER_SEC));
}

static void
a_whole_call_outranks_one_under_way(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 200);
	call_starts(&s, 1, 300);	/* server has the first until 400 */
	reply_starts(&s, 0, 400);
	reply_ends(&s, 0, 450);		/* reply, then the second's request */
	call_ends(&s, 1, 500);
	reply_starts(&s, 1, 600);
	reply_ends(&s, 1, 600);
	EXPECT(&s, [SAMPLE_CLIENT] = 500, [SAMPLE_REQUEST] = 150,
	    [SAMPLE_SERVER] = 300, [SAMPLE_REPLY] = 50);
}

static void
a_datagram_that_is_told_when_whole_was_under_way_before(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	s.out = 1;
	s.c[0].state = CALL_OPEN;
	s.c[0].first_ns = s.c[0].sent_ns = 100 * MS;
	rpc(&s, 0, RPC_EV_CALL, 140);
	call_ends(&s, 0, 140);
	/* a reply in fragments from 200 to 260 */
	s.out = 0;
	s.c[0].reply_ns = 200 * MS;
	rpc(&s, 0, RPC_EV_REPLY, 260);
	reply_ends(&s, 0, 260);
	EXPECT(&s, [SAMPLE_CLIENT] = 840, [SAMPLE_REQUEST] = 40,
	    [SAMPLE_SERVER] = 60, [SAMPLE_REPLY] = 60);
}

static void
a_commit_alone_is_commit_and_beside_a_write_server(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	s.c[0].kind = NFS_KIND_COMMIT;
	s.c[1].kind = NFS_KIND_WRITE;
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 100);
	call_starts(&s, 1, 300);
	call_ends(&s, 1, 300);
	reply_starts(&s, 1, 400);
	reply_ends(&s, 1, 400);
	reply_starts(&s, 0, 600);
	reply_ends(&s, 0, 600);
	EXPECT(&s, [SAMPLE_CLIENT] = 500, [SAMPLE_COMMITTING] = 400,
	    [SAMPLE_SERVER] = 100);
}

static void
a_hole_is_the_networks_until_it_is_filled(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	net(&s, NET_HOLE, 6, 110);
	net(&s, NET_HOLE, 9, 120);
	net(&s, NET_FILLED, 6, 310);
	net(&s, NET_FILLED, 9, 330);
	call_ends(&s, 0, 400);
	reply_starts(&s, 0, 500);
	reply_ends(&s, 0, 500);
	EXPECT(&s, [SAMPLE_CLIENT] = 600, [SAMPLE_REQUEST] = 80,
	    [SAMPLE_NETWORK] = 220, [SAMPLE_SERVER] = 100);
}

static void
a_call_sent_again_shows_that_the_silence_was_the_networks(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 100);
	s.c[0].transmissions = 2;
	s.c[0].sent_ns = 500 * MS;
	rpc(&s, 0, RPC_EV_RESEND, 500);
	rpc(&s, 0, RPC_EV_CALL_DONE, 500);	/* of the repetition */
	reply_starts(&s, 0, 600);
	reply_ends(&s, 0, 600);
	EXPECT(&s, [SAMPLE_CLIENT] = 500, [SAMPLE_NETWORK] = 500);
}

static void
what_was_answered_in_between_stays_as_it_was(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 100);
	call_starts(&s, 1, 200);
	call_ends(&s, 1, 200);
	reply_starts(&s, 1, 400);	/* the server was alive */
	reply_ends(&s, 1, 400);
	s.c[0].transmissions = 2;
	rpc(&s, 0, RPC_EV_RESEND, 500);
	reply_starts(&s, 0, 600);
	reply_ends(&s, 0, 600);
	EXPECT(&s, [SAMPLE_CLIENT] = 500, [SAMPLE_SERVER] = 300,
	    [SAMPLE_NETWORK] = 200);
}

static void
a_head_without_its_rest_was_lost(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	/* heads at 100 and 400; whole from 700 to 710, told then: the call,
	 * and two repetitions */
	s.out = 1;
	s.c[0].state = CALL_OPEN;
	s.c[0].first_whole = true;
	s.c[0].first_ns = s.c[0].sent_ns = 100 * MS;
	rpc(&s, 0, RPC_EV_CALL, 710);
	s.c[0].sent_ns = 700 * MS;
	s.c[0].transmissions = 2;
	rpc(&s, 0, RPC_EV_RESEND, 710);
	s.c[0].transmissions = 3;
	rpc(&s, 0, RPC_EV_RESEND, 710);
	call_ends(&s, 0, 710);
	reply_starts(&s, 0, 800);
	reply_ends(&s, 0, 800);
	EXPECT(&s, [SAMPLE_CLIENT] = 300, [SAMPLE_NETWORK] = 690,
	    [SAMPLE_REQUEST] = 10);
}

static void
a_copy_made_by_the_capture_is_no_resend(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 100);
	s.c[0].transmissions = 2;
	s.c[0].last_ns -= 50000;
	rpc(&s, 0, RPC_EV_RESEND, 100);
	reply_starts(&s, 0, 300);
	reply_ends(&s, 0, 300);
	EXPECT(&s, [SAMPLE_CLIENT] = 800, [SAMPLE_SERVER] = 200);
}

static void
a_segment_again_is_the_networks_until_the_connection_moves_on(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 0);
	call_ends(&s, 0, 0);
	reply_starts(&s, 0, 100);
	reply_ends(&s, 0, 100);
	net(&s, NET_RESENT, 7, 300);	/* the reply, the other direction */
	net(&s, NET_RESENT, 7, 700);
	call_starts(&s, 1, 900);
	call_ends(&s, 1, 900);
	EXPECT(&s, [SAMPLE_NETWORK] = 800, [SAMPLE_SERVER] = 200);
}

static void
the_last_resend_before_a_pause_does_not_blame_the_network_for_it(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 0);
	call_ends(&s, 0, 0);
	reply_starts(&s, 0, 100);
	reply_ends(&s, 0, 100);
	net(&s, NET_RESENT, 7, 150);
	/* the next would be due 100 later: until 150 + 50 * 5/2 + 200 */
	EXPECT(&s, [SAMPLE_SERVER] = 100, [SAMPLE_NETWORK] = 50 + 325,
	    [SAMPLE_CLIENT] = 525);
	assert_true(pairstate_is_idle(&s.p, NSEC_PER_SEC));
}

static void
a_small_window_counts_while_calls_are_open(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	net(&s, NET_WINDOW_CLOSED, 6, 50);
	call_starts(&s, 0, 100);
	net(&s, NET_WINDOW_OPEN, 6, 700);
	call_ends(&s, 0, 800);
	reply_starts(&s, 0, 900);
	reply_ends(&s, 0, 900);
	EXPECT(&s, [SAMPLE_CLIENT] = 200, [SAMPLE_WINDOW] = 600,
	    [SAMPLE_REQUEST] = 100, [SAMPLE_SERVER] = 100);
}

static void
a_window_towards_the_client_is_not_the_servers(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	net(&s, NET_WINDOW_CLOSED, 7, 50);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 200);
	EXPECT(&s, [SAMPLE_CLIENT] = 100, [SAMPLE_REQUEST] = 100,
	    [SAMPLE_SERVER] = 800);
}

static void
a_server_that_owes_replies_cannot_hide_behind_its_window(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 100);
	call_starts(&s, 1, 100);
	net(&s, NET_WINDOW_CLOSED, 6, 200);
	EXPECT(&s, [SAMPLE_CLIENT] = 100, [SAMPLE_SERVER] = 100 + 600,
	    [SAMPLE_WINDOW] = PAIRSTATE_PATIENCE_NS / MS);
}

static void
delay_lasts_until_the_next_call(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 100);
	reply_starts(&s, 0, 200);
	pairstate_delay(&s.p, 200 * MS);
	reply_ends(&s, 0, 200);
	call_starts(&s, 1, 700);
	call_ends(&s, 1, 700);
	reply_starts(&s, 1, 800);
	reply_ends(&s, 1, 800);
	EXPECT(&s, [SAMPLE_CLIENT] = 300, [SAMPLE_SERVER] = 200,
	    [SAMPLE_DELAY] = 500);
}

static void
a_guess_counts_as_the_call_that_it_turns_out_to_be(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	s.c[0].guessed = true;
	s.c[0].first_ns = 100 * MS;
	s.c[0].stream |= 0x80000000U;
	rpc(&s, 0, RPC_EV_GUESS, 100);
	s.c[0].whole = true;
	s.c[0].last_ns = 200 * MS;
	rpc(&s, 0, RPC_EV_GUESS_DONE, 200);
	s.out = 1;			/* now the decoder counts it too */
	rpc(&s, 0, RPC_EV_CALL, 100);
	rpc(&s, 0, RPC_EV_CALL_DONE, 200);
	reply_starts(&s, 0, 350);
	reply_ends(&s, 0, 400);
	EXPECT(&s, [SAMPLE_CLIENT] = 700, [SAMPLE_REQUEST] = 100,
	    [SAMPLE_SERVER] = 150, [SAMPLE_REPLY] = 50);
	assert_int_equal(s.p.open, 0);
	assert_int_equal(s.p.guesses, 0);
}

static void
a_wrong_guess_leaves_nothing_open(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	s.c[0].guessed = true;
	s.c[0].first_ns = 100 * MS;
	rpc(&s, 0, RPC_EV_GUESS, 100);
	rpc(&s, 0, RPC_EV_GUESS_WRONG, 200);
	EXPECT(&s, [SAMPLE_CLIENT] = 900, [SAMPLE_REQUEST] = 100);
	assert_true(pairstate_is_idle(&s.p, NSEC_PER_SEC));
}

static void
a_call_that_is_given_up_ends_the_wait(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 100);
	call_ends(&s, 0, 100);
	s.out = 0;
	rpc(&s, 0, RPC_EV_GONE, 600);
	EXPECT(&s, [SAMPLE_CLIENT] = 500, [SAMPLE_SERVER] = 500);
}

static void
late_events_move_no_time_that_is_accounted_for(void **state)
{
	struct scene s;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 500);
	call_ends(&s, 0, 600);
	call_starts(&s, 1, 100);
	call_ends(&s, 1, 200);
	reply_starts(&s, 0, 300);
	reply_ends(&s, 0, 400);
	reply_starts(&s, 1, 700);
	reply_ends(&s, 1, 700);
	EXPECT(&s, [SAMPLE_CLIENT] = 800, [SAMPLE_REQUEST] = 100,
	    [SAMPLE_SERVER] = 100);
}

static void
troubles_are_bounded(void **state)
{
	struct scene s;
	uint32_t i;

	(void)state;
	begin(&s);
	for (i = 0; i < 100; i++)
		net(&s, NET_HOLE, 2 * i, 100 + i);
	assert_int_equal(s.p.troubles, PAIRSTATE_TROUBLES);
	for (i = 0; i < 100; i++)
		net(&s, NET_FILLED, 2 * i, 400);
	assert_int_equal(s.p.troubles, 0);
	EXPECT(&s, [SAMPLE_CLIENT] = 700, [SAMPLE_NETWORK] = 300);
}

static void
a_hole_that_is_never_filled_ends_after_a_minute(void **state)
{
	struct scene s;
	int64_t t;

	(void)state;
	begin(&s);
	net(&s, NET_HOLE, 6, 0);
	for (t = 1; t <= 60; t++)
		pairstate_until(&s.p, t * NSEC_PER_SEC);
	assert_int_equal(s.p.state, SAMPLE_CLIENT);
	assert_true(pairstate_is_idle(&s.p, t * NSEC_PER_SEC));
}

static void
what_the_decoder_has_forgotten_is_forgotten(void **state)
{
	struct scene s;
	int64_t t;

	(void)state;
	begin(&s);
	call_starts(&s, 0, 0);
	call_ends(&s, 0, 0);
	for (t = 1; t <= 89; t++)
		pairstate_until(&s.p, t * NSEC_PER_SEC);
	assert_int_equal(s.p.state, SAMPLE_SERVER);
	pairstate_until(&s.p, 90 * NSEC_PER_SEC);
	assert_true(pairstate_is_idle(&s.p, 90 * NSEC_PER_SEC));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_goes_through_its_states),
		cmocka_unit_test(a_whole_call_outranks_one_under_way),
		cmocka_unit_test(
		    a_datagram_that_is_told_when_whole_was_under_way_before),
		cmocka_unit_test(
		    a_commit_alone_is_commit_and_beside_a_write_server),
		cmocka_unit_test(a_hole_is_the_networks_until_it_is_filled),
		cmocka_unit_test(
		    a_call_sent_again_shows_that_the_silence_was_the_networks),
		cmocka_unit_test(what_was_answered_in_between_stays_as_it_was),
		cmocka_unit_test(a_head_without_its_rest_was_lost),
		cmocka_unit_test(a_copy_made_by_the_capture_is_no_resend),
		cmocka_unit_test(
		a_segment_again_is_the_networks_until_the_connection_moves_on),
		cmocka_unit_test(
	    the_last_resend_before_a_pause_does_not_blame_the_network_for_it),
		cmocka_unit_test(a_small_window_counts_while_calls_are_open),
		cmocka_unit_test(
		    a_window_towards_the_client_is_not_the_servers),
		cmocka_unit_test(
		    a_server_that_owes_replies_cannot_hide_behind_its_window),
		cmocka_unit_test(delay_lasts_until_the_next_call),
		cmocka_unit_test(
		    a_guess_counts_as_the_call_that_it_turns_out_to_be),
		cmocka_unit_test(a_wrong_guess_leaves_nothing_open),
		cmocka_unit_test(a_call_that_is_given_up_ends_the_wait),
		cmocka_unit_test(
		    late_events_move_no_time_that_is_accounted_for),
		cmocka_unit_test(troubles_are_bounded),
		cmocka_unit_test(
		    a_hole_that_is_never_filled_ends_after_a_minute),
		cmocka_unit_test(what_the_decoder_has_forgotten_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

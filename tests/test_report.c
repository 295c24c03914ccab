/* SPDX-License-Identifier: ISC */
/*
 * test_report.c: the page for a ticket.
 */
#include "report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SEC	INT64_C(1000000000)
#define WRITE3	nfs_proc_op(NFS_PROG_NFS, 3, 7)

static struct totals *totals;
static struct sample s;
static struct textbuf t;

static int
setup(void **state)
{
	(void)state;
	totals = totals_new();
	sample_clear(&s);
	return totals == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	totals_free(totals);
	textbuf_free(&t);
	return 0;
}

/* Two seconds of WRITEs, 100 and 300 of them. */
static void
two_seconds(void)
{
	struct sample_op *row;
	struct sample_size *z;
	uint32_t i, j, n;

	for (i = 0; i < 2; i++) {
		n = i == 0 ? 100 : 300;
		sample_clear(&s);
		s.start_ns = (1000 + i) * SEC;
		s.length_ns = s.watched_ns = SEC;
		s.first_ns = s.start_ns;
		s.last_ns = s.start_ns + SEC - 1;
		s.traffic[SAMPLE_IN].packets = 2 * n;
		s.traffic[SAMPLE_IN].wire_packets = 6 * n;
		s.rpc_calls = s.rpc_replies = n;
		s.data[SAMPLE_WRITE].calls = n;
		s.data[SAMPLE_WRITE].bytes = 8192 * n;
		s.data[SAMPLE_WRITE].stable[2] = n;
		row = sample_op(&s, WRITE3, 0, 0, 0);
		row->calls = row->replies = n;
		for (j = 0; j < n; j++)
			sample_op_latency(&s, row, 1500000);
		z = sample_size(&s, SAMPLE_WRITE, 8192);
		z->calls = n;
		z->bytes = 8192 * n;
		z->depth_sum = 2 * n;
		s.clients = 1;
		addr_parse("10.77.0.3", &s.client[0].addr);
		s.client[0].t.total.calls = 100 + 300 * i;
		s.counter[SAMPLE_TCP_LOST_BYTES] = 55;
		totals_add(totals, &s);
	}
}

static void
page(const char *source)
{
	textbuf_clear(&t);
	report_text(&t, totals, NULL, source);
	assert_false(t.failed);
}

static void
has(const char *text)
{
	if (strstr(t.data, text) == NULL)
		fail_msg("\"%s\" is not in the report:\n%s", text, t.data);
}

static void
has_not(const char *text)
{
	if (strstr(t.data, text) != NULL)
		fail_msg("\"%s\" is in the report:\n%s", text, t.data);
}

static void
period_totals_and_rates_are_told(void **state)
{
	(void)state;
	two_seconds();
	page("eth0");
	has("nfsrated report: eth0\n");
	has("1970-01-01 00:16:40 to 1970-01-01 00:16:41 UTC\n");
	has("watched     2 s in 2 intervals\n");
	has("input               800              0           2400");
	has("packets in          600       1200       1800       1800"
	    "       1800\n");
	has("WRITE calls         100        200        300        300"
	    "        300\n");
	has("MB written         0.82       1.64       2.46       2.46"
	    "       2.46\n");
	has("RPC         400 calls, 400 replies, 0 retransmissions");
}

static void
operations_sizes_and_clients_are_told(void **state)
{
	(void)state;
	two_seconds();
	page("eth0");
	has("nfs3        WRITE                       400        400"
	    "       0       0     1.50");
	has("               8192         400        3.28         -     2.0"
	    "           -\n");
	has("10.77.0.3                        400");
	has("WRITEs ask  0 unstable, 0 data_sync, 400 file_sync; 0 COMMITs");
}

static void
what_was_lost_is_said_in_words(void **state)
{
	(void)state;
	two_seconds();
	page(NULL);
	has("nfsrated report\n");
	has("110 bytes of TCP streams that the capture never saw\n");
	has_not("nothing else");
	has_not("SYN");
}

static void
sections_without_anything_are_left_out(void **state)
{
	(void)state;
	page("eth0");
	has("no packets\n");
	has("nothing else");
	has_not("operations");
	has_not("sizes");
	has_not("clients");
	has_not("a second");
	has_not("errors\n");
}

static void
statuses_are_named(void **state)
{
	(void)state;
	sample_status_add(&s, nfs_program_find(NFS_PROG_NFS, 3)->first_op, 70,
	    9);
	totals_add(totals, &s);
	page("eth0");
	has("nfs3        NFS3ERR_STALE");
}

static void
gaps_and_steps_are_counted_in_the_period(void **state)
{
	(void)state;
	s.gap = true;
	totals_add(totals, &s);
	s.gap = false;
	s.restarted = s.partial = true;
	totals_add(totals, &s);
	page("eth0");
	has("1 of them partial, 1 long silence, the clock went back 1 time\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(period_totals_and_rates_are_told),
		CASE(operations_sizes_and_clients_are_told),
		CASE(what_was_lost_is_said_in_words),
		CASE(sections_without_anything_are_left_out),
		CASE(statuses_are_named),
		CASE(gaps_and_steps_are_counted_in_the_period),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_netstatfile.c: tables of netstat -w, written by hand in the forms that
 * FreeBSD, OpenBSD and NetBSD print.
 */
#include "netstatfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "testkit.h"

#define START	INT64_C(1000000000000000000)
#define SECOND	INT64_C(1000000000)
#define ROWS_MAX 64

struct scene {
	struct netstatfile *n;
	int		rows;
	struct sample	row[ROWS_MAX];
	int		errors;
	uint64_t	error_line;
};

static struct scene scene;

static void
emit(void *ctx, struct sample *s)
{
	struct scene *c = ctx;

	assert_true(c->rows < ROWS_MAX);
	c->row[c->rows++] = *s;
}

static void
error(void *ctx, uint64_t line, const char *why)
{
	struct scene *c = ctx;

	assert_non_null(why);
	c->errors++;
	c->error_line = line;
}

static struct scene *
begin_with(bool total)
{
	struct netstatfile_config config = { .start_ns = START,
	    .interval_ns = SECOND, .total = total, .emit = emit,
	    .error = error, .ctx = &scene };

	memset(&scene, 0, sizeof(scene));
	scene.n = netstatfile_new(&config);
	assert_non_null(scene.n);
	return &scene;
}

static struct scene *
begin(void)
{
	return begin_with(false);
}

static void
push(struct scene *c, const char *text)
{
	netstatfile_push(c->n, text, strlen(text));
}

static void
end(struct scene *c)
{
	netstatfile_free(c->n);
}

static uint64_t
in_packets(const struct scene *c, int row)
{
	return c->row[row].traffic[SAMPLE_IN].packets;
}

#define FREEBSD_HEADER \
	"            input        (Total)           output\n" \
	"   packets  errs      bytes    packets  errs      bytes colls\n"

static void
freebsd_rows_have_all_columns(void **state)
{
	struct scene *c = begin();
	const struct sample *s = &c->row[1];

	(void)state;
	push(c, FREEBSD_HEADER
	    "      8638     0   12384676       1440     0     293062     0\n"
	    "      8636     2   12415646       1439     1     293708     3\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 2);
	assert_int_equal(c->errors, 0);
	assert_int_equal(in_packets(c, 0), 8638);
	assert_int_equal(s->traffic[SAMPLE_IN].packets, 8636);
	assert_int_equal(s->traffic[SAMPLE_IN].wire_packets, 8636);
	assert_int_equal(s->traffic[SAMPLE_IN].bytes, 12415646);
	assert_int_equal(s->traffic[SAMPLE_IN].wire_bytes, 12415646);
	assert_int_equal(s->traffic[SAMPLE_IN].errs, 2);
	assert_int_equal(s->traffic[SAMPLE_OUT].packets, 1439);
	assert_int_equal(s->traffic[SAMPLE_OUT].bytes, 293708);
	assert_int_equal(s->traffic[SAMPLE_OUT].errs, 1);
	assert_int_equal(s->colls, 3);
	assert_int_equal(s->if_in_packets, 8636);
	assert_int_equal(s->if_out_bytes, 293708);
	assert_true(s->kernel_drops == SAMPLE_UNKNOWN);
	assert_true(s->interface_drops == SAMPLE_UNKNOWN);
	assert_false(s->no_data || s->partial || s->has_split || s->has_duty);
	assert_true(s->packets_only);
	assert_true(s->start_ns == START + SECOND);
	assert_true(s->length_ns == SECOND);
	assert_int_equal(s->seq, 1);
	assert_string_equal(netstatfile_stats(c->n)->name, "(Total)");
	end(c);
}

/* FreeBSD since 9 counts idrops; -d adds drops at the end. */
static void
freebsd_with_drops_and_an_interface(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, "            input           em0           output\n"
	    "   packets  errs idrops      bytes    packets  errs      bytes "
	    "colls drops\n"
	    "       900     0     7    1513334        142     0      33532     "
	    "1     9\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(in_packets(c, 0), 900);
	assert_int_equal(c->row[0].traffic[SAMPLE_IN].bytes, 1513334);
	assert_int_equal(c->row[0].traffic[SAMPLE_OUT].packets, 142);
	assert_int_equal(c->row[0].traffic[SAMPLE_OUT].bytes, 33532);
	assert_int_equal(c->row[0].colls, 1);
	assert_string_equal(netstatfile_stats(c->n)->name, "em0");
	end(c);
}

#define OPENBSD_HEADER \
	"   input    (em0)     output            input   (Total)    output\n" \
	" packets  errs  packets  errs colls   packets  errs  packets  errs " \
	"colls\n"

static void
openbsd_rows_follow_a_cumulative_one_below_each_header(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, OPENBSD_HEADER
	    "12345678     1  2345678     0     0  12349999     1  2349999     "
	    "0     0\n"
	    "    8637     0     1440     2     5      8650     3     1450     "
	    "4     6\n"
	    "    8636     0     1439     0     0      8640     0     1441     "
	    "0     0\n"
	    OPENBSD_HEADER
	    "12362951     1  2348557     0     0  12367289     1  2352890     "
	    "0     0\n"
	    "    8635     0     1438     0     0      8639     0     1440     "
	    "0     0\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 3);
	assert_int_equal(c->errors, 0);
	assert_int_equal(in_packets(c, 0), 8637);
	assert_int_equal(c->row[0].traffic[SAMPLE_OUT].packets, 1440);
	assert_int_equal(c->row[0].traffic[SAMPLE_OUT].errs, 2);
	assert_int_equal(c->row[0].colls, 5);
	assert_int_equal(in_packets(c, 2), 8635);
	assert_true(c->row[0].if_in_bytes == SAMPLE_UNKNOWN);
	assert_int_equal(netstatfile_stats(c->n)->cumulative, 2);
	assert_int_equal(netstatfile_stats(c->n)->headers, 2);
	assert_string_equal(netstatfile_stats(c->n)->name, "em0");
	end(c);
}

#define NETBSD_HEADER(name) \
	name " in       " name " out              total in      total out  " \
	"\n" \
	" packets  errs  packets  errs colls   packets  errs  packets  errs " \
	"colls\n"
#define NETBSD_ROWS \
	"  100000     0    20000     0     0    200000     0    40000     0" \
	"     0\n" \
	"      50     0        5     0     0       870     0      144     0" \
	"     0\n"

static void
netbsd_shows_the_interface_beside_the_total(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, NETBSD_HEADER("wm0") NETBSD_ROWS);
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(in_packets(c, 0), 50);
	assert_string_equal(netstatfile_stats(c->n)->name, "wm0");
	end(c);
}

static void
of_a_loopback_and_the_total_the_total_is_meant(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, NETBSD_HEADER("lo0") NETBSD_ROWS);
	netstatfile_finish(c->n);
	assert_int_equal(in_packets(c, 0), 870);
	assert_string_equal(netstatfile_stats(c->n)->name, "(Total)");
	end(c);
	c = begin_with(true);
	push(c, NETBSD_HEADER("wm0") NETBSD_ROWS);
	netstatfile_finish(c->n);
	assert_int_equal(in_packets(c, 0), 870);
	end(c);
}

static void
netbsd_with_b_has_no_packets(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, "    wm0 in             wm0 out          total in             "
	    "total out      \n"
	    "     bytes               bytes             bytes               "
	    "bytes      \n"
	    "  99999999            88888888          99999999            "
	    "88888888      \n"
	    "   1513334               33532           1513400               "
	    "33600      \n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(c->errors, 0);
	assert_true(c->row[0].no_data);
	assert_true(c->row[0].if_in_packets == SAMPLE_UNKNOWN);
	assert_int_equal(c->row[0].if_in_bytes, 1513334);
	assert_int_equal(c->row[0].if_out_bytes, 33532);
	end(c);
}

static void
openbsd_with_d_has_drops(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, "em0 in em0 out total in total out\n"
	    "packets errs packets errs colls drops "
	    "packets errs packets errs colls drops\n"
	    "1 0 1 0 0 0 1 0 1 0 0 0\n"
	    "11 12 13 14 15 16 21 22 23 24 25 26\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(in_packets(c, 0), 11);
	assert_int_equal(c->row[0].traffic[SAMPLE_OUT].packets, 13);
	assert_int_equal(c->row[0].colls, 15);
	end(c);
}

static void
headers_may_come_again_anywhere(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, FREEBSD_HEADER "8638 0 12384676 1440 0 293062 0\n"
	    FREEBSD_HEADER FREEBSD_HEADER
	    "8637 0 12384676 1440 0 293062 0\n\n"
	    "   packets  errs idrops      bytes    packets  errs      bytes "
	    "colls\n"
	    "8636 0 0 12384676 1440 0 293062 0\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 3);
	assert_int_equal(in_packets(c, 2), 8636);
	assert_int_equal(c->row[2].traffic[SAMPLE_IN].bytes, 12384676);
	assert_int_equal(c->errors, 0);
	end(c);
}

static void
an_absurdly_large_first_row_is_cumulative(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, FREEBSD_HEADER
	    "1234567890 0 999999999999 234567890 0 88888888 0\n"
	    "8637 0 12384676 1440 0 293062 0\n"
	    "8638 0 12384676 1440 0 293062 0\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 2);
	assert_int_equal(in_packets(c, 0), 8637);
	assert_true(c->row[0].start_ns == START);
	assert_int_equal(netstatfile_stats(c->n)->cumulative, 1);
	end(c);
	/* a busy second before an idle one is not */
	c = begin();
	push(c, FREEBSD_HEADER
	    "80000 0 12384676 1440 0 293062 0\n"
	    "0 0 0 0 0 0 0\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 2);
	end(c);
}

static void
rows_come_out_as_they_come_in(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, FREEBSD_HEADER "8638 0 12384676 1440 0 293062 0\n");
	assert_int_equal(c->rows, 0);	/* is it cumulative? */
	push(c, "8637 0 12384676 1440 0 2930");
	assert_int_equal(c->rows, 0);
	push(c, "62 0\n");
	assert_int_equal(c->rows, 2);
	push(c, "8636 0 12384676 1440 0 293062 0\n");
	assert_int_equal(c->rows, 3);
	push(c, "8635 0 12384676 1440 0 293062 0");
	assert_int_equal(c->rows, 3);
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 4);
	end(c);
}

static void
carriage_returns_are_blanks(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, "input (Total) output\r\n"
	    "packets errs bytes packets errs bytes colls\r\n"
	    "8638 0 12384676 1440 0 293062 0\r\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(c->errors, 0);
	end(c);
}

static void
seven_numbers_without_a_header_are_freebsds(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, "8638 0 12384676 1440 0 293062 0\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(c->row[0].traffic[SAMPLE_OUT].bytes, 293062);
	end(c);
	c = begin();
	push(c, "8638 0 12384676 1440 0 293062 0 0\n");
	assert_int_equal(c->errors, 1);
	end(c);
}

/* netstat -h: humanize_number(3) with HN_DIVISOR_1000. */
static void
human_numbers_are_read(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, FREEBSD_HEADER "8.6k 0 12M 1.4K 0 293k 0\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(in_packets(c, 0), 8600);
	assert_int_equal(c->row[0].traffic[SAMPLE_IN].bytes, 12000000);
	assert_int_equal(c->row[0].traffic[SAMPLE_OUT].packets, 1400);
	end(c);
}

static void
other_lines_are_told_and_passed_over(void **state)
{
	static const char *const lines[] = {
		"netstat: em9: unknown interface", "???",
		"8638 0 12384676 1440 0 293062", "1 2 3 4 5 6 7 8",
		"8638 0 12384676 1440 0 -5 0", "8638 0 12384676 1440 0 5x 0",
		"8638 0 12384676 1440 0 1. 0", "packets errs bytes",
		"99999999999999999999 0 1 1 0 1 0", "8638 0 9999P 1 0 1 0",
		"1.5Q 0 1 1 0 1 0", "colls packets",
	};
	struct scene *c = begin();
	size_t i, n = sizeof(lines) / sizeof(lines[0]);

	(void)state;
	push(c, FREEBSD_HEADER);
	for (i = 0; i < n; i++) {
		push(c, lines[i]);
		push(c, "\n");
		assert_int_equal(c->errors, i + 1);
		assert_int_equal(c->error_line, i + 3);
	}
	push(c, "8638 0 12384676 1440 0 293062 0\n");
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(netstatfile_stats(c->n)->errors, n);
	end(c);
}

static void
lines_are_bounded(void **state)
{
	struct scene *c = begin();
	int i;

	(void)state;
	push(c, FREEBSD_HEADER);
	for (i = 0; i < 100000; i++)
		push(c, "1234567 ");
	push(c, "\n8638 0 12384676 1440 0 293062 0\n");
	for (i = 0; i < 40; i++)
		push(c, "1 ");
	push(c, "\n");
	netstatfile_push(c->n, "1\0002\n", 4);
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 1);
	assert_int_equal(c->errors, 3);
	end(c);
}

/* A row of 900 packets and 1513334 bytes has 1681 bytes a packet. */
static void
a_mean_packet_above_the_mtu_is_skew(void **state)
{
	struct scene *c = begin();

	(void)state;
	push(c, FREEBSD_HEADER
	    "900 0 1513334 142 0 33532 0\n"
	    "1000 0 1514000 142 0 33532 0\n"	/* full frames */
	    "0 0 500 142 0 33532 0\n"
	    "3582 0 7057568 576 0 162498 0\n");
	netstatfile_finish(c->n);
	assert_int_equal(netstatfile_stats(c->n)->skewed, 2);
	assert_float_equal(netstatfile_stats(c->n)->largest_mean, 1970.3, 0.1);
	end(c);
}

static void
nothing_is_nothing(void **state)
{
	struct scene *c = begin();

	(void)state;
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 0);
	push(c, FREEBSD_HEADER);
	netstatfile_finish(c->n);
	assert_int_equal(c->rows, 0);
	assert_int_equal(c->errors, 0);
	end(c);
	netstatfile_free(NULL);
}

static const char whole[] = FREEBSD_HEADER
    "      8638     0   12384676       1440     0     293062     0\n"
    OPENBSD_HEADER
    "  123456     1  2345678     0     0  12349999     1  2349999     0 0\n"
    "    8637     0     1440     2     5      8650     3     1450     4 6\n";

static void
feed(void *ctx, struct bytes b)
{
	struct scene *c = begin();

	(void)ctx;
	netstatfile_push(c->n, (const char *)b.data, b.len);
	netstatfile_finish(c->n);
	if (b.len == strlen(whole)) {
		assert_int_equal(c->rows, 2);
		assert_int_equal(c->errors, 0);
	}
	end(c);
}

static void
feed_flipped(void *ctx, struct bytes b, size_t bit)
{
	struct scene *c = begin();

	(void)ctx;
	(void)bit;
	netstatfile_push(c->n, (const char *)b.data, b.len);
	netstatfile_finish(c->n);
	end(c);
}

static void
any_part_and_any_flip_is_survived(void **state)
{
	(void)state;
	for_every_prefix(whole, strlen(whole), feed, NULL);
	for_every_bit_flip(whole, strlen(whole), feed_flipped, NULL);
}

static void
it_makes_no_difference_where_the_bytes_are_cut(void **state)
{
	size_t i, len = strlen(whole);

	(void)state;
	for (i = 0; i <= len; i++) {
		struct scene *c = begin();

		netstatfile_push(c->n, whole, i);
		netstatfile_push(c->n, whole + i, len - i);
		netstatfile_finish(c->n);
		assert_int_equal(c->rows, 2);
		assert_int_equal(in_packets(c, 1), 8637);
		end(c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(freebsd_rows_have_all_columns),
		cmocka_unit_test(freebsd_with_drops_and_an_interface),
		cmocka_unit_test(
		    openbsd_rows_follow_a_cumulative_one_below_each_header),
		cmocka_unit_test(netbsd_shows_the_interface_beside_the_total),
		cmocka_unit_test(
		    of_a_loopback_and_the_total_the_total_is_meant),
		cmocka_unit_test(netbsd_with_b_has_no_packets),
		cmocka_unit_test(openbsd_with_d_has_drops),
		cmocka_unit_test(headers_may_come_again_anywhere),
		cmocka_unit_test(an_absurdly_large_first_row_is_cumulative),
		cmocka_unit_test(rows_come_out_as_they_come_in),
		cmocka_unit_test(carriage_returns_are_blanks),
		cmocka_unit_test(seven_numbers_without_a_header_are_freebsds),
		cmocka_unit_test(human_numbers_are_read),
		cmocka_unit_test(other_lines_are_told_and_passed_over),
		cmocka_unit_test(lines_are_bounded),
		cmocka_unit_test(a_mean_packet_above_the_mtu_is_skew),
		cmocka_unit_test(nothing_is_nothing),
		cmocka_unit_test(any_part_and_any_flip_is_survived),
		cmocka_unit_test(
		    it_makes_no_difference_where_the_bytes_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

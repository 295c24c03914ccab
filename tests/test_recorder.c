/* SPDX-License-Identifier: ISC */
/*
 * test_recorder.c: the heads of the last packets, as a pcap file.
 */
#include "recorder.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint8_t data[2000];

/* A packet whose first bytes tell its number. */
static void
put(struct recorder *r, uint32_t number, int64_t time_ns, size_t len,
    int linktype)
{
	struct packet p = { .time_ns = time_ns, .wire_len = (uint32_t)len + 1,
	    .linktype = linktype };

	memcpy(data, &number, sizeof(number));
	p.data = bytes_of(data, len);
	recorder_put(r, &p);
}

static uint32_t
get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * The numbers of the packets in the file, which must follow each other; gives
 * how many, and the first.
 */
static uint32_t
look(const struct recorder *r, uint32_t *first)
{
	uint32_t n = 0, number;
	size_t len, at = 24;
	uint8_t *file = recorder_pcap(r, &len);

	if (file == NULL)
		return 0;
	assert_true(len >= 24);
	assert_int_equal(get32(file), 0xa1b23c4d);
	for (; at < len; n++) {
		assert_true(at + 16 <= len);
		assert_true(get32(file + at + 8) <= RECORDER_HEAD);
		assert_true(at + 16 + get32(file + at + 8) <= len);
		assert_true(get32(file + at + 4) < 1000000000);
		number = get32(file + at + 16);
		if (n == 0)
			*first = number;
		assert_int_equal(number, *first + n);
		at += 16 + get32(file + at + 8);
	}
	assert_int_equal(at, len);
	free(file);
	return n;
}

static void
a_file_has_heads_times_and_lengths_on_the_wire(void **state)
{
	struct recorder *r = recorder_new(0);
	uint8_t *file;
	size_t len;

	(void)state;
	put(r, 7, 5 * NSEC_PER_SEC + 123, 60, 1);
	put(r, 8, 6 * NSEC_PER_SEC + 999999999, 1514, 1);
	file = recorder_pcap(r, &len);
	assert_non_null(file);
	assert_int_equal(len, 24 + 16 + 60 + 16 + RECORDER_HEAD);
	assert_int_equal(get32(file + 20), 1);		/* link type */
	assert_int_equal(get32(file + 24), 5);
	assert_int_equal(get32(file + 28), 123);
	assert_int_equal(get32(file + 32), 60);
	assert_int_equal(get32(file + 36), 61);
	assert_int_equal(get32(file + 40), 7);
	assert_int_equal(get32(file + 24 + 16 + 60 + 4), 999999999);
	assert_int_equal(get32(file + 24 + 16 + 60 + 8), RECORDER_HEAD);
	assert_int_equal(get32(file + 24 + 16 + 60 + 12), 1515);
	free(file);
	recorder_free(r);
}

static void
packets_go_after_thirty_seconds(void **state)
{
	struct recorder *r = recorder_new(0);
	uint32_t first, i;

	(void)state;
	for (i = 0; i < 100; i++)
		put(r, i, i * NSEC_PER_SEC, 60, 1);
	/* at 99 s: those of 69 s and later */
	assert_int_equal(look(r, &first), 31);
	assert_int_equal(first, 69);
	recorder_clear(r);
	assert_int_equal(look(r, &first), 0);
	assert_int_equal(errno, ENODATA);
	recorder_free(r);
	recorder_free(NULL);
}

static void
a_full_ring_keeps_the_newest(void **state)
{
	struct recorder *r = recorder_new(10000);
	uint32_t first, i, n;

	(void)state;
	for (i = 0; i < 1000; i++) {
		put(r, i, i * 1000, 1000, 1);
		n = look(r, &first);
		assert_int_equal(first + n, i + 1);
		/* 24 + 128 bytes each: 65 of them, but for what is left over
		 * at the end of the ring */
		assert_true(n == i + 1 || n >= 63);
	}
	recorder_free(r);
}

static void
packets_of_any_length_fit_whatever_the_ring(void **state)
{
	uint32_t first, i, n, seed = 3;
	struct recorder *r;
	size_t bytes;

	(void)state;
	for (bytes = 1; bytes < 3000; bytes += 173) {
		r = recorder_new(bytes);
		for (i = 0; i < 500; i++) {
			seed = seed * 1103515245 + 12345;
			put(r, i, i, 4 + (seed >> 16) % 300, 1);
			n = look(r, &first);
			assert_true(n > 0);
			assert_int_equal(first + n, i + 1);
		}
		recorder_free(r);
	}
}

static void
packets_of_another_link_type_are_left_out(void **state)
{
	struct recorder *r = recorder_new(0);
	uint32_t first;

	(void)state;
	put(r, 1, 1, 60, 113);
	put(r, 2, 2, 60, 1);
	put(r, 3, 3, 60, 1);
	assert_int_equal(look(r, &first), 2);
	assert_int_equal(first, 2);
	recorder_free(r);
}

static void
packets_without_bytes_are_packets(void **state)
{
	struct packet p = { .time_ns = 1, .wire_len = 60, .linktype = 1 };
	struct recorder *r = recorder_new(1000);
	size_t len;
	void *file;
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		p.time_ns = i;
		recorder_put(r, &p);
	}
	file = recorder_pcap(r, &len);
	assert_non_null(file);
	assert_int_equal((len - 24) % 16, 0);
	assert_true((len - 24) / 16 >= 20);
	free(file);
	recorder_free(r);
}

static void
time_that_goes_back_keeps_what_there_is(void **state)
{
	struct recorder *r = recorder_new(0);
	uint32_t first;

	(void)state;
	put(r, 1, 1000 * NSEC_PER_SEC, 60, 1);
	put(r, 2, 100 * NSEC_PER_SEC, 60, 1);
	assert_int_equal(look(r, &first), 2);
	recorder_free(r);
}

static void *
want(void *ctx)
{
	struct recorder *r = ctx;
	size_t len = 0;
	void *file;

	recorder_want(r);
	while ((file = recorder_take(r, &len)) == NULL)
		sched_yield();
	free(file);
	return (void *)(uintptr_t)len;
}

static void
another_thread_gets_what_it_wants(void **state)
{
	struct recorder *r = recorder_new(0);
	pthread_t other;
	void *len;
	uint32_t i;
	size_t any;

	(void)state;
	recorder_serve(r);
	assert_null(recorder_take(r, &any));
	put(r, 0, 0, 60, 1);
	assert_int_equal(pthread_create(&other, NULL, want, r), 0);
	for (i = 1; pthread_tryjoin_np(other, &len) != 0; i++) {
		put(r, i, i, 60, 1);
		recorder_serve(r);
	}
	assert_true((uintptr_t)len >= 24 + 16 + 60);
	/* what nobody takes is freed */
	recorder_want(r);
	recorder_serve(r);
	recorder_want(r);
	recorder_serve(r);
	recorder_free(r);
	recorder_want(NULL);
	recorder_serve(NULL);
	assert_null(recorder_take(NULL, &any));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_file_has_heads_times_and_lengths_on_the_wire),
		cmocka_unit_test(packets_go_after_thirty_seconds),
		cmocka_unit_test(a_full_ring_keeps_the_newest),
		cmocka_unit_test(packets_of_any_length_fit_whatever_the_ring),
		cmocka_unit_test(packets_of_another_link_type_are_left_out),
		cmocka_unit_test(packets_without_bytes_are_packets),
		cmocka_unit_test(time_that_goes_back_keeps_what_there_is),
		cmocka_unit_test(another_thread_gets_what_it_wants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_talkers.c: clients, users and files in bounded tables.
 */
#include "talkers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct talkers *t;
static struct sample s;
static const struct sample_talk call = { .calls = 1 };

static void
start(const struct talkers_config *c)
{
	t = talkers_new(c);
	assert_non_null(t);
	sample_clear(&s);
}

static int
setup(void **state)
{
	(void)state;
	start(NULL);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	talkers_free(t);
	t = NULL;
	return 0;
}

static struct talkers_at
at(uint32_t slot, uint32_t xid)
{
	return (struct talkers_at){ .slot = slot, .stream = 5, .xid = xid,
	    .time_ns = 1 };
}

/* So many calls of a client and a user of the same number. */
static void
calls(uint32_t slot, uint8_t number, int n)
{
	struct talkers_at here = at(slot, 0);
	struct addr a = { .b = { [15] = number } };
	uint32_t uid = number;

	while (n-- > 0)
		talkers_add(t, &here, &a, &uid, &call);
}

static void
the_busiest_come_first(void **state)
{
	uint8_t i;

	(void)state;
	for (i = 1; i <= 40; i++)
		calls(0, i, i == 7 ? 100 : i);
	talkers_fill(t, 0, &s);
	assert_int_equal(s.clients, SAMPLE_CLIENTS);
	assert_int_equal(s.client[0].addr.b[15], 7);
	assert_int_equal(s.client[1].addr.b[15], 40);
	assert_int_equal(s.client[SAMPLE_CLIENTS - 1].addr.b[15],
	    40 - (SAMPLE_CLIENTS - 2));
	assert_int_equal(s.users, SAMPLE_USERS);
	assert_int_equal(s.user[0].uid, 7);
}

static void
open_intervals_are_kept_apart(void **state)
{
	(void)state;
	calls(0, 1, 3);
	calls(1, 1, 5);
	calls(2, 2, 1);
	talkers_fill(t, 0, &s);
	assert_int_equal(s.clients, 1);
	assert_true(s.client[0].t.now.calls == 3);
	assert_true(s.client[0].t.total.calls == 3);
	sample_clear(&s);
	talkers_fill(t, 1, &s);
	assert_int_equal(s.clients, 1);
	assert_true(s.client[0].t.now.calls == 5);
	assert_true(s.client[0].t.total.calls == 8);
	sample_clear(&s);
	talkers_fill(t, 1, &s);		/* nothing since */
	assert_int_equal(s.clients, 0);
}

static void
data_waits_from_its_write_to_its_commit(void **state)
{
	struct talkers_at write = at(0, 1), commit = at(0, 2);
	struct addr a = { .b = { [15] = 1 } };
	const uint8_t fh[8] = { 9 };

	(void)state;
	talkers_object(t, &write, fh, sizeof(fh));
	calls(0, 1, 1);
	talkers_file(t, &write, &call);
	write.time_ns = 1000000;
	talkers_unstable(t, &write, &a, 8192);
	talkers_fill(t, 0, &s);
	assert_int_equal(sample_uncommitted(&s.client[0].t.total), 8192);
	assert_int_equal(sample_uncommitted(&s.file[0].t.total), 8192);
	sample_clear(&s);
	calls(0, 1, 1);
	talkers_object(t, &commit, fh, sizeof(fh));
	talkers_file(t, &commit, &call);
	commit.time_ns = 3500000;
	talkers_commit(t, &commit, &a, 0);
	talkers_commit(t, &commit, &a, 0);	/* nothing is left to it */
	talkers_fill(t, 0, &s);
	assert_int_equal(sample_uncommitted(&s.client[0].t.total), 0);
	assert_int_equal(s.client[0].t.now.commits, 1);
	assert_int_equal(s.client[0].t.now.waited_us, 2500);
	assert_int_equal(s.client[0].t.now.waited_max_us, 2500);
	assert_int_equal(s.file[0].t.total.stable_bytes, 8192);
}

static void
data_without_a_commit_is_forgotten_in_time(void **state)
{
	struct talkers_at write = at(0, 1);
	struct addr a = { .b = { [15] = 1 } };
	const uint8_t fh[8] = { 9 };

	(void)state;
	talkers_object(t, &write, fh, sizeof(fh));
	calls(0, 1, 1);
	talkers_unstable(t, &write, &a, 8192);
	talkers_fill(t, 0, &s);
	assert_int_equal(sample_uncommitted(&s.client[0].t.total), 8192);
	sample_clear(&s);
	calls(0, 1, 1);
	s.start_ns = INT64_C(3600) * 1000000000;
	talkers_fill(t, 0, &s);
	assert_int_equal(sample_uncommitted(&s.client[0].t.total), 0);
	assert_int_equal(s.client[0].t.total.commits, 0);
}

static void
the_unknown_are_not_counted(void **state)
{
	struct talkers_at here = at(0, 0);

	(void)state;
	talkers_add(t, &here, NULL, NULL, &call);
	talkers_fill(t, 0, &s);
	assert_int_equal(s.clients + s.users + s.files, 0);
}

static void
what_is_forgotten_for_want_of_room_is_counted(void **state)
{
	const struct talkers_config c = { .clients = 4, .users = 4,
	    .files = 4, .calls = 4 };
	struct talkers_at here;
	uint8_t i, fh[8] = { 0 };

	(void)state;
	teardown(state);
	start(&c);
	for (i = 1; i <= 10; i++) {
		calls(0, i, 1);
		here = at(0, i);
		fh[0] = i;
		talkers_object(t, &here, fh, sizeof(fh));
		talkers_file(t, &here, &call);
	}
	talkers_fill(t, 0, &s);
	assert_int_equal(s.clients, 4);
	assert_int_equal(s.files, 4);
	assert_true(s.counter[SAMPLE_EVICTED_CLIENTS] == 6);
	assert_true(s.counter[SAMPLE_EVICTED_USERS] == 6);
	assert_true(s.counter[SAMPLE_EVICTED_FILES] == 6);
	sample_clear(&s);
	talkers_fill(t, 0, &s);
	assert_true(s.counter[SAMPLE_EVICTED_CLIENTS] == 0);
}

static void
a_forgotten_file_takes_no_counts_of_its_successor(void **state)
{
	const struct talkers_config c = { .files = 1 };
	struct talkers_at one = at(0, 1), two = at(0, 2);
	uint8_t fh[4] = { 1 };

	(void)state;
	teardown(state);
	start(&c);
	talkers_object(t, &one, fh, 4);
	fh[0] = 2;
	talkers_object(t, &two, fh, 4);
	talkers_file(t, &one, &call);
	talkers_file(t, &two, &call);
	talkers_fill(t, 0, &s);
	assert_int_equal(s.files, 1);
	assert_int_equal(s.file[0].fh[0], 2);
	assert_true(s.file[0].t.now.calls == 1);
}

static void
xids_that_count_in_any_byte_find_their_objects(void **state)
{
	static const unsigned int shifts[] = { 0, 8, 16, 24 };
	struct talkers_at here;
	uint8_t fh[4] = { 9 };
	uint32_t i, j;

	(void)state;
	for (j = 0; j < 4; j++) {
		for (i = 0; i < 200; i++) {
			here = at(0, i << shifts[j]);
			talkers_object(t, &here, fh, 4);
		}
		for (i = 0; i < 200; i++) {
			here = at(0, i << shifts[j]);
			talkers_file(t, &here, &call);
		}
	}
	talkers_fill(t, 0, &s);
	assert_true(s.file[0].t.now.calls == 800);
}

static void
files_rank_by_data(void **state)
{
	const struct sample_talk data = { .write_bytes = 100000 };
	struct talkers_at small = at(0, 1), big = at(0, 2);
	uint8_t fh[4] = { 1 };
	int i;

	(void)state;
	talkers_object(t, &small, fh, 4);
	for (i = 0; i < 50; i++)
		talkers_file(t, &small, &call);
	fh[0] = 2;
	talkers_object(t, &big, fh, 4);
	talkers_file(t, &big, &data);
	talkers_fill(t, 0, &s);
	assert_int_equal(s.file[0].fh[0], 2);
}

static void
handles_of_any_length_are_told_apart(void **state)
{
	uint8_t fh[255] = { 0 };
	struct talkers_at here;
	uint32_t len;

	(void)state;
	for (len = 0; len <= sizeof(fh); len++) {
		here = at(0, len);
		talkers_object(t, &here, fh, len);
		talkers_file(t, &here, &call);
	}
	talkers_fill(t, 0, &s);
	/* longer ones than NFS4_FHSIZE, 128, cannot be: they are cut */
	assert_int_equal(s.files, SAMPLE_FILES);
	assert_int_equal(s.file[0].fh_len, 1);
	assert_int_equal(s.file[1].fh_len, 2);
}

static void
names_are_cut_to_their_room(void **state)
{
	struct talkers_at here = at(0, 1);
	uint8_t dir[4] = { 1 }, fh[4] = { 2 };
	char name[200];

	(void)state;
	memset(name, 'x', sizeof(name));
	talkers_object(t, &here, dir, 4);
	talkers_name(t, &here, name, sizeof(name));
	talkers_handle(t, &here, fh, 4);
	talkers_object(t, &here, fh, 4);
	talkers_file(t, &here, &call);
	talkers_fill(t, 0, &s);
	assert_int_equal(strlen(s.file[0].name), sizeof(s.file[0].name) - 1);
}

static void
add_calls(void *ctx, const struct sample_client *c)
{
	uint64_t *sum = ctx;

	*sum += c->t.total.calls;
	assert_true(c->t.now.calls == 0);
}

static void
every_row_can_be_had_by_its_total(void **state)
{
	uint64_t sum = 0;
	uint8_t i;

	(void)state;
	for (i = 1; i <= 100; i++)
		calls(0, i, i);
	talkers_fill(t, 0, &s);
	talkers_each_client(t, add_calls, &sum);
	assert_true(sum == 5050);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
		CASE(the_busiest_come_first),
		CASE(open_intervals_are_kept_apart),
		CASE(data_waits_from_its_write_to_its_commit),
		CASE(data_without_a_commit_is_forgotten_in_time),
		CASE(the_unknown_are_not_counted),
		CASE(what_is_forgotten_for_want_of_room_is_counted),
		CASE(a_forgotten_file_takes_no_counts_of_its_successor),
		CASE(xids_that_count_in_any_byte_find_their_objects),
		CASE(files_rank_by_data),
		CASE(handles_of_any_length_are_told_apart),
		CASE(names_are_cut_to_their_room),
		CASE(every_row_can_be_had_by_its_total),
#undef CASE
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

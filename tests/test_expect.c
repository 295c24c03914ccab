/* SPDX-License-Identifier: ISC */
/*
 * test_expect.c: how much there should have been.
 */
#include "expect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "loadkit.h"
#include "testkit.h"

static struct sample s;
static struct expected out[EXPECT_MAX];
static char err[EXPECT_ERROR_MAX];
static char dir[] = "/tmp/nfsrated-test-XXXXXX", path[64];

static int
make_dir(void **state)
{
	(void)state;
	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/learned", dir);
	return 0;
}

static int
remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void
numbers_are_expected_as_given(void **state)
{
	const struct expect_config c = { .given = { { EXPECT_PPS, 8637 },
	    { EXPECT_WPS, 1440 }, { EXPECT_MBPS, 11.8 } }, .givens = 3 };
	struct expect *e = expect_new(&c);

	(void)state;
	loadkit_writes(&s, 0, 1440, 20);
	assert_int_equal(expect_of(e, &s, out), 3);
	assert_int_equal(out[1].kind, EXPECT_WPS);
	assert_true(out[1].value == 1440);
	assert_true(expect_rate(EXPECT_PPS, &s) == 8640);
	assert_true(expect_rate(EXPECT_WPS, &s) == 1440);
	/* 1440 * 8192 = 11796480 */
	assert_true(expect_rate(EXPECT_MBPS, &s) == 11.79648);
	expect_free(e);
}

static void
rates_are_per_second_whatever_the_interval(void **state)
{
	(void)state;
	loadkit_writes(&s, 0, 1440, 20);
	s.length_ns = 5 * LOADKIT_NS;
	assert_true(expect_rate(EXPECT_WPS, &s) == 288);
	s.length_ns = LOADKIT_NS / 10;
	assert_true(expect_rate(EXPECT_WPS, &s) == 14400);
}

static void
what_is_not_counted_is_not_expected(void **state)
{
	const struct expect_config c = { .given = { { EXPECT_WPS, 1440 },
	    { EXPECT_MBPS, 11.8 } }, .givens = 2 };
	struct expect *e = expect_new(&c);

	(void)state;
	loadkit_packets(&s, 0, 8637, 12384676);
	assert_int_equal(expect_of(e, &s, out), 0);
	loadkit_writes(&s, 1, 100, 20);
	s.data[SAMPLE_WRITE].hidden = 100;	/* encrypted: no bytes */
	assert_int_equal(expect_of(e, &s, out), 1);
	assert_int_equal(out[0].kind, EXPECT_WPS);
	expect_free(e);
}

/*
 * 8 KiB in six fragments: five frames of 1514 bytes and one of 942 by the
 * capture's count, mean 1418.6: 10^8 / (8 * (1418.6 + 24)) = 8664.9.
 */
static void
auto_is_what_the_link_carries_of_such_frames(void **state)
{
	const struct expect_config c = { .automatic = true, .link_bps = 1e8 };
	struct expect *e = expect_new(&c);

	(void)state;
	loadkit_writes(&s, 0, 1000, 20);
	s.traffic[SAMPLE_IN].wire_bytes = 8511600;	/* 6000 * 1418.6 */
	assert_int_equal(expect_of(e, &s, out), 1);
	assert_int_equal(out[0].kind, EXPECT_PPS);
	assert_float_equal(out[0].value, 8664.9, 0.1);
	expect_free(e);
}

static void
auto_goes_by_the_frames_of_writes_alone(void **state)
{
	const struct expect_config c = { .automatic = true, .link_bps = 1e8 };
	struct expect *e = expect_new(&c);
	int i;

	(void)state;
	loadkit_keepalive(&s, 0);
	assert_int_equal(expect_of(e, &s, out), 0);
	loadkit_writes(&s, 1, 1000, 20);
	expect_of(e, &s, out);
	for (i = 2; i < 100; i++) {
		/* small calls with a WRITE among them */
		loadkit_writes(&s, i, 1, 20);
		s.traffic[SAMPLE_IN].wire_packets = 5000;
		s.traffic[SAMPLE_IN].wire_bytes = 5000 * 130;
		assert_int_equal(expect_of(e, &s, out), 1);
	}
	assert_float_equal(out[0].value, 1e8 / (8 * 1442), 0.1);
	expect_free(e);
}

static void
auto_expects_nothing_of_a_link_of_unknown_speed(void **state)
{
	const struct expect_config c = { .automatic = true };
	struct expect *e = expect_new(&c);

	(void)state;
	loadkit_writes(&s, 0, 1000, 20);
	assert_int_equal(expect_of(e, &s, out), 0);
	expect_free(e);
}

static struct expect *
learner(void)
{
	const struct expect_config c = { .learn = true };

	return expect_new(&c);
}

/* Rates of 6, 12, ..., 6 * n packets a second. */
static void
teach(struct expect *e, int n)
{
	int i;

	for (i = 1; i <= n; i++) {
		loadkit_writes(&s, i, (uint32_t)i, 20);
		expect_learn(e, &s);
	}
}

static void
learn_expects_the_rate_below_which_95_of_100_lie(void **state)
{
	struct expect *e = learner();

	(void)state;
	teach(e, EXPECT_LEARN_MIN - 1);
	assert_int_equal(expect_of(e, &s, out), 0);
	teach(e, 1);
	assert_int_equal(expect_of(e, &s, out), 1);
	expect_free(e);

	e = learner();
	teach(e, 1000);
	assert_int_equal(expect_of(e, &s, out), 1);
	assert_int_equal(out[0].kind, EXPECT_PPS);
	/* the 950th of 1000 is 5700; buckets are good to 5 % */
	assert_true(out[0].value > 5700 * 0.95);
	assert_true(out[0].value < 5700 * 1.05);
	expect_free(e);
}

static void
what_was_learned_fades(void **state)
{
	struct expect *e = learner();
	int i;

	(void)state;
	loadkit_writes(&s, 0, 1000, 20);
	for (i = 0; i < 200000; i++)
		expect_learn(e, &s);
	loadkit_writes(&s, 0, 100, 20);
	for (i = 0; i < 2200000; i++)
		expect_learn(e, &s);
	expect_of(e, &s, out);
	assert_true(out[0].value < 650);
	expect_free(e);
}

static void
what_another_learned_is_taken_over(void **state)
{
	struct expect *before = learner(), *after = learner();
	struct expected want[EXPECT_MAX];

	(void)state;
	teach(before, 1000);
	assert_int_equal(expect_of(before, &s, want), 1);
	assert_int_equal(expect_of(after, &s, out), 0);
	expect_take(after, before);
	expect_free(before);
	assert_int_equal(expect_of(after, &s, out), 1);
	assert_true(out[0].value >= want[0].value);
	assert_true(out[0].value <= want[0].value);
	expect_free(after);
}

static void
what_was_learned_survives_a_restart(void **state)
{
	struct expect *e = learner();
	double before;

	(void)state;
	teach(e, 500);
	expect_of(e, &s, out);
	before = out[0].value;
	assert_int_equal(expect_save(e, path, err), 0);
	expect_free(e);

	e = learner();
	assert_int_equal(expect_load(e, path, err), 0);
	assert_int_equal(expect_of(e, &s, out), 1);
	assert_true(out[0].value == before);
	expect_free(e);
}

static void
a_missing_file_is_no_error(void **state)
{
	struct expect *e = learner();

	(void)state;
	unlink(path);
	assert_int_equal(expect_load(e, path, err), 0);
	expect_free(e);
}

static void
put(const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
}

static void
a_file_of_another_kind_or_version_is_ignored_and_told(void **state)
{
	static const char *const texts[] = {
		"", "\n", "root:x:0:0:root:/root:/bin/sh\n",
		"nfsrated-learned 2\n5 60\ntotal 60\n",
		"nfsrated-learned 1",
	};
	struct expect *e = learner();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put(texts[i], strlen(texts[i]));
		err[0] = '\0';
		assert_int_equal(expect_load(e, path, err), -1);
		assert_non_null(strstr(err, "ignored"));
	}
	assert_int_equal(expect_of(e, &s, out), 0);
	expect_free(e);
}

static void
damage_is_seen(void **state)
{
	static const char *const bodies[] = {
		"", "5 60\n", "5 60\ntotal 61\n", "5 60\ntotal 60\n7 1\n",
		"7 30\n5 30\ntotal 60\n", "5 -1\ntotal 60\n",
		"384 60\ntotal 60\n", "5 60 \ntotal 60\n", "5\ntotal 0\n",
		"5 4000000000\ntotal 4000000000\n", "total 60\n",
	};
	struct expect *e = learner();
	char text[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		snprintf(text, sizeof(text), "nfsrated-learned 1\n%s",
		    bodies[i]);
		put(text, strlen(text));
		assert_int_equal(expect_load(e, path, err), -1);
	}
	assert_int_equal(expect_of(e, &s, out), 0);
	put("nfsrated-learned 1\n5 60\ntotal 60\n", 34);
	assert_int_equal(expect_load(e, path, err), 0);
	assert_int_equal(expect_of(e, &s, out), 1);
	expect_free(e);
}

static void
load_prefix(void *ctx, struct bytes b)
{
	struct expect *e = learner();
	const size_t *whole = ctx;

	put((const char *)b.data, b.len);
	assert_int_equal(expect_load(e, path, err), b.len == *whole ? 0 : -1);
	expect_free(e);
}

static void
load_flipped(void *ctx, struct bytes b, size_t bit)
{
	struct expect *e = learner();

	(void)ctx;
	(void)bit;
	put((const char *)b.data, b.len);
	(void)expect_load(e, path, err);
	expect_free(e);
}

static void
no_part_of_a_file_passes_for_the_whole(void **state)
{
	static const char text[] =
	    "nfsrated-learned 1\n5 40\n100 20\ntotal 60\n";
	size_t len = strlen(text);

	(void)state;
	for_every_prefix(text, len, load_prefix, &len);
	for_every_bit_flip(text, len, load_flipped, NULL);
}

static void
a_directory_that_cannot_be_written_is_told(void **state)
{
	struct expect *e = learner();

	(void)state;
	err[0] = '\0';
	assert_int_equal(expect_save(e, "/nonexistent/learned", err), -1);
	assert_non_null(strstr(err, "/nonexistent/learned"));
	expect_free(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_expected_as_given),
		cmocka_unit_test(rates_are_per_second_whatever_the_interval),
		cmocka_unit_test(what_is_not_counted_is_not_expected),
		cmocka_unit_test(auto_is_what_the_link_carries_of_such_frames),
		cmocka_unit_test(auto_goes_by_the_frames_of_writes_alone),
		cmocka_unit_test(
		    auto_expects_nothing_of_a_link_of_unknown_speed),
		cmocka_unit_test(
		    learn_expects_the_rate_below_which_95_of_100_lie),
		cmocka_unit_test(what_was_learned_fades),
		cmocka_unit_test(what_another_learned_is_taken_over),
		cmocka_unit_test(what_was_learned_survives_a_restart),
		cmocka_unit_test(a_missing_file_is_no_error),
		cmocka_unit_test(
		    a_file_of_another_kind_or_version_is_ignored_and_told),
		cmocka_unit_test(damage_is_seen),
		cmocka_unit_test(no_part_of_a_file_passes_for_the_whole),
		cmocka_unit_test(a_directory_that_cannot_be_written_is_told),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}

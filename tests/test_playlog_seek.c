/* SPDX-License-Identifier: ISC */
/*
 * test_playlog_seek.c: a rate log played from anywhere.
 */
#include "playlog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fullsample.h"
#include "json.h"
#include "jsonlog.h"
#include "log.h"
#include "textbuf.h"

#define SECOND	INT64_C(1000000000)

static char path[64], err[RATELOGREAD_ERROR_MAX];
static struct playlog *p;
static FILE *out;
static int64_t played_ns, found_ns;
static int told;

static void
on_sample(void *ctx, const struct sample *s, const struct judgement *v)
{
	(void)ctx;
	(void)v;
	played_ns = s->start_ns;
}

static void
on_episode(void *ctx, const struct episode *e)
{
	(void)ctx;
	(void)e;
	told++;
}

static void
put(struct textbuf *t)
{
	assert_int_equal(fwrite(t->data, 1, t->len, out), t->len);
	textbuf_free(t);
}

static void
put_second(int second)
{
	struct textbuf t = { 0 };
	struct sample s;

	fullsample_writes(&s, second * SECOND, 10);
	jsonlog_second(&t, &s, NULL);
	put(&t);
}

static void
put_episode(int start, int end)
{
	struct textbuf t = { 0 };
	struct episode e = { .kind = VERDICT_STALL, .ended = end > 0 };

	e.start_ns = start * SECOND;
	e.end_ns = end * SECOND;
	json_episode(&t, &e);
	put(&t);
}

/* Seconds 100 to 199; episodes 120 to 130, and from 160 on. */
static int
setup(void **state)
{
	const struct playlog_config config = { .name = path,
	    .sample = on_sample, .episode = on_episode };
	int i;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/test_playlog_seek.XXXXXX");
	out = fdopen(mkstemp(path), "w");
	for (i = 100; i < 200; i++) {
		put_second(i);
		if (i == 122)
			put_episode(120, 0);
		if (i == 133)
			put_episode(120, 131);
		if (i == 162)
			put_episode(160, 0);
	}
	fflush(out);
	p = playlog_open(&config, err);
	told = 0;
	return p == NULL;
}

static int
teardown(void **state)
{
	(void)state;
	playlog_close(p);
	fclose(out);
	unlink(path);
	return 0;
}

static bool
seek(enum player_to to, int second, uint64_t before)
{
	const struct player_target target = { to, second * SECOND };

	return playlog_seek(p, &target, before, &found_ns);
}

#define assert_found(second) assert_int_equal(found_ns, (second) * SECOND)

static void
assert_next(int second)
{
	assert_true(playlog_step(p));
	assert_int_equal(played_ns, second * SECOND);
}

static void
first_and_last_are_the_ends(void **state)
{
	(void)state;
	assert_true(seek(PLAYER_TO_LAST, 0, 0));
	assert_found(199);
	assert_next(199);
	assert_false(playlog_step(p));
	assert_true(seek(PLAYER_TO_FIRST, 0, 5));
	assert_found(100);
	assert_next(100);
}

static void
a_time_is_found_with_some_intervals_before_it(void **state)
{
	(void)state;
	assert_true(seek(PLAYER_TO_TIME, 150, 10));
	assert_found(150);
	assert_next(140);
	assert_next(141);
	assert_true(seek(PLAYER_TO_TIME, 50, 10));
	assert_found(100);
	assert_false(seek(PLAYER_TO_TIME, 200, 10));
	assert_next(100);		/* as it was */
}

static void
episodes_are_found_forwards_and_back(void **state)
{
	(void)state;
	assert_true(seek(PLAYER_TO_NEXT_EPISODE, 100, 0));
	assert_found(120);
	assert_next(120);
	assert_true(seek(PLAYER_TO_NEXT_EPISODE, 120, 0));
	assert_found(160);
	assert_false(seek(PLAYER_TO_NEXT_EPISODE, 160, 0));
	assert_true(seek(PLAYER_TO_PREVIOUS_EPISODE, 199, 0));
	assert_found(160);
	assert_true(seek(PLAYER_TO_PREVIOUS_EPISODE, 160, 0));
	assert_found(120);
	assert_false(seek(PLAYER_TO_PREVIOUS_EPISODE, 120, 0));
	assert_next(120);		/* as it was */
}

static void
inside_an_episode_back_is_to_its_beginning(void **state)
{
	(void)state;
	assert_true(seek(PLAYER_TO_PREVIOUS_EPISODE, 128, 0));
	assert_found(120);
}

static void
episodes_that_are_over_are_told_all_at_once(void **state)
{
	(void)state;
	playlog_episodes(p);
	assert_int_equal(told, 1);
	assert_next(100);
}

static void
a_log_that_grows_goes_on(void **state)
{
	(void)state;
	while (playlog_step(p))
		continue;
	assert_false(playlog_has_grown(p));
	put_second(200);
	fflush(out);
	assert_true(playlog_has_grown(p));
	assert_next(200);
	assert_false(playlog_has_grown(p));
}

int
main(void)
{
#define CASE(f)	cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		CASE(first_and_last_are_the_ends),
		CASE(a_time_is_found_with_some_intervals_before_it),
		CASE(episodes_are_found_forwards_and_back),
		CASE(inside_an_episode_back_is_to_its_beginning),
		CASE(episodes_that_are_over_are_told_all_at_once),
		CASE(a_log_that_grows_goes_on),
	};

	log_open("test", LOG_TO_NOTHING, false);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_playlog.c: a rate log played as intervals.
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

#include "json.h"
#include "jsonlog.h"
#include "log.h"
#include "fullsample.h"

#define SECOND	INT64_C(1000000000)

static char path[64], err[RATELOGREAD_ERROR_MAX], heard[512];

static void
say(const char *what, int64_t start_ns)
{
	size_t used = strlen(heard);

	snprintf(heard + used, sizeof(heard) - used, "%s%s%d",
	    used > 0 ? " " : "", what, (int)(start_ns / SECOND));
}

static void
on_sample(void *ctx, const struct sample *s, const struct judgement *v)
{
	assert_ptr_equal(ctx, heard);
	if (s->gap) {
		assert_true(s->no_data);
		say("gap:", s->start_ns);
		say("+", s->length_ns);
	} else
		say(v != NULL ? "judged:" : s->restarted ? "back:" : "",
		    s->start_ns);
}

static void
on_episode(void *ctx, const struct episode *e)
{
	assert_ptr_equal(ctx, heard);
	say(e->ended ? "end:" : "start:", e->start_ns);
}

static FILE *
make_file(void)
{
	int fd;
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/test_playlog.XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	assert_non_null(f);
	return f;
}

static void
put(FILE *f, int second, const struct judgement *v)
{
	struct textbuf t = { 0 };
	struct sample s;

	fullsample_writes(&s, second * SECOND, 10);
	jsonlog_second(&t, &s, v);
	assert_int_equal(fwrite(t.data, 1, t.len, f), t.len);
	textbuf_free(&t);
}

static void
put_episode(FILE *f, int second, bool ended)
{
	const struct episode e = { .ended = ended, .kind = VERDICT_STALL,
	    .start_ns = second * SECOND, .end_ns = second * SECOND };
	struct textbuf t = { 0 };

	json_episode(&t, &e);
	assert_int_equal(fwrite(t.data, 1, t.len, f), t.len);
	textbuf_free(&t);
}

static void
assert_plays(FILE *f, const char *want)
{
	const struct playlog_config config = { .name = path,
	    .sample = on_sample, .episode = on_episode, .ctx = heard };
	struct playlog *p;

	assert_int_equal(fclose(f), 0);
	heard[0] = '\0';
	p = playlog_open(&config, err);
	unlink(path);
	assert_non_null(p);
	while (playlog_step(p))
		;
	assert_false(playlog_step(p));
	playlog_close(p);
	assert_string_equal(heard, want);
}

static void
intervals_and_episodes_come_in_their_order(void **state)
{
	struct judgement v;
	FILE *f = make_file();

	(void)state;
	fullsample_judge(&v, 1);
	put(f, 1, NULL);
	put(f, 2, &v);
	put_episode(f, 2, false);
	put(f, 3, NULL);
	put_episode(f, 2, true);
	assert_plays(f, "1 judged:2 start:2 3 end:2");
}

static void
a_hole_is_one_record_without_data(void **state)
{
	FILE *f = make_file();

	(void)state;
	put(f, 1, NULL);
	put(f, 2, NULL);
	put(f, 100, NULL);
	assert_plays(f, "1 2 gap:3 +97 100");
}

static void
a_second_start_in_the_same_second_is_no_hole(void **state)
{
	FILE *f = make_file();

	(void)state;
	put(f, 1, NULL);
	put(f, 1, NULL);
	put(f, 2, NULL);
	assert_plays(f, "1 1 2");
}

static void
time_that_goes_back_is_marked(void **state)
{
	FILE *f = make_file();

	(void)state;
	put(f, 100, NULL);
	put(f, 50, NULL);
	put(f, 51, NULL);
	assert_plays(f, "100 back:50 51");
}

static void
what_is_no_interval_is_passed_over(void **state)
{
	FILE *f = make_file();
	int i;

	(void)state;
	put(f, 1, NULL);
	for (i = 0; i < 10; i++)
		fputs("rubbish\n", f);
	fputs("{\"type\":\"summary\"}\n{\"type\":\"lost\",\"intervals\":3}\n",
	    f);
	put(f, 2, NULL);
	fputs("{\"type\":\"second\",\"ti", f);
	assert_plays(f, "1 2");
}

static void
an_empty_log_plays_nothing(void **state)
{
	(void)state;
	assert_plays(make_file(), "");
}

static void
what_cannot_be_opened_is_told(void **state)
{
	const struct playlog_config config = { .name = "/no/such",
	    .sample = on_sample, .ctx = heard };

	(void)state;
	assert_null(playlog_open(&config, err));
	assert_string_equal(err, "/no/such: No such file or directory");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_and_episodes_come_in_their_order),
		cmocka_unit_test(a_hole_is_one_record_without_data),
		cmocka_unit_test(
		    a_second_start_in_the_same_second_is_no_hole),
		cmocka_unit_test(time_that_goes_back_is_marked),
		cmocka_unit_test(what_is_no_interval_is_passed_over),
		cmocka_unit_test(an_empty_log_plays_nothing),
		cmocka_unit_test(what_cannot_be_opened_is_told),
	};

	log_open("test", LOG_TO_NOTHING, false);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

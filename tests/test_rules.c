/* SPDX-License-Identifier: ISC */
/*
 * test_rules.c: episodes.  Seconds are written as letters, by what is in
 * them: a number of WRITEs, of which 100 are expected.
 */
#include "rules.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "loadkit.h"
#include "testkit.h"

#define TOLD_MAX	64

static struct sample s;
static struct judgement v;

struct scene {
	struct expect	*expect;
	struct rules	*rules;
	int		 n;		/* second */
	int		 told;
	struct episode	 episode[TOLD_MAX];
	int		 when[TOLD_MAX];
};

static void
tell(void *ctx, const struct episode *e)
{
	struct scene *c = ctx;

	assert_true(c->told < TOLD_MAX);
	c->when[c->told] = c->n;
	c->episode[c->told++] = *e;
}

static void
begin_with(struct scene *c, enum expect_kind kind, double value, uint32_t m,
    uint32_t n)
{
	const struct expect_config ec = { .given = { { kind, value } },
	    .givens = 1 };
	struct rules_config rc = { .tolerance = 0.1, .m = m, .n = n,
	    .episode = tell, .ctx = c };

	memset(c, 0, sizeof(*c));
	if (kind != EXPECT_NONE)
		rc.expect = c->expect = expect_new(&ec);
	c->rules = rules_new(&rc);
	assert_non_null(c->rules);
}

static void
begin(struct scene *c)
{
	begin_with(c, EXPECT_WPS, 100, 0, 0);
}

static void
end(struct scene *c)
{
	rules_free(c->rules);
	expect_free(c->expect);
}

/*
 * g: 100 WRITEs, h: 120, b: 50, c: 80, z: nothing, k: a keep-alive, s: stuck,
 * ?: 50, but packets were dropped
 */
static void
second(struct scene *c, char what)
{
	switch (what) {
	case 'g':
		loadkit_writes(&s, c->n, 100, 20);
		break;
	case 'h':
		loadkit_writes(&s, c->n, 120, 20);
		break;
	case 'b':
		loadkit_writes(&s, c->n, 50, 20);
		break;
	case 'c':
		loadkit_writes(&s, c->n, 80, 20);
		break;
	case 'z':
		loadkit_idle(&s, c->n);
		break;
	case 'k':
		loadkit_keepalive(&s, c->n);
		break;
	case 's':
		loadkit_stuck(&s, c->n, SAMPLE_NETWORK);
		break;
	case '?':
		loadkit_writes(&s, c->n, 50, 20);
		s.kernel_drops = 100;
		break;
	default:
		fail();
	}
	rules_interval(c->rules, &s, &v);
	c->n++;
}

static void
run(struct scene *c, const char *seconds)
{
	for (; *seconds != '\0'; seconds++)
		second(c, *seconds);
}

static void
times(struct scene *c, int n, const char *seconds)
{
	while (n-- > 0)
		run(c, seconds);
}

static int64_t
at(int n)
{
	return LOADKIT_START + n * LOADKIT_NS;
}

static void
three_of_five_start_it_and_three_good_ones_end_it(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "ggggbgb");
	assert_int_equal(c.told, 0);
	assert_null(rules_episode(c.rules));
	run(&c, "b");
	assert_int_equal(c.told, 1);
	assert_false(c.episode[0].ended);
	assert_true(c.episode[0].start_ns == at(4));
	assert_true(c.episode[0].min == 50);
	assert_true(c.episode[0].max == 100);
	assert_true(c.episode[0].expected == 100);
	assert_non_null(rules_episode(c.rules));
	run(&c, "bbggbgg");
	assert_int_equal(c.told, 1);
	run(&c, "g");
	assert_int_equal(c.told, 2);
	assert_true(c.episode[1].ended);
	assert_true(c.episode[1].start_ns == at(4));
	assert_true(c.episode[1].end_ns == at(13));	/* the last b */
	assert_int_equal(c.episode[1].intervals, 9);
	assert_int_equal(c.episode[1].kind, VERDICT_BURSTY);
	assert_null(rules_episode(c.rules));
	end(&c);
}

static void
two_of_five_start_nothing(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	times(&c, 50, "gbgbg");
	run(&c, "ggg");
	times(&c, 50, "bbggg");
	assert_int_equal(c.told, 0);
	end(&c);
}

static void
rates_that_hover_about_the_limit_make_one_episode(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	times(&c, 300, "hc");		/* 120 and 80 in turn */
	assert_int_equal(c.told, 1);
	run(&c, "zzzzzz");
	assert_int_equal(c.told, 2);
	assert_true(c.episode[1].ended);
	end(&c);
}

/* Good or bad by a coin, for an hour: there must be some, but not many. */
static void
rates_that_hover_by_chance_make_few_episodes(void **state)
{
	struct scene c;
	uint64_t seed = 1;
	int i;

	(void)state;
	begin(&c);
	for (i = 0; i < 3600; i++)
		second(&c, testkit_below(&seed, 2) ? 'h' : 'c');
	assert_in_range(c.told, 1, 20);
	end(&c);
}

static void
a_load_that_starts_and_ends_raises_nothing(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "zzz");
	loadkit_writes(&s, c.n, 30, 20);	/* from 0.7 s on */
	s.first_ns = s.start_ns + 7 * LOADKIT_NS / 10;
	rules_interval(c.rules, &s, &v);
	c.n++;
	times(&c, 60, "g");
	run(&c, "b");			/* half of the last second */
	times(&c, 60, "z");
	assert_int_equal(c.told, 0);
	times(&c, 10, "gzzzzzzzz");
	assert_int_equal(c.told, 0);
	end(&c);
}

/* A simulated day. */
static void
keepalives_raise_nothing(void **state)
{
	struct scene c;
	int i;

	(void)state;
	begin(&c);
	for (i = 0; i < 86400; i++)
		second(&c, i % 30 == 0 ? 'k' : 'z');
	assert_int_equal(c.told, 0);
	end(&c);
	begin_with(&c, EXPECT_NONE, 0, 0, 0);
	for (i = 0; i < 86400; i++)
		second(&c, i % 30 == 0 ? 'k' : 'z');
	assert_int_equal(c.told, 0);
	end(&c);
}

static void
pauses_of_a_load_count_once_it_goes_on(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "gggzzgz");
	assert_int_equal(c.told, 0);
	run(&c, "g");
	assert_int_equal(c.told, 1);
	assert_int_equal(c.episode[0].kind, VERDICT_BURSTY);
	assert_int_equal(c.episode[0].cause, SAMPLE_CLIENT);
	assert_true(c.episode[0].min == 0);
	assert_true(c.episode[0].start_ns == at(3));
	/* 3 seconds of 100 WRITEs of 8192 bytes */
	assert_true(c.episode[0].shortfall_bytes == 3 * 100 * 8192);
	end(&c);
}

static void
longer_pauses_are_ends(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	times(&c, 50, "gggzzz");
	assert_int_equal(c.told, 0);
	end(&c);
}

static void
without_an_expectation_pauses_are_the_clients_affair(void **state)
{
	struct scene c;

	(void)state;
	begin_with(&c, EXPECT_NONE, 0, 0, 0);
	times(&c, 50, "gzzgz");
	assert_int_equal(c.told, 0);
	end(&c);
}

static void
a_load_that_is_gone_ends_its_episode(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "bbbbzzzz");
	assert_int_equal(c.told, 1);
	run(&c, "z");
	assert_int_equal(c.told, 2);
	assert_true(c.episode[1].end_ns == at(4));
	assert_int_equal(c.episode[1].intervals, 4);
	assert_true(c.episode[1].min == 50);
	end(&c);
}

static void
unknown_seconds_neither_start_nor_end_one(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	times(&c, 50, "?");
	assert_int_equal(c.told, 0);
	run(&c, "b?b?b");
	assert_int_equal(c.told, 1);
	times(&c, 50, "?");
	assert_int_equal(c.told, 1);
	run(&c, "g?g?g");
	assert_int_equal(c.told, 2);
	end(&c);
}

static void
the_first_partial_second_is_never_judged(void **state)
{
	struct scene c;

	(void)state;
	begin_with(&c, EXPECT_WPS, 100, 1, 1);
	loadkit_writes(&s, c.n++, 10, 20);
	s.partial = true;
	rules_interval(c.rules, &s, &v);
	assert_int_equal(v.verdict, VERDICT_UNKNOWN);
	assert_int_equal(c.told, 0);
	end(&c);
}

static void
a_stall_is_an_episode_of_its_own_kind(void **state)
{
	struct scene c;

	(void)state;
	begin_with(&c, EXPECT_NONE, 0, 0, 0);
	run(&c, "ggggggssssggggg");
	assert_int_equal(c.told, 2);
	assert_int_equal(c.episode[1].kind, VERDICT_STALL);
	assert_int_equal(c.episode[1].cause, SAMPLE_NETWORK);
	assert_true(c.episode[1].start_ns == at(6));
	assert_true(c.episode[1].end_ns == at(10));
	assert_int_equal(c.episode[1].expect, EXPECT_NONE);
	assert_false(c.episode[1].has_shortfall);
	end(&c);
}

/* A slow client's episode, and in it a server that says nothing. */
static void
a_stall_within_an_episode_is_one_of_its_own(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "gggggbbbbbssssggggg");
	assert_int_equal(c.told, 4);
	assert_int_equal(c.episode[1].kind, VERDICT_UNDERRUN);
	assert_true(c.episode[1].start_ns == at(5));
	assert_true(c.episode[1].end_ns == at(10));
	assert_int_equal(c.episode[1].intervals, 5);
	assert_int_equal(c.episode[3].kind, VERDICT_STALL);
	assert_int_equal(c.episode[3].cause, SAMPLE_NETWORK);
	assert_true(c.episode[3].start_ns == at(10));
	assert_true(c.episode[3].end_ns == at(14));
	assert_int_equal(c.episode[3].intervals, 4);
	end(&c);
}

static void
short_stalls_within_an_episode_are_part_of_it(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "gggggbbbssbbsbbss");
	rules_finish(c.rules);
	assert_int_equal(c.told, 2);
	assert_int_equal(c.episode[1].kind, VERDICT_UNDERRUN);
	assert_true(c.episode[1].start_ns == at(5));
	assert_true(c.episode[1].end_ns == at(17));
	assert_int_equal(c.episode[1].intervals, 12);
	end(&c);
}

/* Two seconds of three in five: no episode, and yet to be told of. */
static void
a_short_stall_is_no_episode_but_counts(void **state)
{
	struct rules_overall o;
	struct scene c;

	(void)state;
	begin_with(&c, EXPECT_NONE, 0, 0, 0);
	run(&c, "ggggggsggggggssgggggg");
	assert_int_equal(c.told, 0);
	rules_overall(c.rules, &o);
	assert_int_equal(o.stalls, 0);
	assert_int_equal(o.standstills, 1);
	assert_true(o.longest_stall_ns == 2 * LOADKIT_NS);
	assert_true(o.has_stall_cause);
	assert_int_equal(o.stall_cause, SAMPLE_NETWORK);
	end(&c);
}

static void
a_jump_of_time_ends_it(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "bbb");
	loadkit_idle(&s, c.n++);
	s.gap = true;
	rules_interval(c.rules, &s, &v);
	assert_int_equal(c.told, 2);
	assert_true(c.episode[1].end_ns == at(3));
	run(&c, "bb");
	assert_int_equal(c.told, 2);
	end(&c);
}

static void
an_episode_that_is_open_at_the_end_ends_there(void **state)
{
	struct scene c;

	(void)state;
	begin(&c);
	run(&c, "bbbbg");
	rules_finish(c.rules);
	rules_finish(c.rules);
	assert_int_equal(c.told, 2);
	assert_true(c.episode[1].ended);
	assert_true(c.episode[1].end_ns == at(4));
	end(&c);
}

static void
one_of_one_rings_at_once(void **state)
{
	struct scene c;

	(void)state;
	begin_with(&c, EXPECT_WPS, 100, 1, 1);
	run(&c, "gb");
	assert_int_equal(c.told, 1);
	run(&c, "g");
	assert_int_equal(c.told, 2);
	/* the next one soon after asks for more */
	run(&c, "bg");
	assert_int_equal(c.told, 3);
	run(&c, "g");
	assert_int_equal(c.told, 4);
	/* and after a calm time for no more than at first */
	times(&c, 20, "g");
	run(&c, "bg");
	assert_int_equal(c.told, 6);
	end(&c);
}

static void
m_and_n_have_limits(void **state)
{
	const struct rules_config none = { .m = 0, .n = 3 };
	const struct rules_config more = { .m = 4, .n = 3 };
	const struct rules_config many = { .m = 1, .n = RULES_N_MAX + 1 };
	const struct rules_config most = { .m = 1, .n = RULES_N_MAX };
	struct rules *r;

	(void)state;
	errno = 0;
	assert_null(rules_new(&none));
	assert_int_equal(errno, EINVAL);
	assert_null(rules_new(&more));
	assert_null(rules_new(&many));
	r = rules_new(&most);
	assert_non_null(r);
	rules_free(r);
	rules_free(NULL);
}

/* The rows of the three tables of the story: packets and bytes of input. */
static const uint32_t bge5701[][2] = {
	{ 900, 1513334 }, { 1509, 2564836 }, { 1647, 2295802 },
	{ 1603, 1502736 }, { 1055, 637014 }, { 558, 1542510 },
	{ 984, 989854 }, { 864, 1320786 }, { 883, 1558060 },
	{ 1177, 3780102 }, { 2087, 954212 }, { 1187, 1413568 },
	{ 650, 3320604 }, { 1565, 1706542 }, { 2055, 2360620 },
	{ 1554, 2416996 }, { 1402, 2579894 }, { 1690, 774488 },
	{ 1323, 3690650 }, { 591, 4519858 }, { 0, 0 }
};
static const uint32_t bge5705[][2] = {
	{ 5209, 6607758 }, { 4763, 6684546 }, { 4758, 6618498 },
	{ 3582, 7057568 }, { 4935, 5115068 }, { 4924, 6622026 },
	{ 4095, 6018462 }, { 4647, 5270442 }, { 4673, 5451948 },
	{ 2340, 6001986 }, { 3750, 6150610 }, { 0, 0 }
};
static const uint32_t sk[][2] = {
	{ 8638, 12384676 }, { 8636, 12415646 }, { 8637, 12415646 },
	{ 8637, 12415646 }, { 8637, 12417160 }, { 8636, 12413162 },
	{ 8637, 12414132 }, { 8636, 12417160 }, { 8637, 12415646 },
	{ 8636, 12417160 }, { 8637, 12414676 }, { 0, 0 }
};

static void
table(const uint32_t (*row)[2], enum verdict want, int told,
    struct rules_overall *o)
{
	struct scene c;

	begin_with(&c, EXPECT_PPS, 8637, 0, 0);
	for (; (*row)[0] > 0; row++) {
		loadkit_packets(&s, c.n++, (*row)[0], (*row)[1]);
		rules_interval(c.rules, &s, &v);
	}
	rules_finish(c.rules);
	assert_int_equal(c.told, told);
	if (told > 0)
		assert_int_equal(c.episode[0].kind, want);
	if (told > 1)
		assert_int_equal(c.episode[1].kind, want);
	rules_overall(c.rules, o);
	assert_int_equal(o->verdict, want);
	assert_true(o->expected == 8637);
	end(&c);
}

static void
the_three_tables_of_the_story_come_out_as_they_should(void **state)
{
	struct rules_overall o;

	(void)state;
	table(bge5701, VERDICT_BURSTY, 2, &o);
	assert_true(o.min == 558 && o.max == 2087);
	assert_float_equal(o.mean, 1264.2, 0.01);	/* 25284 / 20 */
	assert_int_equal(o.episodes, 1);
	table(bge5705, VERDICT_UNDERRUN, 2, &o);
	assert_true(o.min == 2340 && o.max == 5209);
	assert_float_equal(o.mean, 4334.18, 0.01);	/* 47676 / 11 */
	assert_int_equal(o.count[VERDICT_BURSTY], 0);
	table(sk, VERDICT_OK, 0, &o);
	assert_true(o.min == 8636 && o.max == 8638);
	assert_int_equal(o.count[VERDICT_OK], 11);
}

static void
all_of_it_is_bad_only_when_three_of_five_were(void **state)
{
	struct rules_overall o;
	struct scene c;

	(void)state;
	begin(&c);
	rules_overall(c.rules, &o);
	assert_int_equal(o.verdict, VERDICT_UNKNOWN);
	run(&c, "zkzz");
	rules_overall(c.rules, &o);
	assert_int_equal(o.verdict, VERDICT_IDLE);
	run(&c, "gggbbbb");
	rules_overall(c.rules, &o);
	assert_int_equal(o.verdict, VERDICT_OK);
	run(&c, "b");
	rules_overall(c.rules, &o);
	assert_int_equal(o.verdict, VERDICT_UNDERRUN);
	end(&c);
}

/* Any seconds: starts and ends alternate, and episodes do not overlap. */
static void
starts_and_ends_alternate(void **state)
{
	static const char any[] = "ggghbbbczzzks?";
	struct scene c;
	uint64_t seed = 9;
	int i, k;

	(void)state;
	for (k = 0; k < 40; k++) {
		begin_with(&c, k & 1 ? EXPECT_WPS : EXPECT_PPS,
		    k & 1 ? 100 : 600, 1 + (uint32_t)k % 5,
		    5 + (uint32_t)k % 3);
		for (i = 0; i < 400; i++)
			second(&c, any[testkit_below(&seed, 14)]);
		rules_finish(c.rules);
		assert_int_equal(c.told % 2, 0);
		for (i = 0; i < c.told; i++) {
			assert_true(c.episode[i].ended == (i % 2 == 1));
			assert_true(c.episode[i].start_ns <
			    c.episode[i].end_ns);
			if (i % 2 == 0 && i > 0)
				assert_true(c.episode[i].start_ns >=
				    c.episode[i - 1].end_ns);
		}
		end(&c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    three_of_five_start_it_and_three_good_ones_end_it),
		cmocka_unit_test(two_of_five_start_nothing),
		cmocka_unit_test(
		    rates_that_hover_about_the_limit_make_one_episode),
		cmocka_unit_test(rates_that_hover_by_chance_make_few_episodes),
		cmocka_unit_test(a_load_that_starts_and_ends_raises_nothing),
		cmocka_unit_test(keepalives_raise_nothing),
		cmocka_unit_test(pauses_of_a_load_count_once_it_goes_on),
		cmocka_unit_test(longer_pauses_are_ends),
		cmocka_unit_test(
		    without_an_expectation_pauses_are_the_clients_affair),
		cmocka_unit_test(a_load_that_is_gone_ends_its_episode),
		cmocka_unit_test(unknown_seconds_neither_start_nor_end_one),
		cmocka_unit_test(the_first_partial_second_is_never_judged),
		cmocka_unit_test(a_stall_is_an_episode_of_its_own_kind),
		cmocka_unit_test(a_short_stall_is_no_episode_but_counts),
		cmocka_unit_test(a_stall_within_an_episode_is_one_of_its_own),
		cmocka_unit_test(short_stalls_within_an_episode_are_part_of_it),
		cmocka_unit_test(a_jump_of_time_ends_it),
		cmocka_unit_test(an_episode_that_is_open_at_the_end_ends_there),
		cmocka_unit_test(one_of_one_rings_at_once),
		cmocka_unit_test(m_and_n_have_limits),
		cmocka_unit_test(
		    the_three_tables_of_the_story_come_out_as_they_should),
		cmocka_unit_test(all_of_it_is_bad_only_when_three_of_five_were),
		cmocka_unit_test(starts_and_ends_alternate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

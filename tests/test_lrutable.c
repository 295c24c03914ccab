/* SPDX-License-Identifier: ISC */
/*
 * test_lrutable.c: bounded tables: order of eviction, expiry.
 */
#include "lrutable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SECOND	INT64_C(1000000000)

/* What the evict callback was told. */
struct gone {
	struct lrutable	*table;
	uint32_t	 keys[64];
	uint64_t	 values[64];
	size_t		 n;
};

static void
note_gone(void *ctx, const void *key, void *value)
{
	struct gone *g = ctx;

	assert_true(g->n < 64);
	memcpy(&g->keys[g->n], key, sizeof(uint32_t));
	memcpy(&g->values[g->n], value, sizeof(uint64_t));
	/* It is still there, and the others may be read. */
	assert_ptr_equal(lrutable_find(g->table, key), value);
	assert_non_null(lrutable_oldest(g->table));
	g->n++;
}

/* Keys of 4 bytes, values of 8, and a record of what goes. */
static struct lrutable *
small_table(uint32_t capacity, struct gone *g)
{
	const struct lrutable_config config = {
		.capacity = capacity,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.seed = { 11, 22 },
		.evict = g != NULL ? note_gone : NULL,
		.ctx = g,
	};
	struct lrutable *t = lrutable_new(&config);

	assert_non_null(t);
	if (g != NULL) {
		memset(g, 0, sizeof(*g));
		g->table = t;
	}
	return t;
}

static uint64_t *
add(struct lrutable *t, uint32_t key, int64_t now_ns)
{
	uint64_t *value = lrutable_add(t, &key, now_ns);

	assert_true(*value == 0);
	*value = key * UINT64_C(1000);
	return value;
}

static uint64_t *
find(struct lrutable *t, uint32_t key)
{
	uint64_t *value = lrutable_find(t, &key);

	if (value != NULL) {
		assert_true(*value == key * UINT64_C(1000));
		assert_memory_equal(lrutable_key(t, value), &key, 4);
	}
	return value;
}

/* The keys from the next to go on, as the digits of a number. */
static uint32_t
order(const struct lrutable *t)
{
	uint32_t digits = 0, key;
	const void *v;

	for (v = lrutable_oldest(t); v != NULL; v = lrutable_newer(t, v)) {
		memcpy(&key, lrutable_key(t, v), sizeof(key));
		digits = digits * 10 + key;
	}
	return digits;
}

static void
what_was_added_is_found_and_nothing_else(void **state)
{
	struct lrutable *t = small_table(4, NULL);

	(void)state;
	assert_null(find(t, 1));
	add(t, 1, 0);
	add(t, 2, 0);
	assert_non_null(find(t, 1));
	assert_non_null(find(t, 2));
	assert_null(find(t, 3));
	assert_int_equal(lrutable_count(t), 2);
	lrutable_free(t);
}

static void
a_full_table_evicts_the_least_recently_used(void **state)
{
	struct gone g;
	struct lrutable *t = small_table(4, &g);
	uint32_t key;

	(void)state;
	for (key = 1; key <= 4; key++)
		add(t, key, key);
	assert_int_equal(lrutable_evictions(t), 0);
	lrutable_touch(t, find(t, 1), 5);
	add(t, 5, 6);
	assert_null(find(t, 2));
	assert_int_equal(order(t), 3415);
	assert_int_equal(lrutable_count(t), 4);
	assert_int_equal(lrutable_evictions(t), 1);
	assert_int_equal(g.n, 1);
	assert_int_equal(g.keys[0], 2);
	assert_int_equal(g.values[0], 2000);
	lrutable_free(t);
}

static void
finding_changes_no_order(void **state)
{
	struct lrutable *t = small_table(4, NULL);

	(void)state;
	add(t, 1, 1);
	add(t, 2, 2);
	assert_non_null(find(t, 1));
	assert_int_equal(order(t), 12);
	assert_int_equal(lrutable_touched(t, find(t, 1)), 1);
	lrutable_touch(t, find(t, 1), 9);
	assert_int_equal(order(t), 21);
	assert_int_equal(lrutable_touched(t, find(t, 1)), 9);
	lrutable_free(t);
}

static void
the_demoted_go_first_in_order_of_demotion(void **state)
{
	struct gone g;
	struct lrutable *t = small_table(5, &g);
	uint32_t key;

	(void)state;
	for (key = 1; key <= 5; key++)
		add(t, key, key);
	lrutable_demote(t, find(t, 4));
	lrutable_demote(t, find(t, 2));
	lrutable_demote(t, find(t, 4));		/* once is enough */
	assert_int_equal(order(t), 42135);
	assert_int_equal(lrutable_touched(t, find(t, 4)), 4);
	add(t, 6, 6);
	add(t, 7, 7);
	add(t, 8, 8);
	assert_int_equal(g.n, 3);
	assert_int_equal(g.keys[0], 4);
	assert_int_equal(g.keys[1], 2);
	assert_int_equal(g.keys[2], 1);
	assert_int_equal(order(t), 35678);
	lrutable_free(t);
}

static void
touching_takes_a_demotion_back(void **state)
{
	struct lrutable *t = small_table(3, NULL);
	uint32_t key;

	(void)state;
	for (key = 1; key <= 3; key++) {
		add(t, key, key);
		lrutable_demote(t, find(t, key));
	}
	assert_int_equal(order(t), 123);
	lrutable_touch(t, find(t, 2), 4);
	assert_int_equal(order(t), 132);
	lrutable_touch(t, find(t, 1), 5);
	assert_int_equal(order(t), 321);
	lrutable_demote(t, find(t, 1));
	assert_int_equal(order(t), 312);
	lrutable_free(t);
}

static void
a_removed_entry_is_gone_without_a_callback(void **state)
{
	struct gone g;
	struct lrutable *t = small_table(4, &g);
	uint32_t index;

	(void)state;
	add(t, 1, 1);
	add(t, 2, 2);
	add(t, 3, 3);
	index = lrutable_index(t, find(t, 2));
	lrutable_remove(t, find(t, 2));
	assert_null(find(t, 2));
	assert_null(lrutable_at(t, index));
	assert_int_equal(order(t), 13);
	lrutable_remove(t, find(t, 1));
	lrutable_remove(t, find(t, 3));
	assert_null(lrutable_oldest(t));
	assert_int_equal(lrutable_count(t), 0);
	assert_int_equal(g.n, 0);
	add(t, 4, 4);
	assert_int_equal(order(t), 4);
	lrutable_free(t);
}

static void
an_index_and_an_address_stay_as_long_as_the_entry(void **state)
{
	struct lrutable *t = small_table(8, NULL);
	uint32_t index[9] = { 0 }, key;
	uint64_t *value[9] = { NULL };

	(void)state;
	for (key = 1; key <= 8; key++) {
		value[key] = add(t, key, key);
		index[key] = lrutable_index(t, value[key]);
		assert_true(index[key] < 8);
	}
	lrutable_touch(t, value[3], 20);
	lrutable_remove(t, value[5]);
	add(t, 9, 21);
	for (key = 1; key <= 8; key++) {
		if (key == 5)
			continue;
		assert_ptr_equal(find(t, key), value[key]);
		assert_int_equal(lrutable_index(t, value[key]), index[key]);
		assert_ptr_equal(lrutable_at(t, index[key]), value[key]);
	}
	assert_null(lrutable_at(t, 8));
	assert_null(lrutable_at(t, LRUTABLE_NONE));
	lrutable_free(t);
}

static void
expiry_takes_what_was_touched_at_or_before(void **state)
{
	struct gone g;
	struct lrutable *t = small_table(8, &g);
	uint32_t key;

	(void)state;
	for (key = 1; key <= 5; key++)
		add(t, key, key * SECOND);
	lrutable_touch(t, find(t, 1), 6 * SECOND);
	assert_int_equal(lrutable_expire(t, 1 * SECOND), 0);
	assert_int_equal(lrutable_expire(t, 3 * SECOND), 2);
	assert_int_equal(order(t), 451);
	assert_int_equal(g.n, 2);
	assert_int_equal(g.keys[0], 2);
	assert_int_equal(g.keys[1], 3);
	assert_int_equal(lrutable_evictions(t), 0);
	assert_int_equal(lrutable_expire(t, INT64_MAX), 3);
	assert_int_equal(lrutable_count(t), 0);
	lrutable_free(t);
}

static void
a_demoted_entry_expires_by_its_own_age(void **state)
{
	struct gone g;
	struct lrutable *t = small_table(8, &g);

	(void)state;
	add(t, 1, 1 * SECOND);
	add(t, 2, 2 * SECOND);
	add(t, 3, 3 * SECOND);
	lrutable_demote(t, find(t, 3));
	assert_int_equal(order(t), 312);
	/* the young demoted one does not keep the old alive, nor go with it */
	assert_int_equal(lrutable_expire(t, 1 * SECOND), 1);
	assert_int_equal(order(t), 32);
	assert_int_equal(lrutable_expire(t, 3 * SECOND), 2);
	lrutable_free(t);
}

static void
an_entry_of_the_future_stops_nothing_behind_it(void **state)
{
	struct gone g;
	struct lrutable *t = small_table(8, &g);

	(void)state;
	add(t, 1, 3600 * SECOND);
	add(t, 2, 3600 * SECOND);
	lrutable_demote(t, find(t, 2));
	add(t, 3, 10 * SECOND);		/* the clock was set back */
	add(t, 4, 20 * SECOND);
	assert_int_equal(lrutable_expire(t, 15 * SECOND), 1);
	assert_int_equal(g.keys[0], 3);
	/* the other two count as if touched at 20 s */
	assert_int_equal(lrutable_expire(t, 20 * SECOND), 3);
	assert_int_equal(lrutable_count(t), 0);
	lrutable_free(t);
}

static void
a_table_of_one_works(void **state)
{
	struct gone g;
	struct lrutable *t = small_table(1, &g);
	uint32_t key;

	(void)state;
	for (key = 1; key <= 5; key++) {
		add(t, key, key);
		assert_int_equal(order(t), key);
		assert_int_equal(lrutable_index(t, find(t, key)), 0);
	}
	assert_int_equal(lrutable_evictions(t), 4);
	lrutable_demote(t, find(t, 5));
	lrutable_touch(t, find(t, 5), 9);
	assert_int_equal(order(t), 5);
	assert_int_equal(lrutable_expire(t, 9), 1);
	assert_int_equal(order(t), 0);
	lrutable_free(t);
}

static void
a_configuration_that_is_no_good_is_refused(void **state)
{
	static const struct lrutable_config good = {
		.capacity = 4, .key_size = 8, .value_size = 8,
	};
	struct lrutable_config c;

	(void)state;
	c = good;
	c.capacity = 0;
	assert_null(lrutable_new(&c));
	c.capacity = (1U << 28) + 1;
	assert_null(lrutable_new(&c));
	c = good;
	c.key_size = 0;
	assert_null(lrutable_new(&c));
	c.key_size = 6;
	assert_null(lrutable_new(&c));
	c.key_size = 68;
	assert_null(lrutable_new(&c));
	c = good;
	c.value_size = 65537;
	assert_null(lrutable_new(&c));
	lrutable_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found_and_nothing_else),
		cmocka_unit_test(a_full_table_evicts_the_least_recently_used),
		cmocka_unit_test(finding_changes_no_order),
		cmocka_unit_test(the_demoted_go_first_in_order_of_demotion),
		cmocka_unit_test(touching_takes_a_demotion_back),
		cmocka_unit_test(a_removed_entry_is_gone_without_a_callback),
		cmocka_unit_test(
		    an_index_and_an_address_stay_as_long_as_the_entry),
		cmocka_unit_test(expiry_takes_what_was_touched_at_or_before),
		cmocka_unit_test(a_demoted_entry_expires_by_its_own_age),
		cmocka_unit_test(
		    an_entry_of_the_future_stops_nothing_behind_it),
		cmocka_unit_test(a_table_of_one_works),
		cmocka_unit_test(a_configuration_that_is_no_good_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

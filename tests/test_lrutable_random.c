/* SPDX-License-Identifier: ISC */
/*
 * test_lrutable_random.c: bounded tables against a plain array; the hash.
 */
#include "lrutable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "testkit.h"

/* Keys of 4 bytes, values of 8. */
static struct lrutable *
small_table(uint32_t capacity)
{
	const struct lrutable_config config = {
		.capacity = capacity,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.seed = { 11, 22 },
	};
	struct lrutable *t = lrutable_new(&config);

	assert_non_null(t);
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

static void
keys_and_values_of_every_size_are_kept_apart(void **state)
{
	uint8_t key[64], *value;
	uint32_t size, n;

	(void)state;
	for (size = 4; size <= 64; size += 4) {
		const struct lrutable_config config = {
			.capacity = 5, .key_size = size,
			.value_size = size == 4 ? 0 : size * 3 + 1,
		};
		struct lrutable *t = lrutable_new(&config);

		assert_non_null(t);
		for (n = 0; n < 12; n++) {
			memset(key, (int)n, sizeof(key));
			value = lrutable_add(t, key, n);
			if (config.value_size > 0)
				assert_int_equal(value[config.value_size - 1],
				    0);
			memset(value, 0xff, config.value_size);
		}
		for (n = 0; n < 12; n++) {
			memset(key, (int)n, sizeof(key));
			value = lrutable_find(t, key);
			assert_int_equal(value != NULL, n >= 7);
			if (value != NULL)
				assert_memory_equal(lrutable_key(t, value),
				    key, size);
			key[size - 1] ^= 0x80;
			assert_null(lrutable_find(t, key));
		}
		lrutable_free(t);
	}
}

static void
a_value_is_aligned_for_64_bits(void **state)
{
	const struct lrutable_config config = {
		.capacity = 4, .key_size = 12, .value_size = 12,
	};
	struct lrutable *t = lrutable_new(&config);
	uint32_t key[3] = { 0 };

	(void)state;
	for (; key[0] < 4; key[0]++)
		assert_int_equal((uintptr_t)lrutable_add(t, key, 0) % 8, 0);
	lrutable_free(t);
}

/* A table without any art: an array in the order of touch. */
struct model {
	uint32_t	keys[64];
	int64_t		touched[64];
	size_t		n;
};

static size_t
model_find(const struct model *m, uint32_t key)
{
	size_t i;

	for (i = 0; i < m->n && m->keys[i] != key; i++)
		;
	return i;
}

static void
model_remove(struct model *m, size_t i)
{
	for (m->n--; i < m->n; i++) {
		m->keys[i] = m->keys[i + 1];
		m->touched[i] = m->touched[i + 1];
	}
}

static void
model_add(struct model *m, uint32_t key, int64_t now, uint32_t capacity)
{
	if (m->n == capacity)
		model_remove(m, 0);
	m->keys[m->n] = key;
	m->touched[m->n++] = now;
}

static void
same_as_model(struct lrutable *t, const struct model *m)
{
	void *v = lrutable_oldest(t);
	size_t i;

	assert_int_equal(lrutable_count(t), m->n);
	for (i = 0; i < m->n; i++, v = lrutable_newer(t, v)) {
		assert_non_null(v);
		assert_ptr_equal(find(t, m->keys[i]), v);
		assert_ptr_equal(lrutable_at(t, lrutable_index(t, v)), v);
		assert_true(lrutable_touched(t, v) == m->touched[i]);
	}
	assert_null(v);
}

static void
one_random_step(struct lrutable *t, struct model *m, uint32_t capacity,
    int64_t now, uint64_t *chance)
{
	uint32_t key = testkit_below(chance, capacity * 2) + 1;
	uint32_t what = testkit_below(chance, 16);
	size_t at = model_find(m, key);
	uint64_t *v = find(t, key);

	assert_int_equal(v != NULL, at < m->n);
	if (what == 0) {
		lrutable_expire(t, now - 40);
		while (m->n > 0 && m->touched[0] <= now - 40)
			model_remove(m, 0);
	} else if (v == NULL) {
		add(t, key, now);
		model_add(m, key, now, capacity);
	} else {
		model_remove(m, at);
		if (what < 5) {
			lrutable_remove(t, v);
			return;
		}
		lrutable_touch(t, v, now);
		model_add(m, key, now, capacity);
	}
}

static void
random_use_agrees_with_a_plain_array(void **state)
{
	static const uint32_t capacities[] = { 1, 2, 4, 31, 64 };
	uint64_t chance = 1;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(capacities) / sizeof(capacities[0]); i++) {
		struct lrutable *t = small_table(capacities[i]);
		struct model m = { .n = 0 };
		int64_t now;

		for (now = 1; now < 4000; now++) {
			one_random_step(t, &m, capacities[i], now, &chance);
			same_as_model(t, &m);
		}
		lrutable_free(t);
	}
}

static void
many_entries_come_and_go(void **state)
{
	const uint32_t capacity = 50000;
	struct lrutable *t = small_table(capacity);
	uint32_t key;

	(void)state;
	for (key = 1; key <= 3 * capacity; key++)
		add(t, key, key);
	assert_int_equal(lrutable_count(t), capacity);
	assert_int_equal(lrutable_evictions(t), 2 * capacity);
	for (key = 1; key <= 3 * capacity; key++)
		assert_int_equal(find(t, key) != NULL, key > 2 * capacity);
	lrutable_free(t);
}

static void
the_hash_depends_on_every_bit_of_key_and_seed(void **state)
{
	uint64_t seed[2] = { 0, 0 }, was;
	uint8_t key[64] = { 0 };
	size_t len, bit;

	(void)state;
	for (len = 4; len <= 64; len += 4) {
		was = lrutable_hash(key, len, seed);
		for (bit = 0; bit < len * 8; bit++) {
			key[bit / 8] ^= (uint8_t)(1U << (bit % 8));
			assert_true((uint32_t)lrutable_hash(key, len, seed) !=
			    (uint32_t)was);
			key[bit / 8] = 0;
		}
		for (bit = 0; bit < 128; bit++) {
			seed[bit / 64] ^= UINT64_C(1) << (bit % 64);
			assert_true(lrutable_hash(key, len, seed) != was);
			seed[bit / 64] = 0;
		}
		if (len > 4)
			assert_true(lrutable_hash(key, len - 4, seed) != was);
	}
}

/*
 * 65536 keys that differ in one counter only, into 4096 buckets: 16 each with
 * a standard deviation of 4; 48 would be eight of these above.
 */
static void
keys_that_count_up_spread_evenly(void **state)
{
	static const uint64_t seed[2] = { UINT64_C(0x0123456789abcdef), 42 };
	uint16_t *bucket = calloc(4096, sizeof(*bucket));
	uint32_t key[10] = { 0 }, place, n, b;

	(void)state;
	assert_non_null(bucket);
	for (place = 0; place < 10; place++) {
		memset(bucket, 0, 4096 * sizeof(*bucket));
		for (n = 0; n < 65536; n++) {
			key[place] = n << (place % 2 * 16);
			b = lrutable_hash(key, sizeof(key), seed) & 4095;
			bucket[b]++;
			assert_true(bucket[b] < 48);
		}
		key[place] = 0;
	}
	free(bucket);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_and_values_of_every_size_are_kept_apart),
		cmocka_unit_test(a_value_is_aligned_for_64_bits),
		cmocka_unit_test(random_use_agrees_with_a_plain_array),
		cmocka_unit_test(many_entries_come_and_go),
		cmocka_unit_test(
		    the_hash_depends_on_every_bit_of_key_and_seed),
		cmocka_unit_test(keys_that_count_up_spread_evenly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

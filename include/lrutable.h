/* SPDX-License-Identifier: ISC */
/*
 * lrutable.h: a hash table of fixed capacity that evicts the least recently
 * used and expires the old.
 *
 * All memory is reserved by lrutable_new; nothing grows after it, and pages
 * that were never used are never touched (calloc).  Keys are fixed-size and
 * compared as bytes, so they must hold no padding.  The hash is keyed with
 * the seed, which the caller takes from arc4random in the program and fixes
 * in tests: who sends packets cannot choose collisions.
 *
 * An entry's address is stable from lrutable_add until it is removed, evicted
 * or expired; its index is stable as long and below the capacity, so that
 * other tables can refer to it by 32 bits.
 *
 * Not thread-safe.
 */
#ifndef NFSRATED_LRUTABLE_H
#define NFSRATED_LRUTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lrutable;

#define LRUTABLE_NONE	UINT32_MAX	/* no entry */

struct lrutable_config {
	uint32_t	 capacity;	/* entries, 1 to 2^28 */
	uint32_t	 key_size;	/* bytes, 4 to 64, multiple of 4 */
	uint32_t	 value_size;	/* bytes, 0 to 64 KiB */
	uint64_t	 seed[2];	/* hash key */
	/*
	 * Called before an entry goes for want of room or for age (not by
	 * lrutable_remove); may be NULL.  It may read the table's other
	 * entries but not change the table.
	 */
	void		(*evict)(void *ctx, const void *key, void *value);
	void		*ctx;
};

/* NULL when memory is short (errno set) or the configuration is no good. */
struct lrutable *lrutable_new(const struct lrutable_config *);
void	lrutable_free(struct lrutable *);	/* NULL is fine */

/*
 * lrutable_find gives the value of the key or NULL and changes no order;
 * lrutable_touch makes a found entry the most recently used, as of now_ns.
 */
void	*lrutable_find(struct lrutable *, const void *key);
void	lrutable_touch(struct lrutable *, void *value, int64_t now_ns);

/*
 * Adds a key that is not in the table; the value is zeroed and aligned for
 * 64-bit members.  Never fails:
 * when the table is full the least recently used entry is evicted (evict
 * callback) and counted.
 */
void	*lrutable_add(struct lrutable *, const void *key, int64_t now_ns);

void	lrutable_remove(struct lrutable *, void *value);

/*
 * Makes the entry one of those to be evicted first: done with, but still
 * remembered as long as there is room and it is not too old.  Of several the
 * one demoted first goes first; lrutable_touch takes it back.
 */
void	lrutable_demote(struct lrutable *, void *value);

/*
 * Removes (with the evict callback) every entry last touched at or before the
 * time and gives their number.  Entries are in order of touch, the demoted in
 * order of demotion; one that is not yet due stops the walk.  One touched in
 * the future of the latest touch (clock set back) stops nothing behind it: it
 * is taken to be as new as that touch.  Cost: the entries removed, plus once
 * those in the future, plus a constant.
 */
uint32_t lrutable_expire(struct lrutable *, int64_t before_ns);

/*
 * The next to be evicted (demoted ones first, then the least recently used),
 * or NULL; and walking towards newer ones.
 */
void	*lrutable_oldest(const struct lrutable *);
void	*lrutable_newer(const struct lrutable *, const void *value);

uint32_t lrutable_index(const struct lrutable *, const void *value);
/* The value at an index, or NULL when that index holds no entry. */
void	*lrutable_at(const struct lrutable *, uint32_t index);
const void *lrutable_key(const struct lrutable *, const void *value);
int64_t	lrutable_touched(const struct lrutable *, const void *value);

uint32_t lrutable_count(const struct lrutable *);
uint64_t lrutable_evictions(const struct lrutable *);	/* for want of room */

/*
 * The keyed hash itself, for other uses: len bytes, multiple of 4.  A short
 * multiply-and-fold; not a MAC, but collisions cannot be made without the
 * seed.
 */
uint64_t lrutable_hash(const void *key, size_t len, const uint64_t seed[2]);

#endif

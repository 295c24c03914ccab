/* SPDX-License-Identifier: ISC */
/*
 * toprows.h: the rows of clients, users and files seen so far, by key, in
 * tables of fixed size; and the busiest of them.
 *
 * A row put again takes the place of the earlier one.  The keys were chosen
 * by who sends packets, but their order here is of no use to him: tables are
 * fed a few rows an interval.
 */
#ifndef NFSRATED_TOPROWS_H
#define NFSRATED_TOPROWS_H

#include "sample.h"

#define TOPROWS_MAX	50	/* rows that outputs show */

struct toprows;

/* NULL and errno when memory is short. */
struct toprows *toprows_new(void);
void	toprows_free(struct toprows *);
/*
 * Forgets all; the totals of rows that come from now on are then less what
 * they had before the interval they come with.
 */
void	toprows_clear(struct toprows *);

void	toprows_client(struct toprows *, const struct sample_client *,
	    int64_t now_ns);
void	toprows_user(struct toprows *, const struct sample_user *,
	    int64_t now_ns);
void	toprows_file(struct toprows *, const struct sample_file *,
	    int64_t now_ns);

/*
 * The busiest by their totals, most first, up to max (at most TOPROWS_MAX);
 * gives how many.  Clients and users by calls, files by bytes, then calls;
 * those that have none are left out.
 * The pointers are good until the next change.
 */
uint32_t toprows_clients(const struct toprows *,
	    const struct sample_client **rows, uint32_t max);
uint32_t toprows_users(const struct toprows *,
	    const struct sample_user **rows, uint32_t max);
uint32_t toprows_files(const struct toprows *,
	    const struct sample_file **rows, uint32_t max);

#endif

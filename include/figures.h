/* SPDX-License-Identifier: ISC */
/*
 * figures.h: numbers as short text.
 *
 * Digits are never cut off silently: what is too long for its column is shown
 * in thousands, with k, M, G, T, P or E behind it.  All give buf.
 */
#ifndef NFSRATED_FIGURES_H
#define NFSRATED_FIGURES_H

#include <stdint.h>

#define FIGURES_SIZE	32

/* Whole, or in the smallest unit in which it fits; UINT64_MAX is "-". */
const char *figures_count(char buf[FIGURES_SIZE], uint64_t, int width);
/* With as many of the decimals as fit; then as a count. */
const char *figures_real(char buf[FIGURES_SIZE], double, int decimals,
	    int width);
/* Three digits and a unit: "999", "1.23k", "12.3M"; UINT64_MAX is "-". */
const char *figures_human(char buf[FIGURES_SIZE], uint64_t);
/* A time of microseconds: "410 us", "4.10 ms", "2.50 s". */
const char *figures_us(char buf[FIGURES_SIZE], double us);
/* A duration in words: "12.5 s", "3 min 20 s", "2 h 5 min", "19 y 200 d". */
const char *figures_duration(char buf[FIGURES_SIZE], int64_t ns);

#endif

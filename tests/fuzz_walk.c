/* SPDX-License-Identifier: ISC */
/*
 * fuzz_walk.c: libFuzzer's program for target_walk.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_walk)

/* SPDX-License-Identifier: ISC */
/*
 * fuzz_learned.c: libFuzzer's program for target_learned.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_learned)

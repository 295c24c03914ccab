/* SPDX-License-Identifier: ISC */
/*
 * fuzz_judge.c: libFuzzer's program for target_judge.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_judge)

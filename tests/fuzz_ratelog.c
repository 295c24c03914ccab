/* SPDX-License-Identifier: ISC */
/*
 * fuzz_ratelog.c: libFuzzer's program for target_ratelog.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_ratelog)

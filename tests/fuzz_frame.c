/* SPDX-License-Identifier: ISC */
/*
 * fuzz_frame.c: libFuzzer's program for target_frame.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_frame)

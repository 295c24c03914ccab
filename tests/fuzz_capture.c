/* SPDX-License-Identifier: ISC */
/*
 * fuzz_capture.c: libFuzzer's program for target_capture.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_capture)

/* SPDX-License-Identifier: ISC */
/*
 * fuzz_config.c: libFuzzer's program for target_config.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_config)

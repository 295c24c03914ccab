/* SPDX-License-Identifier: ISC */
/*
 * fuzz_record.c: libFuzzer's program for target_record.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_record)

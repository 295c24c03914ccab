/* SPDX-License-Identifier: ISC */
/*
 * fuzz_netstat.c: libFuzzer's program for target_netstat.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_netstat)

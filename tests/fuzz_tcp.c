/* SPDX-License-Identifier: ISC */
/*
 * fuzz_tcp.c: libFuzzer's program for target_tcp.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_tcp)

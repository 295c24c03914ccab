/* SPDX-License-Identifier: ISC */
/*
 * fuzz_rdma.c: libFuzzer's program for target_rdma.c.
 */
#include "fuzzkit.h"

FUZZ_PROGRAM(target_rdma)

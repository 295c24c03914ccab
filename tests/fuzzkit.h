/* SPDX-License-Identifier: ISC */
/*
 * fuzzkit.h: what the fuzz targets have in common, and a list of them.
 *
 * A target is a function that takes any bytes: target_x in tests/target_x.c.
 * tests/fuzz_x.c hands it to libFuzzer, and tests/test_corpus.c runs all of
 * them on every file of tests/corpus, without libFuzzer, as a part of
 * `make check`.  A target depends on nothing but its bytes: no clock, no
 * chance.  What must hold besides "no crash" it says with FUZZ_CHECK.
 */
#ifndef NFSRATED_FUZZKIT_H
#define NFSRATED_FUZZKIT_H

#include <stddef.h>
#include <stdint.h>

#include "bytes.h"

void	target_capture(const uint8_t *, size_t);
void	target_config(const uint8_t *, size_t);
void	target_frame(const uint8_t *, size_t);
void	target_judge(const uint8_t *, size_t);
void	target_learned(const uint8_t *, size_t);
void	target_netstat(const uint8_t *, size_t);
void	target_ratelog(const uint8_t *, size_t);
void	target_rdma(const uint8_t *, size_t);
void	target_record(const uint8_t *, size_t);
void	target_tcp(const uint8_t *, size_t);
void	target_walk(const uint8_t *, size_t);

/* The program of libFuzzer for one target: all that tests/fuzz_x.c has. */
int	LLVMFuzzerTestOneInput(const uint8_t *, size_t);
#define FUZZ_PROGRAM(target)						\
	int								\
	LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)		\
	{								\
		target(data, len);					\
		return 0;						\
	}

/* Says what does not hold, and aborts. */
#define FUZZ_CHECK(what)						\
	((what) ? (void)0 : fuzzkit_wrong(#what, __FILE__, __LINE__))
void	fuzzkit_wrong(const char *what, const char *file, int line)
	    __attribute__((noreturn));

/*
 * A script to be read: its end is like zero bytes without end, and of a range
 * there is as much as there is.
 */
uint8_t	fuzzkit_u8(struct bytes *);
uint16_t fuzzkit_u16(struct bytes *);
uint32_t fuzzkit_u32(struct bytes *);
uint64_t fuzzkit_u64(struct bytes *);
struct bytes fuzzkit_part(struct bytes *, size_t len);

/* A number that stands for the values given so far, in their order. */
void	fuzzkit_mix(uint64_t *sum, uint64_t value);
void	fuzzkit_mix_bytes(uint64_t *sum, const void *, size_t len);

/* An open temporary file without a name, at its start; never -1. */
int	fuzzkit_file(const void *data, size_t len);
/* A path to an open file. */
#define FUZZKIT_PATH_MAX	32
const char *fuzzkit_path(int fd, char path[FUZZKIT_PATH_MAX]);

/* The program's own messages go nowhere. */
void	fuzzkit_quiet(void);
/* A message for a reader: one line, not empty, ended, no control characters. */
void	fuzzkit_check_line(const char *text, size_t max);

#endif

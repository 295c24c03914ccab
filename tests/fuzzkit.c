/* SPDX-License-Identifier: ISC */
/*
 * fuzzkit.c: what the fuzz targets have in common, see fuzzkit.h.
 */
#include "fuzzkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "log.h"

void
fuzzkit_wrong(const char *what, const char *file, int line)
{
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

uint8_t
fuzzkit_u8(struct bytes *b)
{
	uint8_t v = 0;

	(void)bytes_take_u8(b, &v);
	return v;
}

static uint64_t
number(struct bytes *b, unsigned int bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | fuzzkit_u8(b);
	return v;
}

uint16_t
fuzzkit_u16(struct bytes *b)
{
	return (uint16_t)number(b, 2);
}

uint32_t
fuzzkit_u32(struct bytes *b)
{
	return (uint32_t)number(b, 4);
}

uint64_t
fuzzkit_u64(struct bytes *b)
{
	return number(b, 8);
}

struct bytes
fuzzkit_part(struct bytes *b, size_t len)
{
	struct bytes part = *b;

	bytes_trim(&part, len);
	(void)bytes_skip(b, part.len);
	return part;
}

void
fuzzkit_mix(uint64_t *sum, uint64_t value)
{
	uint64_t x = (*sum ^ value) * UINT64_C(0xd6e8feb86659fd93);

	*sum = (x ^ (x >> 32)) + 1;
}

void
fuzzkit_mix_bytes(uint64_t *sum, const void *data, size_t len)
{
	const uint8_t *p = data;
	size_t i;

	fuzzkit_mix(sum, len);
	for (i = 0; i < len; i++)
		fuzzkit_mix(sum, p[i]);
}

int
fuzzkit_file(const void *data, size_t len)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || (len > 0 && write(fd, data, len) != (ssize_t)len) ||
	    lseek(fd, 0, SEEK_SET) != 0) {
		perror("fuzzkit");
		abort();
	}
	return fd;
}

const char *
fuzzkit_path(int fd, char path[FUZZKIT_PATH_MAX])
{
	snprintf(path, FUZZKIT_PATH_MAX, "/proc/self/fd/%d", fd);
	return path;
}

void
fuzzkit_quiet(void)
{
	log_open("fuzz", LOG_TO_NOTHING, false);
}

void
fuzzkit_check_line(const char *text, size_t max)
{
	size_t i, len = strnlen(text, max);

	FUZZ_CHECK(len > 0 && len < max);
	for (i = 0; i < len; i++)
		FUZZ_CHECK((uint8_t)text[i] >= ' ' && text[i] != 0x7f);
}

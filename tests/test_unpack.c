/* SPDX-License-Identifier: ISC */
/*
 * test_unpack.c: compressed input comes out as its raw bytes, plain input as
 * it is, and damage is told.
 */
#include "unpack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "testkit.h"

#define SIZE	(300 * 1000)	/* several reads of libarchive */

static uint8_t plain[SIZE];

static const struct {
	const char	*name;
	int		 (*filter)(struct archive *);
} formats[] = {
	{ "gzip", archive_write_add_filter_gzip },
	{ "zstd", archive_write_add_filter_zstd },
	{ "xz", archive_write_add_filter_xz },
	{ "lz4", archive_write_add_filter_lz4 },
	{ "bzip2", archive_write_add_filter_bzip2 },
};
#define FORMATS	(sizeof(formats) / sizeof(formats[0]))

static int
make_plain(void **state)
{
	uint64_t seed = 1;
	size_t i;

	(void)state;
	/* Half of it is chance, so that it stays large when compressed. */
	for (i = 0; i < SIZE; i++)
		plain[i] = (uint8_t)(testkit_random(&seed) & 0x0f);
	return 0;
}

/* An open temporary file without a name. */
static int
file_of(const void *data, size_t len)
{
	char name[] = "/tmp/test_unpack.XXXXXX";
	int fd = mkstemp(name);

	assert_true(fd >= 0);
	unlink(name);
	assert_int_equal(write(fd, data, len), len);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Compresses data; the caller frees the result. */
static uint8_t *
compress_with(size_t format, const void *data, size_t len, size_t *size)
{
	const size_t room = SIZE + 10000;
	struct archive_entry *e = archive_entry_new();
	struct archive *a = archive_write_new();
	uint8_t *out = malloc(room);

	assert_non_null(out);
	archive_write_set_bytes_per_block(a, 0);
	assert_int_equal(formats[format].filter(a), ARCHIVE_OK);
	assert_int_equal(archive_write_set_format_raw(a), ARCHIVE_OK);
	assert_int_equal(archive_write_open_memory(a, out, room, size),
	    ARCHIVE_OK);
	archive_entry_set_filetype(e, AE_IFREG);
	assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
	assert_int_equal(archive_write_data(a, data, len), len);
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
	archive_entry_free(e);
	return out;
}

/* Reads to the end, and expects the first len bytes of data, no more. */
static void
expect_bytes(int fd, const char *format, const uint8_t *data, size_t len)
{
	char err[256], back[1000];
	size_t n, got = 0;
	struct unpack *u;
	FILE *f;

	u = unpack_open(fd, NULL, NULL, err, sizeof(err));
	assert_non_null(u);
	f = unpack_stream(u);
	if (format == NULL)
		assert_null(unpack_format(u));
	else
		assert_string_equal(unpack_format(u), format);
	while ((n = fread(back, 1, sizeof(back), f)) > 0) {
		assert_true(got + n <= len);
		assert_memory_equal(back, data + got, n);
		got += n;
		assert_int_equal(ftello(f), got);
	}
	assert_int_equal(got, len);
	assert_true(feof(f));
	assert_null(unpack_error(u));
	fclose(f);
	unpack_free(u);
}

static void
plain_bytes_pass_as_they_are(void **state)
{
	(void)state;
	expect_bytes(file_of(plain, SIZE), NULL, plain, SIZE);
}

static void
short_and_empty_input_passes(void **state)
{
	size_t len;

	(void)state;
	for (len = 0; len < 8; len++)
		expect_bytes(file_of(plain, len), NULL, plain, len);
}

static void
every_format_is_known_by_content(void **state)
{
	uint8_t *packed;
	size_t i, size;

	(void)state;
	for (i = 0; i < FORMATS; i++) {
		packed = compress_with(i, plain, SIZE, &size);
		expect_bytes(file_of(packed, size), formats[i].name, plain,
		    SIZE);
		free(packed);
	}
}

/* What the five programs make of no input. */
static void
compressed_nothing_is_empty(void **state)
{
	static const struct {
		const char	*format;
		size_t		 len;
		uint8_t		 data[32];
	} nothing[] = {
		/* RFC 1952: header, empty block, CRC 0, size 0 */
		{ "gzip", 20, { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3 } },
		/* RFC 8878: descriptor, size 0, last raw block, checksum */
		{ "zstd", 13, { 0x28, 0xb5, 0x2f, 0xfd, 0x24, 0, 1, 0, 0,
		    0x99, 0xe9, 0xd8, 0x51 } },
		/* stream header, empty index, stream footer */
		{ "xz", 32, { 0xfd, '7', 'z', 'X', 'Z', 0, 0, 4, 0xe6, 0xd6,
		    0xb4, 0x46, 0, 0, 0, 0, 0x1c, 0xdf, 0x44, 0x21, 0x1f,
		    0xb6, 0xf3, 0x7d, 1, 0, 0, 0, 0, 4, 'Y', 'Z' } },
		/* descriptor, end mark, checksum */
		{ "lz4", 15, { 0x04, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7, 0, 0,
		    0, 0, 0x05, 0x5d, 0xcc, 0x02 } },
		/* header, end of stream, CRC 0 */
		{ "bzip2", 14, { 'B', 'Z', 'h', '9', 0x17, 0x72, 0x45, 0x38,
		    0x50, 0x90 } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		expect_bytes(file_of(nothing[i].data, nothing[i].len),
		    nothing[i].format, plain, 0);
}

/* As `cat a.gz b.gz` (RFC 1952 sec. 2.2). */
static void
members_in_a_row_are_one_stream(void **state)
{
	uint8_t *one, *two, *both;
	size_t len1, len2;

	(void)state;
	one = compress_with(0, plain, 1000, &len1);
	two = compress_with(0, plain + 1000, 500, &len2);
	both = malloc(len1 + len2);
	assert_non_null(both);
	memcpy(both, one, len1);
	memcpy(both + len1, two, len2);
	expect_bytes(file_of(both, len1 + len2), "gzip", plain, 1500);
	free(one);
	free(two);
	free(both);
}

static void
a_pipe_is_read_like_a_file(void **state)
{
	uint8_t *packed;
	int fds[2];
	size_t size;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], plain, 5000), 5000);
	close(fds[1]);
	expect_bytes(fds[0], NULL, plain, 5000);

	packed = compress_with(1, plain, 20000, &size);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], packed, size), size);
	close(fds[1]);
	expect_bytes(fds[0], "zstd", plain, 20000);
	free(packed);
}

/* Cut in the middle: at most the right bytes, then an error, in words. */
static void
cut_data_is_an_error_after_what_could_be_read(void **state)
{
	char err[256], back[1000];
	uint8_t *packed;
	struct unpack *u;
	size_t i, n, got, size;
	FILE *f;

	(void)state;
	for (i = 0; i < FORMATS; i++) {
		packed = compress_with(i, plain, SIZE, &size);
		u = unpack_open(file_of(packed, size / 2), NULL, NULL, err,
		    sizeof(err));
		free(packed);
		if (u == NULL) {	/* not one block is whole */
			assert_non_null(strstr(err, formats[i].name));
			continue;
		}
		f = unpack_stream(u);
		got = 0;
		while ((n = fread(back, 1, sizeof(back), f)) > 0) {
			assert_true(got + n <= SIZE);
			assert_memory_equal(back, plain + got, n);
			got += n;
		}
		assert_true(got < SIZE);
		assert_true(ferror(f));
		assert_non_null(unpack_error(u));
		assert_non_null(strstr(unpack_error(u), formats[i].name));
		assert_false(unpack_stopped(u));
		fclose(f);
		unpack_free(u);
	}
}

static void
read_all(void *ctx, struct bytes input)
{
	char err[256] = "", back[4096];
	struct unpack *u;
	FILE *f;

	(void)ctx;
	u = unpack_open(file_of(input.data, input.len), NULL, NULL, err,
	    sizeof(err));
	if (u == NULL) {
		assert_int_not_equal(err[0], '\0');
		return;
	}
	f = unpack_stream(u);
	while (fread(back, 1, sizeof(back), f) > 0)
		;
	if (ferror(f))
		assert_non_null(unpack_error(u));
	fclose(f);
	unpack_free(u);
}

static void
read_flipped(void *ctx, struct bytes input, size_t bit)
{
	(void)bit;
	read_all(ctx, input);
}

static void
no_prefix_or_flipped_bit_does_harm(void **state)
{
	uint8_t *packed;
	size_t i, size;

	(void)state;
	for (i = 0; i < FORMATS; i++) {
		packed = compress_with(i, plain, 100, &size);
		for_every_prefix(packed, size, read_all, NULL);
		for_every_bit_flip(packed, size, read_flipped, NULL);
		free(packed);
	}
}

static void
a_directory_is_refused_in_words(void **state)
{
	char err[256];
	int fd = open("/tmp", O_RDONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_null(unpack_open(fd, NULL, NULL, err, sizeof(err)));
	assert_string_equal(err, "is a directory");
	/* It was taken over. */
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

struct patience {
	int	left;
};

static bool
wait_a_few_times(void *ctx, int fd)
{
	struct patience *p = ctx;

	(void)fd;
	return p->left-- > 0;
}

static void
waiting_may_be_given_up(void **state)
{
	struct patience p = { 1 };
	char err[256], back[100];
	struct unpack *u;
	int fds[2];
	FILE *f;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], plain, 50), 50);
	u = unpack_open(fds[0], wait_a_few_times, &p, err, sizeof(err));
	assert_non_null(u);
	f = unpack_stream(u);
	/* The head was the one read: the next wait gives up. */
	assert_int_equal(fread(back, 1, sizeof(back), f), 6);
	assert_true(unpack_stopped(u));
	assert_null(unpack_error(u));
	fclose(f);
	unpack_free(u);
	close(fds[1]);
}

static void
waiting_may_be_given_up_at_the_start(void **state)
{
	struct patience p = { 0 };
	char err[256];
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_null(unpack_open(fds[0], wait_a_few_times, &p, err,
	    sizeof(err)));
	assert_string_equal(err, "interrupted");
	close(fds[1]);
}

static void
files_are_not_waited_for(void **state)
{
	struct patience p = { 0 };
	char err[256];
	struct unpack *u;

	(void)state;
	u = unpack_open(file_of(plain, 100), wait_a_few_times, &p, err,
	    sizeof(err));
	assert_non_null(u);
	assert_int_equal(getc(unpack_stream(u)), plain[0]);
	fclose(unpack_stream(u));
	unpack_free(u);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_bytes_pass_as_they_are),
		cmocka_unit_test(short_and_empty_input_passes),
		cmocka_unit_test(every_format_is_known_by_content),
		cmocka_unit_test(compressed_nothing_is_empty),
		cmocka_unit_test(members_in_a_row_are_one_stream),
		cmocka_unit_test(a_pipe_is_read_like_a_file),
		cmocka_unit_test(
		    cut_data_is_an_error_after_what_could_be_read),
		cmocka_unit_test(no_prefix_or_flipped_bit_does_harm),
		cmocka_unit_test(a_directory_is_refused_in_words),
		cmocka_unit_test(waiting_may_be_given_up),
		cmocka_unit_test(waiting_may_be_given_up_at_the_start),
		cmocka_unit_test(files_are_not_waited_for),
	};

	return cmocka_run_group_tests(tests, make_plain, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * target_learned.c: fuzz target: the file in which --expect learn keeps what
 * it knows.
 */
#include "fuzzkit.h"

#include <math.h>
#include <unistd.h>

#include "expect.h"
#include "packet.h"

void
target_learned(const uint8_t *data, size_t len)
{
	const struct expect_config config = { .learn = true };
	char path[FUZZKIT_PATH_MAX], err[EXPECT_ERROR_MAX] = "";
	struct expected out[EXPECT_MAX];
	struct expect *e = expect_new(&config);
	int fd = fuzzkit_file(data, len);
	static struct sample s;
	uint32_t n;

	FUZZ_CHECK(e != NULL);
	sample_clear(&s);
	s.length_ns = s.watched_ns = NSEC_PER_SEC;
	if (expect_load(e, fuzzkit_path(fd, path), err) != 0) {
		fuzzkit_check_line(err, sizeof(err));
		/* What cannot be believed changes nothing. */
		FUZZ_CHECK(expect_of(e, &s, out) == 0);
	}
	expect_learn(e, &s);
	n = expect_of(e, &s, out);
	FUZZ_CHECK(n <= 1);
	if (n == 1)
		FUZZ_CHECK(isfinite(out[0].value) && out[0].value > 0);
	expect_free(e);
	close(fd);
}

/* SPDX-License-Identifier: ISC */
/*
 * target_netstat.c: fuzz target: rows of netstat, which must give the same
 * intervals however they are cut into reads.
 *
 * The first byte is settings; the rest is the text.
 */
#include "fuzzkit.h"

#include <string.h>

#include "netstatfile.h"
#include "packet.h"
#include "textbuf.h"
#include "view.h"

#define SHOWN_MAX	32	/* rows that are turned into text */

struct reader {
	uint64_t	 rows, errors;
	uint64_t	 sum;
	int64_t		 next_ns;
};

static void
show(const struct sample *s)
{
	const struct view_options view = { .interval_ns = NSEC_PER_SEC };
	struct textbuf t = { NULL, 0, 0, false };

	view_row(&t, &view, s, NULL);
	FUZZ_CHECK(!t.failed && t.len > 0 && t.data[t.len - 1] == '\n');
	textbuf_free(&t);
}

static void
on_sample(void *ctx, struct sample *s)
{
	struct reader *r = ctx;
	int d;

	FUZZ_CHECK(s->start_ns == r->next_ns && s->length_ns == NSEC_PER_SEC);
	r->next_ns += NSEC_PER_SEC;
	if (r->rows++ < SHOWN_MAX)
		show(s);
	for (d = 0; d < SAMPLE_DIRECTIONS; d++) {
		fuzzkit_mix(&r->sum, s->traffic[d].packets);
		fuzzkit_mix(&r->sum, s->traffic[d].bytes);
		fuzzkit_mix(&r->sum, s->traffic[d].errs);
	}
	fuzzkit_mix(&r->sum, s->colls);
}

static void
on_error(void *ctx, uint64_t line, const char *why)
{
	struct reader *r = ctx;

	r->errors++;
	fuzzkit_mix(&r->sum, line);
	fuzzkit_check_line(why, 256);
}

/* In pieces of at most this size. */
static void
read_text(struct reader *r, struct bytes text, bool total, size_t size)
{
	const struct netstatfile_config config = {
		.interval_ns = NSEC_PER_SEC, .total = total,
		.emit = on_sample, .error = on_error, .ctx = r
	};
	struct netstatfile *n = netstatfile_new(&config);
	const struct netstatfile_stats *stats;
	struct bytes part;
	char copy[64];

	FUZZ_CHECK(n != NULL);
	memset(r, 0, sizeof(*r));
	while (text.len > 0) {
		part = fuzzkit_part(&text, size);
		memcpy(copy, part.data, part.len);
		netstatfile_push(n, copy, part.len);
	}
	netstatfile_finish(n);
	stats = netstatfile_stats(n);
	FUZZ_CHECK(stats->rows == r->rows && stats->errors == r->errors);
	FUZZ_CHECK(stats->rows + stats->errors + stats->cumulative +
	    stats->headers <= stats->lines);
	FUZZ_CHECK(memchr(stats->name, '\0', sizeof(stats->name)) != NULL);
	netstatfile_free(n);
}

void
target_netstat(const uint8_t *data, size_t len)
{
	struct bytes script = bytes_of(data, len);
	uint8_t how = fuzzkit_u8(&script);
	struct reader whole, parts;

	read_text(&whole, script, how & 1, 64);
	read_text(&parts, script, how & 1, 1 + (how >> 1) % 7);
	FUZZ_CHECK(whole.rows == parts.rows && whole.errors == parts.errors);
	FUZZ_CHECK(whole.sum == parts.sum);
}

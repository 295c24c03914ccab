/* SPDX-License-Identifier: ISC */
/*
 * target_ratelog.c: fuzz target: a rate log, packed or not.  What its lines
 * say can be written as a line again, and that says the same when it is read.
 */
#include "fuzzkit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "jsonlog.h"
#include "packet.h"
#include "ratelogread.h"
#include "view.h"

#define LINES_MAX	64

static void
write_line(struct textbuf *t, const struct jsonread_record *r)
{
	textbuf_clear(t);
	jsonlog_second(t, &r->sample,
	    r->has_judgement ? &r->judgement : NULL);
	FUZZ_CHECK(!t->failed && t->len > 0 && t->data[t->len - 1] == '\n');
	FUZZ_CHECK(memchr(t->data, '\n', t->len) == t->data + t->len - 1);
}

/* The second and the third writing are the same. */
static void
again(const struct jsonread_record *r)
{
	struct jsonread_record *back = malloc(sizeof(*back));
	struct textbuf second = { NULL, 0, 0, false }, third = second;
	char err[JSONREAD_ERROR_MAX];

	FUZZ_CHECK(back != NULL);
	write_line(&second, r);
	FUZZ_CHECK(jsonread_line(second.data, second.len - 1, back, err) ==
	    JSONREAD_SECOND);
	write_line(&third, back);
	FUZZ_CHECK(second.len == third.len &&
	    memcmp(second.data, third.data, second.len) == 0);
	textbuf_free(&second);
	textbuf_free(&third);
	free(back);
}

/* What any output would make of it. */
static void
show(const struct jsonread_record *r)
{
	const struct view_options view = { .interval_ns = NSEC_PER_SEC };
	const struct judgement *j = r->has_judgement ? &r->judgement : NULL;
	struct textbuf t = { NULL, 0, 0, false };

	FUZZ_CHECK(!r->has_judgement || !j->has_verdict ||
	    j->verdict < VERDICTS);
	view_row(&t, &view, &r->sample, j);
	json_second(&t, &r->sample, j);
	FUZZ_CHECK(!t.failed);
	textbuf_free(&t);
}

static void
read_lines(struct ratelogread *log)
{
	uint64_t n = ratelogread_lines(log), i;
	const struct jsonread_record *r;
	char err[RATELOGREAD_ERROR_MAX];

	for (i = 0; i < n && i < LINES_MAX; i++)
		switch (ratelogread_line(log, i, &r, err)) {
		case JSONREAD_SECOND:
			again(r);
			show(r);
			break;
		case JSONREAD_BAD:
			FUZZ_CHECK(memchr(err, '\0', sizeof(err)) != err);
			break;
		default:
			break;
		}
	FUZZ_CHECK(ratelogread_find(log, INT64_MIN) <= n);
	FUZZ_CHECK(ratelogread_find(log, 1000 * NSEC_PER_SEC) <= n);
	FUZZ_CHECK(ratelogread_more(log) == n);
}

void
target_ratelog(const uint8_t *data, size_t len)
{
	char path[FUZZKIT_PATH_MAX], err[RATELOGREAD_ERROR_MAX];
	int fd = fuzzkit_file(data, len);
	struct ratelogread *log;

	fuzzkit_quiet();
	log = ratelogread_open(fuzzkit_path(fd, path), NULL, NULL, err);
	if (log == NULL)
		fuzzkit_check_line(err, sizeof(err));
	else
		read_lines(log);
	ratelogread_close(log);
	close(fd);
}

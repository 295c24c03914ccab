/* SPDX-License-Identifier: ISC */
/*
 * tabskit.c: a view for tests.
 */
#include "tabskit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "keymap.h"
#include "nfs.h"
#include "packet.h"

static void
on_episode(void *ctx, const struct episode *e)
{
	struct tabskit *k = ctx;

	tabs_episode(k->tabs, e);
}

static const char *
name_user(void *ctx, uint32_t uid)
{
	(void)ctx;
	return uid == 0 ? "root" : NULL;
}

void
tabskit_begin(struct tabskit *k, bool recording, bool seekable)
{
	const struct expect_config ec = {
		.given = { { EXPECT_PPS, DEMO_EXPECT_PPS } }, .givens = 1
	};
	struct rules_config rc = {
		.tolerance = 0.1, .episode = on_episode, .ctx = k
	};
	struct tabs_config tc = {
		.source = "eth0", .interval_ns = NSEC_PER_SEC,
		.seekable = seekable, .history = { .intervals = 200 },
		.user = name_user
	};

	memset(k, 0, sizeof(*k));
	player_init(&k->player, 1);
	if (recording)
		tc.player = &k->player;
	k->tabs = tabs_new(&tc);
	assert_non_null(k->tabs);
	rc.expect = k->expect = expect_new(&ec);
	k->rules = rules_new(&rc);
	assert_non_null(k->rules);
	k->cols = 80;
	k->rows = 24;
	k->utf8 = true;
}

void
tabskit_end(struct tabskit *k)
{
	rules_free(k->rules);
	expect_free(k->expect);
	tabs_free(k->tabs);
}

void
tabskit_demo(struct tabskit *k, int seconds)
{
	struct judgement v;

	while (seconds-- > 0) {
		assert_true(demo_next(&k->demo, &k->sample));
		rules_interval(k->rules, &k->sample, &v);
		tabs_sample(k->tabs, &k->sample, &v);
	}
}

void
tabskit_second(struct tabskit *k, int n)
{
	const struct judgement v = {
		.expect = EXPECT_WPS, .expect_value = 100,
		.has_verdict = true, .verdict = VERDICT_OK
	};
	struct sample *s = &k->sample;
	uint32_t writes = (uint32_t)n;
	struct sample_op *o;

	sample_clear(s);
	s->start_ns = (1796070000 + n) * NSEC_PER_SEC;
	s->length_ns = s->watched_ns = NSEC_PER_SEC;
	s->traffic[SAMPLE_IN].wire_packets = writes * 6;
	s->data[SAMPLE_WRITE].calls = writes;
	s->data[SAMPLE_WRITE].bytes = writes * 8192;
	s->rpc_calls = writes;
	o = sample_op(s, nfs_proc_op(NFS_PROG_NFS, 3, 7), 0, 0, 0);
	o->calls = o->replies = writes;
	tabs_sample(k->tabs, s, &v);
}

enum tabs_action
tabskit_key(struct tabskit *k, int key)
{
	enum tabs_action action = tabs_key(k->tabs, key, k->now_ns);

	tabskit_paint(k);
	return action;
}

enum tabs_action
tabskit_keys(struct tabskit *k, const char *keys)
{
	enum tabs_action action = TABS_NOTHING;

	for (; *keys != '\0'; keys++)
		action = tabskit_key(k, (unsigned char)*keys);
	return action;
}

void
tabskit_paint(struct tabskit *k)
{
	canvas_init(&k->canvas, k->cell, k->rows, k->cols, k->utf8);
	tabs_paint(k->tabs, &k->canvas);
}

const char *
tabskit_row(struct tabskit *k, int row)
{
	tabskit_paint(k);
	return canvas_row(&k->canvas, row < 0 ? k->rows + row : row, k->row,
	    sizeof(k->row));
}

bool
tabskit_has(struct tabskit *k, const char *text)
{
	int row;

	for (row = 0; row < k->rows; row++)
		if (strstr(tabskit_row(k, row), text) != NULL)
			return true;
	return false;
}

/* Of ASCII text in rows of ASCII. */
enum canvas_attr
tabskit_attr(struct tabskit *k, const char *text)
{
	const char *row, *at;
	const struct canvas_cell *cells;
	int i;

	for (i = 0; i < k->rows; i++) {
		row = tabskit_row(k, i);
		cells = k->cell + i * k->cols;
		if ((at = strstr(row, text)) != NULL)
			return (enum canvas_attr)cells[at - row].attr;
	}
	return CANVAS_ATTRS;
}

static void
write_screen(struct tabskit *k, const char *path)
{
	FILE *f = fopen(path, "w");
	int row;

	assert_non_null(f);
	for (row = 0; row < k->rows; row++)
		fprintf(f, "%s\n", tabskit_row(k, row));
	assert_int_equal(fclose(f), 0);
}

bool
tabskit_is(struct tabskit *k, const char *name)
{
	const char *how = getenv("SCREENS");
	char path[256], line[TABSKIT_COLS * 4 + 2];
	bool same = true;
	FILE *f;
	int row;

	snprintf(path, sizeof(path), "tests/screens/%s.txt", name);
	if (how != NULL && strcmp(how, "write") == 0)
		write_screen(k, path);
	f = fopen(path, "r");
	assert_non_null(f);
	for (row = 0; row < k->rows; row++) {
		if (fgets(line, sizeof(line), f) == NULL)
			line[0] = '\0';
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, tabskit_row(k, row)) == 0)
			continue;
		print_message("%s, line %d\n-%s\n+%s\n", path, row + 1, line,
		    tabskit_row(k, row));
		same = false;
	}
	same = same && fgets(line, sizeof(line), f) == NULL;
	fclose(f);
	return same;
}

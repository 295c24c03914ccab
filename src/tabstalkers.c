/* SPDX-License-Identifier: ISC */
/*
 * tabstalkers.c: the tabs of who talks: clients; files and users.
 */
#include "tabsstate.h"

#include <stdio.h>
#include <string.h>

enum value {
	CALLS, WRITES, WRITTEN, READS, READ, MEAN, ERRORS, RESENT, SHARE
};

#define REST \
	{ "calls/s", "calls", LIST_COUNT, CALLS, 9, 0, 1 }, \
	{ "share", NULL, LIST_PERCENT, SHARE, 6, 0, 4 }, \
	{ "WRITEs/s", "WRITEs", LIST_COUNT, WRITES, 9, 0, 4 }, \
	{ "write MB/s", "write MB", LIST_REAL, WRITTEN, 11, 2, 1 }, \
	{ "READs/s", "READs", LIST_COUNT, READS, 9, 0, 4 }, \
	{ "read MB/s", "read MB", LIST_REAL, READ, 10, 2, 2 }, \
	{ "ms", NULL, LIST_REAL, MEAN, 8, 2, 2 }, \
	{ "errors", NULL, LIST_COUNT, ERRORS, 7, 0, 3 }, \
	{ "resent", NULL, LIST_COUNT, RESENT, 7, 0, 3 }

static const struct list_column client_columns[] = {
	{ "client", NULL, LIST_TEXT, 0, 20, 0, 1 }, REST
};

static const struct list_column file_columns[] = {
	{ "file", NULL, LIST_TEXT, 0, 20, 0, 1 }, REST
};

#define COLUMNS		((int)(sizeof(client_columns) / \
	    sizeof(client_columns[0])))

const struct list_column *
tabs_clients_columns(int *n)
{
	*n = COLUMNS;
	return client_columns;
}

const struct list_column *
tabs_files_columns(int *n)
{
	*n = COLUMNS;
	return file_columns;
}

/* Calls that shares are of: those of all, not only of these rows. */
static double
all_calls(const struct tabs *t)
{
	return (double)(t->totals_shown ? t->totals->rpc_calls :
	    t->sample.rpc_calls);
}

static struct list_row *
add_row(const struct tabs *t, struct list *l, const struct sample_talker *k)
{
	const struct sample_talk *talk = t->totals_shown ? &k->total : &k->now;
	struct list_row *row = tabs_list_add(l);
	double per = tabs_per(t), calls = all_calls(t);

	if (row == NULL)
		return NULL;
	row->value[CALLS] = (double)talk->calls / per;
	row->value[SHARE] = calls > 0 ? (double)talk->calls / calls : -1;
	row->value[WRITES] = (double)talk->write_calls / per;
	row->value[WRITTEN] = (double)talk->write_bytes / 1e6 / per;
	row->value[READS] = (double)talk->read_calls / per;
	row->value[READ] = (double)talk->read_bytes / 1e6 / per;
	row->value[ERRORS] = (double)talk->errors;
	row->value[RESENT] = (double)talk->retransmits;
	if (talk->timed > 0)
		row->value[MEAN] = (double)talk->sum_us / (double)talk->timed /
		    1e3;
	return row;
}

static void
add_client(const struct tabs *t, struct list *l, const struct sample_client *k)
{
	struct list_row *row = add_row(t, l, &k->t);

	if (row != NULL)
		addr_print(&k->addr, row->text[0], TABS_TEXT_MAX);
}

void
tabs_clients(struct tabs *t, struct canvas *c, int top, int end)
{
	const struct sample_client *rows[TOPROWS_MAX];
	char title[TABS_TEXT_MAX];
	struct list l = {
		.column = client_columns, .columns = COLUMNS,
		.row = t->list_row, .title = title,
		.nothing = "no client in this interval"
	};
	uint32_t i, n;

	tabs_title(t, "client", title);
	if (t->totals_shown) {
		n = toprows_clients(t->totals->rows, rows, TOPROWS_MAX);
		for (i = 0; i < n; i++)
			add_client(t, &l, rows[i]);
	} else
		for (i = 0; i < t->sample.clients; i++)
			add_client(t, &l, &t->sample.client[i]);
	tabs_list_show(t, c, &l, top, end);
}

/* Its name, or the first bytes of its handle. */
static void
name_file(const struct sample_file *f, char buf[TABS_TEXT_MAX])
{
	uint32_t i, len = f->fh_len < sizeof(f->fh) ? f->fh_len :
	    (uint32_t)sizeof(f->fh);
	int at;

	if (f->name[0] != '\0') {
		snprintf(buf, TABS_TEXT_MAX, "%.*s", (int)sizeof(f->name),
		    f->name);
		return;
	}
	at = snprintf(buf, TABS_TEXT_MAX, "handle ");
	for (i = 0; i < len; i++)
		at += snprintf(buf + at, (size_t)(TABS_TEXT_MAX - at), "%02x",
		    f->fh[i]);
}

static void
add_file(const struct tabs *t, struct list *l, const struct sample_file *f)
{
	struct list_row *row = add_row(t, l, &f->t);

	if (row != NULL)
		name_file(f, row->text[0]);
}

static void
add_user(const struct tabs *t, struct list *l, const struct sample_user *u)
{
	struct list_row *row = add_row(t, l, &u->t);
	const char *name = NULL;

	if (row == NULL)
		return;
	if (t->config.user != NULL)
		name = t->config.user(t->config.ctx, u->uid);
	if (name != NULL)
		snprintf(row->text[0], TABS_TEXT_MAX, "%s (%u)", name, u->uid);
	else
		snprintf(row->text[0], TABS_TEXT_MAX, "uid %u", u->uid);
}

static void
collect_files(struct tabs *t, struct list *l)
{
	const struct sample_file *rows[TOPROWS_MAX];
	uint32_t i, n;

	if (t->totals_shown) {
		n = toprows_files(t->totals->rows, rows, TOPROWS_MAX);
		for (i = 0; i < n; i++)
			add_file(t, l, rows[i]);
	} else
		for (i = 0; i < t->sample.files; i++)
			add_file(t, l, &t->sample.file[i]);
}

static void
collect_users(struct tabs *t, struct list *l)
{
	const struct sample_user *rows[TOPROWS_MAX];
	uint32_t i, n;

	if (t->totals_shown) {
		n = toprows_users(t->totals->rows, rows, TOPROWS_MAX);
		for (i = 0; i < n; i++)
			add_user(t, l, rows[i]);
	} else
		for (i = 0; i < t->sample.users; i++)
			add_user(t, l, &t->sample.user[i]);
}

/*
 * Users have the bottom, as many rows as they need up to a third; the list of
 * files is what scrolls.
 */
void
tabs_files(struct tabs *t, struct canvas *c, int top, int end)
{
	char title[TABS_TEXT_MAX], user_title[TABS_TEXT_MAX];
	struct list users = {
		.column = file_columns, .columns = COLUMNS,
		.row = t->list_row, .title = user_title,
		.nothing = "no user in this interval"
	};
	struct list files = {
		.column = file_columns, .columns = COLUMNS,
		.row = t->list_row, .title = title,
		.nothing = "no file in this interval"
	};
	struct list_scroll scroll;
	int room = (end - top) / 3;

	tabs_title(t, "file", title);
	tabs_title(t, "user", user_title);
	collect_users(t, &users);
	if (room > (int)users.n + 1)
		room = (int)users.n + 1;
	if (room < 2)
		room = 0;
	collect_files(t, &files);
	tabs_list_show(t, c, &files, top, end - room);
	if (room == 0)
		return;
	/* The room for rows is the same: they are collected once more. */
	scroll = t->scroll[t->tab];
	t->scroll[t->tab].top = 0;
	users.n = 0;
	users.least = files.least;
	collect_users(t, &users);
	tabs_list_show(t, c, &users, end - room, end);
	t->scroll[t->tab] = scroll;
}

/* SPDX-License-Identifier: ISC */
/*
 * oplist.c: operations in the order in which they are shown.
 */
#include "oplist.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
compare(const void *x, const void *y)
{
	const struct totals_op *a, *b;
	int r;

	memcpy(&a, x, sizeof(a));
	memcpy(&b, y, sizeof(b));
	if ((r = order(a->prog, b->prog)) == 0 &&
	    (r = order(a->vers, b->vers)) == 0 &&
	    (r = order(a->op, b->op)) == 0)
		r = order(a->proc, b->proc);
	return r;
}

static void
sort(struct oplist *l)
{
	qsort(l->op, l->n, sizeof(l->op[0]), compare);
}

static bool
is_used(const struct totals_op *o)
{
	return (o->calls | o->replies | o->errors | o->retransmits |
	    o->bytes | o->timed) != 0;
}

static void
copy_row(struct totals_op *row, const struct sample_op *o)
{
	const struct nfs_program *p = nfs_program_of(o->op);

	*row = (struct totals_op){ .op = o->op, .prog = o->prog,
	    .vers = o->vers, .proc = o->proc, .calls = o->calls,
	    .replies = o->replies, .errors = o->errors,
	    .retransmits = o->retransmits, .hidden = o->hidden,
	    .timed = o->timed, .sum_us = o->sum_us, .bytes = o->bytes,
	    .max_us = o->max_us };
	if (p != NULL) {
		row->prog = p->prog;
		row->vers = p->vers;
	}
}

void
oplist_of_sample(struct oplist *l, const struct sample *s)
{
	uint32_t i;

	l->n = 0;
	for (i = 0; i < s->ops; i++) {
		copy_row(&l->row[i], &s->op[i]);
		if (is_used(&l->row[i]))
			l->op[l->n++] = &l->row[i];
	}
	sort(l);
}

void
oplist_of_totals(struct oplist *l, const struct totals *t)
{
	uint32_t i;

	l->n = 0;
	for (i = 0; i < NFS_OP_COUNT; i++)
		if (is_used(&t->op[i]))
			l->op[l->n++] = &t->op[i];
	for (i = 0; i < t->others; i++)
		if (is_used(&t->other[i]))
			l->op[l->n++] = &t->other[i];
	sort(l);
}

const char *
oplist_key(const struct totals_op *o, char buf[OPLIST_NAME])
{
	const struct nfs_program *p = nfs_program_find(o->prog, o->vers);

	if (p != NULL)
		return p->key;
	snprintf(buf, OPLIST_NAME, "%u.%u", o->prog, o->vers);
	return buf;
}

const char *
oplist_name(const struct totals_op *o, char buf[OPLIST_NAME])
{
	if (o->op < NFS_OP_COUNT)
		return nfs_op_name(o->op);
	snprintf(buf, OPLIST_NAME, "PROC_%u", o->proc);
	return buf;
}

bool
oplist_same_program(const struct totals_op *a, const struct totals_op *b)
{
	return a->prog == b->prog && a->vers == b->vers;
}

bool
oplist_has_bytes(const struct totals_op *o)
{
	return o->hidden == 0 || o->hidden < o->calls;
}

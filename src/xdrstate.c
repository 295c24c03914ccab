/* SPDX-License-Identifier: ISC */
/* xdrstate.c: moves through XDR programs and the pieces of a message. */
#include "xdrstate.h"

const uint8_t *
xdrstate_gather_cut(struct xdrstate *x, struct bytes *piece, size_t n)
{
	size_t part = n - x->carried;

	if (part > piece->len)
		part = piece->len;
	(void)bytes_copy(piece, x->carry + x->carried, part);
	x->carried = (uint8_t)(x->carried + part);
	if (x->carried < n)
		return NULL;
	x->carried = 0;
	return x->carry;
}

bool
xdrstate_opaque(struct xdrstate *x, const struct xdr_step *s, uint32_t len)
{
	if (len > s->limit || len > UINT32_MAX - 3)
		return false;
	x->skip = (len + 3) & ~UINT32_C(3);
	return true;
}

bool
xdrstate_fixed(struct xdrstate *x, const struct xdr_step *s, uint32_t count)
{
	if (count > s->limit || count > UINT32_MAX / s->what)
		return false;
	x->skip = count * s->what;
	return true;
}

bool
xdrstate_call(struct xdrstate *x, uint16_t program)
{
	if (x->depth + 1 >= XDRSTATE_DEPTH)
		return false;
	x->depth++;
	x->frames[x->depth].back = x->pc;
	x->pc = program;
	return true;
}

bool
xdrstate_choose(struct xdrstate *x, uint32_t word)
{
	const struct xdr_step *arm = xdrstate_step(x), *last;

	while (arm->kind == XDR_CASE && arm->limit != word)
		arm++;
	for (last = arm; last->kind == XDR_CASE; last++)
		;
	x->pc = (uint16_t)(last + 1 - xdr_steps);
	return xdrstate_call(x, arm->program);
}

bool
xdrstate_each(struct xdrstate *x, uint16_t program)
{
	struct xdrstate_frame *f = &x->frames[x->depth];

	if (f->left == 0) {
		x->pc++;
		return true;
	}
	f->left--;
	return xdrstate_call(x, program);
}

uint32_t
xdrstate_to_data(const struct xdrstate *x)
{
	const struct xdr_step *s = xdrstate_step(x);
	uint32_t n = x->skip - x->carried;

	for (; s->kind != XDR_DATA && s->kind != XDR_END; s++) {
		if (s->kind == XDR_WORD)
			n += 4;
		else if (s->kind == XDR_SKIP)
			n += s->limit;
		else if (s->kind == XDR_HYPER)
			n += 8;
		else
			return 0;
	}
	return n + 4;
}

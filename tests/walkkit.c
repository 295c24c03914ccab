/* SPDX-License-Identifier: ISC */
/*
 * walkkit.c: messages from text, walks to text; see walkkit.h.
 */
#include "walkkit.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rpcwalk.h"
#include "testkit.h"

#define MESSAGE_MAX	16384
#define WALK_MAX	16384

struct writing {
	char		text[WALK_MAX];
	size_t		len;
	const struct walkkit_call *call;
	unsigned int	headers;
	unsigned int	next_index;	/* operations come in order */
	bool		cut;		/* one was cut: the last */
};

/* Messages from text. */

struct reading {
	uint8_t		*buf;
	size_t		 len, size;
};

static void
put(struct reading *r, uint64_t value, unsigned int bytes)
{
	while (bytes-- > 0) {
		assert_true(r->len < r->size);
		r->buf[r->len++] = (uint8_t)(value >> (8 * bytes));
	}
}

static const char *
put_string(struct reading *r, const char *p)
{
	const char *end = strchr(p, '\'');
	size_t i, n;

	assert_non_null(end);
	n = (size_t)(end - p);
	put(r, n, 4);
	for (i = 0; i < n; i++)
		put(r, (uint8_t)p[i], 1);
	while (n++ % 4 != 0)
		put(r, 0, 1);
	return end + 1;
}

static const char *
put_filler(struct reading *r, const char *p)
{
	char *end;
	unsigned long n = strtoul(p, &end, 10);

	assert_int_equal(*end, '>');
	while (n-- > 0)
		put(r, 0xee, 1);
	return end + 1;
}

static const char *
put_hex(struct reading *r, const char *p)
{
	char digits[3] = { p[0], p[1], '\0' }, *end;
	unsigned long byte = strtoul(digits, &end, 16);

	assert_ptr_equal(end, digits + 2);
	put(r, byte, 1);
	return p + 2;
}

size_t
walkkit_bytes(const char *text, uint8_t *buf, size_t size)
{
	struct reading r = { buf, 0, size };
	const char *p = text;
	char *end;

	while (*p != '\0') {
		if (isspace((unsigned char)*p)) {
			p++;
		} else if (*p == '#' || *p == '@') {
			put(&r, strtoull(p + 1, &end, 10), *p == '#' ? 4 : 8);
			p = end;
		} else if (*p == '\'') {
			p = put_string(&r, p + 1);
		} else if (*p == '<') {
			p = put_filler(&r, p + 1);
		} else
			p = put_hex(&r, p);
	}
	return r.len;
}

/* Walks to text. */

static void write_down(struct writing *, const char *, ...)
    __attribute__((format(printf, 2, 3)));

static void
write_down(struct writing *w, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(w->text + w->len, sizeof(w->text) - w->len, format, ap);
	va_end(ap);
	assert_true(n >= 0 && (size_t)n < sizeof(w->text) - w->len);
	w->len += (size_t)n;
}

static void
write_flavor(struct writing *w, const struct rpc_header *h)
{
	static const char *const services[] = {
		"", "-none", "-integrity", "-privacy", "-control"
	};

	if (h->flavor == RPC_AUTH_NONE)
		write_down(w, " none");
	else if (h->flavor == RPC_AUTH_SYS)
		write_down(w, " sys");
	else
		write_down(w, " %u", (unsigned int)h->flavor);
	assert_true(h->service <= RPC_SVC_CONTROL);
	write_down(w, "%s", services[h->service]);
	if (h->has_uid)
		write_down(w, " uid=%u", (unsigned int)h->uid);
}

static void
on_header(void *ctx, struct rpcwalk *walk, const struct rpc_header *h)
{
	struct writing *w = ctx;
	const struct walkkit_call *c = w->call;

	assert_int_equal(w->headers++, 0);
	write_down(w, "%s %u", h->reply ? "reply" : "call",
	    (unsigned int)h->xid);
	if (!h->reply) {
		write_down(w, " %u.%u.%u", (unsigned int)h->prog,
		    (unsigned int)h->vers, (unsigned int)h->proc);
		write_flavor(w, h);
	} else if (h->outcome != RPC_SUCCESS)
		write_down(w, " %s %u", h->outcome == RPC_DENIED ?
		    "denied" : "error", (unsigned int)h->accept_stat);
	write_down(w, " | ");
	if (h->reply && c != NULL && c->prog != 0)
		rpcwalk_expect(walk, c->prog, c->vers, c->proc, c->service);
}

static void
write_texts(struct writing *w, const struct rpc_op *op)
{
	unsigned int i;

	if (op->fh_len > 0)
		write_down(w, " fh=");
	for (i = 0; i < op->fh_len; i++)
		write_down(w, "%02x", op->fh[i]);
	if (op->name_len > 0)
		write_down(w, " name=%.*s", op->name_len, op->name);
	if (op->name2_len > 0)
		write_down(w, " name2=%.*s", op->name2_len, op->name2);
	if (op->name_cut)
		write_down(w, "~");
}

static void
write_numbers(struct writing *w, const struct rpc_op *op)
{
	if (op->has_count)
		write_down(w, " n=%u", (unsigned int)op->count);
	if (op->has_offset)
		write_down(w, " o=%llu", (unsigned long long)op->offset);
	if (op->has_stable)
		write_down(w, " s=%u", (unsigned int)op->stable);
	if (op->has_verifier)
		write_down(w, " v=%016llx", (unsigned long long)op->verifier);
	if (op->has_slot)
		write_down(w, " slot=%u/%u", (unsigned int)op->slot,
		    (unsigned int)op->highest_slot);
	if (op->map_prog != 0)
		write_down(w, " map=%u.%u/%u", (unsigned int)op->map_prog,
		    (unsigned int)op->map_vers, (unsigned int)op->map_prot);
	if (op->port != 0)
		write_down(w, " port=%u", (unsigned int)op->port);
	if (op->data_at != 0)
		write_down(w, " data@%u", (unsigned int)op->data_at);
}

static void
on_op(void *ctx, struct rpcwalk *walk, const struct rpc_op *op)
{
	struct writing *w = ctx;

	(void)walk;
	assert_int_equal(w->headers, 1);
	assert_false(w->cut);
	assert_true(op->op == NFS_OP_NONE || op->op < NFS_OP_COUNT);
	assert_true(op->fh_len <= RPCWALK_FH_MAX);
	assert_true(op->name_len <= RPCWALK_NAME_MAX);
	assert_true(op->name2_len <= RPCWALK_NAME_MAX);
	if (op->in_compound)
		assert_int_equal(op->index, w->next_index++);
	if (op->op == NFS_OP_NONE)
		write_down(w, "?%u", (unsigned int)op->opnum);
	else
		write_down(w, "%s", nfs_op_name(op->op));
	if (op->has_status)
		write_down(w, "/%u", (unsigned int)op->status);
	write_numbers(w, op);
	write_texts(w, op);
	if (op->cut)
		write_down(w, " cut");
	write_down(w, " | ");
	w->cut = op->cut;
}

static const struct rpcwalk_listener listener = { on_header, on_op };

/* How a walk ended; nothing for a good end. */
static void
write_end(struct writing *w, const struct rpcwalk *walk)
{
	static const char *const notes[] = {
		"", "ENCRYPTED", "UNKNOWN", "BAD", "NOT RPC"
	};

	assert_int_not_equal(walk->state, RPCWALK_HEADER);
	assert_int_not_equal(walk->state, RPCWALK_BODY);
	assert_int_equal(rpcwalk_indifferent(walk), UINT32_MAX);
	if (walk->state == RPCWALK_CUT) {
		assert_int_equal(rpcwalk_note(walk), RPCWALK_NOTE_NONE);
		write_down(w, "CUT");
	}
	write_down(w, "%s", notes[rpcwalk_note(walk)]);
}

static void
begin(struct writing *w, struct rpcwalk *walk, const struct walkkit_call *c)
{
	w->text[0] = '\0';
	w->len = 0;
	w->call = c;
	w->headers = 0;
	w->next_index = 0;
	w->cut = false;
	memset(walk, 0x5a, sizeof(*walk));
	rpcwalk_start(walk);
}

static void
finish(struct writing *w, struct rpcwalk *walk)
{
	rpcwalk_end(walk, &listener, w);
	write_end(w, walk);
	rpcwalk_end(walk, &listener, w);	/* once more changes nothing */
}

/* Feeds a copy that ends where its heap block ends. */
static void
feed(struct writing *w, struct rpcwalk *walk, const uint8_t *data, size_t len)
{
	uint8_t *copy = testkit_copy(data, len);

	rpcwalk_feed(walk, copy, len, &listener, w);
	testkit_free(copy);
}

/* The ways. */

static void
cut_in_two(struct writing *w, const uint8_t *data, size_t len, size_t at,
    const struct walkkit_call *c)
{
	struct rpcwalk walk;

	begin(w, &walk, c);
	feed(w, &walk, data, at);
	feed(w, &walk, data + at, len - at);
	finish(w, &walk);
}

static void
in_pieces(struct writing *w, const uint8_t *data, size_t len, size_t piece,
    const struct walkkit_call *c)
{
	struct rpcwalk walk;
	size_t n;

	begin(w, &walk, c);
	for (; len > 0; len -= n, data += n) {
		n = piece < len ? piece : len;
		feed(w, &walk, data, n);
	}
	finish(w, &walk);
}

/* Byte by byte, but what makes no difference is not shown. */
static void
without_indifferent(struct writing *w, const uint8_t *data, size_t len,
    const struct walkkit_call *c)
{
	struct rpcwalk walk;
	uint32_t n;

	begin(w, &walk, c);
	while (len > 0) {
		n = rpcwalk_indifferent(&walk);
		if (n > len)
			n = (uint32_t)len;
		if (n > 0)
			rpcwalk_skip(&walk, n, &listener, w);
		else
			feed(w, &walk, data, n = 1);
		data += n;
		len -= n;
	}
	finish(w, &walk);
}

/*
 * A prefix gives the beginning of the whole walk, then perhaps an operation
 * that is cut.  It ends well only if it gave all of the walk.
 */
static void
assert_prefix(const uint8_t *data, size_t len, const struct walkkit_call *c,
    const char *whole)
{
	static struct writing w;
	struct rpcwalk walk;
	size_t told;

	begin(&w, &walk, c);
	feed(&w, &walk, data, len);
	assert_memory_equal(w.text, whole, w.len);
	told = w.len;
	finish(&w, &walk);
	if (walk.state == RPCWALK_DONE)
		assert_string_equal(w.text, whole);
	else if (walk.state == RPCWALK_CUT)
		assert_string_equal(w.text + w.len - 3, "CUT");
	else
		assert_string_equal(w.text, whole);
	assert_true(told <= w.len);
}

/* Whatever the walk is now, it is the same when the message is cut. */
static void
flipped(void *ctx, struct bytes b, size_t bit)
{
	static struct writing whole, parts;

	cut_in_two(&whole, b.data, b.len, b.len, ctx);
	cut_in_two(&parts, b.data, b.len, bit * 7 % b.len, ctx);
	assert_string_equal(parts.text, whole.text);
}

void
walkkit_assert_bytes(const uint8_t *message, size_t len,
    const struct walkkit_call *c, const char *walk)
{
	static struct writing w;
	struct walkkit_call none = { 0, 0, 0, 0 }, call = c ? *c : none;
	size_t at;

	for (at = 0; at <= len; at++) {
		cut_in_two(&w, message, len, at, c);
		assert_string_equal(w.text, walk);
	}
	in_pieces(&w, message, len, 1, c);
	assert_string_equal(w.text, walk);
	without_indifferent(&w, message, len, c);
	assert_string_equal(w.text, walk);
	for (at = 0; at < len; at++)
		assert_prefix(message, at, c, walk);
	for_every_bit_flip(message, len, flipped, &call);
}

void
walkkit_assert(const char *message, const struct walkkit_call *c,
    const char *walk)
{
	uint8_t buf[MESSAGE_MAX];
	size_t len = walkkit_bytes(message, buf, sizeof(buf));

	walkkit_assert_bytes(buf, len, c, walk);
}

const char *
walkkit_walk(const char *message, const struct walkkit_call *c, size_t seen,
    char *buf, size_t size)
{
	static struct writing w;
	uint8_t bytes[MESSAGE_MAX];
	size_t len = walkkit_bytes(message, bytes, sizeof(bytes));
	struct rpcwalk walk;

	assert_true(seen <= len);
	begin(&w, &walk, c);
	feed(&w, &walk, bytes, seen);
	rpcwalk_skip(&walk, (uint32_t)(len - seen), &listener, &w);
	finish(&w, &walk);
	(void)snprintf(buf, size, "%s", w.text);
	return buf;
}

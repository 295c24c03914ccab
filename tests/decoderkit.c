/* SPDX-License-Identifier: ISC */
/*
 * decoderkit.c: a decoder between a client and a server, see decoderkit.h.
 */
#include "decoderkit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct decoderkit *
decoderkit_new(const struct decoder_config *config)
{
	struct decoderkit *k = calloc(1, sizeof(*k));
	struct decoder_config usual;

	assert_non_null(k);
	decoder_config_init(&usual);
	k->d = decoder_new(config != NULL ? config : &usual,
	    eventkit_listener(), &k->e);
	assert_non_null(k->d);
	k->p = packetkit_new();
	k->m = rpckit_new();
	return k;
}

void
decoderkit_free(struct decoderkit *k)
{
	decoder_free(k->d);
	free(k->p);
	free(k->m);
	free(k);
}

void
decoderkit_forget(struct decoderkit *k)
{
	eventkit_clear(&k->e);
}

void
decoderkit_segments(struct decoderkit *k, int dir, size_t size,
    int64_t time_ns)
{
	size_t at, n;

	for (at = 0; at < k->m->len; at += n) {
		n = k->m->len - at < size ? k->m->len - at : size;
		packetkit_send(k->p, k->d, dir, k->m->data + at, (uint32_t)n,
		    time_ns);
	}
}

void
decoderkit_other_port(struct decoderkit *k, uint16_t port)
{
	k->p->port[CLIENT] = port;
	k->p->seq[CLIENT] += 0x01234567;
	k->p->seq[SERVER] += 0x07654321;
}

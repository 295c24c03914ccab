/* SPDX-License-Identifier: ISC */
/*
 * target_frame.c: fuzz target: frames of any link type through a decoder.
 *
 * A script: settings, link type; then for each frame how long after the last
 * one it came, by how much it was cut, its length, its bytes.
 */
#include "fuzzkit.h"

#include "fuzzears.h"

enum { SOURCES = 1, SERVER = 2, MTU = 4, ADVANCE = 8, BACK = 16 };

static int
linktype(uint8_t choice)
{
	static const int types[] = {
		1,	/* Ethernet */
		0, 108,	/* BSD null, loop */
		12, 14, 101, 228, 229,	/* raw IP */
		113, 276,	/* Linux cooked, v2 */
		242,	/* IP over InfiniBand */
		219,	/* MPLS */
		105	/* 802.11: not in the table */
	};

	return types[choice % (sizeof(types) / sizeof(types[0]))];
}

static void
settings(struct decoder_config *config, uint8_t flags)
{
	const uint8_t server[4] = { 10, 77, 0, 1 };

	fuzzears_config(config);
	config->many_sources = (flags & SOURCES) != 0;
	config->mtu = (flags & MTU) != 0 ? 1500 : 0;
	if ((flags & SERVER) != 0) {
		addr_from_ipv4(&config->server[0], server);
		config->servers = 1;
	}
}

/* 0 to 255 ms; beyond 250, some seconds. */
static int64_t
step(uint8_t v, bool back)
{
	if (v > 250)
		return (back ? -1 : 20) * (v - 250) * NSEC_PER_SEC;
	return v * NSEC_PER_MSEC;
}

void
target_frame(const uint8_t *data, size_t len)
{
	struct bytes script = bytes_of(data, len);
	uint8_t flags = fuzzkit_u8(&script);
	struct packet p = { .linktype = linktype(fuzzkit_u8(&script)) };
	struct decoder_config config;
	uint64_t pushed = 0, cut = 0;
	struct fuzzears ears;
	struct decoder *d;
	uint16_t more;

	settings(&config, flags);
	d = fuzzears_decoder(&ears, &config);
	while (script.len > 0) {
		p.time_ns += step(fuzzkit_u8(&script), (flags & BACK) != 0);
		more = fuzzkit_u16(&script);
		p.data = fuzzkit_part(&script, fuzzkit_u16(&script));
		p.wire_len = (uint32_t)p.data.len + more;
		p.ifindex = (uint16_t)(pushed & 1);
		fuzzears_push(&ears, d, &p);
		pushed++;
		cut += more > 0;
		if ((flags & ADVANCE) != 0)
			decoder_advance(d, p.time_ns + NSEC_PER_SEC);
	}
	FUZZ_CHECK(ears.packets == pushed);
	FUZZ_CHECK(ears.counter[SAMPLE_TRUNCATED] == cut);
	fuzzears_end(&ears, d);
}

/* SPDX-License-Identifier: ISC */
/*
 * target_capture.c: fuzz target: a capture file, packed or not, all the way
 * to the rows, JSON and report that are made of it.
 *
 * Every packet that the file gave must be in the totals, and whatever names
 * the packets had in them, JSON must be JSON and text must be text.
 */
#include "fuzzkit.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "fuzzears.h"
#include "json.h"
#include "pcapsource.h"
#include "report.h"
#include "sampler.h"
#include "view.h"

#define BATCH		64
#define BATCHES_MAX	64
#define SHOWN_MAX	16	/* intervals */
#define INTERVAL_NS	(600 * NSEC_PER_SEC)

struct desk {
	struct decoder	*decoder;
	struct sampler	*sampler;
	struct talkers	*talkers;
	struct totals	*totals;
	struct textbuf	 text;
	uint64_t	 packets, bytes, shown, seq;
	int64_t		 latest_ns;
};

static void
on_packet(void *ctx, const struct packet *p)
{
	struct desk *k = ctx;

	FUZZ_CHECK(p->wire_len >= p->data.len);
	FUZZ_CHECK(p->ifindex == 0);
	sampler_time(k->sampler, p->time_ns);
	decoder_push(k->decoder, p);
	k->latest_ns = p->time_ns;
	k->packets++;
	k->bytes += p->wire_len;
}

static void
on_step(void *ctx)
{
	struct desk *k = ctx;

	decoder_flush(k->decoder);
}

/* One line, one object, and nothing twice in it. */
static void
check_json(struct textbuf *t)
{
	json_t *root;

	FUZZ_CHECK(!t->failed && t->len > 0);
	FUZZ_CHECK(memchr(t->data, '\n', t->len) == t->data + t->len - 1);
	root = json_loadb(t->data, t->len, JSON_REJECT_DUPLICATES, NULL);
	FUZZ_CHECK(root != NULL);
	json_decref(root);
	textbuf_clear(t);
}

/* Nothing in it can drive a terminal. */
static void
check_text(struct textbuf *t)
{
	size_t i;

	FUZZ_CHECK(!t->failed && t->len > 0);
	FUZZ_CHECK(t->data[t->len - 1] == '\n');
	for (i = 0; i < t->len; i++)
		FUZZ_CHECK(t->data[i] == '\n' || ((uint8_t)t->data[i] >= ' ' &&
		    t->data[i] != 0x7f));
	textbuf_clear(t);
}

static void
on_sample(void *ctx, struct sample *s)
{
	const struct view_options view = { .interval_ns = INTERVAL_NS };
	struct desk *k = ctx;

	FUZZ_CHECK(s->length_ns > 0 && s->watched_ns >= 0);
	FUZZ_CHECK(s->seq == k->seq++);
	FUZZ_CHECK(sample_trust(s) >= 0 && sample_trust(s) <= 1);
	totals_add(k->totals, s);
	if (k->shown++ >= SHOWN_MAX)
		return;
	json_second(&k->text, s, NULL);
	check_json(&k->text);
	view_row(&k->text, &view, s, NULL);
	check_text(&k->text);
}

static void
open_desk(struct desk *k)
{
	const struct talkers_config talkers = { .clients = 8, .users = 4,
	    .files = 8, .calls = 16 };
	struct sampler_config sampler = { .interval_ns = INTERVAL_NS,
	    .emit = on_sample, .step = on_step, .ctx = k };
	struct decoder_config decoder;

	memset(k, 0, sizeof(*k));
	fuzzears_config(&decoder);
	k->totals = totals_new();
	k->talkers = sampler.talkers = talkers_new(&talkers);
	k->sampler = sampler_new(&sampler);
	FUZZ_CHECK(k->totals != NULL && k->talkers != NULL &&
	    k->sampler != NULL);
	k->decoder = decoder_new(&decoder, sampler_listener(), k->sampler);
	FUZZ_CHECK(k->decoder != NULL);
}

static void
close_desk(struct desk *k)
{
	uint64_t packets = 0, bytes = 0;
	int d;

	decoder_flush(k->decoder);
	sampler_finish(k->sampler, k->latest_ns);
	for (d = 0; d < SAMPLE_DIRECTIONS; d++) {
		packets += k->totals->traffic[d].packets;
		bytes += k->totals->traffic[d].bytes;
	}
	FUZZ_CHECK(packets == k->packets && bytes == k->bytes);
	totals_talkers(k->totals, k->talkers);
	json_summary(&k->text, k->totals, NULL, 0);
	check_json(&k->text);
	report_text(&k->text, k->totals, NULL, "file");
	check_text(&k->text);
	decoder_free(k->decoder);
	sampler_free(k->sampler);
	talkers_free(k->talkers);
	totals_free(k->totals);
	textbuf_free(&k->text);
}

/* Everything, or as much as time allows. */
static void
read_all(struct pcapsource *s, const struct desk *k)
{
	enum pcapsource_result r = PCAPSOURCE_MORE;
	int batches;

	for (batches = 0; r == PCAPSOURCE_MORE && batches < BATCHES_MAX;
	    batches++)
		r = pcapsource_read(s);
	FUZZ_CHECK(r != PCAPSOURCE_SOME);
	FUZZ_CHECK(pcapsource_packets(s) == k->packets);
	if (r == PCAPSOURCE_FAILED)
		fuzzkit_check_line(pcapsource_error(s), PCAPSOURCE_ERROR_MAX);
}

void
target_capture(const uint8_t *data, size_t len)
{
	char path[FUZZKIT_PATH_MAX], err[PCAPSOURCE_ERROR_MAX];
	int fd = fuzzkit_file(data, len);
	struct pcapsource_config config;
	enum pcapsource_fault fault;
	struct pcapsource *s;
	struct desk k;

	fuzzkit_quiet();
	open_desk(&k);
	pcapsource_config_init(&config);
	config.packet = on_packet;
	config.ctx = &k;
	config.batch = BATCH;
	s = pcapsource_open_file(&config, fuzzkit_path(fd, path), &fault, err);
	if (s == NULL)
		fuzzkit_check_line(err, sizeof(err));
	else
		read_all(s, &k);
	close_desk(&k);
	pcapsource_close(s);
	close(fd);
}

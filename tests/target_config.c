/* SPDX-License-Identifier: ISC */
/*
 * target_config.c: fuzz target: options from a configuration file and from a
 * command line.
 *
 * The first byte says how much of the rest is the command line, whose words
 * end in newlines; what is left is the file.
 */
#include "fuzzkit.h"

#include <string.h>
#include <unistd.h>

#include "options.h"
#include "packet.h"

#define WORDS_MAX	32
#define WORD_MAX	256

static void
check_message(const char *text)
{
	size_t len = strnlen(text, OPTIONS_ERROR_MAX);

	FUZZ_CHECK(len > 0 && len < OPTIONS_ERROR_MAX);
}

static void
check_sources(const struct options *o)
{
	FUZZ_CHECK(o->interfaces <= OPTIONS_INTERFACES_MAX);
	FUZZ_CHECK((o->interfaces > 0) + (o->read != NULL) +
	    (o->play != NULL) + (o->netstat != NULL) + o->demo <= 1);
	FUZZ_CHECK(o->servers <= OPTIONS_SERVERS_MAX);
	FUZZ_CHECK(o->ports >= 1 && o->ports <= OPTIONS_PORTS_MAX);
	FUZZ_CHECK(o->port[0] != 0 && o->port[o->ports - 1] != 0);
}

static void
check_values(const struct options *o)
{
	uint32_t i;

	FUZZ_CHECK(o->interval_ns >= NSEC_PER_SEC / 10);
	FUZZ_CHECK(o->interval_ns <= 3600 * NSEC_PER_SEC);
	FUZZ_CHECK(o->interval_ns % NSEC_PER_MSEC == 0);
	FUZZ_CHECK(o->snaplen > 0 && o->snaplen <= 262144);
	FUZZ_CHECK(o->buffer_mib > 0);
	FUZZ_CHECK(!(o->text && o->json));
	FUZZ_CHECK(o->expects <= OPTIONS_EXPECT_MAX);
	FUZZ_CHECK(o->link_bps >= 0 && o->link_bps < 1e18);
	FUZZ_CHECK(o->tolerance_percent >= 0 && o->tolerance_percent <= 100);
	FUZZ_CHECK(o->of_last.m >= 1 && o->of_last.m <= o->of_last.n &&
	    o->of_last.n <= 3600);
	for (i = 0; i < o->expects; i++)
		FUZZ_CHECK(o->expect[i].value >= 0 &&
		    o->expect[i].value < 1e18);
}

/* Words that name a file are left out: the host's files are not ours. */
static bool
names_a_file(const char *word)
{
	if (word[0] != '-')
		return false;
	return word[1] == '-' ? word[2] == 'c' :
	    strchr(word, 'c') != NULL;
}

/* The words of the command line, each with a place of its own. */
static int
make_words(char words[WORDS_MAX][WORD_MAX], struct bytes line, int argc)
{
	struct bytes word;
	const uint8_t *end;

	while (line.len > 0 && argc < WORDS_MAX - 1) {
		end = memchr(line.data, '\n', line.len);
		word = fuzzkit_part(&line, end != NULL ?
		    (size_t)(end - line.data) : line.len);
		fuzzkit_u8(&line);
		bytes_trim(&word, WORD_MAX - 1);
		if (word.len > 0)
			memcpy(words[argc], word.data, word.len);
		words[argc][word.len] = '\0';
		argc += !names_a_file(words[argc]);
	}
	return argc;
}

void
target_config(const uint8_t *data, size_t len)
{
	static char words[WORDS_MAX][WORD_MAX];
	struct bytes script = bytes_of(data, len);
	struct bytes line = fuzzkit_part(&script, fuzzkit_u8(&script));
	char err[OPTIONS_ERROR_MAX], *argv[WORDS_MAX + 1];
	int i, argc, fd = fuzzkit_file(script.data, script.len);
	struct options o;

	strcpy(words[0], "nfsrated");
	strcpy(words[1], "--config");
	fuzzkit_path(fd, words[2]);
	argc = make_words(words, line, script.len > 0 ? 3 : 1);
	for (i = 0; i < argc; i++)
		argv[i] = words[i];
	argv[argc] = NULL;
	options_init(&o);
	memset(err, 0xaa, sizeof(err));
	if (options_parse(&o, argc, argv, err) != 0)
		check_message(err);
	else if (!o.help && !o.version) {
		check_sources(&o);
		check_values(&o);
	}
	options_clear(&o);
	close(fd);
}

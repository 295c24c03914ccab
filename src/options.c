/* SPDX-License-Identifier: ISC */
/*
 * options.c: the command line and the configuration file to a struct.
 */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packet.h"
#include "words.h"

#define FILE_MAX	(64 * 1024)	/* bytes of a configuration file */
#define INTERVAL_MIN	0.1		/* seconds */
#define INTERVAL_MAX	3600
#define COUNT_MAX	INT64_C(1000000000000)
#define LONG_BASE	0x100		/* getopt's value of the first entry */
#define COLUMN_WIDTH	41		/* of the first column of the help */
#define HELP_LINES	48		/* in a column */

/* What the command line has given. */
struct given {
	bool	entry[OPTIONS_MAX];
	bool	only[OPTION_ONLIES];
};

static int	fail(char *err, const char *fmt, ...)
		    __attribute__((format(printf, 2, 3)));

static int
fail(char *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, OPTIONS_ERROR_MAX, fmt, ap);
	va_end(ap);
	return -1;
}

void
options_init(struct options *o)
{
	memset(o, 0, sizeof(*o));
	o->interval_ns = NSEC_PER_SEC;
	o->snaplen = 262144;
	o->buffer_mib = 16;
	o->speed = -1;
	o->tolerance_percent = 10;
	o->of_last = (struct of_last){ 3, 5 };
	o->alert_timeout = 30;
	o->alert_limit = 60;
	o->recorder_files = 20;
	o->sandbox = SANDBOX_KILL;
	o->recorder_mib = 256;
}

void
options_clear(struct options *o)
{
	free(o->file_text);
	memset(o, 0, sizeof(*o));
}

static size_t
index_of(const struct option_entry *e)
{
	size_t n;

	return (size_t)(e - option_table(&n));
}

/* One option with its value, wherever it stood. */
static int
take(struct options *o, const struct option_entry *e, const char *text,
    char *err)
{
	char why[OPTVALUE_ERROR_MAX];

	if (e->parse(o, e, text, why) != 0)
		return fail(err, "option --%s: %s", e->name, why);
	if (e->later)
		return fail(err, "option --%s is not implemented in this "
		    "build", e->name);
	return 0;
}

/* The configuration file. */

/* Takes over fd. */
static char *
read_file(const char *name, int fd, char *err)
{
	size_t len = 0;
	ssize_t n = 0;
	char *text;

	if ((text = malloc(FILE_MAX + 1)) == NULL) {
		fail(err, "%s: %s", name, strerror(errno));
		close(fd);
		return NULL;
	}
	while (len < FILE_MAX &&
	    (n = read(fd, text + len, FILE_MAX - len)) > 0)
		len += (size_t)n;
	if (n < 0)
		fail(err, "%s: %s", name, strerror(errno));
	else if (len == FILE_MAX || memchr(text, '\0', len) != NULL)
		fail(err, "%s: is no configuration file", name);
	close(fd);
	text[len] = '\0';
	if (n >= 0 && len < FILE_MAX && strlen(text) == len)
		return text;
	free(text);
	return NULL;
}

static const struct option_entry *
find_entry(const char *name, size_t len)
{
	const struct option_entry *e;
	size_t n;

	for (e = option_table(&n); n > 0; n--, e++)
		if (strlen(e->name) == len && memcmp(e->name, name, len) == 0)
			return e;
	return NULL;
}

/* Blanks at both ends away, in place. */
static char *
trim(char *line)
{
	size_t len;

	line += strspn(line, " \t\r");
	len = strlen(line);
	while (len > 0 && strchr(" \t\r", line[len - 1]) != NULL)
		len--;
	line[len] = '\0';
	return line;
}

/* "name value"; err gets no place. */
static int
take_line(struct options *o, const struct given *given, char *line, char *err)
{
	const struct option_entry *e;
	size_t len = strcspn(line, " \t");
	char *value;

	if ((e = find_entry(line, len)) == NULL)
		return fail(err, "there is no option \"%.*s\"",
		    (int)(len < 40 ? len : 40), line);
	value = trim(line + len);
	if (e->only == OPTION_COMMAND_LINE)
		return fail(err, "option \"%s\" cannot stand in a file",
		    e->name);
	if (e->argument == NULL && value[0] != '\0')
		return fail(err, "option \"%s\" takes no value", e->name);
	if (e->argument != NULL && value[0] == '\0')
		return fail(err, "option \"%s\" needs a value: %s", e->name,
		    e->argument);
	if (given->entry[index_of(e)] ||
	    (e->only != OPTION_ANY && given->only[e->only]))
		return 0;
	return take(o, e, value, err);
}

static int
take_file(struct options *o, const struct given *given, char *err)
{
	char *line, *next, why[OPTIONS_ERROR_MAX];
	unsigned int number = 0;

	for (next = o->file_text; (line = strsep(&next, "\n")) != NULL;) {
		number++;
		line = trim(line);
		if (line[0] == '\0' || line[0] == '#')
			continue;
		if (take_line(o, given, line, why) != 0)
			return fail(err, "%.200s:%u: %.256s", o->config,
			    number, why);
	}
	return 0;
}

/* The command line. */

static void
make_getopt(struct option longs[OPTIONS_MAX + 1],
    char shorts[2 + 2 * OPTIONS_MAX])
{
	const struct option_entry *e;
	size_t i, n;

	e = option_table(&n);
	*shorts++ = ':';
	for (i = 0; i < n; i++, e++) {
		longs[i] = (struct option){ e->name, e->argument != NULL ?
		    required_argument : no_argument, NULL,
		    LONG_BASE + (int)i };
		if (e->letter == 0)
			continue;
		*shorts++ = (char)e->letter;
		if (e->argument != NULL)
			*shorts++ = ':';
	}
	longs[n] = (struct option){ NULL, 0, NULL, 0 };
	*shorts = '\0';
}

static const struct option_entry *
entry_of(int c)
{
	const struct option_entry *e;
	size_t n;

	e = option_table(&n);
	if (c >= LONG_BASE)
		return e + (c - LONG_BASE);
	for (; n > 0; n--, e++)
		if (e->letter == c)
			return e;
	return NULL;
}

/* '?' is an unknown or ambiguous option, or a value that it does not take. */
static int
refuse(int c, char **argv, char *err)
{
	const struct option_entry *e = optopt != 0 ? entry_of(optopt) : NULL;

	if (c == ':' && e != NULL)
		return fail(err, "option --%s needs a value: %s", e->name,
		    e->argument);
	if (e != NULL)
		return fail(err, "option --%s takes no value", e->name);
	if (optopt != 0)
		return fail(err, "there is no option -%c; try --help", optopt);
	return fail(err, "there is no option %s, or several that start so; "
	    "try --help", argv[optind - 1]);
}

/* Nobody who names a second file wants the first one passed over. */
static bool
is_one_file(const struct option_entry *e)
{
	return e->only == OPTION_ONE_SOURCE && e->argument != NULL &&
	    e->count_offset == 0;
}

static int
take_arguments(struct options *o, struct given *given, int argc, char **argv,
    char *err)
{
	char shorts[2 + 2 * OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1];
	const struct option_entry *e;
	int c;

	make_getopt(longs, shorts);
	opterr = 0;
	optind = 0;		/* glibc: start anew */
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (c == '?' || c == ':' || (e = entry_of(c)) == NULL)
			return refuse(c, argv, err);
		if (given->entry[index_of(e)] && is_one_file(e))
			return fail(err, "more than one --%s: choose one; "
			    "contrib/README.md has what to do with several",
			    e->name);
		if (take(o, e, optarg, err) != 0)
			return -1;
		given->entry[index_of(e)] = true;
		given->only[e->only] = true;
	}
	return 0;
}

/* [interval [count]] */
static int
take_operands(struct options *o, int argc, char **argv, char *err)
{
	char why[OPTVALUE_ERROR_MAX];
	double interval;
	int64_t count;

	if (argc > 2)
		return fail(err, "\"%s\" is one argument too many; try --help",
		    argv[2]);
	if (argc > 0) {
		if (optvalue_real(argv[0], INTERVAL_MIN, INTERVAL_MAX,
		    &interval, why) != 0)
			return fail(err, "interval: %s; an interface is "
			    "named with -i, a capture with -r", why);
		o->interval_ns = (int64_t)(interval * 1000 + 0.5) *
		    NSEC_PER_MSEC;
	}
	if (argc > 1) {
		if (optvalue_integer(argv[1], 1, COUNT_MAX, &count, why) != 0)
			return fail(err, "count: %s", why);
		o->count = (uint64_t)count;
	}
	return 0;
}

static int
check_alert(const struct options *o, char *err)
{
	const char *why;
	char **words;

	if (o->alert == NULL)
		return 0;
	if ((words = words_split(o->alert, &why)) == NULL)
		return fail(err, "option --alert: \"%s\" %s", o->alert, why);
	free(words);
	return 0;
}

static int
check(const struct options *o, char *err)
{
	int live = o->interfaces > 0;
	int sources = live + (o->read != NULL) +
	    (o->play != NULL) + (o->netstat != NULL) + o->demo;

	if (sources > 1)
		return fail(err, "more than one source: choose one of "
		    "--interface, --read, --play, --netstat, --demo");
	if (o->text && o->json)
		return fail(err, "--text and --json exclude each other");
	if (o->configtest && o->config == NULL)
		return fail(err, "--configtest needs --config FILE");
	if (o->daemon && o->text + o->json > 0)
		return fail(err, "--daemon has no output: it excludes --text "
		    "and --json");
	if (o->verbose)
		return fail(err, "--verbose belongs to --version");
	if (o->check && (o->daemon || o->text || o->json))
		return fail(err, "--check excludes --daemon, --text and "
		    "--json");
	if (o->check && o->count == 0 && sources == live)
		return fail(err, "--check of an interface needs an interval "
		    "and a count");
	return check_alert(o, err);
}

static int
parse(struct options *o, int argc, char **argv, int config, char *err)
{
	struct given given = { 0 };

	o->argc = argc;
	o->argv = argv;
	if (take_arguments(o, &given, argc, argv, err) != 0)
		return -1;
	if (o->help || o->version)
		return 0;
	if (o->config != NULL) {
		if (config < 0 && (config = open(o->config, O_RDONLY |
		    O_CLOEXEC)) < 0)
			return fail(err, "%s: %s", o->config, strerror(errno));
		if ((o->file_text = read_file(o->config, config, err)) ==
		    NULL || take_file(o, &given, err) != 0)
			return -1;
	}
	if (take_operands(o, argc - optind, argv + optind, err) != 0 ||
	    check(o, err) != 0)
		return -1;
	if (o->ports == 0)
		o->port[o->ports++] = 2049;
	return 0;
}

int
options_parse(struct options *o, int argc, char **argv,
    char err[OPTIONS_ERROR_MAX])
{
	return parse(o, argc, argv, -1, err);
}

int
options_parse_again(struct options *o, const struct options *before,
    int config, char err[OPTIONS_ERROR_MAX])
{
	return parse(o, before->argc, before->argv, config, err);
}

/* The help: two columns of lines. */

struct column {
	unsigned int	lines;
	char		line[HELP_LINES][2 * COLUMN_WIDTH];
};

static void
describe(char *line, const struct option_entry *e)
{
	char name[COLUMN_WIDTH], letter[5] = "    ";

	if (e->letter != 0)
		snprintf(letter, sizeof(letter), "-%c, ", e->letter);
	snprintf(name, sizeof(name), "%s--%s%s%s", letter, e->name,
	    e->argument != NULL ? " " : "",
	    e->argument != NULL ? e->argument : "");
	snprintf(line, 2 * COLUMN_WIDTH, " %-20s %s", name, e->help);
}

static void
fill_columns(struct column column[2])
{
	static const char *const titles[] = {
		[OPTION_SOURCE] = "source (default: -i where NFS is)",
		[OPTION_TRAFFIC] = "traffic", [OPTION_OUTPUT] = "output",
		[OPTION_EXPECTATION] = "expectation",
		[OPTION_DAEMON] = "daemon", [OPTION_CHECK] = "check plug-in",
		[OPTION_OTHER] = "about",
	};
	const struct option_entry *e, *before = NULL;
	struct column *c;
	size_t n;

	for (e = option_table(&n); n > 0; n--, e++) {
		if (e->later || e->quiet)
			continue;
		c = &column[e->group > OPTION_OUTPUT];
		if (c->lines + 2 > HELP_LINES)
			continue;
		if (before == NULL || before->group != e->group)
			snprintf(c->line[c->lines++], COLUMN_WIDTH, "%s",
			    titles[e->group]);
		describe(c->line[c->lines++], e);
		before = e;
	}
}

char *
options_help(void)
{
	struct column column[2];
	char *text = NULL;
	unsigned int i;
	size_t len;
	FILE *f;

	if ((f = open_memstream(&text, &len)) == NULL)
		return NULL;
	memset(column, 0, sizeof(column));
	fill_columns(column);
	fprintf(f, "usage: nfsrated [options] [interval [count]]    interval "
	    "in seconds, 0.1 to 3600\n");
	for (i = 0; i < column[0].lines || i < column[1].lines; i++)
		fprintf(f, "%-*s%s\n",
		    column[1].line[i][0] != '\0' ? COLUMN_WIDTH : 0,
		    column[0].line[i], column[1].line[i]);
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

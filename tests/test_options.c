/* SPDX-License-Identifier: ISC */
/*
 * test_options.c: command line and configuration file, their faults in one
 * clear line each, and the help.
 */
#include "options.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "packet.h"
#include "testkit.h"

#define ARGS_MAX	64

static struct options o;
static char err[OPTIONS_ERROR_MAX];

/* Arguments up to a NULL, which stay until the next; o is fresh. */
static int
parse(const char *first, ...)
{
	static char copies[ARGS_MAX][256];
	static char name[] = "nfsrated";
	static char *argv[ARGS_MAX + 2];
	const char *arg;
	va_list ap;
	int argc = 0;

	argv[argc++] = name;
	va_start(ap, first);
	for (arg = first; arg != NULL; arg = va_arg(ap, const char *)) {
		assert_true(argc < ARGS_MAX);
		snprintf(copies[argc], sizeof(copies[argc]), "%s", arg);
		argv[argc] = copies[argc];
		argc++;
	}
	va_end(ap);
	argv[argc] = NULL;
	options_clear(&o);
	options_init(&o);
	err[0] = '\0';
	return options_parse(&o, argc, argv, err);
}

#define NONE(option) "there is no option " option ", or several that start " \
	"so; try --help"
#define OK(...)		assert_int_equal(parse(__VA_ARGS__, NULL), 0)
#define REFUSED(text, ...) do { \
	assert_int_equal(parse(__VA_ARGS__, NULL), -1); \
	assert_string_equal(err, text); \
} while (0)

/* A configuration file of this text; the caller unlinks it. */
static const char *
write_config(const char *text, size_t len)
{
	static char name[64];
	int fd;

	snprintf(name, sizeof(name), "/tmp/test_options.XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
	return name;
}

static void
without_options_the_defaults_hold(void **state)
{
	(void)state;
	assert_int_equal(parse(NULL), 0);
	assert_true(o.interval_ns == NSEC_PER_SEC);
	assert_int_equal(o.count, 0);
	assert_int_equal(o.interfaces, 0);
	assert_null(o.read);
	assert_int_equal(o.ports, 1);
	assert_int_equal(o.port[0], 2049);
	assert_int_equal(o.snaplen, 262144);
	assert_int_equal(o.buffer_mib, 16);
	assert_int_equal(o.sandbox, SANDBOX_KILL);
	assert_int_equal(o.of_last.m, 3);
	assert_int_equal(o.of_last.n, 5);
	assert_true(o.tolerance_percent == 10);
}

static void
interval_and_count_follow_the_options(void **state)
{
	(void)state;
	OK("-t", "5", "12");
	assert_true(o.interval_ns == 5 * NSEC_PER_SEC);
	assert_int_equal(o.count, 12);
	OK("0.1");
	assert_true(o.interval_ns == NSEC_PER_SEC / 10);
	OK("3600");
	/* options may follow too */
	OK("2", "--json");
	assert_true(o.json);
	assert_true(o.interval_ns == 2 * NSEC_PER_SEC);
}

#define NAMED	"; an interface is named with -i, a capture with -r"

static void
a_bad_interval_or_count_is_named(void **state)
{
	(void)state;
	REFUSED("interval: \"0\" is out of range (0.1 to 3600)" NAMED, "0");
	REFUSED("interval: \"3601\" is out of range (0.1 to 3600)" NAMED,
	    "3601");
	REFUSED("interval: \"x\" is no number" NAMED, "x");
	REFUSED("interval: \"\" is no number" NAMED, "");
	assert_int_equal(parse("1", "0", NULL), -1);
	REFUSED("count: \"1.5\" is no whole number", "1", "1.5");
	REFUSED("\"7\" is one argument too many; try --help", "1", "2", "7");
}

static void
letters_and_names_mean_the_same(void **state)
{
	(void)state;
	OK("-i", "eth0", "-f", "host 10.0.0.1", "-S", "10.0.0.2", "-p",
	    "12049", "-s", "512", "-B", "4", "-t", "-T", "-n");
	assert_string_equal(o.interface[0], "eth0");
	assert_string_equal(o.filter, "host 10.0.0.1");
	assert_int_equal(o.servers, 1);
	assert_int_equal(o.port[0], 12049);
	assert_int_equal(o.snaplen, 512);
	assert_int_equal(o.buffer_mib, 4);
	assert_true(o.text && o.total && o.numeric);
	OK("--interface=eth0", "--filter", "host 10.0.0.1",
	    "--server=fd00::2", "--port=12049", "--snaplen=512",
	    "--buffer=4", "--text", "--total", "--numeric", "--promisc",
	    "--human", "--report");
	assert_string_equal(o.interface[0], "eth0");
	assert_int_equal(o.port[0], 12049);
	assert_true(o.text && o.total && o.numeric && o.promisc && o.human &&
	    o.report);
}

static void
lists_grow_and_are_bounded(void **state)
{
	char *argv[2 * OPTIONS_PORTS_MAX + 4], port[] = "-p", value[] = "700";
	char name[] = "nfsrated";
	int argc = 1, i;

	(void)state;
	OK("-i", "eth0", "-i", "eth1", "-i", "eth0", "-p", "2049", "-p",
	    "2050", "-S", "10.0.0.1", "-S", "10.0.0.2");
	assert_int_equal(o.interfaces, 2);
	assert_string_equal(o.interface[1], "eth1");
	assert_int_equal(o.ports, 2);
	assert_int_equal(o.port[1], 2050);
	assert_int_equal(o.servers, 2);

	argv[0] = name;
	for (i = 0; i <= OPTIONS_PORTS_MAX; i++) {
		argv[argc++] = port;
		argv[argc++] = value;
	}
	argv[argc] = NULL;
	options_init(&o);
	assert_int_equal(options_parse(&o, argc, argv, err), -1);
	assert_string_equal(err,
	    "option --port: is given too often (at most 64)");
}

static void
faults_name_the_option_and_quote_the_value(void **state)
{
	(void)state;
	REFUSED("option --port: \"65536\" is out of range (1 to 65535)", "-p",
	    "65536");
	REFUSED("option --port: \"0\" is out of range (1 to 65535)", "-p",
	    "0");
	REFUSED("option --buffer: \"x\" is no whole number", "--buffer=x");
	REFUSED("option --server: \"nfs.example\" is no numeric address, "
	    "as 10.0.0.5",
	    "-S", "nfs.example");
	REFUSED("option --read: is empty", "-r", "");
	REFUSED("option --read needs a value: FILE", "-r");
	REFUSED("option --interface needs a value: IF", "--interface");
	REFUSED("option --text takes no value", "--text=yes");
	REFUSED("there is no option -Z; try --help", "-Z");
	REFUSED(NONE("--nosuch"), "--nosuch");
	REFUSED(NONE("--re"), "--re");
}

static void
only_one_source_and_one_form_of_output(void **state)
{
	(void)state;
	assert_int_equal(parse("-r", "a", "-i", "b", NULL), -1);
	assert_non_null(strstr(err, "more than one source"));
	REFUSED("more than one --play: choose one; contrib/README.md has what "
	    "to do with several", "-L", "a", "-L", "b");
	REFUSED("more than one --read: choose one; contrib/README.md has what "
	    "to do with several", "-r", "a", "--read=a");
	REFUSED("--text and --json exclude each other", "-t", "-j");
	REFUSED("--configtest needs --config FILE", "--configtest");
}

static void
values_are_looked_at_before_anything_is_opened(void **state)
{
	(void)state;
	REFUSED("option --metrics: \"localhost\" is no numeric ADDR:PORT, "
	    "[ADDR]:PORT, *:PORT or PORT", "-M", "localhost");
	OK("-M", "9712");
	OK("-M", "[::1]:9712", "--textfile=/x/y");
	assert_string_equal(o.metrics, "[::1]:9712");
	REFUSED("option --for: \"5/3\": M/N must be 1 <= M <= N <= 3600",
	    "--for=5/3");
}

static void
help_and_version_need_nothing_else(void **state)
{
	(void)state;
	OK("--help", "-t", "-j");
	assert_true(o.help);
	OK("-V", "x", "y", "z");
	assert_true(o.version);
}

static void
help_fits_a_screen_and_shows_what_there_is(void **state)
{
	const struct option_entry *e;
	char *help = options_help(), *line, *next = help, shown[64];
	unsigned int lines = 0;
	size_t n;

	(void)state;
	assert_non_null(help);
	for (e = option_table(&n); n > 0; n--, e++) {
		snprintf(shown, sizeof(shown), "--%s", e->name);
		if (!e->later && !e->quiet)
			assert_non_null(strstr(help, shown));
	}
	while ((line = strsep(&next, "\n")) != NULL && next != NULL) {
		lines++;
		assert_true(strlen(line) <= 80);
	}
	assert_true(lines <= 24);
	free(help);
}

static void
a_file_holds_long_options_one_a_line(void **state)
{
	static const char text[] = "# a comment\n"
	    "\n"
	    "interface eth0\n"
	    "   interface \t eth1  \r\n"
	    "text\n"
	    "filter host 10.0.0.1 and not port 111\n"
	    "port 12049";
	const char *name = write_config(text, sizeof(text) - 1);

	(void)state;
	OK("-c", name);
	assert_int_equal(o.interfaces, 2);
	assert_string_equal(o.interface[0], "eth0");
	assert_string_equal(o.interface[1], "eth1");
	assert_string_equal(o.filter, "host 10.0.0.1 and not port 111");
	assert_int_equal(o.port[0], 12049);
	assert_true(o.text);
	unlink(name);
}

static void
the_command_line_takes_the_place_of_the_file(void **state)
{
	static const char text[] = "interface eth0\nport 12049\nport 12050\n"
	    "text\nbuffer 3\n";
	const char *name = write_config(text, sizeof(text) - 1);

	(void)state;
	OK("-c", name, "-p", "2049", "-j");
	assert_int_equal(o.ports, 1);
	assert_int_equal(o.port[0], 2049);
	assert_string_equal(o.interface[0], "eth0");
	assert_true(o.json);
	assert_false(o.text);
	assert_int_equal(o.buffer_mib, 3);
	/* any source for any other */
	OK("-r", "x.pcap", "-c", name);
	assert_int_equal(o.interfaces, 0);
	assert_string_equal(o.read, "x.pcap");
	unlink(name);
}

static void
faults_in_a_file_have_its_name_and_line(void **state)
{
	static const struct {
		const char	*text, *fault;
	} rows[] = {
		{ "text\nnosuch 1\n", "2: there is no option \"nosuch\"" },
		{ "--text\n", "1: there is no option \"--text\"" },
		{ "t\n", "1: there is no option \"t\"" },
		{ "\n\nport\n", "3: option \"port\" needs a value: PORT" },
		{ "text yes\n", "1: option \"text\" takes no value" },
		{ "port x\n", "1: option --port: \"x\" is no whole number" },
		{ "config x\n",
		    "1: option \"config\" cannot stand in a file" },
		{ "help\n", "1: option \"help\" cannot stand in a file" },
	};
	char want[256];
	const char *name;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		name = write_config(rows[i].text, strlen(rows[i].text));
		assert_int_equal(parse("-c", name, NULL), -1);
		snprintf(want, sizeof(want), "%s:%s", name, rows[i].fault);
		assert_string_equal(err, want);
		unlink(name);
	}
}

static void
a_file_that_cannot_be_one_is_refused(void **state)
{
	static char large[100 * 1024];
	const char *name;

	(void)state;
	REFUSED("/no/such: No such file or directory", "-c", "/no/such");
	REFUSED("/tmp: Is a directory", "-c", "/tmp");
	memset(large, '#', sizeof(large));
	name = write_config(large, sizeof(large));
	assert_int_equal(parse("-c", name, NULL), -1);
	assert_non_null(strstr(err, ": is no configuration file"));
	unlink(name);
	name = write_config("text\0\n", 6);
	assert_int_equal(parse("-c", name, NULL), -1);
	assert_non_null(strstr(err, ": is no configuration file"));
	unlink(name);
}

static void
parse_text(void *ctx, struct bytes b, size_t bit)
{
	const char *name = write_config((const char *)b.data, b.len);

	(void)ctx;
	(void)bit;
	if (parse("-c", name, NULL) != 0)
		assert_int_not_equal(err[0], '\0');
	unlink(name);
}

static void
parse_prefix(void *ctx, struct bytes b)
{
	parse_text(ctx, b, 0);
}

static void
no_prefix_or_flipped_bit_of_a_file_does_harm(void **state)
{
	static const char text[] = "# x\nport 2049\nserver 10.0.0.1\ntext\n"
	    "for 3/5\nwarning @1:2\nexpect pps=1\nlink 10G\n";

	(void)state;
	for_every_prefix(text, sizeof(text) - 1, parse_prefix, NULL);
	for_every_bit_flip(text, sizeof(text) - 1, parse_text, NULL);
}

static int
clean_up(void **state)
{
	(void)state;
	options_clear(&o);
	return 0;
}

static void
the_speed_is_a_number_or_max(void **state)
{
	(void)state;
	assert_int_equal(parse("--demo", NULL), 0);
	assert_true(o.demo);
	assert_true(o.speed < 0);		/* not said */
	assert_int_equal(parse("--speed", "2.5", NULL), 0);
	assert_true(o.speed == 2.5);
	assert_int_equal(parse("--speed=max", NULL), 0);
	assert_true(o.speed == 0);
	assert_int_equal(parse("--speed", "0", NULL), -1);
	assert_int_equal(parse("--speed", "fast", NULL), -1);
	options_clear(&o);
}

/* An example of an option stands behind "#", prose behind "# ". */
static bool
is_example(const char *line)
{
	return line[0] == '#' && line[1] >= 'a' && line[1] <= 'z';
}

static void
the_default_file_explains_every_option_rightly(void **state)
{
	const struct option_entry *e, *end;
	bool there[OPTIONS_MAX] = { false };
	const char *name;
	char line[256];
	size_t n, len;
	FILE *f;

	(void)state;
	f = fopen("contrib/nfsrated.conf", "r");
	if (f == NULL)
		skip();		/* not in the top directory */
	e = option_table(&n);
	end = e + n;
	while (fgets(line, sizeof(line), f) != NULL) {
		if (!is_example(line)) {
			assert_true(line[0] == '#' || line[0] == '\n');
			continue;
		}
		len = strcspn(line + 1, " \n");
		for (e = option_table(&n); e < end; e++)
			if (strlen(e->name) == len &&
			    strncmp(e->name, line + 1, len) == 0)
				break;
		if (e == end)
			fail_msg("there is no option in: %s", line);
		there[e - option_table(&n)] = true;
		if (e->later)
			continue;
		name = write_config(line + 1, strlen(line + 1));
		if (parse("-c", name, "1", "1", NULL) != 0)
			fail_msg("%s", err);
		unlink(name);
	}
	fclose(f);
	for (e = option_table(&n); e < end; e++)
		if (e->only != OPTION_COMMAND_LINE &&
		    !there[e - option_table(&n)])
			fail_msg("option %s is not explained", e->name);
}

static void
an_option_is_the_same_when_its_values_are(void **state)
{
	const struct option_entry *e;
	struct options a;
	size_t n, differ = 0;

	(void)state;
	OK("-i", "eth0", "-p", "2049", "-e", "pps=5", "-S", "10.0.0.1",
	    "--log", "x", "--for", "1/2", "--link", "1G", "--warning", "5",
	    "--tolerance", "3", "-s", "100", "--sandbox", "log");
	a = o;
	a.file_text = NULL;
	OK("-i", "eth0", "-p", "2049", "-e", "pps=5", "-S", "10.0.0.1",
	    "--log", "x", "--for", "1/2", "--link", "1G", "--warning", "5",
	    "--tolerance", "3", "-s", "100", "--sandbox", "log");
	for (e = option_table(&n); n > 0; n--, e++)
		if (!option_same(e, &a, &o))
			fail_msg("option %s differs", e->name);
	a.interface[0] = "eth0";	/* not what parse() uses again */
	OK("-i", "eth1", "-p", "2050", "-e", "pps=6", "-S", "10.0.0.2",
	    "--for", "2/2", "--link", "2G", "--warning", "6",
	    "--tolerance", "4", "-s", "101", "--promisc");
	for (e = option_table(&n); n > 0; n--, e++)
		differ += !option_same(e, &a, &o);
	assert_int_equal(differ, 12);
	OK("-i", "eth0", "-i", "eth1");
	for (e = option_table(&n); strcmp(e->name, "interface") != 0; e++)
		;
	assert_false(option_same(e, &a, &o));
}

static void
a_file_is_read_again_from_where_it_is_open(void **state)
{
	const char *name = write_config("expect pps=5\n", 13);
	struct options again;
	int fd;

	(void)state;
	OK("-c", name, "-p", "12049");
	unlink(name);
	name = write_config("expect pps=7\nport 5\nno-such\n", 28);
	fd = open(name, O_RDONLY);
	assert_true(fd >= 0);
	options_init(&again);
	assert_int_equal(options_parse_again(&again, &o, fd, err), -1);
	assert_non_null(strstr(err, ":3: there is no option \"no-such\""));
	options_clear(&again);
	assert_int_equal(truncate(name, 20), 0);
	fd = open(name, O_RDONLY);
	options_init(&again);
	assert_int_equal(options_parse_again(&again, &o, fd, err), 0);
	assert_true(again.expect[0].value == 7);
	assert_int_equal(again.ports, 1);
	assert_int_equal(again.port[0], 12049);
	options_clear(&again);
	unlink(name);
}

static void
what_excludes_each_other_is_told(void **state)
{
	(void)state;
	REFUSED("--daemon has no output: it excludes --text and --json",
	    "-d", "-t");
	REFUSED("--check excludes --daemon, --text and --json", "--check",
	    "-r", "x", "-j");
	REFUSED("--check of an interface needs an interval and a count",
	    "--check", "-i", "lo");
	OK("--check", "-i", "lo", "1", "5");
	OK("--check", "-L", "x");
	REFUSED("option --alert: \"a 'b\" has a quote that is not closed",
	    "-a", "a 'b");
	REFUSED("option --sandbox: \"open\" is none of kill, log, off",
	    "--sandbox", "open");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_options_the_defaults_hold),
		cmocka_unit_test(the_speed_is_a_number_or_max),
		cmocka_unit_test(interval_and_count_follow_the_options),
		cmocka_unit_test(a_bad_interval_or_count_is_named),
		cmocka_unit_test(letters_and_names_mean_the_same),
		cmocka_unit_test(lists_grow_and_are_bounded),
		cmocka_unit_test(faults_name_the_option_and_quote_the_value),
		cmocka_unit_test(only_one_source_and_one_form_of_output),
		cmocka_unit_test(
		    values_are_looked_at_before_anything_is_opened),
		cmocka_unit_test(help_and_version_need_nothing_else),
		cmocka_unit_test(help_fits_a_screen_and_shows_what_there_is),
		cmocka_unit_test(a_file_holds_long_options_one_a_line),
		cmocka_unit_test(the_command_line_takes_the_place_of_the_file),
		cmocka_unit_test(faults_in_a_file_have_its_name_and_line),
		cmocka_unit_test(a_file_that_cannot_be_one_is_refused),
		cmocka_unit_test(no_prefix_or_flipped_bit_of_a_file_does_harm),
		cmocka_unit_test(
		    the_default_file_explains_every_option_rightly),
		cmocka_unit_test(an_option_is_the_same_when_its_values_are),
		cmocka_unit_test(a_file_is_read_again_from_where_it_is_open),
		cmocka_unit_test(what_excludes_each_other_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, clean_up);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_helper.c: the process outside of the sandbox, and the files it opens.
 */
#include "helper.h"

#include <sys/types.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include <cmocka.h>

#include "helperfiles.h"
#include "log.h"

static char dir[64], path[96], err[HELPER_ERROR_MAX], noted[1024];

static void
on_note(void *ctx, int priority, const char *line)
{
	(void)priority;
	assert_ptr_equal(ctx, noted);
	snprintf(noted + strlen(noted), sizeof(noted) - strlen(noted), "%s\n",
	    line);
}

static int
make_directory(void **state)
{
	(void)state;
	log_call("test", false, on_note, noted);
	noted[0] = '\0';
	snprintf(dir, sizeof(dir), "/tmp/test_helper.XXXXXX");
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int
remove_directory(void **state)
{
	char command[96];

	(void)state;
	log_close();
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static const char *
in_dir(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void
configure(struct helper_config *c)
{
	memset(c, 0, sizeof(*c));
	c->timeout_ns = INT64_C(5000000000);
	c->who.uid = geteuid();
	c->who.gid = getegid();
}

static void
assert_content(const char *name, const char *want)
{
	char text[64];
	int fd = open(in_dir(name), O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	assert_true(n >= 0);
	text[n] = '\0';
	assert_string_equal(text, want);
}

static void
put(int fd, const char *text)
{
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void
it_opens_the_files_that_were_named(void **state)
{
	struct helper_config c;
	struct helper *h;
	int fd;

	(void)state;
	configure(&c);
	c.file[0] = (struct helper_file){ strdup(in_dir("log")),
	    HELPER_APPEND, NULL, NULL, 0, 0,
	    false };
	c.file[1] = (struct helper_file){ strdup(in_dir("conf")),
	    HELPER_READ, NULL, NULL, 0, 0,
	    false };
	c.files = 2;
	h = helper_start(&c, err);
	assert_non_null(h);
	put(helper_open(h, 0), "one\n");
	put(helper_open(h, 0), "two\n");
	assert_content("log", "one\ntwo\n");
	assert_int_equal(rename(c.file[0].path, in_dir("log.1")), 0);
	put(helper_open(h, 0), "three\n");
	assert_content("log", "three\n");

	assert_int_equal(helper_open(h, 1), -1);
	assert_int_equal(errno, ENOENT);
	put(open(in_dir("conf"), O_WRONLY | O_CREAT, 0644), "x");
	fd = helper_open(h, 1);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "y", 1), -1);
	close(fd);
	/* what has no number, or is of another kind, is refused */
	assert_int_equal(helper_open(h, 2), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(helper_create(h, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(helper_check(h, 0), 0);
	helper_stop(h, 1000);
	free((char *)(uintptr_t)c.file[0].path);
	free((char *)(uintptr_t)c.file[1].path);
}

static void
what_is_replaced_is_seen_when_it_is_whole(void **state)
{
	struct helper_config c;
	struct helper *h;
	int fd;

	(void)state;
	configure(&c);
	c.file[0] = (struct helper_file){ strdup(in_dir("state")),
	    HELPER_REPLACE, NULL, NULL, 0, 0,
	    false };
	c.files = 1;
	h = helper_start(&c, err);
	assert_non_null(h);
	put(helper_create(h, 0, NULL), "first");
	assert_int_equal(access(in_dir("state"), F_OK), -1);
	assert_int_equal(helper_commit(h, 0, NULL), 0);
	assert_content("state", "first");
	fd = helper_create(h, 0, NULL);
	assert_content("state", "first");
	put(fd, "second");
	assert_int_equal(helper_commit(h, 0, NULL), 0);
	assert_content("state", "second");
	assert_int_equal(helper_commit(h, 0, NULL), -1);
	assert_int_equal(helper_create(h, 0, "other"), -1);
	assert_int_equal(errno, EINVAL);
	helper_stop(h, 1000);
	free((char *)(uintptr_t)c.file[0].path);
}

static void
files_of_a_directory_have_plain_names_and_a_limit(void **state)
{
	static const char *const bad[] = { "", ".", "..", ".hidden", "a/b",
	    "../x", "a b", "x\ny", "/etc/passwd" };
	struct helper_config c;
	struct helper *h;
	char name[32];
	size_t i;

	(void)state;
	configure(&c);
	c.file[0] = (struct helper_file){ dir, HELPER_DIRECTORY, "nfsrated-",
	    ".pcap", 3, 1000, false };
	c.files = 1;
	h = helper_start(&c, err);
	assert_non_null(h);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(helper_create(h, 0, bad[i]), -1);
		assert_int_equal(errno, EINVAL);
	}
	put(open(in_dir("other.pcap"), O_WRONLY | O_CREAT, 0644), "stays");
	for (i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "nfsrated-%d.pcap", (int)i);
		put(helper_create(h, 0, name), "0123456789");
		assert_int_equal(helper_commit(h, 0, name), 0);
		usleep(20000);
	}
	assert_int_equal(access(in_dir("nfsrated-1.pcap"), F_OK), -1);
	assert_content("nfsrated-2.pcap", "0123456789");
	assert_content("nfsrated-4.pcap", "0123456789");
	assert_content("other.pcap", "stays");
	helper_stop(h, 1000);

	/* bytes count as well, but the newest stays */
	c.file[0].bytes_max = 5;
	h = helper_start(&c, err);
	put(helper_create(h, 0, "nfsrated-9.pcap"), "0123456789");
	assert_int_equal(helper_commit(h, 0, "nfsrated-9.pcap"), 0);
	assert_int_equal(access(in_dir("nfsrated-4.pcap"), F_OK), -1);
	assert_content("nfsrated-9.pcap", "0123456789");
	helper_stop(h, 1000);
}

static void
a_new_file_takes_the_place_of_none(void **state)
{
	struct helper_config c;
	struct helper *h;

	(void)state;
	configure(&c);
	c.file[0] = (struct helper_file){ dir, HELPER_NEW, NULL, NULL, 0, 0,
	    false };
	c.files = 1;
	h = helper_start(&c, err);
	assert_non_null(h);
	put(helper_create(h, 0, "saved"), "once");
	assert_content("saved", "once");
	assert_int_equal(helper_create(h, 0, "saved"), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(symlink("/tmp/target", in_dir("link")), 0);
	assert_int_equal(helper_create(h, 0, "link"), -1);
	assert_int_equal(access("/tmp/target", F_OK), -1);
	helper_stop(h, 1000);
}

static void
wait_for_note(struct helper *h, const char *what)
{
	struct pollfd fd = { .fd = helper_fd(h), .events = POLLIN };

	while (strstr(noted, what) == NULL) {
		assert_int_equal(poll(&fd, 1, 5000), 1);
		helper_run(h);
		assert_false(helper_is_gone(h));
	}
}

static char *const says[] = { (char[]){ "sh" }, (char[]){ "-c" },
    (char[]){ "echo $NFSRATED_EVENT" }, NULL };

static void
commands_run_and_what_they_print_comes_back(void **state)
{
	struct helper_config c;
	struct helper *h;

	(void)state;
	configure(&c);
	c.command = says;
	h = helper_start(&c, err);
	assert_non_null(h);
	assert_true(helper_command(h, "NFSRATED_EVENT=start", 21));
	wait_for_note(h, ": start\n");
	/* the last one runs although the main process ends */
	assert_true(helper_command(h, "NFSRATED_EVENT=end", 19));
	helper_stop(h, 5000);
	assert_non_null(strstr(noted, ": end\n"));
}

static void
a_hanging_command_holds_up_no_file(void **state)
{
	char *const hang[] = { (char[]){ "sleep" },
	    (char[]){ "1000" }, NULL };
	struct helper_config c;
	struct helper *h;

	(void)state;
	configure(&c);
	c.command = hang;
	c.timeout_ns = INT64_C(300000000);
	c.file[0] = (struct helper_file){ strdup(in_dir("log")),
	    HELPER_APPEND, NULL, NULL, 0, 0,
	    false };
	c.files = 1;
	h = helper_start(&c, err);
	assert_non_null(h);
	assert_true(helper_command(h, "", 0));
	usleep(100000);
	put(helper_open(h, 0), "x");
	wait_for_note(h, "was ended");
	helper_stop(h, 1000);
	free((char *)(uintptr_t)c.file[0].path);
}

static void
too_many_facts_are_refused(void **state)
{
	static const char facts[HELPER_FACTS_MAX + 1];
	struct helper_config c;
	struct helper *h;

	(void)state;
	configure(&c);
	h = helper_start(&c, err);
	assert_non_null(h);
	assert_false(helper_command(h, facts, sizeof(facts)));
	helper_message(h, LOG_NOTICE, "nobody hears it");
	assert_int_equal(helper_open(h, 0), -1);
	helper_stop(h, 1000);
	helper_stop(NULL, 0);
}

static void
a_helper_that_is_gone_is_an_error_and_no_hang(void **state)
{
	struct helper_config c;
	struct helper *h;

	(void)state;
	configure(&c);
	c.who.change = true;
	c.who.uid = 1;
	c.who.gid = 1;
	if (geteuid() == 0)
		c.who.chroot = "/no/such/directory";
	h = helper_start(&c, err);
	assert_non_null(h);
	while (!helper_is_gone(h)) {
		helper_run(h);
		usleep(1000);
	}
	assert_int_equal(helper_fd(h), -1);
	assert_int_equal(helper_open(h, 0), -1);
	assert_true(noted[0] != '\0');
	helper_stop(h, 100);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, make_directory, \
	    remove_directory)
	const struct CMUnitTest tests[] = {
		CASE(it_opens_the_files_that_were_named),
		CASE(what_is_replaced_is_seen_when_it_is_whole),
		CASE(files_of_a_directory_have_plain_names_and_a_limit),
		CASE(a_new_file_takes_the_place_of_none),
		CASE(commands_run_and_what_they_print_comes_back),
		CASE(a_hanging_command_holds_up_no_file),
		CASE(too_many_facts_are_refused),
		CASE(a_helper_that_is_gone_is_an_error_and_no_hang),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

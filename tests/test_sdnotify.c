/* SPDX-License-Identifier: ISC */
/*
 * test_sdnotify.c: what a service manager is told (sd_notify(3)).
 */
#include "sdnotify.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MS	INT64_C(1000000)

static int sock;
static char name[108];

/* A manager's socket; abstract: without a file. */
static void
make_manager(bool abstract)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	const struct sockaddr *any = (const void *)&at;

	snprintf(name, sizeof(name), "%ctmp/test_sdnotify.%d",
	    abstract ? '@' : '/', (int)getpid());
	memcpy(at.sun_path, name, strlen(name));
	if (abstract)
		at.sun_path[0] = '\0';
	else
		unlink(name);
	sock = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	assert_true(sock >= 0);
	assert_int_equal(bind(sock, any, (socklen_t)(offsetof(
	    struct sockaddr_un, sun_path) + strlen(name))), 0);
	setenv("NOTIFY_SOCKET", name, 1);
}

static void
assert_told(const char *want)
{
	char text[256];
	ssize_t n = recv(sock, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	assert_string_equal(text, want);
}

static void
without_a_manager_nothing_is_said(void **state)
{
	struct sdnotify s;

	(void)state;
	unsetenv("NOTIFY_SOCKET");
	sdnotify_open(&s);
	assert_int_equal(s.fd, -1);
	sdnotify_tell(&s, "READY=1");
	sdnotify_alive(&s, 5);
	assert_int_equal(sdnotify_wait_ms(&s, 5), -1);
	sdnotify_close(&s);
	setenv("NOTIFY_SOCKET", "relative", 1);
	sdnotify_open(&s);
	assert_int_equal(s.fd, -1);
	setenv("NOTIFY_SOCKET", "/no/such/socket", 1);
	sdnotify_open(&s);
	assert_int_equal(s.fd, -1);
}

static void
a_manager_is_told_whatever_its_socket(void **state)
{
	struct sdnotify s;
	int abstract;

	(void)state;
	for (abstract = 0; abstract < 2; abstract++) {
		make_manager(abstract);
		sdnotify_open(&s);
		assert_true(s.fd >= 0);
		assert_null(getenv("NOTIFY_SOCKET"));
		sdnotify_tell(&s, "READY=1\nSTATUS=well");
		assert_told("READY=1\nSTATUS=well");
		sdnotify_close(&s);
		close(sock);
		unlink(name);
	}
}

static void
the_watchdog_hears_at_half_its_time(void **state)
{
	struct sdnotify s;
	char pid[16];

	(void)state;
	make_manager(true);
	setenv("WATCHDOG_USEC", "2000000", 1);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("WATCHDOG_PID", pid, 1);
	sdnotify_open(&s);
	assert_null(getenv("WATCHDOG_USEC"));
	assert_true(s.watchdog_ns == 2000 * MS);
	sdnotify_alive(&s, 100 * MS);
	assert_told("WATCHDOG=1");
	sdnotify_alive(&s, 1000 * MS);
	assert_told("");
	assert_int_equal(sdnotify_wait_ms(&s, 1000 * MS), 101);
	sdnotify_alive(&s, 1100 * MS);
	assert_told("WATCHDOG=1");
	assert_int_equal(sdnotify_wait_ms(&s, 9000 * MS), 0);
	sdnotify_close(&s);
	close(sock);
}

static void
a_watchdog_of_another_process_is_none_of_ours(void **state)
{
	struct sdnotify s;

	(void)state;
	make_manager(true);
	setenv("WATCHDOG_USEC", "2000000", 1);
	setenv("WATCHDOG_PID", "1", 1);
	sdnotify_open(&s);
	assert_true(s.watchdog_ns == 0);
	sdnotify_close(&s);
	setenv("NOTIFY_SOCKET", name, 1);
	setenv("WATCHDOG_USEC", "soon", 1);
	sdnotify_open(&s);
	assert_true(s.watchdog_ns == 0);
	sdnotify_close(&s);
	close(sock);
}

static void
a_manager_that_does_not_listen_holds_up_nothing(void **state)
{
	struct sdnotify s;
	int i;

	(void)state;
	make_manager(true);
	sdnotify_open(&s);
	for (i = 0; i < 10000; i++)
		sdnotify_tell(&s, "STATUS=busy");
	close(sock);
	sdnotify_tell(&s, "STATUS=alone");
	sdnotify_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_manager_nothing_is_said),
		cmocka_unit_test(a_manager_is_told_whatever_its_socket),
		cmocka_unit_test(the_watchdog_hears_at_half_its_time),
		cmocka_unit_test(
		    a_watchdog_of_another_process_is_none_of_ours),
		cmocka_unit_test(
		    a_manager_that_does_not_listen_holds_up_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: ISC */
/*
 * test_sandbox.c: what a process in the sandbox can do, and what kills it;
 * and that privileges that were given up are gone.  Each case is a process of
 * its own.
 */
#include "sandbox.h"

#include <sys/types.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "privdrop.h"

/* How a process ends that enters the sandbox and then does this. */
static int
end_in(int (*act)(void), const struct sandbox_config *config)
{
	char err[SANDBOX_ERROR_MAX];
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (sandbox_enter(config, err) != 0)
			_exit(99);
		_exit(act());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static int
end_of(int (*act)(void), enum sandbox_mode mode)
{
	const struct sandbox_config config = { .mode = mode };

	return end_in(act, &config);
}

static void
assert_killed(int (*act)(void))
{
	int status = end_of(act, SANDBOX_KILL);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void
assert_allowed(int (*act)(void))
{
	assert_int_equal(end_of(act, SANDBOX_KILL), 0);
}

static int
open_a_file(void)
{
	return open("/etc/passwd", O_RDONLY) >= 0;
}

static int
make_a_file(void)
{
	return creat("/tmp/test_sandbox.made", 0600) >= 0;
}

static int
remove_a_file(void)
{
	return unlink("/tmp/test_sandbox.made") == 0;
}

static int
look_at_a_file(void)
{
	struct stat st;

	return stat("/etc/passwd", &st) == 0;
}

static int
open_a_directory(void)
{
	return open("/", O_RDONLY | O_DIRECTORY) >= 0;
}

static int
connect_somewhere(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	const struct sockaddr *any = (const void *)&to;

	return connect(0, any, sizeof(to)) == 0;
}

static int
make_a_socket(void)
{
	return socket(AF_UNIX, SOCK_DGRAM, 0) >= 0;
}

static int
make_a_raw_socket(void)
{
	return socket(AF_PACKET, SOCK_RAW, 0) >= 0;
}

static int
execute(void)
{
	char *argv[] = { (char[]){ "true" }, NULL };

	return execv("/bin/true", argv);
}

static int
fork_off(void)
{
	return fork() >= 0;
}

static int
change_user(void)
{
	return setuid(1) == 0;
}

static int
trace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static int
kill_another(void)
{
	return kill(getppid(), 0) == 0;
}

static int
run_new_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
}

static int
make_memory_code(void)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mprotect(p, 4096, PROT_READ | PROT_EXEC) == 0;
}

static int
set_the_clock(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return settimeofday(&now, NULL) == 0;
}

static int
leave_the_root(void)
{
	return chroot("/tmp") == 0;
}

static void
it_cannot_open_make_or_look_at_files(void **state)
{
	(void)state;
	assert_killed(open_a_file);
	assert_killed(make_a_file);
	assert_killed(remove_a_file);
	assert_killed(look_at_a_file);
	assert_killed(open_a_directory);
}

static void
it_cannot_connect_or_make_sockets(void **state)
{
	(void)state;
	assert_killed(connect_somewhere);
	assert_killed(make_a_socket);
	assert_killed(make_a_raw_socket);
}

static void
it_cannot_execute_or_fork(void **state)
{
	(void)state;
	assert_killed(execute);
	assert_killed(fork_off);
	assert_killed(run_new_code);
	assert_killed(make_memory_code);
}

static void
it_cannot_reach_beyond_itself(void **state)
{
	(void)state;
	assert_killed(change_user);
	assert_killed(trace);
	assert_killed(kill_another);
	assert_killed(set_the_clock);
	assert_killed(leave_the_root);
}

static int
compare(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static int
use_memory(void)
{
	int *p = malloc(1 << 20), i;

	if (p == NULL)
		return 1;
	for (i = 0; i < 1 << 18; i++)
		p[i] = (i * 7919) % 10007;
	qsort(p, 1 << 18, sizeof(*p), compare);
	p = realloc(p, 1 << 24);
	free(p);
	return p == NULL;
}

static int
read_and_write(void)
{
	struct pollfd fd;
	struct stat st;
	int fds[2];
	char c = 'x';

	if (pipe2(fds, O_NONBLOCK) != 0 || write(fds[1], &c, 1) != 1)
		return 1;
	fd = (struct pollfd){ .fd = fds[0], .events = POLLIN };
	return poll(&fd, 1, 1000) != 1 || read(fds[0], &c, 1) != 1 ||
	    fstat(fds[0], &st) != 0 || fcntl(fds[0], F_GETFL) < 0;
}

static int
tell_time(void)
{
	const struct timespec moment = { 0, 1000 };
	time_t now = time(NULL);
	struct tm tm;
	char text[64];

	nanosleep(&moment, NULL);
	return localtime_r(&now, &tm) == NULL ||
	    strftime(text, sizeof(text), "%Y", &tm) == 0;
}

static void *
in_thread(void *ctx)
{
	int *n = ctx;

	free(malloc(100));
	*n = 7;
	return NULL;
}

static int
start_a_thread(void)
{
	pthread_t t;
	int n = 0;

	return pthread_create(&t, NULL, in_thread, &n) != 0 ||
	    pthread_join(t, NULL) != 0 || n != 7;
}

static void *
opens(void *ctx)
{
	(void)ctx;
	open_a_file();
	return NULL;
}

static int
open_in_a_thread(void)
{
	pthread_t t;

	return pthread_create(&t, NULL, opens, NULL) != 0 ||
	    pthread_join(t, NULL) != 0;
}

static int
end_itself(void)
{
	signal(SIGTERM, SIG_IGN);
	return raise(SIGTERM);
}

static void
it_can_do_its_work(void **state)
{
	(void)state;
	assert_allowed(use_memory);
	assert_allowed(read_and_write);
	assert_allowed(start_a_thread);
	assert_allowed(end_itself);
	/* As the program does, what the C library reads is read before. */
	assert_int_equal(tell_time(), 0);
	assert_allowed(tell_time);
}

static void
threads_are_in_it_as_well(void **state)
{
	(void)state;
	assert_killed(open_in_a_thread);
}

static int	listening;

static int
serve(void)
{
	const int yes = 1;
	char c;
	int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);

	return fd < 0 || setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes,
	    sizeof(yes)) != 0 || send(fd, "x", 1, MSG_NOSIGNAL) != 1 ||
	    recv(fd, &c, 1, MSG_DONTWAIT) >= 0 || shutdown(fd, SHUT_RDWR) != 0;
}

/* A socket that listens, and one that has connected to it. */
static int
call_ourselves(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
	    .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof(at);
	void *any = &at;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	listening = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(listening, any, len), 0);
	assert_int_equal(listen(listening, 1), 0);
	assert_int_equal(getsockname(listening, any, &len), 0);
	assert_int_equal(connect(fd, any, len), 0);
	return fd;
}

static void
a_server_accepts_but_does_not_connect(void **state)
{
	const struct sandbox_config server = { .server = true };
	int status, fd = call_ourselves();

	(void)state;
	assert_int_equal(end_in(serve, &server), 0);
	close(fd);
	fd = call_ourselves();
	assert_killed(serve);
	close(fd);
	status = end_in(connect_somewhere, &server);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
	status = end_in(make_a_socket, &server);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS);
	close(listening);
}

static void
for_debugging_it_kills_nobody(void **state)
{
	(void)state;
	/* the file could be opened: that is what 1 says */
	assert_int_equal(end_of(open_a_file, SANDBOX_LOG), 1 << 8);
	assert_int_equal(end_of(open_a_file, SANDBOX_OFF), 1 << 8);
}

/* Privileges. */

static bool
status_says(const char *want)
{
	char line[256];
	bool found = false;
	FILE *f = fopen("/proc/self/status", "r");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, want, strlen(want)) == 0)
			found = true;
	if (f != NULL)
		fclose(f);
	return found;
}

static int
drop(const char *user, const char *root)
{
	char err[PRIVDROP_ERROR_MAX];
	struct privdrop p;

	if (privdrop_find(&p, user, root, err) != 0 ||
	    privdrop_user(&p, err) != 0 || privdrop_capabilities(err) != 0)
		return -1;
	return 0;
}

static int
become_nobody(void)
{
	gid_t groups[2];

	if (drop("nobody", NULL) != 0)
		return 1;
	if (geteuid() == 0 || getuid() == 0 || getegid() == 0)
		return 2;
	if (getgroups(2, groups) != 1 || groups[0] != getegid())
		return 3;
	if (setuid(0) == 0 || seteuid(0) == 0 || setgid(0) == 0 ||
	    setgroups(0, NULL) == 0)
		return 4;
	if (!status_says("CapPrm:\t0000000000000000") ||
	    !status_says("CapEff:\t0000000000000000") ||
	    !status_says("CapInh:\t0000000000000000") ||
	    !status_says("CapBnd:\t0000000000000000") ||
	    !status_says("CapAmb:\t0000000000000000"))
		return 5;
	if (socket(AF_PACKET, SOCK_RAW, 0) >= 0)
		return 6;
	return open("/etc/shadow", O_RDONLY) >= 0 ? 7 : 0;
}

static int
stay_root_without_capabilities(void)
{
	if (drop(NULL, NULL) != 0)
		return 1;
	if (geteuid() != 0)
		return 2;
	return socket(AF_PACKET, SOCK_RAW, 0) >= 0 ? 3 : 0;
}

static int
go_into_a_directory(void)
{
	if (drop("nobody", "/proc/self/fdinfo") != 0)
		return 1;
	if (access("/etc/passwd", F_OK) == 0)
		return 2;
	return chroot("/") == 0 ? 3 : 0;
}

static int
do_not_find_a_user(void)
{
	char err[PRIVDROP_ERROR_MAX];
	struct privdrop p;

	if (privdrop_find(&p, "no-such-user", NULL, err) == 0 ||
	    strcmp(err, "there is no user \"no-such-user\"") != 0)
		return 1;
	return privdrop_find(&p, "0", NULL, err) != 0 || p.uid != 0;
}

static int
ask_for_more_as_nobody(void)
{
	char err[PRIVDROP_ERROR_MAX];
	struct privdrop p;

	if (drop("nobody", NULL) != 0)
		return 1;
	if (privdrop_find(&p, "root", NULL, err) == 0 ||
	    strcmp(err, "only root can become user root") != 0)
		return 2;
	if (privdrop_find(&p, NULL, "/", err) == 0)
		return 3;
	/* itself is no change */
	return privdrop_find(&p, "nobody", NULL, err) != 0 || p.change;
}

static void
assert_does(int (*act)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(act());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int
needs_root(void **state)
{
	(void)state;
	return geteuid() == 0 ? 0 : 1;
}

static void
the_user_the_groups_and_the_capabilities_are_gone(void **state)
{
	if (needs_root(state) != 0)
		skip();
	assert_does(become_nobody);
}

static void
root_may_stay_but_without_capabilities(void **state)
{
	if (needs_root(state) != 0)
		skip();
	assert_does(stay_root_without_capabilities);
}

static void
a_directory_may_become_the_root(void **state)
{
	if (needs_root(state) != 0)
		skip();
	assert_does(go_into_a_directory);
}

static void
what_cannot_be_is_refused(void **state)
{
	if (needs_root(state) != 0)
		skip();
	assert_does(do_not_find_a_user);
	assert_does(ask_for_more_as_nobody);
}

int
main(void)
{
	const struct CMUnitTest sandbox[] = {
		cmocka_unit_test(it_cannot_open_make_or_look_at_files),
		cmocka_unit_test(it_cannot_connect_or_make_sockets),
		cmocka_unit_test(it_cannot_execute_or_fork),
		cmocka_unit_test(it_cannot_reach_beyond_itself),
		cmocka_unit_test(it_can_do_its_work),
		cmocka_unit_test(threads_are_in_it_as_well),
		cmocka_unit_test(a_server_accepts_but_does_not_connect),
		cmocka_unit_test(for_debugging_it_kills_nobody),
	};
	const struct CMUnitTest privileges[] = {
		cmocka_unit_test(
		    the_user_the_groups_and_the_capabilities_are_gone),
		cmocka_unit_test(root_may_stay_but_without_capabilities),
		cmocka_unit_test(a_directory_may_become_the_root),
		cmocka_unit_test(what_cannot_be_is_refused),
	};
	int failed = 0;

	if (sandbox_is_built())
		failed += cmocka_run_group_tests(sandbox, NULL, NULL);
	return failed + cmocka_run_group_tests(privileges, NULL, NULL);
}

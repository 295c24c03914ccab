/* SPDX-License-Identifier: ISC */
/*
 * sandbox.c: from here on only the system calls that the program needs.
 */
#include "sandbox.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <linux/seccomp.h>

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <net/if.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "log.h"
#include "privdrop.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    defined(NFSRATED_NO_SANDBOX)
#define BUILT	false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define BUILT	false
#endif
#endif
#ifndef BUILT
#define BUILT	true
#endif

/* With any arguments. */
static const int plain[] = {
	/* what is open */
	SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64),
	SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64),
	SCMP_SYS(close), SCMP_SYS(lseek), SCMP_SYS(_llseek),
	SCMP_SYS(fstat), SCMP_SYS(fstat64), SCMP_SYS(fsync),
	SCMP_SYS(fdatasync), SCMP_SYS(ftruncate), SCMP_SYS(ftruncate64),
	SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
	SCMP_SYS(pipe2), SCMP_SYS(eventfd2),
	SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(ppoll_time64),
	SCMP_SYS(select), SCMP_SYS(_newselect), SCMP_SYS(pselect6),
	SCMP_SYS(pselect6_time64),
	/* sockets that are there */
	SCMP_SYS(recvfrom), SCMP_SYS(recvmsg), SCMP_SYS(sendto),
	SCMP_SYS(sendmsg), SCMP_SYS(getsockname), SCMP_SYS(getsockopt),
	SCMP_SYS(shutdown), SCMP_SYS(bind),
	/* memory */
	SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap),
	SCMP_SYS(madvise),
	/* threads */
	SCMP_SYS(futex), SCMP_SYS(futex_time64),
	SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(gettid),
	SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
	SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall),
	/* time */
	SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64),
	SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time),
	SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep),
	SCMP_SYS(clock_nanosleep_time64),
	/* signals */
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn),
	SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack),
	/* itself */
	SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getuid),
	SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
	SCMP_SYS(getpgrp), SCMP_SYS(getpgid), SCMP_SYS(getrandom),
	SCMP_SYS(sysinfo),	/* qsort looks how much memory there is */
	SCMP_SYS(uname), SCMP_SYS(getrusage),
	SCMP_SYS(wait4), SCMP_SYS(waitid),
};

/* Connections that come in. */
static const int of_server[] = {
	SCMP_SYS(accept4), SCMP_SYS(accept), SCMP_SYS(getpeername),
	SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait),
	SCMP_SYS(epoll_pwait), SCMP_SYS(sendfile), SCMP_SYS(sendfile64),
	SCMP_SYS(setsockopt),
};

static const unsigned long ioctls[] = {
	FIONREAD, FIONBIO, SIOCGIFFLAGS, SIOCGIFINDEX, SIOCGIFMTU,
	SIOCGIFHWADDR, TIOCGWINSZ, TCGETS, TIOCGPGRP,
};
static const unsigned long of_terminal[] = {
	TCSETS, TCSETSW, TCSETSF, TCFLSH, TCSBRK,
};

static bool
allow_all(scmp_filter_ctx ctx, const int *calls, size_t n)
{
	size_t i;

	/* A call that this architecture does not have is no fault. */
	for (i = 0; i < n; i++)
		if (calls[i] >= 0 &&
		    seccomp_rule_add(ctx, SCMP_ACT_ALLOW, calls[i], 0) != 0)
			return false;
	return true;
}

static bool
allow_ioctls(scmp_filter_ctx ctx, const unsigned long *requests, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
		    SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX,
		    (uint32_t)requests[i])) != 0)
			return false;
	return true;
}

/* Memory that holds no code, and threads but no processes. */
static bool
allow_some(scmp_filter_ctx ctx)
{
	static const int fcntls[] = { F_GETFL, F_SETFL, F_GETFD, F_SETFD,
	    F_DUPFD, F_DUPFD_CLOEXEC };
	const uint32_t act = SCMP_ACT_ALLOW;
	size_t i;
	int res = 0;

	for (i = 0; i < sizeof(fcntls) / sizeof(fcntls[0]); i++) {
		res |= seccomp_rule_add(ctx, act, SCMP_SYS(fcntl), 1,
		    SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)fcntls[i], 0));
		res |= seccomp_rule_add(ctx, act, SCMP_SYS(fcntl64), 1,
		    SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)fcntls[i], 0));
	}
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(mmap), 1,
	    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(mmap2), 1,
	    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(mprotect), 1,
	    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(clone), 1,
	    SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD));
	/* As the C library asks about descriptors. */
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(newfstatat), 1,
	    SCMP_A3(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(statx), 1,
	    SCMP_A2(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, AT_EMPTY_PATH));
	/* Its flags cannot be looked at: the C library then takes clone. */
	res |= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS),
	    SCMP_SYS(clone3), 0);
	/* The name of a thread. */
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(prctl), 1,
	    SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0));
	return res == 0;
}

/* Packet filters, other interfaces; signals to itself. */
static bool
allow_own(scmp_filter_ctx ctx)
{
	const scmp_datum_t self = (scmp_datum_t)getpid();
	const uint32_t act = SCMP_ACT_ALLOW;
	int res = 0;

	res |= seccomp_rule_add(ctx, act, SCMP_SYS(setsockopt), 2,
	    SCMP_A1(SCMP_CMP_EQ, SOL_SOCKET, 0),
	    SCMP_A2(SCMP_CMP_EQ, SO_ATTACH_FILTER, 0));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(setsockopt), 2,
	    SCMP_A1(SCMP_CMP_EQ, SOL_SOCKET, 0),
	    SCMP_A2(SCMP_CMP_EQ, SO_DETACH_FILTER, 0));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(setsockopt), 1,
	    SCMP_A1(SCMP_CMP_EQ, SOL_PACKET, 0));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(kill), 1,
	    SCMP_A0(SCMP_CMP_EQ, self, 0));
	res |= seccomp_rule_add(ctx, act, SCMP_SYS(tgkill), 1,
	    SCMP_A0(SCMP_CMP_EQ, self, 0));
	return res == 0;
}

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

static bool
add_rules(scmp_filter_ctx ctx, const struct sandbox_config *config)
{
	if (!allow_all(ctx, plain, COUNT(plain)) ||
	    !allow_ioctls(ctx, ioctls, COUNT(ioctls)) ||
	    !allow_some(ctx) || !allow_own(ctx))
		return false;
	if (config->server && !allow_all(ctx, of_server, COUNT(of_server)))
		return false;
	return !config->terminal ||
	    allow_ioctls(ctx, of_terminal, COUNT(of_terminal));
}

static int
load(const struct sandbox_config *config)
{
	scmp_filter_ctx ctx;
	int res;

	ctx = seccomp_init(config->mode == SANDBOX_LOG ? SCMP_ACT_LOG :
	    SCMP_ACT_KILL_PROCESS);
	if (ctx == NULL)
		return -ENOMEM;
	/* A search tree instead of a list; older libraries have none. */
	seccomp_attr_set(ctx, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	res = add_rules(ctx, config) ? seccomp_load(ctx) : -EINVAL;
	seccomp_release(ctx);
	return res;
}

/* Not in a kernel that was built without, nor under valgrind. */
static bool
kernel_has_it(void)
{
	uint32_t action = SECCOMP_RET_KILL_PROCESS;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) ==
	    0 || errno != ENOSYS;
}

bool
sandbox_is_built(void)
{
	return BUILT;
}

int
sandbox_enter(const struct sandbox_config *config,
    char err[SANDBOX_ERROR_MAX])
{
	int res;

	if (config->mode == SANDBOX_OFF || !BUILT)
		return 0;
	if (!kernel_has_it()) {
		log_warning("no seccomp here: going on without the sandbox");
		return 0;
	}
	/* Another arena would look for the number of processors. */
	mallopt(M_ARENA_MAX, 1);
	res = privdrop_no_new() == 0 ? load(config) : -errno;
	if (res == 0)
		return 0;
	snprintf(err, SANDBOX_ERROR_MAX, "sandbox: %s", strerror(-res));
	return -1;
}

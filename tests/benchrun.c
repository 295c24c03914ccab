/* SPDX-License-Identifier: ISC */
/*
 * benchrun.c: runs a program, its output thrown away, and says what it cost.
 *
 * usage: benchrun PROGRAM ARGUMENT ...
 * Prints seconds by the clock, seconds of the processor, most memory in KiB,
 * and the program's exit status.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double
seconds(const struct timeval *tv)
{
	return (double)tv->tv_sec + (double)tv->tv_usec / 1e6;
}

static _Noreturn void
run(char **argv)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 ||
	    dup2(fd, STDERR_FILENO) < 0)
		_exit(126);
	execvp(argv[0], argv);
	_exit(127);
}

int
main(int argc, char *argv[])
{
	struct rusage used;
	double start = now(), elapsed;
	int status;
	pid_t pid;

	if (argc < 2)
		errx(2, "usage: benchrun PROGRAM ARGUMENT ...");
	if ((pid = fork()) < 0)
		err(1, "fork");
	if (pid == 0)
		run(argv + 1);
	if (wait4(pid, &status, 0, &used) != pid)
		err(1, "wait");
	elapsed = now() - start;
	printf("%.4f %.4f %ld %d\n", elapsed,
	    seconds(&used.ru_utime) + seconds(&used.ru_stime),
	    used.ru_maxrss,
	    WIFEXITED(status) ? WEXITSTATUS(status) : 128);
	return 0;
}
